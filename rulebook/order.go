package rulebook

import (
	"os"

	"digitduel/digit"
)

// orders has the words for each order that can decide: its name after "the", in a list of
// options; the short goal; the clause in the rules; and the words of its [Emblem]. They are filled
// by [Voice.fill].
var orders = map[digit.Order]struct{ name, goal, rule, above, below string }{
	digit.Above: {"closest below a multiple", "Closest below a multiple of ${t} wins",
		"the number that needs less to reach the next multiple of ${t} wins", "closest to", "wins"},
	digit.Below: {"smaller remainder", "Divide by ${t}: smaller remainder wins",
		"the number with the smaller remainder when divided by ${t} wins", "least over", "wins"},
	digit.Nearest: {"closest to a multiple", "Closest to a multiple of ${t} wins",
		"the number closer to a multiple of ${t} wins", "closest to", "wins"},
	digit.Higher: {"higher number", "The higher number wins", "the higher number wins",
		"the higher", "number wins"},
	digit.Lower: {"lower number", "The lower number wins", "the lower number wins",
		"the lower", "number wins"},
	digit.Later: {"last digit", "Place the last digit to win",
		"${last} wins by placing the last digit", "the last", "digit wins"},
}

// fill fills words about the rules: ${t} is the target, ${n} the length of the starter's number in
// words, ${full} the length of a full number as an adjective, ${last} the player who places the
// last digit.
func (v Voice) fill(words string) string {
	first, second := v.Rules.Fills(digit.First), v.Rules.Fills(digit.Second)
	return os.Expand(words, func(key string) string {
		switch {
		case key == "t":
			return count(int(v.Rules.Target))
		case key == "n":
			return InWords(first)
		case key == "last":
			return v.last()
		case first != second:
			return "full-length"
		default:
			return InWords(first) + "-digit"
		}
	})
}

// decides returns the clause of an order in the rules.
func (v Voice) decides(o digit.Order) string { return v.fill(orders[o].rule) }

// last names the player who places the last digit.
func (v Voice) last() string {
	if v.Rules.Last() == digit.First {
		return "the starter"
	}
	return "the second player"
}

// firstOrder returns the first order that can decide, or 0.
func firstOrder(r digit.Rules) digit.Order { return append(r.Orders(), 0)[0] }

// otherwise says in a few words what decides at the end.
func (v Voice) otherwise() string {
	o := firstOrder(v.Rules)
	switch {
	case o == 0:
		return "it's a draw"
	case v.Rules.Place == digit.Hand && (o == digit.Above || o == digit.Nearest):
		return "the closer hand wins"
	default:
		return "the " + orders[o].name + " wins"
	}
}
