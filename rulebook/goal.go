package rulebook

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"digitduel/digit"
)

// Title returns the title of a game's book or fair game, with the name if two books share the
// title.
func Title(r digit.Rules) string {
	book := r.Named()
	if slices.ContainsFunc(digit.Books, func(b digit.Book) bool {
		return b.Title == book.Title && b.Name != book.Name
	}) {
		return book.Title + ": " + Name(r)
	}
	return book.Title
}

// Name returns the game's unique one-word name: "Sevens".
func Name(r digit.Rules) string { return Capital(r.Named().Name) }

// Warning explains why a game may end early. It is empty for most games.
func Warning(r digit.Rules) Said {
	return Say(r, Cast{}, Voice.warning)
}

// Line describes a game in one line: "fill three places; first three-digit multiple of 7 wins".
func Line(r digit.Rules) string {
	build := "fill ${n} places; "
	switch {
	case r.Place == digit.Ends:
		build = "add digits on the left or right; "
	case r.Width == 1:
		build = "take one digit; "
	case r.Place == digit.Hand:
		build = "take ${n} digits in hand; "
	}
	return Voice{Rules: r}.fill(build) + lower(goalShort(r))
}

// AutoCalled returns the rules that automatic calls amount to: the first full hand with a multiple
// wins.
func AutoCalled(r digit.Rules) digit.Rules {
	if r.Win == digit.OnCall {
		r.Win = digit.WhenFull
	}
	return r
}

// Goal explains how to play and win. With automatic calls, r is [AutoCalled].
func Goal(r digit.Rules) Said {
	return Say(r, Cast{}, func(v Voice) string {
		return after(after(v.build(), v.win()), after(v.end(v.ifNobody()), v.warning()))
	}).Titled(goalShort(r))
}

// An Emblem is the goal between two numbers: a number or a direction, with a few words above and
// below it. From top to bottom they read as a sentence: "multiple of", 7, "wins".
type Emblem struct {
	Above, Below string // at most 13 characters
	Target       int    // 0: Order is shown instead
	Order        digit.Order
}

// GoalEmblem returns the goal as an emblem. With automatic calls, r is [AutoCalled].
func GoalEmblem(r digit.Rules) Emblem {
	first, target := firstOrder(r), int(r.Target)
	switch {
	case r.Win == digit.OnCall:
		return Emblem{"multiple of", "call to win", target, 0}
	case r.Win != digit.Never && r.Reachable():
		return Emblem{"multiple of", "wins", target, 0}
	case first == 0:
		return Emblem{"always", "a draw", target, 0}
	case !first.Measures():
		target = 0
	}
	return Emblem{orders[first].above, orders[first].below, target, first}
}

// GoalNote adds to the short goal a number that wins and the rule if nobody makes one, or how
// numbers are built if they are only compared.
func GoalNote(r digit.Rules) Said {
	value := example(r)
	return Say(r, Cast{}, func(v Voice) string {
		switch {
		case value == 0:
			return v.build()
		case r.Win == digit.OnCall:
			return "Like " + v.like(value) + ". A wrong call loses."
		default:
			return "Like " + v.like(value) + ". " + v.ifNobody() + v.otherwise() + "."
		}
	})
}

// like returns a multiple by its value, in the form of [Voice.Made].
func (v Voice) like(value int) string {
	text := strconv.Itoa(value)
	if digits := strconv.FormatInt(int64(value), v.Rules.Base()); digits != text {
		text = v.sign(digits+" ("+text+")", spelled(digits)+", that is "+text)
	}
	return text + v.sign(" = ", ", which is ") + v.product(value/int(v.Rules.Target))
}

// example returns the value of a number that wins as a multiple, or 0 if there is none. It is a
// full number, of three digits if any length wins, and not among the smallest if there is another,
// since those look as if only small numbers would do.
func example(r digit.Rules) int {
	if !r.Reachable() {
		return 0
	}
	lengths := []int{r.Fills(digit.Second), r.Fills(digit.First)}
	if r.Win == digit.EachTurn {
		lengths = []int{3, 2, 1, 4, 5, 6, 7, 8}
	}
	for _, length := range lengths {
		if length > r.Fills(digit.First) {
			continue
		}
		least := 1
		for range length - 1 {
			least *= r.Base()
		}
		above := least * r.Base()
		middle := above * 7 / 10
		if value := cmp.Or(multipleIn(r, middle, above), multipleIn(r, least, middle)); value > 0 {
			return value
		}
	}
	return 0 // only a number that starts with 0 wins
}

// multipleIn returns the first multiple of the target in a range that has different digits of the
// pool, or 0 if there is none.
func multipleIn(r digit.Rules, from, below int) int {
	const most = 1 << 20 // multiples to try: nearly all may repeat a digit
	target := int(r.Target)
	for value := from; ; {
		value = (value + target - 1) / target * target
		if value >= min(below, from+most*target) {
			return 0
		}
		weight := misfit(r, value)
		if weight == 0 {
			return value
		}
		value = (value/weight + 1) * weight // all values before it have the same digit there
	}
}

// misfit returns the weight of the first digit, from the left, that is not in the pool or repeats
// an earlier one, or 0 if there is none.
func misfit(r digit.Rules, value int) int {
	base, left, weight := r.Base(), r.Pool, 1
	for value/weight >= base {
		weight *= base
	}
	for ; weight > 0; weight /= base {
		d := digit.Digit(value / weight % base)
		if !left.Has(d) {
			return weight
		}
		left &^= digit.PoolOf(d)
	}
	return 0
}

// FirstSteps explains a first game in three steps of a few words: what to do with a digit, with the
// number, and how to win, next to the short goal.
func FirstSteps(r digit.Rules) [3]string {
	put := [...]string{
		digit.Slots: "Put it in your number", digit.Ends: "Add it left or right",
		digit.Hand: "It goes into your hand",
	}[r.Place]
	win := goalShort(r)
	switch o := firstOrder(r); {
	case r.Reachable() && r.Win == digit.OnCall:
		win = "Make one and call it"
	case r.Reachable():
		win = "Be the first to make one"
	case o.Ranks():
		win = fmt.Sprintf("Make the %v number", o)
	}
	return [3]string{"Take a digit", put, win}
}

// Steps explains a game to an invited player in three steps: the digits, how to build, how to win.
func Steps(r digit.Rules) [3]string {
	v := Voice{r, Cast{}, written}
	return [3]string{"You share the digits " + optionWords["pool"].means(v), v.build(),
		cmp.Or(v.win(), v.end(v.whenOver()))}
}

func goalShort(r digit.Rules) string {
	goal := "First ${full} multiple of ${t} wins"
	switch reachable, o := r.Reachable(), firstOrder(r); {
	case !reachable && o == 0:
		goal = "Always a draw: no multiple possible"
	case !reachable:
		goal = orders[o].goal
	case r.Win == digit.OnCall:
		goal = "Call a multiple of ${t} to win"
	case r.Place == digit.Hand && r.Target < 100:
		goal = "First hand to make a multiple of ${t} wins"
	case r.Place == digit.Hand: // "to make" would be too long
		goal = "First hand with a multiple of ${t} wins"
	case r.Win == digit.EachTurn:
		goal = "First multiple of ${t} wins"
	}
	return Voice{Rules: r}.fill(goal)
}

// build explains how numbers are built.
func (v Voice) build() string {
	r := v.Rules
	first, second := r.Fills(digit.First), r.Fills(digit.Second)
	text := "Take ${n} digits, one a turn, and use them in any order."
	switch {
	case r.Place == digit.Ends:
		text = "Each turn, add a digit to the left or right of your number."
	case r.Width == 1:
		text = "Take one digit."
	case r.Place == digit.Slots:
		text = "Each turn, put a digit in one of your ${n} places."
	}
	switch {
	case first != second:
		text += fmt.Sprintf(" The starter gets %s and the second player %d.", Plural(first,
			"digit"), second)
	case r.Place == digit.Ends:
		text += fmt.Sprintf(" Each player gets %s.", Plural(first, "digit"))
	}
	return v.fill(text)
}

// win explains how a game is won before its end.
func (v Voice) win() string {
	r, text := v.Rules, "The first ${full} multiple of ${t} wins."
	switch {
	case r.Win == digit.Never:
		return ""
	case !r.Reachable() && r.Win != digit.OnCall:
		text = "No multiple of ${t} is possible."
	case !r.Reachable():
		text = "No multiple of ${t} is possible, so don't call a number: a wrong call loses."
	case r.Win == digit.OnCall:
		text = "With your last digit you may call a number: a multiple of ${t} wins, " +
			"anything else loses."
	case r.Place == digit.Hand && r.Win == digit.EachTurn:
		text = "The first hand whose digits make a multiple of ${t} wins, however short."
	case r.Place == digit.Hand:
		text = "The first full hand that makes a multiple of ${t} wins."
	case r.Win == digit.EachTurn:
		text = "The first multiple of ${t} wins, however short."
	}
	return v.fill(text)
}

// ifNobody introduces the end after the sentence about winning.
func (v Voice) ifNobody() string {
	switch {
	case !v.Rules.Reachable():
		return "When " + v.closes() + ", "
	case v.Rules.Win == digit.OnCall:
		return "If nobody calls, "
	default:
		return "If nobody does, "
	}
}

// whenOver introduces the end in a paragraph of its own.
func (v Voice) whenOver() string {
	if v.Rules.Reachable() {
		return "If nobody has won when " + v.closes() + ", "
	}
	return v.ifNobody()
}

// end explains what decides if nobody has won before. Text introduces it.
func (v Voice) end(text string) string {
	if o := firstOrder(v.Rules); v.Rules.Place == digit.Hand && o != 0 && o != digit.Later {
		text += "each hand counts as its best number: "
	}
	return text + v.tieBreaks() + "."
}

// tieBreaks lists the clauses of the orders that can decide.
func (v Voice) tieBreaks() string {
	var clauses []string
	for _, o := range v.Rules.Orders() {
		clauses = append(clauses, v.decides(o))
	}
	if v.Rules.Drawable() {
		clauses = append(clauses, "it's a draw")
	}
	return strings.Join(clauses, "; on a tie, ")
}

// closes says when a game is over.
func (v Voice) closes() string {
	r := v.Rules
	first, second := r.Fills(digit.First), r.Fills(digit.Second)
	switch {
	case r.Place == digit.Ends && first+second == r.Pool.Len() && (r.Width == 0 || first != second):
		return "the pool is empty"
	case r.Place == digit.Hand:
		return "both hands are full"
	default:
		return "both numbers are full"
	}
}

// zero explains the value of a number that starts with 0. It is empty without a 0 in the pool.
func (v Voice) zero() string {
	const counts, inert = "042 counts as 42.", "A number that starts with 0 can't win as a multiple"
	r := v.Rules
	switch {
	case !r.Pool.Has(0):
		return ""
	case r.Zero == digit.Counts && r.Alone().Has(0):
		return v.fill(counts + " 0 is a multiple of ${t} on its own and wins.")
	case r.Zero == digit.Counts:
		return counts
	case r.Place == digit.Hand && r.Win == digit.OnCall:
		return "A call can't start with 0."
	case r.Place == digit.Hand:
		return "The number of a hand can't start with 0."
	case r.Zero == digit.Barred:
		return "No number may start with 0."
	case !r.Reachable(): // only the comparison asks for the value
		return counts
	case len(r.Orders()) == 0:
		return inert + "."
	default:
		return inert + "; when numbers are compared, " + counts
	}
}

// warning explains what a player should know before choosing the game.
func (v Voice) warning() string {
	r := v.Rules
	are := " is a multiple of ${t} on its own"
	switch alone := r.Alone(); {
	case alone.Len() > 1:
		are = " are multiples of ${t} on their own"
		fallthrough
	case alone != 0:
		return Digits(alone) + v.fill(are+", so the starter can win with the first digit.")
	case !r.Reachable() && firstOrder(r) == digit.Later:
		return Capital(v.last()) + " always wins."
	default:
		return ""
	}
}
