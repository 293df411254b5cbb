package eval

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"digitduel/arena"
	"digitduel/arena/engine"
)

// percent returns a share as a percentage with a confidence interval, or a range if only that is
// known.
func percent(value, low, high *float64) string {
	at := func(x *float64) string { return strconv.FormatFloat(100**x, 'f', 1, 64) }
	switch {
	case low == nil || high == nil:
		return "–"
	case value == nil:
		return at(low) + " to " + at(high)
	}
	return fmt.Sprintf("%s (%s to %s)", at(value), at(low), at(high))
}

// number returns a figure with its interval.
func number(value, low, high *float64) string {
	switch {
	case value == nil:
		return "–"
	case low == nil || high == nil:
		return fmt.Sprintf("%.3f", *value)
	}
	return fmt.Sprintf("%.3f (%.3f to %.3f)", *value, *low, *high)
}

// faultsOf lists the faults of a row.
func faultsOf(row *arena.Row) string {
	var all []string
	for _, f := range engine.Faults {
		if n := row.Faults[f]; n > 0 {
			all = append(all, fmt.Sprintf("%d %s", n, f))
		}
	}
	return cmp.Or(strings.Join(all, ", "), "–")
}

// notes explain the figures of a report.
const notes = "score: points per game in percent; regret: points thrown away per game.\n" +
	"kept: decisions in which nothing was thrown away; chance: what random moves would keep;\n" +
	"kappa: (kept - chance)/(1 - chance), which is 0 for chance and 1 for everything. A forfeit in\n" +
	"a position worth more than 0 is a decision that was not kept. In parentheses: 95 % confidence\n" +
	"intervals, in which games from one start count together.\n"

// disguiseNote explains a difference between wordings.
const disguiseNote = "A full disguise adds arithmetic and about doubles the tokens, so a " +
	"difference to the plain\ngame is not due to the names alone.\n"

// Print prints a report as text.
func (r *Report) Print(out io.Writer) error {
	var b strings.Builder
	for i := range r.Runs {
		r.Runs[i].print(&b)
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "level\tscore\tregret\tkept\tchance\tkappa")
	for _, level := range r.Ladder {
		row := level.Rows[len(level.Rows)-1]
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", level.Level,
			percent(row.Score, row.ScoreLow, row.ScoreHigh), number(row.Regret, nil, nil),
			share(row.Kept), share(row.Chance), number(row.Kappa, row.KappaLow, row.KappaHigh))
	}
	_ = w.Flush() // writing to a strings.Builder cannot fail
	if len(r.Differences) > 0 {
		fmt.Fprintln(&b)
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "difference\trules\tstarts\tscore\tkappa")
		for _, d := range r.Differences {
			fmt.Fprintf(w, "%s - %s\t%s\t%d\t%s\t%s\n", d.A, d.B, d.Rules, d.Pairs,
				percent(d.Score, d.ScoreLow, d.ScoreHigh), number(d.Kappa, d.KappaLow, d.KappaHigh))
		}
		_ = w.Flush()
	}
	fmt.Fprint(&b, "\n", notes)
	if slices.ContainsFunc(r.Runs, func(run RunReport) bool { return run.Arm == FullArm }) {
		fmt.Fprint(&b, disguiseNote)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func share(x *float64) string {
	if x == nil {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100**x)
}

// print prints a run.
func (r *RunReport) print(b *strings.Builder) {
	fmt.Fprintf(b, "%s: %s\n", r.label(), r.spent())
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	unit := "games"
	if r.Kind == Exam {
		unit = "items"
	}
	fmt.Fprintf(w, "rules\t%s\tscore\tregret\tkept\tchance\tkappa\tfaults\n", unit)
	for _, row := range r.Rows {
		games := strconv.Itoa(row.Games)
		if row.Open > 0 {
			games = fmt.Sprintf("%d, %d open", row.Games, row.Open)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", row.Rules, games,
			percent(row.Score, row.ScoreLow, row.ScoreHigh),
			number(row.Regret, row.RegretLow, row.RegretHigh), share(row.Kept), share(row.Chance),
			number(row.Kappa, row.KappaLow, row.KappaHigh), faultsOf(&row))
	}
	_ = w.Flush()
	fmt.Fprintln(b)
}

// spent sums up the calls of a run.
func (r *RunReport) spent() string {
	text := fmt.Sprintf("%d calls, %d tokens in, %d out", r.Calls, r.Tokens.Prompt,
		r.Tokens.Completion)
	if r.Cost != nil {
		text += fmt.Sprintf(", $%.4f", *r.Cost)
	}
	if !r.Complete {
		text += "; incomplete: the score is a range, with open games lost and won"
	}
	return text
}

// columns are the columns of a CSV file.
var columns = strings.Fields("run model arm kind level rules pairs games score score_low " +
	"score_high regret regret_low regret_high decisions kept chance kappa kappa_low kappa_high " +
	"clean_kappa clean_kappa_low clean_kappa_high forfeits open")

// CSV writes a report as a table.
func (r *Report) CSV(out io.Writer) error {
	w := csv.NewWriter(out)
	lines := [][]string{columns}
	add := func(head []string, rows []arena.Row) {
		for _, row := range rows {
			line := append(slices.Clone(head), cells(&row)...)
			for i := range line {
				line[i] = inert(line[i])
			}
			lines = append(lines, line)
		}
	}
	for i := range r.Runs {
		run := &r.Runs[i]
		add([]string{run.Name, run.Model, run.Arm, run.Kind, ""}, run.Rows)
	}
	for _, level := range r.Ladder {
		add([]string{"", "", PlainArm, r.Runs[0].Kind, level.Level}, level.Rows)
	}
	return w.WriteAll(lines)
}

// inert returns a text that a spreadsheet does not take for a formula.
func inert(text string) string {
	if text != "" && strings.ContainsRune("=+@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// cells returns the figures of a row as text.
func cells(row *arena.Row) []string {
	of := func(x *float64) string {
		if x == nil {
			return ""
		}
		return strconv.FormatFloat(*x, 'g', -1, 64)
	}
	n := strconv.Itoa
	return []string{
		row.Rules, n(row.Pairs), n(row.Games), of(row.Score), of(row.ScoreLow), of(row.ScoreHigh),
		of(row.Regret), of(row.RegretLow), of(row.RegretHigh), n(row.Decisions), of(row.Kept),
		of(row.Chance), of(row.Kappa), of(row.KappaLow), of(row.KappaHigh), of(row.CleanKappa),
		of(row.CleanKappaLow), of(row.CleanKappaHigh), n(row.Forfeits), n(row.Open),
	}
}

// A bar is a line of a plot: a figure and its interval, between 0 and 1.
type bar struct {
	Name           string
	Label          string
	At, Low, High  float64 // in the plot
	Known, IsLevel bool
	Y              int
}

// width of a plot, in pixels, from 0 to 1.
const plotWidth = 320

// bars returns the lines of the plot of a figure.
func (r *Report) bars(
	of func(*arena.Row) (value, low, high *float64), text func(value, low, high *float64) string,
) (all []bar) {
	add := func(name string, rows []arena.Row, level bool) {
		value, low, high := of(&rows[len(rows)-1])
		b := bar{Name: name, Label: text(value, low, high), IsLevel: level, Y: 22*len(all) + 4}
		if low != nil && high != nil {
			b.Known = true
			b.Low, b.High = plotWidth*max(0, *low), plotWidth*max(0, *high)
			b.At = (b.Low + b.High) / 2
			if value != nil {
				b.At = plotWidth * max(0, *value)
			}
		}
		all = append(all, b)
	}
	for i := range r.Runs {
		add(r.Runs[i].label(), r.Runs[i].Rows, false)
	}
	for _, level := range r.Ladder {
		add(level.Level, level.Rows, true)
	}
	return all
}

// HTML writes a report as one page without other files.
func (r *Report) HTML(out io.Writer) error {
	kappa := func(row *arena.Row) (value, low, high *float64) {
		return row.Kappa, row.KappaLow, row.KappaHigh
	}
	score := func(row *arena.Row) (value, low, high *float64) {
		return row.Score, row.ScoreLow, row.ScoreHigh
	}
	type plot struct {
		Title  string
		Height int
		Bars   []bar
	}
	plots := []plot{{Title: "Kappa", Bars: r.bars(kappa, number)}}
	if r.Runs[0].Kind == Games {
		plots = append(plots, plot{Title: "Score", Bars: r.bars(score, percent)})
	}
	for i := range plots {
		plots[i].Height = 22*len(plots[i].Bars) + 8
	}
	var text strings.Builder
	if err := r.Print(&text); err != nil {
		return err
	}
	return page.Execute(out, map[string]any{"Plots": plots, "Text": text.String()})
}

// page is the page of a report.
var page = template.Must(template.New("report").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Digit Duel: models</title>
<meta name="viewport" content="width=device-width">
<style>
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 64rem; padding: 0 1rem }
pre { overflow-x: auto } figure { margin: 1.5rem 0 } figcaption { font-weight: 700 }
svg { max-width: 100% } text { font: 13px system-ui, sans-serif } .level { opacity: .6 }
@media (prefers-color-scheme: dark) { body { background: #111; color: #eee } svg { fill: #eee } }
</style>
<h1>Digit Duel: models</h1>
{{range .Plots}}<figure><figcaption>{{.Title}}</figcaption>
<svg viewBox="0 0 760 {{.Height}}" width="760" height="{{.Height}}" role="img" aria-label="{{.Title}}">
{{range .Bars}}<g transform="translate(0 {{.Y}})"{{if .IsLevel}} class="level"{{end}}><text y="12">{{.Name}}</text>
{{if .Known}}<g transform="translate(190 0)"><line x1="{{.Low}}" x2="{{.High}}" y1="8" y2="8" stroke="currentColor" stroke-width="2"/><circle cx="{{.At}}" cy="8" r="5" fill="currentColor"/></g>
{{end}}<text x="530" y="12">{{.Label}}</text></g>
{{end}}</svg></figure>
{{end}}<pre>{{.Text}}</pre>
</html>
`))
