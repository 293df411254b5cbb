package tui

import (
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A beginning describes how the first game at a table begins.
type beginning struct {
	first    match.Seat
	openings match.Openings
	moves    []digit.Move   // played at once for both seats
	score    rulebook.Score // of the games before it, if it is a rematch
}

// drawOpening draws the opening of a table, for which it solves the game. It opens the table if the
// user is still on the same page by then.
func (m *Model) drawOpening(settings Settings, begins beginning) {
	if m.opening {
		return
	}
	m.opening = true
	from, r, rng := m.top(), settings.opening(book(settings.Book)), m.rng()
	var solution *solve.Solution
	if known := m.games[r]; known.ready() {
		solution = known.solution
	}
	m.run(func() act {
		var err error
		if solution == nil {
			solution, err = m.world.Solve(m.ctx, r, func(int64, int64) {})
		}
		var set coach.OpeningSet
		even := false
		if err == nil {
			set, even = coach.BalancedOpenings(solution)
		}
		return func(m *Model) {
			m.opening = false
			switch {
			case m.top() != from:
			case err != nil:
				m.problem = "no opening: the game is too large to solve"
			case !even:
				m.problem = "no opening: no short ones are even together"
			default:
				begins.openings = match.OpeningsOf(set.Draw(rng, match.MostOpenings)...)
				m.openTable(settings, begins)
			}
		}
	})
}
