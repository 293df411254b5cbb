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
	"log/slog"
	"net"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/ssh"
	"charm.land/wish/v2"
	"github.com/charmbracelet/colorprofile"
	gossh "golang.org/x/crypto/ssh"

	"digitduel/ui/gate"
	"digitduel/ui/tui"
)

// A Config configures a Server.
type Config struct {
	HostKey crypto.Signer
	Most    int           // connections at once; an address may have half of them
	Rate    float64       // new connections a second from one address
	Idle    time.Duration // time without a key after which a session ends
	Log     *slog.Logger
	// Open returns the environment of a visitor's screen, and what it shows first.
	Open func(Visitor) (tui.World, tui.Start)
}

// A Visitor is the user of a session.
type Visitor struct {
	Name    string // the user name; the client may send anything
	Key     string // the fingerprint of the key that authenticated; empty: a guest
	Address net.Addr
	Code    string // the text after the host on the client's command line
	Getenv  func(string) string
}

const (
	handshakeTime = 10 * time.Second
	farewellTime  = 3 * time.Second // after it, a client that does not read is disconnected
	framesPerSec  = 20
)

// The reasons for the end of a session that the user is shown.
var (
	errIdle  = errors.New("you were idle for too long; connect again to continue")
	errStops = errors.New("the server stops; connect again in a moment to continue")
)

// A Server serves sessions.
type Server struct {
	Config
	server *ssh.Server
	ctx    context.Context // done when the server stops
	stop   context.CancelFunc
}

// New returns a server.
func New(c Config) (*Server, error) {
	signer, err := gossh.NewSignerFromSigner(c.HostKey)
	if err != nil {
		return nil, err
	}
	s := &Server{Config: c}
	s.ctx, s.stop = context.WithCancel(context.Background())
	slots := make(chan struct{}, c.Most) // holds a token for each connection
	s.server, err = wish.NewServer(func(server *ssh.Server) error {
		server.AddHostKey(signer)
		server.PublicKeyHandler = func(ssh.Context, ssh.PublicKey) bool { return true }
		// For guests. Clients try it after their keys, unlike the method "none".
		server.KeyboardInteractiveHandler = func(
			ssh.Context, gossh.KeyboardInteractiveChallenge,
		) bool {
			return true
		}
		server.Handler = s.play
		server.ChannelHandlers = map[string]ssh.ChannelHandler{"session": openSession}
		server.HandshakeTimeout, server.IdleTimeout = handshakeTime, c.Idle
		server.ConnCallback = func(_ ssh.Context, conn net.Conn) net.Conn {
			select {
			case slots <- struct{}{}:
				return conn
			default:
				return nil
			}
		}
		server.ConnectionCloseCallback = func(net.Conn) { <-slots }
		return nil
	})
	return s, err
}

// Serve serves connections until the server is closed.
func (s *Server) Serve(l net.Listener) error {
	limits := gate.Limits{Address: s.Rate, ConnectionsOfAddress: max(1, s.Most/2)}
	return s.server.Serve(gate.New(gate.Config{Limits: limits, Now: time.Now}).Accepting(l))
}

// Close ends all sessions with a message, and then closes the connections.
func (s *Server) Close() error {
	s.stop()
	ctx, cancel := context.WithTimeout(context.Background(), 2*farewellTime)
	defer cancel()
	_ = s.server.Shutdown(ctx) // a client may stay without a session
	return s.server.Close()
}

// play runs the full screen for a session.
func (s *Server) play(session ssh.Session) {
	terminal, _, ok := session.Pty()
	if !ok {
		wish.Fatalln(session, "a terminal is needed; use ssh -t")
		return
	}
	ctx, end := context.WithCancelCause(session.Context())
	defer end(nil)
	defer context.AfterFunc(s.ctx, func() { end(errStops) })()
	connection, _ := ctx.Value(ssh.ContextKeyConn).(*gossh.ServerConn)
	context.AfterFunc(ctx, func() {
		time.AfterFunc(farewellTime, func() { connection.Close() })
	})

	environment := append(allowedOf(session.Environ()), "TERM="+terminal.Term)
	v := Visitor{
		Name: session.User(), Address: session.RemoteAddr(), Code: session.RawCommand(),
		Getenv: tea.EnvMsg(environment).Getenv,
	}
	if key := session.PublicKey(); key != nil {
		v.Key = gossh.FingerprintSHA256(key)
	}
	model := tui.New(s.Open(v))
	input := newKeyboard(session, s.Idle, end)
	defer input.idle.Stop()
	size := sized(uint32(terminal.Window.Width), uint32(terminal.Window.Height))
	program := tea.NewProgram(model,
		tea.WithContext(ctx), tea.WithInput(input), tea.WithOutput(session),
		tea.WithEnvironment(environment), tea.WithColorProfile(colorprofile.Env(environment)),
		tea.WithWindowSize(size.Width, size.Height), tea.WithFPS(framesPerSec),
		tea.WithoutSignalHandler())
	sizes, _ := ctx.Value(sizesKey{}).(chan tea.WindowSizeMsg)
	go func() {
		for {
			select {
			case size := <-sizes:
				program.Send(size)
			case <-ctx.Done():
				return
			}
		}
	}()
	_, err := program.Run()
	if err = errors.Join(err, model.Close()); err != nil && ctx.Err() == nil {
		s.Log.Error("an ssh session failed", "error", err)
	}
	if why := context.Cause(ctx); why == errIdle || why == errStops {
		wish.Println(session, why)
	}
}
