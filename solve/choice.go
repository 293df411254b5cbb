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
	s.choose(p, func(c Choice) { choices = append(choices, c) })
	return choices
}

// Kept returns how many of how many choices of a position keep what it is worth, as [Keep] counts them.
func (s *Solution) Kept(p digit.Position) (keep, of int) {
	var count keeper
	s.choose(p, func(c Choice) {
		count.add(c)
		of++
	})
	return count.n, of
}

// choose gives one choice after the other.
func (s *Solution) choose(p digit.Position, give func(Choice)) {
	var last Choice
	begun := false
	for m := range s.game.rules.Moves(p) {
		c := s.Choice(p, m)
		if begun && last.Move.Uncalled() == m.Uncalled() {
			if better := c.Value.Compare(last.Value); better > 0 || better == 0 && c.Value.Outcome == Win {
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
	var count keeper
	for _, c := range choices {
		count.add(c)
	}
	return count.n
}

// A keeper counts the choices that are worth as much as the best of them.
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
