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
	Rules   digit.Rules  `json:"rules"`
	Result  digit.Result `json:"result"`
	Moves   []Judged     `json:"moves"`
	Moments []int        `json:"moments,omitempty"` // the plies of at most three moves worth a look
	First   Accuracy     `json:"first"`
	Second  Accuracy     `json:"second"`
	Value   solve.Value  `json:"value"`            // of the last position, to the player to move
	Remark  string       `json:"remark,omitempty"` // about a game that was resigned or lost on time

	TurningPoint TurningPoint `json:"-"`
	Missed       Alternative  `json:"-"` // for a reader who didn't win
}

// A Judged is one move of a game.
type Judged struct {
	Ply      int            `json:"ply"` // counted from 1
	Side     digit.Side     `json:"side"`
	Position string         `json:"position"` // before the move
	At       digit.Position `json:"-"`        // the same
	Moment   string         `json:"-"`        // "Move 5: you missed …"
	Better   Alternative    `json:"-"`        // for a moment that gave something up
	Verdict
}

// Did describes the move: "Ben put 7 on the left". A given move is "7 on the left for Ben".
func (j Judged) Did(v rulebook.Voice) string {
	if j.Grade == Given {
		return v.Back(j.At, j.Move) + " for " + v.Whom(j.Side)
	}
	return v.Who(j.Side) + " " + v.Did(j.At, j.Move)
}

// Accuracy counts how well a player decided. A decision is a position in which not all choices have
// the same outcome.
type Accuracy struct {
	Moves     int     `json:"moves"`
	Decisions int     `json:"decisions"`
	Kept      int     `json:"kept"` // the decisions that kept the outcome
	Mistakes  int     `json:"mistakes"`
	Blunders  int     `json:"blunders"`
	Lost      float64 `json:"lost"` // the sum over all moves

	// A program's answers that were illegal moves, and that were not moves at all.
	Illegal    int `json:"illegal,omitempty"`
	Unreadable int `json:"unreadable,omitempty"`
}

// Text returns the accuracy of a player as a sentence: "You got 2 of 3 decisions right."
func (a Accuracy) Text(cast rulebook.Cast, s digit.Side) string {
	who := rulebook.LongVoice(digit.Rules{}, cast).Who(s)
	faults := rulebook.Faults(a.Illegal, a.Unreadable)
	if a.Moves == 0 && faults != "" {
		return who + " made no move: " + faults + "."
	}
	if faults != "" {
		faults = " Besides, " + faults + "."
	}
	if a.Decisions == 0 {
		return who + " had nothing to decide." + faults
	}
	return fmt.Sprintf("%s got %d of %s right.%s", who, a.Kept,
		rulebook.Plural(a.Decisions, "decision"), faults)
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

// ReviewGame judges the moves of a record, but for those of an opening and a first one that could
// be taken over. The error is the [*digit.RecordError] of an impossible game, or says that the
// record has other rules than the solution.
func ReviewGame(s *solve.Solution, rec digit.Record, cast rulebook.Cast) (Review, error) {
	if rec.Rules != s.Rules() {
		return Review{}, fmt.Errorf("cannot review a record of %v with the solution of %v",
			rec.Rules, s.Rules())
	}
	positions, err := rec.Positions()
	if err != nil {
		return Review{}, err
	}
	rv := Review{Rules: rec.Rules, Result: rec.Result, Moves: make([]Judged, 0, len(rec.Moves))}
	given, why := rec.Given(), rulebook.GivenMove
	if rec.Tag(digit.SwapTag) != "" {
		given, why = 1, rulebook.SwapMove
	}
	for i, m := range rec.Moves {
		p := positions[i]
		j := Judged{Ply: i + 1, Side: rec.Rules.Turn(p), Position: rec.Rules.Text(p), At: p}
		if i < given || rec.Clocked(j.Ply) {
			if i >= given {
				why = rulebook.ClockMove
			}
			j.Verdict = Verdict{
				Move: m, Grade: Given, Best: s.Value(p), Value: s.Choice(p, m).Value,
				Line: []digit.Move{}, Text: why, Spoken: why,
			}
		} else {
			j.Verdict = verdict(s, p, m, cast)
			rv.side(j.Side).add(j.Verdict)
			j.judge(s, cast, rec.Moves[i+1:])
		}
		rv.Moves = append(rv.Moves, j)
	}
	rv.First.Illegal, rv.First.Unreadable = rec.Faults(digit.First)
	rv.Second.Illegal, rv.Second.Unreadable = rec.Faults(digit.Second)
	end := positions[len(positions)-1]
	rv.Value = s.Value(end)
	remark := remark(s, end, rec.Result, cast)
	rv.Remark = remark.Long
	rv.Moments = rv.moments(cast)
	for _, ply := range rv.Moments {
		if j := &rv.Moves[ply-1]; !j.Kept() {
			j.Better = rv.Alternative(s, ply, cast)
		}
	}
	rv.TurningPoint = rv.turningPoint(s, remark, cast)
	rv.Missed = rv.missed(s, end, cast)
	return rv, nil
}

func (rv *Review) side(s digit.Side) *Accuracy {
	if s == digit.First {
		return &rv.First
	}
	return &rv.Second
}

// Mistakes returns the moves that gave something up, of some players or of both. A player can try
// them again with [Judge].
func (rv Review) Mistakes(sides ...digit.Side) []Judged {
	var changes []Judged
	for _, j := range rv.Moves {
		if !j.Kept() && (len(sides) == 0 || slices.Contains(sides, j.Side)) {
			changes = append(changes, j)
		}
	}
	return changes
}

// moments returns the plies of at most three moves: the last change, the first, and the reader's
// finds from the last on. A game that nobody plays who reads has the finds of both.
func (rv Review) moments(cast rulebook.Cast) (plies []int) {
	add := func(j Judged) {
		if len(plies) < 3 && !slices.Contains(plies, j.Ply) {
			plies = append(plies, j.Ply)
		}
	}
	if changes := rv.Mistakes(); len(changes) > 0 {
		add(changes[len(changes)-1])
		add(changes[0])
	}
	for _, j := range slices.Backward(rv.Moves) {
		if j.Found() && (cast.You[j.Side] || cast.You == [2]bool{}) {
			add(j)
		}
	}
	slices.Sort(plies)
	return plies
}

// judge writes the sentences about a move of a game, which some moves follow.
func (j *Judged) judge(s *solve.Solution, cast rulebook.Cast, then []digit.Move) {
	written, spoken := phrase(s, j.At, cast, func(v *view) [2]string {
		text := v.judged(j.Verdict, then)
		return [2]string{text, v.begin(text) + "."}
	})
	j.Moment = fmt.Sprintf("Move %d: %s.", j.Ply, written[0])
	j.Text, j.Spoken = written[1], spoken[1]
	if !j.Kept() {
		j.Blame = j.Text
	}
}

// judged describes a move of a game in at most 14 words, from the middle of a sentence.
func (v *view) judged(j Verdict, then []digit.Move) string {
	c := v.solution.Choice(v.position, j.Move)
	wins := [...]string{solve.Win: "won", solve.Draw: "drew", solve.Loss: "lost"}[j.Best.Outcome]
	switch {
	case v.Rules.Result(c.Next).Reason == digit.Miscalled:
		return v.say("${me} called %s, which is not a multiple of ${t}", v.Number(j.Move.Call))
	case !j.Kept():
		return v.change(j, c, then)
	case j.Found() && j.Best.Outcome == solve.Draw:
		return v.say("${me} found the only move out of %d that kept the draw", j.Choices)
	case j.Found():
		return v.say("${me} found the only winning move out of %d", j.Choices)
	case !j.Decision:
		return v.say("every ${move} %s", wins)
	case j.Best.Outcome == solve.Win && c.Value.Plies > j.Best.Plies:
		return "this won too, but " + v.Back(v.position, v.advice().Move) + " was faster"
	default:
		return v.say("%d of %d ${move}s %s", j.Keep, j.Choices, wins)
	}
}

// change describes a move that gave up the outcome.
func (v *view) change(j Verdict, c solve.Choice, then []digit.Move) string {
	back := v.Back(v.position, v.advice().Move)
	draw := j.Best.Outcome == solve.Draw
	if j.Best == winNow {
		return v.say("${me} missed %s, which wins at once", back)
	}
	if len(then) > 0 && len(v.Rules.Spots(v.position, then[0].Digit)) > 0 {
		f := v.finish(v.solution.Choice(c.Next, then[0]))
		if f.Result.Reason == digit.Multiple {
			made := "made"
			if then[0].Calls() {
				made = "called"
			}
			return v.say("${me} left %v, and ${they} %s %s", then[0].Digit, made,
				v.Made(f.Numbers[v.other]))
		}
	}
	switch {
	case j.Keep == 1 && draw:
		return "only " + back + " kept the draw"
	case j.Keep == 1:
		return back + " was the only winning move"
	case v.Rules.Result(c.Next).Over():
		return v.say("%d of %d ${move}s kept the draw", j.Keep, j.Choices)
	case c.Value.Outcome == solve.Loss:
		return v.say("after it, ${they} could force a win")
	default:
		return "after it, nobody could force a win"
	}
}

// remark describes the end of a game that a player didn't play to the end. Its short form is for a
// game that wasn't lost.
func remark(s *solve.Solution, p digit.Position, result digit.Result,
	cast rulebook.Cast) (said rulebook.Said) {
	winner, decided := result.Winner()
	if !decided || s.Rules().Result(p).Over() {
		return said
	}
	ahead, forced := s.Value(p).Winner(s.Rules().Turn(p))
	lost := forced && ahead == winner
	if !lost {
		said.Short = "The game wasn't lost"
	}
	said.Long, said.Spoken = phrase(s, p, cast, func(v *view) string {
		loser, did := winner.Other(), v.GaveUp(result)
		if result.Reason == digit.Forfeit {
			did = v.Who(loser) + " named no legal move"
		}
		switch {
		case lost:
			return did + " in a lost position."
		case !forced:
			return did + ", but nobody could force a win."
		case loser == v.other:
			return did + ", but " + v.Whom(loser) + " could force a win."
		default:
			return did + ", but " + v.Back(p, v.advice().Move) + " would have won."
		}
	})
	return said
}
