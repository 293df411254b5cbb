package ssh

import (
	"context"
	"net"
	"net/http"
)

// A Wire connects clients in this process with an HTTP server, for which it is a listener. Each
// request is a connection from the address of a visitor.
type Wire struct {
	accept chan net.Conn
	closed chan struct{}
}

// NewWire returns a Wire.
func NewWire() Wire { return Wire{make(chan net.Conn), make(chan struct{})} }

// Accept implements [net.Listener].
func (w Wire) Accept() (net.Conn, error) {
	select {
	case c := <-w.accept:
		return c, nil
	case <-w.closed:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener]. It must be called once.
func (w Wire) Close() error {
	close(w.closed)
	return nil
}

// Addr implements [net.Listener].
func (w Wire) Addr() net.Addr { return &net.TCPAddr{} }

// Transport returns a transport for the requests of a visitor. They all go to the server of the
// wire, whatever host they name, and never to the network.
func (w Wire) Transport(visitor net.Addr) *http.Transport {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		client, server := net.Pipe()
		select {
		case w.accept <- wireConn{server, visitor}:
			return client, nil
		case <-w.closed:
			return nil, net.ErrClosed
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return &http.Transport{DialContext: dial, DialTLSContext: dial, DisableKeepAlives: true}
}

// A wireConn is a connection from another address.
type wireConn struct {
	net.Conn
	visitor net.Addr
}

// RemoteAddr implements [net.Conn].
func (c wireConn) RemoteAddr() net.Addr { return c.visitor }
