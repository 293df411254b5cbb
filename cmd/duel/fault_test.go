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

// A fault keeps a server from saving moves.
type fault struct {
	database   string // for the server
	direct     string // for the test, also during the fault
	begin, end func(*server)
}

// faults lists the faults of servers and databases.
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
				pid := strconv.Itoa(s.process.Process.Pid)
				out, err := exec.Command("prlimit", "--pid", pid, "--fsize="+size).CombinedOutput()
				if err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
		}
		f := fileFault(t)
		f.begin, f.end = limit("1:unlimited"), limit("unlimited")
		return f
	},
	"sqlite/stopped server":   func(t *testing.T) fault { return stopped(fileFault(t)) },
	"sqlite/killed server":    func(t *testing.T) fault { return killed(fileFault(t)) },
	"postgres/stopped server": func(t *testing.T) fault { return stopped(clusterFault(pgtest.Start(t))) },
	"postgres/killed server":  func(t *testing.T) fault { return killed(clusterFault(pgtest.Start(t))) },
	"postgres/stopped": func(t *testing.T) fault {
		cluster := pgtest.New(t)
		f := clusterFault(cluster.Database(t))
		f.begin, f.end = func(*server) { cluster.Stop(t) }, func(*server) { cluster.Start(t) }
		return f
	},
	"postgres/killed": func(t *testing.T) fault {
		cluster := pgtest.New(t)
		f := clusterFault(cluster.Database(t))
		f.begin, f.end = func(*server) { cluster.Kill(t) }, func(*server) { cluster.Start(t) }
		return f
	},
	"postgres/out of reach": func(t *testing.T) fault {
		f := clusterFault(pgtest.Start(t))
		p := newDBProxy(t, f.direct)
		f.database = p.dsn
		f.begin, f.end = func(*server) { p.freeze(t) }, func(*server) { p.thaw(t) }
		return f
	},
	"postgres/locked": func(t *testing.T) fault {
		return locked(t, clusterFault(pgtest.Start(t)), "pgx",
			"BEGIN", "LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE")
	},
}

func fileFault(t *testing.T) fault {
	name := filepath.Join(t.TempDir(), "duel.db")
	return fault{database: name, direct: name}
}

func clusterFault(dsn string) fault { return fault{database: dsn, direct: dsn} }

// locked locks a database with some statements, on another connection.
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
	f.begin, f.end = run(by...), run("ROLLBACK")
	return f
}

// stopped stops the process of a server.
func stopped(f fault) fault {
	signal := func(s *server, which syscall.Signal) {
		if err := s.process.Process.Signal(which); err != nil {
			s.t.Fatal(err)
		}
	}
	f.begin = func(s *server) { signal(s, syscall.SIGSTOP) }
	f.end = func(s *server) { signal(s, syscall.SIGCONT) }
	return f
}

// killed kills a server and starts it again.
func killed(f fault) fault {
	f.begin, f.end = (*server).kill, (*server).start
	return f
}

const (
	turnTime = 6 * time.Second
	slack    = 2 * time.Second // in addition to the lag of a busy machine
)

// someFaults are tested on every change: one of a file, of a database and of a server.
var someFaults = []string{
	"sqlite/locked", "sqlite/killed server", "postgres/stopped", "postgres/out of reach",
}

// TestFaults checks that a fault costs no player any time: a move right after it is not late, and a
// player to move keeps the time that was left when it began, which is reported at once. After that
// the clock runs as usual.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, make := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !nightly && !slices.Contains(someFaults, name) {
				t.Skip("this fault is part of make nightly")
			}
			f, lag := make(t), measureLag(t)
			s := newServer(t, "--db", f.database)
			s.start()
			waiting, moving := s.open(withTurnTime), s.open(withTurnTime)
			deadline := s.tableState(waiting.id).Deadline
			<-time.After(time.Until(deadline.Add(-turnTime / 2)))
			before := time.Until(deadline)
			f.begin(s) // takes a while
			left := time.Until(deadline)
			<-time.After(left + time.Second)
			over := time.Now()
			f.end(s)
			waitUntil(t, 20*time.Second, "a move is saved", func() bool {
				status, text, err := s.ask("POST", "/api/tables/"+moving.id+"/moves", moving.tokens[0], `{"move":"7a"}`)
				if status == http.StatusConflict {
					t.Fatalf("a move after the fault was refused: %s", text)
				}
				return err == nil && status == http.StatusOK
			})
			most := time.Now().Add(before + slack)
			moved := deadline
			took := waitUntil(t, time.Minute, "the deadline has moved", func() bool {
				moved = s.tableState(waiting.id).Deadline
				return !moved.Equal(deadline)
			})
			most = most.Add(lag())
			if took > slack+lag() {
				t.Errorf("the deadline moved %v after a move was saved", took)
			}
			if least := over.Add(left); moved.Before(least) || moved.After(most) {
				t.Errorf("of %v there are %v left; allowed: %v to %v",
					turnTime, moved.Sub(over), left, most.Sub(over))
			}
			t.Logf("left before the fault: %v, after it: %v", left, moved.Sub(over))
			checkFlag(t, openStore(t, f.direct), waiting.id, moved, moved.Add(slack), lag)
		})
	}
}

// TestNoFault checks that time runs out without a fault, and that one stopped server of two is not
// a fault.
func TestNoFault(t *testing.T) {
	t.Parallel()
	for name, database := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			where, lag := database(t), measureLag(t)
			s := newServer(t, "--db", where)
			s.start()
			table := s.open(withTurnTime)
			deadline := s.tableState(table.id).Deadline
			checkFlag(t, openStore(t, where), table.id, deadline, deadline.Add(slack), lag)
		})
	}
	t.Run("one of two is stopped", func(t *testing.T) {
		t.Parallel()
		f, lag := stopped(clusterFault(pgtest.Start(t))), measureLag(t)
		here, there := newServer(t, "--db", f.database), newServer(t, "--db", f.database)
		here.start()
		there.start()
		table := here.open(withTurnTime)
		deadline := here.tableState(table.id).Deadline
		f.begin(here)
		late := slack + 4*time.Second // the other server leaves the table to this one for a while
		checkFlag(t, openStore(t, f.direct), table.id, deadline, deadline.Add(late), lag)
		f.end(here)
		waitUntil(t, time.Minute, "the stopped server shows the result", func() bool {
			return here.tableState(table.id).Result == "0-1 time"
		})
	})
}

// withTurnTime are the settings of a table with a clock.
var withTurnTime = fmt.Sprintf(`,"turn_time":"%v"`, turnTime)

// checkFlag waits until the time of a table has run out, and checks that this happened between two
// times. The lag of the machine may make it later.
func checkFlag(
	t *testing.T, db *store.DB, table string, from, to time.Time, lag func() time.Duration,
) {
	t.Helper()
	var last match.Event
	waitUntil(t, time.Minute, "the time has run out", func() bool {
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
	t.Logf("the time ran out %v late; allowed: %v, of which %v are lag of the machine",
		last.At.Sub(from), to.Sub(from), lag())
}
