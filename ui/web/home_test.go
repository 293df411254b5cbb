package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"digitduel/coach"
	"digitduel/match"
)

// TestSettings checks that the settings are saved and apply to the next game. An invalid one is
// refused on the same sheet, which keeps the values that were filled in.
func TestSettings(t *testing.T) {
	h := newTestServer(t)
	b := h.browser(t).get("/")
	if got := b.textOf("a[id=how]"); got != "vs Computer, casual" {
		t.Errorf("the default opponent is %q", got)
	}
	for pill, choices := range map[string]string{
		"vs Computer, expert": "opponent=computer level=expert", "vs Anyone": "opponent=anyone",
		"Same phone": "opponent=phone",
	} {
		b.get("/settings").press("button[class=main]", strings.Fields(choices)...)
		if got := b.textOf("a[id=how]"); b.status != http.StatusOK || got != pill {
			t.Errorf("%s: %d, the opponent is %q, want %q", choices, b.status, got, pill)
		}
	}
	chosen := []string{"opponent=friend", "first=2", "turn_time=30s", "aim=other", "aim-other=17"}
	b.get("/settings").press("button[class=main]", append(chosen, "name=Ada")...)
	b.get("/").press("button[value=divisibility]")
	setup := h.state(b.id()).Setup
	if got := setup.Rules.String(); got != "divisibility target=17" || setup.First != match.Two ||
		setup.TurnTime != 30*time.Second || setup.Names[0] != "Ada" ||
		setup.Open != [2]bool{false, true} {
		t.Errorf("the table is %+v", setup)
	}
	if got := b.get("/").textOf("li[data-book=divisibility]") +
		b.textOf("button[value=divisibility]"); !strings.Contains(got, "17 Divisibility") {
		t.Errorf("the game is %q", got)
	}
	for _, test := range []struct{ choice, want string }{
		{"name=" + strings.Repeat("x", 25), "it is too long"},
		{"aim-other=1", "Target: 1 is out of range"},
	} {
		b.get("/settings").press("button[class=main]", append(chosen, test.choice)...)
		form := valuesOf(b.page.one("dialog"))
		if got := b.textOf("div[id=alert]"); b.status != http.StatusUnprocessableEntity ||
			!strings.Contains(got, test.want) || form.Get("opponent") != match.Friend {
			t.Errorf("%s: %d %q, with %v in the form", test.choice, b.status, got, form)
		}
		key, value, _ := strings.Cut(test.choice, "=")
		if key == "name" && form.Get(key) != value {
			t.Errorf("the name is %q", form.Get(key))
		}
	}
	b.get("/").press("button[value=dilemma]", "name=Player 2") // the friend has the same name
	if got := b.textOf("div[id=alert]"); b.status != http.StatusUnprocessableEntity ||
		!strings.Contains(got, "both players have it") || b.page.one("dialog[open]") == nil {
		t.Errorf("%d %q", b.status, got)
	}
	if got := b.get("/").textOf("a[id=how]"); got != "vs Friend" {
		t.Errorf("the refused choice was saved: %q", got)
	}
	b.post("/settings", url.Values{"level": {"god"}})
	if got := b.textOf("div[id=alert]"); b.status != http.StatusUnprocessableEntity ||
		!strings.Contains(got, "Level \"god\"") {
		t.Errorf("%d %q", b.status, got)
	}
}

// TestTakeTurns checks that the other player starts when a game is played again from the home page,
// and that the large button says so.
func TestTakeTurns(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		b := h.browser(t)
		for _, test := range []struct{ want, first string }{
			{"▲ Highest: The higher number wins", "Player 1"},
			{"▲ Highest Play again: the computer starts", "Player 2"},
			{"▲ Highest Play again: you start", "Player 1"},
		} {
			got := b.get("/").textOf("button[value=highest]")
			if !strings.HasPrefix(got, test.want) {
				t.Errorf("the button says %q, want %q", got, test.want)
			}
			b.press("button[value=highest]")
			if got := h.state(b.id()).Setup.First; got.String() != test.first {
				t.Errorf("%v starts, want %s", got, test.first)
			}
			b.press("button[data-act=resign]")
			time.Sleep(time.Second)
		}
		b.get("/settings").press("button[class=main]", "opponent=friend")
		if got := b.textOf("button[value=highest]"); !strings.Contains(got, "The higher number wins") {
			t.Errorf("the button of a game not yet played with a friend says %q", got)
		}
	})
}

// TestRecord loses to the computer: each game counts once, for its level, and after three losses in
// a row an easier level is offered once.
func TestRecord(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		b := h.browser(t).get("/")
		lose := func(press string) {
			b.press(press).press("button[data-act=resign]")
			time.Sleep(time.Second)
		}
		says := func(tally string) {
			t.Helper()
			for range 2 { // a second look changes nothing
				if got := b.get("/").textOf("button[class=start]"); !strings.HasSuffix(got, tally+"›") {
					t.Errorf("the button says %q, want %q", got, tally)
				}
			}
		}
		lose("button[value=dilemma]")
		says("casual: 0 won, 1 lost")
		lose("button[value=dilemma]")
		lose("button[data-act=rematch]")
		says("casual: 0 won, 3 lost")
		lose("button[value=sevens]")
		says("casual: 0 won, 1 lost")
		b.press("button[value=dilemma]").press("button[data-act=resign]")
		says("casual: 0 won, 4 lost")
		if b.page.one("button[name=to]") != nil {
			t.Error("after four losses an easier level is offered again")
		}
		for range 2 {
			time.Sleep(time.Second)
			lose("button[value=highest]")
			b.get("/")
		}
		lose("button[value=highest]")
		b.get("/")
		if got := b.textOf("button[name=to]"); got != "3 losses in a row. Try novice?" {
			t.Errorf("after three losses the offer is %q", got)
		}
		b.press("button[name=to]")
		if got := b.textOf("a[id=how]"); got != "vs Computer, novice" {
			t.Errorf("after accepting the offer the opponent is %q", got)
		}
		h.expectRecord(t, b,
			"Dilemmacasual: 0 won, 4 lost Sevenscasual: 0 won, 1 lost Highestcasual: 0 won, 3 lost")
		// Without the cookie of tables, the games in the record cookie still count.
		b.jar.SetCookies(&url.URL{Scheme: "http", Host: "duel.example", Path: "/"},
			[]*http.Cookie{{Name: ownCookie, Path: "/", MaxAge: -1}})
		h.expectRecord(t, b, "Highestcasual: 0 won, 3 lost")
	})
}

// expectRecord checks the record on the page /yours.
func (h *testServer) expectRecord(t *testing.T, b *browser, want string) {
	t.Helper()
	if got := b.get("/yours").textOf("section[id=record]"); !strings.Contains(got, want) {
		t.Errorf("the record is %q, want %q", got, want)
	}
}

// TestDailyCard checks the puzzle of the day on the home page, before and after it is solved.
func TestDailyCard(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	h := newTestServer(t, func(p *testConfig) { p.Now = func() time.Time { return now } })
	b := h.browser(t).get("/")
	if got := b.textOf("section[id=daily]"); !strings.HasPrefix(got, "Today’s puzzle Only one move wins. Solve it ◆") {
		t.Errorf("the card says %q", got)
	}
	today := h.today()
	z, err := h.puzzleOf(httptest.NewRequest("GET", "/", nil), today)
	if err != nil {
		t.Fatal(err)
	}
	d := coach.Diary{}.After(today-1, today-1, true).After(today, today, true)
	b.jar.SetCookies(&url.URL{Scheme: "http", Host: "duel.example", Path: "/"},
		[]*http.Cookie{{Name: daysCookie, Value: daysText(d.Days), Path: "/"}})
	got := b.get("/").textOf("section[id=daily]")
	if !strings.Contains(got, "Solved. 2 days running.") || !strings.Contains(got, "Next in ") ||
		strings.Contains(got, "Solve it") {
		t.Errorf("after it is solved, the card says %q", got)
	}
	if week := b.page.one("ul[class=week]").all("li"); len(week) != 7 {
		t.Errorf("the week has %d days", len(week))
	}
	mine := b.page.one("section[id=daily]").one("span[class=seat-1]").inner()
	if !strings.Contains(mine, z.Move.Digit.String()) {
		t.Errorf("the number is %q, want it to have the digit of %v", mine, z.Move)
	}
}
