package digit

import (
	"slices"
	"strings"
)

// A Side is one of the two players of a game: who moves first in it and who second.
type Side uint8

const (
	First Side = iota
	Second
)

// Other returns the other side.
func (s Side) Other() Side { return s ^ 1 }

func (s Side) String() string {
	if s == First {
		return "first"
	}
	return "second"
}

// A Score is who has won.
type Score uint8

const (
	Open       Score = iota // the game is not over
	FirstWins               //
	SecondWins              //
	Draw                    //
)

var scoreNames = []string{"*", "1-0", "0-1", "1/2"}

func (s Score) String() string { return nameOf(scoreNames, s) }

// WinFor returns the score with which side s wins.
func WinFor(s Side) Score { return FirstWins + Score(s) }

// A Reason is why a game is over. Time and Resigned are given by a table, the others by the rules.
type Reason uint8

const (
	NoReason    Reason = iota
	Multiple           // a multiple of the target was built or called
	Miscalled          // what was called is not a multiple
	ByAbove            // by the orders of [Final]
	ByBelow            //
	ByNearest          //
	ByHigher           //
	ByLower            //
	ByLater            //
	Equal              // no order decided: a draw
	TimeOut            // the loser's time ran out
	Resignation        // the loser resigned
)

var reasonNames = []string{"", "multiple", "miscalled", "above", "below", "nearest", "higher", "lower", "later", "equal", "time", "resigned"}

func (w Reason) String() string { return nameOf(reasonNames, w) }

func reasonOf(o Order) Reason { return ByAbove + Reason(o-Above) }

// A Result is how a game stands: who has won and why. The zero Result is a game that is not over.
// Its text is the score and the reason, "0-1 multiple", "1/2 equal", or "*" for a game that is not over.
type Result struct {
	Score  Score
	Reason Reason
}

// Over reports whether the game is over.
func (r Result) Over() bool { return r.Score != Open }

// Winner returns who has won; ok is false when nobody has.
func (r Result) Winner() (s Side, ok bool) {
	return Side(r.Score - FirstWins), r.Score == FirstWins || r.Score == SecondWins
}

func (r Result) String() string {
	if r.Reason == NoReason {
		return r.Score.String()
	}
	return r.Score.String() + " " + r.Reason.String()
}

// ParseResult reads a result; the error is a [*ParseError].
func ParseResult(text string) (Result, error) {
	score, reason, _ := strings.Cut(text, " ")
	r := Result{Score(max(0, slices.Index(scoreNames, score))), Reason(max(0, slices.Index(reasonNames, reason)))}
	fits := r.Reason != NoReason && r.Reason != Equal
	switch r.Score {
	case Open:
		fits = r.Reason == NoReason
	case Draw:
		fits = r.Reason == Equal
	}
	if !fits || r.String() != text {
		return Result{}, &ParseError{"result", text, "a result is *, 1/2 equal, or 1-0 or 0-1 with one of " +
			strings.Join(slices.DeleteFunc(slices.Clone(reasonNames[1:]), func(s string) bool { return s == reasonNames[Equal] }), ", ")}
	}
	return r, nil
}

// MarshalText implements [encoding.TextMarshaler].
func (r Result) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (r *Result) UnmarshalText(text []byte) (err error) {
	*r, err = ParseResult(string(text))
	return err
}
