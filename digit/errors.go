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
	Move Move
	Why  string
}

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
