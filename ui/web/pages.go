package web

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"sync"

	"digitduel/rulebook"
)

//go:embed pages
var pageFiles embed.FS

// parsePages returns a function that parses the templates when the first page is requested, so
// that a program without pages does not wait for them. In templates, every address on this server
// begins with {{root}}.
func parsePages(c Config) func() (*template.Template, error) {
	return sync.OnceValues(func() (*template.Template, error) {
		return template.New("pages").Funcs(template.FuncMap{
			"root":   func() string { return c.Root },
			"static": func(name string) string { return c.Root + staticPath(name) },
			"alone":  func() bool { return c.Alone },
			"keeps":  func() bool { return c.Site != nil },
			"school": func() bool { return c.Classes != nil },
			"games":  named, "short": shortName, "line": lineOf, "whyFair": whyFair,
			"add":  func(a, b int) int { return a + b },
			"mark": func(seat int) string { return marks[seat] },
			"goal": goalOf, "game": rulebook.Title, "changes": changesOf, "rulesLink": rulesLink,
			"clock": rulebook.Countdown, "key": rand.Text,
		}).ParseFS(pageFiles, "pages/*.html")
	})
}

// A page holds the data that all pages share.
type page struct {
	Status    int // 0: OK
	Title     string
	Here      string       // the current link of the navigation
	Refresh   int          // seconds until a browser without script reloads; 0: never
	RefreshTo string       // the address it loads then
	Module    string       // the script of the page; empty: that of all pages
	Sheet     string       // an extra style sheet; empty: none
	Bare      bool         // a page such as the table, with its own header on the whole screen
	Preview   *linkPreview // nil: that of the site
	Image     string       // the full address of the picture in previews
	Data      any
}

// Script returns the name of the script.
func (p page) Script() string { return cmp.Or(p.Module, "page.js") }

// Window returns the title of the window.
func (p page) Window() string {
	if p.Here == "home" {
		return p.Title
	}
	return windowTitle(p.Title)
}

func windowTitle(title string) string { return title + " · Digit Duel" }

// Version changes with the static files.
func (page) Version() string { return statics().version }

// routePages adds the routes for people. Everything works without script: each change is a form
// that is posted, and the answer is a redirect.
func (s *Server) routePages(mux *http.ServeMux) {
	route := func(pattern string, handle handler) {
		s.route(mux, pattern, func(w http.ResponseWriter, r *http.Request) error {
			if strings.HasPrefix(pattern, http.MethodPost) {
				if err := readForm(r); err != nil {
					return err
				}
			}
			return handle(w, r)
		})
	}
	route("GET /{$}", s.pageHome)
	route("GET /settings", s.pageSettings)
	route("POST /settings", s.postSettings)
	route("GET /yours", s.pageYours)
	route("GET /new", s.pageNew)
	route("POST /tables", s.postTable)
	route("GET /t/{id}", s.forTable(s.viewerOf, s.pageTable))
	route(livePattern, s.forTable(s.viewerOf, s.live))
	route("GET /t/{id}/seat/{token}", s.forTable(s.viewerOf, s.enterSeat))
	route("POST /t/{id}/sit", s.forTable(s.viewerOf, s.postSit))
	route("POST /t/{id}/token", s.forTable(s.viewerOf, s.postRekey))
	route("POST /t/{id}/moves", s.forTable(s.playerOf, s.postMove))
	route("POST /t/{id}/acts", s.forTable(s.playerOf, s.postAct))
	route("POST /t/{id}/steps", s.postSteps)
	route("GET /t/{id}/games/{n}", s.forTable(s.viewerOf, s.pageGame))
	route("GET /t/{id}/games/{n}/retry", s.forTable(s.viewerOf, s.pageRetry))
	route("GET /t/{id}/games/{n}/record", s.forTable(watcher, s.gameRecord))
	route("GET /lobby", s.pageLobby)
	route("GET /here", s.pageHere)
	route("GET /games", s.pageGames)
	route("GET /rules", s.pageBooks)
	route("GET /rules/{book}", s.pageRules)
	route("GET /puzzle", s.pagePuzzle)
	route("POST /puzzle", s.postPuzzle)
	route("GET /puzzle/all", s.pagePuzzles)
	route("POST /puzzle/random", s.postRandom)
	route("GET /learn", s.pageLearn)
	route("GET /learn/{book}", s.pageLesson)
	s.routeClasses(route)
	route("GET /offline/{name...}", s.site)
	route("GET /keep.js", s.keepWorker)
	route("GET /help", s.pageHelp)
	route("GET /static/{version}/{name}", s.static)
	route("GET /robots.txt", func(w http.ResponseWriter, _ *http.Request) error {
		writeText(w, http.StatusOK, robots)
		return nil
	})
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, s.Root+staticPath("icon.svg"), http.StatusFound)
	})
	stray := func(w http.ResponseWriter, r *http.Request) error { return stray(mux, w, r) }
	route("/", stray)
	route("/api/", stray)
}

// robots keeps search engines from tables. Programs that show previews of links may read them.
const robots = "User-agent: facebookexternalhit\nUser-agent: Twitterbot\n" +
	"User-agent: LinkedInBot\nUser-agent: Slackbot\nUser-agent: Discordbot\n" +
	"User-agent: WhatsApp\nUser-agent: TelegramBot\nDisallow: /api/\n\n" +
	"User-agent: *\nDisallow: /t/\nDisallow: /c/\nDisallow: /api/\n"

// show answers with a page.
func (s *Server) show(w http.ResponseWriter, r *http.Request, name string, p page) error {
	if p.Preview == nil {
		p.Preview = &linkPreview{Title: "Digit Duel",
			Text: "Two-player games of digits: play a friend by a link, the computer, or anyone."}
	}
	p.Image = s.origin(r) + staticPath("wide.png")
	text, err := s.execute(name, p)
	if err != nil {
		return err
	}
	s.browserKey(w, r) // before any form is sent
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	writeWhole(w, r, cmp.Or(p.Status, http.StatusOK), text)
	return nil
}

// execute returns the text of a template, all of it or none.
func (s *Server) execute(name string, data any) ([]byte, error) {
	all, err := s.pages()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := all.ExecuteTemplate(&b, name, data); err != nil {
		return nil, fmt.Errorf("page %s: %w", name, err)
	}
	return b.Bytes(), nil
}

// redirect sends a browser to a path of this server after a change. It returns nil, as the result
// of a handler.
func (s *Server) redirect(w http.ResponseWriter, r *http.Request, path string) error {
	http.Redirect(w, r, s.Root+path, http.StatusSeeOther)
	return nil
}

// byScript reports whether the script of a page made a request, and so expects data and not a page.
func byScript(r *http.Request) bool {
	return r.Header.Get("X-Requested-With") == "duel" ||
		r.Header.Get("Accept") == "application/json"
}

// refusePage explains to a person, the script of a page, or a program, why a request is refused.
func (s *Server) refusePage(w http.ResponseWriter, r *http.Request, p *problem) {
	if byScript(r) {
		_ = writeJSON(w, p.status, map[string]any{"error": p.sentence(), "seq": p.seq})
		return
	}
	// every browser accepts it
	if p.plain || !strings.Contains(r.Header.Get("Accept"), "text/html") {
		writeText(w, p.status, p.text+"\n")
		return
	}
	titles := map[int]string{
		http.StatusNotFound: "Not found", http.StatusForbidden: "Not allowed",
		http.StatusConflict:            "Not now",
		http.StatusUnprocessableEntity: "That does not fit", http.StatusTooManyRequests: "Too fast",
	}
	if err := s.show(w, r, "refusal",
		page{Status: p.status, Title: cmp.Or(titles[p.status], "That did not work"),
			Data: p.sentence()}); err != nil {
		s.Log.Error("a refusal could not be shown", "error", err)
		writeText(w, p.status, p.text+"\n")
	}
}

func (s *Server) pageHelp(w http.ResponseWriter, r *http.Request) error {
	return s.show(w, r, "help", page{Title: "Help", Here: "help"})
}
