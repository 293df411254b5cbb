package cli

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// A Wrapper wraps lines for a terminal, between words. Each Write must have whole lines.
type Wrapper struct {
	Out      io.Writer
	Terminal *os.File // the terminal that the lines must fit; nil: they are not wrapped
}

// Write implements [io.Writer].
func (w Wrapper) Write(text []byte) (int, error) {
	if w.Terminal == nil {
		return w.Out.Write(text)
	}
	width := 80 // if the size is unknown
	if window, _, err := term.GetSize(int(w.Terminal.Fd())); err == nil && window > 0 {
		width = min(window, 100) // wider lines are hard to read
	}
	if _, err := io.WriteString(w.Out, wrap(string(text), width)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// wrap breaks lines at blanks, and indents the next line like the first.
func wrap(text string, width int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		for at := breakAt(line, width); at >= 0; at = breakAt(line, width) {
			b.WriteString(line[:at] + "\n")
			line = indent + line[at+1:]
		}
		b.WriteString(line)
	}
	return b.String()
}

// breakAt returns the index of the blank at which to break a line, or -1 if it fits. A line without
// one in its second half is a chart or a table, and is not broken. Colours take no room.
func breakAt(line string, width int) int {
	line = strings.TrimRight(line, "\n")
	column, at := 0, -1
	for i := 0; i < len(line); {
		if escape := strings.IndexByte(line[i:], 'm'); line[i] == '\x1b' && escape > 0 {
			i += escape + 1
			continue
		}
		if alone := line[i] == ' ' && !strings.HasSuffix(line[:i], " ") &&
			!strings.HasPrefix(line[i+1:], " "); alone && column > width/2 {
			at = i
		}
		if column++; column > width {
			return at
		}
		_, size := utf8.DecodeRuneInString(line[i:])
		i += size
	}
	return -1
}
