//go:build !race

package web

import (
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A rawServer is a test server that is reached over real TCP connections.
type rawServer struct {
	*testServer
	addr string
}

func newRawServer(t testing.TB) *rawServer {
	t.Helper()
	h := newTestServer(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: h.Server}
	go func() { _ = server.Serve(listener) }() // until it is closed
	t.Cleanup(func() {
		h.stop()
		server.Close()
	})
	return &rawServer{h, listener.Addr().String()}
}

// connect sends a request on a new connection and reads the answer up to a text.
func (s *rawServer) connect(method, path, header, body, until string) net.Conn {
	s.t.Helper()
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { c.Close() })
	s.request(c, method, path, header, body, until)
	return c
}

// request sends a request on a connection and reads the answer up to a text.
func (s *rawServer) request(c net.Conn, method, path, header, body, until string) {
	s.t.Helper()
	const format = "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" +
		"%sContent-Length: %d\r\n\r\n%s"
	if _, err := fmt.Fprintf(c, format, method, path, header, len(body), body); err != nil {
		s.t.Fatal(err)
	}
	s.readUntil(c, until)
}

// readUntil reads until the input contains a text.
func (s *rawServer) readUntil(c net.Conn, until string) {
	s.t.Helper()
	if err := c.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		s.t.Fatal(err)
	}
	var got strings.Builder
	b := make([]byte, 32<<10)
	for !strings.Contains(got.String(), until) {
		n, err := c.Read(b)
		if got.Write(b[:n]); err != nil {
			s.t.Fatalf("%v after %q, without %q", err, got.String(), until)
		}
	}
}

// inUse returns the bytes of heap and stacks in use.
func inUse() int64 {
	for range 4 { // each collection halves an idle stack
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// TestLiveTableMemory bounds the memory of a table with two players. Each has a stream that has
// sent a move, and another connection that has served a request. With 60 % garbage, that is less
// than 200 KB.
func TestLiveTableMemory(t *testing.T) {
	const tables, most = 200, 120 << 10
	for _, kind := range []struct{ name, path, header string }{
		{"events", "/api/tables/%s/events", "Authorization: Bearer %s\r\n"},
		{"pages", "/t/%s/live", "Cookie: " + seatCookie + "=%s\r\n"},
	} {
		t.Run(kind.name, func(t *testing.T) {
			s := newRawServer(t)
			all := make([]*table, tables)
			for i := range all {
				all[i] = s.open(`{"rules":"dilemma"}`)
			}
			before := inUse()
			for _, table := range all {
				var streams [2]net.Conn
				for seat, token := range table.tokens {
					path := fmt.Sprintf(kind.path, table.id)
					header := fmt.Sprintf(kind.header, token)
					streams[seat] = s.connect("GET", path, header, "", "id: 2\n")
				}
				s.connect("GET", "/healthz", "", "", "ok\n")
				header := "Authorization: Bearer " + table.tokens[0] + "\r\n"
				s.connect("POST", table.path+"/moves", header, `{"move":"7a","seq":2}`, `"seq":3`)
				for _, c := range streams {
					s.readUntil(c, "id: 3\n")
				}
			}
			each := (inUse() - before) / tables
			t.Logf("%d bytes per table", each)
			if each > most {
				t.Errorf("a live table takes %d bytes, want at most %d", each, most)
			}
			if n := s.Streaming(); n != 2*tables {
				t.Errorf("%d streams are open, want %d", n, 2*tables)
			}
		})
	}
}
