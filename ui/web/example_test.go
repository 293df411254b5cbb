package web

import (
	"strings"
	"testing"

	"digitduel/digit"
)

// TestExamples looks at the worked examples of books and of other rules: somebody wins, as the rules have it, and nobody plays like
// a fool: who can win with a multiple does, and who can keep the other one from it does.
func TestExamples(t *testing.T) {
	for _, test := range []struct{ rules, told string }{
		{"dilemma", "wins!"},
		{"sevens", "and calls"},
		{"highest", "is higher than"},
		{"divisibility", "begins with 7: 7 = 7·1. Ada wins!"},
		{"divisibility target=13", "= 13·"},
		{"reverse", "is lower than"},
		{"dilemma pool=0-f width=4", "wins!"},
		{"sevens win=full", "wins!"},
		{"dilemma target=101", "wins"},
		{"dilemma pool=0-f width=8", "wins"},
	} {
		r, err := digit.ParseRules(test.rules)
		if err != nil {
			t.Fatal(err)
		}
		frames := exampleOf(r)
		if n := len(frames); n < 2 || n > exampleMoves+1 || !strings.Contains(frames[n-1].Long, test.told) {
			t.Errorf("%s: %d frames, want %q at the end: %+v", test.rules, n, test.told, frames)
		}
		var p digit.Position
		for i, m := range exampleLine(r) {
			could := byMultiple(r, p)
			next, err := r.Play(p, m)
			if err != nil {
				t.Fatalf("%s: move %d: %v", test.rules, i+1, err)
			}
			won := r.Result(next).Reason == digit.Multiple
			if could && !won {
				t.Errorf("%s: move %d, %v, wins nothing where it could", test.rules, i+1, m)
			}
			if lets := !r.Result(next).Over() && byMultiple(r, next); lets && r.Pool.Len() <= 10 {
				for other := range r.Moves(p) {
					if q, _ := r.Play(p, other); !r.Result(q).Over() && !byMultiple(r, q) {
						t.Errorf("%s: move %d, %v, lets the other player win; %v does not", test.rules, i+1, m, other)
						break
					}
				}
			}
			p = next
		}
		if _, won := r.Result(p).Winner(); !won {
			t.Errorf("%s: the example ends with %v", test.rules, r.Result(p))
		}
	}
	draw, err := digit.ParseRules("dilemma target=101 final=draw")
	if err != nil {
		t.Fatal(err)
	}
	if frames := exampleOf(draw); frames != nil {
		t.Errorf("where nobody can win there is an example: %+v", frames)
	}
}

// byMultiple reports whether the side to move can win at once with a multiple.
func byMultiple(r digit.Rules, p digit.Position) bool {
	for m := range r.Moves(p) {
		if next, _ := r.Play(p, m); r.Result(next).Reason == digit.Multiple {
			return true
		}
	}
	return false
}

// TestRulesWayBack comes to the rules from a table and goes back; what is no name of a table leads nowhere.
func TestRulesWayBack(t *testing.T) {
	h := newHouse(t)
	ada, _ := h.pair(t, "divisibility target=11")
	id := ada.id()
	link := ada.page.one("a[id=rules-link]").attrs["href"]
	ada.get(strings.ReplaceAll(link, "&amp;", "&"))
	if back := ada.page.one("a[data-act=back]"); back == nil || back.attrs["href"] != "/t/"+id {
		t.Errorf("%s: the way back is %v", link, back)
	}
	if got := ada.reads("[id=rules]"); !strings.Contains(got, "First multiple of 11 wins.") || !strings.Contains(got, "11·") {
		t.Errorf("the rules of the table are %q", got)
	}
	for _, table := range []string{"", "%2F%2Fevil.example", "..%2Fx", "A", strings.Repeat("a", 33), "%00", "javascript:1"} {
		if b := h.browser(t).get("/rules/dilemma?table=" + table); b.status != 200 || b.page.one("a[data-act=back]") != nil {
			t.Errorf("table=%s: %d, %q", table, b.status, b.reads("a[data-act=back]"))
		}
	}
}
