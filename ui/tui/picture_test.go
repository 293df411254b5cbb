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

// A styledRune is a character on a terminal, and its style.
type styledRune struct {
	r              rune
	fg, bg         string // colours as #rrggbb; empty: the terminal's own
	bold, reversed bool
}

var sgr = regexp.MustCompile("^\x1b\\[([0-9;]*)m")

// terminal converts text with colour codes to rows of characters, as a terminal does.
func terminal(t *testing.T, content string) [][]styledRune {
	t.Helper()
	var rows [][]styledRune
	for line := range strings.SplitSeq(content, "\n") {
		var row []styledRune
		var now styledRune
		for line != "" {
			if m := sgr.FindStringSubmatch(line); m != nil {
				now = now.with(t, m[1])
				line = line[len(m[0]):]
				continue
			}
			r, size := utf8.DecodeRuneInString(line)
			if r == '\x1b' {
				t.Fatalf("unknown escape sequence: %q", line)
			}
			now.r = r
			row, line = append(row, now), line[size:]
		}
		rows = append(rows, row)
	}
	return rows
}

// with returns the style after a colour code.
func (k styledRune) with(t *testing.T, code string) styledRune {
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
			k = styledRune{}
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
			t.Fatalf("unknown colour code %q", code)
		}
	}
	return k
}

// The size of a character in a picture, and of its frame.
const (
	charW, charH     = 8.4, 18.0
	margin, titleBar = 14.0, 30.0
)

// strokes holds the lines that a character draws to the edges of its cell: up, right, down, left.
// 1 is thin, 2 thick, 3 double.
var strokes = map[rune][4]int{
	'─': {0, 1, 0, 1}, '│': {1, 0, 1, 0}, '╭': {0, 1, 1, 0}, '╮': {0, 0, 1, 1}, '╰': {1, 1, 0, 0}, '╯': {1, 0, 0, 1},
	'━': {0, 2, 0, 2}, '┃': {2, 0, 2, 0}, '┏': {0, 2, 2, 0}, '┓': {0, 0, 2, 2}, '┗': {2, 2, 0, 0}, '┛': {2, 0, 0, 2},
	'═': {0, 3, 0, 3}, '║': {3, 0, 3, 0}, '╔': {0, 3, 3, 0}, '╗': {0, 0, 3, 3}, '╚': {3, 3, 0, 0}, '╝': {3, 0, 0, 3},
}

// svg draws a terminal. It draws frames and blocks as lines and areas, which meet in any font.
func svg(rows [][]styledRune, columns int, title, background, foreground string) string {
	w := float64(columns)*charW + 2*margin
	h := float64(len(rows))*charH + titleBar + margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f"`+
		` width="%.0f" height="%.0f" role="img" aria-label="%s">`+"\n",
		w, h, w, h, html.EscapeString(title))
	fmt.Fprintf(&b, `<style>text{font:14px "DejaVu Sans Mono","Menlo","Consolas","Liberation Mono",`+
		`monospace;white-space:pre}.b{font-weight:bold}</style>`+"\n")
	fmt.Fprintf(&b, `<rect width="%.0f" height="%.0f" rx="9" fill="%s"/>`+"\n", w, h, background)
	for i, c := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="15" r="5.5" fill="%s"/>`, 20+18*i, c)
	}
	fmt.Fprintf(&b, "\n"+`<text x="%.1f" y="20" text-anchor="middle" fill="#8b90a5">%s</text>`+"\n",
		w/2, html.EscapeString(title))
	for y, row := range rows {
		for x := 0; x < len(row); {
			end := x + 1
			for end < len(row) && sameStyle(row[x], row[end]) {
				end++
			}
			left, top := margin+float64(x)*charW, titleBar+float64(y)*charH
			drawRun(&b, row[x:end], left, top, background, foreground)
			x = end
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func sameStyle(a, b styledRune) bool {
	alike := isShape(a.r) == isShape(b.r)
	a.r = b.r
	return a == b && alike
}

// isShape reports whether a character is drawn as lines or areas.
func isShape(r rune) bool {
	return strings.ContainsRune("█▀▄╌╎", r) || strokes[r] != [4]int{}
}

func drawRun(b *strings.Builder, run []styledRune, x, y float64, background, foreground string) {
	fg, bg := run[0].fg, run[0].bg
	if fg == "" {
		fg = foreground
	}
	if run[0].reversed {
		if bg == "" {
			bg = background
		}
		fg, bg = bg, fg
	}
	if bg != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n",
			x, y, float64(len(run))*charW, charH, bg)
	}
	if isShape(run[0].r) {
		drawShapes(b, run, x, y, fg)
		return
	}
	class := ""
	if run[0].bold {
		class = ` class="b"`
	}
	for from := 0; from < len(run); { // two blanks or more separate texts
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
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" textLength="%.1f" lengthAdjust="spacingAndGlyphs"`+
			`%s fill="%s">%s</text>`+"\n", x+float64(from)*charW, y+13.5, float64(end-from)*charW,
			class, fg, html.EscapeString(text.String()))
		from = end
	}
}

func drawShapes(b *strings.Builder, run []styledRune, x, y float64, fg string) {
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
						fmt.Fprintf(&thin, "M%.1f %.1fL%.1f %.1f",
							cx+d*dx, cy+d*dy, ends[n][0]+d*dx, ends[n][1]+d*dy)
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
		fmt.Fprintf(b, `<path d="%s" fill="none" stroke="%s" stroke-width="2.4"`+
			` stroke-linecap="square"/>`+"\n", &thick, fg)
	}
}

// TestPicture compares the picture in README with a screen.
func TestPicture(t *testing.T) {
	start := people("dilemma")
	start.Play.Opponent, start.Play.Levels[1], start.Play.BestOf = Computer, "expert", 3
	onScreen(t, &memory{}, start, func(s *screen) {
		s.size(112, 28)
		s.press("7", "a")
		s.pass(2 * time.Second)
		s.press("space", "a", "2", "right")
		s.shows("wins", "loses", "Where does 2 go?") // as README describes it
		rows := terminal(s.t, s.View().Content)
		golden(s.t, "../../docs/table.svg", svg(rows, s.width, "duel", "#17141f", "#e8e6f0"))
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
		t.Errorf("%s has changed (rewrite it with go test ./ui/tui -update); got\n%s", path, got)
	}
}
