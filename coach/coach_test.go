package coach

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

var update = flag.Bool("update", false, "write the golden files under testdata anew")

// golden compares a text with a file under testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// solved solves the game of some rules that a test knows to be right.
func solved(t testing.TB, rules string) *solve.Solution {
	t.Helper()
	r, err := digit.ParseRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	s, err := solve.Solve(t.Context(), r, solve.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// positionOf reads a position that a test knows to be right.
func positionOf(t testing.TB, r digit.Rules, text string) digit.Position {
	t.Helper()
	p, err := r.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// variants are games in which other words are needed than in the books.
var variants = []string{
	"dilemma target=11",
	"dilemma zero=counts",
	"dilemma zero=barred",
	"dilemma width=2",
	"dilemma width=4 pool=0-8",
	"dilemma final=nearest,higher",
	"dilemma final=below,later",
	"dilemma final=draw",
	"dilemma target=4 final=nearest",
	"dilemma pool=0-c target=11 width=2",
	"sevens win=full",
	"sevens win=each",
	"sevens zero=counts",
	"sevens target=9 final=below",
	"sevens width=2 target=5",
	"highest width=2",
	"highest width=2 final=later",
	"sevens width=2 target=91 zero=counts",
	"highest width=4",
	"highest pool=0-9 zero=barred",
	"highest pool=4-9,a-d",
	"highest place=hand",
	"highest place=ends width=3",
	"highest target=7 final=nearest,below,higher",
	"reverse final=lower",
	"reverse place=hand pool=0-8",
	"divisibility width=3",
	"divisibility target=11 pool=0-7",
	"divisibility zero=inert pool=0-8",
	"divisibility zero=barred pool=0-7",
	"divisibility target=13 pool=1-4,a-f",
	"divisibility final=draw target=17",
	"divisibility pool=0-3 target=13 final=higher",
}

// sample calls yield with about n positions of a game, as random play comes to them, in which few call wrong.
func sample(r digit.Rules, n int, seed uint64, yield func(digit.Position, *rand.Rand)) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for n > 0 {
		for p := (digit.Position{}); ; n-- {
			m, more := r.Pick(p, rng.IntN)
			if !more {
				break
			}
			yield(p, rng)
			if rng.IntN(4) > 0 {
				m.Call = digit.Number{}
			}
			p, _ = r.Play(p, m)
		}
	}
}

// casts are the readers of a test: who moves, who does not, and nobody.
func casts(mover digit.Side) []rulebook.Cast {
	names := [2]string{"Ada", "Ben"}
	return []rulebook.Cast{{Names: names, You: [2]bool{mover == digit.First, mover == digit.Second}},
		{Names: names, You: [2]bool{mover == digit.Second, mover == digit.First}}, {Names: names}}
}

// A said is a text about a move of a position, to be read or heard.
type said struct {
	m      digit.Move
	text   string
	spoken bool
}

// texts returns all that is said about a position: the hint, and what is told of a random move while it is tried and when the game
// is over.
func texts(s *solve.Solution, p digit.Position, m digit.Move, cast rulebook.Cast) []said {
	h, _ := Advise(s, p, cast)
	all := []said{{h.Move, h.Reason, false}, {h.Move, h.Spoken[2], true}}
	tried, _ := Judge(s, p, m, cast)
	over := judge(s, p, m, cast, tone{past: true, order: true})
	for _, v := range []Verdict{tried, over} {
		if v.Grade != Best {
			all = append(all, said{m, v.Blame, false}, said{v.Line[0], v.Reason, false})
		} else {
			all = append(all, said{m, v.Reason, false})
		}
	}
	for _, told := range []struct{ text, head, tail string }{{tried.Spoken, "Right! ", ""}, {tried.Spoken, "Not that one: ", " Try again."},
		{over.Spoken, "Best: ", ""}, {over.Spoken, "Good, but slower: ", ""}, {over.Spoken, "Every move lost, but ", ""}, {over.Spoken, "Mistake: ", ""}, {over.Spoken, "Blunder: ", ""}} {
		if text, ok := strings.CutPrefix(told.text, told.head); ok {
			all = append(all, said{m, strings.TrimSuffix(text, told.tail), true})
		}
	}
	return all
}

// verify checks a text.
func (x said) verify(s *solve.Solution, p digit.Position, cast rulebook.Cast) (*claim, error) {
	k, err := newClaim(s, p, x.m, cast)
	if err != nil {
		return nil, err
	}
	if x.spoken {
		if strings.ContainsAny(x.text, "=·+→_()/%") {
			return nil, errors.New("a sign is to be heard")
		}
		return k, k.check(k.read(x.text), math.MaxInt)
	}
	return k, k.check(x.text, most)
}

// rare are the forms of clauses that are told only where numbers are long: [TestAnyRules] meets them.
var rare = map[string]bool{"(only )?([^,]*) won at once": true, "{you} wins?": true}

// nightly reports whether tests run at full size. make nightly sets the variable.
var nightly = os.Getenv("DUEL_NIGHTLY") != ""

// TestClaims checks all that hints, reasons and blames claim to each reader over many positions of the books and of other games,
// that nearly all of it is concrete, and that every form of a clause is used somewhere.
func TestClaims(t *testing.T) {
	positions := 200
	if nightly {
		positions = 600
	}
	var lock sync.Mutex
	used := map[string]bool{}
	t.Run("games", func(t *testing.T) {
		run := func(rules string, positions int, floor float64) {
			t.Run(rules, func(t *testing.T) {
				t.Parallel()
				forms := checkClaims(t, solved(t, rules), positions, floor)
				lock.Lock()
				defer lock.Unlock()
				maps.Copy(used, forms)
			})
		}
		for _, b := range digit.Books {
			run(b.Name, positions, 0.97)
		}
		for _, rules := range variants {
			run(rules, 150, 0.8)
		}
	})
	for _, f := range forms {
		if !used[f.pattern] && !rare[f.pattern] {
			t.Errorf("no text has a clause of the form %s", f.pattern)
		}
	}
}

// checkClaims checks the texts about a sample of positions, of which a share must be concrete, and returns the forms of their clauses.
func checkClaims(t *testing.T, s *solve.Solution, positions int, floor float64) map[string]bool {
	r := s.Rules()
	used := map[string]bool{}
	all, concrete := 0, 0
	sample(r, positions, 1, func(p digit.Position, rng *rand.Rand) {
		m, _ := r.Pick(p, rng.IntN)
		cast := casts(r.Turn(p))[rng.IntN(3)]
		h, ok := Advise(s, p, cast)
		if err := checkHint(s, p, h, cast); err != nil || !ok {
			t.Fatalf("%s %v: %s %s\n  %v", r.Text(p), h.Move, h.Look, h.Idea, err)
		}
		for _, x := range texts(s, p, m, cast) {
			k, err := x.verify(s, p, cast)
			if err != nil {
				t.Fatalf("%s %v: %s\n  %v", r.Text(p), x.m, x.text, err)
			}
			maps.Copy(used, k.used)
			if all++; k.concrete {
				concrete++
			}
		}
	})
	share := float64(concrete) / float64(all)
	t.Logf("%d of %d texts are concrete: %.1f %%", concrete, all, 100*share)
	if share < floor {
		t.Errorf("%.1f %% of the texts are concrete, which is less than %.0f %%", 100*share, 100*floor)
	}
	return used
}

// TestFalseClaims makes claims false, by another digit, another place or the other player in the place of one, and wants nearly all of
// them refused: a few remain true, such as other moves that win as well.
func TestFalseClaims(t *testing.T) {
	swaps := [][2]string{{"above", "below"}, {"below", "above"}, {"higher", "lower"}, {"lower", "higher"}, {"at least", "at most"}, {"at most", "at least"},
		{"you", "Ben"}, {"Ben", "you"}, {"your", "Ben's"}, {"Ben's", "your"}, {"left", "right"}, {"right", "left"}, {"only", "also"}, {"only", ""},
		{"win", "keep the draw"}, {"wins", "keeps the draw"}, {"the draw", "the win"}, {"Every move", "No move"}, {"must", "cannot"}}
	for _, b := range digit.Books {
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			s := solved(t, b.Name)
			all, refused := 0, 0
			sample(b.Rules, 40, 2, func(p digit.Position, rng *rand.Rand) {
				cast := rulebook.Cast{Names: [2]string{"Ben", "Ben"}, You: [2]bool{b.Rules.Turn(p) == digit.First, b.Rules.Turn(p) == digit.Second}}
				m, _ := b.Rules.Pick(p, rng.IntN)
				for _, x := range texts(s, p, m, cast) {
					try := func(text string) {
						wrong := said{x.m, text, x.spoken}
						if _, err := wrong.verify(s, p, cast); text != x.text {
							if all++; err != nil {
								refused++
							} else if testing.Verbose() {
								t.Logf("%s %v: %s\n  is taken for: %s", b.Rules.Text(p), x.m, x.text, text)
							}
						}
					}
					for i, c := range x.text {
						if c >= '0' && c <= '9' {
							other := (c-'0'+1+rune(rng.IntN(9)))%10 + '0'
							try(x.text[:i] + string(other) + x.text[i+1:])
						}
					}
					for _, swap := range swaps {
						try(strings.Replace(x.text, " "+swap[0]+" ", " "+swap[1]+" ", 1))
					}
				}
			})
			share := float64(refused) / float64(all)
			t.Logf("%d of %d refused: %.1f %%", refused, all, 100*share)
			if share < 0.97 {
				t.Errorf("%.1f %% of the false claims are refused", 100*share)
			}
		})
	}
	for _, text := range []string{"", "is a good move", "stops", "Put 9 in the hundreds place", "Every move loses.", "Every move wins.", "9 wins.", "Put 9 in the tens place: you have at least 912, Ben at most 876."} {
		s := solved(t, "highest")
		if _, err := (said{moveOf("9a"), text, false}).verify(s, digit.Position{}, rulebook.Cast{Names: [2]string{"Ada", "Ben"}, You: [2]bool{true, false}}); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

// TestNames checks all that is said to and of people with names of one and of 32 letters, of two words, in lower case, and from right to left.
// A text is longer than others at the most by their names.
func TestNames(t *testing.T) {
	for _, names := range [][2]string{{"A", "James"}, {"Maximiliana Konstantina Schröders", "Bartholomew Montgomery Longnames"}, {"ben", "théo"}, {"\u05d0\u05d3\u05d4", "Ada"}} {
		for _, b := range digit.Books {
			s := solved(t, b.Name)
			sample(b.Rules, 30, 5, func(p digit.Position, rng *rand.Rand) {
				m, _ := b.Rules.Pick(p, rng.IntN)
				cast := casts(b.Rules.Turn(p))[rng.IntN(3)]
				cast.Names = names
				for _, x := range texts(s, p, m, cast) {
					k, err := newClaim(s, p, x.m, cast)
					if err == nil {
						err = k.check(k.read(x.text), math.MaxInt)
					}
					if n := utf8.RuneCountInString(x.text); err == nil && !x.spoken && n > most+3*32 {
						err = fmt.Errorf("%d characters", n)
					}
					if err != nil {
						t.Fatalf("%s %v: %s\n  %v", b.Rules.Text(p), x.m, x.text, err)
					}
				}
			})
		}
	}
}

// TestAnyRules checks all that is said about positions of games that nobody has thought of.
func TestAnyRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for games := 0; games < 100; {
		r := digit.Rules{Pool: digit.Pool(rng.IntN(1 << (5 + rng.IntN(12)))), Place: digit.Place(rng.IntN(3)), Width: uint8(rng.IntN(5)),
			Target: uint16(rng.IntN(40)), Win: digit.Win(rng.IntN(4)), Zero: digit.Zero(rng.IntN(3))}
		for i := range 1 + rng.IntN(3) {
			r.Final[i] = digit.Order(rng.IntN(7))
		}
		if r.Pool.Len() > 9 || r.Check() != nil {
			continue
		}
		games++
		t.Run(r.String(), func(t *testing.T) { checkClaims(t, solved(t, r.String()), 25, 0) })
	}
}

// TestTold has each kind of hint and of judgement in full: the position, the move, what is told while it is tried, and when the game is over.
func TestTold(t *testing.T) {
	var b strings.Builder
	for _, tt := range told {
		s := solved(t, tt.rules)
		r := s.Rules()
		p := positionOf(t, r, tt.position)
		cast := casts(r.Turn(p))[0]
		if tt.move == "" {
			h, _ := Advise(s, p, cast)
			fmt.Fprintf(&b, "%s %s: %v, %v\n  %s\n  %s\n  %s\n  heard: %s\n\n", tt.rules, tt.position, h.Move, h.Value, h.Look, h.Idea, h.Reason, strings.Join(h.Spoken[:], " "))
			continue
		}
		v, err := Judge(s, p, moveOf(tt.move), cast)
		if err != nil {
			t.Fatal(err)
		}
		over := judge(s, p, moveOf(tt.move), cast, tone{past: true, order: true})
		fmt.Fprintf(&b, "%s %s %s: %v\n  tried: %s\n  over:  %s\n  heard: %s\n\n", tt.rules, tt.position, tt.move, v.Grade, v.Told, over.Told, over.Spoken)
	}
	golden(t, "told.txt", b.String())
}

// TestPicked pins hints for a digit that is picked: where it goes, or that it should be taken back.
func TestPicked(t *testing.T) {
	for _, tt := range []struct{ rules, position, digit, want string }{
		{"dilemma", "7__/_3_", "1", "1c: You can make two winning digits at once. | Find the move after which both 2 and 9 would win. | " +
			"Put 1 on the right: then 2 makes 721 = 7·103 and 9 makes 791 = 7·113. Ben can take only one. It is your only winning place."},
		{"dilemma", "7_1/53_", "2", "2b: You can win this turn. | 2 makes 7 _ 1 a multiple of 7. | Put 2 in the middle: 721 = 7·103."},
		{"dilemma", "7_1/53_", "4", "4b: With 4 you cannot win any more. | Take it back, or make the best of it. | With 4 you cannot win any more; take it back (undo) or put 4 in the middle."},
		{"sevens", "17/58", "2", "2=721: You can win this turn. | 2 lets your 1 and 7 make a multiple of 7. | Take 2 and call 721 = 7·103."},
		{"sevens", "17/58", "0", "0: With 0 you cannot win any more. | Take it back, or make the best of it. | With 0 you cannot win any more; take it back (undo) or call nothing."},
		{"divisibility", "852/346", "9", "9L: Nothing wins, and nothing loses. |  | Put 9 at the left end: only 1 of Ben's 4 answers keeps the draw too. Every end keeps the draw."},
		{"dilemma final=draw", "3_2/_49", "0", "0b: With 0 you cannot keep the draw any more. | Take it back, or make the best of it. | " +
			"With 0 you cannot keep the draw any more; take it back (undo) or put 0 in the middle."},
	} {
		s := solved(t, tt.rules)
		p := positionOf(t, s.Rules(), tt.position)
		h, ok := AdviseWith(s, p, moveOf(tt.digit).Digit, casts(s.Rules().Turn(p))[0])
		if got := fmt.Sprintf("%v: %s | %s | %s", h.Move, h.Look, h.Idea, h.Reason); !ok || got != tt.want {
			t.Errorf("%s %s, %s picked:\n got %s\nwant %s", tt.rules, tt.position, tt.digit, got, tt.want)
		}
	}
	s := solved(t, "dilemma")
	if h, ok := AdviseWith(s, positionOf(t, s.Rules(), "7_1/53_"), 7, rulebook.Cast{}); ok {
		t.Errorf("a hint for a digit that is taken: %v", h)
	}
}

// TestOver pins what is said when the game is over or a move is not legal.
func TestOver(t *testing.T) {
	s := solved(t, "dilemma")
	over := positionOf(t, s.Rules(), "741/532")
	if h, ok := Advise(s, over, rulebook.Cast{}); ok {
		t.Errorf("a hint for a finished game: %v", h)
	}
	for _, tt := range []struct{ position, move, want string }{
		{"741/532", "6a", "6a: the game is over: 0-1 multiple"},
		{"7_1/53_", "7b", "7b: 7 is taken; left: 0 2 4 6 8 9"},
		{"7_1/53_", "2a", "2a: place a is filled; free: b"},
	} {
		_, err := Judge(s, positionOf(t, s.Rules(), tt.position), moveOf(tt.move), rulebook.Cast{})
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s %s: %v, want %s", tt.position, tt.move, err, tt.want)
		}
	}
}

// TestAdviceKeeps checks over all positions of a sample that the advised move keeps the outcome, is a quickest win, and sets as
// many problems as any.
func TestAdviceKeeps(t *testing.T) {
	for _, rules := range []string{"dilemma", "sevens", "highest", "divisibility", "reverse", "divisibility target=11 pool=0-7", "dilemma zero=barred"} {
		s := solved(t, rules)
		r := s.Rules()
		problems := func(q digit.Position) (share float64) {
			k := &claim{s: s, r: r}
			_, _, worth := k.moves(q, true)
			for _, v := range worth {
				if v.Outcome != s.Value(q).Outcome {
					share += 1 / float64(len(worth))
				}
			}
			return share
		}
		sample(r, 400, 3, func(p digit.Position, _ *rand.Rand) {
			h, _ := Advise(s, p, rulebook.Cast{})
			best := s.Value(p)
			if solve.Value(h.Value).Outcome != best.Outcome || best.Outcome == solve.Win && solve.Value(h.Value) != best {
				t.Errorf("%v %s: %v is a %v, best is %v", r, r.Text(p), h.Move, h.Value, best)
			}
			if best.Outcome == solve.Win {
				return
			}
			q, _ := r.Play(p, h.Move)
			set := problems(q)
			for m, v := range s.Moves(p) {
				next, _ := r.Play(p, m)
				const rounding = 1e-9
				if other := problems(next); v.Outcome == best.Outcome && (other > set+rounding || other > set-rounding && v.Plies > h.Value.Plies && v.Outcome == solve.Loss) {
					t.Errorf("%v %s: %v sets %.2f, %v sets %.2f", r, r.Text(p), h.Move, set, m, other)
				}
			}
		})
	}
}
