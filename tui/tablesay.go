package tui

import (
	"fmt"
	"strings"

	"digitduel/digit"
	"digitduel/match"
)

// say tells the table in lines of text: what is asked first, then what there is to know.
func (t *table) say(m *Model) []string {
	asks, how, _ := t.prompt(m)
	lines := []string{asks}
	if t.note != "" {
		lines = append(lines, "Note: "+t.note)
	}
	if how != "" {
		lines = append(lines, how)
	}
	p, ply := t.shown()
	r := t.rules()
	lines = append(lines, "Pool: "+r.Left(p).List(" ")+t.poolMarks())
	for _, seat := range t.order() {
		lines = append(lines, t.sayBoard(m, seat))
	}
	if move, side, ok := t.last(); ok {
		lines = append(lines, fmt.Sprintf("Last move: %s by %s.", t.moveText(m, move), t.name(t.state.SeatOf(side))))
	}
	for _, l := range t.panelLines(m) {
		lines = append(lines, l.text)
	}
	if t.analysis && t.insight.known() && t.insight.at == p && !r.Result(p).Over() {
		lines = append(lines, t.sayAnalysis(m)...)
	}
	lines = append(lines, t.sayMoves(ply))
	title, tells, right := t.heading(m)
	lines = append(lines, title+": "+sentence(tells))
	if right != "" {
		lines = append(lines, sentence(right))
	}
	for _, f := range t.sideFacts() {
		lines = append(lines, sentence(f.name+": "+f.tells))
	}
	return lines
}

// poolMarks says which digit the cursor is at or is chosen, and which are taken.
func (t *table) poolMarks() string {
	text := "."
	switch t.step() {
	case pick:
		text = fmt.Sprintf("; the cursor is at %v.", t.pool()[t.cursor])
	case settle, confirm:
		text = fmt.Sprintf("; [%v] is chosen.", t.chosen.digit)
	}
	p, _ := t.shown()
	if taken := t.rules().Pool &^ t.rules().Left(p); taken != 0 {
		text += " Taken: " + taken.List(" ") + "."
	}
	return text
}

// sayBoard says the number of a seat.
func (t *table) sayBoard(m *Model, seat match.Seat) string {
	p, ply := t.shown()
	r, side := t.rules(), t.state.Side(seat)
	n := r.Number(p, side)
	text := t.name(seat)
	turn := r.Turn(p) == side && !r.Result(p).Over() && (t.state.Playing() || ply < len(t.state.Moves))
	if turn {
		text += " (to move)"
	}
	text += ": "
	switch r.Place {
	case digit.Slots:
		var parts []string
		for i := range int(r.Width) {
			what := "empty"
			if d, ok := n.At(i); ok {
				what = d.String()
			}
			spot := digit.SlotAt(i)
			parts = append(parts, fmt.Sprintf("%v %s %s", spot, t.placeName(m, spot), what))
		}
		text += strings.Join(parts, ", ") + "; " + spaced(n)
	case digit.Ends:
		if text += "number " + spaced(n); n.Len() == 0 {
			text += "nothing yet; the first digit has no sides"
		} else if turn {
			text += "; L left end, R right end"
		}
	case digit.Hand:
		if text += "hand " + spaced(n); n.Len() == 0 {
			text += "empty"
		}
	}
	if at, timed := t.state.Deadline(); timed && turn && t.look == live {
		text += fmt.Sprintf("; clock %s", clockText(at.Sub(m.now)))
	}
	if winner, won := t.state.Winner(); won && winner == seat && t.look == live {
		text += "; wins"
	}
	return text + "."
}

// sayMoves says the moves of the game.
func (t *table) sayMoves(ply int) string {
	if len(t.state.Moves) == 0 && t.trial != nil {
		return "Moves: none are told."
	}
	if len(t.state.Moves) == 0 {
		return "Moves: none yet. " + t.name(t.state.Starter()) + " starts against " + t.name(t.state.Starter().Other()) + "."
	}
	var parts []string
	for i, move := range t.state.Moves {
		text := move.String()
		if i%2 == 0 {
			text = fmt.Sprintf("%d. %s", i/2+1, text)
		}
		if t.look != live && i == ply-1 {
			text += " (here)"
		}
		parts = append(parts, text)
	}
	first := t.state.Starter()
	return fmt.Sprintf("Moves of %s and %s: %s.", t.name(first), t.name(first.Other()), strings.Join(parts, " "))
}

// sayAnalysis says what every move is worth.
func (t *table) sayAnalysis(m *Model) []string {
	p, _ := t.shown()
	r := t.rules()
	lines := []string{"Verdicts: W win, D draw, L loss, in so many turns, for whoever is to move."}
	for d := range r.Left(p).All() {
		best, ok := t.insight.digitWorth(d)
		if !ok {
			continue
		}
		text := fmt.Sprintf("%v %s", d, verdict(best, 20))
		var parts []string
		for _, spot := range spots(r, p) {
			if v, ok := t.insight.worth[digit.Move{Digit: d, Spot: spot}]; ok && spot != digit.InHand {
				parts = append(parts, fmt.Sprintf("%s %s", t.placeName(m, spot), verdict(v, 20)))
			}
		}
		if len(parts) > 0 {
			text += ": " + strings.Join(parts, ", ")
		}
		lines = append(lines, text+".")
	}
	return lines
}
