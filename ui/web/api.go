package web

import (
	"net/http"
	"slices"
	"strings"

	"digitduel/match"
)

// A handler answers a request, or returns the reason why it is refused.
type handler = func(w http.ResponseWriter, r *http.Request) error

// A tableHandler answers a request about a table for a viewer.
type tableHandler = func(w http.ResponseWriter, r *http.Request, visit *match.Visit,
	v viewer) error

// A route is a request of the API and its handler.
type route struct {
	pattern string
	handle  handler
}

// apiRoutes returns all routes of the API. The OpenAPI document describes them.
func (s *Server) apiRoutes() []route {
	return append([]route{
		{"POST /api/tables", s.apiOpen},
		{"GET /api/tables", s.apiTables},
		{"GET /api/tables/{id}", s.forTable(s.caller, s.apiTable)},
		{"POST /api/tables/{id}/seats", s.apiSit},
		{"POST /api/tables/{id}/token", s.apiRekey},
		{"POST /api/tables/{id}/link", asPlayer(s, s.apiLink)},
		{"POST /api/tables/{id}/moves", asPlayer(s, s.apiMove)},
		{"POST /api/tables/{id}/acts", asPlayer(s, s.apiAct)},
		{"GET /api/tables/{id}/hint", s.forTable(s.bearer, s.apiHint)},
		{"GET /api/tables/{id}/events", s.forTable(s.caller, s.apiEvents)},
		{"GET /api/tables/{id}/log", s.forTable(watcher, s.apiLog)},
		{"GET /api/games", s.apiGames},
		{"GET /api/stats", s.apiStats},
		{"GET /api/openapi.json", s.apiDocument},
	}, s.classRoutes()...)
}

// forTable returns a handler of requests about a table, whose viewer a function finds.
func (s *Server) forTable(find func(*http.Request, *match.Table) (viewer, error),
	do tableHandler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		visit, err := s.visit(r)
		if err != nil {
			return err
		}
		defer visit.Close()
		v, err := find(r, visit.Table)
		if err != nil {
			return err
		}
		return do(w, r, visit, v)
	}
}

// asPlayer returns a handler that reads a request, visits its table as the player of its token, and
// answers with the result of do.
func asPlayer[Request any](s *Server, do func(r *http.Request, visit *match.Visit, by viewer,
	asked Request) (answer any, err error)) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		var asked Request
		if err := readJSON(r, &asked); err != nil {
			return err
		}
		return s.forTable(s.bearer, func(w http.ResponseWriter, r *http.Request,
			visit *match.Visit, by viewer) error {
			answer, err := do(r, visit, by, asked)
			if err != nil {
				return err
			}
			return writeJSON(w, http.StatusOK, answer)
		})(w, r)
	}
}

// routeAPI adds the routes of the API.
func (s *Server) routeAPI(mux *http.ServeMux) {
	for _, to := range s.apiRoutes() {
		s.route(mux, to.pattern, to.handle)
	}
}

// route adds a route whose errors are answered as a page or as JSON.
func (s *Server) route(mux *http.ServeMux, pattern string, handle handler) {
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
		return problemf(http.StatusMethodNotAllowed, "method %s: allowed here: %s", clip(r.Method),
			list)
	case api:
		return notFound("unknown path; see /api/openapi.json")
	default:
		return notFound("there is no page at this address")
	}
}
