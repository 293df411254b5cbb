package digit

import "strconv"

// A ParseError says that a text is not the text of a thing: what it should be, the text, and what is wrong and allowed.
type ParseError struct {
	What string // "move", "pool", …
	Text string
	Why  string
}

func (e *ParseError) Error() string { return e.What + " " + quote(e.Text) + ": " + e.Why }

// A RulesError says which key of some rules does not fit the others, and why.
type RulesError struct {
	Key string // "pool", "width", …
	Why string
}

func (e *RulesError) Error() string { return e.Key + ": " + e.Why }

// A MoveError says why a move that is well written is not legal in a position, and what is.
type MoveError struct {
	Move  Move
	Fault Fault
	Why   string
}

// A Fault is what is wrong with a move, the first of those that hold.
type Fault uint8

const (
	GameOver    Fault = iota + 1 // the game is over
	NotInPool                    // the digit is none of this game
	Taken                        // the digit is taken
	NoSpot                       // a number may not begin with this digit, and there is no other spot for it
	NotCalled                    // numbers are not called in this game
	NoSuchSpot                   // there is no such spot, or none was given where one is needed
	Filled                       // the place has a digit
	LeadingZero                  // a number may not begin with this digit
	TooEarly                     // a call takes a full hand
	OtherDigits                  // a call is not made of the digits in hand, each once
	CallZero                     // a call begins with 0
)

func (e *MoveError) Error() string { return e.Move.String() + ": " + e.Why }

// quote quotes text for an error message, cut to a length that fits a line.
func quote(text string) string {
	const most = 40
	for i := range text {
		if i >= most {
			return strconv.Quote(text[:i]) + "…"
		}
	}
	return strconv.Quote(text)
}
