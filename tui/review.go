package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A review is the page of a game that is gone through move by move.
type review struct {
	rec    digit.Record
	pair   pair
	study  *study
	judged *coach.Review
	err    error
	busy   bool
	at     int // the move that is looked at, from 0
}

// openReview shows the review of a game.
func (m *Model) openReview(rec digit.Record, two pair) tea.Cmd {
	m.push(&review{rec: rec, pair: two})
	return nil
}

func (v *review) upkeep(m *Model) tea.Cmd {
	if v.judged != nil || v.err != nil || v.busy {
		return nil
	}
	var cmd tea.Cmd
	if v.study == nil {
		v.study, cmd = m.study(v.rec.Rules)
	}
	if !v.study.ready() {
		return cmd
	}
	v.busy = true
	solution := v.study.solution
	return m.crew.run(func(context.Context) later {
		judged, err := coach.ReviewGame(solution, v.rec, rulebook.Cast{Names: [2]string{v.pair[0].name, v.pair[1].name}})
		return func(*Model) tea.Cmd {
			v.busy = false
			if v.err = err; err == nil {
				v.judged = &judged
				v.at = v.firstMistake()
			}
			return nil
		}
	})
}

func (v *review) moving(*Model) bool { return v.study.working() }

// firstMistake returns the first move that threw something away, or the last move.
func (v *review) firstMistake() int {
	for i, judged := range v.judged.Moves {
		if !judged.Kept() {
			return i
		}
	}
	return max(0, len(v.rec.Moves)-1)
}

// move moves to another move.
func (v *review) move(by int) act {
	return func() tea.Cmd {
		v.at = min(max(v.at+by, 0), max(0, len(v.rec.Moves)-1))
		return nil
	}
}

// mistake moves to the next move that threw something away.
func (v *review) mistake() tea.Cmd {
	n := len(v.rec.Moves)
	for i := 1; i <= n && v.judged != nil; i++ {
		if at := (v.at + i) % n; !v.judged.Moves[at].Kept() {
			v.at = at
			break
		}
	}
	return nil
}

// retry lets the player find a better move in the position of the move that is looked at.
func (v *review) retry(m *Model) tea.Cmd {
	if v.judged == nil || len(v.judged.Moves) == 0 {
		return nil
	}
	judged := v.judged.Moves[v.at]
	task := map[solve.Outcome]string{
		solve.Win: "Find a move that keeps the win.", solve.Draw: "Find a move that keeps the draw.", solve.Loss: "Every move loses: play any.",
	}[judged.Best.Outcome]
	title := fmt.Sprintf("Move %d again", judged.Ply)
	m.push(newTrial(title, v.pair[judged.Side].name+" to move. "+task, v.rec.Rules, judged.At, v.pair))
	return nil
}

// playOn opens a table at the position before the move that is looked at.
func (v *review) playOn(m *Model) tea.Cmd {
	book := v.rec.Rules.Book()
	wishes := m.wishes.withRules(book, v.rec.Rules)
	wishes.Book = book.Name
	at := min(v.at, len(v.rec.Moves))
	m.home()
	return m.openTable(wishes, v.pair[digit.First].seat, append([]digit.Move{}, v.rec.Moves[:at]...))
}

func (v *review) keys(m *Model) []binding {
	keys := []binding{
		on(v.move(1), "step", "←→"), also(v.move(-1), "left", "up", "[", "k"), also(v.move(1), "right", "down", "]", "j"),
		also(v.move(-len(v.rec.Moves)), "home"), also(v.move(len(v.rec.Moves)), "end"),
	}
	if v.judged != nil {
		if len(v.judged.Mistakes()) > 0 {
			keys = append(keys, command(v.mistake, "next mistake", "m"))
		}
		if len(v.rec.Moves) > 0 {
			keys = append(keys, on(func() tea.Cmd { return v.retry(m) }, "retry", "t", "T", "enter"))
		}
	}
	return append(keys,
		command(func() tea.Cmd { return v.playOn(m) }, "play on from here", "p"),
		command(func() tea.Cmd { m.push(rulesPage(m, v.rec.Rules)); return nil }, "rules", "r"),
		on(func() tea.Cmd { m.push(helpPage(m)); return nil }, "help", "?"),
		on(func() tea.Cmd { m.pop(); return nil }, "back", "esc", "q", "Q"))
}

// result says how the game ended.
func (v *review) result() string {
	if !v.rec.Result.Over() {
		return "unfinished"
	}
	if winner, won := v.rec.Result.Winner(); won {
		return fmt.Sprintf("%s won (%v)", v.pair[winner].name, v.rec.Result)
	}
	return "drawn"
}

// gradeMarks are what a grade looks like beside a move.
var gradeMarks = map[coach.Grade]string{coach.Best: "", coach.Fine: "", coach.Mistake: "?", coach.Blunder: "??"}

func gradeTone(g coach.Grade) tone {
	switch g {
	case coach.Best:
		return good
	case coach.Fine:
		return even
	default:
		return bad
	}
}

// account says how well a side played.
func (v *review) account(side digit.Side) string {
	a := v.judged.First
	if side == digit.Second {
		a = v.judged.Second
	}
	text := fmt.Sprintf("%s: ", v.pair[side].name)
	share, ok := a.Share()
	if !ok {
		return text + "nothing to decide"
	}
	text += fmt.Sprintf("%.0f %% of %s right", 100*share, count(a.Decisions, "decision"))
	if a.Mistakes > 0 {
		text += fmt.Sprintf(", %s", count(a.Mistakes, "mistake"))
	}
	if a.Blunders > 0 {
		text += fmt.Sprintf(", %s", count(a.Blunders, "blunder"))
	}
	return text
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// stands says who wins by a value for the side to move.
func (v *review) stands(value solve.Value, turn digit.Side) string {
	winner, won := value.Winner(turn)
	if !won {
		return fmt.Sprintf("a draw in %s", turns(value.Plies))
	}
	return fmt.Sprintf("%s wins in %s", v.pair[winner].name, turns(value.Plies))
}

// card returns what is told of the move that is looked at.
func (v *review) card() []line {
	if len(v.judged.Moves) == 0 {
		return []line{{text: "No move was played."}}
	}
	judged := v.judged.Moves[v.at]
	side := judged.Side
	var lines []line
	add := func(s style, format string, args ...any) {
		lines = append(lines, line{text: fmt.Sprintf(format, args...), style: s})
	}
	add(style{fg: gradeTone(judged.Grade), bold: true}, "Move %d of %d: %s played %v, %s", judged.Ply, len(v.rec.Moves), v.pair[side].name, judged.Move, gradeText(judged.Grade))
	add(style{}, "Before it: %s, pool %s. %s.", judged.Position, v.rec.Rules.Left(judged.At).List(" "), v.stands(judged.Best, side))
	if judged.Grade == coach.Best {
		add(style{fg: good}, "Why it is good: %s", sentence(judged.Reason))
	} else {
		after := judged.Value
		after.Plies-- // the move itself is made
		add(style{}, "After it: %s.", v.stands(after, side))
		add(style{fg: bad}, "Why it is not best: %s", sentence(judged.Blame))
		if len(judged.Refutation) > 0 {
			add(style{fg: quiet}, "It goes on: %s", movesText(judged.Refutation))
		}
		add(style{fg: good}, "Better: %s", judged.Reason)
	}
	add(style{fg: quiet}, "Best line: %s", movesText(judged.Line))
	if v.judged.Remark != "" && v.at == len(v.judged.Moves)-1 {
		add(style{fg: even}, "The end: %s", sentence(v.judged.Remark))
	}
	return lines
}

func gradeText(g coach.Grade) string {
	switch g {
	case coach.Best:
		return "a best move ✓"
	case coach.Fine:
		return "a fine move, but not the best"
	case coach.Mistake:
		return "a mistake ?"
	default:
		return "a blunder ??"
	}
}

// status says why there is no judgement yet.
func (v *review) status(m *Model) string {
	if v.err != nil {
		return "✗ " + v.err.Error()
	}
	if tells := v.study.tells(m.spin()); tells != "" {
		return tells
	}
	return m.spin() + " judging the moves"
}

func (v *review) draw(m *Model, c *canvas) {
	st := c.stage()
	c.header(st, "Review", v.rec.Rules.String(), v.result())
	m.footer(c, st, v.keys(m))
	if v.judged == nil {
		c.within(st.x+2, st.y+3, st.w-4, style{fg: even}, v.status(m))
		c.within(st.x+2, st.y+5, st.w-4, style{}, "Moves: "+movesText(v.rec.Moves))
		return
	}
	y := st.y + 3
	if st.h < 30 {
		y--
	}
	y = v.drawChart(c, st.x+2, y, st.w-4)
	y++
	for i, side := range []digit.Side{digit.First, digit.Second} {
		if text := v.account(side); st.w >= 100 {
			c.within(st.x+2+i*(st.w-4)/2, y, (st.w-6)/2, style{fg: v.pair.tone(side), bold: true}, text)
		} else {
			c.within(st.x+2, y+i, st.w-4, style{fg: v.pair.tone(side), bold: true}, text)
		}
	}
	if st.w < 100 {
		y++
	}
	y++
	c.rule(st.x+1, y, st.w-2, style{fg: faint})
	y++
	end := st.y + st.h - 2
	for _, l := range v.card() {
		if y >= end {
			break
		}
		y += c.paragraph(st.x+2, y, st.w-4, end-y, l.style, l.text)
		if st.h >= 38 {
			y++
		}
	}
	if end-y >= 8 && len(v.judged.Moves) > 0 {
		v.drawNumbers(m, c, rect{st.x + 2, y, st.w - 4, 7})
	}
}

// picture returns the position before the move that is looked at.
func (v *review) picture(m *Model) *picture {
	p := v.judged.Moves[v.at].At
	return &picture{rules: v.rec.Rules, at: p, pair: v.pair, turn: true, places: m.world.Places(v.rec.Rules)}
}

// drawNumbers draws the numbers before the move that is looked at.
func (v *review) drawNumbers(m *Model, c *canvas, r rect) {
	half := min(44, (r.w-4)/2)
	wide, _ := placeSize(v.rec.Rules, 2*half+2, false)
	if wide == 0 {
		return // the position is told above
	}
	for i, side := range v.pair.order(false) {
		v.picture(m).drawNumber(c, rect{r.x + i*(half+4), r.y, half, 7}, rect{w: wide, h: 5}, side)
	}
}

// chartRow returns the row of a value: the first side wins, a draw, the second side wins.
func chartRow(value solve.Value, turn digit.Side) int {
	winner, won := value.Winner(turn)
	switch {
	case !won:
		return 1
	case winner == digit.First:
		return 0
	default:
		return 2
	}
}

// drawChart draws who was winning before and after each move, and in how many turns; it returns the row below. If the game
// is too long for the width, the part around the move that is looked at is drawn.
func (v *review) drawChart(c *canvas, x, y, width int) int {
	n := len(v.judged.Moves)
	labels := []string{v.pair[digit.First].name + " wins", "draw", v.pair[digit.Second].name + " wins", "move"}
	head := 0
	for _, l := range labels {
		head = max(head, min(18, textWidth(l)))
	}
	col := min(9, max(5, (width-head-2)/(n+1)))
	room := (width - head - 2) / col // points
	from := max(0, min(v.at+1-room/2, n+1-room))
	gap := 1
	if width >= 100 {
		gap = 2
	}
	tones := []tone{v.pair.tone(digit.First), even, v.pair.tone(digit.Second), quiet}
	for i, l := range labels {
		c.within(x, y+i*gap, head, style{fg: tones[i]}, l)
	}
	at := x + head + 2
	last := -1
	for i := from; i < min(n+1, from+room); i++ {
		value, turn := v.judged.Value, digit.Side(n%2)
		if i < n {
			value, turn = v.judged.Moves[i].Best, digit.Side(v.judged.Moves[i].Side)
		}
		row, px := chartRow(value, turn), at+(i-from)*col
		if last >= 0 {
			c.connect(px-col+2, px-1, y, gap, last, row, style{fg: faint})
		}
		c.text(px, y+row*gap, style{fg: tones[row], bold: true}, fmt.Sprintf("●%d", value.Plies))
		last = row
		if i == 0 {
			continue
		}
		judged := v.judged.Moves[i-1]
		mark, s := " ", style{fg: gradeTone(judged.Grade)}
		if i-1 == v.at {
			mark, s = "▸", style{fg: accent, bold: true}
		}
		c.within(px-1, y+3*gap, col, s, mark+judged.Move.String()+gradeMarks[judged.Grade])
		c.zone(rect{px - col/2, y, col, 3*gap + 1}, func() tea.Cmd { v.at = i - 1; return nil })
	}
	return y + 3*gap + 1
}

// connect draws a line between two points of a chart, from one column to another and from one row to another.
func (c *canvas) connect(start, end, y, gap, from, to int, s style) {
	for x := start + 1; x <= end; x++ {
		c.put(x, y+from*gap, s, "─")
	}
	if from == to {
		return
	}
	top, bottom := y+min(from, to)*gap, y+max(from, to)*gap
	for row := top + 1; row < bottom; row++ {
		c.put(end, row, s, "│")
	}
	if to > from {
		c.put(end, top, s, "╮")
		c.put(end, bottom, s, "╰")
	} else {
		c.put(end, bottom, s, "╯")
		c.put(end, top, s, "╭")
	}
}

func (v *review) say(m *Model) []string {
	lines := []string{"Review of " + v.rec.Rules.String() + ": " + v.result() + "."}
	if v.judged == nil {
		return append(lines, v.status(m), "Moves: "+movesText(v.rec.Moves)+".")
	}
	for _, l := range v.card() {
		lines = append(lines, l.text)
	}
	if len(v.judged.Moves) > 0 {
		for _, side := range v.pair.order(false) {
			lines = append(lines, v.picture(m).sayNumber(side))
		}
	}
	for _, side := range []digit.Side{digit.First, digit.Second} {
		lines = append(lines, v.account(side)+".")
	}
	lines = append(lines, "Who wins with best play, draw or not, before each move and at the end:")
	for i, judged := range v.judged.Moves {
		text := fmt.Sprintf("%d. %s; move %v%s.", i+1, v.stands(judged.Best, judged.Side), judged.Move, gradeMarks[judged.Grade])
		if i == v.at {
			text += " (here)"
		}
		lines = append(lines, text)
	}
	n := len(v.judged.Moves)
	return append(lines, fmt.Sprintf("At the end: %s.", v.stands(v.judged.Value, digit.Side(n%2))))
}
