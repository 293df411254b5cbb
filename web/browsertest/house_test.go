package browsertest_test

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
	"digitduel/store"
	"digitduel/web"
)

// A house is a whole server: a database in a file, the hall, the pages, a port.
type house struct {
	t       *testing.T
	file    string
	grace   time.Duration
	address string // the same one after a restart
	close   func()
}

// solver is shared, since what a game is worth does not change from house to house.
var solver = &solve.Solver{}

// openHouse starts a server in which a player who is gone has left after a grace. It is closed with the test.
func openHouse(t *testing.T, grace time.Duration) *house {
	t.Helper()
	h := &house{t: t, file: filepath.Join(t.TempDir(), "duel.db"), grace: grace, address: "127.0.0.1:0"}
	h.start()
	t.Cleanup(func() { h.stop() })
	return h
}

// url returns the address of a page.
func (h *house) url(path string) string { return "http://" + h.address + path }

// start opens the doors, for the first time or again.
func (h *house) start() {
	h.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	db, err := store.Open(ctx, h.file, store.Options{Server: true})
	if err != nil {
		h.t.Fatal(err)
	}
	secret, err := db.Secret(ctx)
	if err != nil {
		h.t.Fatal(err)
	}
	hall := match.NewHall(db, match.HallOptions{Host: host, Overdue: db.Overdue, Guests: db, Grace: h.grace, Linger: time.Second})
	server := web.New(web.Config{
		Hall: hall, Archive: db, Keys: match.NewKeys(secret), Solver: solver, Ready: db.Ping,
		Log: slog.New(slog.DiscardHandler), Now: time.Now,
	})
	listener, err := net.Listen("tcp", h.address)
	if err != nil {
		h.t.Fatal(err)
	}
	h.address = listener.Addr().String()
	outer := &http.Server{Handler: server}
	var running sync.WaitGroup
	running.Go(func() { hall.Run(ctx) })
	running.Go(func() {
		if err := outer.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			h.t.Errorf("the server stopped: %v", err)
		}
	})
	h.close = sync.OnceFunc(func() {
		server.Stop()
		outer.Close()
		cancel()
		running.Wait()
		hall.Close()
		if err := db.Close(); err != nil {
			h.t.Error(err)
		}
	})
}

// stop closes the doors. Everybody who is connected is cut off.
func (h *house) stop() { h.close() }

// host plays for the computer at a table.
func host(ctx context.Context, t *match.Table) error {
	solution, err := solver.Solve(ctx, t.State().Setup.Rules)
	if err != nil {
		return err
	}
	return bot.Host(ctx, t, func(name string) func(digit.Position) digit.Move {
		level, err := bot.ParseLevel(name)
		if err != nil {
			level = bot.Perfect()
		}
		return bot.New(level, solution, rand.New(rand.NewPCG(1, 2))).Choose
	})
}
