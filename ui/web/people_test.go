package web

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"digitduel/match"
)

// TestRetries sends one move from eight goroutines at once: it is played once, and all get the same
// answer.
func TestRetries(t *testing.T) {
	h := newTestServer(t)
	for range 20 {
		table := h.open(`{"rules":"dilemma"}`)
		var all sync.WaitGroup
		answers := make([]string, 8)
		for i := range answers {
			all.Go(func() { answers[i] = table.say("1:7a@2").text })
		}
		all.Wait()
		if same := slices.Compact(slices.Clone(answers)); len(same) != 1 {
			t.Errorf("the answers differ: %s", same)
		}
		const want = "200 seq 3 playing 7__/___ second *"
		if got := table.say("look").String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestRaceForSeat lets sixteen clients take one seat at once: exactly one gets it.
func TestRaceForSeat(t *testing.T) {
	h := newTestServer(t)
	for range 10 {
		table := h.open(`{"rules":"dilemma","names":["Ada"],"seats":["human","anyone"]}`)
		var all sync.WaitGroup
		answers := make([]string, 16)
		for i := range answers {
			all.Go(func() {
				got := h.ask("POST", table.path+"/seats", "", fmt.Sprintf(`{"name":"Ben %d"}`, i))
				answers[i] = got.String()
			})
		}
		all.Wait()
		slices.Sort(answers)
		want := append([]string{"201 seat 2 second"},
			slices.Repeat([]string{"409 the seat is taken"}, 15)...)
		if diff := cmp.Diff(want, answers); diff != "" {
			t.Errorf("answers:\n%s", diff)
		}
		const began = "200 seq 3 playing ___/___ first *"
		if got := table.say("look").String(); got != began {
			t.Errorf("got %s, want %s", got, began)
		}
	}
}

// TestTwoComputers opens tables with two computers, which may start the game before the handler.
// Two players of one level have different names.
func TestTwoComputers(t *testing.T) {
	h := newTestServer(t)
	for range 100 {
		h.open(`{"rules":"dilemma","seats":["perfect","casual"]}`)
	}
	same := h.open(`{"rules":"dilemma","seats":["casual","casual"]}`)
	want := [2]string{"Computer (casual) 1", "Computer (casual) 2"} // by seat
	if got := h.state(same.id).Setup.Names; got != want {
		t.Errorf("two computers of one level are called %q, want %q", got, want)
	}
}

// TestClock lets the time for a turn run out, under both time-out rules.
func TestClock(t *testing.T) {
	for _, test := range []struct {
		order, script string
		wait          time.Duration
		want          string
	}{
		{`{"rules":"dilemma","turn_time":"5s"}`, "look", time.Hour, "200 seq 2 playing ___/___ first *"}, // the player to move has not come yet
		{`{"rules":"dilemma","turn_time":"5s"}`, "2:look", time.Hour, "200 seq 2 playing ___/___ first *"},
		{`{"rules":"dilemma","turn_time":"5s"}`, "1:look", 4 * time.Second, "200 seq 3 playing ___/___ first *"},
		{`{"rules":"dilemma","turn_time":"5s"}`, "1:look", 6 * time.Second, "200 seq 4 over ___/___ 0-1 time"},
		{`{"rules":"dilemma","turn_time":"5s"}`, "1:7a", 4 * time.Second, "200 seq 3 playing 7__/___ second *"},
		{`{"rules":"dilemma","turn_time":"5s"}`, "1:7a", 6 * time.Second, "200 seq 4 over 7__/___ 1-0 time"},
		{`{"rules":"dilemma","turn_time":"5s","first":2}`, "2:look", 6 * time.Second, "200 seq 4 over ___/___ 0-1 time"},
		{`{"rules":"dilemma","turn_time":"5s","best_of":3}`, "1:look", time.Minute, "200 seq 4 between ___/___ 0-1 time"},
		{`{"rules":"dilemma","turn_time":"5s","best_of":3}`, "1:resign 1:next 2:next 2:look", 6 * time.Second, "200 seq 8 between ___/___ 0-1 time"},
		{`{"rules":"dilemma","turn_time":"5s","best_of":3}`, "1:resign 1:next", 29 * time.Second, "200 seq 5 between ___/___ 0-1 resigned"},
		{`{"rules":"dilemma","turn_time":"5s","best_of":3}`, "1:resign 1:next", 31 * time.Second, "200 seq 6 playing ___/___ first *"},
		{`{"rules":"highest","turn_time":"5s","on_timeout":"random"}`, "1:9a", 6 * time.Second, "200 seq 4 playing 9__/??? first *"},
		{`{"rules":"highest","turn_time":"5s","on_timeout":"random"}`, "1:9a", 31 * time.Second, "200 seq 8 over 9??/??? ?-? higher"},
	} {
		inBubble(t, func(t *testing.T, h *testServer) {
			table := h.open(test.order)
			table.play(test.script)
			time.Sleep(test.wait)
			synctest.Wait()
			got := table.say("look")
			if !alike(got.String(), test.want) {
				t.Errorf("%s %s, %v later:\n got %v\nwant %s",
					test.order, test.script, test.wait, got, test.want)
			}
		})
	}
}

// TestClockIsTold checks that the deadline is shown, that a move made by the clock is marked, and
// that a late move is refused.
func TestClockIsTold(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		table := h.open(`{"rules":"dilemma","turn_time":"5s","on_timeout":"random"}`)
		text := table.say("1:look").field("deadline").(string)
		deadline, err := time.Parse(time.RFC3339Nano, text)
		if left := time.Until(deadline); err != nil || left != 5*time.Second {
			t.Errorf("%v left, want 5s: %v", left, err)
		}
		stream := table.listen(t.Context(), "", "?after=3")
		m, _ := stream.next()
		left := time.Until(deadline)
		if m.event != "moved" || !strings.Contains(m.data, `"auto":true`) || left != 0 {
			t.Errorf("got %s %v before the deadline", m.data, left)
		}
		stream.body.Close()
		const want = "409 the table has gone on since; seq is now 4: " +
			"read the table again and choose another move"
		if got := table.say("1:7a@2").String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// TestLeaving checks what each player can do after the first has left and the second still listens.
func TestLeaving(t *testing.T) {
	const dilemma = `{"rules":"dilemma"}`
	for _, test := range []struct{ script, want string }{
		{"look", "200 seq 3 playing ___/___ first *"},
		{"2:claim", "200 seq 4 over ___/___ 0-1 left"},
		{"1:claim", "409 the other player has not left"}, // player 1 is back
		{"1:7a@3", "200 seq 4 playing 7__/___ second *"}, // seq is that of the last event
		{"1:7a@3 1:7a@3", "200 seq 4 playing 7__/___ second *"},
		{"1:7a 2:claim", "409 the other player has not left"},
		{"1:hints 2:claim", "409 the other player has not left"},
		{"2:replace look", "200 seq 5 playing ???/___ second *"}, // the computer moves for seat 1
		{"2:replace=dog", `422 unknown level "dog" (use one of beginner, novice, casual, skilled, expert, master, perfect)`},
		{"2:replace 2:replace", "409 that is so already"},
		{"2:replace 2:claim", "409 the other player has not left"},
		{"2:replace 2:3b look", "200 seq 7 playing ???/_3_ second *"},
		{"2:replace 2:3b 2:hints 1:resign", "200 seq 10 over ???/_3_ 0-1 resigned"}, // seat 1 is back and plays for itself
	} {
		t.Run(test.script, func(t *testing.T) {
			inBubble(t, func(t *testing.T, h *testServer) {
				table := h.open(dilemma)
				stream := table.listen(t.Context(), table.tokens[1], "")
				defer stream.body.Close()
				go stream.rest()
				time.Sleep(12 * time.Second) // the grace period is ten
				synctest.Wait()
				if got := table.play(test.script).String(); !alike(got, test.want) {
					t.Errorf("got %s, want %s", got, test.want)
				}
			}, func(p *testConfig) { p.hall.Grace = 10 * time.Second })
		})
	}
}

// TestBeingThere checks that a stream, acts and requests with the token keep a player present, and
// that requests without it do not.
func TestBeingThere(t *testing.T) {
	for _, test := range []struct {
		name string
		do   func(table *table, second int)
		seq  int
	}{
		{"nothing", func(*table, int) {}, 3},
		{"looks without a token", func(table *table, _ int) { table.say("look") }, 3},
		{"looks with the token", func(table *table, _ int) {
			table.ask("GET", table.path, table.tokens[0], "")
		}, 2},
		{"tries to move", func(table *table, _ int) { table.say("1:7h") }, 2},
		{"tries to act", func(table *table, _ int) { table.say("1:undo") }, 2},
		{"listens", func(table *table, second int) {
			if second == 0 {
				go table.listen(table.t.Context(), table.tokens[0], "").rest()
			}
		}, 2},
		{"listens without a token", func(table *table, second int) {
			if second == 0 {
				go table.listen(table.t.Context(), "", "").rest()
			}
		}, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, h *testServer) {
				table := h.open(`{"rules":"dilemma"}`)
				go table.listen(t.Context(), table.tokens[1], "").rest()
				for second := range 30 {
					test.do(table, second)
					time.Sleep(time.Second)
				}
				synctest.Wait()
				if got := table.say("look").number("seq"); got != test.seq {
					t.Errorf("seq is %d, want %d", got, test.seq)
				}
			}, func(p *testConfig) { p.hall.Grace = 10 * time.Second })
		})
	}
}

// TestThereWithoutScript checks that a player without script is present while the page reloads
// itself, even if every other reload fails, and has left some time after the last one.
func TestThereWithoutScript(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		ada, ben := h.pair(t, "dilemma")
		id := ada.id()
		stream := h.listen(t, ben, "/t/"+id+"/live")
		defer stream.leave()
		again := refreshOf(h.state(id), viewer{plays: true, seat: match.One})
		meta := fmt.Sprintf(`http-equiv="refresh" content="%d;`, again)
		if again == 0 || !strings.Contains(ada.get("/t/"+id).text, meta) {
			t.Fatalf("the page of the player to move does not reload after %d seconds", again)
		}
		for range 5 {
			time.Sleep(2 * time.Duration(again) * time.Second)
			synctest.Wait()
			if h.state(id).Away[match.One] {
				t.Fatal("Ada counts as away although the page was loaded")
			}
			ada.get("/t/" + id)
		}
		time.Sleep(125 * time.Second)
		synctest.Wait()
		if !h.state(id).Away[match.One] {
			t.Error("Ada does not count as away")
		}
		if ada.get("/t/" + id); h.state(id).Away[match.One] {
			t.Error("Ada still counts as away after a request")
		}
	}, func(p *testConfig) { p.hall.Grace = 10 * time.Second })
}
