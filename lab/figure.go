package lab

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
