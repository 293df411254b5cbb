package tui

import (
	"fmt"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/ui/tui/draw"
)

// drawText draws the prompt and the lines about the position below the numbers. If there is not
// enough room, it covers the numbers.
func (p *picture) drawText(c *canvas, r draw.Area) {
	list := fitted(p.text(r.W), r.W, r.H)
	y, covered := r.Y, c.covered // a drawer asks now
	if need := height(list, r.W); need > r.H && !covered {
		y = c.drawer(need, p.title).Y
	}
	for _, l := range list {
		x := r.X
		if l.badge != "" {
			look := draw.Badge(p.prompt.tone)
			if covered {
				look = draw.Muted
			}
			x = c.Text(x, y, look, " "+l.badge+" ") + 1
		}
		if covered {
			l.Style = draw.Muted
		}
		for _, text := range l.wrapped(r.W) {
			if y >= c.H-1 {
				return
			}
			end := c.Text(x, y, l.Style, text)
			c.zone(draw.Rect(x, y, end-x, 1), l.do)
			x, y = r.X, y+1
		}
	}
}

// fitted leaves out lines, and then shortens the others from the last one, until they fit into
// the given number of rows.
func fitted(list []line, width, rows int) []line {
	for height(list, width) > rows {
		spare, brief := 0, -1
		for i, l := range list {
			if l.rank >= list[spare].rank {
				spare = i
			}
			if l.brief != "" {
				brief = i
			}
		}
		switch {
		case list[spare].rank > staysRank:
			list = slices.Delete(list, spare, spare+1)
		case brief >= 0:
			list[brief].text, list[brief].brief = list[brief].brief, ""
		default:
			return list
		}
	}
	return list
}

// height returns the number of rows that lines take.
func height(list []line, width int) (n int) {
	for _, l := range list {
		n += len(l.wrapped(width))
	}
	return n
}

// text returns the prompt and the lines in their order.
func (p *picture) text(width int) []line {
	first := line{
		badge: p.prompt.badge, Style: draw.Strong, text: p.prompt.Long,
		brief: rulebook.Complete(p.prompt.Short),
	}
	if len(first.wrapped(width)) > 2 {
		first.text = first.brief
	}
	list := []line{first}
	add := func(text string, look draw.Style, rank int) {
		if text != "" {
			list = append(list, line{text: text, Style: look, rank: rank})
		}
	}
	add(p.holds, draw.Even.Bold(), staysRank)
	if p.offer != "" {
		offer := lineOf(draw.Active, p.offer+" "+together("[y: take it over]"))
		offer.do = p.accept
		list = append(list, offer)
	}
	switch {
	case p.note != "":
		add("✗ "+p.note, draw.Failure, staysRank)
	case p.news != "":
		add(p.news, draw.Strong, moveRank)
	case p.prompt.how != "":
		add(p.prompt.how, draw.Muted, otherRank+1)
	case p.ply > 0 && !p.result.Over() && p.chart == nil:
		add(p.played().Long, draw.Muted, otherRank+1)
	}
	blank := line{rank: otherRank + 3}
	if len(p.lines) > 0 {
		list = append(append(list, blank), p.lines...)
	} else if p.aside != "" {
		list = append(list, blank)
		add(p.aside, draw.Muted, otherRank+2)
	}
	return list
}

// wrapped returns the line in rows of a width. The first one has room for the badge.
func (l line) wrapped(width int) []string {
	first := width
	if l.badge != "" {
		first -= draw.Width(l.badge) + 3
	}
	if first == width || draw.Width(l.text) <= first {
		return draw.Wrap(l.text, width)
	}
	head, rest := draw.CutLine(l.text, 0, first)
	return append([]string{head}, draw.Wrap(rest, width)...)
}

// drawMoves draws the list of moves next to the numbers, with the line before it.
func (p *picture) drawMoves(c *canvas, r draw.Area) {
	for y := r.Y; y < r.Bottom(); y++ {
		c.Put(r.X, y, draw.Outline, "│")
	}
	if c.H <= mostHeight && c.headRule() {
		c.Put(r.X, r.Y-1, draw.Outline, "┬")
		if !c.covered {
			c.Put(r.X, r.Bottom(), draw.Outline, "┴")
		}
	}
	in := draw.Rect(r.X+2, r.Y, r.W-2, r.H)
	from := max(0, len(p.moves)-in.H)
	if p.past && p.ply-1 < from {
		from = max(0, p.ply-1)
	}
	name, words := 8, in.W >= 20
	if words {
		name = min(17, in.W-13)
	}
	for n := from; n < min(len(p.moves), from+in.H); n++ {
		side, y := digit.Side(n%2), r.Y+n-from
		s, mark, text := p.pair.tone(side).Style(), fmt.Sprint(n+1), p.moves[n].String()
		switch {
		case n == p.ply-1:
			s.Bold, mark = true, "●"
		case n >= p.ply:
			s = draw.Outline
		}
		if words {
			text = moveWords(p.rules, p.moves[n], n)
		}
		x := c.Text(in.X, y, draw.Style{FG: draw.Quiet, Bold: s.Bold}, mark+" ")
		at := min(in.X+3+name, in.Right()-draw.Width(text)) // a call takes room from the name
		who := p.pair.short(side, at-1-x)
		if n < p.given { // it was given
			who = "given"
		}
		c.Text(x, y, s, who)
		c.Text(at, y, s, text)
		c.zone(draw.Rect(in.X, y, in.W, 1), p.look(n+1))
	}
	y, fits := in.Bottom()-1, draw.Width(p.series) <= in.W
	if fits && y > in.Y+len(p.moves) && !c.covered {
		c.Text(in.X, y, draw.Muted, p.series)
	}
}

// moveWords describes the move after n others in a few words: "7 left", "5 right", "2", "2 call
// 721".
func moveWords(r digit.Rules, m digit.Move, n int) string {
	text := m.Digit.String()
	switch _, slot := m.Spot.Slot(); {
	case slot:
		text += " " + placeIn(r, m.Spot, 8)
	case r.Place == digit.Ends && n > 1:
		text += " " + strings.TrimSuffix(placeName(r, m.Spot), " end")
	case m.Calls():
		text += " call " + m.Call.String()
	}
	return text
}
