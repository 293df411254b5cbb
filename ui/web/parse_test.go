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

// What FuzzEndpoints tries through the whole server is tried here where it is read, a hundred times as often.

// FuzzTableForm reads any form as a wish for a table: what is granted is a table that can be opened, kept and opened again.
func FuzzTableForm(f *testing.F) {
	for _, seed := range []string{
		"book=highest&opponent=anyone&name=Eve", "go=dilemma+friend", "rules=sevens+zero%3Dcounts&opponent=friend&best_of=3&targets=7,11&turn_time=30s&on_timeout=random",
		"book=divisibility&pool=0-9&target=11&opponent=friend&first=2&hints=always&auto_call=on", "book=dilemma&opponent=friend&best_of=99999999999999999999", "book=%00&first=-1",
		"opponent=friend&book=sevens&auto_call=on&turn_time=-1s", "%gg", "go= ", "book=highest&opponent=friend&name=%ff",
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
			return // whose games are solved, which takes long
		}
		r := httptest.NewRequest(http.MethodPost, "/tables", nil)
		o, err := orderOf(complete(form))
		var setup match.Setup
		if err == nil {
			setup, err = s.setup(r, o, "")
		}
		if err != nil {
			if told := s.problemOf(r, err); told.status < 400 || told.status >= 500 || strings.Contains(told.text, "\n") {
				t.Fatalf("%q is refused with %d %q", text, told.status, told.text)
			}
			return
		}
		if err := setup.Check(); err != nil {
			t.Fatalf("%q is granted, and then refused: %v", text, err)
		}
		if _, err := (match.State{}).Apply(match.Event{Seq: 1, Kind: match.Opened, Setup: &setup}); err != nil {
			t.Fatalf("%q is granted and cannot be opened: %v", text, err)
		}
	})
}

// FuzzPrefs reads any cookie as what a visitor chose: it is something that can be chosen, and is read back once it is kept.
func FuzzPrefs(f *testing.F) {
	for _, seed := range []string{"name=Ada&level=perfect", "name=%ff&level=dog", "name=" + strings.Repeat("x", 99), "%", ";", "name=%0a"} {
		f.Add(seed)
	}
	s := &Server{Config: Config{Gate: gate.New(gate.Config{})}}
	f.Fuzz(func(t *testing.T, cookie string) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Cookie", prefsCookie+"="+cookie)
		got := prefsOf(r)
		if err := match.CheckName(got.name); err != nil {
			t.Fatalf("%q gives a name: %v", cookie, err)
		}
		if _, err := bot.ParseLevel(got.level); err != nil {
			t.Fatalf("%q gives a level: %v", cookie, err)
		}
		w := httptest.NewRecorder()
		got.keep(w, r, s)
		again := httptest.NewRequest(http.MethodGet, "/", nil)
		for _, c := range w.Result().Cookies() {
			again.AddCookie(c)
		}
		if kept := prefsOf(again); kept != got {
			t.Fatalf("%q gives %+v, which is kept as %+v", cookie, got, kept)
		}
	})
}

// FuzzLimit reads any query as how many are asked for: as many as may be listed, or a refusal.
func FuzzLimit(f *testing.F) {
	for _, seed := range []string{"", "limit=1", "limit=100", "limit=0", "limit=-1", "limit=1e3", "limit=%31", "limit=1&limit=999", "limit=99999999999999999999", "limit=+5", ";"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		r := &http.Request{URL: &url.URL{RawQuery: query}}
		if n, err := countOf(r); (err == nil) != (1 <= n && n <= mostListed) {
			t.Fatalf("%q asks for %d, %v", query, n, err)
		}
	})
}

// FuzzBody reads any text as the body of a move: what is read has just the fields of a move, each once.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{`{"move":"7a","seq":3}`, `{"move":"7a","move":"7b"}`, `{"MOVE":"7a"}`, `{"move":null}`, `{}{}`, `[]`, `{"seq":1e2}`, `{"seq":-0}`, "{\"move\":\"\xff\"}", `{"m\u006fve":"7a"}`, ``} {
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
			if p := (&Server{}).problemOf(r, err); p.status < 400 || p.status >= 500 || strings.Contains(p.text, "\n") {
				t.Fatalf("%q is refused with %d %q", body, p.status, p.text)
			}
			return
		}
		// Whatever else may be written so, it means the same as what any other program writes for it.
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
