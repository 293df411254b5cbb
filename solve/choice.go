package solve

import "digitduel/digit"

// A Choice is a move as a player chooses it: a digit and its spot, the next position, and the
// value for the player making it. Moves that differ only in the call are one choice, the best of
// them. If several calls win, it is the one with the highest number.
type Choice struct {
	Move  digit.Move
	Next  digit.Position
	Value Value
}

// Choices returns the choices of a position in the order of their texts. There are none if the
// game is over.
func (s *Solution) Choices(p digit.Position) []Choice {
	choices := make([]Choice, 0, 32)
	for m := range s.game.rules.Moves(p) {
		c, last := s.Choice(p, m), len(choices)-1
		if last < 0 || choices[last].Move.Uncalled() != m.Uncalled() {
			choices = append(choices, c)
			continue
		}
		better := c.Value.Compare(choices[last].Value)
		if better > 0 || better == 0 && c.Value.Outcome == Win {
			choices[last] = c
		}
	}
	return choices
}

// Choice returns a legal move, with any call, as a choice.
func (s *Solution) Choice(p digit.Position, m digit.Move) Choice {
	next, err := s.game.rules.Play(p, m)
	if err != nil {
		panic("solve: illegal move: " + err.Error())
	}
	return Choice{m, next, s.Value(next).before()}
}

// Keep returns the number of choices whose outcome is as good as the best one's, regardless of
// the plies.
func Keep(choices []Choice) (n int) {
	best := 0.0
	for _, c := range choices {
		switch points := c.Value.Outcome.Points(); {
		case n == 0 || points > best:
			best, n = points, 1
		case points == best:
			n++
		}
	}
	return n
}

// Kept returns the number of choices that keep the value of a position, as [Keep] counts them,
// and the number of all choices.
func (s *Solution) Kept(p digit.Position) (keep, of int) {
	choices := s.Choices(p)
	return Keep(choices), len(choices)
}
