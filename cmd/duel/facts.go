package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"digitduel/digit"
	"digitduel/solve"
)

// A reading is another way to read a book, or an option it names.
type reading struct {
	rules string
	tells string
}

// readings are what the page of facts compares each book with.
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

// printFacts writes the page of facts about the books and their readings.
func printFacts(ctx context.Context, out io.Writer) error {
	fmt.Fprint(out, `# Solutions

What perfect play comes to in each of the five books, and what another reading of a rule would change. Every line is exact: the
games are solved completely, not sampled. Written by `+"`duel solve --facts`"+`; a test holds this page to it.

**All five books are won by the player who moves first.** So a single game measures who started. A match is fair when the start
alternates, as every series here does, or when both play both sides of the same start. What the books advise is judged on [a page of
its own](advice.md).

- *plies*: the length of the game when the winner hurries and the loser delays; one ply is one digit taken.
- *first moves*: how many of the first player's moves win.
- *positions*: distinct positions that play can reach, finished ones included; a dash where they are more than five million.
- *changes*: of the positions in which the game goes on under both readings, how many have another outcome. A dash where the two
  do not share their positions.
`)
	for _, book := range digit.Books {
		fmt.Fprintf(out, "\n## %s (%s)\n\n", book.Name, book.Title)
		base, err := solve.Solve(ctx, book.Rules, solve.Config{})
		if err != nil {
			return err
		}
		fmt.Fprint(out, "| rules | reading | winner | plies | first moves | positions | changes |\n|---|---|---|---|---|---|---|\n")
		if err := factRow(ctx, out, base, base, "as written"); err != nil {
			return err
		}
		for _, other := range readings[book.Name] {
			r, err := digit.ParseRules(book.Name + " " + other.rules)
			if err != nil {
				return err
			}
			s, err := solve.Solve(ctx, r, solve.Config{})
			if err != nil {
				return err
			}
			if err := factRow(ctx, out, base, s, other.tells); err != nil {
				return err
			}
		}
		rep := report(base)
		line := make([]string, len(rep.Line))
		var p digit.Position
		for i, m := range rep.Line {
			line[i] = m.String()
			p, _ = book.Rules.Play(p, m) // a best line is legal
		}
		fmt.Fprintf(out, "\nBest line: `%s`, which ends `%s` with `%v`.\n", strings.Join(line, " "), book.Rules.Text(p), book.Rules.Result(p))
		fmt.Fprintf(out, "Winning first moves: %s.\n", winningMoves(base))
	}
	return nil
}

func winningMoves(s *solve.Solution) string {
	var win []string
	all := 0
	for m, v := range s.Moves(digit.Position{}) {
		all++
		if v.Outcome == solve.Win {
			win = append(win, "`"+m.String()+"`")
		}
	}
	if len(win) == all {
		return "all of them"
	}
	return strings.Join(win, " ")
}

func factRow(ctx context.Context, out io.Writer, base, s *solve.Solution, tells string) error {
	rep := report(s)
	wins := 0
	for _, m := range rep.FirstMoves {
		if m.Winner == digit.First.String() {
			wins++
		}
	}
	positions, changes := "–", "–"
	if s.CountPositions() <= mostCounted {
		c, err := s.Census(ctx)
		if err != nil {
			return err
		}
		positions = thousands(c.Count())
	}
	if base != s && samePositions(base.Rules(), s.Rules()) {
		differ, open, err := compareOutcomes(ctx, base, s)
		if err != nil {
			return err
		}
		changes = fmt.Sprintf("%s of %s", thousands(int64(differ)), thousands(int64(open)))
	}
	_, err := fmt.Fprintf(out, "| `%v` | %s | %s | %d | %d of %d | %s | %s |\n", s.Rules(), tells, rep.Winner, rep.Plies, wins, len(rep.FirstMoves), positions, changes)
	return err
}

// samePositions reports whether the positions of two games can be compared: the same digits go to the same places, and the
// same multiples win.
func samePositions(a, b digit.Rules) bool {
	return a.Pool == b.Pool && a.Place == b.Place && a.Width == b.Width && a.Target == b.Target
}

// compareOutcomes counts the positions that are open in both of two games, and those of them in which the outcomes differ.
func compareOutcomes(ctx context.Context, base, other *solve.Solution) (differ, open int, err error) {
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
	return differ, open, ctx.Err()
}
