package coach

import (
	"fmt"
	"slices"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A Review is a game with every move judged.
type Review struct {
	Rules  digit.Rules  `json:"rules"`
	Result digit.Result `json:"result"`
	Moves  []Judged     `json:"moves"`
	First  Accuracy     `json:"first"`
	Second Accuracy     `json:"second"`
	Value  solve.Value  `json:"value"`            // what the last position is worth to the side to move, or if the game is over, that would be
	Remark string       `json:"remark,omitempty"` // what is to be said of the end of the game
	Swing  Swing        `json:"-"`                // where it turned
}

// A Judged is one move of a game.
type Judged struct {
	Ply      int            `json:"ply"` // counted from 1
	Side     digit.Side     `json:"side"`
	Position string         `json:"position"` // before the move
	At       digit.Position `json:"-"`        // the same
	Verdict
}

// Did tells who made the move: "Ben put 7 on the left"; of one that was given, whose it is: "7 on the left for Ben".
func (j Judged) Did(v rulebook.Voice) string {
	if j.Grade == Given {
		return v.Back(j.At, j.Move) + " for " + v.Whom(j.Side)
	}
	return v.Who(j.Side) + " " + v.Did(j.At, j.Move)
}

// Accuracy is how well a side played. Only real decisions count: positions in which not all moves are worth the same outcome.
type Accuracy struct {
	Moves     int     `json:"moves"`
	Decisions int     `json:"decisions"`
	Kept      int     `json:"kept"` // the decisions that threw nothing away
	Mistakes  int     `json:"mistakes"`
	Blunders  int     `json:"blunders"`
	Lost      float64 `json:"lost"` // the sum of what was thrown away

	// Of a program: how many answers beside its moves were moves that were not legal, and how many no moves at all.
	Illegal    int `json:"illegal,omitempty"`
	Unreadable int `json:"unreadable,omitempty"`
}

// Share returns the share of the decisions that threw nothing away, from 0 to 1; ok is false when there was nothing to decide.
func (a Accuracy) Share() (share float64, ok bool) {
	if a.Decisions == 0 {
		return 0, false
	}
	return float64(a.Kept) / float64(a.Decisions), true
}

// Told tells how well a side played: "You found the right move in 2 of 3 decisions."
func (a Accuracy) Told(cast rulebook.Cast, s digit.Side) string {
	text, _ := rulebook.Tell(digit.Rules{}, cast, func(v rulebook.Voice) string {
		plural, faults := "s", rulebook.Faults(a.Illegal, a.Unreadable)
		if a.Moves == 0 && faults != "" {
			return v.Who(s) + " made no move: " + faults + "."
		}
		if faults != "" {
			faults = " Besides, " + faults + "."
		}
		switch a.Decisions {
		case 0:
			return v.Who(s) + " had nothing to decide." + faults
		case 1:
			plural = ""
		}
		return fmt.Sprintf("%s found the right move in %d of %d decision%s.", v.Who(s), a.Kept, a.Decisions, plural) + faults
	})
	return text
}

func (a *Accuracy) add(v Verdict) {
	a.Moves++
	a.Lost += v.Lost
	if !v.Decision {
		return
	}
	a.Decisions++
	switch v.Grade {
	case Mistake:
		a.Mistakes++
	case Blunder:
		a.Blunders++
	default:
		a.Kept++
	}
}

// ReviewGame judges every move of a record of the solved game, but for those that the game began with, and for a first one that might be taken over. The error is the [*digit.RecordError] of a game that cannot have
// been played, or says that the record is one of another game.
func ReviewGame(s *solve.Solution, rec digit.Record, cast rulebook.Cast) (Review, error) {
	if rec.Rules != s.Rules() {
		return Review{}, fmt.Errorf("record of %v: it cannot be reviewed with the solution of %v", rec.Rules, s.Rules())
	}
	positions, err := rec.Positions()
	if err != nil {
		return Review{}, err
	}
	rv := Review{Rules: rec.Rules, Result: rec.Result, Moves: make([]Judged, 0, len(rec.Moves))}
	unjudged, why := rec.Given(), rulebook.GivenMove
	if rec.Tag(digit.SwapTag) != "" {
		unjudged, why = 1, rulebook.SwapMove
	}
	for i, m := range rec.Moves {
		p, side := positions[i], rec.Rules.Turn(positions[i])
		verdict := given(s, p, m, why)
		if i >= unjudged {
			verdict = judge(s, p, m, cast, tone{past: true, order: true})
			rv.side(side).add(verdict)
		}
		rv.Moves = append(rv.Moves, Judged{i + 1, side, rec.Rules.Text(p), p, verdict})
	}
	rv.First.Illegal, rv.First.Unreadable = rec.Faults(digit.First)
	rv.Second.Illegal, rv.Second.Unreadable = rec.Faults(digit.Second)
	end := positions[len(positions)-1]
	rv.Value = s.Value(end)
	remark := remark(s, end, rec.Result, cast)
	rv.Remark = remark.Long
	rv.Swing = rv.swing(s, remark, cast)
	return rv, nil
}

// given returns the verdict on a move that is not judged, and why.
func given(s *solve.Solution, p digit.Position, m digit.Move, why string) Verdict {
	return Verdict{Move: m, Grade: Given, Best: s.Value(p), Value: s.Choice(p, m).Value, Line: []digit.Move{}, Told: why, Spoken: why}
}

func (rv *Review) side(s digit.Side) *Accuracy {
	if s == digit.First {
		return &rv.First
	}
	return &rv.Second
}

// remark tells what somebody gave away by not playing on. It is short only where there was something to give away; of a program that named no legal
// move it is also told that there was nothing.
func remark(s *solve.Solution, p digit.Position, result digit.Result, cast rulebook.Cast) (said rulebook.Said) {
	winner, decided := result.Winner()
	if !decided || s.Rules().Result(p).Over() {
		return said
	}
	lost := false
	said.Long, said.Spoken = tell(s, p, cast, tone{past: true}, func(v *view) string {
		loser := winner.Other()
		did := map[digit.Reason]string{
			digit.TimeOut: v.Whose(loser) + " time ran out", digit.Resignation: v.Who(loser) + " resigned",
			digit.Departure: v.Who(loser) + " left", digit.Forfeit: v.Who(loser) + " named no legal move",
		}[result.Reason]
		outcome := v.best.Outcome
		if loser == v.other {
			outcome = outcome.Other()
		}
		lost = outcome == solve.Loss
		switch {
		case outcome == solve.Draw:
			return did + ", but with best play it was a draw."
		case lost && result.Reason == digit.Forfeit:
			return did + ", but with best play the game was lost anyway."
		case lost:
			return ""
		case loser == v.other:
			return did + ", but with best play " + v.Whom(loser) + " won."
		}
		won := "at once"
		if v.best.Plies > 1 {
			won = v.Turns(v.best.Plies, v.other, false)
		}
		return did + ", but " + v.Back(p, v.advice().Move) + " won " + won + "."
	})
	if said.Long != "" && !lost {
		said.Short = "It was not lost yet"
	}
	return said
}

// Mistakes returns the moves that threw something away, of the given sides or, if none is given, of both: what a player may
// try again, with [Judge] to say how that went.
func (rv Review) Mistakes(sides ...digit.Side) []Judged {
	var steps []Judged
	for _, step := range rv.Moves {
		if !step.Kept() && (len(sides) == 0 || slices.Contains(sides, step.Side)) {
			steps = append(steps, step)
		}
	}
	return steps
}
