package rulebook

import (
	"fmt"
	"strings"

	"digitduel/digit"
)

// A Section is one heading of the rules of a game, and what they say under it: a paragraph in one line.
type Section struct{ Heading, Text string }

// Sections tells the rules of a game in words, in the order in which one learns them.
func Sections(r digit.Rules) []Section {
	sections := []Section{
		{"Goal", goal(r)},
		{"Pool", pool(r)},
		{"Start", "Player 1, unless it is agreed or tossed otherwise; in a series the start alternates."},
		{"Turn", turn(r)},
		{"Winning", winning(r)},
		{"The end", theEnd(r)},
	}
	if r.Pool.Has(0) {
		sections = append(sections, Section{"Zero", zero(r)})
	}
	return sections
}

func goal(r digit.Rules) string {
	if r.Win != digit.Never {
		return fmt.Sprintf("Be the first with a number that is a multiple of %d.", r.Target)
	}
	switch r.Final[0] {
	case digit.Higher:
		return "Have the higher number in the end."
	case digit.Lower:
		return "Have the lower number in the end."
	case digit.Later:
		return "Place the last digit."
	default:
		return fmt.Sprintf("Have the number closer to a multiple of %d in the end.", r.Target)
	}
}

func pool(r digit.Rules) string {
	text := fmt.Sprintf("The digits %s, each of them once. A digit that either player takes is gone.", r.Pool.List(" "))
	if r.Base() != 10 {
		text += fmt.Sprintf(" Numbers are read in base %d; a is ten, and so on.", r.Base())
	}
	return text
}

func turn(r digit.Rules) string {
	switch r.Place {
	case digit.Slots:
		return fmt.Sprintf("Take a digit and put it into one of the %d places of your number: %s. It stays there. Nobody may pass.",
			r.Width, strings.ToLower(strings.Join(Places(r), ", ")))
	case digit.Ends:
		text := "Take a digit and put it at the left or the right end of your number. The first digit has no sides. Nobody may pass."
		if r.Width > 0 {
			text += fmt.Sprintf(" A number has at most %d digits.", r.Width)
		}
		return text
	default:
		text := fmt.Sprintf("Take a digit into your hand, which holds up to %d. Nobody may pass.", r.Width)
		if r.Win == digit.OnCall {
			text += " With the digit that fills it you may, in the same turn and only then, call a number that uses each digit of the hand once."
		}
		return text
	}
}

func winning(r digit.Rules) string {
	hand := ""
	if r.Place == digit.Hand {
		hand = " The digits of a hand may be arranged in any order."
	}
	switch r.Win {
	case digit.WhenFull:
		return fmt.Sprintf("A number is tried when its last digit is placed. A multiple of %d wins at once.%s", r.Target, hand)
	case digit.EachTurn:
		return fmt.Sprintf("A number is tried after every digit. A multiple of %d wins at once.%s", r.Target, hand)
	case digit.OnCall:
		return fmt.Sprintf("A call that is a multiple of %d wins at once; any other call loses at once. Checking it is the caller's own risk; what is not made of the hand is no call, and asked for again.", r.Target)
	default:
		return "Nobody wins before the end."
	}
}

func theEnd(r digit.Rules) string {
	text := "When both numbers are full"
	switch {
	case r.Width == 0:
		text = "When the pool is empty"
	case r.Place == digit.Hand:
		text = "When both hands are full"
	}
	if r.Win != digit.Never {
		text += " and nobody has won"
	}
	text += ", "
	if r.Place == digit.Hand {
		text += "each hand counts as the number that suits it best, and "
	}
	var ways []string
	decided := false
	for _, o := range r.Final {
		switch o {
		case digit.Above:
			ways = append(ways, fmt.Sprintf("the number closer to the next multiple of %d above it wins (the distance is 1 to %d)", r.Target, r.Target))
		case digit.Below:
			ways = append(ways, fmt.Sprintf("the number with the smaller remainder by %d wins", r.Target))
		case digit.Nearest:
			ways = append(ways, fmt.Sprintf("the number closer to a multiple of %d on either side wins", r.Target))
		case digit.Higher:
			ways = append(ways, "the higher number wins")
			decided = true
		case digit.Lower:
			ways = append(ways, "the lower number wins")
			decided = true
		case digit.Later:
			ways = append(ways, "whoever finished later wins")
			decided = true
		}
	}
	text += strings.Join(ways, "; if that is equal, ")
	switch {
	case len(ways) == 0:
		return text + "the game is a draw."
	case decided:
		return text + ". Digits are unique, so there is no draw."
	default:
		return text + "; if that is equal, the game is a draw."
	}
}

func zero(r digit.Rules) string {
	switch {
	case r.Zero == digit.Counts:
		return "A number that begins with 0 is worth what its digits say: 042 is 42."
	case r.Place == digit.Hand:
		return "A number made of a hand may not begin with 0."
	case r.Zero == digit.Barred:
		return "A number may not begin with 0."
	case r.Win == digit.Never:
		return "A number may begin with 0, and is then a small one."
	default:
		return "A number may begin with 0, but then it never wins as a multiple; in the end it counts as what its digits say."
	}
}
