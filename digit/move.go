package digit

import (
	"errors"
	"strings"
)

// A Move takes a digit from the pool, puts it on a spot and, with a hand, may call a number.
// Moves are comparable. [Rules.Play] decides whether one is legal. The text of a move is the
// digit and the spot, "7a", "4L", "2", and the call, if any, "2=721".
type Move struct {
	Digit Digit
	Spot  Spot
	Call  Number // the zero Number means no call
}

// A Spot is the destination of a digit: a place of a number, named from the left from 'a', one of
// its two ends, or the hand.
type Spot byte

const (
	InHand Spot = 0
	Left   Spot = 'L'
	Right  Spot = 'R'
)

// SlotAt returns the spot of place i, counted from the left from 0.
func SlotAt(i int) Spot { return Spot('a' + i) }

// Slot returns the place that s names, counted from the left from 0. It reports false if s is not
// a place.
func (s Spot) Slot() (int, bool) { return int(s) - 'a', 'a' <= s && s < 'a'+MaxWidth }

func (s Spot) String() string {
	if s == InHand {
		return ""
	}
	return string(rune(s))
}

// Calls reports whether the move calls a number.
func (m Move) Calls() bool { return m.Call != Number{} }

// Uncalled returns the move without its call. Moves that differ only in their calls have the same
// Uncalled move.
func (m Move) Uncalled() Move { return Move{Digit: m.Digit, Spot: m.Spot} }

func (m Move) String() string { return string(m.append(nil)) }

func (m Move) append(b []byte) []byte {
	b = append(b, m.Digit.char())
	if m.Spot != InHand {
		b = append(b, byte(m.Spot))
	}
	if m.Calls() {
		b = m.Call.append(append(b, '='))
	}
	return b
}

// ParseMove parses a move. The error is a [*ParseError].
func ParseMove(text string) (Move, error) {
	bad := func(why string) (Move, error) {
		return Move{}, &ParseError{"move", text, why +
			"; a move is a digit and a place a to h (7a), a digit and an end (4L, 4R), " +
			"a digit (2), or a digit and a call (2=721)"}
	}
	if text == "" {
		return bad("it is empty")
	}
	d, ok := readDigit(text[0])
	if !ok {
		return bad("it does not begin with a digit")
	}
	m := Move{Digit: d}
	switch rest := text[1:]; {
	case rest == "":
		return m, nil
	case rest[0] == '=':
		call, ok := readPlaces(rest[1:])
		if !ok || call.Len() == 0 || !call.Full() {
			return bad("the call is not a number of 1 to 8 digits")
		}
		m.Call = call
		return m, nil
	case len(rest) > 1:
		return bad("it is too long")
	default:
		m.Spot = Spot(rest[0])
		if _, isSlot := m.Spot.Slot(); !isSlot && m.Spot != Left && m.Spot != Right {
			return bad("the digit is not followed by a place")
		}
		return m, nil
	}
}

// ends makes the letters of the ends, the only capitals in a move, upper case.
var ends = strings.NewReplacer("l", "L", "r", "R")

// ReadMove parses a move as people and programs may write it: spaces and case do not matter.
func ReadMove(text string) (Move, error) {
	m, err := ParseMove(ends.Replace(strings.ToLower(strings.Join(strings.Fields(text), ""))))
	if unreadable, ok := errors.AsType[*ParseError](err); ok {
		unreadable.Text = text
	}
	return m, err
}

// MarshalText implements [encoding.TextMarshaler].
func (m Move) MarshalText() ([]byte, error) { return m.append(nil), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (m *Move) UnmarshalText(text []byte) (err error) {
	*m, err = ParseMove(string(text))
	return err
}
