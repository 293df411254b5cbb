package web

import (
	"slices"
	"strconv"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A verdict is what a move is worth, as a badge on a digit or a place shows it: a letter and the turns to the end.
type verdict struct {
	Digit string // the digit for which it stands on a place; empty on a digit
	Kind  string // win, draw or loss
	Short string // "W3"
	Words string // "wins in 3 turns"
}

func verdictOf(d string, v solve.Value) verdict {
	letter := map[solve.Outcome]string{solve.Win: "W", solve.Loss: "L", solve.Draw: "D"}[v.Outcome]
	return verdict{d, v.Outcome.String(), letter + strconv.Itoa(v.Plies), worth(v)}
}

// A tile is a digit of the pool.
type tile struct {
	Digit   string
	Gone    bool
	Verdict *verdict
}

// A cell is a place of a number, or where the next digit can go.
type cell struct {
	Name     string // the name of the place
	Spot     string // where the digit goes, as a form sends it
	Target   string // the same as a name without blanks; empty: it is no place to put a digit now
	Digit    string // empty: none
	New      bool   // the last move put the digit there
	Only     bool   // there is no other place
	Verdicts []verdict
}

// A calls is what can be called with a digit.
type calls struct {
	Digit   string
	Numbers []string // none: there are too many to choose from, and the number is typed
}

// A play is a position as it is shown to be played in: the digits and, on the number of the side to move, the places.
type play struct {
	Tiles []tile
	Calls []calls
}

// playOf returns what there is to choose from in a position.
func playOf(r digit.Rules, p digit.Position) play {
	left := r.Left(p)
	var view play
	for d := range r.Pool.All() {
		view.Tiles = append(view.Tiles, tile{Digit: d.String(), Gone: !left.Has(d)})
	}
	if !r.MayCall(p) {
		return view
	}
	const listed = 3 // digits in a hand of which all numbers are listed
	hand := r.Held(p, r.Turn(p))
	for d := range left.All() {
		c := calls{Digit: d.String()}
		if r.Width <= listed {
			for n := range r.Arrangements(hand | digit.PoolOf(d)) {
				c.Numbers = append(c.Numbers, n.String())
			}
		}
		view.Calls = append(view.Calls, c)
	}
	return view
}

// Left lists the digits that are left, and Taken the others.
func (v play) Left() (digits []string) { return v.digits(false) }

// Taken lists the digits that are not left.
func (v play) Taken() (digits []string) { return v.digits(true) }

func (v play) digits(gone bool) (digits []string) {
	for _, t := range v.Tiles {
		if t.Gone == gone {
			digits = append(digits, t.Digit)
		}
	}
	return digits
}

// Typed reports whether the number to call is typed and not chosen.
func (v play) Typed() bool { return len(v.Calls) > 0 && v.Calls[0].Numbers == nil }

// cellsOf returns the cells of a side's number, with places for the next digit if it is to be put there. Last is the move that
// the side made last, if it was the last one of the game.
func cellsOf(r digit.Rules, p digit.Position, side digit.Side, playable bool, last *digit.Move) []cell {
	n := r.Number(p, side)
	cells := make([]cell, 0, n.Len()+2)
	places := rulebook.Places(r)
	for i := range n.Len() {
		c := cell{}
		if r.Place == digit.Slots {
			c.Name = places[i]
		}
		spot := digit.SlotAt(i)
		if d, ok := n.At(i); ok {
			c.Digit = d.String()
			c.New = last != nil && d == last.Digit
		} else if playable {
			c.Spot, c.Target = spot.String(), spot.String()
		}
		cells = append(cells, c)
	}
	full := r.Full(p, side)
	switch {
	case r.Place == digit.Hand:
		return handCells(cells, int(r.Width), playable)
	case r.Place == digit.Ends && playable && !full && n.Len() == 0:
		return []cell{{Name: "First digit", Spot: "R", Target: "R", Only: true}}
	case r.Place == digit.Ends && playable && !full:
		cells = append([]cell{{Name: "Left end", Spot: "L", Target: "L"}}, cells...)
		return append(cells, cell{Name: "Right end", Spot: "R", Target: "R"})
	case r.Place == digit.Ends && n.Len() == 0:
		return []cell{{Name: "First digit"}}
	}
	return cells
}

// handCells adds the empty places of a hand, the first of which takes the next digit.
func handCells(cells []cell, width int, playable bool) []cell {
	for i := len(cells); i < width; i++ {
		c := cell{Name: "Hand"}
		if playable {
			c.Target, c.Only = "hand", true
			playable = false
		}
		cells = append(cells, c)
	}
	return cells
}

// rate puts on digits and places what they are worth to the side to move.
func (v *play) rate(choices []solve.Choice, cells []cell) {
	for i, t := range v.Tiles {
		with := slices.DeleteFunc(slices.Clone(choices), func(c solve.Choice) bool { return c.Move.Digit.String() != t.Digit })
		if len(with) > 0 {
			best := slices.MaxFunc(with, func(a, b solve.Choice) int { return a.Value.Compare(b.Value) })
			rated := verdictOf("", best.Value)
			v.Tiles[i].Verdict = &rated
		}
	}
	for i, to := range cells {
		for _, c := range choices {
			if to.Target != "" && to.Spot == c.Move.Spot.String() {
				cells[i].Verdicts = append(cells[i].Verdicts, verdictOf(c.Move.Digit.String(), c.Value))
			}
		}
	}
}
