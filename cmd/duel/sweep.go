package main

import (
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
	"digitduel/solve"
	"digitduel/ui/cli"
)

// A sweep is a sweep over rules as the command line wants it.
type sweep struct {
	lab.Sweep
	grid        lab.Grid
	filter      lab.Filter
	sort        *lab.Sort
	within, top int
	json, csv   bool
	svg, out    string
	resume      bool
	fast, all   bool
	memory      int64
	filterText  string
	sortText    string
}

func sweepCommand() *cobra.Command {
	var s sweep
	cmd := &cobra.Command{
		Use:   "sweep BOOK [key=values…]",
		Short: "Compare many rulesets: who wins them, and how even they are",
		Long: "Measure all rulesets of a grid. The values of a key are a range (target=2..130), a list (width=0,3,4), or all there are\n" +
			"(zero=*). The values of pool and final have commas in them, so their lists have strokes (final=below/above,lower).\n" +
			"Without --sort, --filter or --all by slower figures only who wins, the first moves and the turns are worked out. What\n" +
			"the rules refuse is counted; what is too large is skipped with an estimate. With --out FILE each ruleset is kept as a line of\n" +
			"JSON as soon as it is done, and with --resume a sweep that was stopped goes on.\n\nFigures: " + strings.Join(lab.FigureNames(), ", ") + ".",
		Example: "  duel lab sweep divisibility target=2..130\n" +
			"  duel lab sweep divisibility target=2..130 width=0,3,4 'zero=*' --sort bias --filter 'draws<0.3 and decisions>2'\n" +
			"  duel lab sweep dilemma target=2..99 'final=*' --within 2 --out dilemma.jsonl --resume --svg dilemma.svg",
		ValidArgsFunction: completeRules,
		RunE:              func(cmd *cobra.Command, args []string) error { return s.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&s.sortText, "sort", "", "sort by a figure; with a minus, as in -length, from the highest down; bias by its size")
	flags.StringVar(&s.filterText, "filter", "", "keep only what a condition holds for, as in 'winner=draw and draws<0.3'")
	flags.IntVar(&s.within, "within", 0, "keep only rulesets that differ from the book in so many keys at the most")
	flags.IntVar(&s.top, "top", 20, "how many rulesets to list")
	flags.BoolVar(&s.json, "json", false, "write JSON lines")
	flags.BoolVar(&s.csv, "csv", false, "write CSV")
	flags.StringVar(&s.svg, "svg", "", "draw a map of the grid into this file")
	flags.StringVar(&s.out, "out", "", "keep what is done in this file, as JSON lines")
	flags.BoolVar(&s.resume, "resume", false, "go on with what is in the file of --out")
	flags.BoolVar(&s.fast, "fast", false, "work out only who wins, the first moves and the turns, with --json and --out too")
	flags.BoolVar(&s.all, "all", false, "work out all figures")
	flags.Int64Var(&s.memory, "memory", solve.DefaultBudget>>20, "the most memory that games may take that are worked on at once, in MiB")
	flags.Int64Var(&s.Most, "positions", lab.MostClasses, "the most positions of a ruleset, like ones counted once; those with more are skipped")
	return cmd
}

// read reads what the command line says.
func (s *sweep) read(cmd *cobra.Command, args []string) error {
	var err error
	if s.grid, err = lab.ParseGrid(args); err != nil {
		return usageError{err}
	}
	if s.filter, err = lab.ParseFilter(s.filterText); err != nil {
		return usageError{err}
	}
	if cmd.Flags().Changed("sort") {
		by, err := lab.ParseSort(s.sortText)
		if err != nil {
			return usageError{err}
		}
		s.sort = &by
	}
	slow := !s.filter.Fast || s.sort != nil && !s.sort.Fast
	switch {
	case s.json && s.csv:
		return usagef("json and csv: only one of them can be written")
	case s.fast && s.all:
		return usagef("fast and all: only one of them can be wanted")
	case s.fast && slow:
		return usagef("fast: --sort and --filter ask for figures that take longer; fast ones: winner, plies, win, draw, loss")
	case s.resume && s.out == "":
		return usagef("resume: name the file to go on with, as in --out FILE --resume")
	case s.top < 1:
		return usagef("top %d: allowed: 1 or more", s.top)
	case s.within < 0:
		return usagef("within %d: allowed: 1 or more keys, or 0 for any", s.within)
	case s.Most < 1:
		return usagef("positions %d: allowed: 1 or more", s.Most)
	case s.memory < 1 || s.memory > 1<<20:
		return usagef("memory %d: allowed: 1 to %d MiB", s.memory, 1<<20)
	}
	s.Budget = s.memory << 20
	if s.svg == "" { // a map shows all of them
		s.Wanted = s.filter
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
		return usagef("none of these rulesets is a game: %w", count.Why)
	}
	if s.svg != "" { // found out before the work is done
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
		if old, known := done[r]; known && (s.Fast || old.Full() || !s.Wanted.May(&old)) {
			reports = append(reports, old)
		} else {
			left = append(left, r)
		}
	}
	progress := newProgress(cmd)
	var large []error
	finished := int64(0)
	stopped := s.Run(cmd.Context(), left, func(f lab.Found) {
		finished++
		progress.Show(finished, int64(len(left)))
		if f.Large != nil {
			large = append(large, f.Large)
			return
		}
		reports = append(reports, f.Report)
		if keep != nil && err == nil {
			err = json.NewEncoder(keep).Encode(f.JSON())
		}
	})
	progress.Clear()
	if keep != nil {
		err = errors.Join(err, keep.Close())
	}
	if err != nil {
		return err
	}
	if err := s.write(cmd.OutOrStdout(), rules, reports); err != nil {
		return err
	}
	s.tell(cmd.ErrOrStderr(), reports, large, count)
	if stopped != nil {
		return fmt.Errorf("%d of %d rulesets are done%s: %w", len(rules)-len(left)+int(finished), len(rules), s.howOn(), cli.ErrInterrupted)
	}
	return nil
}

// newProgress tells how work goes on that may take long, whether or not there is a terminal.
func newProgress(cmd *cobra.Command) *cli.Progress {
	if _, ok := terminal(cmd.ErrOrStderr()); ok {
		return cli.NewProgress(cmd.ErrOrStderr())
	}
	return cli.NewProgressLines(cmd.ErrOrStderr())
}

// howOn says how to go on with a sweep that was stopped.
func (s *sweep) howOn() string {
	if s.out == "" {
		return "; with --out FILE they would be kept"
	}
	return "; the same command with --resume goes on"
}

// open returns what is done already, and the file that it is kept in if there is one.
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
		return nil, nil, usagef("out %s: the file is there already; go on with --resume, or name another", s.out)
	}
	if err != nil {
		return nil, nil, cannotWrite("out", s.out, err)
	}
	done := map[digit.Rules]lab.Report{}
	if _, err := disk.Resume(file, func(file io.Reader) (whole int64, err error) {
		err = disk.ReadLines(file, func(line int, text []byte, end int64) error {
			var report lab.Report
			if err := json.Unmarshal(text, &report); err != nil {
				return fmt.Errorf("line %d is not one of a sweep: %w", line, err)
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

// write writes what is wanted in the order that is wanted, which is that of the grid unless said otherwise.
func (s *sweep) write(out io.Writer, rules []digit.Rules, reports []lab.Report) error {
	if s.svg != "" {
		draw := func(out io.Writer) error { return lab.DrawMap(out, s.grid, reports) }
		if err := writePicture(s.svg, draw); err != nil {
			return err
		}
	}
	place := make(map[digit.Rules]int, len(rules))
	for i, r := range rules {
		place[r] = i
	}
	slices.SortFunc(reports, func(a, b lab.Report) int { return place[a.Rules] - place[b.Rules] })
	wanted := slices.DeleteFunc(slices.Clone(reports), func(r lab.Report) bool { return !s.filter.Wants(&r) })
	if s.sort != nil {
		slices.SortStableFunc(wanted, func(a, b lab.Report) int { return s.sort.Compare(&a, &b) })
	}
	switch {
	case s.json:
		return cli.WriteSweepJSON(out, wanted)
	case s.csv:
		return cli.WriteSweepCSV(out, wanted, s.Fast)
	default:
		return cli.PrintSweep(out, wanted, s.Fast, s.top)
	}
}

// tell says what became of all rulesets, beside what is written.
func (s *sweep) tell(errs io.Writer, reports []lab.Report, large []error, count lab.Count) {
	winners := map[string]int{}
	for _, r := range reports {
		winners[r.Winner]++
	}
	fmt.Fprintf(errs, "%d rulesets: Player 1 wins %d, Player 2 %d, %d are drawn.", len(reports), winners["first"], winners["second"], winners["draw"])
	fmt.Fprintf(errs, " Refused by the rules: %d; the same as another: %d; too large: %d.\n", count.Refused, count.Same, len(large))
	for i, err := range large {
		if i == 5 {
			fmt.Fprintf(errs, "… and %d more are too large\n", len(large)-i)
			break
		}
		fmt.Fprintf(errs, "too large: %v\n", err)
	}
}
