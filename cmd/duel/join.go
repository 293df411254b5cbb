package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/match/remote"
	"digitduel/rulebook"
	"digitduel/ui/cli"
	"digitduel/ui/tui"
)

// A joining plays at a table of a server.
type joining struct {
	name, opponent string
	first          int
	terms          match.Terms // of a new table
	randomOpening  bool
	watch          bool

	link     remote.Link
	user     userAt
	server   *remote.Client
	keyboard closingKeyboard
	out      io.Writer
}

func joinCommand() *cobra.Command {
	j := joining{user: localUser}
	cmd := &cobra.Command{
		Use:   "join URL [GAME [key=value…]]",
		Short: "Join or open a table on a server",
		Long: "URL is the address of a server, or a link:\n" +
			"server\tlist its tables, to join, watch or open one\n" +
			"server GAME\topen a table, for a friend by default\n" +
			"invitation\ttake the seat\n" +
			"seat\tcontinue at this seat\n" +
			"table\tcontinue at your seat, take a free one, or watch\n" +
			"Your seats are saved: the command printed when you leave, the list of the server " +
			"and duel play --continue bring you back. If the server is down, " +
			"your move is sent when it is back, and never played twice.",
		Example: "duel join http://localhost:8080\n" +
			"duel join http://localhost:8080 dilemma --opponent casual\n" +
			"duel join http://localhost:8080/t/TABLE --watch",
		Args: func(_ *cobra.Command, args []string) (err error) {
			if len(args) == 0 {
				return usagef("join: missing server URL or table link " +
					"(try: duel join http://localhost:8080)")
			}
			if j.link, err = remote.ParseLink(args[0]); err != nil {
				return usageError{err}
			}
			if len(args) > 1 && j.link.Table != "" {
				return usagef("join %s: a link to a table takes no game; leave out %s",
					args[0], strings.Join(args[1:], " "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return j.run(cmd, args[1:]) },
	}
	f := cmd.Flags()
	f.StringVar(&j.name, "name", "", "your name (default the last one)")
	f.BoolVar(&j.watch, "watch", false, "watch, even if a seat is free")
	lineFlags(cmd)
	titled(f, "For a new table", func() {
		f.StringVar(&j.opponent, "opponent", match.Friend,
			"friend (gets a link), anyone, or a level")
		f.IntVar(&j.first, "first", 1, "player who starts: 1 (you) or 2")
		addTerms(cmd, &j.terms, &j.randomOpening, "allow hints")
	})
	complete(cmd, "opponent", append([]string{match.Friend, match.Anyone}, bot.LevelNames()...)...)
	renamed(cmd, "with", "opponent", "lot", "random-opening")
	return cmd
}

// run finds a place and plays there.
func (j *joining) run(cmd *cobra.Command, game []string) (err error) {
	ctx := cmd.Context()
	j.out = wrapping(cmd, cmd.OutOrStdout())
	if j.name, err = match.CleanName(j.name); err != nil {
		return usageError{err}
	}
	if err := j.connect(); err != nil {
		return err
	}
	switch listed := len(game) == 0 && j.link.Table == ""; {
	case listed && !inLines(cmd) && cmd.Flags().NFlag() == 0:
		return openScreen(cmd, tui.Start{Server: j.link.Server})
	case listed:
		return j.list(ctx)
	}
	var lively bool
	j.keyboard, lively = keyboardOf(cmd)
	defer j.keyboard.Close()
	place, err := j.find(cmd, game)
	if err != nil {
		return untilQuit(err)
	}
	// the menu proposes the server; without that the user types it again
	_ = changeSettings(func(s *tui.Settings) { s.Server = j.link.Server })
	table, err := j.server.Join(ctx, place)
	if err != nil {
		return err
	}
	defer table.Close()
	watch := remote.Link{Server: j.link.Server, Table: place.Table}.String()
	if !inLines(cmd) {
		j.keyboard.Close() //nolint:errcheck // the screen takes over
		err = openScreen(cmd, tui.Start{Sitting: tui.Sitting{
			Table: table.Table, Mine: table.Seats(), Remote: table, Invite: place.Invite,
		}})
	} else {
		err = j.lines(cmd, table, place, watch, lively)
	}
	if table.InDoubt() {
		fmt.Fprintln(j.out, "The server has not confirmed your last move. "+
			"Come back to see whether it was played.")
	}
	if table.State().Phase() == match.Over {
		return errors.Join(err, j.server.Leave(place.Table))
	}
	comeBack(j.out, watch)
	return err
}

// connect makes the client of the server. Without a name, the user has the last one.
func (j *joining) connect() (err error) {
	if j.server, err = j.user(j.link.Server); err == nil {
		j.name, j.link.Server = cmp.Or(j.name, j.server.Name), j.server.URL()
	}
	return err
}

// comeBack prints the command that leads back to a table.
func comeBack(out io.Writer, link string) { fmt.Fprintln(out, "Come back: duel join", link) }

// returning returns how to join the table of a seat again.
func returning(seat remote.SavedSeat) *joining {
	return &joining{user: localUser, link: remote.Link{Server: seat.Server, Table: seat.Table}}
}

// lastSeat returns the user's last seat at a server, if there is more to play.
func lastSeat() (seat remote.SavedSeat, ok bool, err error) {
	user, err := localUser("")
	if err != nil {
		return seat, false, err
	}
	seat, ok = user.Last()
	return seat, ok, nil
}

// lines plays line by line.
func (j *joining) lines(
	cmd *cobra.Command, table *remote.Table, place remote.Place, watch string, lively bool,
) error {
	game := &cli.Game{
		Table: table.Table, Remote: table, Keyboard: j.keyboard,
		Colour: lively && os.Getenv("NO_COLOR") == "", Solve: solving(cmd),
	}
	if place.Invite != "" {
		invitation, _ := rulebook.Invitation(table.State().Setup.Rules, "")
		if table.State().Setup.Listed {
			invitation = rulebook.WaitingForAnybody
		}
		game.Invite = invitation.Long + "\n  " + place.Invite + "\n"
	}
	game.Invite += "To watch: " + watch + "\n"
	return game.Run(cmd.Context())
}

// find returns the place to play or watch at: a new table, or that of the link.
func (j *joining) find(cmd *cobra.Command, game []string) (remote.Place, error) {
	ctx := cmd.Context()
	if len(game) > 0 {
		rules, err := agreedRules(ctx, j.keyboard, game, bothTerminals(cmd))
		if err != nil {
			return remote.Place{}, err
		}
		return j.open(ctx, rules)
	}
	place, err := j.sit(ctx, j.link.Table, j.link.Token)
	if errors.Is(err, match.ErrNoTable) {
		err = errors.Join(err, j.server.Leave(j.link.Table))
	}
	return place, err
}

// open opens a table.
func (j *joining) open(ctx context.Context, rules digit.Rules) (p remote.Place, err error) {
	setup := match.Setup{Rules: rules, Terms: j.terms, Names: [2]string{j.name}}
	setup.Pair = j.terms.Pair || j.randomOpening
	_, unknown := bot.ParseLevel(j.opponent)
	switch {
	case j.first < 1 || j.first > 2:
		return p, usagef("first %d: allowed: 1, 2", j.first)
	case unknown != nil && j.opponent != match.Friend && j.opponent != match.Anyone:
		return p, unknownLevel("opponent", j.opponent, fmt.Errorf("opponent %q: allowed: friend, "+
			"anyone, %s", j.opponent, strings.Join(bot.LevelNames(), ", ")))
	}
	if err := setup.CheckEffect(); err != nil {
		return p, usageError{err}
	}
	if j.randomOpening && setup.Swap {
		return p, usageError{errOpeningSwap}
	}
	order := setup.Order()
	order.First, order.Seats[match.Two], order.RandomOpening = j.first, j.opponent, j.randomOpening
	return j.place(ctx, order)
}

// place opens a table, and saves the seat.
func (j *joining) place(ctx context.Context, order match.Order) (remote.Place, error) {
	p, err := j.server.Open(ctx, order, rand.Text())
	if err == nil {
		err = j.server.Keep(p, j.name, "")
	}
	return p, err
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

// seatsFile holds the user's seats at tables of servers.
var seatsFile = userFile{dataDir, "seats.json"}

// A userAt returns a client of a server with a user's seats.
type userAt func(server string) (*remote.Client, error)

// localUser is the userAt of this computer's user.
func localUser(server string) (*remote.Client, error) {
	seats := remote.Storage{Load: seatsFile.read, Save: seatsFile.write}
	c, err := remote.NewClient(server, nil, seats)
	if err != nil {
		return nil, fmt.Errorf("seats at servers: %w", err)
	}
	return c, nil
}

// tables returns the tables of the server that the user can join or watch, beginning with the
// user's own that are not public.
func (j *joining) tables(ctx context.Context) (list []tui.ListedTable, err error) {
	add := func(table, name, about string) {
		link := remote.Link{Server: j.link.Server, Table: table}
		list = append(list, tui.ListedTable{Link: link.String(), Name: name, About: about})
	}
	tables, err := j.server.Tables(ctx)
	for _, table := range j.server.Recent(tables, 3) {
		add(table, "Your table "+table, "You have a seat there.")
	}
	for _, t := range tables {
		add(t.ID, rulebook.Title(t.Rules)+": "+rulebook.Goal(t.Rules).Short, j.describe(t))
	}
	return list, err
}

// list prints the tables of the server, and the commands to join or open one.
func (j *joining) list(ctx context.Context) error {
	tables, err := j.tables(ctx)
	if err != nil {
		return err
	}
	if len(tables) == 0 {
		fmt.Fprintf(j.out, "No table is open at %s.\n", j.link.Server)
	} else {
		fmt.Fprintf(j.out, "Tables at %s, and how to join or watch them:\n", j.link.Server)
	}
	for _, t := range tables {
		fmt.Fprintf(j.out, "  %s. %s\n    duel join %s\n", t.Name, t.About, t.Link)
	}
	fmt.Fprintf(j.out, "To open a table: duel join %s GAME\n  %s\n",
		j.link.Server, strings.Join(digit.AllNames(), ", "))
	return nil
}

// describe returns a description of a table: its players and its terms.
func (j *joining) describe(t match.Listed) string {
	setup := match.Setup{Names: t.Names}
	one, two := setup.Name(match.One), setup.Name(match.Two)
	text := one + " and " + two + " play."
	switch {
	case j.server.Seat(t.ID).Token != "":
		text = "You have a seat here."
	case t.Phase == match.Waiting:
		text = "A player waits for you."
		if host := cmp.Or(t.Names[match.One], t.Names[match.Two]); host != "" {
			text = host + " waits for you."
		}
	}
	start := ""
	if t.RandomOpening {
		start = rulebook.RandomOpening
	}
	terms, err := t.Read()
	if err != nil { // the server is newer
		return text + " Unreadable terms: " + err.Error() + "."
	}
	return text + " " + rulebook.Agreed(t.Rules, terms, start)
}
