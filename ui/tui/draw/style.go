package draw

import (
	"image/color"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"digitduel/ui/tui/noprobe"
)

func init() { noprobe.End() }

// A Tone is the purpose of a colour.
type Tone uint8

const (
	Ink    Tone = iota // the terminal's own colour
	Quiet              // less important
	Faint              // hardly visible: rules, frames, taken digits
	Accent             // the chosen item, the next action
	One                // Player 1
	Two                // Player 2
	Good               // wins
	Even               // draws
	Bad                // loses, refusals
	onBar              // text on a bar of accent
	tones
)

// A Style is the look of a cell. No information depends on it alone.
type Style struct {
	FG, bg Tone // ink as a background means none
	Bold   bool
}

// shows reports whether a blank in this style is visible.
func (s Style) shows() bool { return s.bg != Ink }

// The most common styles.
var (
	Strong  = Style{Bold: true}
	Muted   = Style{FG: Quiet} // less important text
	Outline = Style{FG: Faint} // frames and rules
	Active  = Accent.Bold()    // the chosen item, a key, a request
	Failure = Bad.Bold()       // refusals and errors
	// the picked digit, a button with the focus; reversed without colours
	Bar = Badge(Accent)
)

// Style returns the style of text in a tone.
func (t Tone) Style() Style { return Style{FG: t} }

// Bold returns the style of bold text in a tone.
func (t Tone) Bold() Style { return Style{FG: t, Bold: true} }

// Badge returns the style of a few words on a coloured background.
func Badge(t Tone) Style { return Style{FG: onBar, bg: t, Bold: true} }

// A Theme has the colours of the tones and the characters that a terminal can show.
type Theme struct {
	colours *[tones]color.Color // nil: no colours
	bare    bool                // no attributes either
	ASCII   bool
	known   map[Style][2]string
}

// palettes has the colours on a pale and on a dark background.
var palettes = [...][2]*[tones]color.Color{
	colorprofile.ANSI: {palette("  8 5 4 1 2 4 1 15"), palette("  8 5 6 3 2 3 1 0")},
	// The nearest of 256 colours is chosen by hand, by lightness and then by hue: by distance, red
	// would become grey.
	colorprofile.ANSI256: {
		palette(" 240 248 56 25 130 28 94 160 231"), palette(" 248 60 141 75 215 113 221 210 234"),
	},
	colorprofile.TrueColor: {
		palette(" #565b6b #a0a5b4 #6b2fd0 #0a63bd #a04c00 #2a7a14 #7a5e00 #bd2436 #ffffff"),
		palette(" #9aa0b5 #5a6076 #b79cff #62c3ff #ffb55c #86d96c #e8cf63 #ff7b86 #17141f"),
	},
}

// palette parses the colours of the tones in their order, with a blank between two. An empty one is
// the terminal's own.
func palette(codes string) *[tones]color.Color {
	var p [tones]color.Color
	for i, code := range strings.Split(codes, " ") {
		p[i] = lipgloss.Color(code)
	}
	return &p
}

// NewTheme returns the theme for a terminal.
func NewTheme(depth colorprofile.Profile, dark, ascii bool) *Theme {
	background := 0
	if dark {
		background = 1
	}
	return &Theme{
		colours: palettes[depth][background], bare: depth < colorprofile.ASCII, ASCII: ascii,
		known: map[Style][2]string{},
	}
}

// codes returns the sequences that switch a style on and off.
func (t *Theme) codes(s Style) (before, after string) {
	if s == (Style{}) || t.bare {
		return "", ""
	}
	if known, ok := t.known[s]; ok {
		return known[0], known[1]
	}
	look := lipgloss.NewStyle().Bold(s.Bold).Reverse(s.shows() && t.colours == nil)
	if t.colours != nil {
		if s.FG != Ink {
			look = look.Foreground(t.colours[s.FG])
		}
		if s.shows() {
			look = look.Background(t.colours[s.bg])
		}
	} else if s.FG == Faint {
		look = look.Faint(true)
	}
	before, after, _ = strings.Cut(look.Render("x"), "x")
	t.known[s] = [2]string{before, after}
	return before, after
}

// write writes a character in a form that the terminal can show.
func (t *Theme) write(b *strings.Builder, text string) {
	if t.ASCII {
		text = toASCII(text)
	}
	b.WriteString(text)
}

// toASCII replaces each other character by ASCII ones of the same width, so that nothing moves.
func toASCII(text string) string {
	var b strings.Builder
	for char, w := range Characters(text) {
		r, _ := utf8.DecodeRuneInString(char)
		known, ok := asciiOf[r]
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case ok:
			b.WriteRune(known)
		default:
			b.WriteString(strings.Repeat("?", w))
		}
	}
	return b.String()
}

// asciiOf has the ASCII character for each sign.
var asciiOf = func() map[rune]rune {
	known := map[rune]rune{}
	for char, signs := range asciiFor {
		for _, sign := range signs {
			known[sign] = char
		}
	}
	return known
}()

// asciiFor has the signs that each ASCII character replaces.
var asciiFor = map[rune]string{
	'-': "─–—", '|': "│", '+': "╭╮╰╯├┤┬┴┼✓", '=': "━═½", '#': "┃┏┓┗┛║╔╗╚╝█", '.': "╌░·",
	':': "╎▒", '"': "▀", '_': "▄", '*': "•●◆", '~': "…", '>': "→▸▶›", '<': "←◂‹", '^': "↑▲▴",
	'v': "↓▾", 'x': "×✗", '/': "÷", 'o': "○", '\'': "’",
}
