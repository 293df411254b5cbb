package tui

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// past are the errors of an act that came too late. The event that explains them follows.
var past = []error{
	match.ErrStale, match.ErrTurn, match.ErrTimeout, match.ErrNoGame, match.ErrAsked,
	match.ErrNotAsked, match.ErrUnderWay, match.ErrSeries, match.ErrNoSwap, context.Canceled,
}

// do runs an act at the table in the background. Its event arrives through watch.
func (t *table) do(m *Model, act func(context.Context) (match.State, error)) tea.Cmd {
	return m.background.run(func(context.Context) later {
		_, err := act(t.ctx)
		return func(*Model) tea.Cmd {
			passed := func(gone error) bool { return errors.Is(err, gone) }
			switch {
			case err == nil:
				return nil
			case errors.Is(err, match.ErrNoUndo):
				t.note = rulebook.NoUndo.Long
			case !slices.ContainsFunc(past, passed):
				t.refuse(err)
			}
			t.sent = false
			return nil
		}
	})
}

// acts returns an act of a seat. A computer that replaces a player is a casual one.
func (t *table) acts(seat match.Seat, a match.Act) act {
	return func(m *Model) tea.Cmd {
		return t.do(m, func(ctx context.Context) (match.State, error) {
			return t.at.Do(ctx, seat, a, "casual")
		})
	}
}

// begin starts the next game, with the moves of its record.
func (t *table) begin(m *Model, begins beginning) tea.Cmd {
	return first(t.do(m, func(ctx context.Context) (match.State, error) {
		s, err := t.at.Begin(ctx)
		for i, move := range begins.moves {
			if err == nil {
				s, err = t.at.Play(ctx, s.Turn(), move, s.Seq)
			}
			if err == nil && i == 0 && begins.swapped {
				s, err = t.at.Do(ctx, s.Turn(), match.Swap, "")
			}
		}
		return s, err
	}), func(*Model) { t.begun = true })
}

// send plays a move for the player to move.
func (t *table) send(m *Model, move digit.Move) tea.Cmd {
	seat, seen := t.state.Turn(), t.state.Seq
	t.sent = true
	return t.do(m, func(ctx context.Context) (match.State, error) {
		return t.at.Play(ctx, seat, move, seen)
	})
}

// leavePicked reports the picked digit to the table, which keeps it if time runs out.
func (t *table) leavePicked() {
	if t.stage() == pick {
		t.at.PutBack(t.state.Seq)
		return
	}
	// if it is refused, the event that explains why follows
	_ = t.at.Pick(t.state.Turn(), t.picker.digit, t.state.Seq)
}

// next begins the next game of a series or, after the last, a new series with the same settings in
// which the other player starts.
func (t *table) next(m *Model) tea.Cmd {
	if !t.state.SeriesOver() {
		return t.begin(m, beginning{})
	}
	if t.lesson != nil {
		m.pop()
		return m.play(t.settings)
	}
	first := t.state.Setup.First.Other()
	if t.tossed {
		first = match.Seat(m.rng().IntN(2))
	}
	m.pop()
	return m.openTable(t.settings, beginning{first: first, score: total(t.score, t.state)})
}

// undo takes back the last move of a person here, or asks for it.
func (t *table) undo(m *Model) tea.Cmd {
	if t.back() {
		return nil
	}
	seat := t.state.Turn().Other()
	if !t.here(seat) {
		seat = seat.Other()
	}
	if !t.here(seat) {
		t.note = rulebook.NoUndo.Long
		return nil
	}
	return t.acts(seat, match.Undo)(m)
}

// asked reports whether a person here must answer a request to take back a move.
func (t *table) asked() bool {
	return t.state.Asking && t.here(t.state.Asker.Other()) && !t.here(t.state.Asker)
}

// resign gives up the game for the person to move or, in the turn of a machine, for the person
// here.
func (t *table) resign(m *Model) tea.Cmd {
	seat := t.state.Turn()
	if !t.here(seat) {
		seat = seat.Other()
	}
	if !t.here(seat) {
		t.note = rulebook.NoGameNow.Long
		return nil
	}
	question := rulebook.AskResign(t.pair.cast(), t.state.Side(seat)).Long
	return m.lay(&confirmation{
		question: question, does: "Resign", no: "Play on", do: t.acts(seat, match.Resign),
	})
}

// abandon saves the game and goes back to the menu.
func (t *table) abandon(m *Model) tea.Cmd {
	var cmd tea.Cmd
	if !t.kept {
		t.kept = true
		cmd = m.keep(t.state.Record())
	}
	m.toMenu()
	return cmd
}

// ask shows a hint, if that is allowed.
func (t *table) ask(m *Model) tea.Cmd {
	switch {
	case !t.helps():
		t.note = rulebook.HintsOff.Short
		return nil
	case !t.own && t.state.Playing() && !t.here(t.state.Turn()):
		t.note = rulebook.NotYourTurn(t.pair.cast(), t.state.Side(t.state.Turn())).Long
		return nil
	}
	t.helped = true
	p, _ := t.shown()
	return t.board.ask(m, p)
}

// analyse switches the analysis on, if that is allowed, or off.
func (t *table) analyse() {
	if !t.analysis && !t.helps() {
		t.note = rulebook.HintsOff.Short
		return
	}
	t.analysis, t.helped = !t.analysis, true
}
