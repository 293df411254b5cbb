// Package cli is the program in lines: it plays at a table, with prompts and boards as the
// rulebooks print them and answers as people type them, prints solutions, figures and reviews, and
// keeps files of games.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A Game plays a whole series in lines, at one keyboard.
type Game struct {
	Table    *match.Table // the caller plays the seats that have a level
	Keyboard Keyboard
	Solve    func(digit.Rules) (*solve.Solution, error) // for hints and reviews
	// saves each finished game, and one that is left; nil: none is saved
	Keep   func(digit.Record) error
	Goal   bool // begin with the goal, and how to get help
	Toss   bool // say that a coin decided who starts
	Colour bool // mark turns, slips and endings by colour
	Review bool // review each game when it is over
	Offer  bool // offer a review when a game is over

	Remote RemoteTable // of a shared table; nil: all players are here
	Invite string      // the text about its links

	state  match.State
	screen screen
	// takes the next line; nil: no line is expected
	answer func(ctx context.Context, text string) error
	prompt string // the prompt of the expected line
	// the digit whose place or call is asked for; 0: none
	picked digit.Pool
	// the number of hint steps shown at this prompt
	hints  int
	helped bool // the player had help in this game
	over   bool // the series is over

	doing   <-chan error    // delivers the result of an act in progress; nil: there is none
	leaving bool            // leave the game after the act
	people  match.Presence  // the players who were present at the last look
	changed <-chan struct{} // closed when presence or connection has changed; nil: never
	lost    bool            // the table could not be reached at the last look
}

// A Keyboard reads lines that a person types.
type Keyboard interface {
	// Ask shows a prompt and requests a line, which [Keyboard.Lines] delivers. If one is already
	// requested, it only changes the prompt.
	Ask(prompt string)
	// Lines delivers the typed lines.
	Lines() <-chan Line
	// Write shows text, above the prompt if there is one.
	io.Writer
}

// A Line is a typed line, or the reason why there are no more: io.EOF, or ErrInterrupted.
type Line struct {
	Text string
	Err  error
}

// Errors of a game that is left before its end.
var (
	ErrInterrupted = errors.New("interrupted")
	ErrEnded       = errors.New("the input ended")
	ErrQuit        = errors.New("quit")
)

// Run plays until the series is over or the players leave. It begins the next game, unless one is
// under way, and owns the table while it runs, unless another program keeps it.
func (g *Game) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	after := 0
	if state := g.Table.State(); g.Remote != nil || state.Game > 0 {
		g.arrive(state)
		after = state.Seq
	}
	steps := make(chan match.Step)
	watching := make(chan struct{})
	go func() {
		defer close(watching)
		for e, after := range g.Table.Watch(ctx, after) {
			select {
			case steps <- match.Step{Event: e, After: after}:
			case <-ctx.Done():
				return
			}
		}
	}()
	defer func() { cancel(); <-watching }()
	if g.Remote == nil && !g.state.Playing() {
		if _, err := g.Table.Begin(ctx); err != nil {
			return err
		}
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		var err error
		select {
		case step := <-steps:
			err = g.see(ctx, step.Event, step.After)
		case line := <-g.Keyboard.Lines():
			err = g.typed(ctx, line)
		case done := <-g.doing:
			err = g.did(done)
		case <-g.changed:
			g.lookAround()
		case <-tick.C:
			g.showClock()
		case <-ctx.Done():
			err = ErrInterrupted
		}
		switch {
		case err == nil && !g.over:
			continue
		case g.Remote != nil:
			cancel()
			return g.gone(err)
		case errors.Is(err, ErrQuit):
			err = nil
		case !errors.Is(err, ErrInterrupted) && !errors.Is(err, ErrEnded):
		case g.state.Playing():
			err = fmt.Errorf("%w; the game is left unfinished", err)
		case !g.state.SeriesOver():
			err = fmt.Errorf("%w; the series is left unfinished", err)
		}
		if g.state.Playing() && g.Keep != nil { // the table may have a move that is not shown yet
			err = errors.Join(err, g.Keep(g.Table.State().Record()))
		}
		return err
	}
}

// arrive shows the state of a table that was there before, and asks for the next answer.
func (g *Game) arrive(s match.State) {
	g.state, g.screen = s, newScreen(s)
	g.say(rulebook.Title(s.Setup.Rules) + ". " + g.goal() + "." + askForHelp)
	if g.Remote != nil {
		g.arriveRemote()
		return
	}
	g.say(computers(g.narrator().Seats().Names, s.Levels, s.Setup.Agents()) + standing(s))
	if s.Playing() {
		g.say("\n" + g.screen.boards())
		g.startTurn()
	}
}

// see shows an event and the state after it, and asks for the next answer.
func (g *Game) see(ctx context.Context, e match.Event, after match.State) error {
	before := g.state
	g.state, g.screen = after, newScreen(after)
	if e.Kind == match.Opened {
		return nil
	}
	ended := before.Playing() && !after.Playing()
	var notKept error
	if ended && g.Keep != nil {
		notKept = g.Keep(g.record()) // first, so that everything shown survives a crash
	}
	g.describe(e, before)
	if ended {
		g.answer = nil
		g.sayIn(happy, g.screen.ending())
	}
	switch {
	case g.Remote != nil:
		if ended {
			g.say(standing(after))
		}
		g.await()
		return nil
	case after.Playing():
		g.startTurn()
		return nil
	case notKept != nil:
		return notKept
	case g.Offer:
		g.say("\n")
		g.ask("Review this game? (y/N) ", g.readReview)
		return nil
	case g.Review:
		return g.review(ctx)
	default:
		return g.goOn(ctx)
	}
}

// describe describes an event. Before is the state before it. An end without a move is described by
// the ending.
func (g *Game) describe(e match.Event, before match.State) {
	var look style
	if e.Auto || e.Kind == match.Faulted {
		look = warn
	}
	g.helped = e.Kind == match.Undone || g.helped && e.Kind != match.Began
	switch remote := g.Remote != nil; {
	case e.Kind == match.Began:
		g.say(g.beginning())
		g.say(g.screen.opening())
	case e.Kind == match.Moved:
		switch {
		case e.Auto && !g.state.Playing(), !remote && !g.plays(e.Seat): // the board shows the rest
			g.sayIn(look, g.moved(e, before)+"\n")
		case e.Auto || !g.plays(e.Seat): // the prompts are for players who answer them
			g.sayIn(look, g.narrator().Move(e.Auto).Long+"\n")
		}
		g.say(g.screen.after(g.picked != 0 && !e.Auto))
	case g.state.Playing() || !before.Playing():
		text := g.narrator().Event(e, before).Long
		if text == "" {
			return
		}
		g.sayIn(look, text+"\n")
		if e.Kind.Matters() {
			g.say(g.screen.boards())
		}
	}
}

// moved describes a move of the computer or the clock, without the number it makes.
func (g *Game) moved(e match.Event, before match.State) string {
	cast := g.narrator().Sides()
	turn := g.state.Setup.Rules.Turn(before.Position)
	if !e.Auto {
		cast.Names[turn] += " (computer)"
	}
	said := rulebook.Say(g.state.Setup.Rules, cast, func(v rulebook.Voice) string {
		if e.Auto {
			return v.Random(before.Position, *e.Move)
		}
		return v.Who(turn) + " " + v.Did(before.Position, e.Move.Uncalled())
	})
	return said.Long + "."
}

// narrator returns the narrator of the table. If all players are here, none of them is "you".
func (g *Game) narrator() rulebook.Narrator {
	n := rulebook.Narrator{State: g.state}
	if g.Remote != nil {
		for _, seat := range g.Remote.Seats() {
			n.You[seat] = true
		}
	}
	return n
}

// readReview reads the answer to the offer of a review.
func (g *Game) readReview(ctx context.Context, text string) error {
	yes, err := IsYes(text)
	switch {
	case err != nil:
		return err
	case yes:
		return g.review(ctx)
	}
	return g.goOn(ctx)
}

func (g *Game) review(ctx context.Context) error {
	var review coach.Review
	s, err := g.Solve(g.state.Setup.Rules)
	if err == nil {
		review, err = coach.ReviewGame(s, g.state.Record(), g.screen.cast())
	}
	if err != nil {
		g.sayIn(warn, "\n"+err.Error()+"\n")
	} else {
		g.say("\n" + ReviewText(review, g.screen.cast(), false))
	}
	return g.goOn(ctx)
}

// goOn begins the next game of the series, if there is one.
func (g *Game) goOn(ctx context.Context) error {
	g.answer = nil
	g.say(standing(g.state))
	if g.state.SeriesOver() {
		g.over = true
		return nil
	}
	g.say("\n")
	_, err := g.Table.Begin(ctx)
	return err
}

// record returns the record of the game.
func (g *Game) record() digit.Record {
	if g.helped {
		return coach.Helped(g.state.Record())
	}
	return g.state.Record()
}

// startTurn asks the player to move for a digit, if it is a person here.
func (g *Game) startTurn() {
	g.picked, g.hints = 0, 0
	g.sayIn(strong, g.screen.heading())
	g.answer = nil
	if g.plays(g.state.Turn()) {
		if g.state.MaySwap() {
			g.say(g.screen.askSwap() + " Type swap to do so.\n")
		}
		g.ask(g.screen.askDigit(), g.readDigit)
	}
}

// beginning returns the text before a game that the book does not have.
func (g *Game) beginning() string {
	text := ""
	if g.Goal && g.state.Game == 1 {
		text = g.goal() + "." + askForHelp
	}
	if g.state.Game == 1 {
		text += computers(g.narrator().Seats().Names, g.state.Levels, g.state.Setup.Agents())
	}
	if text != "" {
		text += "\n"
	}
	s, toss := g.state, g.Toss && g.state.Game == 1
	if toss || s.Setup.Length() > 0 {
		text += rulebook.Begins(
			g.narrator().Seats(), digit.Side(s.Starter()), s.Game-s.Before, s.Setup.Length(), toss,
		).Long
		if s.Setup.Targets != (match.Targets{}) {
			text += " " + g.goal() + "."
		}
		text += "\n\n"
	}
	if s.Given > 0 {
		text += rulebook.Opened(s.Setup.Rules, s.Moves, g.narrator().Sides()).Long + "\n\n"
	}
	return text
}

// goal describes how this game is won.
func (g *Game) goal() string {
	return rulebook.Goal(g.narrator().Rules()).Short
}

// standing returns the text after a game of a series.
func standing(s match.State) string {
	if s.Setup.Length() == 0 {
		return ""
	}
	return "\n" + rulebook.Narrator{State: s}.Series().Long + "\n"
}

// typed handles a line: an answer to the prompt, or a command.
func (g *Game) typed(ctx context.Context, line Line) error {
	switch {
	case errors.Is(line.Err, io.EOF) && g.state.SeriesOver():
		return g.goOn(ctx) // no answer means no review
	case errors.Is(line.Err, io.EOF):
		return ErrEnded
	case line.Err != nil:
		return line.Err
	case g.answer == nil:
		return nil
	}
	text := strings.TrimSpace(line.Text)
	var err error
	if do, ok := g.command(text); ok {
		err = do(ctx)
	} else {
		err = g.answer(ctx, text)
	}
	var s slip
	if errors.As(err, &s) {
		g.sayIn(warn, s.Error()+"\n")
		return g.again()
	}
	return err
}

func (g *Game) readDigit(ctx context.Context, text string) error {
	d, rest, err := g.screen.readTurn(text)
	switch {
	case err != nil:
		return err
	case g.state.Setup.Rules.Place == digit.Hand:
		return g.pick(ctx, d, rest)
	case rest != "":
		return g.place(ctx, d, rest)
	}
	if err := g.pickUp(d); err != nil {
		return late(err)
	}
	g.ask(g.screen.askPlace(d), func(ctx context.Context, text string) error {
		return g.place(ctx, d, text)
	})
	return nil
}

func (g *Game) place(ctx context.Context, d digit.Digit, text string) error {
	spot, err := g.screen.readPlace(text, d)
	if err != nil {
		return err
	}
	return g.play(ctx, digit.Move{Digit: d, Spot: spot})
}

// pick takes a digit into the hand and, if that fills it, asks for a call.
func (g *Game) pick(ctx context.Context, d digit.Digit, call string) error {
	r, p := g.state.Setup.Rules, g.state.Position
	switch {
	case call != "":
		return g.call(ctx, d, call)
	case !r.MayCall(p), g.state.Setup.AutoCall: // the table calls
		return g.play(ctx, digit.Move{Digit: d})
	}
	if err := g.pickUp(d); err != nil {
		return late(err)
	}
	g.say(g.screen.picked(d) + "\n")
	g.ask(g.screen.askCall(), func(ctx context.Context, text string) error {
		return g.call(ctx, d, text)
	})
	return nil
}

// pickUp reports the picked digit to the table, which keeps it if time runs out.
func (g *Game) pickUp(d digit.Digit) error {
	g.picked, g.hints = digit.PoolOf(d), 0
	return g.Table.Pick(g.state.Turn(), d, g.state.Seq)
}

func (g *Game) call(ctx context.Context, d digit.Digit, text string) error {
	m, err := g.screen.readCall(text, d)
	if err != nil {
		return err
	}
	return g.play(ctx, m)
}

func (g *Game) play(ctx context.Context, m digit.Move) error {
	seat, seen := g.state.Turn(), g.state.Seq
	return late(g.do(ctx, func(ctx context.Context) (match.State, error) {
		return g.Table.PlayAfter(ctx, seat, m, seen)
	}))
}

// late returns nil for an act that came too late: an event explains it.
func late(err error) error {
	if match.Late(err) {
		return nil
	}
	return err
}

// ask asks for an answer. The next event cancels it.
func (g *Game) ask(prompt string, answer func(context.Context, string) error) {
	g.prompt, g.answer = prompt, answer
	g.Keyboard.Ask(g.clock() + g.mark(ask, prompt))
}

// clock returns the time left, for the start of a prompt.
func (g *Game) clock() string {
	at, timed := g.state.Deadline()
	if !timed {
		return ""
	}
	left := max(0, time.Until(at).Round(time.Second))
	return fmt.Sprintf("[%d:%02d] ", int(left.Minutes()), int(left.Seconds())%60)
}

// showClock updates the time in the prompt, if the keyboard can do this.
func (g *Game) showClock() {
	if live, ok := g.Keyboard.(interface{ Retitle(prompt string) }); ok && g.answer != nil &&
		g.clock() != "" {
		live.Retitle(g.clock() + g.mark(ask, g.prompt))
	}
}

func (g *Game) say(text string) { g.sayIn("", text) }

func (g *Game) sayIn(s style, text string) {
	if text != "" {
		fmt.Fprint(g.Keyboard, g.mark(s, text))
	}
}

// A style is a colour of text on a terminal.
type style string

const (
	strong style = "1"
	ask    style = "36"
	warn   style = "31"
	happy  style = "1;32"
)

// mark colours text line by line, if colours are on.
func (g *Game) mark(s style, text string) string {
	if !g.Colour || s == "" {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if words := strings.TrimRight(line, "\n"); words != "" {
			b.WriteString("\x1b[" + string(s) + "m" + words + "\x1b[0m" + line[len(words):])
		} else {
			b.WriteString(line)
		}
	}
	return b.String()
}
