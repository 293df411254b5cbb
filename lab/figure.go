package lab

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Figure is one number of a report that rulesets are compared, sorted and chosen by.
type Figure struct {
	Name string
	Of   func(*Report) float64
	Fast bool // the solution alone tells it
}

// Figures are all figures in the order in which they are written.
var Figures = []Figure{
	{"plies", func(r *Report) float64 { return float64(r.Plies) }, true},
	{"win", func(r *Report) float64 { return float64(r.FirstMoves.Win) }, true},
	{"draw", func(r *Report) float64 { return float64(r.FirstMoves.Draw) }, true},
	{"loss", func(r *Report) float64 { return float64(r.FirstMoves.Loss) }, true},
	{"first", func(r *Report) float64 { return r.Bias + 0.5 }, false},
	{"bias", func(r *Report) float64 { return r.Bias }, false},
	{"cut", func(r *Report) float64 { return r.Cut }, false},
	{"draws", func(r *Report) float64 { return r.Draws }, false},
	{"length", func(r *Report) float64 { return r.Length }, false},
	{"decisions", func(r *Report) float64 { return r.Decisions }, false},
	{"keep", func(r *Report) float64 { return r.Keep }, false},
	{"only_moves", func(r *Report) float64 { return r.OnlyMoves }, false},
	{"lead_changes", func(r *Report) float64 { return r.LeadChanges }, false},
	{"drama", func(r *Report) float64 { return r.Drama }, false},
	{"settled", func(r *Report) float64 { return r.Settled }, false},
}

// FigureNames returns the names of the figures.
func FigureNames() []string {
	var names []string
	for _, f := range Figures {
		names = append(names, f.Name)
	}
	return names
}

// FigureOf returns the figure of a name.
func FigureOf(name string) (Figure, error) {
	if i := slices.IndexFunc(Figures, func(f Figure) bool { return f.Name == name }); i >= 0 {
		return Figures[i], nil
	}
	return Figure{}, fmt.Errorf("figure %q: there is no such figure; figures: %s", name, strings.Join(FigureNames(), ", "))
}

// A Sort is an order of reports by a figure, the lowest first or the highest. The bias is sorted by its size, whoever it favours.
type Sort struct {
	Figure
	down bool
}

// ParseSort reads the name of a figure, after a minus to sort from the highest down.
func ParseSort(text string) (Sort, error) {
	name, down := strings.CutPrefix(text, "-")
	f, err := FigureOf(name)
	return Sort{f, down}, err
}

// Compare says which of two reports comes first.
func (s Sort) Compare(a, b *Report) int {
	x, y := s.Of(a), s.Of(b)
	if s.Name == "bias" {
		x, y = math.Abs(x), math.Abs(y)
	}
	if s.down {
		x, y = y, x
	}
	return cmp.Compare(x, y)
}
