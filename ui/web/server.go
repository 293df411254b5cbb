// Package web lets people and programs play over HTTP: pages that work with and without script, a
// JSON API, and live events.
//
// Pages and API do the same acts at the same tables, and differ in the form of requests and
// answers. A token proves that a seat is the caller's: in a cookie of a page, or in a header of the
// API.
package web

import (
	"context"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"digitduel/class"
	"digitduel/coach"
	"digitduel/match"
	"digitduel/ui/gate"
)

// Config holds the settings of a server.
type Config struct {
	*gate.Gate // passed by all requests and their work; its clock and log are the server's

	Hall    *match.Hall
	Archive Archive
	Keys    match.Keys
	Ready   func(ctx context.Context) error // returns nil if requests can be served now
	Figures []Figure                        // metrics in addition to those of the server
	Agents  http.Handler                    // answers agents at /mcp; nil: there are none
	Classes *class.School                   // the tournaments of classes; nil: there are none

	Reach    []string          // the addresses that the server listens on, as in 192.168.1.5:8080
	TLS      bool              // whether it serves https
	BaseURL  string            // the start of links for sharing; empty: the host of the request
	Root     string            // the path of all pages, as in /duel; empty: the path of BaseURL
	Profiles http.Handler      // answers at /debug/pprof/; nil: nothing does
	Site     map[string][]byte // the files of the offline site at /offline/; nil: it is not offered
	Alone    bool              // whether the visitor's own browser is the server
}

// Archive holds the tables and games, apart from their events.
type Archive interface {
	Tables(ctx context.Context, f match.TableFilter) ([]match.Summary, error)
	Games(ctx context.Context, f match.GameFilter) ([]match.Game, error)
	Stats(ctx context.Context) ([]match.Stats, error)
}

// Server is a handler for pages, the API and live events.
type Server struct {
	Config
	handler http.Handler
	pages   func() (*template.Template, error)
	metrics metrics
	ready   readiness
	watched cache[updateKey, update] // shared by all watchers of a table
	reviews cache[reviewKey, coach.Review]
	stop    chan struct{} // closed to end streams
}

// New returns a server. The caller stops it.
func New(c Config) *Server {
	if base, err := url.Parse(c.BaseURL); err == nil && c.Root == "" {
		c.Root = strings.TrimSuffix(base.Path, "/")
	}
	s := &Server{Config: c, pages: parsePages(c), stop: make(chan struct{})}
	s.watched.most, s.reviews.most = mostShown, mostReviews
	if s.Classes != nil {
		s.Classes.Decisions, s.Classes.Opening = s.decisions, s.classOpening
	}
	mux := http.NewServeMux()
	s.routeAPI(mux)
	s.routePages(mux)
	s.routeAgents(mux)
	s.routeUpkeep(mux)
	s.handler = s.guard(mux)
	return s
}

// ServeHTTP implements [http.Handler]. A proxy may pass the root on or cut it off.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case s.Root != "" && r.URL.Path == s.Root:
		_ = s.redirect(w, r, "/")
	case strings.HasPrefix(r.URL.Path, s.Root+"/"):
		http.StripPrefix(s.Root, s.handler).ServeHTTP(w, r)
	default:
		s.handler.ServeHTTP(w, r)
	}
}

// Stop ends all streams and the gate; clients reconnect. Other requests are answered as before.
func (s *Server) Stop() {
	close(s.stop)
	s.Gate.Stop()
}

// routeUpkeep adds the routes for operators.
func (s *Server) routeUpkeep(mux *http.ServeMux) {
	mux.HandleFunc("GET /healthz",
		func(w http.ResponseWriter, _ *http.Request) { writeText(w, http.StatusOK, "ok\n") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-s.stop:
			writeText(w, http.StatusServiceUnavailable, "stopping\n")
			return
		default:
		}
		if err := s.isReady(r.Context()); err != nil {
			why, _, _ := strings.Cut(err.Error(), ":") // the rest is for the log
			writeText(w, http.StatusServiceUnavailable, "not ready: "+why+"\n")
			return
		}
		writeText(w, http.StatusOK, "ready\n")
	})
	mux.HandleFunc("GET /metrics", s.Metrics)
	if s.Profiles != nil {
		mux.Handle("GET /debug/pprof/", s.Profiles)
	}
}

// readiness is the result of the last readiness check.
type readiness struct {
	mu  sync.Mutex
	at  time.Time
	err error
}

// isReady reports whether requests can be served, checked within the last second: a check writes to
// the database, and clients can ask without a limit. Concurrent callers wait for the first check.
func (s *Server) isReady(ctx context.Context) error {
	r := &s.ready
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.at.IsZero() && s.Now().Sub(r.at) < time.Second {
		return r.err
	}
	// others wait for it too
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if r.err = s.Ready(ctx); r.err != nil {
		s.Log.Warn("not ready", "error", r.err)
	}
	r.at = s.Now()
	return r.err
}
