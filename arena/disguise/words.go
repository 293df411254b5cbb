package disguise

import (
	"fmt"
	"slices"
	"strings"

	"digitduel/digit"
)

// Goal returns the part of the rules about winning, without digits and without the ranking.
func (g *Game) Goal() string {
	t := describer{g, spell}
	end, _, _ := strings.Cut(t.end(), "\n\n")
	return strings.TrimSpace(t.winning() + " " + end)
}

// Writing returns the part of the rules about how a move is written.
func (g *Game) Writing() string { return describer{g, spell}.writing() }

// Result returns a result in words: "first wins: nothing is left over", "draw: nothing decides",
// or "*" for a game that is not over.
func (d *Disguise) Result(r digit.Result) string {
	text := "draw"
	if winner, ok := r.Winner(); ok {
		text = winner.String() + " wins"
	} else if !r.Over() {
		return "*"
	}
	switch r.Reason {
	case digit.Multiple:
		return text + ": nothing is left over"
	case digit.Miscalled:
		return text + ": of what was called something is left over"
	case digit.ByAbove, digit.ByBelow, digit.ByNearest:
		return text + ": by what is left over"
	case digit.ByHigher, digit.ByLower:
		return text + ": by the ranking"
	case digit.ByLater:
		return text + ": by the last token"
	case digit.Equal:
		return text + ": nothing decides"
	default: // given by a table
		return text + ": " + r.Reason.String()
	}
}

// Refused explains why a move is not legal in a position, and lists what is.
func (d *Disguise) Refused(p digit.Position, e *digit.MoveError) string {
	return d.Move(e.Move) + ": " + d.whyNot(p, e)
}

func (d *Disguise) whyNot(p digit.Position, e *digit.MoveError) string {
	g, m := &d.Game, d.encodeMove(e.Move)
	token, places := g.Tokens[m.token].Name, d.placesFor(p, e.Move.Digit)
	lead := "into " + g.leading()
	if g.Form == Line {
		lead = "at " + g.leading()
	}
	switch e.Breach {
	case digit.GameOver:
		return "the game is over"
	case digit.Taken:
		return fmt.Sprintf("%s is taken; left: %s", token, d.Left(p))
	case digit.Filled:
		return fmt.Sprintf("%s is filled; empty: %s", g.Places[m.place].Name, list(places))
	case digit.LeadingZero:
		return fmt.Sprintf("%s may not be put %s; allowed: %s", token, lead, list(places))
	case digit.NoSpot:
		return fmt.Sprintf("%s may not be put %s, and there is no other place for it; "+
			"take another token", token, lead)
	case digit.NotCalled:
		return "nothing is called in this game; allowed: " + token
	case digit.TooEarly:
		return "you may call only with the token that fills your hand; allowed: " + token
	case digit.OtherDigits:
		return fmt.Sprintf("a call is made of the tokens of your hand, each once: %s, %s",
			d.Row(p, d.Rules.Turn(p)), token)
	case digit.CallZero:
		return fmt.Sprintf("in a call %s is never put %s", g.Tokens[g.Blank].Name, lead)
	case digit.NoSuchSpot, digit.NotInPool: // explained below; every token is in the pool
	}
	return fmt.Sprintf("it may not be put there; allowed: %s", list(places))
}

// placesFor returns the names of the places that a digit may be put in, sorted so that the order
// gives nothing away.
func (d *Disguise) placesFor(p digit.Position, one digit.Digit) (names []string) {
	if d.Game.Form == Held {
		return nil
	}
	for m := range d.Rules.Moves(p) {
		if m.Digit == one {
			names = append(names, d.Game.Places[d.encodeMove(m).place].Name)
		}
	}
	slices.Sort(names)
	return names
}
