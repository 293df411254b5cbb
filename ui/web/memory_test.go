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

// A rawServer is a house that is reached over real connections.
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

// ask sends a request on a new connection, and reads the answer until a text is in it.
func (s *rawServer) ask(method, path, header, body, until string) net.Conn {
	s.t.Helper()
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { c.Close() })
	s.again(c, method, path, header, body, until)
	return c
}

func (s *rawServer) again(c net.Conn, method, path, header, body, until string) {
	s.t.Helper()
	if _, err := fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s", method, path, header, len(body), body); err != nil {
		s.t.Fatal(err)
	}
	s.hear(c, until)
}

// hear reads until a text comes.
func (s *rawServer) hear(c net.Conn, until string) {
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

// inUse returns how many bytes of heap and stacks are in use.
func inUse() int64 {
	for range 4 { // for a stack shrinks by half each time
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}

// TestLiveTableMemory holds what a table with its two players takes, each of whom has a stream open, was told a move, and has another
// connection, on which they asked something before. With garbage of 60 % that is less than 200 KB.
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
					streams[seat] = s.ask("GET", fmt.Sprintf(kind.path, table.id), fmt.Sprintf(kind.header, token), "", "id: 2\n")
				}
				s.ask("GET", "/healthz", "", "", "ok\n")
				s.ask("POST", table.path+"/moves", "Authorization: Bearer "+table.tokens[0]+"\r\n", `{"move":"7a","seq":2}`, `"seq":3`)
				for _, c := range streams {
					s.hear(c, "id: 3\n")
				}
			}
			each := (inUse() - before) / tables
			t.Logf("%d bytes a table", each)
			if each > most {
				t.Errorf("a live table takes %d bytes, want at most %d", each, most)
			}
			if n := s.Streaming(); n != 2*tables {
				t.Errorf("there are %d streams, want %d", n, 2*tables)
			}
		})
	}
}
