package ssh

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	gossh "golang.org/x/crypto/ssh"

	"digitduel/coach"
	"digitduel/ui/tui"
)

const testIdle = 10 * time.Minute

// serve serves an empty lobby, and returns functions that connect to it and stop it.
func serve(
	t *testing.T, visitors chan<- Visitor, idle time.Duration,
) (dial func() *bufferedConn, end func() error) {
	t.Helper()
	wire := NewWire()
	end, err := Serve(&closedOnce{wire, sync.OnceValue(wire.Close)}, Config{
		HostKey: ed25519.NewKeyFromSeed(make([]byte, 32)), Most: 2, Idle: idle,
		Log: slog.New(slog.DiscardHandler),
		Open: func(v Visitor) (tui.World, tui.Start, func() string) {
			visitors <- v
			return tui.World{
				Load:   func() ([]byte, error) { return nil, nil },
				Save:   func([]byte) error { return nil },
				Streak: func() (coach.Diary, error) { return coach.Diary{}, nil },
				Tables: func() ([]tui.Unfinished, error) { return nil, nil },
				Servers: &tui.Servers{
					Seats: func() ([]tui.SavedSeat, error) { return nil, nil },
					List: func(context.Context, string) (string, []tui.ListedTable, error) {
						return "http://lobby", nil, nil
					},
				},
				Now: time.Now, Tick: tea.Tick, Getenv: v.Getenv,
			}, tui.Start{Server: "http://lobby"}, func() string { return "farewell\n" }
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	dial = func() *bufferedConn {
		t.Helper()
		c, err := wire.Transport(&net.TCPAddr{}).DialContext(t.Context(), "tcp", "lobby")
		if err != nil {
			t.Fatal(err)
		}
		b := &bufferedConn{Conn: c, written: make(chan []byte, 1000), closed: make(chan struct{})}
		b.paused, b.refused = make(chan struct{}, 1), make(chan struct{})
		go b.send()
		return b
	}
	return dial, end
}

// A closedOnce is a Wire that may be closed twice.
type closedOnce struct {
	Wire
	close func() error
}

func (c closedOnce) Close() error { return c.close() }

// A bufferedConn writes without waiting for the reader, unlike a pipe.
type bufferedConn struct {
	net.Conn
	written chan []byte
	closed  chan struct{} // closed when a read fails
	refused chan struct{} // closed when a write fails
	paused  chan struct{} // full while reading is paused
}

// send sends the written bytes until the connection is closed.
func (c *bufferedConn) send() {
	for {
		select {
		case b := <-c.written:
			if _, err := c.Conn.Write(b); err != nil {
				close(c.refused)
				return
			}
		case <-c.closed:
			return
		}
	}
}

func (c *bufferedConn) Write(b []byte) (int, error) {
	select {
	case c.written <- bytes.Clone(b):
		return len(b), nil
	case <-c.closed:
		return 0, net.ErrClosed
	case <-c.refused:
		return 0, net.ErrClosed
	}
}

func (c *bufferedConn) pause()  { c.paused <- struct{}{} }
func (c *bufferedConn) resume() { <-c.paused }

func (c *bufferedConn) Read(b []byte) (int, error) {
	c.paused <- struct{}{}
	<-c.paused
	n, err := c.Conn.Read(b)
	if err != nil {
		close(c.closed)
	}
	return n, err
}

// login authenticates a guest.
func login(t *testing.T, conn net.Conn) *gossh.Client {
	t.Helper()
	guest := gossh.KeyboardInteractive(
		func(_, _ string, _ []string, _ []bool) ([]string, error) { return nil, nil })
	c, channels, requests, err := gossh.NewClientConn(conn, "lobby", &gossh.ClientConfig{
		User: "ada", Auth: []gossh.AuthMethod{guest},
		HostKeyCallback: gossh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return gossh.NewClient(c, channels, requests)
}

// TestIdle checks that a session without key presses ends, restores the terminal and says why, and
// that the environment is that of the client.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		visitors := make(chan Visitor, 1)
		dial, end := serve(t, visitors, testIdle)
		defer end() //nolint:errcheck // the test is over
		c := login(t, dial())
		defer func() { _ = c.Close() }()
		session, err := c.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{"LANG": "de_DE.UTF-8", "PATH": "/bin"} {
			if err := session.Setenv(name, value); err != nil {
				t.Fatal(err)
			}
		}
		if err := session.RequestPty("xterm", 24, 80, nil); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		session.Stdout = &out
		keys, err := session.StdinPipe() // it stays open
		if err != nil {
			t.Fatal(err)
		}
		if err := session.Shell(); err != nil {
			t.Fatal(err)
		}
		v := <-visitors
		for name, want := range map[string]string{
			"LANG": "de_DE.UTF-8", "TERM": "xterm", "PATH": "/bin", "HOME": "",
		} {
			if got := v.Getenv(name); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		if v.Name != "ada" || v.Key != "" {
			t.Errorf("the visitor is %+v", v)
		}
		time.Sleep(testIdle / 2)
		if _, err := io.WriteString(keys, "j"); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if err := session.Wait(); err != nil {
			t.Errorf("the session ends with %v", err)
		}
		if took := time.Since(began); took < testIdle || took > testIdle+farewellTime {
			t.Errorf("the session ends %v after the last key", took)
		}
		_, last, _ := strings.Cut(out.String(), "you were idle")
		if !strings.Contains(out.String(), "\x1b[?1049l") ||
			last != " for too long; connect again to continue\r\nfarewell\r\n" {
			t.Errorf("the output ends with %q", last)
		}
	})
}

// TestSlow checks that a client that does not read is disconnected, even if its screen is being
// drawn.
func TestSlow(t *testing.T) {
	visitors := make(chan Visitor, 1)
	dial, end := serve(t, visitors, time.Second)
	defer end() //nolint:errcheck // the test is over
	conn := dial()
	session := openTerminal(t, login(t, conn))
	if _, err := session.StdinPipe(); err != nil { // it stays open
		t.Fatal(err)
	}
	if err := session.Shell(); err != nil {
		t.Fatal(err)
	}
	<-visitors
	conn.pause()
	for i := 0; session.WindowChange(20+i%20, 60+i%20) == nil; i++ { // until it is disconnected
		<-time.After(20 * time.Millisecond)
	}
	conn.resume()
}

// TestLate checks that connections that do not start a session are closed.
func TestLate(t *testing.T) {
	for name, begin := range map[string]func(*testing.T, net.Conn){
		"silent":        func(_ *testing.T, c net.Conn) { _, _ = io.Copy(io.Discard, c) },
		"no session":    func(t *testing.T, c net.Conn) { login(t, c) },
		"no shell":      func(t *testing.T, c net.Conn) { openTerminal(t, login(t, c)) },
		"asks to stay":  func(t *testing.T, c net.Conn) { stay(login(t, c)) },
		"ends, remains": func(t *testing.T, c net.Conn) { _ = openTerminal(t, login(t, c)).Run("") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dial, end := serve(t, make(chan Visitor, 1), testIdle)
				defer end() //nolint:errcheck // the test is over
				conn := dial()
				began := time.Now()
				var begun sync.WaitGroup
				begun.Go(func() { begin(t, conn) })
				<-conn.closed
				most := loginTime
				if name == "ends, remains" {
					most = testIdle + farewellTime
				}
				if took := time.Since(began); took > most {
					t.Errorf("the connection is closed after %v, want %v", took, most)
				}
				begun.Wait()
			})
		})
	}
}

// TestHalf checks that an address may have half of all connections: here one of two.
func TestHalf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dial, end := serve(t, make(chan Visitor, 1), testIdle)
		defer end() //nolint:errcheck // the test is over
		// The first connection stays until it is too late to log in.
		for _, most := range []time.Duration{loginTime, 0} {
			conn := dial()
			began := time.Now()
			go func() {
				_, _ = io.Copy(io.Discard, conn)
				if took := time.Since(began); took != most {
					t.Errorf("the connection is closed after %v, want %v", took, most)
				}
			}()
			synctest.Wait()
		}
		time.Sleep(loginTime)
	})
}

// TestReturns checks that a connection that was closed does not count any more.
func TestReturns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dial, end := serve(t, make(chan Visitor, 1), testIdle)
		defer end() //nolint:errcheck // the test is over
		for range 4 {
			if err := login(t, dial()).Close(); err != nil {
				t.Error(err)
			}
			synctest.Wait()
		}
	})
}

// TestRequests checks the limits of the length and number of requests in a session.
func TestRequests(t *testing.T) {
	dial, end := serve(t, make(chan Visitor, 1), testIdle)
	defer end() //nolint:errcheck // the test is over
	session, err := login(t, dial()).NewSession()
	if err != nil {
		t.Fatal(err)
	}
	if session.Setenv("LONG", strings.Repeat("x", mostText)) == nil {
		t.Error("a long text is accepted")
	}
	for i := range mostRequests + 10 {
		if err := session.Setenv("NAME", "x"); (err == nil) != (i < mostRequests) {
			t.Errorf("request %d: %v", i+1, err)
		}
	}
}

// openTerminal opens a session with a terminal, without a shell.
func openTerminal(t *testing.T, c *gossh.Client) *gossh.Session {
	t.Helper()
	session, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	if err := session.RequestPty("xterm", 24, 80, nil); err != nil {
		t.Fatal(err)
	}
	return session
}

// stay sends keep-alive requests until the connection is closed.
func stay(c *gossh.Client) {
	for {
		if _, _, err := c.SendRequest("keepalive@openssh.com", true, nil); err != nil {
			return
		}
		time.Sleep(10 * time.Second)
	}
}

// TestWireCanceled checks that a request that is canceled does not wait for the server.
func TestWireCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := NewWire().Transport(&net.TCPAddr{}).DialContext(ctx, "tcp", "lobby")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was canceled", err)
	}
}

// TestSizes checks that the size of a screen is limited, and 80×24 if it is invalid.
func TestSizes(t *testing.T) {
	for got, want := range map[tea.WindowSizeMsg]tea.WindowSizeMsg{
		sized(0, 24):          {Width: 80, Height: 24},
		sized(80, -1):         {Width: 80, Height: 24},
		sized(60, 20):         {Width: 60, Height: 20},
		sized(1<<30, 1<<31-1): {Width: mostWidth, Height: mostHeight},
	} {
		if got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

// TestKeyboard checks that the session ends when its input ends.
func TestKeyboard(t *testing.T) {
	ended, reads := make(chan error, 2), 0
	k := &keyboard{
		Reader: strings.NewReader("7a"), used: func() { reads++ },
		end: func(err error) { ended <- err },
	}
	text, err := io.ReadAll(k)
	if string(text) != "7a" || err != nil || !errors.Is(<-ended, io.EOF) || reads != 2 {
		t.Errorf("%q %v after %d reads", text, err, reads)
	}
}
