package solve

import "digitduel/digit"

// A Choice is what a player chooses between in a position: a digit and where it goes, what that leads to, and what it is worth
// to who makes it. Moves that differ only in the call are one choice, the best of them, since nobody calls wrong on purpose; of
// several calls that win it is the highest.
type Choice struct {
	Move  digit.Move
	Next  digit.Position
	Value Value
}

// Choices returns the choices of a position in the order of their texts; none when the game is over.
func (s *Solution) Choices(p digit.Position) []Choice {
	choices := make([]Choice, 0, 32)
	for m := range s.game.rules.Moves(p) {
		c := s.Choice(p, m)
		if last := len(choices) - 1; last >= 0 && choices[last].Move.Uncalled() == m.Uncalled() {
			if better := c.Value.Compare(choices[last].Value); better > 0 || better == 0 && c.Value.Outcome == Win {
				choices[last] = c
			}
			continue
		}
		choices = append(choices, c)
	}
	return choices
}

// Choice returns a legal move, whatever it calls, as a choice.
func (s *Solution) Choice(p digit.Position, m digit.Move) Choice {
	next, err := s.game.rules.Play(p, m)
	if err != nil {
		panic("solve: a legal move is refused: " + err.Error())
	}
	return Choice{m, next, s.Value(next).before()}
}

// Keep returns how many of some choices are worth as much as the best of them in outcome, be it later or sooner.
func Keep(choices []Choice) int {
	best, n := Loss, 0
	for _, c := range choices {
		switch o := c.Value.Outcome; {
		case o == best:
			n++
		case o.Points() > best.Points():
			best, n = o, 1
		}
	}
	return n
}
