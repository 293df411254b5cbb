package tui

import (
	"flag"
	"fmt"
	"html"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// An inked is a character on a terminal and how it looks there.
type inked struct {
	r              rune
	fg, bg         string // colours as #rrggbb; empty: the terminal's own
	bold, reversed bool
}

var sgr = regexp.MustCompile("^\x1b\\[([0-9;]*)m")

// terminal reads text with colours as a terminal would, into rows of characters.
func terminal(t *testing.T, content string) [][]inked {
	t.Helper()
	var rows [][]inked
	for line := range strings.SplitSeq(content, "\n") {
		var row []inked
		var now inked
		for line != "" {
			if m := sgr.FindStringSubmatch(line); m != nil {
				now = now.with(t, m[1])
				line = line[len(m[0]):]
				continue
			}
			r, size := utf8.DecodeRuneInString(line)
			if r == '\x1b' {
				t.Fatalf("there is something else than colours: %q", line)
			}
			now.r = r
			row, line = append(row, now), line[size:]
		}
		rows = append(rows, row)
	}
	return rows
}

// with returns how characters look after a code.
func (k inked) with(t *testing.T, code string) inked {
	parts := strings.Split(code, ";")
	rgb := func(i int) string {
		var c [3]int
		for n := range c {
			c[n], _ = strconv.Atoi(parts[i+2+n])
		}
		return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2])
	}
	for i := 0; i < len(parts); i++ {
		switch parts[i] {
		case "", "0":
			k = inked{}
		case "1":
			k.bold = true
		case "2":
		case "7":
			k.reversed = true
		case "38":
			k.fg, i = rgb(i), i+4
		case "48":
			k.bg, i = rgb(i), i+4
		default:
			t.Fatalf("code %q is not known here", code)
		}
	}
	return k
}

// The size of a character in a picture, and of the frame around all.
const (
	charW, charH = 8.4, 18.0
	margin, bar0 = 14.0, 30.0
)

// strokes are the ways to the edges of a cell that a character draws: up, right, down, left; 1 thin, 2 thick, 3 double.
var strokes = map[rune][4]int{
	'─': {0, 1, 0, 1}, '│': {1, 0, 1, 0}, '╭': {0, 1, 1, 0}, '╮': {0, 0, 1, 1}, '╰': {1, 1, 0, 0}, '╯': {1, 0, 0, 1},
	'━': {0, 2, 0, 2}, '┃': {2, 0, 2, 0}, '┏': {0, 2, 2, 0}, '┓': {0, 0, 2, 2}, '┗': {2, 2, 0, 0}, '┛': {2, 0, 0, 2},
	'═': {0, 3, 0, 3}, '║': {3, 0, 3, 0}, '╔': {0, 3, 3, 0}, '╗': {0, 0, 3, 3}, '╚': {3, 3, 0, 0}, '╝': {3, 0, 0, 3},
}

// svg draws a terminal. Frames and blocks are drawn as lines and areas, so that they meet in any font.
func svg(rows [][]inked, columns int, title, paper, ink string) string {
	w := float64(columns)*charW + 2*margin
	h := float64(len(rows))*charH + bar0 + margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img" aria-label="%s">`+"\n", w, h, w, h, html.EscapeString(title))
	fmt.Fprintf(&b, `<style>text{font:14px "DejaVu Sans Mono","Menlo","Consolas","Liberation Mono",monospace;white-space:pre}.b{font-weight:bold}</style>`+"\n")
	fmt.Fprintf(&b, `<rect width="%.0f" height="%.0f" rx="9" fill="%s"/>`+"\n", w, h, paper)
	for i, c := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="15" r="5.5" fill="%s"/>`, 20+18*i, c)
	}
	fmt.Fprintf(&b, "\n"+`<text x="%.1f" y="20" text-anchor="middle" fill="#8b90a5">%s</text>`+"\n", w/2, html.EscapeString(title))
	for y, row := range rows {
		for x := 0; x < len(row); {
			end := x + 1
			for end < len(row) && sameInk(row[x], row[end]) {
				end++
			}
			drawRun(&b, row[x:end], margin+float64(x)*charW, bar0+float64(y)*charH, paper, ink)
			x = end
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func sameInk(a, b inked) bool {
	alike := shapeOf(a.r) == shapeOf(b.r)
	a.r = b.r
	return a == b && alike
}

// shapeOf reports whether a character is drawn and not written.
func shapeOf(r rune) bool {
	return strings.ContainsRune("█▀▄╌╎", r) || strokes[r] != [4]int{}
}

func drawRun(b *strings.Builder, run []inked, x, y float64, paper, ink string) {
	fg, bg := run[0].fg, run[0].bg
	if fg == "" {
		fg = ink
	}
	if run[0].reversed {
		if bg == "" {
			bg = paper
		}
		fg, bg = bg, fg
	}
	if bg != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n", x, y, float64(len(run))*charW, charH, bg)
	}
	if shapeOf(run[0].r) {
		drawShapes(b, run, x, y, fg)
		return
	}
	class := ""
	if run[0].bold {
		class = ` class="b"`
	}
	for from := 0; from < len(run); { // words with more than one blank between them are placed each by itself
		if run[from].r == ' ' {
			from++
			continue
		}
		end := from + 1
		for end < len(run) && (run[end].r != ' ' || end+1 < len(run) && run[end+1].r != ' ') {
			end++
		}
		var text strings.Builder
		for _, k := range run[from:end] {
			text.WriteRune(k.r)
		}
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" textLength="%.1f" lengthAdjust="spacingAndGlyphs"%s fill="%s">%s</text>`+"\n",
			x+float64(from)*charW, y+13.5, float64(end-from)*charW, class, fg, html.EscapeString(text.String()))
		from = end
	}
}

func drawShapes(b *strings.Builder, run []inked, x, y float64, fg string) {
	var area, thin, thick strings.Builder
	for i, k := range run {
		left, cx, cy := x+float64(i)*charW, x+(float64(i)+0.5)*charW, y+charH/2
		right, bottom := left+charW, y+charH
		switch k.r {
		case '█':
			fmt.Fprintf(&area, "M%.1f %.1fh%.1fv%.1fh-%.1fz", left, y, charW, charH, charW)
		case '▀':
			fmt.Fprintf(&area, "M%.1f %.1fh%.1fv%.1fh-%.1fz", left, y, charW, charH/2, charW)
		case '▄':
			fmt.Fprintf(&area, "M%.1f %.1fh%.1fv%.1fh-%.1fz", left, cy, charW, charH/2, charW)
		case '╌':
			fmt.Fprintf(&thin, "M%.1f %.1fh3M%.1f %.1fh3", left+0.6, cy, left+4.8, cy)
		case '╎':
			fmt.Fprintf(&thin, "M%.1f %.1fv6M%.1f %.1fv6", cx, y+1.5, cx, y+10.5)
		case '╭':
			fmt.Fprintf(&thin, "M%.1f %.1fQ%.1f %.1f %.1f %.1f", cx, bottom, cx, cy, right, cy)
		case '╮':
			fmt.Fprintf(&thin, "M%.1f %.1fQ%.1f %.1f %.1f %.1f", cx, bottom, cx, cy, left, cy)
		case '╰':
			fmt.Fprintf(&thin, "M%.1f %.1fQ%.1f %.1f %.1f %.1f", cx, y, cx, cy, right, cy)
		case '╯':
			fmt.Fprintf(&thin, "M%.1f %.1fQ%.1f %.1f %.1f %.1f", cx, y, cx, cy, left, cy)
		default:
			ends := [4][2]float64{{cx, y}, {right, cy}, {cx, bottom}, {left, cy}}
			for n, kind := range strokes[k.r] {
				switch kind {
				case 1:
					fmt.Fprintf(&thin, "M%.1f %.1fL%.1f %.1f", cx, cy, ends[n][0], ends[n][1])
				case 2:
					fmt.Fprintf(&thick, "M%.1f %.1fL%.1f %.1f", cx, cy, ends[n][0], ends[n][1])
				case 3: // two lines, each a little to the side
					dx, dy := 0.0, 1.5
					if n%2 == 0 {
						dx, dy = 1.5, 0
					}
					for _, d := range []float64{-1, 1} {
						fmt.Fprintf(&thin, "M%.1f %.1fL%.1f %.1f", cx+d*dx, cy+d*dy, ends[n][0]+d*dx, ends[n][1]+d*dy)
					}
				}
			}
		}
	}
	if area.Len() > 0 {
		fmt.Fprintf(b, `<path d="%s" fill="%s"/>`+"\n", &area, fg)
	}
	if thin.Len() > 0 {
		fmt.Fprintf(b, `<path d="%s" fill="none" stroke="%s"/>`+"\n", &thin, fg)
	}
	if thick.Len() > 0 {
		fmt.Fprintf(b, `<path d="%s" fill="none" stroke="%s" stroke-width="2.4" stroke-linecap="square"/>`+"\n", &thick, fg)
	}
}

// TestPicture draws the picture of the first page from a real screen.
func TestPicture(t *testing.T) {
	start := people("dilemma")
	start.Play.Opponent, start.Play.Levels[1], start.Play.BestOf = Computer, "expert", 3
	onScreen(t, &memory{}, start, func(s *screen) {
		s.size(112, 28)
		s.press("7", "a")
		s.pass(2 * time.Second)
		s.press("space", "a", "2", "right")
		s.shows("wins", "loses", "Where does 2 go?") // as README says of the picture
		golden(s.t, "../../docs/table.svg", svg(terminal(s.t, s.View().Content), s.width, "duel", "#17141f", "#e8e6f0"))
	})
}

// golden compares text with a file, or writes the file.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s has changed (go test ./ui/tui -update rewrites it); now it is\n%s", path, got)
	}
}
