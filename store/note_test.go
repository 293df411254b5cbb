package store

import (
	"testing"
	"time"
)

// TestNotes checks that notes are stored by name, apart from the data of the database itself, and
// deleted by Prune when they are old.
func TestNotes(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d := openAt(t, where, Config{})
		now := noon
		d.now = func() time.Time { return now }
		reads := func(name, want string) {
			t.Helper()
			got, err := d.Note(t.Context(), name)
			if err != nil || string(got) != want || (got == nil) != (want == "") {
				t.Errorf("note %s: got %q, %v, want %q", name, got, err, want)
			}
		}
		reads("secret", "")
		for _, text := range []string{"one", "two words", "two words"} {
			ok(t, d.SetNote(t.Context(), "secret", []byte(text)))
			reads("secret", text)
		}
		secret, err := d.Secret(t.Context())
		if err != nil || len(secret) != 32 {
			t.Errorf("got secret %q, %v", secret, err)
		}
		if err := d.SetNote(t.Context(), "long", make([]byte, mostNote+1)); err == nil {
			t.Error("a note that is too long was stored")
		}

		now = noon.Add(time.Hour)
		ok(t, d.SetNote(t.Context(), "later", []byte("three")))
		for _, step := range []struct {
			since         time.Time
			secret, later string
		}{
			{time.Time{}, "two words", "three"},
			{noon, "two words", "three"},
			{noon.Add(time.Minute), "", "three"},
			{noon.Add(2 * time.Hour), "", ""},
		} {
			if _, err := d.Prune(t.Context(), step.since, time.Time{}); err != nil {
				t.Fatal(err)
			}
			reads("secret", step.secret)
			reads("later", step.later)
		}
		if after, err := d.Secret(t.Context()); err != nil || string(after) != string(secret) {
			t.Errorf("got secret %q, %v, want %q", after, err, secret)
		}
	})
}
