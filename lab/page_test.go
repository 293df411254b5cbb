package lab

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"digitduel/digit"
)

// TestPage recomputes the figures of docs/lab.md.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../docs/lab.md")
	if err != nil {
		t.Fatal(err)
	}
	want := func(line string) {
		t.Helper()
		if !strings.Contains(string(page), line+"\n") {
			t.Errorf("docs/lab.md does not contain\n%s", line)
		}
	}
	for _, book := range digit.BookNames() {
		r := measured(t, book)
		want(fmt.Sprintf("|`%s`|%.3f|%.3f|%.3f|%.2f|%.2f|%.2f|%.2f|%.2f|%.2f|%.2f|%.3f|%.3f|%.3f|",
			book, r.Bias+0.5, r.Cut, r.Draws, r.Length, r.Decisions, r.Keep, r.OnlyMoves, r.LeadChanges,
			r.Drama, r.Settled, r.Curve[1].First, r.Curve[5].First, r.Curve[6].First))
	}
	for _, target := range []int{7, 11, 13, 33, 44, 127} {
		r := measured(t, fmt.Sprintf("divisibility target=%d", target))
		want(fmt.Sprintf("| %d | %.3f | %d/%d/%d | %.2f | %.2f | %.3f | %.3f |", target, r.Bias+0.5,
			r.FirstMoves.Win, r.FirstMoves.Draw, r.FirstMoves.Loss, r.Length, r.Decisions,
			r.Curve[1].First, r.Curve[5].First))
	}
	tiny := measured(t, "highest pool=1-3 width=1")
	hand, _, _ := strings.Cut(string(page[strings.Index(string(page), "## One game by hand"):]),
		"\n## ")
	found := 0
	for _, f := range Figures {
		for line := range strings.Lines(hand) {
			if words := strings.Fields(line); !f.Fast && len(words) > 1 && words[0] == f.Name {
				found++
				if got := fmt.Sprintf("%.4f", f.Of(&tiny)); got != words[len(words)-1] {
					t.Errorf("%s of the game by hand is %s, but the page has: %s",
						f.Name, got, line)
				}
			}
		}
	}
	if found != 11 {
		t.Errorf("found %d figures of the game by hand, want 11", found)
	}
	for text, nodes := range map[string]int{"dilemma": 52687, "highest": 67} {
		g, err := newGraph(t.Context(), solved(t, text), func(int64, int64) {})
		if err != nil || len(g.lead) != nodes {
			t.Errorf("%s has %d nodes, want %d: %v", text, len(g.lead), nodes, err)
		}
	}
}
