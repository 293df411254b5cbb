package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

var update = flag.Bool("update", false, "write the kept database of the version of the schema that this program knows")

// A keptTable is a table of a kept database, with the tokens of its seats as the program of that
// time made them.
type keptTable struct {
	ID     string    `json:"id"`
	What   string    `json:"what"`
	Tokens [2]string `json:"tokens"`
	Seq    int       `json:"seq"`
	setup  match.Setup
	text   string
}

// TestKeep writes a database of this version with a table of every kind, which later programs must
// be able to upgrade. See testdata/README.md.
func TestKeep(t *testing.T) {
	if !*update {
		t.Skip("writes files of testdata; run it with -update")
	}
	name := filepath.Join(t.TempDir(), "duel.db")
	at := noon
	d := openAt(t, name, Config{Server: true, Now: func() time.Time { return at }})
	secret, err := d.Secret(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	keys, tables := match.NewKeys(secret), tablesToKeep(t)
	for i := range tables {
		table := &tables[i]
		// Two tables at a time, so that games end in the same microsecond.
		at = noon.Add(time.Duration(i/2*2) * time.Minute)
		table.ID = match.NewID(at)
		for _, seat := range match.Seats {
			table.Tokens[seat] = keys.Token(table.ID, seat)
		}
		steps := scriptAt(t, at, table.setup, table.text)
		table.Seq = len(steps)
		appendSteps(t, d, table.ID, steps)
		at = at.Add(time.Minute)
		if err := d.beat(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	// Old records had no tags and ended with the result.
	bare := "UPDATE games SET record = substr(record, 1, instr(record, ';') - 1) " +
		"WHERE book IN ('dilemma', 'sevens')"
	if _, err := d.engine.(*file).durable.ExecContext(t.Context(), bare); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := d.Backup(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(copied)
	if err != nil {
		t.Fatal(err)
	}
	list, err := json.MarshalIndent(tables, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	writeKept(t, "db.gz", pack(t, content))
	writeKept(t, "sql.gz", pack(t, []byte(dump(t, d))))
	writeKept(t, "json", append(list, '\n'))
}

func writeKept(t *testing.T, ext string, content []byte) {
	t.Helper()
	if err := os.WriteFile(fmt.Sprintf("testdata/v%d.%s", version, ext), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func pack(t *testing.T, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// readKept returns a file of a kept database.
func readKept(t testing.TB, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name))
	if err == nil && strings.HasSuffix(name, ".gz") {
		var r io.Reader
		if r, err = gzip.NewReader(bytes.NewReader(content)); err == nil {
			content, err = io.ReadAll(r)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// mustClose closes c, and reports an error as a failure.
func mustClose(t testing.TB, c io.Closer) {
	t.Helper()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// dump returns the statements that create the same database in PostgreSQL.
func dump(t *testing.T, d *DB) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("CREATE TABLE schema_version (version integer PRIMARY KEY);\n")
	for v := range version {
		text, err := inPostgres.statements(v + 1)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\nINSERT INTO schema_version VALUES (%d);\n", text, v+1)
	}
	for _, k := range backupTables {
		err := d.query(t.Context(), "SELECT "+k.columns+" FROM "+k.table, nil, func(rows *sql.Rows) error {
			values := make([]any, strings.Count(k.columns, ",")+1)
			for i := range values {
				values[i] = new(any)
			}
			if err := rows.Scan(values...); err != nil {
				return err
			}
			for i, v := range values {
				switch v := (*v.(*any)).(type) {
				case nil:
					values[i] = "NULL"
				case string:
					values[i] = "'" + strings.ReplaceAll(v, "'", "''") + "'"
				default:
					values[i] = fmt.Sprint(v)
				}
			}
			fmt.Fprintf(&b, "INSERT INTO %s (%s) VALUES (%s);\n", k.table, k.columns, list(values))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func list(values []any) string {
	var b strings.Builder
	for i, v := range values {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, v)
	}
	return b.String()
}

// tablesToKeep returns tables of every kind: each book waiting, playing, between two games and
// over, and tables for the other kinds of events.
func tablesToKeep(t *testing.T) (all []keptTable) {
	t.Helper()
	names := [2]string{"Ada", "Ben"}
	add := func(what string, s match.Setup, text string) {
		all = append(all, keptTable{What: what, setup: s, text: text})
	}
	second := [2]bool{false, true}
	for _, b := range digit.Books {
		r := b.Rules
		add(b.Name+" waits in the lobby", match.Setup{Rules: r, Names: [2]string{"Ada", ""}, Open: second, Listed: true}, "")
		add(b.Name+" waits for a friend", match.Setup{Rules: r, Names: [2]string{"", ""}, Open: second}, "")
		add(b.Name+" is played", match.Setup{Rules: r, Names: names}, "began; "+lineOf(t, r, 3))
		add(b.Name+" is played on a clock", match.Setup{Rules: r, Names: names, Terms: match.Terms{TurnTime: 24 * time.Hour, OnTimeout: match.Random}, Listed: true}, "began; "+lineOf(t, r, 2))
		add(b.Name+" between two games", match.Setup{Rules: r, Names: names, Terms: match.Terms{BestOf: 3}}, "began; "+lineOf(t, r, 99))
		add(b.Name+" is over", match.Setup{Rules: r, Names: names}, "began; "+lineOf(t, r, 99))
	}
	r, line := digit.Dilemma, lineOf(t, digit.Dilemma, 2)
	add("a seat was taken later", match.Setup{Rules: r, Names: [2]string{"Ada", ""}, Open: second, Listed: true}, "2 seated Zoë 🎲 O'Neil; began; "+line)
	add("nobody has begun", match.Setup{Rules: r, Names: names}, "")
	add("an undo is asked for", match.Setup{Rules: r, Names: names}, "began; "+line+"; 2 undo-asked")
	add("a move was taken back", match.Setup{Rules: r, Names: names}, "began; "+line+"; 2 undo-asked; 2 undone")
	add("a player left", match.Setup{Rules: r, Names: names}, "began; "+line+"; 2 left")
	add("a player was replaced", match.Setup{Rules: r, Names: names}, "began; "+line+"; 1 left; 1 replaced casual")
	add("a player came back", match.Setup{Rules: r, Names: names}, "began; "+line+"; 1 left; 1 replaced casual; 1 back")
	add("one agrees to hints", match.Setup{Rules: r, Names: names}, "began; "+line+"; 1 hints-agreed")
	add("both agree to hints", match.Setup{Rules: r, Names: names}, "began; "+line+"; 1 hints-agreed; 2 hints-agreed")
	add("hints were agreed and ended", match.Setup{Rules: r, Names: names, Terms: match.Terms{Hints: true}}, "began; "+line+"; 1 hints-ended")
	add("against the computer", match.Setup{Rules: r, Names: [2]string{"Ada", "Computer (perfect)"}, Levels: [2]string{"", "perfect"}, Terms: match.Terms{Hints: true}}, "began; "+line)
	add("the computer is to move", match.Setup{Rules: r, Names: [2]string{"Computer (casual)", "Ben"}, Levels: [2]string{"casual", ""}}, "began; "+line)
	add("a rematch is asked for", match.Setup{Rules: r, Names: names}, "began; 1 resigned; 2 rematch-asked")
	add("a rematch is played", match.Setup{Rules: r, Names: names}, "began; 1 resigned; 2 rematch-asked; 1 rematch-asked; began; "+lineFor(t, r, 1, match.Two))
	add("time ran out", match.Setup{Rules: digit.Highest, Names: names, Terms: match.Terms{TurnTime: time.Second}}, "began; 1 flagged")
	add("a win was claimed", match.Setup{Rules: digit.Reverse, Names: names}, "began; 2 left; 1 claimed")
	add("the table calls", match.Setup{Rules: digit.Sevens, Names: names, Terms: match.Terms{AutoCall: true}, Listed: true, First: match.Two}, "began; "+lineFor(t, digit.Sevens, 2, match.Two))
	add("it waits with calls, hints and a clock", match.Setup{Rules: digit.Sevens, Names: [2]string{"Ada", ""}, Open: second, Listed: true, Terms: match.Terms{AutoCall: true, Hints: true, TurnTime: time.Minute}}, "")
	targets := match.Setup{Rules: digit.Divisibility, Names: names, Terms: match.Terms{BestOf: 5, Targets: match.Targets{11, 13, 17}}, Listed: true}
	eleven, thirteen := targets.Targets.Rules(targets.Rules, 1), targets.Targets.Rules(targets.Rules, 2)
	add("targets change", targets, "began; "+lineOf(t, eleven, 99)+"; began; "+lineFor(t, thirteen, 2, match.Two))
	targets.Open, targets.Names[match.Two] = second, ""
	add("it waits with targets", targets, "")
	pair := match.Setup{Rules: r, Names: names, Terms: match.Terms{Pair: true}, Openings: "7a 3b,2c 5a"}
	add("a pair is played from openings", pair, "began")
	add("between the games of a pair", pair, "began; 1 resigned")
	swap := match.Setup{Rules: r, Names: names, Terms: match.Terms{Swap: true}}
	add("the first move may be taken over", swap, "began; "+lineOf(t, r, 1))
	add("the first move was taken over", swap, "began; "+lineOf(t, r, 1)+"; 2 swapped")
	for _, text := range []string{
		"divisibility target=13 pool=0-9", "highest width=4", "dilemma pool=0-f width=4 zero=barred",
		"sevens target=12",
	} {
		r, err := digit.ParseRules(text)
		if err != nil {
			t.Fatal(err)
		}
		add(text, match.Setup{Rules: r, Names: names}, "began; "+lineOf(t, r, 2))
	}
	return all
}

// lineOf returns a line of up to n moves; it ends the game only if n is large enough.
func lineOf(t *testing.T, r digit.Rules, n int) string { return lineFor(t, r, n, match.One) }

// lineFor is lineOf with a starting seat.
func lineFor(t *testing.T, r digit.Rules, n int, starts match.Seat) string {
	t.Helper()
	const out = 99
	var line []string
	var p digit.Position
	for seat := starts; len(line) < n && !r.Result(p).Over(); seat = seat.Other() {
		moves := slices.Collect(r.Moves(p))
		i := slices.IndexFunc(moves, func(m digit.Move) bool {
			next, err := r.Play(p, m)
			return err == nil && !r.Result(next).Over()
		})
		if i < 0 && n < out {
			t.Fatalf("%v has no line of %d moves", r, n)
		}
		m := moves[max(i, 0)]
		p, _ = r.Play(p, m)
		line = append(line, fmt.Sprintf("%d %v", seat+1, m))
	}
	return strings.Join(line, "; ")
}

// loadKept fills the empty database of a test with the kept database of a version.
func loadKept(t testing.TB, where string, v int) {
	t.Helper()
	if !strings.HasPrefix(where, "postgres") {
		if err := os.WriteFile(where, readKept(t, fmt.Sprintf("v%d.db.gz", v)), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	db, err := sql.Open("pgx", where)
	if err != nil {
		t.Fatal(err)
	}
	defer mustClose(t, db)
	if _, err := db.ExecContext(context.Background(), string(readKept(t, fmt.Sprintf("v%d.sql.gz", v)))); err != nil {
		t.Fatal(err)
	}
}
