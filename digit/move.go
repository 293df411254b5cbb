package digit

// A Move takes a digit from the pool, puts it on a spot and, with a hand, may call a number. It is comparable;
// whether it is legal is for [Rules.Play] to say. Its text is the digit and the spot: "7a", "4L", "2", and with a call "2=721".
type Move struct {
	Digit Digit
	Spot  Spot
	Call  Number // the zero Number: no call
}

// A Spot is where a digit goes: a place of a number, counted from the left from 'a', one of its ends, or none (a hand).
type Spot byte

const (
	InHand Spot = 0
	Left   Spot = 'L'
	Right  Spot = 'R'
)

// SlotAt returns the spot of place i, counted from the left from 0.
func SlotAt(i int) Spot { return Spot('a' + i) }

// Slot returns the place that the spot names, counted from the left from 0.
func (s Spot) Slot() (int, bool) { return int(s) - 'a', 'a' <= s && s < 'a'+MaxWidth }

func (s Spot) String() string {
	if s == InHand {
		return ""
	}
	return string(rune(s))
}

// Uncalled returns the move without its call: what is left of it to choose for whoever calls as well as can be.
func (m Move) Uncalled() Move { return Move{Digit: m.Digit, Spot: m.Spot} }

func (m Move) String() string { return string(m.append(nil)) }

func (m Move) append(b []byte) []byte {
	b = append(b, m.Digit.char())
	if m.Spot != InHand {
		b = append(b, byte(m.Spot))
	}
	if m.Call != (Number{}) {
		b = m.Call.append(append(b, '='))
	}
	return b
}

// ParseMove reads a move; the error is a [*ParseError].
func ParseMove(text string) (Move, error) {
	bad := func(why string) (Move, error) {
		return Move{}, &ParseError{"move", text, why + "; a move is a digit and a place a to h (7a), a digit and an end (4L, 4R), a digit (2), or a digit and a call (2=721)"}
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
			return bad("what is called is not a number of 1 to 8 digits")
		}
		m.Call = call
		return m, nil
	case len(rest) > 1:
		return bad("it is too long")
	default:
		m.Spot = Spot(rest[0])
		if _, isSlot := m.Spot.Slot(); !isSlot && m.Spot != Left && m.Spot != Right {
			return bad("what follows the digit is not a place")
		}
		return m, nil
	}
}

// MarshalText implements [encoding.TextMarshaler].
func (m Move) MarshalText() ([]byte, error) { return m.append(nil), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (m *Move) UnmarshalText(text []byte) (err error) {
	*m, err = ParseMove(string(text))
	return err
}
