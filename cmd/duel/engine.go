package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"digitduel/arena/disguise"
	"digitduel/arena/engine"
	"digitduel/arena/speech"
	"digitduel/bot"
	"digitduel/cmd/duel/version"
	"digitduel/digit"
	"digitduel/solve"
)

func engineCommand() *cobra.Command {
	var rules, level string
	cmd := &cobra.Command{
		Use:   "engine",
		Short: "Play as an engine over standard input",
		Long: "The engine reads positions and writes moves, line by line, in the Universal Game " +
			"Interface (UGI). docs/protocol.md has the grammar and sample sessions.",
		Example: "printf 'position startpos moves 7a\\ngo\\n' | duel engine\n" +
			"duel engine --rules 'dilemma target=13' --level casual",
		Args: onlyCommands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := rulesOf(rules)
			if err != nil {
				return err
			}
			l, err := parseLevel("level", level)
			if err != nil {
				return err
			}
			config := engine.ServeConfig{
				Name: "Digit Duel " + version.Number, Rules: r, Level: l,
				Rand:   rand.New(rand.NewPCG(seedOf(cmd), 0)),
				Solve:  new(solve.Solver).Solve,
				Speech: engineSpeech,
			}
			return engine.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), config)
		},
	}
	f := cmd.Flags()
	f.StringVar(&rules, "rules", digit.Books[0].Name, "rules until the program sets others")
	f.StringVar(&level, "level", bot.Perfect().Name, "level until the program sets another")
	f.Uint64("seed", 0, seedText)
	complete(cmd, "level", bot.LevelNames()...)
	complete(cmd, "rules", digit.BookNames()...)
	cmd.AddCommand(engineCheckCommand())
	return cmd
}

// engineWords word a game for the queries prompt and answer of an engine.
type engineWords struct {
	speech.Speech
	rules digit.Rules
}

func engineSpeech(ctx context.Context, r digit.Rules, text string) (engine.Speech, error) {
	spec, err := disguise.ParseSpec(text)
	if err != nil || spec.Disguise == nil {
		return engineWords{speech.Plain(r), r}, err
	}
	d, _, err := spec.ProvedDisguise(ctx, r, disguise.MostPositions)
	return engineWords{speech.InWords(d), r}, err
}

// Prompt implements [engine.Speech].
func (w engineWords) Prompt(p digit.Position) (system, user string) {
	return speech.System(w.Speech), speech.Question(w.Speech, w.rules, p, false)
}

// Answer implements [engine.Speech].
func (w engineWords) Answer(p digit.Position, text string) (digit.Move, error) {
	m, err := speech.Answer(w.Speech, w.rules, p, text)
	if refused, ok := errors.AsType[*speech.Refusal](err); ok {
		return m, &engine.FaultError{Fault: engine.Fault(refused.Fault), Why: refused.Text}
	}
	return m, err
}

func engineCheckCommand() *cobra.Command {
	var rules []string
	var words uint64
	config := engine.CheckConfig{Positions: 500}
	cmd := &cobra.Command{
		Use:   "check [flags] COMMAND",
		Short: "Check that an engine follows the protocol",
		Long: "Prints a line for each point of the protocol, with the dialogue where the engine " +
			"fails. The exit code is 0 if the engine passes, and 1 if it does not. --all and " +
			"--random compare its answers about many positions instead.",
		Example: "duel engine check 'python3 my.py'\n" +
			"duel engine check --all --rules 'dilemma target=13' ./my-engine\n" +
			"duel engine check --random 200 ./my-engine",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || strings.TrimSpace(args[0]) == "" {
				return usagef("check: missing engine command " +
					"(try: duel engine check 'python3 my.py')")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			disguised := cmd.Flags().Changed("disguise")
			switch n := config.Random; {
			case n < 0 || n == 0 && cmd.Flags().Changed("random"):
				return usagef("random %d: allowed: 1 or more", n)
			case n > 0 && (config.All || disguised || len(rules) > 0):
				return usagef("--random cannot be used with --all, --rules or --disguise")
			case config.All && disguised:
				return usagef("--all cannot be used with --disguise")
			}
			var err error
			if config.Rules, err = allRules(rules); err != nil {
				return err
			}
			if disguised {
				config.Words = inWords(cmd.Context(), words)
			}
			if wait := config.Process.Wait; wait <= 0 {
				return usagef("timeout %v: allowed: a time such as 10s", wait)
			}
			return checkEngine(cmd.Context(), cmd.OutOrStdout(), commandOf(args), config)
		},
	}
	f := cmd.Flags()
	f.SetInterspersed(false) // flags after the command are the engine's
	f.StringArrayVar(&rules, "rules", nil,
		"rules to check; repeatable (default the rulebooks, or those that the engine lists)")
	f.BoolVar(&config.All, "all", false, "compare every position of the rules")
	f.IntVar(&config.Random, "random", 0, "compare positions of N rulesets with random keys")
	f.Uint64Var(&config.Seed, "seed", 1, "seed of the positions and of --random")
	f.Uint64Var(&words, "disguise", 0, disguiseText)
	f.DurationVar(&config.Process.Wait, "timeout", 10*time.Second,
		"time to wait for an answer that is not a move")
	complete(cmd, "rules", digit.BookNames()...)
	renamed(cmd, "wait", "timeout")
	return cmd
}

// disguiseText is the text of the flag --disguise.
const disguiseText = "seed of a disguise to play in: see duel disguise"

// inWords returns a function that disguises games with a seed. It proves each disguise once.
func inWords(ctx context.Context, seed uint64) func(digit.Rules) (string, engine.Words, error) {
	made := map[digit.Rules]*disguise.Disguise{}
	return func(r digit.Rules) (string, engine.Words, error) {
		if made[r] == nil {
			d, _, err := disguise.Proved(ctx, r, seed, disguise.MostPositions)
			if err != nil {
				return "", nil, orInterrupted(ctx, "disguise", err)
			}
			made[r] = d
		}
		return made[r].Game.Text(true), made[r], nil
	}
}

// commandOf joins the words of a command, quoted so that the result splits into the same words. A
// single word is already such a text.
func commandOf(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	var quoted []string
	for _, word := range words {
		mark := `"`
		if strings.Contains(word, mark) {
			mark = `'`
		}
		quoted = append(quoted, mark+word+mark)
	}
	return strings.Join(quoted, " ")
}

// checkEngine checks an engine and prints the findings.
func checkEngine(
	ctx context.Context, out io.Writer, command string, config engine.CheckConfig,
) error {
	failed, all := 0, 0
	for f := range engine.Check(ctx, command, config) {
		all++
		mark, note := "ok  ", f.Note
		switch {
		case f.Err != nil:
			mark, note = "FAIL", f.Err.Error()
			failed++
		case f.Skipped:
			mark = "skip"
			failed++
		}
		if note != "" {
			note = ": " + note
		}
		fmt.Fprintf(out, "%s  %s%s\n", mark, f.Point, note)
		for _, line := range f.Dialogue {
			fmt.Fprintf(out, "        %s\n", cut(line))
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("engine %.80q: passed %d of %d points", command, all-failed, all)
	}
	return nil
}

// cut shortens a long line, and escapes characters that cannot be printed.
func cut(line string) string {
	const most = 160
	line = strings.Trim(fmt.Sprintf("%q", line), `"`)
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "…"
	}
	return line
}
