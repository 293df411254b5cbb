package tui

import (
	"strings"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/ui/tui/draw"
)

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
		if got = strings.ReplaceAll(got, draw.NBSP, " "); got != c.want {
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
					edges[draw.Width(row[:i])] = true
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
