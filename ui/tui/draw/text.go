package draw

import (
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// NBSP is a blank at which no line is broken.
const NBSP = "\u00a0"

// Characters yields each visible character, with everything that is joined to it, and its width in
// columns.
func Characters(text string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for text != "" {
			char, w := firstCharacter(text)
			if !yield(char, w) {
				return
			}
			text = text[len(char):]
		}
	}
}

// firstCharacter returns the first character of a text, and its width.
func firstCharacter(text string) (char string, width int) {
	r, size := utf8.DecodeRuneInString(text)
	// nearly all characters
	if next, _ := utf8.DecodeRuneInString(text[size:]); narrow(r) &&
		(size == len(text) || narrow(next)) {
		return text[:size], 1
	}
	char, _, width, _ = uniseg.FirstGraphemeClusterInString(text, -1)
	return char, width
}

// narrow reports whether a character certainly takes one column and joins nothing.
func narrow(r rune) bool {
	return r >= 0x20 && r < 0x7f || r >= 0x2500 && r < 0x25fb
}

// Width returns the number of columns that a line takes.
func Width(text string) int {
	n := 0
	for _, w := range Characters(text) {
		n += w
	}
	return n
}

// shorten cuts a line to a width, with an ellipsis if it is longer.
func shorten(text string, width int) string {
	if Width(text) <= width {
		return text
	}
	if width < 1 {
		return ""
	}
	return strings.TrimRight(CutTo(text, width-1), " ") + "…"
}

// CutTo cuts a name to a width.
func CutTo(text string, width int) string {
	n, end := 0, 0
	for char, w := range Characters(text) {
		if n += w; n > width {
			return text[:end]
		}
		end += len(char)
	}
	return text
}

// Wrap breaks text into lines of a width, between words if possible. A line that fits is not
// changed; the parts of a longer one keep its indent.
func Wrap(text string, width int) []string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		if len(indent) > width/2 {
			indent = ""
		}
		for Width(line) > width {
			head, rest := CutLine(line, len(indent), max(width, len(indent)+2))
			lines = append(lines, head)
			line = indent + rest
		}
		lines = append(lines, line)
	}
	return lines
}

// CutLine cuts a line that is too long at the last blank after its indent, or within a word.
func CutLine(line string, indent, width int) (head, rest string) {
	n, at, blank := 0, 0, -1
	for char, w := range Characters(line) {
		if char == " " && at > indent {
			blank = at
		}
		if n += w; n > width {
			if blank >= 0 {
				at = blank
			}
			return strings.TrimRight(line[:at], " "), strings.TrimLeft(line[at:], " ")
		}
		at += len(char)
	}
	return line, ""
}
