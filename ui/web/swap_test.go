package web

import (
	"math/rand/v2"
	"strings"
	"testing"

	"digitduel/match"
)

// expectText checks that the element of a page that matches a selector contains a text.
func (b *browser) expectText(path, selector, want string) {
	b.t.Helper()
	if got := b.get(path).textOf(selector); !strings.Contains(got, want) {
		b.t.Errorf("%s: %s reads %q, want %q", path, selector, got, want)
	}
}

// expectSaid checks that one of the next events of a stream contains a text.
func (s *liveListener) expectSaid(t *testing.T, want string) {
	t.Helper()
	var last string
	for range 12 {
		if last = s.next("table"); strings.Contains(last, want) {
			return
		}
	}
	t.Errorf("the stream never says %q; its last event is %s", want, last)
}

// TestSwap has the second player take over the first move, give it back and take it over again.
// Pages and streams show whose move it is.
func TestSwap(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		ada, ben := h.pair(t, "dilemma", "start=swap")
		id := ada.id()
		table, game := "/t/"+id, "/t/"+id+"/games/1"
		ada.expectText(table, "details[id=menu]",
			"Swap: the second player may take over the first move.")
		toAda, toBen := h.listen(t, ada, table+"/live"), h.listen(t, ben, table+"/live")
		defer toAda.leave()
		defer toBen.leave()
		if ben.get(table).page.one("form[id=swap]") != nil {
			t.Error("a swap is offered before the first move")
		}
		ada.press("button[id=play]", "digit=7", "spot=a")
		const offer = "You may take over 7 on the left instead of moving. Then Ada moves again."
		toBen.expectSaid(t, offer)
		if ada.get(table).page.one("form[id=swap]") != nil {
			t.Error("a swap is offered to the wrong player")
		}
		for range 2 {
			ben.expectText(table, "p[id=offer]", offer)
			ben.press("button[data-act=swap]")
			const taken = "Ben took over 7 on the left, so it's your turn again."
			toAda.expectSaid(t, taken)
			ada.expectText(table, "p[id=note]", taken)
			ada.expectText(table, "ol[class=moves]",
				"You put 7 on the left, and Ben took it over 7__")
			ben.expectText(table, "ol[class=moves]",
				"Ada put 7 on the left, and you took it over 7__")
			if s := h.state(id); !s.Swapped || s.Turn() != match.One {
				t.Fatalf("it is %v's turn", s.Turn())
			}
			if ada.get(table).page.one("button[data-act=undo]") != nil ||
				ben.get(table).page.one("form[id=swap]") != nil {
				t.Error("a player can take back the move of the opponent, or take it over twice")
			}
			ben.press("button[data-act=undo]")
			toAda.expectSaid(t, "Ben wants to give 7 on the left back.")
			ben.expectText(table, "[id=status]",
				"You asked Ada to let you give 7 on the left back.")
			ada.expectText(table, "form[id=undo-asked]", "Ben wants to give 7 on the left back.")
			ada.press("button[data-act=agree-undo]")
			toAda.expectSaid(t, "Ben gave 7 on the left back to you.")
			toBen.expectSaid(t, "You gave 7 on the left back to Ada.")
			ben.expectText(table, "[id=status]", "Your turn")
		}
		ben.get(table).press("button[data-act=swap]")
		ben.post(table+"/acts", map[string][]string{"act": {"swap"}})
		if got := ben.textOf("div[id=alert]"); !strings.Contains(got, "It is not your turn") {
			t.Errorf("a second swap is answered with %q", got)
		}
		ada.get(table).press("button[id=play]", "digit=3", "spot=b")
		ben.get(table).press("button[id=play]", "digit=2", "spot=b")
		ben.expectText(table, "ol[class=moves]",
			"Ada put 7 on the left, and you took it over 7__ ● Ada put 3 in the middle _3_")
		ada.get(table).press("button[id=play]", "digit=5", "spot=a")
		ben.get(table).press("button[id=play]", "digit=1", "spot=c")
		ben.expectText(table, "[id=more]", "You made 721 = 7 × 103.")
		ada.expectText(game+"?ply=0", "pre", "; first=Ben second=Ada starts=2 swap=taken at=")
		ada.expectText(game+"?ply=0", "main", "● Ada began, ◆ Ben took the first move over")
		ada.expectText(game+"?ply=0", "section[id=judged]", "Ada is about to begin.")
		ada.expectText(game+"?ply=1", "section[id=judged]",
			"put 7 on the left, and Ben took it over The second player may take over this move, "+
				"so it isn't graded by who wins after it.")
		ada.expectText(game+"?ply=1", "div[class=duo]", "7")
	})
}

// TestSwapPages plays random games with swaps, in which moves and swaps are taken back at any time.
// All pages can be shown at any time.
func TestSwapPages(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		rng := rand.New(rand.NewPCG(14, 5))
		for _, order := range []string{
			`{"rules":"dilemma","pair":true,"swap":true,"hints":true}`,
			`{"rules":"divisibility target=13","lot":true}`,
			`{"rules":"sevens","swap":true,"seats":["human","perfect"]}`,
		} {
			table := h.open(order)
			reader := h.browser(t)
			for range 60 {
				s := h.state(table.id)
				if s.Phase() == match.Over {
					break
				}
				words := []string{"next"}
				if s.Playing() {
					words = []string{"swap", "swap", "undo", "agree-undo", "undo", "agree-undo"}
					for m := range s.Setup.Rules.Moves(s.Position) {
						words = append(words, m.String())
					}
				}
				word := words[rng.IntN(len(words))]
				for _, seat := range []string{"1:", "2:"} {
					if seat == "2:" && s.Setup.Levels[match.Two] != "" {
						continue
					}
					if got := table.say(seat + word); got.status >= 500 {
						t.Fatalf("%s%s is answered with %v", seat, word, got)
					}
					for _, path := range []string{
						"/t/" + table.id, "/t/" + table.id + "/games/1", "/lobby", "/games",
					} {
						if reader.get(path); reader.status != 200 {
							t.Fatalf("%s after %s: %d", path, word, reader.status)
						}
					}
				}
			}
		}
	})
}

// TestOpeningLot plays a pair of games with a random opening: both start from it, nobody can take
// it back, and one win each is a draw.
func TestOpeningLot(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		ada, ben := h.pair(t, "dilemma", "start=lot")
		id := ada.id()
		table := "/t/" + id
		s := h.state(id)
		if !s.Setup.Pair || s.Given != 2 || len(s.Moves) != 2 || s.Turn() != match.One {
			t.Fatalf("the table is %+v", s)
		}
		ada.expectText(table, "details[id=menu]",
			"Two games: each of you starts one. 1–1 is a draw. No clock. "+
				"Random opening: both games start from the same moves")
		ada.expectText(table, "p[id=note]", "The game starts with ")
		ada.expectText(table, "ol[class=moves]", "Given: ")
		ada.expectText(table, "[id=series]", "Game 1 of 2")
		if ada.page.one("button[data-act=undo]") != nil {
			t.Error("an opening can be taken back")
		}
		look := h.ask("GET", "/api/tables/"+id, "", "")
		if look.field("openings") != string(s.Setup.Openings) || look.number("given") != 2 ||
			look.field("pair") != true {
			t.Errorf("the API answers %v", look.text)
		}
		logged := `"lot":true,"seats":["human","friend"]},"openings":"` +
			string(s.Setup.Openings) + `"`
		log := h.ask("GET", "/api/tables/"+id+"/log", "", "").text
		if !strings.Contains(log, logged) {
			t.Errorf("the log is %s, want %s in it", log, logged)
		}
		began := `"opening":"` + string(match.OpeningsOf(s.Moves)) + `"`
		stream := h.listen(t, ada, "/api/tables/"+id+"/events?after=0")
		if got := stream.next("began"); !strings.Contains(got, began) {
			t.Errorf("the stream sends %s, want %s in it", got, began)
		}
		stream.leave()
		ada.get(table).press("button[data-act=resign]").press("button[data-act=next]")
		ben.expectText(table, "[id=series]", "Game 1 of 2. You lead 1–0.")
		ben.get(table).press("button[data-act=next]")
		next := h.state(id)
		if next.Given != 2 || next.Position != s.Position || next.Turn() != match.Two {
			t.Errorf("the second game starts at %v, with %v to move", next.Position, next.Turn())
		}
		ben.get(table).press("button[data-act=resign]")
		const drawn = "The two games are drawn, 1–1."
		ben.expectText(table, "p[id=note]", drawn)
		ada.expectText("/yours", "main", "The two games are drawn, 1–1 against Ben")
		ben.get(table).press("button[data-act=publish]")
		ada.get(table).press("button[data-act=publish]")
		ada.expectText(table+"/games/2", "p[id=series]", "Game 2 of 2. "+drawn)
		ada.expectText(table+"/games/1", "p[id=series]", "Game 1 of 2. Ben leads 1–0.")
		ada.expectText(table+"/games/2?ply=0", "pre", " pair=2 opening=2 at=")
		ada.expectText(table+"/games/1?ply=1", "section[id=judged]", "Given: ")
	})
}

// TestLotByKey checks that orders with the same idempotency key get the same table, and that orders
// without a key get different openings.
func TestLotByKey(t *testing.T) {
	h := newTestServer(t)
	const order, key = `{"rules":"highest","lot":true}`, "Idempotency-Key: 0123456789abcdef"
	ids, lots := map[any]bool{}, map[match.Openings]bool{}
	for range 3 {
		answer := h.ask("POST", "/api/tables", "", order, key)
		ids[answer.field("id")] = true
	}
	if len(ids) != 1 {
		t.Errorf("orders with one key opened %v", ids)
	}
	for range 4 {
		lots[h.state(h.open(order).id).Setup.Openings] = true
	}
	if len(lots) < 2 {
		t.Errorf("four tables have the openings %v", lots)
	}
}

// TestMeetBySettings checks that players who want anyone as an opponent are seated with a host who
// chose the same settings.
func TestMeetBySettings(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		settings := []string{"", "start=swap", "best_of=pair", "start=lot"}
		hosts := make([]string, len(settings))
		for i, setting := range settings {
			choices := append(strings.Fields(setting), "opponent=anyone")
			host := h.browser(t).get("/new?book=dilemma").press("button[class=main]", choices...)
			hosts[i] = host.id()
			stream := h.listen(t, host, "/t/"+host.id()+"/live")
			defer stream.leave()
		}
		h.settle()
		lobby := h.browser(t).get("/lobby")
		for i, want := range []string{
			"One game.", "Swap: the second player may take over the first move.",
			"Two games: each of you starts one.", "both games start from the same moves",
		} {
			if got := lobby.textOf("li[id=open-" + hosts[i] + "]"); !strings.Contains(got, want) {
				t.Errorf("%s: the lobby says %q, want %q", settings[i], got, want)
			}
		}
		for i, setting := range settings {
			choices := append(strings.Fields(setting), "opponent=anyone", "first=toss")
			guest := h.browser(t).get("/new?book=dilemma").press("button[class=main]", choices...)
			if guest.id() != hosts[i] {
				t.Errorf("a guest with %q is at a table of %+v", setting, h.state(guest.id()).Setup)
			}
		}
	})
}

// TestSwapHints checks hints where a swap changes the best move. In dilemma, one side can force a
// win after each first move, so the second player takes over a winning one and leaves a losing one.
// In seesaw, some first moves draw.
func TestSwapHints(t *testing.T) {
	for _, test := range []struct{ rules, move, want string }{
		{"dilemma", "", "after each of your 30 moves one of you can force a win."},
		{"seesaw", "", "9 of your 30 moves draw with best play: find one of them."},
		{"dilemma", "7a", "Take over the first move: the player who has it can force a win."},
		{"dilemma", "0a", "The move"},
		{"divisibility target=7", "", "The move"}, // 7 ends the game, so it cannot be taken over
	} {
		h := newTestServer(t)
		table := h.open(`{"rules":"` + test.rules + `","swap":true,"hints":true}`)
		seat := 1
		if test.move != "" {
			table.play("1:" + test.move)
			seat = 2
		}
		b := table.seatAt(seat)
		got := b.get("/t/" + table.id + "?hint=1").textOf("section[id=hint]")
		if !strings.Contains(got, test.want) {
			t.Errorf("%s %s: the hint is %q, want %q", test.rules, test.move, got, test.want)
		}
		hint := h.ask("GET", "/api/tables/"+table.id+"/hint", table.tokens[seat-1], "")
		if swap := hint.field("swap") == true; swap != strings.HasPrefix(test.want, "Take over") {
			t.Errorf("%s %s: the API says %s", test.rules, test.move, hint.text)
		}
	}
}
