package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"digitduel/bot"
	"digitduel/match"
	"digitduel/solve"
	"digitduel/ui/gate"
)

// These tests fuzz the parsers that FuzzEndpoints reaches through the whole server. Calling them
// directly is about a hundred times as fast.

// FuzzTableForm parses any form for a new table. An accepted form makes a table that can be opened.
func FuzzTableForm(f *testing.F) {
	for _, seed := range []string{
		"book=highest&opponent=anyone&name=Eve", "go=dilemma+friend",
		"rules=sevens+zero%3Dcounts&opponent=friend&best_of=3&targets=7,11&turn_time=30s" +
			"&on_timeout=random",
		"book=divisibility&pool=0-9&target=11&opponent=friend&first=2&hints=always&auto_call=on",
		"book=dilemma&opponent=friend&best_of=99999999999999999999", "book=%00&first=-1",
		"opponent=friend&book=sevens&auto_call=on&turn_time=-1s", "%gg", "go= ",
		"book=highest&opponent=friend&name=%ff",
	} {
		f.Add(seed)
	}
	s := &Server{Config: Config{Gate: gate.New(gate.Config{Solver: &solve.Solver{}})}}
	f.Fuzz(func(t *testing.T, text string) {
		form, err := url.ParseQuery(text)
		if err != nil {
			return
		}
		if form.Get("opponent") == "computer" || strings.HasSuffix(form.Get("go"), "computer") {
			return // it would solve the game, which takes long
		}
		r := httptest.NewRequest(http.MethodPost, "/tables", nil)
		o, err := orderOf(complete(form))
		var setup match.Setup
		if err == nil {
			setup, err = s.setup(r, o, "")
		}
		if err != nil {
			p := s.problemOf(r, err)
			if p.status < 400 || p.status >= 500 || strings.Contains(p.text, "\n") {
				t.Fatalf("%q is refused with %d %q", text, p.status, p.text)
			}
			return
		}
		if err := setup.Check(); err != nil {
			t.Fatalf("%q is accepted, but the setup is invalid: %v", text, err)
		}
		opened := match.Event{Seq: 1, Kind: match.Opened, Setup: &setup}
		if _, err := (match.State{}).Apply(opened); err != nil {
			t.Fatalf("%q is accepted, but the table cannot be opened: %v", text, err)
		}
	})
}

// FuzzPrefs parses any cookie with the preferences of a visitor. The result is valid, and is the
// same after it is saved and read again.
func FuzzPrefs(f *testing.F) {
	for _, seed := range []string{
		"name=Ada&level=perfect", "name=%ff&level=dog", "name=" + strings.Repeat("x", 99), "%", ";",
		"name=%0a",
	} {
		f.Add(seed)
	}
	s := &Server{Config: Config{Gate: gate.New(gate.Config{})}}
	f.Fuzz(func(t *testing.T, cookie string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Cookie", prefsCookie+"="+cookie)
		got := prefsOf(r)
		if err := match.CheckName(got.name); err != nil {
			t.Fatalf("%q gives an invalid name: %v", cookie, err)
		}
		if _, err := bot.ParseLevel(got.level); err != nil {
			t.Fatalf("%q gives an invalid level: %v", cookie, err)
		}
		w := httptest.NewRecorder()
		got.keep(w, r, s)
		again := httptest.NewRequest(http.MethodGet, "/", nil)
		for _, c := range w.Result().Cookies() {
			again.AddCookie(c)
		}
		if kept := prefsOf(again); kept != got {
			t.Fatalf("%q gives %+v, which is saved as %+v", cookie, got, kept)
		}
	})
}

// FuzzLimit parses the limit in any query. It is within the allowed range, or an error.
func FuzzLimit(f *testing.F) {
	for _, seed := range []string{
		"", "limit=1", "limit=100", "limit=0", "limit=-1", "limit=1e3", "limit=%31",
		"limit=1&limit=999", "limit=99999999999999999999", "limit=+5", ";",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		r := &http.Request{URL: &url.URL{RawQuery: query}}
		if n, err := countOf(r); (err == nil) != (1 <= n && n <= mostListed) {
			t.Fatalf("%q: limit %d, error %v", query, n, err)
		}
	})
}

// FuzzBody parses any text as the body of a move. An accepted move survives a round trip.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		`{"move":"7a","seq":3}`, `{"move":"7a","move":"7b"}`, `{"MOVE":"7a"}`, `{"move":null}`,
		`{}{}`, `[]`, `{"seq":1e2}`, `{"seq":-0}`, "{\"move\":\"\xff\"}", `{"m\u006fve":"7a"}`, ``,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		var move struct {
			Move string `json:"move"`
			Seq  int    `json:"seq"`
		}
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		if err := readJSON(r, &move); err != nil {
			p := (&Server{}).problemOf(r, err)
			if p.status < 400 || p.status >= 500 || strings.Contains(p.text, "\n") {
				t.Fatalf("%q is refused with %d %q", body, p.status, p.text)
			}
			return
		}
		// Unusual spellings mean the same as the standard encoding.
		w := httptest.NewRecorder()
		_ = writeJSON(w, http.StatusOK, move)
		var again struct {
			Move string `json:"move"`
			Seq  int    `json:"seq"`
		}
		r = httptest.NewRequest(http.MethodPost, "/", w.Body)
		r.Header.Set("Content-Type", "application/json")
		if err := readJSON(r, &again); err != nil || again != move {
			t.Fatalf("%q is read as %+v, and that as %+v: %v", body, move, again, err)
		}
	})
}
