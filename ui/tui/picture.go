package tui

import (
	"fmt"
	"strings"

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

// said tells the prompt in a line.
func (p prompt) said() string {
	if p.badge == "" {
		return p.Long
	}
	return p.badge + ": " + p.Long
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

// say says the picture in lines of text: what is asked first, then what there is to know.
func (p *picture) say() []string {
	lines := []string{p.prompt.said()}
	if p.result.Over() { // first how, then why
		lines = []string{p.prompt.badge + ".", p.prompt.Spoken}
	}
	if p.note != "" {
		lines = append(lines, "Note: "+p.note)
	} else if p.news != "" {
		lines = append(lines, p.news)
	}
	if p.holds != "" {
		lines = append(lines, p.holds)
	}
	if p.offer != "" {
		lines = append(lines, p.offer+" y takes it over.")
	}
	if p.prompt.how != "" {
		lines = append(lines, p.prompt.how)
	}
	lines = append(lines, "Pool: "+p.rules.Left(p.at).List(" ")+p.sayPicked())
	for _, side := range p.pair.order(p.flip) {
		lines = append(lines, p.sayNumber(side))
	}
	if p.ply > 0 {
		lines = append(lines, "Last move: "+p.played().Spoken)
	}
	for _, l := range p.lines {
		lines = append(lines, l.text)
	}
	lines = append(append(lines, p.sayWorth()...), p.sayMoves(), p.title+": "+sentence(p.tells))
	if p.right != "" {
		lines = append(lines, sentence(p.right))
	}
	if p.aside != "" {
		lines = append(lines, p.aside)
	}
	for _, f := range p.facts {
		lines = append(lines, sentence(f.name+": "+f.tells))
	}
	return lines
}

// sayPicked says which digit the cursor is at or is picked, and which are taken.
func (p *picture) sayPicked() string {
	text := ""
	switch p.picker.stage {
	case idle:
		text = "."
	case pick:
		text = fmt.Sprintf("; the cursor is at %v.", p.picker.pool()[p.picker.cursor])
	case place, confirm:
		text = fmt.Sprintf("; [%v] is chosen.", p.picker.digit)
	}
	if taken := p.rules.Pool &^ p.rules.Left(p.at); taken != 0 {
		text += " Taken: " + taken.List(" ") + "."
	}
	return text
}

// sayNumber says the number of a side.
func (p *picture) sayNumber(side digit.Side) string {
	n := p.rules.Number(p.at, side)
	text := p.pair.label(side)
	if p.turnOf(side) {
		text += " (to move)"
	}
	text += ": "
	switch p.rules.Place {
	case digit.Slots:
		var parts []string
		for i := range int(p.rules.Width) {
			what := "empty"
			if d, ok := n.At(i); ok {
				what = d.String()
			}
			spot := digit.SlotAt(i)
			parts = append(parts, fmt.Sprintf("%v %s %s", spot, placeName(p.rules, spot), what))
		}
		text += strings.Join(parts, ", ") + "; " + spaced(n)
	case digit.Ends:
		if text += "number " + spaced(n); n.Len() == 0 {
			text += "nothing yet; the first digit has no sides"
		} else if p.turnOf(side) {
			text += "; L left end, R right end"
		}
	case digit.Hand:
		if text += "hand, any order: " + spaced(n); n.Len() == 0 {
			text += "empty"
		}
	}
	if p.turnOf(side) && p.clock != "" {
		text += "; clock " + p.clock
	}
	if p.turnOf(side) && p.hurry > 0 {
		text += fmt.Sprintf(", %d s left", p.hurry)
	}
	if sum := p.sum(side, 99); sum != "" {
		text += "; " + sum
	}
	if winner, won := p.result.Winner(); won && winner == side {
		text += "; wins"
	}
	return text + "."
}

// sayMoves says the moves of the game.
func (p *picture) sayMoves() string {
	first, second := p.pair.label(digit.First), p.pair.label(digit.Second)
	switch {
	case len(p.moves) > 0:
	case p.at != digit.Position{}:
		return "Moves: none are told."
	case !p.turn: // a coin may be in the air
		return "Moves: none yet."
	default:
		starts := rulebook.Voice{Cast: p.pair.cast()}.Does(digit.First, "start")
		return "Moves: none yet. " + starts + " against " + p.pair.short(digit.Second, 40) + "."
	}
	var parts []string
	for i, move := range p.moves {
		text := move.String()
		if i%2 == 0 {
			text = fmt.Sprintf("%d. %s", i/2+1, text)
		}
		if i < p.given {
			text += " (given)"
		}
		if i == 0 && p.taken {
			text += " (taken over)"
		}
		if p.past && i == p.ply-1 {
			text += " (here)"
		}
		parts = append(parts, text)
	}
	return fmt.Sprintf("Moves of %s and %s: %s.", first, second, strings.Join(parts, " "))
}

// sayWorth says what every move is worth.
func (p *picture) sayWorth() []string {
	if p.worth == nil || len(p.worth.choices) == 0 {
		return nil
	}
	lines := []string{"Verdicts: W win, D draw, L loss, in so many turns, for whoever is to move."}
	for d := range p.rules.Left(p.at).All() {
		best, ok := p.worth.digit(d)
		if !ok {
			continue
		}
		text := fmt.Sprintf("%v %s", d, verdict(best, 20))
		var parts []string
		for _, spot := range spots(p.rules, p.at) {
			if v, ok := p.worth.move(d, spot); ok && spot != digit.InHand {
				parts = append(parts, fmt.Sprintf("%s %s", placeName(p.rules, spot), verdict(v, 20)))
			}
		}
		if len(parts) > 0 {
			text += ": " + strings.Join(parts, ", ")
		}
		lines = append(lines, text+".")
	}
	return lines
}
