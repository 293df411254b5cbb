package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/store/pgtest"

	"github.com/google/go-cmp/cmp"
)

// listen starts to listen until the test is over, and returns the notices that follow the first
// one.
func listen(t *testing.T, d *DB) <-chan match.Notice {
	t.Helper()
	heard := make(chan match.Notice, 1000)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- d.Listen(ctx, func(n match.Notice) {
			if !n.Away { // on a busy machine, a server may believe that it was away
				heard <- n
			}
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Listen: got %v", err)
		}
	})
	expect(t, heard, match.Notice{})
	return heard
}

// expect waits for the next notice, and compares it.
func expect(t *testing.T, heard <-chan match.Notice, want match.Notice) {
	t.Helper()
	select {
	case got := <-heard:
		if got != want {
			t.Errorf("got notice %v, want %v", got, want)
		}
	case <-time.After(time.Minute):
		t.Fatalf("no notice %v", want)
	}
}

// skipTo waits for a notice, and ignores others before it.
func skipTo(t *testing.T, heard <-chan match.Notice, want match.Notice) {
	t.Helper()
	timeout := time.After(time.Minute)
	for {
		select {
		case got := <-heard:
			if got == want {
				return
			}
		case <-timeout:
			t.Fatalf("no notice %v", want)
		}
	}
}

// TestServersHearOfEachOther checks that servers get notices of each other's events and guests, and
// a general notice after a lost connection.
func TestServersHearOfEachOther(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Start(t)
	a, b := openAt(t, dsn, Config{Server: true}), openAt(t, dsn, Config{Server: true})
	heardByA, heardByB := listen(t, a), listen(t, b)
	steps := script(t, match.Setup{Rules: digit.Dilemma}, "began; 1 7a")
	appendSteps(t, a, "t", steps[:2])
	if err := a.Append(t.Context(), "t", steps[0].Event, steps[0].After); !errors.Is(err, match.ErrConflict) {
		t.Errorf("got %v", err) // without a notice
	}
	appendSteps(t, b, "t", steps[2:])
	if err := a.Here(t.Context(), "t", match.Presence{Watchers: 1}); err != nil {
		t.Error(err)
	}
	for _, want := range []match.Notice{{Table: "t", Seq: 1}, {Table: "t", Seq: 2}, {Table: "t"}} {
		expect(t, heardByB, want)
	}
	expect(t, heardByA, match.Notice{Table: "t", Seq: 3})

	// A lost connection is reported as a notice that anything may have happened, and listening
	// continues.
	kill := "SELECT pg_terminate_backend(pid) FROM pg_stat_activity " +
		"WHERE query = 'LISTEN duel' AND datname = current_database()"
	if _, err := a.sql.ExecContext(t.Context(), kill); err != nil {
		t.Fatal(err)
	}
	skipTo(t, heardByA, match.Notice{})
	skipTo(t, heardByB, match.Notice{})
	appendSteps(t, a, "u", steps[:1])
	skipTo(t, heardByB, match.Notice{Table: "u", Seq: 1})
}

// TestAFileHasNobodyElse checks that the server of a file sees no players on other servers.
func TestAFileHasNobodyElse(t *testing.T) {
	d := openAt(t, kinds[0].where(t), Config{Server: true})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := d.Listen(ctx, func(n match.Notice) { t.Errorf("got notice %v", n) })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := d.Here(t.Context(), "t", match.Presence{Watchers: 1}); err != nil {
		t.Error(err)
	}
	if ids, err := d.Waiting(t.Context()); err != nil || len(ids) != 0 {
		t.Errorf("waiting at %v, %v, want none", ids, err)
	}
	if got, err := d.OtherServers(t.Context(), "t"); err != nil || len(got) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

// TestNoticesComeBack checks that notices can be written and parsed again, within the size limit.
func TestNoticesComeBack(t *testing.T) {
	for _, n := range []int{0, 1, 2, 256, 1000} {
		var want, got []match.Notice
		for i := range n {
			want = append(want, match.Notice{Table: strings.Repeat("t", 1+i%match.MaxID), Seq: i})
		}
		for _, text := range notices("me", want) {
			sender, some, err := parseNotices(text)
			if err != nil || sender != "me" || len(text) > mostNotice || len(some) == 0 {
				t.Errorf("%d bytes from %q with %d notices, %v", len(text), sender, len(some), err)
			}
			got = append(got, some...)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d: %s", n, diff)
		}
	}
	for _, text := range []string{"me\nt", "me\n 1", "me\nt x"} {
		if _, all, err := parseNotices(text); err == nil {
			t.Errorf("parseNotices(%q) = %v, want an error", text, all)
		}
	}
}

// TestWaitingElsewhere checks that Waiting lists tables with an open seat and a player on another
// server that is alive.
func TestWaitingElsewhere(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Start(t)
	var c clock
	a := openAt(t, dsn, Config{Server: true, Now: c.now})
	b := openAt(t, dsn, Config{Server: true, Now: c.now})
	crashed := openAt(t, dsn, Config{Server: true, Now: func() time.Time { return noon }})
	open := match.Setup{Rules: digit.Dilemma, Open: [2]bool{false, true}, Listed: true}
	for _, id := range []string{"t", "u", "v", "w"} {
		appendSteps(t, a, id, script(t, open, ""))
	}
	appendSteps(t, a, "full", script(t, match.Setup{Rules: digit.Dilemma}, "began"))
	player := match.Presence{Seats: [2]bool{true, false}}
	for _, at := range []struct {
		server *DB
		table  string
		who    match.Presence
	}{
		{a, "t", player}, {b, "u", player}, {b, "v", match.Presence{Watchers: 3}}, {b, "full", player},
		{b, "unknown", player}, {crashed, "w", player}, {crashed, "u", player},
	} {
		if err := at.server.Here(t.Context(), at.table, at.who); err != nil {
			t.Fatal(err)
		}
	}
	waiting := func(d *DB, want string) {
		t.Helper()
		ids, err := d.Waiting(t.Context())
		slices.Sort(ids)
		if got := strings.Join(ids, " "); err != nil || got != want {
			t.Errorf("waiting at %q, %v, want %q", got, err, want)
		}
	}
	waiting(a, "u w")
	waiting(b, "t u w")
	c.seconds.Store(6)
	for _, d := range []*DB{a, b} {
		if err := d.beat(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	waiting(a, "u")
	waiting(b, "t")
}

// TestGuestsOnOtherServers checks that OtherServers adds the presence on other live servers.
func TestGuestsOnOtherServers(t *testing.T) {
	t.Parallel()
	dsn := pgtest.Start(t)
	var c clock
	a := openAt(t, dsn, Config{Server: true, Now: c.now})
	b := openAt(t, dsn, Config{Server: true, Now: c.now})
	crashed := openAt(t, dsn, Config{Server: true, Now: func() time.Time { return noon }}) // no more beats
	here := func(d *DB, table string, p match.Presence) {
		t.Helper()
		if err := d.Here(t.Context(), table, p); err != nil {
			t.Fatal(err)
		}
	}
	onOthers := func(d *DB, want string, tables ...string) {
		t.Helper()
		if got, err := d.OtherServers(t.Context(), tables...); err != nil || fmt.Sprint(got) != want {
			t.Errorf("got %v, %v, want %s", got, err, want)
		}
	}
	here(a, "t", match.Presence{Seats: [2]bool{true, false}, Watchers: 2})
	here(b, "t", match.Presence{Seats: [2]bool{false, true}, Watchers: 3})
	here(b, "u", match.Presence{Watchers: 1})
	here(crashed, "t", match.Presence{Watchers: 100})
	onOthers(a, "map[t:{[false true] 103} u:{[false false] 1}]", "t", "u", "v")
	onOthers(b, "map[t:{[true false] 102}]", "t", "u", "v")
	onOthers(crashed, "map[t:{[true true] 5}]", "t")
	onOthers(a, "map[]")

	c.seconds.Store(6)
	for _, d := range []*DB{a, b} {
		if err := d.beat(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	onOthers(a, "map[t:{[false true] 3} u:{[false false] 1}]", "t", "u")
	here(b, "t", match.Presence{Watchers: 4})
	here(b, "u", match.Presence{})
	onOthers(a, "map[t:{[false false] 4}]", "t", "u")

	// A server that starts much later deletes the guests of a dead server, and a server that closes
	// deletes its own.
	c.seconds.Store(100)
	for _, d := range []*DB{a, b} {
		if err := d.beat(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	late := openAt(t, dsn, Config{Server: true, Now: c.now})
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	onOthers(late, "map[t:{[true false] 2}]", "t")
	var rows int
	err := late.sql.QueryRowContext(t.Context(), "SELECT count(*) FROM presence").Scan(&rows)
	if err != nil || rows != 1 {
		t.Errorf("%d rows, %v, want 1", rows, err)
	}
}
