package cli

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"digitduel/lab"
)

// PrintSweep prints the results for the first of many rules.
func PrintSweep(out io.Writer, reports []lab.Report, fast bool, most int) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	head := "rules\twinner\tturns\tfirst moves win/draw/lose"
	if !fast {
		head += "\tPlayer 1 gets\tcut\tdraws\tlength\tdecisions\tdrama"
	}
	fmt.Fprintln(w, head)
	for _, r := range reports[:min(most, len(reports))] {
		fmt.Fprintf(
			w, "%v\t%s\t%d\t%d/%d/%d", r.Rules, r.Winner, r.Plies, r.FirstMoves.Win,
			r.FirstMoves.Draw, r.FirstMoves.Loss)
		if !fast {
			fmt.Fprintf(
				w, "\t%.3f\t%.3f\t%.3f\t%.1f\t%.1f\t%.2f", r.Bias+0.5, r.Cut, r.Draws, r.Length,
				r.Decisions, r.Drama)
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if more := len(reports) - most; more > 0 {
		_, err := fmt.Fprintf(out, "… and %d more: --top %d lists them all\n", more, len(reports))
		return err
	}
	return nil
}

// WriteSweepCSV writes a line for each of the rules.
func WriteSweepCSV(out io.Writer, reports []lab.Report, fast bool) error {
	w := csv.NewWriter(out)
	head := []string{"rules", "winner"}
	for _, f := range lab.Figures {
		if f.Fast || !fast {
			head = append(head, f.Name)
		}
	}
	_ = w.Write(head) // Flush reports it
	for _, r := range reports {
		line := []string{r.Rules.String(), r.Winner}
		for _, f := range lab.Figures {
			if f.Fast || !fast {
				line = append(line, strconv.FormatFloat(f.Of(&r), 'g', -1, 64))
			}
		}
		_ = w.Write(line)
	}
	w.Flush()
	return w.Error()
}

// WriteSweepJSON writes a JSON line for each of the rules.
func WriteSweepJSON(out io.Writer, reports []lab.Report) error {
	encoder := json.NewEncoder(out)
	for _, r := range reports {
		if err := encoder.Encode(r.JSON()); err != nil {
			return err
		}
	}
	return nil
}
