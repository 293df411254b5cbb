package store

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"

	"github.com/google/go-cmp/cmp"
)

// eachKept runs a test with a copy of every kept database, in both kinds of database.
func eachKept(t *testing.T, test func(t *testing.T, where string, v int)) {
	t.Parallel()
	for v := 1; v <= version; v++ {
		if _, err := os.Stat(fmt.Sprintf("testdata/v%d.json", v)); err != nil {
			if v < version {
				t.Errorf("version %d: %v", v, err)
			}
			continue // the current version is kept just before the next one
		}
		for _, k := range kinds {
			t.Run(fmt.Sprintf("%s of version %d", k.name, v), func(t *testing.T) {
				t.Parallel()
				where := k.where(t)
				loadKept(t, where, v)
				test(t, where, v)
			})
		}
	}
}

// keptTables returns the tables of the kept database of a version.
func keptTables(t *testing.T, v int) (all []keptTable) {
	t.Helper()
	if err := json.Unmarshal(readKept(t, fmt.Sprintf("v%d.json", v)), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestOlderFormsAreBroughtForward upgrades old databases, and checks that all events are there and
// that lists match the logs.
func TestOlderFormsAreBroughtForward(t *testing.T) {
	eachKept(t, func(t *testing.T, where string, v int) {
		d := openAt(t, where, Config{})
		rows, err := d.Tables(t.Context(), match.TableFilter{})
		if err != nil {
			t.Fatal(err)
		}
		byID := map[string]match.Summary{}
		for _, row := range rows {
			byID[row.ID] = row
		}
		tables := keptTables(t, v)
		if len(rows) != len(tables) {
			t.Errorf("got %d tables, want %d", len(rows), len(tables))
		}
		for _, table := range tables {
			s := replay(t, d, table.ID)
			row := byID[table.ID]
			want := match.Summary{
				ID: table.ID, Opened: row.Opened, Changed: row.Changed, Rules: s.Setup.Rules, Levels: s.Levels,
				First: s.Setup.First, Terms: s.Setup.Terms, Openings: s.Setup.Openings,
				Phase: s.Phase(), Listed: s.Setup.Listed, Game: s.Game, Wins: s.Wins, Draws: s.Draws,
			}
			for _, seat := range match.Seats {
				if !s.Open[seat] {
					want.Names[seat] = s.Setup.Name(seat)
				}
			}
			if s.Seq != table.Seq || !cmp.Equal(want, row) {
				t.Errorf("%s: got %d events, want %d; %s", table.What, s.Seq, table.Seq, cmp.Diff(want, row))
			}
		}
		sum, err := d.Check(t.Context(), func(f Problem) { t.Errorf("table %s: %s", f.Table, f.Text) })
		if err != nil || sum.Tables != len(tables) {
			t.Errorf("check: %+v, %v", sum, err)
		}
		checkPages(t, d)
	})
}

// replay returns the state after all events of a table.
func replay(t *testing.T, d *DB, table string) (s match.State) {
	t.Helper()
	events, err := d.Events(t.Context(), table, 0)
	for _, e := range events {
		if s, err = s.Apply(e); err != nil {
			break
		}
	}
	if err != nil {
		t.Fatalf("table %s: %v", table, err)
	}
	return s
}

// checkCounts compares the counts of games with the games.
func checkCounts(t *testing.T, d *DB) {
	t.Helper()
	err := d.query(t.Context(), badCounts, nil, func(rows *sql.Rows) error {
		var book, score, reason string
		var games, plies int
		err := rows.Scan(&book, &score, &reason, &games, &plies)
		t.Errorf("%s %s %s: the counts have %d games and %d plies too many",
			book, score, reason, games, plies)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checkPages reads all games page by page, and checks that each is found once.
func checkPages(t *testing.T, d *DB) {
	t.Helper()
	all, err := d.Games(t.Context(), match.GameFilter{})
	if err != nil || len(all) < 2 {
		t.Fatalf("%d games, %v", len(all), err)
	}
	for size := 1; size <= 3; size++ {
		var paged []match.Game
		f := match.GameFilter{Limit: size}
		for len(paged) <= len(all) { // a page that repeats its games has no end
			some, err := d.Games(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			if len(some) == 0 {
				break
			}
			paged, f.Before = append(paged, some...), some[len(some)-1].Mark()
		}
		if diff := cmp.Diff(marks(all), marks(paged)); diff != "" {
			t.Errorf("%d at a time: %s", size, diff)
		}
	}
}

func marks(games []match.Game) (all []string) {
	for _, g := range games {
		all = append(all, g.Mark().String())
	}
	return all
}

// TestGamesOfOneMomentArePaged checks the pages of games that ended in the same microsecond, at one
// table and at several.
func TestGamesOfOneMomentArePaged(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		for i := range 7 {
			setup := match.Setup{Terms: match.Terms{BestOf: 3}, Rules: digit.Dilemma}
			steps := script(t, setup, "began; 1 resigned; began; 2 resigned; began; 1 resigned")
			for i := range steps {
				steps[i].Event.At = noon
			}
			appendSteps(t, d, fmt.Sprint("t", i), steps)
		}
		checkPages(t, d)
		checkCounts(t, d)
	})
}

// TestAnUpgradeThatIsKilledLeavesTheOldForm kills a program during an upgrade: the database keeps
// its version, and the next program upgrades it.
func TestAnUpgradeThatIsKilledLeavesTheOldForm(t *testing.T) {
	eachKept(t, func(t *testing.T, where string, v int) {
		if v == version {
			return
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "DUEL_TEST_UPGRADE="+where)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		said, _ := bufio.NewReader(out).ReadString('\n')
		if said != halfway+"\n" {
			t.Errorf("it printed %q", said)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // it was killed
		if is := versionOf(t, where); is != v {
			t.Errorf("got version %d, want %d", is, v)
		}
		d := openAt(t, where, Config{})
		if is := versionOf(t, where); is != version {
			t.Errorf("after the upgrade: got version %d, want %d", is, version)
		}
		for _, table := range keptTables(t, v) {
			if s := replay(t, d, table.ID); s.Seq != table.Seq {
				t.Errorf("%s: got %d events, want %d", table.What, s.Seq, table.Seq)
			}
		}
		checkCounts(t, d)
	})
}

const halfway = "half of it is done"

// upgradeHalf starts to upgrade a database, and blocks before the upgrade is complete. The test
// binary is killed then.
func upgradeHalf(where string) error {
	fills[version] = func(context.Context, *sql.Tx, *slog.Logger) error {
		fmt.Println(halfway)
		select {}
	}
	_, err := Open(context.Background(), where, Config{Server: true})
	return err
}

// versionOf returns the version of the schema of a database.
func versionOf(t *testing.T, where string) (v int) {
	t.Helper()
	db := openRaw(where, 1)
	if strings.HasPrefix(where, "postgres") {
		var err error
		if db, err = sql.Open("pgx", where); err != nil {
			t.Fatal(err)
		}
	}
	defer mustClose(t, db)
	if err := db.QueryRowContext(t.Context(), "SELECT max(version) FROM schema_version").Scan(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestSeveralUpgradeOnce opens an old database several times at once: one upgrades it and logs it,
// and the others wait.
func TestSeveralUpgradeOnce(t *testing.T) {
	eachKept(t, func(t *testing.T, where string, v int) {
		if v == version {
			return
		}
		var log logBuffer
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				d, err := Open(t.Context(), where, Config{Log: slog.New(slog.NewTextHandler(&log, nil))})
				if err == nil {
					_, err = d.Stats(t.Context())
				}
				if err != nil {
					t.Error(err)
					return
				}
				if err := d.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if n := strings.Count(log.String(), "the database is upgraded"); n != version-v {
			t.Errorf("logged %d upgrades, want %d:\n%s", n, version-v, log.String())
		}
		checkCounts(t, openAt(t, where, Config{}))
	})
}

// A logBuffer collects the output of a logger, and can be written from several goroutines.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// TestAnOldServerCannotWriteRows checks that a server of version 1 that still runs cannot write the
// row of a table. It would leave out the terms, and would not count the game.
func TestAnOldServerCannotWriteRows(t *testing.T) {
	t.Parallel()
	where := kinds[1].where(t)
	loadKept(t, where, 1)
	d := openAt(t, where, Config{})
	const old = `INSERT INTO tables (id, rules, book, best_of, turn_time, listed, opened,
changed, phase, name1, name2, level1, level2, game, wins1, wins2, draws, deadline)
VALUES ($1, 'dilemma', 'dilemma', 0, 0, 0, 0, 0, 'over', '', '', '', '', 1, 0, 0, 0, NULL)
ON CONFLICT (id) DO UPDATE SET phase = excluded.phase`
	for _, id := range []string{"new", keptTables(t, 1)[0].ID} {
		_, err := d.sql.ExecContext(t.Context(), old, id)
		const want = `column "best_of" of relation "tables" does not exist`
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("table %s: %v", id, err)
		}
	}
}

// TestACommandDoesNotUpgradeUnderAServer checks that a command does not upgrade a database right
// after a beat of its server, but does so some time later.
func TestACommandDoesNotUpgradeUnderAServer(t *testing.T) {
	eachKept(t, func(t *testing.T, where string, v int) {
		if v == version {
			return
		}
		at := func(since time.Duration) Config {
			// TestKeep wrote two tables at a time, and a beat after each.
			last := noon.Add(time.Duration((len(keptTables(t, v))-1)/2*2+1) * time.Minute)
			return Config{Now: func() time.Time { return last.Add(since) }}
		}
		_, err := Open(t.Context(), where, at(aliveFor-time.Millisecond))
		want := fmt.Sprintf("its schema has version %d, and a server uses it; "+
			"stop the server, or use the same version of the program", v)
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		if is := versionOf(t, where); is != v {
			t.Errorf("got version %d, want %d", is, v)
		}
		openAt(t, where, at(aliveFor+time.Millisecond))
	})
}

// TestAServerUpgradesAtOnce checks that a new server upgrades a database right after the older
// server.
func TestAServerUpgradesAtOnce(t *testing.T) {
	eachKept(t, func(t *testing.T, where string, _ int) {
		openAt(t, where, Config{Server: true, Now: func() time.Time { return noon }})
	})
}
