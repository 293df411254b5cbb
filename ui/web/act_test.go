package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestRefusedMoves checks how moves are refused, with and without script.
func TestRefusedMoves(t *testing.T) {
	h := newTestServer(t)
	ada, ben := h.pair(t, "dilemma")
	for _, test := range []struct {
		by     *browser
		form   string
		status int
		want   string
	}{
		{ben, "move=7a", 409, "It's Ada's turn."},
		{ada, "", 422, "Your turn. Pick a digit, then a place for it."},
		{ada, "digit=7", 422, "Where does 7 go: left, middle or right?"},
		{ada, "digit=7&spot=z", 422, `Move "7z": the digit is not followed by a place`},
		{ada, "digit=x&spot=a", 422, `Move "xa": it does not begin with a digit`},
		{ada, "digit=7&spot=d", 422, "Pick left, middle or right."},
		{ada, "digit=7&spot=a&call=712", 422, `Move "7a=712": it is too long`},
		{ada, "move=7a&seq=1", 409, "You start."},
		{ada, "move=7a&seq=x", 422, `Seq "x": allowed`},
		{ada, "move=" + strings.Repeat("7", 20000), 413, "The request is too large"},
	} {
		form, _ := url.ParseQuery(test.form)
		path := "/t/" + test.by.id() + "/moves"
		test.by.post(path, form)
		got := test.by.textOf("div[id=alert]") + test.by.textOf("p[class=lead]")
		if test.by.status != test.status || !strings.Contains(got, test.want) {
			t.Errorf("%s: %d %q, want %d %q", test.form, test.by.status, got, test.status,
				test.want)
		}
		test.by.path = path
		test.by.post(path, form, "X-Requested-With: duel")
		var answer struct{ Error string }
		if err := json.Unmarshal([]byte(test.by.text), &answer); err != nil ||
			test.by.status != test.status || !strings.Contains(answer.Error, test.want) {
			t.Errorf("%s by script: %d %s", test.form, test.by.status, test.by.text)
		}
		test.by.path = path
	}
	if b := ada.post("/t/"+ada.id()+"/moves", url.Values{"move": {"7a"}},
		"Accept: application/json"); b.status != http.StatusNoContent {
		t.Errorf("a move by script: %d %s", b.status, b.text)
	}
	table := "/t/" + ada.id()
	ben.get(table)
	ada.post(table+"/acts", url.Values{"act": {"hints"}})
	ben.press("button[id=play]", "digit=3", "spot=b")
	if ben.status != http.StatusOK || h.state(ada.id()).Seq != 6 {
		t.Errorf("Ben's move after Ada agreed to hints: %d %s", ben.status,
			ben.textOf("div[id=alert]"))
	}
	ada.get(table).press("button[id=play]", "digit=1", "spot=c")
	form := url.Values{"move": {"5a"}, "seq": {"6"}}
	ben.post(table+"/moves", form)
	if ben.status != http.StatusConflict ||
		ben.textOf("div[id=alert]") != "Ada has just moved. Check the board." {
		t.Errorf("a move in an old position: %d %q", ben.status, ben.textOf("div[id=alert]"))
	}
	ada.post(table+"/acts", url.Values{"act": {"resign"}})
	ben.post(table+"/moves", url.Values{"move": {"5a"}, "seq": {"7"}})
	if ben.status != http.StatusConflict ||
		ben.textOf("div[id=alert]") != "Ada resigned. You win." {
		t.Errorf("a move after the end: %d %q", ben.status, ben.textOf("div[id=alert]"))
	}
	waits := h.open(`{"rules":"dilemma","seats":["human","friend"]}`)
	ada.get("/t/" + waits.id + "/seat/" + waits.tokens[0])
	ada.post("/t/"+waits.id+"/moves", url.Values{"move": {"5a"}})
	if ada.status != http.StatusConflict {
		t.Errorf("a move before the game: %d %q", ada.status, ada.textOf("div[id=alert]"))
	}
}

// TestActs performs the acts besides moves with the buttons of the page.
func TestActs(t *testing.T) {
	h := newTestServer(t)
	ada, ben := h.pair(t, "dilemma", "best_of=3")
	look := func(b *browser) *browser { return b.get("/t/" + b.id()) }
	play := func(b *browser, move string) {
		look(b).press("button[id=play]", "digit="+move[:1], "spot="+move[1:])
	}
	expect := func(b *browser, selector, want string) {
		t.Helper()
		if got := look(b).textOf(selector); !strings.Contains(got, want) {
			t.Errorf("%s is %q, want %q", selector, got, want)
		}
	}
	play(ada, "7a")
	play(ben, "3b")
	look(ada).press("button[data-act=undo]")
	expect(ada, "[id=status]", "You asked Ben to let you take back 7 on the left.")
	expect(ben, "form[id=undo-asked]", "Ada wants to take back 7 on the left.")
	for _, b := range []*browser{ada, ben} { // asking back would be agreeing
		if look(b).page.one("button[data-act=undo]") != nil {
			t.Error("the page offers to take back a move while a request is open")
		}
	}
	ben.press("button[data-act=refuse-undo]")
	look(ada).press("button[data-act=undo]")
	look(ben).press("button[value=agree-undo]")
	expect(ada, "section[id=moves]", "None yet.")
	look(ada).press("button[data-act=resign]")
	expect(ada, "[id=status]", "Not this time You resigned.")
	expect(ben, "[id=status]", "You win! Ada resigned.")
	look(ben).press("button[data-act=next]")
	expect(ben, "form[id=next]",
		"You are ready. The next game starts when Ada is, or after the countdown. Next game in 0:30")
	expect(ada, "form[id=next]",
		"Ben is ready for the next game. Are you? Next game in 0:30 Next game")
	ada.press("button[data-act=next]")
	expect(ben, "p[id=series]", "Game 2. You lead 1–0.")
	expect(ben, "h2[id=turn]", "Your turn") // the start alternates
	look(ada).press("button[data-act=resign]")
	expect(ada, "[id=status]", "Ben wins the series 2–0.")
	look(ada).press("button[data-act=rematch]")
	expect(ben, "form[id=rematch-asked]", "Ada wants a rematch.")
	ben.press("button[data-act=refuse-rematch]")
	look(ben).press("button[data-act=rematch]")
	look(ada).press("button[data-act=rematch]")
	expect(ada, "p[id=series]", "Game 1")
}
