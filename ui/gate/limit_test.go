package gate

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// TestAddress checks which address a request counts for.
func TestAddress(t *testing.T) {
	for _, test := range []struct {
		trust     bool
		remote    string
		forwarded []string
		want      string
	}{
		{false, "192.0.2.7:50000", nil, "192.0.2.7"},
		{false, "192.0.2.7:50000", []string{"203.0.113.1"}, "192.0.2.7"}, // any client can send it
		{true, "192.0.2.7:50000", nil, "192.0.2.7"},
		{true, "192.0.2.7:50000", []string{""}, "192.0.2.7"},
		{true, "192.0.2.7:50000", []string{"203.0.113.1"}, "203.0.113.1"},
		{true, "192.0.2.7:50000", []string{"198.51.100.9, 203.0.113.1"}, "203.0.113.1"},
		{true, "192.0.2.7:50000", []string{"198.51.100.9", "203.0.113.1"}, "203.0.113.1"},
		{true, "192.0.2.7:50000", []string{"198.51.100.9,203.0.113.1", " 203.0.113.2 "}, "203.0.113.2"},
		{true, "192.0.2.7:50000", []string{"somebody"}, "unknown"},
		{false, "[2001:db8:1:2:3:4:5:6]:50000", nil, "2001:db8:1:2::/64"},
		{false, "[fe80::1%eth0]:50000", nil, "fe80::/64"},
		{false, "[::ffff:192.0.2.7]:50000", nil, "192.0.2.7"},
		{true, "192.0.2.7:50000", []string{"2001:db8:1:2:ffff::1"}, "2001:db8:1:2::/64"},
		{false, "192.0.2.7", nil, "192.0.2.7"},
		{false, "@", nil, "unknown"},
	} {
		g := New(Config{TrustProxy: test.trust})
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = test.remote
		r.Header["X-Forwarded-For"] = test.forwarded
		if got := g.Address(r); got != test.want {
			t.Errorf("%+v: got %s", test, got)
		}
	}
}

// TestSweep checks that buckets are deleted when they are full again, and not before.
func TestSweep(t *testing.T) {
	start := time.Unix(1_000_000_000, 0)
	now := start
	g := New(Config{Limits: Limits{Address: 1}, Now: func() time.Time { return now }})
	for i := range 1000 {
		_ = g.Admit(fmt.Sprint("address ", i)) // only the count matters
	}
	now = start.Add(59 * time.Second)
	for range 10 {
		_ = g.Admit("busy") // only the count matters
	}
	if n := len(g.buckets); n != 1001 {
		t.Errorf("%d buckets, want 1001", n)
	}
	now = start.Add(61 * time.Second)
	_ = g.Admit("another") // only the count matters
	if n := len(g.buckets); n != 2 {
		t.Errorf("%d buckets after a minute, want 2", n)
	}
	if g.Admit("busy") != nil {
		t.Error("a bucket that is refilling is empty")
	}
	for range 8 {
		_ = g.Admit("busy") // only the count matters
	}
	const want = "too many requests from your address; try again in 1 s"
	if err := g.Admit("busy"); err == nil || err.Error() != want {
		t.Errorf("a bucket that survived the sweep: %v", err)
	}
}

// TestOneAfterTheOther checks that an address has one computation at a time, and does not delay
// others.
func TestOneAfterTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Config{})
		leave, err := g.Turn(t.Context(), "a", 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		if other, err := g.Turn(t.Context(), "b", 1, 0); err != nil {
			t.Error(err)
		} else {
			other()
		}
		ctx, cancel := context.WithCancel(t.Context())
		answers := make(chan error, 2)
		for _, ctx := range []context.Context{ctx, t.Context()} {
			go func() {
				leave, err := g.Turn(ctx, "a", 1, 0)
				if err == nil {
					leave()
				}
				answers <- err
			}()
		}
		synctest.Wait()
		if len(answers) > 0 {
			t.Errorf("a second caller gets a turn too: %v", <-answers)
		}
		cancel()
		if err := <-answers; err == nil {
			t.Error("a canceled caller gets a turn")
		}
		leave()
		if err := <-answers; err != nil {
			t.Error(err)
		}
		if len(g.work.turns) > 0 {
			t.Errorf("unused turns are kept: %v", g.work.turns)
		}
	})
}

// TestPace checks that pages for one address are computed one after the other, each followed by a
// pause of the same length, and that another address does not wait.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Config{})
		began := time.Now()
		var mu sync.Mutex
		var shown []string
		var pages sync.WaitGroup
		for _, address := range []string{"a", "a", "a", "b"} {
			pages.Go(func() {
				g.Pace(t.Context(), address, func() { time.Sleep(time.Second) })
				mu.Lock()
				defer mu.Unlock()
				shown = append(shown, fmt.Sprint(address, time.Since(began).Seconds()))
			})
		}
		pages.Wait()
		slices.Sort(shown)
		if got, want := fmt.Sprint(shown), "[a1 a3 a5 b1]"; got != want {
			t.Errorf("shown %s, want %s", got, want)
		}
		synctest.Wait()
		if len(g.work.turns) > 0 {
			t.Errorf("unused turns are kept: %v", g.work.turns)
		}
	})
}

// TestSites checks that the IPv6 networks of one site together have four times the limits of one.
func TestSites(t *testing.T) {
	now := time.Unix(1_000_000_000, 0)
	g := New(Config{
		Limits: Limits{Address: 1, StreamsOfAddress: 1, ConnectionsOfAddress: 1},
		Now:    func() time.Time { return now },
	})
	requests, streams, connections := 0, 0, 0
	for i := range 100 {
		address := addressOf(fmt.Sprintf("[2001:db8:1:%x::1]:443", i))
		if g.Admit(address) == nil {
			requests++
		}
		if _, err := g.Enter(address, "t"); err == nil {
			streams++
		}
		if _, err := g.connect(address); err == nil {
			connections++
		}
	}
	if requests != 40 || streams != 4 || connections != 4 {
		t.Errorf("%d requests, %d streams and %d connections are admitted, want 40, 4 and 4",
			requests, streams, connections)
	}
	if g.Admit(addressOf("[2001:db8:2::1]:443")) != nil {
		t.Error("another site is refused")
	}
	for i := range 100 {
		if _, err := g.Enter(fmt.Sprintf("203.0.113.%d", i), "t"); err != nil {
			t.Errorf("address %d: %v", i, err)
		}
	}
}

// TestMostBuckets checks that addresses beyond the limit of buckets share one, and that earlier
// ones keep their own.
func TestMostBuckets(t *testing.T) {
	now := time.Unix(1_000_000_000, 0)
	g := New(Config{Limits: Limits{Address: 1}, Now: func() time.Time { return now }})
	for i := range mostBuckets {
		_ = g.Admit(fmt.Sprint(i)) // only the count matters
	}
	admitted := 0
	for i := range 100 {
		if g.Admit(fmt.Sprint("late ", i)) == nil {
			admitted++
		}
	}
	if err := g.Admit("7"); err != nil || admitted != 10 || len(g.buckets) != mostBuckets+1 {
		t.Errorf("%d late requests are admitted, want 10; an early address: %v; %d buckets",
			admitted, err, len(g.buckets))
	}
}

// TestLeave checks that a stream counts until it ends.
func TestLeave(t *testing.T) {
	g := New(Config{Limits: Limits{Streams: 1}})
	leave, err := g.Enter("203.0.113.1", "t")
	if err != nil || g.Streaming() != 1 {
		t.Fatalf("%d streams, %v", g.Streaming(), err)
	}
	if _, err := g.Enter("203.0.113.2", "u"); err == nil {
		t.Error("a second stream is admitted")
	}
	if leave(); len(g.counts) > 0 {
		t.Errorf("an ended stream is counted: %v", g.counts)
	}
}

// TestAccepting checks the limits of open and of new connections from an address. Connections
// beyond them are closed and not counted.
func TestAccepting(t *testing.T) {
	now := time.Unix(1_000_000_000, 0)
	for _, test := range []struct {
		limits Limits
		open   int // of 20
	}{
		{Limits{}, 20},
		{Limits{Address: 1}, 6}, // two at once, and four that wait up to four seconds
		{Limits{ConnectionsOfAddress: 3}, 3},
	} {
		g := New(Config{Limits: test.limits, Now: func() time.Time { return now }})
		l := g.Accepting(&fakeListener{left: 20})
		var open []net.Conn
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			open = append(open, c)
		}
		counted := g.counts["connections 203.0.113.1"]
		if len(open) != test.open || counted != test.open ||
			g.Limited.Load() != int64(20-test.open) {
			t.Errorf("%+v: %d are open, %d counted and %d refused, want %d open",
				test.limits, len(open), counted, g.Limited.Load(), test.open)
		}
		for _, c := range open {
			c.Close()
		}
		if len(g.counts) > 0 {
			t.Errorf("%+v: closed connections are counted: %v", test.limits, g.counts)
		}
	}
}

// A fakeListener accepts a number of connections from one address.
type fakeListener struct {
	net.Listener
	left int
}

func (l *fakeListener) Accept() (net.Conn, error) {
	if l.left--; l.left < 0 {
		return nil, net.ErrClosed
	}
	_, c := net.Pipe()
	return fromAddress{c}, nil
}

type fromAddress struct{ net.Conn }

func (fromAddress) RemoteAddr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(203, 0, 113, 1), Port: 443}
}

// TestFullQueue checks that a large game is refused if the queue of games to solve is full.
func TestFullQueue(t *testing.T) {
	g := New(Config{Solver: new(solve.Solver), Now: time.Now})
	g.work.large = map[digit.Rules]*job{}
	for i := range mostJobs {
		g.work.large[digit.Rules{Target: uint16(i)}] = &job{payer: fmt.Sprint(i)}
	}
	r, err := digit.ParseRules("dilemma pool=0-e width=4")
	if err != nil {
		t.Fatal(err)
	}
	var why *Refusal
	const want = "too many large games to be solved; try again in 5 s"
	if _, err := g.Solve(t.Context(), "203.0.113.1", 0, r); !errors.As(err, &why) ||
		why.Status != http.StatusServiceUnavailable || why.Text != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestOneLargeSolution checks that only one visitor at a time uses a large solution.
func TestOneLargeSolution(t *testing.T) {
	rules := digit.Dilemma
	rules.Width = 4
	large, err := new(solve.Solver).Solve(t.Context(), rules)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		g := New(Config{Now: time.Now})
		done, err := g.begin(t.Context(), "a", large, 0)
		if err != nil {
			t.Fatal(err)
		}
		second := false
		go func() {
			done, err := g.begin(t.Context(), "b", large, 0)
			if err != nil {
				t.Error(err)
				return
			}
			second = true
			done()
		}()
		if synctest.Wait(); second {
			t.Error("two visitors use a large solution at the same time")
		}
		done()
		if synctest.Wait(); !second {
			t.Error("the second visitor still waits")
		}
	})
}

// TestPayers checks that an agent pays for the first turn of the computer at its table, and that
// not too many payers are stored.
func TestPayers(t *testing.T) {
	g := New(Config{Now: time.Now})
	ctx := WithAsker(t.Context(), Asker{Address: "203.0.113.1"})
	if err := g.MayOpen(ctx, "t"); err != nil || g.work.payer("t") != "203.0.113.1" {
		t.Errorf("the agent does not pay: %v", err)
	}
	for i := range mostPayers + 1 {
		g.Pays(fmt.Sprint(i), "203.0.113.1")
	}
	if n := len(g.work.payers); n > mostPayers || g.work.payers[fmt.Sprint(mostPayers)] == "" {
		t.Errorf("%d payers are stored, without the last one or with too many", n)
	}
}

// TestAffordedAnswer checks that an address that has spent its share of solving can let the
// computer think at a table only if the game is solved.
func TestAffordedAnswer(t *testing.T) {
	r, err := digit.ParseRules("dilemma zero=barred")
	if err != nil {
		t.Fatal(err)
	}
	g := New(Config{Limits: Limits{Work: 1}, Solver: new(solve.Solver), Now: time.Now})
	setup := match.Setup{Rules: r, Levels: [2]string{"", "casual"}}
	table, err := match.Open(t.Context(), "t", setup, new(match.Memory), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	const address = "203.0.113.1"
	g.Charge(Solving, address, time.Hour)
	for _, solved := range []bool{false, true} {
		if err := g.Answered(address, table); (err == nil) != solved {
			t.Errorf("the game is solved: %v, and the answer %v", solved, err)
		}
		if _, err := g.Solver.Solve(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
}

// TestUndoAtOnce gives tokens back at the same time: none is lost.
func TestUndoAtOnce(t *testing.T) {
	now := time.Unix(1_000_000_000, 0)
	g := New(Config{Now: func() time.Time { return now }})
	const most = 50
	var all sync.WaitGroup
	for range most {
		undo, err := g.Try("code", most, time.Hour, "codes")
		if err != nil {
			t.Fatal(err)
		}
		all.Go(undo)
	}
	all.Wait()
	for range most {
		if _, err := g.Try("code", most, time.Hour, "codes"); err != nil {
			t.Fatal(err)
		}
	}
}
