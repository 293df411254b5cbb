package web

import (
	"fmt"
	"strconv"
	"strings"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A goalView is the goal of a game as every page shows it: a symbol in a ring, and words.
type goalView struct {
	Ring  string // the target, or the direction
	Short string
	Note  string
	Step  string // the same for a beginner
	Big   bool   // the players agree on the target; it is not the book's
}

func goalOf(r digit.Rules) goalView {
	goal := rulebook.Goal(r)
	return goalView{Ring: ringOf(r), Short: goal.Short, Note: rulebook.GoalNote(r).Long,
		Big: r.Place == digit.Ends && r.Target > 0}
}

// ringOf returns the symbol of a goal. That of a hand has a mark of its own.
func ringOf(r digit.Rules) string {
	orders := r.Orders()
	switch {
	case r.Place == digit.Hand && r.Reachable():
		return strconv.Itoa(int(r.Target)) + "!"
	case r.Reachable(), len(orders) > 0 &&
		(orders[0] == digit.Above || orders[0] == digit.Below || orders[0] == digit.Nearest):
		return strconv.Itoa(int(r.Target))
	case len(orders) > 0 && orders[0] == digit.Higher:
		return "▲"
	case len(orders) > 0 && orders[0] == digit.Lower:
		return "▼"
	default:
		return "="
	}
}

// Wide returns the number of characters of the symbol, since many are written smaller.
func (g goalView) Wide() int { return len([]rune(g.Ring)) }

// An endView shows how a game ended: the winning number and its measure.
type endView struct {
	Class     string // won, lost or drawn for the viewer; empty for a watcher of a won game
	Drawn     bool   // the drawing shows everything
	Seat      int    // the seat of the number shown
	Digits    []string
	Sum       *sumView
	Against   string // "975 > 864"
	Distances []distance
}

// A sumView is a number as a multiple of the target: 721 = 7 × 103.
type sumView struct {
	Number      string
	Ring        string
	Times, Rest int
}

// A distance shows how far a number is from a multiple, drawn to scale.
type distance struct {
	Seat    int
	Mark    string
	Name    string
	Number  string
	Ring    string
	Covered string // the part of the way behind it, of 82
}

// endOf returns the end of a table's game, as a viewer sees it.
func endOf(s match.State, v viewer) *endView {
	r, cast := s.Setup.Rules, v.narrator(s).Sides()
	f := rulebook.Finished(r, s.Position, s.Result)
	e := &endView{}
	if v.plays {
		e.Class = map[bool]string{true: "won", false: "lost"}[f.Won && cast.You[f.Winner]]
	}
	if !f.Won {
		e.Class = "drawn"
	}
	if f.Won && (f.Result.Reason == digit.Multiple || f.Order == digit.Higher ||
		f.Order == digit.Lower) {
		n := f.Numbers[f.Winner]
		e.Seat, e.Digits, e.Drawn = int(s.SeatOf(f.Winner))+1, strings.Split(n.String(), ""),
			len(f.Ties) == 0
		if f.Result.Reason == digit.Multiple {
			e.Sum = sumOf(r, n)
		} else {
			sign := map[digit.Order]string{digit.Higher: ">", digit.Lower: "<"}[f.Order]
			e.Against = fmt.Sprintf("%v %s %v", n, sign, f.Numbers[f.Winner.Other()])
		}
	}
	switch f.Order {
	case digit.Above, digit.Below, digit.Nearest:
		e.Distances = []distance{distanceOf(s, v, f, digit.First),
			distanceOf(s, v, f, digit.Second)}
	default: // there is nothing to measure
	}
	if f.Result.Reason == digit.Miscalled {
		e.Sum = sumOf(r, f.Numbers[f.Winner.Other()])
	}
	return e
}

func sumOf(r digit.Rules, n digit.Number) *sumView {
	value, t := n.Value(r.Base()), int(r.Target)
	return &sumView{n.String(), strconv.Itoa(t), value / t, value % t}
}

func distanceOf(s match.State, v viewer, f rulebook.Finish, side digit.Side) distance {
	r, n, seat := s.Setup.Rules, f.Numbers[side], s.SeatOf(side)
	gap := r.Measure(f.Order, n.Value(r.Base()))
	most := int(r.Target)
	if f.Order == digit.Nearest {
		most = most/2 + 1
	}
	w := distance{Seat: int(seat) + 1, Mark: marks[seat], Number: n.String(),
		Ring: strconv.Itoa(int(r.Target))}
	w.Name = longText(r, v.narrator(s).Sides(),
		func(w rulebook.Voice) string { return w.Who(side) })
	w.Covered = fmt.Sprintf("%.1f", 82*float64(most-gap)/float64(most))
	return w
}
