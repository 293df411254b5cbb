package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"digitduel/match"
	"digitduel/rulebook"
)

// mostListed limits the tables or games of one answer.
const mostListed = 100

// mostWaiting limits the open tables that are listed to those opened last, by their names.
const mostWaiting = 500

// countOf returns the number of entries that a request asks for.
func countOf(r *http.Request) (int, error) { return queryNumber(r, "limit", 50, 1, mostListed) }

// queryNumber returns a number in the address of a request, or usual if there is none.
func queryNumber(r *http.Request, name string, usual, least, most int) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, invalid("%s %q: allowed: %d to %d", name, clip(text), least, most)
	}
	return n, nil
}

// lobby returns the public tables of some phases: open ones while their host is present, then the
// others. Presence is checked first, so that a thousand abandoned tables do not hide a live one.
func (s *Server) lobby(r *http.Request, limit int, phases ...match.Phase) ([]match.Summary, error) {
	const recent = 24 * time.Hour
	var tables []match.Summary
	if slices.Contains(phases, match.Waiting) {
		ids, err := s.Hall.Waiting(r.Context())
		if err != nil {
			return nil, err
		}
		if ids = ids[max(0, len(ids)-mostWaiting):]; len(ids) > 0 {
			if tables, err = s.Archive.Tables(r.Context(),
				match.TableFilter{IDs: ids}); err != nil {
				return nil, err
			}
		}
		tables = slices.DeleteFunc(tables,
			func(t match.Summary) bool { return t.Phase != match.Waiting || !t.Listed })
	}
	if others := slices.DeleteFunc(slices.Clone(phases),
		func(p match.Phase) bool { return p == match.Waiting }); len(others) > 0 {
		found, err := s.Archive.Tables(r.Context(),
			match.TableFilter{Phases: others, Listed: true, Since: s.Now().Add(-recent),
				Limit: limit})
		if err != nil {
			return nil, err
		}
		tables = append(tables, found...)
	}
	return tables[:min(limit, len(tables))], nil
}

// A tableList is a list of tables in the API.
type tableList struct {
	Tables []match.Listed `json:"tables"`
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
			return invalid("phase %q: allowed: open, playing, between", clip(text))
		}
	}
	tables, err := s.lobby(r, limit, phases...)
	if err != nil {
		return err
	}
	views := make([]match.Listed, len(tables))
	for i, t := range tables {
		views[i] = t.Wire()
	}
	return writeJSON(w, http.StatusOK, tableList{views})
}

// A tableLine is a table in the lobby.
type tableLine struct {
	ID        string
	Title     string
	Changes   string
	Names     [2]string
	Agreement string
	Phase     match.Phase
	Own       bool // the browser has a seat there
	Score     string
	Since     string
	At        time.Time
}

func (s *Server) tableLine(t match.Summary) tableLine {
	line := tableLine{
		t.ID, rulebook.Title(t.Rules), changesOf(t.Rules), [2]string{}, agreed(t.Setup()), t.Phase,
		false, "", ago(s.Now().Sub(t.Opened)), t.Opened.UTC(),
	}
	for _, seat := range match.Seats {
		line.Names[seat] = (match.Setup{Names: t.Names}).Name(seat)
	}
	if t.BestOf > 1 || t.Pair {
		line.Score = fmt.Sprintf("%d : %d", t.Wins[match.One], t.Wins[match.Two])
	}
	return line
}

func (s *Server) pageLobby(w http.ResponseWriter, r *http.Request) error {
	tables, err := s.lobby(r, mostListed, match.Waiting, match.UnderWay, match.Between)
	if err != nil {
		return err
	}
	var data struct {
		Open, Running []tableLine
		Name          string
	}
	data.Name = prefsOf(r).name
	for _, t := range tables {
		line := s.tableLine(t)
		if t.Phase != match.Waiting {
			data.Running = append(data.Running, line)
			continue
		}
		line.Own = remembers(r, t.ID)
		data.Open = append(data.Open, line)
	}
	return s.show(w, r, "lobby",
		page{Title: "Lobby", Here: "lobby", Refresh: 10, RefreshTo: "/lobby", Module: "lobby.js",
			Data: data})
}
