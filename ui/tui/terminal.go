package tui

import (
	"os"
	"runtime"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// Options returns how a program with a model is run at a terminal: what is read from in, written to out, and known of the environment.
func Options(in, out *os.File, getenv func(string) string) []tea.ProgramOption {
	options := []tea.ProgramOption{tea.WithInput(inputOf(in, getenv)), tea.WithOutput(out)}
	if getenv("TMUX") != "" && getenv("NO_COLOR") == "" && colourTerm(getenv("COLORTERM")) { // tmux reduces what its terminal does not have
		options = append(options, tea.WithColorProfile(colorprofile.TrueColor))
	}
	return options
}

func colourTerm(value string) bool {
	value = strings.ToLower(value)
	return value == "truecolor" || value == "24bit"
}

// escapes is a terminal at which Escape is a key as soon as it is read, and not after a wait for the rest of a sequence.
type escapes struct{ *os.File }

// inputOf returns what the keys are read from. Over a network the parts of a sequence may come apart, so there one waits for them.
func inputOf(in *os.File, getenv func(string) string) interface {
	Read([]byte) (int, error)
	Fd() uintptr
} {
	if runtime.GOOS == "windows" || getenv("SSH_CONNECTION") != "" || getenv("SSH_TTY") != "" {
		return in
	}
	return escapes{in}
}

// Read implements [io.Reader]. A terminal writes a sequence at once, so an Escape that nothing follows is the key: it is told in the
// one form that begins no other sequence.
func (e escapes) Read(p []byte) (int, error) {
	n, err := e.File.Read(p)
	return wholeEscape(p, n), err
}

// wholeEscape writes the last Escape of some bytes that were read as CSI 27 u, if there is room, and returns how many there are then.
func wholeEscape(p []byte, n int) int {
	const rest = "[27u"
	if n == 0 || p[n-1] != 0x1b || n+len(rest) > len(p) {
		return n
	}
	return n + copy(p[n:], rest)
}
