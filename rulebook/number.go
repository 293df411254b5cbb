package rulebook

import (
	"fmt"
	"strconv"
	"strings"

	"digitduel/digit"
)

// Number returns a number as it is written, "042", with its value in another base than ten:
// "9bc (2492)". A screen reader hears a number with gaps, a leading 0 or letters digit by digit:
// "7 blank 1", "0 4 2, that is 42".
func (v Voice) Number(n digit.Number) string {
	value := strconv.Itoa(v.Value(n))
	switch {
	case !n.Full() || n.Len() == 0:
		return v.Row(n)
	case n.String() == value:
		return value
	case v.form == heard:
		return spelled(n.String()) + ", that is " + value
	case v.Rules.Base() != 10:
		return n.String() + " (" + value + ")"
	default:
		return n.String()
	}
}

// spelled returns a number character by character: "9 b c".
func spelled(number string) string { return strings.Join(strings.Split(number, ""), " ") }

// Row returns the places of a number: "7 _ 1", heard "7 blank 1". Without fixed places it returns
// the digits.
func (v Voice) Row(n digit.Number) string {
	if v.Rules.Place != digit.Slots && n.Len() > 0 {
		return n.String()
	}
	if n.Len() == 0 {
		return "nothing yet"
	}
	return strings.ReplaceAll(spelled(n.String()), "_", v.sign("_", "blank"))
}

// Sum divides a number by the target: "721 = 7 × 103", "708 = 7 × 101 + 1", "12 is less than 13".
func (v Voice) Sum(n digit.Number) string {
	value, t := v.Value(n), int(v.Rules.Target)
	switch {
	case t == 0:
		return v.Number(n)
	case value < t && value > 0:
		return v.Subject(n) + fmt.Sprintf(" is less than %d", t)
	}
	text := v.Subject(n) + v.sign(" = ", " is ") + v.product(value/t)
	if rest := value % t; rest > 0 {
		text += v.sign(" + ", " plus ") + strconv.Itoa(rest)
	}
	return text
}

// Made returns a multiple as the object of a sentence: "721 = 7 × 103", heard "721, which is 7
// times 103".
func (v Voice) Made(n digit.Number) string {
	if v.form != heard {
		return v.Sum(n)
	}
	return v.Number(n) + ", which is " + v.product(v.Value(n)/int(v.Rules.Target))
}

// Subject returns a number as the subject of a sentence, with a comma after an apposition.
func (v Voice) Subject(n digit.Number) string {
	text := v.Number(n)
	if strings.Contains(text, ", that is ") {
		text += ","
	}
	return text
}

// sign returns a sign, or the words that a screen reader hears instead.
func (v Voice) sign(sign, words string) string {
	if v.form == heard {
		return words
	}
	return sign
}

// product returns a multiple of the target: "7 × 103".
func (v Voice) product(times int) string {
	return fmt.Sprintf("%d%s%d", v.Rules.Target, v.sign(" × ", " times "), times)
}

// Value returns the value of a number.
func (v Voice) Value(n digit.Number) int { return n.Value(v.Rules.Base()) }

// gap returns how far a number is from a multiple, as an order measures it, that multiple, and the
// words between the two: "1 short of 686", "4 over 812".
func (v Voice) gap(o digit.Order, n digit.Number) (far, to int, way, of string) {
	value, t := v.Value(n), int(v.Rules.Target)
	far = v.Rules.Measure(o, value)
	if o == digit.Above || o == digit.Nearest && 2*(value%t) > t {
		return far, value + far, " short", " of "
	}
	return far, value - far, " over", " "
}

// Distance returns how far a number is from a multiple, as an order measures it: "1 short",
// "4 over", or "a multiple of 7".
func (v Voice) Distance(o digit.Order, n digit.Number) string {
	far, _, way, _ := v.gap(o, n)
	if far == 0 {
		return v.fill("a multiple of ${t}")
	}
	return count(far) + way
}

// OfMultiple returns the distance with the target: "1 short of a multiple of 7", "4 over a multiple
// of 7", "a multiple of 7".
func (v Voice) OfMultiple(o digit.Order, n digit.Number) string {
	far, _, _, of := v.gap(o, n)
	if far == 0 {
		return v.Distance(o, n)
	}
	return v.Distance(o, n) + v.fill(of+"a multiple of ${t}")
}

// Gap returns the distance with the multiple: "685 is 1 short of 686 = 7 × 98", "816 is 4 over
// 812 = 7 × 116". A multiple has its sum instead.
func (v Voice) Gap(o digit.Order, n digit.Number) string {
	far, to, way, of := v.gap(o, n)
	if far == 0 {
		return v.Sum(n)
	}
	return fmt.Sprintf("%s is %d%s%s%d%s%s", v.Subject(n), far, way, of, to,
		v.sign(" = ", ", which is "), v.product(to/int(v.Rules.Target)))
}

// Worth compares a number of a finished game with the target: by its distance if that decided, or
// else by its sum.
func (v Voice) Worth(f Finish, n digit.Number) string {
	if f.Order.Measures() {
		return v.Gap(f.Order, n)
	}
	return v.Sum(n)
}

// Turns says when something happens that takes n turns, this one included: "this turn", "after
// Ben's next digit", "in 5 turns". Other is the opponent of the player to move. With explain it
// adds that both players count, which is enough once on a screen.
func (v Voice) Turns(n int, other digit.Side, explain bool) string {
	switch {
	case n <= 1:
		return "this turn"
	case n == 2:
		return "after " + v.Possessive(other) + " next digit"
	case explain:
		return fmt.Sprintf("in %d turns, counting both players", n)
	default:
		return fmt.Sprintf("in %d turns", n)
	}
}

// Digits lists all digits of a set: "1, 2 and 7".
func Digits(set digit.Pool) string { return Join(strings.Fields(set.List(" ")), "and") }

// left lists the digits of a pool to choose from: "0 1 2", heard "0, 1, 2".
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

// InOrder returns an ordinal from 1 on: "third".
func InOrder(n int) string {
	words := []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"}
	return words[n-1]
}

// Plural returns "1 digit", "2 digits".
func Plural(n int, what string) string { return oneOr(n, what, what+"s") }

// tries returns "1 try", "2 tries".
func tries(n int) string { return oneOr(n, "try", "tries") }
