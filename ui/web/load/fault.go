package load

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"slices"
	"sync"
	"syscall"
)

// What can go wrong, by name.
const (
	Gap       = "gap"        // a stream left out an event
	Repeat    = "repeat"     // a stream told an event again
	Unseen    = "unseen"     // a move was acknowledged, and a stream did not tell it
	Stray     = "stray"      // a stream told a move that nobody was told is played
	WrongTale = "wrong tale" // an event or answer is not what the rules make of the moves
	Silence   = "silence"    // the server did not say anything in time
	Closed    = "closed"     // the server closed a connection
	Garbled   = "garbled"    // what the server said is not of the protocol
	// and "status 500" and the like for each refusal.
)

// A fault is something that the server did and should not have.
type fault struct {
	kind string
	err  error
}

func (f *fault) Error() string { return f.err.Error() }
func (f *fault) Unwrap() error { return f.err }

func faultf(kind, format string, args ...any) error { return &fault{kind, fmt.Errorf(format, args...)} }

// refused is the fault of an answer with a status that was not wanted.
func refused(status int, answer []byte) error {
	var said struct{ Error string }
	if json.Unmarshal(answer, &said) != nil || said.Error == "" {
		said.Error = fmt.Sprintf("%.100q", answer)
	}
	return faultf(fmt.Sprint("status ", status), "%s", said.Error)
}

// kindOf names what went wrong.
func kindOf(err error) string {
	var f *fault
	var network net.Error
	switch {
	case errors.As(err, &f):
		return f.kind
	case errors.Is(err, os.ErrDeadlineExceeded):
		return Silence
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, errBye), errors.Is(err, syscall.ECONNRESET), errors.As(err, &network):
		return Closed
	default:
		return Garbled
	}
}

// An Error is a kind of what went wrong, how often it did, and the first time.
type Error struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
	First string `json:"first"`
}

// A faultBook counts what went wrong. The zero book is empty.
type faultBook struct {
	mu     sync.Mutex
	errors map[string]Error
}

func (b *faultBook) add(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.errors == nil {
		b.errors = map[string]Error{}
	}
	kind := kindOf(err)
	e, known := b.errors[kind]
	if !known {
		e = Error{Kind: kind, First: err.Error()}
	}
	e.Count++
	b.errors[kind] = e
}

// list returns the kinds, the most frequent first.
func (b *faultBook) list() []Error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.SortedFunc(maps.Values(b.errors), func(x, y Error) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Kind, y.Kind))
	})
}
