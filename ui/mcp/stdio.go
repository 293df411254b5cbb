package mcp

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	maxLine   = 1 << 20         // bytes of a message
	drainTime = 5 * time.Second // the limit for calls under way at the end of the input
)

// Stdio serves one client, with one message on each line, until its input ends or ctx is done. A
// line that is not a message ends the session with an error.
func (s *Server) Stdio(ctx context.Context, in io.Reader, out io.Writer) error {
	open := io.NopCloser(in) // both streams stay open
	d := &draining{pending: map[jsonrpc.ID]bool{}, Transport: &sdk.IOTransport{
		Reader: open, MaxLineLength: maxLine, Writer: struct {
			io.Writer
			io.Closer
		}{out, open},
	}}
	d.answered.L = &d.mu
	session, err := s.server.Connect(ctx, d, nil)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done(): // reading a terminal or a pipe cannot be stopped
		return nil
	}
}

// draining is a transport with one connection, whose input does not end before every request is
// answered: the SDK would answer nothing after it.
type draining struct {
	sdk.Transport
	sdk.Connection
	mu       sync.Mutex
	pending  map[jsonrpc.ID]bool // requests without an answer
	writing  int                 // answers; a client may reuse the ID of one that it has read
	broken   bool                // nothing can be written
	answered sync.Cond
}

// Connect implements [sdk.Transport].
func (d *draining) Connect(ctx context.Context) (_ sdk.Connection, err error) {
	d.Connection, err = d.Transport.Connect(ctx)
	return d, err
}

// Read implements [sdk.Connection].
func (d *draining) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := d.Connection.Read(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	// The SDK answers a request to listen only when it is canceled.
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() && r.Method != "subscriptions/listen" {
		d.pending[r.ID] = true
	}
	if err != nil {
		defer time.AfterFunc(drainTime, d.giveUp).Stop()
		for !d.broken && len(d.pending)+d.writing > 0 {
			d.answered.Wait()
		}
	}
	return m, err
}

// Write implements [sdk.Connection].
func (d *draining) Write(ctx context.Context, m jsonrpc.Message) error {
	if r, ok := m.(*jsonrpc.Response); ok {
		d.mu.Lock()
		delete(d.pending, r.ID)
		d.writing++
		d.mu.Unlock()
		defer func() {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.writing--
			d.answered.Signal()
		}()
	}
	err := d.Connection.Write(ctx, m)
	if err != nil {
		d.giveUp()
	}
	return err
}

// giveUp lets the input end without answers.
func (d *draining) giveUp() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.broken = true
	d.answered.Signal()
}
