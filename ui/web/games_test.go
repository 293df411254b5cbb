package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestGames checks the list of games, page by page, and the statistics.
func TestGames(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		var want []string
		for i, order := range []string{`{"rules":"dilemma","names":["Ada","Ben"]}`,
			`{"rules":"dilemma","names":["Ada","Ben"],"first":2}`,
			`{"rules":"highest","seats":["human","casual"]}`} {
			time.Sleep(time.Second)
			table := h.open(order)
			table.play("1:resign 1:publish")
			if i < 2 {
				table.play("2:publish")
			}
			record := []string{`"record":"dilemma 0-1 resigned; first=Ada second=Ben starts=1 at=2000-01-01T00:00:01Z","names":["Ada","Ben"],"players":["human","human"]`,
				`"record":"dilemma 1-0 resigned; first=Ben second=Ada starts=2 at=2000-01-01T00:00:02Z","names":["Ben","Ada"],"players":["human","human"]`,
				`"record":"highest 0-1 resigned; first=\"Player 1\" second=\"Computer (casual)\" second-level=casual starts=1 at=2000-01-01T00:00:03Z","names":["Player 1","Computer (casual)"],"players":["human","casual"]`}[i]
			want = append(want, fmt.Sprintf(`{"table":"%s","game":1,%s,"ended":"%s"}`, table.id,
				record, time.Now().UTC().Format(time.RFC3339Nano)))
		}
		slices.Reverse(want)
		ended := func(game string) string { return game[len(game)-len(`2000-01-01T00:00:01Z"}`) : len(game)-2] }
		mark := func(game string) string {
			id, _, _ := strings.Cut(strings.TrimPrefix(game, `{"table":"`), `"`)
			return ended(game) + "/" + id + "/1"
		}
		for _, test := range []struct {
			query string
			want  []string
			older string
		}{
			{"", want, ""},
			{"?limit=1", want[:1], mark(want[0])},
			{"?limit=1&before=" + ended(want[0]), want[1:2], mark(want[1])},
			{"?limit=1&before=" + url.QueryEscape(mark(want[0])), want[1:2], mark(want[1])},
			{"?before=" + ended(want[1]), want[2:], ""},
			{"?book=dilemma", want[1:], ""},
			{"?book=sevens", nil, ""},
		} {
			got := h.ask("GET", "/api/games"+test.query, "", "").text
			want := `{"games":[` + strings.Join(test.want, ",") + "]"
			if test.older != "" {
				want += `,"older":"` + test.older + `"`
			}
			if want += "}\n"; got != want {
				t.Errorf("%s:\n got %s\nwant %s", test.query, got, want)
			}
		}
		stats := h.ask("GET", "/api/stats", "", "").text
		for _, want := range []string{
			`{"book":"dilemma","games":2,"first_wins":1,"second_wins":1,"draws":0,"mean_plies":0,"reasons":{"resigned":2}}`,
			`{"book":"sevens","games":0,"first_wins":0,"second_wins":0,"draws":0,"mean_plies":0,"reasons":{}}`,
		} {
			if !strings.Contains(stats, want) {
				t.Errorf("the statistics are %s, want %s", stats, want)
			}
		}
	})
}

// TestPagesOfLists checks the list of games on its page, with its filter and its older games.
func TestPagesOfLists(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"dilemma","names":["Ada","Ben"]}`)
	table.play("1:7a 2:3b 1:1c 2:5a 1:4b 2:2c 1:publish 2:publish")
	h.open(`{"rules":"reverse target=0","names":["Cyd","Dan"]}`).play("1:1a 1:resign 1:publish 2:publish")
	b := h.browser(t)
	for _, test := range []struct{ path, selector, want string }{
		{"/games", "ul", "Reverse Digit Duel: Cyd and Dan Cyd resigned. 1 move, just now Digit Dilemma: Ada and Ben Ben wins: 532 = 7 × 76. 6 moves, just now"},
		{"/games?limit=1", "a[rel=next]", "Older games"},
	} {
		if got := b.get(test.path).textOf(test.selector); !strings.Contains(got, test.want) {
			t.Errorf("%s: %s is %q, want %q", test.path, test.selector, got, test.want)
		}
	}
	b.get("/games?limit=1")
	older := b.page.one("a[rel=next]").attrs["href"]
	if got := b.get(older).textOf("ul"); !strings.HasPrefix(got, "Digit Dilemma: Ada and Ben") {
		t.Errorf("%s has %q", older, got)
	}
	if got := b.get("/games?book=reverse").textOf("ul"); strings.Contains(got, "Dilemma") ||
		!strings.Contains(got, "Cyd") {
		t.Errorf("the games of reverse are %q", got)
	}
	h.memStore.breakWith(func() error { return http.ErrServerClosed })
	if b.get("/"); b.status != http.StatusOK || b.page.one("button[value=dilemma]") == nil {
		t.Errorf("without the store the home page is %d %s", b.status, b.text)
	}
}

// TestPrivateGames checks that games by invitation, against the computer and on one device are in
// no list, and that games of the lobby are public. Anyone with the link of a table sees its games.
func TestPrivateGames(t *testing.T) {
	h := newTestServer(t)
	for opponent, public := range map[string]bool{"friend": false, "anyone": true, "casual": false,
		"human": false} {
		table := h.open(`{"rules":"dilemma","names":["Ada and ` + opponent + `"],"seats":["human","` + opponent + `"]}`)
		if got := table.say("look").field("public"); got != public {
			t.Errorf("a table with %s is public: %v, want %v", opponent, got, public)
		}
		invited := ""
		if opponent == "friend" {
			invited = h.Keys.Token(table.id, 1)
		}
		if state := h.state(table.id); state.Open[1] {
			if got := h.ask("POST", table.path+"/seats", invited,
				`{"name":"Ben"}`); got.status != http.StatusCreated {
				t.Fatal(got)
			}
		}
		table.play("1:resign")
		for _, path := range []string{"/", "/games", "/games?book=dilemma", "/api/games", "/stats",
			"/api/stats", "/api/tables"} {
			isList := strings.Contains(path, "games")
			got := h.ask("GET", path, "", "").text
			if strings.Contains(got, table.id) != (public && isList) ||
				!public && strings.Contains(got, "Ada and "+opponent) {
				t.Errorf("%s shows a game with %s, or does not: public is %v", path,
					opponent, public)
			}
		}
		if opponent == "casual" { // one player is enough to publish it
			table.play("1:publish")
			if got := h.ask("GET", "/api/games", "", "").text; !strings.Contains(got, table.id) {
				t.Error("a published game is not listed")
			}
		}
		if b := h.browser(t).get("/t/" + table.id + "/games/1"); b.status != http.StatusOK {
			t.Errorf("the game by its link: %d", b.status)
		}
	}
}
