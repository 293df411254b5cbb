package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/match"
)

// TestLog reads the log of a table, also in parts. It has everything from which the state follows,
// but neither tokens nor seals.
func TestLog(t *testing.T) {
	h := newTestServer(t)
	order := `{"rules":"divisibility target=11","best_of":3,"turn_time":"30s","on_timeout":"random","first":2,"names":["Ada"],"hints":true,"targets":"11,13","seats":["human","friend"]}`
	opened := h.ask("POST", "/api/tables", "", order)
	id := opened.field("id").(string)
	seats := opened.field("seats").([]any)
	ada, ben := seats[0].(map[string]any)["token"].(string), seats[1].(map[string]any)
	if link, want := ben["link"].(string),
		"/t/"+id+"/seat/"+ben["invitation"].(string); !strings.HasSuffix(link, want) ||
		!strings.HasPrefix(link, "http") {
		t.Errorf("the link for Ben is %s, want …%s", link, want)
	}
	sat := h.ask("POST", "/api/tables/"+id+"/seats", ben["invitation"].(string), `{"name":"Ben"}`)
	h.ask("POST", "/api/tables/"+id+"/moves", sat.field("token").(string), `{"move":"4R"}`)
	h.ask("POST", "/api/tables/"+id+"/token", ada, `{}`)
	got := h.ask("GET", "/api/tables/"+id+"/log", "", "")
	var lines []string
	for _, one := range got.field("events").([]any) {
		e := one.(map[string]any)
		lines = append(lines, fmt.Sprint(e["seq"], " ", e["kind"], " ", e["seat"], " ", e["name"],
			" ", e["move"]))
	}
	want := []string{"1 opened <nil> <nil> <nil>", "2 seated 2 Ben <nil>",
		"3 began <nil> <nil> <nil>", "4 moved 2 <nil> 4R", "5 rekeyed 1 <nil> <nil>"}
	if strings.Join(lines, "\n") != strings.Join(want, "\n") {
		t.Errorf("the log is\n%s", strings.Join(lines, "\n"))
	}
	if again := fmt.Sprint(got.field("events").([]any)[0].(map[string]any)["order"]); again !=
		"map[best_of:3 first:2 hints:true names:[Ada ] on_timeout:random rules:divisibility target=11 seats:[human friend] targets:11,13 turn_time:30s]" {
		t.Errorf("the order is %s", again)
	}
	if state := h.memStore.state(id); strings.Contains(got.text, state.Setup.Seals[match.One]) ||
		strings.Contains(got.text, "seal") {
		t.Errorf("the log reveals seals: %s", got.text)
	}
	rest := h.ask("GET", "/api/tables/"+id+"/log?after=4", "", "")
	if len(rest.field("events").([]any)) != 1 || rest.number("seq") != 5 {
		t.Errorf("after the fourth event: %s", rest.text)
	}
	for path, want := range map[string]int{
		"/api/tables/" + id + "/log?after=x": http.StatusUnprocessableEntity,
		"/api/tables/none/log":               http.StatusNotFound,
	} {
		if got := h.ask("GET", path, "", ""); got.status != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	look := h.ask("GET", "/api/tables/"+id, sat.field("token").(string), "")
	if you := look.number("you"); you != 2 {
		t.Errorf("Ben's seat is %d, want 2", you)
	}
}

// TestStreamPeople checks that a stream sends the people present at a table to clients that ask for
// it, and not to others.
func TestStreamPeople(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		people := func(l *listener) string {
			m, _ := l.next()
			return m.data
		}
		table := h.open(`{"rules":"dilemma"}`)
		stream := table.listen(t.Context(), table.tokens[match.One], "?people=1&after=2")
		if got, want := people(stream),
			`{"here":[true,false],"watchers":0,"stood":"0s"}`; got != want {
			t.Errorf("at first: %s, want %s", got, want)
		}
		time.Sleep(2 * time.Second)
		other := table.listen(t.Context(), "", "?after=2")
		synctest.Wait()
		if got, want := people(stream),
			`{"here":[true,false],"watchers":1,"stood":"0s"}`; got != want {
			t.Errorf("with a watcher: %s, want %s", got, want)
		}
		table.say("1:7a")
		if got, _ := other.next(); got.event != "moved" {
			t.Errorf("a client that did not ask for people gets %v", got)
		}
	})
}
