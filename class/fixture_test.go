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

// memory is a Store in memory.
type memory struct {
	mu    sync.Mutex
	logs  map[string][]string
	due   map[string]time.Time
	codes map[string]string
	// writesLeft is the number of writes that still succeed, including those of tables. Nil means
	// no limit.
	writesLeft *int
}

var errKilled = errors.New("killed")

// countWrite counts a write, and fails if none is left.
func (m *memory) countWrite() error {
	if m.writesLeft == nil {
		return nil
	}
	if *m.writesLeft <= 0 {
		return errKilled
	}
	*m.writesLeft--
	return nil
}

func (m *memory) AppendClass(_ context.Context, id string, seq int, bodies []string, _,
	due time.Time, code string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.countWrite(); err != nil {
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

// tableStore is a store of tables whose writes count.
type tableStore struct {
	match.Memory
	writes *memory
	opens  func(table string) // is called before a table is opened, if it is not nil
}

func (t *tableStore) Append(ctx context.Context, table string, e match.Event, s match.State) error {
	t.writes.mu.Lock()
	err := t.writes.countWrite()
	t.writes.mu.Unlock()
	if err != nil {
		return err
	}
	if e.Kind == match.Opened && t.opens != nil {
		t.opens(table)
	}
	return t.Memory.Append(ctx, table, e, s)
}

// A server runs classes and tables, with its stores.
type server struct {
	t      testing.TB
	store  *memory
	tables *tableStore
	hall   *match.Hall
	school *School
	stop   context.CancelFunc
	done   sync.WaitGroup
}

// newServer starts a server with the stores of another server, or with new ones if from is nil.
func newServer(t testing.TB, from *server) *server {
	w := &server{t: t}
	if from != nil {
		w.store, w.tables = from.store, from.tables
	} else {
		w.store = &memory{}
		w.tables = &tableStore{writes: w.store}
	}
	w.hall = match.NewHall(w.tables, match.HallConfig{})
	w.school = &School{
		Store: w.store, Hall: w.hall, Keys: match.NewKeys(make([]byte, 32)), Now: time.Now,
		Log: slog.New(slog.DiscardHandler),
		// Every move is a decision, and every third one is right.
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

func (w *server) close() {
	w.stop()
	w.done.Wait()
	w.hall.Close()
}

// newClass creates a class with a number of pupils.
func (w *server) newClass(o Order, pupils int) *Class {
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

func (w *server) join(c *Class, name string) Ticket {
	w.t.Helper()
	_, ticket, err := c.Join(context.Background(), name, "key "+name)
	if err != nil {
		w.t.Fatal(err)
	}
	return ticket
}

func (w *server) act(c *Class, a Act) {
	w.t.Helper()
	if _, err := c.Do(context.Background(), a, 0); err != nil {
		w.t.Fatalf("%+v: %v", a, err)
	}
}

// play makes a random move in each game whose player to move is not absent, with the token of the
// pupil.
func (w *server) play(c *Class, absent ...int) {
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
func (w *server) replayed(c *Class) *State {
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
