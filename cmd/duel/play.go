package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"digitduel/bot"
	"digitduel/bot/sit"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/ui/cli"
)

func playCommand() *cobra.Command {
	var o struct {
		players              [2]string
		names, first, record string
		terms                match.Terms
		lot, plain, line     bool
		reviewed, goOn       bool
		seed                 uint64
	}
	cmd := &cobra.Command{
		Use:   "play BOOK [key=value…]",
		Short: "Play a game: two people at one keyboard, a person and the computer, or the computer alone",
		Long: "Play a game: two people at one keyboard, a person against the computer, or the computer alone. On a terminal it\n" +
			"fills the screen; with --line or --plain, and in a pipe, it goes line by line in the words of the rulebook, and help\n" +
			"tells at any prompt what can be typed.\n\n" + bookList() +
			"\nOptions of the rules: " + strings.Join(digit.Keys(), ", ") + " (see duel rules BOOK).\n\nLevels of the computer:\n" + levelList(),
		Example: "  duel play dilemma\n  duel play dilemma --p2 casual --names Ada\n  duel play sevens --auto-call --names Ada,Ben\n" +
			"  duel play divisibility target=11 pool=0-9 --best-of 3 --first random\n" +
			"  duel play highest width=4 --turn-time 30s --on-timeout random --record games.txt\n" +
			"  duel play reverse --p2 'engine:python3 my.py'\n  duel play --continue",
		ValidArgsFunction: completeRules,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if o.goOn {
				return continueGame(cmd, args, o.line, o.plain)
			}
			rules, err := rulesOf(args)
			if err != nil {
				return err
			}
			given := cmd.Flags().Changed
			setup := match.Setup{Rules: rules, Terms: o.terms, FreeUndo: true}
			setup.Pair = o.terms.Pair || o.lot
			switch {
			case given("best-of") && setup.BestOf == 0: // which is how Setup says that there is no series
				return usagef("best of 0: allowed: an odd number of games from 1 to %d", match.MaxBestOf)
			case given("record") && o.record == "":
				return usagef("record \"\": the name of a file is wanted")
			}
			if !given("seed") {
				o.seed = rand.Uint64()
			}
			rng := rand.New(rand.NewPCG(o.seed, 0))
			if setup.First, err = whoStarts(o.first, rng); err != nil {
				return usageError{err}
			}
			var commands [2]string
			if setup.Levels, commands, err = playersOf(o.players); err != nil {
				return usageError{err}
			}
			if given("names") {
				if setup.Names, err = splitNames(o.names, setup.Levels); err != nil {
					return usageError{err}
				}
			}
			tossed := o.first == "random"
			if err := setup.Check(); err != nil {
				return usageError{err}
			}
			if err := cmp.Or(checkEffect(setup, args, tossed, given), setup.CheckEffect()); err != nil {
				return usageError{err}
			}
			if !given("hints") { // what is piped in comes from a program, and asks for what it wants
				setup.Hints = isPlayed(cmd) && slices.Contains(setup.Levels[:], "")
			}
			engines, err := sit.StartEngines(cmd.Context(), commands, &setup)
			if err != nil {
				return err
			}
			defer engines.Close()
			onScreen := hasScreen(cmd) && !o.plain && !o.line && !o.reviewed
			if onScreen && engines == (sit.Engines{}) {
				return playOnScreen(cmd, setup, tossed, o.lot, o.record, o.seed)
			}
			ctx := cmd.Context()
			solved := solvingHere(cmd)
			if o.lot {
				if setup.Openings, err = drawLot(solved, rules, rng); err != nil {
					return err
				}
			}
			if onScreen {
				return playEngines(cmd, engines, setup, solved, o.record, o.seed)
			}
			game := &cli.Game{Solve: solved, Toss: tossed, Review: o.reviewed}
			lines := &linePlay{cmd: cmd, game: game, engines: engines, seed: o.seed, plain: o.plain}
			switch {
			case o.record != "":
				records, err := cli.OpenRecords(o.record)
				if err != nil {
					return fmt.Errorf("record file: %w", err)
				}
				defer records.Close() //nolint:errcheck // what is added is on the disk
				game.Keep = records.Add
			case isPlayed(cmd):
				if err := lines.save(); err != nil {
					return err
				}
			}
			return lines.open(ctx, setup, rng)
		},
	}
	f := cmd.Flags()
	for i := range o.players {
		f.StringVar(&o.players[i], fmt.Sprintf("p%d", i+1), "human", fmt.Sprintf("who plays for Player %d: human, a level of the computer, or engine:COMMAND", i+1))
		complete(cmd, fmt.Sprintf("p%d", i+1), append([]string{"human"}, bot.LevelNames()...)...)
	}
	addTerm(cmd, &o.terms, "hints", "give a hint to who asks for one, as at a terminal without --hints=false")
	f.BoolVar(&o.reviewed, "review", false, "show a review after each game without asking")
	f.StringVar(&o.names, "names", "", "the players' names, as in Ada,Ben; against the computer one will do")
	f.StringVar(&o.first, "first", "1", "who starts: 1, 2 or random")
	addTerm(cmd, &o.terms, "best-of", "play a series of at most this odd number of games that count")
	addTerm(cmd, &o.terms, "pair", "play two games, of which each player starts one; a win each is a draw")
	addTerm(cmd, &o.terms, "swap", "let whoever moves second take over the first move instead")
	f.BoolVar(&o.lot, "lot", false, "play a pair that begins with the same moves, drawn from openings that are proved even together")
	addTerm(cmd, &o.terms, "targets", "the targets of the games of a series, as in 11,13,17; after the last comes the first again")
	addTerms(cmd, &o.terms, "")
	f.Uint64Var(&o.seed, "seed", 0, "makes what is random repeatable")
	f.BoolVar(&o.goOn, "continue", false, "continue your last game")
	f.StringVar(&o.record, "record", "", "add each game to this file")
	f.BoolVar(&o.line, "line", false, "line mode")
	f.BoolVar(&o.plain, "plain", false, "line mode without colour or editing")
	complete(cmd, "first", "1", "2", "random")
	return cmd
}

// checkEffect returns nil if everything that is asked for has an effect, as far as the table does not know; else what has none.
func checkEffect(s match.Setup, args []string, tossed bool, given func(flag string) bool) error {
	alone := s.Levels[match.One] != "" && s.Levels[match.Two] != ""
	longest := s.BestOf
	if s.Rules.Drawable() {
		longest *= 2 // a draw is played again
	}
	switch {
	case given("on-timeout") && s.TurnTime == 0:
		return fmt.Errorf("on-timeout %v: without a time for each turn nothing runs out; set --turn-time, or leave it out", s.OnTimeout)
	case given("targets") && slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(strings.ToLower(arg), "target=") }):
		return fmt.Errorf("targets %v: they take the place of the target in the rules; leave out one of the two", s.Targets)
	case given("targets") && s.BestOf > 1 && len(s.Targets.List()) > longest:
		return fmt.Errorf("targets %v: a series of the best of %d has at most %d games; leave out what is not played", s.Targets, s.BestOf, longest)
	case given("lot") && s.Swap:
		return errLotSwap
	case s.Hints && alone:
		return errors.New("hints: the computer plays alone, and nobody asks for one; leave it out")
	case s.TurnTime > 0 && alone:
		return errors.New("turn-time: the computer plays alone, and at once; leave it out")
	case given("seed") && !tossed && !given("lot") && s.Levels == [2]string{} && s.OnTimeout != match.Random:
		return errors.New("seed: nothing is random here; leave it out, or let a coin, a level or a time-out decide something")
	}
	return nil
}

// drawLot draws the openings of a table.
func drawLot(solved solveGame, r digit.Rules, rng *rand.Rand) (match.Openings, error) {
	s, err := solved(r)
	if err != nil {
		return "", err
	}
	lot, ok := coach.LotOf(s)
	if !ok {
		return "", fmt.Errorf("lot: no short openings of %v are even together; play a pair without", r)
	}
	return match.OpeningsOf(lot.Draw(rng, match.MostOpenings)...), nil
}

// complete completes the values of a flag.
func complete(cmd *cobra.Command, flag string, values ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}

// splitNames reads the names of the two seats, or of the only person among them. A computer without a name has one of its own.
func splitNames(text string, levels [2]string) (names [2]string, err error) {
	parts := strings.Split(text, ",")
	switch person := slices.Index(levels[:], ""); {
	case len(parts) == 1 && person >= 0 && levels[1-person] != "":
		alone := [2]string{}
		alone[person] = parts[0]
		parts = alone[:]
	case len(parts) != 2:
		return names, fmt.Errorf("names %q: two names with a comma between are wanted, as in Ada,Ben", text)
	}
	for i, part := range parts {
		if names[i], err = match.CleanName(part); err != nil {
			return names, err
		} else if names[i] == "" && levels[i] == "" {
			return names, fmt.Errorf("names %q: a name is empty; two names are wanted, as in Ada,Ben", text)
		}
	}
	return names, nil
}

// whoStarts reads who starts, and tosses a coin for it if asked.
func whoStarts(text string, rng *rand.Rand) (match.Seat, error) {
	switch text {
	case "1":
		return match.One, nil
	case "2":
		return match.Two, nil
	case "random":
		return match.Seat(rng.IntN(2)), nil
	}
	return 0, fmt.Errorf("first %q: allowed: 1, 2, random", text)
}

func levelList() string {
	var b strings.Builder
	for _, l := range bot.Levels {
		fmt.Fprintf(&b, "  %-9s %s\n", l.Name, l.Line)
	}
	return b.String()
}

// closingKeyboard is a keyboard that is given back in the end.
type closingKeyboard interface {
	cli.Keyboard
	io.Closer
}

// keyboardOf returns a keyboard with line editing for a terminal, and plain lines without one or if
// the user asks for them. Lively reports whether it may use colour.
func keyboardOf(cmd *cobra.Command, plain bool) (k closingKeyboard, lively bool) {
	in, out := cmd.InOrStdin(), cmd.OutOrStdout()
	if m, ok := in.(*lineMenu); ok {
		return m, m.lively
	}
	if line := cmd.Flags().Lookup("line"); line == nil || !line.Changed {
		settings, err := readSettings()
		plain = plain || err == nil && settings.Plain
	}
	if plain || !canEdit(cmd) {
		return cli.NewPipe(in, out, bothTerminals(cmd)), false
	}
	file, _ := terminal(in)
	return cli.NewTerminal(file, out), true
}

// bothTerminals reports whether a command is typed and read at a terminal.
func bothTerminals(cmd *cobra.Command) bool {
	_, in := terminal(cmd.InOrStdin())
	_, out := terminal(cmd.OutOrStdout())
	return in && out
}

// wrapping returns what writes lines that fit the window if the output of a command is a terminal.
func wrapping(cmd *cobra.Command, out io.Writer) io.Writer {
	w := cli.Wrapper{Out: out}
	if file, ok := terminal(cmd.OutOrStdout()); ok {
		w.Terminal = file
	}
	return w
}

// terminal returns the file behind a reader or writer if it is a terminal.
func terminal(stream any) (*os.File, bool) {
	switch s := stream.(type) {
	case *output:
		stream = s.Writer
	case *lineMenu:
		stream = s.Reader
	}
	file, ok := stream.(*os.File)
	return file, ok && term.IsTerminal(int(file.Fd()))
}
