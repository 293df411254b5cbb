package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"

	"digitduel/digit"
	"digitduel/rulebook"
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
		got := strings.Join(wrap(c.text, c.width), "|")
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
		for _, line := range wrap(text, width) {
			if textWidth(line) > max(width, 3) {
				t.Errorf("wrap(%q, %d) has the line %q", text, width, line)
			}
		}
		got := strings.Join(strings.Fields(strings.Join(wrap(text, width), "")), "")
		if want := strings.Join(strings.Fields(text), ""); got != want {
			t.Errorf("wrap(%q, %d) says %q, want %q", text, width, got, want)
		}
		if short := shorten(text, width); textWidth(short) > width {
			t.Errorf("shorten(%q, %d) = %q", text, width, short)
		}
	})
}

// TestNeeds checks the digits that a number needs to win, in some positions.
func TestNeeds(t *testing.T) {
	for _, c := range []struct {
		rules, position string
		side            digit.Side
		want            string
	}{
		{"dilemma", "7_1/53_", digit.First, "✓ 2 → 721 = 7 × 103 | ✓ 9 → 791 = 7 × 113"},
		{"dilemma", "7_1/5__", digit.Second, ""},
		{"dilemma zero=inert", "_42/1__", digit.First, "✓ 7 → 742 = 7 × 106"},
		{"sevens", "17/58", digit.First, "✓ 2 → 217 = 7 × 31 | ✓ 2 → 721 = 7 × 103 | ✓ 3 → 371 = 7 × 53 | ✓ 4 → 147 = 7 × 21 | ✓ 4 → 714 = 7 × 102 | ✓ 9 → 791 = 7 × 113 | ✓ 9 → 917 = 7 × 131"},
		{"divisibility", "64/3", digit.Second, "✓ 5R → 35 = 7 × 5"},
		{"divisibility", "/", digit.First, "✓ 7 → 7 = 7 × 1"},
		{"divisibility pool=1-f target=13", "/", digit.First, "✓ d → d (13) = 13 × 1"},
		{"highest", "9_2/8__", digit.First, ""},
	} {
		r := rulesOf(t, c.rules)
		p, err := r.ParsePosition(c.position)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(needsOf(r, p, c.side), " | ")
		if got = strings.ReplaceAll(got, nbsp, " "); got != c.want {
			t.Errorf("%s %s %v: got\n%s\nwant\n%s", c.rules, c.position, c.side, got, c.want)
		}
	}
}

func TestClockText(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0:00", 0: "0:00", time.Millisecond: "0:01", 9 * time.Second: "0:09",
		61 * time.Second: "1:01", time.Hour + time.Second: "1:00:01",
	} {
		if got := rulebook.Countdown(d); got != want {
			t.Errorf("rulebook.Countdown(%v) = %q, want %q", d, got, want)
		}
	}
}

// isASCII fails if a screen for ASCII terminals has other characters, or a sign without an ASCII
// form.
func (s *screen) isASCII() {
	s.t.Helper()
	defer func() { s.settings.Signs = AutoSigns }()
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		s.settings.Signs = UnicodeSigns
		s.size(size[0], size[1])
		unicode := strings.Split(s.text(), "\n")
		s.settings.Signs = ASCIISigns
		for y, row := range strings.Split(s.text(), "\n") {
			other := func(r rune) bool { return r > 0x7e || r < 0x20 }
			if i := strings.IndexFunc(row, other); i >= 0 {
				s.t.Fatalf("in ASCII, row %d has %q: %s", y, row[i:], row)
			}
			if strings.Contains(row, "?") && !strings.Contains(unicode[y], "?") {
				s.t.Errorf("row %d has a sign without an ASCII form: %s", y, row)
			}
		}
	}
}

// TestWideNames shows names with characters of two columns, and of none.
func TestWideNames(t *testing.T) {
	start := people("dilemma")
	start.Play.Names = [2]string{"漢字かな漢字かな", "Zoë Zoë"}
	onScreen(t, &memory{}, start, func(s *screen) {
		for _, size := range [][2]int{{80, 24}, {97, 31}, {120, 40}} {
			s.size(size[0], size[1])
			s.fits(s.View().Content)
			s.shows("漢字かな", "Zoë")
			rows := strings.Split(s.text(), "\n")
			edges := map[int]bool{}
			for _, row := range rows[2 : len(rows)-2] {
				if i := strings.LastIndex(row, "│"); i >= 0 {
					edges[textWidth(row[:i])] = true
				}
			}
			if len(edges) != 1 {
				s.t.Errorf("the line next to the moves is not straight: %v\n%s", edges, s.text())
			}
		}
	})
}

// TestGoalIsShown checks that a table shows its whole goal, even with long names.
func TestGoalIsShown(t *testing.T) {
	for _, text := range []string{
		"dilemma", "sevens", "highest", "divisibility target=9999", "dilemma target=101 final=draw",
		"sevens win=full target=9998 pool=0-f width=4", "highest final=later",
	} {
		start := people("dilemma")
		start.Play.Names = [2]string{
			"Maximiliana Konstantinopolitana", "Wilhelmina Konstantinopolitana",
		}
		start.Play.BestOf = 99
		rules := rulesOf(t, text)
		book := rules.Book().Name
		start.Play.Book, start.Play.Rules = book, map[string]digit.Rules{book: rules}
		onScreen(t, &memory{solve: never}, start, func(s *screen) {
			for _, size := range [][2]int{{MinWidth, MinHeight}, {120, 40}} {
				s.size(size[0], size[1])
				goal := rulebook.GoalEmblem(rules)
				s.shows(goal.Above, goal.Below)
			}
			s.shows(rulebook.Goal(rules).Short)
		})
	}
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
		c := newCanvas(8, 1)
		if end := c.text(0, 0, style{}, text); end != len(want) || textWidth(text) != len(want) {
			t.Errorf("%q takes %d columns and ends at %d, want %d",
				text, textWidth(text), end, len(want))
		}
		for x, cell := range want {
			if got := c.cells[x].text; got != cell {
				t.Errorf("%q: column %d has %q, want %q", text, x, got, cell)
			}
		}
		if cut := cutTo(text, 1); textWidth(cut) > 1 {
			t.Errorf("%q is cut to %q", text, cut)
		}
		if got := toASCII(text); len(got) != len(want) {
			t.Errorf("%q in ASCII is %q, want %d characters", text, got, len(want))
		}
	}
}

// TestCanvasClips checks that drawing outside a canvas has no effect.
func TestCanvasClips(t *testing.T) {
	c := newCanvas(4, 2)
	c.text(-2, 0, style{}, "abcdefgh")
	c.text(3, 1, style{}, "漢")
	c.text(0, 7, style{}, "below")
	c.box(rect{-5, -5, 20, 20}, thin, style{})
	c.rule(-3, 1, 2)
	if got, want := c.render(newTheme(colorprofile.NoTTY, true, false)), "cdef\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// keysAreShown fails if a screen shows a key twice, or no key to leave it.
func (s *screen) keysAreShown() {
	s.t.Helper()
	seen := map[string]string{}
	for _, b := range shownKeys(s.top().keys(s.Model)) {
		if other, ok := seen[b.name]; ok {
			s.t.Errorf("%s is shown twice: %s, %s", b.name, other, b.about)
		}
		seen[b.name] = b.about
	}
	if seen["Esc"] == "" && seen["Bksp"] == "" && seen["Space"] != "close" && seen["q"] == "" {
		s.t.Errorf("no key leaves the screen: %v", seen)
	}
}
