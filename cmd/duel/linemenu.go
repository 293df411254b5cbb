package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"digitduel/bot"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/ui/cli"
	"digitduel/ui/tui"
)

// A lineMenu is the menu in line mode. It runs commands, which use it as their standard input and
// as their keyboard.
type lineMenu struct {
	io.Reader // the standard input
	cli.Keyboard
	cmd    *cobra.Command // reads from the menu
	lively bool
	flags  []string // of duel play, for each new game
	world  tui.World
}

// Close does nothing: the menu's keyboard outlives the commands that use it.
func (m *lineMenu) Close() error { return nil }

// Retitle changes the prompt, if the keyboard can do this.
func (m *lineMenu) Retitle(prompt string) {
	if k, ok := m.Keyboard.(interface{ Retitle(prompt string) }); ok {
		k.Retitle(prompt)
	}
}

// fromMenu reports whether the menu in line mode runs a command.
func fromMenu(cmd *cobra.Command) bool {
	_, ok := cmd.InOrStdin().(*lineMenu)
	return ok
}

// A menuItem is a line of a menu.
type menuItem struct {
	text string
	do   func() error
}

// openLineMenu shows the menu in line mode until the user quits. The flags are those of duel play
// for each new game.
func openLineMenu(cmd *cobra.Command, flags ...string) error {
	world, err := worldOf(cmd)
	if err != nil {
		return err
	}
	keyboard, lively := keyboardOf(cmd)
	defer keyboard.Close()
	m := &lineMenu{
		Reader: cmd.InOrStdin(), Keyboard: keyboard, cmd: cmd, lively: lively, flags: flags,
		world: world,
	}
	cmd.SetIn(m)
	for prompt := ""; ; prompt = "Menu (Enter shows it): " {
		switch err := m.choose(prompt); {
		case errors.Is(err, cli.ErrQuit):
			return nil
		case errors.Is(err, cli.ErrInterrupted) || cmd.Context().Err() != nil:
			return cli.ErrInterrupted
		case err != nil:
			m.report(err)
		}
	}
}

// report prints an error above the menu.
func (m *lineMenu) report(err error) { printError(m, err) }

// ask asks a question.
func (m *lineMenu) ask(prompt string) (string, error) {
	return cli.Ask(m.cmd.Context(), m, prompt)
}

// run runs a command as it would be typed in a shell.
func (m *lineMenu) run(args ...string) error {
	root := newRoot(args)
	root.SetArgs(args)
	root.SetIn(m)
	root.SetOut(m.cmd.OutOrStdout())
	root.SetErr(m.cmd.ErrOrStderr())
	return root.ExecuteContext(m.cmd.Context())
}

// choose asks for an entry of the menu or a command, and runs it. Without a prompt, or if the
// answer is empty, it shows the menu first.
func (m *lineMenu) choose(prompt string) error {
	if prompt == "" {
		prompt = "> "
		m.print()
	}
	text, err := m.ask(prompt)
	if err != nil {
		return err
	}
	if text == "" {
		return m.choose("")
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return m.run(strings.Fields(text)...)
	}
	items, _ := m.items() // print has reported the error
	if n < 0 || n >= len(items) || items[n].do == nil {
		return fmt.Errorf("no entry %d (press Enter for the menu)", n)
	}
	return items[n].do()
}

// print prints the menu.
func (m *lineMenu) print() {
	items, err := m.items()
	if err != nil {
		m.report(err)
	}
	fmt.Fprintln(m, "Digit Duel")
	for i, item := range items {
		if item.do != nil {
			fmt.Fprintf(m, "%3d  %s\n", i, item.text)
		}
	}
	fmt.Fprintln(m, "Type a number, or a command such as play dilemma --p2 master. "+
		"Type help for all commands, quit to leave.")
}

// items returns the entries of the menu. The first one continues the last game, or has no action.
func (m *lineMenu) items() ([]menuItem, error) {
	items := make([]menuItem, 1)
	tables, err := m.world.Tables()
	if i := slices.IndexFunc(tables, tui.Unfinished.Playable); i >= 0 {
		last := tui.SavedGames(tables[i:i+1], nil)[0]
		items[0] = menuItem{"Continue: " + last.Text(time.Now()), func() error {
			return resumeTable(m.cmd, tables[i].ID)
		}}
	}
	for _, b := range slices.Concat(digit.Books, digit.Fair) {
		text := rulebook.Title(b.Rules) + ": " + rulebook.Goal(rulebook.Usual(b.Rules)).Short + "."
		if slices.Contains(digit.FairNames(), b.Name) {
			text += " A fair game: nobody can force a win."
		}
		items = append(items, menuItem{text, func() error { return m.newGame(b) }})
	}
	puzzle := "Puzzle of the day."
	if diary, err := m.world.Streak(); err == nil {
		puzzle += " " + diary.Text(coach.DayOf(time.Now()))
	}
	run := func(args ...string) func() error { return func() error { return m.run(args...) } }
	items = append(items,
		menuItem{puzzle, run("puzzle", "--daily")},
		menuItem{"Another puzzle.", run("puzzle")},
		menuItem{"Learn to play in one minute.", run("learn")},
		menuItem{"Your games: continue, review or delete them.", m.games},
		menuItem{"Play at a server.", m.server},
	)
	settings, wrong := readSettings()
	if settings.Plain {
		items = append(items, menuItem{"Full screen: use it from the next start.", func() error {
			return changeSettings(func(s *tui.Settings) { s.Plain = false })
		}})
	}
	if seat, ok, err := lastSeat(); err == nil && ok {
		link := returning(seat).link.String()
		items = append(items, menuItem{"Continue at your seat: " + link + ".", run("join", link)})
	}
	return items, errors.Join(err, wrong)
}

// newGame asks for the opponent, unless flags name the players, and for the options of a game, and
// plays it.
func (m *lineMenu) newGame(b digit.Book) error {
	args := append([]string{"play", b.Name}, m.flags...)
	if !slices.ContainsFunc(m.flags, func(f string) bool {
		return strings.HasPrefix(f, "--p1=") || strings.HasPrefix(f, "--p2=")
	}) {
		opponent, err := m.opponent()
		if err != nil {
			return err
		}
		args = append(args, "--p2", opponent)
	}
	text, err := m.ask("Options, such as target=11 --best-of 3 --turn-time 30s. Enter for none: ")
	if err != nil {
		return err
	}
	return m.run(append(args, strings.Fields(text)...)...)
}

// opponent asks for the opponent, and remembers the level of the computer.
func (m *lineMenu) opponent() (string, error) {
	settings, _ := readSettings() // items reports the error
	level := settings.Levels[match.Two]
	text, err := m.ask("Opponent: a level of the computer (" +
		strings.Join(bot.LevelNames(), ", ") + "), or person for two people here. Enter for " +
		level + ": ")
	opponent := cmp.Or(strings.ToLower(text), level)
	if err != nil || opponent == "person" {
		return "human", err
	}
	if _, err := bot.ParseLevel(opponent); err != nil {
		return "", err
	}
	return opponent, changeSettings(func(s *tui.Settings) { s.Levels[match.Two] = opponent })
}

// server asks for the address of a server.
func (m *lineMenu) server() error {
	settings, _ := readSettings() // items reports the error
	prompt := "The address of a server, or a link that you were given"
	if settings.Server != "" {
		prompt += ". Enter for " + settings.Server
	}
	text, err := m.ask(prompt + ": ")
	if text = cmp.Or(text, settings.Server); err != nil || text == "" {
		return err
	}
	return m.run("join", text)
}
