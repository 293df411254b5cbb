package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"digitduel/digit"
	"digitduel/lab"
)

const repairWidth = 78 // commands are not wrapped

// PrintRepairs prints how a game can be made fairer, and which changes do not help.
func PrintRepairs(out io.Writer, r digit.Rules, repairs []lab.Repair) {
	var b strings.Builder
	fmt.Fprintf(
		&b,
		"%v: ways to make it fairer, the fairest first.\n"+
			"In brackets: the score of the weaker side in 100 games (a draw counts half) if\n"+
			"both players slip 1 turn in 5. Below each: commands that check it.\n",
		r)
	var useless strings.Builder
	n := 0
	for _, repair := range repairs {
		to, text := &useless, fmt.Sprintf("-  %s\n   %s\n", repair.What, repair.Proof)
		if repair.Helps {
			n++
			to, text = &b, fmt.Sprintf(
				"%d. %s (%.0f)\n   %s\n", n, repair.What, 100*repair.Worse, repair.Proof)
		}
		fmt.Fprintf(to, "\n%s", wrap(text, repairWidth))
		for _, c := range repair.Check {
			fmt.Fprintf(to, "     %s\n", c.Command)
		}
	}
	fmt.Fprintf(out, "%s\nWhat does not help:\n%s",
		&b, cmp.Or(useless.String(), "   Nothing: all of these do.\n"))
}
