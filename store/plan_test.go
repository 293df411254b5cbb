package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// largeTables are the tables of the schema that grow with every game or exam.
var largeTables = []string{"events", "tables", "games", "sittings", "answers", "classes", "class_events"}

// TestPlans checks the query plans of every statement of this package in both databases: none reads
// all rows of a large table, or sorts many of them. A statement that runAll does not run is an
// error.
func TestPlans(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var seen []string
	t.Run("all", func(t *testing.T) { // waits for both databases
		for _, k := range kinds {
			t.Run(k.name, func(t *testing.T) {
				t.Parallel()
				where := k.where(t)
				n := 6_000
				if !strings.HasPrefix(where, "postgres") {
					n = 1000 // the plans of SQLite do not depend on the number of rows
				}
				fillMany(t, where, n)
				d := openAt(t, where, Config{})
				execSQL(t, d, fillSittings, fillAnswers, fillClasses, fillClassEvents)
				if d.shared {
					analyze(t, where)
				}
				r := startRecording(t, d)
				runAll(t, d, r)
				mu.Lock()
				seen = append(seen, r.statements()...)
				mu.Unlock()
				for _, text := range r.statements() {
					if r.readsWhole[text] || !isQuery.MatchString(text) {
						continue
					}
					for _, fault := range plan(t, d, text, r.args[text]) {
						t.Errorf("%s\n%s", text, fault)
					}
				}
			})
		}
	})
	if !slices.Contains(seen, notify) {
		t.Skip("no PostgreSQL, so its statements are unknown")
	}
	seen = append(seen, "DELETE FROM meta") // in the file of a backup
	for where, text := range queriesInSource(t) {
		if !slices.ContainsFunc(seen, func(h string) bool { return strings.Contains(h, text) }) {
			t.Errorf("%s: no plan for %q; call it in runAll", where, text)
		}
	}
}

var isQuery = regexp.MustCompile(`^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b`)

// queriesInSource returns the beginnings of the statements in the source, by position. It leaves
// out upgrades of the schema and restores, which run while nobody plays.
func queriesInSource(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	all, files := map[string]string{}, token.NewFileSet()
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || name == "schema.go" || name == "terms.go" || name == "restore.go" {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil && isQuery.MatchString(text) {
					text, _, _ = strings.Cut(text, "%")
					all[files.Position(lit.Pos()).String()] = text
				}
			}
			return true
		})
	}
	return all
}

// runAll runs everything that a server and its commands do.
func runAll(t *testing.T, d *DB, r *recorder) {
	t.Helper()
	ctx := t.Context()
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	now := firstOpened.Add(20_000 * time.Second)
	d.now = func() time.Time { return now }
	ok(d.begin(ctx))
	ok(d.Ping(ctx))
	_, err := d.Secret(ctx)
	ok(err)
	ok(d.SetNote(ctx, "walk", []byte("{}")))
	_, err = d.Note(ctx, "walk")
	ok(err)
	for i, clock := range []time.Duration{0, time.Minute} {
		setup := match.Setup{Rules: digit.Dilemma, Terms: match.Terms{TurnTime: clock}}
		appendSteps(t, d, fmt.Sprint("walk", i), script(t, setup, fiveMoves+"; 2 2c"))
	}
	invitation := match.Setup{Rules: digit.Dilemma, Open: [2]bool{false, true}}
	appendSteps(t, d, "walk-published", script(t, invitation, publishing))
	if c, is := d.engine.(*cluster); is { // the queries after a commit in doubt
		opened := match.Event{Seq: 1, At: noon, Kind: match.Opened, Setup: &match.Setup{}}
		e, err := newEntry("doubt", opened, match.State{})
		ok(err)
		_, err = c.attempt(ctx, []*entry{e}, true)
		ok(err)
	}
	_, err = d.Events(ctx, "walk0", 2)
	ok(err)
	_, err = d.Down(ctx, now.Add(-time.Hour))
	ok(err)
	_, err = d.Overdue(ctx, now)
	ok(err)
	ok(d.Here(ctx, "walk0", match.Presence{Watchers: 1}))
	_, err = d.OtherServers(ctx, "walk0", "walk1")
	ok(err)
	_, err = d.Waiting(ctx)
	ok(err)
	ok(d.Here(ctx, "walk0", match.Presence{}))
	_, err = d.Stats(ctx)
	ok(err)
	for _, f := range tableFilters() {
		_, err = d.Tables(ctx, f)
		ok(err)
	}
	for _, f := range gameFilters() {
		_, err = d.Games(ctx, f)
		ok(err)
	}
	ok(d.OpenSitting(ctx, "walk", "{}", 3))
	for range 2 { // the second time it is stored already
		ok(d.AnswerItem(ctx, "walk", 1, "7a"))
	}
	_, _, err = d.Sitting(ctx, "walk")
	ok(err)
	for seq := range 2 {
		ok(d.AppendClass(ctx, "walk", seq+1, []string{"{}"}, now, now, "walk"))
	}
	_, err = d.ClassEvents(ctx, "walk", 1)
	ok(err)
	_, err = d.DueClasses(ctx, time.UnixMicro(20))
	ok(err)
	_, err = d.ClassByCode(ctx, "walk")
	ok(err)
	ok(d.DeleteClass(ctx, "walk", []string{"walk1"}))
	_, err = d.Prune(ctx, firstOpened.Add(20*time.Second), firstOpened.Add(20*time.Second))
	ok(err)
	_, err = d.PruneSittings(ctx, time.UnixMicro(20), time.UnixMicro(20))
	ok(err)
	r.readsAll(func() {
		ok(d.Backup(ctx, filepath.Join(t.TempDir(), "copy")))
		_, err := d.Check(ctx, func(Problem) {})
		ok(err)
	})
}

// tableFilters returns the filters that pages and the API use: some phases of listed tables.
func tableFilters() (all []match.TableFilter) {
	phases := []match.Phase{match.Waiting, match.UnderWay, match.Between}
	for n := 1; n <= len(phases); n++ {
		for _, since := range []time.Time{{}, firstOpened.Add(10_000 * time.Second)} {
			all = append(all, match.TableFilter{Phases: phases[:n], Listed: true, Since: since, Limit: 100})
		}
	}
	return append(all, match.TableFilter{IDs: []string{"t0009999", "t0000001"}, Stand: true})
}

// gameFilters returns the filters that pages and the API use.
func gameFilters() (all []match.GameFilter) {
	middle := firstOpened.Add(9_999 * time.Second)
	for _, book := range []string{"", "dilemma"} {
		for _, table := range []string{"", "t0009999"} {
			for _, before := range []match.GameMark{
				{}, {Ended: middle}, {Ended: middle, Table: "t0009999", Number: 1},
			} {
				all = append(all, match.GameFilter{
					Public: true, Book: book, Table: table, Before: before, Limit: 50,
				})
			}
		}
	}
	return all
}

// plan returns the problems of the plans of a statement.
func plan(t *testing.T, d *DB, text string, args []any) []string {
	t.Helper()
	if d.shared {
		return append(customPlan(t, d, text, args), genericPlan(t, d, text)...)
	}
	blanks := make([]any, countParams(text))
	type line struct {
		parent int
		text   string
	}
	var lines []line
	sorted := map[int]bool{}
	err := d.query(t.Context(), "EXPLAIN QUERY PLAN "+text, blanks, func(rows *sql.Rows) error {
		var id, unused int
		var l line
		err := rows.Scan(&id, &l.parent, &unused, &l.text)
		sorted[l.parent] = sorted[l.parent] || strings.HasPrefix(l.text, "USE TEMP B-TREE")
		lines = append(lines, l)
		return err
	})
	if err != nil {
		return []string{err.Error()}
	}
	var faults []string
	for _, l := range lines {
		how, rest, _ := strings.Cut(l.text, " ")
		table, _, _ := strings.Cut(rest, " ")
		ordered := strings.Contains(rest, "USING") && !sorted[l.parent] && strings.Contains(text, "LIMIT")
		switch {
		case !slices.Contains(largeTables, table):
		case how == "SCAN" && !ordered:
			faults = append(faults, "it reads all: "+l.text)
		case strings.Contains(text, "listed = 1") && !strings.Contains(rest, "listed=? AND phase=?"):
			faults = append(faults, "it also reads unlisted tables: "+l.text)
		case how == "SEARCH" && sorted[l.parent] && strings.HasPrefix(text, "SELECT"):
			faults = append(faults, "it sorts its rows: "+l.text)
		}
	}
	return faults
}

// countParams returns the number of parameters of a statement.
func countParams(text string) (n int) {
	for _, found := range regexp.MustCompile(`\$(\d+)`).FindAllStringSubmatch(text, -1) {
		i, _ := strconv.Atoi(found[1])
		n = max(n, i)
	}
	return n
}

// customPlan returns the problems of PostgreSQL's plan for some arguments.
func customPlan(t *testing.T, d *DB, text string, args []any) []string {
	t.Helper()
	var plan string
	row := d.sql.QueryRowContext(t.Context(), "EXPLAIN (FORMAT JSON) "+text, args...)
	if err := row.Scan(&plan); err != nil {
		return []string{err.Error()}
	}
	return planProblems(text, plan)
}

// genericPlan returns the problems of PostgreSQL's plan for any arguments, which it may use for a
// statement that runs often.
func genericPlan(t *testing.T, d *DB, text string) []string {
	t.Helper()
	conn, err := d.sql.Conn(t.Context())
	if err != nil {
		return []string{err.Error()}
	}
	defer mustClose(t, conn)
	run := func(text string) {
		_, failed := conn.ExecContext(t.Context(), text)
		err = errors.Join(err, failed)
	}
	run("SET plan_cache_mode = force_generic_plan")
	run("PREPARE asked AS " + text)
	execute := "EXPLAIN (FORMAT JSON) EXECUTE asked"
	if n := countParams(text); n > 0 {
		execute += "(" + strings.Repeat("NULL, ", n-1) + "NULL)"
	}
	var plan string
	if err == nil {
		err = conn.QueryRowContext(t.Context(), execute).Scan(&plan)
	}
	run("DEALLOCATE asked")
	run("RESET plan_cache_mode")
	if err != nil {
		return []string{err.Error()}
	}
	return planProblems(text, plan)
}

// A node is a step of a plan of PostgreSQL.
type node struct {
	Type     string  `json:"Node Type"`
	Relation string  `json:"Relation Name"`
	Cond     string  `json:"Index Cond"`
	Recheck  string  `json:"Recheck Cond"`
	Rows     float64 `json:"Plan Rows"`
	Plans    []node
}

// planProblems returns the problems of a plan of PostgreSQL.
func planProblems(text, plan string) []string {
	var top []struct{ Plan node }
	if err := json.Unmarshal([]byte(plan), &top); err != nil {
		return []string{err.Error()}
	}
	faults := top[0].Plan.problems(false)
	const listed = `"Index Cond": "((listed = 1) AND (phase = `
	if n := strings.Count(text, "listed = 1"); n > strings.Count(plan, listed) {
		faults = append(faults, "it also reads unlisted tables: "+plan)
	}
	return faults
}

// problems returns the problems of a step. If bounded, the steps above take only its first few
// rows.
func (n node) problems(bounded bool) (faults []string) {
	const many = 1000
	found := n.Cond != "" || n.Recheck != ""
	switch {
	case n.Type == "Limit":
		bounded = true
	case strings.Contains(n.Type, "Sort"),
		strings.Contains(n.Type, "Aggregate"),
		strings.Contains(n.Type, "Hash"):
		bounded = false
		for _, below := range n.Plans {
			if n.Type == "Sort" && slices.Contains(largeTables, below.Relation) && below.Rows > many {
				faults = append(faults, fmt.Sprintf("it sorts %.0f rows of %s", below.Rows, below.Relation))
			}
		}
	case n.Type == "ModifyTable": // Relation is the table that is written
	case slices.Contains(largeTables, n.Relation) && (n.Type == "Seq Scan" || !found && !bounded):
		faults = append(faults, fmt.Sprintf("it reads all: %s of %s", n.Type, n.Relation))
	}
	for _, below := range n.Plans {
		faults = append(faults, below.problems(bounded)...)
	}
	return faults
}
