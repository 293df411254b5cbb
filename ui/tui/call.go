package tui

import (
	"fmt"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/ui/tui/draw"
)

// A call asks a player with a full hand for a number to call, or none. Nothing is chosen until the
// player types.
type call struct {
	board *board
	typed string // the digits
	note  string // an error to show
}

// number returns the typed digits, with gaps: "37_".
func (q *call) number() string { return q.typed + strings.Repeat("_", q.width()-len(q.typed)) }

func (q *call) width() int { return int(q.board.picker.rules.Width) }

func (q *call) full() bool { return len(q.typed) == q.width() }

// press types a digit of the hand.
func (q *call) press(d digit.Digit) act {
	return func(*Model) {
		hand := q.board.picker.hand()
		if q.note = ""; !hand.Has(d) || strings.Contains(q.typed, d.String()) {
			q.note = rulebook.NotHeld(hand, d).Long
			return
		}
		q.typed += d.String()
	}
}

// erase removes the last typed digit.
func (q *call) erase(*Model) {
	q.note, q.typed = "", q.typed[:max(0, len(q.typed)-1)]
}

// called returns the typed number.
func (q *call) called() digit.Number {
	// its digits are from the hand
	move, _ := digit.ParseMove(fmt.Sprintf("%v=%s", q.board.picker.digit, q.number()))
	return move.Call
}

// enter calls the typed number. It does nothing while the number is incomplete.
func (q *call) enter(m *Model) {
	if !q.full() || q.refused() {
		return
	}
	n := q.called()
	m.pop()
	q.board.send(m, n)
}

// refused reports whether the rules forbid the call. It shows the reason, and the player can type
// another number.
func (q *call) refused() bool {
	k := &q.board.picker
	move := k.picked()
	move.Call = q.called()
	_, err := k.rules.Play(k.at, move)
	if !q.board.refuse(err) {
		return false
	}
	q.typed, q.note, q.board.note = "", q.board.note, ""
	return true
}

// none plays the digit without a call.
func (q *call) none(m *Model) {
	m.pop()
	q.board.send(m, digit.Number{})
}

func (q *call) back(m *Model) {
	m.pop()
	q.board.back()
}

func (q *call) keys(m *Model) []binding {
	k := &q.board.picker
	digits := "type your " + rulebook.InWords(q.width()) + " digits"
	keys := []binding{on(nil, digits, k.hand().List(" ")).ranked(moveRank), also(q.enter, "enter")}
	if q.full() {
		keys = []binding{on(q.enter, "call "+q.number(), "enter")}
	}
	erase := also(q.erase, "backspace")
	if len(q.typed) > 0 {
		erase = on(erase.do, "delete", "backspace").named("Bksp")
	}
	for d := range digit.Digit(16) {
		keys = append(keys, also(q.press(d), d.String()))
	}
	return append(keys, erase, on(q.none, "no call", "n").ranked(moveRank),
		m.help().ranked(otherRank+1),
		on(q.back, fmt.Sprintf("put the %v back", k.digit), "esc"))
}

// describe describes the typed number, or the digits that are missing.
func (q *call) describe() line {
	k := &q.board.picker
	switch {
	case q.note != "":
		return lineOf(draw.Failure, "✗ "+q.note)
	case !q.full():
		return lineOf(draw.Muted, fmt.Sprintf(
			"A multiple of %d wins. Any other number loses at once.", k.rules.Target))
	case !q.board.needs:
		return line{text: "Enter calls " + q.number() + ". A wrong call loses at once."}
	}
	sum := q.board.voice().Sum(q.called())
	if q.called().Value(k.rules.Base())%int(k.rules.Target) == 0 {
		return lineOf(draw.Good.Bold(), sum+" ✓ Enter calls it and wins.")
	}
	return lineOf(draw.Bad.Style(), sum+": no multiple. Calling it loses.")
}

func (q *call) draw(m *Model, c *canvas) {
	k := &q.board.picker
	in := c.drawer(4, fmt.Sprintf("Call a multiple of %d?", k.rules.Target))
	x := c.Text(in.X, in.Y, draw.Style{}, "Your call  ")
	x = c.Text(x, in.Y, draw.Active, spread(q.number())) + 3
	x = c.Text(x, in.Y, draw.Muted, "You hold ")
	for d := range k.hand().All() {
		from := x
		x = c.Text(x, in.Y, draw.Strong, d.String()) + 1
		c.zone(draw.Rect(from, in.Y, 2, 1), q.press(d))
	}
	about := q.describe()
	rows := c.Paragraph(in.X, in.Y+1, in.W, 2, about.Style, about.text)
	y := min(in.Y+1+rows+1, in.Bottom()-1)
	x = c.button(in.X, y, "n: No call", false, q.none)
	x = c.button(x+1, y, fmt.Sprintf("Put the %v back", k.digit), false, q.back)
	if q.full() {
		c.button(x+1, y, "Call "+q.number(), true, q.enter)
	}
	q.tiles(layoutOf(c), c)
}

// tiles makes the tiles of the hand react to clicks.
func (q *call) tiles(pl layout, c *canvas) {
	k := &q.board.picker
	side := k.rules.Turn(k.at)
	held := append(slices.Collect(k.rules.Number(k.at, side).Pool().All()), k.digit)
	sides := q.board.pair.order(q.board.flip)
	tiles := pl.places(k.rules, slices.Index(sides[:], side))
	for i, d := range held {
		c.zone(tiles.at(i), q.press(d))
	}
}
