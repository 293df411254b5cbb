package main

import (
	"math/rand/v2"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"digitduel/arena"
	"digitduel/bot"
	"digitduel/match"
	"digitduel/solve"
)

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

// unplanned returns the plan that is kept or, where there is none, that of a run in which nothing is planned.
func unplanned(kept *arena.Plan) *arena.Plan {
	if kept == nil {
		return arena.OpenPlan(rand.Uint64N(1 << 53))
	}
	return kept
}

// open opens the run that the flags ask for, if they do.
func (f *runFlags) open(cmd *cobra.Command, retries int, solver *solve.Solver) (*arena.Run, error) {
	if f.out == "" {
		return nil, nil
	}
	flags := cmd.Flags()
	f.retries, f.format, f.disguised = retries, arena.Gauntlet, flags.Changed("disguise")
	return arena.Folder(f.out).OpenRun(cmd.Context(), solver, func(kept *arena.Plan) (*arena.Plan, error) {
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
