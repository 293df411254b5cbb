package rulebook

import (
	"fmt"
	"strings"

	"digitduel/digit"
)

// Turn tells whose turn it is in a game under way and, if that player sits here, what to do.
func Turn(r digit.Rules, p digit.Position, c Cast, here bool) Said {
	turn := r.Turn(p)
	if !here {
		return told(r, c,
			func(v Voice) []string { return []string{v.Whose(turn) + " turn"} },
			func(v Voice) string {
				if c.Computer[turn] && !c.You[turn] {
					return "The computer is thinking."
				}
				return v.Whose(turn) + " turn."
			})
	}
	short, long := todo(Voice{r, c, written}, p)
	return told(r, c,
		func(v Voice) []string { return []string{v.Whose(turn) + " turn: " + short, v.Whose(turn) + " turn"} },
		func(v Voice) string {
			text := v.Whose(turn) + " turn. " + long
			if v.form == heard {
				text = after(text, "Left: "+v.left(r.Left(p))+". "+v.stands(p, turn))
			}
			return text
		})
}

// Faulted tells that a program, whose turn it is, has answered without a legal move, how often by now, and how many tries it has left.
func Faulted(r digit.Rules, p digit.Position, c Cast, tried, left int) Said {
	turn := r.Turn(p)
	return told(r, c,
		func(v Voice) []string { return []string{v.Who(turn) + " named no legal move"} },
		func(v Voice) string {
			often := ""
			if tried > 1 {
				often = " in " + tries(tried)
			}
			return v.Who(turn) + " named no legal move" + often + "; " + tries(left) + " left."
		})
}

// Faults tells how many answers of a program were no legal moves: "2 answers were illegal and 1 was unreadable". It is empty without any.
func Faults(illegal, unreadable int) string {
	were := func(n int, what, word string) string {
		if n == 1 {
			return what + " was " + word
		}
		return what + " were " + word
	}
	switch {
	case illegal == 0 && unreadable == 0:
		return ""
	case unreadable == 0:
		return were(illegal, plural(illegal, "answer"), "illegal")
	case illegal == 0:
		return were(unreadable, plural(unreadable, "answer"), "unreadable")
	default:
		return were(illegal, plural(illegal, "answer"), "illegal") + " and " + were(unreadable, count(unreadable), "unreadable")
	}
}

// GoesOn tells of a table that there is more to play, where it is not known whose turn it is.
var GoesOn = plain("A game goes on", "A game goes on here.")

// ToDo tells what whoever is to move does, where it is told beside it whose turn it is.
func ToDo(r digit.Rules, p digit.Position) Said {
	short, long := todo(Voice{Rules: r, form: written}, p)
	return plain(capital(short), long)
}

// todo tells what whoever is to move does.
func todo(v Voice, p digit.Position) (short, long string) {
	r := v.Rules
	n := r.Number(p, r.Turn(p))
	missing := r.Fills(r.Turn(p)) - n.Pool().Len()
	switch {
	case r.MayCall(p):
		return "last digit, then call or not",
			fmt.Sprintf("Pick your last digit. Then call a multiple of %d, or call nothing. A wrong call loses.", r.Target)
	case r.Place == digit.Hand:
		return "pick a digit", "Pick a digit for your hand."
	case r.Place == digit.Ends && n.Len() == 0:
		return "pick your first digit", "Pick a digit to begin with."
	case r.Place == digit.Ends:
		return "pick a digit and an end", "Pick a digit, then left or right."
	case missing == 1:
		gap := strings.IndexByte(n.String(), '_')
		return "pick your last digit", "Pick the digit for " + v.Spot(digit.SlotAt(gap)) + ": it completes your number."
	default:
		return "pick a digit and a place", "Pick a digit, then a place for it."
	}
}

// stands tells what a side has.
func (v Voice) stands(p digit.Position, s digit.Side) string {
	n := v.Rules.Number(p, s)
	switch {
	case n.Pool() == 0:
		return ""
	case v.Rules.Place == digit.Hand:
		return v.Whose(s) + " hand: " + Digits(n.Pool()) + "."
	case v.Rules.Place == digit.Ends:
		return v.Whose(s) + " number: " + strings.Join(strings.Split(n.String(), ""), " ") + "."
	}
	var words []string
	for i := range n.Len() {
		d, filled := n.At(i)
		word := strings.TrimPrefix(v.spotWord(digit.SlotAt(i)), "the ")
		if filled {
			words = append(words, word+" "+d.String())
		} else {
			words = append(words, word+" blank")
		}
	}
	return v.Whose(s) + " number: " + strings.Join(words, ", ") + "."
}

// Stands tells what both sides have in a game under way, and whose turn it is.
func Stands(r digit.Rules, p digit.Position, c Cast) Said {
	turn := Turn(r, p, c, false)
	if r.Ply(p) == 0 {
		return plain("Nobody has a digit yet", "Nobody has a digit yet.").Then(turn)
	}
	return told(r, c,
		func(Voice) []string { return []string{turn.Short} },
		func(v Voice) string { return v.has(p, digit.First) + ", " + v.has(p, digit.Second) + "." }).Then(turn)
}

func (v Voice) has(p digit.Position, s digit.Side) string {
	n := v.Rules.Number(p, s)
	if v.Rules.Place == digit.Hand && n.Len() > 0 {
		return v.Does(s, "have") + " " + Digits(n.Pool())
	}
	return v.Does(s, "have") + " " + v.Row(n)
}

// AskSpot asks whoever is to move where a digit goes.
func AskSpot(r digit.Rules, p digit.Position, d digit.Digit) Said {
	v := Voice{r, Cast{}, written}
	short := fmt.Sprintf("Where does %v go?", d)
	return plain(short, strings.TrimSuffix(short, "?")+": "+listAll(v.spots(p, d), "or")+"?")
}

// AskCall asks whoever is to move, and takes a digit that fills the hand, for a call.
func AskCall(r digit.Rules, p digit.Position, d digit.Digit) Said {
	hand := r.Held(p, r.Turn(p)) | digit.PoolOf(d)
	return plain(fmt.Sprintf("Call a multiple of %d, or nothing", r.Target),
		fmt.Sprintf("You hold %s. Call a multiple of %d made of all of them, or nothing. A wrong call loses.", Digits(hand), r.Target))
}

// AskNoCall asks whoever holds a full hand and would go on without a call.
var AskNoCall = plain("Go on without a call?", "Go on without a call? You cannot call later.")

// NotHeld tells that a digit that was typed for a call is not there for it: it is not in the hand, or is typed already.
func NotHeld(hand digit.Pool, d digit.Digit) Said {
	if hand.Has(d) {
		return plain(fmt.Sprintf("You hold only one %v", d), fmt.Sprintf("You hold only one %v. Your hand: %s.", d, hand.List(" ")))
	}
	return plain(fmt.Sprintf("%v is not in your hand", d), fmt.Sprintf("%v is not in your hand. You hold %s.", d, hand.List(" ")))
}

// Clock tells how much time the one to move has left, as it is said in the last seconds.
func Clock(c Cast, turn digit.Side, seconds int) Said {
	left := plural(seconds, "second") + " left"
	return told(digit.Rules{}, c,
		func(v Voice) []string { return []string{v.Whose(turn) + " turn: " + left} },
		func(v Voice) string { return v.Whose(turn) + " turn: " + left + "." })
}

// Begins tells that a game begins. The cast is by seat; a single game has no number, and toss says that a coin decided. The length of a
// series is an odd number for the best of so many, 2 for a pair.
func Begins(c Cast, starter digit.Side, game, length int, toss bool) Said {
	starts := func(v Voice) string { return v.Does(starter, "start") }
	return told(digit.Rules{}, c,
		func(v Voice) []string {
			switch {
			case length == PairLength:
				return []string{fmt.Sprintf("Game %d of 2: %s", game, starts(v)), starts(v)}
			case length > 0:
				return []string{fmt.Sprintf("Game %d, best of %d: %s", game, length, starts(v)), starts(v)}
			}
			return []string{starts(v)}
		},
		func(v Voice) string {
			text := starts(v) + "."
			if toss {
				text = v.Does(starter, "win") + " the toss and " + v.verb(starter, "start") + "."
			}
			switch {
			case length == PairLength:
				text = fmt.Sprintf("Game %d of 2. %s", game, text)
			case length > 0:
				text = fmt.Sprintf("Game %d%s %s", game, v.sign(fmt.Sprintf(" (best of %d).", length), fmt.Sprintf(", best of %d.", length)), text)
			}
			return text
		})
}

// A Score is how a series stands, by seat.
type Score struct {
	Wins  [2]int
	Draws int
	Over  bool
	Pair  bool // the series is a pair of games
}

// Series tells how a series stands. The cast is by seat.
func Series(c Cast, s Score) Said {
	drawn := ""
	switch {
	case s.Draws == 1:
		drawn = "; 1 game was drawn"
	case s.Draws > 1:
		drawn = fmt.Sprintf("; %d games were drawn", s.Draws)
	}
	leader := digit.First
	if s.Wins[digit.Second] > s.Wins[digit.First] {
		leader = digit.Second
	}
	level := s.Wins[digit.First] == s.Wins[digit.Second]
	score := fmt.Sprintf("%d to %d", s.Wins[leader], s.Wins[leader.Other()])
	series := "the series "
	if s.Pair {
		series = "the pair "
	}
	return told(digit.Rules{}, c,
		func(v Voice) []string {
			return []string{fmt.Sprintf("%s %d, %s %d", v.Who(digit.First), s.Wins[digit.First], v.Whom(digit.Second), s.Wins[digit.Second])}
		},
		func(v Voice) string {
			switch {
			case s.Over && level:
				return capital(series) + "is drawn, " + score + drawn + "."
			case s.Over && c.You[leader]:
				return v.Does(leader, "win") + " " + series + score + drawn + "!"
			case s.Over:
				return v.Does(leader, "win") + " " + series + score + drawn + "."
			case level:
				return "It is " + score + drawn + "."
			default:
				return v.Does(leader, "lead") + " " + score + drawn + "."
			}
		})
}
