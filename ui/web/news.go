package web

import (
	"strings"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// news says to a viewer what some events were, for whoever hears the table and does not see it. Swapped is whether the first move was taken
// over before them.
func news(steps []match.Step, v viewer, swapped bool) string {
	var told []string
	for _, step := range steps {
		if text := eventNews(step, v, swapped); text != "" {
			told = append(told, text)
		}
		swapped = step.After.Swapped
	}
	last := steps[len(steps)-1]
	switch s := last.After; last.Event.Kind {
	case match.Began, match.Moved, match.Swapped, match.Undone:
		if s.Playing() && v.is(s.Turn()) {
			told = append(told, rulebook.Turn(rulesFor(s.Setup), s.Position, v.sides(s), true).Spoken)
			if s.MaySwap() {
				told = append(told, rulebook.AskSwap(v.sides(s), s.Side(v.seat), backOf(s, v, 0)).Spoken)
			}
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
	match.Published: rulebook.Publishes, match.Swapped: rulebook.TakesOver,
}

func eventNews(step match.Step, v viewer, swapped bool) string {
	e, s := step.Event, step.After
	switch e.Kind {
	case match.Opened, match.Rekeyed:
		return ""
	case match.Began:
		return rulebook.Begins(v.cast(s), digit.Side(s.Starter()), s.Game-s.Before, s.Setup.Length(), false).Then(startNote(s, v)).Spoken
	case match.Moved:
		return moved(e, s, v).Then(seriesEnd(s, v)).Spoken
	case match.Faulted:
		if s.Playing() {
			return faultNote(s, v).Spoken
		}
		return ending(s, v).Then(seriesEnd(s, v)).Spoken
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
	if offer == rulebook.Undone && swapped && !s.Swapped {
		offer = rulebook.HandsBack
	}
	return offered(offer, s, v, e.Seat).Spoken
}

// moved says to a viewer what was played, and who chose it if it was not the player alone.
func moved(e match.Event, s match.State, v viewer) rulebook.Said {
	i := len(s.Moves) - 1
	before, m := positionBefore(s, i), s.Moves[i]
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
	e, ok := t.Last(s.Seq, match.Moved, match.Began, match.Swapped, match.Undone, match.Resigned, match.Claimed) // the others tell nothing of moves
	if !ok || e.Kind != match.Moved || !e.Auto {
		return rulebook.Said{}
	}
	return moved(e, s, v)
}

// offered says to a viewer what a player asks for, answers or does beside moving.
func offered(o rulebook.Offer, s match.State, v viewer, seat match.Seat) rulebook.Said {
	it, last := "", s.LastBy(seat)
	if o == rulebook.AsksUndo && s.Swapped && last == 0 {
		o = rulebook.AsksHandBack
	}
	switch o {
	case rulebook.AsksUndo, rulebook.AsksHandBack:
		it = backOf(s, v, last)
	case rulebook.TakesOver, rulebook.HandsBack:
		it = backOf(s, v, 0)
	default: // no move is meant
	}
	return rulebook.Offered(o, v.cast(s), digit.Side(seat), it)
}

// positionBefore returns the position before the move of an index.
func positionBefore(s match.State, i int) (p digit.Position) {
	for _, m := range s.Moves[:i] {
		p, _ = s.Setup.Rules.Play(p, m) // it was played
	}
	return p
}

// backOf names the move of an index to a viewer, as what may be taken back or over. It is empty when there is none.
func backOf(s match.State, v viewer, i int) string {
	if i < 0 || i >= len(s.Moves) {
		return ""
	}
	return tell(s.Setup.Rules, v.sides(s), func(w rulebook.Voice) string { return w.Back(positionBefore(s, i), s.Moves[i]) })
}

// startNote says to a viewer what a game began with beside moves of the players, for as long as no other was made: an opening, or a first
// move that was taken over.
func startNote(s match.State, v viewer) rulebook.Said {
	switch {
	case !s.Playing():
	case s.Given > 0 && len(s.Moves) == int(s.Given):
		return rulebook.Opened(s.Setup.Rules, s.Moves, v.sides(s))
	case s.Swapped && len(s.Moves) == 1:
		return offered(rulebook.TakesOver, s, v, s.Starter())
	}
	return rulebook.Said{}
}

// faultNote says to a viewer that a program has not found a legal move yet, for as long as that is so.
func faultNote(s match.State, v viewer) rulebook.Said {
	if !s.Playing() || s.Tried == 0 {
		return rulebook.Said{}
	}
	return rulebook.Faulted(s.Setup.Rules, s.Position, v.sides(s), int(s.Tried), s.TriesLeft())
}

// ending says to a viewer how a game ended.
func ending(s match.State, v viewer) rulebook.Said {
	return rulebook.Ending(rulesFor(s.Setup), s.Position, s.Result, v.sides(s))
}

// seriesEnd says to a viewer how a series ended; it is empty when there was none.
func seriesEnd(s match.State, v viewer) rulebook.Said {
	if s.Setup.Length() <= 1 || !s.SeriesOver() {
		return rulebook.Said{}
	}
	return rulebook.Series(v.cast(s), rulebook.Score{Wins: s.Wins, Draws: s.Draws, Over: true, Pair: s.Setup.Pair})
}
