package docs_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/solve"
)

// A reading is another way to read the rules of a book, or an option that the book names.
type reading struct {
	rules       string
	description string
}

// readings has the readings that the page compares with each book. A book may have none.
var readings = map[string][]reading{
	"dilemma": {
		{"zero=counts", "042 is 42 and wins"},
		{"zero=barred", "0 may not be placed left"},
		{"final=nearest,lower", "measured to either side"},
		{"final=above,higher", "ties: higher number"},
	},
	"sevens": {
		{"zero=counts", "a call may begin with 0"},
		{"win=full", "full hands are called automatically"},
		{"final=nearest,lower", "ties: lower hand"},
		{"final=below,higher", "measured downwards only"},
	},
	"highest": {
		{"pool=0-9", "0 is in the pool"},
		{"width=4", "four places"},
	},
	"divisibility": {
		{"final=below,higher", "ties: higher number"},
		{"final=nearest", "measured to either side"},
		{"target=11", "target 11"},
		{"target=13", "target 13"},
		{"pool=0-9", "0 is in the pool, and wins alone"},
		{"pool=0-9 zero=inert", "0 is in the pool, inert if it leads"},
		{"pool=0-9 zero=barred", "0 is in the pool, never leading"},
	},
	"reverse": {
		{"final=lower", "without the clause on equal numbers"},
		{"pool=0-9", "0 is in the pool"},
	},
}

// slowReading is a row that takes long to compute. Without DUEL_NIGHTLY it is not checked.
var slowReading = regexp.MustCompile("(?m)^\\|`divisibility .*\n")

// TestSolutions compares docs/solutions.md with the solutions, or rewrites it with -update.
func TestSolutions(t *testing.T) {
	const name = "docs/solutions.md"
	whole := *update || os.Getenv("DUEL_NIGHTLY") != ""
	var page bytes.Buffer
	writeSolutions(t, &page, whole)
	if *update {
		if err := os.WriteFile(name, page.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !whole {
		kept = slowReading.ReplaceAll(kept, nil)
	}
	if !bytes.Equal(kept, page.Bytes()) {
		t.Errorf("%s has changed; run go test ./docs -run TestSolutions -update and review the difference",
			name)
	}
}

// TestReadings checks that every reading belongs to a book.
func TestReadings(t *testing.T) {
	for name := range readings {
		if !slices.Contains(digit.BookNames(), name) {
			t.Errorf("readings of %s, which is not a book", name)
		}
	}
}

// writeSolutions writes the page: the whole page, or all but its slow rows.
func writeSolutions(t *testing.T, out io.Writer, whole bool) {
	var solutions []*solve.Solution
	var wins [3]int // by First, by Second, and draws
	for _, book := range digit.Books {
		s := solved(t, book.Name)
		solutions = append(solutions, s)
		wins[winner(s)]++
	}
	who := fmt.Sprintf("The player who moves first wins all %d books.", len(digit.Books))
	if wins[digit.First] < len(digit.Books) {
		who = fmt.Sprintf("Won by the player who moves first: %d of the %d books; by the other: %d; drawn: %d.", wins[digit.First], len(digit.Books), wins[digit.Second], wins[2])
	}
	fmt.Fprintf(out, `# Solutions

Who wins each book with best play, and how another reading of a rule would change that.

    duel solve dilemma
    go test ./docs -run TestSolutions -update    # writes this page; the same test checks it

**%s** So a fair match alternates the start,
as every series does. [Advice](advice.md) judges the rulebooks' tips.

- *plies*: digits taken if the winner hurries and the loser delays.
- *first moves*: first moves that win.
- *positions*: reachable ones, finished ones included; a dash above five million.
- *changes*: of the positions open under both readings, those with another outcome; a dash if the
  two have different positions.
`, who)
	for i, book := range digit.Books {
		base := solutions[i]
		fmt.Fprintf(out, "\n## %s (%s)\n\n", book.Name, book.Title)
		fmt.Fprint(out, "|rules|reading|winner|plies|first moves|positions|changes |\n|---|---|---|---|---|---|---|\n")
		writeRow(t, out, base, base, "as written")
		for _, other := range readings[book.Name] {
			if whole || book.Name != "divisibility" {
				writeRow(t, out, base, solved(t, book.Name+" "+other.rules), other.description)
			}
		}
		var line []string
		var p digit.Position
		for _, m := range base.Line(p) {
			line = append(line, m.String())
			p, _ = book.Rules.Play(p, m) // a best line is legal
		}
		fmt.Fprintf(out, "\nBest line: `%s`, ending `%s`, `%v`.\n", strings.Join(line, " "),
			book.Rules.Text(p), book.Rules.Result(p))
		win, all := winningMoves(base)
		moves := "`" + strings.Join(win, " ") + "`"
		switch len(win) {
		case 0:
			moves = "none"
		case all:
			moves = "all"
		}
		fmt.Fprintf(out, "Winning moves: %s.\n", moves)
	}
}

// winner returns the side that wins from the start, or 2 for a draw.
func winner(s *solve.Solution) digit.Side {
	if side, ok := s.Value(digit.Position{}).Winner(digit.First); ok {
		return side
	}
	return 2
}

// winningMoves returns the first moves that win, and the number of all first moves.
func winningMoves(s *solve.Solution) (win []string, all int) {
	for m, v := range s.Moves(digit.Position{}) {
		all++
		if v.Outcome == solve.Win {
			win = append(win, m.String())
		}
	}
	return win, all
}

func writeRow(t *testing.T, out io.Writer, base, s *solve.Solution, description string) {
	const most = 5_000_000
	positions, changes := "–", "–"
	if s.CountPositions() <= most {
		c, err := s.Census(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		positions = figure(int(c.Count()))
	}
	if a, b := base.Rules(), s.Rules(); a != b && a.Pool == b.Pool && a.Place == b.Place &&
		a.Width == b.Width && a.Target == b.Target {
		differ, open := compareOutcomes(base, s)
		changes = fmt.Sprintf("%s of %s", figure(differ), figure(open))
	}
	win, all := winningMoves(s)
	who := []string{"first", "second", "draw"}[winner(s)]
	fmt.Fprintf(out, "|`%v`|%s|%s|%d|%d of %d |%s|%s |\n", s.Rules(), description, who,
		s.Value(digit.Position{}).Plies, len(win), all, positions, changes)
}

// compareOutcomes counts the positions that are open in both of two games, and those of them with
// different outcomes.
func compareOutcomes(base, other *solve.Solution) (differ, open int) {
	r := base.Rules()
	for p := range base.Positions() {
		if r.Result(p).Over() || other.Rules().Result(p).Over() {
			continue
		}
		if _, err := other.Rules().ParsePosition(r.Text(p)); err != nil {
			continue // not reachable under the other rules
		}
		open++
		if base.Value(p).Outcome != other.Value(p).Outcome {
			differ++
		}
	}
	return differ, open
}
