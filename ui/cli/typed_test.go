package cli

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
)

// TestTyped types moves in every accepted form. Bars separate the forms, and a slash is the Enter
// key.
func TestTyped(t *testing.T) {
	tests := []struct{ rules, lead, ways, want string }{
		{"dilemma", "", "7/left|7 left|7L|7l|7a|7A|7 a|7,left|7, Left|7:left|7=left|  7   LEFT  |7\tleft|7 lef|7 hundreds|7h|7 H|7/l|7/Hun|7/A|7/hundreds|7/Left position|7/Hundreds place|7/Left position (Hundreds place)|7/(L)eft|7/Left.|7/the left", "7a"},
		{"dilemma", "", "'7'/left|7 to Left|digit 7/left|Digit '7' to Left|**7**/**Left**|`7`/left|put 7 on the left|7./left|\"7\" left|7 in the hundreds place", "7a"},
		{"dilemma", "", "7/middle|7m|7 mid|7b|7 tens|7t|7/B|7/T", "7b"},
		{"dilemma", "", "7/right|7r|7c|7 units|7u|7 ones|7 one|7o|7/C|7/ONES", "7c"},
		{"highest", "", "9/Hundreds Place|9/Hundreds", "9a"},
		{"highest", "", "9/hundreds|9h|9 hun|9a|9L|9 left|9/Hundreds|9/h", "9a"},
		{"highest", "", "9/tens|9t|9 ten|9b|9m|9 middle|9/T", "9b"},
		{"highest", "", "9/units|9u|9 unit|9c|9 ones|9 right|9R|9/U", "9c"},
		{"reverse", "", "9/Ones place|9 to the ones place", "9c"},
		{"reverse", "", "9/ones|9o|9 one|9c|9 units|9u|9 right|9/O", "9c"},
		{"divisibility", "", "4/R|4/L|4R|4L|4 right|4 left|4/right|4/Left|4,l|4 r", "4R"}, // the first digit has no sides
		{"divisibility", "4r/3r/", "2/L|2L|2l|2 left|2,L|2 le|2/Left|2/LEFT|2/(L)eft|2/Left end|2 on (L)eft of your number|add 2 to the left", "4R 3R 2L"},
		{"divisibility", "4r/3r/", "1/R|1R|1r|1 right|1/ri|1/RIGHT|1/Right end|1/(R)ight", "4R 3R 1R"},
		{"sevens", "", "7| 7 |7,|7:", "7"},
		{"sevens", "7/5/1/8/", "2/|2/ |2/none|2/Pass|2/no|2/No.", "7 5 1 8 2"},
		{"highest width=4", "", "7/thousands|7 th|7a|7 left|7/A|7/THOU", "7a"},
		{"highest width=4", "", "7/hundreds|7h|7b", "7b"},
		{"highest width=4", "", "7/tens|7 te|7c", "7c"},
		{"highest width=4", "", "7/units|7u|7o|7d|7 right", "7d"},
		{"highest width=5 pool=0-9", "", "7/ten-thousands|7/ten thousands|7 ten thousands|7 ten-th|7a|7 left", "7a"},
		{"highest width=5 pool=0-9", "", "7/hundreds|7h|7 middle|7m|7c", "7c"},
		{"highest width=5 pool=0-9", "", "7/tens|7d", "7d"},
		{"highest width=2", "", "7/tens|7t|7a|7 left", "7a"},
		{"highest width=1", "", "7/units|7u|7a|7l|7r|7m", "7a"},
		{"highest pool=0-f", "", "a/hundreds|aa|AA|A h|A,left|a/A", "aa"},
		{"highest pool=0-f", "", "f/units|fc|FC|f r|F ones", "fc"},
		{"highest pool=0-f width=8", "", "7/h|7h|7 H|7 right|7 8th|7/the 8th|7/8th place|7/8", "7h"},
		{"highest pool=0-f width=6", "", "b/b|bb|B B", "bb"},
		{"divisibility pool=1-b", "4r/3r/", "bl|B L|b left|B/L", "4R 3R bL"},
	}
	for _, tt := range tests {
		for way := range strings.SplitSeq(tt.ways, "|") {
			typed := strings.ReplaceAll(tt.lead+way, "/", "\n") + "\n"
			s := playTyped(t, tt.rules, typed)
			if got, want := s.record(t), s.rules()+" "+tt.want+" *"; got != want {
				t.Errorf("%s: typing %q records %s, want %s\n%s", tt.rules, typed, got, want, s.out)
			}
		}
	}
}

// TestCalls types calls in every accepted form.
func TestCalls(t *testing.T) {
	tests := []struct{ rules, ways, want string }{
		{"sevens", "2/721|2 721|2=721|2,721|2: 721|2/=721|2/ 721 |2/7, 2, 1|2/7,2,1|2/721.|2, 7 2 1", "7 5 1 8 2=721 1-0 multiple"},
		{"sevens", "2/712|2 712", "7 5 1 8 2=712 0-1 miscalled"},
		{"sevens zero=counts", "0/071|0 071", "7 5 1 8 0=071 0-1 miscalled"},
		{"sevens pool=0-f", "f/7F1|f 71f|F=71F", "7 5 1 8 f=7"},
	}
	for _, tt := range tests {
		for way := range strings.SplitSeq(tt.ways, "|") {
			s := playTyped(t, tt.rules, "7\n5\n1\n8\n"+strings.ReplaceAll(way, "/", "\n")+"\n")
			got, want := s.record(t), s.rules()+" "+tt.want
			if s.err != nil || !strings.HasPrefix(got, want) || strings.HasSuffix(got, "*") {
				t.Errorf("typing %q records %s, %v; want %s\n%s", way, got, s.err, want, s.out)
			}
		}
	}
}

// TestCommands types commands at every kind of prompt, and checks the reply, the next prompts and
// the record.
func TestCommands(t *testing.T) {
	const digit1, digit2 = "Player 1, pick a digit: ", "Player 2, pick a digit: "
	const call = "Player 1, call a multiple of 7, or Enter for none; a wrong call loses: "
	const pick = "Enter the digit you want to pick: "
	const place = "Enter the position to place the digit (Left, Middle, Right): "
	tests := []struct {
		name, rules, typed string
		said               string   // a part of the output before the last prompt
		asked              []string // the last prompts
		want               string   // the record
	}{
		{"undo at the start", "dilemma", "undo", "You have no move to take back.\n", []string{pick, pick}, "*"},
		{"undo a picked digit", "dilemma", "7/undo", "\nThe digit is put back.\n\n---\n\nPlayer 1's Turn:\nAvailable Digits: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9\n", []string{pick, place, pick}, "*"},
		{"undo a picked digit after a slip", "dilemma", "7/nowhere/UNDO", "The digit is put back.\n", []string{place, place, pick}, "*"},
		{"undo takes back the other's move", "dilemma", "7a/3b/undo", "\nPlayer 2 took back 3 in the middle.\nPlayer 1: 7 _ _\nPlayer 2: _ _ _\nDigits left: 0, 1, 2, 3, 4, 5, 6, 8, 9\n\n---\n\nPlayer 2's Turn:\n", []string{pick, pick, pick, pick}, "7a *"},
		{"undo twice", "dilemma", "7a/3b/undo/undo/5c", "", []string{pick, pick}, "5c *"},
		{"undo to the start and once more", "dilemma", "7a/undo/undo", "You have no move to take back.\n", []string{pick, pick}, "*"},
		{"undo with a digit picked keeps the moves", "dilemma", "7a/3b/1/undo", "The digit is put back.\n", []string{place, pick}, "7a 3b *"},
		{"undo at a call", "sevens", "7/5/1/8/2/undo", "\nThe digit is put back.\n\n", []string{digit1, call, digit1}, "7 5 1 8 *"},
		{"undo of a digit in hand", "sevens", "7/5/undo", "Player 2 took back 5.\nPlayer 1: 7\nPlayer 2: nothing yet\nDigits left: 0 1 2 3 4 5 6 8 9\n", []string{digit2, digit1, digit2}, "7 *"},
		{"undo of a full hand", "sevens", "7/5/1/8/2//undo", "Player 1 took back 2.\nPlayer 1: 7, 1\nPlayer 2: 5, 8\n", []string{digit2, digit1}, "7 5 1 8 *"},
		{"undo at an end", "divisibility", "4r/3r/undo/undo", "Player 1 took back 4.\nPlayer 1: nothing yet\nPlayer 2: nothing yet\nDigits left: 1 2 3 4 5 6 7 8 9\n", nil, "*"},
		{"help keeps the prompt", "dilemma", "7/help", "take back the digit just picked", []string{place, place}, "*"},
		{"help in any case", "dilemma", "  HeLp ", "At any prompt:\n", []string{pick, pick}, "*"},
		{"question mark", "sevens", "7/5/1/8/2/?", "With the digit that fills your hand you may call a number made of the whole hand; both fit\nin one line: 9 789.\n", []string{call, call}, "7 5 1 8 *"},
		{"help with ends", "divisibility", "help", "both fit in one line: 9R or 9 right.\n", nil, "*"},
		{"help with slots", "dilemma", "help", "both fit in one line: 9 left or 9l or 9a.\n", nil, "*"},
		{"help with wide slots", "highest width=4", "help", "both fit in one line: 9 thousands or 9a.\n", nil, "*"},
		{"help with letters", "highest width=4 pool=0-f", "help", "both fit in one line: f a or fa.\n", nil, "*"},
		{"help where nobody calls", "sevens win=full", "help", "Pick a digit by typing it.\nAt any prompt:\n", nil, "*"},
		{"rules", "dilemma", "7/rules", "First three-digit multiple of 7 wins.", []string{place, place}, "*"},
		{"board", "dilemma", "7a/board", "\nPlayer 1: 7 _ _\nPlayer 2: _ _ _\nDigits left: 0, 1, 2, 3, 4, 5, 6, 8, 9\n", []string{pick, pick}, "7a *"},
		{"board with a digit picked", "dilemma", "7a/3/Status", "\nPlayer 1: 7 _ _\nPlayer 2: _ _ _\nDigits left: 0, 1, 2, 3, 4, 5, 6, 8, 9\nPicked: 3\n", []string{place, place}, "7a *"},
		{"board at a call", "sevens", "7/5/1/8/2/show", "\nPlayer 1: 7, 1\nPlayer 2: 5, 8\nDigits left: 0 2 3 4 6 9\nPicked: 2\n", []string{call, call}, "7 5 1 8 *"},
		{"b", "reverse", "9a/b", "\nPlayer 1: [9] [_] [_]\nPlayer 2: [_] [_] [_]\nDigits left: 1 2 3 4 5 6 7 8\n", nil, "9a *"},
		{"b at an end", "divisibility", "4r/3r/5/b", "\nPlayer 1: 4\nPlayer 2: 3\nDigits left: 1 2 5 6 7 8 9\nPicked: 5\n", nil, "4R 3R *"},
		{"b is a place", "dilemma", "7/b", "", []string{pick, place, pick}, "7b *"},
		{"b is a digit", "divisibility pool=1-f", "b/r", "- Your Number: b\n", nil, "bR *"},
		{"b is a digit that is taken", "divisibility pool=1-f", "b/r/b", "\nPlayer 1 has b. Still in the pool: 1 2 3 4 5 6 7 8 9 a c d e f.\n", nil, "bR *"},
		{"hint", "dilemma", "7/hint", "\nHints are off until both players agree.\n", []string{place, place}, "*"},
		{"resign", "dilemma", "7a/resign", "", nil, "7a 1-0 resigned"},
		{"resign with a digit picked", "dilemma", "7/Resign", "", nil, "0-1 resigned"},
		{"resign at a call", "sevens", "7/5/1/8/2/resign", "", nil, "7 5 1 8 0-1 resigned"},
		{"quit", "dilemma", "7a/quit", "", nil, "7a *"},
		{"quit with a digit picked", "dilemma", "7a/3/QUIT", "", nil, "7a *"},
		{"exit at a call", "sevens", "7/5/1/8/2/exit", "", nil, "7 5 1 8 *"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := playTyped(t, tt.rules, strings.ReplaceAll(tt.typed, "/", "\n")+"\n")
			if said := s.asked[len(s.asked)-1].said; !strings.Contains(said, tt.said) {
				t.Errorf("the output is %q, want %q in it", said, tt.said)
			}
			var prompts []string
			for _, a := range s.asked[max(0, len(s.asked)-len(tt.asked)):] {
				prompts = append(prompts, a.prompt)
			}
			if diff := cmp.Diff(tt.asked, prompts); diff != "" {
				t.Errorf("prompts (-want +got):\n%s", diff)
			}
			if got, want := s.record(t), s.rules()+" "+tt.want; got != want {
				t.Errorf("recorded %s, want %s", got, want)
			}
			last := strings.ToLower(tt.typed[strings.LastIndex(tt.typed, "/")+1:])
			leaves := slices.Contains([]string{"quit", "exit"}, last)
			if s.state.Playing() && !leaves {
				s.wantEnded(t)
			} else if s.err != nil {
				t.Error(s.err)
			}
			if leaves && !strings.HasPrefix(s.last(), "Unfinished: stopped after ") {
				t.Errorf("the output at the end is %q", s.last())
			}
		})
	}
}

// hinted asks for hints at the last prompt, and returns them.
func hinted(t *testing.T, rules, typed string, times int) []string {
	t.Helper()
	s := session{setup: match.Setup{Rules: rulesOf(t, rules), Terms: match.Terms{Hints: true}}}
	s.play(t, strings.NewReader(strings.ReplaceAll(typed, "/", "\n")+strings.Repeat("hint\n", times)))
	var said []string
	for _, a := range s.asked[len(s.asked)-times:] {
		said = append(said, strings.TrimSpace(a.said))
	}
	return said
}

// TestHint asks for hints about a position and about a picked digit. Each time, the hint says more.
func TestHint(t *testing.T) {
	const more = " (type hint again for more)"
	tests := []struct {
		rules, typed string
		want         []string
	}{
		{"highest", "8a/", []string{
			"Hint: One digit can settle this. Which place counts most?" + more,
			"Hint: After the right move, Player 1 can reach 876 at most." + more,
			"Hint: Put 9 in the hundreds place: you finish with at least 912, Player 1 with at most 876. It's your only winning move.",
			"Hint: Put 9 in the hundreds place: you finish with at least 912, Player 1 with at most 876. It's your only winning move.",
		}},
		{"highest", "8a/7/", []string{
			"Hint: With 7, you can't force a win." + more,
			"Hint: Take it back." + more,
			"Hint: With 7, you can't force a win. Take it back, or put 7 in the tens place.",
		}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, hinted(t, tt.rules, tt.typed, len(tt.want))); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", tt.rules, tt.typed, diff)
		}
	}
}

// TestHintForAPickedDigit picks each digit and asks for all hints: the last one names a move with
// this digit, which can be typed without the digit.
func TestHintForAPickedDigit(t *testing.T) {
	for rules, lead := range map[string]string{
		"dilemma": "7a/3b/", "sevens": "7/5/1/8/", "highest": "9a/8a/", "divisibility": "4r/3r/",
		"reverse": "9a/1a/", "sevens zero=counts": "7/5/1/8/",
	} {
		r := rulesOf(t, rules)
		before := playTyped(t, rules, strings.ReplaceAll(lead, "/", "\n"))
		s, err := solving(t)(r)
		if err != nil {
			t.Fatal(err)
		}
		for d := range r.Left(before.state.Position).All() {
			typist := newScreen(before.state).typist()
			hint, ok := coach.AdviseWith(s, before.state.Position, d, typist)
			said := hinted(t, rules, lead+d.String()+"/", 3)
			if !ok || hint.Move.Digit != d || said[2] != "Hint: "+hint.Reason {
				t.Errorf("%s %s%v: the hints for %v are %q", rules, lead, d, hint.Move, said)
			}
			answer := hint.Move.Call.String()
			if i, slot := hint.Move.Spot.Slot(); slot {
				answer = digit.SlotAt(i).String()
			} else if hint.Move.Spot != digit.InHand {
				answer = hint.Move.Spot.String()
			}
			typed := strings.ReplaceAll(lead+d.String()+"/", "/", "\n") + answer + "\n"
			after := playTyped(t, rules, typed)
			if got := recordOf(t, after.record(t)).Moves; got[len(got)-1] != hint.Move {
				t.Errorf("%s %s%v: typing %q plays %v, want %v",
					rules, lead, d, answer, got[len(got)-1], hint.Move)
			}
		}
	}
}

// TestReviewQuestion types answers to the question for a review, in a single game and in a series.
func TestReviewQuestion(t *testing.T) {
	const question = "Review this game? (y/N) "
	tests := []struct {
		name, typed string
		bestOf      int
		said        string // the end of the output
		err         error
	}{
		{"yes", "y", 0, "Player 1 got 1 of 1 decision right. Player 2 had nothing to decide.\n", nil},
		{"no", "No", 0, question + "\n", nil},
		{"nothing", "", 0, question + "\n", nil},
		{"something else", "maybe/n", 0, "Type y or n. Or type help.\n" + question + "\n", nil},
		{"help", "help/n", 0, "  quit    leave; a game under way stays unfinished\n\n" + question + "\n", nil},
		{"rules", "RULES/n", 0, "\n\n" + question + "\n", nil},
		{"board", "b/n", 0, "\nPlayer 1: 7\nPlayer 2: nothing yet\nDigits left: 1 2 3 4 5 6 8 9\n" + question + "\n", nil},
		{"hint", "hint/n", 0, "\nThere's no game in progress.\n" + question + "\n", nil},
		{"undo", "undo/n", 0, "\nThere's no game in progress.\n" + question + "\n", nil},
		{"resign", "resign/n", 0, "\nThere's no game in progress.\n" + question + "\n", nil},
		{"quit", "quit", 0, question + "\n", nil},
		{"quit a series", "quit", 3, question + "\n\nPlayer 1 leads 1–0.\n", nil},
		{"the input ends", "", 3, "- Select a digit from the available digits: \n", ErrEnded},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			terms := match.Terms{BestOf: tt.bestOf, Hints: true}
			s := session{setup: match.Setup{Rules: digit.Divisibility, Terms: terms}, offer: true}
			s.play(t, strings.NewReader("7r\n"+strings.ReplaceAll(tt.typed, "/", "\n")+"\n"))
			if !strings.HasSuffix(s.out, tt.said) || !errors.Is(s.err, tt.err) {
				t.Errorf("got\n%s, %v; want at the end\n%s, %v", s.out, s.err, tt.said, tt.err)
			}
		})
	}
	for _, bestOf := range []int{0, 3} {
		terms := match.Terms{BestOf: bestOf}
		s := session{setup: match.Setup{Rules: digit.Divisibility, Terms: terms}, offer: true}
		s.play(t, strings.NewReader("7r\n"))
		const unfinished = "the input ended; the series is left unfinished"
		if bestOf == 0 && s.err != nil ||
			bestOf > 0 && (s.err == nil || s.err.Error() != unfinished) {
			t.Errorf("best of %d: the session ends with %v", bestOf, s.err)
		}
	}
}

// TestHelped checks that saved games are tagged if the player used help.
func TestHelped(t *testing.T) {
	for _, tt := range []struct{ typed, tags string }{
		{"resign/n", ""},
		{"resign/y", ""},
		{"resign", ""}, // the input ends
		{"resign/quit", ""},
		{"hint/resign/n", "taken"},
		{"values/resign/n", "taken"},
		{"rules/resign/n", ""},
	} {
		setup := match.Setup{
			Rules: digit.Highest, Levels: [2]string{"", "casual"},
			Terms: match.Terms{Hints: true}, FreeUndo: true,
		}
		rng := rand.New(rand.NewPCG(1, 1))
		table, err := match.Open(t.Context(), "t", setup, new(match.Memory), rng)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		in := strings.NewReader(strings.ReplaceAll(tt.typed, "/", "\n") + "\n")
		keyboard, tags := NewPipe(in, &out, false), ""
		game := &Game{
			Table: table, Keyboard: keyboard, Offer: true, Solve: solving(t),
			Keep: func(rec digit.Record) error {
				for _, tag := range rec.Tags {
					if tag.Key == "help" {
						tags += tag.Value
					}
				}
				return nil
			},
		}
		err = game.Run(t.Context())
		_ = keyboard.Close() // in memory
		table.Close()
		if err != nil || tags != tt.tags {
			t.Errorf("%s: error %v, help tag %q, output\n%s", tt.typed, err, tags, out.String())
		}
	}
}

// TestHelpEnds checks that help in a game does not count in the next one.
func TestHelpEnds(t *testing.T) {
	state := match.State{Setup: match.Setup{Rules: digit.Highest}, Game: 2}
	keyboard := NewPipe(strings.NewReader(""), io.Discard, false)
	game := &Game{Keyboard: keyboard, state: state, screen: newScreen(state), helped: true}
	game.describe(match.Event{Kind: match.Began}, state)
	if game.helped {
		t.Error("the next game is marked, too")
	}
	_ = keyboard.Close() // in memory
}
