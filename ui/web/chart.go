package web

import (
	"fmt"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/rulebook"
)

// A chart shows which side was winning over the course of a game.
type chart struct {
	Width  int
	Path   string // of the line
	Above  string // the meaning of above and below
	Below  string
	Points []chartPoint
	Words  string // the same in words
}

// A chartPoint is the value of the game after a move.
type chartPoint struct {
	X, Y  int
	Ply   int // 0: the start
	Grade string
}

// The geometry of a chart: a column for each move, and a line for each of first, draw and second.
const (
	chartLeft   = 28
	chartColumn = 44
	chartTop    = 32
	chartLine   = 28
)

// chartOf draws the course of a reviewed game.
func chartOf(rv coach.Review, cast rulebook.Cast) *chart {
	voice := rulebook.LongVoice(rv.Rules, cast)
	c := &chart{Above: voice.Does(digit.First, "win"), Below: voice.Does(digit.Second, "win")}
	for ply, row := range rv.Rows() {
		p := chartPoint{X: chartLeft + ply*chartColumn, Y: chartTop + row*chartLine, Ply: ply}
		if ply > 0 {
			p.Grade = rv.Moves[ply-1].Grade.String()
		}
		c.Points = append(c.Points, p)
	}
	c.Width = max(chartLeft+len(rv.Moves)*chartColumn+chartLeft, 240) // names need room
	command := "M"
	for _, p := range c.Points {
		c.Path += fmt.Sprintf("%s%d %d", command, p.X, p.Y)
		command = "L"
	}
	c.Words = rv.Course(cast)
	return c
}
