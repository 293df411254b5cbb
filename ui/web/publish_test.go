package web

import (
	"net/http"
	"strings"
	"testing"
)

// TestPublish checks that games with a friend are private, and labelled so, until both players
// publish them: one at the table, the other on the page of the game. Later games are private again.
func TestPublish(t *testing.T) {
	h := newTestServer(t)
	home := h.browser(t).get("/")
	for opponent, want := range map[string]string{
		"computer": "Private: only you can see this game.",
		"friend":   "Private: only people with the link can see it.",
		"anyone":   "Public: anyone can watch.", "phone": "Private: stays on this phone.",
	} {
		if got := home.textOf("small[id=about-opponent-" + opponent + "]"); got != want {
			t.Errorf("the home page says %[2]q of %[1]s, want %[3]q", opponent, got, want)
		}
	}
	for opponent, want := range map[string]string{
		"friend": "Private: only people with the link can see it.",
		"anyone": "Public: anyone can find it.",
	} {
		b := h.browser(t).get("/new?book=dilemma").press("button[class=main]", "opponent="+opponent)
		if got := b.textOf("[id=found]"); got != want {
			t.Errorf("a table that waits for %s says %q, want %q", opponent, got, want)
		}
	}
	ada, ben := h.pair(t, "dilemma", "best_of=3")
	table, game := "/t/"+ada.id(), "/t/"+ada.id()+"/games/1"
	listed := func(want bool) {
		t.Helper()
		for _, path := range []string{"/games", "/api/games"} {
			if got := h.ask("GET", path, "", "").text; strings.Contains(got, ada.id()) != want {
				t.Errorf("%s lists the game: %v", path, !want)
			}
		}
	}
	says := func(b *browser, path, want string) {
		t.Helper()
		if got := b.get(path).textOf("[id=publish]"); got != want {
			t.Errorf("%s says %q, want %q", path, got, want)
		}
	}
	if ada.page.one("[id=publish]") != nil {
		t.Error("a game in progress can be published")
	}
	ada.press("button[data-act=resign]")
	says(ada, table, "Private: only people with the link can see it. Publish")
	says(ben, game, "Private: only people with the link can see it. Publish")
	if b := h.browser(t).get(game); b.page.one("[id=publish]") != nil {
		t.Error("a watcher may publish the game")
	}
	ada.press("button[data-act=publish]")
	says(ada, table,
		"You want to publish the games you played here. They become public when Ben agrees.")
	says(ben, table,
		"Ada wants to publish the games you played here, so that anyone can find them. Publish too")
	listed(false)
	again := ada.post(table+"/acts", map[string][]string{"act": {"publish"}})
	if again.status != http.StatusConflict {
		t.Errorf("publishing twice is answered with %d", again.status)
	}
	ben.get(game).press("button[data-act=publish]")
	if got := ben.textOf("[id=publish]"); got != "Public: anyone can find it." ||
		!strings.HasPrefix(ben.textOf("h1"), "Review") {
		t.Errorf("after publishing on the page of a game, Ben is at %q: %q", ben.textOf("h1"), got)
	}
	listed(true)
	ada.get(table).press("button[data-act=next]")
	ben.get(table).press("button[data-act=next]")
	ben.get(table).press("button[data-act=resign]")
	says(ada, table, "Private: only people with the link can see it. Publish")
	if got := h.ask("GET", "/api/games", "", "").text; strings.Contains(got, `"game":2`) {
		t.Error("the second game is listed although only the first is public")
	}
}

// TestPublishByAPI publishes games through the API.
func TestPublishByAPI(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"dilemma","names":["Ada"],"seats":["human","friend"]}`)
	seat := h.ask("POST", table.path+"/seats", h.Keys.Token(table.id, 1), `{"name":"Ben"}`)
	table.tokens[1] = seat.field("token").(string)
	for _, step := range []struct{ word, want string }{
		{"1:publish", "409 a game is under way"},
		{"1:resign", "200 seq 4 over ___/___ 0-1 resigned"},
		{"1:publish", "200 seq 5 over ___/___ 0-1 resigned"},
		{"1:publish", "409 you have asked already"},
		{"2:publish", "200 seq 6 over ___/___ 0-1 resigned"},
		{"1:publish", "409 the games of this table are public already"},
	} {
		if got := table.say(step.word).String(); got != step.want {
			t.Errorf("%s is answered with %s, want %s", step.word, got, step.want)
		}
		public := strings.Contains(h.ask("GET", table.path, "", "").text, `"public":true`)
		listed := strings.Contains(h.ask("GET", "/api/games", "", "").text, table.id)
		agreed := step.word == "2:publish" || strings.Contains(step.want, "public already")
		if public != listed || listed != agreed {
			t.Errorf("after %s: public %v, listed %v", step.word, public, listed)
		}
	}
}
