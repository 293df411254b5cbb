package main

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/sha256"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
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
	lobby string // the address of the server
	db    *store.DB
	door  *gate.Gate
	wire  ssh.Wire // to the server
}

// listenSSH serves terminals until the returned function is called. The key of the host follows
// from the secret of the database, so that all of its servers have the same one.
func (o serveConfig) listenSSH(
	h sshHost, secret []byte, log *slog.Logger,
) (end func() error, err error) {
	if o.sshAddr == "" {
		return func() error { return nil }, nil
	}
	seed, err := hkdf.Key(sha256.New, secret, nil, "ssh host key", ed25519.SeedSize)
	if err != nil {
		return nil, err
	}
	server, err := ssh.New(ssh.Config{
		HostKey: ed25519.NewKeyFromSeed(seed), Most: o.maxSSH, Rate: o.limits.Address,
		Idle: sshIdle, Log: log, Open: h.open,
	})
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", o.sshAddr)
	if err != nil {
		return nil, err
	}
	go server.Serve(loggedListener{listener, log}) //nolint:errcheck // until it is closed
	for _, address := range reachableAt(listener.Addr()) {
		log.Info("listening on ssh://" + address)
	}
	return server.Close, nil
}

// open returns the environment of a visitor, whose screen begins with the tables of the server or
// with the one of a code: its name or link, or the path of a link.
func (h sshHost) open(v ssh.Visitor) (tui.World, tui.Start) {
	name, _ := match.CleanName(v.Name) // it is only proposed
	var guest sync.Map                 // the notes of a guest last as long as the session
	load := func(note string) ([]byte, error) {
		if v.Key != "" {
			return h.db.Note(context.Background(), note+v.Key)
		}
		text, _ := guest.Load(note)
		known, _ := text.([]byte)
		return known, nil
	}
	save := func(note string) func([]byte) error {
		return func(text []byte) error {
			if v.Key != "" {
				return h.db.SetNote(context.Background(), note+v.Key, text)
			}
			guest.Store(note, text)
			return nil
		}
	}
	const seats, settings = "seats of ", "settings of "
	user := func(string) (*remote.Client, error) {
		text, err := load(seats)
		if err != nil {
			return nil, err
		}
		c, err := remote.NewClient(h.lobby, text, save(seats))
		if err != nil {
			return nil, err
		}
		for i := range c.All { // they may be from another server of the database
			c.All[i].Server = c.URL()
		}
		c.Name = cmp.Or(c.Name, name)
		c.Through(h.wire.Transport(v.Address))
		return c, nil
	}
	asker := gate.Asker{Address: h.door.Address(&http.Request{RemoteAddr: v.Address.String()})}
	start := tui.Start{Server: h.lobby, Link: v.Code}
	if v.Code != "" && !strings.Contains(v.Code, "/t/") {
		start.Link = h.lobby + "/t/" + v.Code
	}
	return tui.World{
		Solve: func(
			ctx context.Context, r digit.Rules, _ func(done, total int64),
		) (*solve.Solution, error) {
			return h.door.SolvedFor(gate.WithAsker(ctx, asker), r)
		},
		Load: func() ([]byte, error) {
			text, err := load(settings)
			if err == nil && text == nil {
				first := tui.Defaults()
				first.Names[match.One], first.Server = name, h.lobby
				text = first.Text()
			}
			return text, err
		},
		Save: save(settings),
		// Games away from the tables of the server are not saved.
		Games:  func() ([]digit.Record, error) { return nil, nil },
		Keep:   func(digit.Record) error { return nil },
		Drop:   func(digit.Record) error { return nil },
		Tables: func() ([]tui.Unfinished, error) { return nil, nil },
		Table: func(string) (tui.Log, error) {
			return tui.Log{
				Append: func(...match.Event) error { return nil },
				Close:  func(time.Time) error { return nil },
			}, nil
		},
		Forget:  func(string) error { return nil },
		Servers: serverList(user),
		Streak:  func() (coach.Diary, error) { return coach.Diary{}, nil },
		Count:   func(coach.Day, bool) error { return nil },
		Now:     time.Now, Tick: tea.Tick, Pace: 700 * time.Millisecond,
		Seed: rand.Uint64(), Getenv: v.Getenv,
	}, start
}
