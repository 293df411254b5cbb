package match

import (
	"errors"
	"fmt"
	"time"

	"digitduel/digit"
)

// A Seat is one of the two players at a table for as long as they sit there. Which of the two sides a seat has
// changes from game to game.
type Seat uint8

const (
	One Seat = iota
	Two
)

// Seats are the two seats.
var Seats = [2]Seat{One, Two}

// Other returns the other seat.
func (s Seat) Other() Seat { return s ^ 1 }

func (s Seat) String() string { return fmt.Sprintf("Player %d", s+1) }

// A Setup is what is agreed before the first game.
type Setup struct {
	Rules     digit.Rules   `json:"rules"`
	Names     [2]string     `json:"names"`               // by seat; empty: Player 1, Player 2
	First     Seat          `json:"first,omitempty"`     // who starts the first game; the start alternates after it
	BestOf    int           `json:"best_of,omitempty"`   // an odd number of games; 0: one game and no series
	TurnTime  time.Duration `json:"turn_time,omitempty"` // for each turn; 0: no clock
	OnTimeout TimeoutRule   `json:"on_timeout,omitempty"`
	FreeUndo  bool          `json:"free_undo,omitempty"` // a move is taken back without asking: both sit at one keyboard
	Levels    [2]string     `json:"levels,omitzero"`     // by seat: the level of the computer that plays there; empty: a person
	Open      [2]bool       `json:"open,omitzero"`       // seats that nobody has taken yet
	Listed    bool          `json:"listed,omitempty"`    // whether anybody may find the table in a list
	Hints     bool          `json:"hints,omitempty"`     // whether everybody agrees to hints from the start
	AutoCall  bool          `json:"auto_call,omitempty"` // the table calls the highest multiple of a full hand for its player
	Pair      bool          `json:"pair,omitempty"`      // two games, of which each player starts one; a win each is a draw
	Swap      bool          `json:"swap,omitempty"`      // the second player may take over the first move as their own
	Targets   Targets       `json:"targets,omitzero"`    // the targets of the games of a series, one after the other
	Openings  Openings      `json:"openings,omitempty"`  // the moves that games begin with: the two of a pair, or those of a program
	Seals     [2]string     `json:"seals,omitzero"`      // by seat, of the tokens, see [Seal]; empty: that of [Keys.Token]
	Agent     Agent         `json:"agent,omitzero"`      // the program that plays here, if one does
}

// What a setup may ask for.
const (
	MaxBestOf   = 99
	MinTurnTime = time.Second
	MaxTurnTime = 24 * time.Hour
)

// EngineLevel stands for a level where somebody's engine plays. With what command it was started is not kept: nobody who opens a game of
// others is to run it.
const EngineLevel = "engine"

// Check returns nil if a table can be set up so, else an error that says what is allowed.
func (s Setup) Check() error {
	if err := s.Rules.Check(); err != nil {
		return err
	}
	for _, r := range s.Targets.All(s.Rules) {
		if err := r.Check(); err != nil {
			return fmt.Errorf("targets %v: %w", s.Targets, err)
		}
	}
	for _, name := range s.Names {
		if err := CheckName(name); err != nil {
			return err
		}
	}
	if err := s.Openings.check(s.Rules); err != nil {
		return err
	}
	if err := s.checkAgent(); err != nil {
		return err
	}
	switch {
	case s.Name(One) == s.Name(Two):
		return fmt.Errorf("name %q: both players have it", s.Name(One))
	case s.Open[One] && s.Levels[One] != "" || s.Open[Two] && s.Levels[Two] != "":
		return errors.New("a seat that is open for a person has no level")
	case s.First > Two:
		return fmt.Errorf("seat %d starts: allowed: %d, %d", s.First, One, Two)
	case s.OnTimeout > Random:
		return fmt.Errorf("time-out rule %d: allowed: %d, %d", s.OnTimeout, Lose, Random)
	case s.BestOf < 0 || s.BestOf > MaxBestOf || s.BestOf > 0 && s.BestOf%2 == 0:
		return fmt.Errorf("best of %d: allowed: an odd number of games from 1 to %d", s.BestOf, MaxBestOf)
	case s.Pair && s.BestOf != 0:
		return fmt.Errorf("a pair and best of %d: allowed: one of them; a pair is two games", s.BestOf)
	case s.TurnTime != 0 && (s.TurnTime < MinTurnTime || s.TurnTime > MaxTurnTime):
		return fmt.Errorf("turn time %v: allowed: %v to %v, or 0 for no clock", s.TurnTime, MinTurnTime, MaxTurnTime)
	}
	return nil
}

// CheckEffect returns nil if everything that is agreed has an effect, else an error that says what has none. Tables that were set up
// before this was asked for go on.
func (s Setup) CheckEffect() error {
	switch {
	case s.OnTimeout != Lose && s.TurnTime == 0:
		return fmt.Errorf("time-out rule %v: without a time for each turn nothing runs out; set a time, or leave it out", s.OnTimeout)
	case s.Targets != Targets{} && s.BestOf <= 1:
		return fmt.Errorf("targets %v: without a series there is one game; set the length of a series, or a target in the rules", s.Targets)
	case s.Openings != "" && !s.Pair && s.Agent == Agent{}:
		return fmt.Errorf("openings %.40s: an opening is fair when both have played it; set a pair, or leave them out", s.Openings)
	case s.Openings != "" && s.Swap:
		return errors.New("swap: the first move is part of the opening; leave out the openings, or the swap")
	case s.AutoCall && s.Rules.Win != digit.OnCall:
		return fmt.Errorf("auto-call: nothing is called in %v; leave it out, or play with win=call", s.Rules)
	}
	return nil
}

// Length returns how long a series is: the odd number of games it is the best of, 2 for a pair, or 0 for one game.
func (s Setup) Length() int {
	if s.Pair {
		return 2
	}
	return s.BestOf
}

// Public reports whether lists show all games of the table. Those of a table to which somebody was invited are its players' own, until
// all of them publish them.
func (s Setup) Public() bool { return s.Listed || s.Open == [2]bool{} }

// Name returns what the player on a seat is called.
func (s Setup) Name(seat Seat) string {
	if s.Names[seat] != "" {
		return s.Names[seat]
	}
	return seat.String()
}
