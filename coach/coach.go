// Package coach tells players why: hints in three steps, the review of a finished game, and puzzles. All it says follows from a
// solved game, so every verdict is a proof and not an estimate.
//
// A hint is told in steps, each to those who ask again: what to look for, the idea, and the move with its proof,
//
//	You can make two winning digits at once.
//	Find the move after which both 0 and 7 would win.
//	Put 4 on the left: then 0 makes 490 = 7·70 and 7 makes 497 = 7·71. Ben can take only one. 2 of your 16 moves win.
//
// and the move of a game in one sentence or two, its grade first:
//
//	Blunder: you missed 2 in the middle, 721 = 7·103. You would have won at once.
//
// Of all there is to say the first is told that holds: a win at once, what the other player threatens, two winning digits, a number
// that cannot be caught up with, a last digit that does not help, a threat that forces an answer, an answer to everything. Where none
// holds, it is how long the win takes, and no reason is invented. A test reads every sentence back and works out anew what it claims.
// In all of them
//   - turns are counted for both players, the move in question included,
//   - moves that differ only in the call count as one, as [solve.Choice] has it.
package coach

import (
	"fmt"
	"slices"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A Grade is how good a move was.
type Grade uint8

const (
	Best    Grade = iota // nothing is better
	Fine                 // the outcome is kept, but the win comes later or the loss sooner than it need
	Mistake              // the outcome is thrown away
	Blunder              // the outcome is thrown away in plain sight: a win at once was missed, or the next move loses it
	Given                // nobody is to be blamed for the move: the game began with it, or it might be taken over
)

var gradeNames = []string{"best", "fine", "mistake", "blunder", "given"}

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
		return fmt.Errorf("grade %q: allowed: best, fine, mistake, blunder, given", text)
	}
	*g = Grade(i)
	return nil
}

// A Hint is the move to make in a position, and why, in steps.
type Hint struct {
	Move   digit.Move  `json:"move"`
	Value  solve.Value `json:"value"`          // what the move is worth to who makes it
	Look   string      `json:"look"`           // what kind of thing to look for
	Idea   string      `json:"idea,omitempty"` // more than that, but never both the digit and where it goes; may be empty
	Reason string      `json:"reason"`         // the move and what proves it, of at most 160 characters unless names are long
	Spoken [3]string   `json:"-"`              // the three to be heard
}

// Advise returns a hint for who is to move; ok is false when the game is over.
//
// A won position gets a quickest win, where there is a choice the firmest one: that leaves the most winning digits, or makes the
// higher or lower number certain by the most. A drawn or lost one gets the move that sets the most problems: that lets the largest
// share of the replies go wrong, and then the one that lasts longest.
func Advise(s *solve.Solution, p digit.Position, cast rulebook.Cast) (h Hint, ok bool) {
	if s.Rules().Result(p).Over() {
		return Hint{}, false
	}
	return advise(s, p, cast, func(*view) bool { return true }), true
}

// AdviseWith returns a hint for who is to move and has picked a digit: where it goes, or that it should be taken back; ok is false when the
// digit cannot be taken.
func AdviseWith(s *solve.Solution, p digit.Position, d digit.Digit, cast rulebook.Cast) (h Hint, ok bool) {
	if len(s.Rules().Spots(p, d)) == 0 {
		return Hint{}, false
	}
	return advise(s, p, cast, func(v *view) bool { return v.pick(d) }), true
}

// advise returns a hint for a view, of which narrow reports whether it keeps the outcome.
func advise(s *solve.Solution, p digit.Position, cast rulebook.Cast, narrow func(*view) bool) (h Hint) {
	written, spoken := tell(s, p, cast, tone{order: true}, func(v *view) [3]string {
		lost := v.best.Outcome
		keeps := narrow(v)
		c := v.advice()
		h.Move, h.Value = c.Move, c.Value
		if !keeps {
			return v.regret(c, lost)
		}
		r := v.row(c)
		return [3]string{r.nudge, r.idea, v.begin(v.reason(c, r))}
	})
	h.Look, h.Idea, h.Reason, h.Spoken = written[0], written[1], written[2], spoken
	return h
}

// Reader returns the cast for a side that reads what is told to it alone, against somebody without a name: who solves a puzzle.
func Reader(s digit.Side) (c rulebook.Cast) {
	c.You[s] = true
	return c
}

// tell returns what a view tells to be read and to be heard.
func tell[T any](s *solve.Solution, p digit.Position, cast rulebook.Cast, how tone, say func(*view) T) (written, spoken T) {
	how.limit = most
	rulebook.Tell(s.Rules(), cast, func(voice rulebook.Voice) string {
		written, spoken = spoken, say(see(s, p, voice, how)) // it is asked first for what is read
		how.limit = 0
		return ""
	})
	return written, spoken
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
	Told       string       `json:"-"`                    // the whole judgement: the grade and why, or whether the move is one that was to be found
	Spoken     string       `json:"-"`                    // the same to be heard
	Line       []digit.Move `json:"line"`                 // how the game goes on with best play, from this move if it is best, else from the better one
	Refutation []digit.Move `json:"refutation,omitempty"` // if the move threw something away, how the other side takes it
}

// Kept reports whether the move kept the outcome; in a puzzle that is to have solved it. Nobody is to blame for a move that was given.
func (v Verdict) Kept() bool { return v.Grade == Given || v.Value.Outcome == v.Best.Outcome }

// Judge judges a move that somebody tries. Blame then tells what comes of it, and does not give the better move away as Reason does. The
// error is the [*digit.MoveError] of a move that is not legal.
func Judge(s *solve.Solution, p digit.Position, m digit.Move, cast rulebook.Cast) (Verdict, error) {
	if _, err := s.Rules().Play(p, m); err != nil {
		return Verdict{}, err
	}
	return judge(s, p, m, cast, tone{order: true}), nil
}

func judge(s *solve.Solution, p digit.Position, m digit.Move, cast rulebook.Cast, how tone) (out Verdict) {
	out.Told, out.Spoken = tell(s, p, cast, how, func(v *view) string {
		c := s.Choice(p, m)
		better := c
		blame := ""
		grade := v.grade(c)
		if grade != Best {
			better, blame = v.advice(), v.blame(c)
		}
		reason := v.reason(better, v.row(better))
		if out.Reason == "" {
			n, all := v.kept()
			out = Verdict{
				Move: m, Grade: grade, Best: v.best, Value: c.Value, Lost: v.best.Outcome.Points() - c.Value.Outcome.Points(),
				Decision: n < all || c.Value.Outcome != v.best.Outcome, Reason: v.begin(reason), Blame: v.begin(blame),
				Line: append([]digit.Move{better.Move}, course(s, better.Next)...),
			}
			if !out.Kept() {
				out.Refutation = course(s, c.Next)
			}
		}
		return v.told(c, grade, reason, blame)
	})
	return out
}
