package web

import (
	"strings"

	"digitduel/match"
	"digitduel/rulebook"
)

// announcement describes events to a viewer who uses a screen reader. Before is the state before
// the first of them.
func announcement(steps []match.Step, v viewer, before match.State) string {
	var texts []string
	for _, step := range steps {
		if text := v.narrator(step.After).Event(step.Event, before).Spoken; text != "" {
			texts = append(texts, text)
		}
		before = step.After
	}
	s, n := before, v.narrator(before)
	if steps[len(steps)-1].Event.Kind.Matters() && s.Playing() && v.is(s.Turn()) {
		texts = append(texts, rulebook.Turn(n.Rules(), s.Position, n.Sides(), true).Spoken)
		if s.MaySwap() {
			texts = append(texts, rulebook.AskSwap(n.Sides(), s.Side(v.seat), n.Back(0)).Spoken)
		}
	}
	return strings.Join(texts, " ")
}

// news adds a description of the last event, unless another part of the page shows it: moves, ends
// and players who come or go have their places there.
func (v *scene) news(t *match.Table, s match.State, by viewer) {
	e, _ := t.Last(s.Seq, match.Kinds()...)
	said, a := by.narrator(s).Event(e, s), v.Acts
	shown := strings.Join([]string{v.Note, a.UndoAsked, a.UndoBy, a.Left, a.HintsBy,
		a.RematchAsked, a.RematchBy}, " ")
	if v.Publish != nil {
		shown += v.Publish.Text
	}
	switch text := rulebook.Complete(said.Short); {
	case e.Kind.Matters() || e.Kind.ChangesRow() || strings.Contains(shown, said.Long):
	case s.Playing() && a.Swap.Long == "": // there is no room for both
		v.More = text
	case v.End != nil && v.Turned == nil: // nor for the better digit as well
		v.Note = strings.TrimSpace(v.Note + " " + text)
	}
}

// randomMove describes the last move to a viewer if it was played at random because time ran out.
func randomMove(t *match.Table, s match.State, v viewer) rulebook.Said {
	if e, _ := t.Last(s.Seq); e.Auto {
		return v.narrator(s).Move(true)
	}
	return rulebook.Said{}
}
