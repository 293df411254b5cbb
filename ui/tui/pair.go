package tui

import (
	"strings"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/ui/tui/draw"
)

// A pair holds the two players of a game, by side.
type pair [2]struct {
	name    string
	seat    match.Seat
	you     bool   // the only person at this screen
	level   string // the level of a computer; empty: it is none
	unnamed bool   // a computer without a name
	program bool   // a program that took the seat itself
}

// pairOf returns the players at a table at which a seat starts. Neither is the reader.
func pairOf(s match.Setup, starter match.Seat) (two pair) {
	for side, seat := range []match.Seat{starter, starter.Other()} {
		p := &two[side]
		p.name, p.seat, p.level, p.program = s.Name(seat), seat, s.Levels[seat], s.IsAgent(seat)
		// it has no name of its own
		if p.level != "" && strings.EqualFold(p.name, p.level+" bot") {
			p.unnamed, p.name = true, "Computer"
			if s.Levels[seat.Other()] != "" {
				p.name = rulebook.Capital(p.level)
			}
		}
	}
	return two
}

// pairIn returns the players of a recorded game. Neither is the reader.
func pairIn(r digit.Rules, played match.GameInfo) pair {
	two := pairOf(played.Setup(r), played.Starts)
	for side := range two {
		two[side].program = played.Agents[two[side].seat]
	}
	return two
}

// cast returns the players as sentences name them, by side.
func (two pair) cast() (c rulebook.Cast) {
	for side, p := range two {
		c.Names[side], c.You[side], c.Computer[side] = p.name, p.you, p.level != ""
	}
	return c
}

// label returns the text above the number of a side.
func (two pair) label(side digit.Side) string {
	if two[side].you {
		return "You"
	}
	if two[side].unnamed {
		return "Computer (" + two[side].level + ")"
	}
	if two[side].program {
		return two[side].name + " (program)"
	}
	return two[side].name
}

// short returns the label within a width. The level of a computer stays whole, if it fits.
func (two pair) short(side digit.Side, width int) string {
	name, p := two.label(side), two[side]
	for _, shorter := range []string{p.name, p.level} {
		if shorter != "" && draw.Width(name) > width {
			name = shorter
		}
	}
	return draw.CutTo(name, width)
}

func (two pair) tone(side digit.Side) draw.Tone { return draw.One + draw.Tone(two[side].seat) }

// order returns the sides as they are shown: Player 1 first, unless the board is flipped.
func (two pair) order(flip bool) [2]digit.Side {
	if flip == (two[digit.First].seat == match.One) {
		return [2]digit.Side{digit.Second, digit.First}
	}
	return [2]digit.Side{digit.First, digit.Second}
}
