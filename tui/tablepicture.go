package tui

import (
	"fmt"

	"digitduel/match"
)

func (t *table) draw(m *Model, c *canvas) {
	t.picture(m).draw(c)
	m.footer(c, c.stage(), t.keys(m))
}

func (t *table) say(m *Model) []string { return t.picture(m).say() }

// picture returns what is to be seen of the game.
func (t *table) picture(m *Model) *picture {
	p, ply := t.shown()
	s := t.state
	r := s.Setup.Rules
	pic := t.board.picture(m, p)
	pic.title, pic.tells, pic.right = r.Book().Title, m.world.Line(r.Book().Name), t.series()
	if r != r.Book().Rules {
		pic.tells = r.String()
	}
	pic.turn = s.Game > 0 && !r.Result(p).Over() && (s.Playing() || ply < len(s.Moves))
	pic.moves, pic.ply, pic.past, pic.look = s.Moves, ply, t.look != live, t.lookAt
	if t.look == live {
		pic.result = s.Result
		if at, timed := s.Deadline(); timed {
			pic.clock = clockText(at.Sub(m.now))
		}
	}
	pic.prompt = t.prompt(m)
	if t.helps() && s.Game > 0 {
		pic.lines = t.lines(m, p, true)
	}
	pic.facts = []fact{{"position", r.Text(p)}, {"rules", r.String()}}
	if s.Setup.BestOf > 0 {
		pic.facts = append(pic.facts, fact{"series", fmt.Sprintf("best of %d, %s", s.Setup.BestOf, scoreText(s))})
	}
	if s.Setup.TurnTime > 0 {
		pic.facts = append(pic.facts, fact{"clock", clockName(s.Setup.TurnTime)})
	}
	hints := onOff(t.hints)
	if t.analysis {
		hints += ", analysis on"
	}
	pic.facts = append(pic.facts, fact{"hints", hints})
	if t.tossed {
		pic.facts = append(pic.facts, fact{"coin for", t.name(s.Setup.First)})
	}
	return pic
}

// series says which game this is, and how the series stands.
func (t *table) series() string {
	s := t.state
	if s.Setup.BestOf == 0 {
		return ""
	}
	return fmt.Sprintf("game %d, best of %d: %s %s %s", max(s.Game, 1), s.Setup.BestOf,
		shorten(t.name(match.One), 12), scoreText(s), shorten(t.name(match.Two), 12))
}

// prompt returns what the table waits for.
func (t *table) prompt(m *Model) prompt {
	s := t.state
	waiting := style{fg: quiet}
	switch {
	case s.Game == 0:
		return prompt{"The table is being set up.", "", waiting}
	case t.look != live:
		asks := "Looking back: before the first move."
		if t.look > 0 {
			asks = fmt.Sprintf("Looking back: after move %d of %d, %v.", t.look, len(s.Moves), s.Moves[t.look-1])
		}
		return prompt{asks, "[ and ] step, Home and End go to the start and back to the game.", style{fg: even, bold: true}}
	case t.asked():
		return prompt{t.name(s.Asker) + " asks to take back a move.", "y lets it be taken back, n refuses.", style{fg: accent, bold: true}}
	case s.Asking:
		return prompt{"Waiting for " + t.name(s.Asker.Other()) + " to agree that a move is taken back.", "", waiting}
	case s.Result.Over():
		return t.outcome()
	}
	switch turn := s.Turn(); t.sitters[turn].kind {
	case machine:
		return t.thinking(m, turn)
	case remote:
		return prompt{"Waiting for " + t.name(turn) + ".", "", waiting}
	default:
		return t.asks(m)
	}
}

// outcome says how the game ended, and what can follow.
func (t *table) outcome() prompt {
	s, how := t.state, "n plays again, v reviews the game, Esc goes to the menu."
	if !s.SeriesOver() {
		how = "n begins the next game, v reviews this one."
	} else if s.Setup.BestOf > 0 {
		won := fmt.Sprintf("The series is drawn %s.", scoreText(s))
		if leader, ok := s.Leader(); ok {
			won = fmt.Sprintf("%s wins the series %s.", t.name(leader), scoreText(s))
		}
		how = won + " " + how
	}
	if _, won := s.Winner(); !won {
		return prompt{ending(s), how, style{fg: even, bold: true}}
	}
	return prompt{ending(s), how, style{fg: good, bold: true}}
}

// thinking says that a machine is to move.
func (t *table) thinking(m *Model, turn match.Seat) prompt {
	name, look := t.name(turn), style{fg: seatTone(turn), bold: true}
	switch {
	case t.study != nil && t.study.err != nil:
		return prompt{name + " cannot play this game.", t.study.tells(""), style{fg: bad, bold: true}}
	case !t.study.ready():
		return prompt{t.study.tells(m.spin()) + " for " + name, "", style{fg: quiet}}
	case t.watched() && t.pace.isPaused():
		return prompt{name + " waits.", t.pace.tells() + ": Space goes on, . plays one move.", look}
	}
	how := ""
	if t.watched() {
		how = t.pace.tells() + ": + and - change it, Space pauses."
	}
	return prompt{fmt.Sprintf("%s is thinking %s", name, m.spin()), how, look}
}
