package class

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// memory is a Store that is lost with the test.
type memory struct {
	mu    sync.Mutex
	logs  map[string][]string
	due   map[string]time.Time
	codes map[string]string
	// left is how many more writes succeed, if it is not nil. It is shared with the tables.
	left *int
}

var errKilled = errors.New("killed")

// spend counts a write.
func (m *memory) spend() error {
	if m.left == nil {
		return nil
	}
	if *m.left <= 0 {
		return errKilled
	}
	*m.left--
	return nil
}

func (m *memory) AppendClass(_ context.Context, id string, seq int, bodies []string, _,
	due time.Time, code string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.spend(); err != nil {
		return err
	}
	if m.logs == nil {
		m.logs, m.due, m.codes = map[string][]string{}, map[string]time.Time{}, map[string]string{}
	}
	if seq != len(m.logs[id])+1 {
		return match.ErrConflict
	}
	m.logs[id] = append(m.logs[id], bodies...)
	m.due[id], m.codes[code] = due, id
	return nil
}

func (m *memory) ClassEvents(_ context.Context, id string, after int) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	log := m.logs[id]
	return slices.Clone(log[min(after, len(log)):]), nil
}

func (m *memory) DueClasses(_ context.Context, before time.Time) (ids []string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, due := range m.due {
		if !due.After(before) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

func (m *memory) ClassByCode(_ context.Context, code string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.codes[code], nil
}

// classes returns the number of classes.
func (m *memory) classes() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.logs)
}

func (m *memory) DeleteClass(_ context.Context, id string, _ []string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.logs, id)
	delete(m.due, id)
	return nil
}

// tables is a store of tables whose writes count.
type tables struct {
	match.Memory
	writes *memory
	opens  func(table string) // is called before a table is opened, if it is not nil
}

func (t *tables) Append(ctx context.Context, table string, e match.Event, s match.State) error {
	t.writes.mu.Lock()
	err := t.writes.spend()
	t.writes.mu.Unlock()
	if err != nil {
		return err
	}
	if e.Kind == match.Opened && t.opens != nil {
		t.opens(table)
	}
	return t.Memory.Append(ctx, table, e, s)
}

// A world is a server with its stores.
type world struct {
	t      testing.TB
	store  *memory
	tables *tables
	hall   *match.Hall
	school *School
	stop   context.CancelFunc
	done   sync.WaitGroup
}

// newWorld starts a server over the stores of another one, or over new ones.
func newWorld(t testing.TB, over *world) *world {
	w := &world{t: t}
	if over != nil {
		w.store, w.tables = over.store, over.tables
	} else {
		w.store = &memory{}
		w.tables = &tables{writes: w.store}
	}
	w.hall = match.NewHall(w.tables, match.HallConfig{})
	w.school = &School{
		Store: w.store, Hall: w.hall, Keys: match.NewKeys(make([]byte, 32)), Now: time.Now,
		Log: slog.New(slog.DiscardHandler),
		// Every second move of a game is a decision, and every third of those is right.
		Decisions: func(_ context.Context, _ string, rec digit.Record) (n [2][2]int, err error) {
			for i := range rec.Moves {
				n[i%2][1]++
				if i%3 == 0 {
					n[i%2][0]++
				}
			}
			return n, nil
		},
	}
	var ctx context.Context
	ctx, w.stop = context.WithCancel(context.Background())
	w.done.Go(func() { w.school.Run(ctx) })
	w.done.Go(func() { w.hall.Run(ctx) })
	return w
}

func (w *world) close() {
	w.stop()
	w.done.Wait()
	w.hall.Close()
}

// class opens a class of some pupils.
func (w *world) class(o Order, pupils int) *Class {
	w.t.Helper()
	c, err := w.school.Create(context.Background(), o, "")
	if err != nil {
		w.t.Fatal(err)
	}
	for i := range pupils {
		w.join(c, fmt.Sprintf("Pupil %c%d", 'A'+i%26, i))
	}
	return c
}

func (w *world) join(c *Class, name string) Ticket {
	w.t.Helper()
	_, ticket, err := c.Join(context.Background(), name, "key "+name)
	if err != nil {
		w.t.Fatal(err)
	}
	return ticket
}

func (w *world) act(c *Class, a Act) {
	w.t.Helper()
	if _, err := c.Do(context.Background(), a, 0); err != nil {
		w.t.Fatalf("%+v: %v", a, err)
	}
}

// play makes a random move in each game under way whose player to move is not absent, through the
// tokens of the pupils.
func (w *world) play(c *Class, absent ...int) {
	ctx := context.Background()
	s, _ := c.State()
	for _, p := range s.Pairings {
		if !p.UnderWay() {
			continue
		}
		v, err := w.hall.Visit(ctx, p.Table)
		if err != nil {
			continue
		}
		state := v.Table.State()
		if state.Playing() && !slices.Contains(absent, p.Pupils[state.Turn()]) {
			place := c.Place(s, p.Pupils[state.Turn()], p.Pairing)
			seat, ok := w.school.Keys.Seat(p.Table, state, place.Token)
			if !ok || seat != state.Turn() {
				w.t.Errorf("pairing %d: the token of pupil %d is not that of seat %v",
					p.Pairing, p.Pupils[state.Turn()], state.Turn())
			}
			moves := slices.Collect(state.Setup.Rules.Moves(state.Position))
			_, _ = v.Table.Play(ctx, seat, moves[rand.IntN(len(moves))], 0)
		}
		v.Close()
	}
}

// replayed returns the state that follows from the stored log.
func (w *world) replayed(c *Class) *State {
	w.t.Helper()
	bodies, _ := w.store.ClassEvents(context.Background(), c.ID(), 0)
	s := &State{}
	for _, body := range bodies {
		var e Event
		if err := json.Unmarshal([]byte(body), &e); err != nil {
			w.t.Fatal(err)
		}
		if err := s.apply(e); err != nil {
			w.t.Fatal(err)
		}
	}
	return s
}
