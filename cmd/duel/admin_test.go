package main

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"digitduel/store"
)

// TestPruneExams checks that prune deletes old exams that are unfinished, and finished ones only if
// it is asked to.
func TestPruneExams(t *testing.T) {
	t.Parallel()
	where := filepath.Join(t.TempDir(), "duel.db")
	old := func() time.Time { return time.Now().AddDate(0, 0, -60) }
	db, err := store.Open(t.Context(), where, store.Config{Now: old})
	if err != nil {
		t.Fatal(err)
	}
	for id, finished := range map[string]bool{"one": false, "two": true, "three": true} {
		err = errors.Join(err, db.OpenSitting(t.Context(), id, "an exam", 1))
		if finished {
			err = errors.Join(err, db.AnswerItem(t.Context(), id, 1, "7a"))
		}
	}
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ age, want string }{
		{"0", "deleted 0 tables and 1 exams\n"}, {"0", "deleted 0 tables\n"},
		{"61d", "deleted 0 tables\n"}, {"59d", "deleted 0 tables and 2 exams\n"},
	} {
		args := []string{"admin", "prune", "--db", where, "--finished", test.age}
		code, stdout, stderr := runDuel(t, nil, args...)
		if code != 0 || stdout+stderr != test.want {
			t.Errorf("%s: exit code %d and %q, want %q", test.age, code, stdout+stderr, test.want)
		}
	}
}
