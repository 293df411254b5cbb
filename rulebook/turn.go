package rulebook

import (
	"fmt"
	"strings"

	"digitduel/digit"
)

// Turn says whose turn it is and, if that player is here, what to do.
func Turn(r digit.Rules, p digit.Position, c Cast, here bool) Said {
	turn := r.Turn(p)
	if !here {
		return SaySentence(r, c, func(v Voice) string {
			if c.Computer[turn] && !c.You[turn] {
				return "The computer is thinking"
			}
			return v.Whose(turn) + " turn"
		})
	}
	short, long := todo(Voice{r, c, written}, p)
	return sayAll(r, c,
		func(v Voice) []string {
			return []string{v.Whose(turn) + " turn: " + short, v.Whose(turn) +
				" turn"}
		},
		func(v Voice) string {
			text := v.Whose(turn) + " turn. " + long
			if v.form == heard {
				text = after(text, v.pool(r.Left(p))+" "+v.stands(p, turn))
			}
			return text
		})
}

// pool lists the digits in the pool.
func (v Voice) pool(left digit.Pool) string { return "Still in the pool: " + v.left(left) + "." }

// Faulted says that a program, whose turn it is, has made no legal move, after how many tries, and
// how many are left.
func Faulted(r digit.Rules, p digit.Position, c Cast, tried, left int) Said {
	turn := r.Turn(p)
	often := ""
	if tried > 1 {
		often = " in " + tries(tried)
	}
	return Say(r, c, func(v Voice) string {
		return v.Who(turn) + " made no legal move" + often + "; " + tries(left) + " left."
	}).Titled(Voice{r, c, brief}.Who(turn) + " made no legal move")
}

// Faults counts the answers of a program that were not legal moves: "2 answers were illegal and 1
// was unreadable". It is empty without any.
func Faults(illegal, unreadable int) string {
	text := oneOr(illegal, "answer was illegal", "answers were illegal")
	switch {
	case unreadable == 0 && illegal == 0:
		return ""
	case unreadable == 0:
		return text
	case illegal == 0:
		return oneOr(unreadable, "answer was unreadable", "answers were unreadable")
	default:
		return text + " and " + oneOr(unreadable, "was unreadable", "were unreadable")
	}
}

// GoesOn says that a game is in progress.
var GoesOn = plain("A game is in progress", "A game is in progress here.")

// ToDo describes the next action for the player to move.
func ToDo(r digit.Rules, p digit.Position) Said {
	short, long := todo(Voice{Rules: r, form: written}, p)
	return plain(Capital(short), long)
}

func todo(v Voice, p digit.Position) (short, long string) {
	r := v.Rules
	n := r.Number(p, r.Turn(p))
	switch missing := r.Fills(r.Turn(p)) - n.Pool().Len(); {
	case r.MayCall(p):
		return "last digit, then call or not", v.fill("Pick your last digit. Then call a " +
			"multiple of ${t}, or don't. A wrong call loses.")
	case r.Place == digit.Hand:
		return "pick a digit", "Pick a digit for your hand."
	case r.Place == digit.Ends && n.Len() == 0:
		return "pick your first digit", "Pick your first digit."
	case r.Place == digit.Ends:
		return "pick a digit and an end", "Pick a digit, then left or right."
	case missing == 1:
		gap := digit.SlotAt(strings.IndexByte(n.String(), '_'))
		return "pick your last digit", "Pick your last digit. It goes " + v.Where(gap) + "."
	default:
		return "pick a digit and a place", "Pick a digit, then a place for it."
	}
}

// stands describes the number or hand of a player.
func (v Voice) stands(p digit.Position, s digit.Side) string {
	n := v.Rules.Number(p, s)
	switch {
	case n.Pool() == 0:
		return ""
	case v.Rules.Place == digit.Hand:
		return v.Whose(s) + " hand: " + Digits(n.Pool()) + "."
	case v.Rules.Place == digit.Ends:
		return v.Whose(s) + " number: " + spelled(n.String()) + "."
	}
	var words []string
	for i := range n.Len() {
		has := "blank"
		if d, filled := n.At(i); filled {
			has = d.String()
		}
		words = append(words, strings.TrimPrefix(v.spotWord(digit.SlotAt(i)), "the ")+" "+has)
	}
	return v.Whose(s) + " number: " + strings.Join(words, ", ") + "."
}

// Stands describes both numbers or hands of a game in progress, and says whose turn it is.
func Stands(r digit.Rules, p digit.Position, c Cast) Said {
	turn := Turn(r, p, c, false)
	if r.Ply(p) == 0 {
		return Sentence("Nobody has a digit yet").Then(turn)
	}
	return Say(r, c, func(v Voice) string {
		return v.has(p, digit.First) + ", " + v.has(p, digit.Second) + "."
	}).Titled(turn.Short).Then(turn)
}

func (v Voice) has(p digit.Position, s digit.Side) string {
	n := v.Rules.Number(p, s)
	if v.Rules.Place == digit.Hand && n.Len() > 0 {
		return v.Does(s, "have") + " " + Digits(n.Pool())
	}
	return v.Does(s, "have") + " " + v.Row(n)
}

// AskSpot asks at a keyboard where a digit goes.
func AskSpot(r digit.Rules, p digit.Position, d digit.Digit) Said {
	v := Voice{r, Cast{}, written}
	short := fmt.Sprintf("Where does %v go", d)
	long := short + ": " + Join(v.spots(p, d), "or") + "?"
	switch spots := r.Spots(p, d); {
	case r.Place == digit.Ends && r.Held(p, r.Turn(p)) == 0:
		long = "For the first digit, left and right are the same."
	case len(spots) == 1:
		long = fmt.Sprintf("Only %s is free for %v.", v.Spot(spots[0]), d)
	}
	return plain(short+"?", long)
}

// PressEnter asks at a keyboard to confirm a move.
func PressEnter(r digit.Rules, p digit.Position, m digit.Move) Said {
	return plain("Press Enter", "Press Enter to "+Voice{Rules: r, form: written}.Put(p, m)+".")
}

// TapSpot asks on a page where a digit goes.
func TapSpot(r digit.Rules, p digit.Position, d digit.Digit) Said {
	if len(r.Spots(p, d)) == 1 {
		return Sentence("Tap the empty place")
	}
	return Sentence(fmt.Sprintf("Tap a place for %v", d))
}

// AskCall asks for a call with a digit that fills the hand.
func AskCall(r digit.Rules, p digit.Position, d digit.Digit) Said {
	hand := r.Held(p, r.Turn(p)) | digit.PoolOf(d)
	short := fmt.Sprintf("Call a multiple of %d, or don't", r.Target)
	return plain(short, short+". Use "+Digits(hand)+". A wrong call loses.")
}

// NoCall explains what decides a game in which nobody calls.
func NoCall(r digit.Rules) Said {
	return plain("Nobody needs to call", "If nobody calls, "+Voice{Rules: r}.otherwise()+".")
}

// NotHeld says that a digit of a call is not in the hand, or was used already.
func NotHeld(hand digit.Pool, d digit.Digit) Said {
	short := fmt.Sprintf("%v isn't in your hand", d)
	if hand.Has(d) {
		short = fmt.Sprintf("You have only one %v", d)
	}
	return plain(short, short+". Use "+Digits(hand)+", each once.")
}

// Clock announces the time left in a turn.
func Clock(seconds int) Said {
	return Sentence(Plural(seconds, "second") + " left")
}

// ClockWaits says that the clock of a game's first turn has not started. The cast is by seat.
func ClockWaits(c Cast, who digit.Side) Said {
	return Say(digit.Rules{}, c, func(v Voice) string {
		return "The clock starts when " + v.Whom(who) + " " + v.Verb(who, "open") + " the table."
	}).Titled("The clock hasn't started")
}

// Begins announces a game. The cast is by seat. Length is 0 for a single game, [PairLength] for two
// games, or the odd number of a series; toss says that a coin decided who starts.
func Begins(c Cast, starter digit.Side, game, length int, toss bool) Said {
	heading := ""
	switch {
	case length == PairLength:
		heading = fmt.Sprintf("Game %d of 2: ", game)
	case length > 0:
		heading = fmt.Sprintf("Game %d, best of %d: ", game, length)
	}
	starts := func(v Voice) string {
		who := v.Who(starter)
		if heading != "" {
			who = heading + v.Whom(starter)
		}
		if toss {
			who += " won the toss and"
		}
		return who + " " + v.Verb(starter, "start")
	}
	return sayAll(digit.Rules{}, c,
		func(v Voice) []string { return []string{starts(v), v.Does(starter, "start")} },
		func(v Voice) string { return starts(v) + "." })
}

// A Score is the state of a series, by seat.
type Score struct {
	Wins  [2]int
	Draws int
	Over  bool
	Pair  bool // two games, of which each player starts one
}

// Series describes the state of a series. The cast is by seat.
func Series(c Cast, s Score) Said {
	leader := digit.First
	if s.Wins[digit.Second] > s.Wins[digit.First] {
		leader = digit.Second
	}
	games, series := "The series is", " the series "
	if s.Pair {
		games, series = "The two games are", " "
	}
	say := func(v Voice, draws bool) string {
		score := fmt.Sprintf("%d%s%d", s.Wins[leader], v.sign("–", " to "), s.Wins[leader.Other()])
		if draws && s.Draws > 0 {
			score += ", with " + Plural(s.Draws, "draw")
		}
		switch level := s.Wins[digit.First] == s.Wins[digit.Second]; {
		case s.Over && level:
			return games + " drawn, " + score
		case s.Over:
			return v.Does(leader, "win") + series + score
		case level:
			return "It's " + score
		default:
			return v.Does(leader, "lead") + " " + score
		}
	}
	return sayAll(digit.Rules{}, c,
		func(v Voice) []string { return []string{say(v, true), say(v, false)} },
		func(v Voice) string {
			if s.Over && c.You[leader] && s.Wins[leader] > s.Wins[leader.Other()] {
				return say(v, true) + "!"
			}
			return say(v, true) + "."
		})
}
