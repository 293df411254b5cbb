package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"digitduel/bot"
	"digitduel/cli"
	"digitduel/digit"
	"digitduel/match"
)

func playCommand() *cobra.Command {
	var o struct {
		players                         [2]string
		names, first, onTimeout, record string
		bestOf                          int
		turnTime                        time.Duration
		autoCall, plain, line           bool
		hints, reviewed                 bool
		seed                            uint64
	}
	cmd := &cobra.Command{
		Use:   "play BOOK [key=value…]",
		Short: "Play a game: two people at one keyboard, a person and the computer, or the computer alone",
		Long: "Play a game: two people at one keyboard, a person against the computer, or the computer alone. On a terminal it\n" +
			"fills the screen; with --line or --plain, and in a pipe, it goes line by line in the words of the rulebook, and help\n" +
			"tells at any prompt what can be typed.\n\nBooks:\n" + bookList() +
			"\nOptions of the rules: " + optionKeys() + " (see duel rules BOOK).\n\nLevels of the computer:\n" + levelList(),
		Example: "  duel play dilemma\n  duel play dilemma --p2 casual --hints\n  duel play sevens --auto-call --names Ada,Ben\n" +
			"  duel play divisibility target=11 pool=0-9 --best-of 3 --first random\n" +
			"  duel play highest width=4 --turn-time 30s --on-timeout random --record games.txt",
		ValidArgsFunction: completeRules,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			rules, err := rulesOf(args)
			if err != nil {
				return err
			}
			setup := match.Setup{Rules: rules, BestOf: o.bestOf, TurnTime: o.turnTime, FreeUndo: true}
			if cmd.Flags().Changed("best-of") && o.bestOf == 0 { // which is how Setup says that there is no series
				return usagef("best of 0: allowed: an odd number of games from 1 to %d", match.MaxBestOf)
			}
			if setup.OnTimeout, err = match.ParseTimeoutRule(o.onTimeout); err != nil {
				return usageError{err}
			}
			if setup.Names, err = splitNames(o.names); err != nil {
				return usageError{err}
			}
			if !cmd.Flags().Changed("seed") {
				o.seed = rand.Uint64()
			}
			rng := rand.New(rand.NewPCG(o.seed, 0))
			if setup.First, err = whoStarts(o.first, rng); err != nil {
				return usageError{err}
			}
			if err := setup.Check(); err != nil {
				return usageError{err}
			}
			levels, err := levelsOf(o.players)
			if err != nil {
				return usageError{err}
			}
			if hasScreen(cmd) && !o.plain && !o.line && !o.reviewed {
				return playOnScreen(cmd, setup, o.first == "random", levels, o.hints, o.autoCall, o.record, o.seed)
			}
			game := &cli.Game{AutoCall: o.autoCall, Toss: o.first == "random"}
			if o.record != "" {
				records, err := cli.OpenRecords(o.record)
				if err != nil {
					return fmt.Errorf("record file: %w", err)
				}
				defer records.Close()
				game.Keep = records.Add
			}
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			keyboard, colour := keyboardOf(cmd.InOrStdin(), cmd.OutOrStdout(), o.plain)
			defer keyboard.Close()
			game.Keyboard, game.Colour = keyboard, colour
			teacher := &teacher{rules: rules, errs: cmd.ErrOrStderr()}
			if o.hints {
				game.Hint = func(p digit.Position) (cli.Hint, error) { return teacher.hint(ctx, p) }
			}
			if _, line := keyboard.(*cli.Terminal); line || o.reviewed {
				game.Review = func(rec digit.Record) (string, error) { return teacher.review(ctx, rec) }
				game.Offer = !o.reviewed
			}
			if game.Table, err = match.Open(ctx, "here", setup, new(match.Memory), rng); err != nil {
				return err
			}
			defer game.Table.Close()
			leave, err := teacher.seat(ctx, game, levels, o.seed)
			if err != nil {
				return err
			}
			defer leave()
			return game.Run(ctx)
		},
	}
	f := cmd.Flags()
	for i := range o.players {
		f.StringVar(&o.players[i], fmt.Sprintf("p%d", i+1), "human", fmt.Sprintf("who plays for Player %d: human, or a level of the computer", i+1))
		complete(cmd, fmt.Sprintf("p%d", i+1), append([]string{"human"}, bot.LevelNames()...)...)
	}
	f.BoolVar(&o.hints, "hints", false, "allow hints: the best move and the reason for it")
	f.BoolVar(&o.reviewed, "review", false, "show a review after each game without asking")
	f.StringVar(&o.names, "names", "", "the players' names, as in Ada,Ben")
	f.StringVar(&o.first, "first", "1", "who starts: 1, 2 or random")
	f.IntVar(&o.bestOf, "best-of", 0, "play a series of at most this odd number of games that count")
	f.DurationVar(&o.turnTime, "turn-time", 0, "the time for each turn, as in 30s")
	f.StringVar(&o.onTimeout, "on-timeout", "lose", "when a turn's time runs out: lose, or random for a random move")
	f.BoolVar(&o.autoCall, "auto-call", false, "with hands: call the highest multiple for whoever has one")
	f.Uint64Var(&o.seed, "seed", 0, "makes what is random repeatable")
	f.StringVar(&o.record, "record", "", "add each game to this file")
	f.BoolVar(&o.line, "line", false, "on a terminal: line by line, with editing and colours, instead of the full screen")
	f.BoolVar(&o.plain, "plain", false, "line by line without colours, line editing or a running clock")
	complete(cmd, "first", "1", "2", "random")
	complete(cmd, "on-timeout", "lose", "random")
	return cmd
}

// complete completes the values of a flag.
func complete(cmd *cobra.Command, flag string, values ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}

func splitNames(text string) (names [2]string, err error) {
	if text == "" {
		return names, nil
	}
	parts := strings.Split(text, ",")
	if len(parts) != 2 {
		return names, fmt.Errorf("names %q: two names with a comma between are wanted, as in Ada,Ben", text)
	}
	for i, part := range parts {
		if names[i] = strings.TrimSpace(part); names[i] == "" {
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

// closingKeyboard is a keyboard that is given back in the end.
type closingKeyboard interface {
	cli.Keyboard
	io.Closer
}

// keyboardOf returns line editing and colours for a terminal, and plain lines for everything else.
func keyboardOf(in io.Reader, out io.Writer, plain bool) (k closingKeyboard, colour bool) {
	inFile, inOK := terminal(in)
	_, outOK := terminal(out)
	both := inOK && outOK
	if plain || !both || os.Getenv("TERM") == "dumb" {
		return cli.NewPipe(in, out, both), false
	}
	return cli.NewTerminal(inFile, out), os.Getenv("NO_COLOR") == ""
}

// terminal returns the file behind a reader or writer if it is a terminal.
func terminal(stream any) (*os.File, bool) {
	if o, ok := stream.(*output); ok {
		stream = o.Writer
	}
	file, ok := stream.(*os.File)
	return file, ok && term.IsTerminal(int(file.Fd()))
}
