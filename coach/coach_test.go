package coach

import (
	"errors"
	"flag"
	"fmt"
	"maps"
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

var update = flag.Bool("update", false, "rewrite the golden files under testdata")

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

// solved returns the solution of a game.
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

// positionOf parses a position.
func positionOf(t testing.TB, r digit.Rules, text string) digit.Position {
	t.Helper()
	p, err := r.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// casts returns the casts for three readers: the player who moves, the opponent, and a watcher.
func casts(mover digit.Side) []rulebook.Cast {
	names := [2]string{"Ada", "Ben"}
	return []rulebook.Cast{{Names: names, You: [2]bool{mover == digit.First, mover == digit.Second}},
		{Names: names, You: [2]bool{mover == digit.Second, mover == digit.First}}, {Names: names}}
}

// moveOf parses a move, and panics if it is invalid.
func moveOf(text string) digit.Move {
	m, err := digit.ParseMove(text)
	if err != nil {
		panic(err)
	}
	return m
}

// variants lists games that need other words than the books.
var variants = []string{
	"divisibility target=5 pool=0-7 width=2 win=never final=below,later",
	"sevens target=5 pool=0-7 width=2 win=never final=above,later",
	"highest target=3 pool=1-7 width=2 win=never final=nearest,below,lower",
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

// sample calls yield with about n positions that random play reaches, mostly without wrong calls.
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

// nightly reports whether tests run at full size. make nightly sets the variable.
var nightly = os.Getenv("DUEL_NIGHTLY") != ""

// names holds pairs of names: of 1, 12 and 32 characters, from right to left, and with a final s.
var names = [][2]string{
	{"Ada", "Ben"}, {"A", "James"}, {"Maximiliana1", "Bartholomew Montgomery Longnames"}, {"ben", "th\u00e9o"},
	{"\u05d0\u05d3\u05d4", "Ada"}, {"Alexandra", ""},
}

// never lists words that no sentence has.
var never = strings.Fields("tell tells told whoever somebody beside ply plies inert barred target anymore side")

// checkWords checks a text without its players: no word of never, no placeholder.
func checkWords(text string) error {
	separates := func(r rune) bool { return r == ' ' || r == '.' || r == ',' || r == ':' }
	for _, word := range strings.FieldsFunc(strings.ToLower(text), separates) {
		for _, bad := range never {
			if word == bad {
				return fmt.Errorf("%q has the word %s", text, bad)
			}
		}
	}
	if strings.ContainsAny(text, "{}") || strings.Contains(text, "any more") ||
		strings.Contains(text, "%!") || strings.Contains(text, "  ") {
		return fmt.Errorf("%q is not clean", text)
	}
	return nil
}

// checkGame checks all texts about positions and games of random play, and returns their patterns.
func checkGame(t *testing.T, s *solve.Solution, positions int, seed uint64) map[string]bool {
	t.Helper()
	r, used := s.Rules(), map[string]bool{}
	rec := digit.Record{Rules: r}
	sample(r, positions, seed, func(p digit.Position, rng *rand.Rand) {
		m, _ := r.Pick(p, rng.IntN)
		cast := casts(r.Turn(p))[rng.IntN(3)]
		cast.Names = names[rng.IntN(len(names))]
		if cast.You == [2]bool{true, false} && rng.IntN(3) == 0 {
			cast.Computer[1] = true
		}
		h, ok := Advise(s, p, cast)
		k, err := checkHint(s, p, h, cast)
		if err == nil {
			err = errors.Join(checkWords(h.Look), checkWords(h.Idea), checkWords(h.Reason))
		}
		if n := utf8.RuneCountInString(h.Reason); err == nil && n > mostText+64 {
			err = fmt.Errorf("%d characters", n)
		}
		if err != nil || !ok {
			t.Fatalf("%v %s %v: %v\n%s\n%s\n%s\n%v",
				r, r.Text(p), h.Move, err, h.Look, h.Idea, h.Reason, cast)
		}
		maps.Copy(used, k.used)
		if k, err = checkTry(s, p, m, cast); err != nil {
			v, _ := Judge(s, p, m, cast)
			t.Fatalf("%v %s %v: %v\n%s\n%s", r, r.Text(p), m, err, v.Text, v.Spoken)
		}
		maps.Copy(used, k.used)
		rec.Moves = rec.Moves[:0]
		for q, more := (digit.Position{}), true; more; {
			if m, more = r.Pick(q, rng.IntN); more {
				if rng.IntN(2) == 0 { // half of the moves are good
					m = s.Choices(q)[0].Move
				}
				rec.Moves = append(rec.Moves, m)
				q, _ = r.Play(q, m)
				rec.Result = r.Result(q)
			}
		}
		forms, err := checkReview(s, rec, cast)
		if err != nil {
			t.Fatalf("%v: %v", rec, err)
		}
		maps.Copy(used, forms)
	})
	return used
}

// rare holds patterns that random play seldom needs.
var rare = map[string]bool{
	`(\d+) of (\d+) {kind}s kept the draw`:    true, // with the last digit
	`then {d} makes {n},? and {d} makes {n}`:  true, // with long numbers
	`{you} can't take {d}, which makes {sum}`: true, // 0 can't go first
}

// TestClaims checks every sentence about random positions and games of the books and of variants,
// and that each pattern occurs.
func TestClaims(t *testing.T) {
	positions := 60
	if nightly {
		positions = 600
	}
	var lock sync.Mutex
	used := map[string]bool{}
	t.Run("games", func(t *testing.T) {
		all := variants
		for _, b := range append(digit.Books, digit.Fair...) {
			all = append(all, b.Name)
		}
		for _, rules := range all {
			t.Run(rules, func(t *testing.T) {
				t.Parallel()
				forms := checkGame(t, solved(t, rules), positions, 1)
				lock.Lock()
				defer lock.Unlock()
				maps.Copy(used, forms)
			})
		}
	})
	all := append([][]form{looks, reasons, wrongs, rights, alternatives, past{}.judgements()}, ideas...)
	for _, pattern := range unused(used, all...) {
		if !rare[pattern] {
			t.Errorf("no sentence matches %s", pattern)
		}
	}
}

// TestAnyRules checks every sentence about games of random rules.
func TestAnyRules(t *testing.T) {
	n := 50
	if nightly {
		n = 3000
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for games := 0; games < n; {
		r := digit.Rules{
			Pool:  digit.Pool(rng.IntN(1 << (5 + rng.IntN(12)))),
			Place: digit.Place(rng.IntN(3)), Width: uint8(rng.IntN(5)), Target: uint16(rng.IntN(40)),
			Win: digit.Win(rng.IntN(4)), Zero: digit.Zero(rng.IntN(3)),
		}
		for i := range 1 + rng.IntN(3) {
			r.Final[i] = digit.Order(rng.IntN(7))
		}
		if r.Pool.Len() > 8 || r.Check() != nil {
			continue
		}
		games++
		t.Run(r.String(), func(t *testing.T) {
			checkGame(t, solved(t, r.String()), 8, uint64(games))
		})
	}
}

// TestOver checks that a finished game has no hint, and the errors about illegal moves.
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

// TestAdviceKeeps checks that the advised move keeps the outcome, is a fastest win, or has the
// fewest right replies and then lasts longest.
func TestAdviceKeeps(t *testing.T) {
	for _, rules := range []string{
		"dilemma", "sevens", "highest", "divisibility", "reverse",
		"divisibility target=11 pool=0-7", "dilemma zero=barred",
	} {
		s := solved(t, rules)
		r := s.Rules()
		sample(r, 400, 3, func(p digit.Position, _ *rand.Rand) {
			h, _ := Advise(s, p, rulebook.Cast{})
			best := s.Value(p)
			if h.Value.Outcome != best.Outcome || best.Outcome == solve.Win && h.Value != best {
				t.Errorf("%v %s: %v is a %v, best is %v", r, r.Text(p), h.Move, h.Value, best)
			}
			if best.Outcome == solve.Win {
				return
			}
			k := &claim{s: s, r: r}
			q, _ := r.Play(p, h.Move)
			right := k.outcomes(q, s.Value(q).Outcome)
			_, nexts, worth := k.moves(p, true)
			for i, next := range nexts {
				other := k.outcomes(next, s.Value(next).Outcome)
				later := worth[i].Plies > h.Value.Plies && k.all(next) == k.all(q) &&
					best.Outcome == solve.Loss
				if worth[i].Outcome == best.Outcome && (other < right || other == right && later) {
					t.Errorf("%v %s: %v has %d right replies, another move %d",
						r, r.Text(p), h.Move, right, other)
				}
			}
		})
	}
}

// TestPicked checks hints for a picked digit: its place, or the advice to take it back.
func TestPicked(t *testing.T) {
	for _, tt := range []struct{ rules, position, digit, want string }{
		{"dilemma", "7__/_3_", "1", "1c: 1 can win. Where does it go? |  | Put 1 on the right: then 2 makes 721 = 7 × 103 and 9 makes 791 = 7 × 113. " +
			"Ben can take only one. It's your only winning place."},
		{"dilemma", "7_1/53_", "2", "2b: 2 can win. |  | Put 2 in the middle: 721 = 7 × 103."},
		{"dilemma", "7_1/53_", "4", "4b: With 4, you can't force a win. | Take it back. | With 4, you can't force a win. Take it back, or put 4 in the middle."},
		{"sevens", "17/58", "2", "2=721: 2 can win. |  | Take 2 and call 721 = 7 × 103."},
		{"sevens", "17/58", "0", "0: With 0, you can't force a win. | Take it back. | With 0, you can't force a win. Take it back, or don't call."},
		{"divisibility", "852/346", "9", "9L: 9 keeps the draw. Where does it go? |  | Add 9 on the left. Only 1 of Ben's 4 replies keeps the draw."},
		{"dilemma final=draw", "3_2/_49", "0", "0b: With 0, you can't keep the draw. | Take it back. | With 0, you can't keep the draw. Take it back, or put 0 in the middle."},
	} {
		s := solved(t, tt.rules)
		p := positionOf(t, s.Rules(), tt.position)
		h, ok := AdviseWith(s, p, moveOf(tt.digit).Digit, casts(s.Rules().Turn(p))[0])
		got := fmt.Sprintf("%v: %s | %s | %s", h.Move, h.Look, h.Idea, h.Reason)
		if !ok || got != tt.want {
			t.Errorf("%s %s, %s picked:\n got %s\nwant %s",
				tt.rules, tt.position, tt.digit, got, tt.want)
		}
	}
	s := solved(t, "dilemma")
	if h, ok := AdviseWith(s, positionOf(t, s.Rules(), "7_1/53_"), 7, rulebook.Cast{}); ok {
		t.Errorf("a hint for a taken digit: %v", h)
	}
}

// TestFalseClaims replaces a digit or word in sentences, and checks that nearly all of the results
// are rejected. A few are true, such as another move that wins as well.
func TestFalseClaims(t *testing.T) {
	swaps := [][2]string{
		{"short", "over"}, {"over", "short"}, {"higher", "lower"}, {"lower", "higher"},
		{"at least", "at most"}, {"at most", "at least"}, {"You", "Ben"}, {"you", "Ben"},
		{"Ben", "you"}, {"your", "Ben's"}, {"Ben's", "your"}, {"left", "right"}, {"right", "left"},
		{"only ", ""}, {"both", "all"}, {"threat", "win"}, {"threaten", "make"}, {"win", "draw"},
		{"wins", "keeps the draw"}, {"Every", "No"}, {"must", "can"}, {"can't", "can"},
		{"one", "two"}, {"two", "three"}, {"Right!", "Wrong!"},
	}
	all, rejected := 0, 0
	for _, b := range append(digit.Books, digit.Fair...) {
		s := solved(t, b.Name)
		sample(b.Rules, 25, 2, func(p digit.Position, rng *rand.Rand) {
			turn := b.Rules.Turn(p)
			cast := rulebook.Cast{
				Names: [2]string{"Ben", "Ben"},
				You:   [2]bool{turn == digit.First, turn == digit.Second},
			}
			m, _ := b.Rules.Pick(p, rng.IntN)
			h, _ := Advise(s, p, cast)
			v, _ := Judge(s, p, m, cast)
			mutate := func(text string, check func(string) error) {
				try := func(false string) {
					if false == text {
						return
					}
					if all++; check(false) != nil {
						rejected++
					} else if testing.Verbose() {
						t.Logf("%v %s: %s\n  is accepted instead of: %s",
							b.Rules, b.Rules.Text(p), false, text)
					}
				}
				for i, c := range text {
					if c >= '0' && c <= '9' {
						try(text[:i] + string((c-'0'+1+rune(rng.IntN(9)))%10+'0') + text[i+1:])
					}
				}
				for _, swap := range swaps {
					try(strings.Replace(text, swap[0], swap[1], 1))
				}
			}
			for _, step := range []*string{&h.Look, &h.Idea, &h.Reason} {
				was := *step
				mutate(was, func(text string) error {
					*step = text
					_, err := checkHint(s, p, h, cast)
					*step = was
					return err
				})
			}
			was := v.Text
			mutate(was, func(text string) error {
				v.Text = text
				_, err := checkVerdict(s, p, v, cast)
				v.Text = was
				return err
			})
		})
	}
	share := float64(rejected) / float64(all)
	t.Logf("%d of %d rejected: %.1f %%", rejected, all, 100*share)
	if share < 0.97 {
		t.Errorf("%.1f %% of the false sentences are rejected, want 97 %%", 100*share)
	}
}
