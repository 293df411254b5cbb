package web

import (
	"net/http"

	"digitduel/match"
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
