package cli

import (
	"fmt"
	"io"
	"strings"

	"digitduel/digit"
	"digitduel/lab"
)

const repairWidth = 78 // commands are not wrapped

// PrintRepairs prints how a game can be made fairer, and which changes do not help.
func PrintRepairs(out io.Writer, r digit.Rules, repairs []lab.Repair) error {
	var b strings.Builder
	fmt.Fprintf(
		&b,
		"%v: ways to make it fairer, the fairest first.\n"+
			"In brackets: the score of the weaker side in 100 games (a draw counts half) if\n"+
			"both players slip 1 turn in 5. Below each: commands that check it.\n",
		r)
	n := 0
	for _, repair := range repairs {
		if !repair.Helps {
			continue
		}
		n++
		fmt.Fprintf(
			&b, "\n%s",
			wrap(
				fmt.Sprintf(
					"%d. %s (%.0f)\n   %s\n", n, repair.What, 100*repair.Worse, repair.Proof),
				repairWidth))
		printChecks(&b, repair)
	}
	b.WriteString("\nWhat does not help:\n")
	none := true
	for _, repair := range repairs {
		if !repair.Helps {
			none = false
			fmt.Fprintf(
				&b, "\n%s",
				wrap(fmt.Sprintf("-  %s\n   %s\n", repair.What, repair.Proof), repairWidth))
			printChecks(&b, repair)
		}
	}
	if none {
		b.WriteString("   Nothing: all of these do.\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func printChecks(b *strings.Builder, repair lab.Repair) {
	for _, c := range repair.Check {
		fmt.Fprintf(b, "     %s\n", c.Command)
	}
}
