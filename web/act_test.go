package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestRefusedMoves sends moves that are refused, with and without script.
func TestRefusedMoves(t *testing.T) {
	h := newHouse(t)
	ada, ben := h.pair(t, "dilemma")
	for _, test := range []struct {
		by     *browser
		form   string
		status int
		want   string
	}{
		{ben, "move=7a", 409, "It is not your turn."},
		{ada, "", 422, "Choose a digit first."},
		{ada, "digit=7", 422, "Choose a place for the 7."},
		{ada, "digit=7&spot=z", 422, `Move "7z": what follows the digit is not a place`},
		{ada, "digit=x&spot=a", 422, `Move "xa": it does not begin with a digit`},
		{ada, "digit=7&spot=d", 422, "7d: there is no place d; allowed: a b c."},
		{ada, "digit=7&spot=a&call=712", 422, `Move "7a=712": it is too long`},
		{ada, "move=7a&seq=1", 409, "The table has gone on since"},
		{ada, "move=7a&seq=x", 422, `Seq "x": allowed`},
		{ada, "move=" + strings.Repeat("7", 20000), 413, "The request is too large"},
	} {
		form, _ := url.ParseQuery(test.form)
		path := "/t/" + test.by.id() + "/moves"
		test.by.post(path, form)
		if got := test.by.reads("div[id=alert]") + test.by.reads("p[class=lead]"); test.by.status != test.status || !strings.Contains(got, test.want) {
			t.Errorf("%s: %d %q, want %d %q", test.form, test.by.status, got, test.status, test.want)
		}
		test.by.path = path
		test.by.post(path, form, "X-Requested-With: duel")
		var answer struct{ Error string }
		if err := json.Unmarshal([]byte(test.by.text), &answer); err != nil || test.by.status != test.status || !strings.Contains(answer.Error, test.want) {
			t.Errorf("%s by script: %d %s", test.form, test.by.status, test.by.text)
		}
		test.by.path = path
	}
	if b := ada.post("/t/"+ada.id()+"/moves", url.Values{"move": {"7a"}}, "Accept: application/json"); b.status != http.StatusNoContent {
		t.Errorf("a move by script: %d %s", b.status, b.text)
	}
}

// TestActs does everything beside moving by the buttons of pages.
func TestActs(t *testing.T) {
	h := newHouse(t)
	ada, ben := h.pair(t, "dilemma", "best_of=3")
	look := func(b *browser) *browser { return b.get("/t/" + b.id()) }
	play := func(b *browser, move string) { look(b).press("button[id=play]", "digit="+move[:1], "spot="+move[1:]) }
	expect := func(b *browser, selector, want string) {
		t.Helper()
		if got := look(b).reads(selector); !strings.Contains(got, want) {
			t.Errorf("%s is %q, want %q", selector, got, want)
		}
	}
	play(ada, "7a")
	play(ben, "3b")
	look(ada).press("button[data-act=undo]")
	expect(ada, "div[id=acts]", "You asked to take back your move.")
	expect(ben, "form[id=undo-asked]", "Ada wants to take back a move.")
	ben.press("button[data-act=refuse-undo]")
	look(ada).press("button[data-act=undo]")
	look(ben).press("button[value=agree-undo]")
	expect(ada, "section[id=moves]", "None yet.")
	look(ada).press("button[data-act=resign]")
	expect(ada, "[id=status]", "Ben wins You resigned.")
	expect(ben, "[id=status]", "You win Ada resigned.")
	expect(ben, "h2[id=who-2]", "1 won")
	look(ben).press("button[data-act=next]")
	expect(ben, "p[id=series]", "Game 2, best of 3")
	expect(ben, "h2[id=turn]", "Your turn") // the start alternates
	look(ada).press("button[data-act=resign]")
	expect(ada, "[id=status]", "Ben wins the series, 2 to 0.")
	look(ada).press("button[data-act=rematch]")
	expect(ben, "form[id=rematch-asked]", "Ada wants to play again.")
	ben.press("button[data-act=refuse-rematch]")
	look(ben).press("button[data-act=rematch]")
	look(ada).press("button[data-act=rematch]")
	expect(ada, "p[id=series]", "Game 1, best of 3")
}
