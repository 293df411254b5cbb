package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"digitduel/match"
)

// own returns what a browser's own games are, each with where it leads.
func (b *browser) own() (games []string) {
	b.t.Helper()
	b.get("/yours")
	for _, list := range b.page.all("ul[class=yours]") {
		for _, li := range list.all("li") {
			games = append(games, li.inner()+" > "+li.one("a").attrs["href"])
		}
	}
	return games
}

// owns holds what a browser's own games are against what it should, with T for the table.
func (b *browser) owns(table string, want ...string) {
	b.t.Helper()
	got := b.own()
	for i := range got {
		got[i] = strings.ReplaceAll(got[i], table, "T")
	}
	if !slices.Equal(got, want) {
		b.t.Errorf("own games are %q, want %q", got, want)
	}
}

// TestOwnGames follows a table on the first pages of everybody who has to do with it, from the invitation to the review.
func TestOwnGames(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		ada, ben, eve := h.browser(t), h.browser(t), h.browser(t)
		ada.owns("")
		ada.get("/").press("button[value=dilemma]", "opponent=friend", "name=Ada")
		id, invitation := ada.id(), ada.link("invite-link")
		ada.owns(id, "7 Waiting for your friend Dilemma, just now > /t/T")
		ben.get(invitation)
		late := h.browser(t).get(invitation)
		for _, guest := range []*browser{ben, late} {
			guest.owns(id, "7 Ada invites you to Digit Dilemma Dilemma, just now > /t/T")
		}
		ben.get("/t/"+id).press("button[data-act=sit]", "name=Ben")
		phone := h.browser(t).get(ben.tokenLink(id))
		eve.get("/t/" + id)

		ada.owns(id, "7 Your turn against Ben Dilemma, just now > /t/T")
		ben.owns(id, "7 Ada's turn Dilemma, just now > /t/T")
		phone.owns(id, "7 Ada's turn Dilemma, just now > /t/T")
		late.owns(id) // for the seat is taken
		eve.owns(id)
		eve.jar.SetCookies(&url.URL{Scheme: "http", Host: "duel.example", Path: "/"}, []*http.Cookie{{Name: ownCookie, Value: id + "~" + id + ":x~nowhere~~:", Path: "/"}})
		eve.owns(id) // for the name of a table is no seat at it

		ada.get("/t/"+id).press("button[id=play]", "digit=7", "spot=a")
		ada.owns(id, "7 Ben's turn Dilemma, just now 7 > /t/T")
		ben.owns(id, "7 Your turn against Ada Dilemma, just now > /t/T")
		ben.get("/t/" + id).press("button[data-act=resign]")
		ada.owns(id, "7 You win! against Ben Dilemma, just now > /t/T/games/1")
		ben.owns(id, "7 Not this time against Ada Dilemma, just now > /t/T/games/1")
		ada.get("/t/" + id).press("button[data-act=rematch]")
		ben.owns(id, "7 Ada wants a rematch Dilemma, just now > /t/T")

		// Whoever is logged out has no seat there any more.
		ben.get("/t/" + id).press("button[data-act=log-out]")
		phone.owns(id)
		ben.owns(id, "7 Ada wants a rematch Dilemma, just now > /t/T")
	})
}

// TestManyOwnGames opens more tables than a browser remembers: it has the last ones, and what waits for anyone who looks stands first. None is
// visited for that.
func TestManyOwnGames(t *testing.T) {
	h := newTestServer(t)
	ada := h.browser(t).get("/")
	ada.press("button[value=highest]", "opponent=computer")
	first := ada.id()
	for range mostOwn {
		ada.get("/").press("button[value=dilemma]", "opponent=friend")
	}
	ada.get("/").press("button[value=reverse]", "opponent=computer")
	last := ada.id()
	games := ada.own()
	if n := len(games); n != mostOwn || !strings.HasPrefix(games[0], "▼ Your turn") || !strings.HasSuffix(games[0], "/t/"+last) {
		t.Errorf("%d games are listed, %q", n, games)
	}
	if slices.ContainsFunc(games, func(g string) bool { return strings.HasSuffix(g, first) }) {
		t.Errorf("the oldest is listed: %q", games)
	}
	if at := ada.get("/").page.one("section[id=now]").all("li"); len(at) != 2 {
		t.Errorf("%d games stand above what there is to play", len(at))
	}
	for _, c := range ada.jar.Cookies(&url.URL{Scheme: "http", Host: "duel.example", Path: "/"}) {
		if c.Name == ownCookie && len(c.Value) > 20*14+33 {
			t.Errorf("the browser keeps %q", c.Value)
		}
	}
	ada.get("/t/" + first) // which a browser that has the seat remembers again
	if games := ada.own(); !slices.ContainsFunc(games, func(g string) bool { return strings.HasSuffix(g, first) }) {
		t.Errorf("after a visit the oldest is not listed: %q", games)
	}

	other := newTestServer(t, func(p *testConfig) { p.memStore = h.memStore }) // which has none of the tables in memory
	if games := ada.at(other).own(); len(games) != mostOwn || other.Hall.Len() != 0 {
		t.Errorf("another server lists %d games, with %d tables in memory", len(games), other.Hall.Len())
	}
}

// TestLongOwnGame lists a table with so long a log that the list does not read it.
func TestLongOwnGame(t *testing.T) {
	h := newTestServer(t)
	ada, _ := h.pair(t, "dilemma")
	visit, err := h.Hall.Visit(t.Context(), ada.id())
	if err != nil {
		t.Fatal(err)
	}
	defer visit.Close()
	for seat := match.One; h.state(ada.id()).Seq <= match.MaxStateEvents; seat = seat.Other() {
		if _, err := visit.Table.Do(t.Context(), seat, match.Resign, ""); err != nil {
			t.Fatal(err)
		}
		for _, seat := range match.Seats {
			if _, err := visit.Table.Do(t.Context(), seat, match.Rematch, ""); err != nil {
				t.Fatal(err)
			}
		}
	}
	ada.owns(ada.id(), "7 A game is in progress Dilemma, just now > /t/T")
}

// TestTargetChoice starts games whose target is agreed on.
func TestTargetChoice(t *testing.T) {
	h := newTestServer(t)
	for _, test := range []struct{ path, button, choices, want string }{
		{"/", "button[value=divisibility]", "", "divisibility target=33"},
		{"/", "button[value=divisibility]", "aim=7", "divisibility"},
		{"/", "button[value=divisibility]", "aim=11", "divisibility target=11"},
		{"/", "button[value=dilemma]", "aim=11", "dilemma"}, // whose target is the book's
		{"/new?book=divisibility", "button[class=main]", "", "divisibility target=33"},
		{"/new?rules=divisibility", "button[class=main]", "", "divisibility"},
		{"/new?rules=divisibility+target%3D17", "button[class=main]", "", "divisibility target=17"},
		{"/new?book=divisibility&target=17", "button[class=main]", "aim-other=19", "divisibility target=19"},
		{"/new?rules=divisibility+target%3D17", "button[class=main]", "aim=11", "divisibility target=11"},
		{"/new?book=divisibility", "button[class=main]", "aim=other aim-other=17", "divisibility target=17"},
		{"/new?book=divisibility", "button[class=main]", "aim=other", "Target: type the other number, or choose one of those that are offered."},
		{"/new?book=divisibility", "button[class=main]", "aim=other aim-other=1", "Target: 1 is out of range"},
	} {
		b := h.browser(t).get(test.path).press(test.button, append(strings.Fields(test.choices), "opponent=friend")...)
		got := b.textOf("div[id=alert]")
		if b.status == http.StatusOK {
			got = h.state(b.id()).Setup.Rules.String()
		}
		if b.status == http.StatusOK && got != test.want || !strings.HasPrefix(got, test.want) {
			t.Errorf("%s %s: %q, want %q", test.path, test.choices, got, test.want)
		}
	}
	b := h.browser(t).get("/")
	if got, want := b.textOf("dialog"), "7 is a multiple of 7 on its own, so the starter can win with the first digit."; !strings.Contains(got, want) {
		t.Errorf("of 7 the first page says %q, want %q", got, want)
	}
	b.press("button[value=divisibility]", "opponent=computer", "aim=11")
	b.press("button[data-act=resign]").press("button[data-act=rematch]")
	if state := h.state(b.id()); state.Game != 2 || state.Setup.Rules.Target != 11 {
		t.Errorf("game %d is %v", state.Game, state.Setup.Rules)
	}
}

// TestMeet has two people meet who ask for anyone on the first page.
func TestMeet(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		for range 5 { // whoever the coin lets start
			ada := h.browser(t).get("/").press("button[value=divisibility]", "opponent=anyone", "name=Ada")
			defer h.listen(t, ada, "/t/"+ada.id()+"/live").leave()
			ben := h.browser(t).get("/").press("button[value=divisibility]", "opponent=anyone", "name=Ben")
			if ben.id() != ada.id() || !h.state(ada.id()).Playing() {
				t.Errorf("Ada is at %s and Ben at %s", ada.path, ben.path)
			}
		}
	})
}
