package load

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"strconv"
	"time"
)

// A conn is one connection to the server. It speaks as much HTTP/1.1 as the players need, one request after another, and refuses
// whatever else it meets: the players share their processors with the server, and http.Client takes three times as long.
type conn struct {
	net.Conn
	addr   string
	forget func() bool
	in     *bufio.Reader
	out    []byte // the last request
	body   []byte // of the last answer
}

const (
	mostHead = 64      // header lines of an answer
	mostBody = 1 << 20 // bytes of an answer
)

// dial connects to the server until ctx is done or the connection is closed.
func dial(ctx context.Context, addr string) (*conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, addr: addr, forget: context.AfterFunc(ctx, func() { c.Close() }), in: bufio.NewReaderSize(c, 2048)}, nil
}

// Close ends the connection.
func (c *conn) Close() error {
	c.forget()
	return c.Conn.Close()
}

// ask sends a request and returns the answer, whose body is good until the next one. A token may be empty, and so may a body.
func (c *conn) ask(patience time.Duration, method, path, token string, body []byte) (status int, answer []byte, err error) {
	if err := c.send(patience, method, path, token, body); err != nil {
		return 0, nil, err
	}
	h, err := c.head()
	if err != nil {
		return 0, nil, err
	}
	if h.closes {
		return 0, nil, errors.New("the server closes the connection after its answer")
	}
	answer, err = c.rest(h)
	return h.status, answer, err
}

// send writes a request in one piece, for which, and for the answer, there is so much time.
func (c *conn) send(patience time.Duration, method, path, token string, body []byte) error {
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	b := append(c.out[:0], method...)
	b = append(append(b, ' '), path...)
	b = append(append(b, " HTTP/1.1\r\nHost: "...), c.addr...)
	if token != "" {
		b = append(append(b, "\r\nAuthorization: Bearer "...), token...)
	}
	if len(body) > 0 {
		b = append(b, "\r\nContent-Type: application/json\r\nContent-Length: "...)
		b = strconv.AppendInt(b, int64(len(body)), 10)
	}
	b = append(b, "\r\n\r\n"...)
	b = append(b, body...)
	c.out = b
	_, err := c.Write(b)
	return err
}

// A head is what comes before the body of an answer.
type head struct {
	status  int
	length  int // of the body; -1: not told
	chunked bool
	stream  bool // whether the body is a stream of events
	closes  bool
}

func (c *conn) head() (head, error) {
	h := head{length: -1}
	line, err := c.line()
	if err != nil {
		return h, err
	}
	text, ok := bytes.CutPrefix(line, []byte("HTTP/1.1 "))
	if !ok || len(text) < 3 {
		return h, fmt.Errorf("%.40q is no line of status", line)
	}
	if h.status, err = strconv.Atoi(string(text[:3])); err != nil || h.status < 200 {
		return h, fmt.Errorf("%.40q is no status of an answer", line)
	}
	for range mostHead {
		if line, err = c.line(); err != nil {
			return h, err
		}
		if len(line) == 0 {
			return h, nil
		}
		if err := h.take(line); err != nil {
			return h, err
		}
	}
	return h, fmt.Errorf("an answer with more than %d header lines", mostHead)
}

// take reads a header line.
func (h *head) take(line []byte) (err error) {
	name, value, ok := bytes.Cut(line, []byte(":"))
	if !ok {
		return fmt.Errorf("%.40q is no header line", line)
	}
	value = bytes.TrimSpace(value)
	switch {
	case bytes.EqualFold(name, []byte("Content-Length")):
		if h.length, err = strconv.Atoi(string(value)); err != nil || h.length < 0 || h.length > mostBody {
			return fmt.Errorf("an answer of %.20q bytes", value)
		}
	case bytes.EqualFold(name, []byte("Transfer-Encoding")):
		if h.chunked = string(value) == "chunked"; !h.chunked {
			return fmt.Errorf("an answer in the encoding %.20q", value)
		}
	case bytes.EqualFold(name, []byte("Content-Type")):
		h.stream = bytes.HasPrefix(value, []byte("text/event-stream"))
	case bytes.EqualFold(name, []byte("Connection")):
		h.closes = bytes.EqualFold(value, []byte("close"))
	}
	return nil
}

// line reads a line of a head without its end, good until the next read.
func (c *conn) line() ([]byte, error) {
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return nil, noEnd(err)
	}
	line, ok := bytes.CutSuffix(line, []byte("\r\n"))
	if !ok {
		return nil, fmt.Errorf("%.40q does not end with CR LF", line)
	}
	return line, nil
}

// rest reads the body of an answer.
func (c *conn) rest(h head) ([]byte, error) {
	switch {
	case h.chunked:
		body := bytes.NewBuffer(c.body[:0])
		_, err := body.ReadFrom(io.LimitReader(httputil.NewChunkedReader(c.in), mostBody+1))
		if c.body = body.Bytes(); err != nil {
			return nil, noEnd(err)
		}
		if len(c.body) > mostBody {
			return nil, fmt.Errorf("an answer of more than %d bytes", mostBody)
		}
		end, err := c.line()
		if err != nil {
			return nil, err
		}
		if len(end) > 0 {
			return nil, fmt.Errorf("%.40q after the last chunk", end)
		}
		return c.body, nil
	case h.length >= 0:
		if cap(c.body) < h.length {
			c.body = make([]byte, h.length)
		}
		c.body = c.body[:h.length]
		_, err := io.ReadFull(c.in, c.body)
		return c.body, noEnd(err)
	default:
		return nil, errors.New("an answer that does not tell its length")
	}
}

// noEnd makes the end of a connection an error that nobody takes for the end of a text.
func noEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
