// Package coach teaches: it gives hints, reviews finished games, and sets puzzles. Everything it
// says follows from a solved game, so each statement is a proof and not an estimate.
//
// A hint has three steps, for a player who asks again each time: what to look for, the idea, and
// the move with its reason.
//
//	Find a move that gives you two winning digits.
//	After it, 2 and 9 both win.
//	Put 1 on the right: then 2 makes 721 = 7 × 103 and 9 makes 791 = 7 × 113.
//	Ben can take only one.
//
// A review has at most three moments, and the one that decided the game:
//
//	Move 5: you missed 2 in the middle, which wins at once.
//	Your third move decided it. 2 or 9 in the middle would have won.
//
// A test reads every sentence back and checks its claims against the rules and the solver. Turns
// count both players, and moves that differ only in the call count as one, as in [solve.Choice].
package coach

import (
	"cmp"
	"fmt"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A Grade rates a move.
type Grade uint8

const (
	Best    Grade = iota // no move is better
	Fine                 // it keeps the outcome, but wins later or loses sooner than the best move
	Mistake              // it gives up a win or a draw
	Blunder              // so does it, but it also misses a win at once or loses to the next move
	Given                // it isn't judged: the game began with it, or it could be taken over
)

var gradeNames = []string{"best", "fine", "mistake", "blunder", "given"}

func (g Grade) String() string { return digit.NameOf(gradeNames, g) }

// MarshalText implements [encoding.TextMarshaler].
func (g Grade) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (g *Grade) UnmarshalText(text []byte) (err error) {
	*g, err = digit.ReadName[Grade]("grade", string(text), gradeNames)
	return err
}

// A Hint is a move for the player to move, with the reason in three steps.
type Hint struct {
	Move   digit.Move  `json:"move"`
	Value  solve.Value `json:"value"`          // the value of the move to its player
	Look   string      `json:"look"`           // names neither the digit nor the place of the move
	Idea   string      `json:"idea,omitempty"` // names at most one of them; may be empty
	Reason string      `json:"reason"`         // the move and why, mostly in 160 characters
	Spoken [3]string   `json:"-"`              // the three steps to be heard
}

// Advise returns a hint for the player to move; ok is false when the game is over.
//
// In a won position it advises a fastest win, and of those one that leaves the most winning digits
// or makes the higher or lower number certain by the most. In others it advises the move with the
// fewest right replies, and of those one that lasts longest.
func Advise(s *solve.Solution, p digit.Position, cast rulebook.Cast) (h Hint, ok bool) {
	if s.Rules().Result(p).Over() {
		return Hint{}, false
	}
	return advise(s, p, cast, func(v *view) (solve.Choice, [3]string) {
		c := v.advice()
		r := v.row(c)
		return c, [3]string{r.look, r.idea, v.step(c, r)}
	}), true
}

// AdviseWith returns a hint for a player who has picked a digit: its place, or that it should be
// put back; ok is false when the digit can't be taken.
func AdviseWith(s *solve.Solution, p digit.Position, d digit.Digit, cast rulebook.Cast) (h Hint,
	ok bool) {
	if len(s.Rules().Spots(p, d)) == 0 {
		return Hint{}, false
	}
	return advise(s, p, cast, func(v *view) (solve.Choice, [3]string) {
		was := v.best.Outcome
		keeps := v.pick(d)
		c := v.advice()
		if !keeps {
			return c, v.regret(c, was)
		}
		return c, [3]string{v.where(d), "", v.step(c, v.row(c))}
	}), true
}

// advise returns the hint that a function writes.
func advise(s *solve.Solution, p digit.Position, cast rulebook.Cast,
	write func(*view) (solve.Choice, [3]string)) (h Hint) {
	written, spoken := phrase(s, p, cast, func(v *view) [3]string {
		c, steps := write(v)
		h.Move, h.Value = c.Move, c.Value
		return steps
	})
	h.Look, h.Idea, h.Reason, h.Spoken = written[0], written[1], written[2], spoken
	return h
}

// where returns the first step for a picked digit that keeps the outcome.
func (v *view) where(d digit.Digit) string {
	text := d.String() + [...]string{
		solve.Win: " can win.", solve.Draw: " keeps the draw.",
		solve.Loss: " loses, as every digit does.",
	}[v.best.Outcome]
	if len(v.choices) > 1 {
		text += " Where does it go?"
	}
	return text
}

// regret returns the steps for a picked digit that gives up an outcome.
func (v *view) regret(c solve.Choice, was solve.Outcome) [3]string {
	what := "force a win"
	if was == solve.Draw {
		what = "keep the draw"
	}
	gone := v.say("With %v, ${me} can't %s.", c.Move.Digit, what)
	put := v.Put(v.position, c.Move)
	if v.Rules.MayCall(v.position) && !c.Move.Calls() {
		put = "don't call"
	}
	return [3]string{gone, "Take it back.", gone + " Take it back, or " + put + "."}
}

// Reader returns the cast of a puzzle: one player reads, and the other has no name.
func Reader(s digit.Side) (c rulebook.Cast) {
	c.You[s] = true
	return c
}

// A Verdict is the judgement of one move.
type Verdict struct {
	Move     digit.Move  `json:"move"`
	Grade    Grade       `json:"grade"`
	Best     solve.Value `json:"best"`     // the value of the position to its player
	Value    solve.Value `json:"value"`    // the value of the move to its player
	Lost     float64     `json:"lost"`     // 1 for a win turned into a loss, ½ to or from a draw
	Decision bool        `json:"decision"` // some choices, or this call, have another outcome
	Keep     int         `json:"keep"`     // the choices that keep the outcome
	Choices  int         `json:"choices"`
	Reason   string      `json:"reason"` // why the move, or the first one of the line, is good
	Blame    string      `json:"blame,omitempty"`
	Text     string      `json:"-"` // the judgement as a sentence or two
	Spoken   string      `json:"-"` // the same to be heard
	Reply    *digit.Move `json:"-"` // the opponent's, if the judgement names it

	Line       []digit.Move `json:"line"`                 // best play, from this move if it is best
	Refutation []digit.Move `json:"refutation,omitempty"` // best play after a move that isn't Kept
}

// Kept reports whether the move kept the outcome, which solves a puzzle. A given move always does.
func (v Verdict) Kept() bool { return v.Grade == Given || v.Value.Outcome == v.Best.Outcome }

// Found reports whether the move was the only one of several that kept the outcome.
func (v Verdict) Found() bool {
	return v.Grade != Given && v.Kept() && v.Keep == 1 && v.Choices > 1 &&
		v.Best.Outcome != solve.Loss
}

// Judge judges a move that a player tries. It says what follows a wrong one, and doesn't give the
// solution away. The error is the [*digit.MoveError] of an illegal move.
func Judge(s *solve.Solution, p digit.Position, m digit.Move, cast rulebook.Cast) (Verdict, error) {
	if _, err := s.Rules().Play(p, m); err != nil {
		return Verdict{}, err
	}
	out := verdict(s, p, m, cast)
	out.Text, out.Spoken = phrase(s, p, cast, func(v *view) string {
		c := s.Choice(p, m)
		if c.Value.Outcome == v.best.Outcome {
			return v.right(c)
		}
		text := v.wrong(c)
		out.Blame = cmp.Or(out.Blame, text) // the text to be read comes first
		if r, named := v.reply(c); named {
			out.Reply = &r.Move
		}
		return fmt.Sprintf("Not %s. %s", v.Back(p, m), text)
	})
	return out, nil
}

// verdict judges a legal move without words, but for the reason.
func verdict(s *solve.Solution, p digit.Position, m digit.Move, cast rulebook.Cast) Verdict {
	v, c := see(s, p, rulebook.Voice{}), s.Choice(p, m)
	better := c
	out := Verdict{
		Move: m, Grade: v.grade(c), Best: v.best, Value: c.Value,
		Keep: solve.Keep(v.choices), Choices: len(v.choices),
		Lost: v.best.Outcome.Points() - c.Value.Outcome.Points(),
	}
	out.Decision = out.Keep < out.Choices || !out.Kept()
	if out.Grade != Best {
		better = v.advice()
	}
	out.Line = append([]digit.Move{better.Move}, line(s, better.Next)...)
	if !out.Kept() {
		out.Refutation = line(s, c.Next)
	}
	out.Reason, _ = phrase(s, p, cast, func(v *view) string {
		return v.step(better, v.row(better))
	})
	return out
}
