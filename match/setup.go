package match

import (
	"cmp"
	"errors"
	"fmt"

	"digitduel/digit"
)

// A Seat is one of the two players for as long as they are at a table. Which side a seat has
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

// A Setup is the agreement of the players before the first game.
type Setup struct {
	Rules digit.Rules `json:"rules"`
	Names [2]string   `json:"names"`           // by seat; empty: Player 1, Player 2
	First Seat        `json:"first,omitempty"` // starts the first game; then the start alternates
	Terms
	FreeUndo bool      `json:"free_undo,omitempty"` // moves are taken back without asking
	Levels   [2]string `json:"levels,omitzero"`     // of computers, by seat; empty: a person
	Open     [2]bool   `json:"open,omitzero"`       // seats that are still free
	Listed   bool      `json:"listed,omitempty"`    // lists show the table to everyone
	Openings Openings  `json:"openings,omitempty"`  // the moves that games begin with
	Seals    [2]string `json:"seals,omitzero"`      // of the tokens; empty: that of [Keys.Token]
	Agent    Agent     `json:"agent,omitzero"`      // the program that plays here, if any
	// Class is the class whose table it is, or "". There the clock of a game starts with the game,
	// and nothing is taken back, hinted at, repeated or published.
	Class string `json:"class,omitempty"`
}

// EngineLevel stands for a level where an engine plays. The command that started the engine is not
// stored, so that opening another player's game cannot run it.
const EngineLevel = "engine"

// Check returns an error, with the allowed values, if a table cannot have this setup.
func (s Setup) Check() error {
	if err := s.Rules.Check(); err != nil {
		return err
	}
	for _, r := range s.Targets.All(s.Rules) {
		if err := r.Check(); err != nil {
			return fmt.Errorf("targets %v: %w", s.Targets, err)
		}
	}
	err := cmp.Or(CheckName(s.Names[One]), CheckName(s.Names[Two]), s.Openings.check(s.Rules),
		s.checkAgent())
	if err == nil && s.Class != "" {
		err = CheckID("class", s.Class)
	}
	switch {
	case err != nil:
		return err
	case s.Class != "" && (s.Listed || s.Hints):
		return errors.New("the table of a class cannot be listed or have hints")
	case s.Name(One) == s.Name(Two):
		return fmt.Errorf("name %q: both players have it", s.Name(One))
	case s.Open[One] && s.Levels[One] != "" || s.Open[Two] && s.Levels[Two] != "":
		return errors.New("an open seat cannot have a level")
	case s.First > Two:
		return fmt.Errorf("seat %d starts: allowed: %d, %d", s.First, One, Two)
	}
	return s.Terms.check()
}

// CheckEffect returns an error if one of the terms has no effect. Tables that were set up before
// this was checked stay valid.
func (s Setup) CheckEffect() error {
	for _, o := range Options {
		if o.Moot == nil || o.Get(s.Terms) == "" {
			continue
		}
		if why := o.Moot(s.Terms, s.Rules); why != "" {
			return errors.New(why)
		}
	}
	switch {
	case s.Openings != "" && !s.Pair && s.Agent == Agent{}:
		return fmt.Errorf("openings %.40s: openings need a pair; set a pair, or leave them out",
			s.Openings)
	case s.Openings != "" && s.Swap:
		return errors.New("swap: the first move is part of the opening; " +
			"leave out the openings, or the swap")
	}
	return nil
}

// Public reports whether lists show all games of the table: it is in the list of tables itself, or
// no person plays. Other games are private until their players publish them.
func (s Setup) Public() bool {
	return s.Listed || s.Agent.Tries > 0 || s.Levels[One] != "" && s.Levels[Two] != ""
}

// Name returns the name of the player on a seat.
func (s Setup) Name(seat Seat) string { return cmp.Or(s.Names[seat], seat.String()) }
