package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/bot/sit"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
	"digitduel/store"
)

// TestStop stops a server during a move: the move is played, streams end with bye, and the address
// and the database are free again.
func TestStop(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			s := newTestServer(t, "--db", filepath.Join(t.TempDir(), "duel.db"))
			s.start()
			table := s.open("")
			events, _ := s.openStream(table.id, table.tokens[1])
			move := s.beginMove(table, "7a")
			if err := s.process.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			for a := range events {
				if a.Kind == match.Moved {
					t.Error("the move was announced before it was sent")
				}
				if a.Kind == "" {
					break // bye
				}
			}
			if _, open := <-events; open {
				t.Error("the stream continues after bye")
			}
			if _, err := io.WriteString(move, move.rest); err != nil {
				t.Fatal(err)
			}
			answer, err := http.ReadResponse(move.in, nil) //nolint:bodyclose // closed when the server ends
			if err != nil || answer.StatusCode != http.StatusOK {
				t.Fatalf("a move during the shutdown is answered %v: %v", answer, err)
			}
			if code := s.end(sig); code != 0 {
				t.Errorf("exit code %d, want 0", code)
			}
			log := s.log.String()
			if strings.Contains(log, "level=ERROR") || strings.Contains(log, "duel: ") {
				t.Errorf("the log has\n%s", log)
			}
			s.start() // at the same address
			history, err := s.history(t.Context(), table.id)
			if err != nil || len(history) != 3 || !strings.Contains(history[2], `"move":"7a"`) {
				t.Errorf("the events of the table are %q: %v", history, err)
			}
		})
	}
}

// TestStopLate stops a server while a request never ends.
func TestStopLate(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, "--db", filepath.Join(t.TempDir(), "duel.db"), "--shutdown-timeout", "500ms")
	s.start()
	s.beginMove(s.open(""), "7a")
	if code := s.end(syscall.SIGTERM); code != 1 ||
		!strings.Contains(s.log.String(), "duel: some requests were not finished in 500ms\n") {
		t.Errorf("exit code %d and\n%s", code, s.log)
	}
}

// TestTwoAtOnce starts a server on the database or the address of another one.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "duel.db")
	s := newTestServer(t, "--db", db)
	s.start()
	for _, tt := range []struct{ args, want string }{
		{"--addr 127.0.0.1:0 --db " + db, "database " + db + ": another server serves it (and holds " + db + ".lock); allowed: one, or any number on one PostgreSQL"},
		{"--addr " + s.addr + " --db " + db + "2", "listen tcp " + s.addr + ": bind: address already in use"},
		{"--addr 127.0.0.1:0 --metrics-addr " + s.addr + " --db " + db + "3", "listen tcp " + s.addr + ": bind: address already in use"},
	} {
		args := append([]string{"serve", "--log-level=error"}, strings.Fields(tt.args)...)
		code, _, stderr := runDuel(t, nil, args...)
		if code != 1 || stderr != "duel: "+tt.want+"\n" {
			t.Errorf("%s: exit code %d and %q, want %q", tt.args, code, stderr, tt.want)
		}
	}
	if status := s.status("/readyz"); status != http.StatusOK {
		t.Errorf("the first server has status %d", status)
	}
}

// TestEnvironmentElsewhere checks that other commands read only the database from the environment.
func TestEnvironmentElsewhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, copied := filepath.Join(dir, "a.db"), filepath.Join(dir, "copy.db")
	run := filepath.Join(dir, "run")
	if err := os.WriteFile(db, unpack(t, "v3.db.gz"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{
		"DUEL_DB=" + db, "DUEL_FORCE=true", "DUEL_IDLE=1ns", "DUEL_FINISHED=1ns", "DUEL_JSON=true",
	}
	result := func(args ...string) string {
		code, stdout, stderr := runDuel(t, env, args...)
		return fmt.Sprint(code, " ", stdout, stderr)
	}
	if got := result("admin", "backup", copied); got != "0 backed up to "+copied+"\n" {
		t.Error("backup:", got)
	}
	got := result("admin", "restore", copied)
	if !strings.HasPrefix(got, "1 ") || !strings.Contains(got, "--force replaces them") {
		t.Error("restore over tables without --force:", got)
	}
	if got := result("admin", "prune", "--idle", "0"); got != "0 deleted 0 tables\n" {
		t.Error("prune of nothing:", got)
	}
	if got := result("admin", "check"); !strings.HasPrefix(got, "0 checked ") {
		t.Error("check:", got)
	}
	env = []string{"DUEL_DB=" + filepath.Join(dir, "b.db"), "DUEL_EXAMS=true", "DUEL_RETRIES=-1"}
	got = result("mcp", "--out", run, "--name", "x", "--opponent", "beginner", "--pairs", "1")
	if got != "0 " {
		t.Error("mcp --out:", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "b.db")); err == nil {
		t.Error("the database of a run is not in its folder")
	}
	if got := result("mcp"); got != "0 " {
		t.Error("mcp:", got)
	}
	for _, name := range []string{filepath.Join(run, "duel.db"), filepath.Join(dir, "b.db")} {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
}

// TestEnvironment checks where servers listen and where their database is, by the environment and
// by flags.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, env, args, db string
	}{
		{"all by environment", "DUEL_ADDR=127.0.0.1:0 DUEL_DB=DIR/a.db", "", "a.db"},
		{"flags win", "DUEL_ADDR=nowhere DUEL_DB=DIR/a.db", "--addr 127.0.0.1:0 --db DIR/b.db", "b.db"},
		{"the user's data", "DUEL_ADDR=127.0.0.1:0 XDG_DATA_HOME=DIR", "", "duel/duel.db"},
		{"agents", "DUEL_ADDR=127.0.0.1:0 DUEL_DB=DIR/a.db", "--mcp", "a.db"},
		{"the user's home", "DUEL_ADDR=127.0.0.1:0 XDG_DATA_HOME= HOME=DIR", "", ".local/share/duel/duel.db"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			in := func(text string) []string {
				return strings.Fields(strings.ReplaceAll(text, "DIR", dir))
			}
			cmd := exec.CommandContext(t.Context(), "duel", append([]string{"serve"}, in(tt.args)...)...)
			cmd.Env = append(environment(t), in(tt.env)...)
			stderr, err := cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			readUntil(t, stderr, `msg="listening on http://127.0.0.1:`)
			if tt.args == "--mcp" {
				readUntil(t, stderr, `msg="agents connect at http://127.0.0.1:`)
			}
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			rest, _ := io.ReadAll(stderr)
			if err := cmd.Wait(); err != nil {
				t.Errorf("the server ended with %v and %s", err, rest)
			}
			info, err := os.Stat(filepath.Join(dir, tt.db))
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("the database file is %v, want mode 0600: %v", info, err)
			}
		})
	}
}

// TestLogs checks that the debug log of a server has no tokens.
func TestLogs(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"text", "json"} {
		s := newTestServer(t, "--db", filepath.Join(t.TempDir(), "duel.db"),
			"--log-level", "debug", "--log-format", format)
		s.start()
		table := s.open("")
		token, forged := table.tokens[0], "forgedforgedforgedforged"
		path := "/api/tables/" + table.id
		s.openStream(table.id, token)
		for _, r := range []struct{ method, path, token, body string }{
			{"POST", path + "/moves", token, `{"move":"7a"}`},
			{"POST", path + "/moves", token, `{"move":"7a"}`},
			{"POST", path + "/moves", token, `{"token":"` + token + `"}`},
			{"POST", path + "/moves", forged, `{"move":"8b"}`},
			{"POST", path + "/acts", token, `{"act":"resign"}`},
			{"GET", path + "?token=" + token, token, ""},
			{"GET", path + "/events?after=" + token, "", ""},
			{"GET", "/" + token, "", ""},
			{"GET", "/tables/" + table.id + "/" + token, "", ""},
			{"GET", "/api/tables/" + token, "", ""},
		} {
			if _, _, err := s.ask(r.method, r.path, r.token, r.body); err != nil {
				t.Error(err)
			}
		}
		if code := s.end(syscall.SIGTERM); code != 0 {
			t.Errorf("exit code %d", code)
		}
		log := s.log.String()
		for _, secret := range []string{token, table.tokens[1], forged} {
			if strings.Contains(log, secret) {
				t.Errorf("the log has a token:\n%s", log)
			}
		}
		if !strings.Contains(log, "POST /api/tables/{id}/moves") {
			t.Errorf("the log has no requests:\n%s", log)
		}
	}
}

// TestBackup backs up the database of a server under load, serves the copy, and restores it to each
// kind of database.
func TestBackup(t *testing.T) {
	t.Parallel()
	for name, database := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := database(t)
			s := newServer(t, "--db", db)
			s.start()
			c := newClients(t, s)
			c.play(8)
			c.await(300)
			known := c.ledger.known(c.ledger.sample(c.rng, 1000)...)
			copied := filepath.Join(t.TempDir(), "copy.db")
			code, stdout, stderr := runDuel(t, nil, "admin", "backup", "--db", db, copied)
			if code != 0 || stdout != "backed up to "+copied+"\n" || stderr != "" {
				t.Fatalf("exit code %d, %q, %q", code, stdout, stderr)
			}
			c.await(50) // the backup does not block the server
			c.stop()
			code, _, stderr = runDuel(t, nil, "admin", "backup", "--db", db, copied)
			if code != 1 ||
				stderr != "duel: backup "+copied+": the file exists; allowed: a new file\n" {
				t.Errorf("backup to an existing file: exit code %d, %q", code, stderr)
			}
			s.kill()
			other := newServer(t, "--db", copied)
			other.start()
			checkKnown(t, other, known)
			other.kill()
			// Later tables need not be in the copy.
			maps.DeleteFunc(c.ledger.tables, func(table string, _ *tableRecord) bool {
				_, before := known[table]
				return !before
			})
			c.checkStore(copied)
			for name, database := range databases {
				where := database(t)
				code, stdout, stderr := runDuel(t, nil, "admin", "restore", "--db", where, copied)
				if code != 0 || !strings.HasSuffix(stdout, " rows of "+copied+"\n") ||
					stderr != "" {
					t.Fatalf("restore to %s: exit code %d, %q, %q", name, code, stdout, stderr)
				}
				again := newServer(t, "--db", where)
				again.start()
				checkKnown(t, again, known)
				code, _, stderr = runDuel(t, nil, "admin", "restore", "--force", "--db", where, copied)
				if code != 1 || !strings.Contains(stderr, "another server serves it") {
					t.Errorf("restore while a server runs: exit code %d, %q", code, stderr)
				}
				code, stdout, stderr = runDuel(t, nil, "admin", "check", "--db", where)
				if code != 0 || !strings.HasSuffix(stdout, ": 0 faults\n") || stderr != "" {
					t.Errorf("check: exit code %d, %q, %q", code, stdout, stderr)
				}
				again.kill()
			}
		})
	}
}

// TestPrune deletes old tables from a database while a server uses it.
func TestPrune(t *testing.T) {
	t.Parallel()
	for name, database := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			where := database(t)
			db := openStore(t, where)
			keepOld(t, db, "idle40", 40, match.Opened, match.Began)
			keepOld(t, db, "idle20", 20, match.Opened, match.Began)
			keepOld(t, db, "over400", 400, match.Opened, match.Began, match.Resigned)
			s := newTestServer(t, "--db", where)
			s.start()
			fresh := s.open("").id
			for _, tt := range []struct {
				args, want string
				left       []string
			}{
				{"", "deleted 1 tables", []string{"idle20", "over400", fresh}},
				{"--idle 0", "deleted 0 tables", []string{"idle20", "over400", fresh}},
				{"--idle 0 --finished 365d", "deleted 1 tables", []string{"idle20", fresh}},
				{"--idle 12h", "deleted 1 tables", []string{fresh}},
			} {
				args := append([]string{"admin", "prune", "--db", where}, strings.Fields(tt.args)...)
				code, stdout, stderr := runDuel(t, nil, args...)
				printed, _, _ := strings.Cut(strings.TrimSpace(stdout), ";")
				if code != 0 || printed != tt.want || stderr != "" {
					t.Errorf("prune %s: exit code %d, %q, %q", tt.args, code, stdout, stderr)
				}
				tables, err := db.Tables(t.Context(), match.TableFilter{})
				var left []string
				for _, table := range tables {
					left = append(left, table.ID)
				}
				slices.Sort(left)
				if slices.Sort(tt.left); err != nil || !slices.Equal(left, tt.left) {
					t.Errorf("after prune %s the tables are %q, want %q: %v",
						tt.args, left, tt.left, err)
				}
			}
			// An open table is gone for its players, too.
			open := s.open("")
			code, _, stderr := runDuel(t, nil, "admin", "prune", "--db", where, "--idle", "1ns")
			if code != 0 {
				t.Fatalf("exit code %d, %q", code, stderr)
			}
			for range 2 {
				status, text, err := s.ask("POST", "/api/tables/"+open.id+"/moves", open.tokens[0], `{"move":"7a"}`)
				if err != nil || status != http.StatusNotFound {
					t.Errorf("a move at a deleted table: %d %s, %v", status, text, err)
				}
			}
		})
	}
}

// keepOld saves a table with events that are some days old.
func keepOld(t *testing.T, db *store.DB, table string, days int, kinds ...match.Kind) {
	t.Helper()
	var s match.State
	for _, kind := range kinds {
		e := match.Event{Seq: s.Seq + 1, At: time.Now().AddDate(0, 0, -days), Kind: kind}
		if kind == match.Opened {
			e.Setup = &match.Setup{Rules: digit.Books[0].Rules}
		}
		var err error
		if s, err = s.Apply(e); err == nil {
			err = db.Append(t.Context(), table, e, s)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestManyTargets checks that the computer plays at more tables with different games than there is
// memory for solutions.
func TestManyTargets(t *testing.T) {
	r := digit.Divisibility
	r.Target = 101
	one, err := solve.Solve(t.Context(), r, solve.Config{})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		solver := &solve.Solver{Config: solve.Config{Budget: one.Size().Bytes * 3 / 2}}
		host := func(ctx context.Context, t *match.Table) error {
			return sit.HostLevels(ctx, t, solver.Solve)
		}
		hall := match.NewHall(new(match.Memory), match.HallConfig{Host: host})
		defer hall.Close()
		for target := range uint16(5) {
			r.Target = 101 + target
			setup := match.Setup{Rules: r, Levels: [2]string{"casual", ""}}
			v, err := hall.Open(t.Context(), fmt.Sprint(target), setup)
			if err != nil {
				t.Fatal(err)
			}
			defer v.Close()
			if _, err := v.Table.Begin(t.Context()); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if moves := v.Table.State().Moves; len(moves) != 1 {
				t.Errorf("table %d: the computer has not moved: %v", target+1, moves)
			}
		}
	})
}

// TestBooksStay checks that solutions of the books stay in memory when more games are solved than
// there is room for.
func TestBooksStay(t *testing.T) {
	solver := &solve.Solver{Config: solve.Config{Budget: 1 << 20}}
	briefly := func(r digit.Rules) *solve.Solution {
		ctx, done := context.WithCancel(t.Context())
		defer done()
		s, err := solver.Solve(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	solveBooks(t.Context(), solver, slog.New(slog.DiscardHandler))
	var before []*solve.Solution
	for _, b := range digit.Books {
		before = append(before, briefly(b.Rules))
	}
	r := digit.Divisibility
	for r.Target = 101; r.Target < 111; r.Target++ {
		briefly(r)
	}
	for i, b := range digit.Books {
		if briefly(b.Rules) != before[i] {
			t.Errorf("%s was solved again", b.Name)
		}
	}
}
