package cli

import (
	"strings"
	"testing"
)

// TestWrap checks that lines are broken between words. Lines that fit, charts and tables are not
// broken.
func TestWrap(t *testing.T) {
	const chart = "Player 1  8───7───6───5───4───3───2───1───0\n"
	tests := []struct {
		text  string
		width int
		want  string
	}{
		{"one two three\n", 20, "one two three\n"},
		{"one two three\n", 13, "one two three\n"},
		{"one two three\n", 12, "one two\nthree\n"},
		{"one two three four\n", 9, "one two\nthree\nfour\n"},
		{"one two three", 12, "one two\nthree"},
		{"  one two three four\n", 12, "  one two\n  three four\n"},
		{"\x1b[31mone two three\x1b[0m\n", 13, "\x1b[31mone two three\x1b[0m\n"},
		{"\x1b[31mone two three\x1b[0m\n", 12, "\x1b[31mone two\nthree\x1b[0m\n"},
		{"721 = 7·103. Yes\n", 12, "721 = 7·103.\nYes\n"},
		{"a " + strings.Repeat("x", 30) + "\n", 20, "a " + strings.Repeat("x", 30) + "\n"},
		{chart, 30, chart},
		{"\n\n", 10, "\n\n"},
		{"", 10, ""},
	}
	for _, tt := range tests {
		if got := wrap(tt.text, tt.width); got != tt.want {
			t.Errorf("wrap(%q, %d) = %q, want %q", tt.text, tt.width, got, tt.want)
		}
	}
}

// TestKeys checks the keys that are passed on: Home and End in all their codes, keys that the
// program presses before the next typed key, and whether the interrupt key was typed.
func TestKeys(t *testing.T) {
	read := func(k *keys) string {
		t.Helper()
		b := make([]byte, 256)
		n, err := k.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		return string(b[:n])
	}
	for typed, want := range map[string]string{
		"7 left":  "7 left",
		"\x1b[1~": "\x01", "\x1b[7~": "\x01", "\x1bOH": "\x01", "\x1b[H": "\x1b[H",
		"\x1b[4~": "\x05", "\x1b[8~": "\x05", "\x1bOF": "\x05", "\x1b[F": "\x1b[F",
		"\x1b[3~": "\x1b[3~", "\x1b[1;3C": "\x1b[1;3C", "a\x1b[1~b\x1b[4~": "a\x01b\x05",
	} {
		if got := read(newKeys(strings.NewReader(typed))); got != want {
			t.Errorf("%q is passed on as %q, want %q", typed, got, want)
		}
	}
	in := make(slow)
	k := newKeys(in)
	k.pressed <- clearLine
	if got := read(k); got != clearLine {
		t.Errorf("read %q, want the pressed %q", got, clearLine)
	}
	go func() { in <- "5\x03" }()
	if got := read(k); got != "5\x03" || !k.interrupted {
		t.Errorf("read %q, interrupted: %v; want an interrupt", got, k.interrupted)
	}
}

// slow is a reader that waits for text.
type slow chan string

func (s slow) Read(b []byte) (int, error) { return copy(b, <-s), nil }
