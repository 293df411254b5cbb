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
	s.choose(p, func(c Choice) { choices = append(choices, c) })
	return choices
}

// Kept returns the number of choices that keep the value of a position, as [Keep] counts them,
// and the number of all choices.
func (s *Solution) Kept(p digit.Position) (keep, of int) {
	var count keeper
	s.choose(p, func(c Choice) {
		count.add(c)
		of++
	})
	return count.n, of
}

// choose calls give with each choice in turn.
func (s *Solution) choose(p digit.Position, give func(Choice)) {
	var last Choice
	begun := false
	for m := range s.game.rules.Moves(p) {
		c := s.Choice(p, m)
		if begun && last.Move.Uncalled() == m.Uncalled() {
			better := c.Value.Compare(last.Value)
			if better > 0 || better == 0 && c.Value.Outcome == Win {
				last = c
			}
			continue
		}
		if begun {
			give(last)
		}
		last, begun = c, true
	}
	if begun {
		give(last)
	}
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
func Keep(choices []Choice) int {
	var count keeper
	for _, c := range choices {
		count.add(c)
	}
	return count.n
}

// A keeper counts the choices with the best outcome so far.
type keeper struct {
	best Outcome
	n    int
}

func (k *keeper) add(c Choice) {
	switch o := c.Value.Outcome; {
	case k.n > 0 && o == k.best:
		k.n++
	case k.n == 0 || o.Points() > k.best.Points():
		k.best, k.n = o, 1
	}
}
