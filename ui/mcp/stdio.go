package mcp

import (
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

// lines is a client at the other end of two streams. It is a transport and its one connection.
type lines struct {
	in       chan line
	refusals chan []byte
	refusing sync.WaitGroup // whoever writes them

	writing sync.Mutex
	out     io.Writer

	mu   sync.Mutex
	owed map[jsonrpc.ID]bool // requests without an answer
	paid chan struct{}       // what is waited for once the input has ended: closed when nothing is owed

	once sync.Once
	gone chan struct{} // closed when the connection is
}

func newLines(in io.Reader, out io.Writer) *lines {
	l := &lines{in: make(chan line), refusals: make(chan []byte, maxUnread), out: out, owed: map[jsonrpc.ID]bool{}, gone: make(chan struct{})}
	go l.listen(in) // whoever reads a terminal or a pipe cannot be stopped, and is left alone when the program ends
	l.refusing.Go(func() {
		for text := range l.refusals {
			if l.print(text) != nil {
				return
			}
		}
	})
	return l
}

// Connect implements [sdk.Transport].
func (l *lines) Connect(context.Context) (sdk.Connection, error) { return l, nil }

// SessionID implements [sdk.Connection].
func (l *lines) SessionID() string { return "" }

// Close implements [sdk.Connection].
func (l *lines) Close() error {
	l.once.Do(func() { close(l.gone) })
	return nil
}

// listen reads lines until there are no more, or nobody wants them.
func (l *lines) listen(in io.Reader) {
	defer close(l.in)
	for next := range linesOf(in, maxLine) {
		select {
		case l.in <- next:
		case <-l.gone:
			return
		}
	}
}

// Read implements [sdk.Connection]. It returns the next message, and refuses what is none before it. It is not called again after an
// error.
func (l *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case <-l.gone:
		case next, more := <-l.in:
			if more {
				m, refusal := next.message()
				if m != nil {
					l.owe(m)
					return m, nil
				}
				l.refuse(refusal)
				continue
			}
			l.settle()
		}
		close(l.refusals)
		return nil, io.EOF
	}
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

// settle waits until what is owed is paid: after the end of the input the SDK would answer nothing more.
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
func (l *lines) Write(_ context.Context, m jsonrpc.Message) error {
	r, answers := m.(*jsonrpc.Response)
	if coded := new(jsonrpc.Error); answers && r.Error != nil && !errors.As(r.Error, &coded) {
		r.Error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: r.Error.Error()} // as of what comes before initialize
	}
	text, err := jsonrpc.EncodeMessage(m)
	if err == nil {
		err = l.print(text)
	}
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

func (l *lines) print(text []byte) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	_, err := l.out.Write(append(text, '\n'))
	return err
}
