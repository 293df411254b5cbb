package web

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// An endView shows how a game ended: the sums or the numbers that decided it.
type endView struct {
	Class   string // won, lost or drawn for the viewer; empty for a watcher of a won game
	Drawn   bool   // the drawing says as much as the sentence
	Sums    []sumView
	Against string // "975 > 864"
	Starts  string // who starts the next game: "you start"
}

// A sumView divides the number of a player by the target: 721 = 7 × 103. The distance to the
// multiple comes before the sign if the number is short of it, and else at the end.
type sumView struct {
	Seat        int
	Name        string // empty if there is one sum
	Number      string
	Short, Over string
	Ring        string
	Times       int
}

// endOf returns the end of a table's game, as a viewer sees it.
func endOf(s match.State, v viewer) *endView {
	r, cast := s.Setup.Rules, v.narrator(s).Sides()
	f := rulebook.Finished(r, s.Position, s.Result)
	e := &endView{Starts: startsNext(s, v)}
	if v.plays {
		e.Class = map[bool]string{true: "won", false: "lost"}[f.Won && cast.You[f.Winner]]
	}
	switch {
	case !f.Won:
		e.Class = "drawn"
	case v.both && s.SeatOf(f.Winner) == match.Two:
		e.Class = "won upper"
	case v.both:
		e.Class = "won"
	}
	order := f.Order
	if n := len(f.Ties); n > 0 {
		order = f.Ties[n-1]
	}
	switch {
	case s.Result.Reason == digit.Multiple:
		e.Sums, e.Drawn = []sumView{sumOf(s, f, f.Winner, 0)}, true
	case s.Result.Reason == digit.Miscalled:
		e.Sums, e.Drawn = []sumView{sumOf(s, f, f.Winner.Other(), 0)}, true
	case order == digit.Above || order == digit.Below || order == digit.Nearest:
		sides := []digit.Side{f.Winner, f.Winner.Other()}
		if !f.Won { // the opponent is above
			sides = []digit.Side{digit.First, digit.Second}
			if cast.You[digit.First] {
				slices.Reverse(sides)
			}
		}
		for _, side := range sides {
			sum := sumOf(s, f, side, order)
			sum.Name = rulebook.LongVoice(r, shortNames(cast)).Who(side)
			e.Sums = append(e.Sums, sum)
		}
		e.Drawn = f.Won && len(f.Ties) == 0
	case order == digit.Higher || order == digit.Lower:
		sign := map[digit.Order]string{digit.Higher: ">", digit.Lower: "<"}[order]
		e.Against = fmt.Sprintf("%v %s %v", f.Numbers[f.Winner], sign,
			f.Numbers[f.Winner.Other()])
		e.Drawn = true
	}
	return e
}

// sumOf returns the sum of a number. Order says which distance counts; 0 means the remainder.
func sumOf(s match.State, f rulebook.Finish, side digit.Side, order digit.Order) sumView {
	r := s.Setup.Rules
	value, t := f.Numbers[side].Value(r.Base()), int(r.Target)
	sum := sumView{Seat: int(s.SeatOf(side)) + 1, Ring: strconv.Itoa(t), Times: value / t}
	sum.Number = rulebook.Voice{Rules: r}.Number(f.Numbers[side])
	rest := value % t
	switch {
	case order == digit.Above || order == digit.Nearest && 2*rest > t:
		far := r.Measure(order, value)
		sum.Short, sum.Times = strconv.Itoa(far), (value+far)/t
	case order != 0 || rest > 0:
		sum.Over = strconv.Itoa(rest)
	}
	return sum
}

// shortNames cuts names to their first word and 12 characters, so that a headline has one line.
func shortNames(c rulebook.Cast) rulebook.Cast {
	const most = 12
	for i, name := range c.Names {
		name, _, _ = strings.Cut(name, " ")
		if runes := []rune(name); len(runes) > most {
			name = string(runes[:most-1]) + "…"
		}
		c.Names[i] = name
	}
	return c
}

// startsNext says who starts the next game: "you start", "Ben starts".
func startsNext(s match.State, v viewer) string {
	s.Game++
	side := digit.Side(s.Opener())
	voice := rulebook.LongVoice(s.Setup.Rules, shortNames(v.narrator(s).Seats()))
	return voice.Whom(side) + strings.TrimPrefix(voice.Does(side, "start"), voice.Who(side))
}

// A momentView shows a better move than the one played: both numbers before it, with the better
// digit as a ghost.
type momentView struct {
	Title, Text string
	Rows        []board // none: there is no better move
	Try         string  // the path for trying it; empty: there is none
}

// momentOf draws a better move of a game in a state. The reader's number is the lower one.
func momentOf(s match.State, a coach.Alternative) momentView {
	view := momentView{Title: a.Title, Text: a.Text.Long}
	if !a.Exists {
		return view
	}
	view.Rows = rowsOf(s, a.At, s.SeatOf(s.Setup.Rules.Turn(a.At)), nil)
	view.Rows[1].Cells = ghosted(view.Rows[1].Cells, a)
	return view
}

// rowsOf draws both numbers in a position, that of a seat below the other.
func rowsOf(s match.State, at digit.Position, low match.Seat, last *digit.Move) (rows []board) {
	r := s.Setup.Rules
	for _, seat := range []match.Seat{low.Other(), low} {
		rows = append(rows, numberOf(r, at, s.Side(seat), seat, "", false, last))
	}
	return rows
}

// ghosted adds the better digit to the cells of a number, and in slots also the digit that was
// played, if that went to another place.
func ghosted(cells []cell, a coach.Alternative) []cell {
	was, sameSpot := "", a.Ply > 0 && a.Better.Spot == a.Played.Spot
	if sameSpot && a.Played.Digit != a.Better.Digit {
		was = a.Played.Digit.String()
	}
	cells = withGhost(cells, a.Better, was)
	if played, inSlot := a.Played.Spot.Slot(); inSlot && a.Ply > 0 && !sameSpot {
		cells[played] = cell{Digit: a.Played.Digit.String(), Miss: true}
	}
	return cells
}
