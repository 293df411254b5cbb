// Package rulebook tells the rules of the games in words, for every front end.
package rulebook

import (
	"slices"

	"digitduel/digit"
)

// words are what a book has words of its own for. Books without fixed places have no names of places.
var words = map[string]struct {
	line   string
	places []string
}{
	"dilemma":      {"fill three places; the first multiple of 7 wins", []string{"Left", "Middle", "Right"}},
	"sevens":       {"take three digits in hand; arrange and call a multiple of 7", nil},
	"highest":      {"fill three places; the higher number wins", []string{"hundreds", "tens", "units"}},
	"divisibility": {"grow a number at either end; the first multiple of the target wins", nil},
	"reverse":      {"fill three places; the lower number wins", []string{"hundreds", "tens", "ones"}},
}

// Line tells a book, given by its name, in one line; it is empty if there is no such book.
func Line(book string) string { return words[book].line }

// Closest returns the closest book that places digits as the rules do: the one whose words fit them.
func Closest(r digit.Rules) digit.Book {
	return r.Closest(slices.DeleteFunc(slices.Clone(digit.Books), func(b digit.Book) bool { return b.Rules.Place != r.Place }))
}

// Places names the fixed places of a number from the left in the words of the closest book; without fixed places there are none.
func Places(r digit.Rules) []string {
	if r.Place != digit.Slots {
		return nil
	}
	if places := words[Closest(r).Name].places; len(places) == int(r.Width) {
		return slices.Clone(places)
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
