// Package ssh serves the full screen of package tui to SSH clients.
//
// A player is identified by the key that authenticated, and by no other that the client offered. A
// client without a key is a guest. Nothing else of SSH is served: no commands, files, forwarding or
// agents, and one session per connection.
package ssh

import (
	"context"
	"crypto"
	"errors"
	"io"
	"log/slog"
	"net"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	"charm.land/wish/v2"
	"github.com/charmbracelet/colorprofile"
	gossh "golang.org/x/crypto/ssh"

	"digitduel/ui/gate"
	"digitduel/ui/tui"
)

// A Config configures a server.
type Config struct {
	HostKey crypto.Signer
	Most    int           // connections at once; an address may have half of them
	Rate    float64       // new connections a second from one address
	Idle    time.Duration // time without a key after which a session ends
	Log     *slog.Logger
	// Open returns the environment of a visitor's screen, what it shows first, and a function that
	// returns what the visitor should know in the end.
	Open func(Visitor) (tui.World, tui.Start, func() string)
}

// A Visitor is the user of a session.
type Visitor struct {
	Name        string // the user name; the client may send anything
	Key         string // the fingerprint of the key that authenticated; empty: a guest
	Local, From net.Addr
	Code        string // the text after the host on the client's command line
	Getenv      func(string) string
}

const (
	loginTime    = 2 * time.Minute // for the questions of a client, and until its session begins
	farewellTime = 3 * time.Second // after it, a client that does not read is disconnected
	framesPerSec = 20
)

// The reasons for the end of a session that the user is shown.
var (
	errIdle  = errors.New("you were idle for too long; connect again to continue")
	errStops = errors.New("the server stops; connect again in a moment to continue")
)

// A host runs sessions.
type host struct {
	Config
	ctx context.Context // done when the server stops
}

// closingKey is the key of the timer that closes a connection.
type closingKey struct{}

// Serve serves connections until the returned function is called. That ends all sessions with a
// message, and then closes the connections.
func Serve(l net.Listener, c Config) (end func() error, err error) {
	signer, err := gossh.NewSignerFromSigner(c.HostKey)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	slots := make(chan struct{}, c.Most) // holds a token for each connection
	server := &ssh.Server{
		HostSigners:      []ssh.Signer{signer},
		PublicKeyHandler: func(ssh.Context, ssh.PublicKey) bool { return true },
		// For guests. Clients try it after their keys, unlike the method "none".
		KeyboardInteractiveHandler: func(ssh.Context, gossh.KeyboardInteractiveChallenge) bool {
			return true
		},
		Handler:         host{c, ctx}.play,
		ChannelHandlers: map[string]ssh.ChannelHandler{"session": openSession},
		ConnCallback: func(ctx ssh.Context, conn net.Conn) net.Conn {
			select {
			case slots <- struct{}{}:
				ctx.SetValue(closingKey{}, time.AfterFunc(loginTime, func() { conn.Close() }))
				return conn
			default:
				return nil
			}
		},
		ConnectionCloseCallback: func(net.Conn) { <-slots },
	}
	limits := gate.Limits{Address: c.Rate, ConnectionsOfAddress: max(1, c.Most/2)}
	limited := gate.New(gate.Config{Limits: limits, Now: time.Now}).Accepting(l)
	go server.Serve(limited) //nolint:errcheck // until it is closed
	return func() error {
		stop()
		late, cancel := context.WithTimeout(context.Background(), 2*farewellTime)
		defer cancel()
		_ = server.Shutdown(late) // a client may stay without a session
		return server.Close()
	}, nil
}

// play runs the full screen for a session.
func (s host) play(session ssh.Session) {
	closing, _ := session.Context().Value(closingKey{}).(*time.Timer)
	closing.Stop()
	ctx, end := context.WithCancelCause(session.Context())
	defer end(nil)
	defer context.AfterFunc(s.ctx, func() { end(errStops) })()
	context.AfterFunc(ctx, func() { closing.Reset(farewellTime) })
	terminal, _, ok := session.Pty()
	if !ok {
		wish.Fatalln(session, "a terminal is needed; use ssh -t")
		return
	}

	environment := slices.Concat( // later ones count; not all clients send their language
		[]string{"LANG=C.UTF-8"}, session.Environ(), []string{"TERM=" + terminal.Term})
	v := Visitor{
		Name: session.User(), Local: session.LocalAddr(), From: session.RemoteAddr(),
		Code: session.RawCommand(), Getenv: tea.EnvMsg(environment).Getenv,
	}
	if key := session.PublicKey(); key != nil {
		v.Key = gossh.FingerprintSHA256(key)
	}
	world, start, farewell := s.Open(v)
	model := tui.New(world, start)
	idle := time.AfterFunc(s.Idle, func() { end(errIdle) })
	defer idle.Stop()
	input := &keyboard{io.LimitReader(session, mostInput), func() { idle.Reset(s.Idle) }, end, 0}
	size := sized(terminal.Window.Width, terminal.Window.Height)
	program := tea.NewProgram(model,
		tea.WithContext(ctx), tea.WithInput(input), tea.WithOutput(session),
		tea.WithEnvironment(environment), tea.WithColorProfile(colorprofile.Env(environment)),
		tea.WithWindowSize(size.Width, size.Height), tea.WithFPS(framesPerSec),
		tea.WithoutSignalHandler())
	sizes, _ := ctx.Value(sizesKey{}).(chan tea.WindowSizeMsg)
	go func() {
		for size := range sizes {
			program.Send(size)
			time.Sleep(timePerSize)
		}
	}()
	_, err := program.Run()
	if err = errors.Join(err, model.Close()); err != nil && ctx.Err() == nil {
		s.Log.Error("an ssh session failed", "error", err)
	}
	if why := context.Cause(ctx); errors.Is(why, errIdle) || errors.Is(why, errStops) {
		wish.Println(session, why)
	}
	wish.Print(session, farewell())
}
