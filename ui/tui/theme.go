package tui

import (
	"image/color"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"digitduel/ui/tui/noprobe"
)

func init() { noprobe.End() }

// A tone is the purpose of a colour.
type tone uint8

const (
	ink    tone = iota // the terminal's own colour
	quiet              // less important
	faint              // hardly visible: rules, frames, taken digits
	accent             // the chosen item, the next action
	one                // Player 1
	two                // Player 2
	good               // wins
	even               // draws
	bad                // loses, refusals
	onBar              // text on a bar of accent
	tones
)

// A style is the look of a cell. No information depends on it alone.
type style struct {
	fg, bg tone // ink as a background means none
	bold   bool
}

// shows reports whether a blank in this style is visible.
func (s style) shows() bool { return s.bg != ink }

// The most common styles.
var (
	strong  = style{bold: true}
	muted   = style{fg: quiet} // less important text
	outline = style{fg: faint} // frames and rules
	active  = accent.bold()    // the chosen item, a key, a request
	failure = bad.bold()       // refusals and errors
	// the picked digit, a button with the focus; reversed without colours
	bar = badge(accent)
)

// bold returns the style of bold text in a tone.
func (t tone) bold() style { return style{fg: t, bold: true} }

// badge returns the style of a few words on a coloured background.
func badge(t tone) style { return style{fg: onBar, bg: t, bold: true} }

// A theme has the colours of the tones and the characters that a terminal can show.
type theme struct {
	colours *[tones]color.Color // nil: no colours
	bare    bool                // no attributes either
	ascii   bool
	known   map[style][2]string
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

// newTheme returns the theme for a terminal.
func newTheme(depth colorprofile.Profile, dark, ascii bool) *theme {
	background := 0
	if dark {
		background = 1
	}
	return &theme{
		colours: palettes[depth][background], bare: depth < colorprofile.ASCII, ascii: ascii,
		known: map[style][2]string{},
	}
}

// theme returns the theme for the terminal and the settings.
func (m *Model) theme() *theme {
	depth, w := m.depth, m.settings
	if m.world.Getenv("NO_COLOR") != "" || w.Colours == NoColours {
		depth = min(depth, colorprofile.ASCII)
	}
	dark := w.Colours == DarkColours || m.dark && w.Colours != PaleColours
	ascii := w.Signs == ASCIISigns || w.Signs != UnicodeSigns && !showsUnicode(m.world.Getenv)
	return newTheme(depth, dark, ascii)
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

// codes returns the sequences that switch a style on and off.
func (t *theme) codes(s style) (before, after string) {
	if s == (style{}) || t.bare {
		return "", ""
	}
	if known, ok := t.known[s]; ok {
		return known[0], known[1]
	}
	look := lipgloss.NewStyle().Bold(s.bold).Reverse(s.shows() && t.colours == nil)
	if t.colours != nil {
		if s.fg != ink {
			look = look.Foreground(t.colours[s.fg])
		}
		if s.shows() {
			look = look.Background(t.colours[s.bg])
		}
	} else if s.fg == faint {
		look = look.Faint(true)
	}
	before, after, _ = strings.Cut(look.Render("x"), "x")
	t.known[s] = [2]string{before, after}
	return before, after
}

// write writes a character in a form that the terminal can show.
func (t *theme) write(b *strings.Builder, text string) {
	if t.ascii {
		text = toASCII(text)
	}
	b.WriteString(text)
}

// toASCII replaces each other character by ASCII ones of the same width, so that nothing moves.
func toASCII(text string) string {
	var b strings.Builder
	for char, w := range characters(text) {
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
