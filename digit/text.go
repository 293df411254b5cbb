package digit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns a text from a file, a server, an engine or an agent so that it cannot control a
// terminal. White space that breaks lines or columns becomes a blank. Other control and format
// characters, bidirectional ones included, and invalid UTF-8 become U+FFFD. Characters that join
// letters or emoji stay.
func Printable(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case ' ' <= c && c <= '~', joins(c):
			return c
		case !unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			return c
		case unicode.IsSpace(c):
			return ' '
		default:
			return utf8.RuneError
		}
	}, text)
}

// joins reports whether a format character changes only how the characters around it are drawn.
func joins(c rune) bool {
	flag := 0xE0020 <= c && c <= 0xE007F // the flags of some countries are made of these
	return flag || c == '\u200c' || c == '\u200d' ||
		unicode.Is(unicode.Prepended_Concatenation_Mark, c)
}
