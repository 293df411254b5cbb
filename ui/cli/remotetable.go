package cli

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// RemoteTable reports the state of a shared table, besides its events.
type RemoteTable interface {
	// Seats returns the seats that are played from here.
	Seats() []match.Seat
	// Presence returns who is present, and a channel that is closed when this or the result of Lost
	// has changed.
	Presence() (match.Presence, <-chan struct{})
	// Lost returns why the table cannot be reached; nil: it can. [match.ErrRekeyed] and
	// [match.ErrNoTable] are final.
	Lost() error
}

// plays reports whether a seat is played from this keyboard.
func (g *Game) plays(seat match.Seat) bool {
	return g.state.Levels[seat] == "" &&
		(g.Remote == nil || slices.Contains(g.Remote.Seats(), seat))
}

// mine returns the seat that is played from here; ok is false for a watcher.
func (g *Game) mine() (seat match.Seat, ok bool) {
	if seats := g.Remote.Seats(); len(seats) > 0 {
		return seats[0], true
	}
	return 0, false
}

// arriveRemote shows the state of a shared table.
func (g *Game) arriveRemote() {
	g.people, g.changed = g.Remote.Presence()
	if g.state.Phase() == match.Waiting {
		g.say(g.Invite)
	} else {
		g.say(g.screen.boards())
		g.say(standing(g.state))
	}
	g.await()
}

// await asks for the answer that the table waits for, if a player here gives it.
func (g *Game) await() {
	g.picked, g.hints = 0, 0
	s := g.state
	seat, plays := g.mine()
	switch {
	case g.doing != nil:
		return // its result follows
	case !plays:
		g.ask("(you watch) ", g.notNow)
	case s.Phase() == match.Waiting:
		g.ask("(waiting for a player) ", g.notNow)
	case s.Asking && s.Asker != seat && s.Turn() == seat:
		g.ask("Allow it? (y/n, or your move) ", g.readUndo)
	case s.Asking && s.Asker != seat:
		g.ask("Allow it? (y/n) ", g.readUndo)
	case s.Playing() && s.Turn() == seat:
		g.startTurn()
	case s.Playing():
		g.ask(
			"("+strings.TrimSuffix(
				rulebook.Turn(
					s.Setup.Rules, s.Position, g.narrator().Sides(), false).Long, ".")+") ",
			g.notNow)
	case s.SeriesOver():
		g.ask("Play again? (y/n) ", g.readRematch)
	case s.Ready[seat]:
		g.ask("(the next game begins soon) ", g.notNow)
	default:
		g.ask("Press Enter for the next game. ", g.readNext)
	}
}

// notNow handles a line when only commands are expected.
func (g *Game) notNow(_ context.Context, text string) error {
	switch _, plays := g.mine(); {
	case text == "":
		return g.again()
	case plays && g.state.Playing():
		return slip(
			rulebook.NotYourTurn(
				g.narrator().Sides(), g.state.Setup.Rules.Turn(g.state.Position)).Long + orHelp)
	default:
		return slip("There is nothing to answer now." + orHelp)
	}
}

// yesOrNo reads a yes or a no.
func yesOrNo(text string) (yes bool, err error) {
	return IsYes(cmp.Or(text, "?")) // nothing is not an answer
}

// readUndo reads the answer to a request to take back a move, or a move, which ends the request.
func (g *Game) readUndo(ctx context.Context, text string) error {
	if seat, _ := g.mine(); g.state.Turn() == seat {
		if _, _, err := g.screen.readTurn(text); err == nil {
			return g.readDigit(ctx, text)
		}
	}
	yes, err := yesOrNo(text)
	if err != nil {
		return err
	}
	if yes {
		return g.act(ctx, 0, match.AgreeUndo)
	}
	return g.act(ctx, 0, match.RefuseUndo)
}

func (g *Game) readNext(ctx context.Context, _ string) error { return g.act(ctx, 0, match.Next) }

func (g *Game) readRematch(ctx context.Context, text string) error {
	seat, _ := g.mine()
	yes, err := yesOrNo(text)
	switch {
	case err != nil:
		return err
	case yes && g.state.Again[seat]:
		return slip(g.narrator().Offer(match.RematchAsked, seat).Long)
	case yes:
		return g.act(ctx, 0, match.Rematch)
	case g.state.Again[seat.Other()]:
		g.leaving = true
		return g.act(ctx, 0, match.RefuseRematch)
	default:
		return ErrQuit
	}
}

// act runs an act of a seat: at a shared table, that of the player here. A computer that replaces a
// player is a casual one.
func (g *Game) act(ctx context.Context, seat match.Seat, act match.Act) error {
	if g.Remote != nil {
		var plays bool
		if seat, plays = g.mine(); !plays {
			return slip("You watch this table; only its two players can do that.")
		}
	}
	err := late(g.do(ctx, func(ctx context.Context) (match.State, error) {
		return g.Table.Do(ctx, seat, act, "casual")
	}))
	if err != nil {
		return slip(g.refusal(err))
	}
	return nil
}

// do runs an act at the table. At a shared table that may take long, so it runs in the background.
func (g *Game) do(ctx context.Context, act func(context.Context) (match.State, error)) error {
	if g.Remote == nil {
		_, err := act(ctx)
		return err
	}
	if g.lost {
		g.sayIn(warn, rulebook.Unconfirmed.Long+"\n")
	}
	done := make(chan error, 1)
	g.doing, g.answer = done, nil
	go func() {
		_, err := act(ctx)
		done <- err
	}()
	return nil
}

// did handles the result of an act.
func (g *Game) did(err error) error {
	g.doing = nil
	if g.leaving {
		return ErrQuit
	}
	if late(err) != nil {
		g.sayIn(warn, g.refusal(err)+"\n")
	}
	if g.Table.State().Seq == g.state.Seq || err != nil { // else its event asks again
		g.await()
	}
	return nil
}

// gone leaves the table, which continues.
func (g *Game) gone(err error) error {
	if g.doing != nil {
		<-g.doing // it ends with its context
	}
	if errors.Is(err, ErrQuit) {
		return nil
	}
	return err
}

// refusal explains why an act was refused.
func (g *Game) refusal(err error) string {
	var illegal *digit.MoveError
	if errors.As(err, &illegal) {
		return rulebook.Refused(
			g.state.Setup.Rules, g.state.Position, illegal, g.narrator().Sides()).Long
	}
	if text, ok := rulebook.RefusedAct(err); ok {
		return text
	}
	return rulebook.Complete(err.Error())
}

// lookAround reports who has come or gone, and whether the table can be reached.
func (g *Game) lookAround() {
	var people match.Presence
	people, g.changed = g.Remote.Presence() // before Lost, so that no change is missed
	lost := g.Remote.Lost()
	switch {
	case lost != nil && !g.lost && g.doing != nil:
		g.sayIn(warn, rulebook.Unconfirmed.Long+"\n")
	case errors.Is(lost, match.ErrRekeyed):
		g.sayIn(warn, rulebook.LoggedOut.Long+"\n")
	case errors.Is(lost, match.ErrNoTable):
		g.sayIn(warn, rulebook.NoTable.Short+".\n")
	case lost != nil && !g.lost:
		g.sayIn(warn, rulebook.ServerLost.Long+"\n")
	case lost == nil && g.lost:
		g.say(rulebook.ServerBack.Long + "\n")
	}
	told := lost != nil != g.lost
	g.lost = lost != nil
	for _, seat := range match.Seats {
		if people.Seats[seat] == g.people.Seats[seat] || g.plays(seat) || g.state.Open[seat] ||
			g.state.Levels[seat] != "" || g.state.Away[seat] || g.lost {
			continue
		}
		said := rulebook.NotHere(g.state.Setup.Name(seat))
		if people.Seats[seat] {
			said = rulebook.IsHere(g.state.Setup.Name(seat))
		}
		g.say(said.Long + "\n")
		told = true
	}
	if !g.lost {
		g.people = people
	}
	if told && g.answer != nil {
		_ = g.again() // below the report
	}
}
