package web

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// waits returns how many connections wait in the lot.
func (l *Lot) waits() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.parked)
}

// parking starts a server in memory that answers with what it was asked, and whose idle connections wait in a lot.
func parking(t *testing.T) (*Lot, *http.Server, *pipes) {
	lot, network := NewLot(time.Second, time.Minute), newPipes()
	server := &http.Server{ConnState: lot.ConnState, IdleTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %s.", r.Method, r.URL.Path, body)
	})}
	go func() { _ = server.Serve(lot.Of(network)) }() // until it is closed
	go func() { _ = server.Serve(lot) }()
	t.Cleanup(func() { server.Close() })
	return lot, server, network
}

// dialLot connects, and returns how to say something in pieces, and hear the answer to its end.
func dialLot(t *testing.T, network *pipes) (c net.Conn, say func(want string, pieces ...string)) {
	c, err := network.dial(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, func(want string, pieces ...string) {
		t.Helper()
		go func() {
			for _, piece := range pieces {
				_, _ = io.WriteString(c, piece) // what is not taken is not answered
			}
		}()
		var got strings.Builder
		for b := make([]byte, 4096); !strings.HasSuffix(got.String(), "."); {
			n, err := c.Read(b)
			if got.Write(b[:n]); err != nil {
				t.Fatalf("%q: %v after %q", pieces, err, got.String())
			}
		}
		if !strings.HasSuffix(got.String(), "\r\n\r\n"+want) {
			t.Errorf("%q is answered %q, want %q", pieces, got.String(), want)
		}
	}
}

// TestLot asks on one connection again and again, in one piece and byte by byte, at once, after a while and after a long time.
func TestLot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lot, _, network := parking(t)
		_, say := dialLot(t, network)
		for i, pause := range []time.Duration{0, 900 * time.Millisecond, 1100 * time.Millisecond, 50 * time.Second, 0, time.Second, 59 * time.Second, 2 * time.Second} {
			time.Sleep(pause)
			synctest.Wait()
			if want := min(1, int(pause/time.Second)); i > 0 && lot.waits() != want {
				t.Errorf("after %v %d connections wait, want %d", pause, lot.waits(), want)
			}
			request := fmt.Sprintf("POST /%d HTTP/1.1\r\nHost: duel.example\r\nContent-Length: 3\r\n\r\nabc", i)
			if i%2 == 0 {
				say(fmt.Sprintf("POST /%d abc.", i), request)
			} else {
				say(fmt.Sprintf("POST /%d abc.", i), strings.Split(request, "")...)
			}
		}
		if synctest.Wait(); lot.waits() != 0 {
			t.Errorf("%d connections wait, want none", lot.waits())
		}
	})
}

// TestLotCloses holds that a connection in the lot is closed when nothing is asked for long, when its client goes, and when the server stops,
// which does not wait for it.
func TestLotCloses(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, s *http.Server, c net.Conn) time.Duration{
		"idle": func(*testing.T, *http.Server, net.Conn) time.Duration { return time.Minute },
		"client": func(_ *testing.T, _ *http.Server, c net.Conn) time.Duration {
			c.Close()
			return 0
		},
		"server": func(t *testing.T, s *http.Server, _ net.Conn) time.Duration {
			if err := s.Shutdown(context.Background()); err != nil {
				t.Error(err)
			}
			return 0
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				lot, server, network := parking(t)
				c, say := dialLot(t, network)
				say("GET / .", "GET / HTTP/1.1\r\nHost: duel.example\r\n\r\n")
				time.Sleep(time.Second)
				synctest.Wait()
				if lot.waits() != 1 {
					t.Fatalf("%d connections wait, want 1", lot.waits())
				}
				start := time.Now()
				want := end(t, server, c)
				if _, err := c.Read(make([]byte, 1)); err == nil || time.Since(start) != want {
					t.Errorf("after %v: %v, want the end after %v", time.Since(start), err, want)
				}
				if synctest.Wait(); lot.waits() != 0 {
					t.Errorf("%d connections wait, want none", lot.waits())
				}
			})
		})
	}
}
