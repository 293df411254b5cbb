package gate

import (
	"net"
	"sync"
	"time"
)

// Accepting returns a listener that limits the connections of each address: how many are open at
// once, and how many are new each second. Behind a proxy all connections come from the proxy, which
// has to limit them itself.
func (g *Gate) Accepting(l net.Listener) net.Listener {
	if g.TrustProxy {
		return l
	}
	return accepting{l, g}
}

type accepting struct {
	net.Listener
	gate *Gate
}

// Accept implements [net.Listener]. It closes connections of an address that has too many.
func (a accepting) Accept() (net.Conn, error) {
	for {
		c, err := a.Listener.Accept()
		if err != nil {
			return nil, err
		}
		address := addressOf(c.RemoteAddr().String())
		delay := a.gate.newConnection(address)
		leave, err := a.gate.connect(address)
		if err == nil && delay <= longestDelay {
			return &connection{c, delay, sync.OnceFunc(leave)}, nil
		}
		if err == nil {
			leave()
		}
		a.gate.Limited.Add(1)
		c.Close()
	}
}

// longestDelay is shorter than the server waits for the header of a request.
const longestDelay = 4 * time.Second

// A connection is counted until it is closed. Nothing is read from it before its delay is over, so
// an address that reconnects without a pause is served at the rate of its limit.
type connection struct {
	net.Conn
	delay time.Duration
	leave func()
}

// Read implements [net.Conn].
func (c *connection) Read(b []byte) (int, error) {
	if c.delay > 0 {
		time.Sleep(c.delay)
		c.delay = 0
	}
	return c.Conn.Read(b)
}

// Close implements [net.Conn].
func (c *connection) Close() error {
	c.leave()
	return c.Conn.Close()
}
