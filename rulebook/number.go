package rulebook

import (
	"fmt"
	"strconv"
	"strings"

	"digitduel/digit"
)

// Number tells a number as it is written, "042", and its value where its digits are not those of base ten: "edb (3803)". Heard, a
// number with gaps, a leading 0 or letters is told digit by digit: "7 blank 1", "0 4 2, that is 42".
func (v Voice) Number(n digit.Number) string {
	value := strconv.Itoa(n.Value(v.Rules.Base()))
	switch {
	case !n.Full() || n.Len() == 0:
		return v.Row(n)
	case n.String() == value:
		return value
	case v.form == heard:
		return strings.Join(strings.Split(n.String(), ""), " ") + ", that is " + value
	case v.Rules.Base() != 10:
		return n.String() + " (" + value + ")"
	default:
		return n.String()
	}
}

// Row tells the places of a number: "7 _ 1", heard "7 blank 1". Of a number without fixed places it is what there is of it.
func (v Voice) Row(n digit.Number) string {
	if v.Rules.Place != digit.Slots && n.Len() > 0 {
		return n.String()
	}
	places := make([]string, n.Len())
	for i := range places {
		places[i] = "_"
		if v.form == heard {
			places[i] = "blank"
		}
		if d, ok := n.At(i); ok {
			places[i] = d.String()
		}
	}
	if len(places) == 0 {
		return "nothing yet"
	}
	return strings.Join(places, " ")
}

// Sum tells what a number is by the target: "721 = 7·103", "708 = 7·101 + 1", "12 is smaller than 13".
func (v Voice) Sum(n digit.Number) string {
	value, t := n.Value(v.Rules.Base()), int(v.Rules.Target)
	switch {
	case t == 0:
		return v.Number(n)
	case value < t && value > 0:
		return v.closed(n) + fmt.Sprintf(" is smaller than %d", t)
	}
	text := v.closed(n) + v.sign(" = ", " is ") + v.product(value/t)
	if rest := value % t; rest > 0 {
		text += v.sign(" + ", " plus ") + strconv.Itoa(rest)
	}
	return text
}

// Made tells a multiple as a thing: "721 = 7·103", heard "721, which is 7 times 103".
func (v Voice) Made(n digit.Number) string {
	if v.form != heard {
		return v.Sum(n)
	}
	return v.Number(n) + ", which is " + v.product(n.Value(v.Rules.Base())/int(v.Rules.Target))
}

// closed is a number with what is said of it behind it.
func (v Voice) closed(n digit.Number) string {
	text := v.Number(n)
	if strings.Contains(text, ", that is ") {
		text += ","
	}
	return text
}

// sign returns a sign, or what stands for it where it is heard.
func (v Voice) sign(sign, words string) string {
	if v.form == heard {
		return words
	}
	return sign
}

// product tells a multiple of the target.
func (v Voice) product(times int) string {
	return fmt.Sprintf("%d%s%d", v.Rules.Target, v.sign("·", " times "), times)
}

// Gap tells how far a number is from a multiple, as an order measures it: "685 is 1 below 686 = 7·98"; of a multiple, its sum.
func (v Voice) Gap(o digit.Order, n digit.Number) string {
	value, t := n.Value(v.Rules.Base()), int(v.Rules.Target)
	far := v.Rules.Measure(o, value)
	if far == 0 {
		return v.Sum(n)
	}
	where, to := v.way(o, value), value-far
	if where == "below" {
		to = value + far
	}
	return fmt.Sprintf("%s is %d %s %d%s%s", v.closed(n), far, where, to, v.sign(" = ", ", which is "), v.product(to/t))
}

// Worth tells what a number of a finished game is by the target: as far from a multiple as what decided measures it, or as a sum.
func (v Voice) Worth(f Finish, n digit.Number) string {
	switch f.Order {
	case digit.Above, digit.Below, digit.Nearest:
		return v.Gap(f.Order, n)
	default:
		return v.Sum(n)
	}
}

// way returns on which side of the multiple that an order measures to a value is.
func (v Voice) way(o digit.Order, value int) string {
	t := int(v.Rules.Target)
	if o == digit.Above || o == digit.Nearest && 2*(value%t) > t {
		return "below"
	}
	return "above"
}

// tie tells that an order finds two numbers equal.
func (v Voice) tie(o digit.Order, a, b digit.Number) string {
	x, y := a.Value(v.Rules.Base()), b.Value(v.Rules.Base())
	far, t := v.Rules.Measure(o, x), int(v.Rules.Target)
	both := v.closed(a) + " and " + v.closed(b) + " are both "
	switch {
	case far == 0:
		return both + fmt.Sprintf("multiples of %d", t)
	case x%t != y%t:
		return both + fmt.Sprintf("%d away from a multiple of %d", far, t)
	default:
		return both + fmt.Sprintf("%d %s a multiple of %d", far, v.way(o, x), t)
	}
}

// Turns tells when something happens that takes some turns, this one included, to whoever is to move against other. That both
// players' turns count is told where explain says so, once on a screen.
func (v Voice) Turns(plies int, other digit.Side, explain bool) string {
	switch {
	case plies <= 1:
		return "now"
	case plies == 2:
		return "after " + lower(v.Whose(other)) + " next digit"
	case explain:
		return fmt.Sprintf("in %d turns%s", plies, v.sign(" (both players' turns count)", ", counting both players' turns,"))
	default:
		return fmt.Sprintf("in %d turns", plies)
	}
}

// lower returns what stands at the beginning of a sentence for the middle of one; names stay as they are.
func lower(who string) string {
	if strings.HasPrefix(who, "You") {
		return "y" + who[1:]
	}
	return who
}

// Digits lists the digits of a set, all of them.
func Digits(set digit.Pool) string { return listAll(strings.Fields(set.List(" ")), "and") }

// left tells the digits of a pool as something to choose from.
func (v Voice) left(set digit.Pool) string { return set.List(v.sign(" ", ", ")) }

// count returns a number in digits.
func count(n int) string { return strconv.Itoa(n) }

// InWords returns a small number in words.
func InWords(n int) string {
	words := []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight"}
	if n < len(words) {
		return words[n]
	}
	return count(n)
}

// InOrder returns the place of a small number in a row, from 1: "third".
func InOrder(n int) string {
	words := []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"}
	return words[n-1]
}

// plural returns "1 digit", "2 digits".
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return count(n) + " " + what + "s"
}

// tries returns "1 try", "2 tries".
func tries(n int) string {
	if n == 1 {
		return "1 try"
	}
	return count(n) + " tries"
}
