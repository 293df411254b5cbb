package web

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// state returns the state of a table.
func (h *testServer) state(id string) match.State {
	h.t.Helper()
	v, err := h.Hall.Visit(context.Background(), id)
	if err != nil {
		h.t.Fatal(err)
	}
	defer v.Close()
	return v.Table.State()
}

// pair opens a table with the forms of the pages and seats Ada and Ben at it.
func (h *testServer) pair(t testing.TB, rules string, choices ...string) (ada, ben *browser) {
	t.Helper()
	ada = h.browser(t).get("/new?" + url.Values{"rules": {rules}}.Encode())
	ada.press("button[class=main]", append(choices, "opponent=friend", "name=Ada")...)
	if ada.status != http.StatusOK {
		t.Fatalf("%s: %d %s", rules, ada.status, ada.textOf("div[id=alert]"))
	}
	link, err := url.Parse(ada.page.one("input[id=invite-link]").attrs["value"])
	if err != nil {
		t.Fatal(err)
	}
	ben = h.browser(t).get(link.Path)
	ben.press("button[data-act=sit]", "name=Ben")
	ada.get("/t/" + ada.id())
	return ada, ben
}

// radios returns the values that a form offers for a name.
func radios(form *element, name string) (values []string) {
	for _, e := range form.all("input[name=" + name + "]") {
		values = append(values, e.attrs["value"])
	}
	return values
}

// TestGamesByForms plays whole games of every book, and of other rules, with forms alone. The forms
// offer exactly the digits left, every offered move is accepted, and the page explains the result.
func TestGamesByForms(t *testing.T) {
	rules := append(digit.BookNames(), "divisibility target=11 pool=0-9 zero=barred",
		"dilemma pool=0-f width=4 zero=counts", "sevens width=4", "highest width=1",
		"sevens auto_call=on")
	for _, text := range rules {
		var choices []string
		if plain, auto := strings.CutSuffix(text, " auto_call=on"); auto {
			text, choices = plain, []string{"auto_call=on"}
		}
		for seed := range uint64(4) {
			t.Run(fmt.Sprint(text, choices, seed), func(t *testing.T) {
				h := newTestServer(t)
				rng := rand.New(rand.NewPCG(seed, 0))
				ada, ben := h.pair(t, text, choices...)
				for turn := 0; ; turn++ {
					mover, other := ada, ben
					if turn%2 == 1 {
						mover, other = ben, ada
					}
					mover.get("/t/" + mover.id())
					if mover.page.one("form[id=move]") == nil {
						break
					}
					if other.get("/t/" + other.id()); other.page.one("form[id=move]") != nil {
						t.Fatal("both can move")
					}
					playAny(t, mover, rng)
				}
				state := h.state(ada.id())
				if !state.Result.Over() || state.Phase() != match.Over {
					t.Fatalf("no form for a move, but the game is not over: %v", state.Record())
				}
				for i, b := range []*browser{ada, ben} {
					n := viewer{seat: match.Seat(i), plays: true}.narrator(state)
					cast := n.Sides()
					r := rulesFor(state.Setup)
					want := rulebook.Outcome(r, state.Result, cast).Long + " " +
						rulebook.Why(r, state.Position, state.Result, cast).Long
					b.get("/t/" + b.id())
					aside := n.Aside().Long
					if b.page.one("[id=turned]") != nil {
						aside = "" // the page shows only one of them
					}
					got := b.textOf("[id=turn]") + " " + b.textOf("[id=more]")
					if gotAside := b.textOf("[id=aside]"); got != want || gotAside != aside {
						t.Errorf("%v: the page says %q %q, want %q %q",
							state.Record(), got, gotAside, want, aside)
					}
				}
			})
		}
	}
}

// playAny plays a random move that a page offers.
func playAny(t *testing.T, b *browser, rng *rand.Rand) {
	t.Helper()
	form := b.page.one("form[id=move]")
	state := b.state(b.id())
	digits, spots := radios(form, "digit"), radios(form, "spot")
	want := strings.Fields(state.Setup.Rules.Left(state.Position).List(" "))
	if !slices.Equal(digits, want) {
		t.Fatalf("the page offers %v, want %v", digits, want)
	}
	d, spot := digits[rng.IntN(len(digits))], spots[rng.IntN(len(spots))]
	if d == "0" && state.Setup.Rules.Zero == digit.Barred { // a form does not show this rule
		d, spot = digits[len(digits)-1], spots[len(spots)-1]
	}
	choices := []string{"digit=" + d, "spot=" + spot}
	if calls := radios(form, "call"+d); len(calls) > 0 {
		choices = append(choices, "call"+d+"="+calls[rng.IntN(len(calls))])
	}
	b.press("button[id=play]", choices...)
	if after := b.state(b.id()); after.Seq != state.Seq+1 {
		t.Fatalf("%v was not played: %d %s", choices, b.status, b.textOf("div[id=alert]"))
	}
}

// TestLeftPlayers checks the choices of a player whose opponent has left.
func TestLeftPlayers(t *testing.T) {
	for _, test := range []struct{ button, want string }{
		{"claim", "You win! Ben left."},
		{"replace", "Your turn"},
	} {
		inBubble(t, func(t *testing.T, h *testServer) {
			ada, ben := h.pair(t, "dilemma")
			defer h.listen(t, ada, "/t/"+ada.id()+"/live").leave()
			ada.get("/t/"+ada.id()).press("button[id=play]", "digit=7", "spot=a")
			time.Sleep(3 * time.Minute)
			synctest.Wait()
			ada.get("/t/" + ada.id()).press("button[data-act=" + test.button + "]")
			got := ada.get("/t/" + ada.id()).textOf("[id=status]")
			if !strings.HasPrefix(got, test.want) {
				t.Errorf("%s: the page says %q, want %q", test.button, got, test.want)
			}
			got = ada.textOf("[data-here=2]")
			if test.button == "replace" && got != "left; the computer plays on" {
				t.Errorf("the page says of Ben: %q", got)
			}
			got = ada.textOf("ol")
			if test.button == "replace" && (!strings.Contains(got, "You put 7 on the left") ||
				!strings.Contains(got, "The computer, for Ben, put ")) {
				t.Errorf("the list of moves is %q", got)
			}
			if ben.get("/t/" + ben.id()); h.state(ben.id()).Away[match.Two] {
				t.Error("Ben counts as away although he has just loaded the page")
			}
		})
	}
}

// TestRematch checks that the number of a game grows with a rematch, and that the button says who
// starts.
func TestRematch(t *testing.T) {
	h := newTestServer(t)
	ada, ben := h.pair(t, "dilemma")
	ada.press("button[data-act=resign]")
	if got := ada.textOf("button[data-act=rematch]"); got != "Play again Ben starts" {
		t.Errorf("the button says %q", got)
	}
	ada.press("button[data-act=rematch]")
	ben.get("/t/" + ben.id()).press("button[data-act=rematch]")
	if got := ben.textOf("p[id=series]"); got != "Game 2" {
		t.Errorf("a rematch is %q", got)
	}
}

// TestNoCallChosen checks that a last digit without a choice about a call is refused, and accepted
// with one.
func TestNoCallChosen(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"sevens"}`)
	table.play("1:2 2:1 1:8 2:5")
	b := table.seatAt(1)
	if n := len(b.page.one("form[id=move]").all("input[checked]")); n != 1 { // the spot
		t.Errorf("%d inputs are checked, want 1", n)
	}
	b.press("button[id=play]", "digit=7")
	if got := b.textOf("div[id=alert]"); b.status != http.StatusUnprocessableEntity ||
		!strings.Contains(got, "Use 2, 7 and 8.") {
		t.Errorf("without a choice: %d %q", b.status, got)
	}
	b.press("button[id=play]", "digit=7", "call7=no")
	if s := h.state(table.id); len(s.Moves) != 5 || s.Result.Over() {
		t.Errorf("after no call: %v", s.Record())
	}
}

// TestNames checks that players keep the names they type, in every script, without control
// characters, and that two players cannot share one.
func TestNames(t *testing.T) {
	h := newTestServer(t)
	for typed, want := range map[string]string{
		"مهدی\u200cزاده":         "مهدی\u200cزاده",
		"👩\u200d👩\u200d👧\u200d👦": "👩\u200d👩\u200d👧\u200d👦", "Zoë": "Zoë", "\u202eneB\x07": "neB",
	} {
		ada, ben := h.browser(t).get("/new?book=dilemma"), h.browser(t)
		ada.press("button[class=main]", "opponent=anyone", "name="+typed)
		ben.get("/t/"+ada.id()).press("button[data-act=sit]", "name="+typed)
		if got := ben.textOf("div[id=alert]"); ben.status != http.StatusUnprocessableEntity ||
			!strings.Contains(got, "That name is taken.") {
			t.Errorf("%q twice: %d %q", typed, ben.status, got)
		}
		ben.press("button[data-act=sit]", "name=Ben "+typed)
		for _, b := range []*browser{ada, ben} {
			b.get("/t/" + ada.id())
			text := b.textOf("section[id=board-1]") + b.textOf("fieldset[id=board-1]") +
				b.textOf("section[id=board-2]") + b.textOf("fieldset[id=board-2]")
			if !strings.Contains(text, want) || !strings.Contains(text, "Ben "+want) {
				t.Errorf("%q is shown as %q", typed, text)
			}
		}
	}
}

// TestHostileNames checks that markup in names is escaped on every page.
func TestHostileNames(t *testing.T) {
	h := newTestServer(t)
	for _, name := range []string{
		`<script>alert</script>`, `"><img src=x onerror=x>`, `'; DROP TABLE x --`,
		`{{.Keys}}`, "עדה", `</title><b>`, `javascript:alert(1)`,
	} {
		b := h.browser(t).get("/new?book=dilemma")
		b.press("button[class=main]", "opponent=anyone", "name="+name)
		if b.status != http.StatusOK {
			t.Errorf("%q: %d %s", name, b.status, b.textOf("div[id=alert]"))
			continue
		}
		watcher := h.browser(t).get("/t/" + b.id())
		watcher.press("button[data-act=sit]", "name=Ben")
		b.get("/t/" + b.id())
		got := b.textOf("section[id=board-1]") + b.textOf("fieldset[id=board-1]")
		if !strings.Contains(got, name) {
			t.Errorf("%q is shown as %q", name, got)
		}
		watcher.press("button[data-act=resign]")
		table := "/t/" + b.id()
		for _, path := range []string{"/", "/games", "/lobby", table, table + "/games/1"} {
			if b.get(path); b.status != http.StatusOK ||
				strings.Contains(b.text, "<script>alert") || strings.Contains(b.text, "<img") {
				t.Errorf("%q on %s: %d\n%s", name, path, b.status, b.text)
			}
		}
	}
}

// TestRefresh checks how often a page without script reloads itself.
func TestRefresh(t *testing.T) {
	h := newTestServer(t)
	refresh := func(b *browser) string {
		if e := b.page.one("meta[http-equiv=refresh]"); e != nil {
			return e.attrs["content"]
		}
		return ""
	}
	ada := h.browser(t).post("/tables", url.Values{"go": {"dilemma friend"}, "name": {"Ada"}})
	if got, want := refresh(ada), "5;url=/t/"+ada.id(); got != want {
		t.Errorf("waiting for a friend: %q, want %q", got, want)
	}
	link, _ := url.Parse(ada.page.one("input[id=invite-link]").attrs["value"])
	ben := h.browser(t).get(link.Path)
	if got := refresh(ben); got != "" {
		t.Errorf("entering a name: %q", got)
	}
	ben.press("button[data-act=sit]", "name=Ben")
	if got, want := refresh(ben), "5;url=/t/"+ben.id(); got != want {
		t.Errorf("turn of the opponent: %q, want %q", got, want)
	}
	if got, want := refresh(ada.get("/t/"+ada.id())), "45;url=/t/"+ada.id(); got != want {
		t.Errorf("own turn: %q, want %q", got, want)
	}
	alone := h.browser(t).post("/tables", url.Values{"go": {"dilemma computer"}})
	if got := refresh(alone); got != "" {
		t.Errorf("own turn against the computer: %q", got)
	}
}
