package solve

import (
	"context"
	"iter"

	"digitduel/digit"
)

// Positions yields each reachable position once, ply by ply, with its value. It needs as much
// memory as [Solution.Census].
func (s *Solution) Positions() iter.Seq2[digit.Position, Value] {
	return func(yield func(digit.Position, Value) bool) {
		g, start := s.game, digit.Position{}
		if !yield(start, s.Value(start)) {
			return
		}
		most := g.countLayers()
		now := append(make([]digit.Position, 0, most.open[0]), start) // positions not over
		next := make([]digit.Position, 0, most.open[1])
		bits := make([]uint64, most.words)
		for ply := 1; len(now) > 0; ply++ {
			// The layer is indexed like a plain one.
			layer, seen := g.newPlain(ply), bits[:words(g.countPlain(ply))]
			clear(seen)
			for _, p := range now {
				fresh := false
				for m := range g.rules.Moves(p) {
					to, _ := g.rules.Play(p, m) // the move is legal
					if !m.Calls() {
						at := layer.index(g, to)
						fresh = seen[at/64]>>(at%64)&1 == 0
						seen[at/64] |= 1 << (at % 64)
					} // else it is a call, and as new as the same hand without one
					if !fresh {
						continue
					}
					v := s.Value(to)
					if !yield(to, v) {
						return
					}
					if v.Plies > 0 {
						next = append(next, to)
					}
				}
			}
			now, next = next, now[:0]
		}
	}
}

// A layers holds the memory needed at once to iterate over all positions.
type layers struct {
	open  [2]int64 // maximum positions not over of an even ply, and of an odd one
	words int64    // maximum words with a bit for each position of a ply
}

func (g *game) countLayers() (most layers) {
	for ply := range g.total + 1 {
		n := g.countPlain(ply)
		most.words = max(most.words, words(n))
		if ply < g.total {
			most.open[ply%2] = max(most.open[ply%2], n)
		}
	}
	return most
}

// words returns the number of words that hold n bits.
func words(n int64) int64 { return (n + 63) / 64 }

// censusBytes returns the maximum memory needed to iterate over all positions.
func (g *game) censusBytes() int64 {
	most := g.countLayers()
	return (most.open[0]+most.open[1])*positionBytes + most.words*8
}

// CountPositions returns the number of possible positions, reachable or not.
func (s *Solution) CountPositions() int64 {
	g, n := s.game, int64(0)
	for ply := range g.total + 1 {
		positions := g.countPlain(ply)
		if n += positions; g.rules.Win == digit.OnCall && ply > g.last {
			// The hand just filled may have called any number.
			n += positions * factorial[g.width]
		}
	}
	return n
}

// A Tally counts positions by their winner under perfect play.
type Tally struct {
	First, Second, Draw int64
}

func (t *Tally) add(v Value, turn digit.Side) {
	switch winner, ok := v.Winner(turn); {
	case !ok:
		t.Draw++
	case winner == digit.First:
		t.First++
	default:
		t.Second++
	}
}

// A Census counts the reachable positions of a game.
type Census struct {
	Open    Tally          // positions in which the game is not over
	Over    Tally          // positions in which it is over
	Longest digit.Position // the first position with the longest forced win
	Plies   int            // the number of plies of that win
}

// Count returns the number of positions.
func (c Census) Count() int64 {
	return c.Open.First + c.Open.Second + c.Open.Draw + c.Over.First + c.Over.Second + c.Over.Draw
}

// CheckCensus returns a [*BudgetError] if iterating over all positions would need more memory
// than the budget for solving the game, and nil otherwise.
func (s *Solution) CheckCensus() error {
	if need := s.size.Bytes + s.game.censusBytes(); need > s.budget {
		return &BudgetError{s.game.rules, true, need, s.budget}
	}
	return nil
}

// Census counts the positions. The error is that of [Solution.CheckCensus] or the context's.
func (s *Solution) Census(ctx context.Context) (Census, error) {
	if err := s.CheckCensus(); err != nil {
		return Census{}, err
	}
	var c Census
	n := 0
	for p, v := range s.Positions() {
		if n++; n%4096 == 0 && ctx.Err() != nil {
			return Census{}, context.Cause(ctx)
		}
		turn := s.game.rules.Turn(p)
		if v.Plies == 0 {
			c.Over.add(v, turn)
			continue
		}
		c.Open.add(v, turn)
		if v.Outcome != Draw && v.Plies > c.Plies {
			c.Longest, c.Plies = p, v.Plies
		}
	}
	return c, nil
}
