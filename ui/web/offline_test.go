package web

import (
	"net/http"
	"strings"
	"testing"
)

// TestOfflineFiles checks the headers of the offline site. Only the service worker may compile
// WebAssembly.
func TestOfflineFiles(t *testing.T) {
	h := newTestServer(t, func(c *testConfig) {
		c.Site = map[string][]byte{}
		for _, name := range []string{
			"index.html", "sw.js", "boot.css",
			"duel.0123.wasm", "duel.0123.wasm.gz", "wasm_exec.0123.js",
		} {
			c.Site[name] = []byte(name)
		}
	})
	const forever = "public, max-age=31536000, immutable"
	for _, test := range []struct{ path, body, kind, cache string }{
		{"/offline/", "index.html", "text/html; charset=utf-8", "no-cache"},
		{"/offline/sw.js", "sw.js", "text/javascript; charset=utf-8", "no-cache"},
		{"/offline/boot.css", "boot.css", "text/css; charset=utf-8", "no-cache"},
		{"/offline/duel.0123.wasm", "duel.0123.wasm", "application/wasm", forever},
		{"/offline/duel.0123.wasm.gz", "duel.0123.wasm.gz", "application/gzip", forever},
		{"/offline/wasm_exec.0123.js", "wasm_exec.0123.js", "text/javascript; charset=utf-8", forever},
	} {
		got := h.ask("GET", test.path, "", "")
		if got.text != test.body || got.header.Get("Content-Type") != test.kind ||
			got.header.Get("Cache-Control") != test.cache ||
			got.header.Get("Content-Encoding") != "" {
			t.Errorf("%s: %q with %v", test.path, got.text, got.header)
		}
		policy := got.header.Get("Content-Security-Policy")
		compiles := strings.Contains(policy, "script-src 'self' 'wasm-unsafe-eval';")
		if compiles != (test.body == "sw.js") {
			t.Errorf("%s: the policy is %q", test.path, policy)
		}
	}
	for path, status := range map[string]int{
		"/offline/nothing": http.StatusNotFound, "/offline/../x": http.StatusNotFound,
		"/keep.js": http.StatusOK,
	} {
		if got := h.ask("GET", path, "", ""); got.status != status {
			t.Errorf("%s: %s", path, got)
		}
	}
	if home := h.ask("GET", "/", "", ""); !strings.Contains(home.text, "Keep for offline play") {
		t.Error("the home page does not offer offline play")
	}
	without := newTestServer(t)
	for _, path := range []string{"/offline/", "/keep.js"} {
		if got := without.ask("GET", path, "", ""); got.status != http.StatusNotFound {
			t.Errorf("%s without the site: %s", path, got)
		}
	}
	if home := without.ask("GET", "/", "", ""); strings.Contains(home.text, "offline play") {
		t.Error("the home page offers offline play without the site")
	}
}

// TestAlone checks that the server inside a browser refuses requests that need other people, with a
// reason.
func TestAlone(t *testing.T) {
	h := newTestServer(t, func(c *testConfig) { c.Alone = true })
	for _, path := range []string{
		"/lobby", "/here", "/games", "/api/nothing", "/mcp", "/offline/", "/keep.js",
	} {
		got := h.ask("GET", path, "", "")
		if got.status != http.StatusNotFound || !strings.Contains(got.text, "needs a server") {
			t.Errorf("%s: %s", path, got)
		}
	}
	const form = "application/x-www-form-urlencoded"
	for order, status := range map[string]int{
		"go=dilemma&opponent=friend":                 http.StatusNotFound,
		"go=dilemma&opponent=anyone":                 http.StatusNotFound,
		"go=dilemma&opponent=computer&turn_time=30s": http.StatusNotFound,
		"go=dilemma&opponent=phone":                  http.StatusSeeOther,
	} {
		h.client.CheckRedirect = func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}
		if got := h.ask("POST", "/tables", "", order, "Content-Type: "+form); got.status != status {
			t.Errorf("%s: %s, want %d", order, got, status)
		}
	}
	const want = "Games live in this browser alone and go with its site data."
	if help := h.ask("GET", "/help", "", ""); !strings.Contains(help.text, want) {
		t.Error("the help page does not say where games are kept")
	}
}
