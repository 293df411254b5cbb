package web

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// TestLists checks the list of tables in each phase.
func TestLists(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		get := func(path string) string {
			return strings.TrimSpace(h.ask("GET", path, "", "").text)
		}
		if got, want := get("/api/tables")+get("/api/games"),
			`{"tables":[]}{"games":[]}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		h.open(`{"rules":"dilemma"}`) // a private table
		friends := h.open(`{"rules":"dilemma","seats":["human","friend"]}`)
		invites := friends.listen(t.Context(), friends.tokens[0], "")
		defer invites.body.Close()
		go invites.rest()
		open := h.open(`{"rules":"sevens","names":["Ada"],"best_of":3,"turn_time":"90s","on_timeout":"random","hints":true,"auto_call":true,"targets":"7,13","first":2,"seats":["human","anyone"]}`)
		if got, want := get("/api/tables?phase=open"), `{"tables":[]}`; got != want {
			t.Errorf("before the host is connected: %s, want %s", got, want)
		}
		stream := open.listen(t.Context(), open.tokens[0], "")
		defer stream.body.Close()
		go stream.rest()
		synctest.Wait()
		at := time.Now().UTC().Format(time.RFC3339Nano)
		const summary = `{"tables":[{"id":"%s","rules":"%s","phase":"%s","names":["Ada","%s"],"first":2,"best_of":3,"targets":"7,13","turn_time":"1m30s","on_timeout":"random","hints":true,"auto_call":true,"game":%d,"wins":[%d,0],"draws":0,"opened":"%s"}]}`
		for _, step := range []struct {
			script, rules, phase, name string
			game, wins                 int
		}{
			{"look", "sevens", "open", "", 0, 0},
			{"sit=Ben", "sevens", "playing", "Ben", 1, 0},
			{"2:resign", "sevens", "between", "Ben", 1, 1},
			{"1:next 2:next", "sevens target=13", "playing", "Ben", 2, 1},
		} {
			open.play(step.script)
			want := fmt.Sprintf(summary, open.id, step.rules, step.phase, step.name, step.game,
				step.wins, at)
			if got := get("/api/tables?phase=" + step.phase); got != want {
				t.Errorf("%s:\n got %s\nwant %s", step.script, got, want)
			}
			if got := get("/api/tables"); got != want {
				t.Errorf("%s, all phases:\n got %s\nwant %s", step.script, got, want)
			}
		}
		open.play("2:resign")
		if got, want := get("/api/tables"), `{"tables":[]}`; got != want {
			t.Errorf("after the end: %s, want %s", got, want)
		}
	})
}

// TestLobbyScore checks that the lobby shows the score only of tables with more than one game.
func TestLobbyScore(t *testing.T) {
	h := newTestServer(t)
	for _, test := range []struct {
		terms match.Terms
		want  string
	}{
		{match.Terms{}, ""}, {match.Terms{BestOf: 1}, ""},
		{match.Terms{BestOf: 3}, "2 : 1"}, {match.Terms{Pair: true}, "2 : 1"},
	} {
		line := h.tableLine(match.Summary{Rules: digit.Highest, Wins: [2]int{2, 1},
			Terms: test.terms})
		if line.Score != test.want {
			t.Errorf("%+v: %q, want %q", test.terms, line.Score, test.want)
		}
	}
}

// TestLeftTables checks that abandoned tables do not hide a player who waits, neither in the lists
// nor from a player who looks for an opponent.
func TestLeftTables(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		const order = `{"rules":"highest","names":["Ada"],"seats":["human","anyone"]}`
		waits := h.open(order)
		stream := waits.listen(t.Context(), waits.tokens[0], "")
		defer stream.body.Close()
		go stream.rest()
		for range 150 {
			time.Sleep(time.Second)
			h.open(order) // nobody stays there
		}
		for range 2 { // while they are in memory, and after they are unloaded
			open := h.ask("GET", "/api/tables?phase=open&limit=1", "", "").text
			if strings.Count(open, `"id"`) != 1 || !strings.Contains(open, waits.id) {
				t.Errorf("the open tables are %s, want %s", open, waits.id)
			}
			if got := h.browser(t).get("/lobby").text; strings.Count(got, `<a href="/t/`) > 1 ||
				!strings.Contains(got, `/t/`+waits.id) {
				t.Errorf("the lobby does not list just the open table:\n%s", got)
			}
			time.Sleep(time.Minute)
		}
		ben := h.browser(t).post("/tables", url.Values{"book": {"highest"}, "opponent": {"anyone"},
			"name": {"Ben"}, "first": {"2"}, "hints": {"never"}})
		if ben.id() != waits.id {
			t.Errorf("the new player is sent to %s, but a player waits at %s", ben.path, waits.id)
		}
	})
}

// TestLobbyLeft checks that a table whose players came from the lobby is unloaded when they leave.
func TestLobbyLeft(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		waits := h.open(`{"rules":"highest","names":["Ada"],"seats":["human","anyone"]}`)
		stream := waits.listen(t.Context(), waits.tokens[0], "")
		ben := h.browser(t).post("/tables", url.Values{"book": {"highest"}, "opponent": {"anyone"},
			"name": {"Ben"}, "first": {toss}, "hints": {"never"}})
		stream.body.Close()
		time.Sleep(time.Minute)
		if synctest.Wait(); ben.id() != waits.id || h.Hall.Len() > 0 {
			t.Errorf("Ben is at %s, %d tables are loaded", ben.path, h.Hall.Len())
		}
	})
}

// TestHere checks that the page for a room shows how to join and the public tables only.
func TestHere(t *testing.T) {
	h := newTestServer(t)
	listed := h.open(`{"rules":"reverse","names":["Cleo",""],"seats":["human","anyone"]}`)
	listed.say("sit=Dan")
	private := h.open(`{"rules":"highest","names":["Eve","Fay"]}`)
	b := h.browser(t).get("/here")
	for _, want := range []string{`<p class="address">duel.example</p>`,
		`aria-label="The link as a QR code"`, "/t/" + listed.id, "Cleo", "Dan"} {
		if !strings.Contains(b.text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, not := range []string{private.id, "Eve", "--addr"} {
		if strings.Contains(b.text, not) {
			t.Errorf("the page shows %q", not)
		}
	}
}
