package class

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// A Store keeps the logs of classes.
type Store interface {
	// AppendClass stores the events of a class with numbers from seq on, all or none, durably. Due
	// is when [School.Run] has to look after the class, and code is the seal of its code, or empty.
	// It returns [match.ErrConflict] if seq is not the next number.
	AppendClass(ctx context.Context, id string, seq int, bodies []string, at, due time.Time,
		code string) error
	// ClassEvents returns the events with numbers above after.
	ClassEvents(ctx context.Context, id string, after int) (bodies []string, err error)
	// DueClasses returns the classes to look after.
	DueClasses(ctx context.Context, before time.Time) (ids []string, err error)
	// ClassByCode returns the class with this seal of its code, or "".
	ClassByCode(ctx context.Context, code string) (id string, err error)
	// DeleteClass deletes a class and its tables.
	DeleteClass(ctx context.Context, id string, tables []string) error
}

// A School holds the classes that are in use.
type School struct {
	Store Store
	Hall  *match.Hall
	Keys  match.Keys
	Now   func() time.Time
	Log   *slog.Logger
	// Decisions returns how many decisions of each side of a game were right, and of how many.
	Decisions func(ctx context.Context, class string, game digit.Record) ([2][2]int, error)
	// Opening returns the moves with which the games at a table begin.
	Opening func(
		ctx context.Context, class, table string, setup match.Setup,
	) (match.Openings, error)

	classes sync.Map // by name
}

// Create opens a class. The same key gives the same class.
func (s *School) Create(ctx context.Context, o Order, key string) (*Class, error) {
	o, err := o.Checked()
	if err != nil {
		return nil, err
	}
	now := s.Now()
	id := match.NewID(now)
	if key != "" {
		for _, at := range []time.Time{now.Add(-match.KeyTime), now} {
			id = s.Keys.ID(at, "class "+key)
			if c, err := s.Find(ctx, id); err == nil {
				return c, nil
			}
		}
	}
	c := s.class(id)
	c.acting.Lock()
	defer c.acting.Unlock()
	_, err = c.act(ctx, func(s *State, _ time.Time) ([]Event, error) {
		if s.Seq > 0 { // the same order was faster
			return nil, nil
		}
		return []Event{{Kind: Opened, Order: &o}}, nil
	})
	return c, err
}

// class returns the class of a name, which may not be loaded.
func (s *School) class(id string) *Class {
	c, _ := s.classes.LoadOrStore(id, &Class{
		id: id, school: s, state: &State{}, changed: make(chan struct{}), used: s.Now(),
	})
	return c.(*Class)
}

// Find returns a class with all its events.
func (s *School) Find(ctx context.Context, id string) (*Class, error) {
	c := s.class(id)
	c.acting.Lock()
	defer c.acting.Unlock()
	err := c.refresh(ctx)
	if errors.Is(err, errMissing) {
		s.classes.Delete(id)
	}
	return c, err
}

// FindByCode returns the class that pupils join with a code.
func (s *School) FindByCode(ctx context.Context, code string) (*Class, error) {
	id, err := s.Store.ClassByCode(ctx, match.Seal(code))
	if err != nil {
		return nil, err
	}
	if id == "" {
		return nil, refuse(Forbidden, "no class has this code; check it, or ask for a new one")
	}
	return s.Find(ctx, id)
}

// Delete deletes a class and its tables.
func (s *School) Delete(ctx context.Context, c *Class) error {
	c.acting.Lock()
	defer c.acting.Unlock()
	var tables []string
	for _, p := range c.now().Pairings {
		if p.Table != "" {
			tables = append(tables, p.Table)
		}
	}
	if err := s.Store.DeleteClass(ctx, c.id, tables); err != nil {
		return err
	}
	c.set(&State{})
	s.classes.Delete(c.id)
	return nil
}

// idleClass is how long a class that nobody looks at stays in memory.
const idleClass = 10 * time.Minute

// Run looks after the classes until ctx is done: it pairs, opens and scores games, ends classes
// and deletes them when it is time.
func (s *School) Run(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := s.round(ctx); err != nil && ctx.Err() == nil {
			s.Log.Error("class upkeep", "error", err)
		}
	}
}

// round looks after each class once.
func (s *School) round(ctx context.Context) error {
	now := s.Now()
	ids, err := s.Store.DueClasses(ctx, now)
	if err != nil {
		return err
	}
	for id, c := range s.classes.Range {
		if now.Sub(c.(*Class).lastUse()) > idleClass {
			s.classes.Delete(id)
		} else if !slices.Contains(ids, id.(string)) {
			ids = append(ids, id.(string))
		}
	}
	var all sync.WaitGroup
	for _, id := range ids {
		all.Go(func() {
			if err := s.lookAfter(ctx, id); err != nil && ctx.Err() == nil {
				s.Log.Error("class upkeep", "class", id, "error", err)
			}
		})
	}
	all.Wait()
	return nil
}

// lookAfter does what is due in a class.
func (s *School) lookAfter(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	c, err := s.Find(ctx, id)
	switch state := c.now(); {
	case errors.Is(err, errMissing): // another server has deleted it
		return nil
	case err != nil:
		return err
	case !state.due().After(s.Now()) && (state.Phase() == Open || state.Phase() == Finished):
		return s.Delete(ctx, c)
	}
	return c.upkeep(ctx)
}
