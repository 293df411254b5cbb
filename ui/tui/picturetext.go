package tui

import (
	"fmt"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
)

// drawText draws the prompt and the lines about the position below the numbers. If there is not
// enough room, it covers the numbers.
func (p *picture) drawText(c *canvas, r rect) {
	list := fitted(p.text(r.w), r.w, r.h)
	y, covered := r.y, c.covered // a drawer asks now
	if need := height(list, r.w); need > r.h && !covered {
		y = c.drawer(need, p.title).y
	}
	for _, l := range list {
		x := r.x
		if l.badge != "" {
			look := badge(p.prompt.tone)
			if covered {
				look = muted
			}
			x = c.text(x, y, look, " "+l.badge+" ") + 1
		}
		if covered {
			l.style = muted
		}
		for _, text := range l.wrapped(r.w) {
			if y >= c.h-1 {
				return
			}
			end := c.text(x, y, l.style, text)
			c.zone(rect{x, y, end - x, 1}, l.do)
			x, y = r.x, y+1
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
		badge: p.prompt.badge, style: strong, text: p.prompt.Long,
		brief: rulebook.Complete(p.prompt.Short),
	}
	if len(first.wrapped(width)) > 2 {
		first.text = first.brief
	}
	list := []line{first}
	add := func(text string, look style, rank int) {
		if text != "" {
			list = append(list, line{text: text, style: look, rank: rank})
		}
	}
	add(p.holds, even.bold(), staysRank)
	if p.offer != "" {
		offer := active.line(p.offer + " " + together("[y: take it over]"))
		offer.do = p.accept
		list = append(list, offer)
	}
	switch {
	case p.note != "":
		add("✗ "+p.note, failure, staysRank)
	case p.news != "":
		add(p.news, strong, moveRank)
	case p.prompt.how != "":
		add(p.prompt.how, muted, otherRank+1)
	case p.ply > 0 && !p.result.Over() && p.chart == nil:
		add(p.played().Long, muted, otherRank+1)
	}
	blank := line{rank: otherRank + 3}
	if len(p.lines) > 0 {
		list = append(append(list, blank), p.lines...)
	} else if p.aside != "" {
		list = append(list, blank)
		add(p.aside, muted, otherRank+2)
	}
	return list
}

// wrapped returns the line in rows of a width. The first one has room for the badge.
func (l line) wrapped(width int) []string {
	first := width
	if l.badge != "" {
		first -= textWidth(l.badge) + 3
	}
	if first == width || textWidth(l.text) <= first {
		return wrap(l.text, width)
	}
	head, rest := cutLine(l.text, 0, first)
	return append([]string{head}, wrap(rest, width)...)
}

// drawMoves draws the list of moves next to the numbers, with the line before it.
func (p *picture) drawMoves(c *canvas, r rect) {
	for y := r.y; y < r.bottom(); y++ {
		c.put(r.x, y, outline, "│")
	}
	if c.h <= mostHeight && c.headRule() {
		c.put(r.x, r.y-1, outline, "┬")
		if !c.covered {
			c.put(r.x, r.bottom(), outline, "┴")
		}
	}
	in := rect{r.x + 2, r.y, r.w - 2, r.h}
	from := max(0, len(p.moves)-in.h)
	if p.past && p.ply-1 < from {
		from = max(0, p.ply-1)
	}
	name, words := 8, in.w >= 20
	if words {
		name = min(17, in.w-13)
	}
	for n := from; n < min(len(p.moves), from+in.h); n++ {
		side, y := digit.Side(n%2), r.y+n-from
		s, mark, text := style{fg: p.pair.tone(side)}, fmt.Sprint(n+1), p.moves[n].String()
		switch {
		case n == p.ply-1:
			s.bold, mark = true, "●"
		case n >= p.ply:
			s = outline
		}
		if words {
			text = moveWords(p.rules, p.moves[n], n)
		}
		x := c.text(in.x, y, style{fg: quiet, bold: s.bold}, mark+" ")
		at := min(in.x+3+name, in.right()-textWidth(text)) // a call takes room from the name
		who := p.pair.short(side, at-1-x)
		if n < p.given { // it was given
			who = "given"
		}
		c.text(x, y, s, who)
		c.text(at, y, s, text)
		c.zone(rect{in.x, y, in.w, 1}, p.look(n+1))
	}
	y, fits := in.bottom()-1, textWidth(p.series) <= in.w
	if fits && y > in.y+len(p.moves) && !c.covered {
		c.text(in.x, y, muted, p.series)
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
