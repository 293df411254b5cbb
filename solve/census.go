package solve

import (
	"context"
	"fmt"
	"iter"

	"digitduel/digit"
)

// Positions yields each position that play can reach, once, ply by ply, with its value. It keeps a bit for each position
// there could be, so it is not for games of more than some hundreds of millions.
func (s *Solution) Positions() iter.Seq2[digit.Position, Value] {
	return func(yield func(digit.Position, Value) bool) {
		g := s.game
		now, next := []digit.Position{{}}, []digit.Position(nil)
		for ply := 0; len(now) > 0; ply++ {
			var layer *plain // the next one, if it were plain
			var seen []uint64
			if ply < g.total {
				layer, seen = g.newPlain(ply+1), make([]uint64, (g.countPlain(ply+1)+63)/64)
			}
			next = next[:0]
			for _, p := range now {
				if !yield(p, s.Value(p)) {
					return
				}
				fresh := false
				for m := range g.rules.Moves(p) {
					to, _ := g.rules.Play(p, m) // the move is legal
					if m.Call == (digit.Number{}) {
						at := layer.index(g, to)
						fresh = seen[at/64]>>(at%64)&1 == 0
						seen[at/64] |= 1 << (at % 64)
					} // else it is a call, and as new as the hand that was filled without one
					if fresh {
						next = append(next, to)
					}
				}
			}
			now, next = next, now
		}
	}
}

// mostPositions is how many positions there can be for them to be counted one by one.
const mostPositions = 1 << 28

// CountPositions returns how many positions there can be, calls left aside, whether or not play can reach them.
func (s *Solution) CountPositions() int64 {
	n := int64(0)
	for ply := range s.game.total + 1 {
		n += s.game.countPlain(ply)
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

// Census counts the positions. The error says that there may be too many, or is the context's.
func (s *Solution) Census(ctx context.Context) (Census, error) {
	if n := s.CountPositions(); n > mostPositions {
		return Census{}, fmt.Errorf("%v: up to %.3g positions are too many to count; allowed: %d", s.game.rules, float64(n), mostPositions)
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
