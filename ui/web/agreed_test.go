package web

import (
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/match"
)

// TestTargets plays a series whose target changes, and checks every page that depends on it.
func TestTargets(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		ada, ben := h.pair(t, "divisibility", "best_of=3", "targets=11,13", "hints=always")
		id := ada.id()
		expect := func(b *browser, path, selector, want string) {
			t.Helper()
			if got := b.get(path).textOf(selector); !strings.Contains(got, want) {
				t.Errorf("%s: %s is %q, want %q", path, selector, got, want)
			}
		}
		expect(ada, "/t/"+id, "details[id=menu]", "Best of 3: first to 2 wins.")
		expect(ada, "/t/"+id, "details[id=menu]", " No clock. Game 1: 11, game 2: 13.")
		expect(ada, "/t/"+id, "h1", "Divisibility Duel")
		expect(ada, "/t/"+id, "p[id=goal]", "First multiple of 11 wins")
		stream := h.listen(t, ben, "/t/"+id+"/live")
		defer stream.leave()
		ada.press("button[data-act=resign]").press("button[data-act=next]")
		ben.get("/t/" + id).press("button[data-act=next]")
		for i := range 10 {
			if text := stream.next("table"); strings.Contains(text, "First multiple of 13 wins") {
				break
			} else if i == 9 {
				t.Errorf("the stream does not send the new target: %s", text)
			}
		}
		expect(ben, "/t/"+id, "p[id=goal]", "First multiple of 13 wins")
		ben.press("button[id=play]", "digit=1", "spot=R")
		ada.get("/t/"+id).press("button[id=play]", "digit=2", "spot=R")
		expect(ben, "/t/"+id+"?hint=1", "section[id=hint]", "13 = 13 × 1")
		ben.get("/t/"+id).press("button[id=play]", "digit=3", "spot=R")
		expect(ben, "/t/"+id, "[id=more]", "You made 13 = 13 × 1.")
		expect(ben, "/t/"+id+"/games/1?ply=0", "pre",
			"divisibility target=11 0-1 resigned; first=Ada second=Ben starts=1 game=1/3 hints=on targets=11,13 at=")
		expect(ben, "/t/"+id+"/games/2?ply=3", "pre",
			"divisibility target=13 1R 2R 3R 1-0 multiple; first=Ben second=Ada starts=2 game=2/3 ")
		expect(ben, "/t/"+id+"/games/2?ply=3", "ol", "You added 3 on the right 13 ")
		look := h.ask("GET", "/api/tables/"+id, "", "").text
		for _, want := range []string{`"rules":"divisibility target=13"`, `"targets":"11,13"`} {
			if !strings.Contains(look, want) {
				t.Errorf("the table is %s, want %s", look, want)
			}
		}
	})
}

// TestTargetsOfBots checks that the computer plays games with other targets, and that the stream
// sends their rules to bots.
func TestTargetsOfBots(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		table := h.open(`{"rules":"divisibility","best_of":3,"targets":"11,13","seats":["human","perfect"]}`)
		table.play("1:resign 1:next")
		s := h.state(table.id)
		if len(s.Moves) != 1 || s.Setup.Rules.Target != 13 {
			t.Errorf("the computer did not start the second game: %v", s.Record())
		}
		stream := table.listen(t.Context(), "", "?after=0")
		defer stream.body.Close()
		var sent []string
		for range s.Seq {
			e, _ := stream.next()
			if _, rules, ok := strings.Cut(e.data, `"rules":"`); ok {
				rules, _, _ = strings.Cut(rules, `"`)
				sent = append(sent, e.event+" "+rules)
			}
		}
		if got, want := strings.Join(sent, ", "),
			"opened divisibility target=11, began divisibility target=11, began divisibility target=13"; got != want {
			t.Errorf("the stream sends %s, want %s", got, want)
		}
	})
}

// TestAutoCall checks automatic calls: the form does not ask for a call, and the call is shown.
func TestAutoCall(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		ada, ben := h.pair(t, "sevens", "auto_call=on", "hints=always")
		id := ada.id()
		if got := ada.textOf("p[id=goal]"); !strings.Contains(got, "First hand to make a multiple of 7 wins") {
			t.Errorf("the goal is %q", got)
		}
		if got, want := ada.textOf("details[id=menu]"),
			"Automatic: the game calls your highest multiple."; !strings.Contains(got, want) {
			t.Errorf("the menu is %q, want %q", got, want)
		}
		stream := h.listen(t, ben, "/t/"+id+"/live")
		defer stream.leave()
		for i, d := range []string{"7", "5", "1", "8"} {
			[]*browser{ada, ben}[i%2].get("/t/"+id).press("button[id=play]", "digit="+d)
		}
		ada.get("/t/" + id + "?hint=1")
		if ada.page.one("fieldset[class=call for-2]") != nil ||
			ada.textOf("[id=status]") != "Your turn Pick a digit." {
			t.Errorf("the form asks for a call: %s", ada.textOf("form[id=move]"))
		}
		if got := ada.textOf("section[id=hint]"); strings.Contains(got, "call") ||
			!strings.Contains(got, "= 7 × ") {
			t.Errorf("the hint is %q", got)
		}
		ada.press("button[id=play]", "digit=2")
		if got, want := ada.textOf("[id=status]"),
			"You win! 721=7×103 You made 721 = 7 × 103."; got != want {
			t.Errorf("Ada's page shows %q, want %q", got, want)
		}
		const want = "Ada took 2. The game called 721, which is 7 times 103, for Ada. Ada wins!"
		for range 10 {
			if text := stream.next("table"); strings.Contains(text, want) {
				return
			}
		}
		t.Errorf("the stream never sends %q", want)
	})
}

// TestChance lets the time run out. The page and the stream report the random digit, without a
// call, also to a player who comes back later.
func TestChance(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		ada, ben := h.pair(t, "sevens", "turn_time=30s", "on_timeout=random")
		id := ada.id()
		stream := h.listen(t, ben, "/t/"+id+"/live")
		defer stream.leave()
		time.Sleep(30 * time.Second)
		synctest.Wait()
		s := h.state(id)
		if len(s.Moves) != 1 {
			t.Fatalf("the random moves are %v", s.Moves)
		}
		want := "time ran out, so a random digit was played: "
		if got := ada.get("/t/" + id).textOf("p[id=note]"); got != "Your "+want+s.Moves[0].String()+"." {
			t.Errorf("Ada's page shows %q", got)
		}
		if got := ben.get("/t/" + id).textOf("p[id=note]"); got != "Ada's "+want+s.Moves[0].String()+"." {
			t.Errorf("Ben's page shows %q", got)
		}
		for i := 0; ; i++ {
			if text := stream.next("table"); strings.Contains(text, `"say":"Ada's `+want) {
				break
			} else if i == 5 {
				t.Errorf("the stream sends %s", text)
				break
			}
		}
		playAny(t, ben.get("/t/"+id), rand.New(rand.NewPCG(1, 1)))
		if got := ben.textOf("p[id=note]"); got != "" {
			t.Errorf("after the next move the page still shows %q", got)
		}
		time.Sleep(4 * 30 * time.Second)
		synctest.Wait()
		if s = h.state(id); !s.Result.Over() {
			t.Fatalf("the game is not over: %v", s.Record())
		}
		if got := ada.get("/t/" + id).textOf("p[id=more]"); !strings.HasPrefix(got, "Ben's "+want) {
			t.Errorf("at the end Ada's page shows %q", got)
		}
	})
}

// TestNobodyCalls checks the text for the end of a game without a multiple. With automatic calls it
// does not say that nobody called, because the players had no call to make.
func TestNobodyCalls(t *testing.T) {
	for _, auto := range []bool{false, true} {
		s := played(t, "sevens 1 3 2 6 4 8 0-1 higher")
		s.Setup.AutoCall = auto
		steps := []match.Step{{Event: match.Event{Kind: match.Moved, Seat: match.Two, Move: &s.Moves[5]}, After: s}}
		for _, text := range []string{announcement(steps, viewer{}, match.State{}),
			viewer{}.narrator(s).Ending().Then(viewer{}.narrator(s).Aside()).Long} {
			if strings.Contains(text, "called") == auto || !strings.Contains(text, " wins.") {
				t.Errorf("auto-call %v: %s", auto, text)
			}
		}
	}
}
