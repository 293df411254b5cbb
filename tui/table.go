package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"digitduel/bot"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
)

// A sitter is who plays on a seat, as this screen sees it.
type sitter struct {
	kind  kind
	level bot.Level // of a machine
}

type kind uint8

const (
	human   kind = iota // a person at this screen
	machine             // a computer that this screen seats
	remote              // somebody elsewhere
)

// A table is the page of a game: a [match.Table] watched by a cursor, and what is being chosen for the next move.
type table struct {
	at      *match.Table
	own     bool // it was opened here and is closed here
	wishes  Wishes
	trial   *trial // a position to find a move in, in place of a game; at is nil then
	ctx     context.Context
	stop    context.CancelFunc
	state   match.State // after the last event that was seen
	sitters [2]sitter
	hints   bool
	auto    bool // call the highest multiple for whoever has one
	tossed  bool
	kept    bool // the game on the table is kept
	pace    *pace

	cursor int // over the digits of the pool, then over the spots
	chosen choice
	sent   bool // a move is on its way to the table

	look     int // the ply that is looked at; live: the game as it is
	analysis bool
	flip     bool
	note     string // what went wrong, or what happened
	hint     *coach.Hint
	hinted   int // how much of the hint is told: nothing, what to look for, all
	study    *study
	begun    bool // the first game has begun, with the moves that were played before
	seated   bool // the machines sit
	insight  *insight
	looking  bool // an insight is being worked out
}

// A choice is what has been chosen of a move.
type choice struct {
	digit   digit.Digit
	spot    digit.Spot
	picked  bool // the digit is chosen
	settled bool // the spot is, too
}

const live = -1

// A step is what a table waits for.
type step uint8

const (
	idle    step = iota // nothing that is chosen here
	pick                // a digit
	settle              // a spot
	confirm             // that the move is to be played
)

// play opens a table with some wishes and shows it.
func (m *Model) play(wishes Wishes) tea.Cmd {
	first := match.One
	switch wishes.First {
	case PlayerTwo:
		first = match.Two
	case CoinToss:
		first = match.Seat(m.rng().IntN(2))
	}
	return m.openTable(wishes, first, nil)
}

// openTable opens a table and shows it. Moves are played at once, for both seats, before anybody else may.
func (m *Model) openTable(wishes Wishes, first match.Seat, moves []digit.Move) tea.Cmd {
	setup := wishes.setup(first)
	at, err := match.Open(m.crew.context(), "here", setup, new(match.Memory), m.rng())
	if err != nil {
		m.problem = err.Error()
		return nil
	}
	t := m.newTable(at)
	t.own, t.wishes, t.sitters, t.hints, t.auto = true, wishes, wishes.sitters(), wishes.Hints, wishes.AutoCall
	t.tossed = wishes.First == CoinToss && moves == nil
	t.pace = &pace{delay: m.world.Pace, changed: make(chan struct{})}
	m.push(t)
	if t.tossed {
		m.lay(&toss{table: t, began: m.now})
		return t.watch(m)
	}
	return tea.Batch(t.watch(m), t.begin(m, moves...))
}

// sitAt shows a table that others may sit at.
func (m *Model) sitAt(at *match.Table, mine []match.Seat) tea.Cmd {
	t := m.newTable(at)
	t.sitters = [2]sitter{{kind: remote}, {kind: remote}}
	for _, seat := range mine {
		t.sitters[seat].kind = human
	}
	t.hints = m.wishes.Hints
	m.push(t)
	return t.watch(m)
}

// newTable returns the page of a table, as the table stands now; it is watched from there on.
func (m *Model) newTable(at *match.Table) *table {
	t := &table{at: at, look: live}
	t.ctx, t.stop = context.WithCancel(m.crew.context())
	if at != nil {
		t.state = at.State()
		t.kept = t.state.Result.Over()
	}
	return t
}

// close ends what goes on at the table for this screen.
func (t *table) close() {
	t.stop()
	if t.own {
		t.at.Close()
	}
}

// watch awaits the next event.
func (t *table) watch(m *Model) tea.Cmd {
	after := t.state.Seq
	return m.crew.run(func(context.Context) later {
		for e := range t.at.Watch(t.ctx, after) {
			return func(m *Model) tea.Cmd {
				if !m.shows(t) {
					return nil
				}
				return tea.Batch(t.see(m, e), t.watch(m))
			}
		}
		return nil
	})
}

// see takes up an event.
func (t *table) see(m *Model, e match.Event) tea.Cmd {
	next, err := t.state.Apply(e)
	if err != nil {
		t.note = fmt.Sprintf("something broke here: %v", err)
		return nil
	}
	t.state, t.sent, t.note = next, false, ""
	m.scroll = 0
	t.unchoose()
	if q, ok := m.top().(*call); ok && q.table == t { // what it asks for is past
		m.pop()
	}
	switch e.Kind {
	case match.Began:
		t.kept, t.look = false, live
	case match.Moved:
		if e.Auto {
			t.note = fmt.Sprintf("%s ran out of time: %v was played at random", t.name(e.Seat), *e.Move)
		}
	case match.Undone:
		t.note, t.look = t.name(e.Seat)+" took back a move", live
	case match.UndoRefused:
		t.note = "the move is not taken back"
	}
	if t.look > len(t.state.Moves) {
		t.look = live
	}
	if t.state.Result.Over() && !t.kept {
		t.kept = true
		return m.keep(t.state.Record())
	}
	return nil
}

// unchoose forgets what was chosen, and the hint that went with it.
func (t *table) unchoose() {
	t.chosen, t.hint, t.hinted = choice{}, nil, 0
	t.cursor = t.nextFree(t.cursor, 0)
}

// do runs an act at the table off the screen; the event that follows from it comes by the cursor.
func (t *table) do(m *Model, act func(context.Context) (match.State, error)) tea.Cmd {
	return m.crew.run(func(context.Context) later {
		_, err := act(t.ctx)
		return func(*Model) tea.Cmd {
			var refused *digit.MoveError
			switch {
			case err == nil:
			case errors.As(err, &refused), errors.Is(err, match.ErrNoUndo), errors.Is(err, match.ErrAsked), errors.Is(err, match.ErrTimeout):
				t.sent, t.note = false, err.Error()
			case errors.Is(err, match.ErrStale), errors.Is(err, match.ErrTurn), errors.Is(err, match.ErrNoGame), errors.Is(err, match.ErrNotAsked),
				errors.Is(err, match.ErrUnderWay), errors.Is(err, match.ErrSeries), errors.Is(err, context.Canceled):
				t.sent = false // the table has gone on; the event that says so follows
			default:
				t.sent, t.note = false, "something broke here: "+err.Error()
			}
			return nil
		}
	})
}

// begin starts the next game, with moves that were played before.
func (t *table) begin(m *Model, moves ...digit.Move) tea.Cmd {
	act := t.do(m, func(ctx context.Context) (match.State, error) {
		s, err := t.at.Begin(ctx)
		for _, move := range moves {
			if err == nil {
				s, err = t.at.Play(ctx, s.Turn(), move, s.Seq)
			}
		}
		return s, err
	})
	return func() tea.Msg {
		done, ok := act().(later)
		if !ok {
			return nil
		}
		return later(func(m *Model) tea.Cmd {
			t.begun = true
			return done(m)
		})
	}
}

func (t *table) rules() digit.Rules { return t.state.Setup.Rules }

func (t *table) name(seat match.Seat) string { return t.state.Setup.Name(seat) }

// shown returns the position that is looked at, and how many moves led to it.
func (t *table) shown() (p digit.Position, ply int) {
	if t.look == live {
		return t.state.Position, len(t.state.Moves)
	}
	for _, move := range t.state.Moves[:t.look] {
		p, _ = t.rules().Play(p, move) // it was played
	}
	return p, t.look
}

// myTurn reports whether a person at this screen is to move in the game as it is.
func (t *table) myTurn() bool {
	return t.state.Playing() && t.sitters[t.state.Turn()].kind == human
}

// step returns what the table waits for here.
func (t *table) step() step {
	switch {
	case t.look != live || !t.myTurn() || t.sent || t.state.Asking || t.trial.solved():
		return idle
	case !t.chosen.picked:
		return pick
	case !t.chosen.settled:
		return settle
	default:
		return confirm
	}
}

// helps reports whether hints and analysis are allowed now: if they are on, or the game is over.
func (t *table) helps() bool { return t.hints || !t.state.Playing() }

func (t *table) upkeep(m *Model) tea.Cmd {
	var cmds []tea.Cmd
	if t.study == nil {
		var cmd tea.Cmd
		t.study, cmd = m.study(t.rules())
		cmds = append(cmds, cmd)
	}
	if t.study.ready() && !t.seated && t.begun {
		t.seated = true
		for seat, p := range t.sitters {
			if p.kind == machine {
				cmds = append(cmds, t.seat(m, match.Seat(seat), p.level))
			}
		}
	}
	p, _ := t.shown()
	key := insightKey{t.rules(), p, t.study.ready()}
	if !t.looking && (t.insight == nil || t.insight.insightKey != key) {
		t.looking = true
		cmds = append(cmds, m.insightCmd(key, t.study, func(in *insight) { t.insight, t.looking = in, false }))
	}
	return tea.Batch(cmds...)
}

// seat lets a machine play on a seat.
func (t *table) seat(m *Model, seat match.Seat, level bot.Level) tea.Cmd {
	rng, solution := m.rng(), t.study.solution
	return m.crew.run(func(context.Context) later {
		err := bot.Sit(t.ctx, t.at, seat, func() func(digit.Position) digit.Move {
			b := bot.New(level, solution, rng)
			return func(p digit.Position) digit.Move {
				move := b.Choose(p)
				t.pace.wait(t.ctx)
				return move
			}
		})
		return func(*Model) tea.Cmd {
			if err != nil && t.ctx.Err() == nil {
				t.note = fmt.Sprintf("%s stopped playing: %v", t.name(seat), err)
			}
			return nil
		}
	})
}

// moving reports whether something on the table changes with time: a clock, or a machine that thinks.
func (t *table) moving(m *Model) bool {
	_, timed := t.state.Deadline()
	thinking := t.state.Playing() && t.sitters[t.state.Turn()].kind == machine && !t.pace.isPaused()
	return timed || thinking && m.motion() || t.study.working()
}

// pool returns the digits of the game, those that are gone included.
func (t *table) pool() []digit.Digit { return slices.Collect(t.rules().Pool.All()) }

// nextFree returns the place in the pool of the next digit that is left, some steps from another one.
func (t *table) nextFree(from, by int) int {
	pool, left := t.pool(), t.rules().Left(t.state.Position)
	way := 1
	if by < 0 {
		way = -1
	}
	for i := range pool {
		if at := (from + by + i*way + 2*len(pool)) % len(pool); left.Has(pool[at]) {
			return at
		}
	}
	return 0
}

// legal reports whether a digit may go to a spot.
func (t *table) legal(d digit.Digit, spot digit.Spot) bool {
	_, err := t.rules().Play(t.state.Position, digit.Move{Digit: d, Spot: spot})
	return err == nil
}

// legalSpots returns the spots that a digit may go to.
func (t *table) legalSpots(d digit.Digit) []digit.Spot {
	return slices.DeleteFunc(spots(t.rules(), t.state.Position), func(s digit.Spot) bool { return !t.legal(d, s) })
}

// pick chooses a digit. Where it can go to one spot only, the spot is chosen with it.
func (t *table) pick(m *Model, d digit.Digit) tea.Cmd {
	if t.step() == idle {
		return nil
	}
	t.note = ""
	left := t.rules().Left(t.state.Position)
	if !left.Has(d) {
		t.note = fmt.Sprintf("%v is taken; left: %s", d, left.List(" "))
		return nil
	}
	legal := t.legalSpots(d)
	if len(legal) == 0 {
		t.note = fmt.Sprintf("%v can go nowhere", d)
		return nil
	}
	t.cursor = slices.Index(t.pool(), d)
	t.chosen = choice{digit: d, picked: true, spot: legal[0]}
	if len(legal) > 1 {
		return nil
	}
	return t.put(m, legal[0])
}

// put chooses the spot of the digit.
func (t *table) put(m *Model, spot digit.Spot) tea.Cmd {
	if s := t.step(); s != settle && s != confirm {
		if s == pick {
			t.note = "pick a digit first"
		}
		return nil
	}
	t.note = ""
	if !t.legal(t.chosen.digit, spot) {
		_, err := t.rules().Play(t.state.Position, digit.Move{Digit: t.chosen.digit, Spot: spot})
		t.note = err.Error()
		return nil
	}
	t.chosen.spot, t.chosen.settled = spot, true
	if callable(t.rules(), t.state.Position, t.chosen.digit) {
		if !t.auto {
			m.lay(newCall(t))
			return nil
		}
		return t.send(m, t.rules().HighestMultiple(t.handWith(t.chosen.digit)))
	}
	if !m.wishes.Confirm {
		return t.send(m, digit.Number{})
	}
	return nil
}

// handWith returns the hand of the side to move with one more digit.
func (t *table) handWith(d digit.Digit) digit.Pool {
	return t.rules().Held(t.state.Position, t.rules().Turn(t.state.Position)) | digit.PoolOf(d)
}

// send plays the chosen move, with a call or without.
func (t *table) send(m *Model, call digit.Number) tea.Cmd {
	if t.step() != confirm {
		return nil
	}
	move := digit.Move{Digit: t.chosen.digit, Spot: t.chosen.spot, Call: call}
	if t.trial != nil {
		return t.trial.try(m, t, move)
	}
	seat, seen := t.state.Turn(), t.state.Seq
	t.sent = true
	return t.do(m, func(ctx context.Context) (match.State, error) { return t.at.Play(ctx, seat, move, seen) })
}

// back takes back the last thing chosen; it reports whether there was one.
func (t *table) back() bool {
	t.note = ""
	switch t.step() {
	case confirm:
		if t.chosen.settled = false; len(t.legalSpots(t.chosen.digit)) > 1 {
			return true
		}
		fallthrough
	case settle:
		t.chosen = choice{}
		return true
	default:
		return false
	}
}

// move moves the cursor.
func (t *table) move(by int) {
	switch t.step() {
	case pick:
		t.cursor = t.nextFree(t.cursor, by)
	case settle:
		t.chosen.spot = cycle(t.legalSpots(t.chosen.digit), t.chosen.spot, by)
	}
}

// enter goes on with what the cursor is at.
func (t *table) enter(m *Model) tea.Cmd {
	switch t.step() {
	case pick:
		return t.pick(m, t.pool()[t.cursor])
	case settle:
		return t.put(m, t.chosen.spot)
	case confirm:
		return t.send(m, digit.Number{})
	}
	if t.trial != nil {
		return t.trial.goOn(m)
	}
	return nil
}

// next begins the next game of a series or, after it, another one with the same wishes in which the other player starts.
func (t *table) next(m *Model) tea.Cmd {
	if !t.state.Result.Over() || !t.own {
		return nil
	}
	if !t.state.SeriesOver() {
		return t.begin(m)
	}
	first := t.state.Setup.First.Other()
	if t.tossed {
		first = match.Seat(m.rng().IntN(2))
	}
	m.pop()
	return m.openTable(t.wishes, first, nil)
}

// undo takes back the last move of a person here, or asks for it.
func (t *table) undo(m *Model) tea.Cmd {
	if t.back() || t.look != live {
		return nil
	}
	seat := t.state.Turn().Other()
	if t.sitters[seat].kind != human {
		seat = seat.Other()
	}
	if !t.state.Playing() || t.sitters[seat].kind != human {
		t.note = "there is no move to take back now"
		return nil
	}
	return t.do(m, func(ctx context.Context) (match.State, error) { return t.at.Undo(ctx, seat) })
}

// answer answers somebody who asks to take back a move.
func (t *table) answer(m *Model, yes bool) tea.Cmd {
	seat := t.state.Asker.Other()
	if yes {
		return t.do(m, func(ctx context.Context) (match.State, error) { return t.at.Undo(ctx, seat) })
	}
	return t.do(m, func(ctx context.Context) (match.State, error) { return t.at.RefuseUndo(ctx, seat) })
}

// asked reports whether a person here is asked to let somebody take back a move.
func (t *table) asked() bool {
	return t.state.Asking && t.sitters[t.state.Asker.Other()].kind == human && t.sitters[t.state.Asker].kind != human
}

// resign gives up the game for the person to move or, in the turn of a machine, for the person here.
func (t *table) resign(m *Model) tea.Cmd {
	seat := t.state.Turn()
	if t.sitters[seat].kind != human {
		seat = seat.Other()
	}
	if !t.state.Playing() || t.sitters[seat].kind != human {
		t.note = "there is no game to give up"
		return nil
	}
	question := t.name(seat) + " gives up this game?"
	m.lay(&confirmation{question: question, yes: "resign", do: func() tea.Cmd {
		return t.do(m, func(ctx context.Context) (match.State, error) { return t.at.Resign(ctx, seat) })
	}})
	return nil
}

// leave goes back to the menu; a game under way asks first.
func (t *table) leave(m *Model) tea.Cmd {
	if t.trial != nil {
		m.pop()
		return nil
	}
	gone := func() tea.Cmd {
		var cmd tea.Cmd
		if !t.kept {
			t.kept = true
			cmd = m.keep(t.state.Record())
		}
		m.home()
		return cmd
	}
	if !t.state.Playing() || len(t.state.Moves) == 0 || t.sitters[0].kind == machine && t.sitters[1].kind == machine {
		return gone()
	}
	m.lay(&confirmation{question: "Leave this game? It is saved unfinished.", yes: "leave", do: gone})
	return nil
}

// ask tells a hint: first what to look for, then the move and why.
func (t *table) ask(m *Model) tea.Cmd {
	p, _ := t.shown()
	switch {
	case !t.helps():
		t.note = "hints are off at this table"
	case !t.study.ready():
		t.note = t.study.tells("")
	case t.rules().Result(p).Over():
		t.note = "the game is over"
	case t.hint != nil:
		t.hinted = min(t.hinted+1, 2)
	default:
		return m.hintCmd(p, t.study, func(h coach.Hint) {
			if now, _ := t.shown(); now == p {
				t.hint, t.hinted = &h, 1
			}
		})
	}
	return nil
}

// analyse switches the analysis on or off.
func (t *table) analyse() {
	switch {
	case t.analysis:
		t.analysis = false
	case !t.helps():
		t.note = "hints are off at this table"
	default:
		t.analysis = true
	}
}

// lookAt looks at the game after some moves.
func (t *table) lookAt(ply int) {
	n := len(t.state.Moves)
	t.hint, t.hinted, t.note = nil, 0, ""
	if ply = max(0, ply); ply >= n {
		t.look = live
		return
	}
	t.look = ply
}
