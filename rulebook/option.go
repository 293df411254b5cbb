package rulebook

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"digitduel/digit"
)

// An Option is one key of the rules with its value: what it is about, and what the value means in this game.
type Option struct {
	Key, Value string
	Label      string // "Multiples of"
	Brief      string // the value in a few words, at most 26 characters: "7"
	Means      string // "Multiples of 7 win."
	Allowed    string // what else the value may be
	Moot       bool   // the value changes nothing in this game, so there is nothing to offer
}

// Options returns every key of the rules in the order in which they are written.
func Options(r digit.Rules) []Option {
	var options []Option
	for _, o := range r.Options() {
		k := optionWords[o.Key]
		v := Voice{r, Cast{}, written}
		options = append(options, Option{o.Key, o.Value, k.label, k.brief(v), k.means(v), k.allowed, k.moot != nil && k.moot(r)})
	}
	return options
}

// Values returns the values of a key that has only a few, with what each would mean in this game, and nothing for the others.
func Values(r digit.Rules, key string) []Option {
	var options []Option
	if key == "final" {
		return nil // it is a list of them
	}
	for _, value := range digit.Values(key) {
		if changed, err := r.With(key, value); err == nil && changed.Check() == nil {
			i := slices.Index(digit.Keys(), key)
			options = append(options, Options(changed)[i])
		}
	}
	return options
}

var optionWords = map[string]struct {
	label, allowed string
	brief, means   func(Voice) string
	moot           func(digit.Rules) bool
}{
	"target": {"Multiples of", "2 to 9999, or 0 for none", Voice.briefTarget, func(v Voice) string {
		switch t := v.Rules.Target; {
		case t == 0:
			return "There is nothing to hit: only the numbers are compared."
		case v.Rules.Win == digit.Never:
			return fmt.Sprintf("Numbers are measured by multiples of %d in the end.", t)
		case !v.Rules.Reachable():
			return fmt.Sprintf("No number here can be a multiple of %d.", t)
		default:
			return fmt.Sprintf("Multiples of %d win.", t)
		}
	}, nil},
	"pool": {"Digits", "0-9, 1-9, 1-f, 2,4-8 and the like", Voice.briefPool, func(v Voice) string {
		digits := "Digits " + v.Rules.Pool.List(" ") + ", each once."
		if set := strings.Split(v.Rules.Pool.String(), "-"); len(set) == 2 && len(set[0]) == 1 && len(set[1]) == 1 {
			digits = "Digits " + set[0] + " to " + set[1] + ", each once."
		}
		if base := v.Rules.Base(); base != 10 {
			high := digit.Digit(base - 1)
			digits += fmt.Sprintf(" Numbers are read in base %d: a is 10", base)
			if base > 11 {
				digits += fmt.Sprintf(", %v is %d", high, high)
			}
			digits += "."
		}
		return digits
	}, nil},
	"zero": {"A number like 042", "counts, inert, barred", Voice.briefZero, func(v Voice) string {
		r := v.Rules
		switch {
		case !r.Pool.Has(0):
			return "There is no 0 here, so this changes nothing."
		case r.Zero == digit.Counts && r.Base() == 10:
			return "042 counts as 42."
		case r.Zero == digit.Counts:
			return "042 counts as much as 42."
		case r.Place == digit.Hand && r.Win == digit.OnCall:
			return "042 cannot be called."
		case r.Place == digit.Hand:
			return "042 cannot be made of a hand."
		case r.Zero == digit.Barred:
			return "042 is not allowed."
		case r.Win == digit.Never:
			return "042 counts as much as 42."
		default:
			return "042 cannot win as a multiple."
		}
	}, func(r digit.Rules) bool { return !r.Pool.Has(0) }},
	"width": {"Length", "1 to 8, or with place=ends 0 for as many digits as the pool gives", Voice.briefWidth, func(v Voice) string {
		first, second := v.Rules.Fills(digit.First), v.Rules.Fills(digit.Second)
		switch {
		case v.Rules.Width == 0:
			return fmt.Sprintf("Numbers grow until the pool is empty: %s for the starter, %d for the other player.", plural(first, "digit"), second)
		case first != second:
			return fmt.Sprintf("Numbers have %s; the second player's has %d.", plural(first, "digit"), second)
		case first == 1:
			return "Numbers have 1 digit."
		default:
			return fmt.Sprintf("Numbers have %d digits.", first)
		}
	}, nil},
	"place": {"Where digits go", "slots, ends, hand", Voice.briefPlace, func(v Voice) string {
		return map[digit.Place]string{
			digit.Slots: "Each digit goes to a place and stays.",
			digit.Ends:  "Each digit goes to the left or right end.",
			digit.Hand:  "Digits go into your hand; you order them at the end.",
		}[v.Rules.Place]
	}, nil},
	"win": {"When you can win", "never, full, each, call", Voice.briefWin, func(v Voice) string {
		switch {
		case v.Rules.Win == digit.Never:
			return "Only at the end."
		case v.Rules.Win == digit.EachTurn:
			return "After every digit."
		case v.Rules.Win == digit.OnCall:
			return "When you call it; a wrong call loses."
		case v.Rules.Place == digit.Hand:
			return "When your hand is full."
		default:
			return "When your number is full."
		}
	}, nil},
	"final": {"If nobody wins", "above, below, nearest, higher, lower, later, in the order in which they decide, or draw", Voice.briefFinal, func(v Voice) string {
		var ways []string
		for _, o := range v.Rules.Orders() {
			ways = append(ways, v.decides(o))
		}
		if v.Rules.Drawable() {
			ways = append(ways, "it is a draw")
		}
		return capital(strings.Join(ways, "; if that is equal, ")) + "."
	}, nil},
}

// PairLength is how long a pair is, where a length is told.
const PairLength = 2

// BestOf tells the length of a series; 0 is one game, and 2 a pair.
func BestOf(r digit.Rules, games int) string {
	switch {
	case games == PairLength:
		return "A pair: each of you starts one game, and a win each is a draw."
	case games <= 1:
		return "One game."
	}
	text := fmt.Sprintf("Best of %d: %d wins are enough.", games, games/2+1)
	if r.Drawable() {
		text += fmt.Sprintf(" Drawn games do not count; after %d games whoever leads has won.", 2*games)
	}
	return text
}

// TurnTime tells the clock; chance says that time that runs out does not lose.
func TurnTime(r digit.Rules, d time.Duration, chance bool) string {
	switch {
	case d == 0:
		return "No clock."
	case !chance:
		return Duration(d) + " a turn: who runs out loses."
	case r.Win == digit.OnCall:
		return Duration(d) + " a turn: for who runs out, chance plays a digit, without a call."
	default:
		return Duration(d) + " a turn: for who runs out, chance plays a digit."
	}
}

// Duration tells a length of time: "30 seconds", "2 minutes".
func Duration(d time.Duration) string {
	switch {
	case d >= time.Hour && d%time.Hour == 0:
		return plural(int(d/time.Hour), "hour")
	case d >= time.Minute && d%time.Minute == 0:
		return plural(int(d/time.Minute), "minute")
	case d%time.Second == 0:
		return plural(int(d/time.Second), "second")
	default:
		return fmt.Sprintf("%g seconds", d.Seconds())
	}
}

// Calls tells whether the game calls for its players.
func Calls(auto bool) string {
	if auto {
		return "The game calls your highest multiple for you."
	}
	return "You find and call it yourself."
}

// Targets tells the targets of the games of a series, if they change from game to game.
func Targets(targets []uint16) string {
	var games []string
	for i, t := range targets {
		games = append(games, fmt.Sprintf("game %d: %d", i+1, t))
	}
	return capital(strings.Join(games, ", ")) + "."
}

// ByProgram tells whoever comes to watch that a program plays, against which level, and whether from the start or after moves that were given.
func ByProgram(level string, given int) string {
	from := "from the start"
	if given > 0 {
		from = "after " + plural(given, "given move")
	}
	return "A program plays by MCP against level " + level + ", " + from
}

// Program tells how often a program that plays here may try.
func Program(n int) string { return "A program plays here. It has " + tries(n) + " for each move." }

// Swap and Lot tell what makes a game fairer whoever starts it.
const (
	Swap = "Whoever moves second may take over the first move instead; then the other one moves again."
	Lot  = "Both games begin with the same moves, drawn from openings that are proved even together."
)

// Help tells what players are helped with: hints for who asks, what completes each number, what every digit is worth.
func Help(hints, needs, analysis bool) Said {
	var short, long []string
	for _, h := range []struct {
		on          bool
		short, long string
	}{
		{hints, "hints", "Hints are given to who asks."}, {needs, "needs", "What completes each number is shown."},
		{analysis, "analysis", "What every digit is worth is shown."},
	} {
		if h.on {
			short, long = append(short, h.short), append(long, h.long)
		}
	}
	if short == nil {
		return plain("none", "No help.")
	}
	return plain(listAll(short, "and"), strings.Join(long, " "))
}
