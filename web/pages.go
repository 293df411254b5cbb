package web

import "net/http"

func (s *Server) routePages(mux *http.ServeMux) {}

func (s *Server) refusePage(w http.ResponseWriter, r *http.Request, p *problem) {
	writeText(w, p.status, p.text+"\n")
}
