package coach

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/rulebook"
)

// minimax computes outcomes from the rules, without the solver.
type minimax struct {
	rules digit.Rules
	known map[digit.Position]int8
}

// worth returns 1 if the side to move wins, -1 if it loses, 0 for a draw.
func (x minimax) worth(p digit.Position) int8 {
	if worth, ok := x.known[p]; ok {
		return worth
	}
	best := int8(-1)
	if result := x.rules.Result(p); result.Over() {
		winner, decided := result.Winner()
		switch {
		case !decided:
			best = 0
		case winner == x.rules.Turn(p):
			best = 1
		}
	} else {
		for m := range x.rules.Moves(p) {
			next, _ := x.rules.Play(p, m)
			best = max(best, -x.worth(next))
		}
	}
	x.known[p] = best
	return best
}

// winning returns the winning moves.
func (x minimax) winning(p digit.Position) []digit.Move {
	var moves []digit.Move
	for m := range x.rules.Moves(p) {
		if next, _ := x.rules.Play(p, m); x.worth(next) < 0 {
			moves = append(moves, m)
		}
	}
	return moves
}

// TestPuzzles counts the puzzles of the books, and checks that some of them have exactly one
// winning move.
func TestPuzzles(t *testing.T) {
	var b strings.Builder
	for _, book := range digit.Books {
		x := minimax{book.Rules, map[digit.Position]int8{}}
		all, good := 0, 0
		plies := map[int]int{}
		seen := map[digit.Position]bool{}
		for z := range Puzzles(solved(t, book.Name)) {
			if seen[z.At] {
				t.Fatalf("%s is listed twice", z.Position)
			}
			seen[z.At] = true
			all++
			plies[z.Plies]++
			if z.Good() {
				good++
			}
			if all%997 != 1 {
				continue
			}
			if p := positionOf(t, book.Rules, z.Position); p != z.At {
				t.Errorf("%s is parsed as another position", z.Position)
			}
			if book.Rules.Ply(z.At) < 2 {
				continue // too far from the end for minimax in a test
			}
			if moves := x.winning(z.At); len(moves) != 1 || moves[0] != z.Move {
				t.Errorf("%s: the winning move is %v, minimax finds %v", z.Position, z.Move, moves)
			}
		}
		fmt.Fprintf(&b, "%-12s %6d puzzles, %5d good; by turns to the end:", book.Name, all, good)
		for _, n := range slices.Sorted(maps.Keys(plies)) {
			fmt.Fprintf(&b, " %d: %d", n, plies[n])
		}
		b.WriteString("\n")
	}
	golden(t, "puzzles.txt", b.String())
}

// TestAllPuzzles checks that the puzzles of small games are all positions with one winning move, as
// minimax finds them.
func TestAllPuzzles(t *testing.T) {
	for _, rules := range []string{
		"dilemma width=2", "sevens", "divisibility target=11 pool=0-5", "highest width=2",
	} {
		s := solved(t, rules)
		x := minimax{s.Rules(), map[digit.Position]int8{}}
		x.worth(digit.Position{})
		want := map[digit.Position]digit.Move{}
		for p := range maps.Clone(x.known) {
			if moves := x.winning(p); len(moves) == 1 {
				want[p] = moves[0]
			}
		}
		got := map[digit.Position]digit.Move{}
		ply := 0
		for z := range Puzzles(s) {
			got[z.At] = z.Move
			if s.Rules().Ply(z.At) < ply {
				t.Errorf("%s: ply %d after %d", z.Position, s.Rules().Ply(z.At), ply)
			}
			ply = s.Rules().Ply(z.At)
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: %d puzzles, minimax finds %d", rules, len(got), len(want))
		}
		for range Puzzles(s) {
			break // the iterator must stop
		}
	}
}

// TestRandom checks that the same random numbers give the same puzzle, and that it is a wanted one.
func TestRandom(t *testing.T) {
	for _, book := range digit.Books {
		s := solved(t, book.Name)
		given := map[string]bool{}
		for seed := range uint64(50) {
			z, err := Random(t.Context(), s, rand.New(rand.NewPCG(seed, 1)).IntN, nil)
			again, _ := Random(t.Context(), s, rand.New(rand.NewPCG(seed, 1)).IntN, nil)
			if err != nil || z != again || !z.Good() {
				t.Fatalf("%s: %v, %v, %v", book.Name, z, again, err)
			}
			given[z.Position] = true
		}
		if len(given) < 5 {
			t.Errorf("%s: only %d puzzles in 50", book.Name, len(given))
		}
	}
	s := solved(t, "highest")
	start := func(z Puzzle) bool { return z.Plies == 6 }
	z, err := Random(t.Context(), s, dice(1), start)
	if err != nil || z.Position != "___/___" || z.Move.String() != "9a" || z.Choices != 27 {
		t.Errorf("the first move of highest: %v %v", z, err)
	}
	never := func(Puzzle) bool { return false }
	for _, tt := range []struct {
		rules string
		want  func(Puzzle) bool
		err   string
	}{
		{"highest", never, "no puzzle of highest"},
		{"highest width=1 pool=1-2", nil, "no puzzle of highest pool=1,2 width=1"},
	} {
		z, err := Random(t.Context(), solved(t, tt.rules), dice(1), tt.want)
		if err == nil || err.Error() != tt.err {
			t.Errorf("%s: %v, %v, want %s", tt.rules, z, err, tt.err)
		}
	}
}

// TestCutOff checks that a search stops when its context ends, among random games and among all
// positions.
func TestCutOff(t *testing.T) {
	for _, at := range []int{1, 30, 15_000} {
		ctx, stop := context.WithCancelCause(t.Context())
		late, asked := errors.New("too late"), 0
		z, err := Random(ctx, solved(t, "highest"), dice(1), func(Puzzle) bool {
			if asked++; asked == at {
				stop(late)
			}
			return false
		})
		if !errors.Is(err, late) || asked != at {
			t.Errorf("cancelled after %d puzzles, stopped after %d: %v %v", at, asked, z, err)
		}
	}
}

// TestFitting checks that a puzzle for a level is one that this level misses and the next solves.
func TestFitting(t *testing.T) {
	s := solved(t, "dilemma")
	blind := func(digit.Position, uint64) digit.Move { return digit.Move{} }
	early := func(p digit.Position, _ uint64) digit.Move { return s.Line(p)[0] }
	late := func(p digit.Position, _ uint64) digit.Move {
		if s.Value(p).Plies > 3 {
			return digit.Move{}
		}
		return s.Line(p)[0]
	}
	players := []Chooser{blind, late, early}
	for level, fits := range []func(plies int) bool{
		func(n int) bool { return n <= 3 }, func(n int) bool { return n > 3 },
	} {
		for seed := range uint64(20) {
			z, err := Fitting(t.Context(), s, players, level, dice(seed))
			if err != nil || !fits(z.Plies) || z.Choices < 4 {
				t.Errorf("level %d: %v, %v", level, z, err)
			}
		}
	}
}

// TestDaily compares the puzzles of some days, which must never change, with a golden file.
func TestDaily(t *testing.T) {
	var b strings.Builder
	for _, text := range []string{
		"2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04", "2026-01-05", "2026-01-06",
		"2026-12-31", "1969-12-31", "2000-02-29",
	} {
		day, err := ParseDay(text)
		if err != nil {
			t.Fatal(err)
		}
		z, ok := Daily(solved(t, DailyBook(day).Name), day)
		if !ok || !z.Good() {
			t.Fatalf("%v: %v", day, z)
		}
		line, err := json.Marshal(z)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%v %s\n", day, line)
	}
	golden(t, "daily.txt", b.String())
	for _, book := range digit.Books {
		s := solved(t, book.Name)
		for day := range Day(366) {
			if z, ok := Daily(s, 20454+day); !ok || !z.Good() {
				t.Errorf("%s, %v: %v", book.Name, 20454+day, z)
			}
		}
	}
}

// TestAnswers checks the verdicts on answers to a puzzle.
func TestAnswers(t *testing.T) {
	s := solved(t, "dilemma")
	z, ok := PuzzleAt(s, positionOf(t, s.Rules(), "3_0/7__"))
	if !ok || z.Move.String() != "5b" || z.Plies != 3 || z.Choices != 14 {
		t.Fatalf("%v %v", z, ok)
	}
	for _, tt := range []struct {
		answer string
		right  bool
		text   string
	}{
		{"5b", true, "Right! You threaten 756. Ada must take 6; then 4 on the right wins."},
		{"5c", false, "Not 5 on the right. Ada makes 320, and nothing you can make beats it."},
		{"2b", false, "Not 2 in the middle. Ada then wins at once."},
	} {
		v, err := Judge(s, z.At, moveOf(tt.answer), casts(z.Rules.Turn(z.At))[0])
		if err != nil || v.Kept() != tt.right || v.Text != tt.text ||
			tt.right == (len(v.Refutation) > 0) {
			t.Errorf("%s: %v %s, refuted by %v, %v", tt.answer, v.Kept(), v.Text, v.Refutation, err)
		}
	}
}

// TestPrompts checks the questions of puzzles.
func TestPrompts(t *testing.T) {
	for _, tt := range []struct{ rules, position, want string }{
		{"dilemma", "3_0/7__", "Only one of your 14 moves wins. Find it."},
		{"divisibility", "/", "Only one of your 9 moves wins. Find it."},
		{"sevens", "389/25", "Only one of your 5 digits wins. Find it."},
	} {
		s := solved(t, tt.rules)
		z, ok := PuzzleAt(s, positionOf(t, s.Rules(), tt.position))
		got := z.Prompt()
		if !ok || got.Long != tt.want || got.Spoken != tt.want ||
			len(got.Short) > rulebook.MostShort {
			t.Errorf("%s %s: %v, want %s", tt.rules, tt.position, got, tt.want)
		}
	}
}

// TestDifficulty checks the difficulty of a puzzle for players that find the move never, always,
// and in some tries.
func TestDifficulty(t *testing.T) {
	s := solved(t, "highest")
	z, _ := PuzzleAt(s, digit.Position{})
	finds := func(tries uint64) Chooser {
		return func(p digit.Position, seed uint64) digit.Move {
			if p != z.At {
				t.Errorf("asked about %s", s.Rules().Text(p))
			}
			if seed < tries {
				return z.Move
			}
			return moveOf("1a")
		}
	}
	for _, tt := range []struct {
		players []Chooser
		want    int
	}{
		{nil, 0},
		{[]Chooser{finds(0)}, 1},
		{[]Chooser{finds(9)}, 0},
		{[]Chooser{finds(4)}, 1},
		{[]Chooser{finds(5)}, 0},
		{[]Chooser{finds(0), finds(4), finds(5), finds(9)}, 2},
	} {
		if got := Difficulty(z, tt.players); got != tt.want {
			t.Errorf("%d players: %d fail, want %d", len(tt.players), got, tt.want)
		}
	}
}
