package main

import (
	"github.com/spf13/cobra"

	"digitduel/coach"
	"digitduel/ui/cli"
	"digitduel/ui/tui"
)

func learnCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "learn",
		Short: "Learn to play in one minute",
		Long: "A short guided game: take a digit, put it in a place, win. Esc skips it; in line " +
			"mode, type skip.",
		Example: "duel learn\nduel learn --line",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("learn %q: takes no game (try: duel rules GAME)", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !inLines(cmd) {
				return openScreen(cmd, tui.Start{Learn: true})
			}
			keyboard, _ := keyboardOf(cmd)
			defer keyboard.Close()
			return untilQuit(cli.Teach(cmd.Context(), keyboard, coach.FirstLesson()))
		},
	}
	lineFlags(cmd)
	return cmd
}
