package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"digitduel/digit"
)

// TestPages reads every page that is there without a table. The browser holds each against what all pages have to be.
func TestPages(t *testing.T) {
	for _, test := range []struct{ path, selector, want string }{
		{"/", "title", "Digit Duel"},
		{"/", "li[data-book=divisibility]", "Grow a number at either end"},
		{"/", "li[id=daily]", "exactly one move wins"},
		{"/new", "h1", "Digit Dilemma: a new table"},
		{"/new?book=sevens", "h1", "Digit Duel: sevens: a new table"},
		{"/new?rules=divisibility+target%3D11", "details[id=options]", "Multiples of"},
		{"/lobby", "section", "Nobody is waiting"},
		{"/games", "main", "No game has been finished yet"},
		{"/games?book=reverse", "main", "of this kind"},
		{"/stats", "main", "No game has been finished yet"},
		{"/rules", "h1", "Rules"},
		{"/rules/dilemma", "main", "Be the first with a number that is a multiple of 7."},
		{"/rules/divisibility?rules=divisibility+target%3D11", "main", "multiple of 11"},
		{"/puzzle", "h1", "Puzzle of the day"},
		{"/puzzle?day=2026-01-31", "h1", "Puzzle of 2026-01-31"},
		{"/help", "main", "Screen readers"},
	} {
		h := newHouse(t)
		b := h.browser(t).get(test.path)
		if got := b.reads(test.selector); b.status != http.StatusOK || !strings.Contains(got, test.want) {
			t.Errorf("%s: %d, %s is %q, want %q", test.path, b.status, test.selector, got, test.want)
		}
	}
}

// TestStrayPages asks for what is not there.
func TestStrayPages(t *testing.T) {
	h := newHouse(t)
	for _, test := range []struct {
		method, path string
		status       int
		want         string
	}{
		{"GET", "/nothing", 404, "There is no page at this address."},
		{"GET", "/t/aaaaaaaaaaaa", 404, "There is no such table."},
		{"GET", "/rules/chess", 404, "There is no such book; there are dilemma, sevens, highest, divisibility, reverse."},
		{"GET", "/rules/dilemma?rules=chess", 422, "Book \"chess\": there is no such book"},
		{"GET", "/new?book=chess", 422, "Book \"chess\": there is no such book"},
		{"GET", "/games?book=chess", 422, "Book \"chess\": allowed: dilemma"},
		{"GET", "/games?before=yesterday", 422, "Before \"yesterday\": allowed: a time"},
		{"GET", "/puzzle?day=tomorrow", 422, "a day is written as year, month and day"},
		{"GET", "/puzzle?day=2999-01-01", 404, "There is no puzzle for 2999-01-01"},
		{"GET", "/puzzle?day=1999-01-01", 404, "There is no puzzle for 1999-01-01"},
		{"GET", "/puzzle?day=2026-01-31&move=zz", 422, "Move \"zz\""},
		{"GET", "/static/x/nothing.css", 404, "There is no such file."},
		{"POST", "/lobby", 405, "Method POST: allowed here: GET."},
		{"GET", "/tables", 405, "Method GET: allowed here: POST."},
		{"DELETE", "/", 405, "Method DELETE: allowed here: GET."},
	} {
		b := h.browser(t)
		b.load(test.method, test.path, "")
		if got := b.reads("p[class=lead]"); b.status != test.status || !strings.Contains(got, test.want) {
			t.Errorf("%s %s: %d %q, want %d %q", test.method, test.path, b.status, got, test.status, test.want)
		}
	}
	if got := h.browser(t).get("/nothing", "Accept: */*").text; got != "there is no page at this address\n" {
		t.Errorf("a program is told %q", got)
	}
	if got := h.browser(t).get("/nothing", "X-Requested-With: duel").text; got != `{"error":"There is no page at this address.","seq":0}`+"\n" {
		t.Errorf("a script is told %q", got)
	}
}

// TestNewTables asks for tables by the forms of the first page and of the page for choices.
func TestNewTables(t *testing.T) {
	t.Run("home", func(t *testing.T) {
		inBubble(t, func(t *testing.T, h *house) {
			for _, book := range digit.Books {
				b := h.browser(t).get("/")
				b.press("button[value="+book.Name+" computer]", "name=Ada", "level=beginner")
				if got, want := b.reads("h2[id=who-2]"), "◆ Computer (beginner)"; !strings.HasPrefix(got, want) {
					t.Errorf("%s: the other player is %q, want %q", book.Name, got, want)
				}
				if got := b.reads("h2[id=turn]"); got != "Your turn" {
					t.Errorf("%s: the page says %q", book.Name, got)
				}
				b.get("/")
				if got := valuesOf(b.page.one("form[id=start]")); got.Get("name") != "Ada" || got.Get("level") != "beginner" {
					t.Errorf("%s: the first page remembers %v", book.Name, got)
				}
				b.press("button[value=" + book.Name + " friend]")
				if link := b.page.one("input[id=invite-link]"); link == nil || !strings.HasPrefix(link.attrs["value"], "http://duel.example/t/"+b.id()+"/seat/") {
					t.Errorf("%s: there is no link for a friend\n%s", book.Name, b.text)
				}
			}
		})
	})
	t.Run("choices", func(t *testing.T) {
		inBubble(t, func(t *testing.T, h *house) {
			b := h.browser(t).get("/new?book=divisibility")
			b.press("button[class=main]", "opponent=computer", "level=novice", "first=2", "best_of=5", "turn_time=1m", "on_timeout=random", "name=Ada", "target=11", "pool=0-9")
			state := h.state(b.id())
			if got, want := state.Setup.Rules.String(), "divisibility target=11 pool=0-9"; got != want || state.Setup.BestOf != 5 || state.Setup.TurnTime.String() != "1m0s" ||
				state.Setup.OnTimeout.String() != "random" || state.Setup.First != 1 || !state.Setup.Hints || len(state.Moves) != 1 {
				t.Errorf("the table is %+v", state.Setup)
			}
		})
	})
	t.Run("refused", func(t *testing.T) {
		h := newHouse(t)
		for _, test := range []struct{ choices, want string }{
			{"target=1", "Target: 1 is out of range"},
			{"pool=", ""}, // as the book has it
			{"pool=0-z", "Pool \"0-z\""},
			{"name=" + strings.Repeat("x", 33), "it is too long"},
			{"name=Player 2", "both players have it"},
		} {
			b := h.browser(t).get("/new?book=highest")
			b.press("button[class=main]", test.choices, "opponent=friend")
			got := b.reads("div[id=alert]")
			if test.want == "" && (b.status != http.StatusOK || got != "") || !strings.Contains(got, test.want) {
				t.Errorf("%s: %d %q, want %q", test.choices, b.status, got, test.want)
			}
			key, value, _ := strings.Cut(test.choices, "=")
			if form := b.page.one("form[id=new]"); test.want != "" && (b.status != http.StatusUnprocessableEntity || valuesOf(form).Get(key) != value) {
				t.Errorf("%s: %d, and the form has %q", test.choices, b.status, valuesOf(form).Get(key))
			}
		}
		for _, form := range []url.Values{
			{}, {"go": {"chess computer"}}, {"go": {"dilemma chess"}}, {"book": {"dilemma"}}, {"book": {"dilemma"}, "opponent": {"computer"}, "level": {"god"}},
			{"book": {"dilemma"}, "opponent": {"friend"}, "best_of": {"many"}}, {"book": {"dilemma"}, "opponent": {"friend"}, "first": {"3"}},
		} {
			if b := h.browser(t).post("/tables", form); b.status != http.StatusUnprocessableEntity {
				t.Errorf("%v: %d %s", form, b.status, b.text)
			}
		}
		if n := len(h.shelf.ids()); n != 1 {
			t.Errorf("%d tables were opened, want the one that was asked for well", n)
		}
	})
}

// TestAnyone lets people who want the same meet.
func TestAnyone(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
		ask := func(name string, choices ...string) *browser {
			b := h.browser(t).get("/new?book=dilemma&against=anyone")
			return b.press("button[class=main]", append(choices, "name="+name)...)
		}
		stay := func(b *browser) (leave func()) { return h.listen(t, b, "/t/"+b.id()+"/live").leave }
		ada := ask("Ada")
		if got := ada.reads("h2[id=turn]"); got != "Waiting for somebody to join" {
			t.Fatalf("the first one reads %q", got)
		}
		if lost := ask("Ben"); lost.id() == ada.id() {
			t.Error("somebody was seated with a player who is not there")
		}
		leave := stay(ada)
		if other := ask("Cyd", "best_of=3"); other.id() == ada.id() {
			t.Error("somebody who wants a series was seated at a table for one game")
		}
		if same := ask("Ada"); same.id() == ada.id() {
			t.Error("a table has two players of one name")
		}
		dan := ask("Dan")
		if dan.id() != ada.id() || dan.reads("h2[id=turn]") != "Ada to move" {
			t.Errorf("Dan is at %s and reads %q", dan.path, dan.reads("h2[id=turn]"))
		}
		leave()
		leave = stay(ask("Eve", "turn_time=30s"))
		defer leave()
		fay := h.browser(t).get("/lobby")
		fay.press("button[data-act=join]", "name=Fay")
		if got := fay.reads("h2[id=turn]"); got != "Eve to move" {
			t.Errorf("from the lobby Fay came to %s and reads %q", fay.path, got)
		}
		if fay.get("/lobby"); !strings.Contains(fay.reads("div[id=lobby]"), "Eve and Fay") {
			t.Errorf("the lobby does not list the game:\n%s", fay.reads("div[id=lobby]"))
		}
	})
}

// TestPagesOfLists plays a game and finds it in the lists.
func TestPagesOfLists(t *testing.T) {
	h := newHouse(t)
	table := h.open(`{"rules":"dilemma","names":["Ada","Ben"]}`)
	table.play("1:7a 2:3b 1:1c 2:5a 1:4b 2:2c")
	h.open(`{"rules":"reverse target=0","names":["Cyd","Dan"]}`).play("1:resign")
	b := h.browser(t)
	for _, test := range []struct{ path, selector, want string }{
		{"/", "section[aria-labelledby=recent-name]", "Digit Dilemma: Ada loses to Ben a multiple, 6 moves, just now"},
		{"/games", "ul", "Reverse Digit Duel: Cyd loses to Dan resigned, 0 moves, just now Digit Dilemma: Ada loses to Ben"},
		{"/games?limit=1", "a[rel=next]", "Older games"},
		{"/stats", "section[aria-labelledby=stats-dilemma]", "1 game, 6.0 moves on average"},
		{"/stats", "section[aria-labelledby=stats-dilemma]", "second player wins1 100 %"},
	} {
		if got := b.get(test.path).reads(test.selector); !strings.Contains(got, test.want) {
			t.Errorf("%s: %s is %q, want %q", test.path, test.selector, got, test.want)
		}
	}
	b.get("/games?limit=1")
	older := b.page.one("a[rel=next]").attrs["href"]
	if got := b.get(older).reads("ul"); !strings.HasPrefix(got, "Digit Dilemma: Ada loses to Ben") {
		t.Errorf("%s has %q", older, got)
	}
	if got := b.get("/games?book=reverse").reads("ul"); strings.Contains(got, "Dilemma") || !strings.Contains(got, "Cyd") {
		t.Errorf("of reverse there is %q", got)
	}
	h.shelf.breakWith(func() error { return http.ErrServerClosed })
	if b.get("/"); b.status != http.StatusOK || b.page.one("button[value=dilemma computer]") == nil {
		t.Errorf("without lists the first page is %d %s", b.status, b.text)
	}
}

// TestRobots keeps those who look at everything from tables.
func TestRobots(t *testing.T) {
	got := newHouse(t).browser(t).get("/robots.txt").text
	if !slices.Contains(strings.Split(got, "\n"), "Disallow: /t/") {
		t.Errorf("robots.txt is %q", got)
	}
}
