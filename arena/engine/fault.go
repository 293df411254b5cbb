package engine

import "fmt"

// A Kind is what an engine did wrong.
type Kind string

const (
	Unreadable Kind = "unreadable" // its answer is not the text of a move
	Illegal    Kind = "illegal"    // its move is not legal
	Late       Kind = "late"       // it answered after its time
	Crashed    Kind = "crashed"    // it ended, or could not be started
	Silent     Kind = "silent"     // it did not answer at all
)

// A Fault says what an engine did wrong. After one that is crashed or silent the process is of no use any more; after any other it can be
// asked again.
type Fault struct {
	Kind    Kind
	Command string // that the engine was started with
	Why     string
}

func (f *Fault) Error() string { return fmt.Sprintf("engine %.80q: %s: %s", f.Command, f.Kind, f.Why) }
