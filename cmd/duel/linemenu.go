package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

// A menuItem is a line of the menu.
type menuItem struct {
	text string
	do   func() error
}

// openLineMenu shows the menu and runs the chosen item. The flags of cmd are those of a new game.
func openLineMenu(cmd *cobra.Command) error {
	if terminal(cmd.InOrStdin()) == nil {
		cmd.SetIn(bufio.NewReader(cmd.InOrStdin())) // the game reads on where the menu stops
	}
	do, err := chooseItem(cmd)
	if err != nil {
		return untilQuit(err)
	}
	return untilQuit(do())
}

// chooseItem shows the menu and returns the action of the chosen item.
func chooseItem(cmd *cobra.Command) (func() error, error) {
	k, _ := keyboardOf(cmd)
	defer k.Close()
	folder, err := dataDir()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "games.txt")
	items, err := menuItems(cmd, file)
	if err != nil {
		printError(k, err)
	}
	fmt.Fprintln(k, "Digit Duel")
	for i, item := range items {
		if item.do != nil {
			fmt.Fprintf(k, "%3d  %s\n", i, item.text)
		}
	}
	if _, err := os.Stat(file); err == nil {
		fmt.Fprintf(k, "All your finished games: duel review %s\n", file)
	}
	fmt.Fprintln(k, "To play at a server: duel join URL. Everything else: duel help.")
	for {
		text, err := cli.Ask(cmd.Context(), k, "Type a number, or quit: ")
		if err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(text)
		if err == nil && n >= 0 && n < len(items) && items[n].do != nil {
			return items[n].do, nil
		}
	}
}

// menuItems returns the items of the menu. The first one continues the last game, or has no action.
// file has the finished games.
func menuItems(cmd *cobra.Command, file string) ([]menuItem, error) {
	items := make([]menuItem, 1)
	for i, b := range digit.AllBooks() {
		text := rulebook.Title(b.Rules) + ": " + rulebook.Goal(rulebook.Usual(b.Rules)).Short + "."
		if i >= len(digit.Books) {
			text += " A fair game: nobody can force a win."
		}
		items = append(items, menuItem{text, func() error { return playBook(cmd, b) }})
	}
	settings, wrong := readSettings()
	if settings.Plain {
		items = append(items, menuItem{"Full screen: use it from the next start.", func() error {
			return changeSettings(func(s *tui.Settings) { s.Plain = false })
		}})
	}
	if cmd.HasParent() { // duel play is for a new game
		return items, wrong
	}
	add := func(text string, args ...string) {
		do := func() error { return runArgs(cmd, append(args, "--line")...) }
		items = append(items, menuItem{text, do})
	}
	add("Lessons: learn the games.", "learn")
	add("The puzzle of the day.", "puzzle")
	world, err := worldOf(cmd)
	if err != nil {
		return items, errors.Join(wrong, err)
	}
	tables, failed := world.Tables()
	for _, t := range tables {
		if !t.Playable() {
			continue
		}
		text := tui.SavedGames([]tui.Unfinished{t}, nil)[0].Text(time.Now())
		item := menuItem{"Continue: " + text, func() error { return resumeTable(cmd, t.ID) }}
		if items[0].do == nil {
			items[0] = item
		} else {
			items = append(items, item)
		}
	}
	games, err := world.Games()
	const most = 5 // finished games
	for i := len(games) - 1; i >= max(0, len(games)-most); i-- {
		text := tui.SavedGames(nil, games[i:i+1])[0].Text(time.Now())
		add("Review: "+text, "review", file, "--game", strconv.Itoa(i+1))
	}
	return items, errors.Join(wrong, failed, err)
}

// playBook asks for the opponent, unless flags name the players, and plays a game.
func playBook(cmd *cobra.Command, b digit.Book) error {
	args := append([]string{"play", b.Name}, givenFlags(cmd)...)
	if !cmd.Flags().Changed("p1") && !cmd.Flags().Changed("p2") {
		opponent, err := askOpponent(cmd)
		if err != nil {
			return err
		}
		args = append(args, "--p2", opponent)
	}
	return runArgs(cmd, args...)
}

// runArgs runs the program with arguments, and with the input and output of cmd.
func runArgs(cmd *cobra.Command, args ...string) error {
	return run(cmd.Context(), args, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
}

// askOpponent asks for the opponent, and remembers the level of the computer.
func askOpponent(cmd *cobra.Command) (string, error) {
	k, _ := keyboardOf(cmd)
	defer k.Close()
	settings, _ := readSettings() // the menu has reported the error
	level := settings.Levels[match.Two]
	for {
		text, err := cli.Ask(cmd.Context(), k, "Opponent: a level of the computer ("+
			strings.Join(bot.LevelNames(), ", ")+"), or person for two people here. Enter for "+
			level+": ")
		opponent := cmp.Or(strings.ToLower(text), level)
		if err != nil || opponent == "person" {
			return "human", err
		}
		if _, err := bot.ParseLevel(opponent); err != nil {
			printError(k, err)
			continue
		}
		// without that the menu proposes another level
		_ = changeSettings(func(s *tui.Settings) { s.Levels[match.Two] = opponent })
		return opponent, nil
	}
}
