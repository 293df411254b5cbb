package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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
	headers     []string
	price       []float64
	showMoves   bool
	dryRun      bool
}

// evalPlanned are the flags that the plan of an evaluation depends on.
var evalPlanned = []string{
	"api", "model", "rules", "starts", "pairs", "seed", "opponent", "disguise", "items", "exam",
	"context", "retries", "timeout", "attempts", "temperature", "model-seed", "max-tokens",
	"extra", "name", "show-moves", "price", "key-env", "header",
}

func evalCommand() *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval --api URL --model MODEL --out DIR",
		Short: "Measure a language model",
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
		if f.out == "" && !f.dryRun {
			return usagef("out: missing folder of the run: --out DIR")
		}
		if f.concurrency < 1 || f.concurrency > 1024 {
			return usagef("concurrency %d: allowed: 1 to 1024", f.concurrency)
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
		flags.IntVar(&f.Items, "items", 0, "an exam of so many items for each of the rules")
		flags.StringVar(&f.Exam, "exam", "", "a fixed exam: "+arena.Standard().Name)
		flags.StringVar(&f.Context, "context", eval.ByMove,
			"what the model sees: the position of a "+eval.ByMove+", or the whole "+eval.ByGame)
		flags.BoolVar(&f.showMoves, "show-moves", false, "list the legal moves")
		flags.IntVar(&f.retries, "retries", 2,
			"further tries after an answer that is no legal move (in exams 0)")
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
		flags.StringArrayVar(&f.headers, "header", nil,
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
	flags := cmd.Flags()
	kept, err := eval.ReadPlan(f.out)
	there := !errors.Is(err, fs.ErrNotExist)
	asked := slices.ContainsFunc(evalPlanned, flags.Changed)
	switch {
	case f.out == "" || !there:
	case err != nil:
		return err
	case !f.resume:
		return usagef("%s: has a run; add --resume, or choose another folder", f.out)
	case asked:
		return usagef("%s: its run has a plan; use --resume without the flags of the plan", f.out)
	}
	if f.resume && !there {
		return usagef("%s: no run to resume", f.out)
	}
	plan := kept
	var exam *arena.Exam
	if !there || f.out == "" {
		if plan, exam, err = f.plan(cmd); err != nil {
			return err
		}
	}
	secrets, err := plan.Settings.SecretsOf(os.LookupEnv)
	if err != nil {
		return usageError{err}
	}
	solutions, err := f.solutionsOf(cmd, plan)
	if err != nil {
		return err
	}
	words, err := speeches(cmd, plan)
	if err != nil {
		return err
	}
	if f.dryRun {
		return f.describe(cmd, plan, words)
	}
	if !there {
		if err := f.begin(cmd, plan, exam, solutions); err != nil {
			return err
		}
	}
	return f.ask(cmd, plan, secrets, solutions, words, !there)
}

// plan returns the plan of the flags.
func (f *evalFlags) plan(cmd *cobra.Command) (*eval.Plan, *arena.Exam, error) {
	flags := cmd.Flags()
	f.disguised = flags.Changed("disguise")
	if err := f.settings(flags); err != nil {
		return nil, nil, err
	}
	if _, err := parseLevel("opponent", f.opponent); err != nil {
		return nil, nil, err
	}
	if err := f.Settings.Check(); err != nil { // before anything is solved
		return nil, nil, usageError{err}
	}
	if !flags.Changed("rules") {
		f.rules = digit.BookNames()
	}
	f.format, f.moveTime = arena.Gauntlet, 0
	f.players = []string{arena.AgentPlayer(f.Name), f.opponent}
	draft, starts, err := f.draft()
	if err != nil {
		return nil, nil, err
	}
	draft.ShowMoves = f.showMoves
	var exam *arena.Exam
	if f.Kind == eval.Exam {
		if exam, err = f.exam(draft); err != nil {
			return nil, nil, err
		}
	} else {
		solutions, err := f.solutions(cmd, draft.Rules)
		if err != nil {
			return nil, nil, err
		}
		if err := draft.Draw(starts, solutions); err != nil {
			return nil, nil, usageError{err}
		}
	}
	plan, err := eval.Seal(draft, f.Settings)
	if err != nil {
		err = usageError{err}
	}
	return plan, exam, err
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
	f.Headers = map[string]string{}
	for _, text := range f.headers {
		name, variable, ok := strings.Cut(text, "=")
		if !ok || name == "" || variable == "" {
			return usagef("header %q: allowed: a name and a variable, as in X-Team=TEAM_KEY",
				text)
		}
		f.Headers[name] = variable
	}
	return nil
}

// exam returns the exam of the flags, and completes the plan.
func (f *evalFlags) exam(draft *arena.Plan) (*arena.Exam, error) {
	exam := arena.Exam{Seed: f.seed}
	if f.Exam != "" {
		var err error
		if exam, err = arena.ParseExam(f.Exam); err != nil {
			return nil, usageError{err}
		}
		draft.Rules = nil
		for _, part := range exam.Parts {
			draft.Rules = append(draft.Rules, part.Rules)
		}
	} else {
		if f.Items < 1 || f.Items > arena.MostItems {
			return nil, usagef("items %d: allowed: 1 to %d", f.Items, arena.MostItems)
		}
		for _, r := range draft.Rules {
			exam.Parts = append(exam.Parts, arena.ExamPart{Rules: r, Items: f.Items})
		}
	}
	draft.Format = arena.ExamFormat
	return &exam, nil
}

// solutionsOf returns the solutions of a plan by their rules.
func (f *evalFlags) solutionsOf(
	cmd *cobra.Command, plan *eval.Plan,
) (map[digit.Rules]*solve.Solution, error) {
	all, err := f.solutions(cmd, plan.Rules)
	byRules := map[digit.Rules]*solve.Solution{}
	for _, s := range all {
		byRules[s.Rules()] = s
	}
	return byRules, err
}

// speeches returns the wording of each game of a plan. A disguise is proved.
func speeches(cmd *cobra.Command, plan *eval.Plan) (map[digit.Rules]speech.Speech, error) {
	all := map[digit.Rules]speech.Speech{}
	for _, r := range plan.Rules {
		all[r] = speech.Plain(r)
		if plan.Disguise == nil {
			continue
		}
		d, _, err := disguise.Proved(cmd.Context(), r, *plan.Disguise, disguise.MostPositions)
		if err != nil {
			return nil, disguiseError(cmd.Context(), err)
		}
		all[r] = speech.InWords(d)
	}
	return all, nil
}

// describe prints what a run would ask.
func (f *evalFlags) describe(
	cmd *cobra.Command, plan *eval.Plan, words map[digit.Rules]speech.Speech,
) error {
	r := plan.Rules[0]
	var p digit.Position
	calls, what := f.Items*len(plan.Rules), "items"
	if f.Exam != "" {
		exam, err := arena.ParseExam(f.Exam)
		if err != nil {
			return usageError{err}
		}
		calls = exam.Items()
	}
	if plan.Settings.Kind == eval.Games {
		what = "games"
		calls = eval.Calls(plan)
		var err error
		if p, err = r.ParsePosition(plan.Positions[0][0]); err != nil {
			return err
		}
	}
	out := cmd.OutOrStdout()
	system, question := eval.System(words[r]), eval.Question(words[r], r, p, plan.ShowMoves)
	fmt.Fprintf(out, "%s\n\n---\n\n%s\n\n---\n\n", system.Content, question.Content)
	if what == "games" {
		fmt.Fprintf(out, "%d games, up to %d calls without retries\n", plan.Games(), calls)
	} else {
		fmt.Fprintf(out, "%d items, %d calls\n", calls, calls)
	}
	if price := plan.Settings.Price; price != nil {
		in := float64(calls) * float64(len(system.Content)+len(question.Content)) / 4
		fmt.Fprintf(out, "prompts: about %.0f tokens, $%.2f; each 1,000 tokens of an answer add "+
			"$%.2f in all\n", in, in*price[0]/1e6, float64(calls)*price[1]/1e3)
	}
	return nil
}

// begin writes the plan, and the items of an exam.
func (f *evalFlags) begin(
	cmd *cobra.Command, plan *eval.Plan, exam *arena.Exam,
	solutions map[digit.Rules]*solve.Solution,
) error {
	if err := os.MkdirAll(f.out, 0o755); err != nil {
		return err
	}
	if exam != nil {
		items, keys, err := exam.Lines(cmd.Context(), plan.Disguise,
			func(_ context.Context, r digit.Rules) (*solve.Solution, error) {
				return solutions[r], nil
			})
		if err != nil {
			return err
		}
		for name, text := range map[string][]byte{eval.ItemsFile: items, eval.KeyFile: keys} {
			if err := disk.WriteFile(filepath.Join(f.out, name), text, 0o644); err != nil {
				return err
			}
		}
	}
	return disk.WriteFile(filepath.Join(f.out, arena.PlanFile), plan.Text(), 0o600)
}

// ask asks the model, and prints the report.
func (f *evalFlags) ask(
	cmd *cobra.Command, plan *eval.Plan, secrets eval.Secrets,
	solutions map[digit.Rules]*solve.Solution, words map[digit.Rules]speech.Speech, fresh bool,
) error {
	progress := newProgress(cmd)
	runner := eval.Runner{
		Plan: plan, Folder: f.out, Secrets: secrets, Concurrency: f.concurrency,
		Solve:  func(r digit.Rules) (*solve.Solution, error) { return solutions[r], nil },
		Speech: func(r digit.Rules) (speech.Speech, error) { return words[r], nil },
		Progress: func(done, open, planned int) {
			progress.Line(int64(done), int64(planned), func(_ float64, left time.Duration) string {
				line := strconv.Itoa(done) + " of " + strconv.Itoa(planned)
				if open > 0 {
					line += fmt.Sprintf(", %d open", open)
				}
				return fmt.Sprintf("%s  %v left", line, left)
			})
		},
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
		var f evalFlags
		solutions, err := f.solutionsOf(cmd, first)
		if err != nil {
			return err
		}
		report, err := eval.NewReport(cmd.Context(), args,
			func(r digit.Rules) (*solve.Solution, error) { return solutions[r], nil })
		if cmd.Context().Err() != nil {
			return fmt.Errorf("report: %w", cli.ErrInterrupted)
		}
		if err != nil {
			return err
		}
		if csvFile != "" {
			err = errors.Join(err, writePicture(csvFile, report.CSV))
		}
		if htmlFile != "" {
			err = errors.Join(err, writePicture(htmlFile, report.HTML))
		}
		if err != nil {
			return err
		}
		if *asJSON {
			return printJSON(cmd, report)
		}
		return report.Print(cmd.OutOrStdout())
	}
	return cmd
}
