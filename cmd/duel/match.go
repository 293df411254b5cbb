package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"digitduel/arena"
	"digitduel/digit"
	"digitduel/disk"
	"digitduel/solve"
	"digitduel/ui/cli"
)

// matchFlags is what a match is asked for with.
type matchFlags struct {
	players, rules []string
	format, starts string
	sprt, model    string
	alpha, beta    float64
	pairs, retries int
	movetime       time.Duration
	seed, words    uint64
	disguised      bool // in words by that seed
	concurrency    int
	out            string
	resume, asJSON bool
	open           func(context.Context, string) (arena.Engine, error) // starts a program; nil until it is known how games are told
}

// planned are the flags that the plan depends on.
var planned = []string{"player", "rules", "format", "starts", "sprt", "sprt-model", "alpha", "beta", "pairs", "retries", "movetime", "seed", "disguise"}

func matchCommand() *cobra.Command {
	var f matchFlags
	cmd := &cobra.Command{
		Use:   "match --player P --player P… --out DIR",
		Short: "Let levels and programs play many games, and measure every move",
		Long: "Play pairs of games, the same start with the seats swapped, and tell what came of them: scores, what each player threw away,\n" +
			"Elo with its error, a sequential test, ratings. The plan, the games and a summary are kept in a folder; a match that was\n" +
			"interrupted, by Ctrl-C too, goes on with --resume and comes to the same. A player is a level (see duel help play) or\n" +
			"engine:COMMAND (docs/protocol.md). docs/arena.md says what the figures mean.",
		Example: "  duel match --player casual --player perfect --out runs/first\n" +
			"  duel match --player perfect --player master --rules 'dilemma target=13' --pairs 500 --out runs/x\n" +
			"  duel match --player expert --player 'engine:python3 my.py' --starts won:ply=1-4 --sprt 0,20 --out runs/y\n" +
			"  duel match --player casual --player 'engine:python3 model.py' --disguise 7 --out runs/z\n" +
			"  duel match --resume --out runs/x\n  duel match report runs/x\n  duel match check runs/x",
		Args: onlyCommands,
	}
	cmd.AddCommand(matchReportCommand(), matchCheckCommand())
	memoryFlag(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.players, "player", nil, "a level or engine:COMMAND; two or more times")
	f.addPlanned(flags, 100)
	flags.Lookup("pairs").Usage += "; with --sprt the most"
	flags.StringVar(&f.format, "format", arena.RoundRobin, "who meets whom: "+arena.RoundRobin+", or "+arena.Gauntlet+" of the first player")
	flags.DurationVar(&f.movetime, "movetime", time.Second, "how long a program may think about a move")
	flags.IntVar(&f.retries, "retries", 0, "how often a program is asked again after an answer that is no legal move")
	flags.StringVar(&f.sprt, "sprt", "", "ELO0,ELO1: stop as soon as the games show that the first player is ELO0 or ELO1 better; 0,20 takes at least 50 pairs, 0,50 takes 20")
	flags.StringVar(&f.model, "sprt-model", arena.Logistic, "what ELO0 and ELO1 are: "+arena.Logistic+", "+arena.Normalised)
	flags.Float64Var(&f.alpha, "alpha", 0.05, "with --sprt: the chance that ELO1 is accepted wrongly")
	flags.Float64Var(&f.beta, "beta", 0.05, "with --sprt: the chance that ELO0 is accepted wrongly")
	flags.IntVar(&f.concurrency, "concurrency", runtime.NumCPU(), "how many games are played at once")
	flags.StringVar(&f.out, "out", "", "the folder in which the match is kept: a new one, or with --resume that of a match")
	flags.BoolVar(&f.resume, "resume", false, "go on with a match that was interrupted")
	flags.BoolVar(&f.asJSON, "json", false, "write the summary as JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if f.out == "" {
			return usagef("out: a match is kept in a folder: --out DIR")
		}
		if f.concurrency < 1 || f.concurrency > 1024 {
			return usagef("concurrency %d: allowed: 1 to 1024", f.concurrency)
		}
		for _, name := range []string{"sprt-model", "alpha", "beta"} {
			if cmd.Flags().Changed(name) && f.sprt == "" {
				return usagef("%s: it is for a sequential test; add --sprt ELO0,ELO1, or leave it out", name)
			}
		}
		f.disguised = cmd.Flags().Changed("disguise")
		return f.run(cmd)
	}
	return cmd
}

// addPlanned adds the flags that all plans have.
func (f *matchFlags) addPlanned(flags *pflag.FlagSet, pairs int) {
	flags.StringArrayVar(&f.rules, "rules", []string{"dilemma"}, "a book and key=value…; may be given more than once")
	flags.StringVar(&f.starts, "starts", "beginning", "where games start: "+arena.StartsAllowed)
	flags.IntVar(&f.pairs, "pairs", pairs, "pairs of games for each two players and each of the rules")
	flags.Uint64Var(&f.seed, "seed", 1, "starts and the moves of levels follow from it")
	flags.Uint64Var(&f.words, "disguise", 0, "tell the games in the words of a disguise, by its seed: see duel disguise")
}

// run begins a match or goes on with it.
func (f *matchFlags) run(cmd *cobra.Command) error {
	plan, solutions, err := f.plan(cmd)
	if err != nil {
		return err
	}
	if f.open == nil {
		if f.open, err = openIn(cmd.Context(), plan); err != nil {
			return err
		}
	}
	file, err := arena.Folder(f.out).OpenGames()
	if errors.Is(err, disk.ErrBusy) {
		return fmt.Errorf("%s: this match is being played by another program", f.out)
	}
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // every game in it is synced
	if test := plan.SPRT; test != nil && test.Least() > plan.Games()/2 {
		fmt.Fprintf(cmd.ErrOrStderr(), "duel: sprt %v,%v: no fewer than %d pairs can decide, and %d are planned\n", test.Elo0, test.Elo1, test.Least(), plan.Games()/2)
	}
	for _, line := range plan.Again() {
		fmt.Fprintln(cmd.ErrOrStderr(), "duel:", line)
	}
	progress := newProgress(cmd)
	runner := arena.Runner{Plan: plan, Solutions: solutions, Open: f.open, Concurrency: f.concurrency, Progress: showMatch(progress)}
	standing, err := runner.Run(cmd.Context(), file)
	progress.Clear()
	if cmd.Context().Err() != nil && standing != nil {
		return fmt.Errorf("%s: %d of %d games are kept; go on with --resume: %w", f.out, 2*standing.Pairs, plan.Games(), cli.ErrInterrupted)
	}
	if err != nil && standing == nil {
		return fmt.Errorf("%s: %w", filepath.Join(f.out, arena.GamesFile), err) // it was not read
	}
	if err != nil && standing.Pairs == 0 {
		return err
	}
	if err != nil {
		return fmt.Errorf("%w; what was played is kept in %s, and --resume goes on with it", err, f.out)
	}
	summary := standing.Summary()
	if err := arena.Folder(f.out).WriteSummary(&summary); err != nil {
		return err
	}
	return printSummary(cmd, &summary, f.asJSON)
}

// plan returns the plan that is kept, or writes the one that is asked for. What is kept is not changed.
func (f *matchFlags) plan(cmd *cobra.Command) (*arena.Plan, []*solve.Solution, error) {
	kept, err := arena.Folder(f.out).Plan()
	there := !errors.Is(err, fs.ErrNotExist)
	if there && err != nil {
		return nil, nil, err
	}
	if there && kept.Format == arena.Open {
		return nil, nil, usagef("%s: the run there is one of agents, who go on by duel mcp --out %s", f.out, f.out)
	}
	if there && !f.resume {
		return nil, nil, usagef("%s: there is a match already; go on with it with --resume, or choose another folder", f.out)
	}
	asked := false
	for _, name := range planned {
		asked = asked || cmd.Flags().Changed(name)
	}
	if there && !asked {
		if err := checkPlayers(kept.Players); err != nil {
			return nil, nil, err
		}
		solutions, err := f.solutions(cmd, kept.Rules)
		return kept, solutions, err
	}
	switch {
	case f.resume && !there && !asked:
		return nil, nil, usagef("%s: there is no match to go on with", f.out)
	case there && len(f.players) == 0:
		return nil, nil, usagef("%s: the match there has its plan; go on with it with --resume alone, or with all the flags that it was planned with", f.out)
	case len(f.players) < 2:
		return nil, nil, usagef("players: %d; a match takes two or more: --player perfect --player 'engine:python3 my.py'", len(f.players))
	}
	if err := checkPlayers(f.players); err != nil {
		return nil, nil, err
	}
	plan, starts, err := f.draft()
	if err != nil {
		return nil, nil, err
	}
	solutions, err := f.solutions(cmd, plan.Rules)
	if err != nil {
		return nil, nil, err
	}
	if err := plan.Draw(starts, solutions); err != nil {
		return nil, nil, usageError{err}
	}
	if there {
		if plan.ID != kept.ID {
			return nil, nil, usagef("%s: the match there was planned with %s", f.out, kept.Difference(plan))
		}
		return kept, solutions, nil
	}
	if f.open, err = openIn(cmd.Context(), plan); err != nil {
		return nil, nil, err
	}
	if err := f.try(cmd.Context(), plan.Players); err != nil {
		return nil, nil, err
	}
	return plan, solutions, arena.Folder(f.out).WritePlan(plan)
}

// try starts each program once: a plan cannot be changed, and is not written for one that does not start.
func (f *matchFlags) try(ctx context.Context, players []string) error {
	for _, name := range players {
		command, ok := arena.Command(name)
		if !ok {
			continue
		}
		e, err := f.open(ctx, command)
		if err != nil {
			return err
		}
		e.Close()
	}
	return nil
}

// draft returns a plan without the positions that games start from, and what these are.
func (f *matchFlags) draft() (*arena.Plan, arena.Starts, error) {
	plan := &arena.Plan{Players: f.players, Format: f.format, Pairs: f.pairs, MoveTime: f.movetime.Milliseconds(), Retries: f.retries, Seed: f.seed}
	starts, err := arena.ParseStarts(f.starts, func(path string) (io.ReadCloser, error) { return os.Open(path) })
	if err != nil {
		return nil, starts, usageError{err}
	}
	for _, text := range f.rules {
		r, err := rulesOf([]string{text})
		if err != nil {
			return nil, starts, err
		}
		plan.Rules = append(plan.Rules, r)
	}
	if f.disguised {
		plan.Disguise = &f.words
	}
	if f.sprt != "" {
		low, high, ok := strings.Cut(f.sprt, ",")
		elo0, err0 := strconv.ParseFloat(strings.TrimSpace(low), 64)
		elo1, err1 := strconv.ParseFloat(strings.TrimSpace(high), 64)
		if !ok || err0 != nil || err1 != nil {
			return nil, starts, usagef("sprt %q: allowed: two numbers of Elo, such as 0,20", f.sprt)
		}
		plan.SPRT = &arena.SPRT{Elo0: elo0, Elo1: elo1, Alpha: f.alpha, Beta: f.beta, Model: f.model}
		if err := plan.SPRT.Check(); err != nil {
			return nil, starts, usageError{err}
		}
	}
	return plan, starts, nil
}

// checkPlayers returns nil if a match can be played by some players.
func checkPlayers(names []string) error {
	for _, name := range names {
		if err := arena.CheckPlayer(name); err != nil {
			return usageError{err}
		}
	}
	return nil
}

// solutions solves all the games of a match, which have to fit into memory together.
func (f *matchFlags) solutions(cmd *cobra.Command, rules []digit.Rules) (all []*solve.Solution, err error) {
	budget, err := budgetOf(cmd)
	if err != nil {
		return nil, err
	}
	for _, r := range rules {
		s, err := solveWithin(cmd.Context(), r, budget, cmd.ErrOrStderr())
		var over *solve.BudgetError
		if errors.As(err, &over) && len(all) > 0 {
			err = fmt.Errorf("%w, beside the other games of the match", err)
		}
		if err != nil {
			return nil, err
		}
		budget = max(1, budget-s.Size().Bytes)
		all = append(all, s)
	}
	return all, nil
}

// showMatch returns a function that shows the progress of a match.
func showMatch(progress *cli.Progress) func(*arena.Standing) {
	from := -1 // the pairs that were played before
	return func(s *arena.Standing) {
		if from < 0 {
			from = s.Pairs
		}
		done, total := int64(s.Pairs-from), int64(s.Planned()-from)
		progress.Line(done, total, func(rate float64, left time.Duration) string {
			line := fmt.Sprintf("%d of %d games  %.0f games/s  %v left  score %.1f %%",
				2*s.Pairs, 2*s.Planned(), 2*rate, left, 100*s.Points/float64(s.Games))
			if llr, ok := s.LLR(); ok {
				line += fmt.Sprintf("  LLR %.2f", llr)
			}
			return line
		})
	}
}
