package main

import (
	"database/sql"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"digitduel/match"
	"digitduel/store"
	"digitduel/store/pgtest"
)

// A fault is something that keeps a server from keeping moves.
type fault struct {
	database   string // where a server is to find it
	direct     string // where it is found in the fault
	take, give func(*server)
}

// faults are what the other tests do to servers and databases.
var faults = map[string]func(*testing.T) fault{
	"sqlite/locked": func(t *testing.T) fault {
		return locked(t, fileFault(t), "sqlite", "PRAGMA busy_timeout = 5000", "BEGIN EXCLUSIVE")
	},
	"sqlite/nothing can be written": func(t *testing.T) fault {
		if _, err := exec.LookPath("prlimit"); err != nil {
			t.Skip(err)
		}
		limit := func(size string) func(*server) {
			return func(s *server) {
				if out, err := exec.Command("prlimit", "--pid", strconv.Itoa(s.process.Process.Pid), "--fsize="+size).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
		}
		f := fileFault(t)
		f.take, f.give = limit("1:unlimited"), limit("unlimited")
		return f
	},
	"sqlite/stopped server":   func(t *testing.T) fault { return stopped(fileFault(t)) },
	"sqlite/killed server":    func(t *testing.T) fault { return killed(fileFault(t)) },
	"postgres/stopped server": func(t *testing.T) fault { return stopped(clusterFault(pgtest.Start(t))) },
	"postgres/killed server":  func(t *testing.T) fault { return killed(clusterFault(pgtest.Start(t))) },
	"postgres/stopped": func(t *testing.T) fault {
		cluster := pgtest.New(t)
		f := clusterFault(cluster.Database(t))
		f.take, f.give = func(*server) { cluster.Stop(t) }, func(*server) { cluster.Start(t) }
		return f
	},
	"postgres/killed": func(t *testing.T) fault {
		cluster := pgtest.New(t)
		f := clusterFault(cluster.Database(t))
		f.take, f.give = func(*server) { cluster.Kill(t) }, func(*server) { cluster.Start(t) }
		return f
	},
	"postgres/out of reach": func(t *testing.T) fault {
		f := clusterFault(pgtest.Start(t))
		w := newWire(t, f.direct)
		f.database = w.dsn
		f.take, f.give = func(*server) { w.freeze(t) }, func(*server) { w.thaw(t) }
		return f
	},
	"postgres/locked": func(t *testing.T) fault {
		return locked(t, clusterFault(pgtest.Start(t)), "pgx", "BEGIN", "LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE")
	},
}

func fileFault(t *testing.T) fault {
	name := filepath.Join(t.TempDir(), "duel.db")
	return fault{database: name, direct: name}
}

func clusterFault(dsn string) fault { return fault{database: dsn, direct: dsn} }

// locked is a database that somebody else has locked by some statements.
func locked(t *testing.T, f fault, driver string, by ...string) fault {
	db, err := sql.Open(driver, f.direct)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	run := func(statements ...string) func(*server) {
		return func(*server) {
			for _, text := range statements {
				if _, err := conn.ExecContext(t.Context(), text); err != nil {
					t.Fatalf("%s: %v", text, err)
				}
			}
		}
	}
	f.take, f.give = run(by...), run("ROLLBACK")
	return f
}

// stopped is a server whose process does nothing for a while.
func stopped(f fault) fault {
	signal := func(s *server, which syscall.Signal) {
		if err := s.process.Process.Signal(which); err != nil {
			s.t.Fatal(err)
		}
	}
	f.take = func(s *server) { signal(s, syscall.SIGSTOP) }
	f.give = func(s *server) { signal(s, syscall.SIGCONT) }
	return f
}

// killed is a server that is killed and started again after a while.
func killed(f fault) fault {
	f.take, f.give = (*server).kill, (*server).start
	return f
}

const (
	turn  = 6 * time.Second
	slack = 2 * time.Second // beside what is due to a busy machine
)

// someFaults are those that are tried on every change: a file, a database and a server.
var someFaults = []string{"sqlite/locked", "sqlite/killed server", "postgres/stopped", "postgres/out of reach"}

// TestFaults lets the time of a turn pass in a fault, which costs nobody any of it: who moves just after it is not too late, and whose
// turn it is has what was left when it began, and is told so at once. After that the clock runs as ever.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, make := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !nightly && !slices.Contains(someFaults, name) {
				t.Skip("this fault is part of make nightly")
			}
			f, lag := make(t), lagOf(t)
			s := newServer(t, "--db", f.database)
			s.start()
			waiting, moving := s.open(hasty), s.open(hasty)
			deadline := s.look(waiting.id).Deadline
			<-time.After(time.Until(deadline.Add(-turn / 2)))
			before := time.Until(deadline)
			f.take(s) // which takes a while
			left := time.Until(deadline)
			<-time.After(left + time.Second)
			over := time.Now()
			f.give(s)
			within(t, 20*time.Second, "a move is kept", func() bool {
				status, text, err := s.ask("POST", "/api/tables/"+moving.id+"/moves", moving.tokens[0], `{"move":"7a"}`)
				if status == http.StatusConflict {
					t.Fatalf("a move after the fault is refused: %s", text)
				}
				return err == nil && status == http.StatusOK
			})
			most := time.Now().Add(before + slack)
			told := deadline
			took := within(t, time.Minute, "the deadline has moved", func() bool {
				told = s.look(waiting.id).Deadline
				return !told.Equal(deadline)
			})
			most = most.Add(lag())
			if took > slack+lag() {
				t.Errorf("the deadline has moved %v after a move was kept", took)
			}
			if least := over.Add(left); told.Before(least) || told.After(most) {
				t.Errorf("of %v there are %v left; allowed: %v to %v", turn, told.Sub(over), left, most.Sub(over))
			}
			t.Logf("%v were left, and %v are", left, told.Sub(over))
			checkFlag(t, openStore(t, f.direct), waiting.id, told, told.Add(slack), lag)
		})
	}
}

// TestNoFault lets the time of a turn run out with nothing wrong, and with one of two servers stopped, which is nothing wrong.
func TestNoFault(t *testing.T) {
	t.Parallel()
	for name, database := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			where, lag := database(t), lagOf(t)
			s := newServer(t, "--db", where)
			s.start()
			table := s.open(hasty)
			deadline := s.look(table.id).Deadline
			checkFlag(t, openStore(t, where), table.id, deadline, deadline.Add(slack), lag)
		})
	}
	t.Run("one of two is stopped", func(t *testing.T) {
		t.Parallel()
		f, lag := stopped(clusterFault(pgtest.Start(t))), lagOf(t)
		here, there := newServer(t, "--db", f.database), newServer(t, "--db", f.database)
		here.start()
		there.start()
		table := here.open(hasty)
		deadline := here.look(table.id).Deadline
		f.take(here)
		checkFlag(t, openStore(t, f.direct), table.id, deadline, deadline.Add(slack+4*time.Second), lag) // in which it is left to the other one
		f.give(here)
		within(t, time.Minute, "the stopped server knows", func() bool { return here.look(table.id).Result == "0-1 time" })
	})
}

// hasty is how a table of these tests is opened.
var hasty = fmt.Sprintf(`,"turn_time":"%v"`, turn)

// checkFlag waits until the time of a table has run out, which it should between two moments, or as much later as the machine lags.
func checkFlag(t *testing.T, db *store.DB, table string, from, to time.Time, lag func() time.Duration) {
	t.Helper()
	var last match.Event
	within(t, time.Minute, "the time has run out", func() bool {
		events, err := db.Events(t.Context(), table, 0)
		if err != nil {
			t.Fatal(err)
		}
		last = events[len(events)-1]
		return last.Kind == match.Flagged
	})
	if to = to.Add(lag()); last.At.Before(from) || last.At.After(to) {
		t.Errorf("the time ran out %v late; allowed: up to %v", last.At.Sub(from), to.Sub(from))
	}
	t.Logf("the time ran out %v late; allowed were %v, %v of it since the machine is busy", last.At.Sub(from), to.Sub(from), lag())
}
