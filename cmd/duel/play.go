package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"digitduel/bot"
	"digitduel/bot/sit"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/ui/cli"
	"digitduel/ui/tui"
)

// playFlags are the flags of duel play.
type playFlags struct {
	players              [2]string // as given
	levels, commands     [2]string // as read
	names, first, record string
	terms                match.Terms
	randomOpening        bool
	review, resume       bool
}

func playCommand() *cobra.Command {
	var o playFlags
	cmd := &cobra.Command{
		Use:   "play [GAME [key=value…]]",
		Short: "Play a game",
		Long: "Two people play at one keyboard, one person plays against the computer or a " +
			"program, or they play alone. A PLAYER is human, a level (duel help levels) or " +
			"engine:COMMAND. The games and their options are listed by duel help games and duel " +
			"help options. Without a game, the menu opens with these settings. Where players " +
			"agree on a target, you are asked for one unless you name it, as in target=11.\n\n" +
			"On a terminal the game fills the screen. In line mode, and in a pipe, type help at " +
			"any prompt.",
		Example: "duel play dilemma --p2 casual\n" +
			"duel play divisibility target=11 --best-of 3 --names Ada,Ben\n" +
			"duel play --continue",
		ValidArgsFunction: completeRules,
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			o.levels, o.commands, err = playersOf(o.players)
			switch {
			case err != nil:
				return err
			case o.resume:
				return continueGame(cmd, args)
			case len(args) == 0:
				return o.openMenu(cmd)
			}
			return o.play(cmd, args)
		},
	}
	f := cmd.Flags()
	for i, player := range []string{"Player 1: human, a level or engine:COMMAND", "Player 2"} {
		name := fmt.Sprintf("p%d", i+1)
		f.StringVar(&o.players[i], name, "human", player)
		complete(cmd, name, append([]string{"human"}, bot.LevelNames()...)...)
	}
	f.StringVar(&o.names, "names", "", "names of the players; one is enough against the computer")
	f.StringVar(&o.first, "first", "1", "player who starts")
	addTerms(cmd, &o.terms, &o.randomOpening, "allow hints (default on a terminal)")
	f.BoolVar(&o.review, "review", false, "review each game when it is over")
	f.BoolVar(&o.resume, "continue", false, "continue your last game, here or at a server")
	f.StringVar(&o.record, "record", "", "append each game to this file")
	f.Uint64("seed", 0, seedText)
	lineFlags(cmd)
	complete(cmd, "first", "1", "2", "random")
	renamed(cmd, "lot", "random-opening")
	return cmd
}

// openMenu opens the menu to choose a game, with the flags as its settings.
func (o *playFlags) openMenu(cmd *cobra.Command) error {
	if !bothTerminals(cmd) {
		return missingGame(cmd)
	}
	setup, _, err := o.setup(cmd, digit.Books[0].Rules)
	if err != nil {
		return err
	}
	if inLines(cmd) || o.review || o.commands != [2]string{} {
		return openLineMenu(cmd)
	}
	given := cmd.Flags().Changed
	flags := tui.SettingsOf(setup)
	change := func(w *tui.Settings) {
		if given("p1") || given("p2") {
			w.Opponent, w.Levels = flags.Opponent, flags.Levels
		}
		if given("names") {
			w.Names = flags.Names
		}
		switch {
		case o.tossed():
			w.First = tui.CoinToss
		case given("first"):
			w.First = flags.First
		}
		for _, option := range match.Options {
			if given(option.Name) {
				_ = option.Set(&w.Terms, option.Get(setup.Terms)) // which was read before
			}
		}
		if w.Terms.Hints = false; given("hints") {
			w.Hints = setup.Hints
		}
		if given("random-opening") {
			w.RandomOpening, w.Pair = o.randomOpening, setup.Pair
		}
	}
	return openScreen(cmd, tui.Start{NewGame: change})
}

// givenFlags returns the flags of a command line.
func givenFlags(cmd *cobra.Command) (flags []string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		switch {
		case value == "" && f.Value.Type() == "bool": // a termFlag that is off
			value = "false"
		case value == "": // a termFlag with its default
			return
		}
		flags = append(flags, "--"+f.Name+"="+value)
	})
	return flags
}

// tossed reports whether a coin decides who starts.
func (o *playFlags) tossed() bool { return strings.EqualFold(o.first, "random") }

// setup returns the setup of a table by the flags, and a random generator with their seed.
func (o *playFlags) setup(cmd *cobra.Command, rules digit.Rules) (match.Setup, *rand.Rand, error) {
	given := cmd.Flags().Changed
	setup := match.Setup{Rules: rules, Levels: o.levels, Terms: o.terms}
	setup.FreeUndo = slices.Contains(o.levels[:], "")
	setup.Pair = o.terms.Pair || o.randomOpening
	switch {
	case given("best-of") && setup.BestOf == 0: // in a Setup, 0 means that there is no series
		return setup, nil, usagef("best of 0: allowed: an odd number of games from 1 to %d",
			match.MaxBestOf)
	case given("record") && o.record == "":
		return setup, nil, usagef("record \"\": missing file name")
	}
	rng := rand.New(rand.NewPCG(seedOf(cmd), 0))
	var err error
	if setup.First, err = whoStarts(o.first, rng); err != nil {
		return setup, nil, usageError{err}
	}
	if given("names") {
		if setup.Names, err = splitNames(o.names, setup.Levels); err != nil {
			return setup, nil, usageError{err}
		}
	}
	if err := setup.Check(); err != nil {
		return setup, nil, usageError{err}
	}
	return setup, rng, nil
}

// play plays a game, on the full screen or line by line.
func (o *playFlags) play(cmd *cobra.Command, args []string) error {
	given := cmd.Flags().Changed
	keyboard, _ := keyboardOf(cmd)
	ask := bothTerminals(cmd) && !given("targets")
	rules, err := agreedRules(cmd.Context(), keyboard, args, ask)
	keyboard.Close() //nolint:errcheck // the game opens its own
	if err != nil {
		return untilQuit(err)
	}
	setup, rng, err := o.setup(cmd, rules)
	if err != nil {
		return err
	}
	if err := cmp.Or(checkEffect(setup, args, o.tossed(), given), setup.CheckEffect()); err != nil {
		return usageError{err}
	}
	if !given("hints") { // a program in a pipe asks for the hints it wants
		setup.Hints = bothTerminals(cmd) && slices.Contains(setup.Levels[:], "")
	}
	engines, err := sit.StartEngines(cmd.Context(), o.commands, &setup)
	if err != nil {
		return err
	}
	defer engines.Close()
	onScreen := !inLines(cmd) && !o.review
	if onScreen && engines == (sit.Engines{}) {
		settings := tui.SettingsOf(setup)
		settings.RandomOpening = o.randomOpening // the screen draws it
		if o.tossed() {
			settings.First = tui.CoinToss
		}
		return openScreen(cmd, tui.Start{Play: &settings})
	}
	solved := solving(cmd)
	if o.randomOpening {
		if setup.Openings, err = randomOpenings(solved, rules, rng); err != nil {
			return err
		}
	}
	game := &cli.Game{Solve: solved, Toss: o.tossed(), Review: o.review}
	lines := &linePlay{
		cmd: cmd, game: game, engines: engines, seed: seedOf(cmd), screen: onScreen,
	}
	switch {
	case onScreen: // it saves games
	case o.record != "":
		if err := mayWrite("record", o.record); err != nil {
			return err
		}
		game.Keep = cli.GameFile(o.record).Add
	case bothTerminals(cmd):
		if err := lines.save(); err != nil {
			return err
		}
	}
	return lines.open(cmd.Context(), setup, rng)
}

// checkEffect returns an error if a flag has no effect. It checks what match.Setup does not know.
func checkEffect(s match.Setup, args []string, tossed bool, given func(flag string) bool) error {
	alone := s.Levels[match.One] != "" && s.Levels[match.Two] != ""
	switch {
	case given("on-timeout") && s.TurnTime == 0:
		return fmt.Errorf("on-timeout %v: turns have no time limit; set --turn-time, "+
			"or leave it out", s.OnTimeout)
	case given("targets") && namesTarget(args):
		return fmt.Errorf("targets %v: they replace the target in the rules; leave out one of "+
			"the two", s.Targets)
	case given("targets") && s.Pair:
		return fmt.Errorf("targets %v: both games of a pair have the same target; use --best-of "+
			"instead of --pair, or a target in the rules", s.Targets)
	case given("random-opening") && s.Swap:
		return errOpeningSwap
	case s.Hints && alone:
		return errors.New("hints: no person plays; leave it out")
	case s.TurnTime > 0 && alone:
		return errors.New("turn-time: no person plays; leave it out")
	case given("seed") && !tossed && !given("random-opening") && s.Levels == [2]string{} &&
		s.OnTimeout != match.Random:
		return errors.New("seed: nothing is random here; leave it out, or add a coin toss, " +
			"a level or random moves on time-out")
	}
	return nil
}

// namesTarget reports whether the words of a command line name a target.
func namesTarget(words []string) bool {
	return strings.Contains(" "+strings.ToLower(strings.Join(words, " ")), " target=")
}

// agreedRules reads a game and its options. It asks a person for a target if players agree on one
// and the words name none.
func agreedRules(
	ctx context.Context, k cli.Keyboard, words []string, ask bool,
) (digit.Rules, error) {
	r, err := rulesOf(words...)
	if err != nil || !ask || rulebook.Aims(r) == nil || namesTarget(words) {
		return r, err
	}
	return cli.AskTarget(ctx, k, r)
}

// randomOpenings draws the openings of a pair from those that are fair together.
func randomOpenings(solved solveGame, r digit.Rules, rng *rand.Rand) (match.Openings, error) {
	s, err := solved(r)
	if err != nil {
		return "", err
	}
	set, ok := coach.BalancedOpenings(s)
	if !ok {
		return "", fmt.Errorf("random-opening: no short openings of %v are fair together; "+
			"play a pair without it", r)
	}
	return match.OpeningsOf(set.Draw(rng, match.MostOpenings)...), nil
}

// complete registers the values of a flag for shell completion.
func complete(cmd *cobra.Command, flag string, values ...string) {
	fixed := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(flag, fixed); err != nil {
		panic(err)
	}
}

// playersOf reads the player of each seat: a level, or an engine with its command. A person has
// neither.
func playersOf(players [2]string) (levels, commands [2]string, err error) {
	for i, player := range players {
		flag := fmt.Sprintf("p%d", i+1)
		command, isEngine := strings.CutPrefix(player, "engine:")
		lower := strings.ToLower(player)
		switch _, err := bot.ParseLevel(lower); {
		case lower == "human":
		case isEngine:
			levels[i], commands[i] = match.EngineLevel, command
			if strings.TrimSpace(command) == "" {
				err := usagef("%s %q: missing command, as in engine:python3 my.py", flag, player)
				return levels, commands, err
			}
		case err != nil:
			err := fmt.Errorf("%s %q: allowed: human, engine:COMMAND, %s",
				flag, player, strings.Join(bot.LevelNames(), ", "))
			return levels, commands, unknownLevel(flag, player, err)
		default:
			levels[i] = lower
		}
	}
	return levels, commands, nil
}

// splitNames reads the names of both seats, or of the only person. A computer may have none.
func splitNames(text string, levels [2]string) (names [2]string, err error) {
	parts := strings.Split(text, ",")
	switch person := slices.Index(levels[:], ""); {
	case len(parts) == 1 && person >= 0 && levels[1-person] != "":
		alone := [2]string{}
		alone[person] = parts[0]
		parts = alone[:]
	case len(parts) != 2:
		return names, fmt.Errorf("names %q: need two names with a comma, as in Ada,Ben", text)
	}
	for i, part := range parts {
		if names[i], err = match.CleanName(part); err != nil {
			return names, err
		} else if names[i] == "" && levels[i] == "" {
			return names, fmt.Errorf("names %q: one is empty; need two names, as in Ada,Ben", text)
		}
	}
	return names, nil
}

// whoStarts reads the seat that starts, which may be random.
func whoStarts(text string, rng *rand.Rand) (match.Seat, error) {
	switch strings.ToLower(text) {
	case "1":
		return match.One, nil
	case "2":
		return match.Two, nil
	case "random":
		return match.Seat(rng.IntN(2)), nil
	}
	return 0, fmt.Errorf("first %q: allowed: 1, 2, random", text)
}

// A closingKeyboard is a keyboard to close after use.
type closingKeyboard interface {
	cli.Keyboard
	io.Closer
}

// keyboardOf returns a keyboard with line editing for a terminal, and plain lines without one or if
// the user asks for them. Lively reports whether it may use colour.
func keyboardOf(cmd *cobra.Command) (k closingKeyboard, lively bool) {
	in, out := cmd.InOrStdin(), cmd.OutOrStdout()
	plain := isSet(cmd, "plain")
	if !isSet(cmd, "line") {
		settings, err := readSettings()
		plain = plain || err == nil && settings.Plain
	}
	if plain || !canEdit(cmd) {
		return cli.NewPipe(in, out, bothTerminals(cmd)), false
	}
	return cli.NewTerminal(terminal(in), out), true
}

// bothTerminals reports whether the input and the output of a command are terminals.
func bothTerminals(cmd *cobra.Command) bool {
	return terminal(cmd.InOrStdin()) != nil && terminal(cmd.OutOrStdout()) != nil
}

// wrapping returns a writer that wraps lines if the output of a command is a terminal.
func wrapping(cmd *cobra.Command, out io.Writer) io.Writer {
	return cli.Wrapper{Out: out, Terminal: terminal(cmd.OutOrStdout())}
}

// terminal returns the file behind a reader or writer if it is a terminal, or nil.
func terminal(stream any) *os.File {
	if s, ok := stream.(*output); ok {
		return terminal(s.Writer)
	}
	if file, ok := stream.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return file
	}
	return nil
}
