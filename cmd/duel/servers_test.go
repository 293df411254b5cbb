package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"digitduel/match"
	"digitduel/store"
	"digitduel/store/pgtest"
)

// TestServers lets players of the same tables play at two servers over one database, of which now the one and now the other is killed.
func TestServers(t *testing.T) {
	t.Parallel()
	kills := 10
	if testing.Short() {
		kills = 2
	}
	db := pgtest.Start(t)
	servers := []*server{newServer(t, "--db", db), newServer(t, "--db", db)}
	for _, s := range servers {
		s.start()
	}
	c := newCrew(t, servers...)
	c.play(12)
	c.await(600)
	for range kills {
		s := servers[c.rng.IntN(2)]
		c.kill(s)
		c.await(50) // at the other one
		c.revive(s)
	}
	c.awaitAll()
	c.ledger.checkDelays(t)
	c.leave()
	servers[1].kill()
	c.checkAll(servers[0], db)
}

// A seated table is one for two with the tokens of its seats.
type seated struct {
	id     string
	tokens [2]string
}

// open sets up a table for two at a server. Further settings are JSON.
func (s *server) open(settings string) seated {
	s.t.Helper()
	status, text, err := s.ask("POST", "/api/tables", "", `{"rules":"dilemma"`+settings+`}`)
	var opened struct {
		ID    string
		Seats []struct{ Token string }
	}
	if err != nil || status != http.StatusCreated || json.Unmarshal([]byte(text), &opened) != nil {
		s.t.Fatalf("a new table: %d %s: %v", status, text, err)
	}
	return seated{opened.ID, [2]string{opened.Seats[0].Token, opened.Seats[1].Token}}
}

// look asks how a table stands, and answers what whoever has no token may know.
func (s *server) look(table string) (view struct {
	Seq      int
	Phase    match.Phase
	Result   string
	Deadline time.Time
	Seats    [2]struct{ Here, Away bool }
}) {
	s.t.Helper()
	status, text, err := s.ask("GET", "/api/tables/"+table, "", "")
	if err == nil {
		err = json.Unmarshal([]byte(text), &view)
	}
	if err != nil || status != http.StatusOK {
		s.t.Fatalf("table %s: %d %s: %v", table, status, text, err)
	}
	return view
}

// within waits until something is so, and fails if that takes longer than a time. It returns how long it took.
func within(t *testing.T, most time.Duration, what string, is func() bool) time.Duration {
	t.Helper()
	began := time.Now()
	for !is() {
		if time.Since(began) > most {
			t.Fatalf("after %v it is not so that %s", most, what)
		}
		time.Sleep(20 * time.Millisecond) // there is nothing that tells
	}
	return time.Since(began)
}

// stay keeps a stream of a player open until the test is over, or until leave is called.
func (s *server) stay(table, token string) (events chan announcement, leave func()) {
	s.t.Helper()
	events = make(chan announcement, 100)
	ctx, cancel := context.WithCancel(s.t.Context())
	go func() {
		defer close(events)
		for text, err := range s.stream(ctx, table, token) {
			if a, wrong := parseTold(text); err == nil && wrong == nil {
				events <- a
			}
		}
	}()
	if first := <-events; first.Kind != match.Opened {
		s.t.Fatalf("the first event of table %s is %q", table, first.Kind)
	}
	return events, cancel
}

// TestPresence looks from one server at who is at another one, while that is there and after it was killed.
func TestPresence(t *testing.T) {
	t.Parallel()
	db := pgtest.Start(t)
	here, there := newServer(t, "--db", db, "--left-after", "2s"), newServer(t, "--db", db, "--left-after", "2s")
	here.start()
	there.start()
	left, killed := here.open(""), here.open("")
	isHere := func(table string, want bool) func() bool {
		return func() bool { return here.look(table).Seats[0].Here == want }
	}
	type visit struct {
		seated
		events chan announcement
	}
	var leave func()
	visits := map[string]visit{}
	for name, table := range map[string]seated{"left": left, "killed": killed} {
		_, go1 := there.stay(table.id, table.tokens[0])
		if name == "left" {
			leave = go1
		}
		events, _ := here.stay(table.id, table.tokens[1])
		visits[name] = visit{table, events}
		took := within(t, 20*time.Second, "the player at the other server is seen", isHere(table.id, true))
		t.Logf("a player at another server is seen after %v", took)
	}
	claim := func(v visit, most time.Duration) {
		t.Helper()
		await := time.After(most)
		for {
			select {
			case a, ok := <-v.events:
				if !ok {
					t.Fatal("the stream has ended")
				}
				if a.Kind != match.Left {
					continue
				}
			case <-await:
				t.Fatalf("after %v the player is not told to have left", most)
			}
			break
		}
		if status, text, err := here.ask("POST", "/api/tables/"+v.id+"/acts", v.tokens[1], `{"act":"claim"}`); err != nil || status != http.StatusOK {
			t.Errorf("claim: %d %s: %v", status, text, err)
		}
	}
	leave()
	took := within(t, 20*time.Second, "the player who has gone is no longer seen", isHere(left.id, false))
	t.Logf("a player who goes from another server is not seen after %v", took)
	claim(visits["left"], 20*time.Second)
	there.kill()
	took = within(t, 30*time.Second, "the player at the killed server is no longer seen", isHere(killed.id, false))
	t.Logf("a player at a killed server is not seen after %v", took)
	claim(visits["killed"], 20*time.Second)
}

// TestClock lets the time of a turn run out after the server that held the table was killed: with another one that somebody then looks
// at, with another one that nobody looks at, and with none for longer than the turn, which does not count.
func TestClock(t *testing.T) {
	const turn = 4 * time.Second
	// flagged returns when the time ran out, as the database says.
	flagged := func(t *testing.T, db *store.DB, table string, most time.Duration) time.Time {
		t.Helper()
		var last match.Event
		within(t, most, "the time has run out", func() bool {
			events, err := db.Events(t.Context(), table, 0)
			if err != nil {
				t.Fatal(err)
			}
			last = events[len(events)-1]
			return last.Kind == match.Flagged
		})
		return last.At
	}
	check := func(t *testing.T, at, from, to time.Time) {
		t.Helper()
		if at.Before(from) || at.After(to) {
			t.Errorf("the time ran out %v late; allowed: up to %v", at.Sub(from), to.Sub(from))
		}
	}
	for _, visited := range []bool{true, false} {
		t.Run(fmt.Sprint("another/visited=", visited), func(t *testing.T) {
			t.Parallel()
			where := pgtest.Start(t)
			db := openStore(t, where)
			a, b := newServer(t, "--db", where), newServer(t, "--db", where)
			a.start()
			b.start()
			table := a.open(fmt.Sprintf(`,"turn_time":"%v"`, turn))
			deadline := a.look(table.id).Deadline
			a.stay(table.id, table.tokens[0])
			time.Sleep(turn / 4)
			a.kill()
			late := time.Second
			if visited {
				b.stay(table.id, table.tokens[0])
			} else {
				late = 6 * time.Second
			}
			check(t, flagged(t, db, table.id, turn+late), deadline, deadline.Add(late))
		})
	}
	for name, database := range databases {
		t.Run("none/"+name, func(t *testing.T) {
			t.Parallel()
			where := database(t)
			db := openStore(t, where)
			s := newServer(t, "--db", where)
			s.start()
			table := s.open(fmt.Sprintf(`,"turn_time":"%v"`, turn))
			time.Sleep(turn / 2)
			s.kill()
			time.Sleep(turn + time.Second)
			s.start()
			began := time.Now()
			if stands := s.look(table.id); stands.Phase != match.UnderWay {
				t.Fatalf("the time that no server was up is charged: %+v", stands)
			}
			// How long the server was up is known to a second.
			check(t, flagged(t, db, table.id, turn), began.Add(turn/2-1200*time.Millisecond), began.Add(turn/2+time.Second))
		})
	}
}

func openStore(t *testing.T, where string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), where, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
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
	c.play(10)
	for _, way := range []struct {
		name       string
		take, give func(testing.TB)
	}{
		{"stopped", cluster.Stop, cluster.Start},
		{"killed", cluster.Kill, cluster.Start},
		{"out of reach", w.freeze, w.thaw},
	} {
		c.await(200)
		c.site.turn()
		way.take(t)
		for _, s := range servers {
			within(t, 20*time.Second, "with the database "+way.name+" it is not ready", func() bool { return s.status("/readyz") == http.StatusServiceUnavailable })
			if status := s.status("/healthz"); status != http.StatusOK {
				t.Errorf("with the database %s healthz answers %d", way.name, status)
			}
		}
		refused := c.ledger.refused()
		within(t, 20*time.Second, "with the database "+way.name+" more is refused", func() bool { return c.ledger.refused() > refused+3 })
		way.give(t)
		c.site.turn()
		for _, s := range servers {
			took := within(t, 20*time.Second, "it is ready", func() bool { return s.status("/readyz") == http.StatusOK })
			t.Logf("with the database that was %s it is ready after %v", way.name, took)
		}
		c.awaitAll()
		c.await(200) // also at one server what was done at the other
	}
	c.ledger.checkRefusals(t, 8*time.Second)
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

// status returns the status of the answer to a request for a path.
func (s *server) status(path string) int {
	s.t.Helper()
	status, _, err := s.ask("GET", path, "", "")
	if err != nil {
		s.t.Fatalf("%s: %v", path, err)
	}
	return status
}
