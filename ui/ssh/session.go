package ssh

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	gossh "golang.org/x/crypto/ssh"
)

// Limits of a session.
const (
	mostInput    = 4 << 20              // bytes; a paste is held in memory until it ends
	timePerByte  = 2 * time.Millisecond // of input, since every key draws the screen
	mostText     = 1000                 // bytes of a request
	mostRequests = 50
	mostWidth    = 400
	mostHeight   = 150
)

// A client may send these requests, and set these variables.
var (
	requests  = []string{"pty-req", "env", "shell", "exec"}
	variables = []string{"COLORTERM", "LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR"}
)

// allowedOf returns the lines of an environment that a client may set.
func allowedOf(environment []string) []string {
	return slices.DeleteFunc(environment, func(line string) bool {
		name, _, _ := strings.Cut(line, "=")
		return !slices.Contains(variables, name)
	})
}

// sizesKey is the key of a connection's channel of new terminal sizes.
type sizesKey struct{}

// openSession opens the session of a connection. There is no second one.
func openSession(
	server *ssh.Server, c *gossh.ServerConn, channel gossh.NewChannel, ctx ssh.Context,
) {
	sizes := make(chan tea.WindowSizeMsg, 1)
	ctx.Lock()
	second := ctx.Value(sizesKey{}) != nil
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
// accept agents, and any number of variables and signals.
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
		n := 0
		for r := range all {
			switch {
			case r.Type == "window-change":
				f.resize(r.Payload)
			case slices.Contains(requests, r.Type) && len(r.Payload) < mostText && n < mostRequests:
				n++
				passed <- r
				continue
			}
			_ = r.Reply(r.Type == "window-change", nil) // the client may be gone
		}
	}()
	return channel, passed, nil
}

// resize passes on the size of a window-change request, in place of one that was not read yet.
func (f filteredChannel) resize(payload []byte) {
	var window struct{ Columns, Rows, Width, Height uint32 }
	if gossh.Unmarshal(payload, &window) != nil {
		return
	}
	select {
	case <-f.sizes:
	default:
	}
	f.sizes <- sized(window.Columns, window.Rows)
}

// sized returns a size that can be drawn: 80×24 for a terminal that reports none.
func sized(width, height uint32) tea.WindowSizeMsg {
	if width == 0 || height == 0 {
		width, height = 80, 24
	}
	width, height = min(width, mostWidth), min(height, mostHeight)
	return tea.WindowSizeMsg{Width: int(width), Height: int(height)}
}

// A keyboard is the input of a session. It ends the session after a time without input and when
// the client closes it, and slows down clients that send more than people type.
type keyboard struct {
	io.Reader
	patience time.Duration
	idle     *time.Timer
	owed     time.Duration // to wait before the next read
	end      context.CancelCauseFunc
}

func newKeyboard(r io.Reader, patience time.Duration, end context.CancelCauseFunc) *keyboard {
	return &keyboard{
		Reader: io.LimitReader(r, mostInput), patience: patience, end: end,
		idle: time.AfterFunc(patience, func() { end(errIdle) }),
	}
}

func (k *keyboard) Read(p []byte) (int, error) {
	time.Sleep(k.owed)
	n, err := k.Reader.Read(p)
	k.owed = time.Duration(n) * timePerByte
	if k.idle.Reset(k.patience); err != nil {
		k.end(err)
	}
	return n, err
}
