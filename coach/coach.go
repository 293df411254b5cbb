// Package coach tells players why: hints with reasons, the review of a finished game, and puzzles. All it says follows
// from a solved game, so every verdict is a proof and not an estimate.
//
// A reason is one line of one to three clauses with "; " between them, the most concrete first, in the third person and without
// a subject, so that the same words serve a hint ("5b: stops 350; …") and a review. The clauses are
//
//	wins at once: 532 is a multiple of 7          or how the final orders compare the two numbers
//	stops 532, not 539                            what the other side could have completed with its next digit
//	leaves 2 and 9 for 7_1: whichever goes, the other one wins
//	threatens 756 with 6, and if 6 goes, 4c wins at once
//	meets every reply with a double threat: 1a with 3c, which leaves 2 and 9 for _03
//	meets the longest reply, 1a, with 8c, which …
//	beats 5 of 6 replies at once with 6c, the rest with 4c
//	leaves no way out for _78, at best 678: …     the last digit of the other side, and how that compares
//	makes it certain: at least 912 against at most 876
//	leaves 8a and 9a: whichever goes, the other one makes it certain
//	wins in 7 turns at the longest: 0c 1a 3b 8c 2a 5d
//	is one of 3 winning moves of 30
//
// for a draw "holds the draw, as 2 of 8 moves do", "ends level after 2L 8L: …", "of 4 replies only 2L holds the draw"; for a lost
// move "every move loses", "lasts 4 turns, and 11 of 14 replies throw the win away", "cannot catch up: …", "loses to 3b, which …";
// and against a bad one "misses 532, a multiple of 7", "lets 539 through", "allows 3b, which …", "gives up a win in 3 turns".
//
// Each clause claims something that can be checked by the rules, and a test does check every one. In all of them
//   - turns are counted for both sides, the move in question included,
//   - numbers are written in the base of the game and the target in base ten, as in the text of the rules,
//   - moves that differ only in the call count as one, namely as the best of them: nobody calls wrong on purpose.
package coach

import (
	"fmt"
	"slices"

	"digitduel/digit"
	"digitduel/solve"
)

// A Grade is how good a move was.
type Grade uint8

const (
	Best    Grade = iota // nothing is better
	Fine                 // the outcome is kept, but the win comes later or the loss sooner than it need
	Mistake              // the outcome is thrown away
	Blunder              // the outcome is thrown away in plain sight: a win at once was missed, or the next move loses it
)

var gradeNames = []string{"best", "fine", "mistake", "blunder"}

func (g Grade) String() string {
	if int(g) < len(gradeNames) {
		return gradeNames[g]
	}
	return fmt.Sprintf("%d?", uint8(g))
}

// MarshalText implements [encoding.TextMarshaler].
func (g Grade) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (g *Grade) UnmarshalText(text []byte) error {
	i := slices.Index(gradeNames, string(text))
	if i < 0 {
		return fmt.Errorf("grade %q: allowed: best, fine, mistake, blunder", text)
	}
	*g = Grade(i)
	return nil
}

// A Hint is the move to make in a position, and why.
type Hint struct {
	Move   digit.Move  `json:"move"`
	Value  solve.Value `json:"value"`  // what the move is worth to who makes it
	Look   string      `json:"look"`   // what kind of thing to look for, for those who want to find the move themselves
	Reason string      `json:"reason"` // see [Reason]
}

// Advise returns a hint; ok is false when the game is over.
//
// A won position gets a quickest win, where there is a choice the firmest one: that leaves the most winning digits, or makes the
// higher or lower number certain by the most. A drawn or lost one gets the move that sets the most problems: that lets the largest
// share of the replies go wrong, and then the one that lasts longest.
func Advise(s *solve.Solution, p digit.Position) (h Hint, ok bool) {
	v := see(s, p)
	if len(v.choices) == 0 {
		return Hint{}, false
	}
	c := v.advice()
	return Hint{Move: c.Move, Value: c.Value, Look: v.look(c), Reason: v.reason(c)}, true
}

// A Verdict is the judgement of one move.
type Verdict struct {
	Move       digit.Move   `json:"move"`
	Grade      Grade        `json:"grade"`
	Best       solve.Value  `json:"best"`                 // what the position is worth to who moves
	Value      solve.Value  `json:"value"`                // what this move is worth to him
	Lost       float64      `json:"lost"`                 // what it threw away: 1 for a win turned into a loss, ½ to or from a draw
	Decision   bool         `json:"decision"`             // not all choices are worth the same outcome, or this call is not, so there was something to decide
	Reason     string       `json:"reason"`               // why the move is good, or if it is not, why the first move of the line is
	Blame      string       `json:"blame,omitempty"`      // why the move is not best
	Line       []digit.Move `json:"line"`                 // how the game goes on with best play, from this move if it is best, else from the better one
	Refutation []digit.Move `json:"refutation,omitempty"` // if the move threw something away, how the other side takes it
}

// Kept reports whether the move kept the outcome; in a puzzle that is to have solved it.
func (v Verdict) Kept() bool { return v.Value.Outcome == v.Best.Outcome }

// Judge judges a move of a position. The error is the [*digit.MoveError] of a move that is not legal.
func Judge(s *solve.Solution, p digit.Position, m digit.Move) (Verdict, error) {
	if _, err := s.Rules().Play(p, m); err != nil {
		return Verdict{}, err
	}
	v := see(s, p)
	c := s.Choice(p, m)
	out := Verdict{
		Move: m, Grade: v.grade(c), Best: v.best, Value: c.Value,
		Lost: v.best.Outcome.Points() - c.Value.Outcome.Points(), Decision: solve.Keep(v.choices) < len(v.choices) || c.Value.Outcome != v.best.Outcome,
	}
	better := c
	if out.Grade != Best {
		better = v.advice()
		out.Blame = v.blame(c)
	}
	out.Reason = v.reason(better)
	out.Line = append([]digit.Move{better.Move}, course(s, better.Next)...)
	if !out.Kept() {
		out.Refutation = course(s, c.Next)
	}
	return out, nil
}

// Reason says why a legal move is good: what it wins, stops, leaves and threatens, and how many others do as well.
// Of a move that throws something away it says what speaks against it. It is never empty, and one line of at most 160 characters.
func Reason(s *solve.Solution, p digit.Position, m digit.Move) string {
	v := see(s, p)
	c := s.Choice(p, m)
	if c.Value.Outcome != v.best.Outcome {
		return v.blame(c)
	}
	return v.reason(c)
}
