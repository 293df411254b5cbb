package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/store/pgtest"

	"github.com/google/go-cmp/cmp"
)

// classLog returns the events of a class.
func classLog(t *testing.T, d *DB, id string, after int) string {
	t.Helper()
	bodies, err := d.ClassEvents(t.Context(), id, after)
	ok(t, err)
	return strings.Join(bodies, " ")
}

// TestClassLog appends to the logs of two classes: events are stored once and in order, and those
// of one call all or none.
func TestClassLog(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		later := noon.Add(time.Hour)
		for _, test := range []struct {
			id     string
			seq    int
			bodies string
			due    time.Time
			code   string
			want   error
			log    string // the log of the class after it
		}{
			{"a", 2, "2", noon, "", match.ErrNoTable, ""},
			{"a", 0, "0", noon, "", match.ErrNoTable, ""},
			{"a", 1, "1 2 3", noon, "red", nil, "1 2 3"},
			{"a", 1, "1 2 3", noon, "blue", match.ErrConflict, "1 2 3"},
			{"a", 3, "3 4", later, "blue", match.ErrConflict, "1 2 3"},
			{"a", 5, "5", later, "blue", match.ErrConflict, "1 2 3"},
			{"b", 1, `"Zoë\u0000🎲"`, later, "red", nil, `"Zoë\u0000🎲"`},
			{"a", 4, "4", noon.Add(time.Minute), "red", nil, "1 2 3 4"},
			{"a", 5, "", noon.Add(2 * time.Minute), "red", nil, "1 2 3 4"}, // only a new due time
			{"b", 2, "2 3", later, "", nil, `"Zoë\u0000🎲" 2 3`},
		} {
			bodies := strings.Fields(test.bodies)
			err := d.AppendClass(t.Context(), test.id, test.seq, bodies, noon, test.due, test.code)
			if !errors.Is(err, test.want) {
				t.Errorf("%s %d %s: %v, want %v", test.id, test.seq, test.bodies, err, test.want)
			}
			if got := classLog(t, d, test.id, 0); got != test.log {
				t.Errorf("%s %d %s: the log is %s, want %s", test.id, test.seq, test.bodies, got, test.log)
			}
		}
		got := classLog(t, d, "a", 2) + "|" + classLog(t, d, "a", 4) + "|" + classLog(t, d, "none", 0)
		if got != "3 4||" {
			t.Errorf("later events: %s", got)
		}
		for minutes, want := range map[int]string{0: "", 2: "", 3: "a", 60: "a", 61: "a b"} {
			ids, err := d.DueClasses(t.Context(), noon.Add(time.Duration(minutes)*time.Minute))
			if got := strings.Join(ids, " "); err != nil || got != want {
				t.Errorf("due in %d minutes: %s, %v, want %s", minutes, got, err, want)
			}
		}
		ok(t, d.AppendClass(t.Context(), "c", 1, []string{"1"}, noon, later, "red"))
		for code, want := range map[string]string{"red": "c", "blue": "", "": "", "re": ""} {
			if id, err := d.ClassByCode(t.Context(), code); err != nil || id != want {
				t.Errorf("code %q: %q, %v, want %q", code, id, err, want)
			}
		}
		for _, test := range []struct {
			id, body, code, want string
		}{
			{"", "1", "", `class "": allowed: a name of 1 to 64 bytes`},
			{"x", "\x00", "", `"\x00": allowed: UTF-8 without NUL`},
			{"x", "1", "\xff", `"\xff": allowed: UTF-8 without NUL`},
		} {
			err := d.AppendClass(t.Context(), test.id, 1, []string{test.body}, noon, noon, test.code)
			if err == nil || err.Error() != test.want {
				t.Errorf("got %v, want %s", err, test.want)
			}
		}
		if lines, sum := problemsOf(t, d); len(lines) > 0 || sum.Classes != 3 {
			t.Errorf("%d classes, %v", sum.Classes, lines)
		}
	})
}

// TestManyWriteAClass appends to one class from several programs: each number is written once, and
// pairs of events stay together.
func TestManyWriteAClass(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		const programs, wins = 4, 8
		var wg sync.WaitGroup
		for p := range programs {
			d := openAt(t, where, Config{})
			wg.Go(func() {
				for won := 0; won < wins; {
					log, err := d.ClassEvents(t.Context(), "c", 0)
					if err == nil {
						body := fmt.Sprint(p)
						err = d.AppendClass(t.Context(), "c", len(log)+1, []string{body, body}, noon, noon, "")
					}
					switch {
					case err == nil:
						won++
					case !errors.Is(err, match.ErrConflict):
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		d := openAt(t, where, Config{})
		log, err := d.ClassEvents(t.Context(), "c", 0)
		if err != nil || len(log) != 2*programs*wins {
			t.Errorf("%d events, %v", len(log), err)
		}
		for i := 0; i+1 < len(log); i += 2 {
			if log[i] != log[i+1] {
				t.Errorf("events %d and %d are from programs %s and %s", i+1, i+2, log[i], log[i+1])
			}
		}
		if lines, _ := problemsOf(t, d); len(lines) > 0 {
			t.Error(lines)
		}
	})
}

// classTable returns the setup of a table of a class.
func classTable(class string) match.Setup {
	return match.Setup{Rules: digit.Dilemma, Names: [2]string{"Ada", "Ben"}, Class: class}
}

// TestDeleteClass deletes a class with more tables than fit into one transaction, while another
// program writes to it: the class is gone, and all other data stays.
func TestDeleteClass(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d, other := openAt(t, where, Config{}), openAt(t, where, Config{})
		const n = pruneAtOnce + 5
		appendMany(t, d, "t", n, script(t, classTable("c"), "began; 1 resigned"))
		appendSteps(t, d, "stays", script(t, classTable("b"), "began; 1 resigned"))
		for _, id := range []string{"b", "c"} {
			ok(t, d.AppendClass(t.Context(), id, 1, []string{"1"}, noon, noon, "red"))
		}
		all, err := d.Tables(t.Context(), match.TableFilter{})
		ok(t, err)
		var tables []string
		for _, s := range all {
			if s.ID != "stays" {
				tables = append(tables, s.ID)
			}
		}
		if len(tables) != n {
			t.Fatalf("%d tables", len(tables))
		}
		gone := make(chan error, 1)
		go func() {
			for seq := 2; ; seq++ {
				err := other.AppendClass(context.Background(), "c", seq, []string{"1"}, noon, noon, "")
				if err != nil {
					gone <- err
					return
				}
			}
		}()
		ok(t, d.DeleteClass(t.Context(), "c", tables))
		if err := <-gone; !errors.Is(err, match.ErrNoTable) {
			t.Errorf("the writer got %v, want %v", err, match.ErrNoTable)
		}
		if got := classLog(t, d, "c", 0) + "|" + classLog(t, d, "b", 0); got != "|1" {
			t.Errorf("got logs %s, want |1", got)
		}
		ok(t, d.DeleteClass(t.Context(), "c", tables)) // again, as after a kill
		sum, err := d.Check(t.Context(), func(p Problem) { t.Error(p) })
		if err != nil || sum.Tables != 1 || sum.Games != 1 || sum.Classes != 1 {
			t.Errorf("left: %+v, %v", sum, err)
		}
	})
}

// TestADeletedClassIsTriedAgain checks that a class stays due if its tables cannot be deleted.
func TestADeletedClassIsTriedAgain(t *testing.T) {
	d := openAt(t, kinds[0].where(t), Config{})
	appendSteps(t, d, "t", script(t, classTable("c"), "began"))
	ok(t, d.AppendClass(t.Context(), "c", 1, []string{"1"}, noon, noon, ""))
	execSQL(t, d,
		"CREATE TRIGGER kept BEFORE DELETE ON tables BEGIN SELECT RAISE(ABORT, 'tables stay'); END")
	err := d.DeleteClass(t.Context(), "c", []string{"t"})
	if err == nil || !strings.Contains(err.Error(), "tables stay") {
		t.Errorf("got %v", err)
	}
	if ids, err := d.DueClasses(t.Context(), noon.Add(time.Second)); err != nil || !slices.Equal(ids, []string{"c"}) {
		t.Errorf("due: %v, %v", ids, err)
	}
}

// TestPruneKeepsTablesOfAClass checks that tables of a class are pruned only after the class is
// deleted.
func TestPruneKeepsTablesOfAClass(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		later := noon.Add(time.Hour)
		ok(t, d.AppendClass(t.Context(), "c", 1, []string{"1"}, noon, noon, ""))
		appendSteps(t, d, "t", script(t, classTable("c"), "began; 1 resigned"))
		appendSteps(t, d, "u", script(t, classTable("c"), "began"))
		appendSteps(t, d, "v", script(t, classTable("d"), "began"))
		appendSteps(t, d, "w", script(t, classTable(""), "began"))
		for _, want := range []int{2, 0} {
			if n, err := d.Prune(t.Context(), later, later); n != want || err != nil {
				t.Errorf("deleted %d, %v, want %d", n, err, want)
			}
		}
		ok(t, d.DeleteClass(t.Context(), "c", []string{"t"}))
		if n, err := d.Prune(t.Context(), later, later); n != 1 || err != nil {
			t.Errorf("without the class: deleted %d, %v, want 1", n, err)
		}
	})
}

// TestClassesAreRestored restores classes from both kinds of database into both, and checks that a
// database with a class is not overwritten.
func TestClassesAreRestored(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		ok(t, d.AppendClass(t.Context(), "c", 1, []string{"1", `{"a":"Zoë"}`}, noon, noon, "red"))
		file := filepath.Join(t.TempDir(), "copy.db")
		ok(t, d.Backup(t.Context(), file))
		for _, k := range kinds {
			there := k.where(t)
			_, restored := Restore(t.Context(), there, file, false)
			ok(t, restored)
			copied := openAt(t, there, Config{})
			id, err := copied.ClassByCode(t.Context(), "red")
			due, err2 := copied.DueClasses(t.Context(), noon.Add(time.Microsecond))
			got := classLog(t, copied, "c", 0)
			if got != `1 {"a":"Zoë"}` || id != "c" || len(due) != 1 || errors.Join(err, err2) != nil {
				t.Errorf("%s: %s %s %v %v %v", k.name, got, id, due, err, err2)
			}
			ok(t, copied.AppendClass(t.Context(), "c", 3, []string{"3"}, noon, noon, ""))
		}
		if _, err := Restore(t.Context(), where, file, false); !errors.Is(err, ErrNotEmpty) {
			t.Errorf("over a class: %v", err)
		}
	})
}

// TestCheckClasses plants faults in classes, and checks that Check finds them.
func TestCheckClasses(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		for _, test := range []struct{ plant, want string }{
			{"UPDATE classes SET due = 0", ""},
			{"DELETE FROM classes WHERE id = 'b'", "class b: its row is missing"},
			{"DELETE FROM class_events WHERE class_id = 'b'", "class b: event 1 is missing"},
			{"DELETE FROM class_events WHERE class_id = 'a' AND seq = 1", "class a: event 1 is missing"},
			{"DELETE FROM class_events WHERE class_id = 'a' AND seq = 2", "class a: event 2 is missing"},
			{"UPDATE class_events SET body = '{' WHERE class_id = 'a' AND seq = 3", "class a: event 3: unreadable"},
			{"UPDATE tables SET class = 'x'", "t its row in tables: class is x; its events say a"},
		} {
			execSQL(t, d,
				"DELETE FROM classes", "DELETE FROM class_events", "DELETE FROM events", "DELETE FROM tables")
			ok(t, d.AppendClass(t.Context(), "a", 1, []string{"1", "2", "3"}, noon, noon, ""))
			ok(t, d.AppendClass(t.Context(), "b", 1, []string{"1"}, noon, noon, ""))
			appendSteps(t, d, "t", script(t, classTable("a"), "began"))
			execSQL(t, d, test.plant)
			if lines, _ := problemsOf(t, d); strings.Join(lines, "\n") != test.want {
				t.Errorf("%s: got %q, want %q", test.plant, lines, test.want)
			}
		}
	})
}

// TestAClassInDoubt loses the connection to PostgreSQL during the commit of events, before or after
// it took place.
func TestAClassInDoubt(t *testing.T) {
	for name, test := range map[string]struct {
		watch func(bool, []byte) action
		want  string
	}{
		"not stored": {func(fromServer bool, data []byte) action {
			if !fromServer && strings.Contains(strings.ToLower(string(data)), "commit") {
				return cut
			}
			return pass
		}, "1"},
		"stored": {onAnswer(cut), "1 2 3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, proxied := newProxy(t, pgtest.Start(t))
			d := openAt(t, proxied, Config{})
			ok(t, d.AppendClass(t.Context(), "c", 1, []string{"1"}, noon, noon, ""))
			w.set(false, test.watch)
			err := d.AppendClass(t.Context(), "c", 2, []string{"2", "3"}, noon, noon, "")
			if !errors.Is(err, match.ErrInDoubt) {
				t.Errorf("got %v, want %v", err, match.ErrInDoubt)
			}
			w.set(false, nil)
			if got := classLog(t, d, "c", 0); got != test.want {
				t.Errorf("the log is %s, want %s", got, test.want)
			}
		})
	}
}

// writeClass appends to a class forever, three events at a time, and prints the number of events.
func writeClass(where string) error {
	ctx := context.Background()
	d, err := Open(ctx, where, Config{Server: true})
	if err != nil {
		return err
	}
	log, err := d.ClassEvents(ctx, "c", 0)
	for n := len(log); err == nil; n += 3 {
		fmt.Println(n)
		err = d.AppendClass(ctx, "c", n+1, []string{strconv.Itoa(n + 1), "{}", "[]"}, noon, noon, "red")
	}
	return err
}

// TestAKilledServerKeepsItsClasses repeatedly kills a server that writes to a class: no stored
// event is lost, and the events of one call stay together.
func TestAKilledServerKeepsItsClasses(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		for round := range 4 {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "DUEL_TEST_CLASS="+where)
			out, err := cmd.StdoutPipe()
			ok(t, err)
			ok(t, cmd.Start())
			last, printed := 0, 0
			for lines := bufio.NewScanner(out); lines.Scan(); {
				if last, err = strconv.Atoi(lines.Text()); err != nil {
					t.Errorf("the server printed: %s", lines.Text())
					break
				}
				if printed++; printed == 20+7*round {
					if err := cmd.Process.Kill(); err != nil {
						t.Error(err)
					}
				}
			}
			_ = cmd.Process.Kill() // if it still runs
			_ = cmd.Wait()
			d := openAt(t, where, Config{})
			log, err := d.ClassEvents(t.Context(), "c", 0)
			if err != nil || len(log) < last || len(log) > last+3 || len(log)%3 != 0 || last == 0 {
				t.Fatalf("round %d: %d events after %d, %v", round, len(log), last, err)
			}
			for i := 0; i < len(log); i += 3 {
				if want := []string{strconv.Itoa(i + 1), "{}", "[]"}; !slices.Equal(log[i:i+3], want) {
					t.Errorf("events from %d: %s", i+1, cmp.Diff(want, log[i:i+3]))
				}
			}
			if lines, _ := problemsOf(t, d); len(lines) > 0 {
				t.Error(lines)
			}
			ok(t, d.Close())
		}
	})
}
