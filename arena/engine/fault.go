package engine

import "fmt"

// A Kind identifies the type of a Fault.
type Kind string

const (
	Unreadable Kind = "unreadable" // its answer is not the text of a move
	Illegal    Kind = "illegal"    // its move is not legal
	Late       Kind = "late"       // it answered after its time
	Crashed    Kind = "crashed"    // it exited, or could not be started
	Silent     Kind = "silent"     // it did not answer
)

// A Fault reports a failure of an engine. After one that is crashed or silent the process is
// unusable; after any other it can be asked again.
type Fault struct {
	Kind    Kind
	Command string // the command of the engine
	Why     string
}

func (f *Fault) Error() string {
	return fmt.Sprintf("engine %.80q: %s: %s", f.Command, f.Kind, f.Why)
}
