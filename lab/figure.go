package lab

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Figure is one number of a report by which rules are compared, sorted and selected.
type Figure struct {
	Name string
	Of   func(*Report) float64
	Fast bool // part of the verdict
}

// Figures lists all figures in display order.
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

// FigureOf returns the figure with a name.
func FigureOf(name string) (Figure, error) {
	if i := slices.IndexFunc(Figures, func(f Figure) bool { return f.Name == name }); i >= 0 {
		return Figures[i], nil
	}
	return Figure{}, fmt.Errorf("unknown figure %q (use one of %s)",
		name, strings.Join(FigureNames(), ", "))
}

// A Sort is an order of reports by a figure, lowest or highest first. The bias is sorted by its
// absolute value.
type Sort struct {
	Figure
	down bool
}

// ParseSort parses the name of a figure. A minus sign before it means highest first.
func ParseSort(text string) (Sort, error) {
	name, down := strings.CutPrefix(text, "-")
	f, err := FigureOf(name)
	return Sort{f, down}, err
}

// Compare compares two reports as [cmp.Compare] does.
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
