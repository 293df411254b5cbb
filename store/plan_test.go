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

// large are the tables of the schema that grow with every game or exam.
var large = []string{"events", "tables", "games", "sittings", "answers", "classes", "class_events"}

// TestPlans asks both databases how they would find what every statement of this package asks for: never by reading all events, tables or
// games, and never by sorting many of them. A statement that the walk does not come to is an error.
func TestPlans(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var heard []string
	t.Run("all", func(t *testing.T) { // so that it waits for both
		for _, k := range kinds {
			t.Run(k.name, func(t *testing.T) {
				t.Parallel()
				where := k.where(t)
				n := 6_000
				if !strings.HasPrefix(where, "postgres") {
					n = 1000 // SQLite does not count rows to make a plan
				}
				fillMany(t, where, n)
				d := openAt(t, where, Config{})
				change(t, d, fillSittings, fillAnswers, fillClasses, fillClassEvents)
				if d.shared {
					analyze(t, where)
				}
				r := record(t, d)
				walk(t, d, r)
				mu.Lock()
				heard = append(heard, r.statements()...)
				mu.Unlock()
				for _, text := range r.statements() {
					if r.whole[text] || !isQuery.MatchString(text) {
						continue
					}
					for _, fault := range plan(t, d, text, r.heard[text]) {
						t.Errorf("%s\n%s", text, fault)
					}
				}
			})
		}
	})
	if !slices.Contains(heard, notify) {
		t.Skip("there is no PostgreSQL, so it is not known what is asked of it")
	}
	heard = append(heard, "DELETE FROM meta") // in the file of a backup
	for where, text := range queriesInSource(t) {
		if !slices.ContainsFunc(heard, func(h string) bool { return strings.Contains(h, text) }) {
			t.Errorf("%s: no plan is known of %q; let walk come to it", where, text)
		}
	}
}

var isQuery = regexp.MustCompile(`^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b`)

// queriesInSource returns the beginnings of statements in the program, and where they are. What leads to a newer schema or restores a
// backup is left out: then nobody plays.
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

// walk does everything that a server and its commands do.
func walk(t *testing.T, d *DB, r *recorder) {
	t.Helper()
	ctx := t.Context()
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	now := filled.Add(20_000 * time.Second)
	d.now = func() time.Time { return now }
	ok(d.begin(ctx))
	ok(d.Ping(ctx))
	_, err := d.Secret(ctx)
	ok(err)
	ok(d.SetNote(ctx, "walk", []byte("{}")))
	_, err = d.Note(ctx, "walk")
	ok(err)
	for i, clock := range []time.Duration{0, time.Minute} {
		keep(t, d, fmt.Sprint("walk", i), script(t, match.Setup{Rules: digit.Dilemma, Terms: match.Terms{TurnTime: clock}}, fiveMoves+"; 2 2c"))
	}
	keep(t, d, "walk-published", script(t, match.Setup{Rules: digit.Dilemma, Open: [2]bool{false, true}}, publishing))
	if c, is := d.engine.(*cluster); is { // what is asked after a commit in doubt
		e, err := newEntry("doubt", match.Event{Seq: 1, At: noon, Kind: match.Opened, Setup: &match.Setup{}}, match.State{})
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
	_, err = d.Elsewhere(ctx, "walk0", "walk1")
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
	for range 2 { // the second time it is there
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
	_, err = d.Prune(ctx, filled.Add(20*time.Second), filled.Add(20*time.Second))
	ok(err)
	_, err = d.PruneSittings(ctx, time.UnixMicro(20), time.UnixMicro(20))
	ok(err)
	r.readsAll(func() {
		ok(d.Backup(ctx, filepath.Join(t.TempDir(), "copy")))
		_, err := d.Check(ctx, func(Problem) {})
		ok(err)
	})
}

// tableFilters returns those that a page or the API may ask for: some phases of tables that are listed.
func tableFilters() (all []match.TableFilter) {
	phases := []match.Phase{match.Waiting, match.UnderWay, match.Between}
	for n := 1; n <= len(phases); n++ {
		for _, since := range []time.Time{{}, filled.Add(10_000 * time.Second)} {
			all = append(all, match.TableFilter{Phases: phases[:n], Listed: true, Since: since, Limit: 100})
		}
	}
	return append(all, match.TableFilter{IDs: []string{"t0009999", "t0000001"}, Stand: true})
}

// gameFilters returns those that a page or the API may ask for.
func gameFilters() (all []match.GameFilter) {
	middle := filled.Add(9_999 * time.Second)
	for _, book := range []string{"", "dilemma"} {
		for _, table := range []string{"", "t0009999"} {
			for _, before := range []match.GameMark{{}, {Ended: middle}, {Ended: middle, Table: "t0009999", Number: 1}} {
				all = append(all, match.GameFilter{Public: true, Book: book, Table: table, Before: before, Limit: 50})
			}
		}
	}
	return all
}

// plan returns what is wrong with how a database would run a statement.
func plan(t *testing.T, d *DB, text string, args []any) []string {
	t.Helper()
	if d.shared {
		return append(customPlan(t, d, text, args), genericPlan(t, d, text)...)
	}
	blanks := make([]any, placesIn(text))
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
		case !slices.Contains(large, table):
		case how == "SCAN" && !ordered:
			faults = append(faults, "it reads all: "+l.text)
		case strings.Contains(text, "listed = 1") && !strings.Contains(rest, "listed=? AND phase=?"):
			faults = append(faults, "it also reads what is not listed: "+l.text)
		case how == "SEARCH" && sorted[l.parent] && strings.HasPrefix(text, "SELECT"):
			faults = append(faults, "it sorts what it finds: "+l.text)
		}
	}
	return faults
}

// placesIn returns how many arguments a statement has.
func placesIn(text string) (n int) {
	for _, found := range regexp.MustCompile(`\$(\d+)`).FindAllStringSubmatch(text, -1) {
		i, _ := strconv.Atoi(found[1])
		n = max(n, i)
	}
	return n
}

// customPlan judges the plan for some arguments.
func customPlan(t *testing.T, d *DB, text string, args []any) []string {
	t.Helper()
	var plan string
	if err := d.sql.QueryRowContext(t.Context(), "EXPLAIN (FORMAT JSON) "+text, args...).Scan(&plan); err != nil {
		return []string{err.Error()}
	}
	return judge(text, plan)
}

// genericPlan judges the plan for any arguments, which PostgreSQL may come to use when a statement was often asked.
func genericPlan(t *testing.T, d *DB, text string) []string {
	t.Helper()
	conn, err := d.sql.Conn(t.Context())
	if err != nil {
		return []string{err.Error()}
	}
	defer shut(t, conn)
	run := func(text string) {
		_, failed := conn.ExecContext(t.Context(), text)
		err = errors.Join(err, failed)
	}
	run("SET plan_cache_mode = force_generic_plan")
	run("PREPARE asked AS " + text)
	execute := "EXPLAIN (FORMAT JSON) EXECUTE asked"
	if n := placesIn(text); n > 0 {
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
	return judge(text, plan)
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

func judge(text, plan string) []string {
	var top []struct{ Plan node }
	if err := json.Unmarshal([]byte(plan), &top); err != nil {
		return []string{err.Error()}
	}
	faults := top[0].Plan.judge(false)
	if n := strings.Count(text, "listed = 1"); n > strings.Count(plan, `"Index Cond": "((listed = 1) AND (phase = `) {
		faults = append(faults, "it also reads what is not listed: "+plan)
	}
	return faults
}

// judge returns what is wrong with a step. What is above a bounded one takes only the first few rows of it.
func (n node) judge(bounded bool) (faults []string) {
	const many = 1000
	found := n.Cond != "" || n.Recheck != ""
	switch {
	case n.Type == "Limit":
		bounded = true
	case strings.Contains(n.Type, "Sort"), strings.Contains(n.Type, "Aggregate"), strings.Contains(n.Type, "Hash"):
		bounded = false
		for _, below := range n.Plans {
			if n.Type == "Sort" && slices.Contains(large, below.Relation) && below.Rows > many {
				faults = append(faults, fmt.Sprintf("it sorts %.0f rows of %s", below.Rows, below.Relation))
			}
		}
	case n.Type == "ModifyTable": // the table is the one that is written to
	case slices.Contains(large, n.Relation) && (n.Type == "Seq Scan" || !found && !bounded):
		faults = append(faults, fmt.Sprintf("it reads all: %s of %s", n.Type, n.Relation))
	}
	for _, below := range n.Plans {
		faults = append(faults, below.judge(bounded)...)
	}
	return faults
}
