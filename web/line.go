package web

import (
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// An outlet is what a stream is written to, in whole messages.
type outlet interface{ send(b []byte) error }

// A relay is an outlet through the HTTP server.
type relay struct {
	w      http.ResponseWriter
	shared bool      // whether other answers go over the same connection, as HTTP/2 has it
	until  time.Time // by when a write has to be done
}

func (o *relay) send(b []byte) error {
	control := http.NewResponseController(o.w)
	if deadline(&o.until) {
		control.SetWriteDeadline(o.until)
	}
	if _, err := o.w.Write(b); err != nil {
		return err
	}
	if err := control.Flush(); err != nil {
		return err
	}
	if o.shared { // where a deadline ends a stream even if nothing is being written
		o.until = time.Time{}
		control.SetWriteDeadline(o.until)
	}
	return nil
}

// deadline gives whoever does not read writeTimeout, and reports whether that is to be set: within two seconds of another write it is
// not, and a little less is given, so that not every write sets a timer.
func deadline(until *time.Time) bool {
	now := time.Now()
	if until.Sub(now) >= writeTimeout-2*time.Second {
		return false
	}
	*until = now.Add(writeTimeout)
	return true
}

// buffers are for what is about to be sent, so that nobody who waits has one.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// putBuffer lets a buffer be used again, unless it has grown too large to lie about.
func putBuffer(buffer *[]byte, b []byte) {
	if cap(b) <= 64<<10 {
		*buffer = b[:0]
	}
	buffers.Put(buffer)
}

// A line is a connection that a stream has to itself. The HTTP server's part of it, with its buffers and a stack on which requests were
// answered, is five times what a stream needs that waits.
type line struct {
	conn  net.Conn
	until time.Time // by when a write has to be done
}

// lines are those of a server.
type lines struct {
	mu      sync.Mutex
	running sync.WaitGroup // grows with the lock, and no more when the server stops
}

// add counts a line, unless the server stops.
func (l *lines) add(stop <-chan struct{}) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-stop:
		return false
	default:
		l.running.Add(1)
		return true
	}
}

// takeOver lets a stream that has begun go on by itself, and reports whether it does: a connection that other
// answers share stays with the HTTP server, and so do those to clients who know no chunks.
func (c *stream) takeOver(w http.ResponseWriter, r *http.Request, more, changed <-chan struct{}) bool {
	lines := &c.server.lines
	if more == nil || r.ProtoMajor != 1 || r.ProtoMinor < 1 || !lines.add(c.server.stop) {
		return false
	}
	conn, _, err := http.NewResponseController(w).Hijack() // what was read beyond the request is not for a stream to answer
	if err != nil {
		lines.running.Done()
		return false
	}
	if g, ok := conn.(*guest); ok {
		conn = g.Conn
	}
	leave := c.leave
	c.leave = func() {} // that is no longer for the handler to do
	c.remain()
	c.out = &line{conn: conn}
	go func() {
		defer lines.running.Done()
		defer leave()
		silent := make(chan struct{})
		go c.heed(conn, silent)
		if c.goOn(more, changed) {
			_, _ = conn.Write([]byte("0\r\n\r\n")) // the end, whether it is heard or not
		}
		conn.Close()
		<-silent
	}()
	return true
}

// heed waits until a client hangs up, or speaks, which nobody does who listens. It is small, for there are many who wait here.
func (c *stream) heed(conn net.Conn, silent chan<- struct{}) {
	_, _ = conn.Read(make([]byte, 1))
	c.cancel()
	close(silent)
}

// send sends a chunk.
func (l *line) send(b []byte) error {
	if deadline(&l.until) {
		if err := l.conn.SetWriteDeadline(l.until); err != nil {
			return err
		}
	}
	buffer := buffers.Get().(*[]byte)
	chunk := strconv.AppendInt(*buffer, int64(len(b)), 16)
	chunk = append(chunk, "\r\n"...)
	chunk = append(chunk, b...)
	chunk = append(chunk, "\r\n"...)
	_, err := l.conn.Write(chunk)
	putBuffer(buffer, chunk)
	return err
}
