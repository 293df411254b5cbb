package cli

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
)

// A slip is a message to a player whose answer cannot be used. The prompt follows again.
type slip string

func (s slip) Error() string { return string(s) }

// orHelp is added for a player who may not know what to type.
const orHelp = " Or type help."

// askForHelp ends the first line of a game.
const askForHelp = " Type help at any prompt.\n"

// quoted quotes a typed text, cut to a length that fits a line.
func quoted(text string) string {
	const most = 30
	for i := range text {
		if i >= most {
			return strconv.Quote(text[:i]) + "…"
		}
	}
	return strconv.Quote(text)
}

// refused returns a slip if the rules refuse a move of the player who types, else nil.
func (s screen) refused(m digit.Move) error {
	_, err := s.rules().Play(s.state.Position, m)
	var wrong *digit.MoveError
	if !errors.As(err, &wrong) {
		return err
	}
	return slip(rulebook.Refused(s.rules(), s.state.Position, wrong, s.typist()).Long)
}

// marks are the characters that the rulebooks and this program print around digits and places.
var marks = strings.NewReplacer(
	"'", "", "`", "", `"`, "", "*", "", "(", "", ")", "", "[", "", "]", "")

// fillers are the words that they print around them.
var fillers = []string{
	"add", "at", "digit", "end", "in", "number", "of", "on", "pick", "place", "position", "put",
	"select", "take", "the", "to", "your",
}

// bare returns a text without what the rulebooks print around digits and places: "7" for
// "digit '7'", and "Left" for "(L)eft position."
func bare(text string) string {
	words := strings.FieldsFunc(marks.Replace(strings.TrimSuffix(text, ".")), func(c rune) bool {
		return c == ' ' || c == '\t'
	})
	return strings.Join(slices.DeleteFunc(words, func(word string) bool {
		return slices.Contains(fillers, strings.ToLower(word))
	}), " ")
}

// readTurn reads the answer to the prompt for a digit: the digit alone, or with its place or call
// in the same line ("7", "7 left", "7L", "7a", "2 721"). It returns the rest of the line after the
// digit.
func (s screen) readTurn(text string) (d digit.Digit, rest string, err error) {
	r, p := s.rules(), s.state.Position
	text = bare(text)
	noDigit := slip(rulebook.NoDigit(r, p).Long + orHelp)
	if text == "" {
		return 0, "", noDigit
	}
	value, err := strconv.ParseUint(text[:1], 16, 8)
	d = digit.Digit(value)
	rest = strings.TrimLeft(text[1:], " \t,:=")
	apart := len(rest) < len(text)-1
	switch {
	case err != nil || d > 9 && r.Base() == 10,
		// several digits
		!apart && (r.Place == digit.Hand && rest != "" || strings.ContainsAny(rest, "0123456789")):
		return 0, "", noDigit
	case len(r.Spots(p, d)) == 0:
		return 0, "", s.refused(digit.Move{Digit: d})
	}
	return d, rest, nil
}

// readPlace reads the answer to the prompt for a place: a name in any case, an unambiguous
// beginning of one, or the letter.
func (s screen) readPlace(text string, d digit.Digit) (digit.Spot, error) {
	r, p := s.rules(), s.state.Position
	spots := s.spotsIn(strings.ToLower(bare(text)))
	ask := rulebook.AskSpot(r, p, d).Long
	switch sideless := r.Place == digit.Ends && r.Held(p, r.Turn(p)) == 0; {
	case sideless && len(spots) == 1:
		return digit.Right, nil
	case sideless:
		return 0, slip("Type L or R; for the first digit they are the same.")
	case text == "":
		return 0, slip(ask)
	case len(spots) > 1:
		return 0, slip(quoted(text) + " can be several places. " + ask)
	case len(spots) == 0:
		spots = append(spots, digit.InHand) // not a place here
	}
	return spots[0], s.refused(digit.Move{Digit: d, Spot: spots[0]})
}

// spotsIn returns the places that lower-case words can mean: one name, or several of one place, as
// in "left (hundreds place)".
func (s screen) spotsIn(words string) []digit.Spot {
	spots := s.spotsNamed(strings.ReplaceAll(words, " ", "-"))
	if len(spots) > 0 {
		return spots
	}
	for word := range strings.SplitSeq(words, " ") {
		one := s.spotsNamed(word)
		if len(one) != 1 || spots != nil && spots[0] != one[0] {
			return nil
		}
		spots = one
	}
	return spots
}

// spotsNamed returns the places that a lower-case word can mean: a letter of the notation, a name,
// or the beginning of one.
func (s screen) spotsNamed(word string) []digit.Spot {
	if word == "" {
		return nil
	}
	names := map[string]digit.Spot{"left": digit.Left, "right": digit.Right}
	if s.rules().Place != digit.Ends {
		width := int(s.rules().Width)
		if i, ok := digit.Spot(word[0]).Slot(); ok && len(word) == 1 && i < width {
			return []digit.Spot{digit.SlotAt(i)}
		}
		names["left"] = digit.SlotAt(0)
		for _, last := range []string{"right", "ones"} {
			names[last] = digit.SlotAt(width - 1)
		}
		if width%2 == 1 {
			names["middle"] = digit.SlotAt(width / 2)
		}
		for i, power := range rulebook.Powers(s.rules()) {
			spot := digit.SlotAt(i)
			spoken := strings.TrimPrefix(rulebook.Voice{Rules: s.rules()}.Spot(spot), "the ")
			for _, name := range []string{spoken, power, s.places[i]} {
				names[strings.ToLower(strings.ReplaceAll(name, " ", "-"))] = spot
			}
		}
	}
	if spot, ok := names[word]; ok {
		return []digit.Spot{spot}
	}
	var spots []digit.Spot
	for name, spot := range names {
		if strings.HasPrefix(name, word) && !slices.Contains(spots, spot) {
			spots = append(spots, spot)
		}
	}
	return spots
}

// readCall reads the answer to the prompt for a call: a number from the hand, or nothing.
func (s screen) readCall(text string, d digit.Digit) (digit.Move, error) {
	m := digit.Move{Digit: d}
	word := strings.TrimLeft(strings.ToLower(marks.Replace(strings.TrimSuffix(text, "."))), "=")
	if slices.Contains([]string{"", "none", "no", "n", "pass"}, word) {
		return m, nil
	}
	word = strings.NewReplacer(", ", "", ",", "", " ", "").Replace(word) // as a hand is printed
	called, err := digit.ParseMove(d.String() + "=" + word)
	switch {
	case err == nil:
		return called, s.refused(called)
	case s.rules().MayCall(s.state.Position):
		return m, slip(rulebook.AskCall(s.rules(), s.state.Position, d).Long)
	default:
		return m, slip(rulebook.NoDigit(s.rules(), s.state.Position).Long + orHelp)
	}
}
