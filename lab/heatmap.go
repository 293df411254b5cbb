package lab

import (
	"fmt"
	"html"
	"io"
	"slices"
	"strings"

	"digitduel/digit"
)

// mostRows is the maximum number of rows of a map.
const mostRows = 400

// DrawMap draws the cells of a grid by how even they are, with the values of the longest axis as
// columns and all others as rows. For reports without figures it uses the winner.
func DrawMap(out io.Writer, g Grid, reports []Report) error {
	known := map[digit.Rules]*Report{}
	for i, r := range reports {
		known[r.Rules] = &reports[i]
	}
	across := 0 // the longest axis
	for i, a := range g.Axes {
		if len(a.Values) > len(g.Axes[across].Values) {
			across = i
		}
	}
	if len(g.Axes) == 0 {
		return fmt.Errorf("a map needs a key with several values, as in target=2..130")
	}
	columns := len(g.Axes[across].Values)
	rows := g.Len() / columns
	if rows > mostRows {
		return fmt.Errorf("a map of %d rows is too large; allowed: up to %d", rows, mostRows)
	}
	const left, top, tall = 200, 90, 18
	wide := max(6, min(60, 1000/columns))
	var p picture
	p.begin(left+wide*columns+40, top+tall*rows+70,
		fmt.Sprintf("%v: who is ahead, by %s", g.Base, g.Axes[across].Key))
	p.text(20, 50, "", "Blue: Player 1 is ahead; red: Player 2; pale yellow: even. "+
		"An empty cell is no game of its own, or too large.")
	row, lines := map[string]int{}, 0
	for values, r := range g.cells() {
		var label []string
		for i, value := range values {
			if i != across && len(g.Axes[i].Values) > 1 {
				label = append(label, g.Axes[i].Key+"="+value)
			}
		}
		name := strings.Join(label, " ")
		at, seen := row[name]
		if !seen {
			at = lines
			row[name] = at
			lines++
			p.text(left-8, float64(top+tall*at+13), `text-anchor="end" font-size="11"`, name)
		}
		report, ok := known[r.Normal()]
		if r.Check() != nil || !ok {
			continue
		}
		column := slices.Index(g.Axes[across].Values, values[across])
		share, caption := report.share()
		p.add(`<rect x="%d" y="%d" width="%d" height="%d" fill="%s"><title>%s: %s</title></rect>`,
			left+wide*column, top+tall*at, wide-1, tall-1, shade(share),
			html.EscapeString(r.String()), caption)
	}
	every := 1
	for every*wide < 30 {
		every++
	}
	for i, value := range g.Axes[across].Values {
		if i%every == 0 {
			p.text(float64(left+wide*i+wide/2), float64(top+tall*rows+18),
				`text-anchor="middle" font-size="10"`, value)
		}
	}
	p.text(float64(left+wide*columns/2), float64(top+tall*rows+40),
		`text-anchor="middle"`, g.Axes[across].Key)
	return p.end(out)
}

// share returns the first player's share at slip 0.2, or under perfect play if that is not known,
// and a caption for it.
func (r *Report) share() (float64, string) {
	if r.Full() {
		return r.Bias + 0.5, fmt.Sprintf("Player 1 gets %.3f, drawn %.3f", r.Bias+0.5, r.Draws)
	}
	return map[string]float64{"first": 1, "second": 0, "draw": 0.5}[r.Winner],
		"by perfect play: " + r.Winner
}
