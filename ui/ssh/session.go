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
	mostWidth    = 160
	mostHeight   = 50
)

// requests are those that a client may send, besides those of a new size.
var requests = []string{"pty-req", "env", "shell", "exec"}

// sizesKey is the key of a connection's channel of new terminal sizes.
type sizesKey struct{}

// openSession opens the session of a connection. There is no second one.
func openSession(
	server *ssh.Server, c *gossh.ServerConn, channel gossh.NewChannel, ctx ssh.Context,
) {
	ctx.Lock()
	second := ctx.Value(sizesKey{}) != nil
	sizes := make(chan tea.WindowSizeMsg, 1)
	if !second {
		ctx.SetValue(sizesKey{}, sizes)
	}
	ctx.Unlock()
	if second {
		_ = channel.Reject(gossh.ResourceShortage, "one session per connection")
		return
	}
	ssh.DefaultSessionHandler(server, c, filteredChannel{channel, sizes}, ctx)
}

// A filteredChannel is a session that gets only the requests of a terminal. The library would
// accept agents, and any number of variables and signals. A new size never waits, since the client
// is not read meanwhile: it replaces one that is not drawn yet.
type filteredChannel struct {
	gossh.NewChannel
	sizes chan tea.WindowSizeMsg
}

func (f filteredChannel) Accept() (gossh.Channel, <-chan *gossh.Request, error) {
	channel, all, err := f.NewChannel.Accept()
	passed := make(chan *gossh.Request)
	if err != nil {
		return nil, nil, err
	}
	go func() {
		defer close(passed)
		defer close(f.sizes)
		n := 0
		for r := range all {
			var window struct{ Columns, Rows, Width, Height uint32 }
			switch {
			case r.Type == "window-change" && gossh.Unmarshal(r.Payload, &window) == nil:
				select {
				case <-f.sizes:
				default:
				}
				f.sizes <- sized(int(window.Columns), int(window.Rows))
			case slices.Contains(requests, r.Type) && len(r.Payload) < mostText && n < mostRequests:
				n++
				passed <- r
				continue
			}
			_ = r.Reply(false, nil) // no client waits for an answer to a new size
		}
	}()
	return channel, passed, nil
}

// sized returns a size that can be drawn: 80×24 for a terminal that reports none.
func sized(width, height int) tea.WindowSizeMsg {
	if width <= 0 || height <= 0 {
		width, height = 80, 24
	}
	return tea.WindowSizeMsg{Width: min(width, mostWidth), Height: min(height, mostHeight)}
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
