package docs_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/solve"
)

// A reading is another way to read a book, or an option it names.
type reading struct {
	rules string
	tells string
}

// readings are what the page compares each book with; a book without any stands there by itself.
var readings = map[string][]reading{
	"dilemma": {
		{"zero=counts", "042 is 42, and wins"},
		{"zero=barred", "0 may not be placed left"},
		{"final=nearest,lower", "the tie-break measures to the nearest multiple on either side"},
		{"final=above,higher", "of two equally distant numbers the higher wins"},
	},
	"sevens": {
		{"zero=counts", "a call may begin with 0"},
		{"win=full", "every full hand is called for its player (auto-call)"},
		{"final=nearest,lower", "of two equally close hands the lower wins"},
		{"final=below,higher", "closeness is measured downwards only"},
	},
	"highest": {
		{"pool=0-9", "0 is in the pool"},
		{"width=4", "four places"},
	},
	"divisibility": {
		{"final=below,higher", "equal remainders are no draw: the higher number wins"},
		{"final=nearest", "the tie-break measures to the nearest multiple on either side"},
		{"target=11", "target 11"},
		{"target=13", "target 13"},
		{"pool=0-9", "0 is in the pool; a lone 0 wins"},
		{"pool=0-9 zero=inert", "0 is in the pool; a number that begins with it never wins"},
		{"pool=0-9 zero=barred", "0 is in the pool; no number may begin with it"},
	},
	"reverse": {
		{"final=lower", "without the clause on equal numbers, which cannot arise"},
		{"pool=0-9", "0 is in the pool"},
	},
}

// TestSolutions holds docs/solutions.md to what perfect play comes to.
func TestSolutions(t *testing.T) {
	const name = "docs/solutions.md"
	var page bytes.Buffer
	writeSolutions(t, &page)
	if *update {
		if err := os.WriteFile(name, page.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, page.Bytes()) {
		t.Errorf("%s is not what perfect play comes to; run go test ./docs -run TestSolutions -update and read the difference", name)
	}
}

// TestReadings wants that every reading is one of a book.
func TestReadings(t *testing.T) {
	for name := range readings {
		if !slices.Contains(digit.BookNames(), name) {
			t.Errorf("readings of %s, which is no book", name)
		}
	}
}

func writeSolutions(t *testing.T, out io.Writer) {
	var solutions []*solve.Solution
	var wins [3]int // by First, Second, nobody
	for _, book := range digit.Books {
		s := solved(t, book.Name)
		solutions = append(solutions, s)
		wins[winner(s)]++
	}
	who := fmt.Sprintf("All %d books are won by the player who moves first.", len(digit.Books))
	if wins[digit.First] < len(digit.Books) {
		who = fmt.Sprintf("Won by the player who moves first: %d of the %d books; by the other: %d; drawn: %d.", wins[digit.First], len(digit.Books), wins[digit.Second], wins[2])
	}
	fmt.Fprintf(out, `# Solutions

What perfect play comes to in each book, and what another reading of a rule would change. Every line is exact: the games are
solved completely, not sampled. Written by `+"`go test ./docs -run TestSolutions -update`"+`; the same test holds this page to it.

**%s** So a single game measures who started. A match is fair when the start
alternates, as every series here does, or when both play both sides of the same start. What the books advise is judged on [a page of
its own](advice.md).

- *plies*: the length of the game when the winner hurries and the loser delays; one ply is one digit taken.
- *first moves*: how many of the first player's moves win.
- *positions*: distinct positions that play can reach, finished ones included; a dash where they are more than five million.
- *changes*: of the positions in which the game goes on under both readings, how many have another outcome. A dash where the two
  do not share their positions.
`, who)
	for i, book := range digit.Books {
		base := solutions[i]
		fmt.Fprintf(out, "\n## %s (%s)\n\n", book.Name, book.Title)
		fmt.Fprint(out, "| rules | reading | winner | plies | first moves | positions | changes |\n|---|---|---|---|---|---|---|\n")
		writeRow(t, out, base, base, "as written")
		for _, other := range readings[book.Name] {
			writeRow(t, out, base, solved(t, book.Name+" "+other.rules), other.tells)
		}
		var line []string
		var p digit.Position
		for _, m := range base.Line(p) {
			line = append(line, m.String())
			p, _ = book.Rules.Play(p, m) // a best line is legal
		}
		fmt.Fprintf(out, "\nBest line: `%s`, which ends `%s` with `%v`.\n", strings.Join(line, " "), book.Rules.Text(p), book.Rules.Result(p))
		win, all := winningMoves(base)
		told := "`" + strings.Join(win, "` `") + "`"
		switch len(win) {
		case 0:
			told = "none"
		case all:
			told = "all of them"
		}
		fmt.Fprintf(out, "Winning first moves: %s.\n", told)
	}
}

// winner returns who wins a game from its start; a draw is side 2.
func winner(s *solve.Solution) digit.Side {
	if side, ok := s.Value(digit.Position{}).Winner(digit.First); ok {
		return side
	}
	return 2
}

// winningMoves returns the first moves that win, and how many there are in all.
func winningMoves(s *solve.Solution) (win []string, all int) {
	for m, v := range s.Moves(digit.Position{}) {
		all++
		if v.Outcome == solve.Win {
			win = append(win, m.String())
		}
	}
	return win, all
}

func writeRow(t *testing.T, out io.Writer, base, s *solve.Solution, tells string) {
	const most = 5_000_000
	positions, changes := "–", "–"
	if s.CountPositions() <= most {
		c, err := s.Census(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		positions = figure(int(c.Count()))
	}
	if a, b := base.Rules(), s.Rules(); a != b && a.Pool == b.Pool && a.Place == b.Place && a.Width == b.Width && a.Target == b.Target {
		differ, open := compareOutcomes(base, s)
		changes = fmt.Sprintf("%s of %s", figure(differ), figure(open))
	}
	win, all := winningMoves(s)
	who := []string{"first", "second", "draw"}[winner(s)]
	fmt.Fprintf(out, "| `%v` | %s | %s | %d | %d of %d | %s | %s |\n", s.Rules(), tells, who, s.Value(digit.Position{}).Plies, len(win), all, positions, changes)
}

// compareOutcomes counts the positions that are open in both of two games, and those of them in which the outcomes differ.
func compareOutcomes(base, other *solve.Solution) (differ, open int) {
	r := base.Rules()
	for p := range base.Positions() {
		if r.Result(p).Over() || other.Rules().Result(p).Over() {
			continue
		}
		if _, err := other.Rules().ParsePosition(r.Text(p)); err != nil {
			continue // play under the other rules does not come to it
		}
		open++
		if base.Value(p).Outcome != other.Value(p).Outcome {
			differ++
		}
	}
	return differ, open
}
