package digit

import "strconv"

// A ParseError reports a text that is not in the expected form.
type ParseError struct {
	What string // the type of value expected: "move", "pool", …
	Text string
	Why  string // the fault and the allowed form
}

func (e *ParseError) Error() string { return e.What + " " + quote(e.Text) + ": " + e.Why }

// A RulesError reports a key of the rules that does not fit the others.
type RulesError struct {
	Key string // "pool", "width", …
	Why string
}

func (e *RulesError) Error() string { return e.Key + ": " + e.Why }

// A MoveError reports a well-formed move that is not legal in a position. Why also lists what is
// allowed.
type MoveError struct {
	Move   Move
	Breach Breach
	Why    string
}

// A Breach identifies why a move is not legal. If several apply, it is the first in this order.
type Breach uint8

const (
	GameOver    Breach = iota + 1 // the game is over
	NotInPool                     // the digit is not part of this game
	Taken                         // the digit is taken
	NoSpot                        // only the front is free, and this digit may not lead a number
	NotCalled                     // numbers are not called in this game
	NoSuchSpot                    // the spot does not exist, or is missing
	Filled                        // the place has a digit
	LeadingZero                   // a number may not begin with this digit
	TooEarly                      // a call needs a full hand
	OtherDigits                   // a call does not use each digit in hand once
	CallZero                      // a call begins with 0
)

func (e *MoveError) Error() string { return e.Move.String() + ": " + e.Why }

// quote quotes text for an error message and cuts it to 40 characters.
func quote(text string) string {
	const most = 40
	for i := range text {
		if i >= most {
			return strconv.Quote(text[:i]) + "…"
		}
	}
	return strconv.Quote(text)
}
