package tui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
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

// A sitter is the player of a seat, as this screen sees it.
type sitter struct {
	kind  kind
	level bot.Level // the level of a machine
	// the moves of a machine that follows a script; nil: it chooses
	script func(digit.Position) digit.Move
}

type kind uint8

const (
	human   kind = iota // a person at this screen
	machine             // a computer that this program runs
	remote              // a player on another machine
)

// A table is the page of a game. It watches a [match.Table].
type table struct {
	board
	at       *match.Table
	ctx      context.Context
	stop     context.CancelFunc
	state    match.State // after the last event
	sitters  [2]sitter
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
	ended       time.Time
	news        string            // the last event, if it is announced
	ahead       []tea.KeyPressMsg // the keys of the next moves, typed before their turn
	lesson      *coach.Lesson     // the lesson that is played here; nil: none
	remoteState                   // of a shared table
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
	if settings.Lot && begins.openings == "" {
		m.drawOpening(settings, begins)
		return
	}
	store, setup := m.newStore(), settings.setup()
	setup.First, setup.Openings = begins.first, begins.openings
	at, err := match.Open(m.background.ctx, store.ID(), setup, store, m.rng())
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
	sitters, _ := seated(at.State()) // its levels are known
	t := m.newTable(at, sitters)
	t.own, t.store, t.settings = true, store, settings
	t.needs, t.analysis = settings.Needs, settings.Analysis
	t.speed = &speed{delay: m.world.Pace, changed: make(chan struct{})}
	m.push(t)
	t.watch(m)
	return t
}

// newTable returns the page of a table in its current state.
func (m *Model) newTable(at *match.Table, sitters [2]sitter) *table {
	t := &table{at: at, sitters: sitters, look: live}
	t.ctx, t.stop = context.WithCancel(m.background.ctx)
	t.closed, t.play, t.picks = t.waits, t.send, t.leavePicked
	t.swaps = func() bool { return t.look == live && t.state.Swaps() }
	t.follow(at.State())
	t.kept = t.state.Result.Over()
	return t
}

// close ends the page's use of the table.
func (t *table) close() {
	t.stop()
	switch {
	case t.own:
		t.at.Close()
	case t.leaves != nil:
		t.leaves()
	}
}

// watch waits for the next event.
func (t *table) watch(m *Model) {
	after := t.state.Seq
	m.run(func() act {
		for e, state := range t.at.Watch(t.ctx, after) {
			return func(m *Model) {
				if !m.shows(t) {
					return
				}
				t.see(m, e, state)
				t.travels(m, e)
				t.watch(m)
			}
		}
		return nil
	})
}

// follow shows a state of the table. Nothing is picked then.
func (t *table) follow(s match.State) {
	t.state, t.auto = s, s.Setup.AutoCall
	s.Setup.Levels = s.Levels // the current ones
	t.pair, t.picker.rules = pairOf(s.Setup, s.Starter()), s.Setup.Rules
	for i := range t.pair {
		p := &t.pair[i]
		p.you = t.here(p.seat) && !t.here(p.seat.Other())
	}
	t.stand(s.Position)
	t.point()
}

// see handles an event and the state after it.
func (t *table) see(m *Model, e match.Event, state match.State) {
	before := t.state
	if aside(e.Kind) {
		t.goOn(m, e, state)
		return
	}
	t.follow(state)
	t.sent, t.note, t.news, t.by = false, "", t.announces(e, before), rulebook.Player
	if q, ok := m.top().(*call); ok && q.board == &t.board { // its question is obsolete
		m.pop()
	}
	switch e.Kind {
	case match.Began:
		if before.SeriesOver() {
			t.score = total(t.score, before)
		}
		t.helped = t.analysis
		if t.kept, t.look = t.lesson != nil, live; before.Setup.Rules != state.Setup.Rules {
			t.news = rulebook.Complete(rulebook.Goal(t.game()).Short)
		}
		if setup := state.Setup; t.tossed && state.Game == 1 {
			t.news = rulebook.Begins(
				t.pair.seats(), digit.Side(setup.First), 1, setup.Length(), true).Long
		}
		if state.Given > 0 {
			opened := rulebook.Opened(state.Setup.Rules, state.Moves, t.pair.cast()).Long
			t.news = strings.TrimSpace(t.news + " " + opened)
		}
	case match.Moved:
		if t.auto && t.here(e.Seat) && e.Move.Calls() {
			t.by = rulebook.AutoCall
		}
		if e.Auto {
			t.by |= rulebook.Chance
			t.news = t.narrator().Move(true).Long
		}
	case match.Undone:
		t.look, t.helped = live, true
	default: // it is announced, or shown
	}
	if !t.helps() {
		t.analysis = false
	}
	if t.look > len(t.state.Moves) {
		t.look = live
	}
	if !t.state.Playing() && t.unseat != nil { // the next game may have other rules
		t.unseat()
		t.unseat = nil
	}
	t.tellTrouble(m)
	if t.state.Result.Over() && !t.kept {
		t.kept, t.ended, t.ahead = true, m.now, nil
		if _, plays := t.mine(); t.own || plays || t.hasEngine() {
			t.keep(m)
			return
		}
	}
	t.catchUp(m)
}

// hasEngine reports whether an engine plays that was started for this table. Such a table cannot be
// resumed later.
func (t *table) hasEngine() bool {
	return t.RemoteTable == nil && slices.Contains(t.state.Setup.Levels[:], match.EngineLevel)
}

// tellTrouble reports that the game is not being saved.
func (t *table) tellTrouble(m *Model) {
	if !t.own {
		return
	}
	if err := t.store.Err(); err != nil {
		m.problem = fmt.Sprintf("this game is not saved: %v", reason(err))
	}
}

// reason returns the reason of a file error without the path, for which there is no room.
func reason(err error) error {
	var file *fs.PathError
	if errors.As(err, &file) {
		return file.Err
	}
	return err
}

// keep saves the finished game and, after the last one, deletes the table.
func (t *table) keep(m *Model) {
	rec, over := t.state.Record(), t.own && t.state.SeriesOver()
	if t.helped {
		rec = coach.Helped(rec)
	}
	run, offer, played := 0, "", t.state.Wins[0]+t.state.Wins[1]+t.state.Draws
	m.store("the game was not saved", func() error {
		if len(rec.Moves) > 0 {
			if err := m.world.Keep(rec); err != nil {
				return err // the table is still saved
			}
			if over {
				games, _ := m.world.Games() // the list of games reports lines that are not games
				run, offer = coach.NextLevel(games, rec, played, bot.LevelNames())
			}
		}
		if over && t.store.Close(time.Time{}) {
			return m.world.Forget(t.store.ID())
		}
		return nil
	}, func() { t.run, t.offer = run, offer })
}

// total adds the games of a series to a score.
func total(score rulebook.Score, s match.State) rulebook.Score {
	for seat, n := range s.Wins {
		score.Wins[seat] += n
	}
	score.Draws += s.Draws
	return score
}

func (t *table) name(seat match.Seat) string { return t.state.Setup.Name(seat) }

// here reports whether a person at this screen has a seat.
func (t *table) here(seat match.Seat) bool { return t.sitters[seat].kind == human }

// watched reports whether machines play both sides.
func (t *table) watched() bool {
	return t.sitters[0].kind == machine && t.sitters[1].kind == machine
}

// shown returns the position on the screen, and the number of moves before it.
func (t *table) shown() (p digit.Position, ply int) {
	if t.look == live {
		return t.state.Position, len(t.state.Moves)
	}
	return t.state.PositionAt(t.look), t.look
}

// after returns the position after the moves of a game.
func after(r digit.Rules, moves []digit.Move) (p digit.Position) {
	for _, move := range moves {
		p, _ = r.Play(p, move) // it was played
	}
	return p
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
	t.board.upkeep(m, p)
	t.hold(m)
	t.lookBack(m)
	t.ring(m)
	if t.study.ready() && t.unseat == nil && t.begun && t.state.Playing() {
		var ctx context.Context
		ctx, t.unseat = context.WithCancel(t.ctx)
		for seat, s := range t.sitters {
			if s.kind == machine {
				t.seat(ctx, m, match.Seat(seat), s)
			}
		}
	}
}

// seat runs a machine on a seat.
func (t *table) seat(ctx context.Context, m *Model, seat match.Seat, s sitter) {
	rng, solution := m.rng(), t.study.solution
	m.run(func() act {
		err := sit.Play(ctx, t.at, seat, func(digit.Rules) sit.Choose {
			chooses := sit.Answer(bot.New(s.level, solution, rng))
			return func(ctx context.Context, at match.State) (
				move digit.Move, swap bool, err error,
			) {
				if s.script != nil {
					move = s.script(at.Position)
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

// moving reports whether the table changes with time: a clock runs, or a machine thinks.
func (t *table) moving(m *Model) bool {
	_, timed := t.state.Deadline()
	thinking := t.state.Playing() && t.sitters[t.state.Turn()].kind == machine &&
		!t.speed.paused
	return timed || thinking && m.motion()
}
