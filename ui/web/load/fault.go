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

// Kinds of faults. Each refusal has a kind such as "status 500".
const (
	Gap      = "gap"      // a stream omitted an event
	Repeat   = "repeat"   // a stream repeated an event
	Unseen   = "unseen"   // a stream omitted a move that was acknowledged
	Stray    = "stray"    // a stream has a move that was not acknowledged
	Mismatch = "mismatch" // an event or answer does not follow from the rules
	Silence  = "silence"  // the server sent nothing in time
	Closed   = "closed"   // the server closed a connection
	Garbled  = "garbled"  // the server broke the protocol
)

// A fault is an error of the server.
type fault struct {
	kind string
	err  error
}

func (f *fault) Error() string { return f.err.Error() }
func (f *fault) Unwrap() error { return f.err }

func faultf(kind, format string, args ...any) error {
	return &fault{kind, fmt.Errorf(format, args...)}
}

// refused returns the fault of an answer with an error status.
func refused(status int, answer []byte) error {
	var body struct{ Error string }
	if json.Unmarshal(answer, &body) != nil || body.Error == "" {
		body.Error = fmt.Sprintf("%.100q", answer)
	}
	return faultf(fmt.Sprint("status ", status), "%s", body.Error)
}

// kindOf returns the kind of an error.
func kindOf(err error) string {
	var f *fault
	var network net.Error
	switch {
	case errors.As(err, &f):
		return f.kind
	case errors.Is(err, os.ErrDeadlineExceeded):
		return Silence
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, errBye),
		errors.Is(err, syscall.ECONNRESET), errors.As(err, &network):
		return Closed
	default:
		return Garbled
	}
}

// An Error is a kind of fault, with its count and the first occurrence.
type Error struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
	First string `json:"first"`
}

// faultCounts counts faults by kind. The zero value is empty.
type faultCounts struct {
	mu     sync.Mutex
	errors map[string]Error
}

func (b *faultCounts) add(err error) {
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
func (b *faultCounts) list() []Error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.SortedFunc(maps.Values(b.errors), func(x, y Error) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Kind, y.Kind))
	})
}
