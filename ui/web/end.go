package web

import (
	"fmt"
	"strconv"
	"strings"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A goalView is what a game is played for, as every page of it shows it: a sign in a ring, and words.
type goalView struct {
	Ring  string // the number to make a multiple of, or the way to go
	Short string
	Note  string
	Step  string // the same for who plays for the first time
	Big   bool   // the number is agreed between the players, and not the book's
}

func goalOf(r digit.Rules) goalView {
	goal := rulebook.Goal(r)
	return goalView{Ring: ringOf(r), Short: goal.Short, Note: rulebook.GoalNote(r).Long, Big: r.Place == digit.Ends && r.Target > 0}
}

// ringOf returns the sign of a goal.
func ringOf(r digit.Rules) string {
	orders := r.Orders()
	switch {
	case r.Reachable(), len(orders) > 0 && (orders[0] == digit.Above || orders[0] == digit.Below || orders[0] == digit.Nearest):
		return strconv.Itoa(int(r.Target))
	case len(orders) > 0 && orders[0] == digit.Higher:
		return "▲"
	case len(orders) > 0 && orders[0] == digit.Lower:
		return "▼"
	default:
		return "="
	}
}

// Wide reports whether the sign has so many characters that they are written smaller.
func (g goalView) Wide() int { return len([]rune(g.Ring)) }

// An endView is how a game ended: the number that won lifted out, and what it was measured by.
type endView struct {
	Class     string // won, lost or drawn for the viewer; empty for who watches and somebody won
	Drawn     bool   // what is drawn says all that is told of it
	Seat      int    // who has the number that is lifted out
	Digits    []string
	Sum       *sumView
	Against   string // "975 > 864"
	Distances []distance
}

// A sumView is a number by the target: 721 = 7 × 103.
type sumView struct {
	Number      string
	Ring        string
	Times, Rest int
}

// A distance is how far a number is from a multiple, drawn to scale.
type distance struct {
	Seat    int
	Mark    string
	Name    string
	Number  string
	Ring    string
	Covered string // how much of the way is behind it, of 82
}

// endOf returns how the game of a table ended, as a viewer sees it.
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
	if f.Won && (f.Result.Reason == digit.Multiple || f.Order == digit.Higher || f.Order == digit.Lower) {
		n := f.Numbers[f.Winner]
		e.Seat, e.Digits, e.Drawn = int(s.SeatOf(f.Winner))+1, strings.Split(n.String(), ""), len(f.Ties) == 0
		if f.Result.Reason == digit.Multiple {
			e.Sum = sumOf(r, n)
		} else {
			sign := map[digit.Order]string{digit.Higher: ">", digit.Lower: "<"}[f.Order]
			e.Against = fmt.Sprintf("%v %s %v", n, sign, f.Numbers[f.Winner.Other()])
		}
	}
	switch f.Order {
	case digit.Above, digit.Below, digit.Nearest:
		e.Distances = []distance{distanceOf(s, v, f, digit.First), distanceOf(s, v, f, digit.Second)}
	default: // nothing is to be measured
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
	w := distance{Seat: int(seat) + 1, Mark: marks[seat], Number: n.String(), Ring: strconv.Itoa(int(r.Target))}
	w.Name = longText(r, v.narrator(s).Sides(), func(w rulebook.Voice) string { return w.Who(side) })
	w.Covered = fmt.Sprintf("%.1f", 82*float64(most-gap)/float64(most))
	return w
}
