package lab

import (
	"cmp"
	"flag"
	"fmt"
	"html"
	"os"
	"slices"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/rulebook"
)

var (
	update = flag.Bool("update", false, "rewrite docs/balance.md and its pictures")
	whole  = flag.Bool("whole", nightly, "recompute all of docs/balance.md, also the slow parts")
)

// grids are the rulesets of docs/balance.md, which differ from a book in at most two keys.
var grids = []string{
	"dilemma target=2..130 pool=0-9/1-9/0-8/1-8/1-7 width=1..4 zero=* final=draw/above/below/nearest/higher/lower/later/above,lower",
	"sevens target=2..130 pool=0-9/1-9/0-8/1-8/1-7 width=1..4 zero=* final=draw/above/below/nearest/higher/lower/later/nearest,higher",
	"highest pool=0-9/1-9/0-8/1-8/1-7 width=1..4 zero=counts,barred final=higher/lower/later/higher,later/lower,later",
	"divisibility target=2..130 pool=0-9/1-9/1-8/1-7 width=0,1,2,3,4 zero=* final=draw/above/below/nearest/higher/lower/later",
	"reverse pool=0-9/1-9/0-8/1-8/1-7 width=1..4 zero=counts,barred final=higher/lower/later/higher,later/lower,later",
}

// slow has the books whose grids take too long for every test run.
var slow = map[string]bool{"dilemma": true, "divisibility": true}

// A census holds the verdicts on the rulesets around a book.
type census struct {
	grid  Grid
	found []Verdict
}

func takeCensus(t *testing.T, text string) census {
	t.Helper()
	g := grid(t, text)
	rules, _ := g.Rules(2)
	c := census{grid: g}
	sweep := Sweep{Budget: 1 << 30, Fast: true}
	if err := sweep.Run(t.Context(), rules, func(f Found) {
		if f.Large != nil {
			t.Fatal(f.Large)
		}
		c.found = append(c.found, f.Verdict)
	}); err != nil {
		t.Fatal(err)
	}
	return c
}

// row returns the row of the page that counts winners.
func (c census) row() string {
	count := map[string]int{}
	for _, v := range c.found {
		count[v.Winner]++
	}
	share := func(winner string) string {
		return fmt.Sprintf("%d (%.1f %%)", count[winner],
			100*float64(count[winner])/float64(len(c.found)))
	}
	return fmt.Sprintf("| `%v` | %d | %s | %s | %s |", c.grid.Base, len(c.found), share("first"),
		share("second"), share("draw"))
}

// nearest returns rows of the page for the three even rulesets nearest to the book: those with the
// fewest keys changed, then with the nearest target. It skips those that people mostly draw.
func (c census) nearest(t *testing.T) (rows []string) {
	distance := func(r digit.Rules) (sum int) {
		for i, o := range r.Options() {
			if o != c.grid.Base.Options()[i] && o.Key != "zero" {
				sum += digit.MaxTarget
			}
		}
		base := int(c.grid.Base.Target)
		return sum + max(int(r.Target)-base, base-int(r.Target))
	}
	var drawn []digit.Rules
	for _, v := range c.found {
		if v.Winner == "draw" && v.Rules.Reachable() {
			drawn = append(drawn, v.Rules)
		}
	}
	slices.SortFunc(drawn, func(a, b digit.Rules) int {
		return cmp.Or(distance(a)-distance(b), cmp.Compare(a.String(), b.String()))
	})
	for _, r := range drawn {
		if report := measured(t, r.String()); report.Draws < 0.5 && len(rows) < 3 {
			rows = append(rows, figureRow("", report))
		}
		if len(rows) == 3 {
			break
		}
	}
	return rows
}

// byTarget returns the sentence that counts winners of the book with only the target changed.
func (c census) byTarget() string {
	won := map[string][]string{}
	for target := range uint16(131) {
		want := c.grid.Base
		want.Target = target
		for _, v := range c.found {
			if v.Rules == want {
				won[v.Winner] = append(won[v.Winner], fmt.Sprint(target))
			}
		}
	}
	return wrap(fmt.Sprintf("Of the %d targets of `%v` from 2 to 130, the first player wins %d, the second player %d (%s), and %d is a draw (%s).",
		len(won["first"])+len(won["second"])+len(won["draw"]), c.grid.Base, len(won["first"]), len(won["second"]), strings.Join(won["second"], ", "), len(won["draw"]), strings.Join(won["draw"], ", ")), "") + "\n"
}

// figureRow returns the row of the page for one game. The name may be empty.
func figureRow(name string, r Report) string {
	game := fmt.Sprintf("`%v`", r.Rules)
	if name != "" && name != r.Rules.String() {
		game = fmt.Sprintf("`%s`: %s", name, game)
	}
	return fmt.Sprintf("|%s|%.3f|%d/%d/%d|%.2f|%.1f|%.1f|%.2f|", game, r.Bias+0.5, r.FirstMoves.Win,
		r.FirstMoves.Draw, r.FirstMoves.Loss, r.Draws, r.Length, r.Decisions, r.Drama)
}

const figureHead = "|game|first|win/draw/lose|draws|turns|decisions|drama|\n|---|---|---|---|---|---|---|\n"

// fairSection returns the part of the page on the books and the fair games.
func fairSection(reports map[string]Report) string {
	var b strings.Builder
	b.WriteString("## Books\n\nThe first player can win all five.\n\n" + figureHead)
	for _, book := range digit.Books {
		b.WriteString(figureRow(book.Name, reports[book.Name]) + "\n")
	}
	b.WriteString(`
## Fair games

Nobody can force a win, and between people neither player is ahead by more than one point of 100.

    duel play nines

` + figureHead)
	for _, book := range digit.Fair {
		b.WriteString(figureRow(book.Name, reports[book.Name]) + "\n")
	}
	b.WriteString("\n")
	for _, book := range digit.Fair {
		f, _ := rulebook.FairnessOf(book.Rules)
		item := fmt.Sprintf("**%s** (`%s`): %s. %s", book.Title, book.Name,
			rulebook.Line(book.Rules), f.Reckon)
		fmt.Fprintf(&b, "- %s\n", wrap(item, "  "))
	}
	b.WriteString("\n![What the first player gets in the books and in the fair games](balance-curves.svg)\n")
	return b.String()
}

// A sketch is an SVG document under construction.
type sketch struct{ strings.Builder }

func (p *sketch) add(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *sketch) begin(width, height int, title string) {
	p.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" `+
		`role="img" font-family="system-ui, sans-serif" font-size="12">`,
		width, height, width, height)
	p.add(`<title>%s</title>`, html.EscapeString(title))
	p.add(`<rect width="%d" height="%d" fill="#fff"/>`, width, height)
	p.text(20, 28, `font-size="16" font-weight="600"`, title)
}

func (p *sketch) text(x, y float64, style, text string) {
	p.add(`<text x="%.1f" y="%.1f" %s>%s</text>`, x, y, style, html.EscapeString(text))
}

// curves draws the share of the first player in the books and in the fair games, by the rate of
// slips.
func curves(reports map[string]Report) string {
	const left, top, width, height = 70.0, 60.0, 420.0, 300.0
	var p sketch
	p.begin(720, 430, "What Player 1 gets, by how often both slip")
	for _, share := range []float64{0, 0.25, 0.5, 0.75, 1} {
		y := top + height*(1-share)
		p.add(`<path d="M%.1f %.1fh%.1f" stroke="%s"/>`, left, y, width,
			map[bool]string{true: "#555", false: "#ddd"}[share == 0.5])
		p.text(left-8, y+4, `text-anchor="end"`, fmt.Sprintf("%.0f %%", 100*share))
	}
	for _, slip := range []float64{0, 0.1, 0.2, 0.3, 0.5, 1} {
		p.text(left+width*slip, top+height+18, `text-anchor="middle"`, fmt.Sprint(slip))
	}
	at := 0
	draw := func(books []digit.Book, colour, dash string) {
		for i, b := range books {
			r := reports[b.Name]
			var line []string
			for _, point := range r.Curve {
				line = append(line, fmt.Sprintf("%.1f,%.1f", left+width*point.Slip,
					top+height*(1-point.First)))
			}
			width := 1 + 0.5*float64(i)
			p.add(`<polyline points="%s" fill="none" stroke="%s" stroke-width="%.1f" stroke-dasharray="%s"><title>%s</title></polyline>`, strings.Join(line, " "), colour, width, dash, b.Name)
			y := top + 14 + 22*float64(at)
			p.add(`<path d="M510 %.1fh36" stroke="%s" stroke-width="%.1f" stroke-dasharray="%s"/>`,
				y-4, colour, width, dash)
			p.text(554, y, "", fmt.Sprintf("%s: %.3f at 0.2", b.Name, r.Bias+0.5))
			at++
		}
	}
	draw(digit.Books, "#0b5c8a", "6 3")
	draw(digit.Fair, "#1b7f4b", "none")
	p.add(`</svg>`)
	return p.String()
}

const mapGrid = "divisibility target=2..130 final=below/above/nearest"

const balanceHead = `# Balance

How fair the games are, as [the lab](lab.md) measures it.

    go test ./lab -run TestBalance -update    # writes this page; a test recomputes it

*First* is the first player's score if both slip one turn in five, a draw counting half.
*Win/draw/lose* counts the first moves. *Drama* is the share of games won by a player who was once
lost.

`

const censusHead = `
## Near the books

All rules that differ from a book in at most two keys, with the values below, by winner:

| near | rule sets | first player | second player | drawn |
|---|---|---|---|---|
`

const evenHead = `![Who wins Divisibility Duel with best play, by target](balance-map.svg)

## Even games near the books

Drawn with best play, with the fewest changed keys and the nearest target that can be reached, and
drawn between people less than half of the time. ` + "`highest` and `reverse`" + ` can't be drawn, so no
key makes them even (` + "`duel lab repair highest`" + `).
`

// wrap breaks a text into lines of at most 100 columns; further lines are indented.
func wrap(text, indent string) string {
	line := indent
	var b strings.Builder
	for word := range strings.FieldsSeq(text) {
		if len([]rune(line))+1+len([]rune(word)) > 100 {
			b.WriteString("\n" + indent)
			line = indent
		} else if b.Len() > 0 {
			b.WriteString(" ")
			line += " "
		}
		b.WriteString(word)
		line += word
	}
	return b.String()
}

// TestBalance compares docs/balance.md with the figures of the lab, or rewrites it.
func TestBalance(t *testing.T) {
	const path, drawing, heat = "../docs/balance.md", "../docs/balance-curves.svg", "../docs/balance-map.svg"
	reports := map[string]Report{}
	for _, b := range slices.Concat(digit.Books, digit.Fair) {
		reports[b.Name] = measured(t, b.Name)
	}
	head, picture := balanceHead+fairSection(reports), curves(reports)
	var counts, near, commands strings.Builder
	targets := ""
	var parts []string // parts of the page that every run checks
	for _, text := range grids {
		name, _, _ := strings.Cut(text, " ")
		if slow[name] && !*update && !*whole {
			continue
		}
		c := takeCensus(t, text)
		row := c.row() + "\n"
		counts.WriteString(row)
		fmt.Fprintf(&commands, "    duel lab sweep --within 2 %s\n", quoted(text))
		parts = append(parts, row)
		if name == "divisibility" {
			targets = c.byTarget()
		}
		if rows := c.nearest(t); rows != nil {
			section := fmt.Sprintf("### `%s`\n\n%s%s\n", name, figureHead, strings.Join(rows, "\n"))
			near.WriteString("\n" + section)
			parts = append(parts, section)
		}
	}
	full := head + censusHead + counts.String() + "\n" + commands.String() + "\n" + targets + "\n" +
		evenHead + near.String()
	if *update {
		for name, text := range map[string]string{path: full, drawing: picture, heat: heatMap(t)} {
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	if *whole {
		parts = append(parts, full)
	}
	page := read(t, path)
	for _, part := range append(parts, head) {
		if !strings.Contains(page, part) {
			t.Errorf("docs/balance.md does not contain\n%s", part)
		}
	}
	if read(t, drawing) != picture {
		t.Error("docs/balance-curves.svg has changed")
	}
	if *whole && read(t, heat) != heatMap(t) {
		t.Error("docs/balance-map.svg has changed")
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// heatMap draws the winner of Divisibility Duel by target and final order.
func heatMap(t *testing.T) string {
	g := grid(t, mapGrid)
	rules, _ := g.Rules(0)
	var reports []Report
	if err := (Sweep{Budget: 1 << 30, Fast: true}).Run(t.Context(), rules, func(f Found) { reports = append(reports, f.Report) }); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := DrawMap(&out, g, reports); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// quoted quotes a grid for a shell, on two lines.
func quoted(text string) string {
	return strings.NewReplacer("zero=*", "'zero=*'", " width=", " \\\n      width=").Replace(text)
}
