package match

import (
	"errors"
	"fmt"
	"slices"

	"digitduel/digit"
)

// An Agent is how a program plays at a table that it came to by itself: on the seat without a level, against the computer on the other one.
// The zero Agent says that none plays.
type Agent struct {
	// Seed is what the computer's choices follow from, with the number of the game and of the move: they are the same wherever the table is
	// taken up, and whenever.
	Seed      uint64 `json:"seed,omitempty"`
	Disguise  uint64 `json:"disguise,omitempty"`   // the seed of the words in which the program is told of the game
	Run       string `json:"run,omitempty"`        // what the game is part of
	Tries     uint8  `json:"tries,omitempty"`      // how many answers a move may take until one is legal; 0: no program plays
	Disguised bool   `json:"disguised,omitempty"`  // whether the program is told of it in other words
	ShowMoves bool   `json:"show_moves,omitempty"` // whether it is told the legal moves
}

// What an agent may have.
const (
	MaxTries = 100
	MaxRun   = 200 // bytes
)

// A Fault is what is wrong with an answer of a program. Its text is one word.
type Fault uint8

const (
	Illegal    Fault = 1 + iota // a move that is not legal
	Unreadable                  // no move at all
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

// Agents reports for each seat whether a program plays there.
func (s Setup) Agents() [2]bool { return [2]bool{s.IsAgent(One), s.IsAgent(Two)} }

// TriesLeft returns how many answers the program has left for the move that is due; 0 where none plays or no game is under way.
func (s State) TriesLeft() int {
	if !s.Playing() {
		return 0
	}
	return int(s.Setup.Agent.Tries) - int(s.Tried)
}

// checkAgent returns nil if a program can play so, or none does. One game or a pair bounds how often it can fail, see [MostEvents].
func (s Setup) checkAgent() error {
	switch a := s.Agent; {
	case a == Agent{}:
		return nil
	case a.Tries < 1 || a.Tries > MaxTries:
		return fmt.Errorf("%d tries: allowed: 1 to %d", a.Tries, MaxTries)
	case len(a.Run) > MaxRun:
		return fmt.Errorf("run %.40q…: allowed: up to %d bytes", a.Run, MaxRun)
	case (s.Levels[One] == "") == (s.Levels[Two] == ""):
		return errors.New("a program plays against the computer; allowed: a level on one of the seats")
	case s.Open != [2]bool{}:
		return errors.New("a seat that is open for a person is not a program's")
	case s.BestOf > 1:
		return fmt.Errorf("a program and best of %d: allowed: one game, or a pair", s.BestOf)
	case s.FreeUndo:
		return errors.New("where a program plays, every move stands; leave out free undo")
	}
	return nil
}

// fault counts an answer of a program that is not a legal move. Without tries left, it loses the game.
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
