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
	Books []statsView `json:"books"`
}

// A statsView is the statistics of a book in the API.
type statsView struct {
	Book       string         `json:"book"`
	Games      int            `json:"games"`
	FirstWins  int            `json:"first_wins"`
	SecondWins int            `json:"second_wins"`
	Draws      int            `json:"draws"`
	Plies      float64        `json:"mean_plies"`
	Reasons    map[string]int `json:"reasons"`
}

func (s *Server) apiStats(w http.ResponseWriter, r *http.Request) error {
	stats, err := s.Archive.Stats(r.Context())
	if err != nil {
		return err
	}
	views := make([]statsView, len(stats))
	for i, b := range stats {
		views[i] = statsView(b)
		if b.Reasons == nil {
			views[i].Reasons = map[string]int{}
		}
	}
	return writeJSON(w, http.StatusOK, statsList{views})
}

// A statsLine holds the statistics of a book, with shares in percent.
type statsLine struct {
	Title, Name, Total                  string
	Games, FirstWins, SecondWins, Draws int
	First, Second, Drawn                float64
	Plies                               string
	Reasons                             []reasonLine
}

// A reasonLine is one reason why games of a book end.
type reasonLine struct {
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
	share := func(n int) float64 { return 100 * float64(n) / float64(st.Games) }
	line := statsLine{
		rulebook.Title(b.Rules), b.Name, counted(st.Games, "game"), st.Games, st.FirstWins,
		st.SecondWins, st.Draws, share(st.FirstWins), share(st.SecondWins), share(st.Draws),
		fmt.Sprintf("%.1f", st.Plies), nil,
	}
	names := slices.SortedFunc(maps.Keys(st.Reasons), func(a, b string) int {
		return cmp.Or(st.Reasons[b]-st.Reasons[a], strings.Compare(a, b))
	})
	for _, name := range names {
		line.Reasons = append(line.Reasons,
			reasonLine{rulebook.Way(name), st.Reasons[name], share(st.Reasons[name])})
	}
	return line
}
