package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/solve"
)

func grid(t *testing.T, text string) Grid {
	t.Helper()
	g, err := ParseGrid(strings.Fields(text))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGrid(t *testing.T) {
	for _, test := range []struct {
		words  string
		within int
		games  int
		count  Count
		last   string
	}{
		{"divisibility target=2..130", 0, 129, Count{}, "divisibility target=130"},
		{"divisibility target=2..4,007 width=0,3,4", 0, 12, Count{}, "divisibility width=4"},
		{"divisibility target=2..130 zero=*", 0, 129, Count{Same: 258}, "divisibility target=130"},
		{"dilemma final=below/above,lower/draw", 0, 3, Count{}, "dilemma final=draw"},
		{"highest width=*", 0, 4, Count{Refused: 5}, "highest width=4"},
		{"dilemma target=6..8 width=2,3 zero=*", 1, 6, Count{Far: 12}, "dilemma target=8"},
		{"dilemma", 0, 1, Count{}, "dilemma"},
	} {
		rules, count := grid(t, test.words).Rules(test.within)
		if (count.Why != nil) != (count.Refused > 0) {
			t.Errorf("%s: %d refused with the reason %v", test.words, count.Refused, count.Why)
		}
		count.Why = nil
		if len(rules) != test.games || count != test.count ||
			rules[len(rules)-1].String() != test.last {
			t.Errorf("%s: got %d games, %+v, last %v",
				test.words, len(rules), count, rules[len(rules)-1])
		}
	}
}

func TestBadGrid(t *testing.T) {
	for words, want := range map[string]string{
		"":                          `rules "": missing book name; books: ` + strings.Join(digit.BookNames(), ", ") + `; fair games: ` + strings.Join(digit.FairNames(), ", "),
		"chess":                     `book "chess": no such book; books: ` + strings.Join(digit.BookNames(), ", ") + `; fair games: ` + strings.Join(digit.FairNames(), ", "),
		"dilemma target=9..2":       `target=9..2: the range is empty; the lower number comes first, as in 2..130`,
		"dilemma target=2..x":       `target=2..x: a range is two whole numbers of at most 9999, as in 2..130`,
		"dilemma target=":           `target=: a value is missing; lists are written with "," between`,
		"dilemma final=below/":      `final=below/: a value is missing; lists are written with "/" between`,
		"dilemma target=*":          `target=*: there are too many values; name them, as in target=2..130 or pool=1-9/0-9`,
		"dilemma zero=maybe":        `zero "maybe": allowed: counts, inert, barred`,
		"dilemma depth=3":           `depth=3: no such option; options are key=values with one of the keys target, pool, zero, width, place, win, final`,
		"dilemma target=7 target=8": `target=8: target is given twice`,
		"dilemma target=7,07":       `target=7,07: 7 appears twice`,
		"dilemma target=2..9999 width=1..8 zero=* place=* win=*": `a grid of 2879424 rulesets is too large; allowed: up to 1000000`,
	} {
		if _, err := ParseGrid(strings.Fields(words)); err == nil || err.Error() != want {
			t.Errorf("%s: got %v\nwant %s", words, err, want)
		}
	}
}

func TestFilter(t *testing.T) {
	r := Report{Verdict: Verdict{Winner: "draw", Plies: 6}, Curve: []Point{}, Bias: -0.1,
		Measures: Measures{Draws: 0.3, Decisions: 2.5}}
	for text, want := range map[string]bool{
		"":                           true,
		"draws<0.31 and decisions>2": true,
		"draws<.3 and decisions>2":   false,
		"decisions>2 and draws<.3":   false,
		"draws<=0.3":                 true,
		"draws>=0.3":                 true,
		"draws>0.3":                  false,
		" bias = -0.1 ":              true,
		"bias!=-0.1":                 false,
		"plies==6":                   true,
		"winner=draw and plies<=6":   true,
		"winner==first":              false,
		"winner!=draw":               false,
		"winner!=first":              true,
	} {
		f, err := ParseFilter(text)
		if err != nil || f.Wants(&r) != want {
			t.Errorf("%q: got %v %v, want %v", text, err == nil && f.Wants(&r), err, want)
		}
	}
	judged := Report{Verdict: r.Verdict} // the slower figures are not computed yet
	for text, may := range map[string]bool{
		"": true, "draws>1": true, "winner=first": false, "winner=first and draws<1": false, "draws<1 and plies>6": false,
		"draws<1 and plies>5": true,
	} {
		if f, err := ParseFilter(text); err != nil || f.Wants(&judged) != may {
			t.Errorf("%q: got %v, %v", text, f.Wants(&judged), err)
		}
	}
	for text, fast := range map[string]bool{"": true, "winner=draw and win>0": true,
		"win>0 and bias<0": false} {
		if f, err := ParseFilter(text); err != nil || f.Fast() != fast {
			t.Errorf("%q: got fast %v %v", text, f.Fast(), err)
		}
	}
	const form, winners = "comparisons by one of < <= > >= = !=, joined by and", "= or !=, and first, second or draw"
	for text, want := range map[string]string{
		"draws":              `filter "draws": unexpected "draws"; allowed: ` + form,
		"draws<":             `filter "draws<": unexpected "draws<"; allowed: ` + form,
		"draws<much":         `filter "draws<much": unexpected "much"; allowed: a number`,
		"luck>1":             `filter "luck>1": unexpected "luck"; allowed: winner or a figure: ` + strings.Join(FigureNames(), ", "),
		"draws<1 and ":       `filter "draws<1 and ": unexpected ""; allowed: ` + form,
		"draws<1 bias>0":     `filter "draws<1 bias>0": unexpected "draws<1 bias>0"; allowed: ` + form,
		"draws<1 or plies>2": `filter "draws<1 or plies>2": unexpected "draws<1 or plies>2"; allowed: ` + form,
		"winner=me":          `filter "winner=me": unexpected "=me"; allowed: ` + winners,
		"winner<draw":        `filter "winner<draw": unexpected "<draw"; allowed: ` + winners,
		"winner<=draw":       `filter "winner<=draw": unexpected "<=draw"; allowed: ` + winners,
	} {
		if _, err := ParseFilter(text); err == nil || err.Error() != want {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}

// TestSweep checks the results of a sweep, its errors for games that are too large, and that it can
// be stopped.
func TestSweep(t *testing.T) {
	rules, _ := grid(t, "divisibility target=11..13,127 width=0,2").Rules(0)
	found := map[string]Found{}
	sweep := Sweep{Budget: 1 << 30, Most: 100_000}
	if err := sweep.Run(t.Context(), rules, func(f Found) { found[f.Rules.String()] = f }); err != nil {
		t.Fatal(err)
	}
	if len(found) != 8 {
		t.Errorf("found %d rulesets, want 8", len(found))
	}
	if f := found["divisibility target=127"]; f.Large == nil ||
		!strings.Contains(f.Large.Error(), "positions") {
		t.Errorf("a game with too many positions: %v", f.Large)
	}
	one := found["divisibility target=12"]
	if diff := differ(one.Report, measured(t, "divisibility target=12")); diff != "" ||
		one.Large != nil {
		t.Errorf("a sweep differs from Measure: %s %v", diff, one.Large)
	}
	sweep.Budget = 1 << 16
	if err := sweep.Run(t.Context(), rules, func(f Found) {
		if f.Rules.Target == 127 && f.Rules.Width == 0 &&
			!errors.As(f.Large, new(*solve.BudgetError)) {
			t.Errorf("a game over the budget: %v", f.Large)
		}
	}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	n := 0
	if err := (Sweep{Budget: 1 << 30, Fast: true}).Run(ctx, rules, func(Found) { n++; stop() }); err == nil || n == len(rules) {
		t.Errorf("a stopped sweep: %v after %d of %d", err, n, len(rules))
	}
}

// TestJSON checks that a report is parsed back from its JSON, and that missing figures are omitted.
func TestJSON(t *testing.T) {
	report := measured(t, "sevens")
	text, err := json.Marshal(report.JSON())
	if err != nil {
		t.Fatal(err)
	}
	var again Report
	if err := json.Unmarshal(text, &again); err != nil || differ(again, report) != "" ||
		again.Verdict != report.Verdict {
		t.Errorf("%s is parsed back with %v and differs in %s", text, err, differ(again, report))
	}
	fast := Report{Verdict: report.Verdict}
	if text, _ := json.Marshal(fast.JSON()); strings.Contains(string(text), "bias") {
		t.Errorf("the JSON has a bias that was not computed: %s", text)
	}
}

// firstMove matches the text of a first move in a picture.
var firstMove = regexp.MustCompile(`>[wdl] [0-9]+<`)

// TestPictures checks that pictures are XML with the expected elements.
func TestPictures(t *testing.T) {
	s := solved(t, "dilemma target=8 zero=barred")
	report, err := Measure(t.Context(), s, Config{})
	if err != nil {
		t.Fatal(err)
	}
	var curve, cells bytes.Buffer
	if err := Draw(&curve, report, s); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(curve.String(), "<title>slip "); n != len(Slips) {
		t.Errorf("the curve has %d points", n)
	}
	if n := len(firstMove.FindAllString(curve.String(), -1)); n != report.FirstMoves.Count() {
		t.Errorf("the picture has %d of %d first moves", n, report.FirstMoves.Count())
	}
	g := grid(t, "divisibility target=2..9 width=0,3 zero=*")
	rules, _ := g.Rules(0)
	var reports []Report
	if err := (Sweep{Budget: 1 << 30, Fast: true}).Run(t.Context(), rules, func(f Found) { reports = append(reports, f.Report) }); err != nil {
		t.Fatal(err)
	}
	if err := DrawMap(&cells, g, reports); err != nil {
		t.Fatal(err)
	}
	// The option zero makes no difference here, but has its cells.
	if n := strings.Count(cells.String(), "<title>divisibility target="); n != 8*2*3-2*3 {
		t.Errorf("the map has %d cells", n)
	}
	for _, picture := range []*bytes.Buffer{&curve, &cells} {
		for d := xml.NewDecoder(picture); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := DrawMap(io.Discard, Grid{Base: digit.Dilemma}, nil); err == nil {
		t.Error("a map of one cell was drawn")
	}
}

// TestSort checks the order of reports: by the size of the bias for either player, and by the value
// of other figures.
func TestSort(t *testing.T) {
	reports := []Report{{Bias: -0.3, Cut: 0.1}, {Bias: 0.1, Cut: 0.3}, {Bias: -0.2, Cut: 0.2}}
	for text, want := range map[string]string{
		"bias": "[0.1 -0.2 -0.3]", "-bias": "[-0.3 -0.2 0.1]",
		"first": "[-0.3 -0.2 0.1]", "-first": "[0.1 -0.2 -0.3]",
		"cut": "[-0.3 -0.2 0.1]", "-cut": "[0.1 -0.2 -0.3]",
	} {
		by, err := ParseSort(text)
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(reports, func(a, b Report) int { return by.Compare(&a, &b) })
		var got []float64
		for _, r := range reports {
			got = append(got, r.Bias)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("by %s: got %v, want %s", text, got, want)
		}
	}
}
