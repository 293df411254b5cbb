package web

import (
	"strings"

	"digitduel/match"
	"digitduel/rulebook"
)

// announcement describes events to a viewer who uses a screen reader. Before is the state before
// the first of them.
func announcement(steps []match.Step, v viewer, before match.State) string {
	var told []string
	for _, step := range steps {
		if text := v.narrator(step.After).Event(step.Event, before).Spoken; text != "" {
			told = append(told, text)
		}
		before = step.After
	}
	s, n := before, v.narrator(before)
	if steps[len(steps)-1].Event.Kind.Matters() && s.Playing() && v.is(s.Turn()) {
		told = append(told, rulebook.Turn(n.Rules(), s.Position, n.Sides(), true).Spoken)
		if s.MaySwap() {
			told = append(told, rulebook.AskSwap(n.Sides(), s.Side(v.seat), n.Back(0)).Spoken)
		}
	}
	return strings.Join(told, " ")
}

// randomMove describes the last move to a viewer if it was played at random because time ran out.
func randomMove(t *match.Table, s match.State, v viewer) rulebook.Said {
	if s.Setup.OnTimeout != match.Random {
		return rulebook.Said{}
	}
	e, ok := t.Last(s.Seq)
	if !ok || e.Kind != match.Moved || !e.Auto {
		return rulebook.Said{}
	}
	return v.narrator(s).Move(true)
}
