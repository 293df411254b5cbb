package match

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
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

// told returns the kinds of the events of a table after one of a number, with their seats.
func told(t *Table, after int) string {
	var words []string
	steps, _ := t.Since(after)
	for _, s := range steps {
		words = append(words, fmt.Sprintf("%s:%d", s.Event.Kind, s.Event.Seat+1))
	}
	return strings.Join(words, " ")
}

// TestGone follows players who come and go, with a minute of grace. The words of a script are those of a table, and "+1" and "-1":
// player 1 comes and goes, "=1": player 1 does something without staying, "w": somebody watches, "60s": time passes.
func TestGone(t *testing.T) {
	timed := adaBen
	timed.TurnTime = 30 * time.Second
	tests := []struct {
		name, script, want string
		setup              Setup
	}{
		{"gone", "begin +1 +2 10s -2 62s", "left:2", adaBen},
		{"gone on the own turn", "begin 9a +1 +2 10s -2 62s", "left:2", adaBen},
		{"gone and told once", "begin +1 +2 -2 1h", "left:2", adaBen},
		{"never here", "begin +1 62s", "left:2", adaBen},
		{"gone for a short while", "begin +1 +2 10s -2 59s", "", adaBen},
		{"gone for a short while many times", "begin +1 +2 10s -2 59s +2 -2 59s +2 1s -2 59s", "", adaBen},
		{"back", "begin +1 +2 -2 62s +2 1h", "left:2 back:2", adaBen},
		{"back by an act", "begin +1 +2 -2 62s =2 30s", "left:2 back:2", adaBen},
		{"and gone again", "begin +1 +2 -2 62s =2 62s", "left:2 back:2 left:2", adaBen},
		{"acts without staying", "begin +1 =2 50s =2 50s =2 50s", "", adaBen},
		{"both gone", "begin +1 +2 -1 -2 1h", "", adaBen},
		{"both gone and one back", "begin +1 +2 -1 -2 1h +1 2s", "left:2", adaBen},
		{"here twice and gone once", "begin +1 +2 +2 -2 1h", "", adaBen},
		{"here twice and gone", "begin +1 +2 +2 -2 1h -2 62s", "left:2", adaBen},
		{"watchers wait for nobody", "begin +1 +2 w -1 -2 1h", "", adaBen},
		{"no game yet", "+1 +2 -2 1h", "", adaBen},
		{"no game any more", "begin +1 +2 resign:1 -2 1h", "", adaBen},
		{"the computer is never gone", "begin +1 1h", "", robot},
		{"replaced and not told again", "begin +1 62s replace:1=casual 1h", "left:2 replaced:2", adaBen},
		{"replaced and back", "begin +1 62s replace:1=casual 1h +2 1h", "left:2 replaced:2 back:2", adaBen},
		{"the clock is faster", "begin +1 9a 1h", "flagged:2", timed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hall := newHall(t, new(Memory), HallConfig{Grace: time.Minute})
				v := enter(t, hall, "t", &tt.setup, "")
				defer v.Close()
				var leaves [2][]func()
				began := v.Table.State().Seq
				for word := range strings.FieldsSeq(tt.script) {
					seat := Seat(word[len(word)-1] - '1')
					d, notTime := time.ParseDuration(word)
					switch {
					case word == "w":
						defer v.StayToWatch()()
					case word[0] == '+':
						leaves[seat] = append(leaves[seat], stay(t, v, seat))
					case word[0] == '-':
						last := len(leaves[seat]) - 1
						leaves[seat][last]()
						leaves[seat] = leaves[seat][:last]
					case word[0] == '=':
						if err := v.Seen(t.Context(), seat); err != nil {
							t.Fatal(err)
						}
					case notTime == nil:
						pass(d)
					default:
						if err := act(t, v.Table, word); err != nil {
							t.Fatal(err)
						}
						if word != "replace:1=casual" {
							began = v.Table.State().Seq
						}
					}
				}
				if got := told(v.Table, began); got != tt.want {
					t.Errorf("%s\n got %s\nwant %s", tt.script, got, tt.want)
				}
			})
		})
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
		}{
			{func() { leaves = append(leaves, v.StayToWatch()) }, Presence{Watchers: 1}},
			{func() { leaves = append(leaves, other.StayToWatch()) }, Presence{Watchers: 2}},
			{func() { leaves = append(leaves, stay(t, v, One)) }, Presence{[2]bool{true, false}, 2}},
			{func() { leaves = append(leaves, stay(t, other, One)) }, Presence{[2]bool{true, false}, 2}},
			{leave(2), Presence{[2]bool{true, false}, 2}},
			{leave(0), Presence{[2]bool{true, false}, 1}},
			{func() { leaves = append(leaves, stay(t, other, Two)) }, Presence{[2]bool{true, true}, 1}},
			{leave(3), Presence{[2]bool{false, true}, 1}},
			{leave(1), Presence{[2]bool{false, true}, 0}},
			{leave(4), Presence{}},
		} {
			_, changed := v.Presence()
			select {
			case <-changed:
				t.Errorf("change %d is told before it happens", i)
			default:
			}
			tt.do()
			select {
			case <-changed:
			default:
				t.Errorf("change %d is not told", i)
			}
			if got, _ := v.Presence(); got != tt.want || hall.Presence("t") != tt.want {
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

// book is where two servers tell each other who is there: Guests of both.
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

		// The player at b goes: the minute of grace begins with that, and then it is told at both servers.
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

		// What a server told of a table it takes back before it puts the table away.
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

// TestGuestsUnnoticed: before somebody is told to have left, it is asked who is elsewhere, for a notice may be late.
func TestGuestsUnnoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(Memory)
		guests := &book{here: map[string]map[string]Presence{}} // which gives no notice
		a := newHall(t, store, HallConfig{Guests: page{guests, "a"}})
		b := newHall(t, store, HallConfig{Guests: page{guests, "b"}})
		atA := enter(t, a, "t", &adaBen, "begin")
		defer atA.Close()
		defer stay(t, atA, One)()
		pass(2 * time.Second)
		atB := enter(t, b, "t", nil, "")
		defer atB.Close()
		defer stay(t, atB, Two)()
		pass(time.Hour)
		if got := kept(t, store, "t"); len(got) != 2 {
			t.Errorf("the last event is %+v", got[len(got)-1])
		}
	})
}

// TestGuestsKilled: a server that is killed takes its guests along without a word.
func TestGuestsKilled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		guests := &book{here: map[string]map[string]Presence{"b": {"t": {Seats: [2]bool{false, true}}}}}
		hall := newHall(t, new(Memory), HallConfig{Guests: page{guests, "a"}})
		v := enter(t, hall, "t", &adaBen, "begin")
		defer v.Close()
		defer stay(t, v, One)()
		pass(time.Hour)
		fail := func(fails bool) {
			guests.mu.Lock()
			defer guests.mu.Unlock()
			guests.fails = fails
		}
		fail(true)
		pass(5 * time.Second) // in which nothing is known
		fail(false)
		if got, _ := v.Presence(); got != (Presence{Seats: [2]bool{true, true}}) || v.Table.State().Seq != 2 {
			t.Errorf("there are %+v, %s", got, stand(v.Table.State()))
		}
		_, changed := v.Presence()
		guests.mu.Lock()
		delete(guests.here, "b")
		guests.mu.Unlock()
		pass(2 * time.Second)
		select {
		case <-changed:
		default:
			t.Error("who is elsewhere has changed, and nobody is told")
		}
		if got, _ := v.Presence(); got != (Presence{Seats: [2]bool{true, false}}) {
			t.Errorf("there are %+v", got)
		}
		pass(57 * time.Second)
		if s := v.Table.State(); s.Away[Two] {
			t.Error("a player is gone at once whose server was killed")
		}
		pass(5 * time.Second)
		if s := v.Table.State(); !s.Away[Two] {
			t.Error("a player whose server was killed is not gone")
		}
	})
}

// TestBackWhileAsked: a player who comes back while it is asked where they are has not left.
func TestBackWhileAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		guests := &book{here: map[string]map[string]Presence{}}
		hall := newHall(t, new(Memory), HallConfig{Guests: page{guests, "a"}})
		v := enter(t, hall, "t", &adaBen, "begin")
		defer v.Close()
		defer stay(t, v, One)()
		pass(time.Second)
		came := func() {}
		guests.mu.Lock()
		guests.slow = func() { came = stay(t, v, Two) }
		guests.mu.Unlock()
		pass(time.Minute)
		guests.mu.Lock()
		guests.slow = nil
		guests.mu.Unlock()
		pass(time.Hour)
		if got := told(v.Table, 2); got != "" {
			t.Errorf("what was told: %s", got)
		}
		came()
	})
}

// TestGuestsFail: what could not be told is told later, and keeps the table until then, also when room is wanted.
func TestGuestsFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		guests := &book{here: map[string]map[string]Presence{}}
		hall := newHall(t, new(Memory), HallConfig{Guests: page{guests, "a"}, Most: 1})
		fail := func(fails bool) {
			guests.mu.Lock()
			defer guests.mu.Unlock()
			guests.fails = fails
		}
		v := enter(t, hall, "t", &adaBen, "begin")
		leave := stay(t, v, One)
		pass(2 * time.Second)
		fail(true)
		leave()
		v.Close()
		if _, err := hall.Open(t.Context(), "u", adaBen); !errors.Is(err, ErrFull) {
			t.Errorf("the table made room though others believe that somebody is there: %v", err)
		}
		pass(time.Minute)
		if hall.Len() != 1 {
			t.Error("the table was put away though others believe that somebody is there")
		}
		fail(false)
		pass(2 * time.Second)
		if hall.Len() != 0 || guests.here["a"]["t"] != (Presence{}) {
			t.Errorf("%d tables, told %+v", hall.Len(), guests.here["a"]["t"])
		}
	})
}

// TestNoticeWhileLoading: an event that another server adds while a table is being taken up is not missed.
func TestNoticeWhileLoading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(gated)
		keep(t, store, "t", adaBen, "begin")
		elsewhere, err := Resume(t.Context(), "t", &store.Memory, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer elsewhere.Close()
		hall := newHall(t, store, HallConfig{})
		store.close()
		var visiting sync.WaitGroup
		visiting.Go(func() {
			v, err := hall.Visit(t.Context(), "t")
			if err != nil {
				t.Error(err)
				return
			}
			defer v.Close()
			synctest.Wait()
			if got, want := stand(v.Table.State()), "game 1 9__/___ * 0–0, Player 2 to move"; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
		synctest.Wait() // the events are read, and not handed over yet
		if err := act(t, elsewhere, "9a"); err != nil {
			t.Fatal(err)
		}
		hall.Notice(Notice{Table: "t", Seq: 3})
		hall.Notice(Notice{})
		store.open()
		visiting.Wait()
	})
}

// TestNotices: many notices of one table are followed together.
func TestNotices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(slow)
		hall := newHall(t, store, HallConfig{})
		v := enter(t, hall, "t", &adaBen, "begin")
		defer v.Close()
		elsewhere, err := Resume(t.Context(), "t", &store.Memory, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer elsewhere.Close()
		if err := act(t, elsewhere, "9a 8a 1b"); err != nil {
			t.Fatal(err)
		}
		for range 20 { // many notices at once are followed by two looks at the most
			hall.Notice(Notice{Table: "t", Seq: 3})
		}
		pass(5 * time.Second)
		if n := store.loads.Load(); n > 2 || v.Table.State().Seq != 5 {
			t.Errorf("%d looks, %s", n, stand(v.Table.State()))
		}
		hall.Notice(Notice{Table: "t", Seq: 5}) // which is known
		hall.Notice(Notice{Table: "u", Seq: 5}) // which is not here
		pass(5 * time.Second)
		if n := store.loads.Load(); n > 2 {
			t.Errorf("%d looks", n)
		}
	})
}
