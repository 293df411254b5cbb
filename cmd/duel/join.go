package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"digitduel/bot"
	"digitduel/match"
	"digitduel/match/remote"
	"digitduel/rulebook"
	"digitduel/solve"
	"digitduel/ui/cli"
	"digitduel/ui/tui"
)

// A joining is what somebody wants who plays at a table of a server.
type joining struct {
	name, with              string
	first                   int
	terms                   match.Terms // of a new table
	lot, watch, line, plain bool

	link     remote.Link
	server   *remote.Client
	keyboard closingKeyboard
	out      io.Writer
}

func joinCommand() *cobra.Command {
	var j joining
	cmd := &cobra.Command{
		Use:   "join URL [BOOK [key=value…]]",
		Short: "Play at a table of a running server",
		Long: "Play at a table of a server that duel serve runs, here or on another machine. URL is the address of the server, the\n" +
			"link of a table, of a seat, or of an invitation to one:\n\n" +
			"  the server           lists the tables there, to join, to watch, or to open one\n" +
			"  the server and BOOK  opens a table, by default for a friend, who gets a link\n" +
			"  an invitation        takes the seat\n" +
			"  a seat's own link    goes on with that seat\n" +
			"  a table              goes on with the seat that you have there, takes the one that is free for anybody, or watches\n\n" +
			"The seats you take are kept among your data, so the same command brings you back. A server or a network that is away\n" +
			"is waited for, and no move is lost or played twice. Hints are given when both players agree to them.",
		Example: "  duel join http://localhost:8080\n  duel join http://localhost:8080 divisibility target=11 --best-of 3 --turn-time 30s --name Ada\n" +
			"  duel join http://localhost:8080 dilemma --with casual --line\n  duel join http://localhost:8080/t/TABLE --watch",
		Args: func(_ *cobra.Command, args []string) (err error) {
			if len(args) == 0 {
				return usagef("join: the address of a server or a link is wanted, as in duel join http://localhost:8080")
			}
			if j.link, err = remote.ParseLink(args[0]); err != nil {
				return usageError{err}
			}
			if len(args) > 1 && j.link.Table != "" {
				return usagef("join %s: a table is opened at a server, and this is the link of one; leave out %s", args[0], strings.Join(args[1:], " "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return j.run(cmd, args[1:]) },
	}
	f := cmd.Flags()
	f.StringVar(&j.name, "name", "", "what you are called; default: as the last time")
	f.BoolVar(&j.watch, "watch", false, "watch, even where a seat is free")
	f.StringVar(&j.with, "with", match.Friend, "a new table: friend for somebody who gets the link, anyone, or a level of the computer")
	f.IntVar(&j.first, "first", 1, "a new table: who starts, 1 for you or 2")
	addTerm(cmd, &j.terms, "best-of", "a new table: a series of at most this odd number of games that count")
	addTerm(cmd, &j.terms, "pair", "a new table: two games, of which each player starts one; a win each is a draw")
	addTerm(cmd, &j.terms, "swap", "a new table: whoever moves second may take over the first move instead")
	f.BoolVar(&j.lot, "lot", false, "a new table: a pair that begins with the same moves, drawn from openings that are proved even together")
	addTerm(cmd, &j.terms, "targets", "a new table: the targets of the games of a series, as in 11,13,17")
	addTerm(cmd, &j.terms, "hints", "a new table: both agree to hints")
	addTerms(cmd, &j.terms, "a new table")
	f.BoolVar(&j.line, "line", false, "line mode")
	f.BoolVar(&j.plain, "plain", false, "line mode without colour or editing")
	complete(cmd, "with", append([]string{match.Friend, match.Anyone}, bot.LevelNames()...)...)
	return cmd
}

// run finds a place and plays there.
func (j *joining) run(cmd *cobra.Command, book []string) (err error) {
	ctx := cmd.Context()
	j.out = wrapping(cmd, cmd.OutOrStdout())
	if j.server, err = userAt(j.link.Server); err != nil {
		return err
	}
	if j.name, err = match.CleanName(j.name); err != nil {
		return usageError{err}
	}
	if j.name == "" {
		j.name = j.server.Name
	}
	var lively bool
	j.keyboard, lively = keyboardOf(cmd, j.plain)
	defer j.keyboard.Close()
	place, err := j.find(ctx, book)
	if errors.Is(err, cli.ErrQuit) {
		return nil
	} else if err != nil {
		return err
	}
	table, err := j.server.Join(ctx, place)
	if err != nil {
		return err
	}
	defer table.Close()
	watch := remote.Link{Server: j.link.Server, Table: place.Table}.String()
	if hasScreen(cmd) && !j.line && !j.plain {
		j.keyboard.Close() //nolint:errcheck // the screen takes over
		err = openScreen(cmd, tui.Start{Table: table.Table, Mine: table.Seats(), Remote: table, Invite: place.Invite}, "", solve.DefaultBudget, uint64(time.Now().UnixNano()))
	} else {
		err = j.lines(ctx, cmd, table, place, watch, lively)
	}
	if table.InDoubt() {
		fmt.Fprintln(j.out, "The server has not confirmed what you sent last. It may have been played; come back to see.")
	}
	if table.State().Phase() != match.Over {
		fmt.Fprintf(j.out, "The table goes on. To come back: duel join %s\n", watch)
	}
	return err
}

// lines plays line by line.
func (j *joining) lines(ctx context.Context, cmd *cobra.Command, table *remote.Table, place remote.Place, watch string, lively bool) error {
	game := &cli.Game{
		Table: table.Table, Remote: table, Keyboard: j.keyboard, Colour: lively && os.Getenv("NO_COLOR") == "",
		Solve: solvingHere(cmd),
	}
	if place.Invite != "" {
		told, _ := rulebook.Invitation(table.State().Setup.Rules, "")
		if table.State().Setup.Listed {
			told = rulebook.WaitingForAnybody
		}
		game.Invite = told.Long + "\n  " + place.Invite + "\n"
	}
	game.Invite += "To watch: " + watch + "\n"
	return game.Run(ctx)
}

// find returns the place to play at or watch: at a new table, that of the link, or one that is chosen from a list.
func (j *joining) find(ctx context.Context, book []string) (remote.Place, error) {
	switch {
	case len(book) > 0:
		return j.open(ctx, book, j.with)
	case j.link.Table != "":
		return j.sit(ctx, j.link.Table, j.link.Token)
	default:
		return j.choose(ctx)
	}
}

// open opens a table with somebody.
func (j *joining) open(ctx context.Context, book []string, with string) (p remote.Place, err error) {
	rules, err := rulesOf(book)
	if err != nil {
		return p, err
	}
	setup := match.Setup{Rules: rules, Terms: j.terms, Names: [2]string{j.name}}
	setup.Pair = j.terms.Pair || j.lot
	_, unknown := bot.ParseLevel(with)
	switch {
	case j.first < 1 || j.first > 2:
		return p, usagef("first %d: allowed: 1, 2", j.first)
	case unknown != nil && with != match.Friend && with != match.Anyone:
		return p, usagef("with %q: allowed: friend, anyone, %s", with, strings.Join(bot.LevelNames(), ", "))
	}
	if err := setup.CheckEffect(); err != nil {
		return p, usageError{err}
	}
	if j.lot && setup.Swap {
		return p, usageError{errLotSwap}
	}
	order := setup.Order()
	order.First, order.Seats[match.Two], order.Lot = j.first, with, j.lot
	if p, err = j.server.Open(ctx, order, rand.Text()); err != nil {
		return p, err
	}
	return p, j.server.Keep(p, j.name, "")
}

// sit takes a seat at a table, or watches if there is none.
func (j *joining) sit(ctx context.Context, table, token string) (remote.Place, error) {
	if j.watch {
		return remote.Place{Table: table}, nil
	}
	p, err := j.server.Take(ctx, table, token, j.name)
	if errors.Is(err, remote.ErrInvited) {
		fmt.Fprintln(j.out, rulebook.SeatTaken.Long)
		err = nil
	}
	return p, err
}

// seatsFile holds the seats that the user has at tables of servers.
var seatsFile = kept{dataDir, "seats.json"}

// userAt returns the user as a client of a server.
func userAt(server string) (*remote.Client, error) {
	text, err := seatsFile.read()
	if err != nil {
		return nil, fmt.Errorf("seats at other tables: %w", err)
	}
	c, err := remote.NewClient(server, text, seatsFile.write)
	if err != nil {
		return nil, fmt.Errorf("seats at other tables: %w", err)
	}
	return c, nil
}
