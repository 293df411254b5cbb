package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"digitduel/arena"
	"digitduel/arena/disguise"
	"digitduel/digit"
	"digitduel/disk"
	"digitduel/solve"
	"digitduel/ui/cli"
)

// matchFlags are the flags of a match.
type matchFlags struct {
	players, names []string
	rules          []string
	format, starts string
	sprt, model    string
	alpha, beta    float64
	pairs, retries int
	moveTime       time.Duration
	seed           uint64
	disguise       string
	concurrency    int
	out            string
	resume, asJSON bool
	// open starts a program; nil until the plan is known
	open func(context.Context, string) (arena.Engine, error)
}

// planned are the flags that the plan depends on.
var planned = []string{
	"player", "names", "rules", "format", "starts", "sprt", "sprt-model", "alpha", "beta", "pairs",
	"retries", "move-time", "seed", "disguise",
}

func matchCommand() *cobra.Command {
	var f matchFlags
	cmd := &cobra.Command{
		Use:   "match --player PLAYER --player PLAYER --out DIR",
		Short: "Run matches between players",
		Long: "Plays pairs of games, from the same start with the seats swapped, and reports " +
			"scores, what each player lost, Elo with its error, a sequential test and ratings. " +
			"The folder of --out holds the plan, the games and a summary. An interrupted match " +
			"continues with --resume, with the same result. docs/arena.md explains the figures.",
		Example: "duel match --player casual --player perfect --out runs/first\n" +
			"duel match --player expert --player 'engine:python3 my.py' --out runs/x\n" +
			"duel match report runs/x",
		Args: onlyCommands,
	}
	cmd.AddCommand(matchReportCommand(), matchCheckCommand())
	memoryFlag(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.players, "player", nil,
		"a level or engine:COMMAND; two or more times: see duel help levels")
	flags.StringSliceVar(&f.names, "names", nil,
		"names of the players in order, as in 'qwen,llama' (default levels and names of engines)")
	f.addPlanned(flags, 100)
	flags.StringVar(&f.format, "format", arena.RoundRobin,
		arena.RoundRobin+", or "+arena.Gauntlet+" of the first player against the others")
	flags.DurationVar(&f.moveTime, "move-time", time.Second, moveTimeText)
	flags.IntVar(&f.retries, "retries", 0, "illegal answers to accept for a move")
	flags.IntVar(&f.concurrency, "concurrency", runtime.NumCPU(), "games at once")
	flags.StringVar(&f.out, "out", "", "folder of the match; required")
	flags.BoolVar(&f.resume, "resume", false, "resume an interrupted match")
	flags.BoolVar(&f.asJSON, "json", false, "write the summary as JSON")
	titled(flags, "For a sequential test", func() {
		flags.StringVar(&f.sprt, "sprt", "",
			"stop when the first player is better by the first or the second Elo, as in 0,20")
		flags.StringVar(&f.model, "sprt-model", arena.Logistic,
			"model of Elo: "+arena.Logistic+", "+arena.Normalised)
		flags.Float64Var(&f.alpha, "alpha", 0.05, "probability to accept the second Elo wrongly")
		flags.Float64Var(&f.beta, "beta", 0.05, "probability to accept the first Elo wrongly")
	})
	renamed(cmd, "movetime", "move-time")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := f.check("match"); err != nil {
			return err
		}
		name := firstGiven(cmd.Flags(), "sprt-model", "alpha", "beta")
		if name != "" && f.sprt == "" {
			return usagef("%s: needs --sprt", name)
		}
		return f.run(cmd)
	}
	return cmd
}

// check checks the folder and the concurrency of a match or a run.
func (f *matchFlags) check(of string) error {
	if f.out == "" {
		return usagef("out: missing folder of the %s: --out DIR", of)
	}
	if f.concurrency < 1 || f.concurrency > 1024 {
		return usagef("concurrency %d: allowed: 1 to 1024", f.concurrency)
	}
	return nil
}

// addPlanned adds the flags of all plans.
func (f *matchFlags) addPlanned(flags *pflag.FlagSet, pairs int) {
	flags.StringArrayVar(&f.rules, "rules", []string{"dilemma"},
		"rules, as in 'dilemma target=13'; repeatable")
	flags.StringVar(&f.starts, "starts", "beginning",
		"positions to start from: "+arena.StartsAllowed)
	flags.IntVar(&f.pairs, "pairs", pairs,
		"pairs of games for each two players and each of the rules")
	flags.Uint64Var(&f.seed, "seed", 1, seedText)
	flags.StringVar(&f.disguise, "disguise", "", gradedText)
}

// gradedText is the text of the flag --disguise where it has two grades.
const gradedText = "seed of a disguise to play in, or SEED:words for names only: see duel disguise"

// run starts or resumes a match.
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
		return fmt.Errorf("%s: in use by another program", f.out)
	}
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // every game in it is synced
	if test := plan.SPRT; test != nil && test.Least() > plan.Games()/2 {
		cmd.PrintErrf("duel: sprt %v,%v: needs at least %d pairs, and %d are planned\n",
			test.Elo0, test.Elo1, test.Least(), plan.Games()/2)
	}
	for _, line := range plan.Again() {
		cmd.PrintErrln("duel:", line)
	}
	progress := newProgress(cmd)
	runner := arena.Runner{
		Plan: plan, Solutions: solutions, Open: f.open, Concurrency: f.concurrency,
		Progress: showMatch(progress),
	}
	standing, err := runner.Run(cmd.Context(), file)
	progress.Clear()
	switch {
	case standing != nil && cmd.Context().Err() != nil:
		return fmt.Errorf("%s: saved %d of %d games; continue with --resume: %w",
			f.out, 2*standing.Pairs, plan.Games(), cli.ErrInterrupted)
	case err == nil:
	case standing == nil:
		return fmt.Errorf("%s: %w", filepath.Join(f.out, arena.GamesFile), err)
	case standing.Pairs == 0:
		return err
	default:
		return fmt.Errorf("%w; the games so far are in %s; continue with --resume", err, f.out)
	}
	summary := standing.Summary()
	if err := arena.Folder(f.out).WriteSummary(&summary); err != nil {
		return err
	}
	return printReport(cmd, &summary, f.asJSON)
}

// plan returns the saved plan, or saves that of the flags. A saved plan is never changed.
func (f *matchFlags) plan(cmd *cobra.Command) (*arena.Plan, []*solve.Solution, error) {
	kept, err := arena.Folder(f.out).Plan()
	there := !errors.Is(err, fs.ErrNotExist)
	asked := slices.ContainsFunc(planned, cmd.Flags().Changed)
	switch {
	case there && err != nil:
		return nil, nil, err
	case there && !f.resume:
		return nil, nil, usagef("%s: has a match; add --resume, or choose another folder", f.out)
	case there && !asked:
		if _, ok := arena.Agent(kept.Players[0]); ok {
			return nil, nil, checkPlayers(kept.Players[:1])
		}
		solutions, err := solveAll(cmd, kept.Rules)
		return kept, solutions, err
	case f.resume && !asked:
		return nil, nil, usagef("%s: no match to resume", f.out)
	case there && len(f.players) == 0:
		return nil, nil, usagef("%s: its match has a plan; use --resume alone, or with all flags "+
			"of the plan", f.out)
	case len(f.players) < 2:
		return nil, nil, usagef("player: need two or more, not %d, as in --player perfect "+
			"--player 'engine:python3 my.py'", len(f.players))
	}
	if err := checkPlayers(f.players); err != nil {
		return nil, nil, err
	}
	plan, starts, err := f.draft()
	if err != nil {
		return nil, nil, err
	}
	solutions, err := solveAll(cmd, plan.Rules)
	if err != nil {
		return nil, nil, err
	}
	if !there {
		if f.open, err = openIn(cmd.Context(), plan); err != nil {
			return nil, nil, err
		}
		err = f.name(cmd.Context(), plan)
	} else if len(f.names) == 0 && len(kept.Players) == len(plan.Players) {
		plan.Players = kept.Players
	}
	if err != nil {
		return nil, nil, err
	}
	if err := plan.Draw(starts, solutions); err != nil {
		return nil, nil, usageError{err}
	}
	if !there {
		return plan, solutions, arena.Folder(f.out).WritePlan(plan)
	}
	if plan.ID != kept.ID {
		return nil, nil, usagef("%s: its match was planned with %s", f.out, kept.Difference(plan))
	}
	return kept, solutions, nil
}

// name starts each program once, because a plan cannot be changed, and takes over the name it
// gives itself, unless it has another.
func (f *matchFlags) name(ctx context.Context, plan *arena.Plan) error {
	for i, command := range plan.Commands {
		if command == "" {
			continue
		}
		e, err := f.open(ctx, command)
		if err != nil {
			return err
		}
		if named, ok := e.(interface{ Name() string }); ok && plan.Players[i] == "" {
			own := digit.Printable(named.Name())
			plan.Players[i] = strings.TrimSpace(strings.ToValidUTF8(own[:min(len(own), 60)], ""))
			if arena.CheckName(plan.Players[i]) != nil { // it is empty, or a level
				plan.Players[i] = strings.TrimSpace("engine " + plan.Players[i])
			}
		}
		e.Close()
	}
	return nil
}

// draft returns a plan without start positions, and the starts to draw them from.
func (f *matchFlags) draft() (*arena.Plan, arena.Starts, error) {
	plan := &arena.Plan{
		Players: slices.Clone(f.players), Format: f.format, Pairs: f.pairs, Retries: f.retries,
		Seed: f.seed, MoveTime: f.moveTime.Milliseconds(),
	}
	starts, err := arena.ParseStarts(f.starts, os.ReadFile)
	if err != nil {
		return nil, starts, usageError{err}
	}
	if plan.Rules, err = allRules(f.rules); err != nil {
		return nil, starts, err
	}
	if plan.Spec, err = disguise.ParseSpec(f.disguise); err != nil {
		return nil, starts, usageError{err}
	}
	if err := f.commands(plan); err != nil {
		return nil, starts, err
	}
	if f.sprt != "" {
		low, high, ok := strings.Cut(f.sprt, ",")
		elo0, err0 := strconv.ParseFloat(strings.TrimSpace(low), 64)
		elo1, err1 := strconv.ParseFloat(strings.TrimSpace(high), 64)
		if !ok || err0 != nil || err1 != nil {
			return nil, starts, usagef("sprt %q: allowed: two numbers of Elo, such as 0,20", f.sprt)
		}
		plan.SPRT = &arena.SPRT{
			Elo0: elo0, Elo1: elo1, Alpha: f.alpha, Beta: f.beta, Model: f.model,
		}
		if err := plan.SPRT.Check(); err != nil {
			return nil, starts, usageError{err}
		}
	}
	return plan, starts, nil
}

// commands moves the commands of programs out of the names of the players, which are those of
// --names or "".
func (f *matchFlags) commands(plan *arena.Plan) error {
	names, commands := f.names, make([]string, len(f.players))
	if len(names) == 0 {
		names = make([]string, len(f.players))
	}
	if len(names) != len(f.players) {
		return usagef("names: %d for %d players", len(names), len(f.players))
	}
	for i, player := range f.players {
		command, ok := arena.Command(player)
		switch {
		case ok:
			commands[i], plan.Commands, plan.Players[i] = command, commands, names[i]
		case names[i] != "" && names[i] != player:
			return usagef("names: %s is a level, and keeps its name", player)
		}
	}
	return nil
}

// checkPlayers checks the names of players.
func checkPlayers(names []string) error {
	for _, name := range names {
		if err := arena.CheckPlayer(name); err != nil {
			return unknownLevel("player", name, err)
		}
	}
	return nil
}

// solveAll solves all games of a match, which must fit into memory together.
func solveAll(cmd *cobra.Command, rules []digit.Rules) (all []*solve.Solution, err error) {
	budget, err := budgetOf(cmd)
	if err != nil {
		return nil, err
	}
	for _, r := range rules {
		s, err := solveWithin(cmd, r, budget)
		var over *solve.BudgetError
		if errors.As(err, &over) && len(all) > 0 {
			err = fmt.Errorf("%w, in addition to the other games of the match", err)
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
	from := -1 // pairs played before
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
