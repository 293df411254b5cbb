package match

import (
	"slices"
	"strings"

	"digitduel/digit"
)

// A model computes everything about a table from its setup and its events. It is slow but simple.
type model struct {
	setup Setup
	log   []Event
}

// last returns the index of the last event of the given kinds for a seat, or -1.
func (m model) last(seat Seat, kinds ...Kind) int {
	for i, e := range slices.Backward(m.log) {
		if e.Seat == seat && slices.Contains(kinds, e.Kind) {
			return i
		}
	}
	return -1
}

func (m model) open(seat Seat) bool { return m.setup.Open[seat] && m.last(seat, Seated) < 0 }

// seal returns the seal of a seat's token.
func (m model) seal(seat Seat) string {
	if i := m.last(seat, Seated, Rekeyed); i >= 0 {
		return m.log[i].Seal
	}
	return m.setup.Seals[seat]
}

func (m model) away(seat Seat) bool { return m.last(seat, Left) > m.last(seat, Back) }

func (m model) level(seat Seat) string {
	if i := m.last(seat, Replaced); i > m.last(seat, Back) {
		return m.log[i].Level
	}
	return m.setup.Levels[seat]
}

func (m model) hints(seat Seat) bool {
	if i := m.last(seat, HintsAgreed, HintsEnded); i >= 0 {
		return m.log[i].Kind == HintsAgreed
	}
	return m.setup.Hints
}

func (m model) again(seat Seat) bool {
	end := max(m.last(One, Began, RematchRefused), m.last(Two, Began, RematchRefused))
	return m.last(seat, RematchAsked) > end
}

func (m model) ready(seat Seat) bool {
	return m.last(seat, Ready) > max(m.last(One, Began), m.last(Two, Began))
}

// published reports whether a seat has agreed to publish the games up to the last one.
func (m model) published(seat Seat) bool {
	return m.last(seat, Published) > max(m.last(One, Began), m.last(Two, Began))
}

// personPlays reports whether at least one player is a person.
func (m model) personPlays() bool {
	return m.setup.Agent.Tries == 0 && (m.setup.Levels[One] == "" || m.setup.Levels[Two] == "")
}

// publicGames returns the number of the last game that all players have published.
func (m model) publicGames() (game int) {
	for i := range m.log {
		then := model{m.setup, m.log[:i+1]}
		if (then.published(One) || m.setup.Levels[One] != "") &&
			(then.published(Two) || m.setup.Levels[Two] != "") &&
			(then.published(One) || then.published(Two)) {
			game, _ = then.game()
		}
	}
	return game
}

func (m model) names() [2]string {
	names := m.setup.Names
	for _, e := range m.log {
		if e.Kind == Seated && e.Name != "" {
			names[e.Seat] = e.Name
		}
	}
	return names
}

// computerMoves returns a bit for each move of the last game that the computer made for a player
// who had left.
func (m model) computerMoves() uint16 {
	return m.moved(func(before model, e Event) bool {
		return before.away(e.Seat) && before.level(e.Seat) != ""
	})
}

// clockMoves returns a bit for each move of the last game that the clock played.
func (m model) clockMoves() uint16 { return m.moved(func(_ model, e Event) bool { return e.Auto }) }

// moved returns a bit for each move of the last game that was not taken back and for which is
// returns true.
func (m model) moved(is func(before model, e Event) bool) (bits uint16) {
	var all []bool
	for i, e := range m.log {
		before, after := m, m
		before.log, after.log = m.log[:i], m.log[:i+1]
		switch e.Kind {
		case Began:
			all = make([]bool, len(after.moves()))
		case Moved:
			all = append(all, is(before, e))
		case Undone:
			all = all[:len(after.moves())]
		}
	}
	for i, one := range all {
		if one {
			bits |= 1 << i
		}
	}
	return bits
}

// asked counts the requests of a seat in this series: each undo that was asked for or simply taken,
// and each request of another kind.
func (m model) asked(seat Seat) (n uint16) {
	now, _ := m.series()
	game, asking := 0, false
	for _, e := range m.log {
		if e.Kind == Began {
			if game++; game == now.before+1 && game > 1 {
				n = 0
			}
		}
		switch e.Kind {
		case UndoAsked, HintsAgreed, RematchAsked, Published, Left, Rekeyed:
			if e.Seat == seat {
				n++
			}
		case Undone:
			if e.Seat == seat && !asking {
				n++
			}
		}
		switch e.Kind {
		case UndoAsked:
			asking = true
		case UndoRefused, UndoWithdrawn, Undone, Moved, Swapped, Resigned, Flagged, Claimed:
			asking = false
		}
	}
	return n
}

// game returns the number of the last game and its events.
func (m model) game() (number int, events []Event) {
	for i, e := range m.log {
		if e.Kind == Began {
			number, events = number+1, m.log[i:]
		}
	}
	return number, events
}

// mover returns the seat that makes the move with an index in the last game.
func (m model) mover(index int) Seat {
	number, _ := m.game()
	_, swapped := m.movesAndSwap()
	return moverOf(m.setup, number, index, swapped)
}

// moverOf returns the seat that makes the move with an index in a game, given whether the first
// move was taken over.
func moverOf(s Setup, game, index int, swapped bool) Seat {
	n := int(s.First) + max(game, 1) - 1 + index
	if swapped {
		n++
	}
	return Seat(n % 2)
}

// openingMoves returns the moves that a game begins with.
func (m model) openingMoves(number int) (moves []digit.Move) {
	if m.setup.Openings == "" {
		return nil
	}
	all := strings.Split(string(m.setup.Openings), ",")
	pairs := (number - 1) / 2
	for pairs >= len(all) {
		pairs -= len(all)
	}
	for word := range strings.SplitSeq(all[pairs], " ") {
		move, err := digit.ParseMove(word)
		if err != nil {
			panic(err)
		}
		moves = append(moves, move)
	}
	return moves
}

// movesAndSwap returns the moves of the last game, and whether the first of them was taken over.
func (m model) movesAndSwap() (moves []digit.Move, swapped bool) {
	number, events := m.game()
	for _, e := range events {
		switch e.Kind {
		case Began:
			moves = m.openingMoves(number)
		case Moved:
			moves = append(moves, *e.Move)
		case Swapped:
			swapped = true
		case Undone:
			if swapped && len(moves) <= 2 && moverOf(m.setup, number, 0, true) == e.Seat {
				moves, swapped = moves[:1], false // they have no other move
				continue
			}
			for n := len(moves); len(moves) == n || moverOf(m.setup, number, len(moves), swapped) != e.Seat; {
				moves = moves[:len(moves)-1]
			}
		}
	}
	return moves, swapped
}

func (m model) moves() []digit.Move {
	moves, _ := m.movesAndSwap()
	return moves
}

func (m model) position() (p digit.Position) {
	for _, move := range m.moves() {
		p, _ = m.setup.Rules.Play(p, move)
	}
	return p
}

func (m model) turn() Seat {
	return m.mover(len(m.moves()))
}

// hasMoved reports whether a move of a seat can be taken back.
func (m model) hasMoved(seat Seat) bool {
	number, _ := m.game()
	for i := len(m.openingMoves(number)); i < len(m.moves()); i++ {
		if m.mover(i) == seat {
			return true
		}
	}
	return false
}

func (m model) asks(seat Seat) bool {
	_, events := m.game()
	asks := false
	for _, e := range events {
		switch e.Kind {
		case UndoAsked:
			asks = e.Seat == seat
		case UndoRefused, UndoWithdrawn, Undone, Moved, Swapped, Resigned, Flagged, Claimed:
			asks = false
		}
	}
	return asks
}

// result returns the result of the last game so far.
func (m model) result() digit.Result {
	_, events := m.game()
	lost := func(seat Seat, why digit.Reason) digit.Result {
		if seat == m.mover(0) {
			return digit.Result{Score: digit.SecondWins, Reason: why}
		}
		return digit.Result{Score: digit.FirstWins, Reason: why}
	}
	tried := 0
	for _, e := range events {
		switch e.Kind {
		case Resigned:
			return lost(e.Seat, digit.Resignation)
		case Flagged:
			return lost(e.Seat, digit.TimeOut)
		case Claimed:
			return lost(e.Seat.Other(), digit.Departure)
		case Faulted:
			if tried++; tried == int(m.setup.Agent.Tries) {
				return lost(e.Seat, digit.Forfeit)
			}
		case Moved, Swapped:
			tried = 0
		}
	}
	return m.setup.Rules.Result(m.position())
}

// waits reports whether the clock waits for the player to move to arrive.
func (m model) waits() bool {
	_, events := m.game()
	waits := false
	for _, e := range events {
		switch e.Kind {
		case Began:
			waits = e.Waits
		case Moved, Arrived, Undone, Resigned, Claimed, Flagged:
			waits = false
		case Back, Replaced, Faulted:
			waits = waits && (e.Seat != m.turn() || e.Kind == Faulted && m.playing())
		}
	}
	return waits
}

// tried counts the faults in the current turn.
func (m model) tried() (n int) {
	_, events := m.game()
	for _, e := range events {
		switch e.Kind {
		case Faulted:
			n++
		case Moved, Swapped, Ready: // a move is never taken back after a fault
			n = 0
		}
	}
	return n
}

// faults counts the faults of the current or last game.
func (m model) faults() (n [3]uint16) {
	_, events := m.game()
	for _, e := range events {
		if e.Kind == Faulted {
			n[e.Fault]++
		}
	}
	return n
}

// A tally holds the score of a series.
type tally struct {
	before int // games before it
	wins   [2]int
	draws  int
}

func (m model) playing() bool {
	number, _ := m.game()
	return number > 0 && m.result().Score == digit.Open
}

// series returns the score of the current series, and whether it is over. It computes the result of
// each game as if it were the last.
func (m model) series() (now tally, over bool) {
	games := 0
	for i, e := range m.log {
		if e.Kind != Began {
			continue
		}
		end := slices.IndexFunc(m.log[i+1:], func(e Event) bool { return e.Kind == Began })
		if end < 0 {
			end = len(m.log) - i - 1
		}
		one := model{m.setup, m.log[:i+1+end]}
		if over {
			now, over = tally{before: games}, false
		}
		games++
		switch one.result().Score {
		case digit.Open:
			return now, false
		case digit.FirstWins:
			now.wins[one.mover(0)]++
		case digit.SecondWins:
			now.wins[one.mover(1)]++
		case digit.Draw:
			now.draws++
		}
		most := max(now.wins[One], now.wins[Two])
		over = m.setup.BestOf == 0 || 2*most > m.setup.BestOf || games-now.before == 2*m.setup.BestOf
		if m.setup.Pair {
			over = games-now.before == 2
		}
	}
	return now, over
}

// state returns the state that follows from the events.
func (m model) state() State {
	number, events := m.game()
	now, _ := m.series()
	s := State{Setup: m.setup, Seq: len(m.log), Game: number, Before: now.before, Wins: now.wins, Draws: now.draws}
	s.Setup.Names = m.names()
	if number > 0 {
		s.Position, s.Moves, s.Result, s.Lent = m.position(), m.moves(), m.result(), m.computerMoves()
		s.Clocked = m.clockMoves()
		_, s.Swapped = m.movesAndSwap()
		s.Given = uint8(len(m.openingMoves(number)))
	}
	for i, e := range events {
		switch e.Kind {
		case Back, Replaced:
			before := model{m.setup, m.log[:len(m.log)-len(events)+i]}
			if before.waits() && before.turn() == e.Seat {
				s.TurnBegan = e.At
			}
		case Began, Moved, Swapped, Undone, Arrived:
			s.TurnBegan = e.At
			if e.Kind == Began {
				s.Began = e.At
			}
		}
	}
	if first := slices.IndexFunc(events, func(e Event) bool { return e.Kind == Ready }); first >= 0 {
		s.TurnBegan = events[first].At
	}
	for _, seat := range Seats {
		if m.asks(seat) {
			s.Asking, s.Asker = true, seat
		}
		s.Open[seat], s.Levels[seat], s.Away[seat] = m.open(seat), m.level(seat), m.away(seat)
		s.Ready[seat], s.Again[seat] = m.ready(seat), m.again(seat)
		s.Hints[seat], s.Asked[seat] = m.hints(seat), m.asked(seat)
		s.Setup.Seals[seat], s.Shows[seat] = m.seal(seat), m.published(seat)
		if m.away(seat) {
			s.Gone[seat] = uint16(m.log[m.last(seat, Left)].Seq)
		}
	}
	s.Waits = m.waits()
	s.Shown, s.Tried, s.Faults = m.publicGames(), uint8(m.tried()), m.faults()
	return s
}

// allows reports whether an event can follow.
func (m model) allows(e Event) bool {
	if e.Seq != len(m.log)+1 || e.Seat > Two || e.Setup != nil {
		return false
	}
	if m.setup.Class != "" && slices.Contains([]Kind{
		UndoAsked, UndoRefused, UndoWithdrawn, Undone, Replaced, RematchAsked, RematchRefused,
		HintsAgreed, HintsEnded, Published,
	}, e.Kind) {
		return false
	}
	other := e.Seat.Other()
	switch e.Kind {
	case Seated:
		names := m.names()
		if e.Name != "" {
			names[e.Seat] = e.Name
		}
		return m.open(e.Seat) && (names[One] != names[Two] || names[One] == "")
	case Rekeyed:
		return !m.open(e.Seat) && m.setup.Levels[e.Seat] == "" && e.Seal != "" && e.Seal != m.seal(e.Seat)
	case Left:
		return m.setup.Agent.Tries == 0 && !m.open(e.Seat) && m.level(e.Seat) == "" && !m.away(e.Seat)
	case Back:
		return m.away(e.Seat)
	case HintsAgreed, HintsEnded:
		return m.hints(e.Seat) != (e.Kind == HintsAgreed)
	case Began:
		_, over := m.series()
		wanted := m.again(One) && m.again(Two) ||
			m.again(One) && m.level(Two) != "" || m.again(Two) && m.level(One) != ""
		return !m.open(One) && !m.open(Two) && !m.playing() && (!over || wanted)
	case Ready:
		number, _ := m.game()
		_, over := m.series()
		return number > 0 && !m.playing() && !over && !m.open(One) && !m.open(Two) && !m.ready(e.Seat)
	case RematchAsked:
		_, over := m.series()
		return over && !m.again(e.Seat)
	case RematchRefused:
		return m.again(other)
	case Published:
		number, _ := m.game()
		return number > 0 && !m.playing() && !m.setup.Listed && m.personPlays() &&
			m.publicGames() < number && !m.published(e.Seat)
	}
	return m.playing() && m.allowsInGame(e, other)
}

// allowsInGame reports whether an event can follow that needs a game in progress.
func (m model) allowsInGame(e Event, other Seat) bool {
	switch e.Kind {
	case Moved:
		if e.Move == nil || e.Seat != m.turn() {
			return false
		}
		for move := range m.setup.Rules.Moves(m.position()) {
			if move == *e.Move {
				return true
			}
		}
		return false
	case Resigned:
		return true
	case Faulted:
		return m.setup.Agent.Tries > 0 && m.level(e.Seat) == "" && e.Seat == m.turn() &&
			(e.Fault == 1 || e.Fault == 2)
	case Swapped:
		_, swapped := m.movesAndSwap()
		return m.setup.Swap && !swapped && len(m.moves()) == 1 && e.Seat == m.turn()
	case Flagged:
		return e.Seat == m.turn()
	case Claimed:
		return m.away(other) && m.level(other) == "" && !(m.waits() && other == m.turn())
	case Arrived:
		return m.waits() && e.Seat == m.turn()
	case Replaced:
		return m.away(e.Seat) && m.level(e.Seat) == "" && e.Level != ""
	case UndoAsked:
		return m.setup.Agent.Tries == 0 && m.hasMoved(e.Seat) && !m.asks(e.Seat)
	case UndoRefused:
		return m.asks(other)
	case UndoWithdrawn:
		return m.asks(e.Seat)
	case Undone:
		return m.setup.Agent.Tries == 0 && m.hasMoved(e.Seat) && (m.setup.FreeUndo || m.asks(e.Seat))
	}
	return false
}
