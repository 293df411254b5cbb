package tui

import (
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"digitduel/bot"
	"digitduel/bot/sit"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/match/local"
	"digitduel/rulebook"
)

// A table is the page of a game. It watches a [match.Table].
type table struct {
	board
	Sitting
	ctx      context.Context
	stop     context.CancelFunc
	state    match.State    // after the last event
	own      bool           // it was opened here and is closed here
	store    *local.Store   // of a table that is played here alone; nil: it is shared
	settings Settings       // the settings of the table
	tossed   bool           // a coin decided who starts
	speed    *speed         // of the machines
	turned   *turned        // the turning point of a finished game, when it is known
	begun    bool           // the first game has begun, with the moves of its record
	unseat   func()         // ends the machines of this game; nil: there are none
	sent     bool           // a move has been sent, and not confirmed
	look     int            // the number of moves before the position on the screen; live: all
	by       rulebook.By    // who chose the last move
	kept     bool           // the game is saved
	helped   bool           // the player had help in this game
	run      int            // wins in a row or, if negative, losses, at the end of a series
	score    rulebook.Score // of the games before this series, if it is a rematch
	offer    string         // the level to try after this run; empty: none
	moved    time.Time      // when the last move of another player arrived
	rang     int            // the number of the move for which the bell rang
	// when the game ended; keys pressed just after it were meant for the move
	ended    time.Time
	news     string            // the last event, if it is announced
	ahead    []tea.KeyPressMsg // the keys of the next moves, typed before their turn
	lesson   *coach.Lesson     // the lesson that is played here; nil: none
	people   match.Presence    // of a shared table
	lost     error             // why the shared table cannot be reached; nil: it can
	declined int               // the last event at which the player here declined hints
}

const live = -1

// play opens a table with settings and shows it.
func (m *Model) play(settings Settings) {
	first := settings.setup().First
	if settings.First == CoinToss {
		first = match.Seat(m.rng().IntN(2))
	}
	m.openTable(settings, beginning{first: first})
}

// openTable opens a table and shows it, or draws its opening first.
func (m *Model) openTable(settings Settings, begins beginning) {
	if settings.RandomOpening && begins.openings == "" {
		m.drawOpening(settings, begins)
		return
	}
	store, setup := m.newStore(), settings.setup()
	setup.First, setup.Openings = begins.first, begins.openings
	at, err := match.Open(m.ctx, store.ID(), setup, store, m.rng())
	if err != nil {
		m.problem = err.Error()
		return
	}
	t := m.ownTable(at, store, settings)
	t.tossed, t.score = settings.First == CoinToss && begins.moves == nil, begins.score
	t.begin(m, begins)
}

// ownTable shows a table that is played here alone.
func (m *Model) ownTable(at *match.Table, store *local.Store, settings Settings) *table {
	t := m.newTable(Sitting{Table: at, Mine: at.State().People()})
	t.own, t.store, t.settings = true, store, settings
	t.needs, t.analysis = settings.Needs, settings.Analysis
	t.speed = &speed{delay: m.world.Pace, changed: make(chan struct{})}
	m.push(t)
	t.watch(m)
	return t
}

// newTable returns the page of a table in its current state.
func (m *Model) newTable(at Sitting) *table {
	t := &table{Sitting: at, look: live}
	t.ctx, t.stop = context.WithCancel(m.ctx)
	t.closed, t.play, t.picks = t.waits, t.send, t.leavePicked
	t.follow(at.Table.State())
	t.kept = t.state.Result.Over()
	return t
}

// close ends the page's use of the table.
func (t *table) close() {
	t.stop()
	switch {
	case t.own:
		t.Table.Close()
	case t.Close != nil:
		t.Close()
	}
}

// hasEngine reports whether an engine plays that was started for this table. Such a table cannot be
// resumed later.
func (t *table) hasEngine() bool {
	return t.Remote == nil && slices.Contains(t.state.Setup.Levels[:], match.EngineLevel)
}

func (t *table) name(seat match.Seat) string { return t.state.Setup.Name(seat) }

// here reports whether a person at this screen has a seat.
func (t *table) here(seat match.Seat) bool { return slices.Contains(t.Mine, seat) }

// runs reports whether this program runs a computer on a seat.
func (t *table) runs(seat match.Seat) bool { return t.own && !t.here(seat) }

// watched reports whether computers play both sides here.
func (t *table) watched() bool { return t.own && len(t.Mine) == 0 }

// shown returns the position on the screen, and the number of moves before it.
func (t *table) shown() (p digit.Position, ply int) {
	if t.look == live {
		return t.state.Position, len(t.state.Moves)
	}
	return t.state.PositionAt(t.look), t.look
}

// looksAt returns the act that shows the game after some moves.
func (t *table) looksAt(ply int) act {
	return func(*Model) {
		t.hint, t.note, t.look = nil, "", max(0, ply)
		if t.look >= len(t.state.Moves) {
			t.look = live
		}
	}
}

// waits reports whether no move can be picked now.
func (t *table) waits() bool {
	return t.look != live || !t.state.Playing() || !t.here(t.state.Turn()) || t.sent || t.gone()
}

// helps reports whether hints and analysis are allowed now: they are on, both players agreed, or
// the game is over.
func (t *table) helps() bool {
	if !t.state.Playing() {
		return true
	}
	if t.own {
		return t.state.Setup.Hints
	}
	_, plays := t.mine()
	return plays && t.state.HintsAllowed()
}

func (t *table) upkeep(m *Model) {
	p, _ := t.shown()
	t.swaps = t.look == live && t.state.Swaps()
	t.board.upkeep(m, p)
	t.hold(m)
	t.lookBack(m)
	t.ring(m)
	if t.study.ready() && t.unseat == nil && t.begun && t.state.Playing() {
		var ctx context.Context
		ctx, t.unseat = context.WithCancel(t.ctx)
		for _, seat := range match.Seats {
			if t.runs(seat) {
				t.seat(ctx, m, seat)
			}
		}
	}
}

// seat runs a computer on a seat.
func (t *table) seat(ctx context.Context, m *Model, seat match.Seat) {
	level, _ := bot.ParseLevel(t.state.Levels[seat]) // it was known when the table was opened
	rng, solution := m.rng(), t.study.solution
	m.run(func() act {
		err := sit.Play(ctx, t.Table, seat, func(digit.Rules) sit.Choose {
			chooses := sit.Answer(bot.New(level, solution, rng))
			return func(ctx context.Context, at match.State) (
				move digit.Move, swap bool, err error,
			) {
				if t.lesson != nil {
					move = t.lesson.Reply(at.Position)
				} else {
					move, swap, err = chooses(ctx, at)
				}
				t.speed.wait(ctx)
				return move, swap, err
			}
		})
		return func(*Model) {
			if err != nil && ctx.Err() == nil {
				t.note = fmt.Sprintf("%s stopped playing: %v", t.name(seat), err)
			}
		}
	})
}

// moving reports whether the table changes with time: a clock runs, or a computer thinks.
func (t *table) moving(m *Model) bool {
	_, timed := t.state.Deadline()
	thinking := t.state.Playing() && t.runs(t.state.Turn()) && !t.speed.paused
	return timed || thinking && m.motion()
}
