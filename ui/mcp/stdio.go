package mcp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Stdio answers one client, a message a line, until its input ends or ctx is done. What is no message is refused and passed over: the
// session goes on.
func (s *Server) Stdio(ctx context.Context, in io.Reader, out io.Writer) error {
	l := newLines(in, out)
	session, err := s.server.Connect(ctx, l, nil)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() {
		err := session.Wait()
		l.refusing.Wait()
		ended <- err
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	go func() { _ = session.Close() }() // it waits for calls under way, and has nothing to tell
	select {
	case <-ended:
	case <-time.After(parting): // of a client that reads no answers nothing more is expected
	}
	return nil
}

const (
	maxLine = 1 << 20     // bytes of a message
	parting = time.Second // how long answers under way may take when the program is told to stop
	closing = 5 * parting // and when the input has ended
	// Refusals that nobody reads are dropped at last, since no request waits for them: a client that writes much before it reads is not
	// to be stuck.
	maxUnread = 1 << 15
)

// lines is a client at the other end of two streams: a transport of the SDK and its one connection. It
// filters the input, since a line that is not a message would end a session of the SDK.
type lines struct {
	sdk.Connection
	in       io.Reader
	refusals chan []byte
	refusing sync.WaitGroup // the writer of refusals

	writing sync.Mutex
	out     io.Writer

	mu   sync.Mutex
	owed map[jsonrpc.ID]bool // requests without an answer
	paid chan struct{}       // closed when nothing is owed; nil before the input has ended

	once sync.Once
	gone chan struct{} // closed when the connection is
}

func newLines(in io.Reader, out io.Writer) *lines {
	return &lines{in: in, refusals: make(chan []byte, maxUnread), out: out, owed: map[jsonrpc.ID]bool{}, gone: make(chan struct{})}
}

// Connect implements [sdk.Transport].
func (l *lines) Connect(ctx context.Context) (_ sdk.Connection, err error) {
	messages, filtered := io.Pipe()
	l.Connection, err = (&sdk.IOTransport{Reader: messages, Writer: printer{l}, MaxLineLength: -1}).Connect(ctx)
	go l.filter(filtered) // a reader of a terminal or a pipe cannot be stopped, and ends with the program
	l.refusing.Go(func() {
		for {
			select {
			case text, more := <-l.refusals:
				if !more {
					return
				}
				if _, err := (printer{l}).Write(append(text, '\n')); err != nil {
					return
				}
			case <-l.gone:
				return
			}
		}
	})
	return l, err
}

// Close implements [sdk.Connection].
func (l *lines) Close() error {
	l.once.Do(func() { close(l.gone) })
	return l.Connection.Close()
}

// filter hands on the lines that are messages, and refuses the others. After the end of the input it
// waits until every request is answered, for the SDK would answer nothing more.
func (l *lines) filter(out *io.PipeWriter) {
	defer func() { _ = out.Close() }() // it returns nil
	for next := range linesOf(l.in, maxLine) {
		m, refusal := next.message()
		if m == nil {
			l.refuse(refusal)
			continue
		}
		l.owe(m)
		text := bytes.TrimSpace(bytes.TrimPrefix(next.text, byteOrderMark))
		if _, err := out.Write(append(text, '\n')); err != nil {
			return
		}
	}
	l.settle()
	close(l.refusals)
	l.refusing.Wait()
}

// refuse has a refusal written, which may be none.
func (l *lines) refuse(text []byte) {
	if text == nil {
		return
	}
	select {
	case l.refusals <- text:
	default:
	}
}

// listening is a request that is answered when it is called off.
const listening = "subscriptions/listen"

func (l *lines) owe(m jsonrpc.Message) {
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() && r.Method != listening {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.owed[r.ID] = true
	}
}

// settle waits until every request is answered.
func (l *lines) settle() {
	l.mu.Lock()
	paid := make(chan struct{})
	if len(l.owed) == 0 {
		close(paid)
	} else {
		l.paid = paid
	}
	l.mu.Unlock()
	select {
	case <-paid:
	case <-l.gone:
	case <-time.After(closing):
	}
}

// Write implements [sdk.Connection].
func (l *lines) Write(ctx context.Context, m jsonrpc.Message) error {
	r, answers := m.(*jsonrpc.Response)
	if coded := new(jsonrpc.Error); answers && r.Error != nil && !errors.As(r.Error, &coded) {
		r.Error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: r.Error.Error()} // as of what comes before initialize
	}
	err := l.Connection.Write(ctx, m)
	if answers {
		l.pay(r.ID)
	}
	return err
}

func (l *lines) pay(id jsonrpc.ID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.owed, id)
	if l.paid != nil && len(l.owed) == 0 {
		close(l.paid)
		l.paid = nil
	}
}

// A printer writes the lines of the SDK, which take turns with refusals.
type printer struct{ *lines }

// Write implements [io.Writer].
func (p printer) Write(text []byte) (int, error) {
	p.writing.Lock()
	defer p.writing.Unlock()
	return p.out.Write(text)
}

// Close implements [io.Closer]. The output stays open.
func (printer) Close() error { return nil }
