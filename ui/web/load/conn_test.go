package load

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func dialed(t testing.TB, addr string) *conn {
	c, err := dial(t.Context(), addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// echo says what it was asked. A long answer goes in chunks.
func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if r.URL.Path == "/gone" {
		w.WriteHeader(http.StatusGone)
	}
	fmt.Fprintf(w, "%s %s %s %s %s", r.Method, r.RequestURI, r.Header.Get("Authorization"), r.Header.Get("Content-Type"), body)
	if r.URL.Path == "/long" {
		http.NewResponseController(w).Flush()
		io.WriteString(w, strings.Repeat(" and so on", 1000))
	}
}

// TestAsk asks a real server one thing after another on one connection.
func TestAsk(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(echo))
	defer web.Close()
	c := dialed(t, web.Listener.Addr().String())
	tests := []struct {
		method, path, token, body string
		status                    int
		want                      string
	}{
		{"GET", "/a?b=c", "", "", 200, "GET /a?b=c   "},
		{"POST", "/a", "t", `{"x":1}`, 200, `POST /a Bearer t application/json {"x":1}`},
		{"POST", "/long", "t", "{}", 200, "POST /long Bearer t application/json {}" + strings.Repeat(" and so on", 1000)},
		{"GET", "/gone", "", "", 410, "GET /gone   "},
		{"POST", "/a", "", "{}", 200, "POST /a  application/json {}"},
	}
	for _, tt := range tests {
		status, got, err := c.ask(time.Minute, tt.method, tt.path, tt.token, []byte(tt.body))
		if status != tt.status || string(got) != tt.want || err != nil {
			t.Errorf("%s %s: %d %q, %v; want %d %q", tt.method, tt.path, status, got, err, tt.status, tt.want)
		}
	}
}

// blurt starts a server that says the same to every connection, whatever it is asked, and then
// waits or hangs up.
func blurt(t testing.TB, text string, waits bool) (addr string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = bufio.NewReader(c).ReadString('\n') // whatever it is
			io.WriteString(c, text)
			if waits {
				t.Cleanup(func() { c.Close() })
			} else {
				c.Close()
			}
		}
	}()
	return l.Addr().String()
}

func TestAskRefuses(t *testing.T) {
	tests := []struct{ said, want string }{
		{"", "unexpected EOF"},
		{"HTTP/1.1 200 OK\r\n", "unexpected EOF"},
		{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", "unexpected EOF"},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", "unexpected EOF"},
		{"HTTP/1.0 200 OK\r\n\r\n", "closes the connection"},
		{"SSH-2.0\r\n\r\n", "malformed HTTP response"},
		{"HTTP/1.1 \r\n\r\n", "malformed HTTP status code"},
		{"HTTP/1.1 abc\r\n\r\n", "malformed HTTP status code"},
		{"HTTP/1.1 200 OK\r\nabc\r\n\r\n", "malformed MIME header"},
		{"HTTP/1.1 200 OK\r\n\r\n", "closes the connection"},
		{"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "bad Content-Length"},
		{"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n", "unexpected EOF"},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "unsupported transfer encoding"},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n", "unexpected EOF"},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", "invalid byte in chunk length"},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100001\r\n" + strings.Repeat("x", 1<<20+1), "more than 1048576 bytes"},
		{"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", "closes the connection"},
	}
	for _, tt := range tests {
		_, _, err := dialed(t, blurt(t, tt.said, false)).ask(time.Minute, "GET", "/", "", nil)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "%!") {
			t.Errorf("%.60q: %v, want %s", tt.said, err, tt.want)
		}
	}
	_, _, err := dialed(t, blurt(t, "HTTP/1.1 200", true)).ask(10*time.Millisecond, "GET", "/", "", nil)
	if kindOf(err) != Silence {
		t.Errorf("half an answer: %v", err)
	}
}

// TestStream reads a stream as it may come: in pieces, with comments.
func TestStream(t *testing.T) {
	const first = "id: 1\nevent: opened\ndata: {\"seq\":1,\"kind\":\"opened\"}\n\n"
	const second = "id: 2\nevent: moved\ndata: {\"seq\":2,\"kind\":\"moved\",\"move\":\"7a\"}\n\n"
	tests := []struct {
		text string
		want string // the events, and how the stream ends
	}{
		{first + second, "1 opened, 2 moved 7a, unexpected EOF"},
		{"retry: 2000\n\n: ping\n\n" + first + ":\n\n:ping\n\n: a: b\n\n" + second, "1 opened, 2 moved 7a, unexpected EOF"},
		{first + "event: bye\ndata: {}\n\n", "1 opened, the server said bye"},
		{first + "event: bye\n\n", "1 opened, the server said bye"},
		{first + strings.TrimSuffix(second, "\n"), "1 opened, unexpected EOF"},
		{first + "id: x\n", `1 opened, line "id: x\n" of a stream: strconv.Atoi: parsing "x": invalid syntax`},
		{"shape: round\n\n", `line "shape: round\n" of a stream: no such field`},
		{"data\n\n", `line "data\n" of a stream: unexpected end of JSON input`},
		{strings.Replace(first, "id: 1", "id: 2", 1), "event 2 opened has the data of 1 opened"},
		{strings.Replace(first, "event: opened", "event: began", 1), "event 1 began has the data of 1 opened"},
	}
	for _, tt := range tests {
		for _, piece := range []int{1, 7, 1000} {
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
				for text := tt.text; text != ""; {
					n := min(piece, len(text))
					io.WriteString(w, text[:n])
					http.NewResponseController(w).Flush()
					text = text[n:]
				}
			}))
			if got := follow(t.Context(), web.Listener.Addr().String()); got != tt.want {
				t.Errorf("%q in pieces of %d: %s, want %s", tt.text, piece, got, tt.want)
			}
			web.Close()
		}
	}
}

// follow reads a stream to its end and returns what it read.
func follow(ctx context.Context, addr string) string {
	s, err := openStream(ctx, addr, time.Minute, "", "")
	if err != nil {
		return err.Error()
	}
	defer s.conn.Close()
	var told []string
	for {
		e, err := s.next(time.Minute)
		if err != nil {
			return strings.Join(append(told, err.Error()), ", ")
		}
		told = append(told, strings.TrimSpace(fmt.Sprint(e.Seq, " ", e.Kind, " ", e.Move)))
	}
}

func TestKinds(t *testing.T) {
	refusedDial := func() error {
		_, err := dial(t.Context(), "127.0.0.1:1")
		return err
	}
	tests := []struct {
		err  error
		want string
	}{
		{fmt.Errorf("a: %w", faultf(Gap, "b")), Gap},
		{refused(500, []byte(`{"error":"broken"}`)), "status 500"},
		{refused(404, []byte("not found")), "status 404"},
		{fmt.Errorf("a: %w", io.ErrUnexpectedEOF), Closed},
		{errBye, Closed},
		{refusedDial(), Closed},
		{errors.New("what"), Garbled},
	}
	var b faultCounts
	for _, tt := range tests {
		if got := kindOf(tt.err); got != tt.want {
			t.Errorf("%v is of the kind %q, want %q", tt.err, got, tt.want)
		}
		b.add(tt.err)
	}
	var got []string
	for _, e := range b.list() {
		got = append(got, fmt.Sprint(e.Count, " ", e.Kind, ": ", e.First))
	}
	want := "3 closed: a: unexpected EOF|1 gap: a: b|1 garbled: what|1 status 404: \"not found\"|1 status 500: broken"
	if strings.Join(got, "|") != want {
		t.Errorf("got %s\nwant %s", strings.Join(got, "|"), want)
	}
}
