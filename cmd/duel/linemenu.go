package main

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/ui/cli"
	"digitduel/ui/tui"
)

// openLineMenu asks for a game and an opponent, and plays. The flags of cmd are those of the game.
func openLineMenu(cmd *cobra.Command) error {
	if _, ok := terminal(cmd.InOrStdin()); !ok {
		cmd.SetIn(bufio.NewReader(cmd.InOrStdin())) // the game reads on where the menu stops
	}
	args, err := askGame(cmd)
	if err != nil || args == nil {
		return untilQuit(err)
	}
	root := newRoot(args)
	root.SetArgs(append(args, givenFlags(cmd)...))
	root.SetIn(cmd.InOrStdin())
	root.SetOut(cmd.OutOrStdout())
	root.SetErr(cmd.ErrOrStderr())
	return root.ExecuteContext(cmd.Context())
}

// askGame shows the menu and returns the arguments that play the chosen game, if any.
func askGame(cmd *cobra.Command) ([]string, error) {
	k, _ := keyboardOf(cmd)
	defer k.Close()
	resumes := false
	fmt.Fprintln(k, "Digit Duel")
	world, err := worldOf(cmd)
	if err != nil {
		return nil, err
	}
	tables, err := world.Tables()
	if err != nil {
		printError(k, err)
	}
	// duel play is for a new game
	if i := slices.IndexFunc(tables, tui.Unfinished.Playable); i >= 0 && !cmd.HasParent() {
		resumes = true
		last := tui.SavedGames(tables[i:i+1], nil)[0]
		fmt.Fprintf(k, "  0  Continue: %s\n", last.Text(time.Now()))
	}
	books := slices.Concat(digit.Books, digit.Fair)
	for i, b := range books {
		text := rulebook.Title(b.Rules) + ": " + rulebook.Goal(rulebook.Usual(b.Rules)).Short + "."
		if i >= len(digit.Books) {
			text += " A fair game: nobody can force a win."
		}
		fmt.Fprintf(k, "%3d  %s\n", i+1, text)
	}
	settings, _ := readSettings() // a game reports the error
	if settings.Plain {
		fmt.Fprintf(k, "%3d  Full screen: use it from the next start.\n", len(books)+1)
	}
	fmt.Fprintln(k, "Or leave, and run duel learn, duel puzzle, duel review, duel join or "+
		"another command: duel help.")
	for {
		text, err := cli.Ask(cmd.Context(), k, "Type a number, or quit: ")
		if err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(text)
		switch {
		case err == nil && n == 0 && resumes:
			return []string{"play", "--continue"}, nil
		case err == nil && n > 0 && n <= len(books):
			return askOpponent(cmd, k, []string{"play", books[n-1].Name})
		case err == nil && n == len(books)+1 && settings.Plain:
			return nil, changeSettings(func(s *tui.Settings) { s.Plain = false })
		}
	}
}

// askOpponent asks for the opponent, unless flags name the players, and remembers the level of the
// computer. It returns the arguments with the opponent.
func askOpponent(cmd *cobra.Command, k cli.Keyboard, args []string) ([]string, error) {
	if cmd.Flags().Changed("p1") || cmd.Flags().Changed("p2") {
		return args, nil
	}
	settings, _ := readSettings() // a game reports the error
	level := settings.Levels[match.Two]
	for {
		text, err := cli.Ask(cmd.Context(), k, "Opponent: a level of the computer ("+
			strings.Join(bot.LevelNames(), ", ")+"), or person for two people here. Enter for "+
			level+": ")
		if err != nil {
			return nil, err
		}
		opponent := cmp.Or(strings.ToLower(text), level)
		if opponent == "person" {
			return args, nil
		}
		if _, err := bot.ParseLevel(opponent); err != nil {
			printError(k, err)
			continue
		}
		// without that the menu proposes another level
		_ = changeSettings(func(s *tui.Settings) { s.Levels[match.Two] = opponent })
		return append(args, "--p2", opponent), nil
	}
}
