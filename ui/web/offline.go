package web

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"

	"digitduel/match"
)

// needsServer lists the beginnings of addresses that make no sense without other people and
// programs at a server.
var needsServer = []string{
	"/api/", "/mcp", "/metrics", "/healthz", "/readyz", "/lobby", "/here", "/games",
	"/offline/", "/keep.js",
}

// errAlone explains why an address or a choice is missing offline.
var errAlone = notFound("this needs a server with other players; " +
	"without one there are games against the computer and for two on one device")

// ErrNoRoom means that a browser refused to save more games.
var ErrNoRoom = errors.New("this browser has no room left for games; nothing was changed")

// missing reports whether a path needs a server and there is none.
func (s *Server) missing(at string) bool {
	return s.Alone && slices.ContainsFunc(needsServer, func(start string) bool {
		return strings.HasPrefix(at, start)
	})
}

// possible returns the questions of a form without the answers that need a server.
func (s *Server) possible(all []question) []question {
	if !s.Alone {
		return all
	}
	for i, q := range all {
		all[i].Answers = slices.DeleteFunc(q.Answers, func(o formOption) bool {
			return q.Name == "opponent" && (o.Value == match.Friend || o.Value == match.Anyone)
		})
	}
	return slices.DeleteFunc(all, func(q question) bool {
		return q.Name == "turn_time" || q.Name == "on_timeout"
	})
}

// site serves a file of the offline site.
func (s *Server) site(w http.ResponseWriter, r *http.Request) error {
	name := cmp.Or(r.PathValue("name"), "index.html")
	if s.Site[name] == nil {
		return notFound("there is no such file")
	}
	header, versioned := w.Header(), strings.Count(name, ".") > 1
	setFile(header, name, versioned)
	if name == "sw.js" { // the worker compiles the program
		header.Set("Content-Security-Policy", strings.Replace(policy["Content-Security-Policy"][0],
			"script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'", 1))
	}
	w.Write(s.Site[name])
	return nil
}

// keepWorker serves the worker that lets the offline site take over. Without the site there is
// none, and pages remove that of an earlier server.
func (s *Server) keepWorker(w http.ResponseWriter, _ *http.Request) error {
	if s.Site == nil {
		return notFound("there is no such file")
	}
	setFile(w.Header(), "keep.js", false)
	w.Write(statics().files["keep.js"].plain)
	return nil
}
