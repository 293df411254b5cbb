package rulebook

import (
	"slices"
	"strings"

	"digitduel/digit"
)

// places are the names that books have for their places. A book that is not here, or whose rules are changed in width or base, has
// those of [Powers].
var places = map[string][]string{
	"dilemma": {"Left", "Middle", "Right"},
	"highest": {"hundreds", "tens", "units"},
	"reverse": {"hundreds", "tens", "ones"},
}

// Closest returns the closest of the books that place digits as the rules do: the one whose words fit them.
func Closest(r digit.Rules) digit.Book {
	return r.Closest(slices.DeleteFunc(slices.Clone(digit.Books), func(b digit.Book) bool { return b.Rules.Place != r.Place }))
}

// Places names the fixed places of a number from the left in the words of the closest book; without fixed places there are none.
func Places(r digit.Rules) []string {
	if r.Place != digit.Slots {
		return nil
	}
	if names := places[Closest(r).Name]; len(names) == int(r.Width) {
		return slices.Clone(names)
	}
	return Powers(r)
}

// Powers names the fixed places of a number of any width: by the powers of ten, and in another base by letters. Ten digits
// make numbers of up to five. Without fixed places there are none.
func Powers(r digit.Rules) []string {
	if r.Place != digit.Slots {
		return nil
	}
	names := []string{"ten-thousands", "thousands", "hundreds", "tens", "units"}
	if r.Base() == 10 {
		return names[len(names)-int(r.Width):]
	}
	names = make([]string, r.Width)
	for i := range names {
		names[i] = digit.SlotAt(i).String()
	}
	return names
}

var ordinals = [digit.MaxWidth]string{"1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th"}

// spotWord names a spot in a list of them: "left", "hundreds", "the 2nd". Letters never name a place, since they may be digits.
func (v Voice) spotWord(spot digit.Spot) string {
	i, isSlot := spot.Slot()
	switch {
	case isSlot && i < int(v.Rules.Width) && v.Rules.Base() == 10:
		return strings.ToLower(Places(v.Rules)[i])
	case isSlot:
		return "the " + ordinals[i]
	case spot == digit.Left:
		return "left"
	default:
		return "right"
	}
}

// Spot names a spot: "the left", "the hundreds place", "the 2nd place", "the right end".
func (v Voice) Spot(spot digit.Spot) string {
	word := strings.TrimPrefix(v.spotWord(spot), "the ")
	switch {
	case v.Rules.Place == digit.Ends:
		return "the " + word + " end"
	case word == "left" || word == "middle" || word == "right":
		return "the " + word
	default:
		return "the " + word + " place"
	}
}

// Where tells where a digit goes: "on the left", "in the hundreds place", "at the right end".
func (v Voice) Where(spot digit.Spot) string {
	where := v.Spot(spot)
	switch {
	case v.Rules.Place == digit.Ends:
		return "at " + where
	case where == "the left" || where == "the right":
		return "on " + where
	default:
		return "in " + where
	}
}

// Put tells a move of a position as something to do: "put 7 on the left", "begin with 4", "take 2 and call 721".
func (v Voice) Put(p digit.Position, m digit.Move) string {
	verb, rest := v.put(p, m)
	text := verb + " " + rest
	if m.Call != (digit.Number{}) {
		text += " and call " + v.Number(m.Call)
	}
	return text
}

// put returns the verb of a move, and what follows it without the call.
func (v Voice) put(p digit.Position, m digit.Move) (verb, rest string) {
	d := m.Digit.String()
	switch {
	case v.Rules.Place == digit.Hand:
		return "take", d
	case v.Rules.Place == digit.Ends && v.Rules.Held(p, v.Rules.Turn(p)) == 0:
		return "begin", "with " + d
	default:
		return "put", d + " " + v.Where(m.Spot)
	}
}

// spots lists where the side to move may put a digit.
func (v Voice) spots(p digit.Position, d digit.Digit) []string {
	var words []string
	for _, spot := range v.Rules.Spots(p, d) {
		words = append(words, v.spotWord(spot))
	}
	return words
}
