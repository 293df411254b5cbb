package load

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// A conn is one connection to the server, for one request after another. Unlike an [http.Client] it
// gives each player a separate connection with known errors and time limits.
type conn struct {
	net.Conn
	addr   string
	forget func() bool
	in     *bufio.Reader
}

// mostBody is the number of bytes that an answer may have.
const mostBody = 1 << 20

// dial connects to the server until ctx is done or the connection is closed.
func dial(ctx context.Context, addr string) (*conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return &conn{
		Conn: c, addr: addr, forget: context.AfterFunc(ctx, func() { c.Close() }),
		in: bufio.NewReaderSize(c, 2048),
	}, nil
}

// Close ends the connection.
func (c *conn) Close() error {
	c.forget()
	return c.Conn.Close()
}

// ask sends a request and returns the answer. Token and body may be empty.
func (c *conn) ask(
	patience time.Duration, method, path, token string, body []byte,
) (status int, answer []byte, err error) {
	r, err := c.send(patience, method, path, token, body) //nolint:bodyclose // rest reads it
	if err != nil {
		return 0, nil, err
	}
	if r.Close {
		return 0, nil, errors.New("the server closes the connection after its answer")
	}
	answer, err = rest(r)
	return r.StatusCode, answer, err
}

// call sends a request, and decodes the JSON of an answer with the wanted status unless out is nil.
func (c *conn) call(
	patience time.Duration, method, path, token string, body []byte, want int, out any,
) error {
	status, answer, err := c.ask(patience, method, path, token, body)
	switch {
	case err != nil:
		return err
	case status != want:
		return refused(status, answer)
	case out == nil:
		return nil
	}
	return json.Unmarshal(answer, out)
}

// send sends a request and returns the answer with its body unread. The request, the answer and its
// body must take no longer than patience.
func (c *conn) send(
	patience time.Duration, method, path, token string, body []byte,
) (*http.Response, error) {
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	r, err := http.NewRequest(method, "http://"+c.addr+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	if len(body) > 0 {
		r.Header.Set("Content-Type", "application/json")
	}
	if err := r.Write(c); err != nil {
		return nil, err
	}
	answer, err := http.ReadResponse(c.in, r)
	return answer, unexpectedEOF(err)
}

// rest reads the body of an answer.
func rest(r *http.Response) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, mostBody+1))
	if err == nil && len(body) > mostBody {
		err = fmt.Errorf("an answer of more than %d bytes", mostBody)
	}
	return body, unexpectedEOF(err)
}

// unexpectedEOF turns the end of a connection into an error that differs from the end of a text.
func unexpectedEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
