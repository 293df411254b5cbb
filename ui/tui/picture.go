package tui

import (
	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A picture is all that is to be seen of a position: it is drawn, or said in lines of text.
type picture struct {
	title, tells, right string // the top line
	rules               digit.Rules
	goal                *goal
	at                  digit.Position
	pair                pair
	flip                bool
	turn                bool         // somebody is to move
	clock               string       // the time that is left for it; empty: any
	hurry               int          // the seconds that are left, if they are few
	result              digit.Result // of the game, at its end
	moves               []digit.Move // of the game
	ply                 int          // how many of them led to the position
	travel              travel       // how far the last of them is
	given               int          // how many of the moves the game began with
	taken               bool         // the first one was taken over
	past                bool         // the game went on after the position
	by                  rulebook.By  // who chose the last of them
	picker              picker       // what is picked
	worth               *insight     // what every move is worth; nil: that is not shown
	lines               []line       // what is known
	prompt              prompt
	note                string // what went wrong
	news                string // what happened
	holds               string // what is so beside the game, for as long as it is
	offer               string // what may be done instead of a move, by accept
	aside               string // what is told where nothing else is
	facts               []fact // what else there is to know

	take       func(digit.Digit) tea.Cmd // what clicks do
	put        func(digit.Spot) tea.Cmd
	send, back act
	accept     act
	look       func(ply int)
}

// A prompt is what is asked or told first, and how to go on.
type prompt struct {
	badge string // whose turn it is, or who has won: what is set off before the sentence
	tone  tone   // of the badge
	rulebook.Said
	how string
}

// said returns what the screen says of itself, in the same words in every form.
func said(text string) rulebook.Said { return rulebook.Said{Short: text, Long: text, Spoken: text} }

// A line is a line of what is known.
type line struct {
	text string
	style
	spare bool   // it is left out where room is short
	brief string // the same where room is short; empty: there is no shorter form
}

// line returns a line of text in a style, or in a tone.
func (s style) line(text string) line { return line{text: text, style: s} }
func (t tone) line(text string) line  { return line{text: text, style: style{fg: t}} }

// last returns the move that led to the position; ok is false when there is none to be told.
func (p *picture) last() (m digit.Move, ok bool) {
	if p.ply == 0 {
		return m, false
	}
	return p.moves[p.ply-1], true
}

// played tells the move that led to the position.
func (p *picture) played() rulebook.Said {
	switch {
	case p.ply <= p.given:
		return rulebook.Opened(p.rules, p.moves[:p.ply], p.pair.cast())
	case p.ply == 1 && p.taken:
		it := rulebook.Voice{Rules: p.rules, Cast: p.pair.cast()}.Back(digit.Position{}, p.moves[0])
		return rulebook.Offered(match.Swapped, p.pair.cast(), digit.First, it)
	}
	var before digit.Position
	for _, m := range p.moves[:p.ply-1] {
		before, _ = p.rules.Play(before, m) // it was played
	}
	return rulebook.Played(p.rules, before, p.moves[p.ply-1], p.pair.cast(), p.by)
}

// turnOf reports whether a side is to move.
func (p *picture) turnOf(side digit.Side) bool { return p.turn && p.rules.Turn(p.at) == side }
