package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
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
	solution, cast := v.study.solution, v.pair.cast()
	return m.crew.run(func(context.Context) later {
		judged, err := coach.ReviewGame(solution, v.rec, cast)
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
	m.push(newTrial(title, said(task), v.rec.Rules, judged.At, v.pair))
	return nil
}

// playOn opens a table at the position before the move that is looked at.
func (v *review) playOn(m *Model) tea.Cmd {
	book := v.rec.Rules.Book()
	wishes := m.wishes.withRules(book, v.rec.Rules)
	wishes.Book, wishes.Targets = book.Name, match.Targets{}
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
		command(func() tea.Cmd { m.push(rulesPage(v.rec.Rules)); return nil }, "rules", "r"),
		m.help(), m.back("back"))
}

// result says how the game ended.
func (v *review) result() string { return ending(v.rec, v.pair).Short }

func (v *review) voice() rulebook.Voice {
	return rulebook.Voice{Rules: v.rec.Rules, Cast: v.pair.cast()}
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
	accounts := [2]coach.Accuracy{v.judged.First, v.judged.Second}
	return accounts[side].Told(v.pair.cast(), side)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// stands says who wins by a value for the side to move.
func (v *review) stands(value solve.Value, turn digit.Side) string {
	return stands(v.voice(), value, turn, false)
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
	add(style{bold: true}, "Move %d of %d: %s %s.", judged.Ply, len(v.rec.Moves), v.pair.label(side), v.voice().Did(judged.At, judged.Move))
	add(style{}, "Before it: %s, pool %s. %s.", judged.Position, v.rec.Rules.Left(judged.At).List(" "), v.stands(judged.Best, side))
	add(style{fg: gradeTone(judged.Grade), bold: true}, "%s", strings.TrimSpace(judged.Told+" "+gradeMarks[judged.Grade]))
	add(style{fg: quiet}, "Best line: %s", sentence(v.voice().Moves(judged.At, judged.Line)))
	if v.judged.Remark != "" && v.at == len(v.judged.Moves)-1 {
		add(style{fg: even}, "The end: %s", sentence(v.judged.Remark))
	}
	return lines
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
	c.header("Review", v.rec.Rules.String(), v.result())
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
		v.drawNumbers(c, rect{st.x + 2, y, st.w - 4, 7})
	}
}

// picture returns the position before the move that is looked at.
func (v *review) picture() *picture {
	p := v.judged.Moves[v.at].At
	return &picture{rules: v.rec.Rules, at: p, pair: v.pair, turn: true}
}

// drawNumbers draws the numbers before the move that is looked at.
func (v *review) drawNumbers(c *canvas, r rect) {
	half := min(44, (r.w-4)/2)
	for i, side := range v.pair.order(false) {
		x := r.x + i*(half+4)
		pl := plan{class: standard, names: r.y, caption: r.y + 6}
		pl.numbers[i] = rect{x, r.y + 1, half, 5}
		v.picture().drawNumber(c, pl, i, side)
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
	labels := []string{v.voice().Does(digit.First, "win"), "draw", v.voice().Does(digit.Second, "win"), "move"}
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
		point := "●"
		if value.Plies > 0 {
			point += fmt.Sprint(value.Plies)
		}
		c.text(px, y+row*gap, style{fg: tones[row], bold: true}, point)
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
			lines = append(lines, v.picture().sayNumber(side))
		}
	}
	for _, side := range []digit.Side{digit.First, digit.Second} {
		lines = append(lines, v.account(side))
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
