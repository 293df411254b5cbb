package store

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestTheFirstAnswerCounts checks that an item cannot be answered twice, and that unknown items and
// sittings are refused.
func TestTheFirstAnswerCounts(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		ok(t, d.OpenSitting(t.Context(), "sat", `{"exam":"standard-1"}`, 3))
		for _, test := range []struct {
			id     string
			item   int
			answer string
			want   error
		}{
			{"sat", 2, "7a", nil},
			{"sat", 2, "7a", nil}, // the same again
			{"sat", 2, "8a", fs.ErrExist},
			{"sat", 2, "", fs.ErrExist},
			{"sat", 3, "", nil},
			{"sat", 0, "7a", fs.ErrNotExist},
			{"sat", 4, "7a", fs.ErrNotExist},
			{"sat", 1, "amber mill Zoë 🎲", nil},
			{"other", 1, "7a", fs.ErrNotExist},
		} {
			if err := d.AnswerItem(t.Context(), test.id, test.item, test.answer); !errors.Is(err, test.want) {
				t.Errorf("item %d of %s, %q: got %v, want %v", test.item, test.id, test.answer, err, test.want)
			}
		}
		exam, answers, err := d.Sitting(t.Context(), "sat")
		want := map[int]string{1: "amber mill Zoë 🎲", 2: "7a", 3: ""}
		if err != nil || exam != `{"exam":"standard-1"}` || !maps.Equal(answers, want) {
			t.Errorf("%s %v %v", exam, answers, err)
		}
		if _, _, err := d.Sitting(t.Context(), "other"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("another sitting: %v", err)
		}
		if lines, sum := problemsOf(t, d); len(lines) > 0 || sum.Sittings != 1 {
			t.Errorf("got problems %v, %d sittings", lines, sum.Sittings)
		}
	})
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestWhatASittingMayBe checks that sittings and answers that are too large, or that a database
// cannot store, are refused.
func TestWhatASittingMayBe(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		ok(t, d.OpenSitting(t.Context(), "sat", "{}", mostItems))
		if err := d.OpenSitting(t.Context(), "sat", "{}", 3); !errors.Is(err, fs.ErrExist) {
			t.Errorf("a sitting of the same name: %v", err)
		}
		for _, test := range []struct {
			err  error
			want string
		}{
			{d.OpenSitting(t.Context(), "", "{}", 3), `table "": allowed: a name of 1 to 64 bytes`},
			{d.OpenSitting(t.Context(), "large", strings.Repeat("x", mostExam+1), 3), "a text of 1001 bytes: allowed: up to 1000"},
			{d.OpenSitting(t.Context(), "none", "{}", 0), "an exam of 0 items: allowed: 1 to 100000"},
			{d.OpenSitting(t.Context(), "many", "{}", mostItems+1), "an exam of 100001 items: allowed: 1 to 100000"},
			{d.AnswerItem(t.Context(), "sat", 1, strings.Repeat("x", mostAnswer+1)), "a text of 401 bytes: allowed: up to 400"},
			{d.AnswerItem(t.Context(), "sat", 1, "7\x00a"), `"7\x00a": allowed: UTF-8 without NUL`},
			{d.AnswerItem(t.Context(), "sat", 1, "7\xff"), `"7\xff": allowed: UTF-8 without NUL`},
		} {
			if test.err == nil || test.err.Error() != test.want {
				t.Errorf("got %v, want %s", test.err, test.want)
			}
		}
		if _, sum := problemsOf(t, d); sum.Sittings != 1 {
			t.Errorf("%d sittings", sum.Sittings)
		}
	})
}

// TestOneOfManyAnswersIsKept answers the same item from several programs at once: one answer is
// stored.
func TestOneOfManyAnswersIsKept(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		const programs = 6
		dbs := make([]*DB, programs)
		for i := range dbs {
			dbs[i] = openAt(t, where, Config{})
		}
		ok(t, dbs[0].OpenSitting(t.Context(), "sat", "{}", 2))
		errs := make([]error, programs)
		var wg sync.WaitGroup
		for i, d := range dbs {
			wg.Go(func() { errs[i] = d.AnswerItem(t.Context(), "sat", 1, fmt.Sprint("answer ", i)) })
		}
		wg.Wait()
		kept := slices.Index(errs, nil)
		for i, err := range errs {
			if i != kept && !errors.Is(err, fs.ErrExist) {
				t.Errorf("program %d: %v", i, err)
			}
		}
		_, answers, err := dbs[0].Sitting(t.Context(), "sat")
		if want := map[int]string{1: fmt.Sprint("answer ", kept)}; err != nil || !maps.Equal(answers, want) {
			t.Errorf("got %v, %v, want %v", answers, err, want)
		}
		if lines, _ := problemsOf(t, dbs[0]); len(lines) > 0 {
			t.Error(lines)
		}
	})
}

// TestSittingsAreRestored restores sittings from both kinds of database into both, and checks that
// a database with a sitting is not overwritten.
func TestSittingsAreRestored(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		ok(t, d.OpenSitting(t.Context(), "sat", `{"exam":"standard-1"}`, 3))
		ok(t, d.AnswerItem(t.Context(), "sat", 3, "7a"))
		file := filepath.Join(t.TempDir(), "copy.db")
		ok(t, d.Backup(t.Context(), file))
		for _, k := range kinds {
			there := k.where(t)
			_, err := Restore(t.Context(), there, file, false)
			ok(t, err)
			copied := openAt(t, there, Config{})
			exam, answers, err := copied.Sitting(t.Context(), "sat")
			diff := cmp.Diff(map[int]string{3: "7a"}, answers)
			if diff != "" || exam != `{"exam":"standard-1"}` || err != nil {
				t.Errorf("%s: %s %v %v", k.name, exam, answers, err)
			}
			if lines, _ := problemsOf(t, copied); len(lines) > 0 {
				t.Errorf("%s: %v", k.name, lines)
			}
			if err := copied.AnswerItem(t.Context(), "sat", 3, "8a"); !errors.Is(err, fs.ErrExist) {
				t.Errorf("%s: another answer: %v", k.name, err)
			}
		}
		if _, err := Restore(t.Context(), where, file, false); !errors.Is(err, ErrNotEmpty) {
			t.Errorf("over a sitting: %v", err)
		}
	})
}

func TestPruneSittings(t *testing.T) {
	var never time.Time
	tests := []struct {
		idle, finished time.Time
		want           string // the sittings that stay
	}{
		{never, never, "answered begun done fresh opened"},
		{noon, noon, "answered begun done fresh opened"},
		{noon.Add(2 * time.Minute), never, "answered done fresh"},
		{never, noon.Add(4 * time.Minute), "answered begun fresh opened"},
		{noon.Add(time.Hour), noon.Add(time.Hour), ""},
	}
	eachDB(t, func(t *testing.T, where string) {
		at := noon
		d := openAt(t, where, Config{Now: func() time.Time { return at }})
		for _, test := range tests {
			execSQL(t, d, "DELETE FROM sittings", "DELETE FROM answers")
			at = noon
			for _, id := range []string{"answered", "begun", "done", "opened"} {
				ok(t, d.OpenSitting(t.Context(), id, "{}", 2))
			}
			ok(t, d.AnswerItem(t.Context(), "answered", 1, "7a"))
			at = noon.Add(time.Minute)
			ok(t, d.AnswerItem(t.Context(), "begun", 2, "7a"))
			ok(t, d.AnswerItem(t.Context(), "done", 1, "7a"))
			at = noon.Add(3 * time.Minute)
			ok(t, d.AnswerItem(t.Context(), "done", 2, "7a"))
			at = noon.Add(5 * time.Minute)
			ok(t, d.AnswerItem(t.Context(), "answered", 2, "7a"))
			ok(t, d.OpenSitting(t.Context(), "fresh", "{}", 2))
			want := strings.Fields(test.want)
			n, err := d.PruneSittings(t.Context(), test.idle, test.finished)
			if err != nil || n != 5-len(want) {
				t.Errorf("deleted %d, %v, want %d", n, err, 5-len(want))
			}
			for _, id := range []string{"answered", "begun", "done", "fresh", "opened"} {
				_, _, err := d.Sitting(t.Context(), id)
				if errors.Is(err, fs.ErrNotExist) == slices.Contains(want, id) {
					t.Errorf("%s: %v, want %s", id, err, test.want)
				}
			}
			if lines, _ := problemsOf(t, d); len(lines) > 0 { // no answers without a sitting
				t.Error(lines)
			}
		}
	})
}

// TestCheckSittings plants faults in sittings, and checks that Check finds them.
func TestCheckSittings(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		for _, test := range []struct{ plant, want string }{
			{"UPDATE sittings SET exam = ''", ""},
			{"UPDATE sittings SET answered = 2", "sitting sat says that 2 of 3 items are answered; 1 are, from 2 to 2"},
			{"DELETE FROM answers", "sitting sat says that 1 of 3 items are answered; 0 are, from 1 to 0"},
			{"UPDATE answers SET item = 4", "sitting sat says that 1 of 3 items are answered; 1 are, from 4 to 4"},
			{"UPDATE answers SET item = 0", "sitting sat says that 1 of 3 items are answered; 1 are, from 0 to 0"},
			{"DELETE FROM sittings", "sitting sat says that 0 of 0 items are answered; 1 are, from 2 to 2"},
		} {
			execSQL(t, d, "DELETE FROM sittings", "DELETE FROM answers")
			ok(t, d.OpenSitting(t.Context(), "sat", "{}", 3))
			ok(t, d.AnswerItem(t.Context(), "sat", 2, "7a"))
			execSQL(t, d, test.plant)
			if lines, _ := problemsOf(t, d); strings.Join(lines, "\n") != test.want {
				t.Errorf("%s: got %q, want %q", test.plant, lines, test.want)
			}
		}
	})
}
