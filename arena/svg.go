package arena

import (
	"fmt"
	"html/template"
	"io"
)

// mostLetters is the maximum length of a name in a picture.
const mostLetters = 48

// A cell is a rectangle of a picture with a text in its middle.
type cell struct {
	X, Y       int // its upper left corner
	Middle, At int // the place of the text
	Text, Fill string
}

// picture is a table of results, with the names of players on the left.
var picture = template.Must(template.New("picture").Parse(`<svg xmlns="http://www.w3.org/2000/svg"
 viewBox="0 0 {{.Width}} {{.Height}}" width="{{.Width}}" height="{{.Height}}" role="img"
 font-family="system-ui, sans-serif" font-size="12">
<title>{{.Title}}</title><rect width="{{.Width}}" height="{{.Height}}" fill="#fff"/>
<text x="20" y="28" font-size="16" font-weight="600">{{.Title}}</text>
<text x="20" y="48" >In a cell: the share of points that the player of the row took from that ` +
	`of the column.</text>
<text x="20" y="66" >kappa: decisions kept beyond chance, 1 being all; regret: points thrown ` +
	`away a game.</text>
<text x="20" y="84" >{{.Forfeits}}</text>
{{range .Names}}<text x="20" y="{{.At}}" >{{.Text}}</text>
{{end}}{{range .Cells}}<rect x="{{.X}}" y="{{.Y}}" width="84" height="24" fill="{{.Fill}}"/>
<text x="{{.Middle}}" y="{{.At}}" text-anchor="middle">{{.Text}}</text>
{{end}}</svg>
`))

// Draw draws the table of results between each two players, with every figure written out.
func (s *Summary) Draw(out io.Writer) error {
	const top, wide, tall, letter, white = 112, 86, 26, 7, "#fff"
	n, longest := len(s.Players), 0
	for _, p := range s.Players {
		longest = max(longest, min(mostLetters, len([]rune(p.Player))))
	}
	left := 50 + letter*longest
	var names, cells []cell
	add := func(row, column int, text, fill string) {
		x, y := left+wide*column, top+tall*row
		cells = append(cells, cell{x, y, x + wide/2 - 1, y + 17, text, fill})
	}
	add(-1, n, "kappa", white)
	add(-1, n+1, "regret", white)
	for i, p := range s.Players {
		name := fmt.Sprintf("%d. %s", i+1, p.Player) // names that are cut off may be alike
		names = append(names, cell{At: top + tall*i + 17, Text: short(name, mostLetters+3)})
		add(-1, i, short(name, 12), white)
		for j := range s.Players {
			switch score := s.scoreOf(i, j); {
			case i == j:
				add(i, j, "", "#eee")
			case score == nil:
				add(i, j, percent(nil), "#eee")
			default:
				add(i, j, percent(score), blend(*score))
			}
		}
		add(i, n, figure(p.Kappa, "%.3f"), white)
		add(i, n+1, figure(p.Regret, "%.3f"), white)
	}
	return picture.Execute(out, map[string]any{
		"Width": max(left+wide*(n+2)+20, 600), "Height": top + tall*n + 28,
		"Title": s.title(), "Forfeits": forfeits, "Names": names, "Cells": cells,
	})
}

// scoreOf returns the score of player i against player j under all rules, or nil if a game is
// missing.
func (s *Summary) scoreOf(i, j int) *float64 {
	a, b := s.Players[i].Player, s.Players[j].Player
	points, games := 0.0, 0.0
	for _, c := range s.Cells {
		there, back := c.Player == a && c.Opponent == b, c.Player == b && c.Opponent == a
		if !there && !back {
			continue
		}
		if c.Score == nil {
			return nil
		}
		took := c.Penta.points()
		if back {
			took = float64(2*c.Pairs) - took
		}
		points, games = points+took, games+float64(2*c.Pairs)
	}
	return share(points, games)
}

// blend returns the colour of a share, from orange to white to blue, light enough for text.
func blend(share float64) string {
	end, away := [3]float64{0xf2, 0xa3, 0x6b}, 1-2*share
	if share > 0.5 {
		end, away = [3]float64{0x7d, 0xb7, 0xe0}, 2*share-1
	}
	var c [3]int
	for i := range c {
		c[i] = int(255 + (end[i]-255)*away)
	}
	return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2])
}

// short returns a name cut to a number of characters.
func short(name string, most int) string {
	if letters := []rune(name); len(letters) > most {
		return string(letters[:most-1]) + "…"
	}
	return name
}
