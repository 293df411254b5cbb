package web

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A gameLine is a finished game as pages list it.
type gameLine struct {
	match.Game
	Winner  int    // 1 or 2, by side; 0: none
	Program int    // the same for a program that came by itself
	How     string // it ended
	Since   string
}

func (s *Server) gameLines(games []match.Game) []gameLine {
	lines := make([]gameLine, len(games))
	for i, g := range games {
		rec := g.Record
		lines[i] = gameLine{Game: g, Since: ago(s.Now().Sub(g.Ended))}
		if side, ok := programOf(rec); ok {
			lines[i].Program = int(side) + 1
		}
		if side, ok := rec.Result.Winner(); ok {
			lines[i].Winner = int(side) + 1
		}
		if positions, err := rec.Positions(); err == nil { // it was played
			lines[i].How = rulebook.Ending(rec.Rules, positions[len(positions)-1], rec.Result,
				rulebook.Cast{Names: g.Names}).Short
		}
	}
	return lines
}

// programOf returns the side of a program that came to play by itself, if there is one.
func programOf(rec digit.Record) (side digit.Side, ok bool) {
	played, _ := match.GameInfoOf(rec) // bad tags have no program
	for _, seat := range match.Seats {
		if played.Agents[seat] {
			return played.Side(seat), true
		}
	}
	return side, false
}

func (s *Server) pageGames(w http.ResponseWriter, r *http.Request) error {
	games, older, err := s.games(r)
	if err != nil {
		return err
	}
	book := r.URL.Query().Get("book")
	data := struct {
		Book  string
		Games []gameLine
		Older string
	}{Book: book, Games: s.gameLines(games)}
	if older != "" {
		query := url.Values{"before": {older}}
		for _, key := range []string{"book", "limit"} {
			if value := r.URL.Query().Get(key); value != "" {
				query.Set(key, value)
			}
		}
		data.Older = "/games?" + query.Encode()
	}
	return s.show(w, r, "games", page{Title: "Games", Here: "games", Data: data})
}

// games returns the finished games that a request asks for, and the mark before which there may be
// older ones; empty: there are none.
func (s *Server) games(r *http.Request) (games []match.Game, older string, err error) {
	limit, err := countOf(r)
	if err != nil {
		return nil, "", err
	}
	f := match.GameFilter{Public: true, Book: r.URL.Query().Get("book"), Limit: limit}
	if names := digit.AllNames(); f.Book != "" &&
		!slices.Contains(names, f.Book) {
		return nil, "", invalid("book %q: allowed: %s", clip(f.Book), strings.Join(names, ", "))
	}
	if text := r.URL.Query().Get("before"); text != "" {
		if f.Before, err = match.ParseGameMark(text); err != nil {
			return nil, "", invalid("before %v", err)
		}
	}
	if games, err = s.Archive.Games(r.Context(), f); len(games) >= limit {
		older = games[len(games)-1].Mark().String()
	}
	return games, older, err
}

// A gameList is a page of finished games in the API.
type gameList struct {
	Games []gameView `json:"games"`
	Older string     `json:"older,omitempty"` // leads to the next page
}

// A gameView is a finished game in the API.
type gameView struct {
	Table   string       `json:"table"`
	Game    int          `json:"game"`
	Record  digit.Record `json:"record"`
	Names   [2]string    `json:"names"` // by side
	Players [2]string    `json:"players"`
	Agent   string       `json:"agent,omitempty"` // the side of a program that came by itself
	Ended   time.Time    `json:"ended"`
}

func (s *Server) apiGames(w http.ResponseWriter, r *http.Request) error {
	games, older, err := s.games(r)
	if err != nil {
		return err
	}
	views := make([]gameView, len(games))
	for i, g := range games {
		views[i] = gameView{Table: g.Table, Game: g.Number, Record: g.Record, Names: g.Names,
			Ended: g.Ended.UTC()}
		for side, level := range g.Levels {
			views[i].Players[side] = cmp.Or(level, match.Human)
		}
		if side, ok := programOf(g.Record); ok {
			views[i].Agent = side.String()
		}
	}
	return writeJSON(w, http.StatusOK, gameList{views, older})
}

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
