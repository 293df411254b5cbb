package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
)

// A slip is something typed that cannot be taken: it is shown to the player, who is asked again.
type slip string

func (s slip) Error() string { return string(s) }

func slipf(format string, args ...any) error { return slip(fmt.Sprintf(format, args...)) }

// quoted quotes what was typed, cut to a length that fits a line.
func quoted(text string) string {
	const most = 30
	for i := range text {
		if i >= most {
			return strconv.Quote(text[:i]) + "…"
		}
	}
	return strconv.Quote(text)
}

// readTurn reads an answer to the prompt for a digit: the digit alone, or with its place or call in the same line
// ("7", "7 left", "7L", "7a", "2 721"). It returns the rest of the line after the digit.
func (s screen) readTurn(text string) (d digit.Digit, rest string, err error) {
	left := s.rules().Left(s.state.Position)
	wanted := "left: " + left.List(" ")
	if text == "" {
		return 0, "", slipf("nothing was typed; pick a digit, or type help; %s", wanted)
	}
	value, err := strconv.ParseUint(text[:1], 16, 8)
	d = digit.Digit(value)
	isDigit := err == nil && (d < 10 || s.rules().Base() > 10)
	hand := s.rules().Place == digit.Hand
	rest = strings.TrimLeft(text[1:], " \t,:=")
	apart := len(rest) < len(text)-1 // a call stands apart from its digit, since both are digits
	switch {
	case !isDigit:
		return 0, "", slipf("%s is not a digit; pick one digit, or type help; %s", quoted(text), wanted)
	case hand && rest != "" && !apart, !hand && strings.ContainsAny(rest, "0123456789"):
		return 0, "", slipf("%s is not one digit; %s", quoted(text), wanted)
	case !s.rules().Pool.Has(d):
		return 0, "", slipf("%v is not in this game; %s", d, wanted)
	case !left.Has(d):
		return 0, "", slipf("%v is taken; %s", d, wanted)
	case len(s.rules().Spots(s.state.Position, d)) == 0:
		return 0, "", slipf("a number may not begin with 0; allowed: %s", (left &^ digit.PoolOf(d)).List(" "))
	}
	return d, rest, nil
}

// readPlace reads an answer to the prompt for a place: its name or any other, in any case, or as much of it as tells
// it from the others, or its letter.
func (s screen) readPlace(text string, d digit.Digit) (digit.Spot, error) {
	free := s.rules().Spots(s.state.Position, d)
	mine := s.rules().Number(s.state.Position, s.rules().Turn(s.state.Position))
	sideless := s.rules().Place == digit.Ends && mine.Len() == 0 // the first digit has no sides: L is R
	names := make([]string, len(free))
	for i, spot := range free {
		names[i] = s.placeName(spot)
	}
	if sideless {
		names = []string{"L", "R"}
	}
	wanted := "free: " + strings.Join(names, ", ")
	if text == "" {
		return 0, slipf("nothing was typed; choose a place, or type help; %s", wanted)
	}
	spots := s.spotsNamed(strings.ToLower(strings.ReplaceAll(text, " ", "-")))
	switch {
	case len(spots) == 0:
		return 0, slipf("%s is not a place; %s", quoted(text), wanted)
	case len(spots) > 1:
		return 0, slipf("%s can be several places; %s", quoted(text), wanted)
	}
	spot := spots[0]
	if sideless {
		spot = digit.Right
	}
	if slices.Contains(free, spot) {
		return spot, nil
	}
	if i, ok := spot.Slot(); ok {
		if _, filled := mine.At(i); filled {
			return 0, slipf("%s is filled; %s", s.placeName(spot), wanted)
		}
	}
	return 0, slipf("a number may not begin with 0; %s", wanted)
}

// spotsNamed returns the places that a word in lower case can mean: a letter in our notation, a name in full, or the
// beginning of one.
func (s screen) spotsNamed(word string) []digit.Spot {
	type named struct {
		name string
		spot digit.Spot
	}
	var all []named
	if s.rules().Place == digit.Ends {
		all = []named{{"left", digit.Left}, {"right", digit.Right}}
	} else {
		width := int(s.rules().Width)
		if i, ok := digit.Spot(word[0]).Slot(); ok && len(word) == 1 && i < width {
			return []digit.Spot{digit.SlotAt(i)}
		}
		for i, power := range rulebook.Powers(s.rules()) {
			all = append(all, named{strings.ToLower(s.places[i]), digit.SlotAt(i)}, named{power, digit.SlotAt(i)})
		}
		all = append(all, named{"left", digit.SlotAt(0)}, named{"right", digit.SlotAt(width - 1)}, named{"ones", digit.SlotAt(width - 1)})
		if width%2 == 1 {
			all = append(all, named{"middle", digit.SlotAt(width / 2)})
		}
	}
	var spots []digit.Spot
	for _, n := range all {
		if n.name == word {
			return []digit.Spot{n.spot}
		}
		if strings.HasPrefix(n.name, word) && !slices.Contains(spots, n.spot) {
			spots = append(spots, n.spot)
		}
	}
	return spots
}

// readCall reads an answer to the prompt for a call: a number made of the hand, or nothing.
func (s screen) readCall(text string, d digit.Digit) (digit.Move, error) {
	m := digit.Move{Digit: d}
	word := strings.TrimLeft(strings.ToLower(text), "=")
	if word == "" || word == "none" || word == "pass" {
		return m, nil
	}
	called, err := digit.ParseMove(d.String() + "=" + word)
	if err != nil {
		hand := s.rules().Held(s.state.Position, s.rules().Turn(s.state.Position)) | digit.PoolOf(d)
		return m, slipf("%s is not a number; allowed: the digits %s, each once, in any order, or no call", quoted(text), hand.List(" "))
	}
	if _, err := s.rules().Play(s.state.Position, called); err != nil {
		return m, slipf("%s cannot be called: %s", quoted(text), strings.TrimPrefix(err.Error(), called.String()+": "))
	}
	return called, nil
}
