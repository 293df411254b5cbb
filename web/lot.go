package web

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// A Lot is where connections wait on which nothing is asked. An [http.Server] keeps buffers and a stack for each, of 16 KB and more;
// here a connection takes a fifth of that. It leaves the server when nothing was asked for a while, and comes back as if it were new when something
// is: the server accepts it from the lot, which is a listener.
//
// The server has to have the lot's ConnState, and to serve the listener that Of returns and the lot itself.
type Lot struct {
	Patience time.Duration // after which a connection leaves the server
	Idle     time.Duration // after which it is closed

	once   sync.Once
	back   chan net.Conn
	closed chan struct{}

	mu     sync.Mutex
	parked map[net.Conn]bool // nil when the lot is closed
}

// NewLot returns an empty lot.
func NewLot(patience, idle time.Duration) *Lot {
	return &Lot{Patience: patience, Idle: idle, back: make(chan net.Conn), closed: make(chan struct{}), parked: map[net.Conn]bool{}}
}

// Of returns a listener whose connections may leave for the lot.
func (l *Lot) Of(from net.Listener) net.Listener { return arrivals{from, l} }

type arrivals struct {
	net.Listener
	lot *Lot
}

func (a arrivals) Accept() (net.Conn, error) {
	c, err := a.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &guest{Conn: c, lot: a.lot}, nil
}

// Accept implements [net.Listener]: it returns a connection on which something is asked again.
func (l *Lot) Accept() (net.Conn, error) {
	select {
	case c := <-l.back:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Addr implements [net.Listener]. A lot has no address.
func (l *Lot) Addr() net.Addr { return &net.UnixAddr{} }

// Close implements [net.Listener]: it closes every connection that waits.
func (l *Lot) Close() error {
	l.once.Do(func() { close(l.closed) })
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.parked {
		c.Close()
	}
	l.parked = nil
	return nil
}

// ConnState takes a hint from an [http.Server].
func (l *Lot) ConnState(c net.Conn, s http.ConnState) {
	if g, ok := c.(*guest); ok && s == http.StateIdle {
		g.idle = true
	}
}

// park has a connection wait until something is asked on it.
func (l *Lot) park(c net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.parked == nil {
		c.Close()
		return
	}
	l.parked[c] = true
	go l.wait(c)
}

func (l *Lot) wait(c net.Conn) {
	first := make([]byte, 1)
	_ = c.SetReadDeadline(time.Now().Add(l.Idle)) // where that fails, so does the read
	_, err := c.Read(first)
	l.mu.Lock()
	delete(l.parked, c)
	l.mu.Unlock()
	if err != nil {
		c.Close()
		return
	}
	select {
	case l.back <- &guest{Conn: c, lot: l, first: first}:
	case <-l.closed:
		c.Close()
	}
}

// A guest is a connection while it is at the server.
type guest struct {
	net.Conn
	lot     *Lot
	first   []byte // what was read in the lot
	idle    bool   // whether the next read is for another request
	leaving atomic.Bool
	closed  atomic.Bool
}

// Read implements [net.Conn]. The server is told that a connection has ended when it leaves.
//
// Should the server hold the first bytes of another request already, fewer than four, they are lost if no others come before the connection
// leaves. Nobody sends requests so.
func (g *guest) Read(b []byte) (int, error) {
	if len(g.first) > 0 {
		n := copy(b, g.first)
		g.first = g.first[n:]
		return n, nil
	}
	if !g.idle {
		return g.Conn.Read(b)
	}
	n, err := g.Conn.Read(b)
	if g.idle = false; n > 0 && n < 4 { // with which the server goes on to wait
		_ = g.SetReadDeadline(time.Now().Add(g.lot.Idle)) // where that fails, so does the next read
	}
	if n == 0 && errors.Is(err, os.ErrDeadlineExceeded) {
		g.leaving.Store(true)
		err = io.EOF
	}
	return n, err
}

// SetReadDeadline implements [net.Conn]. The server says how long it waits for another request just before it does, and has less patience than
// it says.
func (g *guest) SetReadDeadline(t time.Time) error {
	if g.idle {
		t = time.Now().Add(g.lot.Patience)
	}
	return g.Conn.SetReadDeadline(t)
}

// Close implements [net.Conn]. One that leaves is not closed.
func (g *guest) Close() error {
	switch {
	case g.closed.Swap(true):
		return nil
	case g.leaving.Load():
		g.lot.park(g.Conn)
		return nil
	default:
		return g.Conn.Close()
	}
}

// CloseWrite lets a server say that it is done, as it does before it closes on somebody who still speaks.
func (g *guest) CloseWrite() error {
	if c, ok := g.Conn.(interface{ CloseWrite() error }); ok {
		return c.CloseWrite()
	}
	return nil
}
