package lab

import (
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/solve"
)

// A picture is an SVG document. Its colours also differ in lightness, and every figure is written
// out.
type picture struct {
	Wide, Tall int
	Title      string
	Rects      []rect
	Line       string // the points of a curve
	Texts      []text
}

type rect struct {
	X, Y, Wide, Tall float64
	Fill, Title      string
}

type text struct {
	X, Y         float64
	Anchor, Text string
}

// Anchors of a text: the part of it that its place is about.
const start, middle, end = "start", "middle", "end"

var svg = template.Must(template.New("svg").Parse(`<svg xmlns="http://www.w3.org/2000/svg"
 viewBox="0 0 {{.Wide}} {{.Tall}}" width="{{.Wide}}" height="{{.Tall}}" role="img"
 font-family="system-ui, sans-serif" font-size="11">
<title>{{.Title}}</title><rect width="{{.Wide}}" height="{{.Tall}}" fill="#fff"/>
<text x="20" y="28" font-size="16" font-weight="600">{{.Title}}</text>
{{range .Rects}}<rect x="{{.X}}" y="{{.Y}}" width="{{.Wide}}" height="{{.Tall}}" ` +
	`fill="{{.Fill}}"><title>{{.Title}}</title></rect>
{{end}}<polyline points="{{.Line}}" fill="none" stroke="#0b5c8a" stroke-width="2"/>
{{range .Texts}}<text x="{{.X}}" y="{{.Y}}" text-anchor="{{.Anchor}}">{{.Text}}</text>
{{end}}</svg>
`))

func (p *picture) rect(x, y, wide, tall float64, fill, title string) {
	p.Rects = append(p.Rects, rect{x, y, wide, tall, fill, title})
}

// text adds a text, once.
func (p *picture) text(x, y float64, anchor, format string, args ...any) {
	if t := (text{x, y, anchor, fmt.Sprintf(format, args...)}); !slices.Contains(p.Texts, t) {
		p.Texts = append(p.Texts, t)
	}
}

// Colours of an advantage of the first player, of the second, and of none.
const blue, red, yellow = "#0b5c8a", "#b3402a", "#fff3c4"

// Draw draws the curve of a report, the lengths of games, and a map of the first moves.
func Draw(out io.Writer, report Report, s *solve.Solution) error {
	p := picture{
		Wide: 760, Tall: 380 + 20*int(report.Rules.Width), Title: report.Rules.String(),
	}
	p.curve(report)
	p.lengths(report)
	p.firstMoves(s)
	return svg.Execute(out, p)
}

func (p *picture) curve(report Report) {
	const left, top, size = 60.0, 70.0, 180.0
	p.text(left, top-14, start, "Player 1's share by how often both slip")
	for share := 0.0; share <= 1; share += 0.25 {
		p.rect(left, top+size*(1-share), 300, 1, "#bbb", "")
		p.text(left-8, top+size*(1-share)+4, end, "%.0f %%", 100*share)
	}
	for _, at := range report.Curve {
		x, y := left+300*at.Slip, top+size*(1-at.First)
		p.Line += fmt.Sprintf("%.1f,%.1f ", x, y)
		p.rect(x-3, y-3, 6, 6, blue, fmt.Sprintf("slip %g: %.3f, drawn %.3f",
			at.Slip, at.First, at.Draw))
		if at.Slip != 0.05 { // its label would overlap the next ones
			p.text(x, top+size+18, middle, "%g", at.Slip)
		}
	}
}

func (p *picture) lengths(report Report) {
	const left, bottom = 430.0, 250.0
	p.text(left, 56, start, "Turns a game takes: %.1f on average", report.Length)
	step, most := 300/float64(len(report.Lengths)-1), slices.Max(report.Lengths)
	for ply, share := range report.Lengths[1:] {
		x, tall := left+step*float64(ply), 164*share/most
		p.rect(x+2, bottom-tall, step-4, tall, "#7a4b9d", "")
		if share >= 0.005 {
			p.text(x+step/2, bottom-tall-4, middle, "%.0f %%", 100*share)
		}
		p.text(x+step/2, bottom+18, middle, "%d", ply+1)
	}
}

// firstMoves draws a cell for each digit and place with the outcome and its number of turns.
func (p *picture) firstMoves(s *solve.Solution) {
	const left, top = 60.0, 340.0
	p.text(left, top-34, start, "First moves: what each is worth to Player 1 "+
		"(wins, draws or loses), and in how many turns")
	digits := slices.Collect(s.Rules().Pool.All())
	wide := min(60, 660/float64(len(digits)))
	fills := map[solve.Outcome]string{
		solve.Win: "#a9d8bf", solve.Draw: yellow, solve.Loss: "#f0b8ab",
	}
	words := map[solve.Outcome]string{solve.Win: "w", solve.Draw: "d", solve.Loss: "l"}
	for _, c := range s.Choices(digit.Position{}) {
		row, _ := c.Move.Spot.Slot()
		x, y := left+wide*float64(slices.Index(digits, c.Move.Digit)), top+20*float64(row)
		p.text(x+wide/2, top-8, middle, "%v", c.Move.Digit)
		p.text(left-8, y+13, end, "%v", c.Move.Spot)
		p.rect(x, y, wide-2, 18, fills[c.Value.Outcome], "")
		p.text(x+wide/2, y+13, middle, "%s %d", words[c.Value.Outcome], c.Value.Plies)
	}
}

// mostRows is the maximum number of rows of a map.
const mostRows = 400

// DrawMap draws the cells of a grid by the winner under perfect play, with the values of the
// longest axis as columns and all others as rows.
func DrawMap(out io.Writer, g Grid, reports []Report) error {
	across := 0 // the longest axis
	for i, a := range g.Axes {
		if len(a.Values) > len(g.Axes[across].Values) {
			across = i
		}
	}
	if len(g.Axes) == 0 {
		return fmt.Errorf("a map needs a key with several values, as in target=2..130")
	}
	axis := g.Axes[across]
	rows := g.Len() / len(axis.Values)
	if rows > mostRows {
		return fmt.Errorf("a map of %d rows is too large; allowed: up to %d", rows, mostRows)
	}
	winners := map[digit.Rules]string{}
	for _, r := range reports {
		winners[r.Rules] = r.Winner
	}
	const left, top, tall = 200.0, 90.0, 18.0
	wide := float64(max(6, min(60, 1000/len(axis.Values))))
	p := picture{
		Wide: int(left+wide*float64(len(axis.Values))) + 40, Tall: int(top+tall*float64(rows)) + 50,
		Title: fmt.Sprintf("%v: who wins, by %s", g.Base, axis.Key),
	}
	p.text(20, 50, start, "Blue: Player 1; red: Player 2; pale yellow: a draw. "+
		"An empty cell is no game of its own, or too large.")
	fills := map[string]string{"first": blue, "second": red, "draw": yellow}
	row := map[string]float64{} // the upper end of each row, by its label
	for values, r := range g.cells() {
		var label []string
		for i, value := range values {
			if i != across && len(g.Axes[i].Values) > 1 {
				label = append(label, g.Axes[i].Key+"="+value)
			}
		}
		name := strings.Join(label, " ")
		y, seen := row[name]
		if !seen {
			y = top + tall*float64(len(row))
			row[name] = y
			p.text(left-8, y+13, end, "%s", name)
		}
		if winner := winners[r.Normal()]; winner != "" {
			x := left + wide*float64(slices.Index(axis.Values, values[across]))
			p.rect(x, y, wide-1, tall-1, fills[winner], fmt.Sprintf("%v: %s", r, winner))
		}
	}
	every := 1 + int(30/wide)
	for i := 0; i < len(axis.Values); i += every {
		p.text(left+wide*(float64(i)+0.5), top+tall*float64(rows)+18, middle, "%s", axis.Values[i])
	}
	return svg.Execute(out, p)
}
