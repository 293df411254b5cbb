package web

import (
	"net/http"

	"digitduel/match"
)

// pageHere is for a screen that a room looks at: how to come here, and who plays.
func (s *Server) pageHere(w http.ResponseWriter, r *http.Request) error {
	tables, err := s.lobby(r, mostListed, match.Waiting, match.UnderWay, match.Between)
	if err != nil {
		return err
	}
	data := struct {
		Links     []joinLink
		LocalPort string // the port, if only this machine can come here
		Near      bool   // the address means something in this network only
		Tables    []tableLine
	}{Links: s.joinLinks(r, "/lobby"), LocalPort: s.localPort(r)}
	data.Near = isNear(data.Links[0].Address)
	for _, t := range tables {
		data.Tables = append(data.Tables, s.tableLine(t))
	}
	return s.show(w, r, http.StatusOK, "here", page{Title: "Play here", Here: "here", Refresh: 10, RefreshTo: "/here", Module: "lobby.js", Data: data})
}
