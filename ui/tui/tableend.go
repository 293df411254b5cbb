package tui

import (
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
	"digitduel/ui/tui/draw"
)

// turned is the turning point of a finished game: the last mistake in it.
type turned struct {
	seq   int // the event of the table at the end of the game
	text  string
	brief string        // a shorter form
	again *coach.Judged // the mistake, to try again; nil: there was none
}

// lookBack finds the turning point of a finished game, once its solution is known.
func (t *table) lookBack(m *Model) {
	s := t.state
	if !s.Result.Over() || !t.study.ready() || t.study.rules != s.Setup.Rules ||
		t.turned != nil && t.turned.seq == s.Seq {
		return
	}
	t.turned = &turned{seq: s.Seq}
	solution, cast, rec := t.study.solution, t.pair.cast(), s.Record()
	m.run(func() act {
		found := turnedOf(solution, rec, cast)
		found.seq = s.Seq
		return func(*Model) {
			if t.turned.seq == found.seq {
				t.turned = &found
			}
		}
	})
}

// turnedOf returns the turning point of a game.
func turnedOf(solution *solve.Solution, rec digit.Record, cast rulebook.Cast) turned {
	review, err := coach.ReviewGame(solution, rec, cast)
	if err != nil {
		return turned{}
	}
	turning := review.TurningPoint
	found := turned{
		text:  turning.Text.Then(turning.Instead).Long,
		brief: rulebook.Complete(turning.Text.Short),
	}
	if turning.Instead.Short != "" {
		found.brief += " " + rulebook.Complete(turning.Instead.Short)
	}
	ply := turning.Ply
	if missed := review.Missed; missed.Text.Long != "" { // the reader didn't win
		found.text, ply = missed.Text.Long, missed.Ply
		if missed.Exists {
			found.text = missed.Title + ". " + missed.Text.Long
		}
		found.brief = found.text
	}
	if ply > 0 {
		found.again = &review.Moves[ply-1]
	}
	return found
}

// account describes a finished game: its turning point, and the score of the series.
func (t *table) account() (lines []line) {
	if aside := t.narrator().Aside().Long; aside != "" {
		lines = append(lines, line{text: aside, rank: otherRank})
	}
	if t.turned != nil && t.turned.text != "" {
		found := line{text: t.turned.text, brief: t.turned.brief}
		if t.offer != "" {
			found.rank = otherRank
		}
		lines = append(lines, found)
	}
	if t.state.Setup.Length() > 0 || t.score != (rulebook.Score{}) {
		lines = append(lines, lineOf(draw.Strong, t.series().Long))
	}
	if t.offer != "" {
		lines = append(lines, lineOf(draw.Accent.Style(), rulebook.AskLevel(t.run, t.offer).Long))
	}
	return lines
}

// afterwards returns the keys after a finished game.
func (t *table) afterwards(m *Model) []binding {
	var keys []binding
	if about, again := t.again(); again != nil {
		keys = append(keys, on(again, about, "enter"))
	}
	if t.offer != "" {
		keys = append(keys, on(t.playOffer, "play "+t.offer, "o").ranked(moveRank))
	}
	keys = append(keys, on(func(*Model) {
		m.push(newReview(t.state.Record(), t.pair))
	}, "review", "v").ranked(moveRank))
	if t.turned != nil && t.turned.again != nil {
		keys = append(keys, on(t.tryAgain, "try it again", "t").ranked(moveRank))
	}
	return keys
}

// tryAgain asks the player for a better move at the turning point.
func (t *table) tryAgain(m *Model) {
	m.push(newRetry(*t.turned.again, t.state.Setup.Rules, t.pair))
}

// playOffer opens a table like this one against the level on offer, and remembers the level if the
// settings of this table are remembered.
func (t *table) playOffer(m *Model) {
	settings := t.settings
	for _, seat := range match.Seats {
		if t.runs(seat) {
			settings.Levels[seat] = t.offer
		}
	}
	if m.settings.same(t.settings) {
		m.settings = settings
	}
	first := t.state.Setup.First.Other()
	m.pop()
	m.openTable(settings, beginning{first: first})
}

// again returns the act after a finished game, if a player here decides it, and its description.
func (t *table) again() (about string, do act) {
	seat, plays := t.mine()
	s, about, a := t.state, "play again", match.Rematch
	if !s.SeriesOver() {
		about, a = "next game", match.Next
	}
	switch {
	case t.lesson != nil:
		return "play the computer", t.next
	case t.own:
		return about, t.next
	case !plays || s.Ready[seat] || s.Again[seat] || t.sent:
		return "", nil
	}
	return about, t.acts(seat, a)
}
