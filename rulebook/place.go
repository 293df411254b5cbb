package rulebook

import (
	"slices"
	"strings"

	"digitduel/digit"
)

// places are the names that books have for their places. Other books, and rules of another width,
// have those of [Powers].
var places = map[string][]string{
	"dilemma": {"Left", "Middle", "Right"},
	"highest": {"hundreds", "tens", "units"},
	"reverse": {"hundreds", "tens", "ones"},
}

// Closest returns the book whose words fit the rules: the closest one that places digits as they
// do.
func Closest(r digit.Rules) digit.Book {
	return r.Closest(slices.DeleteFunc(slices.Clone(digit.Books), func(b digit.Book) bool {
		return b.Rules.Place != r.Place
	}))
}

// Places returns the names of the fixed places, from the left, in the words of the closest book. It
// returns nil without fixed places.
func Places(r digit.Rules) []string {
	if r.Place != digit.Slots {
		return nil
	}
	if names := places[Closest(r).Name]; len(names) == int(r.Width) {
		return slices.Clone(names)
	}
	return Powers(r)
}

// Powers returns the names of the fixed places of a number of any width: the powers of ten, or
// letters in another base. Ten digits make numbers of up to five. It returns nil without fixed
// places.
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

// spotWord names a spot in a list: "left", "hundreds", "the 2nd". A letter, which may be a digit,
// or a power of ten in another base never names a place.
func (v Voice) spotWord(spot digit.Spot) string {
	i, isSlot := spot.Slot()
	switch {
	case spot == digit.Left:
		return "left"
	case !isSlot:
		return "right"
	case i < int(v.Rules.Width):
		if name := strings.ToLower(Places(v.Rules)[i]); v.Rules.Base() == 10 || bare(name) {
			return name
		}
	}
	return "the " + ordinals[i]
}

// bare reports whether the name of a place stands alone: "the left", but "the tens place".
func bare(name string) bool { return name == "left" || name == "middle" || name == "right" }

// Spot names a spot: "the left", "the hundreds place", "the 2nd place", "the right end".
func (v Voice) Spot(spot digit.Spot) string {
	word := strings.TrimPrefix(v.spotWord(spot), "the ")
	switch {
	case v.Rules.Place == digit.Ends:
		return "the " + word + " end"
	case bare(word):
		return "the " + word
	default:
		return "the " + word + " place"
	}
}

// Where says where a digit goes: "on the left", "in the hundreds place", "in the 2nd place".
func (v Voice) Where(spot digit.Spot) string {
	where := strings.TrimSuffix(v.Spot(spot), " end")
	if where == "the left" || where == "the right" {
		return "on " + where
	}
	return "in " + where
}

// Put returns a move as an instruction: "put 7 on the left", "add 4 on the right", "start with 4",
// "take 2 and call 721".
func (v Voice) Put(p digit.Position, m digit.Move) string {
	verb, rest := v.put(p, m)
	return verb + " " + rest + v.call(m, " and call ")
}

// call returns the call of a move after some words. It is empty if there is none.
func (v Voice) call(m digit.Move, words string) string {
	if !m.Calls() {
		return ""
	}
	return words + v.Number(m.Call)
}

// put returns the verb of a move and the rest of it without the call.
func (v Voice) put(p digit.Position, m digit.Move) (verb, rest string) {
	d := m.Digit.String()
	switch {
	case v.Rules.Place == digit.Hand:
		return "take", d
	case v.Rules.Place == digit.Slots:
		return "put", d + " " + v.Where(m.Spot)
	case v.Rules.Held(p, v.Rules.Turn(p)) == 0:
		return "start", "with " + d
	default:
		return "add", d + " " + v.Where(m.Spot)
	}
}

// pasts are the past forms of the verbs of moves.
var pasts = map[string]string{"take": "took", "put": "put", "start": "started", "add": "added"}

// Did returns a move in the past, without the player: "put 7 on the left", "took 2 and called 721".
func (v Voice) Did(before digit.Position, m digit.Move) string {
	verb, rest := v.put(before, m)
	return pasts[verb] + " " + rest + v.call(m, " and called ")
}

// Back returns a move as a noun: "7 on the left", "2 and the call of 721".
func (v Voice) Back(before digit.Position, m digit.Move) string {
	_, rest := v.put(before, m)
	return strings.TrimPrefix(rest, "with ") + v.call(m, " and the call of ")
}

// spots lists the spots that are open to a digit of the player to move.
func (v Voice) spots(p digit.Position, d digit.Digit) []string {
	var words []string
	for _, spot := range v.Rules.Spots(p, d) {
		words = append(words, v.spotWord(spot))
	}
	return words
}
