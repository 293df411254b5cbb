package main

import (
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"

	"digitduel/coach"
	"digitduel/solve"
	"digitduel/ui/cli"
	"digitduel/ui/tui"
)

func learnCommand() *cobra.Command {
	var line, plain bool
	cmd := &cobra.Command{
		Use:   "learn",
		Short: "Learn to play in one minute",
		Long: "Play a short game that shows how it goes: take a digit, put it in a place, win. On a terminal it fills the screen and Esc skips it;\n" +
			"with --line or --plain, and in a pipe, it goes line by line, and skip leaves it.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("learn %q: it takes no game; it is one, and duel rules BOOK tells the others", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if hasScreen(cmd) && !line && !plain {
				return openScreen(cmd, tui.Start{Learn: true}, "", solve.DefaultBudget, uint64(time.Now().UnixNano()))
			}
			keyboard, _ := keyboardOf(cmd, plain || os.Getenv("NO_COLOR") != "")
			defer keyboard.Close()
			if err := cli.Teach(cmd.Context(), keyboard, coach.FirstLesson()); !errors.Is(err, cli.ErrQuit) {
				return err
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.BoolVar(&line, "line", false, "line mode")
	f.BoolVar(&plain, "plain", false, "line mode without colour or editing")
	return cmd
}
