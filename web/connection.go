package web

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// Accepting returns a listener that accepts only so many connections from one address. Behind a proxy all come from there, and the
// proxy has to do it.
func (s *Server) Accepting(l net.Listener) net.Listener {
	if s.TrustProxy {
		return l
	}
	return accepting{l, s}
}

type accepting struct {
	net.Listener
	server *Server
}

// Accept implements [net.Listener].
func (a accepting) Accept() (net.Conn, error) {
	for {
		c, err := a.Listener.Accept()
		if err != nil {
			return nil, err
		}
		leave, err := a.server.gate.connect(addressOf(c.RemoteAddr().String()))
		if err == nil {
			return &connection{c, sync.OnceFunc(leave)}, nil
		}
		a.server.turnAway(c, err)
	}
}

// turnAway says why a connection is not accepted, as far as that can be said without waiting for whoever is one too many.
func (s *Server) turnAway(c net.Conn, err error) {
	s.metrics.limited.Add(1)
	if p := new(problem); errors.As(err, &p) && c.SetWriteDeadline(time.Now().Add(time.Second)) == nil {
		fmt.Fprintf(c, "HTTP/1.1 %d %s\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nRetry-After: %d\r\nContent-Length: %d\r\n\r\n", p.status, http.StatusText(p.status), p.retry, len(p.text)+1)
		io.WriteString(c, p.text+"\n")
	}
	c.Close()
}

// A connection is counted until it is closed.
type connection struct {
	net.Conn
	leave func()
}

// Close implements [net.Conn].
func (c *connection) Close() error {
	c.leave()
	return c.Conn.Close()
}
