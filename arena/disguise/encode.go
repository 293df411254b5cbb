package disguise

import (
	"fmt"
	"strings"

	"digitduel/digit"
)

// encode returns the position of the game of tokens that corresponds to p.
func (d *Disguise) encode(p digit.Position) position {
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
		v.rows[s] = d.encodeNumber(n)
	}
	if call, ok := d.Rules.Called(p); ok {
		v.call = d.encodeNumber(call)
	}
	return v
}

// encodeNumber returns the tokens of a number in their places, or of a line from its right end.
func (d *Disguise) encodeNumber(n digit.Number) cells {
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

// encodeMove returns the move of the game of tokens that corresponds to m.
func (d *Disguise) encodeMove(m digit.Move) move {
	v := move{token: d.tokenOf[m.Digit]}
	slot, isSlot := m.Spot.Slot()
	switch {
	case isSlot:
		v.place = d.placeOf[slot]
	case m.Spot == digit.Left:
		v.place = 1
	}
	if m.Call.Len() > 0 {
		v.call = d.encodeNumber(m.Call)
	}
	return v
}

// Move returns a move in words, without a space: "amber@mill", with a hand "amber", and with a
// call "amber=fern+amber+opal", in the order of the list of places.
func (d *Disguise) Move(m digit.Move) string {
	v, g := d.encodeMove(m), &d.Game
	var text strings.Builder
	text.WriteString(g.Tokens[v.token].Name)
	switch {
	case g.Form != Held:
		text.WriteString("@" + g.Places[v.place].Name)
	case v.call != cells{}:
		between := "="
		for _, t := range v.call[:len(g.Places)] {
			text.WriteString(between + g.Tokens[t-1].Name)
			between = "+"
		}
	}
	return text.String()
}

// apart separates the words of a move. People also write spaces, and a colon before a call.
var apart = strings.NewReplacer("@", " ", "+", " ", "=", ":")

// ParseMove parses a move in words, ignoring case. It does not check that the move is legal.
func (d *Disguise) ParseMove(text string) (digit.Move, error) {
	g := &d.Game
	bad := func(why string) (digit.Move, error) {
		return digit.Move{}, fmt.Errorf("move %.40q: %s; allowed: %s", text, why, d.form())
	}
	noToken := func(word string) string {
		return fmt.Sprintf("there is no token %.40s, only %s", word, listed(g.Tokens))
	}
	taken, called, calls := strings.Cut(apart.Replace(strings.ToLower(text)), ":")
	words, call := strings.Fields(taken), strings.Fields(called)
	wanted := 2
	if g.Form == Held {
		wanted = 1
	}
	if len(words) != wanted {
		return bad("wrong form")
	}
	names := d.Map()
	code, ok := names.Digits[words[0]]
	if !ok {
		return bad(noToken(words[0]))
	}
	if wanted == 2 {
		spot, ok := names.Spots[words[1]]
		if !ok {
			return bad(fmt.Sprintf("there is no place %.40s, only %s",
				words[1], listed(g.Places)))
		}
		code += spot
	}
	if !calls {
		return digit.ParseMove(code)
	}
	if g.Form != Held || len(call) != len(g.Places) {
		return bad("not a call")
	}
	code += "="
	for slot := range call {
		word := call[d.placeOf[slot]]
		one, ok := names.Digits[word]
		if !ok {
			return bad(noToken(word))
		}
		code += one
	}
	return digit.ParseMove(code)
}

// form returns the form of a move, for error messages.
func (d *Disguise) form() string {
	return map[Form]string{
		Row:  "token@place",
		Line: "token@end",
		Held: "token, or with a call token=token+token… in the order of the places",
	}[d.Game.Form]
}

// Position returns a position in words: "first: mill amber, forge empty; second: mill empty,
// forge fern". Lines start where counting begins.
func (d *Disguise) Position(p digit.Position) string {
	return "first: " + d.Row(p, digit.First) + "; second: " + d.Row(p, digit.Second)
}

// Row returns the tokens of one of the players in words.
func (d *Disguise) Row(p digit.Position, s digit.Side) string {
	g := &d.Game
	var parts []string
	for i, t := range d.encode(p).rows[s] {
		switch {
		case t != 0 && g.Form == Row:
			parts = append(parts, g.Places[i].Name+" "+g.Tokens[t-1].Name)
		case t != 0:
			parts = append(parts, g.Tokens[t-1].Name)
		case g.Form == Row && i < len(g.Places):
			parts = append(parts, g.Places[i].Name+" empty")
		}
	}
	switch {
	case len(parts) == 0:
		return "nothing"
	case g.Form == Line:
		return "from " + g.Places[0].Name + " " + list(parts)
	}
	return list(parts)
}

// Left returns the tokens left, in the order of the list.
func (d *Disguise) Left(p digit.Position) string {
	var left []string
	for i, t := range d.Game.Tokens {
		if d.Rules.Left(p).Has(d.digitOf[i]) {
			left = append(left, t.Name)
		}
	}
	return list(left)
}

// A Map translates between the two games. The ends of a line are L and R.
type Map struct {
	Tokens map[string]string `json:"tokens"` // the token of each digit
	Places map[string]string `json:"places"` // the name of each place
	Digits map[string]string `json:"digits"` // the digit of each token
	Spots  map[string]string `json:"spots"`  // the place of each name
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
