package lab

import (
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/solve"
)

// A picture is an SVG document under construction. Its colours also differ in lightness, and
// every figure is written out.
type picture struct{ strings.Builder }

func (p *picture) add(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *picture) begin(width, height int, title string) {
	p.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" `+
		`role="img" font-family="system-ui, sans-serif" font-size="12">`,
		width, height, width, height)
	p.add(`<title>%s</title>`, html.EscapeString(title))
	p.add(`<rect width="%d" height="%d" fill="#fff"/>`, width, height)
	p.text(20, 28, `font-size="16" font-weight="600"`, title)
}

func (p *picture) text(x, y float64, style, text string) {
	p.add(`<text x="%.1f" y="%.1f" %s>%s</text>`, x, y, style, html.EscapeString(text))
}

// end completes the document and writes it.
func (p *picture) end(out io.Writer) error {
	p.add(`</svg>`)
	_, err := io.WriteString(out, p.String())
	return err
}

// Draw draws the curve of a report, the lengths of games, and a map of the first moves.
func Draw(out io.Writer, report Report, s *solve.Solution) error {
	var p picture
	choices := s.Choices(digit.Position{})
	var spots []digit.Spot
	for _, c := range choices {
		if !slices.Contains(spots, c.Move.Spot) {
			spots = append(spots, c.Move.Spot)
		}
	}
	slices.Sort(spots)
	p.begin(760, 340+20*len(spots), report.Rules.String())
	p.curve(report)
	p.lengths(report)
	p.firstMoves(s.Rules().Pool, spots, choices)
	return p.end(out)
}

func (p *picture) curve(report Report) {
	const left, top, width, height = 60.0, 70.0, 300.0, 180.0
	p.text(left, top-14, `font-weight="600"`,
		"Player 1's share by how often both slip"+exactly(report))
	for _, share := range []float64{0, 0.25, 0.5, 0.75, 1} {
		y := top + height*(1-share)
		stroke := "#ddd"
		if share == 0.5 {
			stroke = "#555"
		}
		p.add(`<path d="M%.1f %.1fh%.1f" stroke="%s"/>`, left, y, width, stroke)
		p.text(left-8, y+4, `text-anchor="end"`, fmt.Sprintf("%.0f %%", 100*share))
	}
	var line []string
	for _, at := range report.Curve {
		x, y := left+width*at.Slip, top+height*(1-at.First)
		line = append(line, fmt.Sprintf("%.1f,%.1f", x, y))
		p.add(`<circle cx="%.1f" cy="%.1f" r="3.5" fill="#0b5c8a">`+
			`<title>slip %g: %.3f, drawn %.3f</title></circle>`, x, y, at.Slip, at.First, at.Draw)
		if at.Slip != 0.05 { // its label would overlap the next ones
			p.text(x, top+height+18, `text-anchor="middle"`, fmt.Sprintf("%g", at.Slip))
		}
	}
	p.add(`<polyline points="%s" fill="none" stroke="#0b5c8a" stroke-width="2"/>`,
		strings.Join(line, " "))
}

func exactly(report Report) string {
	if report.Exact {
		return ""
	}
	return fmt.Sprintf(" (%d games, ± %.3f)", report.Sample.Games, report.Sample.Errors["first"])
}

func (p *picture) lengths(report Report) {
	const left, top, width, height = 430.0, 70.0, 300.0, 180.0
	p.text(left, top-14, `font-weight="600"`,
		fmt.Sprintf("Turns a game takes: %.1f on average", report.Length))
	step := width / float64(len(report.Lengths)-1)
	most := 0.0
	for _, share := range report.Lengths {
		most = max(most, share)
	}
	for ply, share := range report.Lengths[1:] {
		x, tall := left+step*float64(ply), (height-16)*share/most
		p.add(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#7a4b9d"/>`,
			x+2, top+height-tall, step-4, tall)
		if share >= 0.005 {
			p.text(x+step/2, top+height-tall-4, `text-anchor="middle" font-size="10"`,
				fmt.Sprintf("%.0f %%", 100*share))
		}
		p.text(x+step/2, top+height+18, `text-anchor="middle"`, fmt.Sprint(ply+1))
	}
}

// firstMoves draws a cell for each digit and place with the outcome and its number of turns.
func (p *picture) firstMoves(pool digit.Pool, spots []digit.Spot, choices []solve.Choice) {
	const left, top = 60.0, 330.0
	p.text(left, top-34, `font-weight="600"`,
		"First moves: what each is worth to Player 1, and in how many turns")
	digits := slices.Collect(pool.All())
	cell := min(60, 660/float64(len(digits)))
	for i, d := range digits {
		p.text(left+cell*(float64(i)+0.5), top-8, `text-anchor="middle"`, d.String())
	}
	for i, spot := range spots {
		p.text(left-8, top+20*float64(i)+13, `text-anchor="end"`, spot.String())
	}
	looks := map[solve.Outcome]struct{ fill, ink, word string }{
		solve.Win:  {"#1b7f4b", "#fff", "wins"},
		solve.Draw: {"#e8d9a0", "#000", "draws"},
		solve.Loss: {"#b3402a", "#fff", "loses"},
	}
	for _, c := range choices {
		x := left + cell*float64(slices.Index(digits, c.Move.Digit))
		y := top + 20*float64(slices.Index(spots, c.Move.Spot))
		look := looks[c.Value.Outcome]
		p.add(`<rect x="%.1f" y="%.1f" width="%.1f" height="18" fill="%s">`+
			`<title>%v %s in %d turns</title></rect>`,
			x, y, cell-2, look.fill, c.Move, look.word, c.Value.Plies)
		word := look.word
		if cell < 50 {
			word = word[:1]
		}
		style := `text-anchor="middle" font-size="10" fill="` + look.ink + `"`
		p.text(x+cell/2-1, y+13, style, fmt.Sprint(word, " ", c.Value.Plies))
	}
}

// shade returns the colour of a share: red for 0, pale yellow for a half, blue for 1. The further
// from a half, the darker it is.
func shade(share float64) string {
	even, end := [3]float64{0xff, 0xf3, 0xc4}, [3]float64{0xb3, 0x40, 0x2a}
	if share > 0.5 {
		end = [3]float64{0x0b, 0x5c, 0x8a}
	}
	away := math.Min(1, 2*math.Abs(share-0.5))
	var c [3]int
	for i := range c {
		c[i] = int(math.Round(even[i] + (end[i]-even[i])*away))
	}
	return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2])
}
