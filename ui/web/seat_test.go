package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/match"
)

// TestSeatCookie checks the cookie that holds the token of a seat.
func TestSeatCookie(t *testing.T) {
	for _, secure := range []bool{false, true} {
		h := newTestServer(t, func(p *testConfig) {
			if secure {
				p.BaseURL = "https://duel.example"
			}
		})
		b := h.browser(t).post("/tables", url.Values{"go": {"dilemma friend"}})
		i := slices.IndexFunc(b.cookies, func(c *http.Cookie) bool { return c.Name == seatCookie })
		if i < 0 {
			t.Fatalf("no cookie for the seat: %v", b.cookies)
		}
		id := h.memStore.ids()[0]
		c := b.cookies[i]
		if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/t/"+id ||
			c.Secure != secure || c.MaxAge != year ||
			match.Seal(c.Value) != h.state(id).Setup.Seals[match.One] {
			t.Errorf("the cookie is %v", c)
		}
	}
}

// TestLinksChangeNothing follows the links of a table as link previews do, and checks that only a
// form takes a seat.
func TestLinksChangeNothing(t *testing.T) {
	h := newTestServer(t)
	ada := h.browser(t).post("/tables", url.Values{"go": {"dilemma friend"}, "name": {"Ada"}})
	id := ada.id()
	link, _ := url.Parse(ada.page.one("input[id=invite-link]").attrs["value"])
	seq := h.state(id).Seq
	for range 3 {
		curious := h.browser(t)
		for _, path := range []string{"/t/" + id, link.Path, "/t/" + id, "/t/" + id + "?hint=1"} {
			if curious.get(path); curious.status != http.StatusOK {
				t.Errorf("%s: %d", path, curious.status)
			}
		}
		curious.load("HEAD", link.Path, "")
	}
	if now := h.state(id); now.Seq != seq || !now.Open[match.Two] {
		t.Errorf("after GET requests, the table is at event %d, want %d", now.Seq, seq)
	}
	if b := h.browser(t).get(link.Path[:len(link.Path)-1]); b.status != http.StatusNotFound ||
		!strings.Contains(b.textOf("p[class=lead]"), "No such seat") {
		t.Errorf("a wrong link: %d %s", b.status, b.text)
	}
	watcher := h.browser(t).get("/t/" + id)
	if strings.Contains(watcher.text, "/seat/") || watcher.page.one("form[id=sit]") != nil {
		t.Error("a watcher is offered the seat for a friend")
	}
	watcher.post("/t/"+id+"/sit", url.Values{"name": {"Eve"}})
	if watcher.status != http.StatusForbidden {
		t.Errorf("a watcher took the seat for a friend: %d", watcher.status)
	}
	ben := h.browser(t).get(link.Path)
	ben.press("button[data-act=sit]", "name=Ada")
	if ben.status != http.StatusUnprocessableEntity ||
		!strings.Contains(ben.textOf("div[id=alert]"), "That name is taken. Choose another.") {
		t.Errorf("a second Ada: %d %q", ben.status, ben.textOf("div[id=alert]"))
	}
	if ben.press("button[data-act=sit]", "name=Ben"); ben.textOf("h2[id=turn]") != "Ada's turn" {
		t.Errorf("Ben reads %q", ben.textOf("h2[id=turn]"))
	}
	if ben.post("/t/"+id+"/sit", url.Values{"name": {"Ben"}}); ben.status != http.StatusOK {
		t.Errorf("taking the seat twice: %d", ben.status)
	}
}

// TestOnlyPlayersAct checks that moves and acts of watchers, with the token of another table and
// from another site are refused.
func TestOnlyPlayersAct(t *testing.T) {
	h := newTestServer(t)
	ada, ben := h.pair(t, "dilemma")
	other, _ := h.pair(t, "dilemma")
	id := ada.id()
	seq := h.state(id).Seq
	stranger := h.browser(t).get("/t/" + id)
	for _, selector := range []string{
		"form[id=move]", "input[type=radio]", "button[name=act]", "form", "input[id=my-link]",
	} {
		if stranger.page.one(selector) != nil {
			t.Errorf("a watcher is offered %s", selector)
		}
	}
	forged := h.browser(t)
	at := &url.URL{Scheme: "http", Host: "duel.example", Path: "/t/" + id}
	forged.jar.SetCookies(at, []*http.Cookie{
		{Name: seatCookie, Value: h.Keys.Token(other.id(), match.One), Path: "/"},
		{Name: "x", Value: "y"},
	})
	for _, b := range []*browser{stranger, forged} {
		if b.post("/t/"+id+"/moves", url.Values{"move": {"7a"}}); b.status != http.StatusForbidden {
			t.Errorf("a move: %d", b.status)
		}
		for _, a := range match.Acts() {
			b.post("/t/"+id+"/acts", url.Values{"act": {string(a)}})
			if b.status != http.StatusForbidden {
				t.Errorf("%s: %d", a, b.status)
			}
		}
	}
	ben.post("/t/"+id+"/moves", url.Values{"move": {"7a"}}, "Sec-Fetch-Site: cross-site")
	if ben.status != http.StatusForbidden {
		t.Errorf("a move from another site: %d", ben.status)
	}
	if now := h.state(id).Seq; now != seq {
		t.Errorf("the table is at event %d, want %d", now, seq)
	}
}

// TestWhoStarts checks that the page of an open seat says who starts, for either seat.
func TestWhoStarts(t *testing.T) {
	h := newTestServer(t)
	for _, tt := range []struct{ order, want string }{
		{`"names":["Ada"],"seats":["human","anyone"]`, "Ada starts."},
		{`"names":["Ada"],"seats":["human","anyone"],"first":2`, "You start."},
		{`"names":["","Ada"],"seats":["anyone","human"]`, "You start."},
		{`"names":["","Ada"],"seats":["anyone","human"],"first":2`, "Ada starts."},
	} {
		b := h.browser(t).get("/t/" + h.open(`{"rules":"dilemma",`+tt.order+`}`).id)
		if got := b.textOf("form[id=sit]"); !strings.Contains(got, " play "+tt.want) {
			t.Errorf("%s: got %q, want %q in it", tt.order, got, tt.want)
		}
	}
}

// TestWhoThinks checks the headline that says whose turn it is, for Ada and for a watcher, with the
// computer on either seat and either seat moving first.
func TestWhoThinks(t *testing.T) {
	const thinks = "The computer is thinking"
	for _, tt := range []struct {
		ada, first match.Seat
		moves      string
		head       [2]string // for Ada, and for a watcher
	}{
		{match.One, match.One, "", [2]string{"Your turn", "Ada's turn"}},
		{match.One, match.One, "7a", [2]string{thinks, thinks}},
		{match.One, match.Two, "", [2]string{thinks, thinks}},
		{match.One, match.Two, "7a", [2]string{"Your turn", "Ada's turn"}},
		{match.Two, match.One, "", [2]string{thinks, thinks}},
		{match.Two, match.One, "7a", [2]string{"Your turn", "Ada's turn"}},
		{match.Two, match.Two, "", [2]string{"Your turn", "Ada's turn"}},
		{match.Two, match.Two, "7a 3b 1c", [2]string{thinks, thinks}},
	} {
		setup := match.Setup{Rules: digit.Dilemma, First: tt.first}
		setup.Names[tt.ada], setup.Levels[tt.ada.Other()] = "Ada", "casual"
		at, err := match.Open(t.Context(), "t", setup, new(match.Memory), nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := at.Begin(t.Context())
		for word := range strings.FieldsSeq(tt.moves) {
			m, wrong := digit.ParseMove(word)
			if wrong != nil || err != nil {
				t.Fatal(wrong, err)
			}
			s, err = at.Play(t.Context(), s.Turn(), m, 0)
		}
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range []viewer{{seat: tt.ada, plays: true}, {}} {
			if _, got, _ := headline(s, v); got != tt.head[i] {
				t.Errorf("Ada is %v, %v moves first, %q: reader %d reads %q, want %q",
					tt.ada, tt.first, tt.moves, i+1, got, tt.head[i])
			}
		}
		at.Close()
	}
}
