package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// secondServer starts another server with the same store. It is not notified of changes by other
// servers.
func (h *testServer) secondServer(t testing.TB, changes ...func(*testConfig)) *testServer {
	return newTestServer(t, append(changes, func(p *testConfig) { p.memStore = h.memStore })...)
}

// link returns the path of a link on the page.
func (b *browser) link(id string) string {
	b.t.Helper()
	e := b.page.one("input[id=" + id + "]")
	if e == nil {
		b.t.Fatalf("%s: no element %s\n%s", b.path, id, b.text)
	}
	link, err := url.Parse(e.attrs["value"])
	if err != nil {
		b.t.Fatal(err)
	}
	return link.Path
}

// expect checks the alert on the page, and whether the browser plays or watches.
func (b *browser) expect(alert string, plays bool) {
	b.t.Helper()
	if got := b.textOf("div[id=alert]"); got != alert {
		b.t.Errorf("%s: the alert is %q, want %q", b.path, got, alert)
	}
	if got := b.page.one("input[id=my-link]") != nil; got != plays {
		b.t.Errorf("%s: plays: %v, want %v", b.path, got, plays)
	}
}

const (
	benSits   = "Ben has this seat. You can watch. Are you Ben? Use your own link."
	loggedOut = "You are logged out of this seat: its link was changed on another device. You can watch."
)

// TestInvitation sends one invitation to several people. Only the first to accept gets the seat; no
// other, not even the inviter, can use it.
func TestInvitation(t *testing.T) {
	h := newTestServer(t)
	ada := h.browser(t).post("/tables", url.Values{"go": {"dilemma friend"}, "name": {"Ada"}})
	id, invitation := ada.id(), ada.link("invite-link")
	ben, eve := h.browser(t).get(invitation), h.browser(t).get(invitation)
	for _, b := range []*browser{ben, eve} {
		b.expect("", false)
		if b.textOf("h2[id=turn]") != "Ada invites you to Digit Dilemma" ||
			strings.Contains(b.path, "seat") {
			t.Errorf("an invited browser is at %s and shows %q", b.path, b.textOf("h2[id=turn]"))
		}
	}
	stranger := h.browser(t).get("/t/" + id).textOf("div[id=status]")
	if !strings.Contains(stranger, "To play, ask Ada for the invitation.") {
		t.Errorf("a browser without the invitation shows %q", stranger)
	}
	ben.press("button[data-act=sit]", "name=Ben").expect("", true)
	if eve.press("button[data-act=sit]", "name=Eve"); eve.status != http.StatusConflict {
		t.Errorf("the second to sit gets %d", eve.status)
	}
	eve.expect("Someone else has this seat. You can watch.", false)
	eve.get("/t/"+id).expect(benSits, false)
	late := h.browser(t).get(invitation)
	late.expect(benSits, false)
	ben.get(invitation).expect("", true) // it is still his
	ada.get(invitation).expect("That is Ben's seat. You keep your own.", true)

	seq := h.state(id).Seq
	copied := h.browser(t) // has the invitation in every cookie that may hold a token
	token := invitation[strings.LastIndex(invitation, "/")+1:]
	at := &url.URL{Scheme: "http", Host: "duel.example", Path: "/t/" + id}
	copied.jar.SetCookies(at, []*http.Cookie{{Name: seatCookie, Value: token, Path: "/"},
		{Name: inviteCookie, Value: token, Path: "/"},
		{Name: browserCookie, Value: token, Path: "/"}})
	for _, b := range []*browser{eve, late, copied} {
		b.post("/t/"+id+"/acts", url.Values{"act": {"resign"}})
		if b.status != http.StatusForbidden {
			t.Errorf("another browser resigns for Ben: %d", b.status)
		}
		b.post("/t/"+id+"/token", url.Values{"key": {"0123456789abcdef"}})
		if b.status != http.StatusForbidden {
			t.Errorf("another browser changes Ben's token: %d", b.status)
		}
		b.post("/t/"+id+"/sit", url.Values{"name": {"Eve"}})
		if b.status != http.StatusForbidden && b.status != http.StatusConflict {
			t.Errorf("another browser sits down: %d", b.status)
		}
		b.path = "/t/" + id
	}
	for request, want := range map[string]string{
		"/acts": "403 the invitation has been used; the player who took the seat has another token", "/token": "403 the invitation has been used; the player who took the seat has another token",
		"/seats": "409 the seat is taken",
	} {
		body := map[string]string{"/acts": `{"act":"resign"}`}[request]
		if got := h.ask("POST", "/api/tables/"+id+request, token,
			body+strings.Repeat("{}", 1-min(1, len(body)))).String(); got != want {
			t.Errorf("%s with the invitation: %s, want %s", request, got, want)
		}
	}
	if now := h.state(id).Seq; now != seq {
		t.Errorf("event %d followed event %d", now, seq)
	}
	ada.get("/t/"+id).press("button[id=play]", "digit=7", "spot=a")
	ben.get("/t/"+id).press("button[id=play]", "digit=3", "spot=b")
	if now := h.state(id); len(now.Moves) != 2 {
		t.Errorf("the moves are %v", now.Moves)
	}
}

// TestOwnLinks checks that a browser keeps its seat when it opens a link to another seat.
func TestOwnLinks(t *testing.T) {
	h := newTestServer(t)
	ada := h.browser(t).post("/tables", url.Values{"go": {"dilemma friend"}, "name": {"Ada"}})
	id, invitation, own := ada.id(), ada.link("invite-link"), ada.link("my-link")
	ada.get(invitation).expect("This is your own invitation. You keep your seat; send the link to a friend.", true)
	if ada.post("/t/"+id+"/sit", url.Values{"name": {"Ada2"}}); h.state(id).Seq != 1 {
		t.Error("Ada sat down opposite herself")
	}
	ada.expect("This is your own invitation. You keep your seat; send the link to a friend.", true)
	if own == invitation || ada.link("my-link") != own || ada.link("invite-link") != invitation {
		t.Error("the links have changed")
	}
	ben := h.browser(t).get(invitation).press("button[data-act=sit]", "name=Ben")
	mine := ben.link("my-link")
	if mine == invitation {
		t.Error("Ben's own link is the invitation")
	}
	phone := h.browser(t).get(ben.tokenLink(id))
	phone.expect("", true)
	if phone.textOf("h2[id=turn]") != "Ada's turn" || phone.path != "/t/"+id {
		t.Errorf("with his own link Ben is at %s and sees %q", phone.path,
			phone.textOf("h2[id=turn]"))
	}
	ada.get(mine).expect("That is Ben's seat. You keep your own.", true)
	if ada.get("/t/" + id); ada.link("my-link") != own {
		t.Error("Ada has Ben's seat")
	}
	h.browser(t).get("/t/"+id+"?link=own").expect("", false)
}

// TestLostAnswer takes a seat and loses the response. Sitting again, loading the table and
// following the link each give the seat, at this server, after a restart and at another server.
func TestLostAnswer(t *testing.T) {
	for name, again := range map[string]func(b *browser, id, invitation string){
		"look":   func(b *browser, id, _ string) { b.get("/t/" + id) },
		"follow": func(b *browser, _, invitation string) { b.get(invitation) },
		"sit":    func(b *browser, id, _ string) { b.post("/t/"+id+"/sit", url.Values{"name": {"Ben"}}) },
	} {
		for _, order := range []string{"dilemma friend", "dilemma anyone"} {
			h := newTestServer(t)
			ada := h.browser(t).post("/tables", url.Values{"go": {order}, "name": {"Ada"}})
			id, invitation := ada.id(), ada.link("invite-link")
			there := h.secondServer(t)
			there.state(id) // while the seat is free
			ben, cyd := h.browser(t).get(invitation), h.browser(t).get(invitation)
			ben.postLost("/t/"+id+"/sit", url.Values{"name": {"Ben"}})
			seq := h.state(id).Seq
			for where, server := range map[string]*testServer{"here": h,
				"after a restart": h.secondServer(t), "at another server": there} {
				b := *ben
				b.jar = h.browser(t).jar
				b.jar.SetCookies(&url.URL{Scheme: "http", Host: "duel.example", Path: "/t/" + id},
					ben.jar.Cookies(&url.URL{Scheme: "http", Host: "duel.example", Path: "/t/" + id}))
				if where == "at another server" && name != "sit" {
					there.refresh(id) // as a notification would
				}
				if again(b.at(server), id, invitation); b.status != http.StatusOK {
					t.Errorf("%s, %s %s: %d %s", order, name, where, b.status,
						b.textOf("div[id=alert]"))
				}
				b.expect("", true)
				if name == "look" && len(b.cookies) == 0 {
					t.Errorf("%s, %s %s: the browser is not given the seat", order, name, where)
				}
			}
			if cyd.press("button[data-act=sit]", "name=Ben"); cyd.status != http.StatusConflict {
				t.Errorf("%s: another browser gets %d", order, cyd.status)
			}
			if now := h.state(id).Seq; now != seq {
				t.Errorf("%s, %s: event %d followed event %d", order, name, now, seq)
			}
		}
	}
}

// refresh loads the events of a table that another server has stored.
func (h *testServer) refresh(id string) {
	v, err := h.Hall.Visit(context.Background(), id)
	if err == nil {
		defer v.Close()
		err = v.Table.Refresh(context.Background())
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

const aKey, otherKey = "Idempotency-Key: 0123456789abcdef", "Idempotency-Key: fedcba9876543210"

// TestBeginAgain repeats an order whose table was opened, but whose game could not begin.
func TestBeginAgain(t *testing.T) {
	h := newTestServer(t)
	order := func() reply { return h.ask("POST", "/api/tables", "", `{"rules":"dilemma"}`, aKey) }
	h.memStore.breakWith(func() error {
		if len(h.memStore.ids()) > 0 {
			return errors.New("down")
		}
		return nil
	})
	if got := order(); got.status < 500 {
		t.Errorf("while the database is down: %v", got)
	}
	h.memStore.breakWith(nil)
	if got := order(); got.status != http.StatusCreated || got.number("seq") != 2 {
		t.Errorf("again: %v, want a game", got)
	}
}

// TestSitAgain repeats requests for a seat by the API: the same key gets the same token at every
// server, another key gets none.
func TestSitAgain(t *testing.T) {
	for _, seats := range []string{`["human","anyone"]`, `["human","friend"]`,
		`["friend","human"]`} {
		h := newTestServer(t)
		opened := h.ask("POST", "/api/tables", "", `{"rules":"dilemma","seats":`+seats+`}`)
		path := "/api/tables/" + opened.field("id").(string)
		there := h.secondServer(t)
		there.ask("GET", path, "", "")
		invitation, host := "", ""
		for _, seat := range opened.field("seats").([]any) {
			fields := seat.(map[string]any)
			if fields["invitation"] != nil {
				invitation = fields["invitation"].(string)
			}
			if fields["token"] != nil {
				host = fields["token"].(string)
			}
		}
		friend := strings.Contains(seats, "friend")
		if (invitation != "") != friend {
			t.Fatalf("%s: the invitation is %q", seats, invitation)
		}
		sit := func(h *testServer, token, body string, headers ...string) reply {
			return h.ask("POST", path+"/seats", token, body, headers...)
		}
		if got := sit(h, host, `{}`).String(); got != "409 you sit at this table" {
			t.Errorf("%s: the host sits down: %s", seats, got)
		}
		forged := sit(h, "x"+invitation, `{}`).String()
		if forged != "403 the token is not an invitation to this table" {
			t.Errorf("%s: a forged invitation: %s", seats, forged)
		}
		if got := sit(h, "", `{}`).String(); friend && got != "403 the seat needs an invitation" {
			t.Errorf("%s: without an invitation: %s", seats, got)
		}
		if !friend { // the request above has taken the seat
			opened = h.ask("POST", "/api/tables", "", `{"rules":"dilemma","seats":`+seats+`}`)
			path = "/api/tables/" + opened.field("id").(string)
			there.ask("GET", path, "", "")
		}
		first := sit(h, invitation, `{"name":"Ben"}`, aKey)
		token, _ := first.field("token").(string)
		if first.status != http.StatusCreated || token == "" || token == invitation {
			t.Fatalf("%s: %s", seats, first.text)
		}
		for where, server := range map[string]*testServer{"here": h,
			"after a restart": h.secondServer(t), "at another server": there} {
			if got := sit(server, invitation, `{"name":"Ben"}`, aKey); got.text != first.text {
				t.Errorf("%s, %s: %s, want %s", seats, where, got.text, first.text)
			}
			for _, header := range []string{otherKey, "X: y"} {
				if got := sit(server, invitation, `{"name":"Eve"}`,
					header).String(); got != "409 the seat is taken" {
					t.Errorf("%s, %s: another key: %s", seats, where, got)
				}
			}
			if got := sit(server, "", `{"name":"Ben"}`, aKey).String(); friend &&
				got != "409 the seat is taken" {
				t.Errorf("%s, %s: the key without the invitation: %s", seats, where, got)
			}
		}
		if got := h.ask("POST", path+"/acts", token,
			`{"act":"resign"}`); got.status != http.StatusOK {
			t.Errorf("%s: the token is refused: %s", seats, got)
		}
		h.ask("POST", path+"/token", token, `{}`)
		if got := sit(h, invitation, `{"name":"Ben"}`,
			aKey).String(); got != "409 the seat is taken" {
			t.Errorf("%s: the key after the token was changed: %s", seats, got)
		}
	}
}

// TestKeyForms checks that invalid keys are refused.
func TestKeyForms(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"dilemma","seats":["human","anyone"]}`)
	for _, key := range []string{"", "0123456789abcde", "0123456789 abcdef", "0123456789abcdé",
		strings.Repeat("x", 129)} {
		for request, body := range map[string]string{"/api/tables": `{"rules":"dilemma"}`,
			table.path + "/seats": `{}`, table.path + "/token": `{}`} {
			got := h.ask("POST", request,
				map[bool]string{true: table.tokens[0]}[strings.HasSuffix(request, "token")], body,
				"Idempotency-Key: "+key)
			if got.String() != "422 Idempotency-Key: allowed: 16 to 128 letters, digits and signs, without spaces" {
				t.Errorf("%s with %q: %s", request, key, got)
			}
		}
	}
	if len(h.memStore.ids()) != 1 || h.state(table.id).Seq != 1 {
		t.Error("a refused request changed something")
	}
}

// TestOpenAgain repeats an order with one key, also after the time in new IDs has changed: every
// server returns the same table.
func TestOpenAgain(t *testing.T) {
	// The part of IDs that depends on the time is about to change.
	now := time.Unix(1_800_000_000/4096*4096, 0).Add(-time.Minute)
	clock := func(p *testConfig) { p.Now = func() time.Time { return now } }
	h := newTestServer(t, clock)
	there := h.secondServer(t, clock)
	const order = `{"rules":"dilemma","seats":["human","friend"]}`
	first := h.ask("POST", "/api/tables", "", order, aKey)
	if first.status != http.StatusCreated {
		t.Fatal(first.text)
	}
	for _, pass := range []time.Duration{0, 2 * time.Minute, 50 * time.Minute} {
		now = now.Add(pass)
		for _, server := range []*testServer{h, there, h.secondServer(t, clock)} {
			if got := server.ask("POST", "/api/tables", "", order, aKey); got.text != first.text ||
				got.header.Get("Location") != first.header.Get("Location") {
				t.Errorf("after %v: %s, want %s", pass, got.text, first.text)
			}
		}
	}
	if n := len(h.memStore.ids()); n != 1 {
		t.Errorf("%d tables were opened", n)
	}
	token := first.field("seats").([]any)[0].(map[string]any)["token"].(string)
	h.ask("POST", "/api/tables/"+first.field("id").(string)+"/token", token, `{}`)
	if got := h.ask("POST", "/api/tables", "", order, aKey); got.status != http.StatusCreated ||
		strings.Contains(got.text, `"token"`) {
		t.Errorf("after the token was changed: %s", got.text)
	}
	ids := []string{first.field("id").(string)}
	for _, other := range []reply{
		h.ask("POST", "/api/tables", "", order, otherKey), h.ask("POST", "/api/tables", "", order),
		h.ask("POST", "/api/tables", "", order),
		h.ask("POST", "/api/tables", "", `{"rules":"sevens","seats":["human","friend"]}`, aKey),
	} {
		ids = append(ids, other.field("id").(string))
	}
	if slices.Sort(ids); len(slices.Compact(ids)) != 5 {
		t.Errorf("five orders opened the tables %v", ids)
	}
}

// TestLogOut changes the token of a seat with the page, also if the response is lost, and checks
// that every server refuses the old one.
func TestLogOut(t *testing.T) {
	h := newTestServer(t)
	ada, ben := h.pair(t, "dilemma")
	id := ada.id()
	old := ada.tokenLink(id)
	phone := h.browser(t).get(old)
	phone.expect("", true)
	there, third := h.secondServer(t), h.secondServer(t)
	there.state(id)
	third.state(id)
	stream := h.listen(t, phone, "/t/"+id+"/live")
	giveUp := time.AfterFunc(20*time.Second, func() {
		t.Error("the stream of the old token does not end")
		stream.leave()
	})
	key := valuesOf(ada.page.one("form[id=token]")).Get("key")
	ada.postLost("/t/"+id+"/token", url.Values{"key": {key}})
	for m := range stream.messages { // until the stream ends
		if m[0] == "table" && strings.Contains(m[1], "rekeyed") {
			t.Error("the stream of the old token sends the change")
		}
	}
	giveUp.Stop()
	stream.leave()
	ada.get("/t/"+id).expect(loggedOut, false) // the response with the new token was lost
	ada.post("/t/"+id+"/token", url.Values{"key": {key}})
	ada.expect("Other devices are logged out of your seat. It has a new link, which only you have.", true)
	if ada.tokenLink(id) == old {
		t.Error("the link is the same")
	}
	ada.at(third).get("/t/"+id).expect("", true) // it was not notified
	ada.at(h)
	phone.get("/t/"+id).expect(loggedOut, false)
	for _, server := range []*testServer{there, h} { // the first was not notified
		phone.at(server).post("/t/"+id+"/moves", url.Values{"move": {"7a"}})
		if phone.status != http.StatusForbidden {
			t.Errorf("a move with the old token: %d", phone.status)
		}
		phone.post("/t/"+id+"/token", url.Values{"key": {"fedcba9876543210"}})
		if phone.status != http.StatusForbidden {
			t.Errorf("a change with the old token: %d", phone.status)
		}
	}
	if lost := h.browser(t).get(old); lost.status != http.StatusNotFound ||
		!strings.Contains(lost.textOf("p[class=lead]"), "logs out other devices.") {
		t.Errorf("the old link: %d %s", lost.status, lost.text)
	}
	h.browser(t).get(ada.tokenLink(id)).expect("", true)
	ada.at(there).get("/t/"+id).press("button[id=play]", "digit=7", "spot=a")
	ben.get("/t/"+id).expect("", true)
	if s := h.state(id); len(h.memStore.state(id).Moves) != 1 || s.Setup.Seals[match.One] == "" {
		t.Errorf("the table is at %+v", s)
	}
}

// TestChangeToken changes the token of a seat by the API.
func TestChangeToken(t *testing.T) {
	h := newTestServer(t)
	there := h.secondServer(t)
	table := h.open(`{"rules":"dilemma"}`)
	there.ask("GET", table.path, "", "")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	stream := table.listen(ctx, table.tokens[0], "?after=2")
	watcher := table.listen(t.Context(), "", "?after=2")
	first := h.ask("POST", table.path+"/token", table.tokens[0], `{}`, aKey)
	token, _ := first.field("token").(string)
	if first.status != http.StatusOK || token == "" || token == table.tokens[0] {
		t.Fatal(first.text)
	}
	if rest := stream.rest(); len(rest) != 1 || rest[0].event != "bye" {
		t.Errorf("the stream of the old token sends %v", rest)
	}
	if m, _ := watcher.next(); m.event != "rekeyed" || strings.Contains(m.data, token) ||
		strings.Contains(m.data, match.Seal(token)) {
		t.Errorf("a watcher gets %s", m.data)
	}
	for where, server := range map[string]*testServer{"here": h, "at another server": there,
		"after a restart": h.secondServer(t)} {
		if got := server.ask("POST", table.path+"/token", table.tokens[0], `{}`,
			aKey); got.text != first.text {
			t.Errorf("again %s: %s, want %s", where, got.text, first.text)
		}
		for _, headers := range [][]string{{otherKey}, nil} {
			if got := server.ask("POST", table.path+"/token", table.tokens[0], `{}`,
				headers...); got.status != http.StatusForbidden {
				t.Errorf("with the old token %s: %s", where, got)
			}
		}
		if got := server.ask("POST", table.path+"/token", "forged", `{}`,
			aKey); got.status != http.StatusForbidden {
			t.Errorf("with the key alone %s: %s", where, got)
		}
	}
	if got := h.ask("POST", table.path+"/moves", table.tokens[0],
		`{"move":"7a"}`).String(); got != "403 the token does not belong to a seat of this table" {
		t.Errorf("a move with the old token: %s", got)
	}
	if got := there.ask("POST", table.path+"/moves", token,
		`{"move":"7a"}`); got.status != http.StatusOK {
		t.Errorf("a move with the new token: %s", got)
	}
	computer := h.open(`{"rules":"dilemma","seats":["human","perfect"]}`)
	open := h.open(`{"rules":"dilemma","seats":["human","friend"]}`)
	for token, path := range map[string]string{h.Keys.Token(computer.id, match.Two): computer.path,
		h.Keys.Token(open.id, match.Two): open.path} {
		if got := h.ask("POST", path+"/token", token, `{}`); got.status != http.StatusForbidden {
			t.Errorf("a seat without a player: %s", got)
		}
	}
}

// TestOwnTab checks that a browser that looks for anyone in two tabs is not paired with itself.
func TestOwnTab(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		ask := func(b *browser, name string) *browser {
			return b.get("/new?book=dilemma&against=anyone").press("button[class=main]",
				"name="+name)
		}
		ada := ask(h.browser(t), "Ada")
		first := ada.id()
		defer h.listen(t, ada, "/t/"+first+"/live").leave()
		tab := *ada
		second := ask(&tab, "Ann").id()
		if second == first || h.state(second).Game > 0 {
			t.Fatal("a browser was paired with itself")
		}
		defer h.listen(t, &tab, "/t/"+second+"/live").leave()
		if third := ask(&tab, "Amy").id(); third == first || third == second {
			t.Error("a browser was paired with itself the third time")
		}
		for _, id := range []string{first, second} {
			got := ada.get("/lobby").textOf("li[id=open-" + id + "]")
			if !strings.Contains(got, "Back to your table") || strings.Contains(got, "Join") {
				t.Errorf("the lobby lists the browser's own table as %q", got)
			}
			if ada.post("/t/"+id+"/sit", url.Values{"name": {"Eve"}}); h.state(id).Seq != 1 {
				t.Error("a browser joined its own table")
			}
			ada.expect("This is your own invitation. You keep your seat; send the link to a friend.", true)
		}
		ben := h.browser(t).get("/lobby")
		if got := ben.textOf("li[id=open-" + first + "]"); strings.Contains(got, "Back") ||
			!strings.Contains(got, "Join") {
			t.Errorf("the lobby lists another browser's table as %q", got)
		}
		if ask(ben, "Ben"); ben.id() != first && ben.id() != second {
			t.Errorf("Ben is at %s", ben.path)
		}
	})
}

// TestOldTables checks tables that were stored before seals existed: the links to taken and to open
// seats still work.
func TestOldTables(t *testing.T) {
	h := newTestServer(t)
	keep := func(id string, events ...match.Event) {
		var s match.State
		for i, e := range events {
			e.Seq, e.At = i+1, time.Now()
			var err error
			if s, err = s.Apply(e); err == nil {
				err = h.memStore.Append(t.Context(), id, e, s)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	opened := match.Event{Kind: match.Opened,
		Setup: &match.Setup{Rules: digit.Dilemma, Names: [2]string{"Ada", ""},
			Open: [2]bool{false, true}}}
	keep("waits", opened)
	keep("plays", opened, match.Event{Kind: match.Seated, Seat: match.Two, Name: "Ben"},
		match.Event{Kind: match.Began})
	link := func(id string, seat match.Seat) string {
		return "/t/" + id + "/seat/" + h.Keys.Token(id, seat)
	}

	ada, ben := h.browser(t).get(link("plays", match.One)),
		h.browser(t).get(link("plays", match.Two))
	ada.expect("", true)
	ben.expect("", true)
	ada.press("button[id=play]", "digit=7", "spot=a")
	if got := h.ask("POST", "/api/tables/plays/moves", h.Keys.Token("plays", match.Two),
		`{"move":"3b"}`); got.status != http.StatusOK {
		t.Errorf("a move with the old token: %s", got)
	}
	ben.get("/t/plays").press("button[data-act=log-out]") // gives the seat a seal
	if got := h.ask("POST", "/api/tables/plays/acts", h.Keys.Token("plays", match.Two),
		`{"act":"resign"}`); got.status != http.StatusForbidden {
		t.Errorf("the old token after it was changed: %s", got)
	}

	ada = h.browser(t).get(link("waits", match.One))
	ada.expect("", true)
	cyd := h.browser(t) // has the cookie that an invitation used to set
	cyd.jar.SetCookies(&url.URL{Scheme: "http", Host: "duel.example", Path: "/t/waits"},
		[]*http.Cookie{{Name: seatCookie, Value: h.Keys.Token("waits", match.Two), Path: "/t/waits"}})
	cyd.get("/t/waits").expect("", false)
	cyd.press("button[data-act=sit]", "name=Cyd").expect("", true)
	if got := h.ask("POST", "/api/tables/waits/acts", h.Keys.Token("waits", match.Two),
		`{"act":"resign"}`); got.status != http.StatusForbidden {
		t.Errorf("the invitation after its use: %s", got)
	}
	const cydSits = "Cyd has this seat. You can watch. Are you Cyd? Use your own link."
	h.browser(t).get(link("waits", match.Two)).expect(cydSits, false)
}

// TestSecretsStay checks that nothing sent to a watcher has a token or a seal.
func TestSecretsStay(t *testing.T) {
	h := newTestServer(t)
	ada, ben := h.pair(t, "dilemma")
	id := ada.id()
	ben.get("/t/" + id).press("button[data-act=log-out]")
	secrets := []string{h.Keys.Token(id, match.Two), "seal",
		ada.link("my-link")[len("/t/"+id+"/seat/"):], ben.link("my-link")[len("/t/"+id+"/seat/"):]}
	state := h.state(id)
	secrets = append(secrets, state.Setup.Seals[:]...)
	h.browser(t).at(h).get("/") // until the requests before are done
	ada.get("/t/" + id).press("button[data-act=resign]")
	stream := (&table{testServer: h, path: "/api/tables/" + id}).listen(t.Context(), "", "")
	var sent strings.Builder
	for range h.state(id).Seq {
		m, _ := stream.next()
		sent.WriteString(m.data)
	}
	stream.body.Close()
	watcher := h.browser(t)
	for _, path := range []string{"/t/" + id, "/t/" + id + "/games/1",
		"/t/" + id + "/games/1/record", "/api/tables/" + id, "/api/games", "/games", "/lobby",
		"/metrics"} {
		watcher.get(path)
		sent.WriteString(watcher.text)
		for _, values := range watcher.header {
			sent.WriteString(strings.Join(values, " "))
		}
	}
	for _, secret := range secrets {
		if len(secret) < 4 || strings.Contains(sent.String(), secret) {
			t.Errorf("%q is sent to watchers", secret)
		}
	}
}
