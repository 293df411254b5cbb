package tui

import (
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A confirmation asks before something is done. The safe answer has the focus.
type confirmation struct {
	question string
	does, no string // the two answers
	do       act
	yes      bool // the focus is at what does it
}

func (q *confirmation) answer(m *Model, yes bool) tea.Cmd {
	m.pop()
	if yes {
		return q.do()
	}
	return nil
}

// focused returns the answer that has the focus.
func (q *confirmation) focused() string {
	if q.yes {
		return q.does
	}
	return q.no
}

func (q *confirmation) keys(m *Model) []binding {
	other := func() tea.Cmd { q.yes = !q.yes; return nil }
	return []binding{
		on(func() tea.Cmd { return q.answer(m, q.yes) }, lower(q.focused()), "enter").ranked(moveRank),
		on(other, "choose", "←→"), also(other, "left", "right", "tab", "shift+tab", "up", "down"),
		on(func() tea.Cmd { return q.answer(m, false) }, lower(q.no), "esc").ranked(staysRank),
		also(func() tea.Cmd { return q.answer(m, true) }, "y", "Y"), also(func() tea.Cmd { return q.answer(m, false) }, "n", "N"),
	}
}

func (q *confirmation) draw(m *Model, c *canvas) {
	in := c.drawer(4, "Please confirm")
	y := in.y + c.paragraph(in.x, in.y, in.w, 2, style{bold: true}, q.question) + 1
	x := c.button(in.x, y, q.no, !q.yes, func() tea.Cmd { return q.answer(m, false) })
	c.button(x+2, y, q.does, q.yes, func() tea.Cmd { return q.answer(m, true) })
}

func (q *confirmation) say(*Model) []string {
	return []string{"Please confirm. " + q.question, "Enter: " + q.focused() + ". The arrow keys choose: " + q.does + ", or " + lower(q.no) + "."}
}

// A toss shows the coin that decides who starts. The game begins after it, so that no clock runs meanwhile.
type toss struct {
	table *table
	began time.Time
	over  bool
}

// How long a coin flies, and how long it is shown.
const (
	flight = 1200 * time.Millisecond
	rest   = 2800 * time.Millisecond
)

func (t *toss) flying(m *Model) bool { return m.motion() && m.now.Sub(t.began) < flight }

func (t *toss) moving(m *Model) bool { return m.motion() }

// upkeep begins the game when the coin has been seen.
func (t *toss) upkeep(m *Model) tea.Cmd {
	if m.motion() && m.now.Sub(t.began) >= rest {
		return t.end(m)
	}
	return nil
}

func (t *toss) end(m *Model) tea.Cmd {
	if t.over || m.top() != page(t) {
		return nil
	}
	t.over = true
	m.pop()
	return t.table.begin(m)
}

// starts tells what the coin has decided.
func (t *toss) starts() rulebook.Said {
	s := t.table.state.Setup
	return rulebook.Begins(t.table.pair.seats(), digit.Side(s.First), 1, s.BestOf, true)
}

func (t *toss) keys(m *Model) []binding {
	return []binding{on(func() tea.Cmd { return t.end(m) }, "begin", "enter", "space", "esc", "q")}
}

// coins are the pictures of a coin in flight.
var coins = []string{"( 1 )", " (|) ", "( 2 )", " (|) "}

func (t *toss) draw(m *Model, c *canvas) {
	in := c.drawer(4, "Coin toss")
	s := t.table.state.Setup
	if t.flying(m) {
		c.centre(in.x, in.y, in.w, style{fg: even, bold: true}, coins[int(m.now.Sub(t.began)/tickTime)%len(coins)])
		c.centre(in.x, in.y+1, in.w, style{fg: quiet}, fmt.Sprintf("1: %s   2: %s", s.Name(match.One), s.Name(match.Two)))
		return
	}
	c.centre(in.x, in.y, in.w, style{fg: seatTone(s.First), bold: true}, fmt.Sprintf("( %d )", s.First+1))
	c.centre(in.x, in.y+1, in.w, style{bold: true}, t.starts().Short)
	c.button(in.x+(in.w-14)/2, in.y+3, "Enter: begin", true, func() tea.Cmd { return t.end(m) })
}

func (t *toss) say(m *Model) []string {
	s := t.table.state.Setup
	if t.flying(m) {
		return []string{"Coin toss.", fmt.Sprintf("The coin is in the air. 1: %s, 2: %s.", s.Name(match.One), s.Name(match.Two))}
	}
	return []string{"Coin toss.", fmt.Sprintf("The coin shows %d. %s %s. Enter: begin.", s.First+1, t.starts().Short, t.starts().Spoken)}
}

// A call asks a player with a full hand for a number to call, or none.
type call struct {
	board   *board
	numbers []digit.Number // what the hand makes, if that is not too many
	at      int            // 0 is no call, then the numbers
	field   field
	note    string
}

// mostNumbers is how many numbers are listed: what four digits make.
const mostNumbers = 24

func newCall(b *board) *call {
	q := &call{board: b, field: field{most: int(b.picker.rules.Width)}}
	hand := b.picker.hand()
	q.field.allows = func(r rune) bool {
		for d := range hand.All() {
			if d.String() == string(r) {
				return true
			}
		}
		return false
	}
	for n := range b.picker.rules.Arrangements(hand) {
		if q.numbers = append(q.numbers, n); len(q.numbers) > mostNumbers {
			q.numbers = nil
			break
		}
	}
	return q
}

func (q *call) typing() *field { return &q.field }

// typed moves the cursor to the number that was typed.
func (q *call) typed(*Model) {
	q.note = ""
	for i, n := range q.numbers {
		if n.String() == q.field.text {
			q.at = i + 1
		}
	}
}

// number returns what is to be called, the zero Number for nothing; or says what is wrong with what was typed.
func (q *call) number() (digit.Number, string) {
	if q.field.text == "" {
		if q.at == 0 {
			return digit.Number{}, ""
		}
		return q.numbers[q.at-1], ""
	}
	k := &q.board.picker
	move, err := digit.ParseMove(fmt.Sprintf("%v=%s", k.digit, q.field.text))
	if err == nil {
		_, err = k.rules.Play(k.at, move)
	}
	refused := &digit.MoveError{Move: k.picked(), Fault: digit.OtherDigits} // it has a digit twice
	if err != nil {
		errors.As(err, &refused)
		return digit.Number{}, rulebook.Refused(k.rules, k.at, refused, q.board.pair.cast()).Short
	}
	return move.Call, ""
}

// end plays the digit with the call.
func (q *call) end(m *Model) tea.Cmd {
	n, wrong := q.number()
	if wrong != "" {
		q.note = wrong
		return nil
	}
	m.pop()
	return q.board.send(m, n)
}

func (q *call) back(m *Model) tea.Cmd {
	m.pop()
	q.board.back()
	return nil
}

func (q *call) move(by int) act {
	return func() tea.Cmd {
		n := len(q.numbers) + 1
		q.at, q.field.text, q.note = (q.at+by+4*n)%n, "", ""
		return nil
	}
}

func (q *call) keys(m *Model) []binding {
	return []binding{
		on(func() tea.Cmd { return q.end(m) }, q.enterText(), "enter"),
		on(q.move(1), "choose", "←→"),
		also(q.move(-1), "left", "shift+tab"), also(q.move(1), "right", "tab"), also(q.move(-4), "up"), also(q.move(4), "down"),
		on(func() tea.Cmd { return q.back(m) }, "put the digit back", "esc"),
	}
}

func (q *call) enterText() string {
	switch n, wrong := q.number(); {
	case wrong != "":
		return "call " + q.field.text
	case n == digit.Number{}:
		return "take the digit and call nothing"
	default:
		return "call " + n.String()
	}
}

// tells says what a number is by the target, where hints are on.
func (q *call) tells(n digit.Number) string {
	if !q.board.hints {
		return ""
	}
	text := strings.TrimPrefix(q.board.voice().Sum(n), n.String())
	if r := q.board.picker.rules; n.Value(r.Base())%int(r.Target) == 0 {
		text += " ✓"
	}
	return text
}

// asks asks for a call.
func (q *call) asks() rulebook.Said {
	k := &q.board.picker
	return rulebook.AskCall(k.rules, k.at, k.digit)
}

func (q *call) draw(m *Model, c *canvas) {
	columns := 3
	rows := (len(q.numbers) + columns - 1) / columns
	in := c.drawer(6+rows, q.asks().Short)
	y := in.y
	y += c.paragraph(in.x, y, in.w, 3, style{bold: true}, q.asks().Long) + 1
	c.button(in.x, y, "no call", q.at == 0 && q.field.text == "", func() tea.Cmd { return q.click(m, 0) })
	x := c.text(in.x+in.w/columns, y, style{fg: quiet}, "or type it: ")
	x = c.text(x, y, style{bold: true}, q.field.text)
	c.text(x, y, style{fg: accent, bold: true}, "_")
	y++
	for i, n := range q.numbers {
		at := rect{in.x + i%columns*(in.w/columns), y + i/columns, in.w / columns, 1}
		end := c.button(at.x, at.y, n.String(), q.at == i+1, func() tea.Cmd { return q.click(m, i+1) })
		c.within(end, at.y, at.x+at.w-end, style{fg: quiet}, q.tells(n))
	}
	y += rows + 1
	if q.note != "" {
		c.within(in.x, y-1, in.w, style{fg: bad, bold: true}, "✗ "+q.note)
	}
	x = c.button(in.x, y, "Enter: "+q.enterText(), true, func() tea.Cmd { return q.end(m) })
	c.button(x+2, y, "Esc: back", false, func() tea.Cmd { return q.back(m) })
}

// click chooses an entry; a second click on it calls it.
func (q *call) click(m *Model, at int) tea.Cmd {
	if q.at == at && q.field.text == "" {
		return q.end(m)
	}
	q.at, q.field.text, q.note = at, "", ""
	return nil
}

func (q *call) say(m *Model) []string {
	lines := []string{
		q.asks().Short + ". " + q.asks().Long,
		"Choose, or type it: " + q.field.text,
	}
	if q.note != "" {
		lines = append(lines, "Note: "+q.note)
	}
	calls := []string{"no call" + chosenMark(q.at == 0 && q.field.text == "")}
	for i, n := range q.numbers {
		calls = append(calls, n.String()+q.tells(n)+chosenMark(q.at == i+1))
	}
	return append(lines, "Choices: "+strings.Join(calls, ", ")+".", "Enter: "+q.enterText()+". Esc: back.")
}
