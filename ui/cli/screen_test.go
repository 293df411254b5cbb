package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"digitduel/digit"
	"digitduel/match"
)

// TestColour plays with and without colours. Without the colour codes, the output is the same, and
// each colour ends on its line.
func TestColour(t *testing.T) {
	colour := regexp.MustCompile(`\x1b\[[0-9;]*m`)
	const typed = "7\nnowhere\nleft\nhelp\n3b\nundo\n3b\nresign\n"
	for _, book := range digit.Books {
		plain := session{setup: match.Setup{Rules: book.Rules}}
		coloured := session{setup: match.Setup{Rules: book.Rules}, colour: true}
		plain.play(t, strings.NewReader(typed))
		coloured.play(t, strings.NewReader(typed))
		if strings.Contains(plain.out, "\x1b") {
			t.Errorf("%s: an escape sequence without colours: %q", book.Name, plain.out)
		}
		if diff := cmp.Diff(plain.out, colour.ReplaceAllString(coloured.out, "")); diff != "" {
			t.Errorf("%s (-plain +coloured):\n%s", book.Name, diff)
		}
		for line := range strings.SplitSeq(coloured.out, "\n") {
			found := colour.FindAllString(line, -1)
			if len(found)%2 != 0 || len(found) > 0 && found[len(found)-1] != "\x1b[0m" {
				t.Errorf("%s: a colour does not end on its line: %q", book.Name, line)
			}
		}
		if !strings.Contains(coloured.out, "\x1b[31m") ||
			!strings.Contains(coloured.out, "\x1b[1;32m") {
			t.Errorf("%s: input errors or the result have no colour: %q", book.Name, coloured.out)
		}
	}
}

// TestBoards shows the boards of games that are in no book.
func TestBoards(t *testing.T) {
	tests := []struct{ rules, typed, want string }{
		{"highest width=5 pool=0-9", "9\na\n", "Choose position to place the digit (ten-thousands/thousands/hundreds/tens/units): "},
		{"highest width=5 pool=0-9", "9\na\n", "\nPlayer 1's Number: [9][ ][ ][ ][ ]\n"},
		{"dilemma width=4", "9b\n", "\nPlayer 1's Number: _ 9 _ _\nPlayer 2's Number: _ _ _ _\n"},
		{"dilemma width=4", "9\n", "Enter the position to place the digit (thousands, hundreds, tens, units): "},
		{"highest width=8 pool=0-f", "f\n", "Choose position to place the digit (a/b/c/d/e/f/g/h): "},
		{"reverse pool=2,4-8", "9\n2\n", "\nThere's no 9 in this game. Still in the pool: 2 4 5 6 7 8.\nSelect a digit from the available digits: \nAssign digit '2'"},
		{"divisibility target=13 pool=0-9", "", "Target Number: 13\n\nAvailable Digits: 0 1 2 3 4 5 6 7 8 9\n"},
		{"divisibility target=0 win=never final=higher", "", "Welcome to Digit Duel!\n\nAvailable Digits: 1 2 3 4 5 6 7 8 9\n"},
		{"sevens target=11", "7\n5\n1\n8\n2\n", "Player 1, call a multiple of 11, or Enter for none; a wrong call loses: "},
		{"sevens zero=counts", "7\n5\n1\n8\n0\n", "\nPlayer 1's Hand: 7, 1, 0\nPossible Numbers: 017, 071, 107, 170, 701, 710\n"},
		{"sevens", "7\n5\n1\n8\n0\n", "\nPlayer 1's Hand: 7, 1, 0\nPossible Numbers: 107, 170, 701, 710\n"},
		{"sevens width=6 pool=1-c", "1\n7\n2\n8\n3\n9\n4\na\n5\nb\n6\n", "Possible Numbers: 123456, 123465, 123546,"},
		{"sevens width=6 pool=1-c", "1\n7\n2\n8\n3\n9\n4\na\n5\nb\n6\n", ", 165423, 165432, …\n"},
	}
	for _, tt := range tests {
		s := playTyped(t, tt.rules, tt.typed)
		if !strings.Contains(s.out, tt.want) {
			t.Errorf("%s: %q is missing in\n%s", tt.rules, tt.want, s.out)
		}
	}
}

// TestAutoCall checks that a multiple is called automatically, unless the player calls another.
func TestAutoCall(t *testing.T) {
	tests := []struct{ typed, want string }{
		{"7\n5\n1\n8\n2\n", "sevens 7 5 1 8 2=721 1-0 multiple"},
		{"1\n2\n4\n3\n6\n8\n", "sevens 1 2 4 3 6 8=238 0-1 multiple"},
		{"1\n2\n4\n5\n6\n8\n", "sevens 1 2 4 5 6 8 0-1 higher"},
		{"7\n5\n1\n8\n2 217\n", "sevens 7 5 1 8 2=217 1-0 multiple"},
	}
	for _, tt := range tests {
		s := session{setup: match.Setup{Rules: digit.Sevens, Terms: match.Terms{AutoCall: true}}}
		s.play(t, strings.NewReader(tt.typed))
		if got := s.record(t); got != tt.want {
			t.Errorf("%q is recorded as %s, want %s", tt.typed, got, tt.want)
		}
	}
}
