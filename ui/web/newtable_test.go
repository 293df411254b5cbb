package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// TestNewTables opens tables with the forms of the home page and of the page for a new table.
func TestNewTables(t *testing.T) {
	t.Run("home", func(t *testing.T) {
		inBubble(t, func(t *testing.T, h *testServer) {
			for _, book := range digit.Books {
				b := h.browser(t).get("/")
				b.press("button[value="+book.Name+"]",
					"opponent=computer", "name=Ada", "level=beginner")
				const computer = "◆ Computer (beginner)"
				if got := b.textOf("h2[id=who-2]"); !strings.HasPrefix(got, computer) {
					t.Errorf("%s: the opponent is %q, want %q", book.Name, got, computer)
				}
				turn := rulebook.Turn(book.Rules, digit.Position{}, you, true).Short
				want := "Your turn " + rulebook.Complete(strings.TrimPrefix(turn, "Your turn: ")) +
					" 2 Take a digit"
				if got := b.textOf("[id=status]"); got != want {
					t.Errorf("%s: the page says %q, want %q", book.Name, got, want)
				}
				b.get("/")
				got := valuesOf(b.page.one("form[id=start]"))
				if got.Get("name") != "Ada" || got.Get("level") != "beginner" {
					t.Errorf("%s: the home page remembers %v", book.Name, got)
				}
				b.press("button[value="+book.Name+"]", "opponent=friend")
				prefix := "http://duel.example/t/" + b.id() + "/seat/"
				link := b.page.one("input[id=invite-link]")
				if link == nil || !strings.HasPrefix(link.attrs["value"], prefix) {
					t.Errorf("%s: the page has no link for a friend\n%s", book.Name, b.text)
				}
			}
		})
	})
	t.Run("choices", func(t *testing.T) {
		inBubble(t, func(t *testing.T, h *testServer) {
			b := h.browser(t).get("/new?book=divisibility")
			b.press("button[class=main]", "opponent=computer", "level=novice", "first=2",
				"best_of=5", "turn_time=1m", "on_timeout=random", "name=Ada",
				"aim=other", "aim-other=11", "pool=0-9")
			state := h.state(b.id())
			got := state.Setup
			if got.Rules.String() != "divisibility target=11 pool=0-9" || got.BestOf != 5 ||
				got.TurnTime.String() != "1m0s" || got.OnTimeout.String() != "random" ||
				got.First != 1 || !got.Hints || len(state.Moves) != 1 {
				t.Errorf("the table is %+v", got)
			}
		})
	})
	t.Run("without effect", func(t *testing.T) {
		h := newTestServer(t)
		ada, _ := h.pair(t, "sevens", "on_timeout=random", "targets=11,13", "auto_call=on")
		got := h.state(ada.id()).Setup
		if got.OnTimeout != match.Lose || got.Targets != (match.Targets{}) || !got.AutoCall {
			t.Errorf("the table is %+v", got)
		}
		for book, want := range map[string][2]bool{
			"sevens": {true, true}, "dilemma": {false, true}, "highest": {},
		} {
			form := h.browser(t).get("/new?book=" + book).page.one("form[id=new]")
			got := [2]bool{offers(form, "auto_call", "on"), offers(form, "targets", "11")}
			if got != want {
				t.Errorf("%s offers auto-call and targets: %v, want %v", book, got, want)
			}
		}
	})
	t.Run("refused", func(t *testing.T) {
		h := newTestServer(t)
		for _, test := range []struct{ choices, want string }{
			{"target=1", "Target: 1 is out of range"},
			{"pool=", ""}, // the default of the book
			{"pool=0-z", "Pool \"0-z\""},
			{"name=" + strings.Repeat("x", 25), "it is too long"},
			{"name=Player 2", "both players have it"},
		} {
			b := h.browser(t).get("/new?book=highest")
			b.press("button[class=main]", test.choices, "opponent=friend")
			got := b.textOf("div[id=alert]")
			if test.want == "" && (b.status != http.StatusOK || got != "") ||
				!strings.Contains(got, test.want) {
				t.Errorf("%s: %d %q, want %q", test.choices, b.status, got, test.want)
			}
			key, value, _ := strings.Cut(test.choices, "=")
			form := b.page.one("form[id=new]")
			if test.want != "" &&
				(b.status != http.StatusUnprocessableEntity || valuesOf(form).Get(key) != value) {
				t.Errorf("%s: %d, and the form has %q",
					test.choices, b.status, valuesOf(form).Get(key))
			}
		}
		for _, form := range []url.Values{
			{}, {"go": {"chess computer"}}, {"go": {"dilemma chess"}}, {"book": {"dilemma"}},
			{"book": {"dilemma"}, "opponent": {"computer"}, "level": {"god"}},
			{"book": {"dilemma"}, "opponent": {"friend"}, "best_of": {"many"}},
			{"book": {"dilemma"}, "opponent": {"friend"}, "first": {"3"}},
		} {
			if b := h.browser(t).post("/tables", form); b.status != http.StatusUnprocessableEntity {
				t.Errorf("%v: %d %s", form, b.status, b.text)
			}
		}
		if n := len(h.memStore.ids()); n != 1 {
			t.Errorf("%d tables were opened, want one for the valid form", n)
		}
	})
}

// TestAnyone checks that players who choose the same options are seated together, and others not.
func TestAnyone(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		ask := func(name string, choices ...string) *browser {
			b := h.browser(t).get("/new?book=dilemma&against=anyone")
			return b.press("button[class=main]", append(choices, "name="+name)...)
		}
		stay := func(b *browser) (leave func()) {
			return h.listen(t, b, "/t/"+b.id()+"/live").leave
		}
		ada := ask("Ada", "first=1")
		if got := ada.textOf("h2[id=turn]"); got != "Waiting for anyone to join" {
			t.Fatalf("the first player reads %q", got)
		}
		if lost := ask("Ben"); lost.id() == ada.id() {
			t.Error("a player was seated with one who is not there")
		}
		leave := stay(ada)
		if other := ask("Cyd", "best_of=3"); other.id() == ada.id() {
			t.Error("a player who wants a series was seated at a table for one game")
		}
		if other := ask("Eli", "hints=always"); other.id() == ada.id() {
			t.Error("a player who wants hints was seated at a table without")
		}
		if other := ask("Flo", "first=1"); other.id() == ada.id() {
			t.Error("two players who both want to start were seated together")
		}
		if same := ask("Ada"); same.id() == ada.id() {
			t.Error("two players with the same name were seated together")
		}
		dan := ask("Dan")
		if dan.id() != ada.id() || dan.textOf("h2[id=turn]") != "Ada's turn" {
			t.Errorf("Dan is at %s and reads %q", dan.path, dan.textOf("h2[id=turn]"))
		}
		leave()
		leave = stay(ask("Eve", "turn_time=30s", "first=1", "best_of=3", "targets=11,13"))
		defer leave()
		for _, other := range []string{"targets=11", "targets=", "on_timeout=random"} {
			gus := ask("Gus", "turn_time=30s", "best_of=3", "targets=11,13", other)
			if got := gus.textOf("h2[id=turn]"); got != "Waiting for anyone to join" {
				t.Errorf("with %s, Gus reads %q", other, got)
			}
		}
		fay := h.browser(t).get("/lobby")
		const want = "with Eve Best of 3: first to 2 wins. 30 seconds a turn. " +
			"If time runs out, you lose. Game 1: 11, game 2: 13. Opened just now."
		if got := fay.textOf("ul"); !strings.Contains(got, want) {
			t.Errorf("the lobby has %q, want %q", got, want)
		}
		fay.press("button[data-act=join]", "name=Fay")
		if got := fay.textOf("h2[id=turn]"); got != "Eve's turn" {
			t.Errorf("after joining from the lobby, Fay is at %s and reads %q", fay.path, got)
		}
		if fay.get("/lobby"); !strings.Contains(fay.textOf("div[id=lobby]"), "Eve and Fay") {
			t.Errorf("the lobby does not list the game:\n%s", fay.textOf("div[id=lobby]"))
		}
	})
}

// TestToss checks that tossing a coin for the first move gives it to either seat.
func TestToss(t *testing.T) {
	s, starts := &Server{}, map[match.Seat]int{}
	for range 100 {
		o, err := orderOf(url.Values{"book": {"dilemma"}, "opponent": {"friend"},
			"first": {"toss"}})
		if err != nil {
			t.Fatal(err)
		}
		setup, err := s.setup(nil, o, "")
		if err != nil {
			t.Fatal(err)
		}
		starts[setup.First]++
	}
	if starts[match.One] == 0 || starts[match.Two] == 0 || len(starts) > 2 {
		t.Errorf("100 tosses gave %v", starts)
	}
}
