package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"digitduel/arena"
	"digitduel/arena/disguise"
	"digitduel/arena/eval"
	"digitduel/arena/speech"
	"digitduel/digit"
	"digitduel/disk"
	"digitduel/solve"
	"digitduel/ui/cli"
)

// evalFlags are the flags of an evaluation.
type evalFlags struct {
	matchFlags
	eval.Settings
	opponent    string
	timeout     time.Duration
	temperature float64
	modelSeed   int64
	extra       string
	price       []float64
	showMoves   bool
	dryRun      bool
}

// evalUnplanned are the flags that the plan of an evaluation does not depend on.
var evalUnplanned = []string{"out", "resume", "dry-run", "concurrency", "memory"}

func evalCommand() *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval --api URL --model MODEL --out DIR",
		Short: "Score a language model over a chat API",
		Long: "Asks a model for its moves, by any chat API of the OpenAI kind: vLLM, Ollama, " +
			"llama.cpp, LM Studio, OpenRouter. The model plays both sides of random positions in " +
			"which a mistake is possible, or answers an exam. The folder of --out holds every " +
			"question and answer. An interrupted run continues with --resume. The key is read " +
			"from the variable DUEL_API_KEY and written nowhere. docs/agents.md explains the " +
			"prompts and the figures.",
		Example: "duel eval --api http://127.0.0.1:8000/v1 --model qwen3-8b --out runs/qwen\n" +
			"duel eval --resume --out runs/qwen\n" +
			"duel eval report runs/qwen --html report.html",
		Args: onlyCommands,
	}
	cmd.AddCommand(evalReportCommand())
	memoryFlag(cmd)
	f.add(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := f.check("run"); err != nil && !f.dryRun {
			return err
		}
		return f.run(cmd)
	}
	return cmd
}

func (f *evalFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.API, "api", "", "address of the API, as in http://127.0.0.1:8000/v1")
	flags.StringVar(&f.Model, "model", "", "model, as the API names it")
	flags.StringVar(&f.out, "out", "", "folder of the run; required")
	flags.BoolVar(&f.resume, "resume", false, "resume an interrupted run")
	flags.BoolVar(&f.dryRun, "dry-run", false,
		"print a prompt and the number of calls, and call nothing")
	flags.IntVar(&f.concurrency, "concurrency", 8, "calls in flight")
	titled(flags, "What the model plays", func() {
		f.addPlanned(flags, 20)
		flags.StringVar(&f.opponent, "opponent", "perfect", "level to play against")
		flags.IntVar(&f.Items, "items", 0, "an exam instead of games: items for each of the rules")
		flags.StringVar(&f.Exam, "exam", "", "a fixed exam: "+arena.Standard().Name)
		flags.StringVar(&f.Context, "context", eval.ByMove,
			"what the model sees: the position of a "+eval.ByMove+", or the whole "+eval.ByGame)
		flags.BoolVar(&f.showMoves, "show-moves", false, "list the legal moves")
		flags.IntVar(&f.retries, "retries", 2,
			"further tries after an answer that is not a legal move (in exams 0)")
	})
	titled(flags, "How it is asked", func() {
		flags.DurationVar(&f.timeout, "timeout", 5*time.Minute, "time for one call")
		flags.IntVar(&f.Attempts, "attempts", 6, "calls for one answer if the server fails")
		flags.Float64Var(&f.temperature, "temperature", 0, "passed on if given")
		flags.Int64Var(&f.modelSeed, "model-seed", 0, "passed on as seed if given")
		flags.IntVar(&f.MaxTokens, "max-tokens", 0, "passed on if given")
		flags.StringVar(&f.extra, "extra", "", "JSON object to merge into each request")
		flags.StringVar(&f.Name, "name", "", "name in reports (default the model)")
		flags.Float64SliceVar(&f.price, "price", nil,
			"USD per million tokens in and out, as in 0.5,1.5")
		flags.StringVar(&f.KeyEnv, "key-env", "DUEL_API_KEY", "variable that holds the key")
		flags.StringToStringVar(&f.Headers, "header", nil,
			"header and the variable that holds it, as in X-Team=TEAM_KEY; repeatable")
	})
	rules := flags.Lookup("rules")
	rules.DefValue, rules.Usage = "", "rules, as in 'dilemma target=13'; repeatable "+
		"(default all rulebooks)"
	f.starts = "decision:ply=1-4"
	flags.Lookup("starts").DefValue = f.starts
}

// run starts or resumes an evaluation.
func (f *evalFlags) run(cmd *cobra.Command) error {
	asked := false
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		asked = asked || !slices.Contains(evalUnplanned, flag.Name)
	})
	plan, err := eval.ReadPlan(f.out)
	fresh := f.out == "" || errors.Is(err, fs.ErrNotExist)
	switch {
	case fresh && f.resume:
		return usagef("%s: no run to resume", f.out)
	case fresh:
		plan, err = f.plan(cmd)
	case err == nil && !f.resume:
		return usagef("%s: has a run; add --resume, or choose another folder", f.out)
	case err == nil && asked:
		return usagef("%s: its run has a plan; use --resume without the flags of the plan", f.out)
	}
	if err != nil {
		return err
	}
	runner := eval.Runner{Plan: plan, Folder: f.out, Concurrency: f.concurrency}
	if runner.Secrets, err = plan.Settings.SecretsOf(os.LookupEnv); err != nil {
		return usageError{err}
	}
	if runner.Solve, err = solvePlan(cmd, plan); err != nil {
		return err
	}
	words := map[digit.Rules]speech.Speech{}
	for _, r := range plan.Rules {
		words[r] = speech.Plain(r)
		if plan.Disguise != nil {
			d, _, err := plan.ProvedDisguise(cmd.Context(), r, disguise.MostPositions)
			if err != nil {
				return orInterrupted(cmd.Context(), "disguise", err)
			}
			words[r] = speech.InWords(d)
		}
	}
	runner.Speech = func(r digit.Rules) speech.Speech { return words[r] }
	if f.dryRun {
		return runner.Describe(cmd.OutOrStdout())
	}
	if fresh {
		if err := runner.Begin(cmd.Context()); err != nil {
			return err
		}
	}
	return f.ask(cmd, &runner, fresh)
}

// plan returns the plan of the flags.
func (f *evalFlags) plan(cmd *cobra.Command) (*eval.Plan, error) {
	flags := cmd.Flags()
	if err := f.settings(flags); err != nil {
		return nil, err
	}
	if _, err := parseLevel("opponent", f.opponent); err != nil {
		return nil, err
	}
	if err := f.Settings.Check(); err != nil { // before anything is solved
		return nil, usageError{err}
	}
	if !flags.Changed("rules") {
		f.rules = digit.BookNames()
	}
	f.format, f.moveTime = arena.Gauntlet, 0
	f.players = []string{arena.AgentPlayer(f.Name), f.opponent}
	draft, starts, err := f.draft()
	if err != nil {
		return nil, err
	}
	draft.ShowMoves = f.showMoves
	if f.Kind == eval.Games {
		solutions, err := solveAll(cmd, draft.Rules)
		if err != nil {
			return nil, err
		}
		if err := draft.Draw(starts, solutions); err != nil {
			return nil, usageError{err}
		}
	}
	plan, err := eval.Seal(draft, f.Settings)
	if err != nil {
		return nil, usageError{err}
	}
	return plan, nil
}

// settings completes the settings by flags that need a form of their own.
func (f *evalFlags) settings(flags *pflag.FlagSet) error {
	f.Kind, f.TimeoutMS = eval.Games, f.timeout.Milliseconds()
	if f.Items != 0 || f.Exam != "" {
		f.Kind = eval.Exam
		if !flags.Changed("retries") {
			f.retries = 0
		}
	}
	if f.Name == "" {
		f.Name = f.Model
	}
	if flags.Changed("temperature") {
		f.Temperature = &f.temperature
	}
	if flags.Changed("model-seed") {
		f.ModelSeed = &f.modelSeed
	}
	if f.extra != "" {
		if err := json.Unmarshal([]byte(f.extra), &f.Extra); err != nil {
			return usagef("extra: allowed: a JSON object, as in '{\"top_p\": 0.9}'")
		}
	}
	switch {
	case f.price == nil:
	case len(f.price) != 2 || min(f.price[0], f.price[1]) < 0:
		return usagef("price: allowed: two prices per million tokens, as in 0.5,1.5")
	default:
		f.Price = &[2]float64{f.price[0], f.price[1]}
	}
	return nil
}

// solvePlan solves the games of a plan, and returns a function for the solutions.
func solvePlan(cmd *cobra.Command, plan *eval.Plan) (solveGame, error) {
	all, err := solveAll(cmd, plan.Rules)
	return func(r digit.Rules) (*solve.Solution, error) {
		return all[slices.Index(plan.Rules, r)], nil
	}, err
}

// ask asks the model, and prints the report.
func (f *evalFlags) ask(cmd *cobra.Command, runner *eval.Runner, fresh bool) error {
	progress := newProgress(cmd)
	runner.Progress = func(done, open, planned int) {
		progress.Line(int64(done), int64(planned), func(_ float64, left time.Duration) string {
			line := fmt.Sprintf("%d of %d", done, planned)
			if open > 0 {
				line += fmt.Sprintf(", %d open", open)
			}
			return fmt.Sprintf("%s  %v left", line, left)
		})
	}
	open, failure, err := runner.Run(cmd.Context())
	progress.Clear()
	if _, refused := errors.AsType[*eval.StatusError](err); refused && fresh {
		eval.Discard(f.out)
	}
	switch {
	case errors.Is(err, disk.ErrBusy):
		return fmt.Errorf("%s: in use by another program", f.out)
	case cmd.Context().Err() != nil:
		return fmt.Errorf("%s: every answer is saved; continue with --resume: %w",
			f.out, cli.ErrInterrupted)
	case err != nil:
		return err
	}
	report, err := eval.NewReport(cmd.Context(), []string{f.out}, runner.Solve)
	if err == nil {
		err = report.Print(cmd.OutOrStdout())
	}
	if err == nil && open > 0 {
		err = fmt.Errorf("%s: %d stay open, because %w; ask again with --resume", f.out, open,
			failure)
	}
	return err
}

func evalReportCommand() *cobra.Command {
	var csvFile, htmlFile string
	cmd := &cobra.Command{
		Use:   "report DIR...",
		Short: "Show the results of evaluations",
		Long: "Prints a table for each run, the seven levels over the plan of the first, and the " +
			"differences between runs from the same starts, with 95 % confidence intervals.",
		Example: "duel eval report runs/qwen runs/qwen-words\n" +
			"duel eval report runs/* --html report.html",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("report: need a folder of a run (try: duel eval report runs/qwen)")
			}
			return nil
		},
	}
	memoryFlag(cmd)
	asJSON := jsonFlag(cmd, jsonText)
	cmd.Flags().StringVar(&csvFile, "csv", "", "write a table of all figures")
	cmd.Flags().StringVar(&htmlFile, "html", "", "write a page with plots")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		first, err := eval.ReadPlan(args[0])
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: no run: missing %s", args[0], arena.PlanFile)
		}
		if err != nil {
			return err
		}
		solved, err := solvePlan(cmd, first)
		if err != nil {
			return err
		}
		report, err := eval.NewReport(cmd.Context(), args, solved)
		if err := orInterrupted(cmd.Context(), "report", err); err != nil {
			return err
		}
		err = errors.Join(writeFile(csvFile, report.CSV), writeFile(htmlFile, report.HTML))
		if err != nil {
			return err
		}
		return printReport(cmd, report, *asJSON)
	}
	return cmd
}
