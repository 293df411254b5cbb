package store

import (
	"database/sql"
	"strings"
	"testing"
	"time"
)

// firstOpened is the time at which fillMany opens the first table; each of the others is opened a
// second later.
var firstOpened = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// fillMany creates a database of version 1 with n tables: one in a hundred waits for a player, one
// in a thousand plays with a clock, one in a thousand is between two games, and the rest are over.
// Three games at a time end in the same moment.
func fillMany(t testing.TB, where string, n int) {
	t.Helper()
	d := inSQLite
	if !strings.HasPrefix(where, "postgres") {
		if err := createPrivate(where); err != nil {
			t.Fatal(err)
		}
	}
	db := openRaw(where, 1, "journal_mode(OFF)", "synchronous(OFF)", "cache_size(-64000)")
	if strings.HasPrefix(where, "postgres") {
		d = inPostgres
		var err error
		if db, err = sql.Open("pgx", where); err != nil {
			t.Fatal(err)
		}
	}
	defer mustClose(t, db)
	one, err := d.statements(1)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	for _, s := range []statement{
		{"CREATE TABLE schema_version (version integer PRIMARY KEY)", nil},
		{"INSERT INTO schema_version VALUES (1)", nil},
		{one, nil},
		{"INSERT INTO meta VALUES ('secret', $1)", []any{newSecret()}},
		{fillEvents, []any{n, micros(firstOpened)}},
		{fillTables, []any{n, micros(firstOpened)}},
		{fillGames, []any{n, micros(firstOpened)}},
	} {
		if _, err := tx.ExecContext(t.Context(), s.text, s.args...); err != nil {
			t.Fatalf("%.200s: %v", s.text, err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if d == inPostgres {
		analyze(t, where)
	}
}

// analyze updates the statistics of PostgreSQL, as autovacuum does.
func analyze(t testing.TB, where string) {
	t.Helper()
	db, err := sql.Open("pgx", where)
	if err != nil {
		t.Fatal(err)
	}
	defer mustClose(t, db)
	if _, err := db.ExecContext(t.Context(), "VACUUM ANALYZE"); err != nil {
		t.Fatal(err)
	}
}

const (
	fillNumbers = `WITH RECURSIVE n(i) AS (SELECT CAST(1 AS bigint) UNION ALL SELECT i + 1 FROM n WHERE i < $1),
t AS (SELECT i, 't' || substr(CAST(10000000 + i AS text), 2) AS id, CAST($2 AS bigint) + i * 1000000 AS at,
CASE WHEN i % 100 = 1 THEN 'open' WHEN i % 1000 = 2 THEN 'playing' WHEN i % 1000 = 3 THEN 'between' ELSE 'over' END AS phase,
CASE i % 5 WHEN 0 THEN 'dilemma' WHEN 1 THEN 'sevens' WHEN 2 THEN 'highest' WHEN 3 THEN 'divisibility' ELSE 'reverse' END AS book FROM n) `
	fillEvents = "INSERT INTO events (table_id, seq, at, body) " + fillNumbers + `SELECT id, 1, at,
'{"seq":1,"at":"2026-01-31T12:00:00.123456Z","kind":"opened","setup":{"rules":"' || book || '","names":["Ada","Ben"]' || CASE WHEN i % 100 = 1 THEN ',"open":[false,true]' ELSE '' END ||
',"listed":true' || CASE WHEN i % 2 = 0 THEN ',"hints":true' ELSE '' END || '}}' FROM t
UNION ALL SELECT id, 2, at, '{"seq":2,"at":"2026-01-31T12:00:01.123456Z","kind":"began"}' FROM t WHERE i % 100 <> 1
UNION ALL SELECT id, 3, at, '{"seq":3,"at":"2026-01-31T12:00:02.123456Z","kind":"resigned"}' FROM t WHERE i % 100 <> 1 AND i % 1000 <> 2`
	fillTables = `INSERT INTO tables (id, rules, book, best_of, turn_time, listed, opened, changed, phase, name1, name2, level1, level2, game, wins1, wins2, draws, deadline) ` +
		fillNumbers + `SELECT id, book, book, 0, 0, CASE WHEN i % 2 = 1 THEN 1 ELSE 0 END, at, at, phase, 'Ada', 'Ben', '', '', 1, 1, 0, 0, CASE WHEN phase = 'playing' THEN at + 60000000 END FROM t`
	fillGames = `INSERT INTO games (table_id, number, record, book, score, reason, plies, name1, name2, level1, level2, ended) ` +
		fillNumbers + `SELECT id, 1, book || ' 0-1 resigned; first=Ada second=Ben starts=1 at=2026-01-31T12:00:01Z', book,
CASE i % 3 WHEN 0 THEN '1-0' WHEN 1 THEN '0-1' ELSE '1/2' END, CASE i % 4 WHEN 0 THEN 'multiple' WHEN 1 THEN 'higher' WHEN 2 THEN 'resigned' ELSE 'time' END,
6, 'Ada', 'Ben', '', '', CAST($2 AS bigint) + i / 3 * 3000000 FROM t WHERE i % 100 <> 1 AND i % 1000 <> 2`

	// Sittings of three items, of which one in ten is not finished.
	fillSittings = `INSERT INTO sittings (id, exam, items, answered, changed) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
SELECT 's' || substr(CAST(10000000 + i AS text), 2), '{}', 3, CASE WHEN i % 10 = 0 THEN 2 ELSE 3 END, i FROM n`
	fillClasses     = "INSERT INTO classes (id, due, code) SELECT id, changed, CASE WHEN answered = 2 THEN '' ELSE id END FROM sittings"
	fillClassEvents = "INSERT INTO class_events (class_id, seq, at, body) SELECT sitting, item, at, '{}' FROM answers"
	fillAnswers     = "INSERT INTO answers (sitting, item, at, answer) SELECT id, i, changed, '7a' FROM sittings JOIN (SELECT 1 AS i UNION SELECT 2 UNION SELECT 3) n ON i <= answered"
)
