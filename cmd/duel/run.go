package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"digitduel/arena"
	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
	"digitduel/store/disk"
)

// tablesFile is where the games of a run are played. The other files of a run are those of a match.
const tablesFile = "tables.jsonl"

// runFlags is how the games of an agent are kept, and planned.
type runFlags struct {
	matchFlags
	player    string
	opponents []string
	showMoves bool
	coached   bool
}

// plannedRun are the flags of a plan, which is made with an opponent.
var plannedRun = []string{"opponent", "rules", "starts", "pairs", "seed", "show-moves", "disguise"}

func (f *runFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.out, "out", "", "keep the games as a run in this folder, for duel match report")
	flags.StringVar(&f.player, "player", "", "what the agent is called (default: as it or its client says)")
	flags.StringArrayVar(&f.opponents, "opponent", nil, "plan the run against this level, so that new_game hands out the games; may be given more than once")
	f.addPlanned(flags, 20)
	flags.BoolVar(&f.showMoves, "show-moves", false, "tell the legal moves")
	for _, name := range plannedRun[1:] {
		of := flags.Lookup(name)
		of.Usage = "in a planned run, " + of.Usage
	}
}

// check returns nil if the flags fit together.
func (f *runFlags) check(flags *pflag.FlagSet) error {
	if f.player != "" {
		if name, err := match.CleanName(f.player); err != nil || name != f.player {
			return usagef("player %q: allowed: a name of up to %d characters that can be seen, without spaces around it", f.player, match.MaxName)
		}
	}
	for i, level := range f.opponents {
		if _, err := bot.ParseLevel(level); err != nil {
			return usageError{err}
		}
		if slices.Contains(f.opponents[:i], level) {
			return usagef("opponent %s: it is there twice", level)
		}
	}
	for _, name := range plannedRun {
		if flags.Changed(name) && f.out == "" {
			return usagef("%s: it is for a run that is kept: --out DIR", name)
		}
	}
	return nil
}

// A runFolder is the desk of an agent's games, and the folder in which they are kept.
type runFolder struct {
	dir           string
	plan          *arena.Plan
	desk          *arena.Desk
	games, tables *os.File
	solver        *solve.Solver // for forfeits in lines of older versions
}

// openRun goes on with the run in a folder, or begins one: planned is given the plan that is kept there, or nil, and returns the one
// that is to be.
func openRun(
	ctx context.Context, dir string, solver *solve.Solver,
	planned func(kept *arena.Plan) (*arena.Plan, error),
) (r *runFolder, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	r = &runFolder{dir: dir, solver: solver}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.shut())
		}
	}()
	if r.games, err = disk.OpenAlone(filepath.Join(dir, gamesFile), os.O_RDWR|os.O_CREATE, fileMode); errors.Is(err, disk.ErrBusy) {
		return r, fmt.Errorf("%s: this run is kept by another program", dir)
	} else if err != nil {
		return r, err
	}
	if err := r.begin(planned); err != nil {
		return r, err
	}
	if r.tables, err = os.OpenFile(filepath.Join(dir, tablesFile), os.O_RDWR|os.O_CREATE, fileMode); err != nil {
		return r, err
	}
	if r.desk, err = arena.OpenDesk(arena.DeskConfig{
		Plan: r.plan, Games: r.games, Tables: r.tables, Kept: keptBy(ctx, solver),
	}); err != nil {
		return r, fmt.Errorf("%s: %w", dir, err)
	}
	return r, nil
}

// begin reads the plan, or writes one. If there is to be none, nothing is left behind.
func (r *runFolder) begin(planned func(kept *arena.Plan) (*arena.Plan, error)) error {
	kept, err := readPlan(r.dir)
	if fresh := errors.Is(err, fs.ErrNotExist); !fresh {
		if err == nil {
			r.plan, err = planned(kept)
		}
		return err
	}
	if info, err := r.games.Stat(); err != nil || info.Size() > 0 {
		return errors.Join(err, fmt.Errorf("%s: there are games without their plan, %s", r.dir, planFile))
	}
	if r.plan, err = planned(nil); err != nil {
		_ = os.Remove(r.games.Name()) // it is empty
		_ = os.Remove(r.dir)          // unless there is something else in it
		return err
	}
	return disk.WriteFile(filepath.Join(r.dir, planFile), r.plan.Text(), fileMode)
}

// unplanned returns the plan that is kept or, where there is none, that of a run in which nothing is planned.
func unplanned(kept *arena.Plan) *arena.Plan {
	if kept == nil {
		return arena.OpenPlan(rand.Uint64N(1 << 53))
	}
	return kept
}

// close writes what the games have come to, and lets others go on with the run.
func (r *runFolder) close() error {
	if r == nil {
		return nil
	}
	standing, err := readRun(context.Background(), r.dir, r.plan, r.solver) // also after Ctrl-C
	if err == nil {
		summary := standing.Summary()
		err = writeSummary(r.dir, &summary)
	}
	return errors.Join(err, r.shut())
}

// shut closes the files. Every line in them is synced.
func (r *runFolder) shut() (err error) {
	for _, file := range []*os.File{r.games, r.tables} {
		if file != nil {
			err = errors.Join(err, file.Close())
		}
	}
	return err
}

// readRun reads what the games of a match or a run have come to.
func readRun(
	ctx context.Context, dir string, plan *arena.Plan, solver *solve.Solver,
) (*arena.Standing, error) {
	games, tables, err := runFiles(dir)
	if err != nil {
		return nil, err
	}
	standing, err := arena.ReadRun(
		plan, bytes.NewReader(games), bytes.NewReader(tables), keptBy(ctx, solver))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, gamesFile), err)
	}
	return standing, nil
}

// keptBy returns a function that counts choices in positions of games that a solver solves.
func keptBy(ctx context.Context, solver *solve.Solver) arena.Kept {
	return func(r digit.Rules, p digit.Position) (keep, of int, err error) {
		ctx, done := context.WithCancel(ctx)
		defer done()
		s, err := solver.Solve(ctx, r)
		if err != nil {
			return 0, 0, err
		}
		keep, of = s.Kept(p)
		return keep, of, nil
	}
}

// runFiles returns the games of a match or a run, and where they are played. What is not there is empty.
func runFiles(dir string) (games, tables []byte, err error) {
	for name, text := range map[string]*[]byte{gamesFile: &games, tablesFile: &tables} {
		if *text, err = os.ReadFile(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
	}
	return games, tables, nil
}

// open opens the run that the flags ask for, if they do.
func (f *runFlags) open(cmd *cobra.Command, retries int, solver *solve.Solver) (*runFolder, error) {
	if f.out == "" {
		return nil, nil
	}
	flags := cmd.Flags()
	f.retries, f.format, f.disguised = retries, arena.Gauntlet, flags.Changed("disguise")
	return openRun(cmd.Context(), f.out, solver, func(kept *arena.Plan) (*arena.Plan, error) {
		asked := slices.ContainsFunc(plannedRun, flags.Changed)
		switch {
		case f.coached && (asked || kept != nil && kept.Format != arena.Open):
			return nil, usagef("coach: a planned run is played without one")
		case kept != nil && kept.Format != arena.Open:
			return kept, f.holds(kept, flags)
		case !asked:
			return unplanned(kept), nil
		case kept != nil:
			return nil, usagef("%s: the run there is open, and nothing is planned in it; choose another folder", f.out)
		case len(f.opponents) == 0:
			return nil, usagef("opponent: a planned run is played against one or more: --opponent master")
		case f.player == "":
			return nil, usagef("player: a planned run is that of one agent: --player NAME")
		}
		f.players = append([]string{arena.AgentPlayer(f.player)}, f.opponents...)
		plan, starts, err := f.draft()
		if err != nil {
			return nil, err
		}
		plan.ShowMoves = f.showMoves
		solutions, err := f.solutions(cmd, plan.Rules)
		if err != nil {
			return nil, err
		}
		if err := plan.Draw(starts, solutions); err != nil {
			return nil, usageError{err}
		}
		_, err = openIn(cmd.Context(), plan) // what has no disguise is not planned in one
		return plan, err
	})
}

// holds returns nil if the flags that were given are those of a plan that is kept.
func (f *runFlags) holds(kept *arena.Plan, flags *pflag.FlagSet) error {
	draft, _, err := f.draft()
	if err != nil {
		return err
	}
	asked := *kept
	asked.Players = slices.Clone(kept.Players)
	if f.player != "" {
		asked.Players[0] = arena.AgentPlayer(f.player)
	}
	for name, take := range map[string]func(){
		"opponent":   func() { asked.Players = append(asked.Players[:1], f.opponents...) },
		"rules":      func() { asked.Rules = draft.Rules },
		"starts":     func() { asked.Starts = f.starts },
		"pairs":      func() { asked.Pairs = f.pairs },
		"seed":       func() { asked.Seed = f.seed },
		"retries":    func() { asked.Retries = f.retries },
		"show-moves": func() { asked.ShowMoves = f.showMoves },
		"disguise":   func() { asked.Disguise = draft.Disguise },
	} {
		if flags.Changed(name) {
			take()
		}
	}
	if other := kept.Difference(&asked); other != "" {
		return usagef("%s: the run there was planned with %s", f.out, other)
	}
	return nil
}
