package arena

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// mostLetters is the maximum length of a name in a picture.
const mostLetters = 48

// Draw draws the table of results between each two players, with every figure written out.
func (s *Summary) Draw(out io.Writer) error {
	const top, cell, row, letter = 112.0, 86.0, 26.0, 7.0
	n, longest := len(s.Players), 0
	for _, p := range s.Players {
		longest = max(longest, min(mostLetters, len([]rune(p.Player))))
	}
	left := 50 + letter*float64(longest)
	width, height := max(left+cell*float64(n+2)+20, 600), top+row*float64(n)+28
	var b strings.Builder
	add := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	text := func(x, y float64, style, text string) {
		add(`<text x="%.1f" y="%.1f" %s>%s</text>`, x, y, style, html.EscapeString(text))
	}
	add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" `+
		`height="%.0f" role="img" font-family="system-ui, sans-serif" font-size="12">`,
		width, height, width, height)
	title := s.title()
	add(`<title>%s</title><rect width="%.0f" height="%.0f" fill="#fff"/>`, title, width, height)
	text(20, 28, `font-size="16" font-weight="600"`, title)
	text(20, 48, "",
		"In a cell: the share of points that the player of the row took from that of the column.")
	text(20, 66, "",
		"kappa: decisions kept beyond chance, 1 being all; regret: points thrown away a game.")
	text(20, 84, "", forfeits)
	for j, p := range s.Players {
		text(left+cell*(float64(j)+0.5), top-8, `text-anchor="middle"`,
			short(numbered(j, p.Player), 12))
	}
	text(left+cell*(float64(n)+0.5), top-8, `text-anchor="middle"`, "kappa")
	text(left+cell*(float64(n)+1.5), top-8, `text-anchor="middle"`, "regret")
	for i, p := range s.Players {
		y := top + row*float64(i)
		text(20, y+17, "", short(numbered(i, p.Player), mostLetters+3))
		for j := range s.Players {
			x := left + cell*float64(j)
			score := s.scoreOf(i, j)
			fill := "#eee"
			if score != nil {
				fill = blend(*score)
			}
			add(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`,
				x, y, cell-2, row-2, fill)
			if i != j {
				text(x+cell/2-1, y+16, `text-anchor="middle"`, percent(score))
			}
		}
		text(left+cell*(float64(n)+0.5), y+17, `text-anchor="middle"`, figure(p.Kappa, "%.3f"))
		text(left+cell*(float64(n)+1.5), y+17, `text-anchor="middle"`, figure(p.Regret, "%.3f"))
	}
	add(`</svg>`)
	_, err := io.WriteString(out, b.String())
	return err
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

// numbered returns a name with its number, which distinguishes names that are cut off.
func numbered(i int, name string) string { return fmt.Sprintf("%d. %s", i+1, name) }

// short returns a name cut to a number of characters.
func short(name string, most int) string {
	if letters := []rune(name); len(letters) > most {
		return string(letters[:most-1]) + "…"
	}
	return name
}
