package tui

import (
	"context"
	"slices"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// do runs an act at the table in the background. Its event arrives through watch.
func (t *table) do(m *Model, what func(context.Context) (match.State, error)) {
	m.run(func() act {
		_, err := what(t.ctx)
		return func(*Model) {
			t.begun = true // the first act begins the game
			late := match.Late(err, match.ErrAsked, match.ErrNotAsked, match.ErrUnderWay,
				match.ErrSeries, match.ErrNoSwap, context.Canceled)
			switch text, refused := rulebook.RefusedAct(err); {
			case err == nil:
				return
			case late: // an event explains it
			case refused:
				t.note = text
			default:
				t.refuse(err)
			}
			t.sent = false
		}
	})
}

// acts returns an act of a seat. A computer that replaces a player is a casual one.
func (t *table) acts(seat match.Seat, a match.Act) act {
	return func(m *Model) {
		t.do(m, func(ctx context.Context) (match.State, error) {
			return t.Table.Do(ctx, seat, a, "casual")
		})
	}
}

// begin starts the next game, with the moves of its record.
func (t *table) begin(m *Model, begins beginning) {
	t.do(m, func(ctx context.Context) (match.State, error) {
		s, err := t.Table.Begin(ctx)
		for _, move := range begins.moves {
			if err == nil {
				s, err = t.Table.Play(ctx, s.Turn(), move, s.Seq)
			}
		}
		return s, err
	})
}

// send plays a move for the player to move.
func (t *table) send(m *Model, move digit.Move) {
	seat, seen := t.state.Turn(), t.state.Seq
	t.sent = true
	t.do(m, func(ctx context.Context) (match.State, error) {
		return t.Table.PlayAfter(ctx, seat, move, seen)
	})
}

// leavePicked reports the picked digit to the table, which keeps it if time runs out. A lesson
// continues from there.
func (t *table) leavePicked() {
	if t.stage() == pick {
		t.Table.PutBack(t.state.Seq)
	} else {
		// if it is refused, the event that explains why follows
		_ = t.Table.Pick(t.state.Turn(), t.picker.digit, t.state.Seq)
	}
	t.point()
}

// next begins the next game of a series or, after the last, a new series with the same settings in
// which the other player starts.
func (t *table) next(m *Model) {
	if !t.state.SeriesOver() {
		t.begin(m, beginning{})
		return
	}
	if t.lesson != nil {
		m.pop()
		m.play(t.settings)
		return
	}
	first := t.state.Setup.First.Other()
	if t.tossed {
		first = match.Seat(m.rng().IntN(2))
	}
	m.pop()
	m.openTable(t.settings, beginning{first: first, score: total(t.score, t.state)})
}

// undo takes back the last move of a person here, or asks for it.
func (t *table) undo(m *Model) {
	if t.back() {
		return
	}
	if seat, ok := t.person(t.state.Turn().Other()); ok {
		t.acts(seat, match.Undo)(m)
		return
	}
	t.note = rulebook.NoUndo.Long
}

// person returns a seat, or the other one if only that has a person here; ok is false if neither
// has.
func (t *table) person(seat match.Seat) (who match.Seat, ok bool) {
	if !t.here(seat) {
		seat = seat.Other()
	}
	return seat, t.here(seat)
}

// asked reports whether a person here must answer a request to take back a move.
func (t *table) asked() bool {
	return t.state.Asking && t.here(t.state.Asker.Other()) && !t.here(t.state.Asker)
}

// resign gives up the game for the person to move or, in the turn of a machine, for the person
// here.
func (t *table) resign(m *Model) {
	seat, ok := t.person(t.state.Turn())
	if !ok {
		t.note = rulebook.NoGameNow.Long
		return
	}
	question := rulebook.AskResign(t.pair.cast(), t.state.Side(seat)).Long
	m.lay(&confirmation{
		question: question, does: "Resign", no: "Play on", do: t.acts(seat, match.Resign),
	})
}

// abandon saves the game and goes back to the menu.
func (t *table) abandon(m *Model) {
	if rec := t.state.Record(); !t.kept && len(rec.Moves) > rec.Given() {
		m.store("the game was not saved", func() error { return m.world.Keep(rec) }, func() {})
	}
	t.kept = true
	m.toMenu()
}

// ask shows a hint, if that is allowed.
func (t *table) ask(m *Model) {
	switch {
	case !t.helps():
		t.note = rulebook.HintsOff.Short
		return
	case !t.own && t.state.Playing() && !t.here(t.state.Turn()):
		t.note = rulebook.NotYourTurn(t.pair.cast(), t.state.Side(t.state.Turn())).Long
		return
	}
	t.helped = true
	p, _ := t.shown()
	t.board.ask(m, p)
}

// analyse switches the analysis on, if that is allowed, or off.
func (t *table) analyse(*Model) {
	if !t.analysis && !t.helps() {
		t.note = rulebook.HintsOff.Short
		return
	}
	t.analysis, t.helped = !t.analysis, true
}

// maySwap reports whether a person here may take over the first move now.
func (t *table) maySwap() bool {
	return t.state.MaySwap() && t.here(t.state.Turn()) && t.look == live && !t.sent &&
		!t.state.Asking
}

// swap takes over the first move.
func (t *table) swap(m *Model) {
	t.sent = true
	t.acts(t.state.Turn(), match.Swap)(m)
}

// swapKey returns the key that takes over the first move. No board uses it.
func (t *table) swapKey() binding {
	return t.command(t.swap, match.Swap).ranked(moveRank)
}

// asksSwap asks whether to take over the first move.
func (t *table) asksSwap() string {
	return rulebook.AskSwap(t.pair.cast(), t.state.Side(t.state.Turn()), t.narrator().Back(0)).Long
}

// leave goes back to the menu, to the tables of the server, or out of a program that was started
// for the table. A game that is played here is saved and can be resumed. A shared table continues,
// so it asks first.
func (t *table) leave(m *Model) {
	if t.own {
		t.abandon(m)
		return
	}
	question := "Leave the table? The game continues, and you can come back."
	gone := func(m *Model) {
		for m.shows(t) {
			m.pop()
		}
		m.readTables()
	}
	if t.hasEngine() {
		question = "Leave the game? It cannot be continued: the engine was started for it."
		gone = t.abandon
	}
	if _, plays := t.mine(); !plays || !t.state.Playing() {
		gone(m)
		return
	}
	m.lay(&confirmation{question: question, does: "Leave", no: "Stay", do: gone})
}

// host returns the name of the waiting player.
func (t *table) host() string {
	return t.name(match.Seat(slices.Index(t.state.Open[:], false)))
}
