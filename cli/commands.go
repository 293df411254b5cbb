package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// commandHelp lists the words that may be typed at any prompt instead of an answer.
const commandHelp = `At any prompt:
  help    this list
  rules   the rules of this game
  hint    a good move, where hints are allowed
  undo    take back the digit just picked, or the last move
  resign  give up this game
  quit    leave; the game stays unfinished
`

// command returns what a word does that is a command.
func (g *Game) command(word string) (do func(context.Context) error, ok bool) {
	switch strings.ToLower(word) {
	case "help", "?":
		return g.help, true
	case "rules":
		return g.explain, true
	case "hint":
		return g.hint, true
	case "undo":
		return g.undo, true
	case "resign":
		return g.resign, true
	case "quit", "exit":
		return g.quit, true
	}
	return nil, false
}

func (g *Game) help(context.Context) error {
	rules := g.state.Setup.Rules
	goal := rulebook.Goal(rules)
	if g.AutoCall {
		goal = rulebook.Goal(rulebook.AutoCalled(rules))
	}
	text := "\n" + goal.Short + ".\nPick a digit by typing it"
	switch rules.Place {
	case digit.Slots:
		text += ", then a place by its name, the beginning of its name or its letter\n" +
			"(a is the leftmost); both fit in one line: " + g.screen.oneLine() + ".\n"
	case digit.Ends:
		text += ", then L or R for the end of your number; both fit in one line: " + g.screen.oneLine() + ".\n"
	case digit.Hand:
		text += ".\n"
		if rules.Win == digit.OnCall {
			text += "With the digit that fills your hand you may call a number made of the whole hand; both fit\n" +
				"in one line: " + g.screen.oneLine() + ".\n"
		}
	}
	g.say("", text+commandHelp+"\n")
	return g.again()
}

// oneLine shows ways to type a whole turn in one line, with the highest digits there are.
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
	g.say("", "\n"+rulebook.Explain(g.state.Setup.Rules)+"\n")
	return g.again()
}

func (g *Game) hint(context.Context) error {
	if !g.state.HintsAllowed() {
		return slip(rulebook.HintsOff.Short + ".")
	}
	s, err := g.Solve()
	if err != nil {
		return slip(err.Error())
	}
	hint, _ := coach.Advise(s, g.state.Position, g.screen.typist()) // the game is under way
	for d := range g.picked.All() {
		hint, _ = coach.AdviseWith(s, g.state.Position, d, g.screen.typist()) // it could be picked
	}
	g.say("", "Hint: "+hint.Reason+"\n")
	return g.again()
}

// undo takes back a digit that is picked but not yet placed, or else the last move.
func (g *Game) undo(ctx context.Context) error {
	if g.picked != 0 {
		g.say("", "The digit is put back.\n")
		g.startTurn()
		return nil
	}
	seat := g.state.Turn().Other()
	if g.state.Levels[seat] != "" {
		seat = seat.Other() // the player's own last move, and the computer's answer with it
	}
	_, err := g.Table.Undo(ctx, seat)
	if errors.Is(err, match.ErrNoUndo) {
		return slip(rulebook.NoUndo.Long)
	}
	return late(err)
}

func (g *Game) resign(ctx context.Context) error {
	_, err := g.Table.Resign(ctx, g.state.Turn())
	return late(err)
}

func (g *Game) quit(context.Context) error {
	g.say("", g.screen.left())
	return errQuit
}

// again asks once more for what was asked last.
func (g *Game) again() error {
	g.ask(g.prompt, g.answer)
	return nil
}
