package engine

import (
	"errors"
	"fmt"

	"digitduel/digit"
)

// A Fault identifies a failure of an engine, by which it loses a game. The zero Fault is none.
type Fault string

const (
	Unreadable Fault = "unreadable" // its answer is not the text of a move
	Illegal    Fault = "illegal"    // its move is not legal
	Late       Fault = "late"       // it answered after its time
	Crashed    Fault = "crashed"    // it exited, or could not be started
	Silent     Fault = "silent"     // it did not answer
)

// Faults lists all faults.
var Faults = []Fault{Unreadable, Illegal, Late, Crashed, Silent}

// Again reports whether the engine may be asked for the same move again.
func (f Fault) Again() bool { return f == Unreadable || f == Illegal }

// Ends reports whether the process is unusable.
func (f Fault) Ends() bool { return f == Crashed || f == Silent }

// Reason returns the reason of a game that ended by a fault.
func (f Fault) Reason() digit.Reason {
	switch {
	case f == Late || f == Silent:
		return digit.TimeOut
	case f.Again():
		return digit.Forfeit
	}
	return digit.Departure
}

// A FaultError reports a fault of an engine.
type FaultError struct {
	Fault   Fault
	Command string // the command of the engine
	Why     string
}

func (e *FaultError) Error() string {
	return fmt.Sprintf("engine %.80q: %s: %s", e.Command, e.Fault, e.Why)
}

// FaultOf returns the fault that an error reports, or "".
func FaultOf(err error) Fault {
	if e, ok := errors.AsType[*FaultError](err); ok {
		return e.Fault
	}
	return ""
}
