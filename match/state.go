package match

import (
	"errors"
	"fmt"
	"time"

	"digitduel/digit"
)

// A Kind is what an event tells.
type Kind string

const (
	Opened      Kind = "opened"       // the table was set up
	Began       Kind = "began"        // the next game of the series began
	Moved       Kind = "moved"        // a move was played
	Resigned    Kind = "resigned"     // a player gave up the game
	Flagged     Kind = "flagged"      // a player's time ran out, which lost the game
	UndoAsked   Kind = "undo-asked"   // a player asks to take back their last move
	UndoRefused Kind = "undo-refused" // the other player refuses
	Undone      Kind = "undone"       // a player's last move, and what followed it, was taken back
)

// An Event is one line of a table's log. Together the events are the table: everything else follows from them.
type Event struct {
	Seq   int         `json:"seq"` // counted from 1 without gaps
	At    time.Time   `json:"at"`
	Kind  Kind        `json:"kind"`
	Seat  Seat        `json:"seat,omitempty"` // whose act it was; nobody's for Opened and Began
	Move  *digit.Move `json:"move,omitempty"` // of Moved
	Auto  bool        `json:"auto,omitempty"` // of Moved: played by the clock, not the player
	Setup *Setup      `json:"setup,omitempty"`
}

// Refusals of an act that the table does not allow now. Moves that the rules refuse are a [*digit.MoveError].
var (
	ErrTurn     = errors.New("it is not your turn")
	ErrNoGame   = errors.New("no game is under way")
	ErrUnderWay = errors.New("a game is under way")
	ErrSeries   = errors.New("the series is over")
	ErrNoUndo   = errors.New("there is no move of yours to take back")
	ErrAsked    = errors.New("you have asked already")
	ErrNotAsked = errors.New("nobody asks to take back a move")
	ErrStale    = errors.New("the table has gone on since")
	ErrTimeout  = errors.New("your time for this turn has run out")
)

// A State is how a table stands after an event. It is a value: Apply returns a new one.
type State struct {
	Setup     Setup
	Seq       int // of the last event
	Game      int // the number of the game under way or last played, from 1; 0 before the first
	Position  digit.Position
	Moves     []digit.Move // of this game; not to be changed
	Result    digit.Result // of this game
	Wins      [2]int       // by seat
	Draws     int
	Asking    bool // whether a player asks to take back a move, and who
	Asker     Seat
	TurnBegan time.Time // when the side to move came to it
}

// Apply returns the state after an event, or s and an error if the event cannot follow.
func (s State) Apply(e Event) (State, error) {
	if e.Seq != s.Seq+1 {
		return s, fmt.Errorf("event %d cannot follow event %d", e.Seq, s.Seq)
	}
	next := s
	next.Seq = e.Seq
	if err := next.apply(e); err != nil {
		return s, err
	}
	return next, nil
}

func (s *State) apply(e Event) error {
	switch e.Kind {
	case Opened:
		if s.Seq != 1 || e.Setup == nil {
			return errors.New("a table is set up once, by its first event")
		}
		s.Setup = *e.Setup
		return s.Setup.Check()
	case Began:
		switch {
		case s.Seq == 1:
			return errors.New("a table is set up before a game begins")
		case s.Playing():
			return ErrUnderWay
		case s.SeriesOver():
			return ErrSeries
		}
		s.Game++
		s.Position, s.Moves, s.Result = digit.Position{}, nil, digit.Result{}
		s.TurnBegan = e.At
		return nil
	}
	if !s.Playing() {
		return ErrNoGame
	}
	switch e.Kind {
	case Moved:
		if e.Seat != s.Turn() || e.Move == nil {
			return ErrTurn
		}
		p, err := s.Setup.Rules.Play(s.Position, *e.Move)
		if err != nil {
			return err
		}
		s.Position, s.Moves = p, append(s.Moves[:len(s.Moves):len(s.Moves)], *e.Move)
		s.Asking, s.TurnBegan = false, e.At
		s.end(s.Setup.Rules.Result(p))
	case Resigned:
		s.end(digit.Result{Score: digit.WinFor(s.Side(e.Seat.Other())), Reason: digit.Resignation})
	case Flagged:
		if e.Seat != s.Turn() {
			return ErrTurn
		}
		s.end(digit.Result{Score: digit.WinFor(s.Side(e.Seat.Other())), Reason: digit.TimeOut})
	case UndoAsked:
		if s.lastBy(e.Seat) < 0 {
			return ErrNoUndo
		}
		if s.Asking && s.Asker == e.Seat {
			return ErrAsked
		}
		s.Asking, s.Asker = true, e.Seat
	case UndoRefused:
		if !s.Asking || s.Asker == e.Seat {
			return ErrNotAsked
		}
		s.Asking = false
	case Undone:
		last := s.lastBy(e.Seat)
		if last < 0 {
			return ErrNoUndo
		}
		if !s.Setup.FreeUndo && !(s.Asking && s.Asker == e.Seat) {
			return ErrNotAsked
		}
		s.Moves = s.Moves[:last]
		s.Position = digit.Position{}
		for _, m := range s.Moves {
			s.Position, _ = s.Setup.Rules.Play(s.Position, m) // it was legal before
		}
		s.Asking, s.TurnBegan = false, e.At
	default:
		return fmt.Errorf("event %q is unknown", e.Kind)
	}
	return nil
}

func (s *State) end(r digit.Result) {
	s.Result = r
	if !r.Over() {
		return
	}
	s.Asking = false
	if side, ok := r.Winner(); ok {
		s.Wins[s.SeatOf(side)]++
	} else {
		s.Draws++
	}
}

// lastBy returns the index of the last move of a seat in this game, or -1.
func (s State) lastBy(seat Seat) int {
	i := len(s.Moves) - 1
	if i >= 0 && s.SeatOf(digit.Side(i%2)) != seat {
		i--
	}
	return i
}

// Playing reports whether a game is under way.
func (s State) Playing() bool { return s.Game > 0 && !s.Result.Over() }

// Starter returns who moves first in the game under way or last played.
func (s State) Starter() Seat {
	if s.Game%2 == 0 && s.Game > 0 {
		return s.Setup.First.Other()
	}
	return s.Setup.First
}

// Side returns the side that a seat has in this game.
func (s State) Side(seat Seat) digit.Side { return digit.Side(seat ^ s.Starter()) }

// SeatOf returns the seat that has a side in this game.
func (s State) SeatOf(side digit.Side) Seat { return Seat(side) ^ s.Starter() }

// Turn returns the seat to move.
func (s State) Turn() Seat { return s.SeatOf(s.Setup.Rules.Turn(s.Position)) }

// Winner returns who has won this game; ok is false when nobody has.
func (s State) Winner() (seat Seat, ok bool) {
	side, ok := s.Result.Winner()
	return s.SeatOf(side), ok
}

// Needed returns how many won games win the series.
func (s State) Needed() int { return s.Setup.BestOf/2 + 1 }

// SeriesOver reports whether no further game will be played. Without a series that is after one game; a series of N is over
// when somebody has won the majority of N, or after 2N games.
func (s State) SeriesOver() bool {
	if s.Game == 0 || s.Playing() {
		return false
	}
	return s.Setup.BestOf == 0 || max(s.Wins[One], s.Wins[Two]) >= s.Needed() || s.Game >= 2*s.Setup.BestOf
}

// Leader returns who has won more games; ok is false when nobody has.
func (s State) Leader() (seat Seat, ok bool) {
	if s.Wins[One] > s.Wins[Two] {
		return One, true
	}
	return Two, s.Wins[Two] > s.Wins[One]
}

// Deadline returns when the time of the seat to move runs out; ok is false when no clock runs.
func (s State) Deadline() (at time.Time, ok bool) {
	return s.TurnBegan.Add(s.Setup.TurnTime), s.Setup.TurnTime > 0 && s.Playing()
}

// Record returns the record of this game as it stands.
func (s State) Record() digit.Record {
	return digit.Record{Rules: s.Setup.Rules, Moves: s.Moves, Result: s.Result}
}
