package class

import (
	"cmp"
	"slices"
)

// A Standing is the row of a pupil in the table of results.
type Standing struct {
	Place     *int   `json:"place"` // nil: too few games
	Pupil     int    `json:"pupil"`
	Name      string `json:"name"`
	Score     int    `json:"score"` // 0 to 100; all start at 50
	Points    int    `json:"points"`
	Games     int    `json:"games"`
	Right     int    `json:"right"`
	Decisions int    `json:"decisions"`
	Byes      int    `json:"byes"`
	Left      bool   `json:"left"`
}

// Standings returns the rows of all pupils, best first.
//
// The score is the share of the points, as if each pupil had also drawn two games, so that more
// games count more. Of two equal scores the higher share of right decisions is first; if that is
// equal too, the pupils share a place. A pupil with less than half as many games as most has none.
func (s *State) Standings() []Standing {
	rows := make([]Standing, len(s.Pupils))
	for i, p := range s.Pupils {
		rows[i] = Standing{Pupil: i + 1, Name: p.Name, Left: p.Left}
	}
	for _, p := range s.Pairings {
		for seat, pupil := range p.Pupils {
			row := &rows[pupil-1]
			switch {
			case p.Bye:
				row.Byes++
			case p.Counts():
				row.Games++
				row.Points += p.Points[seat]
				if p.Decisions != nil {
					row.Right += p.Decisions[seat][0]
					row.Decisions += p.Decisions[seat][1]
				}
			}
		}
	}
	rows = slices.DeleteFunc(rows, func(r Standing) bool { return s.Pupils[r.Pupil-1].Removed })
	if len(rows) == 0 {
		return rows
	}
	byGames := slices.SortedFunc(slices.Values(rows),
		func(a, b Standing) int { return a.Games - b.Games })
	half := (byGames[(len(rows)-1)/2].Games + 1) / 2 // of the lower median
	placed := func(r Standing) int { return min(r.Games/max(1, half), 1) }
	slices.SortStableFunc(rows, func(a, b Standing) int {
		return cmp.Or(placed(b)-placed(a), b.compare(a))
	})
	for i := range rows {
		row := &rows[i]
		n := 100 * (row.Points + 2)
		of := 2 * (row.Games + 2)
		row.Score = (2*n + of) / (2 * of)
		switch place := i + 1; {
		case placed(*row) == 0:
		case i > 0 && row.compare(rows[i-1]) == 0:
			row.Place = rows[i-1].Place
		default:
			row.Place = &place
		}
	}
	return rows
}

// compare returns a positive number if a is ahead of b.
func (a Standing) compare(b Standing) int {
	return cmp.Or(
		cmp.Compare((a.Points+2)*(b.Games+2), (b.Points+2)*(a.Games+2)),
		cmp.Compare(a.Right*max(1, b.Decisions), b.Right*max(1, a.Decisions)),
	)
}
