package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"digitduel/arena/disguise"
	"digitduel/arena/engine"
	"digitduel/bot"
	"digitduel/cmd/duel/version"
	"digitduel/digit"
	"digitduel/solve"
)

func engineCommand() *cobra.Command {
	var rules, level string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "engine",
		Short: "Play for other programs by the line protocol for engines",
		Long: "Play for another program, which tells positions on standard input and reads moves from standard output, line by line,\n" +
			"by the Universal Game Interface (UGI): docs/protocol.md has its grammar, with sessions. The game is solved completely\n" +
			"before the first move; the level says how much of that the engine sees.",
		Example: "  printf 'position startpos moves 7a\\ngo\\n' | duel engine\n  duel engine --rules 'dilemma target=13' --level casual",
		Args:    onlyCommands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := rulesOf(strings.Fields(rules))
			if err != nil {
				return err
			}
			l, err := bot.ParseLevel(level)
			if err != nil {
				return usageError{err}
			}
			if !cmd.Flags().Changed("seed") {
				seed = rand.Uint64()
			}
			return engine.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), engine.ServeConfig{
				Name: "Digit Duel " + version.Number, Rules: r, Level: l, Rand: rand.New(rand.NewPCG(seed, 0)),
				Solve: func(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
					return solve.Solve(ctx, r, solve.Config{})
				},
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&rules, "rules", digit.Books[0].Name, "the rules until others are told: a book and options")
	f.StringVar(&level, "level", bot.Perfect().Name, "the level until another is told")
	f.Uint64Var(&seed, "seed", 0, "makes what is random repeatable")
	complete(cmd, "level", bot.LevelNames()...)
	complete(cmd, "rules", digit.BookNames()...)
	cmd.AddCommand(engineCheckCommand())
	return cmd
}

func engineCheckCommand() *cobra.Command {
	var rules []string
	var seed, words uint64
	var wait time.Duration
	cmd := &cobra.Command{
		Use:   "check [flags] COMMAND",
		Short: "Check whether somebody's engine keeps to the protocol",
		Long: "Run an engine and check point by point whether it keeps to the protocol: one line for each point, and what was said\n" +
			"where it fails. The exit code is 0 if the engine holds, and 1 if it does not.",
		Example: "  duel engine check 'python3 my.py'\n  duel engine check --rules 'dilemma target=13' ./my-engine\n  duel engine check --disguise 7 'python3 model.py'",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || strings.TrimSpace(args[0]) == "" {
				return usagef("check: the command of an engine is wanted, as in duel engine check 'python3 my.py'")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			config := engine.CheckConfig{Positions: 500, Seed: seed, Process: engine.ProcessConfig{Wait: wait}}
			for _, text := range rules {
				r, err := rulesOf(strings.Fields(text))
				if err != nil {
					return err
				}
				config.Rules = append(config.Rules, r)
			}
			if cmd.Flags().Changed("disguise") {
				config.Words = inWords(cmd.Context(), words)
			}
			if wait <= 0 {
				return usagef("wait %v: allowed: a time such as 10s", wait)
			}
			return checkEngine(cmd.Context(), cmd.OutOrStdout(), commandOf(args), config)
		},
	}
	f := cmd.Flags()
	f.SetInterspersed(false) // what follows is the engine's
	f.StringArrayVar(&rules, "rules", nil, "the rules it has to play, more than once for more of them; without: the books, or those it lists")
	f.Uint64Var(&seed, "seed", 1, "the positions follow from it")
	f.Uint64Var(&words, "disguise", 0, "check it in the words of a disguise, by its seed: see duel disguise")
	f.DurationVar(&wait, "wait", 10*time.Second, "how long to wait for any answer but a move")
	complete(cmd, "rules", digit.BookNames()...)
	return cmd
}

// inWords returns what tells games in the words of disguises by a seed. Each is proved once.
func inWords(ctx context.Context, seed uint64) func(digit.Rules) (string, engine.Words, error) {
	made := map[digit.Rules]*disguise.Disguise{}
	return func(r digit.Rules) (string, engine.Words, error) {
		if made[r] == nil {
			d, _, err := proveDisguise(ctx, r, seed)
			if err != nil {
				return "", nil, err
			}
			made[r] = d
		}
		return made[r].Game.Text(true), made[r], nil
	}
}

// commandOf returns the words of a command as one text that is split into the same words again; a single one is such a text already.
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

// checkEngine prints what a check finds.
func checkEngine(ctx context.Context, out io.Writer, command string, config engine.CheckConfig) error {
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
		return fmt.Errorf("engine %.80q: %d of %d points hold", command, all-failed, all)
	}
	return nil
}

// cut cuts a line that is too long to be read, and shows what cannot be printed.
func cut(line string) string {
	const most = 160
	line = strings.Trim(fmt.Sprintf("%q", line), `"`)
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "…"
	}
	return line
}
