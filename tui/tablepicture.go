package tui

import (
	"fmt"

	"digitduel/match"
	"digitduel/rulebook"
)

func (t *table) draw(m *Model, c *canvas) {
	t.picture(m).draw(c)
}

func (t *table) say(m *Model) []string { return t.picture(m).say() }

// picture returns what is to be seen of the game.
func (t *table) picture(m *Model) *picture {
	p, ply := t.shown()
	s := t.state
	r := s.Setup.Rules
	pic := t.board.picture(m, p)
	pic.title = rulebook.Title(r)
	if s.Setup.BestOf > 0 {
		pic.right = t.series().Short
	}
	pic.turn = s.Game > 0 && !r.Result(p).Over() && (s.Playing() || ply < len(s.Moves))
	pic.moves, pic.ply, pic.past, pic.look = s.Moves, ply, t.look != live, t.lookAt
	if t.look == live {
		pic.by, pic.result, pic.news = t.by, s.Result, t.news
		if at, timed := s.Deadline(); timed {
			pic.clock = clockText(at.Sub(m.now))
		}
	}
	pic.prompt = t.prompt(m)
	if pic.result.Over() && s.Setup.BestOf > 0 {
		pic.lines = []line{{t.series().Long, style{bold: true}, true}}
	}
	if t.helps() && s.Game > 0 {
		pic.lines = append(pic.lines, t.lines(m, p)...)
	}
	pic.facts = []fact{{"position", r.Text(p)}, {"rules", r.String()}}
	if s.Setup.BestOf > 0 {
		pic.facts = append(pic.facts, fact{"game", fmt.Sprintf("%d, best of %d", max(s.Game, 1), s.Setup.BestOf)})
	}
	if s.Setup.TurnTime > 0 {
		pic.facts = append(pic.facts, fact{"clock", rulebook.Duration(s.Setup.TurnTime)})
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

// series tells how the series stands.
func (t *table) series() rulebook.Said {
	s := t.state
	return rulebook.Series(t.pair.seats(), rulebook.Score{Wins: s.Wins, Draws: s.Draws, Over: s.SeriesOver()})
}

// prompt returns what the table waits for.
func (t *table) prompt(m *Model) prompt {
	s := t.state
	waiting := style{fg: quiet}
	switch {
	case s.Game == 0:
		return prompt{said("The table is being set up."), "", waiting}
	case t.look != live:
		asks := "Looking back: before the first move."
		if t.look > 0 {
			asks = fmt.Sprintf("Looking back: after move %d of %d, %v.", t.look, len(s.Moves), s.Moves[t.look-1])
		}
		return prompt{said(asks), ", and . step, < and > go to the start and back to the game.", style{fg: even, bold: true}}
	case t.asked():
		return prompt{t.offer(rulebook.AsksUndo, s.Asker), "y allows it, n refuses.", style{fg: accent, bold: true}}
	case s.Asking && t.here(s.Asker):
		return prompt{t.offer(rulebook.AsksUndo, s.Asker), "", waiting}
	case s.Asking:
		return prompt{said(t.offer(rulebook.AsksUndo, s.Asker).Short + "."), "", waiting}
	case s.Result.Over():
		return t.outcome()
	}
	switch turn := s.Turn(); t.sitters[turn].kind {
	case machine:
		return t.thinking(m, turn)
	case remote:
		return prompt{t.turn(), "", waiting}
	default:
		return t.asks()
	}
}

// turn tells that it is not the turn of anybody here.
func (t *table) turn() rulebook.Said {
	return rulebook.Turn(t.picker.rules, t.picker.at, t.pair.cast(), false)
}

// outcome says how the game ended, and what can follow.
func (t *table) outcome() prompt {
	s, how, look := t.state, "Enter plays again, v reviews, Esc goes to the menu.", style{fg: good, bold: true}
	if !s.SeriesOver() {
		how = "Enter begins the next game, v reviews this one."
	}
	if _, won := s.Winner(); !won {
		look.fg = even
	}
	return prompt{rulebook.Ending(s.Setup.Rules, s.Position, s.Result, t.pair.cast()), how, look}
}

// clockText says whose turn it is and how much time is left: "your turn, 0:21". It is empty in a game without a clock.
func (t *table) clockText(m *Model) string {
	at, timed := t.state.Deadline()
	if !timed || !t.state.Playing() {
		return ""
	}
	whose := "your turn"
	if side := t.state.Side(t.state.Turn()); !t.pair[side].you {
		whose = t.pair.label(side)
	}
	return whose + ", " + clockText(at.Sub(m.now))
}

// thinking says that a machine is to move.
func (t *table) thinking(m *Model, turn match.Seat) prompt {
	turns, look := t.turn(), style{fg: seatTone(turn), bold: true}
	switch {
	case t.study != nil && t.study.err != nil:
		return prompt{said(t.name(turn) + " cannot play this game."), t.study.tells(""), style{fg: bad, bold: true}}
	case !t.study.ready():
		return prompt{said(t.study.tells(m.spin())), turns.Short, style{fg: quiet}}
	case !t.watched():
		return prompt{said(turns.Long + " " + m.spin()), "", look}
	case t.pace.isPaused():
		return prompt{said(turns.Short), t.pace.tells() + ": Enter goes on, . plays one move.", look}
	default:
		return prompt{said(turns.Short + " " + m.spin()), t.pace.tells() + ": + and - change it, Enter pauses.", look}
	}
}
