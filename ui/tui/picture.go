package tui

import (
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/ui/tui/draw"
)

// A picture holds everything that the screen shows of a position.
type picture struct {
	*board
	title, about, right string // the top line
	rules               digit.Rules
	at                  digit.Position
	turn                bool         // a player is to move
	clock               string       // the time left; empty: there is no limit
	hurry               int          // the seconds left, if there are few
	result              digit.Result // the result of a finished game
	moves               []digit.Move // the moves of the game
	ply                 int          // the number of moves before the position
	travel              travel       // the step of the last move's animation
	given               int          // the number of moves of the given opening
	taken               bool         // the first move was taken over
	past                bool         // it is a past position of the game
	by                  rulebook.By  // who chose the last move
	worth               *insight     // the values of all moves; nil: they are not shown
	lines               []line       // lines about the position
	prompt              prompt
	news                string // the last event
	holds               string // a lasting state of the table, such as an offer
	offer               string // an alternative to a move, which accept takes
	aside               string // a remark for a place that is otherwise empty
	series              string // the number of the game in its series

	accept act // the acts of clicks
	look   func(ply int) act

	chart func(*canvas, draw.Area) // draws a chart in place of the pool; nil: there is none
}

// A prompt is the first sentence below the numbers, and how to answer it.
type prompt struct {
	badge string    // the player to move or the winner, on a coloured background
	tone  draw.Tone // the tone of the badge
	rulebook.Said
	how string
}

// said returns a text of the screen itself, which is the same in every form.
func said(text string) rulebook.Said { return rulebook.Said{Short: text, Long: text} }

// A line is a line about the position.
type line struct {
	text string
	draw.Style
	rank  int    // where room is short, the highest is left out first, as in the footer
	brief string // a shorter form; empty: there is none
	badge string // the words before it, on a coloured background
	do    act    // the act of a click; nil: none
}

// lineOf returns a line of text in a style.
func lineOf(s draw.Style, text string) line { return line{text: text, Style: s} }

// isNew reports whether the move that led to the position added a digit.
func (p *picture) isNew(d digit.Digit) bool { return p.ply > 0 && p.moves[p.ply-1].Digit == d }

// played describes the move that led to the position.
func (p *picture) played() rulebook.Said {
	switch {
	case p.ply <= p.given:
		return rulebook.Opened(p.rules, p.moves[:p.ply], p.pair.cast())
	case p.ply == 1 && p.taken:
		it := p.voice().Back(digit.Position{}, p.moves[0])
		return rulebook.Offered(match.Swapped, p.pair.cast(), digit.First, it)
	}
	before := after(p.rules, p.moves[:p.ply-1])
	return rulebook.Played(p.rules, before, p.moves[p.ply-1], p.pair.cast(), p.by)
}

// turnOf reports whether a side is to move.
func (p *picture) turnOf(side digit.Side) bool { return p.turn && p.rules.Turn(p.at) == side }
