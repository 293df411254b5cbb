package digit

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestPrintable(t *testing.T) {
	const flag = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
	const people = "Jose\u0301 עדה 山田 ❤\ufe0f 👩\u200d👧 مهدی\u200cزاده\u00a0\ufffd" + flag
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"Ada Lovelace ~", "Ada Lovelace ~"},
		{people, people},
		{"a\tb\r\nc\v\fd\u0085e\u2028f\u2029g", "a b  c  d e f g"},
		{"\x1b]52;c;aGk=\a", "\ufffd]52;c;aGk=\ufffd"},
		{"\x00\b\x7f", "\ufffd\ufffd\ufffd"},
		{"\u009b2J\u009d0;x\u009c", "\ufffd2J\ufffd0;x\ufffd"},
		{"\x9b2J\xc3", "\ufffd2J\ufffd"},
		{"\u202a\u202b\u202c\u202d\u202e", "\ufffd\ufffd\ufffd\ufffd\ufffd"},
		{"\u2066\u2067\u2068\u2069", "\ufffd\ufffd\ufffd\ufffd"},
		{"\u200e\u200f\u061c\u00ad\u2060\ufeff\U000e0001", strings.Repeat("\ufffd", 7)},
	} {
		if got := Printable(tt.text); got != tt.want {
			t.Errorf("%q becomes %q, want %q", tt.text, got, tt.want)
		}
	}
}

// FuzzPrintable checks that Printable returns UTF-8 without control characters, that it changes
// nothing the second time, and that it keeps text without control or format characters.
func FuzzPrintable(f *testing.F) {
	for _, seed := range []string{
		"Ada", "a\tb\n", "\x1b[2J", "\u009b", "\x9b", "\xc2\x1b\x9b", "\u202eneB", "👩‍👧", "\ufffd",
	} {
		f.Add(seed)
	}
	controls := func(text string) bool {
		return strings.ContainsFunc(text, func(c rune) bool {
			return unicode.IsControl(c) ||
				unicode.In(c, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
		})
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Printable(text)
		if controls(got) || !utf8.ValidString(got) || Printable(got) != got {
			t.Fatalf("%q becomes %q", text, got)
		}
		same := utf8.ValidString(text) && !strings.ContainsFunc(text, func(c rune) bool {
			return unicode.In(c, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
		})
		if same && got != text {
			t.Fatalf("%q becomes %q", text, got)
		}
	})
}
