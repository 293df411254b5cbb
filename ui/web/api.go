package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"digitduel/match"
)

// An apiHandler answers a request of the API.
type apiHandler = func(s *Server, w http.ResponseWriter, r *http.Request) error

// A route is a request of the API and its handler.
type route struct {
	pattern string
	handle  apiHandler
}

// routes holds all routes of the API. The OpenAPI document describes them.
var routes = []route{
	{"POST /api/tables", (*Server).apiOpen},
	{"GET /api/tables", (*Server).apiTables},
	{"GET /api/tables/{id}", (*Server).apiTable},
	{"POST /api/tables/{id}/seats", (*Server).apiSit},
	{"POST /api/tables/{id}/token", (*Server).apiRekey},
	{"POST /api/tables/{id}/link", asPlayer((*Server).apiLink)},
	{"POST /api/tables/{id}/moves", asPlayer((*Server).apiMove)},
	{"POST /api/tables/{id}/acts", asPlayer((*Server).apiAct)},
	{"GET /api/tables/{id}/hint", (*Server).apiHint},
	{"GET /api/tables/{id}/events", (*Server).apiEvents},
	{"GET /api/tables/{id}/log", (*Server).apiLog},
	{"GET /api/games", (*Server).apiGames},
	{"GET /api/stats", (*Server).apiStats},
	{"GET /api/openapi.json", (*Server).apiDocument},
}

// asPlayer returns a handler that reads a request, visits its table as the player of its token, and
// answers with the result of do.
func asPlayer[Request any](do func(s *Server, r *http.Request, visit *match.Visit, by viewer,
	asked Request) (answer any, err error)) apiHandler {
	return func(s *Server, w http.ResponseWriter, r *http.Request) error {
		var asked Request
		if err := readJSON(r, &asked); err != nil {
			return err
		}
		visit, by, err := s.visitAs(r)
		if err != nil {
			return err
		}
		defer visit.Close()
		answer, err := do(s, r, visit, by, asked)
		if err != nil {
			return err
		}
		return writeJSON(w, http.StatusOK, answer)
	}
}

// routeAPI adds the routes of the API.
func (s *Server) routeAPI(mux *http.ServeMux) {
	for _, to := range slices.Concat(routes, classRoutes) {
		s.route(mux, to.pattern,
			func(w http.ResponseWriter, r *http.Request) error { return to.handle(s, w, r) })
	}
}

// route adds a route whose errors are answered as a page or as JSON.
func (s *Server) route(mux *http.ServeMux, pattern string,
	handle func(w http.ResponseWriter, r *http.Request) error) {
	mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		if err := handle(w, r); err != nil {
			s.refuse(w, r, s.problemOf(r, err))
		}
	})
}

// stray refuses a request that no route matches: another method, or an unknown address.
func stray(mux *http.ServeMux, w http.ResponseWriter, r *http.Request) error {
	api := strings.HasPrefix(r.URL.Path, "/api/")
	var allowed []string
	for _, method := range []string{http.MethodPost, http.MethodGet} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := mux.Handler(other); strings.HasPrefix(pattern, method+" ") {
			allowed = append(allowed, method)
		}
	}
	switch {
	case len(allowed) > 0:
		if api && slices.Contains(allowed, http.MethodGet) {
			allowed = append(allowed, http.MethodHead) // the router answers it too
		}
		list := strings.Join(allowed, ", ")
		w.Header().Set("Allow", list)
		return &problem{status: http.StatusMethodNotAllowed,
			text: fmt.Sprintf("method %s: allowed here: %s", clip(r.Method), list)}
	case api:
		return notFound("unknown path; see /api/openapi.json")
	default:
		return notFound("there is no page at this address")
	}
}
