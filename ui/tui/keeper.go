package tui

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/match/local"
)

type (
	// A Log holds the events of one table, for this model alone until it is closed.
	Log = local.Log
	// An Unfinished table was left in the middle of a game or a series, and can be resumed.
	Unfinished = local.Table
)

// A keeper is the store of a table that is played here. From the first move on it keeps events for good before anybody sees them. While
// that fails play goes on, and each event tries anew for all that are not kept yet.
type keeper struct {
	pause
	id    string
	open  func(id string) (Log, error)
	after func() error // is done once, when something is kept; nil: nothing is

	keeping sync.Mutex // guards what follows
	log     Log
	begun   bool // there is a move to keep
	kept    int  // events
	trouble error
	closed  bool
}

// take takes up a table that was left. What could be read of it is there to play on with even after an error.
func (k *keeper) take(ctx context.Context, now time.Time) error {
	log, err := k.open(k.id)
	for _, e := range log.Events {
		if err := k.Memory.Append(ctx, k.id, e, match.State{}); err != nil {
			return err
		}
	}
	k.log, k.begun, k.kept, k.trouble = log, true, len(log.Events), err
	k.past = []span{{log.Left, now}}
	return err
}

// Append implements [match.Store].
func (k *keeper) Append(ctx context.Context, table string, e match.Event, after match.State) error {
	if err := k.Memory.Append(ctx, table, e, after); err != nil {
		return err
	}
	k.keeping.Lock()
	defer k.keeping.Unlock()
	k.begun = k.begun || e.Kind == match.Moved
	if k.begun && !k.closed {
		k.trouble = k.catchUp(ctx)
	}
	return nil
}

// catchUp keeps for good what is not kept yet.
func (k *keeper) catchUp(ctx context.Context) error {
	if k.log.Append == nil {
		log, err := k.open(k.id)
		if err != nil {
			return err
		}
		k.log = log
	}
	events, err := k.Events(ctx, k.id, k.kept)
	if err == nil {
		err = k.log.Append(events...)
	}
	if err != nil {
		return err
	}
	k.kept += len(events)
	if after := k.after; after != nil {
		k.after = nil
		return after()
	}
	return nil
}

// fails returns why something is not kept, once.
func (k *keeper) fails() error {
	k.keeping.Lock()
	defer k.keeping.Unlock()
	err := k.trouble
	k.trouble = nil
	return err
}

// close leaves the table as it is, in a turn that began at some time; it reports whether something of it is kept. Time for which the clock
// stood still in that turn counts as time after it was left.
func (k *keeper) close(turn time.Time) bool {
	stood, _ := k.Down(context.Background(), turn) // it is memory
	k.keeping.Lock()
	defer k.keeping.Unlock()
	if !k.closed && k.log.Close != nil {
		_ = k.log.Close(time.Now().Add(-stood)) // what was appended is kept
	}
	k.closed = true
	return k.kept > 0
}

// newKeeper returns the store of a new table. Two programs never name theirs alike.
func (m *Model) newKeeper() *keeper {
	return &keeper{id: fmt.Sprintf("%x-%x-%x", m.now.UnixNano(), m.world.Seed, m.seeds), open: m.world.Table}
}

// readTables reads which tables were left beside the screen, since there may be many. If nothing else was chosen by then, the last one is.
func (m *Model) readTables() tea.Cmd {
	h, _ := m.layers[0].page.(*menu)
	chosen := h.at
	return m.background.run(func(context.Context) later {
		tables, err := m.world.Tables()
		return func(m *Model) tea.Cmd {
			tables = slices.DeleteFunc(tables, func(u Unfinished) bool {
				return m.plays(u.ID) || slices.ContainsFunc(m.tables, func(left Unfinished) bool { return left.ID == u.ID })
			})
			m.setTables(append(slices.Clone(m.tables), tables...), err) // those that were left in the meantime come first
			if h.at == chosen && len(tables) > 0 {
				h.top(m)
			}
			return nil
		}
	})
}

// setTables takes over which tables were left, the last one first.
func (m *Model) setTables(tables []Unfinished, err error) {
	if m.tables = tables; err != nil {
		m.problem = err.Error()
	}
}

// unfinished returns the game that was left last and that somebody here plays; ok is false if there is none.
func (m *Model) unfinished() (u Unfinished, ok bool) {
	if i := slices.IndexFunc(m.tables, Unfinished.Playable); i >= 0 {
		return m.tables[i], true
	}
	return Unfinished{}, false
}

// leftTable notes that a table was left, so that it can be gone on with.
func (m *Model) leftTable(t *table) {
	kept := t.keeper.close(t.state.TurnBegan)
	m.tables = slices.DeleteFunc(slices.Clone(m.tables), func(u Unfinished) bool { return u.ID == t.keeper.id })
	if kept && !t.state.SeriesOver() {
		m.tables = slices.Insert(m.tables, 0, Unfinished{ID: t.keeper.id, State: t.state, At: m.now})
	}
}

// resumeLast goes on with the game that was left last, before anything else is drawn.
func (m *Model) resumeLast() tea.Cmd {
	u, ok := m.unfinished()
	if !ok {
		m.problem = "no game was left unfinished"
		return nil
	}
	if done, ok := m.resume(u)().(later); ok {
		return done(m)
	}
	return nil
}

// resume goes on with a table where it was left.
func (m *Model) resume(u Unfinished) tea.Cmd {
	if m.resuming {
		return nil
	}
	m.resuming = true
	k, rng, now := &keeper{id: u.ID, open: m.world.Table}, m.rng(), m.world.Now()
	return m.background.run(func(ctx context.Context) later {
		trouble := k.take(ctx, now)
		at, err := match.Resume(ctx, u.ID, k, rng)
		var sitters [2]sitter
		if err == nil {
			if sitters, err = seated(at.State()); err != nil {
				at.Close()
			}
		}
		if err != nil && trouble != nil { // which says why there is nothing
			err = trouble
		}
		return func(m *Model) tea.Cmd {
			m.resuming = false
			if err != nil {
				k.close(time.Now())
				m.problem = fmt.Sprintf("this game cannot go on: %v", reason(err))
				return nil
			}
			m.toMenu()
			state := at.State()
			t := m.newTable(at, sitters, state.Setup.Hints)
			t.begun = true
			t.ours(m, k, SettingsOf(state.Setup))
			m.push(t)
			t.tellTrouble(m)
			return t.watch(m)
		}
	})
}

// resumeRecord goes on with a game of which there is only a record, at a table of its own. The record is given up for it.
func (m *Model) resumeRecord(rec digit.Record, played match.Played) tea.Cmd {
	k := m.newKeeper()
	k.after = func() error { return m.world.Drop(rec) }
	settings := SettingsOf(played.Setup(rec.Rules)).mended()
	m.toMenu()
	return m.openKept(k, settings, begunWith(rec, played))
}

// seated returns who plays at a table that was left. The error says that a level is not known here.
func seated(s match.State) (sitters [2]sitter, err error) {
	for seat, name := range s.Levels {
		if name == "" {
			continue
		}
		sitters[seat].kind = machine
		if sitters[seat].level, err = bot.ParseLevel(name); err != nil {
			return sitters, err
		}
	}
	return sitters, nil
}
