package tui

import (
	"fmt"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
)

// needText lists the digits that the number of a side needs, and the numbers that they make.
func needText(in *insight, side digit.Side, name string) string {
	r := in.rules
	n := r.Number(in.at, side)
	if r.Full(in.at, side) {
		return ""
	}
	head := name
	if n.Len() > 0 {
		head += "  " + spaced(n)
	}
	if best, ok := bestFill(r, in.at, side); ok {
		return head + ":  " + best + " at best"
	}
	needs := slices.Clone(in.needs[side])
	missing := r.Fills(side) - n.Pool().Len()
	switch {
	case r.Win == digit.Never:
		return ""
	case len(needs) == 0 && missing > 1 && r.Win != digit.EachTurn:
		return fmt.Sprintf("%s:  %d digits to go", head, missing)
	case len(needs) == 0:
		return fmt.Sprintf("%s:  no digit makes a multiple of %d now", head, r.Target)
	}
	for i, need := range needs {
		needs[i] = together(need)
	}
	return head + ":  " + strings.Join(needs, "   ")
}

// A passage is a part of the text under the numbers.
type passage struct {
	badge string // a word before the text, on a coloured background
	tone  tone   // the tone of the badge
	lines []string
	brief []string // a shorter form; nil: there is none
	look  style
	do    act // the act of a click; nil: none
	spare int // where room is short, the highest rank is left out first; 0: never
}

// drawText draws the prompt and the lines about the position below the numbers. If there is not
// enough room, it covers the numbers.
func (p *picture) drawText(c *canvas, r rect) {
	list := fitted(p.passages(r.w), r.h)
	y, covered := r.y, c.covered // a drawer asks now
	if need := height(list); need > r.h && !covered {
		y = c.drawer(need, p.title).y
	}
	for _, t := range list {
		x := r.x
		if t.badge != "" {
			look := badge(t.tone)
			if covered {
				look = muted
			}
			x = c.text(x, y, look, " "+t.badge+" ") + 1
		}
		if covered {
			t.look = muted
		}
		for j, line := range t.lines {
			if y+j >= c.h-1 {
				return
			}
			end := c.text(x, y+j, t.look, line)
			if t.do != nil {
				c.zone(rect{x, y + j, end - x, 1}, t.do)
			}
			x = r.x
		}
		y += len(t.lines)
	}
}

// fitted leaves out passages, and then shortens the others from the last one, until they fit into
// the given number of rows.
func fitted(list []passage, rows int) []passage {
	for height(list) > rows {
		spare, brief := -1, -1
		for i, t := range list {
			if t.spare > 0 && (spare < 0 || t.spare >= list[spare].spare) {
				spare = i
			}
			if t.brief != nil {
				brief = i
			}
		}
		switch {
		case spare >= 0:
			list = slices.Delete(list, spare, spare+1)
		case brief >= 0:
			list[brief].lines, list[brief].brief = list[brief].brief, nil
		default:
			return list
		}
	}
	return list
}

// height returns the number of rows that passages take.
func height(list []passage) int {
	n := 0
	for _, t := range list {
		n += len(t.lines)
	}
	return n
}

// passages returns the text in its order, in lines of a width.
func (p *picture) passages(width int) []passage {
	first := passage{badge: p.prompt.badge, tone: p.prompt.tone, look: strong}
	indent := 0
	if first.badge != "" {
		indent = textWidth(first.badge) + 3
	}
	first.lines = wrapAfter(p.prompt.Long, width, indent)
	first.brief = wrapAfter(rulebook.Complete(p.prompt.Short), width, indent)
	if len(first.lines) > 2 {
		first.lines = first.brief
	}
	list := []passage{first}
	add := func(text string, look style, spare int) {
		if text != "" {
			list = append(list, passage{lines: wrap(text, width), look: look, spare: spare})
		}
	}
	add(p.holds, even.bold(), 0)
	if p.offer != "" {
		list = append(
			list,
			passage{
				lines: wrap(p.offer+" "+together("[y: take it over]"), width), look: active,
				do: p.accept,
			})
	}
	switch {
	case p.note != "":
		add("✗ "+p.note, failure, 0)
	case p.news != "":
		add(p.news, strong, 1)
	case p.prompt.how != "":
		add(p.prompt.how, muted, 3)
	case p.ply > 0 && !p.result.Over() && p.chart == nil:
		add(p.played().Long, muted, 3)
	}
	if len(p.lines) > 0 {
		list = append(list, passage{lines: []string{""}, spare: 5})
	}
	for _, l := range p.lines {
		spare := 0
		if l.spare {
			spare = 2
		}
		add(l.text, l.style, spare)
		if l.brief != "" {
			list[len(list)-1].brief = wrap(l.brief, width)
		}
	}
	if len(p.lines) == 0 && p.aside != "" {
		list = append(list, passage{lines: []string{""}, spare: 5})
		add(p.aside, muted, 4)
	}
	return list
}

// wrapAfter wraps a text whose first line has an indent.
func wrapAfter(text string, width, indent int) []string {
	if textWidth(text) <= width-indent {
		return []string{text}
	}
	head, rest := cutLine(text, 0, width-indent)
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
		x := c.text(in.x, y, style{fg: quiet, bold: s.bold}, fmt.Sprintf("%-2s", mark))
		if len(mark) > 1 && mark != "●" {
			x++
		}
		at := min(in.x+3+name, in.right()-textWidth(text)) // a call takes room from the name
		who := p.pair.short(side, at-1-x)
		if n < p.given { // it was given
			who = "given"
		}
		c.text(x, y, s, who)
		c.text(at, y, s, text)
		c.zone(rect{in.x, y, in.w, 1}, p.look(n+1))
	}
	y := in.bottom() - len(p.facts)
	for i, text := range p.facts {
		if textWidth(text) <= in.w && y+i > in.y+len(p.moves) && !c.covered {
			c.text(in.x, y+i, muted, text)
		}
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
	case m.Call != digit.Number{}:
		text += " call " + m.Call.String()
	}
	return text
}
