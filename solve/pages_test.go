package solve

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"digitduel/digit"
)

// TestPages checks the figures of docs/solver.md and docs/bench.md: the sizes of the books, their
// growth, and two positions computed by hand.
func TestPages(t *testing.T) {
	for _, test := range []struct {
		page  string
		parts []string
	}{
		{"../docs/solver.md", []string{pageBooks(t), pagePlain(t), pageFold(t)}},
	} {
		text, err := os.ReadFile(test.page)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range test.parts {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s does not contain:\n%s", test.page, part)
			}
		}
	}
	checkIndex(t)
	bench, _ := os.ReadFile("../docs/bench.md")
	_, growth, _ := strings.Cut(string(bench), "## Growth")
	rows := 0
	for line := range strings.Lines(growth) {
		// | `rules` | base | positions | classes | KiB | ms |
		if cells := strings.Split(line, " | "); len(cells) == 6 && strings.HasPrefix(line, "| `") {
			rows++
			s := planned(t, strings.Trim(cells[0], "| `"))
			want := fmt.Sprintf("%d | %s | %s | %s", s.Rules().Base(), short(s.CountPositions()),
				thousands(s.size.Classes), thousands((s.size.Bytes+512)/1024))
			if got := strings.Join(cells[1:5], " | "); got != want {
				t.Errorf("%s: %s, want %s", cells[0], got, want)
			}
		}
	}
	if rows == 0 {
		t.Error("bench.md has no table of growth")
	}
}

// checkIndex checks the table of words in docs/solver.md: each name is in its file, and the table
// has all files.
func checkIndex(t *testing.T) {
	page, err := os.ReadFile("../docs/solver.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) != 3 || !strings.HasSuffix(line, ".go` |\n") {
			continue
		}
		file := strings.Trim(cells[2], "` |")
		listed[file] = true
		source, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
		}
		for name := range strings.SplitSeq(cells[1], ", ") {
			name = strings.Trim(name, "`")
			if text := string(source); !strings.Contains(text, "\ntype "+name+" ") &&
				!strings.Contains(text, "\nfunc "+name+"(") &&
				!strings.Contains(text, ") "+name+"(") {
				t.Errorf("%s has no %s", file, name)
			}
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") && !listed[file] {
			t.Errorf("the table of words has no %s", file)
		}
	}
}

func planned(t *testing.T, text string) *Solution {
	t.Helper()
	s, err := plan(t.Context(), newGame(rules(t, text)), DefaultBudget)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// short formats a number to about three digits.
func short(n int64) string {
	f, unit := float64(n), ""
	for _, u := range []string{" k", " M", " G", " T"} {
		if f < 1000 {
			break
		}
		f, unit = f/1000, u
	}
	if f < 100 {
		return fmt.Sprintf("%.1f%s", f, unit)
	}
	return fmt.Sprintf("%.0f%s", f, unit)
}

func kindOf(s *Solution) string {
	if s.folds != nil {
		return "folded"
	}
	return "plain"
}

func pageBooks(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| book | positions | classes | bytes | layers |\n|---|---:|---:|---:|---|\n")
	var positions int64
	var sum Size
	for _, book := range digit.Books[:5] { // those of the page
		s := solved(t, book.Rules)
		c, err := s.Census(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "| `%s` | %d | %d | %d | %s |\n", book.Name, c.Count(), s.size.Classes,
			s.size.Bytes, kindOf(s))
		positions += c.Count()
		sum.Classes += s.size.Classes
		sum.Bytes += s.size.Bytes
	}
	fmt.Fprintf(&b, "| together | %d | %d | %d | %.3f classes a position |\n", positions,
		sum.Classes, sum.Bytes, float64(sum.Classes)/float64(positions))
	return b.String()
}

// pagePlain computes the cell and the value of a position in the last layer of dilemma.
func pagePlain(t *testing.T) string {
	s := solved(t, digit.Dilemma)
	g, r := s.game, s.Rules()
	p, err := r.ParsePosition("52_/69_")
	if err != nil {
		t.Fatal(err)
	}
	l := s.plains[r.Ply(p)]
	var b strings.Builder
	left := r.Left(p)
	b.WriteString("digit        ")
	for d := range left.All() {
		fmt.Fprintf(&b, "%6v", d)
	}
	b.WriteString("\n")
	var keys [2][16]key
	var bests [2]best
	for i, side := range []digit.Side{digit.First, digit.Second} {
		at := g.read(p, side)
		numbers, gaps, worths := "", "", ""
		bests[i] = best{least: worst, other: worst}
		for d := range left.All() {
			number := strings.ReplaceAll(r.Number(p, side).String(), "_", d.String())
			value, _ := strconv.Atoi(number)
			numbers += fmt.Sprintf("%6s", number)
			if value%int(r.Target) == 0 {
				gaps += "   won"
			} else {
				gaps += fmt.Sprintf("%6d", r.Measure(digit.Above, value))
			}
			k := g.bestKey(&at, 1<<d)
			keys[i][d] = k
			worths += fmt.Sprintf("%6d", k)
			switch {
			case k < bests[i].least:
				bests[i] = best{k, bests[i].least, int(d)}
			case k < bests[i].other:
				bests[i].other = k
			}
		}
		fmt.Fprintf(&b, "%-6s %v   %s\n  to go      %s\n  key        %s   least %d from %d, otherwise %d\n",
			side, r.Number(p, side), numbers, gaps, worths, bests[i].least, bests[i].at, bests[i].other)
	}
	x, y := bests[0], bests[1]
	verdict := func(mine, yours key) string {
		if mine < yours {
			return "wins"
		}
		return "loses"
	}
	fmt.Fprintf(&b, "\ntakes %d: %d against %d, %s\n", y.at, keys[0][y.at], y.other,
		verdict(keys[0][y.at], y.other))
	fmt.Fprintf(&b, "leaves %d: %d against %d, %s\n\n", y.at, x.least, y.least,
		verdict(x.least, y.least))
	sets := [2]uint16{uint16(r.Held(p, digit.First)), uint16(r.Held(p, digit.Second))}
	ranks := [2]int64{setRank(sets[0], g.pool), setRank(sets[1], g.pool&^sets[0])}
	_, mine := g.stand(p, digit.First)
	_, yours := g.stand(p, digit.Second)
	fmt.Fprintf(&b, "sets: {2,5} is C(2,1) + C(5,2) = %d; {6,9} of the rest is C(4,1) + C(7,2) = %d of %d\n", ranks[0], ranks[1], l.rests)
	fmt.Fprintf(&b, "ways: 52_ is %d of %d, 69_ is %d of %d\n", mine, l.ways[0], yours, l.ways[1])
	at := l.index(g, p)
	if sum := (ranks[0]*l.rests+ranks[1])*l.ways[0]*l.ways[1] + yours*l.ways[0] + mine; sum != at {
		t.Errorf("the cell is %d, computed by hand %d", at, sum)
	}
	fmt.Fprintf(&b, "cell: (%d·%d + %d)·%d·%d + %d·%d + %d = %d of %d\n",
		ranks[0], l.rests, ranks[1], l.ways[0], l.ways[1], yours, l.ways[0], mine, at, len(l.cells))
	return b.String() + cellText(s, p, l.cells[at])
}

// cellText describes the cell of a position.
func cellText(s *Solution, p digit.Position, cell int8) string {
	v := s.Value(p)
	return fmt.Sprintf("byte: %+d, a %v at ply %d - %d = %d: a %v\n", cell, v.Outcome, horizon,
		max(cell, -cell), s.Rules().Ply(p)+v.Plies, v)
}

// pageFold computes the cell that two positions of divisibility share.
func pageFold(t *testing.T) string {
	s := solved(t, digit.Divisibility)
	g, r := s.game, s.Rules()
	var b strings.Builder
	var at int64
	for i, text := range []string{"41/3", "48/3"} {
		p, err := r.ParsePosition(text)
		if err != nil {
			t.Fatal(err)
		}
		l := s.folds[r.Ply(p)]
		sides := [2]side{g.read(p, digit.First), g.read(p, digit.Second)}
		left := r.Left(p)
		var kinds [16]int
		for d := range left.All() {
			kinds[int(d)%int(g.mod)]++
		}
		fmt.Fprintf(&b, "%s: remainders %d and %d; left %v, by remainder %v\n", text, sides[0].rem,
			sides[1].rem, left, kinds[:g.mod])
		here := l.index(g, uint16(left), &sides)
		if i == 1 && here != at {
			t.Errorf("%s has the cell %d, want %d", text, here, at)
		}
		if at = here; i == 0 {
			continue
		}
		n := at / (l.rems[0] * l.rems[1])
		row, col := int64(sides[0].rem-l.low[0]), int64(sides[1].rem-l.low[1])
		if sum := n*l.rems[0]*l.rems[1] + row*l.rems[1] + col; sum != at {
			t.Errorf("the cell is %d, computed by hand %d", at, sum)
		}
		fmt.Fprintf(&b, "cell: view %d of %d: %d·%d·%d + (%d - %d)·%d + (%d - %d) = %d of %d\n", n,
			len(l.views[0].all),
			n, l.rems[0], l.rems[1], sides[0].rem, l.low[0], l.rems[1], sides[1].rem, l.low[1], at, len(l.cells))
		b.WriteString(cellText(s, p, l.cells[at]))
	}
	return b.String()
}
