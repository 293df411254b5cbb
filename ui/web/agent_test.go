package web

import (
	"net/url"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/match"
)

// TestAgentIsWatched checks that the page, the stream and the API show watchers each illegal move
// of a program, and that it lost for that reason. No response may reveal the seeds or the run.
func TestAgentIsWatched(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		const id = "roborobororo"
		setup := match.Setup{
			Rules: digit.Dilemma, Names: [2]string{"Robo", "Casual"},
			Levels: [2]string{"", "casual"}, Openings: "7a 3b",
			Agent: match.Agent{Seed: 271828, Disguise: 314159, Tries: 3, Run: "the-run"},
		}
		visit, err := h.Hall.Open(t.Context(), id, setup)
		if err != nil {
			t.Fatal(err)
		}
		defer visit.Close()
		if _, err := visit.Table.Begin(t.Context()); err != nil {
			t.Fatal(err)
		}
		const page, api = "/t/" + id, "/api/tables/" + id
		eve := h.browser(t)
		live, events := h.listen(t, eve, page+"/live"), h.listen(t, eve, api+"/events?after=0")
		defer live.leave()
		defer events.leave()
		eve.expectText(page, "details[id=menu]",
			"One game. No clock. A program plays here. It has 3 tries for each move.")
		eve.expectText(page, "main", "a program")
		eve.expectText(page, "p[id=series]",
			"A program plays by MCP against level casual, after 2 given moves")
		eve.expectText(page, "ol[class=moves]", "Given: 7 on the left for Robo")
		for _, want := range []struct{ note, event, left string }{
			{"Robo made no legal move; 2 tries left.", `"fault":"illegal","tries_left":2`, "3c: 3 is taken; left: 0 1 2 4 5 6 8 9; tries left: 2"},
			{"Robo made no legal move in 2 tries; 1 try left.", `"fault":"illegal","tries_left":1`, "; tries left: 1"},
		} {
			if got := h.ask("POST", api+"/moves", h.Keys.Token(id, match.One),
				`{"move":"3c"}`); got.status != 422 || !strings.Contains(got.text, want.left) {
				t.Errorf("an illegal move: %v", got)
			}
			live.expectSaid(t, want.note)
			eve.expectText(page, "p[id=note]", want.note)
			if got := events.next("faulted"); !strings.Contains(got, want.event) {
				t.Errorf("the stream sends %s, want %s", got, want.event)
			}
		}
		if look := h.ask("GET", api, "", ""); look.number("agent") != 1 ||
			look.number("tries_left") != 1 {
			t.Errorf("the table is %s", look.text)
		}
		token := h.Keys.Token(id, match.One)
		for _, try := range []struct {
			move   string
			status int
			want   string
		}{
			{`{"move":"9z","seq":3}`, 422, `"seq":4`}, // an old seq costs no try
			{`{"move":"3c","seq":3}`, 409, "seq is now 4"},
			{`{"move":"what"}`, 422, "; that was the last try, and the game is lost"},
		} {
			if got := h.ask("POST", api+"/moves", token, try.move); got.status != try.status ||
				!strings.Contains(got.text, try.want) {
				t.Errorf("%s: %v, want %d with %s", try.move, got, try.status, try.want)
			}
		}
		const lost = "Robo used every try without a legal move."
		live.expectSaid(t, lost+" Casual wins.")
		eve.expectText(page, "[id=status]", lost)
		eve.expectText(page+"/games/1?ply=2", "main", "a program")
		if got := events.next("faulted"); !strings.Contains(got,
			`"fault":"unreadable","tries_left":0`) ||
			!strings.Contains(got, `"result":"0-1 forfeit"`) {
			t.Errorf("the stream sends %s", got)
		}
		eve.expectText("/games", "main", "Robo (program) and Casual Robo made no legal move")
		if games := h.ask("GET", "/api/games", "",
			"").text; !strings.Contains(games, `"players":["human","casual"],"agent":"first"`) ||
			!strings.Contains(games, "program=first illegal=2 unreadable=1") {
			t.Errorf("/api/games sends %s", games)
		}
		eve.expectText(page+"/games/1", "main",
			"A program plays by MCP against level casual, after 2 given moves.")
		eve.expectText(page+"/games/1?ply=2", "main", lost)
		log := h.ask("GET", api+"/log", "", "").text
		if !strings.Contains(log, `"openings":"7a 3b","tries":3}`) ||
			!strings.Contains(log, `"kind":"faulted","seat":1,"fault":"unreadable"`) ||
			strings.Contains(log, `"lot"`) {
			t.Errorf("the log is %s", log)
		}
		for _, path := range []string{page, page + "/games/1", api, api + "/log", "/api/games"} {
			for _, secret := range []string{"271828", "314159", "the-run"} {
				if text := h.ask("GET", path, "", "").text; strings.Contains(text, secret) {
					t.Errorf("%s reveals %s", path, secret)
				}
			}
		}
	})
}

// TestAgentOnPage plays through the page for a program: an illegal move costs one try, also after
// an event that does not affect it, and a legal move is played.
func TestAgentOnPage(t *testing.T) {
	h := newTestServer(t)
	const id = "roborobororo"
	visit, err := h.Hall.Open(t.Context(), id, match.Setup{
		Rules: digit.Dilemma, Levels: [2]string{"", "casual"}, Agent: match.Agent{Tries: 3},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer visit.Close()
	if _, err := visit.Table.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	robo := h.browser(t).get("/t/" + id + "/seat/" + h.Keys.Token(id, match.One))
	for _, tt := range []struct {
		move, seq string
		status    int
		left      int
		played    bool
	}{
		{"7d", "2", 422, 2, false},
		{"7d", "2", 422, 1, false}, // the fault in between does not affect the move
		{"7a", "1", 409, 1, false}, // chosen before the game
		{"7a", "2", 200, 3, true},
	} {
		robo.post("/t/"+id+"/moves", url.Values{"move": {tt.move}, "seq": {tt.seq}})
		s := h.state(id)
		if robo.status != tt.status || s.TriesLeft() != tt.left || len(s.Moves) > 0 != tt.played {
			t.Errorf("%+v: status %d, %d tries left, %d moves", tt, robo.status, s.TriesLeft(),
				len(s.Moves))
		}
	}
}
