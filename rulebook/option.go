package rulebook

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"digitduel/digit"
)

// An Option is a key of the rules with its value, in words.
type Option struct {
	Key, Value string
	Label      string // "Multiples of"
	Brief      string // the value in at most 26 characters: "7"
	Means      string // the value in a sentence: "Multiples of 7 win."
	Allowed    string // the other values
	Moot       bool   // the value makes no difference in this game
}

// Options returns every key of the rules in the order in which they are written.
func Options(r digit.Rules) []Option {
	var options []Option
	for _, o := range r.Options() {
		k, v := optionWords[o.Key], Voice{r, Cast{}, written}
		options = append(options, Option{
			o.Key, o.Value, k.label, k.brief(v), k.means(v), k.allowed,
			o.Key == "zero" && !r.Pool.Has(0),
		})
	}
	return options
}

// Values returns the values of a key that fit the game, if the key has a fixed list of them.
func Values(r digit.Rules, key string) []Option {
	var options []Option
	if key == "final" {
		return nil // it is a list
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
}{
	"target": {"Multiples of", "2 to 9999, or 0 for none", Voice.briefTarget, Voice.target},
	"pool":   {"Digits", "0-9, 1-9, 1-f, 2,4-8 and the like", Voice.briefPool, Voice.digits},
	"zero": {"A number like 042", "counts, inert, barred", Voice.briefZero, func(v Voice) string {
		if !v.Rules.Pool.Has(0) {
			return "There's no 0 in this game."
		}
		return "042 " + v.briefZero() + "."
	}},
	"width": {"Length", "1 to 8, or with place=ends 0 for as many digits as the pool gives",
		Voice.briefWidth, Voice.width},
	"place": {"Placing", "slots, ends, hand", Voice.briefPlace, func(v Voice) string {
		return Capital(v.briefPlace()) + "."
	}},
	"win": {"You can win", "never, full, each, call", Voice.briefWin, func(v Voice) string {
		if v.Rules.Win == digit.OnCall {
			return "By calling it; a wrong call loses."
		}
		return Capital(v.briefWin()) + "."
	}},
	"final": {"If nobody wins",
		"above, below, nearest, higher, lower, later, in the order in which they decide, or draw",
		Voice.briefFinal, func(v Voice) string { return Capital(v.tieBreaks()) + "." }},
}

func (v Voice) briefTarget() string {
	if v.Rules.Target == 0 {
		return "none"
	}
	return count(int(v.Rules.Target))
}

func (v Voice) target() string {
	text := "Multiples of ${t} win."
	switch {
	case v.Rules.Target == 0:
		text = "None: numbers are only compared."
	case v.Rules.Win == digit.Never:
		text = "Numbers are compared by multiples of ${t}."
	case !v.Rules.Reachable():
		text = "No multiple of ${t} is possible."
	}
	return v.fill(text)
}

func (v Voice) briefPool() string {
	if from, to, span := strings.Cut(v.Rules.Pool.String(), "-"); span && len(from) == 1 &&
		len(to) == 1 {
		return from + " to " + to
	}
	return v.Rules.Pool.List("")
}

func (v Voice) digits() string {
	text, base := v.briefPool(), v.Rules.Base()
	if !strings.Contains(text, " to ") {
		text = v.Rules.Pool.List(" ")
	}
	switch high := digit.Digit(base - 1); {
	case base == 10:
		return text + ", each once."
	case base == 11:
		return text + ", each once, in base 11 (a is 10)."
	default:
		return fmt.Sprintf("%s, each once, in base %d (a is 10, %v is %d).", text, base, high, high)
	}
}

// briefZero says what a number like 042 does.
func (v Voice) briefZero() string {
	r := v.Rules
	switch {
	case r.Zero == digit.Counts:
		return "counts as 42"
	case r.Place == digit.Hand && r.Win == digit.OnCall:
		return "can't be called"
	case r.Place == digit.Hand:
		return "can't be made"
	case r.Zero == digit.Barred:
		return "is not allowed"
	case r.Win == digit.Never:
		return "counts as 42"
	default:
		return "can't win as a multiple"
	}
}

func (v Voice) briefWidth() string {
	if v.Rules.Width == 0 {
		return "until the pool is empty"
	}
	return Plural(int(v.Rules.Width), "digit")
}

func (v Voice) width() string {
	first, second := v.Rules.Fills(digit.First), v.Rules.Fills(digit.Second)
	if first == second || v.Rules.Width == 0 {
		return Capital(v.briefWidth()) + "."
	}
	return fmt.Sprintf("%s for the starter, %d for the second player.", Plural(first, "digit"),
		second)
}

func (v Voice) briefPlace() string {
	return [...]string{
		digit.Slots: "in any free place", digit.Ends: "on the left or right", digit.Hand: "in " +
			"your hand",
	}[v.Rules.Place]
}

func (v Voice) briefWin() string {
	switch {
	case v.Rules.Win == digit.Never:
		return "only at the end"
	case v.Rules.Win == digit.EachTurn:
		return "after any digit"
	case v.Rules.Win == digit.OnCall:
		return "by calling it"
	case v.Rules.Place == digit.Hand:
		return "when your hand is full"
	default:
		return "when your number is full"
	}
}

func (v Voice) briefFinal() string {
	if o := firstOrder(v.Rules); o != 0 {
		return orders[o].name
	}
	return "a draw"
}

// PairLength is the length of a series of two games, of which each player starts one.
const PairLength = 2

// BestOf describes the length of a series. A length of 0 is one game.
func BestOf(r digit.Rules, games int) string {
	switch {
	case games == PairLength:
		return "Two games: each of you starts one. 1–1 is a draw."
	case games <= 1:
		return "One game."
	}
	text := fmt.Sprintf("Best of %d: first to %d wins.", games, games/2+1)
	if r.Drawable() {
		text += fmt.Sprintf(" Draws don't count; after %d games the leader wins.", 2*games)
	}
	return text
}

// TurnTime describes the clock. Chance says that a random digit is played when time runs out.
func TurnTime(r digit.Rules, d time.Duration, chance bool) string {
	then := "you lose"
	switch {
	case d == 0:
		return "No clock."
	case chance && r.Win == digit.OnCall:
		then = "a random digit is played, without a call"
	case chance:
		then = "a random digit is played"
	}
	return Duration(d) + " a turn. If time runs out, " + then + "."
}

// Duration returns a length of time in words: "30 seconds", "2 minutes".
func Duration(d time.Duration) string {
	for i, unit := range []time.Duration{time.Hour, time.Minute, time.Second} {
		if d >= unit && d%unit == 0 {
			return Plural(int(d/unit), []string{"hour", "minute", "second"}[i])
		}
	}
	return fmt.Sprintf("%g seconds", d.Seconds())
}

// Calls describes the option of automatic calls.
func Calls(auto bool) string {
	if auto {
		return "Automatic: the game calls your highest multiple."
	}
	return "You call it yourself."
}

// Targets lists the targets of a series whose games have different ones.
func Targets(targets []uint16) string {
	var games []string
	for i, t := range targets {
		games = append(games, fmt.Sprintf("game %d: %d", i+1, t))
	}
	return Capital(strings.Join(games, ", ")) + "."
}

// ByProgram says to those who watch that a program plays, against which level, and after how many
// given moves.
func ByProgram(level string, given int) string {
	from := "from the start"
	if given > 0 {
		from = "after " + Plural(given, "given move")
	}
	return "A program plays by MCP against level " + level + ", " + from
}

// Program says how many tries a program has.
func Program(n int) string { return "A program plays here. It has " + tries(n) + " for each move." }

// Swap and RandomOpening describe the options for a fair start.
const (
	Swap          = "Swap: the second player may take over the first move."
	RandomOpening = "Random opening: both games start from the same moves, from a balanced set."
)

// Help describes the help that players get: hints, the digits that complete a number, and the value
// of every digit.
func Help(hints, needs, analysis bool) Said {
	var short, long []string
	for _, h := range []struct {
		on          bool
		short, long string
	}{
		{hints, "hints", "Anyone can ask for a hint."},
		{needs, "needs", "The digits that complete a number are shown."},
		{analysis, "analysis", "The value of every digit is shown."},
	} {
		if h.on {
			short, long = append(short, h.short), append(long, h.long)
		}
	}
	if short == nil {
		return plain("none", "No help.")
	}
	return plain(Join(short, "and"), strings.Join(long, " "))
}
