package tui

import (
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// Options returns the options of a program that runs a model at a terminal.
func Options(in, out *os.File, getenv func(string) string) []tea.ProgramOption {
	options := []tea.ProgramOption{
		tea.WithInput(inputOf(in, getenv)), tea.WithOutput(out), tea.WithFilter(sized),
	}
	// tmux reduces the colours that its terminal does not have
	if getenv("TMUX") != "" && getenv("NO_COLOR") == "" && colourTerm(getenv("COLORTERM")) {
		options = append(options, tea.WithColorProfile(colorprofile.TrueColor))
	}
	return options
}

// sized gives a size to a terminal that reports none.
func sized(_ tea.Model, msg tea.Msg) tea.Msg {
	if msg == (tea.WindowSizeMsg{}) {
		return tea.WindowSizeMsg{Width: 80, Height: 24}
	}
	return msg
}

func colourTerm(value string) bool {
	value = strings.ToLower(value)
	return value == "truecolor" || value == "24bit"
}

// escapes is a terminal that reports the Escape key as soon as it is read, without waiting for the
// rest of a sequence.
type escapes struct{ *os.File }

// inputOf returns the reader of the keys. Over a network, the parts of a sequence may arrive
// separately, so that waiting for them is needed.
func inputOf(in *os.File, getenv func(string) string) io.Reader {
	if runtime.GOOS == "windows" || getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != "" {
		return in
	}
	return escapes{in}
}

// Read implements [io.Reader]. A terminal writes a sequence at once, so an Escape without more
// bytes is the key. Read returns it in the one form that starts no other sequence.
func (e escapes) Read(p []byte) (int, error) {
	n, err := e.File.Read(p)
	return wholeEscape(p, n), err
}

// wholeEscape replaces an Escape at the end of n bytes by CSI 27 u, if there is room, and returns
// the new length.
func wholeEscape(p []byte, n int) int {
	const rest = "[27u"
	if n == 0 || p[n-1] != 0x1b || n+len(rest) > len(p) {
		return n
	}
	return n + copy(p[n:], rest)
}

// consoles are terminals whose fonts lack the signs of the screen.
var consoles = []string{"linux", "vt100", "vt102", "vt220", "ansi", "cons25", "sun", "wsvt25"}

// showsUnicode reports whether a terminal shows more than ASCII, by its environment.
func showsUnicode(getenv func(string) string) bool {
	if slices.Contains(consoles, getenv("TERM")) {
		return false
	}
	for _, key := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(getenv(key)); locale != "" {
			return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
		}
	}
	// terminals that do and set no locale
	return getenv("WT_SESSION") != "" || getenv("TERM_PROGRAM") != ""
}
