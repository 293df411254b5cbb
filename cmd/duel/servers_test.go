package main

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"digitduel/match"
	"digitduel/store/pgtest"
)

// TestServers lets players of the same tables play at two servers of one database. One of the
// servers is killed again and again, and sometimes the database.
func TestServers(t *testing.T) {
	t.Parallel()
	cluster := pgtest.New(t)
	db := cluster.Database(t)
	keepCopy(t, db)
	servers := []*server{newServer(t, "--db", db), newServer(t, "--db", db)}
	for _, s := range servers {
		s.start()
	}
	c := newClients(t, servers...)
	c.play(6)
	c.await(200)
	c.repeatKills(10, func() {
		s := servers[c.rng.IntN(2)]
		c.kill(s)
		c.await(50) // at the other server
		if c.rng.IntN(10) == 0 {
			c.killDatabase(cluster)
		}
		c.restart(s)
	})
	c.awaitAll()
	c.ledger.checkDelays(t)
	c.stop()
	servers[1].kill()
	c.checkAll(servers[0], db)
}

// killDatabase kills a cluster while clients play, and starts it again.
func (c *clients) killDatabase(cluster *pgtest.Server) {
	c.t.Helper()
	c.servers.noteChange()
	cluster.Kill(c.t)
	cluster.Start(c.t)
	c.servers.noteChange()
	c.outages++
}

// TestPresence checks that a server shows whether players at another server are present, also after
// that server was killed. A player who is gone for a while has left, and the opponent can claim the
// game.
func TestPresence(t *testing.T) {
	t.Parallel()
	db := pgtest.Start(t)
	here := newServer(t, "--db", db, "--left-after", "2s")
	there := newServer(t, "--db", db, "--left-after", "2s")
	here.start()
	there.start()
	for _, killed := range []bool{false, true} {
		table := here.open("")
		_, leave := there.openStream(table.id, table.tokens[0])
		events, _ := here.openStream(table.id, table.tokens[1])
		is := func(present bool) func() bool {
			return func() bool { return here.tableState(table.id).Seats[0].Here == present }
		}
		took := waitUntil(t, 20*time.Second, "the player is present", is(true))
		t.Logf("a player at another server was shown after %v", took)
		if leave(); killed {
			there.kill()
		}
		took = waitUntil(t, 30*time.Second, "the player is away", is(false))
		t.Logf("a player who left (server killed: %t) was shown as away after %v", killed, took)
		awaitEvent(t, events, match.Left)
		path := "/api/tables/" + table.id + "/acts"
		status, text, err := here.ask("POST", path, table.tokens[1], `{"act":"claim"}`)
		if err != nil || status != http.StatusOK {
			t.Errorf("claim: %d %s: %v", status, text, err)
		}
	}
}

// awaitEvent waits for an event of a kind.
func awaitEvent(t *testing.T, events <-chan streamEvent, kind match.Kind) {
	t.Helper()
	for late := time.After(20 * time.Second); ; {
		select {
		case a, open := <-events:
			if !open {
				t.Fatalf("the stream ended before an event %q", kind)
			}
			if a.Kind == kind {
				return
			}
		case <-late:
			t.Fatalf("no event %q in 20 seconds", kind)
		}
	}
}

// TestClock checks when time runs out after the server of a table was killed: with another server
// that players visit or not, and with no server for longer than a turn, which doesn't count.
func TestClock(t *testing.T) {
	t.Parallel()
	for _, visited := range []bool{true, false} {
		t.Run(fmt.Sprint("another/visited=", visited), func(t *testing.T) {
			t.Parallel()
			where, lag := pgtest.Start(t), measureLag(t)
			db := openStore(t, where)
			a, b := newServer(t, "--db", where), newServer(t, "--db", where)
			a.start()
			b.start()
			table := a.open(withTurnTime)
			deadline := a.tableState(table.id).Deadline
			a.openStream(table.id, table.tokens[0])
			a.kill()
			late := slack
			if visited {
				b.openStream(table.id, table.tokens[0])
			} else {
				// The other server leaves the table to the killed one for a while.
				late += 4 * time.Second
			}
			checkFlag(t, db, table.id, deadline, deadline.Add(late), lag)
		})
	}
	for name, database := range databases {
		t.Run("none/"+name, func(t *testing.T) {
			t.Parallel()
			where, lag := database(t), measureLag(t)
			db := openStore(t, where)
			s := newServer(t, "--db", where)
			s.start()
			table := s.open(withTurnTime)
			deadline := s.tableState(table.id).Deadline
			// Half of the turn passes while the server runs.
			<-time.After(time.Until(deadline.Add(-turnTime / 2)))
			s.kill()
			left := time.Until(deadline)
			<-time.After(time.Until(deadline.Add(time.Second))) // the turn would be over by now
			down := time.Now()
			s.start()
			if state := s.tableState(table.id); state.Phase != match.UnderWay {
				t.Fatalf("time without a server was counted: %+v", state)
			}
			checkFlag(t, db, table.id, down.Add(left), time.Now().Add(left+slack), lag)
		})
	}
}

// TestLostDatabase takes the database away from two servers while clients play at both, and gives
// it back.
func TestLostDatabase(t *testing.T) {
	if !nightly {
		t.Skip("losing the database under load is part of make nightly")
	}
	t.Parallel()
	cluster := pgtest.New(t)
	direct := cluster.Database(t)
	proxy := newDBProxy(t, direct)
	servers := []*server{newServer(t, "--db", proxy.dsn), newServer(t, "--db", proxy.dsn)}
	for _, s := range servers {
		s.start()
	}
	c := newClients(t, servers...)
	c.play(4)
	for _, fault := range []struct {
		name       string
		begin, end func(testing.TB)
	}{
		{"stopped", cluster.Stop, cluster.Start},
		{"killed", cluster.Kill, cluster.Start},
		{"out of reach", proxy.freeze, proxy.thaw},
	} {
		c.await(100)
		c.servers.noteChange()
		fault.begin(t)
		for _, s := range servers {
			waitUntil(t, 20*time.Second, "with the database "+fault.name+" the server is not ready", func() bool {
				return s.status("/readyz") == http.StatusServiceUnavailable
			})
			if status := s.status("/healthz"); status != http.StatusOK {
				t.Errorf("with the database %s: healthz has status %d, want 200",
					fault.name, status)
			}
		}
		// Perhaps no client sends a request, since each waits for a move at the other server.
		var asking sync.WaitGroup
		for _, s := range servers {
			asking.Go(func() {
				began := time.Now()
				status, text, err := s.ask("POST", "/api/tables", "", `{"rules":"dilemma"}`)
				if err != nil || status != http.StatusServiceUnavailable {
					t.Errorf("with the database %s: a new table: %d %s: %v",
						fault.name, status, text, err)
				}
				c.ledger.noteRefusal(text, time.Since(began))
			})
		}
		asking.Wait()
		fault.end(t)
		c.servers.noteChange()
		for _, s := range servers {
			took := waitUntil(t, 20*time.Second, "the server is ready", func() bool {
				return s.status("/readyz") == http.StatusOK
			})
			t.Logf("after the database was %s, the server was ready in %v", fault.name, took)
		}
		c.awaitAll()
		c.await(100) // the servers also send each other's events
	}
	c.ledger.checkRefusals(t, 8*time.Second+c.lag())
	c.ledger.checkDelays(t)
	c.stop()
	servers[1].kill()
	c.checkAll(servers[0], direct)
}

// A dbProxy forwards connections to a database. While it is frozen, nothing is closed or refused,
// but no data arrives.
type dbProxy struct {
	dsn    string       // of the proxy
	frozen sync.RWMutex // locked while it is frozen
}

func newDBProxy(t *testing.T, dsn string) *dbProxy {
	t.Helper()
	far, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	near := *far
	near.Host = l.Addr().String()
	w := &dbProxy{dsn: near.String()}
	go func() {
		for {
			here, err := l.Accept()
			if err != nil {
				return
			}
			go w.serve(here, far.Host)
		}
	}()
	return w
}

// serve forwards a connection to the database and back.
func (w *dbProxy) serve(here net.Conn, far string) {
	defer here.Close()
	there, err := net.Dial("tcp", far)
	if err != nil {
		return
	}
	defer there.Close()
	go func() {
		defer here.Close()
		w.forward(here, there)
	}()
	w.forward(there, here)
}

func (w *dbProxy) forward(to, from net.Conn) {
	for b := make([]byte, 32<<10); ; {
		n, err := from.Read(b)
		w.frozen.RLock()
		_, failed := to.Write(b[:n])
		w.frozen.RUnlock()
		if err != nil || failed != nil {
			return
		}
	}
}

func (w *dbProxy) freeze(testing.TB) { w.frozen.Lock() }

func (w *dbProxy) thaw(testing.TB) { w.frozen.Unlock() }
