package match

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"digitduel/digit"
)

// Errors for acts that the table does not allow now. A move that the rules refuse is a
// [*digit.MoveError]. Clients of a server recognize these errors by their text.
var (
	ErrTurn     = refusal("it is not your turn")
	ErrNoGame   = refusal("no game is under way")
	ErrUnderWay = refusal("a game is under way")
	ErrSeries   = refusal("the series is over")
	ErrNotOver  = refusal("the series is not over")
	ErrNoUndo   = refusal("there is no move of yours to take back")
	ErrAsked    = refusal("you have asked already")
	ErrNotAsked = refusal("nobody asks for that")
	ErrStale    = refusal("the table has gone on since")
	ErrTimeout  = refusal("your time for this turn has run out")
	ErrTaken    = refusal("the seat is taken")
	ErrOpen     = refusal("a seat is still open")
	ErrHere     = refusal("the other player has not left")
	ErrAlready  = refusal("that is so already")
	ErrPublic   = refusal("the games of this table are public already")
	ErrNoSwap   = refusal("there is no first move to take over")
	ErrRekeyed  = refusal("the token of this seat was changed")
	ErrAgent    = refusal("a program plays on this seat")
	ErrNoAgent  = refusal("no program plays on this seat")
	ErrClass    = refusal("not at a table of a class")
)

var refusals []error

func refusal(text string) error {
	err := errors.New(text)
	refusals = append(refusals, err)
	return err
}

// Refusals returns the errors for acts that a table does not allow in its state.
func Refusals() []error { return slices.Clone(refusals) }

// Late reports whether an act was refused because the table had changed, so that an event explains
// it. The caller may name more such errors.
func Late(err error, more ...error) bool {
	late := slices.Concat(more, []error{ErrStale, ErrTurn, ErrNoGame, ErrTimeout})
	return slices.ContainsFunc(late, func(e error) bool { return errors.Is(err, e) })
}

// A Phase is the stage of a table.
type Phase string

const (
	Waiting  Phase = "open"    // a seat is open
	UnderWay Phase = "playing" // a game is under way
	Between  Phase = "between" // the next game of the series has not begun
	Over     Phase = "over"    // no further game will be played, unless both want another series
)

// A State is the state of a table after an event. It is a value: Apply returns a new one.
type State struct {
	Setup     Setup // with the names and seals of seated players, and the rules of this game
	Seq       int   // of the last event
	Game      int   // the number of the game under way or last played, from 1; 0 before the first
	Before    int   // the games played here before this series
	Position  digit.Position
	Moves     []digit.Move // of this game; must not be changed
	Wins      [2]int       // by seat, in this series
	Draws     int
	Began     time.Time     // when this game began
	TurnBegan time.Time     // when this turn began or, between games, the first player was ready
	Stood     time.Duration // how long since then no event could be saved; it does not count
	Levels    [2]string     // the level of the computer now on a seat; empty: a person
	Shown     int           // the last game that all players have published
	Result    digit.Result  // of this game
	Waits     bool          // no clock runs until the player to move, who was not here, comes
	Asking    bool          // whether Asker asks to take back a move
	Asker     Seat
	Swapped   bool      // whether the second player took over the first move
	Given     uint8     // the number of moves in the opening
	Tried     uint8     // a program's faults in this turn
	Open      [2]bool   // seats that are free
	Away      [2]bool   // players who have left
	Ready     [2]bool   // players who want the next game to begin
	Again     [2]bool   // players who want another series
	Hints     [2]bool   // players who agree to hints
	Shows     [2]bool   // players who agree to publish the games so far
	Faults    [3]uint16 // a program's faults in this game, by [Fault]
	Clocked   uint16    // a bit for each move that the clock played
	Lent      uint16    // a bit for each move the computer made for a player who had left
	Asked     [2]uint16 // requests by a player in this series, see [MostAsked]
	Gone      [2]uint16 // the events by which players have left; 0: they are here
}

// Apply returns the state after e, or s and an error if e cannot follow.
func (s State) Apply(e Event) (State, error) {
	if e.Seq != s.Seq+1 {
		return s, fmt.Errorf("event %d cannot follow event %d", e.Seq, s.Seq)
	}
	next := s
	next.Seq = e.Seq
	if err := next.apply(e); err != nil {
		return s, err
	}
	if s.asks(e) {
		next.Asked[e.Seat]++
	}
	return next, nil
}

func (s *State) apply(e Event) error {
	rule := e.Kind.rule()
	switch {
	case (s.Seq == 1) != (e.Kind == Opened) || (e.Kind == Opened) != (e.Setup != nil):
		return errors.New("a table is set up once, by its first event")
	case e.Seat > Two:
		return fmt.Errorf("seat %d: allowed: %d, %d", e.Seat, One, Two)
	case rule.apply == nil:
		return fmt.Errorf("unknown event %q", e.Kind)
	case rule.is(casual) && s.Setup.Class != "":
		return ErrClass
	case rule.is(inGame) && !s.Playing():
		return ErrNoGame
	}
	return rule.apply(s, e)
}

func (s *State) open(e Event) error {
	s.Setup, s.Open, s.Levels = *e.Setup, e.Setup.Open, e.Setup.Levels
	s.Hints = [2]bool{s.Setup.Hints, s.Setup.Hints}
	s.Setup.Rules = s.Setup.Targets.Rules(s.Setup.Rules, 1)
	return s.Setup.Check()
}

func (s *State) move(e Event) error {
	if e.Seat != s.Turn() || e.Move == nil {
		return ErrTurn
	}
	p, err := s.Setup.Rules.Play(s.Position, *e.Move)
	if err != nil {
		return err
	}
	if s.Away[e.Seat] && s.Levels[e.Seat] != "" {
		s.Lent |= 1 << len(s.Moves)
	}
	if e.Auto {
		s.Clocked |= 1 << len(s.Moves)
	}
	s.Position, s.Moves = p, append(s.Moves[:len(s.Moves):len(s.Moves)], *e.Move)
	s.Asking = false
	s.turnTo(e.At)
	s.end(s.Setup.Rules.Result(p))
	return nil
}

func (s *State) resign(e Event) error {
	s.loseFor(e.Seat, digit.Resignation)
	return nil
}

func (s *State) flag(e Event) error {
	if e.Seat != s.Turn() {
		return ErrTurn
	}
	s.loseFor(e.Seat, digit.TimeOut)
	return nil
}

func (s *State) claim(e Event) error {
	other := e.Seat.Other()
	if !s.Away[other] || s.Levels[other] != "" || s.Waits && s.Turn() == other {
		return ErrHere
	}
	s.loseFor(other, digit.Departure)
	return nil
}

func (s *State) replace(e Event) error {
	switch {
	case !s.Away[e.Seat]:
		return ErrHere
	case s.Levels[e.Seat] != "":
		return ErrAlready
	case e.Level == "":
		return errors.New("missing level for the computer")
	}
	s.Levels[e.Seat] = e.Level
	s.startClock(e)
	return nil
}

func (s *State) swap(e Event) error {
	switch {
	case e.Seat != s.Turn():
		return ErrTurn
	case !s.MaySwap():
		return ErrNoSwap
	}
	s.Swapped, s.Asking = true, false
	s.turnTo(e.At)
	return nil
}

// begin starts the next game of a series, or another series if all players want one.
func (s *State) begin(e Event) error {
	switch {
	case s.Open[One] || s.Open[Two]:
		return ErrOpen
	case s.Playing():
		return ErrUnderWay
	case s.SeriesOver() && !s.rematch():
		return ErrSeries
	case s.SeriesOver():
		s.Before, s.Wins, s.Draws, s.Asked = s.Game, [2]int{}, 0, [2]uint16{}
	}
	s.Game++
	s.Setup.Rules = s.Setup.Targets.Rules(s.Setup.Rules, s.Game-s.Before)
	s.Result, s.Swapped = digit.Result{}, false
	s.setMoves(s.Setup.Openings.Of(s.Game))
	s.Given = uint8(len(s.Moves))
	s.Began, s.Ready, s.Again, s.Shows = e.At, [2]bool{}, [2]bool{}, [2]bool{}
	s.Lent, s.Clocked, s.Faults = 0, 0, [3]uint16{}
	s.turnTo(e.At)
	s.Waits = e.Waits
	return nil
}

// arrive starts the clock of the first turn, for which the player to move was waited for.
func (s *State) arrive(e Event) error {
	if !s.startClock(e) {
		return ErrAlready
	}
	return nil
}

// startClock starts the clock if it waits for the seat of an event, and reports whether it did.
func (s *State) startClock(e Event) bool {
	if !s.Waits || e.Seat != s.Turn() {
		return false
	}
	s.TurnBegan, s.Stood, s.Waits = e.At, 0, false
	return true
}

// rematch reports whether all players want another series. The computer wants one if a person does.
func (s *State) rematch() bool {
	wants := func(seat Seat) bool {
		return s.Again[seat] || s.Levels[seat] != "" && s.Again[seat.Other()]
	}
	return wants(One) && wants(Two)
}

func (s *State) sit(e Event) error {
	if !s.Open[e.Seat] {
		return ErrTaken
	}
	s.Open[e.Seat], s.Setup.Seals[e.Seat] = false, e.Seal
	if e.Name != "" {
		s.Setup.Names[e.Seat] = e.Name
	}
	return s.Setup.Check()
}

func (s *State) rekey(e Event) error {
	if s.Open[e.Seat] || s.Setup.Levels[e.Seat] != "" {
		return errors.New("nobody has a token for this seat")
	}
	if e.Seal == "" || e.Seal == s.Setup.Seals[e.Seat] {
		return ErrAlready
	}
	s.Setup.Seals[e.Seat] = e.Seal
	return nil
}

func (s *State) leave(e Event) error {
	if s.Setup.IsAgent(e.Seat) {
		return ErrAgent
	}
	if s.Away[e.Seat] || s.Open[e.Seat] || s.Levels[e.Seat] != "" {
		return ErrAlready
	}
	s.Away[e.Seat], s.Gone[e.Seat] = true, uint16(e.Seq)
	return nil
}

func (s *State) comeBack(e Event) error {
	if !s.Away[e.Seat] {
		return ErrAlready
	}
	s.Away[e.Seat], s.Gone[e.Seat], s.Levels[e.Seat] = false, 0, s.Setup.Levels[e.Seat]
	s.startClock(e)
	return nil
}

// setMoves sets the moves of the game. They must be legal.
func (s *State) setMoves(moves []digit.Move) {
	s.Moves, s.Position = moves, digit.Position{}
	for _, m := range moves {
		s.Position, _ = s.Setup.Rules.Play(s.Position, m)
	}
}

// PositionAt returns the position of this game after n moves.
func (s State) PositionAt(n int) digit.Position {
	s.setMoves(s.Moves[:n])
	return s.Position
}

// turnTo begins a turn, or the wait for the next game.
func (s *State) turnTo(at time.Time) { s.TurnBegan, s.Stood, s.Tried, s.Waits = at, 0, 0, false }

func (s *State) loseFor(seat Seat, why digit.Reason) {
	s.end(digit.Result{Score: digit.WinFor(s.Side(seat.Other())), Reason: why})
}

func (s *State) end(r digit.Result) {
	s.Result = r
	if !r.Over() {
		return
	}
	s.Asking, s.Waits = false, false
	if side, ok := r.Winner(); ok {
		s.Wins[s.SeatOf(side)]++
	} else {
		s.Draws++
	}
}

// LastBy returns the index of the last move that a seat made or took over in this game and may take
// or hand back, or -1. At a program's table no move can be taken back.
func (s State) LastBy(seat Seat) int {
	i := len(s.Moves) - 1
	if i >= 0 && s.SeatOf(digit.Side(i%2)) != seat {
		i--
	}
	if i < int(s.Given) || s.Setup.Agent.Tries > 0 {
		return -1
	}
	return i
}

// MaySwap reports whether the seat to move may take over the first move instead.
func (s State) MaySwap() bool {
	return s.Setup.Swap && s.Playing() && len(s.Moves) == 1 && !s.Swapped
}

// Swaps reports whether the first move, due or just made, may be taken over.
func (s State) Swaps() bool {
	return s.MaySwap() || s.Setup.Swap && s.Playing() && len(s.Moves) == 0
}

// Playing reports whether a game is under way.
func (s State) Playing() bool { return s.Game > 0 && !s.Result.Over() }

// SelfPlay reports whether the computer plays against itself.
func (s State) SelfPlay() bool { return s.Levels[One] != "" && s.Levels[Two] != "" }

// People returns the seats that the computer does not play.
func (s State) People() (seats []Seat) {
	for _, seat := range Seats {
		if s.Levels[seat] == "" {
			seats = append(seats, seat)
		}
	}
	return seats
}

// Phase returns the stage of the table.
func (s State) Phase() Phase {
	switch {
	case s.Open[One] || s.Open[Two]:
		return Waiting
	case s.Playing():
		return UnderWay
	case s.SeriesOver():
		return Over
	default:
		return Between
	}
}

// HintsAllowed reports whether hints may be given in this game: every person at the table agrees.
// At a program's table there are none.
func (s State) HintsAllowed() bool {
	agrees := func(seat Seat) bool { return s.Levels[seat] != "" || s.Hints[seat] }
	return s.Setup.Agent.Tries == 0 && agrees(One) && agrees(Two)
}

// Opener returns the seat that begins the game under way, or began the last one.
func (s State) Opener() Seat {
	if s.Game%2 == 0 && s.Game > 0 {
		return s.Setup.First.Other()
	}
	return s.Setup.First
}

// Starter returns the seat that has the first move: the opener, unless the move was taken over.
func (s State) Starter() Seat {
	if s.Swapped {
		return s.Opener().Other()
	}
	return s.Opener()
}

// Side returns the side that a seat has in this game.
func (s State) Side(seat Seat) digit.Side { return digit.Side(seat ^ s.Starter()) }

// SeatOf returns the seat that has a side in this game.
func (s State) SeatOf(side digit.Side) Seat { return Seat(side) ^ s.Starter() }

// Turn returns the seat to move.
func (s State) Turn() Seat { return s.SeatOf(s.Setup.Rules.Turn(s.Position)) }

// Winner returns the winner of this game; ok is false without one.
func (s State) Winner() (seat Seat, ok bool) {
	side, ok := s.Result.Winner()
	return s.SeatOf(side), ok
}

// SeriesOver reports whether no further game will be played. Without a series that is after one
// game, or after both of a pair. A series of N is over when a player has won the majority of N, or
// after 2N games.
func (s State) SeriesOver() bool {
	switch n := s.Game - s.Before; {
	case s.Game == 0 || s.Playing():
		return false
	case s.Setup.Pair:
		return n >= 2
	default:
		return 2*max(s.Wins[One], s.Wins[Two]) > s.Setup.BestOf || n >= 2*s.Setup.BestOf
	}
}

// Leader returns the player with more wins; ok is false if there is none.
func (s State) Leader() (seat Seat, ok bool) {
	if s.Wins[One] > s.Wins[Two] {
		return One, true
	}
	return Two, s.Wins[Two] > s.Wins[One]
}
