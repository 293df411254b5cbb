package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"digitduel/cli"
	"digitduel/digit"
)

func replayCommand() *cobra.Command {
	var game int
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Show recorded games move by move",
		Long: "Show the games of a record file (- for standard input) move by move. On a terminal, Enter goes on to the next move.\n" +
			"A line that holds no game is reported with its number, and the others are shown.",
		Example: "  duel replay games.txt\n  duel replay games.txt --game 3",
		Args:    oneFile("replay"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if game < 1 && cmd.Flags().Changed("game") {
				return usagef("game %d: allowed: 1 or more", game)
			}
			name, in, closeFile, err := openRecords(args[0], cmd.InOrStdin())
			if err != nil {
				return err
			}
			defer closeFile()
			out := bufio.NewWriter(cmd.OutOrStdout())
			next := stepper(cmd.InOrStdin(), cmd.OutOrStdout(), args[0] != "-")
			return eachRecord(name, in, cmd.ErrOrStderr(), game, func(n, line int, rec digit.Record) error {
				fmt.Fprintf(out, "Game %d (line %d): %v\n\n", n, line, rec)
				if err := cli.Replay(out, rec, func() bool { return out.Flush() == nil && next() }); err != nil {
					return err
				}
				fmt.Fprintln(out)
				return out.Flush()
			})
		},
	}
	cmd.Flags().IntVar(&game, "game", 0, "show only this game of the file, counted from 1")
	return cmd
}

// oneFile is the check of the arguments of a command that reads a record file.
func oneFile(command string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usagef("%s takes one record file, not %d", command, len(args))
		}
		return nil
	}
}

// openRecords opens a record file, or takes standard input for -.
func openRecords(path string, stdin io.Reader) (name string, in io.Reader, closeFile func() error, err error) {
	if path == "-" {
		return "standard input", stdin, func() error { return nil }, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return path, nil, nil, err
	}
	return path, file, file.Close, nil
}

// eachRecord does something with the games of a file, or with one of them, and reports the lines that hold none.
func eachRecord(name string, in io.Reader, errs io.Writer, only int, do func(game, line int, rec digit.Record) error) error {
	games, bad := 0, 0
	for e := range cli.Records(name, in) {
		if e.Err != nil {
			fmt.Fprintln(errs, "duel:", e.Err)
			bad++
			continue
		}
		games++
		if only != 0 && games != only {
			continue
		}
		if err := do(games, e.Line, e.Record); err != nil {
			return fmt.Errorf("%s:%d: %w", name, e.Line, err)
		}
	}
	switch {
	case only > games:
		return fmt.Errorf("game %d: there is no such game; games in %s: %d", only, name, games)
	case bad > 0:
		return fmt.Errorf("%s: bad lines: %d; games: %d", name, bad, games)
	}
	return nil
}

// stepper waits for the Enter key on a terminal, if keys are typed there, and goes on by itself elsewhere.
func stepper(keys io.Reader, out io.Writer, typed bool) func() bool {
	_, inOK := terminal(keys)
	_, outOK := terminal(out)
	if !typed || !inOK || !outOK {
		return func() bool { return true }
	}
	lines := bufio.NewReader(keys)
	return func() bool {
		fmt.Fprint(out, "\n[Enter: next move, q: next game] ")
		text, err := lines.ReadString('\n')
		return err == nil && !strings.HasPrefix(strings.ToLower(strings.TrimSpace(text)), "q")
	}
}
