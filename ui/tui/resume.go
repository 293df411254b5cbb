package tui

import (
	"cmp"
	"fmt"
	"slices"

	"digitduel/bot/sit"
	"digitduel/match/local"
)

type (
	// A Log holds the events of one table, for this model alone until it is closed.
	Log = local.Log
	// An Unfinished table was left in the middle of a game or a series, and can be resumed.
	Unfinished = local.Table
)

// newStore returns the store of a new table. No two programs give tables the same name.
func (m *Model) newStore() *local.Store {
	id := fmt.Sprintf("%x-%x-%x", m.now.UnixNano(), m.world.Seed, m.seeds)
	return local.NewStore(id, m.world.Table)
}

// readTables reads the tables that were left in the background, since there may be many. If the
// user has not moved the cursor by then, it moves to the last one.
func (m *Model) readTables() {
	chosen := m.menu.at
	m.run(func() act {
		tables, err := m.world.Tables()
		seats, trouble := m.world.Servers.Seats()
		err = cmp.Or(err, trouble)
		return func(m *Model) {
			m.seats = seats
			tables = slices.DeleteFunc(tables, func(u Unfinished) bool {
				return m.plays(u.ID) || slices.ContainsFunc(m.tables, func(left Unfinished) bool {
					return left.ID == u.ID
				})
			})
			// tables that were left meanwhile come first
			m.tables = append(slices.Clone(m.tables), tables...)
			m.fail(err)
			if m.menu.at == chosen && len(tables)+len(seats) > 0 {
				m.menu.top(m)
			}
		}
	})
}

// unfinished returns the last game that a person here can resume; ok is false if there is none.
func (m *Model) unfinished() (u Unfinished, ok bool) {
	if i := slices.IndexFunc(m.tables, Unfinished.Playable); i >= 0 {
		return m.tables[i], true
	}
	return Unfinished{}, false
}

// leftTable notes that a table was left, so that it can be resumed.
func (m *Model) leftTable(t *table) {
	kept := t.store.Close(t.state.TurnBegan)
	if kept && (t.needs || t.analysis || t.flip || m.settings.Switches.Table == t.store.ID()) {
		m.settings.Switches = Switches{t.store.ID(), t.needs, t.analysis, t.flip}
	}
	m.tables = slices.DeleteFunc(slices.Clone(m.tables), func(u Unfinished) bool {
		return u.ID == t.store.ID()
	})
	if kept && !t.state.SeriesOver() {
		m.tables = slices.Insert(
			m.tables, 0, Unfinished{ID: t.store.ID(), State: t.state, At: m.now})
	}
}

// resumeLast resumes the last game before anything else is drawn.
func (m *Model) resumeLast() {
	u, ok := m.unfinished()
	if !ok {
		m.problem = "no game was left unfinished"
		return
	}
	m.resume(u)
	last := len(m.cmds) - 1
	load := m.cmds[last]
	m.cmds = m.cmds[:last]
	if done, ok := load().(act); ok {
		done(m)
	}
}

// resume resumes a table.
func (m *Model) resume(u Unfinished) {
	if m.opening {
		return
	}
	m.opening = true
	store, rng, now := local.NewStore(u.ID, m.world.Table), m.rng(), m.world.Now()
	ctx := m.ctx
	m.run(func() act {
		at, err := store.Resume(ctx, now, rng, sit.CheckLevels)
		return func(m *Model) {
			m.opening = false
			if err != nil {
				m.problem = fmt.Sprintf("this game cannot be continued: %v", reason(err))
				return
			}
			m.toMenu()
			t := m.ownTable(at, store, SettingsOf(at.State().Setup))
			t.begun = true
			if now := m.settings.Switches; now.Table == u.ID {
				t.needs, t.analysis, t.flip = now.Needs, now.Analysis, now.Flip
			}
			t.showTrouble(m)
		}
	})
}
