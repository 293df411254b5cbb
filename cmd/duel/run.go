package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"digitduel/arena"
	"digitduel/arena/disguise"
	"digitduel/match"
)

// runFlags are the flags of a run of an agent's games.
type runFlags struct {
	matchFlags
	name      string
	opponents []string
	showMoves bool
	exam      string
	once      bool
}

// plannedRun are the flags of a plan.
var plannedRun = []string{
	"opponent", "rules", "starts", "pairs", "seed", "show-moves", "disguise", "exam", "once",
}

func (f *runFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.out, "out", "",
		"folder of a planned run")
	flags.StringVar(&f.name, "name", "", "name of the agent (default as it or its client says)")
	titled(flags, "For a planned run", func() {
		flags.StringArrayVar(&f.opponents, "opponent", nil, "level to play against; repeatable")
		f.addPlanned(flags, 20)
		flags.BoolVar(&f.showMoves, "show-moves", false, "show the legal moves")
		flags.StringVar(&f.exam, "exam", "", "an exam instead of games: "+arena.Standard().Name)
		flags.BoolVar(&f.once, "once", false, "let each agent take the exam once")
	})
}

// check checks that the flags fit together.
func (f *runFlags) check(flags *pflag.FlagSet) error {
	if f.name != "" {
		if name, err := match.CleanName(f.name); err != nil || name != f.name {
			return usagef("name %q: allowed: up to %d visible characters, without spaces "+
				"around them", f.name, match.MaxName)
		}
	}
	for i, level := range f.opponents {
		if _, err := parseLevel("opponent", level); err != nil {
			return err
		}
		if slices.Contains(f.opponents[:i], level) {
			return usagef("opponent %s: given twice", level)
		}
	}
	if name := firstGiven(flags, plannedRun...); name != "" && f.out == "" {
		return usagef("%s: needs --out", name)
	}
	if name := firstGiven(flags, plannedRun[:5]...); name != "" && f.exam != "" {
		return usagef("exam with %s: an exam has its own positions; leave out one of them", name)
	}
	if f.once && f.exam == "" {
		return usagef("once: needs --exam")
	}
	return nil
}

// open opens the run of the flags, or returns nil if they name none.
func (f *runFlags) open(cmd *cobra.Command, retries int) (*arena.Run, error) {
	if f.out == "" {
		return nil, nil
	}
	flags := cmd.Flags()
	f.retries, f.format = retries, arena.Gauntlet
	plan := func(kept *arena.Plan) (*arena.Plan, error) {
		switch {
		case kept != nil:
			return kept, f.holds(kept, flags)
		case f.exam != "": // it has no opponents
		case len(f.opponents) == 0:
			return nil, usagef("opponent: a planned run needs one, as in --opponent master")
		case f.name == "":
			return nil, usagef("name: a planned run needs the agent's: --name NAME")
		}
		f.players = append([]string{arena.AgentPlayer(f.name)}, f.opponents...)
		plan, starts, err := f.draft()
		if err != nil {
			return nil, err
		}
		if plan.ShowMoves = f.showMoves; plan.NamesOnly {
			return nil, usagef("disguise %s: agents play in a full disguise", f.disguise)
		}
		if f.exam != "" {
			return f.examPlan(cmd, plan.Spec)
		}
		solutions, err := solveAll(cmd, plan.Rules)
		if err != nil {
			return nil, err
		}
		if err := plan.Draw(starts, solutions); err != nil {
			return nil, usageError{err}
		}
		_, err = openIn(cmd.Context(), plan) // fails if a game has no disguise
		return plan, err
	}
	return arena.Folder(f.out).OpenRun(plan)
}

// examPlan returns the plan of an exam.
func (f *runFlags) examPlan(cmd *cobra.Command, words disguise.Spec) (*arena.Plan, error) {
	exam, err := arena.ParseExam(f.exam)
	if err != nil {
		return nil, usageError{err}
	}
	plan := arena.Plan{Exam: exam.Name, Once: f.once, ShowMoves: f.showMoves, Spec: words}
	for _, part := range exam.Parts {
		plan.Rules = append(plan.Rules, part.Rules)
	}
	if _, err := openIn(cmd.Context(), &plan); err != nil { // a game has no disguise
		return nil, err
	}
	return arena.ExamPlan(plan)
}

// holds checks that the flags that were given agree with the saved plan.
func (f *runFlags) holds(kept *arena.Plan, flags *pflag.FlagSet) error {
	draft, _, err := f.draft()
	if err != nil {
		return err
	}
	asked := *kept
	asked.Players = slices.Clone(kept.Players)
	if f.name != "" && kept.Exam == "" {
		asked.Players[0] = arena.AgentPlayer(f.name)
	}
	flags.Visit(func(flag *pflag.Flag) {
		switch flag.Name {
		case "opponent":
			asked.Players = append(asked.Players[:1], f.opponents...)
		case "rules":
			asked.Rules = draft.Rules
		case "starts":
			asked.Starts = f.starts
		case "pairs":
			asked.Pairs = f.pairs
		case "seed":
			asked.Seed = f.seed
		case "retries":
			asked.Retries = f.retries
		case "show-moves":
			asked.ShowMoves = f.showMoves
		case "disguise":
			asked.Spec = draft.Spec
		case "exam":
			asked.Exam = f.exam
		case "once":
			asked.Once = f.once
		}
	})
	if other := kept.Difference(&asked); other != "" {
		return usagef("%s: its run was planned with %s", f.out, other)
	}
	return nil
}
