package web

import (
	"net/http"
	"strconv"

	"digitduel/match"
)

// stepsCookie controls the first steps, which are shown in the first game that is played in a
// browser: it names that game, or holds any other text once the steps were dismissed.
const stepsCookie = "steps"

func gameName(table string, game int) string { return table + "." + strconv.Itoa(game) }

// isFirstGame reports whether a game is, or may be, the first one played in a browser.
func isFirstGame(r *http.Request, table string, s match.State) bool {
	if kept := cookieOf(r, stepsCookie); kept != "" {
		return kept == gameName(table, s.Game)
	}
	return s.Game == 1
}

// keepFirstGame stores the name of the first game in a browser.
func (s *Server) keepFirstGame(w http.ResponseWriter, r *http.Request, table string, game int) {
	if cookieOf(r, stepsCookie) == "" {
		s.cookie(w, r, stepsCookie, gameName(table, game), "/")
	}
}

// postSteps dismisses the first steps for good, and returns to the table.
func (s *Server) postSteps(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if !isTableName(id) {
		return notFound("there is no such table")
	}
	s.cookie(w, r, stepsCookie, "known", "/")
	if byScript(r) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return s.redirect(w, r, tablePath(id, false))
}
