package web

import (
	"bufio"
	"context"
	"encoding/json"
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
)

// state returns how a table stands.
func (h *house) state(id string) match.State {
	h.t.Helper()
	v, err := h.Hall.Visit(context.Background(), id)
	if err != nil {
		h.t.Fatal(err)
	}
	defer v.Close()
	return v.Table.State()
}

// pair opens a table by the forms of pages and seats Ada and Ben at it.
func (h *house) pair(t testing.TB, rules string, choices ...string) (ada, ben *browser) {
	t.Helper()
	ada = h.browser(t).get("/new?" + url.Values{"rules": {rules}}.Encode())
	ada.press("button[class=main]", append(choices, "opponent=friend", "name=Ada")...)
	if ada.status != http.StatusOK {
		t.Fatalf("%s: %d %s", rules, ada.status, ada.reads("div[id=alert]"))
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

// radios returns the values that a form offers under a name.
func radios(form *element, name string) (values []string) {
	for _, e := range form.all("input[name=" + name + "]") {
		values = append(values, e.attrs["value"])
	}
	return values
}

// TestGamesByForms plays whole games of every book, and of other rules, with forms alone. Nothing that a form offers is refused,
// and what can be played is what the rules say.
func TestGamesByForms(t *testing.T) {
	rules := append(digit.BookNames(), "divisibility target=11 pool=0-9 zero=barred", "dilemma pool=0-f width=4 zero=counts", "sevens width=4", "highest width=1")
	for _, text := range rules {
		for seed := range uint64(4) {
			t.Run(fmt.Sprint(text, seed), func(t *testing.T) {
				h := newHouse(t)
				rng := rand.New(rand.NewPCG(seed, 0))
				ada, ben := h.pair(t, text)
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
					t.Fatalf("nobody can move at %v", state.Record())
				}
				for i, b := range []*browser{ada, ben} {
					who, why := ending(state, viewer{match.Seat(i), true})
					if got := b.get("/t/" + b.id()).reads("[id=status]"); got != who+" "+why {
						t.Errorf("%v is told as %q, want %q", state.Record(), got, who+" "+why)
					}
				}
			})
		}
	}
}

// playAny plays any move that a page offers.
func playAny(t *testing.T, b *browser, rng *rand.Rand) {
	t.Helper()
	form := b.page.one("form[id=move]")
	state := b.state(b.id())
	digits, spots := radios(form, "digit"), radios(form, "spot")
	if want := strings.Fields(state.Setup.Rules.Left(state.Position).List(" ")); !slices.Equal(digits, want) {
		t.Fatalf("the page offers %v, left are %v", digits, want)
	}
	d, spot := digits[rng.IntN(len(digits))], spots[rng.IntN(len(spots))]
	if d == "0" && state.Setup.Rules.Zero == digit.Barred { // no form knows of this
		d, spot = digits[len(digits)-1], spots[len(spots)-1]
	}
	choices := []string{"digit=" + d, "spot=" + spot}
	if calls := radios(form, "call"+d); len(calls) > 0 {
		choices = append(choices, "call"+d+"="+calls[rng.IntN(len(calls))])
	}
	b.press("button[id=play]", choices...)
	if after := b.state(b.id()); after.Seq != state.Seq+1 {
		t.Fatalf("%v was not played: %d %s", choices, b.status, b.reads("div[id=alert]"))
	}
}

// TestSeatCookie looks at the cookie that proves whose a seat is.
func TestSeatCookie(t *testing.T) {
	for _, secure := range []bool{false, true} {
		h := newHouse(t, func(p *plan) {
			if secure {
				p.BaseURL = "https://duel.example"
			}
		})
		b := h.browser(t).post("/tables", url.Values{"go": {"dilemma friend"}})
		i := slices.IndexFunc(b.cookies, func(c *http.Cookie) bool { return c.Name == seatCookie })
		if i < 0 {
			t.Fatalf("there is no cookie: %v", b.cookies)
		}
		state := h.shelf.ids()
		c := b.cookies[i]
		if !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/t/"+state[0] || c.Secure != secure || c.MaxAge != year || c.Value != h.Keys.Token(state[0], match.One) {
			t.Errorf("the cookie is %v", c)
		}
	}
}

// TestLinksChangeNothing follows every link of a table as programs do that show what is behind a link.
func TestLinksChangeNothing(t *testing.T) {
	h := newHouse(t)
	ada := h.browser(t).post("/tables", url.Values{"go": {"dilemma friend"}, "name": {"Ada"}})
	id := ada.id()
	link, _ := url.Parse(ada.page.one("input[id=invite-link]").attrs["value"])
	seq := h.state(id).Seq
	for range 3 {
		curious := h.browser(t)
		for _, path := range []string{"/t/" + id, link.Path, "/t/" + id, "/t/" + id + "?hint=1"} {
			if curious.get(path); curious.status != http.StatusOK {
				t.Errorf("%s: %d", path, curious.status)
			}
		}
		curious.load("HEAD", link.Path, "")
	}
	if now := h.state(id); now.Seq != seq || !now.Open[match.Two] {
		t.Errorf("after looking the table is at event %d, was at %d", now.Seq, seq)
	}
	if b := h.browser(t).get(link.Path[:len(link.Path)-1]); b.status != http.StatusNotFound || !strings.Contains(b.reads("p[class=lead]"), "leads to no seat") {
		t.Errorf("a wrong link: %d %s", b.status, b.text)
	}
	watcher := h.browser(t).get("/t/" + id)
	if strings.Contains(watcher.text, "/seat/") || watcher.page.one("form[id=sit]") != nil {
		t.Error("who only watches is offered the seat of a friend")
	}
	if watcher.post("/t/"+id+"/sit", url.Values{"name": {"Eve"}}); watcher.status != http.StatusConflict {
		t.Errorf("who only watches took the seat of a friend: %d", watcher.status)
	}
	ben := h.browser(t).get(link.Path)
	if ben.press("button[data-act=sit]", "name=Ada"); ben.status != http.StatusUnprocessableEntity || !strings.Contains(ben.reads("div[id=alert]"), "both players have it") {
		t.Errorf("a second Ada: %d %q", ben.status, ben.reads("div[id=alert]"))
	}
	if ben.press("button[data-act=sit]", "name=Ben"); ben.reads("h2[id=turn]") != "Ada to move" {
		t.Errorf("Ben reads %q", ben.reads("h2[id=turn]"))
	}
	if ben.post("/t/"+id+"/sit", url.Values{"name": {"Ben"}}); ben.status != http.StatusOK {
		t.Errorf("to sit twice: %d", ben.status)
	}
}

// TestOnlyPlayersAct sends moves and acts from those who may not.
func TestOnlyPlayersAct(t *testing.T) {
	h := newHouse(t)
	ada, ben := h.pair(t, "dilemma")
	other, _ := h.pair(t, "dilemma")
	id := ada.id()
	seq := h.state(id).Seq
	stranger := h.browser(t).get("/t/" + id)
	for _, selector := range []string{"form[id=move]", "input[type=radio]", "button[name=act]", "form", "input[id=my-link]"} {
		if stranger.page.one(selector) != nil {
			t.Errorf("who watches is offered %s", selector)
		}
	}
	forged := h.browser(t)
	forged.jar.SetCookies(&url.URL{Scheme: "http", Host: "duel.example", Path: "/t/" + id}, []*http.Cookie{
		{Name: seatCookie, Value: h.Keys.Token(other.id(), match.One), Path: "/"}, {Name: "x", Value: "y"},
	})
	for _, b := range []*browser{stranger, forged} {
		if b.post("/t/"+id+"/moves", url.Values{"move": {"7a"}}); b.status != http.StatusForbidden {
			t.Errorf("a move: %d", b.status)
		}
		for _, a := range acts {
			if b.post("/t/"+id+"/acts", url.Values{"act": {a.name}}); b.status != http.StatusForbidden {
				t.Errorf("%s: %d", a.name, b.status)
			}
		}
	}
	if ben.post("/t/"+id+"/moves", url.Values{"move": {"7a"}}, "Sec-Fetch-Site: cross-site"); ben.status != http.StatusForbidden {
		t.Errorf("a move from another site: %d", ben.status)
	}
	if now := h.state(id).Seq; now != seq {
		t.Errorf("event %d followed event %d", now, seq)
	}
}

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

// TestLeftPlayers gives whoever stays the choice.
func TestLeftPlayers(t *testing.T) {
	for _, test := range []struct{ button, want string }{
		{"claim", "You win Ben left the table."},
		{"replace", "Your turn"},
	} {
		inBubble(t, func(t *testing.T, h *house) {
			ada, ben := h.pair(t, "dilemma")
			defer h.listen(t, ada, "/t/"+ada.id()+"/live").leave()
			ada.get("/t/"+ada.id()).press("button[id=play]", "digit=7", "spot=a")
			time.Sleep(3 * time.Minute)
			synctest.Wait()
			ada.get("/t/" + ada.id()).press("button[data-act=" + test.button + "]")
			if got := ada.get("/t/" + ada.id()).reads("[id=status]"); !strings.HasPrefix(got, test.want) {
				t.Errorf("%s: the page says %q, want %q", test.button, got, test.want)
			}
			if got := ada.reads("p[data-here=2]"); test.button == "replace" && got != "left; the computer plays on" {
				t.Errorf("Ben is said to be %q", got)
			}
			if ben.get("/t/" + ben.id()); h.state(ben.id()).Away[match.Two] {
				t.Error("who looks is not taken for there")
			}
		})
	}
}

// TestHintsNeedConsent asks for hints in every way that pages have.
func TestHintsNeedConsent(t *testing.T) {
	h := newHouse(t)
	ada, ben := h.pair(t, "dilemma")
	id := ada.id()
	watcher := h.browser(t)
	expect := func(when string, allowed bool) {
		t.Helper()
		for name, b := range map[string]*browser{"Ada": ada, "Ben": ben, "who watches": watcher} {
			for _, headers := range [][]string{nil, {"X-Requested-With: duel"}} {
				b.get("/t/"+id+"?hint=1", headers...)
				has := strings.Contains(b.text, "badge") || strings.Contains(b.text, `id=\"hint\"`) || strings.Contains(b.text, `id="hint"`)
				if want := allowed && name != "who watches"; has != want {
					t.Errorf("%s: %s is given hints: %v, want %v\n%s", when, name, has, want, b.text)
				}
			}
		}
		stream := h.listen(t, watcher, "/t/"+id+"/live?hint=1")
		defer stream.leave()
		if text := stream.next("table"); strings.Contains(text, "badge") {
			t.Errorf("%s: who watches is sent hints: %s", when, text)
		}
	}
	expect("nobody agreed", false)
	ada.get("/t/" + id).press("button[data-act=hints]")
	expect("one agreed", false)
	if got := ben.get("/t/" + id).reads("form[id=hints-asked]"); !strings.Contains(got, "Ada agrees to hints") {
		t.Errorf("Ben reads %q", got)
	}
	ben.press("button[data-act=hints]")
	expect("both agreed", true)
	ada.get("/t/" + id).press("button[data-act=no-hints]")
	expect("one withdrew", false)
	ada.get("/t/" + id).press("button[data-act=hints]")
	ada.get("/t/" + id).press("button[data-act=resign]")
	expect("the game is over", false)
}

// TestAnalysis reads what is said of a position.
func TestAnalysis(t *testing.T) {
	h := newHouse(t)
	ada, ben := h.pair(t, "dilemma", "hints=always")
	for move := range strings.FieldsSeq("7a 3b 1c 5a") {
		mover := ada
		if h.state(ada.id()).Turn() == match.Two {
			mover = ben
		}
		mover.get("/t/"+mover.id()+"?hint=1").press("button[id=play]", "digit="+move[:1], "spot="+move[1:])
	}
	ada.get("/t/" + ada.id() + "?hint=1")
	if got, want := ada.reads("details[id=hint-move]"), "Put 2 in the middle. It wins in 1 turn. Put 2 in the middle: 721 = 7·103."; !strings.Contains(got, want) {
		t.Errorf("the hint is %q, want %q", got, want)
	}
	if got, want := ada.reads("label[data-digit=2]"), "2W1, wins in 1 turn"; got != want {
		t.Errorf("the digit says %q, want %q", got, want)
	}
	if got, want := ada.reads("table[class=worths]"), "0L2loses in 2 turns 2W1wins in 1 turn"; !strings.Contains(got, want) {
		t.Errorf("the table says %q, want %q", got, want)
	}
	if got := ben.get("/t/" + ben.id() + "?hint=1").reads("section[id=hint]"); !strings.HasPrefix(got, "The other player’s moves") {
		t.Errorf("Ben reads %q", got)
	}
}

// TestHostileNames gives players names that would do harm.
func TestHostileNames(t *testing.T) {
	h := newHouse(t)
	for _, name := range []string{`<script>alert(1)</script>`, `"><img src=x onerror=x>`, `'; DROP TABLE x --`, `{{.Keys}}`, "עדה", `</title><b>`, `javascript:alert(1)`} {
		b := h.browser(t).get("/new?book=dilemma")
		b.press("button[class=main]", "opponent=anyone", "name="+name)
		if b.status != http.StatusOK {
			t.Errorf("%q: %d %s", name, b.status, b.reads("div[id=alert]"))
			continue
		}
		watcher := h.browser(t).get("/t/" + b.id())
		watcher.press("button[data-act=sit]", "name=Ben")
		b.get("/t/" + b.id())
		if got := b.reads("section[id=board-1]") + b.reads("fieldset[id=board-1]"); !strings.Contains(got, name) {
			t.Errorf("%q is shown as %q", name, got)
		}
		watcher.press("button[data-act=resign]")
		for _, path := range []string{"/", "/games", "/lobby", "/t/" + b.id(), "/t/" + b.id() + "/games/1"} {
			if b.get(path); b.status != http.StatusOK || strings.Contains(b.text, "<script>alert") || strings.Contains(b.text, "<img") {
				t.Errorf("%q on %s: %d\n%s", name, path, b.status, b.text)
			}
		}
	}
}

// A hearer is the script of a page that listens to its table.
type hearer struct {
	t        testing.TB
	messages chan [2]string // the kind and the data of each
	leave    func()
}

// listen connects as the script of a page does, with the cookies of a browser.
func (h *house) listen(t testing.TB, b *browser, path string) *hearer {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, "GET", "http://duel.example"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range b.jar.Cookies(r.URL) {
		r.AddCookie(c)
	}
	answer, err := h.client.Do(r)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v %v", path, answer, err)
	}
	l := &hearer{t, make(chan [2]string, 1000), func() { cancel(); answer.Body.Close() }}
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

// next returns the data of the next message of a kind.
func (l *hearer) next(kind string) string {
	l.t.Helper()
	for m := range l.messages {
		if m[0] == kind {
			return m[1]
		}
	}
	l.t.Fatalf("the stream ended without %s", kind)
	return ""
}

// TestLive listens to a table as the script of a page does.
func TestLive(t *testing.T) {
	inBubble(t, func(t *testing.T, h *house) {
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
		if people.Seats != [2]string{"not here now", "here"} || people.Version != statics().version || people.Left != 30_000 || people.Seq != 3 {
			t.Errorf("people are %+v", people)
		}
		time.Sleep(4 * time.Second)
		ada.get("/t/"+id).press("button[id=play]", "digit=7", "spot=b")
		var u update
		if err := json.Unmarshal([]byte(stream.next("table")), &u); err != nil {
			t.Fatal(err)
		}
		if u.Say != "Ada put 7 in the middle: empty 7 empty. Your turn." || u.Title != "Your turn – Digit Dilemma" || u.Seq != 4 || u.Left != 30_000 {
			t.Errorf("the update says %+v", u)
		}
		part, err := parsePage(u.HTML)
		if err != nil {
			t.Fatalf("%v\n%s", err, u.HTML)
		}
		for _, fault := range faults(part, false) {
			t.Error(fault)
		}
		if part.one("form[id=move]") == nil || part.one("input[name=seq]").attrs["value"] != "4" {
			t.Errorf("the part of the page is\n%s", u.HTML)
		}
		watch := h.listen(t, h.browser(t), "/t/"+id+"/live?after=4")
		defer watch.leave()
		if text := stream.next("people"); !strings.Contains(text, "1 person watches") {
			t.Errorf("people are %s", text)
		}
		if text := stream.next("ping"); text != "{}" {
			t.Errorf("the ping has %s", text)
		}
		ben.get("/t/" + id).press("button[data-act=resign]")
		if text := watch.next("table"); !strings.Contains(text, `"say":"Ada wins. Ben resigned."`) {
			t.Errorf("who watches is told %s", text)
		}
		if got := h.browser(t).get("/t/"+id, "X-Requested-With: duel").text; !strings.Contains(got, `"title":"Ada wins – Digit Dilemma"`) {
			t.Errorf("without a stream the script is told %s", got)
		}
	})
}

// TestRefresh looks when a page without script looks again.
func TestRefresh(t *testing.T) {
	h := newHouse(t)
	refresh := func(b *browser) string {
		if e := b.page.one("meta[http-equiv=refresh]"); e != nil {
			return e.attrs["content"]
		}
		return ""
	}
	ada := h.browser(t).post("/tables", url.Values{"go": {"dilemma friend"}, "name": {"Ada"}})
	if got, want := refresh(ada), "5;url=/t/"+ada.id(); got != want {
		t.Errorf("who waits: %q, want %q", got, want)
	}
	link, _ := url.Parse(ada.page.one("input[id=invite-link]").attrs["value"])
	ben := h.browser(t).get(link.Path)
	if got := refresh(ben); got != "" {
		t.Errorf("who types a name: %q", got)
	}
	ben.press("button[data-act=sit]", "name=Ben")
	if got, want := refresh(ben), "5;url=/t/"+ben.id(); got != want {
		t.Errorf("not in turn: %q, want %q", got, want)
	}
	if got, want := refresh(ada.get("/t/"+ada.id())), "45;url=/t/"+ada.id(); got != want {
		t.Errorf("in turn: %q, want %q", got, want)
	}
	if got := refresh(h.browser(t).post("/tables", url.Values{"go": {"dilemma computer"}})); got != "" {
		t.Errorf("in turn against the computer: %q", got)
	}
}
