package sit

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
)

// testBots provides bots with random moves, and records the levels asked for a new game.
type testBots struct {
	t     *testing.T
	mu    sync.Mutex
	asked []string
	think time.Duration // for each move
	pace  time.Duration // against itself
	hosts atomic.Int32  // number of hosts started
}

func (s *testBots) newGame(level string, r digit.Rules) Choose {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, level)
	if _, err := bot.ParseLevel(level); err != nil {
		s.t.Error(err)
	}
	rng := rand.New(rand.NewPCG(1, uint64(len(s.asked))))
	return func(_ context.Context, at match.State) (digit.Move, bool, error) {
		time.Sleep(s.think)
		m, _ := r.Pick(at.Position, rng.IntN) // its strength is tested elsewhere
		return m, false, nil
	}
}

func (s *testBots) host(ctx context.Context, t *match.Table) error {
	s.hosts.Add(1)
	return Host(ctx, t, s.pace, s.newGame)
}

// newHall returns a hall with a host, in a synctest bubble, that runs until the test is over.
func newHall(t *testing.T, store match.Store, s *testBots) *match.Hall {
	hall := match.NewHall(store, match.HallConfig{Host: s.host})
	ctx, end := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { hall.Run(ctx) })
	t.Cleanup(func() {
		end()
		running.Wait()
		hall.Close()
	})
	return hall
}

// openTable opens a table, and returns a visit to it.
func openTable(t *testing.T, hall *match.Hall, setup match.Setup) *match.Visit {
	t.Helper()
	v, err := hall.Open(t.Context(), "t", setup)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// must fails the test if an act is refused, and lets the computer answer it.
func must(t *testing.T) func(match.State, error) match.State {
	return func(s match.State, err error) match.State {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		return s
	}
}

// playAny plays the first legal move for the seat to move.
func playAny(t *testing.T, table *match.Table) (match.State, error) {
	s := table.State()
	m, _ := s.Setup.Rules.Pick(s.Position, func(int) int { return 0 })
	return table.Play(t.Context(), s.Turn(), m, s.Seq)
}

// kindsOf returns the kinds and seats of the events at a table after a number.
func kindsOf(table *match.Table, after int) string {
	var words []string
	steps, _ := table.Since(after)
	for _, s := range steps {
		words = append(words, fmt.Sprintf("%s:%d", s.Event.Kind, s.Event.Seat+1))
	}
	return strings.Join(words, " ")
}

func TestHostPlays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &testBots{t: t}
		setup := match.Setup{Rules: digit.Highest, Levels: [2]string{"", "casual"}}
		v := openTable(t, newHall(t, new(match.Memory), s), setup)
		defer v.Close()
		must(t)(v.Table.Begin(t.Context()))
		for range 3 {
			must(t)(playAny(t, v.Table))
		}
		if got, want := kindsOf(v.Table, 1), "began:1 moved:1 moved:2 moved:1 moved:2 moved:1 moved:2"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		before := v.Table.State()
		if !before.SeriesOver() {
			t.Fatalf("the game is not over: %v", before.Record())
		}
		must(t)(v.Table.Do(t.Context(), match.One, match.Rematch, ""))
		if got, want := kindsOf(v.Table, before.Seq), "rematch-asked:1 began:1 moved:2"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if want := []string{"casual", "casual"}; !slices.Equal(s.asked, want) {
			t.Errorf("new games for %v, want %v", s.asked, want)
		}
	})
}

// TestHostUndo checks that the computer agrees to an undo.
func TestHostUndo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		setup := match.Setup{Rules: digit.Highest, Levels: [2]string{"", "casual"}}
		v := openTable(t, newHall(t, new(match.Memory), &testBots{t: t}), setup)
		defer v.Close()
		must(t)(v.Table.Begin(t.Context()))
		before := must(t)(playAny(t, v.Table))
		must(t)(v.Table.Do(t.Context(), match.One, match.Undo, ""))
		if got, want := kindsOf(v.Table, before.Seq), "moved:2 undo-asked:1 undone:1"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// TestUndoWhileThinking asks the computer for an undo in its turn: it agrees and does not move.
func TestUndoWhileThinking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &testBots{t: t, think: 10 * time.Second}
		setup := match.Setup{Rules: digit.Highest, Levels: [2]string{"", "casual"}}
		v := openTable(t, newHall(t, new(match.Memory), s), setup)
		defer v.Close()
		before := must(t)(v.Table.Begin(t.Context()))
		must(t)(playAny(t, v.Table))
		must(t)(v.Table.Do(t.Context(), match.One, match.Undo, ""))
		time.Sleep(time.Minute)
		synctest.Wait()
		if got, want := kindsOf(v.Table, before.Seq), "moved:1 undo-asked:1 undone:1"; got != want {
			t.Errorf("got events %q, want %q", got, want)
		}
	})
}

// TestLateAnswer gives the computer outdated states. It does nothing, and in particular asks for
// nothing itself.
func TestLateAnswer(t *testing.T) {
	for _, free := range []bool{false, true} {
		setup := match.Setup{Rules: digit.Highest, FreeUndo: free}
		table, err := match.Open(t.Context(), "t", setup, new(match.Memory), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer table.Close()
		if _, err := table.Begin(t.Context()); err != nil {
			t.Fatal(err)
		}
		past := []match.State{table.State()}
		for range 3 {
			if s, err := playAny(t, table); err != nil {
				t.Fatal(err)
			} else {
				past = append(past, s)
			}
		}
		asking := past[2]
		asking.Asking, asking.Asker = true, match.One // a player asked, and then moved instead
		past = append(past[:3], asking)
		s := &testBots{t: t}
		for _, seat := range match.Seats {
			for _, state := range past {
				p := sitter{newGame: func(r digit.Rules) Choose { return s.newGame("casual", r) }}
				if err := p.answer(t.Context(), table, seat, state); err != nil {
					t.Errorf("%v after event %d: %v", seat, state.Seq, err)
				}
			}
		}
		if got, want := kindsOf(table, 2), "moved:1 moved:2 moved:1"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestComputersAlone lets two computers play a series: at their pace while someone is there, and
// not at all otherwise.
func TestComputersAlone(t *testing.T) {
	for _, tt := range []struct{ think, pace, move, game time.Duration }{
		{0, 0, 0, 0},
		{20 * time.Second, 0, 20 * time.Second, 20 * time.Second},
		{0, Pace, Pace, 4 * Pace}, // a game begins after three paces, its first move follows one later
		{time.Second, Pace, 2 * Pace, 5 * Pace},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &testBots{t: t, think: tt.think, pace: tt.pace}
			store := new(match.Memory)
			hall := newHall(t, store, s)
			v := openTable(t, hall, match.Setup{
				Rules: digit.Highest, Terms: match.Terms{BestOf: 5, TurnTime: time.Second},
				Levels: [2]string{"casual", "expert"},
			})
			// Without a pace the host may have begun before, and even ended the series.
			if _, err := v.Table.Begin(t.Context()); err != nil && tt.pace > 0 {
				t.Fatal(err)
			}
			began := time.Now()
			for v.Table.State().Game < 2 {
				time.Sleep(time.Second / 10)
			}
			v.Close()
			took := time.Since(began).Round(time.Second)
			want := (6*tt.move + tt.game - tt.move).Round(time.Second)
			if tt.pace > 0 && took != want {
				t.Errorf("the first game and the break after it took %v, want %v", took, want)
			}
			time.Sleep(time.Hour)
			events, err := store.Events(t.Context(), "t", 0)
			if err != nil || hall.Len() != 0 || tt.move > 0 && len(events) > 9+int(12*time.Second/tt.move) {
				t.Errorf("%d tables without visitors, %d events: %v", hall.Len(), len(events), err)
			}
			v, err = hall.Visit(t.Context(), "t")
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Hour)
			v.Close()
			time.Sleep(time.Minute)
			if hall.Len() != 0 {
				t.Error("the table is still loaded after its series")
			}
			again, err := match.Resume(t.Context(), "t", store, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			if state := again.State(); !state.SeriesOver() || state.Seq != 1+7*state.Game {
				t.Errorf("game %d, %d events, %d–%d", state.Game, state.Seq, state.Wins[0], state.Wins[1])
			}
		})
	}
}

// TestPacedTable checks that two computers with a pace do not delay other events at the table.
func TestPacedTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &testBots{t: t, pace: time.Minute}
		setup := match.Setup{Rules: digit.Highest, Levels: [2]string{"casual", "expert"}}
		v := openTable(t, newHall(t, new(match.Memory), s), setup)
		defer v.Close()
		must(t)(v.Table.Begin(t.Context()))
		time.Sleep(30 * time.Second)
		must(t)(playAny(t, v.Table)) // another program has moved for them
		time.Sleep(59 * time.Second)
		synctest.Wait()
		if got, want := kindsOf(v.Table, 2), "moved:1"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if got, want := kindsOf(v.Table, 2), "moved:1 moved:2"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		state := v.Table.State()
		v.Table.Close()
		if paced(t.Context(), v.Table, state, time.Hour) ||
			paced(t.Context(), v.Table, match.State{}, time.Hour) {
			t.Error("the computer continues at a closed table, or with an old state")
		}
	})
}

// TestSitsIn checks that the computer plays for a player who left until they are back, at the
// level asked for.
func TestSitsIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &testBots{t: t}
		v := openTable(t, newHall(t, new(match.Memory), s), match.Setup{Rules: digit.Highest})
		defer v.Close()
		ctx, table, do := t.Context(), v.Table, must(t)
		replace := func(level string) {
			do(table.Leave(ctx, match.Two))
			do(table.Do(ctx, match.One, match.Replace, level))
			v.Host()
			synctest.Wait()
		}
		do(table.Begin(ctx))
		do(playAny(t, table))
		replace("casual")
		do(table.Return(ctx, match.Two))
		do(playAny(t, table))
		if got, want := kindsOf(table, 2), "moved:1 left:2 replaced:2 moved:2 back:2 moved:1"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		before := table.State()
		time.Sleep(time.Minute)
		synctest.Wait()
		if after := table.State(); after.Seq != before.Seq {
			t.Fatalf("the computer plays for a player who is back: %s", kindsOf(table, before.Seq))
		}
		replace("expert")
		if got, want := kindsOf(table, before.Seq), "left:2 replaced:2 moved:2"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if want := []string{"casual", "expert"}; !slices.Equal(s.asked, want) {
			t.Errorf("new games for %v, want %v", s.asked, want)
		}
	})
}

// TestBackWhileItThinks checks that the computer makes no move for a player who is back before it
// has chosen one.
func TestBackWhileItThinks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hall := newHall(t, new(match.Memory), &testBots{t: t, think: 10 * time.Second})
		v := openTable(t, hall, match.Setup{Rules: digit.Highest})
		defer v.Close()
		ctx, do := t.Context(), must(t)
		do(v.Table.Begin(ctx))
		do(v.Table.Leave(ctx, match.One))
		do(v.Table.Do(ctx, match.Two, match.Replace, "casual"))
		v.Host()
		time.Sleep(9 * time.Second)
		do(v.Table.Return(ctx, match.One))
		time.Sleep(time.Hour)
		synctest.Wait()
		if got, want := kindsOf(v.Table, 2), "left:1 replaced:1 back:1"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// TestComputersClock checks that the clock also runs for the computer, which continues with the
// next game, even if it has chosen before its time-out was stored.
func TestComputersClock(t *testing.T) {
	for _, most := range []int64{99, 2} {
		synctest.Test(t, func(t *testing.T) { computersClock(t, most) })
	}
}

func computersClock(t *testing.T, most int64) {
	s := &testBots{t: t, think: 40 * time.Second}
	store := new(fullStore)
	store.most.Store(most)
	v := openTable(t, newHall(t, store, s), match.Setup{
		Rules: digit.Highest, Terms: match.Terms{BestOf: 3, TurnTime: 30 * time.Second},
		Levels: [2]string{"casual", ""},
	})
	defer v.Close()
	must(t)(v.Table.Begin(t.Context()))
	time.Sleep(50 * time.Second)
	synctest.Wait()
	store.most.Store(99)
	time.Sleep(2 * time.Second)
	synctest.Wait()
	s.think = time.Second
	must(t)(v.Table.Begin(t.Context()))
	must(t)(playAny(t, v.Table))
	time.Sleep(2 * time.Second)
	synctest.Wait()
	if got, want := kindsOf(v.Table, 1), "began:1 flagged:1 began:1 moved:2 moved:1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if s.hosts.Load() != 1 {
		t.Errorf("the host was started %d times, want 1", s.hosts.Load())
	}
}

// A notifyingStore notifies halls of every event, as a database notifies servers.
type notifyingStore struct {
	match.Memory
	all []*match.Hall
}

func (h *notifyingStore) Append(ctx context.Context, table string, e match.Event, after match.State) error {
	if err := h.Memory.Append(ctx, table, e, after); err != nil {
		return err
	}
	for _, hall := range h.all {
		hall.Notice(match.Notice{Table: table, Seq: e.Seq})
	}
	return nil
}

// TestTwoHosts has a computer on each of two servers for the same seat. Each request is answered
// once.
func TestTwoHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(notifyingStore)
		s := &testBots{t: t}
		store.all = []*match.Hall{newHall(t, store, s), newHall(t, store, s)}
		v := openTable(t, store.all[0], match.Setup{
			Rules: digit.Highest, Terms: match.Terms{BestOf: 9}, Levels: [2]string{"", "casual"},
		})
		defer v.Close()
		other, err := store.all[1].Visit(t.Context(), "t")
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		do := must(t)
		for !v.Table.State().SeriesOver() {
			state := do(v.Table.Begin(t.Context()))
			if state.Starter() == match.One {
				do(playAny(t, other.Table))
			}
			if len(v.Table.State().Moves) < 2 {
				do(playAny(t, v.Table)) // so that the person has a move to take back
			}
			before := v.Table.State()
			do(v.Table.Do(t.Context(), match.One, match.Undo, ""))
			for _, table := range []*match.Table{v.Table, other.Table} {
				got := kindsOf(table, before.Seq)
				if !slices.Contains([]string{"undo-asked:1 undone:1", "undo-asked:1 undone:1 moved:2"}, got) {
					t.Fatalf("the computers answer with %s", got)
				}
			}
			for v.Table.State().Playing() {
				do(playAny(t, v.Table))
			}
		}
		if a, b := kindsOf(v.Table, 0), kindsOf(other.Table, 0); a != b {
			t.Errorf("one server has\n%s\nand the other\n%s", a, b)
		}
	})
}

// A rivalStore is a store in which another server always begins a game first.
type rivalStore struct{ match.Memory }

func (r *rivalStore) Append(ctx context.Context, table string, e match.Event, after match.State) error {
	if e.Kind == match.Began {
		if err := r.Memory.Append(ctx, table, e, after); err != nil {
			return err
		}
	}
	return r.Memory.Append(ctx, table, e, after)
}

// TestHostTargets lets the computer play each game of a series in which the target changes.
func TestHostTargets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		setup := match.Setup{
			Rules: digit.Divisibility, Terms: match.Terms{BestOf: 3, Targets: match.Targets{11, 13}},
			Levels: [2]string{"", "casual"},
		}
		table, err := match.Open(t.Context(), "t", setup, new(match.Memory), nil)
		if err != nil {
			t.Fatal(err)
		}
		var learned []string
		var hosting sync.WaitGroup
		hosting.Go(func() {
			err := Host(t.Context(), table, 0, func(level string, r digit.Rules) Choose {
				learned = append(learned, level+": "+r.String())
				return func(_ context.Context, s match.State) (digit.Move, bool, error) {
					for m := range r.Moves(s.Position) {
						return m, false, nil
					}
					return digit.Move{}, false, nil
				}
			})
			if err != nil {
				t.Error(err)
			}
		})
		for game := range 3 {
			if _, err := table.Begin(t.Context()); err != nil {
				t.Fatal(err)
			}
			if game == 0 {
				m := digit.Move{Digit: 4, Spot: digit.Right}
				if _, err := table.Play(t.Context(), match.One, m, 0); err != nil {
					t.Fatal(err)
				}
			}
			synctest.Wait()
			if moves := table.State().Moves; len(moves) != 2-game%2 && game < 2 {
				t.Errorf("game %d: the computer does not answer: %v", game+1, moves)
			}
			if _, err := table.Do(t.Context(), match.Seat(game%2), match.Resign, ""); err != nil {
				t.Fatal(err)
			}
		}
		table.Close()
		hosting.Wait()
		want := "casual: divisibility target=11, casual: divisibility target=13"
		if got := strings.Join(learned, ", "); got != want {
			t.Errorf("new games for %s, want %s", got, want)
		}
	})
}

// TestRivalHost lets two computers play a series in which another server begins every game.
func TestRivalHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &testBots{t: t}
		v := openTable(t, newHall(t, new(rivalStore), s), match.Setup{
			Rules: digit.Highest, Terms: match.Terms{BestOf: 3}, Levels: [2]string{"casual", "expert"},
		})
		defer v.Close()
		synctest.Wait()
		if state := v.Table.State(); !state.SeriesOver() || s.hosts.Load() != 1 {
			t.Errorf("the host was started %d times for %d games: %s",
				s.hosts.Load(), state.Game, kindsOf(v.Table, 0))
		}
	})
}

// A fullStore is a store without room for events after a number.
type fullStore struct {
	match.Memory
	most atomic.Int64
}

func (f *fullStore) Append(ctx context.Context, table string, e match.Event, after match.State) error {
	if int64(e.Seq) > f.most.Load() {
		return errFull
	}
	return f.Memory.Append(ctx, table, e, after)
}

var errFull = errors.New("the disk is full")

// TestHostEnds checks that a host ends when it is canceled, when the table is closed, and when
// its act cannot be stored.
func TestHostEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &testBots{t: t}
		for _, tt := range []struct {
			name string
			most int64
			end  func(leave context.CancelFunc, table *match.Table)
			want error
		}{
			{"canceled", 9, func(leave context.CancelFunc, _ *match.Table) { leave() }, context.Canceled},
			{"closed", 9, func(_ context.CancelFunc, table *match.Table) { table.Close() }, nil},
			{"not stored", 2, func(context.CancelFunc, *match.Table) {}, errFull},
		} {
			store := new(fullStore)
			store.most.Store(tt.most)
			setup := match.Setup{Rules: digit.Highest, Levels: [2]string{"casual", ""}}
			table, err := match.Open(t.Context(), "t", setup, store, nil)
			if err != nil {
				t.Fatal(err)
			}
			ctx, leave := context.WithCancel(t.Context())
			left := make(chan error)
			go func() { left <- s.host(ctx, table) }()
			must(t)(table.Begin(ctx))
			tt.end(leave, table)
			if err := <-left; !errors.Is(err, tt.want) {
				t.Errorf("%s: got %v, want %v", tt.name, err, tt.want)
			}
			leave()
			table.Close()
		}
	})
}
