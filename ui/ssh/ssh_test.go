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
	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"

	"digitduel/coach"
	"digitduel/ui/tui"
)

// TestIdle ends a session in which no key is pressed, restores the terminal, and says why. The
// variables of the screen are those of the client.
func TestIdle(t *testing.T) {
	visitors := make(chan Visitor, 1)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	end, err := Serve(l, Config{
		HostKey: ed25519.NewKeyFromSeed(make([]byte, 32)), Most: 2, Idle: 300 * time.Millisecond,
		Log: slog.New(slog.DiscardHandler),
		Open: func(v Visitor) (tui.World, tui.Start, func() string) {
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
			}, tui.Start{Server: "http://lobby"}, func() string { return "farewell\n" }
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer end() //nolint:errcheck // the test is over
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
		"LANG": "de_DE.UTF-8", "PATH": "/bin",
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
		"LANG": "de_DE.UTF-8", "TERM": "xterm", "PATH": "/bin", "HOME": "",
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
	last := out.String()[strings.LastIndex(out.String(), "you were idle"):]
	if !strings.HasPrefix(last, "you were idle for too long") ||
		!strings.HasSuffix(last, "\r\nfarewell\r\n") {
		t.Errorf("it ends with %q", last)
	}
}

// TestSizes draws only what fits into memory.
func TestSizes(t *testing.T) {
	for window, want := range map[[2]int]tea.WindowSizeMsg{
		{0, 24}:              {Width: 80, Height: 24},
		{80, -1}:             {Width: 80, Height: 24},
		{60, 20}:             {Width: 60, Height: 20},
		{1 << 30, 1<<31 - 1}: {Width: mostWidth, Height: mostHeight},
	} {
		if got := sized(ssh.Window{Width: window[0], Height: window[1]}); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

// TestKeyboard ends a session when its input ends.
func TestKeyboard(t *testing.T) {
	ended, reads := make(chan error, 2), 0
	k := &keyboard{
		Reader: strings.NewReader("7a"), used: func() { reads++ },
		end: func(err error) { ended <- err },
	}
	text, err := io.ReadAll(k)
	if string(text) != "7a" || err != nil || <-ended != io.EOF || reads != 2 {
		t.Errorf("%q %v after %d reads", text, err, reads)
	}
}
