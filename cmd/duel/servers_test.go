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

// TestServers lets players of the same tables play at two servers over one database, of which now the one and now the other is killed,
// and now and then the database.
func TestServers(t *testing.T) {
	t.Parallel()
	cluster := pgtest.New(t)
	db := cluster.Database(t)
	keepCopy(t, db)
	servers := []*server{newServer(t, "--db", db), newServer(t, "--db", db)}
	for _, s := range servers {
		s.start()
	}
	c := newCrew(t, servers...)
	c.play(6)
	c.await(200)
	c.often(10, func() {
		s := servers[c.rng.IntN(2)]
		c.kill(s)
		c.await(50) // at the other one
		if c.rng.IntN(10) == 0 {
			c.loseDatabase(cluster)
		}
		c.revive(s)
	})
	c.awaitAll()
	c.ledger.checkDelays(t)
	c.leave()
	servers[1].kill()
	c.checkAll(servers[0], db)
}

// loseDatabase kills a cluster under a server that is played at, and starts it again.
func (c *crew) loseDatabase(cluster *pgtest.Server) {
	c.t.Helper()
	c.site.turn()
	cluster.Kill(c.t)
	cluster.Start(c.t)
	c.site.turn()
	c.outages++
}

// TestPresence looks from one server at who is at another one, while that is there and after it was killed. Whoever is gone for a while
// has left, which the other player can claim.
func TestPresence(t *testing.T) {
	t.Parallel()
	db := pgtest.Start(t)
	here, there := newServer(t, "--db", db, "--left-after", "2s"), newServer(t, "--db", db, "--left-after", "2s")
	here.start()
	there.start()
	for _, way := range []string{"goes", "is killed with the server"} {
		table := here.open("")
		_, leave := there.stay(table.id, table.tokens[0])
		events, _ := here.stay(table.id, table.tokens[1])
		is := func(there bool) func() bool { return func() bool { return here.look(table.id).Seats[0].Here == there } }
		t.Logf("a player at another server is seen after %v", within(t, 20*time.Second, "the player is there", is(true)))
		if leave(); way != "goes" {
			there.kill()
		}
		t.Logf("one who %s is not seen after %v", way, within(t, 30*time.Second, "the player is not there", is(false)))
		awaitKind(t, events, match.Left)
		if status, text, err := here.ask("POST", "/api/tables/"+table.id+"/acts", table.tokens[1], `{"act":"claim"}`); err != nil || status != http.StatusOK {
			t.Errorf("claim: %d %s: %v", status, text, err)
		}
	}
}

// awaitKind waits for an event.
func awaitKind(t *testing.T, events <-chan announcement, kind match.Kind) {
	t.Helper()
	for late := time.After(20 * time.Second); ; {
		select {
		case a, open := <-events:
			if !open {
				t.Fatal("the stream has ended")
			}
			if a.Kind == kind {
				return
			}
		case <-late:
			t.Fatalf("there was no event %q", kind)
		}
	}
}

// TestClock lets the time of a turn run out after the server that held the table was killed: with another one that somebody then looks
// at, with another one that nobody looks at, and with none for longer than the turn, which does not count.
func TestClock(t *testing.T) {
	t.Parallel()
	for _, visited := range []bool{true, false} {
		t.Run(fmt.Sprint("another/visited=", visited), func(t *testing.T) {
			t.Parallel()
			where, lag := pgtest.Start(t), lagOf(t)
			db := openStore(t, where)
			a, b := newServer(t, "--db", where), newServer(t, "--db", where)
			a.start()
			b.start()
			table := a.open(hasty)
			deadline := a.look(table.id).Deadline
			a.stay(table.id, table.tokens[0])
			a.kill()
			late := slack
			if visited {
				b.stay(table.id, table.tokens[0])
			} else {
				late += 4 * time.Second // the other server leaves it to the one that is gone for a while
			}
			checkFlag(t, db, table.id, deadline, deadline.Add(late), lag)
		})
	}
	for name, database := range databases {
		t.Run("none/"+name, func(t *testing.T) {
			t.Parallel()
			where, lag := database(t), lagOf(t)
			db := openStore(t, where)
			s := newServer(t, "--db", where)
			s.start()
			table := s.open(hasty)
			deadline := s.look(table.id).Deadline
			<-time.After(time.Until(deadline.Add(-turn / 2))) // half of the turn is played
			s.kill()
			left := time.Until(deadline)
			<-time.After(time.Until(deadline.Add(time.Second))) // and would be over by now
			down := time.Now()
			s.start()
			if stands := s.look(table.id); stands.Phase != match.UnderWay {
				t.Fatalf("the time that no server was up is charged: %+v", stands)
			}
			checkFlag(t, db, table.id, down.Add(left), time.Now().Add(left+slack), lag)
		})
	}
}

// TestLostDatabase takes the database away from two servers while players are at both, and gives it back.
func TestLostDatabase(t *testing.T) {
	t.Parallel()
	cluster := pgtest.New(t)
	direct := cluster.Database(t)
	w := newWire(t, direct)
	servers := []*server{newServer(t, "--db", w.dsn), newServer(t, "--db", w.dsn)}
	for _, s := range servers {
		s.start()
	}
	c := newCrew(t, servers...)
	c.play(4)
	for _, way := range []struct {
		name       string
		take, give func(testing.TB)
	}{
		{"stopped", cluster.Stop, cluster.Start},
		{"killed", cluster.Kill, cluster.Start},
		{"out of reach", w.freeze, w.thaw},
	} {
		c.await(100)
		c.site.turn()
		way.take(t)
		for _, s := range servers {
			within(t, 20*time.Second, "with the database "+way.name+" it is not ready", func() bool {
				return s.status("/readyz") == http.StatusServiceUnavailable
			})
			if status := s.status("/healthz"); status != http.StatusOK {
				t.Errorf("with the database %s healthz answers %d", way.name, status)
			}
		}
		// Of those who play perhaps nobody asks for anything: each may wait for a move that the other server cannot tell of.
		var asking sync.WaitGroup
		for _, s := range servers {
			asking.Go(func() {
				began := time.Now()
				status, text, err := s.ask("POST", "/api/tables", "", `{"rules":"dilemma"}`)
				if err != nil || status != http.StatusServiceUnavailable {
					t.Errorf("with the database %s a table is answered with %d %s: %v", way.name, status, text, err)
				}
				c.ledger.refuse(text, time.Since(began))
			})
		}
		asking.Wait()
		way.give(t)
		c.site.turn()
		for _, s := range servers {
			took := within(t, 20*time.Second, "it is ready", func() bool { return s.status("/readyz") == http.StatusOK })
			t.Logf("with the database that was %s it is ready after %v", way.name, took)
		}
		c.awaitAll()
		c.await(100) // also at one server what was done at the other
	}
	c.ledger.checkRefusals(t, 8*time.Second+c.lag())
	c.ledger.checkDelays(t)
	c.leave()
	servers[1].kill()
	c.checkAll(servers[0], direct)
}

// A wire leads to a database. It can be frozen: then nothing is closed or refused, but nothing arrives either.
type wire struct {
	dsn    string       // of its near end
	frozen sync.RWMutex // held to freeze it
}

func newWire(t *testing.T, dsn string) *wire {
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
	w := &wire{dsn: near.String()}
	go func() {
		for {
			here, err := l.Accept()
			if err != nil {
				return
			}
			go w.join(here, far.Host)
		}
	}()
	return w
}

// join carries what is said on a connection to the far end and back.
func (w *wire) join(here net.Conn, far string) {
	defer here.Close()
	there, err := net.Dial("tcp", far)
	if err != nil {
		return
	}
	defer there.Close()
	go func() {
		defer here.Close()
		w.carry(here, there)
	}()
	w.carry(there, here)
}

func (w *wire) carry(to, from net.Conn) {
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

func (w *wire) freeze(testing.TB) { w.frozen.Lock() }

func (w *wire) thaw(testing.TB) { w.frozen.Unlock() }
