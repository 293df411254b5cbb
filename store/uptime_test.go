package store

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A clock is a time that a test sets, in seconds after noon.
type clock struct{ seconds atomic.Int64 }

func (c *clock) now() time.Time { return noon.Add(time.Duration(c.seconds.Load()) * time.Second) }

// TestDown has servers that are up for known times. Each is taken to be up for a second after it was last heard of.
func TestDown(t *testing.T) {
	each(t, func(t *testing.T, where string) {
		var c clock
		up := func(from, to int64) { // it beats every two seconds
			t.Helper()
			c.seconds.Store(from)
			d, err := Open(t.Context(), where, Config{Server: true, Now: c.now})
			if err != nil {
				t.Fatal(err)
			}
			for c.seconds.Load() < to {
				c.seconds.Store(min(c.seconds.Load()+2, to))
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
			{0, 10, 0}, {0, 11, 0}, {0, 15, 4}, {0, 20, 9}, {0, 25, 9}, {5, 25, 9}, {15, 25, 5}, {20, 25, 0},
			{0, 40, 18}, {29, 40, 9}, {31, 40, 9}, {32, 40, 8}, {0, 62, 38}, {61, 62, 0}, {70, 80, 10}, {-10, 5, 10}, {50, 40, 0},
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

// TestAGapIsDownTime is a server that could not write for a while, which is when nobody could play.
func TestAGapIsDownTime(t *testing.T) {
	each(t, func(t *testing.T, where string) {
		var c clock
		d := openAt(t, where, Config{Server: true, Now: c.now})
		for _, seconds := range []int64{2, 5, 30, 32} {
			c.seconds.Store(seconds)
			if err := d.beat(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := d.Down(t.Context(), noon); err != nil || got != 24*time.Second {
			t.Errorf("got %v, %v, want 24s", got, err)
		}
	})
}

func TestOldUptimeIsForgotten(t *testing.T) {
	each(t, func(t *testing.T, where string) {
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
		if err := d.sql.QueryRowContext(t.Context(), "SELECT count(*) FROM uptime").Scan(&rows); err != nil || rows != 2 {
			t.Errorf("%d rows, %v, want 2", rows, err)
		}
	})
}

func TestACommandIsNoServer(t *testing.T) {
	each(t, func(t *testing.T, where string) {
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
	// A letter is a second: the span, then what covers it, where - is a second of it.
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
		return span{noon.Add(time.Duration(begin) * time.Second), noon.Add(time.Duration(len(text)) * time.Second)}
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
