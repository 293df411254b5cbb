package match

import (
	"errors"
	"fmt"
	"slices"

	"digitduel/digit"
)

// An Agent describes how a program plays at a table that it opened: on the seat without a level,
// against the computer on the other seat. The zero Agent means that no program plays.
type Agent struct {
	// Seed determines the computer's choices, together with the number of the game and the move, so
	// they are the same whenever and wherever the table is resumed.
	Seed      uint64 `json:"seed,omitempty"`
	Disguise  uint64 `json:"disguise,omitempty"`   // the seed of the disguise
	Run       string `json:"run,omitempty"`        // the run that the game is part of
	Tries     uint8  `json:"tries,omitempty"`      // the answers allowed for a move; 0: no program
	Disguised bool   `json:"disguised,omitempty"`  // the program sees the game in other words
	ShowMoves bool   `json:"show_moves,omitempty"` // the program sees the legal moves
}

// Limits of an Agent.
const (
	MaxTries = 100
	MaxRun   = 200 // bytes
)

// A Fault is the reason why a program's answer is not a legal move. Its text is one word.
type Fault uint8

const (
	Illegal    Fault = 1 + iota // a move that breaks the rules
	Unreadable                  // not a move
)

var faultNames = []string{"", "illegal", "unreadable"}

func (f Fault) String() string { return faultNames[f] }

// MarshalText implements [encoding.TextMarshaler].
func (f Fault) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (f *Fault) UnmarshalText(text []byte) error {
	i := slices.Index(faultNames, string(text))
	if i < int(Illegal) {
		return fmt.Errorf("fault %.40q: allowed: %v, %v", text, Illegal, Unreadable)
	}
	*f = Fault(i)
	return nil
}

// IsAgent reports whether a program plays on a seat.
func (s Setup) IsAgent(seat Seat) bool { return s.Agent.Tries > 0 && s.Levels[seat] == "" }

// Agents reports for each seat whether it belongs to a program.
func (s Setup) Agents() [2]bool { return [2]bool{s.IsAgent(One), s.IsAgent(Two)} }

// TriesLeft returns how many answers the program has left for this move, or 0 without a program or
// a game under way.
func (s State) TriesLeft() int {
	if !s.Playing() {
		return 0
	}
	return int(s.Setup.Agent.Tries) - int(s.Tried)
}

// checkAgent returns an error if the program cannot play with this setup. It may play one game or a
// pair, which limits the length of the log: see [MostEvents].
func (s Setup) checkAgent() error {
	switch a := s.Agent; {
	case a == Agent{}:
		return nil
	case a.Tries < 1 || a.Tries > MaxTries:
		return fmt.Errorf("%d tries: allowed: 1 to %d", a.Tries, MaxTries)
	case len(a.Run) > MaxRun:
		return fmt.Errorf("run %.40q…: allowed: up to %d bytes", a.Run, MaxRun)
	case (s.Levels[One] == "") == (s.Levels[Two] == ""):
		return errors.New("a program plays against the computer: set a level for exactly one seat")
	case s.Open != [2]bool{}:
		return errors.New("a program's seat cannot be open")
	case s.BestOf > 1:
		return fmt.Errorf("a program and best of %d: allowed: one game, or a pair", s.BestOf)
	case s.FreeUndo:
		return errors.New("free undo is not allowed where a program plays")
	}
	return nil
}

// fault counts an answer that is not a legal move. A program without tries left loses the game.
func (s *State) fault(e Event) error {
	switch {
	case !s.Setup.IsAgent(e.Seat):
		return ErrNoAgent
	case e.Seat != s.Turn():
		return ErrTurn
	case e.Fault != Illegal && e.Fault != Unreadable:
		return fmt.Errorf("fault %d: allowed: %d, %d", e.Fault, Illegal, Unreadable)
	}
	s.Faults[e.Fault]++
	if s.Tried++; s.Tried >= s.Setup.Agent.Tries {
		s.loseFor(e.Seat, digit.Forfeit)
	}
	return nil
}
