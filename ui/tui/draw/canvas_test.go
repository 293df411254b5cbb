package draw

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 5, ""},
		{"one two", 7, "one two"},
		{"one two", 6, "one|two"},
		{"  one two three", 9, "  one two|  three"},
		{"abcdefgh", 3, "abc|def|gh"},
		{"a bcdefgh", 4, "a|bcde|fgh"},
		{"keys  in   columns", 20, "keys  in   columns"},
		{"two\nlines", 20, "two|lines"},
		{"漢字 漢字", 4, "漢字|漢字"},
		{"1\u00a02 3\u00a04", 4, "1\u00a02|3\u00a04"},
		{"          deep", 6, "deep"},
	} {
		got := strings.Join(Wrap(c.text, c.width), "|")
		if strings.TrimLeft(got, " |") != strings.TrimLeft(c.want, " |") {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("one two three", 5)
	f.Add("  漢字 and more", 3)
	f.Fuzz(func(t *testing.T, text string, width int) {
		width = 2 + (width&0x7fffffff)%100
		for _, line := range Wrap(text, width) {
			if Width(line) > max(width, 3) {
				t.Errorf("wrap(%q, %d) has the line %q", text, width, line)
			}
		}
		got := strings.Join(strings.Fields(strings.Join(Wrap(text, width), "")), "")
		if want := strings.Join(strings.Fields(text), ""); got != want {
			t.Errorf("wrap(%q, %d) says %q, want %q", text, width, got, want)
		}
		if short := shorten(text, width); Width(short) > width {
			t.Errorf("shorten(%q, %d) = %q", text, width, short)
		}
	})
}

// TestJoinedCharacters checks that a character of several code points takes one cell, and its width
// in columns.
func TestJoinedCharacters(t *testing.T) {
	for text, want := range map[string][]string{
		"👨‍👩‍👧Al":  {"👨‍👩‍👧", "", "A", "l"},
		"🇩🇪!":      {"🇩🇪", "", "!"},
		"👍🏽x":      {"👍🏽", "", "x"},
		"e\u0301a": {"e\u0301", "a"},
		"漢b":       {"漢", "", "b"},
		"7×103":    {"7", "×", "1", "0", "3"},
	} {
		c := New(8, 1, false)
		if end := c.Text(0, 0, Style{}, text); end != len(want) || Width(text) != len(want) {
			t.Errorf("%q takes %d columns and ends at %d, want %d",
				text, Width(text), end, len(want))
		}
		for x, cell := range want {
			if got := c.cells[x].text; got != cell {
				t.Errorf("%q: column %d has %q, want %q", text, x, got, cell)
			}
		}
		if cut := CutTo(text, 1); Width(cut) > 1 {
			t.Errorf("%q is cut to %q", text, cut)
		}
		if got := toASCII(text); len(got) != len(want) {
			t.Errorf("%q in ASCII is %q, want %d characters", text, got, len(want))
		}
	}
}

// TestCanvasClips checks that drawing outside a canvas has no effect.
func TestCanvasClips(t *testing.T) {
	c := New(4, 2, false)
	c.Text(-2, 0, Style{}, "abcdefgh")
	c.Text(3, 1, Style{}, "漢")
	c.Text(0, 7, Style{}, "below")
	c.Box(Area{-5, -5, 20, 20}, Thin, Style{})
	c.Rule(-3, 1, 2)
	if got, want := c.Render(NewTheme(colorprofile.NoTTY, true, false)), "cdef\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRedIsRed checks that with 256 colours no colour becomes grey.
func TestRedIsRed(t *testing.T) {
	for _, dark := range []bool{true, false} {
		th := NewTheme(colorprofile.ANSI256, dark, false)
		for _, tn := range []Tone{Accent, One, Two, Good, Even, Bad} {
			r, g, b, _ := th.colours[tn].RGBA()
			if max(r, g, b)-min(r, g, b) < 0x3000 {
				t.Errorf("dark %v: tone %d is %x %x %x, a grey", dark, tn, r>>8, g>>8, b>>8)
			}
		}
		if r, g, b, _ := th.colours[Bad].RGBA(); r < g+0x3000 || r < b+0x3000 {
			t.Errorf("dark %v: errors are %x %x %x, not red", dark, r>>8, g>>8, b>>8)
		}
	}
}
