package ssh

import (
	"context"
	"io"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// Limits of a session.
const (
	mostInput    = 1 << 20              // bytes; a paste is held in memory until it ends
	timePerByte  = 2 * time.Millisecond // of input, since every key draws the screen
	timePerSize  = 10 * time.Millisecond
	mostText     = 1000 // bytes of a request
	mostRequests = 50   // besides changes of the size
	mostWidth    = 200
	mostHeight   = 60
)

// requests are those that a client may send.
var requests = []string{"pty-req", "env", "shell", "exec", "window-change"}

// sessionKey is the key of a value that a connection with a session has.
type sessionKey struct{}

// openSession opens the session of a connection. There is no second one.
func openSession(
	server *ssh.Server, c *gossh.ServerConn, channel gossh.NewChannel, ctx ssh.Context,
) {
	ctx.Lock()
	second := ctx.Value(sessionKey{}) != nil
	ctx.SetValue(sessionKey{}, true)
	ctx.Unlock()
	if second {
		_ = channel.Reject(gossh.ResourceShortage, "one session per connection")
		return
	}
	ssh.DefaultSessionHandler(server, c, filteredChannel{channel}, ctx)
}

// A filteredChannel is a session that gets only the requests of a terminal. The library would
// accept agents, and any number of variables and signals.
type filteredChannel struct{ gossh.NewChannel }

func (f filteredChannel) Accept() (gossh.Channel, <-chan *gossh.Request, error) {
	channel, all, err := f.NewChannel.Accept()
	passed := make(chan *gossh.Request)
	if err != nil {
		return nil, nil, err
	}
	go func() {
		defer close(passed)
		n := 0
		for r := range all {
			if r.Type != "window-change" {
				n++
			}
			if slices.Contains(requests, r.Type) && len(r.Payload) < mostText && n <= mostRequests {
				passed <- r
			} else {
				_ = r.Reply(false, nil) // the client may be gone
			}
		}
	}()
	return channel, passed, nil
}

// sized returns a size that can be drawn: 80×24 for a terminal that reports none.
func sized(w ssh.Window) tea.WindowSizeMsg {
	if w.Width <= 0 || w.Height <= 0 {
		return tea.WindowSizeMsg{Width: 80, Height: 24}
	}
	return tea.WindowSizeMsg{Width: min(w.Width, mostWidth), Height: min(w.Height, mostHeight)}
}

// A keyboard is the input of a session. It ends the session when the client closes it, and slows
// down clients that send more than people type.
type keyboard struct {
	io.Reader
	used func() // is called after each read
	end  context.CancelCauseFunc
	owed time.Duration // to wait before the next read
}

func (k *keyboard) Read(p []byte) (int, error) {
	time.Sleep(k.owed)
	n, err := k.Reader.Read(p)
	k.owed = time.Duration(n) * timePerByte
	if k.used(); err != nil {
		k.end(err)
	}
	return n, err
}
