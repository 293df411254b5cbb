package coach

import (
	"context"
	"fmt"
	"iter"
	"math/bits"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A Puzzle is a position in which exactly one of all legal moves wins.
type Puzzle struct {
	Rules    digit.Rules    `json:"rules"`
	Position string         `json:"position"`
	At       digit.Position `json:"-"` // the same
	Move     digit.Move     `json:"move"`
	Plies    int            `json:"plies"`   // the turns until the win
	Choices  int            `json:"choices"` // as [solve.Choice] counts moves
}

// Good reports whether a puzzle is worth solving. Both players have moved, since the few positions
// before are soon known. There are at least four choices, so that guessing mostly fails. And the
// move doesn't win at once, unless the digits of a hand also have to be arranged.
func (z Puzzle) Good() bool {
	return z.Rules.Ply(z.At) >= 2 && z.Choices >= 4 && (z.Plies > 1 || z.Rules.Place == digit.Hand)
}

// Prompt returns the question of the puzzle.
func (z Puzzle) Prompt() rulebook.Said {
	long := fmt.Sprintf("Only one of your %d %ss wins. Find it.", z.Choices, noun(z.Rules))
	return rulebook.Said{Short: "One move wins. Find it", Long: long, Spoken: long}
}

// PuzzleAt returns the puzzle of a position; ok is false if it isn't one.
func PuzzleAt(s *solve.Solution, p digit.Position) (z Puzzle, ok bool) {
	if value := s.Value(p); value.Outcome != solve.Win || value.Plies == 0 {
		return Puzzle{}, false
	}
	for m, value := range s.Moves(p) {
		if value.Outcome != solve.Win {
			continue
		}
		if ok {
			return Puzzle{}, false
		}
		ok, z.Move, z.Plies = true, m, value.Plies
	}
	z.Rules, z.Position, z.At, z.Choices = s.Rules(), s.Rules().Text(p), p, len(s.Choices(p))
	return z, true
}

// Puzzles yields every puzzle of a game once: by ply, and then in the order in which moves, tried
// in the order of their texts, reach it.
func Puzzles(s *solve.Solution) iter.Seq[Puzzle] {
	return func(yield func(Puzzle) bool) {
		for p := range s.Positions() {
			if z, ok := PuzzleAt(s, p); ok && !yield(z) {
				return
			}
		}
	}
}

// Random returns a puzzle that want accepts, found by random moves. It asks intn(n) for numbers
// from 0 to n-1; a nil want stands for [Puzzle.Good]. It searches until ctx is done. The error is
// the context's, or says that no puzzle was found and whether there may be one.
func Random(ctx context.Context, s *solve.Solution, intn func(n int) int,
	want func(Puzzle) bool) (z Puzzle, err error) {
	if want == nil {
		want = Puzzle.Good
	}
	const games = 2000 // enough to meet a puzzle that isn't very rare
	for range games {
		if z, ok := pick(ctx, randomGame(s, intn), want, intn); ok {
			return z, nil
		}
		if ctx.Err() != nil {
			return Puzzle{}, context.Cause(ctx)
		}
	}
	if err := Searchable(s); err != nil {
		return Puzzle{}, fmt.Errorf("no puzzle of %v in %d random games; %w", s.Rules(), games, err)
	}
	z, ok := pick(ctx, Puzzles(s), want, intn)
	switch {
	case ctx.Err() != nil:
		return Puzzle{}, context.Cause(ctx)
	case !ok:
		return Puzzle{}, fmt.Errorf("no puzzle of %v", s.Rules())
	}
	return z, nil
}

// randomGame yields the puzzles of a game of random moves.
func randomGame(s *solve.Solution, intn func(n int) int) iter.Seq[Puzzle] {
	return func(yield func(Puzzle) bool) {
		r := s.Rules()
		for p, more := (digit.Position{}), true; more; {
			if z, ok := PuzzleAt(s, p); ok && !yield(z) {
				return
			}
			var m digit.Move
			if m, more = r.Pick(p, intn); more {
				p, _ = r.Play(p, m) // a picked move is legal
			}
		}
	}
}

// pick returns one of the puzzles that want accepts, all equally likely. It stops when ctx is done.
func pick(ctx context.Context, all iter.Seq[Puzzle], want func(Puzzle) bool,
	intn func(n int) int) (z Puzzle, ok bool) {
	found := 0
	for here := range all {
		if ctx.Err() != nil {
			break
		}
		if want(here) {
			if found++; intn(found) == 0 {
				z = here
			}
		}
	}
	return z, found > 0
}

// Searchable returns an error if a game is too large to search all its positions for a puzzle.
func Searchable(s *solve.Solution) error {
	const most = 5_000_000
	if n := s.CountPositions(); n > most {
		return fmt.Errorf("%v has up to %d positions, too many to search (at most %d)", s.Rules(),
			n, most)
	}
	return s.CheckCensus()
}

// DailyBook returns the book of a day's puzzle, with its usual target. The books take turns.
func DailyBook(day Day) digit.Book {
	n := len(digit.Books)
	b := digit.Books[((int(day)%n)+n)%n]
	b.Rules = rulebook.Usual(b.Rules)
	return b
}

// Daily returns the puzzle of a day for a game, usually that of [DailyBook]. It depends only on the
// rules and the day, so it is the same everywhere; ok is false if the game has no good puzzle.
func Daily(s *solve.Solution, day Day) (z Puzzle, ok bool) {
	z, err := Random(context.Background(), s, dice(uint64(day)), nil) // every book soon has one
	return z, err == nil
}

// dice returns a source of numbers that never changes, on any machine (SplitMix64).
func dice(seed uint64) func(n int) int {
	return func(n int) int {
		seed += 0x9e3779b97f4a7c15
		z := seed
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		high, _ := bits.Mul64(z^z>>31, uint64(n))
		return int(high)
	}
}

// A Chooser chooses a move; the same seed makes the same choice.
type Chooser = func(p digit.Position, seed uint64) digit.Move

// Fitting returns a random puzzle, as [Random] does, that one of some players fails and the next
// one doesn't. The players are ordered from the weakest to the strongest.
func Fitting(ctx context.Context, s *solve.Solution, players []Chooser, level int,
	intn func(n int) int) (Puzzle, error) {
	return Random(ctx, s, intn, func(z Puzzle) bool {
		return z.Choices >= 4 && Fails(z, players[level]) && !Fails(z, players[level+1])
	})
}

// Fails reports whether a player finds the move of a puzzle in less than half of nine tries.
func Fails(z Puzzle, player Chooser) bool {
	const tries = 9
	found, missed := 0, 0
	for seed := uint64(0); 2*found < tries && 2*missed < tries; seed++ {
		if player(z.At, seed) == z.Move {
			found++
		} else {
			missed++
		}
	}
	return found < missed
}

// Difficulty returns the number of players that fail a puzzle.
func Difficulty(z Puzzle, players []Chooser) int {
	n := 0
	for _, player := range players {
		if Fails(z, player) {
			n++
		}
	}
	return n
}
