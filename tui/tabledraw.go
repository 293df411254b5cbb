package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// A plan is where the parts of a table are on the screen.
type plan struct {
	stage, main, side rect
	tile              rect // x, y of the first digit of the pool; w, h of each
	perRow            int  // digits of the pool in a row
	boards            [2]rect
	place             rect // w, h of the places of a board
	panel             rect // what is known
	prompt            rect
}

// plan lays out the table for a size: larger tiles where there is room, boards one below the other where numbers are long.
func (t *table) plan(c *canvas) plan {
	st := c.stage()
	side := 24
	switch {
	case st.w >= 112:
		side = 35
	case st.w >= 100:
		side = 30
	}
	pl := plan{stage: st}
	pl.main = rect{st.x + 2, st.y + 2, st.w - side - 5, st.h - 4}
	pl.side = rect{pl.main.x + pl.main.w + 3, st.y + 2, side - 2, st.h - 4}
	big := st.h >= 30
	wide, tall := t.placeSize(pl.main.w, big)
	stacked := wide == 0

	n := t.rules().Pool.Len()
	pl.perRow = n
	most, high := 7, 3
	if big && n*5 <= pl.main.w {
		most, high = 8, 5
	}
	if n*5 > pl.main.w && !(stacked && st.h < 30) {
		pl.perRow = (n + 1) / 2
	}
	wideTile := min(most, pl.main.w/pl.perRow)
	if high == 3 {
		wideTile -= 1 - wideTile%2 // so that a digit is in the middle
	}
	pl.tile = rect{pl.main.x, pl.main.y + 1, wideTile, high}
	rows := (n + pl.perRow - 1) / pl.perRow
	y := pl.tile.y + rows*high + 1

	end := pl.main.y + pl.main.h
	gap := 1
	if stacked {
		wide, tall, gap = t.stackedSize(pl.main.w), 3, 0
		if end-y >= 2*7+6 {
			tall, gap = 5, 1
		}
	} else if end-y < tall+2+1+3+2 {
		tall, gap = 3, 0
	}
	pl.place = rect{w: wide, h: tall}
	if stacked {
		pl.boards[0] = rect{pl.main.x, y, pl.main.w, tall + 2}
		pl.boards[1] = rect{pl.main.x, y + tall + 2, pl.main.w, tall + 2}
		y += 2 * (tall + 2)
	} else {
		half := (pl.main.w - 2) / 2
		pl.boards[0] = rect{pl.main.x, y, half, tall + 2}
		pl.boards[1] = rect{pl.main.x + half + 2, y, half, tall + 2}
		y += tall + 2
	}
	pl.prompt = rect{pl.main.x, y + gap, pl.main.w, 3}
	y = pl.prompt.y + 3
	pl.panel = rect{pl.main.x, y, pl.main.w, max(0, end-y)}
	return pl
}

// placeSize returns the size of a place when the boards are side by side, or 0 when they do not fit so.
func (t *table) placeSize(width int, big bool) (w, h int) {
	half := (width - 2) / 2
	most, high := 9, 5
	if big {
		most, high = 12, 7
	}
	n := int(t.rules().Width)
	if t.rules().Place == digit.Ends {
		return min(most, 9), high // of the ends; the number between them takes what is left
	}
	if w = min(most, (half+1)/n-1); w < 5 {
		return 0, 0
	}
	return w, high
}

func (t *table) stackedSize(width int) int { return min(9, (width+1)/int(t.rules().Width)-1) }

func (t *table) draw(m *Model, c *canvas) {
	pl := t.plan(c)
	title, tells, right := t.heading(m)
	c.header(pl.stage, title, tells, right)
	for y := pl.main.y; y < pl.main.y+pl.main.h; y++ {
		c.put(pl.side.x-2, y, style{fg: faint}, "│")
	}
	t.drawPool(m, c, pl)
	for i, seat := range t.order() {
		t.drawBoard(m, c, pl, pl.boards[i], seat)
	}
	t.drawPanel(m, c, pl.panel)
	t.drawPrompt(m, c, pl.prompt)
	t.drawSide(m, c, pl.side)
	m.footer(c, pl.stage, t.keys(m))
}

// heading returns what the top line tells: the game, what it is about, and how the series stands.
func (t *table) heading(m *Model) (title, tells, right string) {
	if t.trial != nil {
		return t.trial.title, t.trial.task, t.rules().Book().Title
	}
	book := t.rules().Book()
	if t.rules() != book.Rules {
		return book.Title, t.rules().String(), t.series()
	}
	return book.Title, m.world.Line(book.Name), t.series()
}

// order returns the seats as their boards are shown.
func (t *table) order() [2]match.Seat {
	if t.flip {
		return [2]match.Seat{match.Two, match.One}
	}
	return match.Seats
}

// series says which game this is, and how the series stands.
func (t *table) series() string {
	s := t.state
	if s.Setup.BestOf == 0 {
		return ""
	}
	return fmt.Sprintf("game %d, best of %d: %s %s %s", max(s.Game, 1), s.Setup.BestOf,
		shorten(t.name(match.One), 12), scoreText(s), shorten(t.name(match.Two), 12))
}

func seatTone(seat match.Seat) tone {
	if seat == match.One {
		return one
	}
	return two
}

// drawPool draws the digits as tiles: those that are left, those that are gone, and the one that is chosen.
func (t *table) drawPool(m *Model, c *canvas, pl plan) {
	p, _ := t.shown()
	r, at := t.rules(), t.step()
	left := r.Left(p)
	c.text(pl.main.x, pl.main.y, style{fg: quiet}, "POOL")
	if t.analysis && t.insight.known() {
		c.text(pl.main.x+6, pl.main.y, style{fg: quiet}, "W win, D draw, L loss, in so many turns")
	}
	for i, d := range t.pool() {
		tile := rect{pl.tile.x + i%pl.perRow*pl.tile.w, pl.tile.y + i/pl.perRow*pl.tile.h, pl.tile.w, pl.tile.h}
		if !left.Has(d) {
			c.centre(tile.x, tile.y+tile.h/2, tile.w, style{fg: faint}, "·")
			continue
		}
		f, edge, face, text := thin, style{}, style{bold: true}, d.String()
		switch {
		case at == idle:
			edge, face = style{fg: faint}, style{}
		case t.chosen.picked && t.chosen.digit == d:
			f, edge, face = double, style{fg: accent, bold: true}, bar
			if tile.w >= 5 {
				text = "[" + text + "]"
			}
		case at == pick && i == t.cursor:
			f, edge = thick, style{fg: accent, bold: true}
		}
		c.box(tile, f, edge)
		if tile.h >= 5 && !m.theme.ascii {
			if face == bar { // a big digit is hard to read in reverse
				face = edge
			}
			c.bigDigit(tile.x+(tile.w-3+1)/2, tile.y+1, 3, face, d)
		} else {
			c.centre(tile.x+1, tile.y+tile.h/2, tile.w-2, face, text)
		}
		if v, ok := t.insight.digitWorth(d); ok && t.analysis {
			c.centre(tile.x+1, tile.y+tile.h-1, tile.w-2, style{fg: verdictTone(v.Outcome), bold: true}, verdict(v, tile.w-2))
		}
		c.zone(tile, func() tea.Cmd { return t.pick(m, d) })
	}
}

// known reports whether values are known.
func (in *insight) known() bool { return in != nil && in.worth != nil }

// drawBoard draws the name of a seat and its number.
func (t *table) drawBoard(m *Model, c *canvas, pl plan, r rect, seat match.Seat) {
	p, ply := t.shown()
	side := t.state.Side(seat)
	turn := t.rules().Turn(p) == side && !t.rules().Result(p).Over() && t.state.Game > 0 && (t.state.Playing() || ply < len(t.state.Moves))
	mark, s := "  ", style{fg: seatTone(seat)}
	if turn {
		mark, s = "▶ ", style{fg: seatTone(seat), bold: true}
	}
	c.text(r.x, r.y, s, mark)
	right := spaced(t.rules().Number(p, side))
	if t.look == live {
		if winner, won := t.state.Winner(); won && winner == seat {
			right = "✓ " + right
		}
		if at, timed := t.state.Deadline(); timed && turn {
			right = clockText(at.Sub(m.now)) + "  " + right
		}
	}
	c.within(r.x+2, r.y, r.w-4-textWidth(right), s, t.name(seat))
	c.right(r.x+r.w, r.y, style{bold: true}, right)
	if t.rules().Place == digit.Ends {
		t.drawEnds(m, c, pl, r, seat)
		return
	}
	t.drawPlaces(m, c, pl, r, seat)
}

// last returns the move that led to what is shown, whose it was, and whether there was one.
func (t *table) last() (move digit.Move, side digit.Side, ok bool) {
	_, ply := t.shown()
	if ply == 0 {
		return digit.Move{}, 0, false
	}
	return t.state.Moves[ply-1], digit.Side((ply - 1) % 2), true
}

// drawPlaces draws a number with fixed places, or a hand.
func (t *table) drawPlaces(m *Model, c *canvas, pl plan, r rect, seat match.Seat) {
	p, _ := t.shown()
	rules, side := t.rules(), t.state.Side(seat)
	n := rules.Number(p, side)
	held := n.Pool().Len()
	names := m.world.Places(rules)
	last, lastSide, moved := t.last()
	for i := range int(rules.Width) {
		tile := rect{r.x + i*(pl.place.w+1), r.y + 1, pl.place.w, pl.place.h}
		var d digit.Digit
		filled := false
		spot := digit.InHand
		if rules.Place == digit.Slots {
			d, filled = n.At(i)
			spot = digit.SlotAt(i)
		} else if i < held {
			d, filled = n.At(i)
		}
		c.box(tile, thin, style{fg: faint})
		switch {
		case filled:
			edge := style{fg: seatTone(seat)}
			c.box(tile, thin, edge)
			t.drawDigit(m, c, tile, style{fg: seatTone(seat), bold: true}, d)
			if moved && lastSide == side && last.Digit == d {
				c.put(tile.x+tile.w-2, tile.y, style{fg: seatTone(seat), bold: true}, "●")
			}
		case rules.Place == digit.Slots || i == held:
			t.drawTarget(m, c, tile, seat, spot)
		}
		if rules.Place == digit.Slots {
			c.put(tile.x+1, tile.y, style{fg: quiet}, spot.String())
			if i < len(names) {
				c.centre(tile.x-1, tile.y+tile.h, tile.w+2, style{fg: quiet}, shorten(names[i], tile.w+1))
			}
		}
	}
	if rules.Place == digit.Hand {
		c.text(r.x, r.y+1+pl.place.h, style{fg: quiet}, "hand")
	}
}

// drawDigit draws a digit on a tile, large if there is room.
func (t *table) drawDigit(m *Model, c *canvas, tile rect, s style, d digit.Digit) {
	if tile.h >= 5 && tile.w >= 5 && !m.theme.ascii {
		c.bigDigit(tile.x+1, tile.y+(tile.h-3)/2, tile.w-2, s, d)
		return
	}
	c.centre(tile.x+1, tile.y+tile.h/2, tile.w-2, s, d.String())
}

// drawTarget draws an empty spot: where the chosen digit may go, where it is about to go, and what that is worth.
func (t *table) drawTarget(m *Model, c *canvas, tile rect, seat match.Seat, spot digit.Spot) {
	p, _ := t.shown()
	mine := t.rules().Turn(p) == t.state.Side(seat) && !t.rules().Result(p).Over()
	if !mine {
		return
	}
	at := t.step()
	legal := (at == settle || at == confirm) && t.legal(t.chosen.digit, spot)
	preview := false
	switch {
	case at == confirm && t.chosen.spot == spot:
		c.box(tile, double, style{fg: accent, bold: true})
		preview = true
	case at == settle && t.chosen.spot == spot:
		c.box(tile, thick, style{fg: accent, bold: true})
		preview = !t.analysis
	case legal:
		c.box(tile, dashed, style{fg: accent})
	}
	if preview {
		t.drawDigit(m, c, tile, style{fg: accent, bold: true}, t.chosen.digit)
	}
	if at != idle {
		c.zone(tile, func() tea.Cmd {
			if t.step() == confirm && t.chosen.spot == spot { // a second click plays it
				return t.send(m, digit.Number{})
			}
			return t.put(m, spot)
		})
	}
	if v, ok := t.insight.spotWorth(t.chosen.digit, t.chosen.picked && at != idle, spot); ok && t.analysis && t.insight.at == p {
		t.drawVerdict(c, tile, v, preview)
	}
}

// drawVerdict writes what a spot is worth on its tile, on the lower edge if a digit is drawn in it.
func (t *table) drawVerdict(c *canvas, tile rect, v solve.Value, low bool) {
	s := style{fg: verdictTone(v.Outcome), bold: true}
	in := tile.w - 2
	if !low && tile.h >= 5 && in >= 5 && in < 10 {
		for i, text := range []string{outcomeWords[v.Outcome], fmt.Sprintf("in %d", v.Plies)} {
			c.text(tile.x+1+(in-len(text)+1)/2, tile.y+tile.h/2-1+i, s, text)
		}
		return
	}
	y := tile.y + tile.h/2
	if low {
		y = tile.y + tile.h - 1
	}
	text := verdict(v, in)
	c.text(tile.x+1+(in-len(text)+1)/2, y, s, text)
}

// drawEnds draws a number that grows, with its two ends to the sides of it.
func (t *table) drawEnds(m *Model, c *canvas, pl plan, r rect, seat match.Seat) {
	p, _ := t.shown()
	rules, side := t.rules(), t.state.Side(seat)
	n := rules.Number(p, side)
	open := rules.Turn(p) == side && !rules.Result(p).Over() && t.state.Game > 0
	end := rect{y: r.y + 1, w: min(pl.place.w, 9), h: pl.place.h}
	inner := r.w - 2*end.w
	if n.Len() == 0 {
		end.x = r.x + (r.w-end.w)/2
		c.box(end, thin, style{fg: faint})
		if open {
			t.drawTarget(m, c, end, seat, digit.Right)
		}
		c.centre(r.x, end.y+end.h, r.w, style{fg: quiet}, "first digit")
		return
	}
	if !open {
		inner = r.w
	}
	large := pl.place.h >= 5 && !m.theme.ascii && 4*n.Len()+3 <= inner
	w := 2*n.Len() + 3
	if large {
		w = 4*n.Len() + 3
	} else if w > inner {
		w = n.Len() + 2
	}
	box := rect{r.x + (r.w-w)/2, r.y + 1, w, pl.place.h}
	c.box(box, thin, style{fg: seatTone(seat)})
	last, lastSide, moved := t.last()
	for i := range n.Len() {
		d, _ := n.At(i)
		s := style{fg: seatTone(seat), bold: true}
		step := 2
		switch {
		case large:
			step = 4
			c.bigDigit(box.x+2+i*step, box.y+(box.h-3)/2, 3, s, d)
		case w == n.Len()+2:
			step = 1
			c.text(box.x+1+i, box.y+box.h/2, s, d.String())
		default:
			c.text(box.x+2+i*step, box.y+box.h/2, s, d.String())
		}
		if moved && lastSide == side && last.Digit == d {
			x := box.x + 2 + i*step
			if large {
				x++
			}
			c.put(min(x, box.x+w-2), box.y, s, "●")
		}
	}
	if !open {
		return
	}
	for i, spot := range []digit.Spot{digit.Left, digit.Right} {
		end.x = []int{box.x - end.w, box.x + box.w}[i]
		c.box(end, thin, style{fg: faint})
		t.drawTarget(m, c, end, seat, spot)
		c.put(end.x+1, end.y, style{fg: quiet}, spot.String())
		c.centre(end.x, end.y+end.h, end.w, style{fg: quiet}, []string{"left", "right"}[i])
	}
}

// A line is a line of the panel.
type line struct {
	text string
	style
	whole bool // it is of no use if it is cut
}

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
		lines = append(lines, line{"Hint: " + t.hint.Look + ".", style{fg: accent, bold: true}, true})
		if t.hinted > 1 {
			lines = append(lines, line{fmt.Sprintf("%v %s: %s.", t.hint.Move, verdict(t.hint.Value, 20), t.hint.Reason), style{}, true})
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
	switch t.players[turn].kind {
	case machine:
		if t.study != nil && t.study.err != nil {
			return name + " cannot play this game.", t.study.tells(""), style{fg: bad, bold: true}
		}
		if !t.study.ready() {
			return t.study.tells(m.spin()) + " for " + name, "", style{fg: quiet}
		}
		s = style{fg: seatTone(turn), bold: true}
		if asks = fmt.Sprintf("%s is thinking %s", name, m.spin()); t.players[turn.Other()].kind != machine {
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
