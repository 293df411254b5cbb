package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/match"
)

// panelLines returns what is known of the position, as far as people may know it: a hint, the verdict, what each number needs.
func (t *table) panelLines(m *Model) []line {
	p, _ := t.shown()
	r := t.rules()
	if !t.helps() || t.state.Game == 0 {
		return nil
	}
	var lines []line
	if t.trial != nil {
		lines = t.trial.lines(t)
	}
	if t.hint != nil && t.hinted > 0 {
		lines = append(lines, line{"Hint: " + t.hint.Look, style{fg: accent, bold: true}, true})
		if t.hinted > 1 {
			lines = append(lines, line{t.hint.Reason, style{}, true})
		} else {
			lines = append(lines, line{"Press h again for the move.", style{fg: quiet}, true})
		}
	}
	if t.analysis {
		switch {
		case !t.insight.known() || t.insight.at != p:
			lines = append(lines, line{t.study.tells(m.spin()), style{fg: quiet}, true})
		case !r.Result(p).Over():
			v := t.insight.value
			name := t.name(t.state.SeatOf(r.Turn(p)))
			lines = append(lines, line{fmt.Sprintf("%s to move %s with best play.", name, verdict(v, 20)), style{fg: verdictTone(v.Outcome), bold: true}, true})
		}
	}
	quizzed := t.trial != nil && !t.analysis && t.hinted == 0 // what a number needs would give it away
	if r.Result(p).Over() || t.insight == nil || t.insight.at != p || quizzed {
		return lines
	}
	for _, seat := range t.order() {
		if text := t.needText(seat, p); text != "" {
			lines = append(lines, line{text, style{fg: seatTone(seat)}, false})
		}
	}
	return lines
}

// needText says what the number of a seat needs: "Ada 7 _ 1:  2 → 721, 7·103   0 → 701, 7·100+1".
func (t *table) needText(seat match.Seat, p digit.Position) string {
	r, side := t.rules(), t.state.Side(seat)
	n := r.Number(p, side)
	if n.Pool().Len() == r.Fills(side) {
		return ""
	}
	head := t.name(seat)
	if n.Len() > 0 {
		head += "  " + spaced(n)
	}
	if best, ok := bestFill(r, p, side); ok {
		return head + ":  " + best + " at best"
	}
	needs := t.insight.needs[side]
	missing := r.Fills(side) - n.Pool().Len()
	switch {
	case r.Win == digit.Never:
		return ""
	case len(needs) == 0 && missing > 1 && r.Win != digit.EachTurn:
		return fmt.Sprintf("%s:  %d digits to go", head, missing)
	case len(needs) == 0:
		return fmt.Sprintf("%s:  no digit makes a multiple of %d now", head, r.Target)
	}
	var parts []string
	for _, need := range needs {
		text := need.text(r)
		if need.wins {
			text = "✓ " + text
		}
		parts = append(parts, together(text))
	}
	return head + ":  " + strings.Join(parts, "   ")
}

// drawPanel writes what is known. Lines that must be read as a whole get the room they need, the others share what is left.
// With room for it the analysis is drawn as a whole.
func (t *table) drawPanel(m *Model, c *canvas, r rect) {
	y, end := r.y, r.y+r.h
	lines := t.panelLines(m)
	for i, l := range lines {
		if y >= end {
			return
		}
		most, after := end-y, len(lines)-i
		if !l.whole {
			most = (most + after - 1) / after
		}
		y += c.paragraph(r.x, y, r.w, most, l.style, l.text)
	}
	p, _ := t.shown()
	rules := t.rules()
	columns := spots(rules, p)
	if t.analysis && t.insight.known() && t.insight.at == p && !rules.Result(p).Over() && len(columns) > 1 && end-y >= rules.Left(p).Len()+2 {
		t.drawMatrix(m, c, rect{r.x, y + 1, r.w, end - y - 1}, columns)
	}
}

// drawMatrix draws what each digit is worth on each spot.
func (t *table) drawMatrix(m *Model, c *canvas, r rect, columns []digit.Spot) {
	p, _ := t.shown()
	wide := min(16, (r.w-8)/len(columns))
	for i, spot := range columns {
		c.within(r.x+8+i*wide, r.y, wide-1, style{fg: quiet}, t.placeName(m, spot))
	}
	y := r.y
	for d := range t.rules().Left(p).All() {
		y++
		c.text(r.x+3, y, style{bold: true}, d.String())
		for i, spot := range columns {
			text, s := "–", style{fg: faint}
			if v, ok := t.insight.worth[digit.Move{Digit: d, Spot: spot}]; ok {
				text, s = verdict(v, wide-1), style{fg: verdictTone(v.Outcome)}
				if v.Compare(t.insight.value) == 0 {
					text, s.bold = text+" ✓", true
				}
			}
			c.within(r.x+8+i*wide, y, wide-1, s, text)
		}
	}
}

// prompt returns what the table waits for: what is asked, and how to answer.
func (t *table) prompt(m *Model) (asks, how string, s style) {
	state, p := t.state, t.state.Position
	asking := style{fg: accent, bold: true}
	switch {
	case t.trial != nil && t.step() == idle:
		return t.trial.prompt(m)
	case state.Game == 0:
		return "The table is being set up.", "", style{fg: quiet}
	case t.look != live:
		ply := t.look
		asks = "Looking back: before the first move."
		if ply > 0 {
			asks = fmt.Sprintf("Looking back: after move %d of %d, %v.", ply, len(state.Moves), state.Moves[ply-1])
		}
		return asks, "[ and ] step, Home and End go to the start and back to the game.", style{fg: even, bold: true}
	case t.asked():
		return t.name(state.Asker) + " asks to take back a move.", "y lets it be taken back, n refuses.", asking
	case state.Asking:
		return "Waiting for " + t.name(state.Asker.Other()) + " to agree that a move is taken back.", "", style{fg: quiet}
	case state.Result.Over():
		how := "n plays again, v reviews the game, Esc goes to the menu."
		if !state.SeriesOver() {
			how = "n begins the next game, v reviews this one."
		} else if state.Setup.BestOf > 0 {
			how = t.seriesEnd() + " " + how
		}
		if _, won := state.Winner(); !won {
			return ending(state), how, style{fg: even, bold: true}
		}
		return ending(state), how, style{fg: good, bold: true}
	}
	turn := state.Turn()
	name := t.name(turn)
	switch t.sitters[turn].kind {
	case machine:
		if t.study != nil && t.study.err != nil {
			return name + " cannot play this game.", t.study.tells(""), style{fg: bad, bold: true}
		}
		if !t.study.ready() {
			return t.study.tells(m.spin()) + " for " + name, "", style{fg: quiet}
		}
		s = style{fg: seatTone(turn), bold: true}
		if asks = fmt.Sprintf("%s is thinking %s", name, m.spin()); t.sitters[turn.Other()].kind != machine {
			return asks, "", s
		}
		if t.pace.isPaused() {
			return name + " waits.", t.pace.tells() + ": Space goes on, . plays one move.", s
		}
		return asks, t.pace.tells() + ": + and - change it, Space pauses.", s
	case remote:
		return "Waiting for " + name + ".", "", style{fg: quiet}
	}
	d := t.chosen.digit
	switch t.step() {
	case pick:
		return name + ": pick a digit.", "Type it, click it, or use ← → and Enter.", asking
	case settle:
		var ways []string
		for _, spot := range t.legalSpots(d) {
			way := spot.String()
			if name := t.placeName(m, spot); name != way {
				way += " " + name
			}
			ways = append(ways, way)
		}
		return fmt.Sprintf("%s: where does %v go?", name, d), strings.Join(ways, ", ") + "; Esc puts it back.", asking
	case confirm:
		verb := "play"
		if t.chosen.spot == digit.InHand {
			verb = "take"
		}
		return fmt.Sprintf("%s: %s %s?", name, verb, t.moveText(m, digit.Move{Digit: d, Spot: t.chosen.spot})) + t.preview(p), "Enter: play, Esc: take back.", asking
	}
	return "…", "", style{fg: quiet}
}

// seriesEnd says who has won the series.
func (t *table) seriesEnd() string {
	if leader, ok := t.state.Leader(); ok {
		return fmt.Sprintf("%s wins the series %s.", t.name(leader), scoreText(t.state))
	}
	return fmt.Sprintf("The series is drawn %s.", scoreText(t.state))
}

// preview says what the chosen move makes of the number, where hints are on and it decides something.
func (t *table) preview(p digit.Position) string {
	r := t.rules()
	next, err := r.Play(p, digit.Move{Digit: t.chosen.digit, Spot: t.chosen.spot})
	if err != nil || !t.hints || r.Target == 0 || r.Place == digit.Hand {
		return ""
	}
	n := r.Number(next, r.Turn(p))
	if !n.Full() {
		return ""
	}
	return "  " + sum(r, n.String(), " = ")
}

// placeName names a spot in the words of the book.
func (t *table) placeName(m *Model, spot digit.Spot) string {
	if i, ok := spot.Slot(); ok {
		if names := m.world.Places(t.rules()); i < len(names) {
			return names[i]
		}
		return spot.String()
	}
	return map[digit.Spot]string{digit.Left: "left end", digit.Right: "right end", digit.InHand: "hand"}[spot]
}

// moveText says a move in words and in our notation: "4 Middle (4b)".
func (t *table) moveText(m *Model, move digit.Move) string {
	if move.Spot == digit.InHand {
		return move.String()
	}
	return fmt.Sprintf("%v %s (%v)", move.Digit, t.placeName(m, move.Spot), move)
}

// drawPrompt writes what the table waits for and, if a move is to be confirmed, two buttons.
func (t *table) drawPrompt(m *Model, c *canvas, r rect) {
	asks, how, s := t.prompt(m)
	lines := c.paragraph(r.x, r.y, r.w, 2, s, asks)
	y := r.y + lines
	if t.note != "" {
		c.paragraph(r.x, y, r.w, 3-lines, style{fg: bad, bold: true}, "✗ "+t.note)
		return
	}
	if t.step() == confirm {
		x := c.button(r.x, y, "Enter: play", true, func() tea.Cmd { return t.send(m, digit.Number{}) })
		c.button(x+2, y, "Esc: take back", false, func() tea.Cmd { t.back(); return nil })
		return
	}
	c.paragraph(r.x, y, r.w, 3-lines, style{fg: quiet}, how)
}

// drawSide draws the list of moves and what else there is to know of the match.
func (t *table) drawSide(m *Model, c *canvas, r rect) {
	c.text(r.x, r.y, style{fg: quiet}, "MOVES")
	col := (r.w - 3) / 2
	first := t.state.Starter()
	c.within(r.x+3, r.y+1, col-1, style{fg: seatTone(first)}, t.name(first))
	c.within(r.x+3+col, r.y+1, r.w-3-col, style{fg: seatTone(first.Other())}, t.name(first.Other()))
	facts := t.sideFacts()
	room := max(1, r.h-3-len(facts))
	pairs := (len(t.state.Moves) + 1) / 2
	from := max(0, pairs-room)
	_, ply := t.shown()
	if now := (ply - 1) / 2; t.look != live && now < from {
		from = max(0, now)
	}
	for i := from; i < min(pairs, from+room); i++ {
		y := r.y + 2 + i - from
		c.text(r.x, y, style{fg: quiet}, fmt.Sprintf("%2d", i+1))
		for k := range 2 {
			n := 2*i + k
			if n >= len(t.state.Moves) {
				break
			}
			seat := t.state.SeatOf(digit.Side(k))
			s, mark := style{fg: seatTone(seat)}, ""
			if n == ply-1 {
				s, mark = style{fg: seatTone(seat), bold: true}, " ●"
			} else if n >= ply {
				s = style{fg: faint}
			}
			c.within(r.x+3+k*col, y, col-1, s, t.state.Moves[n].String()+mark)
			c.zone(rect{r.x + 3 + k*col, y, col, 1}, func() tea.Cmd { t.lookAt(n + 1); return nil })
		}
	}
	for i, f := range facts {
		y := r.y + r.h - len(facts) + i
		x := c.text(r.x, y, style{fg: quiet}, f.name+" ")
		c.within(x, y, r.x+r.w-x, style{}, f.tells)
	}
}

// sideFacts returns what is told below the moves.
func (t *table) sideFacts() []fact {
	p, _ := t.shown()
	r, s := t.rules(), t.state
	facts := []fact{{"position", r.Text(p)}, {"rules", r.String()}}
	if s.Setup.BestOf > 0 {
		facts = append(facts, fact{"series", fmt.Sprintf("best of %d, %s", s.Setup.BestOf, scoreText(s))})
	}
	if s.Setup.TurnTime > 0 {
		facts = append(facts, fact{"clock", clockName(s.Setup.TurnTime)})
	}
	hints := onOff(t.hints)
	if t.analysis {
		hints += ", analysis on"
	}
	facts = append(facts, fact{"hints", hints})
	if t.trial != nil {
		return t.trial.facts(t)
	}
	if t.tossed {
		facts = append(facts, fact{"coin for", t.name(s.Setup.First)})
	}
	return facts
}
