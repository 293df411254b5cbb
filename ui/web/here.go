package web

import (
	"net/http"

	"digitduel/match"
)

// pageHere serves a page for a shared screen: how to join, and the tables in progress.
func (s *Server) pageHere(w http.ResponseWriter, r *http.Request) error {
	tables, err := s.lobby(r, mostListed, match.Waiting, match.UnderWay, match.Between)
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
