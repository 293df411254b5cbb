package cli

import (
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
)

// A wording has the texts of a rulebook as templates, in which a screen replaces {name} and other
// keys. Lines with a key that has no value, such as the target of a game without one, are left out.
// Rules without a wording use that of the closest book that places digits in the same way, so a new
// book needs none.
type wording struct {
	book      string
	separator string   // between the digits of a pool
	places    []string // the names of the places
	or        string   // between the names of places in a prompt
	cells     cells

	open  string // before the first turn
	first string // the heading of the first turn, if it differs
	turn  string // the heading of a turn
	digit string // the prompt for a digit
	place string // the prompt for a place
	moved string // after a move
	full  string // after the digit that fills a hand
	call  string // the prompt for a call
	tried string // after a full number, or a call that wins
	end   string // before the text of the end
	// the end, if the session of the book has one; else it is that of [rulebook.Ending]
	ends map[digit.Reason]string

	verdicts // the texts of {verdict}
}

// verdicts are the texts for a number: a multiple, not a multiple, and a multiple that begins with
// 0.
type verdicts struct{ good, bad, inert string }

var verdictsOfMost = verdicts{
	"Divisible!", "Not divisible.", "Divisible, but it begins with 0 and does not count.",
}

// cells are the texts around the places of a board.
type cells struct{ before, after, empty, between string }

var wordings = []wording{
	{
		book: "dilemma", separator: ", ", or: ", ",
		cells: cells{empty: "_", between: " "},
		open: "Welcome to {title}!\n\nAvailable Digits: {pool}\n\n{name1}'s Number: {board1}\n" +
			"{name2}'s Number: {board2}\n",
		turn:  "\n---\n\n{name}'s Turn:\nAvailable Digits: {pool}\n",
		digit: "Enter the digit you want to pick: ",
		place: "Enter the position to place the digit ({places}): ",
		moved: "\n{name1}'s Number: {board1}\n{name2}'s Number: {board2}\n" +
			"Digit Pool after turn: {pool}\n",
		tried: "\nCompleted Number: {number}\nChecking if {number} is divisible by {target}...\n" +
			"Result: {dividend} ÷ {target} = {quotient} ({verdict})\n",
		end: "\n---\n\n",
		ends: map[digit.Reason]string{
			digit.Multiple: "Congratulations, {name} wins by forming the number {number}, " +
				"which is a multiple of {target}!\n",
		},
		verdicts: verdicts{
			"Divisible by {target}", "Not divisible by {target}",
			"Divisible by {target}, but it begins with 0 and does not count",
		},
	},
	{
		book: "sevens", separator: " ",
		cells:    cells{between: ", "},
		open:     "Shared Digits: {pool}\n",
		turn:     "\n",
		digit:    "{name}, pick a digit: ",
		moved:    "Digits Remaining: {pool}\n",
		full:     "\n{name}'s Hand: {board}\nPossible Numbers: {numbers}\n",
		call:     "{name}, call a multiple of {target}, or Enter for none; a wrong call loses: ",
		tried:    "\n{name} forms {number} which is {verdict}.\n",
		end:      "\n",
		ends:     map[digit.Reason]string{digit.Multiple: "{name} wins!\n"},
		verdicts: verdicts{good: "divisible by {target}"},
	},
	{
		book: "highest", separator: " ", or: "/",
		cells: cells{before: "[", after: "]", empty: " "},
		open:  "Digits Available: {pool}\n",
		turn:  "\n{name}, it's your turn.\nAvailable Digits: {pool}\n",
		digit: "Enter the digit you want to select: ",
		place: "Choose position to place the digit ({places}): ",
		moved: "\n{name}'s Number: {board}\n\nDigits Available: {pool}\n",
		tried: "\nChecking if {number} is divisible by {target}... {verdict}\n",
		end:   "\n",
		ends: map[digit.Reason]string{
			digit.ByHigher: "Final Numbers:\n{name1}'s Number: {number1}\n" +
				"{name2}'s Number: {number2}\n\n{name} wins!\n",
		},
		verdicts: verdictsOfMost,
	},
	{
		book: "divisibility", separator: " ",
		open:     "Welcome to {title}!\nTarget Number: {target}\n\nAvailable Digits: {pool}\n",
		first:    "\n{name}'s Turn:\n",
		turn:     "\n{name}'s Turn:\n- Available Digits: {pool}\n",
		digit:    "- Select a digit from the available digits: ",
		place:    "- Place digit '{digit}' on (L)eft or (R)ight of your number? ",
		moved:    "- Your Number: {number}\n",
		tried:    "- Checking divisibility by {target}... {verdict}\n",
		ends:     map[digit.Reason]string{digit.Multiple: "Congratulations, {name} wins!\n"},
		verdicts: verdictsOfMost,
	},
	{
		book: "reverse", separator: " ", or: "/",
		cells: cells{before: "[", after: "]", empty: "_", between: " "},
		open:  "Available Digits: {pool}\n",
		turn:  "\n{name}, it's your turn.\n",
		digit: "Select a digit from the available digits: ",
		place: "Assign digit '{digit}' to a position ({places}): ",
		moved: "\nUpdated Board:\n{name} Board: {board}\nAvailable Digits: {pool}\n",
		tried: "\nChecking if {number} is divisible by {target}... {verdict}\n",
		end:   "\n",
		ends: map[digit.Reason]string{
			digit.ByLower: "{name1} Number: {number1}\n{name2} Number: {number2}\n\n" +
				"Winner: {name}, with the lower number {number}.\n",
		},
		verdicts: verdictsOfMost,
	},
}

// wordingOf returns the wording of the closest book that has one and places digits as the rules do.
func wordingOf(r digit.Rules) wording {
	lends := func(w wording, b digit.Book) bool {
		return w.book == b.Name && b.Rules.Place == r.Place
	}
	book := r.Closest(slices.DeleteFunc(slices.Clone(digit.Books), func(b digit.Book) bool {
		return !slices.ContainsFunc(wordings, func(w wording) bool { return lends(w, b) })
	}))
	w := wordings[slices.IndexFunc(wordings, func(w wording) bool { return lends(w, book) })]
	w.places = rulebook.Places(r)
	return w
}

// expand fills a template. It leaves out lines with a key that has no value.
func expand(template string, values map[string]string) string {
	var b strings.Builder
	for line := range strings.Lines(template) {
		text, whole := "", true
		for {
			before, rest, found := strings.Cut(line, "{")
			text += before
			if !found {
				break
			}
			key, after, _ := strings.Cut(rest, "}")
			v, ok := values[key]
			whole = whole && ok
			text, line = text+v, after
		}
		if whole {
			b.WriteString(text)
		}
	}
	return b.String()
}
