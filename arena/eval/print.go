package eval

import (
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"digitduel/arena"
	"digitduel/arena/disguise"
)

// disguiseNote explains the differences between wordings.
const disguiseNote = "words: other names, and the rules in other words, with the order and the " +
	"values of the digits.\nfull: other orders, weights and ranks, too. Both add tokens, and the " +
	"full disguise adds\narithmetic, so a lower figure does not show that a model knew the game " +
	"by its name.\n"

// notes explain the figures of a report.
func (r *Report) notes() string {
	if slices.ContainsFunc(r.Runs, func(run RunReport) bool { return run.Arm != disguise.Plain }) {
		return arena.RowsLegend + disguiseNote
	}
	return arena.RowsLegend
}

// total returns the row of all games.
func total(rows []arena.Row) *arena.Row { return &rows[len(rows)-1] }

// Print prints a report as text.
func (r *Report) Print(out io.Writer) error {
	var b strings.Builder
	var names []string
	var rows []arena.Row
	for i := range r.Runs {
		run := &r.Runs[i]
		fmt.Fprintf(&b, "%s: %s\n", run.label(), run.spent())
		var rules []string
		for _, row := range run.Rows {
			rules = append(rules, row.Rules)
		}
		arena.PrintRows(&b, "rules\t"+run.unit(), rules, run.Rows)
		fmt.Fprintln(&b)
	}
	for _, level := range r.Ladder {
		names, rows = append(names, level.Level), append(rows, *total(level.Rows))
	}
	arena.PrintRows(&b, "level\t"+r.Runs[0].unit(), names, rows)
	if len(r.Differences) > 0 {
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "\ndifference\trules\tstarts\tscore\tkappa")
		for _, d := range r.Differences {
			fmt.Fprintf(w, "%s - %s\t%s\t%d\t%s\t%s\n", d.A, d.B, d.Rules, d.Pairs,
				arena.Percent(d.Score, d.ScoreLow, d.ScoreHigh),
				arena.Figure(d.Kappa, d.KappaLow, d.KappaHigh))
		}
		_ = w.Flush() // writing to a strings.Builder cannot fail
	}
	fmt.Fprint(&b, "\n", r.notes())
	_, err := io.WriteString(out, b.String())
	return err
}

// unit returns what a run counts.
func (r *RunReport) unit() string {
	if r.Kind == Exam {
		return "items"
	}
	return Games
}

// spent sums up the calls of a run.
func (r *RunReport) spent() string {
	text := fmt.Sprintf("%d calls, %d tokens in, %d out", r.Calls, r.Tokens.Prompt,
		r.Tokens.Completion)
	if r.Cost != nil {
		text += fmt.Sprintf(", $%.4f", *r.Cost)
	}
	if !r.Complete {
		text += "; incomplete: continue with --resume"
	}
	return text
}

// CSV writes a report as a table.
func (r *Report) CSV(out io.Writer) error {
	var heads [][]string
	var rows []arena.Row
	add := func(of []arena.Row, head ...string) {
		for _, row := range of {
			heads, rows = append(heads, head), append(rows, row)
		}
	}
	for _, run := range r.Runs {
		add(run.Rows, run.Name, run.Model, run.Arm, run.Kind, "")
	}
	for _, level := range r.Ladder {
		add(level.Rows, "", "", disguise.Plain, r.Runs[0].Kind, level.Level)
	}
	return arena.WriteCSV(out, strings.Fields("run model arm kind level"), heads, rows)
}

// A bar is a line of a plot: a figure with its interval, in percent of the width.
type bar struct {
	Name, Label         string
	At, Low, High, Zero float64
	Known, IsLevel      bool
}

// bars returns the lines of the plot of a figure between its least value and 1.
func (r *Report) bars(
	of func(*arena.Row) (value, low, high *float64), text func(value, low, high *float64) string,
) (all []bar) {
	least := 0.0
	add := func(name string, rows []arena.Row, level bool) {
		value, low, high := of(total(rows))
		b := bar{Name: name, Label: text(value, low, high), IsLevel: level}
		if low != nil && high != nil {
			b.Known, b.Low, b.High, b.At = true, *low, *high, (*low+*high)/2
			if value != nil {
				b.At = *value
			}
			least = min(least, *low)
		}
		all = append(all, b)
	}
	for i := range r.Runs {
		add(r.Runs[i].label(), r.Runs[i].Rows, false)
	}
	for _, level := range r.Ladder {
		add(level.Level, level.Rows, true)
	}
	for i := range all {
		b := &all[i]
		for _, x := range []*float64{&b.At, &b.Low, &b.High, &b.Zero} {
			*x = 100 * (*x - least) / (1 - least)
		}
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
	plots := map[string][]bar{"Kappa": r.bars(kappa, arena.Figure)}
	if r.Runs[0].Kind == Games {
		plots["Score"] = r.bars(score, arena.Percent)
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
:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem }
h2 { margin: 2rem 0 .5rem } pre { overflow-x: auto; font-size: .8rem }
.row { display: grid; grid-template-columns: 12rem 1fr 13rem; gap: 0 1rem; align-items: center }
.row svg { width: 100%; height: 1.25rem; background: #8882 } .row span { overflow-wrap: anywhere }
.level { opacity: .65 } line { stroke: currentColor; vector-effect: non-scaling-stroke }
@media (max-width: 40rem) {
  .row { grid-template-columns: 1fr auto; margin-bottom: .5rem }
  .row svg { grid-row: 2; grid-column: 1 / 3 }
}
</style>
<h1>Digit Duel: models</h1>
{{range $title, $bars := .Plots}}<h2>{{$title}}</h2>
{{range $bars}}<div class="row{{if .IsLevel}} level{{end}}"><span>{{.Name}}</span>
<svg viewBox="0 0 100 20" preserveAspectRatio="none" role="img" aria-label="{{.Label}}">
<line x1="{{.Zero}}" x2="{{.Zero}}" y2="20" stroke-opacity=".3"/>
{{if .Known}}<line x1="{{.Low}}" x2="{{.High}}" y1="10" y2="10" stroke-width="2"/>
<line x1="{{.At}}" x2="{{.At}}" y1="3" y2="17" stroke-width="5"/>{{end}}</svg>
<span>{{.Label}}</span></div>
{{end}}{{end}}<h2>Figures</h2>
<pre>{{.Text}}</pre>
</html>
`))
