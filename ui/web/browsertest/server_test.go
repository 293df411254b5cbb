package browsertest_test

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"digitduel/bot"
	"digitduel/bot/sit"
	"digitduel/class"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
	"digitduel/store"
	"digitduel/ui/gate"
	"digitduel/ui/mcp"
	"digitduel/ui/web"
)

// A testServer is a whole server: a database in a file, the hall, the pages, a port.
type testServer struct {
	file    string
	grace   time.Duration     // after which a player who is gone has left
	address string            // the same one after a restart
	reach   []string          // the addresses that it says it is reached at
	files   map[string][]byte // of the offline site; nil: it is not offered
	site    *site             // the offline site, if there is no server
	close   func() error

	mu   sync.Mutex
	idle []*visitor // browsers that the next visitors can have
}

// solver is shared, since what a game is worth does not change from house to house.
var solver = &solve.Solver{}

// town is the house of all tests that do not need one of their own.
var town struct {
	open       sync.Once
	testServer *testServer
	dir        string
	err        error
}

// atTown returns the house that tests share.
func atTown(t *testing.T) *testServer {
	t.Helper()
	town.open.Do(func() {
		if town.dir, town.err = os.MkdirTemp("", "browsertest-town-"); town.err == nil {
			town.testServer, town.err = newTestServer(town.dir, time.Minute)
		}
	})
	if town.err != nil {
		t.Fatal(town.err)
	}
	return town.testServer
}

// closeTown closes the house that tests share, if there is one.
func closeTown() error {
	if town.testServer == nil {
		return nil
	}
	return errors.Join(town.testServer.stop(), os.RemoveAll(town.dir))
}

// openHouse opens a house for one test, with which it is closed.
func openHouse(t *testing.T, grace time.Duration) *testServer {
	t.Helper()
	h, err := newTestServer(t.TempDir(), grace)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, v := range h.idle {
			v.leave()
		}
		if err := h.stop(); err != nil {
			t.Error(err)
		}
	})
	return h
}

func newTestServer(dir string, grace time.Duration) (*testServer, error) {
	h := &testServer{file: filepath.Join(dir, "duel.db"), grace: grace, address: "127.0.0.1:0"}
	return h, h.start()
}

// url returns the address of a page.
func (h *testServer) url(path string) string { return "http://" + h.address + path }

// start opens the doors, for the first time or again.
func (h *testServer) start() error {
	ctx, cancel := context.WithCancel(context.Background())
	db, err := store.Open(ctx, h.file, store.Config{Server: true})
	if err != nil {
		cancel()
		return err
	}
	secret, err := db.Secret(ctx)
	if err != nil {
		cancel()
		return errors.Join(err, db.Close())
	}
	listener, err := net.Listen("tcp", h.address)
	if err != nil {
		cancel()
		return errors.Join(err, db.Close())
	}
	h.address = listener.Addr().String()
	hall := match.NewHall(db, match.HallConfig{Host: host, Overdue: db.Overdue, Guests: db, Grace: h.grace, Linger: time.Second})
	keys := match.NewKeys(secret)
	quiet := slog.New(slog.DiscardHandler)
	door := gate.New(gate.Config{Solver: solver, Log: quiet, Now: time.Now})
	school := &class.School{Store: db, Hall: hall, Keys: keys, Now: time.Now, Log: quiet}
	server := web.New(web.Config{
		Gate: door, Hall: hall, Archive: db, Keys: keys, Ready: db.Ping, Reach: h.reach, Site: h.files, Classes: school,
		Agents: mcp.New(mcp.Config{Hall: hall, Keys: keys, Solve: door.SolvedFor, Link: web.Link, Limits: door, Now: time.Now}).Handler(),
	})
	outer := &http.Server{Handler: server}
	served := make(chan error, 1)
	var running sync.WaitGroup
	running.Go(func() { hall.Run(ctx) })
	running.Go(func() { school.Run(ctx) })
	running.Go(func() { served <- outer.Serve(listener) })
	h.close = sync.OnceValue(func() error {
		server.Stop()
		outer.Close()
		cancel()
		running.Wait()
		hall.Close()
		err := <-served
		if errors.Is(err, http.ErrServerClosed) {
			err = nil
		}
		return errors.Join(err, db.Close())
	})
	return nil
}

// stop closes the doors. Everybody who is connected is cut off.
func (h *testServer) stop() error { return h.close() }

// host plays for the computer at a table.
func host(ctx context.Context, t *match.Table) error {
	return sit.Host(ctx, t, 0, func(name string, r digit.Rules) sit.Choose {
		level, err := bot.ParseLevel(name)
		if err != nil {
			level = bot.Perfect()
		}
		return sit.Borrowing(level, r, solver.Solve, rand.New(rand.NewPCG(1, 2)))
	})
}
