package match

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestFlagWithoutVisitors checks that the clock acts at a table without visitors, and that the
// table is unloaded after its game.
func TestFlagWithoutVisitors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(Memory)
		hall := newHall(t, store, HallConfig{})
		setup := adaBen
		setup.TurnTime = time.Minute
		enter(t, hall, "t", &setup, "begin 9a").Close()
		advance(59 * time.Second)
		if n := len(savedEvents(t, store, "t")); n != 3 || hall.Len() != 1 {
			t.Errorf("%d events, %d tables while the clock runs", n, hall.Len())
		}
		advance(2 * time.Second)
		events := savedEvents(t, store, "t")
		if last := events[len(events)-1]; last.Kind != Flagged || last.Seat != Two {
			t.Errorf("the last event is %+v", last)
		}
		if hall.Len() != 0 {
			t.Error("the table stays when its game is over")
		}
	})
}

// dues returns a function that finds the tables in a store whose clock has run out.
func dues(store Store, ids ...string) func(context.Context, time.Time) ([]string, error) {
	return func(ctx context.Context, before time.Time) (due []string, err error) {
		for _, id := range ids {
			events, err := store.Events(ctx, id, 0)
			if err != nil {
				return nil, err
			}
			var s State
			for _, e := range events {
				s, _ = s.Apply(e)
			}
			if at, timed := s.Deadline(); len(events) == 0 || timed && at.Before(before) {
				due = append(due, id)
			}
		}
		return due, nil
	}
}

// TestOverdue checks that a hall loads overdue tables of another server, and lets their clocks act.
func TestOverdue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(Memory)
		setup := adaBen
		setup.TurnTime = time.Minute
		random := setup
		random.OnTimeout = Random
		saveTable(t, store, "lost", setup, "begin 9a")
		saveTable(t, store, "random", random, "begin 9a")
		saveTable(t, store, "calm", adaBen, "begin")
		log := new(logBuffer)
		hall := newHall(t, store, HallConfig{
			Overdue: dues(store, "missing", "lost", "random", "calm"),
			Log:     slog.New(slog.NewTextHandler(log, nil)),
		})
		advance(62 * time.Second)
		if hall.Len() != 0 {
			t.Error("a table is loaded before another server had time to act")
		}
		advance(3 * time.Second)
		if events := savedEvents(t, store, "lost"); events[len(events)-1].Kind != Flagged {
			t.Errorf("the last event is %+v", events[len(events)-1])
		}
		if events := savedEvents(t, store, "random"); len(events) != 4 || !events[3].Auto {
			t.Errorf("the events are %+v", events)
		}
		if hall.Len() != 2 {
			t.Errorf("%d tables are loaded, want 2", hall.Len())
		}
		advance(20 * time.Second)
		if hall.Len() != 0 {
			t.Errorf("%d tables stay loaded without visitors", hall.Len())
		}
		advance(10 * time.Minute)
		if events := savedEvents(t, store, "random"); len(events) != 8 || !events[7].Auto {
			t.Errorf("random moves have not finished the game: %+v", events)
		}
		if !strings.Contains(log.String(), `table \"missing\": there is no such table`) || strings.Contains(log.String(), "calm") {
			t.Errorf("log:\n%s", log)
		}
	})
}

// TestOverdueMany checks that all clocks act if more tables are overdue than the hall may hold, and
// some tables are missing.
func TestOverdueMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const many, most = 1200, 100
		store := new(slowStore)
		setup := adaBen
		setup.TurnTime = time.Minute
		var ids []string
		for i := range 2 * many {
			ids = append(ids, fmt.Sprint(i))
			if i%2 == 0 { // the others are missing
				saveTable(t, store, ids[i], setup, "begin")
			}
		}
		advance(2 * time.Minute)
		hall := newHall(t, store, HallConfig{Overdue: dues(&store.Memory, ids...), Most: most})
		flagged := func() (n int) {
			for i := range many {
				if events := savedEvents(t, &store.Memory, ids[2*i]); events[len(events)-1].Kind == Flagged {
					n++
				}
			}
			return n
		}
		for at := time.Duration(0); flagged() < many; at += time.Second {
			if advance(time.Second); hall.Len() > most || at > 10*time.Minute {
				t.Fatalf("after %v %d tables are loaded, %d of %d are flagged", at, hall.Len(), flagged(), many)
			}
		}
	})
}

// TestOverdueFull checks that an overdue table waits for room in a full hall, without an error in
// the log.
func TestOverdueFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(Memory)
		setup := adaBen
		setup.TurnTime = time.Minute
		saveTable(t, store, "t", setup, "begin")
		log := new(logBuffer)
		hall := newHall(t, store, HallConfig{
			Overdue: dues(store, "t"), Most: 1, Log: slog.New(slog.NewTextHandler(log, nil)),
		})
		here := enter(t, hall, "here", &adaBen, "")
		advance(time.Hour)
		if n := len(savedEvents(t, store, "t")); n != 2 || hall.Len() != 1 || log.String() != "" {
			t.Errorf("%d events, %d tables, log:\n%s", n, hall.Len(), log)
		}
		here.Close()
		advance(5 * time.Second)
		if events := savedEvents(t, store, "t"); events[len(events)-1].Kind != Flagged {
			t.Errorf("the last event is %+v", events[len(events)-1])
		}
	})
}

// TestTimeLeft checks that a table is not loaded again and again if the store lists it as overdue,
// but it has time left because of the down time.
func TestTimeLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(downStore)
		setup := adaBen
		setup.TurnTime = time.Minute
		saveTable(t, store, "t", setup, "begin")
		advance(time.Hour)
		store.time = time.Hour
		var loads atomic.Int32
		due := dues(&store.Memory, "t")
		overdue := func(ctx context.Context, before time.Time) ([]string, error) {
			ids, err := due(ctx, before)
			loads.Add(int32(len(ids)))
			return ids, err
		}
		hall := newHall(t, store, HallConfig{Linger: time.Second, Overdue: overdue})
		came := 0
		for was := 0; len(savedEvents(t, &store.Memory, "t")) == 2 && came < 10; was = hall.Len() {
			if advance(time.Second); hall.Len() > was {
				came++
			}
		}
		if came != 2 || loads.Load() < 50 {
			t.Errorf("the table was loaded %d times, want 2, and listed as overdue %d times", came, loads.Load())
		}
	})
}

// stuckStore is a store that blocks requests for some tables until the caller gives up.
type stuckStore struct {
	Memory
	tables  []string
	waiting atomic.Int32 // the number of blocked requests
	most    atomic.Int32 // the maximum of waiting
}

func (s *stuckStore) Append(ctx context.Context, table string, e Event, after State) error {
	if e.Kind == Left && slices.Contains(s.tables, table) {
		s.most.Store(max(s.most.Load(), s.waiting.Add(1)))
		defer s.waiting.Add(-1)
		<-ctx.Done()
		return ctx.Err()
	}
	return s.Memory.Append(ctx, table, e, after)
}

// TestStuckTables checks that tables whose events block in the store do not delay the upkeep of
// other tables.
func TestStuckTables(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &stuckStore{tables: []string{"1", "4", "7"}}
		log := new(logBuffer)
		hall := newHall(t, store, HallConfig{Grace: time.Second, Log: slog.New(slog.NewTextHandler(log, nil))})
		var all []*Visit
		for i := range 10 {
			v := enter(t, hall, fmt.Sprint(i), &adaBen, "begin")
			defer v.Close()
			defer stay(t, v, One)()
			all = append(all, v)
		}
		advance(3 * time.Second)
		for i, v := range all {
			if left := v.Table.State().Away[Two]; left == slices.Contains(store.tables, fmt.Sprint(i)) {
				t.Errorf("table %d: the player has left: %v", i, left)
			}
		}
		advance(time.Minute)
		if n := store.most.Load(); n != 3 {
			t.Errorf("%d calls blocked at once, for %d tables", n, len(store.tables))
		}
		want := `what="leave: Player 2" error="table`
		if !strings.Contains(log.String(), want) || !strings.Contains(log.String(), "deadline exceeded") {
			t.Errorf("the log has no %s:\n%s", want, log)
		}
	})
}

// TestTroubleIsLogged checks that errors of a hall's background work are logged.
func TestTroubleIsLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(failingStore)
		log := new(logBuffer)
		var trouble atomic.Bool
		hall := newHall(t, store, HallConfig{
			Log: slog.New(slog.NewTextHandler(log, nil)),
			Overdue: func(context.Context, time.Time) ([]string, error) {
				if trouble.Load() {
					return nil, errors.New("the list is lost")
				}
				return nil, nil
			},
		})
		v := enter(t, hall, "t", &adaBen, "begin")
		defer v.Close()
		defer stay(t, v, One)()
		trouble.Store(true)
		store.breakAt(1)
		advance(62 * time.Second)
		unknown := Event{Seq: 3, Kind: "sang"}
		if err := store.Memory.Append(t.Context(), "t", unknown, State{}); err != nil {
			t.Fatal(err)
		}
		hall.Notice(Notice{Table: "t", Seq: 3})
		synctest.Wait()
		for _, want := range []string{
			`msg="hall upkeep" what="find overdue" error="the list is lost"`,
			`msg="hall upkeep" what="leave: Player 2" error="table \"t\": save event 3: the disk is full"`,
			`msg="refresh table" table=t error="table \"t\": event 3: unknown event \"sang\""`,
		} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("the log has no %s:\n%s", want, log)
			}
		}
	})
}

// TestGone checks when a player counts as gone and as back, with a minute of grace. runVisit
// explains the scripts.
func TestGone(t *testing.T) {
	timed := adaBen
	timed.TurnTime = 30 * time.Second
	tests := []struct {
		name, script, want string
		setup              Setup
	}{
		{"gone", "begin +1 +2 10s -2 62s", "left:2", adaBen},
		{"gone on one's own turn", "begin 9a +1 +2 10s -2 62s", "left:2", adaBen},
		{"gone and reported once", "begin +1 +2 -2 1h", "left:2", adaBen},
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
		{"replaced and not reported again", "begin +1 62s replace:1=casual 1h", "left:2 replaced:2", adaBen},
		{"replaced and back", "begin +1 62s replace:1=casual 1h +2 1h", "left:2 replaced:2 back:2", adaBen},
		{"the clock is faster", "begin +1 9a 1h", "flagged:2", timed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hall := newHall(t, new(Memory), HallConfig{Grace: time.Minute})
				v := enter(t, hall, "t", &tt.setup, "")
				defer v.Close()
				if got := runVisit(t, v, tt.script); got != tt.want {
					t.Errorf("%s\n got %s\nwant %s", tt.script, got, tt.want)
				}
			})
		})
	}
}

// runVisit runs a script: "+1" and "-1" connect and disconnect player 1, "w" connects a watcher,
// "=1" is a request of player 1, "60s" passes; other words are acts. It returns the events after
// the last act, where replace does not count as an act.
func runVisit(t *testing.T, v *Visit, script string) string {
	t.Helper()
	var leaves [2][]func()
	began := v.Table.State().Seq
	for word := range strings.FieldsSeq(script) {
		seat := Seat(word[len(word)-1] - '1')
		d, notTime := time.ParseDuration(word)
		switch {
		case word == "w":
			t.Cleanup(v.StayToWatch())
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
			advance(d)
		default:
			if err := act(t, v.Table, word); err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(word, "replace") {
				began = v.Table.State().Seq
			}
		}
	}
	return eventsAfter(v.Table, began)
}

// TestFirstTurn checks that the clock of a game's first turn waits until the player to move
// arrives.
func TestFirstTurn(t *testing.T) {
	timed, series, opens, random := adaBen, bestOf3, robot, adaBen
	timed.TurnTime, series.TurnTime = 30*time.Second, 30*time.Second
	opens.TurnTime, opens.First = 30*time.Second, Two
	random.TurnTime, random.OnTimeout = 30*time.Second, Random
	class := random
	class.Class = "c"
	for _, tt := range []struct {
		name, script, want string
		setup              Setup
	}{
		{"the player to move is away", "+2 begin 59s", "", timed},
		{"and opens the table", "+2 begin 50s =1 29s", "arrived:1", timed},
		{"and thinks for too long", "+2 begin 50s =1 31s", "arrived:1 flagged:1", timed},
		{"and again with random moves", "+2 begin 50s =1 31s", "arrived:1 moved:1", random},
		{"and opens it twice", "+2 begin 50s +1 10s =1 10s", "arrived:1", timed},
		{"the opponent opens the table", "begin =2 +2 50s", "", timed},
		{"the player moves at once", "begin 9a:1 31s", "flagged:2", timed},
		{"both are away", "begin 24h", "", timed},
		{"the player to move is here", "+1 begin 31s", "flagged:1", timed},
		{"the player was here", "+1 -1 +2 begin 59s", "", timed},
		{"the player has left, and is back", "+2 begin 62s =1 31s", "left:1 back:1 flagged:1", timed},
		{"the computer plays instead", "+2 begin 62s replace:2=casual 31s", "left:1 replaced:1 flagged:1", timed},
		{"the computer begins", "begin 31s", "flagged:2", opens},
		{"the second game", "+1 +2 begin resign:1 next:2 next:1 31s", "flagged:2", series},
		{"the second game begins by itself", "+1 begin resign:1 next:1 60s", "began:1", series},
		{"the table of a class", "begin 29s", "", class},
		{"and nobody comes", "begin 61s", "moved:1 moved:2", class},
		{"without a clock", "+2 begin =1", "", adaBen},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				v := enter(t, newHall(t, new(Memory), HallConfig{Grace: time.Minute}), "t", &tt.setup, "")
				defer v.Close()
				if got := runVisit(t, v, tt.script); got != tt.want {
					t.Errorf("%s\n got %s\nwant %s", tt.script, got, tt.want)
				}
			})
		})
	}
}

// TestFirstTurnClaimed checks that a win cannot be claimed against a player who has not arrived
// yet.
func TestFirstTurnClaimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		timed := adaBen
		timed.TurnTime = 30 * time.Second
		v := enter(t, newHall(t, new(Memory), HallConfig{Grace: time.Minute}), "t", &timed, "")
		defer v.Close()
		if got := runVisit(t, v, "+2 begin 62s"); got != "left:1" {
			t.Errorf("got %s", got)
		}
		if _, err := v.Table.Do(t.Context(), Two, Claim, ""); !errors.Is(err, ErrHere) {
			t.Errorf("claim: got %v, want ErrHere", err)
		}
	})
}

// TestFirstTurnElsewhere checks that the clock still waits after a restart, and starts once if the
// game began on a server other than the player's.
func TestFirstTurnElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, timed := new(notifyingStore), adaBen
		timed.TurnTime = 30 * time.Second
		first := NewHall(store, HallConfig{})
		enter(t, first, "t", &timed, "begin").Close()
		first.Close()
		advance(time.Hour)
		halls := []*Hall{newHall(t, store, HallConfig{}), newHall(t, store, HallConfig{})}
		store.connect(halls...)
		visits := []*Visit{enter(t, halls[0], "t", nil, ""), enter(t, halls[1], "t", nil, "")}
		for _, v := range visits {
			defer v.Close()
			if _, timed := v.Table.State().Deadline(); timed || !v.Table.State().Waits {
				t.Error("the clock runs")
			}
		}
		for _, v := range visits {
			defer stay(t, v, One)()
		}
		advance(2 * time.Second)
		if got := eventsAfter(visits[0].Table, 2); got != "arrived:1" {
			t.Errorf("got %s", got)
		}
		defer stay(t, visits[1], Two)() // the first server is not informed
		if err := act(t, visits[0].Table, "resign:1 again:1 again:2"); err != nil {
			t.Fatal(err)
		}
		advance(2 * time.Second)
		for i, v := range visits {
			at, running := v.Table.State().Deadline()
			if eventsAfter(v.Table, 7) != "arrived:2" || !running || time.Until(at) < 28*time.Second {
				t.Errorf("server %d: %s, the clock runs: %v, until %v", i, eventsAfter(v.Table, 3), running, time.Until(at))
			}
		}
	})
}

// TestGuestsUnnoticed checks that the guest list is read before a player counts as gone, since a
// notice from another server may be late.
func TestGuestsUnnoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(Memory)
		guests := &guestList{here: map[string]map[string]Presence{}} // sends no notices
		a := newHall(t, store, HallConfig{Guests: serverGuests{guests, "a"}})
		b := newHall(t, store, HallConfig{Guests: serverGuests{guests, "b"}})
		atA := enter(t, a, "t", &adaBen, "begin")
		defer atA.Close()
		defer stay(t, atA, One)()
		advance(2 * time.Second)
		atB := enter(t, b, "t", nil, "")
		defer atB.Close()
		defer stay(t, atB, Two)()
		advance(time.Hour)
		if got := savedEvents(t, store, "t"); len(got) != 2 {
			t.Errorf("the last event is %+v", got[len(got)-1])
		}
	})
}

// TestGuestsKilled checks that the players of a server that was killed count as gone after the
// grace period.
func TestGuestsKilled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		guests := &guestList{here: map[string]map[string]Presence{"b": {"t": {Seats: [2]bool{false, true}}}}}
		hall := newHall(t, new(Memory), HallConfig{Guests: serverGuests{guests, "a"}})
		v := enter(t, hall, "t", &adaBen, "begin")
		defer v.Close()
		defer stay(t, v, One)()
		advance(time.Hour)
		fail := func(fails bool) {
			guests.mu.Lock()
			defer guests.mu.Unlock()
			guests.fails = fails
		}
		fail(true)
		advance(5 * time.Second) // without a guest list
		fail(false)
		if got, _ := v.Presence(); got != (Presence{Seats: [2]bool{true, true}}) || v.Table.State().Seq != 2 {
			t.Errorf("got presence %+v, %s", got, summary(v.Table.State()))
		}
		_, changed := v.Presence()
		guests.mu.Lock()
		delete(guests.here, "b")
		guests.mu.Unlock()
		advance(2 * time.Second)
		select {
		case <-changed:
		default:
			t.Error("a change on another server is not reported")
		}
		if got, _ := v.Presence(); got != (Presence{Seats: [2]bool{true, false}}) {
			t.Errorf("got presence %+v", got)
		}
		advance(57 * time.Second)
		if s := v.Table.State(); s.Away[Two] {
			t.Error("a player whose server was killed is gone too early")
		}
		advance(5 * time.Second)
		if s := v.Table.State(); !s.Away[Two] {
			t.Error("a player whose server was killed is not gone")
		}
	})
}

// TestBackWhileAsked checks that a player who returns while the guest list is read has not left.
func TestBackWhileAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		guests := &guestList{here: map[string]map[string]Presence{}}
		hall := newHall(t, new(Memory), HallConfig{Guests: serverGuests{guests, "a"}})
		v := enter(t, hall, "t", &adaBen, "begin")
		defer v.Close()
		defer stay(t, v, One)()
		advance(time.Second)
		came := func() {}
		guests.mu.Lock()
		guests.slow = func() { came = stay(t, v, Two) }
		guests.mu.Unlock()
		advance(time.Minute)
		guests.mu.Lock()
		guests.slow = nil
		guests.mu.Unlock()
		advance(time.Hour)
		if got := eventsAfter(v.Table, 2); got != "" {
			t.Errorf("got events %s, want none", got)
		}
		came()
	})
}

// TestGuestsFail checks that a failed announcement is repeated, and that its table stays loaded
// until then, even in a full hall.
func TestGuestsFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		guests := &guestList{here: map[string]map[string]Presence{}}
		hall := newHall(t, new(Memory), HallConfig{Guests: serverGuests{guests, "a"}, Most: 1})
		fail := func(fails bool) {
			guests.mu.Lock()
			defer guests.mu.Unlock()
			guests.fails = fails
		}
		v := enter(t, hall, "t", &adaBen, "begin")
		leave := stay(t, v, One)
		advance(2 * time.Second)
		fail(true)
		leave()
		v.Close()
		if _, err := hall.Open(t.Context(), "u", adaBen); !errors.Is(err, ErrFull) {
			t.Errorf("the table made room before the announcement succeeded: %v", err)
		}
		advance(time.Minute)
		if hall.Len() != 1 {
			t.Error("the table was unloaded before the announcement succeeded")
		}
		fail(false)
		advance(2 * time.Second)
		if hall.Len() != 0 || guests.here["a"]["t"] != (Presence{}) {
			t.Errorf("%d tables, announced %+v", hall.Len(), guests.here["a"]["t"])
		}
	})
}
