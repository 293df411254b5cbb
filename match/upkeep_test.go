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

func TestFlagWithoutVisitors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(Memory)
		hall := newHall(t, store, HallConfig{})
		setup := adaBen
		setup.TurnTime = time.Minute
		enter(t, hall, "t", &setup, "begin 9a").Close()
		pass(59 * time.Second)
		if n := len(kept(t, store, "t")); n != 3 || hall.Len() != 1 {
			t.Errorf("%d events, %d tables while the clock runs", n, hall.Len())
		}
		pass(2 * time.Second)
		events := kept(t, store, "t")
		if last := events[len(events)-1]; last.Kind != Flagged || last.Seat != Two {
			t.Errorf("the last event is %+v", last)
		}
		if hall.Len() != 0 {
			t.Error("the table stays when its game is over")
		}
	})
}

// dues finds in a store the tables whose clock has run out.
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

// TestOverdue takes up tables that a server left behind with running clocks.
func TestOverdue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(Memory)
		setup := adaBen
		setup.TurnTime = time.Minute
		random := setup
		random.OnTimeout = Random
		keep(t, store, "lost", setup, "begin 9a")
		keep(t, store, "random", random, "begin 9a")
		keep(t, store, "calm", adaBen, "begin")
		log := new(lines)
		hall := newHall(t, store, HallConfig{Overdue: dues(store, "missing", "lost", "random", "calm"), Log: slog.New(slog.NewTextHandler(log, nil))})
		pass(62 * time.Second)
		if hall.Len() != 0 {
			t.Error("a table is taken up before another server had its chance")
		}
		pass(3 * time.Second)
		if events := kept(t, store, "lost"); events[len(events)-1].Kind != Flagged {
			t.Errorf("the last event is %+v", events[len(events)-1])
		}
		if events := kept(t, store, "random"); len(events) != 4 || !events[3].Auto {
			t.Errorf("the events are %+v", events)
		}
		if hall.Len() != 2 {
			t.Errorf("%d tables are taken up", hall.Len())
		}
		pass(20 * time.Second)
		if hall.Len() != 0 {
			t.Errorf("%d tables stay, though nobody is there", hall.Len())
		}
		pass(10 * time.Minute)
		if events := kept(t, store, "random"); len(events) != 8 || !events[7].Auto {
			t.Errorf("chance has not finished the game: %+v", events)
		}
		if !strings.Contains(log.String(), `table \"missing\": there is no such table`) || strings.Contains(log.String(), "calm") {
			t.Errorf("log:\n%s", log)
		}
	})
}

// TestOverdueMany: more tables are overdue than the hall may hold, and some cannot be taken up.
func TestOverdueMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const many, most = 1200, 100
		store := new(slow)
		setup := adaBen
		setup.TurnTime = time.Minute
		var ids []string
		for i := range 2 * many {
			ids = append(ids, fmt.Sprint(i))
			if i%2 == 0 { // the others are missing
				keep(t, store, ids[i], setup, "begin")
			}
		}
		pass(2 * time.Minute)
		hall := newHall(t, store, HallConfig{Overdue: dues(&store.Memory, ids...), Most: most})
		flagged := func() (n int) {
			for i := range many {
				if events := kept(t, &store.Memory, ids[2*i]); events[len(events)-1].Kind == Flagged {
					n++
				}
			}
			return n
		}
		for at := time.Duration(0); flagged() < many; at += time.Second {
			if pass(time.Second); hall.Len() > most || at > 10*time.Minute {
				t.Fatalf("after %v %d tables are here, %d of %d are flagged", at, hall.Len(), flagged(), many)
			}
		}
	})
}

// TestOverdueFull: a clock that has run out waits for room, and nobody is troubled with that.
func TestOverdueFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(Memory)
		setup := adaBen
		setup.TurnTime = time.Minute
		keep(t, store, "t", setup, "begin")
		log := new(lines)
		hall := newHall(t, store, HallConfig{Overdue: dues(store, "t"), Most: 1, Log: slog.New(slog.NewTextHandler(log, nil))})
		here := enter(t, hall, "here", &adaBen, "")
		pass(time.Hour)
		if n := len(kept(t, store, "t")); n != 2 || hall.Len() != 1 || log.String() != "" {
			t.Errorf("%d events, %d tables, log:\n%s", n, hall.Len(), log)
		}
		here.Close()
		pass(5 * time.Second)
		if events := kept(t, store, "t"); events[len(events)-1].Kind != Flagged {
			t.Errorf("the last event is %+v", events[len(events)-1])
		}
	})
}

// TestTimeLeft: a table that seems overdue to the store and is not, for nobody was served
// meanwhile, is not taken up all the time.
func TestTimeLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(down)
		setup := adaBen
		setup.TurnTime = time.Minute
		keep(t, store, "t", setup, "begin")
		pass(time.Hour)
		store.time = time.Hour
		var loads atomic.Int32
		due := dues(&store.Memory, "t")
		hall := newHall(t, store, HallConfig{Linger: time.Second, Overdue: func(ctx context.Context, before time.Time) ([]string, error) {
			ids, err := due(ctx, before)
			loads.Add(int32(len(ids)))
			return ids, err
		}})
		came := 0
		for was := 0; len(kept(t, &store.Memory, "t")) == 2 && came < 10; was = hall.Len() {
			if pass(time.Second); hall.Len() > was {
				came++
			}
		}
		if came != 2 || loads.Load() < 50 {
			t.Errorf("it was taken up %d times while it was said %d times to be overdue", came, loads.Load())
		}
	})
}

// stuck is a store that blocks requests for some tables until the caller gives up.
type stuck struct {
	Memory
	tables  []string
	waiting atomic.Int32 // how many wait now
	most    atomic.Int32 // did at once
}

func (s *stuck) Append(ctx context.Context, table string, e Event, after State) error {
	if e.Kind == Left && slices.Contains(s.tables, table) {
		s.most.Store(max(s.most.Load(), s.waiting.Add(1)))
		defer s.waiting.Add(-1)
		<-ctx.Done()
		return ctx.Err()
	}
	return s.Memory.Append(ctx, table, e, after)
}

// TestStuckTables: tables of which the store keeps nothing keep nobody from being tended at the
// others.
func TestStuckTables(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &stuck{tables: []string{"1", "4", "7"}}
		log := new(lines)
		hall := newHall(t, store, HallConfig{Grace: time.Second, Log: slog.New(slog.NewTextHandler(log, nil))})
		var all []*Visit
		for i := range 10 {
			v := enter(t, hall, fmt.Sprint(i), &adaBen, "begin")
			defer v.Close()
			defer stay(t, v, One)()
			all = append(all, v)
		}
		pass(3 * time.Second)
		for i, v := range all {
			if left := v.Table.State().Away[Two]; left == slices.Contains(store.tables, fmt.Sprint(i)) {
				t.Errorf("table %d: the player has left: %v", i, left)
			}
		}
		pass(time.Minute)
		if n := store.most.Load(); n != 3 {
			t.Errorf("%d calls hung at once, for %d tables", n, len(store.tables))
		}
		if want := `what="leave: Player 2" error="table`; !strings.Contains(log.String(), want) || !strings.Contains(log.String(), "deadline exceeded") {
			t.Errorf("the log has no %s:\n%s", want, log)
		}
	})
}

// TestTroubleIsLogged: what a hall could not do in the background is logged, and tried again.
func TestTroubleIsLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(broken)
		log := new(lines)
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
		pass(62 * time.Second)
		if err := store.Memory.Append(t.Context(), "t", Event{Seq: 3, Kind: "sang"}, State{}); err != nil {
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

// TestGone follows players who come and go, with a minute of grace. The words of a script are those
// of a table, and "+1" and "-1": player 1 comes and goes, "=1": player 1 does something without
// staying, "w": a watcher comes, "60s": time passes.
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
				if got := live(t, v, tt.script); got != tt.want {
					t.Errorf("%s\n got %s\nwant %s", tt.script, got, tt.want)
				}
			})
		})
	}
}

// live runs a script of words: "+1" and "-1" connect and disconnect player 1, "w" a watcher; "=1"
// is a request of player 1; "60s" passes; others are acts. It returns the events after the last
// act.
func live(t *testing.T, v *Visit, script string) string {
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
			pass(d)
		default:
			if err := act(t, v.Table, word); err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(word, "replace") {
				began = v.Table.State().Seq
			}
		}
	}
	return told(v.Table, began)
}

// TestFirstTurn follows the clock of a game's first turn: it waits until the player to move comes.
func TestFirstTurn(t *testing.T) {
	timed, series, opens, random := adaBen, bestOf3, robot, adaBen
	timed.TurnTime, series.TurnTime, opens.TurnTime, opens.First = 30*time.Second, 30*time.Second, 30*time.Second, Two
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
				if got := live(t, v, tt.script); got != tt.want {
					t.Errorf("%s\n got %s\nwant %s", tt.script, got, tt.want)
				}
			})
		})
	}
}

// TestFirstTurnClaimed: nobody wins a game against a player who has not come to it yet.
func TestFirstTurnClaimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		timed := adaBen
		timed.TurnTime = 30 * time.Second
		v := enter(t, newHall(t, new(Memory), HallConfig{Grace: time.Minute}), "t", &timed, "")
		defer v.Close()
		if got := live(t, v, "+2 begin 62s"); got != "left:1" {
			t.Errorf("got %s", got)
		}
		if _, err := v.Table.Do(t.Context(), Two, Claim, ""); !errors.Is(err, ErrHere) {
			t.Errorf("the win is claimed: %v", err)
		}
	})
}

// TestFirstTurnElsewhere: the clock still waits after a restart, and starts once if the game began
// on another server than that of the player.
func TestFirstTurnElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, timed := new(wired), adaBen
		timed.TurnTime = 30 * time.Second
		first := NewHall(store, HallConfig{})
		enter(t, first, "t", &timed, "begin").Close()
		first.Close()
		pass(time.Hour)
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
		pass(2 * time.Second)
		if got := told(visits[0].Table, 2); got != "arrived:1" {
			t.Errorf("got %s", got)
		}
		defer stay(t, visits[1], Two)() // the first server is not informed
		if err := act(t, visits[0].Table, "resign:1 again:1 again:2"); err != nil {
			t.Fatal(err)
		}
		pass(2 * time.Second)
		for i, v := range visits {
			at, running := v.Table.State().Deadline()
			if told(v.Table, 7) != "arrived:2" || !running || time.Until(at) < 28*time.Second {
				t.Errorf("server %d: %s, the clock runs: %v, until %v", i, told(v.Table, 3), running, time.Until(at))
			}
		}
	})
}

// TestGuestsUnnoticed: before a player counts as gone, the other servers are asked, since a notice
// may be late.
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

// TestGuestsFail: an announcement that failed is repeated, and keeps the table until then, even in
// a full hall.
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
