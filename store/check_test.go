package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"digitduel/digit"
	"digitduel/match"
)

// problemsOf checks a database, and returns the problems as lines and the amount checked.
func problemsOf(t *testing.T, d *DB) (lines []string, sum Checked) {
	t.Helper()
	sum, err := d.Check(t.Context(), func(f Problem) {
		lines = append(lines, strings.TrimSpace(f.Table+" "+f.Text))
	})
	if err != nil {
		t.Error(err)
	}
	if sum.Problems != len(lines) {
		t.Errorf("%d problems are counted, but %d reported", sum.Problems, len(lines))
	}
	return lines, sum
}

// execSQL runs statements in a database.
func execSQL(t *testing.T, d *DB, statements ...string) {
	t.Helper()
	if err := d.engine.write(t.Context(), func(tx *sql.Tx) error {
		for _, s := range statements {
			if _, err := tx.ExecContext(t.Context(), s); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// TestCheck plants one fault after the other, and checks that Check finds it.
func TestCheck(t *testing.T) {
	tests := []struct {
		plant, want string
	}{
		{"UPDATE tables SET terms = terms WHERE id = 'done'", ""},
		// Events.
		{"DELETE FROM events WHERE table_id = 'done' AND seq = 4", "done event 5: event 5 cannot follow event 3"},
		{"DELETE FROM events WHERE table_id = 'done' AND seq = 1", "done event 2: event 2 cannot follow event 0"},
		{"DELETE FROM events WHERE table_id = 'flagged'", `flagged its row in tables does not follow from its events
flagged the row of game 1 in games does not follow from its events`},
		{"DELETE FROM events WHERE table_id = 'waits'", "waits its row in tables does not follow from its events"}, // the last of all
		{`UPDATE events SET body = replace(body, '"1c"', '"1a"') WHERE table_id = 'done' AND seq = 5`, "done event 5: 1a: place a is filled; free: b c"},
		{`UPDATE events SET body = replace(body, '"1c"', '"8c"') WHERE table_id = 'done' AND seq = 5`,
			"done the row of game 1 in games: record is dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple; first=Ada second=Ben starts=1 at=2026-01-31T12:04:01Z; " +
				"its events say dilemma 7a 3b 8c 5a 4b 2c 0-1 multiple; first=Ada second=Ben starts=1 at=2026-01-31T12:04:01Z"},
		{`UPDATE events SET body = replace(body, '"seq":5', '"seq":6') WHERE table_id = 'done' AND seq = 5`, "done event 5: the event has number 6"},
		{`UPDATE events SET body = substr(body, 1, 10) WHERE table_id = 'done' AND seq = 5`, "done event 5: unreadable: unexpected end of JSON input"},
		{`UPDATE events SET at = at + 1 WHERE table_id = 'done' AND seq = 5`,
			"done event 5: the event has time 2026-01-31 12:04:04.123456 +0000 UTC, its row 2026-01-31 12:04:04.123457 +0000 UTC"},
		{`UPDATE events SET body = replace(body, '"resigned"', '"vanished"') WHERE table_id = 'left' AND seq = 7`, `left event 7: unknown event "vanished"`},
		// Rows.
		{"DELETE FROM tables WHERE id = 'hidden'", "hidden its row in tables is missing"},
		{"INSERT INTO tables SELECT 'ghost', " + strings.TrimPrefix(columnsOf("tables"), "id, ") + " FROM tables WHERE id = 'done'", "ghost its row in tables does not follow from its events"},
		{"UPDATE tables SET name1 = 'Eve', wins1 = 7 WHERE id = 'between'", `between its row in tables: name1 is Eve; its events say Ada
between its row in tables: wins1 is 7; its events say 1`},
		{"UPDATE tables SET deadline = NULL WHERE id = 'plays'", "plays its row in tables: deadline is none; its events say 1769860922123456"},
		{"UPDATE tables SET deadline = 5 WHERE id = 'done'", "done its row in tables: deadline is 5; its events say none"},
		{"UPDATE tables SET deadline = deadline - 1 WHERE id = 'plays'", "plays its row in tables: deadline is 1769860922123455; its events say 1769860922123456"},
		{"UPDATE tables SET deadline = deadline + 1000000 WHERE id = 'plays'", ""}, // a server was down
		{"DELETE FROM games WHERE table_id = 'done'", `done the row of game 1 in games is missing
the counts of dilemma 0-1 multiple differ from the games by 1, and by 6 moves`},
		{"UPDATE games SET number = 2 WHERE table_id = 'done'", `done the row of game 1 in games is missing
done the row of game 2 in games does not follow from its events`},
		{"UPDATE games SET score = '1-0' WHERE table_id = 'done'", `done the row of game 1 in games: score is 1-0; its events say 0-1
the counts of dilemma 0-1 multiple differ from the games by 1, and by 6 moves
the counts of dilemma 1-0 multiple differ from the games by -1, and by -6 moves`},
		{`UPDATE tables SET terms = '{"hints":true}' WHERE id = 'done'`, `done its row in tables: terms is {"hints":true}; its events say {}`},
		{"UPDATE counts SET games = games + 2 WHERE book = 'dilemma' AND reason = 'multiple'", "the counts of dilemma 0-1 multiple differ from the games by 2, and by 0 moves"},
		// The rest.
		{"DELETE FROM meta WHERE name = 'secret'", "the secret for links is missing: 0 bytes, read the secret of the database: sql: no rows in result set"},
	}
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		for _, test := range tests {
			execSQL(t, d, "DELETE FROM events", "DELETE FROM games", "DELETE FROM counts", "DELETE FROM tables",
				"INSERT INTO meta VALUES ('secret', '"+newSecret()+"') ON CONFLICT DO NOTHING")
			addTables(t, d)
			execSQL(t, d, test.plant)
			lines, sum := problemsOf(t, d)
			if got := strings.Join(lines, "\n"); got != test.want {
				t.Errorf("%s:\n got %s\nwant %s", test.plant, got, test.want)
			}
			if test.want == "" && sum != (Checked{Tables: 7, Events: 30, Games: 4}) {
				t.Errorf("%s: got %+v", test.plant, sum)
			}
		}
	})
}

// columnsOf returns the columns of a table of the schema.
func columnsOf(table string) string {
	for _, k := range backupTables {
		if k.table == table {
			return k.columns
		}
	}
	return ""
}

// TestCheckInPieces checks more tables than are read at once, with a fault in each batch, which is
// also a fault of the counts.
func TestCheckInPieces(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		steps := script(t, match.Setup{Rules: digit.Dilemma}, "began; 1 resigned")
		n := 2*batchTables + 10
		appendMany(t, d, "t", n, steps)
		execSQL(t, d,
			"UPDATE games SET plies = 7 WHERE table_id IN ('t00000', 't01000', 't01001', 't02009')",
			"DELETE FROM tables WHERE id = 't01002'")
		lines, sum := problemsOf(t, d)
		if len(lines) != 6 || sum.Tables != n-1 || sum.Games != n || sum.Events != len(steps)*n {
			t.Errorf("%+v %q", sum, lines)
		}
	})
}

// TestCheckWhileWriting checks a database while tables are written: the check reads a consistent
// snapshot.
func TestCheckWhileWriting(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		defer wg.Wait()
		defer cancel()
		steps := script(t, match.Setup{Rules: digit.Dilemma}, fiveMoves+"; 2 2c")
		for w := range 4 {
			wg.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					appendSteps(t, d, fmt.Sprintf("w%dn%d", w, n), steps)
				}
			})
		}
		other := openAt(t, where, Config{})
		for sum := (Checked{}); sum.Events < 200; {
			var lines []string
			if lines, sum = problemsOf(t, other); len(lines) > 0 {
				t.Fatalf("%+v %q", sum, lines)
			}
		}
	})
}

// TestCheckOfADamagedFile damages a page of an index that no query of the check reads.
func TestCheckOfADamagedFile(t *testing.T) {
	where := kinds[0].where(t)
	d, err := Open(t.Context(), where, Config{})
	if err != nil {
		t.Fatal(err)
	}
	addTables(t, d)
	var page, size int64
	row := d.sql.QueryRowContext(t.Context(),
		"SELECT rootpage, (SELECT page_size FROM pragma_page_size) "+
			"FROM sqlite_schema WHERE name = 'games_ended'")
	if err := row.Scan(&page, &size); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(where, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt([]byte{0x0a, 0, 0, 0, 0}, (page-1)*size) // an index without entries
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	lines, _ := problemsOf(t, openAt(t, where, Config{}))
	if len(lines) == 0 || !strings.Contains(strings.Join(lines, "\n"), "the file is damaged: ") {
		t.Errorf("%q", lines)
	}
}
