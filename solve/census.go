package solve

import (
	"context"
	"iter"

	"digitduel/digit"
)

// Positions yields each position that play can reach, once, ply by ply, with its value. It takes as much memory as [Solution.Census].
func (s *Solution) Positions() iter.Seq2[digit.Position, Value] {
	return func(yield func(digit.Position, Value) bool) {
		g, start := s.game, digit.Position{}
		if !yield(start, s.Value(start)) {
			return
		}
		most := g.countLayers()
		now, next := append(make([]digit.Position, 0, most.open[0]), start), make([]digit.Position, 0, most.open[1]) // in which the game goes on
		bits := make([]uint64, most.words)
		for ply := 1; len(now) > 0; ply++ {
			layer, seen := g.newPlain(ply), bits[:words(g.countPlain(ply))] // as if it were plain
			clear(seen)
			for _, p := range now {
				fresh := false
				for m := range g.rules.Moves(p) {
					to, _ := g.rules.Play(p, m) // the move is legal
					if m.Call == (digit.Number{}) {
						at := layer.index(g, to)
						fresh = seen[at/64]>>(at%64)&1 == 0
						seen[at/64] |= 1 << (at % 64)
					} // else it is a call, and as new as the hand that was filled without one
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

// layers are how much is kept at once of the layers of a game while its positions are gone through.
type layers struct {
	open  [2]int64 // the most positions of an even ply, and of an odd one, in which the game goes on
	words int64    // the most words that have a bit for each position of a ply
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

// words returns how many words have n bits.
func words(n int64) int64 { return (n + 63) / 64 }

// censusBytes returns how much memory it takes at most to go through the positions.
func (g *game) censusBytes() int64 {
	most := g.countLayers()
	return (most.open[0]+most.open[1])*positionBytes + most.words*8
}

// CountPositions returns how many positions there can be, whether or not play can reach them.
func (s *Solution) CountPositions() int64 {
	g, n := s.game, int64(0)
	for ply := range g.total + 1 {
		positions := g.countPlain(ply)
		if n += positions; g.rules.Win == digit.OnCall && ply > g.last {
			n += positions * factorial[g.width] // the hand that has just been filled may have called any number
		}
	}
	return n
}

// A Tally counts positions by who wins them when both sides play as well as can be.
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

// A Census counts the positions of a game that play can reach.
type Census struct {
	Open    Tally          // positions in which the game goes on
	Over    Tally          // positions in which it is over
	Longest digit.Position // the first one in which a winner needs the most plies
	Plies   int            // how many those are
}

// Count returns how many positions there are.
func (c Census) Count() int64 {
	return c.Open.First + c.Open.Second + c.Open.Draw + c.Over.First + c.Over.Second + c.Over.Draw
}

// CheckCensus returns nil if there is memory to go through the positions, and a [*BudgetError] if that would take more than solving the
// game was allowed.
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
