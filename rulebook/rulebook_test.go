package rulebook

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"digitduel/digit"
	"digitduel/match"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func rulesOf(t testing.TB, text string) digit.Rules {
	t.Helper()
	r, err := digit.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// play plays moves from the beginning. It returns the last two positions, and the last move.
func play(t testing.TB, r digit.Rules, line string) (before, p digit.Position, last digit.Move) {
	t.Helper()
	for text := range strings.FieldsSeq(line) {
		m, err := digit.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		before, last = p, m
		if p, err = r.Play(p, m); err != nil {
			t.Fatal(err)
		}
	}
	return before, p, last
}

var adaBen = Cast{Names: [2]string{"Ada", "Ben"}}

// forBen is the cast for the second player as the reader.
var forBen = Cast{Names: [2]string{"Ada", "Ben"}, You: [2]bool{false, true}}

// golden compares text with a golden file.
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
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; rewrite it with go test ./rulebook -update):\n%s", file, diff)
	}
}

// line formats a text for the golden files.
func line(name string, s Said) string {
	text := fmt.Sprintf("%s\n  short   %s\n  long    %s\n", name, s.Short, s.Long)
	if s.Spoken != s.Long {
		text += fmt.Sprintf("  spoken  %s\n", s.Spoken)
	}
	return text
}

// goalRules lists rules with different texts about their goals.
var goalRules = []string{
	"dilemma", "sevens", "highest", "divisibility", "reverse",
	"dilemma width=4", "dilemma pool=0-f", "dilemma zero=counts", "dilemma zero=barred",
	"dilemma target=101", "dilemma target=101 final=draw",
	"divisibility win=never", "divisibility width=3", "divisibility width=5",
	"divisibility target=3", "divisibility pool=0-9",
	"divisibility target=13 pool=0-9 zero=inert",
	"sevens win=full", "sevens win=each", "sevens final=draw",
	"sevens target=0 win=never final=later",
	"highest place=ends width=0", "highest final=later", "highest target=7 final=nearest,above",
	"highest width=1", "highest pool=0-9 zero=inert", "highest place=ends width=4 pool=1-f",
}

// TestMultipleIn compares the first multiple with different digits of the pool with a search of all
// numbers.
func TestMultipleIn(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 11))
	for range 2000 {
		r := digit.Rules{Pool: digit.Pool(rng.Uint32()), Target: uint16(2 + rng.IntN(500))}
		from := 1 + rng.IntN(1<<16)
		below, want := from+rng.IntN(1<<12), 0
		for value := from; value < below && want == 0; value++ {
			var used digit.Pool
			for rest := value; rest > 0; rest /= r.Base() {
				d := digit.PoolOf(digit.Digit(rest % r.Base()))
				if used&d != 0 || r.Pool&d == 0 {
					used = 0
					break
				}
				used |= d
			}
			if used != 0 && value%int(r.Target) == 0 {
				want = value
			}
		}
		if got := multipleIn(r, from, below); got != want {
			t.Errorf("pool %v, target %d, from %d below %d: got %d, want %d", r.Pool, r.Target,
				from, below, got, want)
		}
	}
}

func TestGoals(t *testing.T) {
	var b strings.Builder
	for _, text := range goalRules {
		r := rulesOf(t, text)
		b.WriteString(line(text+": "+Line(r), Goal(r)))
		b.WriteString(line("note", GoalNote(r)))
	}
	b.WriteString(line("sevens with auto-call", Goal(AutoCalled(digit.Sevens))))
	golden(t, "goals.txt", b.String())
}

func TestRulesInWords(t *testing.T) {
	var b strings.Builder
	for _, text := range goalRules {
		b.WriteString(Explain(rulesOf(t, text)) + "\n")
	}
	golden(t, "rules.txt", b.String())
}

// endings lists games with every kind of ending.
var endings = []struct{ rules, moves string }{
	{"dilemma", "8a 6a 5b 7b 2c 9c"},                              // 679
	{"dilemma", "1a 6a 4b 8b 3c 5c"},                              // by above
	{"dilemma", "8a 6a 9b 2b 4c 1c"},                              // by lower after a tie
	{"dilemma", "0a 1a 4b 3b 2c 9c"},                              // 042 cannot win
	{"dilemma width=4", "1a 8a 2b 7b 3c 6c 5d 4d"},                // 8764
	{"dilemma target=101", "8a 6a 9b 2b 4c 1c"},                   // out of reach
	{"dilemma pool=0-f", "9a 1a bb 2b cc"},                        // 9bc
	{"dilemma final=draw", "0a 1a 4b 3b 2c 9c"},                   // drawn, though 042 is a multiple
	{"sevens", "2 0 4 7 9 8=708"},                                 // miscalled
	{"sevens", "4 1 6 2 7=746"},                                   // miscalled, with a multiple
	{"sevens", "7 5 1 8 2=721"},                                   // called
	{"sevens", "1 0 3 6 9 7"},                                     // nobody called 931
	{"sevens", "4 2 5 3 6 7"},                                     // both could have called
	{"sevens final=draw", "1 0 3 6 9 7"},                          // nobody called
	{"sevens win=full", "7 5 1 8 2"},                              // a hand that wins by itself
	{"sevens win=full", "0 2 7 6 8 9"},                            // equally close on two sides
	{"highest", "7a 8a 1b 9b 4c 2c"},                              // higher
	{"reverse", "7a 8a 1b 9b 4c 2c"},                              // lower
	{"highest final=later", "7a 8a 1b 9b 4c 2c"},                  // later
	{"highest target=7 final=nearest,above", "3a 6a 2b 9b 5c 7c"}, // above after nearest
	{"divisibility", "4R 3R 2R"},                                  // 42
	{"divisibility", "7R"},                                        // alone
	{"divisibility", "8R 5R 1R 9R 6R 4R 3R 2R 7L"},                // by below
	{"divisibility", "4R 5R 3R 9R 7R 8R 1R 2L 6R"},                // a draw
	{"divisibility win=never", "8R 2R 1R 9R 6R 4R 5R 7R 3R"},      // the winner is a multiple
}

func TestEndings(t *testing.T) {
	var b strings.Builder
	for _, tt := range endings {
		r := rulesOf(t, tt.rules)
		before, p, last := play(t, r, tt.moves)
		if !r.Result(p).Over() {
			t.Fatalf("%s %s is not over", tt.rules, tt.moves)
		}
		name := fmt.Sprintf("%s %s %v", tt.rules, r.Text(p), r.Result(p))
		b.WriteString(line(name+", to Ben", Ending(r, p, r.Result(p), forBen)))
		b.WriteString(line(name+", to those who watch", Played(r, before, last, adaBen, Player)))
	}
	_, p, _ := play(t, digit.Dilemma, "7a 3b 1c 5a")
	for _, text := range []string{"0-1 time", "1-0 time", "1-0 resigned", "0-1 left", "0-1 forfeit",
		"1-0 forfeit", "*"} {
		result, err := digit.ParseResult(text)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(line("dilemma "+text+", to Ben", Ending(digit.Dilemma, p, result, forBen)))
	}
	golden(t, "endings.txt", b.String())
}

func TestTurns(t *testing.T) {
	tests := []struct{ rules, moves, picked string }{
		{"dilemma", "", "7"}, {"dilemma", "7a 3b 1c", "5"}, {"dilemma", "7a 3b 1c 5a", "2"},
		{"dilemma pool=0-f", "aa 3b", "b"}, {"highest", "9a", "8"},
		{"divisibility", "", "4"}, {"divisibility", "4R 3R", "2"},
		{"sevens", "", "7"}, {"sevens", "7 5 1 8", "2"},
		{"divisibility pool=0-9 zero=barred", "4R 3R", "0"},
	}
	var b strings.Builder
	for _, tt := range tests {
		r := rulesOf(t, tt.rules)
		before, p, last := play(t, r, tt.moves)
		name := tt.rules + " " + r.Text(p)
		mover := adaBen
		mover.You[r.Turn(p)] = true
		b.WriteString(line(name+", to who moves", Turn(r, p, mover, true)))
		b.WriteString(line(name+", at one keyboard", Turn(r, p, adaBen, true)))
		b.WriteString(line(name+", to the other", Turn(r, p, adaBen, false)))
		if tt.moves != "" {
			b.WriteString(line(name+", just played, to Ben", Played(r, before, last, forBen,
				Player)))
			b.WriteString(line(name+", just played by chance", Played(r, before, last, adaBen,
				Chance)))
		}
		d, err := digit.ParseMove(tt.picked)
		if err != nil {
			t.Fatal(err)
		}
		if r.MayCall(p) {
			b.WriteString(line(name+" with "+tt.picked, AskCall(r, p, d.Digit)))
		} else if r.Place != digit.Hand {
			b.WriteString(line(name+" with "+tt.picked, AskSpot(r, p, d.Digit)))
		}
	}
	before, _, last := play(t, digit.Sevens, "7 5 1 8 2=721")
	b.WriteString(line("sevens with auto-call", Played(digit.Sevens, before, last, forBen,
		AutoCall)))
	b.WriteString(line("sevens with auto-call, by chance", Played(digit.Sevens, before, last,
		forBen, Chance|AutoCall)))
	computer := Cast{Names: [2]string{"Ada", "casual"}, You: [2]bool{true, false},
		Computer: [2]bool{false, true}}
	_, p, _ := play(t, digit.Dilemma, "7a")
	b.WriteString(line("dilemma, the computer's turn", Turn(digit.Dilemma, p, computer, false)))
	b.WriteString(line("a fault", Faulted(digit.Dilemma, p, adaBen, 1, 2)))
	b.WriteString(line("the second one, of the reader", Faulted(digit.Dilemma, p, forBen, 2, 1)))
	b.WriteString(line("nine seconds", Clock(9)))
	b.WriteString(line("one second", Clock(1)))
	b.WriteString(line("game 2 of 5", Begins(forBen, digit.Second, 2, 5, false)))
	b.WriteString(line("game 2 of a pair", Begins(forBen, digit.Second, 2, PairLength, false)))
	b.WriteString(line("a toss", Begins(forBen, digit.First, 1, 0, true)))
	for _, s := range []Score{
		{}, {Wins: [2]int{1, 2}}, {Wins: [2]int{1, 1}, Draws: 1}, {Wins: [2]int{2, 0}, Draws: 2},
		{Wins: [2]int{1, 3}, Over: true}, {Wins: [2]int{3, 1}, Over: true},
		{Wins: [2]int{2, 2}, Over: true}, {Wins: [2]int{1, 1}, Over: true, Pair: true},
		{Wins: [2]int{0, 1}, Draws: 1, Over: true, Pair: true},
	} {
		b.WriteString(line(fmt.Sprintf("%+v, to Ben", s), Series(forBen, s)))
	}
	golden(t, "turns.txt", b.String())
}

func TestRefusals(t *testing.T) {
	tests := []struct{ rules, moves, refused string }{
		{"divisibility", "7R", "1R"}, {"highest", "9a", "0a"}, {"dilemma", "7a 3b", "7b"},
		{"dilemma", "7a 3b", "3b"}, {"dilemma", "7a 3b", "1a"}, {"dilemma pool=0-f", "7b 3b", "1b"},
		{"dilemma zero=barred", "7b 3b", "0a"}, {"dilemma zero=barred", "7b 3b 1c 5a", "0a"},
		{"divisibility pool=0-9 zero=barred", "", "0R"}, {"dilemma", "7a 3b", "1L"},
		{"divisibility", "4R 3R", "2a"}, {"divisibility", "", "2L"}, {"sevens", "", "2a"},
		{"sevens", "7 5 1 8", "2=567"}, {"sevens", "7 5 0 8", "2=027"}, {"sevens", "7 5", "2=72"},
		{"sevens win=full", "7 5 1 8", "2=721"}, {"highest", "", "2=721"},
		{"dilemma", "7a 3b", "2"},
	}
	var b strings.Builder
	for _, tt := range tests {
		r := rulesOf(t, tt.rules)
		_, p, _ := play(t, r, tt.moves)
		m, err := digit.ParseMove(tt.refused)
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.Play(p, m)
		refused, ok := errors.AsType[*digit.MoveError](err)
		if !ok {
			t.Fatalf("%s %s %s is legal", tt.rules, tt.moves, tt.refused)
		}
		name := fmt.Sprintf("%s %s %s", tt.rules, r.Text(p), tt.refused)
		b.WriteString(line(name+", to Ada", Refused(r, p, refused, Cast{Names: adaBen.Names,
			You: [2]bool{true, false}})))
	}
	_, p, _ := play(t, digit.Dilemma, "7a 3b")
	b.WriteString(line("no digit", NoDigit(digit.Dilemma, p)))
	b.WriteString(line("not your turn", NotYourTurn(forBen, digit.First)))
	b.WriteString(line("Ada has moved", Meanwhile(forBen, digit.First)))
	b.WriteString(line("moved elsewhere", Meanwhile(forBen, digit.Second)))
	for _, s := range []Said{MeanwhileUndone, NoUndo, SeatTaken, NoTable, HintsOff, Broken, InDoubt,
		NoGameNow, NameTaken,
		NotInvited("Ada"), OwnInvitation(true, "Ben"), OwnInvitation(false, "Ben"),
		InvitationUsed("Ben"), LinkChanged, LoggedOut, NoSeat, TooFast(1), TooFast(3),
		Overworked(1), InQueue(1, 5), InQueue(3, 5), QueuedEnough(2), QueueFull} {
		b.WriteString(line("-", s))
	}
	golden(t, "refusals.txt", b.String())
}

func TestOffers(t *testing.T) {
	var b strings.Builder
	before, _, last := play(t, digit.Dilemma, "7a")
	it := Voice{digit.Dilemma, forBen, written}.Back(before, last)
	all := []match.Kind{
		match.UndoAsked, match.UndoRefused, match.UndoWithdrawn, match.Undone, match.RematchAsked,
		match.RematchRefused, match.HintsAgreed, match.HintsEnded, match.Seated, match.Left,
		match.Back, match.Replaced, hintsOn, match.Ready, match.Published, isPublic, match.Swapped,
		handsBack, asksHandBack,
	}
	for i, k := range all {
		b.WriteString(line(fmt.Sprintf("%d by Ada, to Ben", i), Offered(k, forBen, digit.First,
			it)))
		b.WriteString(line(fmt.Sprintf("%d by Ben, to Ben", i), Offered(k, forBen, digit.Second,
			"")))
		b.WriteString(line(fmt.Sprintf("%d by Ada, to those who watch", i), Offered(k, adaBen,
			digit.First, it)))
	}
	for k := range offers {
		if !slices.Contains(all, k) {
			t.Errorf("no test of the offer %q: append it to all", k)
		}
	}
	v := Voice{digit.Dilemma, forBen, written}
	b.WriteString("moves that nobody chose alone\n  " + v.TookOver(last) + "\n  " + v.Given(before,
		last) + "\n")
	var many []digit.Move
	for p, m := (digit.Position{}), last; len(many) < 5; m, _ = digit.Dilemma.Pick(p,
		func(int) int { return 0 }) {
		p, _ = digit.Dilemma.Play(p, m)
		many = append(many, m)
	}
	b.WriteString(line("an opening", Opened(digit.Dilemma, many[:4], forBen)) +
		line("a long opening", Opened(digit.Dilemma, many, forBen)))
	b.WriteString(line("swap", HintSwap) + line("a first move", HintFirst(0, 30)) +
		line("a first move, some draw", HintFirst(9, 30)))
	b.WriteString(line("resign", AskResign(forBen, digit.Second)))
	b.WriteString(line("the clock", ClockWaits(forBen, digit.First)))
	host, guest := Invitation(digit.Dilemma, "Ada")
	b.WriteString(line("host", host) + line("guest", guest) + line("anybody", WaitingForAnybody) +
		line("a list", LookingForAnybody(digit.Dilemma, "Ada")) + line("private", IsPrivate) +
		line("public", IsPublic))
	for _, book := range digit.Books {
		steps := Steps(book.Rules)
		b.WriteString(book.Name + ", step by step\n  " + strings.Join(steps[:], "\n  ") + "\n")
	}
	golden(t, "offers.txt", b.String())
}

func TestPlaces(t *testing.T) {
	tests := []struct{ rules, places, powers string }{
		{"dilemma", "Left Middle Right", "hundreds tens units"},
		{"highest", "hundreds tens units", "hundreds tens units"},
		{"reverse", "hundreds tens ones", "hundreds tens units"},
		{"reverse width=4", "thousands hundreds tens units", "thousands hundreds tens units"},
		{"highest width=1", "units", "units"},
		{"highest width=5 pool=0-9", "ten-thousands thousands hundreds tens units",
			"ten-thousands thousands hundreds tens units"},
		{"dilemma pool=0-f", "Left Middle Right", "a b c"},
		{"dilemma pool=0-f width=2", "a b", "a b"},
		// the words of the closest book with places
		{"sevens place=slots win=full", "Left Middle Right", "hundreds tens units"},
		{"sevens", "", ""},
		{"divisibility", "", ""},
		{"divisibility width=3", "", ""},
	}
	for _, tt := range tests {
		r := rulesOf(t, tt.rules)
		got := [2]string{strings.Join(Places(r), " "), strings.Join(Powers(r), " ")}
		if want := [2]string{tt.places, tt.powers}; got != want {
			t.Errorf("%s has the places and powers %q, want %q", tt.rules, got, want)
		}
	}
	Places(digit.Dilemma)[0] = "changed"
	if got := Places(digit.Dilemma)[0]; got != "Left" {
		t.Errorf("the first place is %q, want Left: Places returns no copy", got)
	}
}

func TestClosest(t *testing.T) {
	tests := []struct{ rules, want string }{
		{"divisibility place=slots width=3 win=full", "dilemma"},
		{"dilemma place=hand", "sevens"},
		{"highest place=ends", "divisibility"},
		{"highest final=lower", "reverse"},
	}
	for _, tt := range tests {
		if got := Closest(rulesOf(t, tt.rules)); got.Name != tt.want {
			t.Errorf("the closest book of %s is %s, want %s", tt.rules, got.Name, tt.want)
		}
	}
}

// TestExplain checks the title and the lines of the rules as text.
func TestExplain(t *testing.T) {
	for range 300 {
		r := randomRules(rand.New(rand.NewPCG(rand.Uint64(), 1)))
		text := Explain(r)
		title := r.Book().Title + " (" + r.String() + ")\n\n"
		if !strings.HasPrefix(text, title) {
			t.Errorf("%v: the text does not begin with %q:\n%s", r, title, text)
		}
		for line := range strings.SplitSeq(strings.TrimPrefix(text, title), "\n") {
			if utf8.RuneCountInString(line) > 80 || strings.TrimRight(line, " ") != line {
				t.Errorf("%v: a line is too long or ends with spaces: %q", r, line)
			}
		}
	}
}

func TestOptions(t *testing.T) {
	var b strings.Builder
	for _, key := range digit.Keys() {
		for _, o := range Values(rulesOf(t, "sevens"), key) {
			fmt.Fprintf(&b, "sevens %s=%s (%s): %s\n", o.Key, o.Value, o.Label, o.Means)
		}
		for _, o := range Values(rulesOf(t, "dilemma"), key) {
			fmt.Fprintf(&b, "dilemma %s=%s (%s): %s\n", o.Key, o.Value, o.Label, o.Means)
		}
	}
	golden(t, "options.txt", b.String())
}

func TestTargets(t *testing.T) {
	want := "Game 1: 11, game 2: 13, game 3: 17."
	if got := Targets([]uint16{11, 13, 17}); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestRefusedAct checks that every refusal of a table has a sentence, and that other errors have
// none.
func TestRefusedAct(t *testing.T) {
	for _, err := range match.Refusals() {
		text, ok := RefusedAct(fmt.Errorf("act: %w", err))
		if !ok || text != Complete(text) || strings.Contains(text, "act:") {
			t.Errorf("%v: %q, %t", err, text, ok)
		}
	}
	if text, ok := RefusedAct(match.ErrInDoubt); ok {
		t.Errorf("an error that is not a refusal: %q", text)
	}
}
