package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"digitduel/match"
)

// A liveListener receives the live updates of a table as the script of its page does.
type liveListener struct {
	t        testing.TB
	messages chan [2]string // event and data
	leave    func()
}

// listen connects to the stream at a path with the cookies of a browser.
func (h *testServer) listen(t testing.TB, b *browser, path string) *liveListener {
	t.Helper()
	return h.listenAt(t, b, "http://duel.example", path)
}

// listenAt is like listen, at another origin of the server.
func (h *testServer) listenAt(t testing.TB, b *browser, origin, path string) *liveListener {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, "GET", origin+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range b.jar.Cookies(r.URL) {
		r.AddCookie(c)
	}
	answer, err := h.client.Do(r) //nolint:bodyclose // leave closes it
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v %v", path, answer, err)
	}
	l := &liveListener{t, make(chan [2]string, 1000), func() { cancel(); answer.Body.Close() }}
	go func() {
		defer close(l.messages)
		lines := bufio.NewScanner(answer.Body)
		lines.Buffer(nil, 1<<20)
		for kind := ""; lines.Scan(); {
			if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				kind = name
			}
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				l.messages <- [2]string{kind, data}
			}
		}
	}()
	return l
}

// next returns the data of the next message of a kind, and skips others.
func (l *liveListener) next(kind string) string {
	l.t.Helper()
	for m := range l.messages {
		if m[0] == kind {
			return m[1]
		}
	}
	l.t.Fatalf("the stream ended without %s", kind)
	return ""
}

// TestLive checks the live updates of a table: people, time left, moves, pings and the end.
func TestLive(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		ada, ben := h.pair(t, "dilemma", "turn_time=30s")
		id := ada.id()
		stream := h.listen(t, ben, fmt.Sprintf("/t/%s/live?after=%d", id, h.state(id).Seq))
		defer stream.leave()
		var people struct {
			Seats             [2]string
			Watchers, Version string
			Left              int64
			Seq               int
		}
		if err := json.Unmarshal([]byte(stream.next("people")), &people); err != nil {
			t.Fatal(err)
		}
		if people.Seats != [2]string{"here", "here"} || people.Version != statics().version ||
			people.Left != 30_000 || people.Seq != 4 {
			t.Errorf("people are %+v", people)
		}
		time.Sleep(4 * time.Second)
		h.memStore.down.Store(3)
		h.Hall.Notice(match.Notice{Away: true})
		if err := json.Unmarshal([]byte(stream.next("people")), &people); err != nil ||
			people.Left != 29_000 || people.Seq != 4 {
			t.Errorf("after 3 of 4 seconds without the store %d ms are left: %v", people.Left, err)
		}
		h.memStore.down.Store(0)
		ada.get("/t/"+id).press("button[id=play]", "digit=7", "spot=b")
		var u update
		if err := json.Unmarshal([]byte(stream.next("table")), &u); err != nil {
			t.Fatal(err)
		}
		if u.Say != "Ada put 7 in the middle. Ada has blank 7 blank. Your turn. Pick a digit, then a place for it. Still in the pool: 0, 1, 2, 3, 4, 5, 6, 8, 9." || u.Title != "Your turn: pick a digit and a place – Digit Dilemma · Digit Duel" || u.Seq != 5 || u.Left != 30_000 {
			t.Errorf("the update says %+v", u)
		}
		part, err := parsePage(u.HTML)
		if err != nil {
			t.Fatalf("%v\n%s", err, u.HTML)
		}
		for _, fault := range faults(part, false) {
			t.Error(fault)
		}
		if part.one("form[id=move]") == nil || part.one("input[name=seq]").attrs["value"] != "5" {
			t.Errorf("the part of the page is\n%s", u.HTML)
		}
		watch := h.listen(t, h.browser(t), "/t/"+id+"/live?after=5")
		defer watch.leave()
		if text := stream.next("people"); !strings.Contains(text, "1 person watches") {
			t.Errorf("people are %s", text)
		}
		if text := stream.next("ping"); text != "{}" {
			t.Errorf("the ping has %s", text)
		}
		ben.get("/t/" + id).press("button[data-act=resign]")
		if text := watch.next("table"); !strings.Contains(text, `"say":"Ben resigned. Ada wins."`) {
			t.Errorf("a watcher gets %s", text)
		}
		if got := h.browser(t).get("/t/"+id,
			"X-Requested-With: duel").text; !strings.Contains(got, `"title":"Ben resigned – Digit Dilemma · Digit Duel"`) {
			t.Errorf("without a stream the script gets %s", got)
		}
	})
}

// TestAnswer checks that a player gets their own move and the computer's answer as two messages,
// however fast the computer is. For watchers it is one message, and not an answer.
func TestAnswer(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		table := h.open(`{"rules":"dilemma","seats":["human","perfect"]}`)
		start := h.state(table.id).Seq
		table.play("1:5b")
		if moves := len(h.state(table.id).Moves); moves != 2 {
			t.Fatalf("%d moves were made", moves)
		}
		ada := h.browser(t).get("/t/" + table.id + "/seat/" + table.tokens[0])
		receive := func(b *browser) (got []string) {
			l := h.listen(t, b, fmt.Sprintf("/t/%s/live?after=%d", table.id, start))
			defer l.leave()
			for seq := 0; seq < h.state(table.id).Seq; {
				var u update
				if err := json.Unmarshal([]byte(l.next("table")), &u); err != nil {
					t.Fatal(err)
				}
				seq, got = u.Seq, append(got, fmt.Sprint(u.Seq-start, u.Answer))
			}
			return got
		}
		if got := strings.Join(receive(ada), ", "); got != "1 false, 2 true" {
			t.Errorf("the player gets %s", got)
		}
		if got := strings.Join(receive(h.browser(t)), ", "); got != "2 false" {
			t.Errorf("a watcher gets %s", got)
		}
	})
}

// TestWatchersShareNoHost watches a table under a forged host name, and checks that it does not get
// into the updates of other watchers.
func TestWatchersShareNoHost(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		table := h.open(`{"rules":"dilemma"}`)
		listen := func(host string) *liveListener {
			return h.listenAt(t, h.browser(t), "http://"+host, "/t/"+table.id+"/live")
		}
		evil, good := listen("evil.example"), listen("duel.example")
		defer evil.leave()
		defer good.leave()
		table.play("1:7a 2:3b 1:1c 2:5a 1:4b 2:2c")
		for range 6 {
			for _, watcher := range []*liveListener{evil, good} {
				if html := watcher.next("table"); strings.Contains(html, "evil") ||
					strings.Contains(html, "://") {
					t.Fatalf("a watcher gets a link to a host: %s", html)
				}
			}
		}
	})
}
