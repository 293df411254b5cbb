package tui

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"digitduel/bot"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// watch waits for the next event.
func (t *table) watch(m *Model) {
	after := t.state.Seq
	m.run(func() act {
		for e, state := range t.Table.Watch(t.ctx, after) {
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
	if !e.Kind.Matters() && state.Result == before.Result {
		t.seeHarmless(m, e, state)
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
				t.narrator().Seats(), digit.Side(setup.First), 1, setup.Length(), true).Long
		}
		if state.Given > 0 {
			t.news = strings.TrimSpace(t.news + " " + t.narrator().Start().Long)
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
	t.showTrouble(m)
	if t.state.Result.Over() && !t.kept {
		t.kept, t.ended, t.ahead = true, m.now, nil
		if _, plays := t.mine(); t.own || plays || t.hasEngine() {
			t.keep(m)
			return
		}
	}
	t.catchUp(m)
}

// unannounced are the events whose effects the screen shows, so that it need not announce them.
var unannounced = []match.Kind{
	match.Began, match.Moved, match.Faulted, match.Ready, match.Left, match.UndoAsked,
	match.RematchAsked,
}

// seeHarmless handles an event that does not matter to a move: a picked digit stays picked, and a
// move that was sent is still on its way.
func (t *table) seeHarmless(m *Model, e match.Event, state match.State) {
	picker, hint, before := t.picker, t.hint, t.state
	t.follow(state)
	t.picker = picker
	if t.helps() {
		t.hint = hint
	} else {
		t.analysis = false
	}
	if text := t.announces(e, before); text != "" {
		t.news = text
	}
	if state.Phase() != match.Waiting {
		m.layers = slices.DeleteFunc(m.layers, func(l layer) bool {
			i, ok := l.page.(*invitation)
			return ok && i.table == t
		})
	}
}

// announces describes an event that the screen does not show otherwise.
func (t *table) announces(e match.Event, before match.State) string {
	s := t.state
	switch {
	case slices.Contains(unannounced, e.Kind), e.Kind.InGame() && s.Result.Over():
		return ""
	case e.Kind == match.HintsAgreed && !s.HintsAllowed() && t.hintsAsked():
		return ""
	}
	return t.narrator().Event(e, before).Long
}

// narrator returns the narrator of the table, with the names that this screen shows.
func (t *table) narrator() rulebook.Narrator {
	n := rulebook.Narrator{State: t.state}
	for _, p := range t.pair {
		n.Setup.Names[p.seat], n.You[p.seat] = p.name, p.you
	}
	return n
}

// showTrouble reports that the game is not being saved.
func (t *table) showTrouble(m *Model) {
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
