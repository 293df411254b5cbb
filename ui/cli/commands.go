package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

// commandHelp lists the commands that can be typed at any prompt.
const commandHelp = `At any prompt:
  help    this list
  rules   the rules of this game
  board   what both players have, and what is left
  hint    what to look for; again: the idea, then the move
  values  what every move leads to with best play
  swap    take over the first move, where that was agreed
  undo    take back the digit just picked, or the last move
  resign  give up this game
  quit    leave; a game under way stays unfinished
`

// command returns the action of a command.
func (g *Game) command(text string) (do func(context.Context) error, ok bool) {
	word := strings.Join(strings.Fields(strings.ToLower(text)), " ")
	switch {
	case g.state.Playing() && g.takes(word):
		return nil, false
	case !g.state.Playing() && g.needsGame(word):
		return func(context.Context) error { return slip(rulebook.NoGameNow.Long) }, true
	}
	do, ok = map[string]func(context.Context) error{
		"help": g.help, "?": g.help, "rules": g.explain,
		"board": g.board, "show": g.board, "status": g.board, "b": g.board,
		"hint": g.hint, "values": g.values, "analysis": g.values, "undo": g.undo,
		"quit": g.quit, "exit": g.quit,
	}[word]
	if ok {
		return do, true
	}
	if g.Remote != nil && (word == "link" || word == "links") {
		return func(context.Context) error { return g.reply(g.Invite) }, true
	}
	for _, c := range rulebook.Commands {
		if c.Word == word && (g.Remote != nil || !c.Shared) {
			return func(ctx context.Context) error {
				return g.act(ctx, g.state.Turn(), c.Act)
			}, true
		}
	}
	return nil, false
}

// needsGame reports whether a command needs a game under way.
func (g *Game) needsGame(word string) bool {
	return slices.Contains([]string{"hint", "values", "analysis"}, word) ||
		slices.ContainsFunc(rulebook.Commands, func(c rulebook.Command) bool {
			return c.Word == word && (g.Remote != nil || !c.Shared) && c.Act.InGame()
		})
}

// takes reports whether a letter is a digit or a place that the prompt asks for, and so not a
// command.
func (g *Game) takes(word string) bool {
	if len(word) != 1 {
		return false
	}
	if g.picked != 0 {
		return g.state.Setup.Rules.Place == digit.Slots && len(g.screen.spotsNamed(word)) > 0
	}
	return strings.Contains(g.state.Setup.Rules.Pool.List(""), word)
}

func (g *Game) help(context.Context) error {
	text := ""
	switch {
	case g.state.Playing():
		text = g.typing()
	case g.Remote == nil:
		text = "\nThe game is over. Type y for yes, or press Enter for no.\n"
	}
	text += commandHelp + actHelp(false, 6)
	if g.Remote != nil {
		text += "At this table also:\n  link      the links: to invite a player, and to watch\n" +
			actHelp(true, 8)
	}
	return g.reply(text + "\n")
}

// actHelp lists the acts that have no fixed help, by whether they need a shared table. Words are as
// wide as the others of the list.
func actHelp(shared bool, width int) (text string) {
	for _, c := range rulebook.Commands {
		if c.Help != "" && c.Shared == shared {
			text += fmt.Sprintf("  %-*s  %s\n", width, c.Word, c.Help)
		}
	}
	return text
}

// typing describes the goal of the game, and how to type a turn.
func (g *Game) typing() string {
	rules := g.state.Setup.Rules
	text := "\n" + g.goal() + ".\nPick a digit by typing it"
	switch rules.Place {
	case digit.Slots:
		text += ", then a place by its name, the beginning of its name or its letter\n" +
			"(a is the leftmost); both fit in one line: " + g.screen.oneLine() + ".\n"
	case digit.Ends:
		text += ", then L or R for the end of your number; both fit in one line: " +
			g.screen.oneLine() + ".\n"
	case digit.Hand:
		text += ".\n"
		if rules.Win == digit.OnCall {
			text += "With the digit that fills your hand you may call a number made of the whole " +
				"hand; both fit\nin one line: " + g.screen.oneLine() + ".\n"
		}
	}
	return text
}

// oneLine returns examples of a whole turn in one line, with the highest digits.
func (s screen) oneLine() string {
	digits := slices.Collect(s.rules().Pool.All())
	slices.Reverse(digits)
	switch d := digits[0].String(); s.rules().Place {
	case digit.Ends:
		return d + "R or " + d + " right"
	case digit.Hand:
		return d + " " + digit.PoolOf(digits[:s.rules().Width]...).List("")
	default:
		name := strings.ToLower(s.places[0])
		ways := []string{d + " " + name, d + "a"}
		if short := name[:1]; len(s.spotsNamed(short)) == 1 && short != "a" {
			ways = slices.Insert(ways, 1, d+short)
		}
		return strings.Join(ways, " or ")
	}
}

func (g *Game) explain(context.Context) error {
	return g.reply("\n" + rulebook.Explain(g.state.Setup.Rules) + "\n")
}

// board shows both numbers, the digits that are left, and the picked one.
func (g *Game) board(context.Context) error {
	text := g.screen.boards()
	if g.picked != 0 {
		text += "Picked: " + g.picked.List("") + "\n"
	}
	return g.reply(text)
}

// helps returns the solution of the game, if the player to move may ask for help.
func (g *Game) helps() (*solve.Solution, error) {
	switch {
	case !g.state.HintsAllowed():
		return nil, slip(rulebook.HintsOff.Short + ".")
	case !g.plays(g.state.Turn()):
		return nil, slip(rulebook.NotYourTurn(
			g.screen.cast(), g.state.Setup.Rules.Turn(g.state.Position)).Long)
	}
	s, err := g.Solve(g.state.Setup.Rules)
	if err != nil {
		return nil, slip(err.Error())
	}
	return s, nil
}

// values shows the value of every move.
func (g *Game) values(context.Context) error {
	s, err := g.helps()
	if err != nil {
		return err
	}
	var text strings.Builder
	g.helped = true
	PrintAnalysis(&text, s, g.state.Position)
	return g.reply("\n" + text.String() + "\n")
}

// hint shows the next step of a hint: what to look for, the idea, the move.
func (g *Game) hint(context.Context) error {
	s, err := g.helps()
	if err != nil {
		return err
	}
	hint, _ := coach.Advise(s, g.state.Position, g.screen.typist()) // the game is in progress
	for d := range g.picked.All() {
		hint, _ = coach.AdviseWith(s, g.state.Position, d, g.screen.typist()) // it could be picked
	}
	steps := hintSteps(hint)
	if told := coach.Swap(s, g.state.Position).Long; told != "" && g.state.Swaps() {
		steps = []string{told}
	}
	step := min(g.hints, len(steps)-1)
	g.hints, g.helped = g.hints+1, true
	text := "Hint: " + steps[step]
	if step < len(steps)-1 {
		text += " (type hint again for more)"
	}
	return g.reply(text + "\n")
}

// hintSteps returns the steps of a hint.
func hintSteps(h coach.Hint) []string {
	return slices.DeleteFunc([]string{h.Look, h.Idea, h.Reason}, func(step string) bool {
		return step == ""
	})
}

// undo puts back a picked digit, or takes back the last move.
func (g *Game) undo(ctx context.Context) error {
	if g.picked != 0 {
		g.Table.PutBack(g.state.Seq)
		g.say("The digit is put back.\n")
		g.startTurn()
		return nil
	}
	seat := g.state.Turn().Other()
	if !g.plays(seat) {
		seat = seat.Other() // the player's own last move, and the computer's reply
	}
	return g.act(ctx, seat, match.Undo)
}

func (g *Game) quit(context.Context) error {
	switch {
	case g.Remote != nil:
		return ErrQuit // the table continues
	case g.state.Playing():
		g.say(g.screen.left())
	default:
		g.say(standing(g.state))
	}
	return ErrQuit
}

// reply answers a command, and shows the last prompt again.
func (g *Game) reply(text string) error {
	g.say(text)
	return g.again()
}

// again shows the last prompt again.
func (g *Game) again() error {
	g.ask(g.prompt, g.answer)
	return nil
}
