package web

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"
)

// policy holds the security headers: nothing is loaded from elsewhere, no script runs inline, and
// no other site frames a page or learns where a visitor came from.
var policy = http.Header{
	"Content-Security-Policy": {"default-src 'none'; script-src 'self'; style-src 'self'; " +
		"img-src 'self' data:; connect-src 'self'; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"},
	"X-Content-Type-Options":       {"nosniff"},
	"X-Frame-Options":              {"DENY"},
	"Referrer-Policy":              {"no-referrer"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	"Permissions-Policy": {"camera=(), microphone=(), geolocation=(), " +
		"browsing-topics=()"},
}

// maxBody limits the bytes of a request; moves and forms are far smaller.
const maxBody = 16 << 10

// guard wraps all handlers: it counts and limits requests, refuses other sites, and answers even if
// a handler panics.
func (s *Server) guard(next http.Handler) http.Handler {
	origin := http.NewCrossOriginProtection()
	origin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.refuse(w, r, forbidden("the request came from another site; "+
			"allowed: requests from this site's own pages, or without a browser"))
	}))
	next = origin.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		runtime.Gosched() // a client that sends requests without a pause must not block a core
		header := w.Header()
		maps.Copy(header, policy)
		if s.secure(r) {
			header.Set("Strict-Transport-Security", "max-age=31536000")
			// browsers ignore it elsewhere, and complain
			header.Set("Cross-Origin-Opener-Policy", "same-origin")
		}
		address := s.Address(r)
		if p := s.refusal(r, address); p != nil {
			header.Set("Connection", "close") // the rest of the body is not read
			s.refuse(w, r, p)
			return
		}
		start := time.Now()
		seen := &answer{ResponseWriter: w}
		defer func() {
			if broken := recover(); broken != nil {
				if broken == http.ErrAbortHandler { //nolint:errorlint // this value is the sign
					panic(broken)
				}
				s.Log.Error("a handler broke", "route", r.Pattern, "error", fmt.Sprint(broken),
					"stack", string(debug.Stack()))
				if seen.status == 0 {
					s.refuse(seen, r, problemf(http.StatusInternalServerError,
						"something broke here"))
				}
			}
			status := cmp.Or(seen.status, http.StatusOK) // the default if nothing was written
			s.metrics.served(r.Pattern, status, time.Since(start))
			s.Log.Debug("served", "method", r.Method, "route", r.Pattern, "status", status, "took",
				time.Since(start))
		}()
		leave, err := s.enterLane(r, address)
		if err != nil { // the client is gone
			return
		}
		defer leave()
		if r.Body != nil && r.Body != http.NoBody {
			r.Body = http.MaxBytesReader(w, r.Body, bodyOf(r.URL.Path))
		}
		next.ServeHTTP(seen, r)
	})
}

// refusal returns the reason to refuse a request, whatever it is for, or nil. It is cheap.
func (s *Server) refusal(r *http.Request, address string) *problem {
	admit := s.Admit
	if isUpkeep(r.URL.Path) {
		admit = s.AdmitUpkeep
	}
	err := admit(address)
	switch {
	case err != nil:
		p := s.problemOf(r, err)
		p.plain = true
		return p
	case s.missing(r.URL.Path):
		return errAlone
	case s.isForeign(r):
		return foreignHost
	// no store accepts it
	case !utf8.ValidString(r.URL.Path) || strings.ContainsRune(r.URL.Path, 0):
		return notFound("invalid address")
	case r.ContentLength != 0 && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		return problemf(http.StatusBadRequest, "method %s: no body is allowed", r.Method)
	}
	return nil
}

// bodyOf returns the limit of bytes for a request to a path.
func bodyOf(path string) int64 {
	if path == agentsPath {
		return maxAgentBody
	}
	return maxBody
}

// enterLane waits until a request may be answered, and returns a function to call afterwards. At
// most lane requests of one address are answered at once. Only requests that change nothing and end
// soon count.
func (s *Server) enterLane(r *http.Request, address string) (leave func(), err error) {
	const lane = 64
	stream := strings.HasSuffix(r.URL.Path, "/live") || strings.HasSuffix(r.URL.Path, "/events")
	if s.Limits.Address <= 0 || r.Method != http.MethodGet || stream || r.URL.Path == agentsPath {
		return func() {}, nil
	}
	return s.Turn(r.Context(), "requests "+address, lane, 0)
}

func isUpkeep(path string) bool {
	return path == "/healthz" || path == "/readyz" || path == "/metrics"
}

// An answer records the status that was sent.
type answer struct {
	http.ResponseWriter
	status int
}

func (a *answer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(b []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	return a.ResponseWriter.Write(b)
}

// Unwrap is for [http.ResponseController].
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
