package main

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/match/remote"
	"digitduel/solve"
	"digitduel/store"
	"digitduel/ui/gate"
	"digitduel/ui/ssh"
	"digitduel/ui/tui"
)

// sshIdle is the time without a key after which a session over SSH ends.
const sshIdle = 10 * time.Minute

// An sshHost opens the screens of visitors over SSH. They use the API of the server as programs on
// other machines do, under the same limits.
type sshHost struct {
	serveConfig
	pages   net.TCPAddr // of the server
	db      *store.DB
	limiter *gate.Gate
	wire    ssh.Wire // to the server
}

// listen serves terminals until the returned function is called. The key of the host follows from
// the secret of the database, so that all of its servers have the same one.
func (h sshHost) listen(secret []byte, log *slog.Logger) (end func() error, err error) {
	if h.sshAddr == "" {
		return func() error { return nil }, nil
	}
	seed, err := hkdf.Key(sha256.New, secret, nil, "ssh host key", ed25519.SeedSize)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", h.sshAddr)
	if err != nil {
		return nil, err
	}
	for _, address := range reachableAt(listener.Addr()) {
		log.Info("listening on ssh://" + address)
	}
	return ssh.Serve(loggedListener{listener, log}, ssh.Config{
		HostKey: ed25519.NewKeyFromSeed(seed), Most: h.maxSSH, Rate: h.limits.Address,
		Idle: sshIdle, Log: log, Open: h.open,
	})
}

// open returns the environment of a visitor, whose screen begins with the tables of the server or
// with the one of a code: its name or link, or the path of a link. In the end, a guest is shown the
// code of the last seat.
func (h sshHost) open(v ssh.Visitor) (tui.World, tui.Start, func() string) {
	name, _ := match.CleanName(v.Name) // it is only proposed
	seats, settings := h.note("seats of ", v), h.note("settings of ", v)
	wire, at := h.wire.Transport(v.From), h.pages
	if local, ok := v.Local.(*net.TCPAddr); ok && at.IP.IsUnspecified() {
		at.IP = local.IP
	}
	lobby := cmp.Or(h.baseURL, h.scheme()+"://"+at.String())
	user := func(string) (*remote.Client, error) {
		c, err := remote.NewClient(lobby, wire, seats)
		c.Name = cmp.Or(c.Name, name)
		return c, err
	}
	start := tui.Start{Server: lobby, Link: v.Code}
	if v.Code != "" && !strings.Contains(v.Code, "/t/") {
		start.Link = lobby + "/t/" + v.Code
	}
	asker := gate.Asker{Address: h.limiter.Address(&http.Request{RemoteAddr: v.From.String()})}
	world := tui.World{
		Solve: func(
			ctx context.Context, r digit.Rules, _ func(done, total int64),
		) (*solve.Solution, error) {
			return h.limiter.SolvedFor(gate.WithAsker(ctx, asker), r)
		},
		Load: func() ([]byte, error) {
			text, err := settings.Load()
			if text != nil {
				err = settings.Save(text) // which marks them as used
			}
			return text, err
		},
		Save: settings.Save,
		// Games away from the tables of the server are not saved.
		Games: empty[[]digit.Record], Keep: ignore[digit.Record], Drop: ignore[digit.Record],
		Tables: empty[[]tui.Unfinished], Forget: ignore[string],
		Table: func(string) (tui.Log, error) {
			return tui.Log{
				Append: func(...match.Event) error { return nil }, Close: ignore[time.Time],
			}, nil
		},
		Streak: empty[coach.Diary], Count: func(coach.Day, bool) error { return nil },
		Servers: serverList(user),
		Now:     time.Now, Tick: tea.Tick, Pace: 700 * time.Millisecond,
		Seed: rand.Uint64(), Getenv: v.Getenv,
	}
	farewell := func() string {
		c, err := user("")
		if seat, ok := c.Last(); err == nil && ok && v.Key == "" {
			return fmt.Sprintf("Come back: ssh -t HOST %s/seat/%s\n", seat.Table, seat.Token)
		}
		return ""
	}
	return world, start, farewell
}

func empty[T any]() (none T, err error) { return none, nil }

func ignore[T any](T) error { return nil }

// note returns the storage of a visitor's text: the database or, for a guest, this session.
func (h sshHost) note(name string, v ssh.Visitor) remote.Storage {
	if v.Key == "" {
		var text atomic.Value
		return remote.Storage{
			Load: func() ([]byte, error) {
				known, _ := text.Load().([]byte)
				return known, nil
			},
			Save: func(now []byte) error {
				text.Store(now)
				return nil
			},
		}
	}
	return remote.Storage{
		Load: func() ([]byte, error) { return h.db.Note(context.Background(), name+v.Key) },
		Save: func(text []byte) error {
			return h.db.SetNote(context.Background(), name+v.Key, text)
		},
	}
}
