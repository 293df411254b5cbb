package browsertest_test

import (
	"io"
	"net"
	"sync"
	"testing"
)

// A proxy forwards connections to a server, and can be cut.
type proxy struct {
	address string
	to      string

	mu   sync.Mutex
	up   bool
	open map[net.Conn]bool
}

// newProxy starts a proxy that runs until the end of the test.
func (srv *testServer) newProxy(t *testing.T) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{address: listener.Addr().String(), to: srv.address, up: true, open: map[net.Conn]bool{}}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() { p.forward(near) })
		}
	})
	t.Cleanup(func() {
		listener.Close()
		p.cut()
		running.Wait()
	})
	return p
}

// forward connects a client to the server until either end closes the connection.
func (p *proxy) forward(near net.Conn) {
	defer near.Close()
	far, err := net.Dial("tcp", p.to)
	if err != nil {
		return
	}
	defer far.Close()
	defer p.drop(near, far)
	if !p.add(near, far) {
		return
	}
	var both sync.WaitGroup
	pipe := func(to, from net.Conn) {
		_, _ = io.Copy(to, from)
		to.Close()
	}
	both.Go(func() { pipe(far, near) })
	both.Go(func() { pipe(near, far) })
	both.Wait()
}

func (p *proxy) add(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		p.open[c] = true
	}
	return p.up
}

func (p *proxy) drop(conns ...net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		delete(p.open, c)
	}
}

// cut closes all connections, and new ones until restore.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.up = false
	for c := range p.open {
		c.Close()
	}
}

// restore lets connections through again.
func (p *proxy) restore() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.up = true
}
