package match

import (
	"slices"
	"strings"

	"digitduel/digit"
)

// A model is a table by its events alone.
type model struct {
	setup Setup
	log   []Event
}

// last returns the index of the last event of some kinds about a seat, or -1.
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

// shows reports whether a seat has published the games up to the last one.
func (m model) shows(seat Seat) bool {
	return m.last(seat, Published) > max(m.last(One, Began), m.last(Two, Began))
}

// people reports whether a person plays.
func (m model) people() bool {
	return m.setup.Agent.Tries == 0 && (m.setup.Levels[One] == "" || m.setup.Levels[Two] == "")
}

// shown returns up to which game everybody has published them.
func (m model) shown() (game int) {
	for i := range m.log {
		then := model{m.setup, m.log[:i+1]}
		if (then.shows(One) || m.setup.Levels[One] != "") && (then.shows(Two) || m.setup.Levels[Two] != "") && (then.shows(One) || then.shows(Two)) {
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

// lent returns which moves of the last game the computer made for a player who had left.
func (m model) lent() uint16 {
	return m.moved(func(before model, e Event) bool {
		return before.away(e.Seat) && before.level(e.Seat) != ""
	})
}

// clocked returns which moves of the last game the clock played.
func (m model) clocked() uint16 { return m.moved(func(_ model, e Event) bool { return e.Auto }) }

// moved returns a bit for each move of the last game that was not taken back and is of a kind.
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

// asked counts what a seat asked for in this series: each undo that was asked for or just taken, and each of the others.
func (m model) asked(seat Seat) (n uint16) {
	now, _ := m.series()
	game, asking := 0, false
	for _, e := range m.log {
		if e.Kind == Began {
			if game++; game == now.before+1 && game > 1 {
				n = 0
			}
		}
		if e.Seat == seat && (slices.Contains([]Kind{UndoAsked, HintsAgreed, RematchAsked, Published, Left, Rekeyed}, e.Kind) || e.Kind == Undone && !asking) {
			n++
		}
		if slices.Contains([]Kind{UndoAsked, UndoRefused, UndoWithdrawn, Undone, Moved, Swapped, Resigned, Flagged, Claimed}, e.Kind) {
			asking = e.Kind == UndoAsked
		}
	}
	return n
}

// game returns the number of the last game and the events of it.
func (m model) game() (number int, events []Event) {
	for i, e := range m.log {
		if e.Kind == Began {
			number, events = number+1, m.log[i:]
		}
	}
	return number, events
}

// by returns whose the move of an index in the last game is.
func (m model) by(index int) Seat {
	number, _ := m.game()
	_, swapped := m.line()
	return opens(m.setup, number, index, swapped)
}

// opens returns whose the move of an index in a game is, given whether the first one was taken over.
func opens(s Setup, game, index int, swapped bool) Seat {
	n := int(s.First) + max(game, 1) - 1 + index
	if swapped {
		n++
	}
	return Seat(n % 2)
}

// given returns the moves that a game begins with.
func (m model) given(number int) (moves []digit.Move) {
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

// line returns the moves of the last game, and whether the first of them was taken over.
func (m model) line() (moves []digit.Move, swapped bool) {
	number, events := m.game()
	for _, e := range events {
		switch e.Kind {
		case Began:
			moves = m.given(number)
		case Moved:
			moves = append(moves, *e.Move)
		case Swapped:
			swapped = true
		case Undone:
			if swapped && len(moves) <= 2 && opens(m.setup, number, 0, true) == e.Seat {
				moves, swapped = moves[:1], false // nothing else is theirs
				continue
			}
			for n := len(moves); len(moves) == n || opens(m.setup, number, len(moves), swapped) != e.Seat; {
				moves = moves[:len(moves)-1]
			}
		}
	}
	return moves, swapped
}

func (m model) moves() []digit.Move {
	moves, _ := m.line()
	return moves
}

func (m model) position() (p digit.Position) {
	for _, move := range m.moves() {
		p, _ = m.setup.Rules.Play(p, move)
	}
	return p
}

func (m model) turn() Seat {
	return m.by(len(m.moves()))
}

// hasMoved reports whether a move of a seat can be taken back.
func (m model) hasMoved(seat Seat) bool {
	number, _ := m.game()
	for i := len(m.given(number)); i < len(m.moves()); i++ {
		if m.by(i) == seat {
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

// result returns how the last game stands.
func (m model) result() digit.Result {
	_, events := m.game()
	lost := func(seat Seat, why digit.Reason) digit.Result {
		if seat == m.by(0) {
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

// waits reports whether no clock runs because the player to move has not come.
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

// tried counts the faults of the turn under way.
func (m model) tried() (n int) {
	_, events := m.game()
	for _, e := range events {
		switch e.Kind {
		case Faulted:
			n++
		case Moved, Swapped, Ready: // a fault is never followed by what is taken back
			n = 0
		}
	}
	return n
}

// faults counts the faults of the game under way or last played.
func (m model) faults() (n [3]uint16) {
	_, events := m.game()
	for _, e := range events {
		if e.Kind == Faulted {
			n[e.Fault]++
		}
	}
	return n
}

// A tally is how a series stands.
type tally struct {
	before int // games before it
	wins   [2]int
	draws  int
}

func (m model) playing() bool {
	number, _ := m.game()
	return number > 0 && m.result().Score == digit.Open
}

// series goes through all games, each as if it were the last.
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
			now.wins[one.by(0)]++
		case digit.SecondWins:
			now.wins[one.by(1)]++
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
		s.Position, s.Moves, s.Result, s.Lent = m.position(), m.moves(), m.result(), m.lent()
		s.Clocked = m.clocked()
		_, s.Swapped = m.line()
		s.Given = uint8(len(m.given(number)))
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
		s.Open[seat], s.Levels[seat], s.Away[seat], s.Ready[seat], s.Again[seat], s.Hints[seat], s.Asked[seat] = m.open(seat), m.level(seat), m.away(seat), m.ready(seat), m.again(seat), m.hints(seat), m.asked(seat)
		s.Setup.Seals[seat], s.Shows[seat] = m.seal(seat), m.shows(seat)
		if m.away(seat) {
			s.Gone[seat] = uint16(m.log[m.last(seat, Left)].Seq)
		}
	}
	s.Waits = m.waits()
	s.Shown, s.Tried, s.Faults = m.shown(), uint8(m.tried()), m.faults()
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
		wanted := m.again(One) && m.again(Two) || m.again(One) && m.level(Two) != "" || m.again(Two) && m.level(One) != ""
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
		return number > 0 && !m.playing() && !m.setup.Listed && m.people() && m.shown() < number && !m.shows(e.Seat)
	}
	return m.playing() && m.allowsInGame(e, other)
}

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
		return m.setup.Agent.Tries > 0 && m.level(e.Seat) == "" && e.Seat == m.turn() && (e.Fault == 1 || e.Fault == 2)
	case Swapped:
		_, swapped := m.line()
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
