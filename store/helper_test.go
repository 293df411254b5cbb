package store

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/store/pgtest"
)

// A kind is a kind of database. Its where function returns the address of an empty one.
type kind struct {
	name  string
	where func(testing.TB) string
}

var kinds = []kind{
	{"sqlite", func(t testing.TB) string { return filepath.Join(t.TempDir(), "duel.db") }},
	{"postgres", pgtest.Start},
}

// eachDB runs a test with an empty database of every kind.
func eachDB(t *testing.T, test func(t *testing.T, where string)) {
	t.Parallel()
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			test(t, k.where(t))
		})
	}
}

// openAt opens a database for as long as the test takes.
func openAt(t testing.TB, where string, o Config) *DB {
	t.Helper()
	d, err := Open(t.Context(), where, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// noon is the time at which tests open tables; each event is a second after the one before.
var noon = time.Date(2026, 1, 31, 12, 0, 0, 123456000, time.UTC)

// script returns the log of a table that was opened, followed by the events of a text such as
// "began; 1 7a; 2 resigned; 2 seated Ben; 1 replaced casual": the seat, and its move or the kind of
// event.
func script(t testing.TB, setup match.Setup, text string) []match.Step {
	t.Helper()
	return scriptAt(t, noon, setup, text)
}

// scriptAt is script with a time at which the table is opened.
func scriptAt(t testing.TB, at time.Time, setup match.Setup, text string) []match.Step {
	t.Helper()
	events := []match.Event{{Kind: match.Opened, Setup: &setup}}
	for part := range strings.SplitSeq(text, ";") {
		if words := strings.Fields(part); len(words) > 0 {
			events = append(events, parseEvent(t, words))
		}
	}
	var steps []match.Step
	var s match.State
	for i, e := range events {
		e.Seq, e.At = i+1, at.Add(time.Duration(i)*time.Second)
		next, err := s.Apply(e)
		if err != nil {
			t.Fatalf("%s: event %d: %v", text, e.Seq, err)
		}
		s = next
		steps = append(steps, match.Step{Event: e, After: s})
	}
	return steps
}

func parseEvent(t testing.TB, words []string) (e match.Event) {
	t.Helper()
	if seat := slices.Index([]string{"1", "2"}, words[0]); seat >= 0 {
		e.Seat, words = match.Seat(seat), words[1:]
	}
	e.Kind = match.Kind(words[0])
	if m, err := digit.ParseMove(words[0]); err == nil {
		e.Kind, e.Move = match.Moved, &m
	}
	switch e.Kind {
	case match.Seated:
		e.Name = strings.Join(words[1:], " ")
	case match.Replaced:
		e.Level = words[1]
	case match.Faulted:
		e.Fault = match.Illegal
	}
	return e
}

// appendMany appends the same log to many tables, named by name and a number. It writes some at a
// time, since a longer queue would exceed the time limit on a busy machine.
func appendMany(t testing.TB, s match.Store, name string, tables int, steps []match.Step) {
	t.Helper()
	const together = 60
	var wg sync.WaitGroup
	for first := range together {
		wg.Go(func() {
			for i := first; i < tables; i += together {
				appendSteps(t, s, fmt.Sprintf("%s%05d", name, i), steps)
			}
		})
	}
	wg.Wait()
}

// appendSteps appends events to the log of a table.
func appendSteps(t testing.TB, s match.Store, table string, steps []match.Step) {
	t.Helper()
	for _, step := range steps {
		if err := s.Append(t.Context(), table, step.Event, step.After); err != nil {
			t.Fatalf("table %s, event %d: %v", table, step.Event.Seq, err)
		}
	}
}
