package match

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// stay counts a visitor as the player on a seat.
func stay(t *testing.T, v *Visit, seat Seat) (leave func()) {
	t.Helper()
	leave, err := v.StayAs(t.Context(), seat)
	if err != nil {
		t.Fatal(err)
	}
	return leave
}

// eventsAfter returns the kinds and seats of the events after a number.
func eventsAfter(t *Table, after int) string {
	var words []string
	steps, _ := t.Since(after)
	for _, s := range steps {
		words = append(words, fmt.Sprintf("%s:%d", s.Event.Kind, s.Event.Seat+1))
	}
	return strings.Join(words, " ")
}

// TestCrowd runs scripts at a table with a game in progress. "+1" and "-1" connect and disconnect
// player 1, "+w" and "-w" a watcher; "e2w" puts player 2 and a watcher on other servers; "=2" is a
// request of player 2, "p2" a page they load; "60s" passes.
//
// A player who is absent for a minute while the opponent waits is gone. A change is reported at
// once or, if the last report is less than a second old, within a second after it.
func TestCrowd(t *testing.T) {
	playing := State{Setup: adaBen, Game: 1}
	for _, tt := range []struct{ script, want string }{
		{"", ""},
		{"+1 +w", "1w"},
		{"+1 +2 +w +w", "12ww"},
		{"+1 +2 +2 -2 61s", "12"},
		{"+1 +2 10s -2 60s", "1"},
		{"+1 +2 10s -2 61s", "1, 2 is gone"},
		{"+1 61s", "1, 2 is gone"},
		{"+2 61s", "2, 1 is gone"},
		{"+1 60s =2 60s", "1"},
		{"+1 60s =2 61s", "1, 2 is gone"},
		{"+1 p2 61s", "12"},
		{"+1 p2 90s p2 90s p2 90s", "12"},
		{"+1 p2 120s", "12"},
		{"+1 p2 121s", "1, 2 is gone"},
		{"+1 p2 +2 -2 61s", "1, 2 is gone"},
		{"+1 +2 p2 -2 61s", "1, 2 is gone"},
		{"p1 61s", "1, 2 is gone"},
		{"+1 -1 61s", ""},
		{"+w 61s", "w"},
		{"+1 e2w 61s", "12w"},
		{"+w e12ww", "12www"},
		{"+1 e2 e2 61s e 60s", "1"},
		{"+1 e2 61s e 61s", "1, 2 is gone"},
		{"+1 e2 61s ew 30s e 31s", "1, 2 is gone"},
		{"e1 61s", "1"}, // the server of player 1 reports that player 2 is gone
		{"+1 -1 +1 1s -1 1s +1 +w 999ms -w 1ms", "1"},
		{"+w +w +w 2s -w 500ms e1 400ms -w 100ms", "1w"},
	} {
		now := time.Unix(1e9, 0)
		c := crowd{seen: [2]time.Time{now, now}, changed: make(chan struct{})}
		var woken time.Time
		seen := c.all() // the presence last reported
		for word := range strings.FieldsSeq(tt.script) {
			as, before, changed := watching, c.all(), c.changed
			var d time.Duration
			if last := word[len(word)-1]; last == '1' || last == '2' {
				as = Seat(last - '1')
			}
			switch word[0] {
			case '+':
				c.count(as, 1, now)
			case '-':
				c.count(as, -1, now)
			case '=':
				c.seen[as] = now
			case 'p':
				c.look(as, now)
			case 'e':
				seats := [2]bool{strings.Contains(word, "1"), strings.Contains(word, "2")}
				c.setOthers(Presence{seats, strings.Count(word, "w")}, now)
			default:
				var err error
				if d, err = time.ParseDuration(word); err != nil {
					t.Fatal(err)
				}
				now = now.Add(d)
				c.expire(now)
			}
			if changed != c.changed {
				if c.all() == before && d == 0 || now.Sub(woken) < time.Second {
					t.Errorf("%s: %s reports a change %v after the last report", tt.script, word, now.Sub(woken))
				}
				seen, woken = c.all(), now
			} else if c.all() != seen && now.Sub(woken) >= time.Second {
				t.Errorf("%s: %s does not report the change", tt.script, word)
			}
		}
		var b strings.Builder
		for _, seat := range Seats {
			if c.all().Seats[seat] {
				fmt.Fprintf(&b, "%d", seat+1)
			}
		}
		b.WriteString(strings.Repeat("w", c.all().Watchers))
		for _, seat := range Seats {
			if c.gone(playing, seat, now.Add(-time.Minute)) {
				fmt.Fprintf(&b, ", %d is gone", seat+1)
			}
		}
		if got := b.String(); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.script, got, tt.want)
		}
	}
}

func TestPresence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hall := newHall(t, new(Memory), HallConfig{})
		v := enter(t, hall, "t", &adaBen, "begin")
		defer v.Close()
		other := enter(t, hall, "t", nil, "")
		defer other.Close()
		var leaves []func()
		leave := func(i int) func() { return func() { leaves[i]() } }
		for i, tt := range []struct {
			do   func()
			want Presence
			same bool // as before
		}{
			{func() { leaves = append(leaves, v.StayToWatch()) }, Presence{Watchers: 1}, false},
			{func() { leaves = append(leaves, other.StayToWatch()) }, Presence{Watchers: 2}, false},
			{func() { leaves = append(leaves, stay(t, v, One)) }, Presence{[2]bool{true, false}, 2}, false},
			{func() { leaves = append(leaves, stay(t, other, One)) }, Presence{[2]bool{true, false}, 2}, true},
			{leave(2), Presence{[2]bool{true, false}, 2}, true},
			{leave(0), Presence{[2]bool{true, false}, 1}, false},
			{func() { leaves = append(leaves, stay(t, other, Two)) }, Presence{[2]bool{true, true}, 1}, false},
			{leave(3), Presence{[2]bool{false, true}, 1}, false},
			{leave(1), Presence{[2]bool{false, true}, 0}, false},
			{leave(4), Presence{}, false},
		} {
			_, changed := v.Presence()
			select {
			case <-changed:
				t.Errorf("change %d is reported before it happens", i)
			default:
			}
			tt.do()
			advance(2 * time.Second)
			select {
			case <-changed:
				if tt.same {
					t.Errorf("step %d reports a change, but nothing changed", i)
				}
			default:
				if !tt.same {
					t.Errorf("change %d is not reported", i)
				}
			}
			if got, _ := v.Presence(); got != tt.want {
				t.Errorf("change %d: %+v, want %+v", i, got, tt.want)
			}
		}
		for _, again := range leaves {
			again() // counts once
		}
		if got, _ := other.Presence(); got != (Presence{}) {
			t.Errorf("got %+v after all have left twice", got)
		}
	})
}

// TestManyWatchers adds thousands of watchers one after the other. Updates are limited, and in the
// end every watcher has seen the final presence.
func TestManyWatchers(t *testing.T) {
	const many, apart = 3000, 5 * time.Millisecond // they come within 15 s, with updates every 3 s
	synctest.Test(t, func(t *testing.T) {
		hall := newHall(t, new(Memory), HallConfig{})
		v := enter(t, hall, "t", &adaBen, "begin")
		defer v.Close()
		var updates atomic.Int64
		var lastSeen sync.Map // the last Presence by watcher
		watch := func(ctx context.Context, i int) {
			defer v.StayToWatch()()
			for {
				p, changed := v.Presence()
				lastSeen.Store(i, p)
				select {
				case <-changed:
					updates.Add(1)
				case <-ctx.Done():
					return
				}
			}
		}
		everybodyKnows := func(want Presence) {
			t.Helper()
			advance(4 * time.Second)
			lastSeen.Range(func(i, p any) bool {
				if p != want {
					t.Errorf("watcher %v: got %v, want %v", i, p, want)
				}
				return p == want
			})
		}
		ctx, leave := context.WithCancel(t.Context())
		defer leave()
		var watching sync.WaitGroup
		for i := range many {
			watching.Go(func() { watch(ctx, i) })
			time.Sleep(apart)
		}
		everybodyKnows(Presence{Watchers: many})
		if n := updates.Load(); n < many || n > 1200*15 {
			t.Errorf("got %d updates while watchers arrive", n)
		}
		began := updates.Load()
		var leaves []func()
		for range 100 { // a player who reconnects again and again
			leaves = append(leaves, stay(t, v, One))
			time.Sleep(100 * time.Millisecond)
			leaves[len(leaves)-1]()
		}
		everybodyKnows(Presence{Watchers: many})
		if n := updates.Load() - began; n > 6*many {
			t.Errorf("got %d updates about one player", n)
		}
		leave()
		watching.Wait()
	})
}

// TestStayRefused checks that a player is not counted as present if their return cannot be saved.
func TestStayRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(failingStore)
		hall := newHall(t, store, HallConfig{})
		v := enter(t, hall, "t", &adaBen, "begin leave:2")
		defer v.Close()
		store.breakAt(1)
		if _, err := v.StayAs(t.Context(), Two); err == nil {
			t.Error("StayAs succeeded although the return was not saved")
		}
		if got, _ := v.Presence(); got != (Presence{}) {
			t.Errorf("%+v", got)
		}
		store.breakAt(0)
		defer stay(t, v, Two)()
		if v.Table.State().Away[Two] {
			t.Error("the player is still away")
		}
	})
}

// A guestList holds the presence at tables for several servers.
type guestList struct {
	mu    sync.Mutex
	here  map[string]map[string]Presence // by server and table
	lines []string
	asked int    // how often it was read
	slow  func() // called while it is read
	fails bool
	halls []*Hall
}

// serverGuests is the Guests of one server.
type serverGuests struct {
	*guestList
	server string
}

func (p serverGuests) Here(_ context.Context, table string, now Presence) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = append(p.lines, fmt.Sprint(p.server, table, now))
	if p.fails {
		return errors.New("the guest list fails")
	}
	if p.here[p.server] == nil {
		p.here[p.server] = map[string]Presence{}
	}
	p.here[p.server][table] = now
	for _, h := range p.halls {
		h.Notice(Notice{Table: table})
	}
	return nil
}

func (p serverGuests) OtherServers(_ context.Context, tables ...string) (map[string]Presence, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asked++; p.slow != nil {
		p.slow()
	}
	if p.fails {
		return nil, errors.New("the guest list fails")
	}
	all := map[string]Presence{}
	for server, here := range p.here {
		for _, table := range tables {
			if now := all[table]; server != p.server {
				then := here[table]
				seats := [2]bool{now.Seats[0] || then.Seats[0], now.Seats[1] || then.Seats[1]}
				all[table] = Presence{seats, now.Watchers + then.Watchers}
			}
		}
	}
	return all, nil
}

func (p serverGuests) Waiting(context.Context) (ids []string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for server, here := range p.here {
		for table, now := range here {
			if server != p.server && now.Seats != [2]bool{} {
				ids = append(ids, table)
			}
		}
	}
	if p.fails {
		err = errors.New("the guest list fails")
	}
	return ids, err
}

// TestWaiting checks the list of tables where a player waits for an opponent, on this server or on
// others.
func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(Memory)
		guests := &guestList{here: map[string]map[string]Presence{}}
		a := newHall(t, store, HallConfig{Guests: serverGuests{guests, "a"}})
		b := newHall(t, store, HallConfig{Guests: serverGuests{guests, "b"}})
		var leaves []func()
		for _, id := range []string{"left", "watched", "full", "here", "also"} {
			v := enter(t, a, id, &lobby, "")
			defer v.Close()
			switch id {
			case "watched":
				defer v.StayToWatch()()
			case "full", "here", "also":
				leaves = append(leaves, stay(t, v, One))
			}
			if id == "full" {
				if err := act(t, v.Table, "sit:2=Ben begin"); err != nil {
					t.Fatal(err)
				}
				defer stay(t, v, Two)()
			}
		}
		both := enter(t, b, "also", nil, "")
		defer both.Close()
		defer stay(t, both, One)()
		defer stay(t, enter(t, b, "there", &lobby, ""), One)()
		alone := NewHall(store, HallConfig{})
		defer alone.Close()
		waiting := func(h *Hall, want string) {
			t.Helper()
			if ids, err := h.Waiting(t.Context()); err != nil || strings.Join(ids, " ") != want {
				t.Errorf("waiting at %q, want %q: %v", ids, want, err)
			}
		}
		waiting(a, "also here")
		waiting(alone, "")
		advance(2 * time.Second)
		waiting(a, "also here there")
		waiting(b, "also full here there") // b has not loaded "full" and cannot see that it is full
		leaves[1]()
		waiting(a, "also there")
		guests.mu.Lock()
		guests.fails = true
		guests.mu.Unlock()
		if _, err := a.Waiting(t.Context()); err == nil {
			t.Error("Waiting succeeded although the guest list fails")
		}
		guests.mu.Lock()
		guests.fails = false
		guests.mu.Unlock()
		leaves[0]()
		leaves[2]()
	})
}

// TestGuests has two servers over one store, with a player and a watcher at each.
func TestGuests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(notifyingStore)
		guests := &guestList{here: map[string]map[string]Presence{}}
		a := newHall(t, store, HallConfig{Guests: serverGuests{guests, "a"}})
		b := newHall(t, store, HallConfig{Guests: serverGuests{guests, "b"}})
		store.connect(a, b)
		guests.halls = []*Hall{a, b}
		atA := enter(t, a, "t", &adaBen, "begin")
		atB := enter(t, b, "t", nil, "")
		defer stay(t, atA, One)()
		leaveB := stay(t, atB, Two)
		defer atA.StayToWatch()()
		watchB := atB.StayToWatch()
		for _, h := range []*Hall{a, b} { // and at another table
			u := enter(t, h, "u", map[*Hall]*Setup{a: &adaBen}[h], "")
			defer u.Close()
			defer u.StayToWatch()()
		}
		advance(2 * time.Second)
		for _, v := range []*Visit{atA, atB} {
			if got, _ := v.Presence(); got != (Presence{[2]bool{true, true}, 2}) {
				t.Errorf("got %+v, want the presence on both servers", got)
			}
		}
		advance(time.Hour)
		if got := atA.Table.State(); got.Seq != 2 {
			t.Errorf("a player on another server counts as gone: %s", summary(got))
		}
		if most := 2 * 3610; guests.asked > most {
			t.Errorf("the guest list was read %d times in an hour, want at most %d, once a second by each server",
				guests.asked, most)
		}
		want := []string{"at{[true false] 1}", "au{[false false] 1}", "bt{[false true] 1}", "bu{[false false] 1}"}
		if !slices.Equal(slices.Sorted(slices.Values(guests.lines)), want) {
			t.Errorf("announced %q, want %q", guests.lines, want)
		}

		// The player at b leaves: the minute of grace begins, and then both servers report it.
		leaveB()
		_, changed := atA.Presence()
		advance(2 * time.Second)
		select {
		case <-changed:
		default:
			t.Error("a change on another server is not reported")
		}
		if got, _ := atA.Presence(); got != (Presence{[2]bool{true, false}, 2}) {
			t.Errorf("got presence %+v", got)
		}
		advance(57 * time.Second)
		if got := atA.Table.State(); got.Seq != 2 {
			t.Errorf("a player who left another server counts as gone too early: %s", summary(got))
		}
		advance(5 * time.Second)
		for _, v := range []*Visit{atA, atB} {
			if got, want := summary(v.Table.State()), "game 1 ___/___ * 0–0, Player 1 to move, Ben is away"; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}

		// A server withdraws its announcement for a table before it unloads the table.
		watchB()
		atB.Close()
		advance(time.Minute)
		if b.Len() != 1 || guests.here["b"]["t"] != (Presence{}) {
			t.Errorf("%d tables on b, announced %+v", b.Len(), guests.here["b"]["t"])
		}
		if got, _ := atA.Presence(); got != (Presence{[2]bool{true, false}, 1}) {
			t.Errorf("got presence %+v", got)
		}
		atA.Close()
	})
}
