package solve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"digitduel/digit"
)

func rules(t testing.TB, text string) digit.Rules {
	t.Helper()
	r, err := digit.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func solved(t testing.TB, r digit.Rules) *Solution {
	t.Helper()
	s, err := Solve(t.Context(), r, Config{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// same compares a solution with minimax in every position known to minimax.
func same(t *testing.T, s *Solution, m *minimax) {
	t.Helper()
	for p, want := range m.known {
		if got := s.Value(p); got != want {
			t.Fatalf("%v, folded %v: %s: %v, want %v",
				s.Rules(), s.folds != nil, s.Rules().Text(p), got, want)
		}
	}
}

// sameOptions compares every option of a position with minimax.
func sameOptions(t *testing.T, s *Solution, m *minimax, p digit.Position) {
	t.Helper()
	r := s.Rules()
	legal := slices.Collect(r.Moves(p))
	var got []digit.Move
	for move, v := range s.Moves(p) {
		got = append(got, move)
		if want := m.option(p, move); v != want {
			t.Fatalf("%v: %s %v: %v, want %v", r, r.Text(p), move, v, want)
		}
	}
	if !slices.Equal(got, legal) {
		t.Fatalf("%v: %s: options %v, want %v", r, r.Text(p), got, legal)
	}
}

// sameChoices compares the choices of a position with their definition. Of the moves that differ
// only in the call, the choice is the highest winning call, unless the move without a call is
// better.
func sameChoices(t *testing.T, s *Solution, m *minimax, p digit.Position) {
	t.Helper()
	r := s.Rules()
	var plain, calls, want []Choice
	for move := range r.Moves(p) {
		if c := (Choice{Move: move, Value: m.option(p, move)}); move == move.Uncalled() {
			plain = append(plain, c)
		} else {
			calls = append(calls, c)
		}
	}
	keep := 0
	for _, c := range plain {
		move := c.Move
		for _, call := range calls {
			if call.Move.Uncalled() == move && call.Value.Outcome == Win &&
				!better(c.Value, call.Value) {
				if c.Move == move || call.Move.Call.Value(r.Base()) > c.Move.Call.Value(r.Base()) {
					c = call
				}
			}
		}
		c.Next, _ = r.Play(p, c.Move)
		want = append(want, c)
		if c.Value.Outcome == m.value(p).Outcome {
			keep++
		}
	}
	got := s.Choices(p)
	if !slices.Equal(got, want) {
		t.Fatalf("%v: %s: choices %v, want %v", r, r.Text(p), got, want)
	}
	if n := Keep(got); n != keep {
		t.Fatalf("%v: %s: %d choices keep the outcome, want %d", r, r.Text(p), n, keep)
	}
	if n, of := s.Kept(p); n != keep || of != len(want) {
		t.Fatalf("%v: %s: %d of %d choices keep the outcome, want %d of %d",
			r, r.Text(p), n, of, keep, len(want))
	}
}

// TestBooks checks the five books against minimax: every reachable position, and the options and
// choices of a sample (of all of them in nightly runs).
func TestBooks(t *testing.T) {
	for _, test := range []struct{ book, start, line string }{
		{"dilemma", "win in 5", "0b 1a 3c 2b 9a"},
		{"sevens", "win in 5", "0 1 2 3 4=420"},
		{"highest", "win in 6", "9a 1a 2b 3b 4c 5c"},
		{"divisibility", "win in 1", "7R"},
		{"reverse", "win in 6", "1a 2a 3b 4b 5c 6c"},
	} {
		t.Run(test.book, func(t *testing.T) {
			t.Parallel()
			r := rules(t, test.book)
			s, m := solved(t, r), newMinimax(r)
			if got := s.Value(digit.Position{}).String(); got != test.start {
				t.Errorf("start: %s, want %s", got, test.start)
			}
			var line []string
			for _, move := range s.Line(digit.Position{}) {
				line = append(line, move.String())
			}
			if got := strings.Join(line, " "); got != test.line {
				t.Errorf("line: %s, want %s", got, test.line)
			}
			m.value(digit.Position{})
			same(t, s, m)
			n, stride := 0, 8
			switch {
			case raced:
				stride = 64
			case nightly:
				stride = 1
			}
			for p := range m.known {
				if n++; n%stride == 0 {
					sameOptions(t, s, m, p)
					sameChoices(t, s, m, p)
				}
			}
		})
	}
}

// TestVariants checks every reachable position of many rules, with both kinds of layers.
func TestVariants(t *testing.T) {
	for _, text := range []string{
		"dilemma pool=0-6 zero=counts", "dilemma pool=0-6 zero=barred", "dilemma pool=0-6 target=2", "dilemma pool=0-6 target=100",
		"dilemma pool=1-6,f target=9999", "dilemma pool=0-6 final=higher", "dilemma pool=0-6 final=draw", "dilemma pool=0-6 final=above,later",
		"dilemma pool=0-5 target=3 final=nearest", "dilemma pool=0,7,1,8,2,9 final=nearest,lower", "dilemma pool=0-7 width=4 target=9 win=never final=below",
		"highest pool=0-6 zero=barred", "highest pool=0-6", "highest width=2", "highest pool=1-8 width=4", "highest pool=0-6 place=ends width=0",
		"reverse pool=0-6 place=ends width=3", "reverse pool=a-f", "reverse pool=0-5 place=hand width=3 zero=inert",
		"sevens pool=0-7 zero=counts", "sevens pool=0-7 target=13", "sevens pool=1-8 width=4 target=11", "sevens pool=0-5 win=each zero=counts",
		"sevens pool=0-6 win=full final=nearest", "sevens pool=0-6 win=never final=above,later", "sevens pool=3,4,6,8,c,f target=13 final=draw",
		"divisibility pool=0-6", "divisibility pool=0-6 zero=inert", "divisibility pool=0-6 zero=barred", "divisibility pool=1-7 width=2",
		"divisibility pool=1-7 target=2", "divisibility pool=1-7 target=3 final=draw", "divisibility pool=1-7 target=11", "divisibility pool=1-7 target=13",
		"divisibility pool=1-7 target=100", "divisibility pool=1-7 target=9999", "divisibility pool=0-6 target=11 final=below,higher zero=inert",
		"divisibility pool=0-6 target=9 win=full final=higher", "divisibility pool=0-5 target=9 win=full final=lower zero=inert",
		"divisibility pool=0-6 target=10 win=never final=above,below,lower", "divisibility pool=0,1,7,8,e,f target=7 final=nearest,later",
		"divisibility pool=12", "divisibility pool=01 zero=inert", "divisibility pool=012 zero=barred", "highest pool=12 width=1",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			r := rules(t, text)
			m := newMinimax(r)
			m.value(digit.Position{})
			same(t, solved(t, r), m)
			if raced && len(m.known) > 100_000 {
				return
			}
			for s := range kinds(t, r) {
				same(t, s, m)
			}
		})
	}
}

// random returns the rules of a small random game.
func random(rng *rand.Rand) digit.Rules {
	pick := func(from string) string {
		words := strings.Fields(from)
		return words[rng.IntN(len(words))]
	}
	for {
		r, err := digit.ParseRules("dilemma" +
			" pool=" + pick("12 01 012 0-3 1-4 0-4 1-5 0-5 1-6 02379 789abc 012ef 0369 13579b 071829 07e1 05af16b 0-6 1-7") +
			" place=" + pick("slots ends hand") + " width=" + pick("0 1 2 3 4") +
			" target=" + pick("0 2 3 4 5 6 7 8 9 10 11 13 14 16 99 100 256 9999") +
			" win=" + pick("never full each call") + " zero=" + pick("counts inert barred") +
			" final=" + pick("draw above below nearest higher lower later above,later nearest,lower nearest,higher below,higher above,lower "+
			"nearest,below,higher higher,above nearest,above,later below,lower nearest,later higher,later"))
		if err != nil {
			continue
		}
		if g := newGame(r); g.countPlain(g.last) < 20000 {
			return r
		}
	}
}

// randomPosition returns a random position that can be parsed, reachable or not.
func randomPosition(r digit.Rules, rng *rand.Rand, ply int) (digit.Position, bool) {
	digits := slices.Collect(r.Pool.All())
	rng.Shuffle(len(digits), func(i, j int) { digits[i], digits[j] = digits[j], digits[i] })
	var numbers [2]string
	for s := range numbers {
		own := digits[:count(ply, s)]
		digits = digits[len(own):]
		if r.Place == digit.Hand {
			slices.Sort(own)
		}
		var row []string
		for _, d := range own {
			row = append(row, d.String())
		}
		for r.Place == digit.Slots && len(row) < int(r.Width) {
			row = slices.Insert(row, rng.IntN(len(row)+1), "_")
		}
		numbers[s] = strings.Join(row, "")
	}
	p, err := r.ParsePosition(numbers[0] + "/" + numbers[1])
	return p, err == nil
}

// TestRandomRules checks reachable and unreachable positions of random rules, with both kinds of
// layers.
func TestRandomRules(t *testing.T) {
	games := 120
	if nightly && !raced {
		games = 1200
	}
	for part := range 4 {
		t.Run(strconv.Itoa(part), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(uint64(part), 3))
			for range games / 4 {
				r := random(rng)
				m := newMinimax(r)
				m.value(digit.Position{})
				for range 40 {
					if p, ok := randomPosition(r, rng, rng.IntN(r.Fills(digit.First)+r.Fills(digit.Second)+1)); ok {
						m.value(p)
					}
				}
				s := solved(t, r)
				same(t, s, m)
				for s := range kinds(t, r) {
					same(t, s, m)
				}
				for p := range m.known {
					if rng.IntN(8) == 0 {
						sameOptions(t, s, m, p)
						sameChoices(t, s, m, p)
					}
				}
			}
		})
	}
}

// TestLarge checks games too large for minimax: positions near the end, and that the value of a
// position is that of its best move.
func TestLarge(t *testing.T) {
	for _, text := range []string{
		"divisibility pool=1-f", "divisibility pool=0-f zero=inert target=5", "dilemma width=4", "dilemma pool=0-f", "dilemma width=5 target=3",
		"sevens pool=0-c width=4", "highest pool=1-f width=7", "divisibility pool=0-9 target=100 final=below,higher", "divisibility pool=1-e target=13",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			r := rules(t, text)
			s, m := solved(t, r), newMinimax(r)
			rng := rand.New(rand.NewPCG(1, 2))
			total := r.Fills(digit.First) + r.Fills(digit.Second)
			for range 300 {
				if p, ok := randomPosition(r, rng, total-rng.IntN(4)); ok {
					m.value(p)
				}
			}
			same(t, s, m)
			for range 300 {
				var p digit.Position
				for !r.Result(p).Over() {
					best, moves := Value{Loss, -1}, []digit.Move(nil)
					for m, v := range s.Moves(p) {
						moves = append(moves, m)
						if best.Plies < 0 || v.Compare(best) > 0 {
							best = v
						}
					}
					if v := s.Value(p); v != best {
						t.Fatalf("%s: the value is %v, but the best move is a %v",
							r.Text(p), v, best)
					}
					p, _ = r.Play(p, moves[rng.IntN(len(moves))])
				}
			}
		})
	}
}

func TestPositions(t *testing.T) {
	for _, text := range []string{"dilemma pool=0-6", "sevens", "highest pool=1-6",
		"divisibility pool=0-6 zero=inert", "reverse pool=1-7 place=ends width=3"} {
		r := rules(t, text)
		s, m := solved(t, r), newMinimax(r)
		m.value(digit.Position{})
		want := Census{}
		for p, v := range m.known {
			if v.Plies == 0 {
				want.Over.add(v, r.Turn(p))
			} else {
				want.Open.add(v, r.Turn(p))
			}
			if v.Outcome != Draw {
				want.Plies = max(want.Plies, v.Plies)
			}
		}
		seen := map[digit.Position]bool{}
		for p, v := range s.Positions() {
			if w, ok := m.known[p]; !ok || w != v || seen[p] {
				t.Fatalf("%s: %s: got the value %v; reachable: %v with %v, seen before: %v",
					text, r.Text(p), v, ok, w, seen[p])
			}
			seen[p] = true
		}
		got, err := s.Census(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if v := m.known[got.Longest]; v.Plies != got.Plies || v.Outcome == Draw {
			t.Errorf("%s: the longest win is %s in %d, but its value is %v",
				text, r.Text(got.Longest), got.Plies, v)
		}
		got.Longest = digit.Position{}
		if got != want || got.Count() != int64(len(m.known)) {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	_, err := solved(t, rules(t, "divisibility pool=1-f")).Census(t.Context())
	if want := "divisibility pool=1-f: counting its positions would take up to 28.7 TiB of memory; the budget is 1 GiB"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestCensusBudget checks that the budget of a census includes the solution.
func TestCensusBudget(t *testing.T) {
	for _, b := range digit.Books {
		size, count := solved(t, b.Rules).size.Bytes, newGame(b.Rules).censusBytes()
		for _, test := range []struct {
			budget int64
			fits   bool
		}{{size + count, true}, {size + count - 1, false}, {max(size, count), false}} {
			s, err := Solve(t.Context(), b.Rules, Config{Budget: test.budget})
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Census(t.Context())
			var over *BudgetError
			if fits := !errors.As(err, &over); fits != test.fits ||
				!fits && over.Need != size+count {
				t.Errorf("%s: %d bytes for the solution, %d for the census, budget %d: %v",
					b.Name, size, count, test.budget, err)
			}
		}
	}
}

// TestCensusCanceled checks that a canceled census returns the cause and counts nothing.
func TestCensusCanceled(t *testing.T) {
	s := solved(t, digit.Dilemma)
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("canceled by the test")
	cancel(cause)
	if c, err := s.Census(ctx); !errors.Is(err, cause) || c.Count() > 0 {
		t.Errorf("got %d positions and %v, want none and %v", c.Count(), err, cause)
	}
}

func TestAllocs(t *testing.T) {
	for _, b := range digit.Books {
		if n := testing.AllocsPerRun(3, func() { solved(t, b.Rules) }); n > 1000 {
			t.Errorf("%s: %v allocations to solve the game", b.Name, n)
		}
		s := solved(t, b.Rules)
		rng := rand.New(rand.NewPCG(5, 6))
		for ply := range 7 {
			p, ok := randomPosition(b.Rules, rng, ply)
			if !ok {
				continue
			}
			if n := testing.AllocsPerRun(100, func() { s.Value(p) }); n != 0 {
				t.Errorf("%s: Value of %s: %v allocations", b.Name, b.Rules.Text(p), n)
			}
			if n := testing.AllocsPerRun(100, func() {
				for range s.Moves(p) {
				}
			}); n != 0 {
				t.Errorf("%s: Moves of %s: %v allocations", b.Name, b.Rules.Text(p), n)
			}
		}
	}
}

// TestPlan checks that the layers are of the smaller kind, and that a budget below their size is
// refused. In a third of the games the two kinds are close in size; in another third the folded
// kind is smaller.
func TestPlan(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var plains, folds, close int
	for n := 0; n < 300; {
		r := random(rng)
		g := newGame(r)
		_, fold, err := g.foldLayers(t.Context(), math.MaxInt64, math.MaxInt64)
		if err != nil {
			t.Fatal(err)
		}
		plain := g.plainSize()
		near := plain.Bytes/2 < fold.Bytes && fold.Bytes/2 < plain.Bytes
		if n%3 == 1 && !near || n%3 == 2 && plain.Bytes <= fold.Bytes {
			continue
		}
		n++
		want := plain
		if fold.Bytes < plain.Bytes {
			want = fold
			folds++
		} else {
			plains++
		}
		if near {
			close++
		}
		for _, budget := range []int64{want.Bytes, DefaultBudget} {
			s, err := plan(t.Context(), newGame(r), budget)
			if err != nil {
				t.Fatal(err)
			}
			if s.size != want || (s.folds != nil) != (want == fold) ||
				(s.plains != nil) != (want == plain) {
				t.Errorf("%v: got %v, folded: %v; want the smaller of %v (plain) and %v (folded)",
					r, s.size, s.folds != nil, plain, fold)
			}
		}
		var over *BudgetError
		if _, err := plan(t.Context(), newGame(r), want.Bytes-1); !errors.As(err, &over) ||
			over.Need > want.Bytes {
			t.Errorf("%v: budget %d, need %d: %v", r, want.Bytes-1, want.Bytes, err)
		}
		if !near {
			continue
		}
		m := newMinimax(r)
		m.value(digit.Position{})
		for s := range kinds(t, r) {
			same(t, s, m)
		}
	}
	if plains < 100 || folds < 100 || close < 100 {
		t.Errorf("%d plain, %d folded, %d of them close; want at least 100 each",
			plains, folds, close)
	}
}

func TestBudget(t *testing.T) {
	for _, test := range []struct {
		rules  string
		budget int64
		want   string
	}{
		{"dilemma target=9999 pool=0-f width=5", 0, "dilemma target=9999 pool=0-f width=5: solving it would take at least 15.4 GiB of memory; the budget is 1 GiB"},
		{"divisibility target=9999 pool=1-f", 64 << 30, "divisibility target=9999 pool=1-f: solving it would take at least 879 GiB of memory; the budget is 64 GiB"},
		{"dilemma", 50 << 10, "dilemma: solving it would take at least 72.8 KiB of memory; the budget is 50 KiB"},
		{"divisibility", 12 << 10, "divisibility: solving it would take at least 15.4 KiB of memory; the budget is 12 KiB"},
	} {
		_, err := Solve(t.Context(), rules(t, test.rules), Config{Budget: test.budget})
		var over *BudgetError
		if !errors.As(err, &over) || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.rules, err, test.want)
		}
	}
	if _, err := Solve(t.Context(), digit.Rules{}, Config{}); err == nil {
		t.Error("no error for empty rules")
	}
}

// TestWorkers checks that the number of workers does not change the cells, and that the progress
// ends with all of them.
func TestWorkers(t *testing.T) {
	texts := []string{"dilemma width=4", "divisibility pool=1-f target=13",
		"sevens pool=0-c width=5"}
	if raced && !nightly {
		texts = []string{"dilemma pool=0-8 width=4", "divisibility pool=1-c target=13",
			"sevens pool=0-a width=5"}
	}
	for _, text := range texts {
		r := rules(t, text)
		one, err := Solve(t.Context(), r, Config{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		var last, all int64
		two, err := Solve(t.Context(), r, Config{Workers: 2, Progress: func(done, total int64) {
			if done < last || all != 0 && total != all || total < one.Size().Classes {
				t.Errorf("%s: progress %d of %d follows %d of %d", text, done, total, last, all)
			}
			last, all = done, total
		}})
		if err != nil {
			t.Fatal(err)
		}
		if last != all || last == 0 {
			t.Errorf("%s: the last progress is %d of %d", text, last, all)
		}
		for i := range one.plains {
			if !slices.Equal(one.plains[i].cells, two.plains[i].cells) {
				t.Errorf("%s: the cells of ply %d differ", text, i)
			}
		}
		for i := range one.folds {
			if !slices.Equal(one.folds[i].cells, two.folds[i].cells) {
				t.Errorf("%s: the cells of ply %d differ", text, i)
			}
		}
	}
}

func TestCancel(t *testing.T) {
	why := errors.New("canceled by the test")
	for _, text := range []string{"dilemma", "dilemma pool=0-f width=4", "sevens pool=0-f width=5",
		"divisibility pool=0-f final=below,higher"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		reports := 0
		opts := Config{Workers: 2, Progress: func(done, total int64) {
			if reports++; reports == 2 {
				cancel(why)
			}
		}}
		if text == "divisibility pool=0-f final=below,higher" {
			cancel(why) // during planning
		}
		if _, err := Solve(ctx, rules(t, text), opts); !errors.Is(err, why) {
			t.Errorf("%s: %v, want %v", text, err, why)
		}
		cancel(nil)
	}
}

func TestCompare(t *testing.T) {
	order := []Value{{Win, 0}, {Win, 1}, {Win, 5}, {Draw, 4}, {Loss, 6}, {Loss, 1}, {Loss, 0}}
	for i, v := range order {
		for j, w := range order {
			want := 0
			if i < j {
				want = 1
			} else if i > j {
				want = -1
			}
			if got := v.Compare(w); got != want {
				t.Errorf("%v compared with %v: %d, want %d", v, w, got, want)
			}
		}
	}
}

// TestOutcomeText checks that outcomes are parsed back from their texts, and values from JSON.
func TestOutcomeText(t *testing.T) {
	for _, o := range []Outcome{Win, Draw, Loss} {
		v := Value{o, 3}
		text, err := json.Marshal(v)
		if want := fmt.Sprintf(`{"outcome":"%v","plies":3}`, o); err != nil ||
			string(text) != want {
			t.Errorf("%s, %v; want %s", text, err, want)
		}
		var back Value
		if err := json.Unmarshal(text, &back); err != nil || back != v {
			t.Errorf("%s is read back as %v, %v", text, back, err)
		}
	}
	var o Outcome
	if err := o.UnmarshalText([]byte("victory")); err == nil ||
		err.Error() != `outcome "victory": allowed: draw, win, loss` {
		t.Error(err)
	}
}
