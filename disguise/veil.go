package disguise

import (
	"fmt"
	"strings"

	"digitduel/digit"
)

// veil returns the position of the game of tokens that a position stands for.
func (d *Disguise) veil(p digit.Position) position {
	var v position
	for s := range v.rows {
		n := d.Rules.Number(p, digit.Side(s))
		if d.Game.Form == Held {
			hand := &v.rows[s]
			for i := range n.Len() {
				one, _ := n.At(i)
				*hand = insert(*hand, i, d.tokenOf[one])
			}
			continue
		}
		v.rows[s] = d.veilNumber(n)
	}
	if call, ok := d.Rules.Called(p); ok {
		v.call = d.veilNumber(call)
	}
	return v
}

// veilNumber returns the tokens of a number in their places, or of a line from its right end.
func (d *Disguise) veilNumber(n digit.Number) cells {
	var row cells
	for i := range n.Len() {
		one, ok := n.At(i)
		switch {
		case !ok:
		case d.Game.Form == Line:
			row[n.Len()-1-i] = d.tokenOf[one] + 1
		default:
			row[d.placeOf[i]] = d.tokenOf[one] + 1
		}
	}
	return row
}

// veilMove returns the move of the game of tokens that a move stands for.
func (d *Disguise) veilMove(m digit.Move) move {
	v := move{token: d.tokenOf[m.Digit]}
	slot, isSlot := m.Spot.Slot()
	switch {
	case isSlot:
		v.place = d.placeOf[slot]
	case m.Spot == digit.Left:
		v.place = 1
	}
	if m.Call.Len() > 0 {
		v.call = d.veilNumber(m.Call)
	}
	return v
}

// Move returns a move in words: "amber mill"; with a hand "amber", and with a call "amber: fern amber opal", in the order of the places.
func (d *Disguise) Move(m digit.Move) string {
	v, g := d.veilMove(m), &d.Game
	text := g.Tokens[v.token].Name
	switch {
	case g.Form != Held:
		text += " " + g.Places[v.place].Name
	case v.call != cells{}:
		text += ":"
		for _, t := range v.call[:len(g.Places)] {
			text += " " + g.Tokens[t-1].Name
		}
	}
	return text
}

// ParseMove reads a move in words, in any case, which is legal in a position. The error names it.
func (d *Disguise) ParseMove(p digit.Position, text string) (digit.Move, error) {
	words := strings.Join(strings.Fields(strings.ToLower(text)), " ")
	for m := range d.Rules.Moves(p) {
		if d.Move(m) == words {
			return m, nil
		}
	}
	return digit.Move{}, fmt.Errorf("%q: that is no move here; a move is like %q", text, d.sample())
}

// sample is a move for error messages.
func (d *Disguise) sample() string {
	for m := range d.Rules.Moves(digit.Position{}) {
		return d.Move(m)
	}
	return ""
}

// Position returns a position in words, each player's tokens apart: "harbor amber, mill empty / harbor empty, mill fern".
func (d *Disguise) Position(p digit.Position) string {
	v, g := d.veil(p), &d.Game
	var sides []string
	for _, row := range v.rows {
		var parts []string
		for i, t := range row {
			name := "empty"
			if t != 0 {
				name = g.Tokens[t-1].Name
			}
			switch {
			case g.Form == Row && i < len(g.Places):
				parts = append(parts, g.Places[i].Name+" "+name)
			case g.Form != Row && t != 0:
				parts = append(parts, name)
			}
		}
		if len(parts) == 0 {
			parts = []string{"nothing"}
		}
		sides = append(sides, strings.Join(parts, ", "))
	}
	return strings.Join(sides, " / ")
}

// A Map says what stands for what. The ends of a line are L and R.
type Map struct {
	Tokens map[string]string `json:"tokens"` // the token of each digit
	Places map[string]string `json:"places"` // the name of each place
	Digits map[string]string `json:"digits"` // and back
	Spots  map[string]string `json:"spots"`
}

// Map returns the map between the two games, both ways.
func (d *Disguise) Map() Map {
	m := Map{map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}}
	for i, t := range d.Game.Tokens {
		m.Tokens[d.digitOf[i].String()], m.Digits[t.Name] = t.Name, d.digitOf[i].String()
	}
	for i, p := range d.Game.Places {
		spot := digit.SlotAt(int(d.slotOf[i]))
		if d.Game.Form == Line {
			spot = []digit.Spot{digit.Right, digit.Left}[i]
		}
		m.Places[spot.String()], m.Spots[p.Name] = p.Name, spot.String()
	}
	return m
}
