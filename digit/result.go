package digit

import (
	"slices"
	"strings"
)

// A Side is one of the two players of a game: the one that moves first or second.
type Side uint8

const (
	First Side = iota
	Second
)

// Sides lists the sides in the order in which they move.
var Sides = [...]Side{First, Second}

// Other returns the other side.
func (s Side) Other() Side { return s ^ 1 }

var sideNames = []string{"first", "second"}

func (s Side) String() string { return NameOf(sideNames, s) }

// MarshalText implements [encoding.TextMarshaler].
func (s Side) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (s *Side) UnmarshalText(text []byte) (err error) {
	*s, err = ReadName[Side]("side", string(text), sideNames)
	return err
}

// A Score says which side has won.
type Score uint8

const (
	Open       Score = iota // the game is not over
	FirstWins               //
	SecondWins              //
	Draw                    //
)

var scoreNames = []string{"*", "1-0", "0-1", "1/2"}

func (s Score) String() string { return NameOf(scoreNames, s) }

// WinFor returns the score with which side s wins.
func WinFor(s Side) Score { return FirstWins + Score(s) }

// A Reason identifies why a game is over. The rules give the reasons before TimeOut, a table the
// others.
type Reason uint8

const (
	NoReason    Reason = iota
	Multiple           // a multiple of the target was built or called
	Miscalled          // the called number is not a multiple
	ByAbove            // by an order of [Final], as are the next five
	ByBelow            //
	ByNearest          //
	ByHigher           //
	ByLower            //
	ByLater            //
	Equal              // no order decided: a draw
	TimeOut            // the loser's time ran out
	Resignation        // the loser resigned
	Departure          // the loser left the table
	Forfeit            // the loser, a program, used up its attempts without a legal move
)

var reasonNames = []string{
	"", "multiple", "miscalled", "above", "below", "nearest", "higher", "lower", "later", "equal",
	"time", "resigned", "left", "forfeit",
}

func (w Reason) String() string { return NameOf(reasonNames, w) }

func reasonOf(o Order) Reason { return ByAbove + Reason(o-Above) }

// Order returns the order of [Final] that decided. It reports false if none did.
func (w Reason) Order() (o Order, ok bool) {
	if w < ByAbove || w > ByLater {
		return noOrder, false
	}
	return Above + Order(w-ByAbove), true
}

// A Result is the state of a game: the winner and the reason. The zero Result is a game that is
// not over. Its text is the score and the reason, "0-1 multiple", "1/2 equal", or "*" for a game
// that is not over.
type Result struct {
	Score  Score
	Reason Reason
}

// Over reports whether the game is over.
func (r Result) Over() bool { return r.Score != Open }

// Winner returns the side that has won. It returns a side and false if neither has.
func (r Result) Winner() (s Side, ok bool) {
	return Side(r.Score-FirstWins) & 1, r.Score == FirstWins || r.Score == SecondWins
}

func (r Result) String() string {
	if r.Reason == NoReason {
		return r.Score.String()
	}
	return r.Score.String() + " " + r.Reason.String()
}

// ParseResult parses a result. The error is a [*ParseError].
func ParseResult(text string) (Result, error) {
	score, reason, _ := strings.Cut(text, " ")
	r := Result{
		Score(max(0, slices.Index(scoreNames, score))),
		Reason(max(0, slices.Index(reasonNames, reason))),
	}
	fits := r.Reason != NoReason && r.Reason != Equal
	switch r.Score {
	case Open:
		fits = r.Reason == NoReason
	case Draw:
		fits = r.Reason == Equal
	default: // a side has won
	}
	if !fits || r.String() != text {
		reasons := slices.Concat(reasonNames[1:Equal], reasonNames[Equal+1:])
		return Result{}, &ParseError{"result", text,
			"a result is *, 1/2 equal, or 1-0 or 0-1 with one of " + strings.Join(reasons, ", ")}
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

// Result returns the result of a position. It allocates nothing.
func (r Rules) Result(p Position) Result { return r.result(p) }

func (r *Rules) result(p Position) Result {
	turn := p.turn()
	last := turn.Other()
	w := p.of(last)
	full := w.count() == r.fills(last)
	switch {
	case !full && r.Win != EachTurn:
		return Result{}
	case w.called() && !r.divides(r.called(w)):
		return Result{WinFor(turn), Miscalled}
	case w.called() || r.tries(w, full) && r.isMultiple(r.number(w)):
		return Result{WinFor(last), Multiple}
	case !full || p.of(turn).count() < r.fills(turn):
		return Result{}
	}
	return r.decide(r.value(p.first), r.value(p.second), last)
}

// tries reports whether a number is tested for a multiple without a call.
func (r *Rules) tries(w row, full bool) bool {
	return r.Win == EachTurn && w != 0 || r.Win == WhenFull && full
}

// divides reports whether the target divides n.
func (r *Rules) divides(n Number) bool {
	return r.Target != 0 && n.value(r.base())%uint32(r.Target) == 0
}

// isMultiple reports whether a number, or with hands one of its arrangements, is a multiple of
// the target that can win.
func (r *Rules) isMultiple(n Number) bool {
	if r.Place == Hand {
		return r.HighestMultiple(n.Pool()) != Number{}
	}
	return (r.Zero == Counts || !n.beginsWithZero()) && r.divides(n)
}

// Value returns the value of the number of side s at the end of a game. For a hand it is the
// value of [Rules.Best].
func (r Rules) Value(p Position, s Side) int { return r.value(p.of(s)) }

func (r *Rules) value(w row) int { return int(r.Best(r.number(w)).value(r.base())) }

// Best returns n itself if it was built. For a hand it returns the arrangement that the final
// orders prefer, the lowest one if they prefer none.
func (r Rules) Best(n Number) (best Number) {
	if r.Place != Hand {
		return n
	}
	first, perfect := r.Final[0], 0 // the smallest measure that is possible
	if first == Above {
		perfect = 1
	}
	value, least := 0, 0
	r.arrange(n.Pool(), r.prefersHigher(), func(a Number, v int) bool {
		m := r.Measure(first, v)
		if best.width == 0 || m < least ||
			m == least && r.decide(v, value, Second).Score == FirstWins {
			best, value, least = a, v, m
		}
		// later arrangements are not better by other orders
		return least > perfect && first != Lower
	})
	return best
}

// prefersHigher reports whether the higher number wins between numbers that are equal by the
// other orders.
func (r *Rules) prefersHigher() bool {
	for _, o := range r.Final {
		if o >= Higher {
			return o == Higher
		}
	}
	return false
}

// decide compares two values by the final orders. Last is the side that placed the last digit.
func (r *Rules) decide(first, second int, last Side) Result {
	for _, o := range r.Final {
		if o == noOrder {
			break
		}
		if o == Later {
			return Result{WinFor(last), ByLater}
		}
		switch a, b := r.Measure(o, first), r.Measure(o, second); {
		case a < b:
			return Result{FirstWins, reasonOf(o)}
		case a > b:
			return Result{SecondWins, reasonOf(o)}
		}
	}
	return Result{Draw, Equal}
}

// Measure returns the measure by which an order compares a value. The smaller measure wins.
func (r Rules) Measure(o Order, value int) int {
	target := max(1, int(r.Target))
	over := value % target
	switch o {
	case Above:
		return target - over
	case Below:
		return over
	case Nearest:
		return min(over, target-over)
	case Higher:
		return -value
	case Lower:
		return value
	default:
		return 0
	}
}
