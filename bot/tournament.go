package bot

import (
	"math/rand/v2"

	"digitduel/digit"
	"digitduel/solve"
)

// A Score is what a level has come to in games against other levels, half of them on each side.
type Score struct {
	Games, Wins, Draws int
	Decisions          int     // moves made in positions in which not all moves are worth the same outcome
	Lost               float64 // what those moves threw away: 1 for a win turned into a loss, ½ to or from a draw
}

// Rate returns the share of points won; a draw is half a point.
func (s Score) Rate() float64 {
	return (float64(s.Wins) + float64(s.Draws)/2) / max(1, float64(s.Games))
}

// Loss returns the average that a decision threw away.
func (s Score) Loss() float64 { return s.Lost / max(1, float64(s.Decisions)) }

func (s *Score) add(t Score) {
	s.Games += t.Games
	s.Wins += t.Wins
	s.Draws += t.Draws
	s.Decisions += t.Decisions
	s.Lost += t.Lost
}

// A Tournament is every level against every other one: Pairs[i][j] is what level i has come to against level j.
type Tournament struct {
	Levels []Level
	Pairs  [][]Score
}

// Play lets every level play every other one, pairs times on each side, in each of the solved games. The same seed makes
// the same tournament.
func Play(levels []Level, games []*solve.Solution, pairs int, seed uint64) Tournament {
	t := Tournament{Levels: levels, Pairs: make([][]Score, len(levels))}
	for i := range t.Pairs {
		t.Pairs[i] = make([]Score, len(levels))
	}
	for i := range levels {
		for j := range i {
			rng := rand.New(rand.NewPCG(seed, uint64(i<<8|j)))
			for _, s := range games {
				for range pairs {
					t.play(s, i, j, rng)
					t.play(s, j, i, rng)
				}
			}
		}
	}
	return t
}

// play plays one game between two levels, the first of which moves first.
func (t *Tournament) play(s *solve.Solution, first, second int, rng *rand.Rand) {
	at := [2]int{first, second}
	bots := [2]*Bot{New(t.Levels[first], s, rng), New(t.Levels[second], s, rng)}
	r := s.Rules()
	var p digit.Position
	var scores [2]Score
	for !r.Result(p).Over() {
		side := r.Turn(p)
		m := bots[side].Choose(p)
		lost, decision := thrownAway(s, p, m)
		if decision {
			scores[side].Decisions++
			scores[side].Lost += lost
		}
		p, _ = r.Play(p, m) // a bot plays legal moves
	}
	winner, won := r.Result(p).Winner()
	for side := range scores {
		scores[side].Games = 1
		switch {
		case !won:
			scores[side].Draws = 1
		case digit.Side(side) == winner:
			scores[side].Wins = 1
		}
		t.Pairs[at[side]][at[1-side]].add(scores[side])
	}
}

// thrownAway returns what a move gave away of what the position was worth, and whether there was anything to decide.
func thrownAway(s *solve.Solution, p digit.Position, m digit.Move) (lost float64, decision bool) {
	best := s.Value(p).Outcome.Points()
	for option, v := range s.Moves(p) {
		decision = decision || v.Outcome.Points() != best
		if option == m {
			lost = best - v.Outcome.Points()
		}
	}
	return lost, decision
}

// Total returns what a level has come to against all others.
func (t Tournament) Total(level int) Score {
	var sum Score
	for _, s := range t.Pairs[level] {
		sum.add(s)
	}
	return sum
}
