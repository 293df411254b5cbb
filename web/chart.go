package web

import (
	"fmt"
	"strconv"
	"strings"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/solve"
)

// A chart shows for whom a game was won over its course.
type chart struct {
	Width  int
	Path   string // of the line
	Points []chartPoint
	Tells  string // the same in words
}

// A chartPoint is the value of the game after a move.
type chartPoint struct {
	X, Y  int
	Move  string // empty: the start
	Ply   int
	Grade string
	Turns string // to the end
	For   string // who wins with best play
}

// The geometry of a chart: a column for each move, a line for each of first, nobody and second.
const (
	chartLeft   = 28
	chartColumn = 44
	chartTop    = 22
	chartLine   = 34
)

// chartOf draws the course of a reviewed game.
func chartOf(rv coach.Review, view *replayed) *chart {
	c := &chart{}
	add := func(v solve.Value, turn digit.Side, ply int) {
		row, who := 1, "nobody"
		if winner, ok := v.Winner(turn); ok {
			row, who = 2*int(winner), isolate(view.Names[winner])
		}
		p := chartPoint{X: chartLeft + ply*chartColumn, Y: chartTop + row*chartLine, Ply: ply, Turns: strconv.Itoa(v.Plies), For: who}
		if ply > 0 {
			p.Move, p.Grade = rv.Moves[ply-1].Move.String()+view.Lines[ply-1].Sign, rv.Moves[ply-1].Grade.String()
		}
		c.Points = append(c.Points, p)
	}
	for i, step := range rv.Moves {
		add(step.Best, step.Side, i)
	}
	add(rv.Value, digit.Side(len(rv.Moves)%2), len(rv.Moves))
	c.Width = chartLeft + len(rv.Moves)*chartColumn + chartLeft
	var path, tells strings.Builder
	for i, p := range c.Points {
		if i == 0 {
			fmt.Fprintf(&path, "M%d %d", p.X, p.Y)
			fmt.Fprintf(&tells, "At the start it is won for %s", p.For)
			continue
		}
		fmt.Fprintf(&path, "L%d %d", p.X, p.Y)
		if p.For != c.Points[i-1].For {
			fmt.Fprintf(&tells, "; after move %d, %s, for %s", p.Ply, p.Move, p.For)
		}
	}
	c.Path, c.Tells = path.String(), tells.String()+"."
	return c
}
