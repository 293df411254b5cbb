package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"digitduel/match"

	"github.com/google/go-cmp/cmp"
)

// A clock is a time that a test sets, in seconds after noon.
type clock struct{ seconds atomic.Int64 }

func (c *clock) now() time.Time { return noon.Add(time.Duration(c.seconds.Load()) * time.Second) }

// TestDown checks the down time for servers that are up for known times. A server counts as down
// after its last beat.
func TestDown(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		var c clock
		up := func(from, to int64) {
			t.Helper()
			c.seconds.Store(from)
			d, err := Open(t.Context(), where, Config{Server: true, Now: c.now})
			if err != nil {
				t.Fatal(err)
			}
			for c.seconds.Load() < to {
				c.seconds.Add(1)
				if err := d.beat(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
		}
		up(0, 10)
		up(20, 23)
		up(22, 30)
		up(60, 61)
		d := openAt(t, where, Config{Now: c.now})
		tests := []struct{ since, now, want int64 }{
			{0, 10, 0}, {0, 11, 1}, {0, 15, 5}, {0, 20, 10}, {0, 25, 10}, {5, 25, 10}, {15, 25, 5},
			{20, 25, 0}, {0, 40, 20}, {29, 40, 10}, {31, 40, 9}, {32, 40, 8}, {0, 62, 41}, {60, 62, 1},
			{70, 80, 10}, {-10, 5, 10}, {50, 40, 0},
		}
		for _, test := range tests {
			c.seconds.Store(test.now)
			got, err := d.Down(t.Context(), noon.Add(time.Duration(test.since)*time.Second))
			if want := time.Duration(test.want) * time.Second; err != nil || got != want {
				t.Errorf("from %d to %d: got %v, %v, want %v", test.since, test.now, got, err, want)
			}
		}
	})
}

// TestAGapIsDownTime checks that a gap between two beats of a server counts as down time: its
// process was stopped, its machine slept, or the system clock was set forward.
func TestAGapIsDownTime(t *testing.T) {
	tests := []struct {
		beats       []int64
		since, want int64
	}{
		{[]int64{1, 2, 3}, 0, 0},
		{[]int64{1, 3, 4}, 0, 2},
		{[]int64{1, 2, 30, 31}, 0, 28},
		{[]int64{1, 2, 30, 31}, 2, 28},
		{[]int64{1, 2, 30, 31}, 10, 20},
		{[]int64{1, 2, 30, 31}, 30, 0},
		{[]int64{1, 2, 30, 31, 60}, 0, 57},
		{[]int64{1, 4000, 4001}, 0, 3999}, // set forward
		{[]int64{100, 10, 11}, 10, 0},     // set back
		{[]int64{100, 10, 11}, 50, 0},
	}
	eachDB(t, func(t *testing.T, where string) {
		for _, test := range tests {
			var c clock
			d := openAt(t, where, Config{Server: true, Now: c.now})
			for _, seconds := range test.beats {
				c.seconds.Store(seconds)
				if err := d.beat(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			got, err := d.Down(t.Context(), noon.Add(time.Duration(test.since)*time.Second))
			if want := time.Duration(test.want) * time.Second; err != nil || got != want {
				t.Errorf("beats at %d, since %d: got %v, %v, want %v", test.beats, test.since, got, err, want)
			}
			deleteAll := func(tx *sql.Tx) error {
				_, err := tx.ExecContext(t.Context(), "DELETE FROM uptime")
				return err
			}
			err = errors.Join(d.Close(), openAt(t, where, Config{}).engine.write(t.Context(), deleteAll))
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestLocked locks the database, so that no event can be stored. Meanwhile the down time is
// unknown; afterwards all of it counts, and listeners get a notice that it is over.
func TestLocked(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		d, other := openAt(t, where, Config{Server: true}), openAt(t, where, Config{})
		heard := make(chan match.Notice, 1000)
		ctx, cancel := context.WithCancel(t.Context())
		var listening sync.WaitGroup
		defer listening.Wait()
		defer cancel()
		listening.Go(func() { _ = d.Listen(ctx, func(n match.Notice) { heard <- n }) })
		expect(t, heard, match.Notice{}) // it listens
		since := time.Now()
		if down, err := d.Down(ctx, since.Add(-time.Nanosecond)); err != nil || down > patience {
			t.Fatalf("down for %v, %v", down, err)
		}
		var lost time.Duration
		err := other.engine.write(ctx, func(tx *sql.Tx) error {
			locked := time.Now()
			if err := other.engine.lock(ctx, tx); err != nil {
				return err
			}
			for time.Since(locked) < time.Minute {
				if _, err := d.Down(ctx, since); err != nil {
					if got, want := err.Error(), "the database cannot be written now"; got != want {
						t.Errorf("down time while locked: got %s, want %s", got, want)
					}
					lost = time.Since(locked)
					return nil
				}
			}
			return errors.New("the server does not notice the lock")
		})
		if err != nil {
			t.Fatal(err)
		}
		expect(t, heard, match.Notice{Away: true})
		if down, err := d.Down(ctx, since); err != nil || down < lost || down > lost+patience {
			t.Errorf("locked for %v, down for %v, %v", lost, down, err)
		}
	})
}

func TestOldUptimeIsForgotten(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		var c clock
		for _, hours := range []int64{0, 47, 49} {
			c.seconds.Store(hours * 3600)
			d, err := Open(t.Context(), where, Config{Server: true, Now: c.now})
			if err != nil {
				t.Fatal(err)
			}
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
		}
		var rows int
		d := openAt(t, where, Config{})
		err := d.sql.QueryRowContext(t.Context(), "SELECT count(*) FROM uptime").Scan(&rows)
		if err != nil || rows != 2 {
			t.Errorf("%d rows, %v, want 2", rows, err)
		}
	})
}

// TestACommandIsNoServer checks that an open database without a server counts as down.
func TestACommandIsNoServer(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		var c clock
		openAt(t, where, Config{Now: c.now})
		d := openAt(t, where, Config{Now: c.now})
		c.seconds.Store(100)
		if got, err := d.Down(t.Context(), noon); err != nil || got != 100*time.Second {
			t.Errorf("got %v, %v, want 100s", got, err)
		}
	})
}

func TestUncovered(t *testing.T) {
	// Each character is a second; - is a second of the span, or of a span that covers it.
	tests := []struct {
		span string
		by   []string
		want int
	}{
		{"----------", nil, 10},
		{"----------", []string{"----------"}, 0},
		{"----------", []string{"  ---"}, 7},
		{"----------", []string{"  ---", "     --"}, 5},
		{"----------", []string{"     --", "  ----"}, 5},
		{"----------", []string{"  ------", "   --"}, 4},
		{"   -----", []string{"----", "      ------"}, 2},
		{"   -----", []string{"--", "         --"}, 5},
		{"", nil, 0},
	}
	parse := func(text string) span {
		begin := len(text) - len(strings.TrimLeft(text, " "))
		second := func(n int) time.Time { return noon.Add(time.Duration(n) * time.Second) }
		return span{second(begin), second(len(text))}
	}
	for _, test := range tests {
		var by []span
		for _, text := range test.by {
			by = append(by, parse(text))
		}
		if got := uncovered(parse(test.span), by); got != time.Duration(test.want)*time.Second {
			t.Errorf("%q by %q: got %v, want %ds", test.span, test.by, got, test.want)
		}
	}
	if got := uncovered(span{noon, noon.Add(-time.Second)}, nil); got != 0 {
		t.Errorf("a span that ends before it begins: got %v", got)
	}
	if diff := cmp.Diff(span{noon, noon}, parse(""), cmp.AllowUnexported(span{})); diff != "" {
		t.Error(diff)
	}
}
