package match

import (
	"time"

	"digitduel/digit"
)

// A Kind is what an event tells.
type Kind string

const (
	Opened         Kind = "opened"          // the table was set up
	Seated         Kind = "seated"          // a person took a seat that was open
	Began          Kind = "began"           // the next game of the series began
	Moved          Kind = "moved"           // a move was played
	Resigned       Kind = "resigned"        // a player gave up the game
	Flagged        Kind = "flagged"         // a player's time ran out, which lost the game
	UndoAsked      Kind = "undo-asked"      // a player asks to take back their last move
	UndoRefused    Kind = "undo-refused"    // the other player refuses
	Undone         Kind = "undone"          // a player's last move, and what followed it, was taken back
	Left           Kind = "left"            // a player has been gone for a while
	Back           Kind = "back"            // a player who had left is there again, and plays for themself
	Claimed        Kind = "claimed"         // a player took the win because the other one had left
	Replaced       Kind = "replaced"        // the computer plays on for a player who had left
	RematchAsked   Kind = "rematch-asked"   // a player wants another series
	RematchRefused Kind = "rematch-refused" // the other player does not
	HintsAgreed    Kind = "hints-agreed"    // a player agrees to hints
	HintsEnded     Kind = "hints-ended"     // a player no longer agrees to hints
)

// An Event is one line of a table's log. Together the events are the table: everything else follows from them.
type Event struct {
	Seq   int         `json:"seq"` // counted from 1 without gaps
	At    time.Time   `json:"at"`
	Kind  Kind        `json:"kind"`
	Seat  Seat        `json:"seat,omitempty"` // whom it is about; nobody for Opened and Began
	Move  *digit.Move `json:"move,omitempty"` // of Moved
	Auto  bool        `json:"auto,omitempty"` // of Moved: played by the clock, not the player
	Setup *Setup      `json:"setup,omitempty"`
	Name  string      `json:"name,omitempty"`  // of Seated: what the player is called; empty: as the setup says
	Level string      `json:"level,omitempty"` // of Replaced
}
