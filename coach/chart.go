package coach

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// The rows of a chart. Row 0 is that of the first player.
const (
	even      = 1
	forSecond = 2
)

// Chart draws who wins with best play over the course of the game: a row for each player, and one
// between them for a draw. The figures on the line are the turns to the end. Below are the moves,
// with "?" for a mistake and "??" for a blunder.
func (rv Review) Chart(cast rulebook.Cast) string {
	rows, figures, moves := rv.course()
	width := 1
	for i := range rows {
		width = max(width, len(figures[i])+1, len(moves[i])+1)
	}
	v := rulebook.LongVoice(rv.Rules, cast)
	lines := []string{v.Who(digit.First), "even", v.Who(digit.Second), ""}
	margin := 2
	for _, name := range lines {
		margin = max(margin, utf8.RuneCountInString(name)+2)
	}
	for i := range lines {
		lines[i] = pad(lines[i], margin, " ")
	}
	for i, at := range rows {
		next, fill := at, " "
		if i+1 < len(rows) {
			next, fill = rows[i+1], "─"
		}
		for row := range lines[:3] {
			cell := pad("", width, " ")
			if row == at {
				cell = pad(figures[i], width, fill)
			}
			lines[row] += cell + stroke(row, at, next, i+1 < len(rows))
		}
		lines[3] += pad(moves[i], width+1, " ")
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ") + "\n"
	}
	return strings.Join(lines, "")
}

// Rows returns the rows of the chart from the start, and after each move: 0 if the first player
// wins with best play, 1 if nobody does, 2 if the second player does.
func (rv Review) Rows() []int {
	rows, _, _ := rv.course()
	return rows
}

// Course describes the chart: "You were winning until move 5; from there Ben was."
func (rv Review) Course(cast rulebook.Cast) string {
	rows := rv.Rows()
	v := rulebook.LongVoice(rv.Rules, cast)
	text := was(v, rows[0], true) + " winning"
	for i, row := range rows[1:] {
		if row != rows[i] {
			text += fmt.Sprintf(" until move %d; from there %s", i+1, was(v, row, false))
		}
	}
	if !strings.Contains(text, ";") {
		text += " throughout"
	}
	return text + "."
}

// was names the player of a row of the chart: "You were", "Ben was", "nobody was".
func was(v rulebook.Voice, row int, begins bool) string {
	side := digit.Side(row / forSecond)
	switch {
	case row == even && begins:
		return "Nobody was"
	case row == even:
		return "nobody was"
	case begins:
		return v.Does(side, "were")
	default:
		return v.Whom(side) + " " + v.Verb(side, "were")
	}
}

// course returns the row of the chart, its figure and the move, for the start and after each move.
func (rv Review) course() (rows []int, figures, moves []string) {
	add := func(v solve.Value, turn digit.Side, move string) {
		row := even
		if winner, won := v.Winner(turn); won {
			row = forSecond * int(winner)
		}
		rows, moves = append(rows, row), append(moves, move)
		figures = append(figures, strconv.Itoa(v.Plies))
	}
	move := ""
	for _, step := range rv.Moves {
		add(step.Best, step.Side, move)
		move = step.Move.String() + map[Grade]string{Mistake: "?", Blunder: "??"}[step.Grade]
	}
	add(rv.Value, digit.Side(len(rv.Moves)%2), move)
	return rows, figures, moves
}

// stroke returns the character in a row between two columns, where the line goes from one row to
// another.
func stroke(row, from, to int, more bool) string {
	switch {
	case !more:
		return ""
	case row < min(from, to) || row > max(from, to):
		return " "
	case from == to:
		return "─"
	case row == from && to > from:
		return "╮"
	case row == from:
		return "╯"
	case row == to && from < to:
		return "╰"
	case row == to:
		return "╭"
	default:
		return "│"
	}
}

func pad(text string, width int, with string) string {
	return text + strings.Repeat(with, max(0, width-utf8.RuneCountInString(text)))
}
