package web

import (
	"strings"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// news says to a viewer what some events were, for whoever hears the table and does not see it.
func news(steps []match.Step, v viewer) string {
	var told []string
	for _, step := range steps {
		if text := eventNews(step, v); text != "" {
			told = append(told, text)
		}
	}
	last := steps[len(steps)-1]
	switch s := last.After; last.Event.Kind {
	case match.Began, match.Moved, match.Undone:
		if s.Playing() && v.is(s.Turn()) {
			told = append(told, rulebook.Turn(rulesFor(s.Setup), s.Position, v.sides(s), true).Spoken)
		}
	default: // it is nobody's turn anew
	}
	return strings.Join(told, " ")
}

// offerOf are the events in which a player asks for something, answers, comes or goes.
var offerOf = map[match.Kind]rulebook.Offer{
	match.Seated: rulebook.Joins, match.Left: rulebook.Goes, match.Back: rulebook.Returns, match.Replaced: rulebook.Replaced,
	match.UndoAsked: rulebook.AsksUndo, match.UndoRefused: rulebook.RefusesUndo, match.Undone: rulebook.Undone,
	match.Ready: rulebook.IsReady, match.RematchAsked: rulebook.AsksRematch, match.RematchRefused: rulebook.RefusesRematch,
	match.HintsAgreed: rulebook.AgreesToHints, match.HintsEnded: rulebook.EndsHints,
	match.Published: rulebook.Publishes,
}

func eventNews(step match.Step, v viewer) string {
	e, s := step.Event, step.After
	switch e.Kind {
	case match.Opened, match.Rekeyed:
		return ""
	case match.Began:
		return rulebook.Begins(v.cast(s), digit.Side(s.Starter()), s.Game-s.Before, s.Setup.BestOf, false).Spoken
	case match.Moved:
		return moved(e, s, v).Then(seriesEnd(s, v)).Spoken
	case match.Resigned, match.Flagged, match.Claimed:
		return ending(s, v).Then(seriesEnd(s, v)).Spoken
	default: // somebody asks, answers, comes or goes
	}
	offer := offerOf[e.Kind]
	if offer == rulebook.AgreesToHints && s.HintsAllowed() {
		offer = rulebook.AllowsHints
	}
	if offer == rulebook.Publishes && s.Public(s.Game) {
		offer = rulebook.AllPublish
	}
	return offered(offer, s, v, e.Seat).Spoken
}

// moved says to a viewer what was played, and who chose it if it was not the player alone.
func moved(e match.Event, s match.State, v viewer) rulebook.Said {
	before, m := lastMove(s, e.Seat)
	r, by := rulesFor(s.Setup), rulebook.Player
	if e.Auto {
		by |= rulebook.Chance
	}
	if s.Setup.AutoCall && m.Call != (digit.Number{}) {
		r, by = s.Setup.Rules, by|rulebook.AutoCall
	}
	return rulebook.Played(r, before, m, v.sides(s), by)
}

// byChance says to a viewer what chance played for somebody whose time was out, if that was the last move of the game.
func byChance(t *match.Table, s match.State, v viewer) rulebook.Said {
	if s.Setup.OnTimeout != match.Random {
		return rulebook.Said{}
	}
	e, ok := t.Last(s.Seq, match.Moved, match.Began, match.Undone, match.Resigned, match.Claimed) // the others tell nothing of moves
	if !ok || e.Kind != match.Moved || !e.Auto {
		return rulebook.Said{}
	}
	return moved(e, s, v)
}

// offered says to a viewer what a player asks for, answers or does beside moving.
func offered(o rulebook.Offer, s match.State, v viewer, seat match.Seat) rulebook.Said {
	it := ""
	if o == rulebook.AsksUndo {
		before, m := lastMove(s, seat)
		it = tell(s.Setup.Rules, v.sides(s), func(w rulebook.Voice) string { return w.Back(before, m) })
	}
	return rulebook.Offered(o, v.cast(s), digit.Side(seat), it)
}

// lastMove returns the last move that a seat made in the game, and the position before it.
func lastMove(s match.State, seat match.Seat) (before digit.Position, last digit.Move) {
	r := s.Setup.Rules
	var p digit.Position
	for _, m := range s.Moves {
		if s.SeatOf(r.Turn(p)) == seat {
			before, last = p, m
		}
		p, _ = r.Play(p, m) // it was played
	}
	return before, last
}

// ending says to a viewer how a game ended.
func ending(s match.State, v viewer) rulebook.Said {
	return rulebook.Ending(rulesFor(s.Setup), s.Position, s.Result, v.sides(s))
}

// seriesEnd says to a viewer how a series ended; it is empty when there was none.
func seriesEnd(s match.State, v viewer) rulebook.Said {
	if s.Setup.BestOf <= 1 || !s.SeriesOver() {
		return rulebook.Said{}
	}
	return rulebook.Series(v.cast(s), rulebook.Score{Wins: s.Wins, Draws: s.Draws, Over: true, Pair: s.Setup.Pair})
}
