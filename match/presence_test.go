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

// told returns the kinds and seats of the events after a number.
func told(t *Table, after int) string {
	var words []string
	steps, _ := t.Since(after)
	for _, s := range steps {
		words = append(words, fmt.Sprintf("%s:%d", s.Event.Kind, s.Event.Seat+1))
	}
	return strings.Join(words, " ")
}

// TestCrowd lets people come and go at a table with a game under way: "+1" and "-1" are player 1,
// "+w" and "-w" a watcher; "e2w" means that player 2 and a watcher are on other servers; "=2" means
// that player 2 is seen, and "p2" that they load a page; "60s" passes. A player who is absent for a
// minute while the other one waits is gone. A change is reported at once or, if the last report is
// less than a second old, within the first second after it.
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
		{"e1 61s", "1"}, // where player 1 is, it is seen to
		{"+1 -1 +1 1s -1 1s +1 +w 999ms -w 1ms", "1"},
		{"+w +w +w 2s -w 500ms e1 400ms -w 100ms", "1w"},
	} {
		now := time.Unix(1e9, 0)
		c := crowd{seen: [2]time.Time{now, now}, changed: make(chan struct{})}
		var woken time.Time
		seen := c.all() // by a reader of changes
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
				c.setElsewhere(Presence{[2]bool{strings.Contains(word, "1"), strings.Contains(word, "2")}, strings.Count(word, "w")}, now)
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
					t.Errorf("%s: %s wakes somebody %v after the last time", tt.script, word, now.Sub(woken))
				}
				seen, woken = c.all(), now
			} else if c.all() != seen && now.Sub(woken) >= time.Second {
				t.Errorf("%s: %s wakes nobody", tt.script, word)
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
				t.Errorf("change %d is told before it happens", i)
			default:
			}
			tt.do()
			pass(2 * time.Second)
			select {
			case <-changed:
				if tt.same {
					t.Errorf("change %d is told, and is none", i)
				}
			default:
				if !tt.same {
					t.Errorf("change %d is not told", i)
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
			t.Errorf("%+v after all have left twice", got)
		}
	})
}

// TestManyWatchers: thousands of people come one after the other, and go. Each gets an update now
// and then, and in the end all know who is there.
func TestManyWatchers(t *testing.T) {
	const many, apart = 3000, 5 * time.Millisecond // they come within 15 s, with updates every 3 s
	synctest.Test(t, func(t *testing.T) {
		hall := newHall(t, new(Memory), HallConfig{})
		v := enter(t, hall, "t", &adaBen, "begin")
		defer v.Close()
		var told atomic.Int64
		var knows sync.Map // what each of them saw last
		watch := func(ctx context.Context, i int) {
			defer v.StayToWatch()()
			for {
				p, changed := v.Presence()
				knows.Store(i, p)
				select {
				case <-changed:
					told.Add(1)
				case <-ctx.Done():
					return
				}
			}
		}
		everybodyKnows := func(want Presence) {
			t.Helper()
			pass(4 * time.Second)
			knows.Range(func(i, p any) bool {
				if p != want {
					t.Errorf("%v knows of %v, and there are %v", i, p, want)
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
		if n := told.Load(); n < many || n > 1200*15 {
			t.Errorf("%d times somebody was told", n)
		}
		began := told.Load()
		var leaves []func()
		for range 100 { // a player who cannot make up their mind
			leaves = append(leaves, stay(t, v, One))
			time.Sleep(100 * time.Millisecond)
			leaves[len(leaves)-1]()
		}
		everybodyKnows(Presence{Watchers: many})
		if n := told.Load() - began; n > 6*many {
			t.Errorf("%d times somebody was told of one player", n)
		}
		leave()
		watching.Wait()
	})
}

// TestStayRefused: one whose return cannot be kept is not counted.
func TestStayRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(broken)
		hall := newHall(t, store, HallConfig{})
		v := enter(t, hall, "t", &adaBen, "begin leave:2")
		defer v.Close()
		store.breakAt(1)
		if _, err := v.StayAs(t.Context(), Two); err == nil {
			t.Error("a return that was not kept")
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

// book is the Guests of two servers.
type book struct {
	mu    sync.Mutex
	here  map[string]map[string]Presence // by server and table
	lines []string
	asked int    // how often it was read
	slow  func() // what happens while it is read
	fails bool
	halls []*Hall
}

// page is the part of the book that a server writes.
type page struct {
	*book
	server string
}

func (p page) Here(_ context.Context, table string, now Presence) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = append(p.lines, fmt.Sprint(p.server, table, now))
	if p.fails {
		return errors.New("the book is lost")
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

func (p page) Elsewhere(_ context.Context, tables ...string) (map[string]Presence, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asked++; p.slow != nil {
		p.slow()
	}
	if p.fails {
		return nil, errors.New("the book is lost")
	}
	all := map[string]Presence{}
	for server, here := range p.here {
		for _, table := range tables {
			if now := all[table]; server != p.server {
				all[table] = Presence{[2]bool{now.Seats[0] || here[table].Seats[0], now.Seats[1] || here[table].Seats[1]}, now.Watchers + here[table].Watchers}
			}
		}
	}
	return all, nil
}

func (p page) Waiting(context.Context) (ids []string, err error) {
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
		err = errors.New("the book is lost")
	}
	return ids, err
}

// TestWaiting: who waits at which tables, here or elsewhere.
func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(Memory)
		guests := &book{here: map[string]map[string]Presence{}}
		a := newHall(t, store, HallConfig{Guests: page{guests, "a"}})
		b := newHall(t, store, HallConfig{Guests: page{guests, "b"}})
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
				t.Errorf("somebody waits at %q, want %q: %v", ids, want, err)
			}
		}
		waiting(a, "also here")
		waiting(alone, "")
		pass(2 * time.Second)
		waiting(a, "also here there")
		waiting(b, "also full here there") // here only the store knows that it is full
		leaves[1]()
		waiting(a, "also there")
		guests.mu.Lock()
		guests.fails = true
		guests.mu.Unlock()
		if _, err := a.Waiting(t.Context()); err == nil {
			t.Error("it is known who is elsewhere though the book is lost")
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
		store := new(wired)
		guests := &book{here: map[string]map[string]Presence{}}
		a := newHall(t, store, HallConfig{Guests: page{guests, "a"}})
		b := newHall(t, store, HallConfig{Guests: page{guests, "b"}})
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
		pass(2 * time.Second)
		for _, v := range []*Visit{atA, atB} {
			if got, _ := v.Presence(); got != (Presence{[2]bool{true, true}, 2}) {
				t.Errorf("both servers together have %+v", got)
			}
		}
		pass(time.Hour)
		if got := atA.Table.State(); got.Seq != 2 {
			t.Errorf("somebody is gone who is elsewhere: %s", stand(got))
		}
		if most := 2 * 3610; guests.asked > most {
			t.Errorf("the book was read %d times in an hour; for all tables of a server once a second is %d", guests.asked, most)
		}
		if want := []string{"at{[true false] 1}", "au{[false false] 1}", "bt{[false true] 1}", "bu{[false false] 1}"}; !slices.Equal(slices.Sorted(slices.Values(guests.lines)), want) {
			t.Errorf("told %q, want %q", guests.lines, want)
		}

		// The player at b leaves: the minute of grace begins, and then both servers report it.
		leaveB()
		_, changed := atA.Presence()
		pass(2 * time.Second)
		select {
		case <-changed:
		default:
			t.Error("who is elsewhere has changed, and nobody is told")
		}
		if got, _ := atA.Presence(); got != (Presence{[2]bool{true, false}, 2}) {
			t.Errorf("there are %+v", got)
		}
		pass(57 * time.Second)
		if got := atA.Table.State(); got.Seq != 2 {
			t.Errorf("a player is gone at once who was elsewhere: %s", stand(got))
		}
		pass(5 * time.Second)
		for _, v := range []*Visit{atA, atB} {
			if got, want := stand(v.Table.State()), "game 1 ___/___ * 0–0, Player 1 to move, Ben is away"; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}

		// A server withdraws its report on a table before it puts the table away.
		watchB()
		atB.Close()
		pass(time.Minute)
		if b.Len() != 1 || guests.here["b"]["t"] != (Presence{}) {
			t.Errorf("%d tables at b, of which it told %+v", b.Len(), guests.here["b"]["t"])
		}
		if got, _ := atA.Presence(); got != (Presence{[2]bool{true, false}, 1}) {
			t.Errorf("there are %+v", got)
		}
		atA.Close()
	})
}
