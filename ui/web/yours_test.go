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

// siteURL is the address of the test server.
var siteURL = &url.URL{Scheme: "http", Host: "duel.example", Path: "/"}

// ownGames returns the games on the page of the visitor's own games, each with its link.
func (b *browser) ownGames() (games []string) {
	b.t.Helper()
	b.get("/yours")
	for _, list := range b.page.all("ul[class=yours]") {
		for _, li := range list.all("li") {
			games = append(games, li.inner()+" > "+li.one("a").attrs["href"])
		}
	}
	return games
}

// expectOwnGames checks the list of own games, in which T stands for the table.
func (b *browser) expectOwnGames(table string, want ...string) {
	b.t.Helper()
	got := b.ownGames()
	for i := range got {
		got[i] = strings.ReplaceAll(got[i], table, "T")
	}
	if !slices.Equal(got, want) {
		b.t.Errorf("own games are %q, want %q", got, want)
	}
}

// TestOwnGames checks the lists of own games of players, guests and watchers of a table, from the
// invitation to the review.
func TestOwnGames(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		ada, ben, eve := h.browser(t), h.browser(t), h.browser(t)
		ada.expectOwnGames("")
		ada.get("/").press("button[value=dilemma]", "opponent=friend", "name=Ada")
		id, invitation := ada.id(), ada.link("invite-link")
		ada.expectOwnGames(id, "7 Waiting for your friend Dilemma, just now > /t/T")
		ben.get(invitation)
		late := h.browser(t).get(invitation)
		for _, guest := range []*browser{ben, late} {
			guest.expectOwnGames(id, "7 Ada invites you to Digit Dilemma Dilemma, just now > /t/T")
		}
		ben.get("/t/"+id).press("button[data-act=sit]", "name=Ben")
		phone := h.browser(t).get(ben.tokenLink(id))
		eve.get("/t/" + id)

		ada.expectOwnGames(id, "7 Your turn against Ben Dilemma, just now > /t/T")
		ben.expectOwnGames(id, "7 Ada's turn Dilemma, just now > /t/T")
		phone.expectOwnGames(id, "7 Ada's turn Dilemma, just now > /t/T")
		late.expectOwnGames(id) // the seat is taken
		eve.expectOwnGames(id)
		forged := &http.Cookie{Name: ownCookie, Value: id + "~" + id + ":x~nowhere~~:", Path: "/"}
		eve.jar.SetCookies(siteURL, []*http.Cookie{forged})
		eve.expectOwnGames(id) // a table ID is not a token

		ada.get("/t/"+id).press("button[id=play]", "digit=7", "spot=a")
		ada.expectOwnGames(id, "7 Ben's turn Dilemma, just now 7 > /t/T")
		ben.expectOwnGames(id, "7 Your turn against Ada Dilemma, just now > /t/T")
		ben.get("/t/" + id).press("button[data-act=resign]")
		ada.expectOwnGames(id, "7 You win! against Ben Dilemma, just now > /t/T/games/1")
		ben.expectOwnGames(id, "7 Not this time against Ada Dilemma, just now > /t/T/games/1")
		ada.get("/t/" + id).press("button[data-act=rematch]")
		ben.expectOwnGames(id, "7 Ada wants a rematch Dilemma, just now > /t/T")

		// A browser that is logged out has lost its seat.
		ben.get("/t/" + id).press("button[data-act=log-out]")
		phone.expectOwnGames(id)
		ben.expectOwnGames(id, "7 Ada wants a rematch Dilemma, just now > /t/T")
	})
}

// TestManyOwnGames opens more tables than a browser remembers. The list has the latest ones, first
// those that wait for the reader, and does not load the tables.
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
	games := ada.ownGames()
	if n := len(games); n != mostOwn || !strings.HasPrefix(games[0], "▼ Your turn") ||
		!strings.HasSuffix(games[0], "/t/"+last) {
		t.Errorf("%d games are listed, %q", n, games)
	}
	isFirst := func(g string) bool { return strings.HasSuffix(g, first) }
	if slices.ContainsFunc(games, isFirst) {
		t.Errorf("the oldest game is listed: %q", games)
	}
	if at := ada.get("/").page.one("section[id=now]").all("li"); len(at) != 2 {
		t.Errorf("the home page lists %d own games, want 2", len(at))
	}
	for _, c := range ada.jar.Cookies(siteURL) {
		if c.Name == ownCookie && len(c.Value) > 20*14+33 {
			t.Errorf("the cookie is too long: %q", c.Value)
		}
	}
	ada.get("/t/" + first) // the browser still has the token, so it is remembered again
	if games := ada.ownGames(); !slices.ContainsFunc(games, isFirst) {
		t.Errorf("after a visit, the oldest game is not listed: %q", games)
	}

	// The second server has none of the tables in memory.
	other := newTestServer(t, func(p *testConfig) { p.memStore = h.memStore })
	if games := ada.at(other).ownGames(); len(games) != mostOwn || other.Hall.Len() != 0 {
		t.Errorf("another server lists %d games, with %d tables in memory",
			len(games), other.Hall.Len())
	}
}

// TestLongOwnGame checks the entry of a table whose log is too long to be read for the list.
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
	ada.expectOwnGames(ada.id(), "7 A game is in progress Dilemma, just now > /t/T")
}

// TestTargetChoice checks the targets that can be chosen in the forms for new games.
func TestTargetChoice(t *testing.T) {
	h := newTestServer(t)
	for _, test := range []struct{ path, button, choices, want string }{
		{"/", "button[value=divisibility]", "", "divisibility target=33"},
		{"/", "button[value=divisibility]", "aim=7", "divisibility"},
		{"/", "button[value=divisibility]", "aim=11", "divisibility target=11"},
		{"/", "button[value=dilemma]", "aim=11", "dilemma"}, // the form offers no target for this game
		{"/new?book=divisibility", "button[class=main]", "", "divisibility target=33"},
		{"/new?rules=divisibility", "button[class=main]", "", "divisibility"},
		{"/new?rules=divisibility+target%3D17", "button[class=main]", "", "divisibility target=17"},
		{"/new?book=divisibility&target=17", "button[class=main]", "aim-other=19", "divisibility target=19"},
		{"/new?rules=divisibility+target%3D17", "button[class=main]", "aim=11", "divisibility target=11"},
		{"/new?book=divisibility", "button[class=main]", "aim=other aim-other=17", "divisibility target=17"},
		{"/new?book=divisibility", "button[class=main]", "aim=other", "Target: type the other number, or choose one of those that are offered."},
		{"/new?book=divisibility", "button[class=main]", "aim=other aim-other=1", "Target: 1 is out of range"},
	} {
		choices := append(strings.Fields(test.choices), "opponent=friend")
		b := h.browser(t).get(test.path).press(test.button, choices...)
		got := b.textOf("div[id=alert]")
		if b.status == http.StatusOK {
			got = h.state(b.id()).Setup.Rules.String()
		}
		if b.status == http.StatusOK && got != test.want || !strings.HasPrefix(got, test.want) {
			t.Errorf("%s %s: %q, want %q", test.path, test.choices, got, test.want)
		}
	}
	b := h.browser(t).get("/")
	const want = "7 is a multiple of 7 on its own, so the starter can win with the first digit."
	if got := b.textOf("dialog"); !strings.Contains(got, want) {
		t.Errorf("the home page says %q, want %q in it", got, want)
	}
	b.press("button[value=divisibility]", "opponent=computer", "aim=11")
	b.press("button[data-act=resign]").press("button[data-act=rematch]")
	if state := h.state(b.id()); state.Game != 2 || state.Setup.Rules.Target != 11 {
		t.Errorf("after a rematch, game %d has the rules %v", state.Game, state.Setup.Rules)
	}
}

// TestMeet checks that two players who choose anyone on the home page are seated together.
func TestMeet(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		for range 5 { // the starter is random
			ada := h.browser(t).get("/")
			ada.press("button[value=divisibility]", "opponent=anyone", "name=Ada")
			defer h.listen(t, ada, "/t/"+ada.id()+"/live").leave()
			ben := h.browser(t).get("/")
			ben.press("button[value=divisibility]", "opponent=anyone", "name=Ben")
			if ben.id() != ada.id() || !h.state(ada.id()).Playing() {
				t.Errorf("Ada is at %s and Ben at %s", ada.path, ben.path)
			}
		}
	})
}

// TestNextStarter checks who starts the next game if the players take turns, also after a swap.
func TestNextStarter(t *testing.T) {
	for _, test := range []struct {
		game         int
		swapped, own bool
		want         string
	}{
		{1, false, true, "2"}, {1, true, true, "1"}, {2, false, true, "1"}, {2, true, true, "2"},
		{0, false, true, "1"}, {1, false, false, "1"},
	} {
		now := match.State{Game: test.game, Swapped: test.swapped}
		now.Setup.Rules = digit.Dilemma
		if test.game > 0 {
			now.Result = digit.Result{Score: digit.FirstWins, Reason: digit.Multiple}
		}
		own := ownSeat{match.Summary{Rules: digit.Dilemma, Now: &now}, viewer{plays: test.own}}
		got, played := nextStarter([]ownSeat{own}, digit.Dilemma, false)
		if got != test.want || played != (test.own && test.game > 0) {
			t.Errorf("%+v: seat %s starts, after a game: %v", test, got, played)
		}
	}
}
