package browsertest_test

import (
	"io"
	"net"
	"sync"
	"testing"
)

// A line leads to a house by an address of its own, and can be cut.
type line struct {
	address string
	to      string

	mu    sync.Mutex
	whole bool
	open  map[net.Conn]bool
}

// line lays a line, which is there until the end of the test.
func (h *testServer) line(t *testing.T) *line {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &line{address: listener.Addr().String(), to: h.address, whole: true, open: map[net.Conn]bool{}}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() { l.carry(near) })
		}
	})
	t.Cleanup(func() {
		listener.Close()
		l.cut()
		running.Wait()
	})
	return l
}

// carry joins a connection to one to the house until either ends.
func (l *line) carry(near net.Conn) {
	defer near.Close()
	far, err := net.Dial("tcp", l.to)
	if err != nil {
		return
	}
	defer far.Close()
	defer l.drop(near, far)
	if !l.add(near, far) {
		return
	}
	var both sync.WaitGroup
	carry := func(to, from net.Conn) {
		_, _ = io.Copy(to, from) // until either end hangs up
		to.Close()
	}
	both.Go(func() { carry(far, near) })
	both.Go(func() { carry(near, far) })
	both.Wait()
}

func (l *line) add(conns ...net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range conns {
		l.open[c] = true
	}
	return l.whole
}

func (l *line) drop(conns ...net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range conns {
		delete(l.open, c)
	}
}

// cut ends all connections, and those to come.
func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.whole = false
	for c := range l.open {
		c.Close()
	}
}

// mend lets connections through again.
func (l *line) mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.whole = true
}
