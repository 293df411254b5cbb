package rulebook

import (
	"digitduel/digit"
	"digitduel/match"
)

// A Narrator describes a table, as it stands in a state, to a reader.
type Narrator struct {
	match.State
	You [2]bool // the seats that the reader plays; none at a shared screen, or for a watcher
}

// Seats returns the players by seat.
func (n Narrator) Seats() Cast { return n.cast(match.Seats) }

// Sides returns the players by side of the game.
func (n Narrator) Sides() Cast {
	return n.cast([2]match.Seat{n.SeatOf(digit.First), n.SeatOf(digit.Second)})
}

// cast returns the players in the order of their seats.
func (n Narrator) cast(order [2]match.Seat) (c Cast) {
	for i, seat := range order {
		c.Names[i], c.You[i], c.Levels[i] = n.Setup.Name(seat), n.You[seat], n.Levels[seat]
		c.Computer[i] = n.Levels[seat] != ""
	}
	return c
}

// Rules returns the rules as the players are asked by them: where the table calls, they do not.
func (n Narrator) Rules() digit.Rules {
	if n.Setup.AutoCall {
		return AutoCalled(n.Setup.Rules)
	}
	return n.Setup.Rules
}

// Event describes an event that led to the state. Before is the state before it; only a move that
// was taken back is described from it.
func (n Narrator) Event(e match.Event, before match.State) Said {
	switch {
	case e.Kind == match.Began:
		return Begins(n.Seats(), digit.Side(n.Starter()), n.Game-n.Before, n.Setup.Length(),
			false).Then(n.Start())
	case e.Kind == match.Moved:
		return n.Move(e.Auto).Then(n.Aside()).Then(n.SeriesEnd())
	case e.Kind.InGame() && n.Result.Over():
		return n.Ending().Then(n.Aside()).Then(n.SeriesEnd())
	case e.Kind == match.Faulted:
		return n.Fault()
	case e.Kind == match.Undone && before.Swapped && !n.Swapped:
		return Offered(handsBack, n.Seats(), digit.Side(e.Seat), n.Back(0))
	case e.Kind == match.Undone:
		return Offered(e.Kind, n.Seats(), digit.Side(e.Seat), Narrator{before,
			n.You}.Back(len(n.Moves)))
	}
	return n.Offer(e.Kind, e.Seat)
}

// Offer describes what a player asks for, answers or does, for as long as it holds.
func (n Narrator) Offer(k match.Kind, seat match.Seat) Said {
	it, last := "", n.LastBy(seat)
	switch {
	case k == match.HintsAgreed && n.HintsAllowed():
		k = hintsOn
	case k == match.Published && n.Public(n.Game):
		k = isPublic
	case k == match.UndoAsked:
		it = n.Back(last)
		if n.Swapped && last == 0 {
			k = asksHandBack
		}
	case k == match.Swapped:
		it = n.Back(0)
	}
	return Offered(k, n.Seats(), digit.Side(seat), it)
}

// Back names the move of an index, counted from 0, as one that may be taken back or over. It is
// empty if there is none.
func (n Narrator) Back(i int) string {
	if i < 0 || i >= len(n.Moves) {
		return ""
	}
	return Voice{n.Setup.Rules, n.Sides(), written}.Back(n.PositionAt(i), n.Moves[i])
}

// Move describes the last move. Auto says that the clock played it.
func (n Narrator) Move(auto bool) Said {
	i := len(n.Moves) - 1
	m, r, by := n.Moves[i], n.Rules(), Player
	if auto {
		by |= Chance
	}
	if n.Setup.AutoCall && m.Calls() {
		r, by = n.Setup.Rules, by|AutoCall
	}
	return Played(r, n.PositionAt(i), m, n.Sides(), by)
}

// Start describes an opening, a first move that was taken over or a clock that has not started,
// until another move is made.
func (n Narrator) Start() Said {
	switch {
	case !n.Playing():
	case n.Given > 0 && len(n.Moves) == int(n.Given):
		return Opened(n.Setup.Rules, n.Moves, n.Sides())
	case n.State.Swapped && len(n.Moves) == 1:
		return n.Offer(match.Swapped, n.Starter())
	case n.Waits:
		return ClockWaits(n.Seats(), digit.Side(n.Turn()))
	}
	return Said{}
}

// Fault says that a program has not found a legal move yet, while that is so.
func (n Narrator) Fault() Said {
	if !n.Playing() || n.Tried == 0 {
		return Said{}
	}
	return Faulted(n.Setup.Rules, n.Position, n.Sides(), int(n.Tried), n.TriesLeft())
}

// Ending describes the end of the game.
func (n Narrator) Ending() Said { return Ending(n.Rules(), n.Position, n.Result, n.Sides()) }

// Detail adds to the reason of the result; see [Detail].
func (n Narrator) Detail() Said { return Detail(n.Rules(), n.Moves, n.Result, n.Sides()) }

// Aside returns the detail, unless it only repeats the distances that a board shows.
func (n Narrator) Aside() Said {
	if r := n.Rules(); r.Place != digit.Hand && Finished(r, n.Position, n.Result).Order.Measures() {
		return Said{}
	}
	return n.Detail()
}

// Series describes the state of the series.
func (n Narrator) Series() Said {
	return Series(n.Seats(), Score{Wins: n.Wins, Draws: n.Draws, Over: n.SeriesOver(),
		Pair: n.Setup.Pair})
}

// SeriesEnd describes the end of a series of more than one game. It is empty before.
func (n Narrator) SeriesEnd() Said {
	if n.Setup.Length() <= 1 || !n.SeriesOver() {
		return Said{}
	}
	return n.Series()
}
