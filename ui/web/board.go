package web

import (
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A verdict is the value of a move, as a digit, a place or a table shows it.
type verdict struct {
	Digit string // the digit that a place is rated for; empty on a digit
	Kind  string // win, draw or loss
	Short string // "wins"
	Words string // "wins in 3 turns"
}

// verdictOf returns the value of a choice for the player who makes it.
func verdictOf(r digit.Rules, c rulebook.Cast, choice solve.Choice) verdict {
	v := choice.Value
	words := map[solve.Outcome]string{solve.Win: "wins", solve.Loss: "loses",
		solve.Draw: "draws"}[v.Outcome]
	when := rulebook.LongVoice(r, c).Turns(v.Plies, r.Turn(choice.Next), false)
	return verdict{choice.Move.Digit.String(), v.Outcome.String(), words, words + " " + when}
}

// placeName returns the label of a spot: "left", "hundreds", "2nd".
func placeName(r digit.Rules, spot digit.Spot) string {
	if spot == digit.InHand {
		return "hand"
	}
	name := strings.TrimPrefix(rulebook.Voice{Rules: r}.Spot(spot), "the ")
	name = strings.TrimSuffix(name, " place")
	return strings.TrimSuffix(name, " end")
}

// A tile is a digit of the pool.
type tile struct {
	Digit   string
	Gone    bool
	Seat    int    // of the player who has it; 0: none
	Bar     bool   // it has a bar below, since it is another digit upside down
	Ask     string // the question once it is picked
	Verdict *verdict
}

// A cell is a place of a number, or a place for the next digit.
type cell struct {
	Name     string // the name of the place
	Spot     string // where the digit goes, as a form sends it
	Target   string // the same as a name without blanks; empty: not a place for a digit now
	Digit    string // empty: none
	Bar      bool   // as of a tile
	New      bool   // the last move put the digit there
	Ghost    bool   // the digit is a better move that was not made
	Was      string // the digit that was played instead of it
	Miss     bool   // the digit was played, and another place was better
	Only     bool   // there is no other place
	Put      string // the label, with # for the digit: "Put # on the left"
	Before   string // the part of the number before a digit put there
	After    string // the part after it
	Verdicts []verdict
}

// A calls holds the numbers that can be called with a digit.
type calls struct {
	Digit     string
	Ask       rulebook.Said
	Use, None string   // the rest of the question, and the effect of no call
	Put       string   // the label: "Take 2"
	Numbers   []string // none: there are too many, and the number is typed
}

// A callBox is the place of the calls while there is nothing to choose. After the game it shows
// the hand of the player who might call.
type callBox struct {
	Legend  string
	Numbers []string
	Called  string
	None    bool // the player called nothing
	Over    bool
}

// listedWidth is the number of digits in a hand whose numbers are all listed.
const listedWidth = 3

// callBoxOf returns the box of a position; nil: the game has no calls, or they are typed.
func callBoxOf(r digit.Rules, p digit.Position) *callBox {
	if r.Win != digit.OnCall || r.Width > listedWidth {
		return nil
	}
	box := &callBox{Legend: "After your last digit you may call."}
	last := r.Turn(p).Other()
	if r.Result(p).Over() && r.Full(p, last) {
		called, ok := r.Called(p)
		box.Legend, box.Over, box.Called, box.None = "Called", true, called.String(), !ok
		if !ok {
			box.Legend = "Nobody called."
		}
		for n := range r.Arrangements(r.Held(p, last)) {
			box.Numbers = append(box.Numbers, n.String())
		}
		return box
	}
	chips := 1
	for i := range int(r.Width) {
		chips *= i + 1
	}
	for range chips {
		box.Numbers = append(box.Numbers, strings.Repeat("–", int(r.Width)))
	}
	return box
}

// A play is a position with its choices: the digits and, on the number of the side to move, the
// places.
type play struct {
	Tiles []tile
	Calls []calls
	Box   *callBox // nil: there is none
}

// playOf returns the choices in a position. First is the seat of the side that moved first.
func playOf(r digit.Rules, p digit.Position, first match.Seat) play {
	left, view := r.Left(p), play{Box: callBoxOf(r, p)}
	for d := range r.Pool.All() {
		t := tile{Digit: d.String(), Gone: !left.Has(d)}
		for i, side := range digit.Sides {
			if r.Held(p, side).Has(d) {
				t.Seat = int(first^match.Seat(i)) + 1
			}
		}
		if !t.Gone && r.Place != digit.Hand && !r.Result(p).Over() {
			t.Ask = rulebook.TapSpot(r, p, d).Long
		}
		if !t.Gone && r.MayCall(p) {
			t.Ask = rulebook.AskCall(r, p, d).Short + "."
		}
		view.Tiles = append(view.Tiles, t)
	}
	if !r.MayCall(p) {
		return view
	}
	hand := r.Held(p, r.Turn(p))
	for d := range left.All() {
		c := calls{Digit: d.String(), Ask: rulebook.AskCall(r, p, d), None: rulebook.NoCall(r).Long}
		c.Use = strings.TrimPrefix(c.Ask.Long, c.Ask.Short+". ")
		c.Put = rulebook.Capital(rulebook.Voice{Rules: r}.Put(p, digit.Move{Digit: d}))
		for n := range r.Arrangements(hand | digit.PoolOf(d)) {
			if r.Width > listedWidth {
				break
			}
			c.Numbers = append(c.Numbers, n.String())
		}
		view.Calls = append(view.Calls, c)
	}
	return view
}

// Left lists the free digits.
func (v play) Left() (digits []string) { return v.digits(false) }

// Taken lists the digits in use.
func (v play) Taken() (digits []string) { return v.digits(true) }

func (v play) digits(gone bool) (digits []string) {
	for _, t := range v.Tiles {
		if t.Gone == gone {
			digits = append(digits, t.Digit)
		}
	}
	return digits
}

// Typed reports whether the number to call is typed, not chosen.
func (v play) Typed() bool { return len(v.Calls) > 0 && v.Calls[0].Numbers == nil }

// cellsOf returns the cells of a side's number, with places for the next digit if playable. Last is
// the side's last move if it was the last one of the game.
func cellsOf(r digit.Rules, p digit.Position, side digit.Side, playable bool,
	last *digit.Move) []cell {
	n := r.Number(p, side)
	playable = playable && !r.Full(p, side)
	target := func(name string, spot digit.Spot) cell {
		c := cell{Name: name}
		if playable {
			c.Spot, c.Target, c.Put = spot.String(), spot.String(), putText(r, p, spot)
		}
		return c
	}
	var cells []cell
	for i := range n.Len() {
		spot := digit.SlotAt(i)
		c := cell{}
		if d, filled := n.At(i); filled {
			c.Digit, c.New = d.String(), last != nil && d == last.Digit
		} else {
			c = target("", spot)
		}
		if r.Place == digit.Slots {
			c.Name = placeName(r, spot)
		}
		cells = append(cells, c)
	}
	switch {
	case r.Place == digit.Hand:
		for len(cells) < int(r.Width) { // the first empty place takes the next digit
			c := target("hand", digit.InHand)
			if playable {
				c.Target, c.Only = "hand", true
			}
			cells, playable = append(cells, c), false
		}
	case r.Place == digit.Ends && len(cells) == 0:
		c := target("first digit", digit.Right)
		c.Only = playable
		cells = []cell{c}
	case r.Place == digit.Ends && playable:
		cells = slices.Concat([]cell{target(placeName(r, digit.Left), digit.Left)}, cells,
			[]cell{target(placeName(r, digit.Right), digit.Right)})
	}
	preview(r, n.String(), cells)
	return cells
}

// numberOf returns the board of a side without a player at a table.
func numberOf(r digit.Rules, p digit.Position, side digit.Side, seat match.Seat, name string,
	playable bool, last *digit.Move) board {
	return board{Seat: int(seat) + 1, Name: name, Place: r.Place.String(),
		Cells: cellsOf(r, p, side, playable, last)}
}

// preview gives each place for the next digit the parts of the number around it.
func preview(r digit.Rules, number string, cells []cell) {
	for i := range cells {
		switch c := &cells[i]; {
		case c.Target == "" || r.Place == digit.Hand:
		case r.Place == digit.Slots:
			c.Before, c.After = number[:i], number[i+1:]
		case i == 0:
			c.After = number
		default:
			c.Before = number
		}
	}
}

// putText returns the label for putting a digit on a spot, with # for the digit.
func putText(r digit.Rules, p digit.Position, spot digit.Spot) string {
	for d := range r.Left(p).All() {
		put := rulebook.Voice{Rules: r}.Put(p, digit.Move{Digit: d, Spot: spot})
		return rulebook.Capital(strings.Replace(put, d.String(), "#", 1))
	}
	return ""
}

// rate puts the values of choices on places, and on digits whose places are all alike.
func (v *play) rate(r digit.Rules, cast rulebook.Cast, choices []solve.Choice, cells []cell) {
	for i, t := range v.Tiles {
		with := slices.DeleteFunc(slices.Clone(choices),
			func(c solve.Choice) bool { return c.Move.Digit.String() != t.Digit })
		differs := func(c solve.Choice) bool { return c.Value.Outcome != with[0].Value.Outcome }
		if len(with) == 0 || slices.ContainsFunc(with, differs) {
			continue // the places differ
		}
		best := verdictOf(r, cast, slices.MaxFunc(with, func(a, b solve.Choice) int {
			return a.Value.Compare(b.Value)
		}))
		best.Digit = ""
		v.Tiles[i].Verdict = &best
	}
	for i, to := range cells {
		for _, c := range choices {
			if to.Target != "" && to.Spot == c.Move.Spot.String() {
				cells[i].Verdicts = append(cells[i].Verdicts, verdictOf(r, cast, c))
			}
		}
	}
}
