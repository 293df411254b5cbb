package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"digitduel/digit"
	"digitduel/disk"
	"digitduel/lab"
	"digitduel/ui/cli"
)

// A sweep holds the flags of duel lab sweep.
type sweep struct {
	lab.Sweep
	grid        lab.Grid
	sort        *lab.Sort
	within, top int
	json, csv   bool
	svg, out    string
	resume      bool
	fast, all   bool
	filterText  string
	sortText    string
}

func sweepCommand() *cobra.Command {
	var s sweep
	cmd := &cobra.Command{
		Use:   "sweep GAME [key=values…]",
		Short: "Compare many rule sets",
		Long: "The values of a key are a range (target=2..130), a list (width=0,3,4) or all " +
			"(zero=*). Lists of pool and final use slashes (final=below/above,lower). By default " +
			"only fast figures are measured, unless --sort, --filter, --json or --out needs the " +
			"others. Rule sets that are not games are counted, and large ones skipped with an " +
			"estimate. With --out each rule set is saved at once as a JSON line.\n\n" +
			"Figures: " + strings.Join(lab.FigureNames(), ", ") + ".",
		Example: "duel lab sweep divisibility target=2..130 --sort bias\n" +
			"duel lab sweep highest 'zero=*' width=2,3 --filter 'draws<0.3'\n" +
			"duel lab sweep dilemma target=2..99 --out sweep.jsonl --resume",
		Args:              needsGame,
		ValidArgsFunction: completeRules,
		RunE:              s.run,
	}
	flags := cmd.Flags()
	flags.StringVar(&s.sortText, "sort", "", "sort by a figure; -length puts the highest first")
	flags.StringVar(&s.filterText, "filter", "",
		"rule sets to keep, as in 'winner=draw and draws<0.3'")
	flags.IntVar(&s.within, "within", 0, "number of keys that may differ from the game (0 = all)")
	flags.IntVar(&s.top, "top", 20, "number of rule sets to list")
	flags.BoolVar(&s.fast, "fast", false, "measure only winner, first moves and plies")
	flags.BoolVar(&s.all, "all", false, "measure all figures")
	flags.BoolVar(&s.json, "json", false, "write JSON lines")
	flags.BoolVar(&s.csv, "csv", false, "write CSV")
	flags.StringVar(&s.svg, "svg", "", "draw a map of the grid")
	flags.StringVar(&s.out, "out", "", "file to save the rule sets in")
	flags.BoolVar(&s.resume, "resume", false, "resume the sweep in the file of --out")
	memoryFlag(cmd)
	flags.Int64Var(&s.Most, "max-positions", lab.MostClasses, "skip rule sets with more positions")
	renamed(cmd, "positions", "max-positions")
	return cmd
}

// read reads and checks the command line.
func (s *sweep) read(cmd *cobra.Command, args []string) error {
	var err error
	if s.grid, err = lab.ParseGrid(args); err != nil {
		return usageError{err}
	}
	if s.Wanted, err = lab.ParseFilter(s.filterText); err != nil {
		return usageError{err}
	}
	if cmd.Flags().Changed("sort") {
		by, err := lab.ParseSort(s.sortText)
		if err != nil {
			return usageError{err}
		}
		s.sort = &by
	}
	slow := !s.Wanted.Fast() || s.sort != nil && !s.sort.Fast
	switch {
	case s.json && s.csv:
		return usagef("json and csv: leave out one of them")
	case s.fast && s.all:
		return usagef("fast and all: leave out one of them")
	case s.fast && slow:
		return usagef("fast: --sort and --filter may only use winner, plies, win, draw, loss")
	case s.resume && s.out == "":
		return usagef("resume: needs --out FILE")
	case s.top < 1:
		return usagef("top %d: allowed: 1 or more", s.top)
	case s.within < 0:
		return usagef("within %d: allowed: 1 or more keys, or 0 for any", s.within)
	case s.Most < 1:
		return usagef("max-positions %d: allowed: 1 or more", s.Most)
	}
	if s.Budget, err = budgetOf(cmd); err != nil {
		return err
	}
	s.Fast = s.fast || !slow && !s.all && !s.json && s.out == ""
	return nil
}

func (s *sweep) run(cmd *cobra.Command, args []string) error {
	if err := s.read(cmd, args); err != nil {
		return err
	}
	rules, count := s.grid.Rules(s.within)
	if len(rules) == 0 && count.Why != nil {
		return usagef("none of these rule sets is a game: %w", count.Why)
	}
	if s.svg != "" { // fail before the work
		if err := lab.DrawMap(io.Discard, s.grid, nil); err != nil {
			return usageError{err}
		}
		if err := mayWrite("svg", s.svg); err != nil {
			return err
		}
	}
	done, keep, err := s.open()
	if err != nil {
		return err
	}
	var reports []lab.Report
	var left []digit.Rules
	for _, r := range rules {
		if old, known := done[r]; known && (s.Fast || old.Full() || !s.Wanted.Wants(&old)) {
			reports = append(reports, old)
		} else {
			left = append(left, r)
		}
	}
	progress := newProgress(cmd)
	var large []error
	finished := int64(0)
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	stopped := s.Run(ctx, left, func(f lab.Found) {
		finished++
		progress.Show(finished, int64(len(left)))
		if f.Large != nil {
			large = append(large, f.Large)
			return
		}
		reports = append(reports, f.Report)
		if keep != nil && err == nil {
			if err = json.NewEncoder(keep).Encode(f.JSON()); err != nil {
				err = cannotWrite("out", s.out, err)
				stop()
			}
		}
	})
	progress.Clear()
	if keep != nil {
		err = errors.Join(err, keep.Close())
	}
	if err != nil {
		return err
	}
	if err := s.write(cmd, rules, reports); err != nil {
		return err
	}
	printTotals(cmd, reports, large, count)
	if stopped != nil {
		return fmt.Errorf("measured %d of %d rule sets; %s: %w", len(rules)-len(left)+int(finished),
			len(rules), s.resumeText(), cli.ErrInterrupted)
	}
	return nil
}

// newProgress shows the progress of long work, also without a terminal.
func newProgress(cmd *cobra.Command) *cli.Progress {
	return cli.NewProgress(cmd.ErrOrStderr(), terminal(cmd.ErrOrStderr()) != nil)
}

// resumeText explains how to resume an interrupted sweep.
func (s *sweep) resumeText() string {
	if s.out == "" {
		return "to resume a sweep, use --out FILE"
	}
	return "resume with --resume"
}

// open opens the file of the sweep, if it has one, and returns the reports in it.
func (s *sweep) open() (map[digit.Rules]lab.Report, *os.File, error) {
	if s.out == "" {
		return nil, nil, nil
	}
	mode := os.O_CREATE | os.O_RDWR
	if !s.resume {
		mode |= os.O_EXCL
	}
	file, err := os.OpenFile(s.out, mode, 0o644)
	if errors.Is(err, os.ErrExist) {
		return nil, nil, usagef("out %s: file exists; add --resume, or use another", s.out)
	}
	if err != nil {
		return nil, nil, cannotWrite("out", s.out, err)
	}
	done := map[digit.Rules]lab.Report{}
	if _, err := disk.Resume(file, func(file io.Reader) (whole int64, err error) {
		err = disk.ReadLines(file, func(line int, text []byte, end int64) error {
			var report lab.Report
			if err := json.Unmarshal(text, &report); err != nil {
				return fmt.Errorf("line %d is not of a sweep: %w", line, err)
			}
			done[report.Rules], whole = report, end
			return nil
		})
		return whole, err
	}); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("out %s: %w", s.out, err), file.Close())
	}
	return done, file, nil
}

// write writes the filtered reports in the order of --sort, or else of the grid.
func (s *sweep) write(cmd *cobra.Command, rules []digit.Rules, reports []lab.Report) error {
	draw := func(out io.Writer) error { return lab.DrawMap(out, s.grid, reports) }
	if err := writeFile(s.svg, draw); err != nil {
		return err
	}
	place := make(map[digit.Rules]int, len(rules))
	for i, r := range rules {
		place[r] = i
	}
	slices.SortFunc(reports, func(a, b lab.Report) int { return place[a.Rules] - place[b.Rules] })
	wanted := slices.DeleteFunc(slices.Clone(reports), func(r lab.Report) bool {
		return !s.Wanted.Wants(&r)
	})
	if s.sort != nil {
		slices.SortStableFunc(wanted, func(a, b lab.Report) int { return s.sort.Compare(&a, &b) })
	}
	switch {
	case s.json:
		for _, r := range wanted {
			if err := printJSON(cmd, r.JSON()); err != nil {
				return err
			}
		}
	case s.csv:
		return cli.WriteSweepCSV(cmd.OutOrStdout(), wanted, s.Fast)
	default:
		cli.PrintSweep(cmd.OutOrStdout(), wanted, s.Fast, s.top)
	}
	return nil
}

// printTotals prints the numbers of all rule sets by their outcome.
func printTotals(cmd *cobra.Command, reports []lab.Report, large []error, count lab.Count) {
	winners := map[string]int{}
	for _, r := range reports {
		winners[r.Winner]++
	}
	cmd.PrintErrf("Rule sets: %d; Player 1 wins: %d; Player 2 wins: %d; drawn: %d.",
		len(reports), winners["first"], winners["second"], winners["draw"])
	cmd.PrintErrf(" Not a game: %d; same as another: %d; too large: %d.\n",
		count.Refused, count.Same, len(large))
	for i, err := range large {
		if i == 5 {
			cmd.PrintErrf("… and %d more are too large\n", len(large)-i)
			break
		}
		cmd.PrintErrf("too large: %v\n", err)
	}
}
