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

// Stdio serves one client, with one message on each line, until its input ends or ctx is done. A
// line that is not a message gets an error answer, and the session continues.
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
	go func() { _ = session.Close() }() // waits for calls under way
	select {
	case <-ended:
	case <-time.After(stopTime): // the client may have stopped reading
	}
	return nil
}

const (
	maxLine   = 1 << 20      // bytes of a message
	stopTime  = time.Second  // the limit for calls under way when the program is stopped
	drainTime = 5 * stopTime // the same after the end of the input
	// maxUnread is the number of refusals that wait to be written. Others are dropped, since no
	// request waits for them, so that a client that writes a lot before it reads does not block.
	maxUnread = 1 << 15
)

// lines is a transport of the SDK with one connection, over two streams. It filters the input,
// since a line that is not a message would end a session of the SDK.
type lines struct {
	sdk.Connection
	in       io.Reader
	refusals chan []byte
	refusing sync.WaitGroup // the writer of refusals

	writing sync.Mutex
	out     io.Writer

	mu      sync.Mutex
	pending map[jsonrpc.ID]bool // requests without an answer
	drained chan struct{}       // closed when none is pending; nil before the end of the input

	once sync.Once
	gone chan struct{} // closed when the connection is
}

func newLines(in io.Reader, out io.Writer) *lines {
	return &lines{
		in: in, refusals: make(chan []byte, maxUnread), out: out,
		pending: map[jsonrpc.ID]bool{}, gone: make(chan struct{}),
	}
}

// Connect implements [sdk.Transport].
func (l *lines) Connect(ctx context.Context) (_ sdk.Connection, err error) {
	messages, filtered := io.Pipe()
	transport := &sdk.IOTransport{Reader: messages, Writer: printer{l}, MaxLineLength: -1}
	l.Connection, err = transport.Connect(ctx)
	go l.filter(filtered) // reading a terminal or a pipe cannot be stopped
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

// filter forwards the lines that are messages, and refuses the others. After the end of the input
// it waits until every request is answered, since the SDK would answer nothing more.
func (l *lines) filter(out *io.PipeWriter) {
	defer func() { _ = out.Close() }() // it returns nil
	for next := range linesOf(l.in, maxLine) {
		m, refusal := next.message()
		if m == nil {
			l.refuse(refusal)
			continue
		}
		l.addPending(m)
		text := bytes.TrimSpace(bytes.TrimPrefix(next.text, byteOrderMark))
		if _, err := out.Write(append(text, '\n')); err != nil {
			return
		}
	}
	l.drain()
	close(l.refusals)
	l.refusing.Wait()
}

// refuse queues a refusal, if text is not nil.
func (l *lines) refuse(text []byte) {
	if text == nil {
		return
	}
	select {
	case l.refusals <- text:
	default:
	}
}

// listening is a request that is answered only when it is canceled.
const listening = "subscriptions/listen"

func (l *lines) addPending(m jsonrpc.Message) {
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() && r.Method != listening {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.pending[r.ID] = true
	}
}

// drain waits until every request is answered.
func (l *lines) drain() {
	l.mu.Lock()
	drained := make(chan struct{})
	if len(l.pending) == 0 {
		close(drained)
	} else {
		l.drained = drained
	}
	l.mu.Unlock()
	select {
	case <-drained:
	case <-l.gone:
	case <-time.After(drainTime):
	}
}

// Write implements [sdk.Connection].
func (l *lines) Write(ctx context.Context, m jsonrpc.Message) error {
	r, answers := m.(*jsonrpc.Response)
	if coded := new(jsonrpc.Error); answers && r.Error != nil && !errors.As(r.Error, &coded) {
		// The SDK refuses requests before initialize with such an error.
		r.Error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: r.Error.Error()}
	}
	err := l.Connection.Write(ctx, m)
	if answers {
		l.answered(r.ID)
	}
	return err
}

func (l *lines) answered(id jsonrpc.ID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.pending, id)
	if l.drained != nil && len(l.pending) == 0 {
		close(l.drained)
		l.drained = nil
	}
}

// A printer writes the output of the SDK, without mixing it with refusals.
type printer struct{ *lines }

// Write implements [io.Writer].
func (p printer) Write(text []byte) (int, error) {
	p.writing.Lock()
	defer p.writing.Unlock()
	return p.out.Write(text)
}

// Close implements [io.Closer]. The output stays open.
func (printer) Close() error { return nil }
