package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// mostListed is how many tables or games one answer lists.
const mostListed = 100

// countOf reads how many are asked for.
func countOf(r *http.Request) (int, error) {
	text := r.URL.Query().Get("limit")
	if text == "" {
		return 50, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostListed {
		return 0, &problem{status: http.StatusUnprocessableEntity, text: fmt.Sprintf("limit %q: allowed: 1 to %d", clip(text), mostListed)}
	}
	return n, nil
}

// lobby returns the tables of some phases that anybody may find. One that waits for a player is there only while
// whoever opened it is.
func (s *Server) lobby(r *http.Request, limit int, phases ...match.Phase) ([]match.Summary, error) {
	const recent = 24 * time.Hour
	tables, err := s.Archive.Tables(r.Context(), match.TableFilter{Phases: phases, Listed: true, Since: s.Now().Add(-recent), Limit: mostListed})
	if err != nil {
		return nil, err
	}
	tables = slices.DeleteFunc(tables, func(t match.Summary) bool {
		return t.Phase == match.Waiting && s.Hall.Presence(t.ID).Seats == [2]bool{}
	})
	return tables[:min(limit, len(tables))], nil
}

// A summaryView is a table of a list as the API shows it.
type summaryView struct {
	ID       string      `json:"id"`
	Rules    digit.Rules `json:"rules"`
	Phase    match.Phase `json:"phase"`
	Names    [2]string   `json:"names"`
	BestOf   int         `json:"best_of,omitempty"`
	TurnTime string      `json:"turn_time,omitempty"`
	Game     int         `json:"game"`
	Wins     [2]int      `json:"wins"`
	Draws    int         `json:"draws"`
	Opened   time.Time   `json:"opened"`
}

func (s *Server) apiTables(w http.ResponseWriter, r *http.Request) error {
	limit, err := countOf(r)
	if err != nil {
		return err
	}
	all := []match.Phase{match.Waiting, match.UnderWay, match.Between}
	phases := all
	if text := r.URL.Query().Get("phase"); text != "" {
		phases = []match.Phase{match.Phase(text)}
		if !slices.Contains(all, phases[0]) {
			return &problem{status: http.StatusUnprocessableEntity, text: fmt.Sprintf("phase %q: allowed: open, playing, between", clip(text))}
		}
	}
	tables, err := s.lobby(r, limit, phases...)
	if err != nil {
		return err
	}
	views := make([]summaryView, len(tables))
	for i, t := range tables {
		views[i] = summaryView{t.ID, t.Rules, t.Phase, t.Names, t.BestOf, "", t.Game, t.Wins, t.Draws, t.Opened.UTC()}
		if t.TurnTime > 0 {
			views[i].TurnTime = t.TurnTime.String()
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{"tables": views})
	return nil
}

// games returns the finished games that a request asks for.
func (s *Server) games(r *http.Request) ([]match.Game, error) {
	limit, err := countOf(r)
	if err != nil {
		return nil, err
	}
	f := match.GameFilter{Book: r.URL.Query().Get("book"), Limit: limit}
	if known := func(b digit.Book) bool { return b.Name == f.Book }; f.Book != "" && !slices.ContainsFunc(digit.Books, known) {
		return nil, &problem{status: http.StatusUnprocessableEntity, text: fmt.Sprintf("book %q: allowed: %s", clip(f.Book), strings.Join(digit.BookNames(), ", "))}
	}
	if text := r.URL.Query().Get("before"); text != "" {
		if f.Before, err = time.Parse(time.RFC3339Nano, text); err != nil {
			return nil, &problem{status: http.StatusUnprocessableEntity, text: fmt.Sprintf("before %q: allowed: a time such as 2026-01-31T12:00:00Z", clip(text))}
		}
	}
	return s.Archive.Games(r.Context(), f)
}

func (s *Server) apiGames(w http.ResponseWriter, r *http.Request) error {
	games, err := s.games(r)
	if err != nil {
		return err
	}
	type gameView struct {
		Table   string       `json:"table"`
		Game    int          `json:"game"`
		Record  digit.Record `json:"record"`
		Names   [2]string    `json:"names"` // who moved first and who second
		Players [2]string    `json:"players"`
		Ended   time.Time    `json:"ended"`
	}
	views := make([]gameView, len(games))
	for i, g := range games {
		views[i] = gameView{g.Table, g.Number, g.Record, g.Names, [2]string{human, human}, g.Ended.UTC()}
		for side, level := range g.Levels {
			if level != "" {
				views[i].Players[side] = level
			}
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{"games": views})
	return nil
}

func (s *Server) apiStats(w http.ResponseWriter, r *http.Request) error {
	stats, err := s.Archive.Stats(r.Context())
	if err != nil {
		return err
	}
	type statsView struct {
		Book       string         `json:"book"`
		Games      int            `json:"games"`
		FirstWins  int            `json:"first_wins"`
		SecondWins int            `json:"second_wins"`
		Draws      int            `json:"draws"`
		Plies      float64        `json:"mean_plies"`
		Reasons    map[string]int `json:"reasons"`
	}
	views := make([]statsView, len(stats))
	for i, b := range stats {
		views[i] = statsView{b.Book, b.Games, b.FirstWins, b.SecondWins, b.Draws, b.Plies, b.Reasons}
		if b.Reasons == nil {
			views[i].Reasons = map[string]int{}
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{"books": views})
	return nil
}
