package web

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/class"
	"digitduel/digit"
	"digitduel/rulebook"
)

// A classroom is a class with the browsers of its director and pupils, without script.
type classroom struct {
	*testServer
	t        *testing.T
	path     string // "/c/…"
	class    *class.Class
	director *browser
	pupils   []*browser
}

// inClass runs a test with a class. The director opens it with the form, changed by choices, and
// pupils with the given names join with the code.
func inClass(t *testing.T, choices, names []string, test func(*classroom)) {
	t.Helper()
	// Solve the game outside the bubble.
	if _, err := solved.Solve(t.Context(), class.DefaultOrder().Rules); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		h := newTestServer(t)
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { h.Classes.Run(ctx) })
		t.Cleanup(func() { cancel(); running.Wait() })
		c := &classroom{testServer: h, t: t, director: h.browser(t)}
		c.director.get("/class/new").press("button[class=main]", choices...)
		at, _, ok := strings.Cut(c.director.path, "/direct")
		if !ok {
			t.Fatalf("a new class leads to %s: %s", c.director.path, c.director.textOf("main"))
		}
		c.path = at
		found, err := h.Classes.Find(t.Context(), strings.TrimPrefix(at, "/c/"))
		if err != nil {
			t.Fatal(err)
		}
		c.class = found
		for _, name := range names {
			c.join(name)
		}
		test(c)
	})
}

// join lets another pupil join with the code in lower case.
func (c *classroom) join(name string) *browser {
	c.t.Helper()
	b := c.browser(c.t)
	b.get("/class").press("button[class=main]", "code= "+strings.ToLower(c.class.Code()),
		"name="+name)
	if b.path != c.path+"/me" {
		c.t.Fatalf("%s joined and is at %s: %s", name, b.path, b.textOf("main"))
	}
	c.pupils = append(c.pupils, b)
	return b
}

// direct presses the button for an act on the director's page, or on a part of it.
func (c *classroom) direct(act, show string, choices ...string) {
	c.t.Helper()
	at := c.path + "/direct"
	if show != "" {
		at += "?show=" + show
	}
	c.director.get(at).press("button[value="+act+"]", choices...)
	if c.director.status != http.StatusOK {
		c.t.Fatalf("%s: %d %s", act, c.director.status, c.director.textOf("div[id=alert]"))
	}
}

func (c *classroom) state() *class.State {
	s, _ := c.class.State()
	return s
}

// TestClassByForms runs a class of four from the first form to the last page without script.
func TestClassByForms(t *testing.T) {
	inClass(t, []string{"title=7b"}, []string{"Ada", "Ben", "Cleo", "Dan"}, func(c *classroom) {
		d := c.director
		link := d.page.one("input[id=secret]").attrs["value"]
		if other := c.browser(t).get(strings.TrimPrefix(link, "http://duel.example")); other.path != c.path+"/direct" {
			t.Errorf("the secret link leads to %s", other.path)
		}
		if got := c.pupils[0].get(c.path + "/me").textOf("p[id=now]"); got != "You are in, Ada." {
			t.Errorf("a pupil's page says %q", got)
		}
		c.direct("start", "")
		if got := d.textOf("p[id=now]"); !strings.Contains(got, "2 games under way, nobody waiting.") {
			t.Errorf("the director's page says %q", got)
		}
		for _, p := range c.pupils {
			p.get(c.path + "/me")
			if _, table, _ := strings.Cut(p.path, "/t/"); c.state().Pairings[0].Table != table &&
				c.state().Pairings[1].Table != table {
				t.Fatalf("a pupil is at %s: %s", p.path, p.textOf("main"))
			}
			if line := p.page.one("small[id=class]"); line == nil ||
				line.attrs["data-me"] != c.path+"/me" || strings.Contains(p.textOf("h1"), "count") {
				t.Errorf("the table says %q", p.textOf("h1"))
			}
			if p.page.one("form[id=consent]") != nil || p.page.one("button[value=undo]") != nil ||
				p.page.one("input[id=my-link]") != nil {
				t.Errorf("the table of a class offers hints, undo or a link to the seat:\n%s",
					p.text)
			}
		}
		for range 12 { // rounds of moves, enough for any game
			for _, p := range c.pupils {
				if p.get(p.path); p.page.one("form[id=move]") != nil {
					p.press("button[id=play]",
						"digit="+p.page.one("input[name=digit]").attrs["value"],
						"spot="+p.page.one("input[name=spot]").attrs["value"])
				}
			}
		}
		table := c.pupils[0].path
		next := c.pupils[0].page.one("a[data-act=class]")
		if next == nil || next.attrs["href"] != c.path+"/me" ||
			c.pupils[0].page.one("[data-link]") != nil {
			t.Errorf("after the game the page links to %v:\n%s", next, c.pupils[0].text)
		}
		if refresh := c.pupils[0].page.one("meta[http-equiv=refresh]"); refresh == nil ||
			refresh.attrs["content"] != "8;url="+c.path+"/me" {
			t.Errorf("after the game the page without script refreshes to %v", refresh)
		}
		time.Sleep(2 * time.Second) // until both results are counted
		for _, p := range c.pupils {
			p.get(c.path + "/me")
			if got := p.textOf("main"); !strings.Contains(got, "of 4score") ||
				!strings.Contains(got, "Your next game opens here as soon as someone is free.") {
				t.Errorf("between games a pupil's page says %q", got)
			}
		}
		c.pupils[3].press("button[value=leave]")
		if got := c.pupils[3].textOf("p[id=now]"); got != "You have left the class." {
			t.Errorf("the page of a pupil who has left says %q", got)
		}
		c.pupils[3].press("button[value=back]")
		time.Sleep(12 * time.Second) // until they are paired again
		for _, p := range c.pupils {
			if p.get(c.path + "/me"); !strings.HasPrefix(p.path, "/t/") || p.path == table {
				t.Errorf("the next game of a pupil is at %s", p.path)
			}
		}
		c.direct("end", "end")
		for _, p := range c.pupils[:3] {
			if button := p.get(p.path).page.one("button[value=resign]"); button != nil {
				p.press("button[value=resign]")
			}
		}
		if b := c.pupils[3].get(c.pupils[3].path); b.page.one("button[value=resign]") != nil {
			b.press("button[value=resign]")
		}
		time.Sleep(2 * time.Second)
		for i, p := range c.pupils {
			p.get(c.path + "/me")
			got := p.textOf("main")
			if !strings.Contains(got, "The class is over, ") ||
				!strings.Contains(got, "You found the right move in ") {
				t.Errorf("at the end the page of pupil %d says %q", i+1, got)
			}
			for _, a := range p.page.all("a[class=button]") {
				if p.getStatus(a.attrs["href"]); p.status != http.StatusOK {
					t.Errorf("%s: %d", a.attrs["href"], p.status)
				}
			}
		}
		results := d.get(c.path + "/direct?show=results").textOf("table")
		if !strings.Contains(results, "Ada") || !strings.Contains(results, "placenamescore") {
			t.Errorf("the results are %q", results)
		}
		d.get(c.path + "/certificates")
		if len(d.page.all("section[class=certificate]")) != 4 ||
			!strings.Contains(d.textOf("main"), "of 4") {
			t.Errorf("the certificates are %q", d.textOf("main"))
		}
		d.get(c.path + "/standings.csv")
		if d.status != http.StatusOK || !strings.HasPrefix(d.text, "\ufeffplace,name") {
			t.Errorf("the spreadsheet is %d %q", d.status, d.text)
		}
		c.direct("delete", "delete")
		if c.pupils[0].get(c.path + "/me"); c.pupils[0].status != http.StatusNotFound {
			t.Errorf("a deleted class: got %d, want 404", c.pupils[0].status)
		}
	})
}

// getStatus loads a path and sets b.status, without leaving the current page.
func (b *browser) getStatus(path string) {
	copied := *b
	copied.get(path)
	b.status = copied.status
}

// TestWall checks that the wall has no links or forms and at most ten ranks, and shows the code
// until the class is locked.
func TestWall(t *testing.T) {
	var names []string
	for i := range 13 {
		names = append(names, fmt.Sprint("Pupil", i))
	}
	inClass(t, nil, names, func(c *classroom) {
		wall := c.browser(t)
		look := func(when string, code bool) {
			t.Helper()
			wall.get(c.path + "/wall/" + c.class.Wall())
			for _, name := range []string{"a", "button", "form", "input"} {
				if found := wall.page.one(name); found != nil {
					t.Errorf("%s the wall has a %s: %v", when, name, found.attrs)
				}
			}
			if n := len(wall.page.all("span[class=rk]")); n > 10 {
				t.Errorf("%s the wall has %d ranks", when, n)
			}
			if wall.page.one("svg[class=code]") != nil != code ||
				code != strings.Contains(wall.text, c.class.Code()) && c.class.Code() != "" {
				t.Errorf("%s the wall shows the code: want %v\n%s", when, code, wall.text)
			}
		}
		look("before the start", true)
		if got := wall.textOf("main"); !strings.Contains(got, "13 players are here Pupil0") ||
			!strings.Contains(got, "duel.example/class") ||
			!strings.Contains(got, "Names are deleted on 2 January.") {
			t.Errorf("the wall says %q", got)
		}
		c.direct("start", "")
		look("while they play", true)
		if n := len(wall.page.all("span[class=rk]")); n != 10 {
			t.Errorf("the wall has %d ranks, want 10", n)
		}
		c.direct("lock", "")
		look("when it is locked", false)
		c.direct("unlock", "")
		c.direct("end", "end")
		look("at the end", false)
		if wall.get(c.path + "/wall/" + c.class.Director()); wall.status != http.StatusForbidden {
			t.Errorf("the wall by another token: %d", wall.status)
		}
	})
}

// TestDirectorPlays checks that a director can join the class, leave it and come back.
func TestDirectorPlays(t *testing.T) {
	inClass(t, nil, []string{"Ben"}, func(c *classroom) {
		d := c.director.get("/class").press("button[class=main]", "code="+c.class.Code(),
			"name=Ada")
		for _, step := range []struct{ act, want string }{
			{"", "You are in, Ada."}, {"leave", "You have left the class."}, {"back", "You are in, Ada."},
		} {
			if step.act != "" {
				d.post(c.path+"/acts", url.Values{"act": {step.act}})
			}
			if got := d.textOf("p[id=now]"); d.path != c.path+"/me" || got != step.want {
				t.Errorf("after %q at %s: %q, want %q", step.act, d.path, got, step.want)
			}
		}
	})
}

// TestWallSums checks that the wall shows winning numbers, except those of removed pupils.
func TestWallSums(t *testing.T) {
	r := digit.Divisibility
	r.Target = rulebook.UsualAim
	if _, err := solved.Solve(t.Context(), r); err != nil { // outside the bubble
		t.Fatal(err)
	}
	inClass(t, []string{"game=divisibility"}, []string{"Ada", "Ben"}, func(c *classroom) {
		c.direct("start", "")
		for game := range 2 { // each pupil starts one and wins it
			synctest.Wait() // until it has begun
			visit, err := c.Hall.Visit(c.t.Context(), c.state().Pairings[game].Table)
			if err != nil {
				c.t.Fatal(err)
			}
			s := visit.Table.State()
			for _, d := range []digit.Digit{1, 4, 3, 5, 2} {
				s, err = visit.Table.Play(c.t.Context(), s.Turn(),
					digit.Move{Digit: d, Spot: digit.Right}, 0)
				if err != nil {
					c.t.Fatal(err)
				}
			}
			visit.Close()
			for len(c.state().Pairings) == game+1 { // until they are paired again
				time.Sleep(time.Second)
			}
		}
		wall := c.browser(t)
		for range 2 {
			var sums, want []string
			for _, li := range wall.get(c.path + "/wall/" + c.class.Wall()).page.one("ol[class=wins]").all("li") {
				sums = append(sums, li.inner())
			}
			for _, p := range c.state().Pupils {
				if !p.Removed {
					want = append(want, "132 = 33 × 4 "+p.Name)
				}
			}
			if slices.Sort(sums); !slices.Equal(sums, want) {
				t.Errorf("the wall shows %q, want %q", sums, want)
			}
			c.direct("remove", "names") // removes one of them
		}
	})
}

// TestSecretsOfAClass checks that a page shows a secret only on request, and that pupils and
// strangers can neither see nor do what only the director may.
func TestSecretsOfAClass(t *testing.T) {
	names := strings.Fields("Ada Ben Cleo Dan Elif Finn Greta Hugo Ida Jonas Kim Zoe")
	inClass(t, nil, names, func(c *classroom) {
		d := c.director
		rejoin := c.class.Ticket(c.state(), 3).Rejoin
		for _, show := range []string{"", "?show=names", "?show=games", "?show=results",
			"?show=end", "?show=delete", "?show=rejoin&pupil=99"} {
			d.get(c.path + "/direct" + show)
			if d.status != http.StatusOK || strings.Contains(d.text, c.class.Code()) ||
				strings.Contains(d.text, rejoin) || strings.Contains(d.text, c.class.Director()) {
				t.Errorf("direct%s: %d, or shows a secret:\n%s", show, d.status, d.text)
			}
		}
		if got := d.get(c.path + "/direct?show=code").textOf("main"); !strings.Contains(got, c.class.Code()) {
			t.Errorf("the page with the code is %q", got)
		}
		if got := d.get(c.path + "/direct?show=rejoin&pupil=3").textOf("main"); !strings.Contains(got, rejoin) {
			t.Errorf("the page with the rejoin code is %q", got)
		}
		stranger := c.browser(t)
		c.direct("start", "")
		for name, b := range map[string]*browser{"a pupil": c.pupils[0], "a stranger": stranger} {
			for _, path := range []string{"/direct", "/direct/" + c.class.Wall(), "/certificates",
				"/standings.csv"} {
				if b.get(c.path + path); b.status != http.StatusForbidden {
					t.Errorf("%s gets %s: %d", name, path, b.status)
				}
			}
			for _, act := range []string{"pause", "end", "delete", "recode", "remove"} {
				b.post(c.path+"/acts", url.Values{"act": {act}, "pupil": {"2"}})
				if b.status != http.StatusForbidden {
					t.Errorf("%s does %s: %d", name, act, b.status)
				}
			}
		}
		for _, path := range []string{"/acts", "/friendly"} {
			stranger.post(c.path+path, url.Values{"act": {"leave"}})
			if stranger.status != http.StatusForbidden {
				t.Errorf("a stranger posts to %s: %d", path, stranger.status)
			}
		}
		seen := 0
		for _, name := range names {
			if strings.Contains(stranger.get(c.path).text, name) {
				seen++
			}
		}
		if seen != 10 {
			t.Errorf("a stranger sees %d names, want 10", seen)
		}
		if stranger.get(c.path + "/me"); stranger.path != c.path+"/rejoin" {
			t.Errorf("a stranger is sent to %s", stranger.path)
		}
		stranger.press("button[class=main]", "rejoin="+strings.ToLower(rejoin))
		if !strings.HasPrefix(stranger.path, "/t/") || stranger.textOf("h2[id=turn]") == "" {
			t.Errorf("the other phone is at %s", stranger.path)
		}
		if old := c.pupils[2].get(c.path + "/me"); old.path != c.path+"/rejoin" {
			t.Errorf("the old phone is at %s", old.path)
		}
	})
}

// TestJoinPages checks the pages of pupils who cannot join.
func TestJoinPages(t *testing.T) {
	inClass(t, nil, []string{"Ada"}, func(c *classroom) {
		b := c.browser(t)
		for _, test := range []struct {
			code, name string
			status     int
			want       string
		}{
			{"AAAAAA", "Ben", 403, "No class has this code"},
			{c.class.Code(), "", 422, "Name: allowed: 1 to 24 characters."},
		} {
			b.post("/class", url.Values{"code": {test.code}, "name": {test.name}})
			if got := b.textOf("div[id=alert]"); b.status != test.status ||
				!strings.Contains(got, test.want) {
				t.Errorf("%s as %q: %d %q, want %d %q", test.code, test.name, b.status, got,
					test.status, test.want)
			}
		}
		b.get(c.path + "/join/" + c.class.Invitation())
		b.press("button[class=main]", "name=ada")
		if b.textOf("p[id=now]") != "You are in, ada 2." {
			t.Errorf("the page of a second Ada says %q", b.textOf("main"))
		}
		b.get("/class").press("button[class=main]", "code="+c.class.Code(), "name=Eve")
		if len(c.state().Pupils) != 2 {
			t.Errorf("one browser joined as %d pupils", len(c.state().Pupils)-1)
		}
		c.direct("start", "")
		c.direct("remove", "names")
		if got := c.pupils[0].get(c.path + "/me").path; got != c.path+"/rejoin" {
			t.Errorf("a pupil who was removed is at %s", got)
		}
		if got := b.get(c.path + "/join/" + c.class.Wall()).textOf("div[id=alert]"); got != "Nobody can join by this link now." {
			t.Errorf("the alert for another token is %q", got)
		}
		b.post(c.path+"/join", url.Values{"invitation": {c.class.Wall()}, "name": {"Eve"}})
		if b.status != http.StatusForbidden {
			t.Errorf("joining with another token: %d", b.status)
		}
	})
}

// TestRoster checks that pupils choose from a list of the names that are left.
func TestRoster(t *testing.T) {
	inClass(t, nil, nil, func(c *classroom) {
		c.director.post("/class/new",
			url.Values{"game": {"sevens"}, "format": {"rounds"}, "minutes": {"25"}, "rounds": {"3"},
				"turn_time": {"1m"}, "keep": {"7"}, "names": {"Ada\r\n\r\n Ben \r\n<b>"}})
		id := strings.Split(c.director.path, "/")[2]
		found, err := c.Classes.Find(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if state, _ := found.State(); !slices.Equal(state.Order.Names, []string{"Ada", "Ben", "<b>"}) || !*state.Order.Pair {
			t.Errorf("the order is %+v", state.Order)
		}
		b := c.browser(t).get("/c/" + id + "/join/" + found.Invitation())
		b.press("button[class=main]", "name=Ben")
		other := c.browser(t).get("/c/" + id + "/join/" + found.Invitation())
		if got := other.textOf("fieldset"); got != "Your nameAda <b>" {
			t.Errorf("the names are %q", got)
		}
	})
}

// TestNewClassRefused checks that the form keeps its values when a class cannot be opened.
func TestNewClassRefused(t *testing.T) {
	inClass(t, nil, nil, func(c *classroom) {
		b := c.browser(t).get("/class/new").press("button[class=main]", "title=7b", "minutes=100")
		if got := b.textOf("div[id=alert]"); b.status != http.StatusUnprocessableEntity ||
			got != "Minutes 100: allowed: 1 to 90." {
			t.Errorf("%d %q", b.status, got)
		}
		if got := b.page.one("input[id=title]").attrs["value"]; got != "7b" {
			t.Errorf("the title is %q", got)
		}
	})
}

// TestFriendlyGame plays the computer between two games, and checks that the page then leads to the
// next one.
func TestFriendlyGame(t *testing.T) {
	inClass(t, nil, strings.Fields("Ada Ben Cleo"), func(c *classroom) {
		c.direct("start", "")
		var waiting *browser
		for _, p := range c.pupils {
			if p.get(c.path + "/me"); p.path == c.path+"/me" {
				waiting = p
			}
		}
		waiting.press("button")
		friendly := waiting.path
		if got := waiting.textOf("h1"); !strings.HasSuffix(got, "doesn’t count") ||
			!strings.HasPrefix(friendly, "/t/") ||
			waiting.page.one("a[href="+c.path+"/me]") == nil {
			t.Fatalf("the friendly game is at %s: %q\n%s", friendly, got, waiting.text)
		}
		back := strings.TrimPrefix(waiting.page.one("meta[http-equiv=refresh]").attrs["content"],
			"8;url=")
		if waiting.get(back); waiting.path != friendly {
			t.Errorf("the friendly game continues at %s", waiting.path)
		}
		for _, p := range c.pupils {
			if p != waiting {
				p.press("button[value=resign]")
				break
			}
		}
		time.Sleep(12 * time.Second)
		if waiting.get(back); !strings.HasPrefix(waiting.path, "/t/") || waiting.path == friendly {
			t.Errorf("the next game is at %s", waiting.path)
		}
	})
}

// TestNoClasses checks that a server without classes has no pages for them and no links to them.
func TestNoClasses(t *testing.T) {
	config := newTestServer(t).Config
	config.Classes = nil
	s := New(config)
	for path, status := range map[string]int{"/": 200, "/here": 200, "/class": 404,
		"/class/new": 404, "/c/aaaaaaaaaaaaa": 404, "/c/aaaaaaaaaaaaa/me": 404} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != status || strings.Contains(w.Body.String(), `href="/class`) {
			t.Errorf("%s: %d, or a link to classes:\n%s", path, w.Code, w.Body)
		}
	}
}

// TestNth checks the ordinals of places.
func TestNth(t *testing.T) {
	p := classPage{Rows: make([]class.Standing, 120)}
	for n, want := range map[int]string{
		1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 10: "10th", 11: "11th", 12: "12th", 13: "13th",
		21: "21st", 102: "102nd", 111: "111th", 120: "120th",
	} {
		if got := p.Nth(&n); got != want+" of 120" {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
