package main

import (
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
			if hasScreen(cmd) && !line && !plain {
				seed := uint64(time.Now().UnixNano())
				return openScreen(cmd, tui.Start{Learn: true}, "", solve.DefaultBudget, seed)
			}
			keyboard, _ := keyboardOf(cmd, plain || os.Getenv("NO_COLOR") != "")
			defer keyboard.Close()
			return untilQuit(cli.Teach(cmd.Context(), keyboard, coach.FirstLesson()))
		},
	}
	f := cmd.Flags()
	f.BoolVar(&line, "line", false, lineText)
	f.BoolVar(&plain, "plain", false, plainText)
	return cmd
}
