package web

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"digitduel/match"
)

// samplePaths returns one path of each kind that the server serves, and some that it does not.
func samplePaths(t *table) []string {
	return []string{
		"/", "/new", "/lobby", "/here", "/games", "/rules", "/rules/dilemma", "/rules/chess", "/puzzle", "/learn", "/learn/sevens", "/help", "/robots.txt", "/favicon.ico", "/tables",
		"/t/" + t.id, "/t/" + t.id + "/moves", "/t/" + t.id + "/seat/" + t.tokens[0], "/t/" + t.id + "/seat/forged", "/t/" + t.id + "/games/1", "/t/aaaaaaaaaaaa",
		staticPath("duel.css"), staticPath("page.js"), "/static/old/duel.css",
		"/static/../server.go", "/nothing", "//", "/debug/pprof/",
		"/healthz", "/readyz", "/metrics",
		"/api", "/api/", "/api/nothing", "/api/tables", t.path, t.path + "/", t.path + "/moves", t.path + "/hint", "/api/games", "/api/stats", "/api/openapi.json",
	}
}

// TestHeaders checks the security headers of every response, including errors.
func TestHeaders(t *testing.T) {
	h := newTestServer(t)
	h.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	table := h.open(`{"rules":"dilemma"}`)
	stream := table.listen(t.Context(), "", "")
	stream.body.Close()
	for _, method := range []string{"GET", "POST", "HEAD", "OPTIONS", "TRACE"} {
		for _, path := range samplePaths(table) {
			got := h.ask(method, path, "", "")
			for key, want := range map[string]string{
				"X-Content-Type-Options":       "nosniff",
				"X-Frame-Options":              "DENY",
				"Referrer-Policy":              "no-referrer",
				"Cross-Origin-Resource-Policy": "same-origin",
			} {
				if have := got.header.Get(key); have != want {
					t.Errorf("%s %s: %s is %q, want %q", method, path, key, have, want)
				}
			}
			policy := got.header.Get("Content-Security-Policy")
			for _, part := range []string{"default-src 'none'", "script-src 'self'",
				"style-src 'self'", "connect-src 'self'", "form-action 'self'", "base-uri 'none'",
				"frame-ancestors 'none'"} {
				if !strings.Contains(policy, part) {
					t.Errorf("%s %s: the policy is %q, without %s", method, path, policy, part)
				}
			}
			if strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") {
				t.Errorf("%s %s: the policy is %q", method, path, policy)
			}
			if got.header.Get("Strict-Transport-Security") != "" ||
				got.header.Get("Access-Control-Allow-Origin") != "" || got.status >= 500 {
				t.Errorf("%s %s: %d with %v", method, path, got.status, got.header)
			}
			if cache := got.header.Get("Cache-Control"); got.status < 300 &&
				strings.HasPrefix(path, "/t/") && cache != "no-store" {
				t.Errorf("%s %s: Cache-Control is %q", method, path, cache)
			}
		}
	}
}

// TestSecure checks when browsers are required to use https only.
func TestSecure(t *testing.T) {
	for _, test := range []struct {
		trust     bool
		base      string
		forwarded string
		want      string
	}{
		{false, "", "", ""},
		{false, "", "https", ""}, // any client can send this
		{true, "", "https", "max-age=31536000"},
		{true, "", "http", ""},
		{true, "", "", ""},
		{false, "https://duel.example", "", "max-age=31536000"},
		{false, "http://duel.example", "", ""},
	} {
		h := newTestServer(t, func(p *testConfig) {
			p.TrustProxy, p.BaseURL = test.trust, test.base
		})
		header := h.ask("GET", "/healthz", "", "", "X-Forwarded-Proto: "+test.forwarded).header
		if got := header.Get("Strict-Transport-Security"); got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
		// Browsers accept this one over https only.
		if opener := header.Get("Cross-Origin-Opener-Policy"); (opener == "same-origin") != (test.want != "") {
			t.Errorf("%+v: opener policy %q", test, opener)
		}
	}
}

// TestOtherSites checks which requests of browsers are refused as coming from another site.
func TestOtherSites(t *testing.T) {
	h := newTestServer(t)
	h.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	table := h.open(`{"rules":"dilemma"}`)
	for _, test := range []struct {
		headers []string
		refused bool
	}{
		{nil, false}, // not a browser
		{[]string{"Sec-Fetch-Site: same-origin"}, false},
		{[]string{"Sec-Fetch-Site: none"}, false},
		{[]string{"Origin: http://duel.example"}, false},
		{[]string{"Sec-Fetch-Site: same-origin", "Origin: https://duel.example"}, false}, // behind a proxy that speaks https
		{[]string{"Sec-Fetch-Site: cross-site"}, true},
		{[]string{"Sec-Fetch-Site: same-site"}, true},
		{[]string{"Sec-Fetch-Site: cross-site", "Origin: http://duel.example"}, true},
		{[]string{"Origin: http://evil.example"}, true},
		{[]string{"Origin: http://duel.example.evil.example"}, true},
		{[]string{"Origin: null"}, true},
	} {
		for _, path := range []string{"/api/tables", table.path + "/moves", table.path + "/acts",
			table.path + "/seats", "/tables", "/t/" + table.id + "/moves",
			"/t/" + table.id + "/acts", "/t/" + table.id + "/sit"} {
			got := h.ask("POST", path, "", "{}", test.headers...)
			if refused := got.status == http.StatusForbidden &&
				strings.Contains(got.text, "from another site"); refused != test.refused {
				t.Errorf("POST %s with %v: %v", path, test.headers, got)
			}
		}
		if got := h.ask("GET", table.path, "", "", test.headers...); got.status != http.StatusOK {
			t.Errorf("GET with %v: %v", test.headers, got)
		}
	}
}

// TestBodies checks the limit for bodies, with and without a Content-Length.
func TestBodies(t *testing.T) {
	h := newTestServer(t)
	h.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for _, test := range []struct {
		path, kind, body string
		good             int
	}{
		{"/api/tables", "application/json", `{"rules":"dilemma"}`, http.StatusCreated},
		{"/tables", "application/x-www-form-urlencoded", "book=dilemma&opponent=friend&x=", http.StatusSeeOther},
	} {
		for _, size := range []struct{ bytes, status int }{{maxBody, test.good}, {maxBody + 1, 413},
			{100 * maxBody, 413}} {
			for _, sized := range []bool{true, false} {
				pad := strings.Repeat(map[bool]string{true: " ", false: "x"}[test.good == 201],
					size.bytes-len(test.body))
				var body io.Reader = strings.NewReader(test.body + pad)
				if !sized {
					body = io.MultiReader(body)
				}
				r, err := http.NewRequest("POST", "http://duel.example"+test.path, body)
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("Content-Type", test.kind)
				if got := h.send(r); got.status != size.status {
					t.Errorf("%s with %d bytes, Content-Length %t: %.200v, want %d", test.path,
						size.bytes, sized, got, size.status)
				}
			}
		}
	}
}

// TestPanic checks that a panic of a handler is answered with an error and logged. A response that
// has already been sent is kept.
func TestPanic(t *testing.T) {
	h := newTestServer(t)
	ask := func(path string, handle http.HandlerFunc) (w *httptest.ResponseRecorder) {
		w = httptest.NewRecorder()
		h.guard(handle).ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w
	}
	w := ask("/api/tables", func(http.ResponseWriter, *http.Request) { panic("a screw is loose") })
	if got, want := w.Body.String(), "{\"error\":\"something broke here\"}\n"; w.Code != 500 ||
		got != want {
		t.Errorf("got %d %s, want 500 %s", w.Code, got, want)
	}
	w = ask("/", func(http.ResponseWriter, *http.Request) { panic("a bolt is loose") })
	if got, want := w.Body.String(), "something broke here\n"; w.Code != 500 || got != want {
		t.Errorf("got %d %s, want 500 %s", w.Code, got, want)
	}
	w = ask("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte("half"))
		panic("a nut is loose")
	})
	if got := w.Body.String(); w.Code != 200 || got != "half" {
		t.Errorf("got %d %s", w.Code, got)
	}
	for _, want := range []string{"a screw is loose", "a bolt is loose", "a nut is loose",
		"guard_test.go"} {
		if !strings.Contains(h.log.String(), want) {
			t.Errorf("%q is not in the log", want)
		}
	}
	defer func() {
		if broken := recover(); broken != http.ErrAbortHandler { //nolint:errorlint // as in net/http
			t.Errorf("a handler that aborts: %v", broken)
		}
	}()
	ask("/", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
}

// TestLogHasNoTokens sends tokens in every way, to handlers that work and that fail. A testServer
// searches its log for tokens when it stops; this test checks that there is a log to search.
func TestLogHasNoTokens(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		h.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		table := h.open(`{"rules":"dilemma"}`)
		for _, broken := range []func() error{nil, func() error { return io.ErrUnexpectedEOF },
			func() error { panic("broken") }} {
			h.memStore.breakWith(broken)
			for _, token := range table.tokens {
				table.ask("POST", table.path+"/moves", token, `{"move":"7a"}`)
				table.ask("POST", table.path+"/acts", token, `{"act":"undo"}`)
				table.ask("GET", table.path+"?token="+token, token, "")
				table.ask("GET", table.path+"/hint", token, "")
				table.ask("GET", "/api/tables/"+token, token, "")
				table.ask("GET", "/t/"+table.id+"/seat/"+token, "", "")
				table.ask("GET", "/t/"+table.id, "", "", "Cookie: seat="+token)
				table.ask("POST", "/t/"+table.id+"/moves", "", "move=7a", "Cookie: seat="+token,
					"Content-Type: application/x-www-form-urlencoded")
			}
		}
		h.memStore.breakWith(nil)
		synctest.Wait()
		for _, want := range []string{"POST /api/tables/{id}/moves", "GET /t/{id}/seat/{token}",
			"a handler broke", "a request failed"} {
			if !strings.Contains(h.log.String(), want) {
				t.Errorf("%q is not in the log:\n%s", want, h.log)
			}
		}
	})
}

// TestCheckLog checks that checkLog finds a token in a log.
func TestCheckLog(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"dilemma"}`)
	other := &testServer{Server: h.Server, t: new(errorCounter), memStore: h.memStore,
		log: new(logBuffer)}
	other.Log.Info("fine")
	other.checkLog()
	fmt.Fprint(other.log, "token="+h.Keys.Token(table.id, match.Two))
	other.checkLog()
	open := h.open(`{"rules":"dilemma","seats":["human","anyone"]}`)
	open.say("sit=Ben")
	fmt.Fprint(other.log, "x"+open.tokens[1]+"y")
	other.checkLog()
	if n := other.t.(*errorCounter).errors; n != 3 {
		t.Errorf("checkLog found %d tokens, want 3", n)
	}
}

// An errorCounter is a test that only counts its errors.
type errorCounter struct {
	testing.TB
	errors int
}

func (c *errorCounter) Errorf(string, ...any) { c.errors++ }
