package tui

import (
	"fmt"
	"strings"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/ui/tui/draw"
)

func (t *table) draw(m *Model, c *canvas) {
	t.picture(m).draw(c)
}

// picture returns the picture of the game.
func (t *table) picture(m *Model) *picture {
	p, ply := t.shown()
	s := t.state
	r := s.Setup.Rules
	pic := t.board.picture(p)
	pic.title = rulebook.Title(r)
	pic.right = t.against()
	length := s.Setup.Length()
	if length > 0 || t.score != (rulebook.Score{}) {
		pic.right = t.series().Short
	}
	if length > 0 {
		pic.series = fmt.Sprintf("game %d, best of %d", max(s.Game-s.Before, 1), length)
	}
	if length == rulebook.PairLength {
		pic.series = strings.Replace(pic.series, ", best", "", 1)
	}
	pic.turn = pic.turn && s.Game > 0 && (s.Playing() || ply < len(s.Moves))
	pic.moves, pic.ply, pic.past, pic.look = s.Moves, ply, t.look != live, t.looksAt
	pic.given, pic.taken = int(s.Given), s.Swapped
	if t.look == live {
		pic.by, pic.result, pic.travel = t.by, s.Result, t.travel(m)
		pic.news, pic.holds = t.news, t.holds()
		if left, timed := t.timeLeft(m); timed {
			pic.clock = rulebook.Countdown(left)
			if left <= hurryFrom && s.Playing() {
				pic.hurry = max(1, int((left+time.Second-1)/time.Second))
			}
		}
	}
	pic.prompt = t.prompt(m, pic)
	if len(t.ahead) > 0 {
		pic.prompt.how = "Your next keys:"
		for _, k := range t.ahead {
			pic.prompt.how += " " + keyName(k.String())
		}
	}
	if pic.hurry > 0 && t.stage() > idle {
		whose := rulebook.Capital(strings.ToLower(pic.prompt.badge)) + ". "
		pic.prompt.badge = strings.ToUpper(rulebook.Plural(pic.hurry, "second"))
		pic.prompt.tone = draw.Bad
		pic.prompt.Short, pic.prompt.Long = whose+pic.prompt.Short, whose+pic.prompt.Long
	}
	if pic.result.Over() {
		pic.lines = t.account()
	} else {
		pic.aside = t.aim().text
	}
	if t.helps() && s.Game > 0 {
		pic.lines = append(pic.lines, t.lines(m, p)...)
	}
	if t.maySwap() {
		pic.offer, pic.accept = t.asksSwap(), t.swap
	}
	if t.lesson != nil {
		t.teach(pic)
	}
	return pic
}

// against describes the opponent of a person who plays a computer.
func (t *table) against() string {
	for side, p := range t.pair {
		if !p.you && t.pair[1-side].you {
			return "against " + t.pair.label(digit.Side(side))
		}
	}
	return ""
}

// series describes the score of the series or, of single games, that of all rematches.
func (t *table) series() rulebook.Said {
	if t.state.Setup.Length() == 0 {
		return rulebook.Series(t.narrator().Seats(), total(t.score, t.state))
	}
	return t.narrator().Series()
}

// prompt returns the prompt of the table, for a picture of it.
func (t *table) prompt(m *Model, pic *picture) prompt {
	s := t.state
	if p, ok := t.awaits(); ok {
		return p
	}
	switch {
	case s.Game == 0:
		return prompt{Said: said("The table is being set up.")}
	case t.look != live:
		asks := "Before the first move."
		if t.look > 0 {
			asks = fmt.Sprintf("Move %d of %d. %s", t.look, len(s.Moves), pic.played().Long)
		}
		return prompt{
			"LOOKING BACK", draw.Even, said(asks),
			", and . step, < and > go to the start and back to the game.",
		}
	case s.Result.Over():
		return t.outcome()
	}
	switch turn := s.Turn(); {
	case t.here(turn):
		return t.asks()
	case t.own:
		return t.thinking(m, turn)
	default:
		return t.turnPrompt(s.Side(turn))
	}
}

// outcome describes how the game ended.
func (t *table) outcome() prompt {
	s := t.state
	ending := rulebook.Why(s.Setup.Rules, s.Position, s.Result, t.pair.cast())
	winner, won := s.Result.Winner()
	outcome := rulebook.Outcome(s.Setup.Rules, s.Result, t.pair.cast()).Long
	badge := strings.ToUpper(strings.TrimSuffix(outcome, "!"))
	p := prompt{badge: badge, tone: draw.Even, Said: ending}
	switch {
	case !won:
	case t.pair[winner.Other()].you:
		p.tone = draw.Bad
	default:
		p.tone = draw.Good
	}
	return p
}

// thinking returns the prompt in the turn of a machine.
func (t *table) thinking(m *Model, turn match.Seat) prompt {
	side := t.state.Side(turn)
	p := prompt{
		badge: strings.ToUpper(t.pair.label(side)), tone: t.pair.tone(side),
		Said: said("is thinking " + m.dots()),
	}
	switch {
	case t.study != nil && t.study.err != nil:
		p.Said, p.how = said("cannot play this game."), t.study.describe("")
	case !t.study.ready():
		p.Said = said("is getting ready: " + t.study.describe(""))
	case t.watched() && t.speed.paused:
		p.Said, p.how = said("is next."), "Paused, "+t.speed.describe()+"."
	case t.watched():
		p.how = rulebook.Capital(t.speed.describe()) + "."
	}
	return p
}
