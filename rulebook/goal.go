package rulebook

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"digitduel/digit"
)

// Title returns what a game is called: the title of the fair game that it is or of its book, with its name where another book has the
// same title.
func Title(r digit.Rules) string {
	book := r.Named()
	if slices.ContainsFunc(digit.Books, func(b digit.Book) bool { return b.Title == book.Title && b.Name != book.Name }) {
		return book.Title + ": " + Name(r)
	}
	return book.Title
}

// Name returns the one word by which a game is told from all others: "Sevens".
func Name(r digit.Rules) string {
	name := r.Named().Name
	return strings.ToUpper(name[:1]) + name[1:]
}

// Warning tells what makes a game short that is not seen at once; it is empty where nothing does.
func Warning(r digit.Rules) Said {
	long, spoken := Tell(r, Cast{}, Voice.warning)
	return Said{Long: long, Spoken: spoken}
}

// Line tells a game in one line: "fill three places; first full multiple of 7 wins".
func Line(r digit.Rules) string {
	var build string
	switch {
	case r.Place == digit.Slots && r.Width == 1:
		build = "take one digit"
	case r.Place == digit.Slots:
		build = "fill " + InWords(int(r.Width)) + " places"
	case r.Place == digit.Ends:
		build = "grow a number at either end"
	default:
		build = "take " + InWords(int(r.Width)) + " digits in hand"
	}
	goal := Goal(r).Short
	return build + "; " + strings.ToLower(goal[:1]) + goal[1:]
}

// AutoCalled returns rules that are played with automatic calls as what they come to: the first full hand with a multiple wins.
func AutoCalled(r digit.Rules) digit.Rules {
	if r.Win == digit.OnCall {
		r.Win = digit.WhenFull
	}
	return r
}

// Goal tells what a game is played for, with the number in it. Where the game calls for its players, r is [AutoCalled].
func Goal(r digit.Rules) Said {
	long, spoken := Tell(r, Cast{}, func(v Voice) string {
		return strings.Join(slices.DeleteFunc([]string{v.build(), v.win(), v.end(v.ifNobody()), v.warning()}, func(s string) bool { return s == "" }), " ")
	})
	return Said{goalShort(r), long, spoken}
}

// An Emblem is the goal as it stands between two numbers: a number or a direction, with a few words above and below it. Read from
// top to bottom they are a sentence: "multiple of", 7, "wins".
type Emblem struct {
	Above, Below string // at most 13 characters
	Target       int    // 0: it is the order that counts
	Order        digit.Order
}

// GoalEmblem returns the goal of rules as an emblem. Where the game calls for its players, r is [AutoCalled].
func GoalEmblem(r digit.Rules) Emblem {
	orders := append(r.Orders(), 0)
	switch target := int(r.Target); {
	case r.Win == digit.OnCall:
		return Emblem{"multiple of", "call to win", target, 0}
	case r.Win != digit.Never && r.Reachable():
		return Emblem{"multiple of", "wins", target, 0}
	case orders[0] == digit.Higher || orders[0] == digit.Lower:
		return Emblem{"the " + orders[0].String(), "number wins", 0, orders[0]}
	case orders[0] == digit.Later:
		return Emblem{"the last", "digit wins", 0, orders[0]}
	case orders[0] == 0:
		return Emblem{"always", "a draw", target, 0}
	case orders[0] == digit.Below:
		return Emblem{"least over", "wins", target, orders[0]}
	default:
		return Emblem{"closest to", "wins", target, orders[0]}
	}
}

// GoalNote tells in a few words what stands beside the short goal: a number that wins and what decides if nobody makes one, or
// where only numbers are compared, how they come to be.
func GoalNote(r digit.Rules) Said {
	value := example(r)
	long, spoken := Tell(r, Cast{}, func(v Voice) string {
		switch {
		case value == 0:
			return v.build()
		case r.Win == digit.OnCall:
			return "Like " + v.like(value) + ". A wrong call loses."
		default:
			return "Like " + v.like(value) + ". " + v.ifNobody() + v.otherwise() + "."
		}
	})
	return Said{Long: long, Spoken: spoken}
}

// like tells a multiple by its value, as [Voice.Made] tells one that is there.
func (v Voice) like(value int) string {
	text := strconv.Itoa(value)
	if base := v.Rules.Base(); base != 10 {
		digits := strconv.FormatInt(int64(value), base)
		text = v.sign(digits+" ("+text+")", strings.Join(strings.Split(digits, ""), " ")+", that is "+text)
	}
	return text + v.sign(" = ", ", which is ") + v.product(value/int(v.Rules.Target))
}

// otherwise tells in a few words what decides when nobody has won before.
func (v Voice) otherwise() string {
	orders := v.Rules.Orders()
	if len(orders) == 0 {
		return "it is a draw"
	}
	switch orders[0] {
	case digit.Above:
		return "the shorter way up to a multiple wins"
	case digit.Below:
		return "the smaller remainder wins"
	case digit.Nearest:
		return "the number closer to a multiple wins"
	case digit.Later:
		return "whoever places the last digit wins"
	default:
		return fmt.Sprintf("the %v number wins", orders[0])
	}
}

// example returns the value of a number that wins as a multiple, or 0 if none does: a full one, or where every length wins one of
// three digits if there is any, and not among the smallest if there is another, for those look as if only small numbers would do.
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
	return 0 // only one that begins with 0 wins
}

// multipleIn returns the first multiple of the target from a value on, and below another, that is made of different digits of the
// pool; 0: there is none.
func multipleIn(r digit.Rules, from, below int) int {
	const most = 1 << 20 // that are looked at: where nearly all repeat a digit a game is told without
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
		value = (value/weight + 1) * weight // all up to there have the same digit in the same place
	}
}

// misfit returns the weight of the first digit of a value, from the left, that is not in the pool or
// stands there before; 0: there is none.
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

// FirstSteps tells somebody who plays for the first time what to do, in three steps of a few words: with a digit, with the number,
// and to win, which stands beside the goal in short.
func FirstSteps(r digit.Rules) [3]string {
	steps := [3]string{"Take a digit", "Put it in your number", goalShort(r)}
	switch r.Place {
	case digit.Ends:
		steps[1] = "Put it at an end"
	case digit.Hand:
		steps[1] = "It goes into your hand"
	default:
	}
	orders := r.Orders()
	switch {
	case r.Reachable() && r.Win == digit.OnCall:
		steps[2] = "Make one and call it"
	case r.Reachable():
		steps[2] = "Be the first to make one"
	case len(orders) > 0 && (orders[0] == digit.Higher || orders[0] == digit.Lower):
		steps[2] = fmt.Sprintf("Make the %v number", orders[0])
	default:
	}
	return steps
}

// Steps tells somebody who is asked to play how the game goes, in three steps: what is taken, where it goes, and what wins.
func Steps(r digit.Rules) [3]string {
	v := Voice{r, Cast{}, written}
	return [3]string{"In turn, take a digit. " + optionWords["pool"].means(v), v.build(), cmp.Or(v.win(), v.end(v.whenOver()))}
}

func goalShort(r digit.Rules) string {
	t := r.Target
	if r.Reachable() {
		switch {
		case r.Win == digit.OnCall:
			return fmt.Sprintf("Call a multiple of %d to win", t)
		case r.Place == digit.Hand:
			return fmt.Sprintf("First hand with a multiple of %d wins", t)
		case r.Win == digit.EachTurn:
			return fmt.Sprintf("First multiple of %d wins", t)
		default:
			return fmt.Sprintf("First full multiple of %d wins", t)
		}
	}
	orders := r.Orders()
	if len(orders) == 0 {
		return "Always a draw: no multiple can be made"
	}
	switch orders[0] {
	case digit.Above:
		return fmt.Sprintf("Closest below a multiple of %d wins", t)
	case digit.Below:
		return fmt.Sprintf("Smaller remainder by %d wins", t)
	case digit.Nearest:
		return fmt.Sprintf("Closest to a multiple of %d wins", t)
	case digit.Later:
		return "Whoever places the last digit wins"
	default:
		return fmt.Sprintf("The %v number wins", orders[0])
	}
}

// build tells how numbers come to be.
func (v Voice) build() string {
	r := v.Rules
	text := ""
	switch {
	case r.Place == digit.Slots && r.Width == 1, r.Place == digit.Hand && r.Width == 1:
		text = "Take one digit."
	case r.Place == digit.Slots:
		text = fmt.Sprintf("Fill your %s places, one digit a turn.", InWords(int(r.Width)))
	case r.Place == digit.Ends:
		text = "Grow a number: each digit goes to its left or right end."
	default:
		text = fmt.Sprintf("Take %s digits; you may put them in any order.", InWords(int(r.Width)))
	}
	if first, second := r.Fills(digit.First), r.Fills(digit.Second); first != second {
		text += fmt.Sprintf(" The starter gets %s, the other player %d.", plural(first, "digit"), second)
	} else if r.Place == digit.Ends {
		text += fmt.Sprintf(" Each player gets %s.", plural(first, "digit"))
	}
	return text
}

// win tells how a game is won before its end.
func (v Voice) win() string {
	r, t := v.Rules, v.Rules.Target
	switch {
	case r.Win == digit.Never:
		return ""
	case !r.Reachable() && r.Win != digit.OnCall:
		return fmt.Sprintf("No number here can be a multiple of %d.", t)
	case !r.Reachable():
		return fmt.Sprintf("No number here can be a multiple of %d, so never call one: a wrong call loses at once.", t)
	case r.Win == digit.OnCall:
		return fmt.Sprintf("With your last digit you may call a number: a multiple of %d wins at once, any other number loses at once.", t)
	case r.Place == digit.Hand && r.Win == digit.EachTurn:
		return fmt.Sprintf("A hand wins as soon as all its digits together make a multiple of %d.", t)
	case r.Place == digit.Hand:
		return fmt.Sprintf("The first full hand that makes a multiple of %d wins.", t)
	case r.Win == digit.EachTurn:
		return fmt.Sprintf("The first number that is a multiple of %d wins, however short it is.", t)
	default:
		return fmt.Sprintf("The first full number that is a multiple of %d wins.", t)
	}
}

// ifNobody begins what is told of the end right after how the game is won.
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

// whenOver begins what is told of the end by itself.
func (v Voice) whenOver() string {
	if v.Rules.Reachable() {
		return "If nobody has won when " + v.closes() + ", "
	}
	return v.ifNobody()
}

// end tells what decides when nobody has won before, after some words to begin with.
func (v Voice) end(text string) string {
	r := v.Rules
	orders := r.Orders()
	if len(orders) == 0 {
		return text + "it is a draw."
	}
	if r.Place == digit.Hand && orders[0] != digit.Later {
		text += "each hand counts as the best number it makes: "
	}
	var ways []string
	for _, o := range orders {
		ways = append(ways, v.decides(o))
	}
	if r.Drawable() {
		ways = append(ways, "it is a draw")
	}
	return text + strings.Join(ways, "; if that is equal, ") + "."
}

// closes tells when a game is over.
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

// decides tells what an order prefers.
func (v Voice) decides(o digit.Order) string {
	t := v.Rules.Target
	switch o {
	case digit.Above:
		return fmt.Sprintf("the number with the shorter way up to the next multiple of %d wins%s", t,
			v.sign(fmt.Sprintf(" (a multiple itself has %d to go)", t), fmt.Sprintf(", where a multiple itself has %d to go", t)))
	case digit.Below:
		return fmt.Sprintf("the number with the smaller remainder by %d wins", t)
	case digit.Nearest:
		return fmt.Sprintf("the number closer to a multiple of %d, above or below, wins", t)
	case digit.Later:
		return v.last() + " wins, who places the last digit"
	default:
		return fmt.Sprintf("the %v number wins", o)
	}
}

// last names the side that places the last digit where nobody is known.
func (v Voice) last() string {
	if v.Rules.Last() == digit.First {
		return "the starter"
	}
	return "the second player"
}

// zero tells what a number is worth that begins with 0; it is empty where no 0 is in the pool.
func (v Voice) zero() string {
	r := v.Rules
	switch {
	case !r.Pool.Has(0):
		return ""
	case r.Zero == digit.Counts && r.Alone().Has(0):
		return v.leadingZero() + " A 0 alone is a multiple of everything and wins."
	case r.Zero == digit.Counts:
		return v.leadingZero()
	case r.Place == digit.Hand && r.Win == digit.OnCall:
		return "A called number may not begin with 0."
	case r.Place == digit.Hand:
		return "A number made of a hand may not begin with 0."
	case r.Zero == digit.Barred:
		return "No number may begin with 0."
	case !r.Reachable(): // nothing wins as a multiple, so only the comparison asks what it is worth
		return v.leadingZero()
	case len(r.Orders()) == 0:
		return "A number that begins with 0 cannot win as a multiple."
	default:
		return "A number that begins with 0 cannot win as a multiple; in the comparison it counts as usual."
	}
}

func (v Voice) leadingZero() string {
	if v.Rules.Base() == 10 {
		return "042 is 42."
	}
	return "042 is worth as much as 42."
}

// warning tells what a player should know before choosing the game.
func (v Voice) warning() string {
	r := v.Rules
	alone := r.Alone()
	switch {
	case alone.Len() == 1:
		return fmt.Sprintf("Careful: %s alone is already a multiple of %d, so the starter can win with the first digit.", Digits(alone), r.Target)
	case alone != 0:
		return fmt.Sprintf("Careful: %s alone are already multiples of %d, so the starter can win with the first digit.", Digits(alone), r.Target)
	case !r.Reachable() && len(r.Orders()) > 0 && r.Orders()[0] == digit.Later:
		return fmt.Sprintf("This is settled before the first digit: %s wins.", v.last())
	default:
		return ""
	}
}
