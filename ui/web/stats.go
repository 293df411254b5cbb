package web

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A statsList is the statistics of all books in the API.
type statsList struct {
	Books []match.Stats `json:"books"`
}

func (s *Server) apiStats(w http.ResponseWriter, r *http.Request) error {
	stats, err := s.Archive.Stats(r.Context())
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, statsList{append([]match.Stats{}, stats...)})
}

// A statsLine holds the statistics of a book: its games by winner, and by the reason of their end.
type statsLine struct {
	Name, Title, Total, Plies string
	Groups                    [2][]statsRow
}

// A statsRow is a number of games, with their share in percent.
type statsRow struct {
	How   string
	Games int
	Share float64
}

func (s *Server) pageStats(w http.ResponseWriter, r *http.Request) error {
	stats, err := s.Archive.Stats(r.Context())
	if err != nil {
		return err
	}
	var lines []statsLine
	for _, b := range named() {
		i := slices.IndexFunc(stats, func(st match.Stats) bool { return st.Book == b.Name })
		if i >= 0 && stats[i].Games > 0 {
			lines = append(lines, statsLineOf(b, stats[i]))
		}
	}
	return s.show(w, r, "stats",
		page{Title: "Statistics", Here: "stats", Data: lines})
}

func statsLineOf(b digit.Book, st match.Stats) statsLine {
	row := func(how string, n int) statsRow {
		return statsRow{how, n, 100 * float64(n) / float64(st.Games)}
	}
	line := statsLine{Name: b.Name, Title: rulebook.Title(b.Rules),
		Total: rulebook.Plural(st.Games, "game"), Plies: fmt.Sprintf("%.1f", st.Plies)}
	line.Groups[0] = []statsRow{row("first player wins", st.FirstWins),
		row("second player wins", st.SecondWins), row("draws", st.Draws)}
	for _, name := range slices.SortedFunc(maps.Keys(st.Reasons), func(a, b string) int {
		return cmp.Or(st.Reasons[b]-st.Reasons[a], strings.Compare(a, b))
	}) {
		line.Groups[1] = append(line.Groups[1], row("by "+rulebook.Way(name), st.Reasons[name]))
	}
	return line
}
