package web

import (
	"fmt"
	"net/http"
	"strings"
)

// A route is a request of the API and its handler.
type route struct {
	pattern string
	handle  func(s *Server, w http.ResponseWriter, r *http.Request) error
}

// routes holds all routes of the API. The OpenAPI document describes them.
var routes = []route{
	{"POST /api/tables", (*Server).apiOpen},
	{"GET /api/tables", (*Server).apiTables},
	{"GET /api/tables/{id}", (*Server).apiTable},
	{"POST /api/tables/{id}/seats", (*Server).apiSit},
	{"POST /api/tables/{id}/token", (*Server).apiRekey},
	{"POST /api/tables/{id}/link", (*Server).apiLink},
	{"POST /api/tables/{id}/moves", (*Server).apiMove},
	{"POST /api/tables/{id}/acts", (*Server).apiAct},
	{"GET /api/tables/{id}/hint", (*Server).apiHint},
	{"GET /api/tables/{id}/events", (*Server).apiEvents},
	{"GET /api/tables/{id}/log", (*Server).apiLog},
	{"GET /api/games", (*Server).apiGames},
	{"GET /api/stats", (*Server).apiStats},
	{"GET /api/openapi.json", (*Server).apiDocument},
}

// routeAPI adds the routes of the API.
func (s *Server) routeAPI(mux *http.ServeMux) {
	methods := map[string][]string{"/api/": nil}
	for _, route := range routes {
		method, path, _ := strings.Cut(route.pattern, " ")
		methods[path] = append(methods[path], method)
		if method == http.MethodGet {
			methods[path] = append(methods[path], http.MethodHead) // the router answers it too
		}
		mux.HandleFunc(route.pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := route.handle(s, w, r); err != nil {
				s.refuse(w, r, s.problemOf(r, err))
			}
		})
	}
	for path, allowed := range methods {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			s.refuseRoute(w, r,
				allowed)
		})
	}
}

// refuseRoute answers a request that no route of the API matches: the path takes other methods, or
// does not exist.
func (s *Server) refuseRoute(w http.ResponseWriter, r *http.Request, allowed []string) {
	if len(allowed) == 0 {
		s.refuse(w, r, &problem{status: http.StatusNotFound,
			text: "unknown path; see /api/openapi.json"})
		return
	}
	list := strings.Join(allowed, ", ")
	w.Header().Set("Allow", list)
	s.refuse(w, r, &problem{status: http.StatusMethodNotAllowed,
		text: fmt.Sprintf("method %s: allowed here: %s", clip(r.Method), list)})
}
