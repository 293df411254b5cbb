package web

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/rulebook"
)

// TestExamples checks the examples on the pages of the rules: the last moves of a game that someone
// wins. Games without a lesson have none.
func TestExamples(t *testing.T) {
	for _, test := range []struct{ rules, ending string }{
		{"dilemma", "= 7 × "},
		{"sevens", "and called"},
		{"highest", "is higher than"},
		{"divisibility target=11", "= 11 × "},
		{"reverse", "is lower than"},
		{"dilemma pool=0-f width=4", ""},
		{"nines", ""},
	} {
		r, err := digit.ParseRules(test.rules)
		if err != nil {
			t.Fatal(err)
		}
		frames := exampleOf(r)
		if n := len(frames); test.ending == "" && n > 0 || test.ending != "" &&
			(n != exampleMoves+1 || !strings.Contains(frames[n-1].Long, test.ending)) {
			t.Errorf("%s: %d frames, want %q at the end: %+v", test.rules, n, test.ending, frames)
		}
	}
}

// unusual holds rules with sixteen digits, whose pages could take long to compute, each with a
// final position or "".
var unusual = []struct{ rules, over string }{
	{"dilemma pool=0-f width=5", ""},
	{"dilemma pool=0-f width=8", "01234567/89abcdef"},
	{"dilemma target=4 pool=0-f width=8", ""},
	{"dilemma target=4401 pool=0-f width=5", ""},
	{"dilemma target=5611 pool=1-f width=6", ""},
	{"divisibility target=3825 pool=0-f zero=inert width=6", ""},
	{"divisibility target=4415 pool=0-f zero=barred", ""},
	{"divisibility target=501 pool=0-f win=never", ""},
	{"sevens target=8293 pool=0-f width=4", ""},
	{"sevens target=893 pool=0-f", ""},
	{"sevens target=10 pool=0-f width=8", "01469abe/23578cdf"},
	{"sevens target=9999 pool=0-f width=8", ""},
}

// unusualRules parses the unusual rules.
func unusualRules(t testing.TB) (all []digit.Rules) {
	for _, u := range unusual {
		r, err := digit.ParseRules(u.rules)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

// TestUnusualRules bounds the time for pages of unusual rules, relative to those of a book: the
// page of the rules, with an example, and a table, before the first move and after the last.
func TestUnusualRules(t *testing.T) {
	rules := func(r digit.Rules) {
		exampleOf(r)
		rulebook.Sections(r)
		rulebook.Options(r)
	}
	table := func(r digit.Rules, at digit.Position) {
		rulebook.GoalNote(r)
		rulebook.Ending(r, at, r.Result(at), rulebook.Cast{Names: [2]string{"Ada", "Ben"}})
	}
	for i, r := range unusualRules(t) {
		var at digit.Position
		if unusual[i].over != "" {
			var err error
			if at, err = r.ParsePosition(unusual[i].over); err != nil || !r.Result(at).Over() {
				t.Fatalf("%v: %v, %v", r, r.Result(at), err)
			}
		}
		if !quicker(func() { rules(r) }, 20, func() { rules(digit.Dilemma) }) {
			t.Errorf("the rules of %v take more than 20 times as long as those of %v",
				r, digit.Dilemma)
		}
		dilemma := func() { table(digit.Dilemma, digit.Position{}) }
		if !quicker(func() { table(r, at) }, 300, dilemma) {
			t.Errorf("a table of %v takes more than 300 times as long as one of %v",
				r, digit.Dilemma)
		}
	}
}

// quicker reports whether do takes less time than a number of calls of than. It tries up to five
// times, because other programs may interfere.
func quicker(do func(), times int, than func()) bool {
	took := func(times int, do func()) time.Duration {
		began := time.Now()
		for range times {
			do()
		}
		return time.Since(began)
	}
	wins, losses := 0, 0
	for wins < 3 && losses < 3 {
		if took(2, do) < took(2*times, than) {
			wins++
		} else {
			losses++
		}
	}
	return wins == 3
}

// BenchmarkUnusualRules gets the pages of the unusual rules, one after the other.
func BenchmarkUnusualRules(b *testing.B) {
	h := newTestServer(b)
	all := unusualRules(b)
	for i := 0; b.Loop(); i++ {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", rulesLink(all[i%len(all)], ""), nil)
		if h.ServeHTTP(w, r); w.Code != 200 {
			b.Fatal(w.Code)
		}
	}
}

// TestRulesWayBack checks the link from the rules back to the table that the reader came from. An
// invalid table ID gives no link.
func TestRulesWayBack(t *testing.T) {
	h := newTestServer(t)
	ada, _ := h.pair(t, "divisibility target=11")
	id := ada.id()
	link := ada.page.one("a[id=rules-link]").attrs["href"]
	ada.get(strings.ReplaceAll(link, "&amp;", "&"))
	if back := ada.page.one("a[data-act=back]"); back == nil || back.attrs["href"] != "/t/"+id {
		t.Errorf("%s: the link back is %v", link, back)
	}
	if got := ada.textOf("[id=rules]"); !strings.Contains(got, "First multiple of 11 wins.") ||
		!strings.Contains(got, "11 × ") {
		t.Errorf("the rules of the table are %q", got)
	}
	for _, table := range []string{
		"", "%2F%2Fevil.example", "..%2Fx", "A", strings.Repeat("a", 33), "%00", "javascript:1",
	} {
		b := h.browser(t).get("/rules/dilemma?table=" + table)
		if b.status != 200 || b.page.one("a[data-act=back]") != nil {
			t.Errorf("table=%s: %d, %q", table, b.status, b.textOf("a[data-act=back]"))
		}
	}
}
