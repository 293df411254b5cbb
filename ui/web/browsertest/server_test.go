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

// A testServer is a complete server with a database in a file, or the offline site.
type testServer struct {
	file    string
	grace   time.Duration     // after which an absent player has left
	address string            // host and port; a restart keeps them
	reach   []string          // the addresses that its pages offer
	files   map[string][]byte // of the offline site; nil: not offered
	site    *site             // the offline site, which replaces the server; nil: a server
	close   func() error

	mu   sync.Mutex
	idle []*visitor // visitors that can be reused
}

// solver is shared by all servers, so that each game is solved once.
var solver = &solve.Solver{}

// shared holds the server that most tests share.
var shared struct {
	open       sync.Once
	testServer *testServer
	dir        string
	err        error
}

// sharedServer returns the server that tests share. It starts it at the first call.
func sharedServer(t *testing.T) *testServer {
	t.Helper()
	shared.open.Do(func() {
		if shared.dir, shared.err = os.MkdirTemp("", "browsertest-shared-"); shared.err == nil {
			shared.testServer, shared.err = startTestServer(shared.dir, time.Minute)
		}
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.testServer
}

// closeShared stops the shared server, if it was started.
func closeShared() error {
	if shared.testServer == nil {
		return nil
	}
	return errors.Join(shared.testServer.stop(), os.RemoveAll(shared.dir))
}

// newTestServer starts a server that runs until the end of the test.
func newTestServer(t *testing.T, grace time.Duration) *testServer {
	t.Helper()
	srv, err := startTestServer(t.TempDir(), grace)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, v := range srv.idle {
			v.close()
		}
		if err := srv.stop(); err != nil {
			t.Error(err)
		}
	})
	return srv
}

// startTestServer starts a server with a database in dir.
func startTestServer(dir string, grace time.Duration) (*testServer, error) {
	srv := &testServer{file: filepath.Join(dir, "duel.db"), grace: grace, address: "127.0.0.1:0"}
	return srv, srv.start()
}

// url returns the URL of a page.
func (srv *testServer) url(path string) string { return "http://" + srv.address + path }

// start starts the server, for the first time or after stop.
func (srv *testServer) start() error {
	ctx, cancel := context.WithCancel(context.Background())
	db, err := store.Open(ctx, srv.file, store.Config{Server: true})
	if err != nil {
		cancel()
		return err
	}
	secret, err := db.Secret(ctx)
	if err != nil {
		cancel()
		return errors.Join(err, db.Close())
	}
	listener, err := net.Listen("tcp", srv.address)
	if err != nil {
		cancel()
		return errors.Join(err, db.Close())
	}
	srv.address = listener.Addr().String()
	hall := match.NewHall(db, match.HallConfig{
		Host: host, Overdue: db.Overdue, Guests: db, Grace: srv.grace, Linger: time.Second,
	})
	keys := match.NewKeys(secret)
	noLog := slog.New(slog.DiscardHandler)
	limiter := gate.New(gate.Config{Solver: solver, Log: noLog, Now: time.Now})
	school := &class.School{Store: db, Hall: hall, Keys: keys, Now: time.Now, Log: noLog}
	agents := mcp.New(mcp.Config{
		Hall: hall, Keys: keys, Solve: limiter.SolvedFor, Link: web.Link, Limits: limiter, Now: time.Now,
	})
	pages := web.New(web.Config{
		Gate: limiter, Hall: hall, Archive: db, Keys: keys, Ready: db.Ping,
		Reach: srv.reach, Site: srv.files, Classes: school, Agents: agents.Handler(),
	})
	outer := &http.Server{Handler: pages}
	served := make(chan error, 1)
	var running sync.WaitGroup
	running.Go(func() { hall.Run(ctx) })
	running.Go(func() { school.Run(ctx) })
	running.Go(func() { served <- outer.Serve(listener) })
	srv.close = sync.OnceValue(func() error {
		pages.Stop()
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

// stop stops the server and closes all connections.
func (srv *testServer) stop() error { return srv.close() }

// host plays the computer's moves at a table.
func host(ctx context.Context, t *match.Table) error {
	return sit.Host(ctx, t, 0, func(name string, r digit.Rules) sit.Choose {
		level, err := bot.ParseLevel(name)
		if err != nil {
			level = bot.Perfect()
		}
		return sit.Borrowing(level, r, solver.Solve, rand.New(rand.NewPCG(1, 2)))
	})
}
