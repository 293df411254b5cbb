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

// lobby returns public tables: if waiting, open ones while their host is present, then those of
// other phases. Presence is checked first, so that a thousand abandoned tables do not hide a live
// one.
func (s *Server) lobby(r *http.Request, limit int, waiting bool,
	others ...match.Phase) (tables []match.Summary, err error) {
	const recent = 24 * time.Hour
	if waiting {
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
	if len(others) > 0 {
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

// ago describes how long ago something was.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return rulebook.Plural(int(d/time.Minute), "minute") + " ago"
	case d < 48*time.Hour:
		return rulebook.Plural(int(d/time.Hour), "hour") + " ago"
	default:
		return rulebook.Plural(int(d/(24*time.Hour)), "day") + " ago"
	}
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
	waiting, others := true, []match.Phase{match.UnderWay, match.Between}
	switch phase := match.Phase(r.URL.Query().Get("phase")); {
	case phase == "":
	case phase == match.Waiting:
		others = nil
	case slices.Contains(others, phase):
		waiting, others = false, []match.Phase{phase}
	default:
		return invalid("phase %q: allowed: open, playing, between", clip(string(phase)))
	}
	tables, err := s.lobby(r, limit, waiting, others...)
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
	match.Summary
	Agreement string
	Since     string
	Score     string
	Own       bool // the browser has a seat there
}

func (s *Server) tableLine(t match.Summary) tableLine {
	line := tableLine{Summary: t, Agreement: agreed(t.Setup()), Since: ago(s.Now().Sub(t.Opened))}
	if t.BestOf > 1 || t.Pair {
		line.Score = fmt.Sprintf("%d : %d", t.Wins[match.One], t.Wins[match.Two])
	}
	return line
}

func (s *Server) pageLobby(w http.ResponseWriter, r *http.Request) error {
	tables, err := s.lobby(r, mostListed, true, match.UnderWay, match.Between)
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

// pageHere serves a page for a shared screen: how to join, and the tables in progress.
func (s *Server) pageHere(w http.ResponseWriter, r *http.Request) error {
	tables, err := s.lobby(r, mostListed, true, match.UnderWay, match.Between)
	if err != nil {
		return err
	}
	data := struct {
		Links     []joinLink
		LocalPort string // the port, if links work only on this machine
		Near      bool   // the address is valid only in this network
		Tables    []tableLine
	}{Links: s.joinLinks(r, "/lobby"), LocalPort: s.localPort(r)}
	data.Near = isNear(data.Links[0].Address)
	for _, t := range tables {
		data.Tables = append(data.Tables, s.tableLine(t))
	}
	return s.show(w, r, "here",
		page{Title: "Play here", Here: "here", Refresh: 10, RefreshTo: "/here", Module: "lobby.js",
			Data: data})
}
