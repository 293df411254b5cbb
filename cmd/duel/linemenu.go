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
	cmd      *cobra.Command
	lively   bool
	flags    []string // of duel play, for each new game
	settings tui.Settings
	world    tui.World
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
func openLineMenu(cmd *cobra.Command, flags ...string) (err error) {
	keyboard, lively := keyboardOf(cmd)
	defer keyboard.Close()
	m := &lineMenu{
		Reader: cmd.InOrStdin(), Keyboard: keyboard, cmd: cmd, lively: lively, flags: flags,
		world: worldOf(cmd),
	}
	if m.settings, err = readSettings(); err != nil {
		m.report(err)
	}
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
	text := ""
	for text == "" {
		var err error
		if prompt == "" {
			prompt = "> "
			m.print()
		}
		if text, err = m.ask(prompt); err != nil {
			return err
		}
		prompt = ""
	}
	if n, err := strconv.Atoi(text); err == nil {
		items, err := m.items()
		if n < 0 || n >= len(items) || items[n].do == nil {
			return fmt.Errorf("no entry %d (press Enter for the menu)", n)
		}
		return errors.Join(err, items[n].do())
	}
	words, err := byName(strings.Fields(text))
	if err != nil {
		return err
	}
	if _, err := digit.FindBook(words[0]); err == nil {
		words = append([]string{"play"}, words...)
	}
	return m.run(words...)
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
		last := tui.SavedGames(tables[i:i+1], nil, time.Now())[0]
		items[0] = menuItem{"Continue: " + last.Text, func() error {
			return resumeTable(m.cmdFor(), tables[i].ID)
		}}
	}
	for _, b := range slices.Concat(digit.Books, digit.Fair) {
		text := rulebook.Title(b.Rules) + ": " + rulebook.Goal(m.settings.RulesFor(b)).Short + "."
		if slices.Contains(digit.FairNames(), b.Name) {
			text += " A fair game: nobody can force a win."
		}
		items = append(items, menuItem{text, func() error { return m.newGame(b) }})
	}
	puzzle := "Puzzle of the day."
	if diary, err := m.world.Streak(); err == nil {
		puzzle += " " + diary.Text(coach.DayOf(time.Now()))
	}
	items = append(items,
		menuItem{puzzle, func() error { return m.run("puzzle", "--daily") }},
		menuItem{"Another puzzle.", m.puzzle},
		menuItem{"Learn to play in one minute.", func() error { return m.run("learn") }},
		menuItem{"Your games: continue, review or delete them.", m.games},
		menuItem{"Play at a server.", m.server},
	)
	if m.settings.Plain {
		items = append(items, menuItem{"Full screen: use it from the next start.", func() error {
			m.settings.Plain = false
			return m.saveSettings()
		}})
	}
	if seat, ok, err := lastSeat(); err == nil && ok {
		link := returning(seat).link.String()
		items = append(items, menuItem{"Continue at your seat: " + link + ".", func() error {
			return m.run("join", link)
		}})
	}
	return items, err
}

// cmdFor returns the menu's command with the menu as its input.
func (m *lineMenu) cmdFor() *cobra.Command {
	cmd := &cobra.Command{}
	cmd.SetContext(m.cmd.Context())
	cmd.SetIn(m)
	cmd.SetOut(m.cmd.OutOrStdout())
	cmd.SetErr(m.cmd.ErrOrStderr())
	return cmd
}

func (m *lineMenu) saveSettings() error { return m.world.Save(m.settings.Text()) }

// printTally prints the games won and lost against the level of the settings, if there are any.
func (m *lineMenu) printTally(b digit.Book) {
	level := m.settings.Levels[match.Two]
	games, _ := m.world.Games() // the list of games reports lines that are not games
	t := coach.TallyOf(games, m.settings.RulesFor(b), level)
	if tally := rulebook.Tally(level, t.Won, t.Lost, t.Drawn).Long; tally != "" {
		fmt.Fprintln(m, tally)
	}
}

// newGame asks for the opponent, unless flags name the players, and for the options of a game, and
// plays it.
func (m *lineMenu) newGame(b digit.Book) error {
	isPlayer := func(f string) bool {
		return strings.HasPrefix(f, "--p1=") || strings.HasPrefix(f, "--p2=")
	}
	var players []string
	var err error
	if !slices.ContainsFunc(m.flags, isPlayer) {
		m.printTally(b)
		if players, err = m.players(); err != nil {
			return err
		}
	}
	text, err := m.ask("Options, such as target=11 --best-of 3 --turn-time 30s. Enter for none: ")
	if err != nil {
		return err
	}
	options := strings.Fields(text)
	args := []string{"play"}
	for word := range strings.FieldsSeq(m.settings.RulesFor(b).String()) {
		key, _, _ := strings.Cut(word, "=")
		given := func(o string) bool { return strings.HasPrefix(o, key+"=") }
		if !slices.ContainsFunc(options, given) {
			args = append(args, word)
		}
	}
	m.settings.Book = b.Name
	if err := m.saveSettings(); err != nil {
		m.report(err)
	}
	return m.run(slices.Concat(args, players, m.flags, options)...)
}

// players asks for the opponent, and returns the flags for the players.
func (m *lineMenu) players() ([]string, error) {
	s := &m.settings
	level := s.Levels[match.Two]
	levels := strings.Join(bot.LevelNames(), ", ")
	text, err := m.ask("Opponent: a level of the computer (" + levels +
		"), or person for two people here. Enter for " + level + ": ")
	if err != nil {
		return nil, err
	}
	opponent := cmp.Or(strings.ToLower(text), level)
	if opponent == "person" {
		opponent, s.Opponent = "human", tui.Person
	} else if _, err := bot.ParseLevel(opponent); err != nil {
		return nil, err
	} else {
		s.Opponent, s.Levels[match.Two] = tui.Computer, opponent
	}
	flags := []string{"--p2", opponent}
	switch names := s.Names; {
	case opponent != "human" && names[match.One] != "":
		flags = append(flags, "--names", names[match.One])
	case opponent == "human" && names[match.One] != "" && names[match.Two] != "":
		flags = append(flags, "--names", names[match.One]+","+names[match.Two])
	}
	return flags, nil
}

// puzzle asks which puzzle is wanted.
func (m *lineMenu) puzzle() error {
	text, err := m.ask("A game and options, such as dilemma --level skilled. " +
		"Enter for any puzzle: ")
	if err != nil {
		return err
	}
	return m.run(append([]string{"puzzle"}, strings.Fields(text)...)...)
}

// server asks for the address of a server.
func (m *lineMenu) server() error {
	prompt := "The address of a server, or a link that you were given"
	if m.settings.Server != "" {
		prompt += ". Enter for " + m.settings.Server
	}
	text, err := m.ask(prompt + ": ")
	if text = cmp.Or(text, m.settings.Server); err != nil || text == "" {
		return err
	}
	return m.run("join", text)
}
