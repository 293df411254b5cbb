package coach

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"digitduel/digit"
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

// A said is a text about a move of a position.
type said struct {
	p    digit.Position
	m    digit.Move
	text string
}

// texts returns all that is said about a position: the hint, and the reason and the blame of a random move.
func texts(s *solve.Solution, p digit.Position, rng *rand.Rand) []said {
	h, _ := Advise(s, p)
	m, _ := s.Rules().Pick(p, rng.IntN)
	all := []said{{p, h.Move, h.Reason}, {p, m, Reason(s, p, m)}}
	if v, _ := Judge(s, p, m); v.Blame != "" {
		all = append(all, said{p, m, v.Blame})
	}
	return all
}

// TestClaims checks all that hints, reasons and blames claim over thousands of positions of the books and of other games, that
// nearly all of it is concrete, and that every form of a clause is used somewhere.
func TestClaims(t *testing.T) {
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
			run(b.Name, 1500, 0.99)
		}
		for _, rules := range variants {
			run(rules, 150, 0.95)
		}
	})
	for _, f := range forms {
		if !used[f.re.String()] {
			t.Errorf("no text has a clause of the form %s", f.re)
		}
	}
}

// checkClaims checks the texts about a sample of positions, of which a share must be concrete, and returns the forms of their clauses.
func checkClaims(t *testing.T, s *solve.Solution, positions int, floor float64) map[string]bool {
	r := s.Rules()
	used := map[string]bool{}
	all, concrete := 0, 0
	sample(r, positions, 1, func(p digit.Position, rng *rand.Rand) {
		if h, ok := Advise(s, p); !ok {
			t.Fatalf("%s: no hint", r.Text(p))
		} else if err := checkLook(s, p, h); err != nil {
			t.Fatalf("%s %v: %s\n  %v", r.Text(p), h.Move, h.Look, err)
		}
		for _, x := range texts(s, p, rng) {
			k, err := newClaim(s, x.p, x.m)
			if err == nil {
				err = k.check(x.text)
			}
			if err != nil {
				t.Fatalf("%s %v: %s\n  %v", r.Text(x.p), x.m, x.text, err)
			}
			for _, form := range k.used {
				used[form] = true
			}
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

// TestFalseClaims makes claims false, by another digit in the place of one, and wants nearly all of them refused: a few remain
// true, such as other moves that win as well.
func TestFalseClaims(t *testing.T) {
	for _, b := range digit.Books {
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			s := solved(t, b.Name)
			all, refused := 0, 0
			sample(b.Rules, 100, 2, func(p digit.Position, rng *rand.Rand) {
				for _, x := range texts(s, p, rng) {
					for i, c := range x.text {
						if c < '0' || c > '9' {
							continue
						}
						other := (c-'0'+1+rune(rng.IntN(9)))%10 + '0'
						k, err := newClaim(s, x.p, x.m)
						if err != nil {
							t.Fatal(err)
						}
						if all++; k.check(x.text[:i]+string(other)+x.text[i+1:]) != nil {
							refused++
						}
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
	for _, text := range []string{"", "is a good move", "stops", "wins at once", "every move loses; ", "every move wins",
		"is the only winning move; is the only winning move; is the only winning move; is the only winning move"} {
		s := solved(t, "highest")
		k, err := newClaim(s, digit.Position{}, moveOf("9a"))
		if err != nil {
			t.Fatal(err)
		}
		if k.check(text) == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

// TestReasons has each form of a reason and a blame in full.
func TestReasons(t *testing.T) {
	for _, tt := range reasons {
		s := solved(t, tt.rules)
		p := positionOf(t, s.Rules(), tt.position)
		m, err := digit.ParseMove(tt.move)
		if err != nil {
			t.Fatal(err)
		}
		if got := Reason(s, p, m); got != tt.reason {
			t.Errorf("%s %s %s:\n got %s\nwant %s", tt.rules, tt.position, tt.move, got, tt.reason)
		}
		if v, err := Judge(s, p, m); err != nil || v.Blame != tt.blame {
			t.Errorf("%s %s %s, blame:\n got %s, %v\nwant %s", tt.rules, tt.position, tt.move, v.Blame, err, tt.blame)
		}
	}
}

// TestHints has hints in full, with what to look for.
func TestHints(t *testing.T) {
	for _, tt := range hints {
		s := solved(t, tt.rules)
		h, ok := Advise(s, positionOf(t, s.Rules(), tt.position))
		want := fmt.Sprintf("%s: %s | %s", tt.move, tt.look, tt.reason)
		if got := fmt.Sprintf("%v, %v: %s | %s", h.Move, h.Value, h.Look, h.Reason); !ok || got != want {
			t.Errorf("%s %s:\n got %s\nwant %s", tt.rules, tt.position, got, want)
		}
	}
}

// TestOver pins what is said when the game is over or a move is not legal.
func TestOver(t *testing.T) {
	s := solved(t, "dilemma")
	over := positionOf(t, s.Rules(), "741/532")
	if h, ok := Advise(s, over); ok {
		t.Errorf("a hint for a finished game: %v", h)
	}
	for _, tt := range []struct{ position, move, want string }{
		{"741/532", "6a", "6a: the game is over: 0-1 multiple"},
		{"7_1/53_", "7b", "7b: 7 is taken; left: 0 2 4 6 8 9"},
		{"7_1/53_", "2a", "2a: place a is filled; free: b"},
	} {
		_, err := Judge(s, positionOf(t, s.Rules(), tt.position), moveOf(tt.move))
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
			h, _ := Advise(s, p)
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
