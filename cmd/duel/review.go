package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/ui/cli"
	"digitduel/ui/tui"
)

// eachRecord is a function that calls do for the games of a record file.
type eachRecord = func(path string, do func(game, line int, rec digit.Record) error) error

// readsRecords makes a command take a record file and the flag --game, and returns a function that
// reads the games. It reports lines without a game.
func readsRecords(cmd *cobra.Command) eachRecord {
	var only int
	cmd.Flags().IntVar(&only, "game", 0, "only this game of the file, counted from 1")
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if only < 1 && cmd.Flags().Changed("game") {
			return usagef("game %d: allowed: 1 or more", only)
		}
		return one("record file")(cmd, args)
	}
	return func(path string, do func(game, line int, rec digit.Record) error) error {
		name, in := "standard input", cmd.InOrStdin()
		if path != "-" {
			file, err := os.Open(path)
			if err != nil {
				return err
			}
			defer file.Close() //nolint:errcheck // only read
			if info, err := file.Stat(); err == nil && info.IsDir() {
				return fmt.Errorf("%s: is a directory, not a record file", path)
			}
			name, in = path, file
		}
		games, bad := 0, 0
		for e := range until(cmd.Context(), cli.Records(name, in)) {
			if e.Err != nil {
				printError(cmd.ErrOrStderr(), e.Err)
				bad++
				continue
			}
			games++
			if only != 0 && games != only {
				continue
			}
			if err := do(games, e.Line, e.Record); err != nil && cmd.Context().Err() == nil {
				return fmt.Errorf("%s:%d: %w", name, e.Line, err)
			}
		}
		switch {
		case cmd.Context().Err() != nil:
			return cli.ErrInterrupted
		case games == 0 && bad == 0:
			return fmt.Errorf("%s: no games", name)
		case only > games:
			return fmt.Errorf("game %d: no such game; games in %s: %d", only, name, games)
		case bad > 0:
			return fmt.Errorf("%s: bad lines: %d; games: %d", name, bad, games)
		}
		return nil
	}
}

func replayCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Step through recorded games",
		Long: "FILE is a record file (duel play --record), or - for standard input. On a " +
			"terminal, a game fills the screen; with --line, Enter shows the next move. Lines " +
			"without a game are reported and skipped.",
		Example: "duel replay games.txt\nduel replay games.txt --game 3",
	}
	eachGame := readsRecords(cmd)
	memoryFlag(cmd)
	lineFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !inLines(cmd) && args[0] != "-" {
			return reviewOnScreen(cmd, tui.Start{Replay: true}, eachGame, args[0])
		}
		out := bufio.NewWriter(cmd.OutOrStdout())
		next := out.Flush
		if bothTerminals(cmd) && args[0] != "-" {
			keyboard := cli.NewPipe(cmd.InOrStdin(), cmd.OutOrStdout(), true)
			next = func() error {
				if err := out.Flush(); err != nil {
					return err
				}
				_, err := cli.Ask(cmd.Context(), keyboard, "\n[Enter: next move, quit] ")
				return err
			}
		}
		return untilQuit(eachGame(args[0], func(n, line int, rec digit.Record) error {
			fmt.Fprint(out, heading(n, line, rec))
			if err := cli.Replay(wrapping(cmd, out), rec, next); err != nil {
				return err
			}
			fmt.Fprintln(out)
			return out.Flush()
		}))
	}
	return cmd
}

// untilQuit returns err, or nil if the user quit.
func untilQuit(err error) error {
	if errors.Is(err, cli.ErrQuit) {
		return nil
	}
	return err
}

// heading returns the heading of a game of a record file.
func heading(game, line int, rec digit.Record) string {
	rec.Tags = nil // shown in words
	return fmt.Sprintf("Game %d (line %d): %v\n\n", game, line, rec)
}

func reviewCommand() *cobra.Command {
	var retry, all bool
	cmd := &cobra.Command{
		Use:   "review FILE",
		Short: "Review recorded games",
		Long: "FILE is a record file (duel play --record), or - for standard input. A review " +
			"shows the mistakes, what they lost and why. Accuracy counts decisions only: " +
			"positions in which moves have different values. Moves of a random opening do not " +
			"count.",
		Example: "duel review games.txt\nduel review games.txt --game 3 --json\n" +
			"duel review games.txt --retry",
	}
	eachGame, solved := readsRecords(cmd), solving(cmd)
	asJSON := jsonFlag(cmd, "write a JSON line for each game")
	memoryFlag(cmd)
	lineFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if retry && (*asJSON || args[0] == "-") {
			return usagef("retry: needs a file, and does not fit --json")
		}
		if !inLines(cmd) && !*asJSON && args[0] != "-" {
			return reviewOnScreen(cmd, tui.Start{Retry: retry}, eachGame, args[0])
		}
		var keyboard closingKeyboard
		if retry {
			keyboard, _ = keyboardOf(cmd)
			defer keyboard.Close()
		}
		return untilQuit(eachGame(args[0], func(n, line int, rec digit.Record) error {
			s, err := solved(rec.Rules)
			if err != nil {
				return err
			}
			cast := cli.Sides(rec)
			review, err := coach.ReviewGame(s, rec, cast)
			switch {
			case err != nil:
				return err
			case *asJSON:
				return printJSON(cmd, review)
			case retry:
				return cli.Retry(cmd.Context(), keyboard, s, review, n)
			}
			head := fmt.Sprintf("Game %d (line %d): %s\n\n", n, line, rulebook.Title(rec.Rules))
			if all {
				head = heading(n, line, rec)
			}
			_, err = fmt.Fprintf(wrapping(cmd, cmd.OutOrStdout()), "%s%s\n%s\n",
				head, cli.Summary(rec), cli.ReviewText(review, cast, all))
			return err
		}))
	}
	cmd.Flags().BoolVar(&retry, "retry", false, "play your mistakes again")
	cmd.Flags().BoolVar(&all, "all", false,
		"show the record, the chart and every move, in line mode")
	return cmd
}

// reviewOnScreen opens the full screen with the games of a file. It reports wrong lines afterwards.
func reviewOnScreen(cmd *cobra.Command, start tui.Start, each eachRecord, file string) error {
	wrong := each(file, func(_, _ int, rec digit.Record) error {
		start.Games = append(start.Games, rec)
		return nil
	})
	if len(start.Games) == 0 || cmd.Context().Err() != nil {
		return wrong
	}
	return errors.Join(openScreen(cmd, start), wrong)
}
