package ssh

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	gossh "golang.org/x/crypto/ssh"

	"digitduel/coach"
	"digitduel/ui/tui"
)

// TestIdle ends a session in which no key is pressed, restores the terminal, and says why. The
// variables of the screen are those that the client may set.
func TestIdle(t *testing.T) {
	visitors := make(chan Visitor, 1)
	s, err := New(Config{
		HostKey: ed25519.NewKeyFromSeed(make([]byte, 32)), Most: 2, Idle: 300 * time.Millisecond,
		Log: slog.New(slog.DiscardHandler),
		Open: func(v Visitor) (tui.World, tui.Start) {
			visitors <- v
			return tui.World{
				Load:   func() ([]byte, error) { return nil, nil },
				Save:   func([]byte) error { return nil },
				Streak: func() (coach.Diary, error) { return coach.Diary{}, nil },
				Tables: func() ([]tui.Unfinished, error) { return nil, nil },
				Servers: &tui.Servers{
					Seats: func() ([]tui.Seat, error) { return nil, nil },
					List: func(context.Context, string) (string, []tui.Listed, error) {
						return "http://lobby", nil, nil
					},
				},
				Now: time.Now, Tick: tea.Tick, Getenv: v.Getenv,
			}, tui.Start{Server: "http://lobby"}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go s.Serve(l) //nolint:errcheck // until it is closed
	defer s.Close()
	guest := gossh.KeyboardInteractive(
		func(_, _ string, _ []string, _ []bool) ([]string, error) { return nil, nil })
	c, err := gossh.Dial("tcp", l.Addr().String(), &gossh.ClientConfig{
		User: "ada", Auth: []gossh.AuthMethod{guest},
		HostKeyCallback: gossh.InsecureIgnoreHostKey(),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	session, err := c.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"LANG": "de_DE.UTF-8", "TMUX": "/tmp/socket", "PATH": "/",
	} {
		if err := session.Setenv(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := session.RequestPty("xterm", 24, 80, nil); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	session.Stdout = &out
	if _, err := session.StdinPipe(); err != nil { // which stays open
		t.Fatal(err)
	}
	if err := session.Shell(); err != nil {
		t.Fatal(err)
	}
	v := <-visitors
	for name, want := range map[string]string{
		"LANG": "de_DE.UTF-8", "TERM": "xterm", "TMUX": "", "PATH": "", "HOME": "",
	} {
		if got := v.Getenv(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if v.Name != "ada" || v.Key != "" {
		t.Errorf("the visitor is %+v", v)
	}
	if err := session.Wait(); err != nil {
		t.Errorf("it ends with %v", err)
	}
	_, end, _ := strings.Cut(out.String(), "\x1b[?1049l")
	if !strings.Contains(end, "you were idle for too long") {
		t.Errorf("it ends with %q", end)
	}
}

// TestSizes draws only what fits into memory.
func TestSizes(t *testing.T) {
	for got, want := range map[tea.WindowSizeMsg]tea.WindowSizeMsg{
		sized(0, 24):          {Width: 80, Height: 24},
		sized(60, 20):         {Width: 60, Height: 20},
		sized(1<<31, 1<<32-1): {Width: mostWidth, Height: mostHeight},
	} {
		if got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

// TestKeyboard ends a session when its input ends, and takes no more than a limit.
func TestKeyboard(t *testing.T) {
	ended := make(chan error, 2)
	k := newKeyboard(strings.NewReader("7a"), time.Hour, func(err error) { ended <- err })
	if text, err := io.ReadAll(k); string(text) != "7a" || err != nil || <-ended != io.EOF {
		t.Errorf("%q %v", text, err)
	}
}
