package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/match"
)

// tokenLink returns a path with the browser's token, which gives another browser the same seat.
func (b *browser) tokenLink(id string) string {
	b.t.Helper()
	for _, c := range b.jar.Cookies(&url.URL{Scheme: "http", Host: "duel.example", Path: "/t/" + id}) {
		if c.Name == seatCookie {
			return seatPath(id, c.Value)
		}
	}
	b.t.Fatal("the browser has no seat")
	return ""
}

// TestMoveSeat moves a seat to another device by its one-time link: following it changes nothing,
// and only the first device to continue gets the seat.
func TestMoveSeat(t *testing.T) {
	h := newTestServer(t)
	ada, ben := h.pair(t, "dilemma")
	id := ada.id()
	link := ben.link("my-link")
	ada.get(link).expect("That is Ben's seat. You keep your own.", true)
	ben.get(link).expect("", true)
	seq := h.state(id).Seq
	phone, forwarded, late := h.browser(t).get(link), h.browser(t).get(link), h.browser(t)
	phone.expect("", false)
	const take = "Continue here as Ben? The seat moves to this device, and the link is used up. Continue here"
	if got := phone.textOf("form[id=take]"); got != take {
		t.Errorf("the phone shows %q, want %q", got, take)
	}
	phone.get("/t/"+id, "X-Requested-With: duel")
	if got := h.browser(t).get("/t/"+id,
		"X-Requested-With: duel").text; strings.Contains(got, "Continue here") {
		t.Error("a watcher is offered to continue")
	}
	phone.get("/t/" + id)
	if h.state(id).Seq != seq {
		t.Error("following the link changes the table")
	}
	ben.get("/t/"+id).expect("", true)
	phone.postLost("/t/"+id+"/sit", nil)
	phone.get("/t/"+id).expect("", true) // although the response was lost
	phone.get(link).expect("", true)
	ben.get("/t/"+id).expect(loggedOut, false)
	if forwarded.press("button[data-act=take]"); forwarded.status != http.StatusConflict {
		t.Errorf("the second to continue gets %d", forwarded.status)
	}
	forwarded.expect("Someone else has this seat. You can watch.", false)
	late.get(link)
	if late.status != http.StatusNotFound ||
		!strings.Contains(late.textOf("p[class=lead]"), "works once") {
		t.Errorf("the used link: %d %s", late.status, late.textOf("p[class=lead]"))
	}
	if e, _ := h.lastEvent(id); e.Kind != match.Rekeyed || e.Seat != match.Two || e.Seq != seq+1 {
		t.Errorf("the log ends with %+v", e)
	}
	ada.get("/t/"+id).press("button[id=play]", "digit=7", "spot=a")
	phone.get("/t/"+id).press("button[id=play]", "digit=3", "spot=b")
	// Move the seat back.
	ben.get(phone.get("/t/"+id).link("my-link")).press("button[data-act=take]").expect("", true)
	phone.get("/t/"+id).expect(loggedOut, false)
	if len(h.state(id).Moves) != 2 {
		t.Errorf("the moves are %v", h.state(id).Moves)
	}
}

// lastEvent returns the last event of a table.
func (h *testServer) lastEvent(id string) (match.Event, bool) {
	v, err := h.Hall.Visit(h.t.Context(), id)
	if err != nil {
		h.t.Fatal(err)
	}
	defer v.Close()
	seq := v.Table.State().Seq
	return v.Table.Last(seq, match.Kinds()...)
}

// TestMoveSeatWhileWaiting moves the seat of a host whose friend has not joined yet.
func TestMoveSeatWhileWaiting(t *testing.T) {
	h := newTestServer(t)
	ada := h.browser(t).post("/tables", url.Values{"go": {"dilemma friend"}, "name": {"Ada"}})
	id, invitation := ada.id(), ada.link("invite-link")
	phone := h.browser(t).get(ada.link("my-link")).press("button[data-act=take]")
	phone.expect("", true)
	if phone.link("invite-link") != invitation {
		t.Error("the invitation has changed")
	}
	h.browser(t).get(invitation).press("button[data-act=sit]", "name=Ben").expect("", true)
	ada.get("/t/"+id).expect(loggedOut, false)
}

// TestRecall invites back a player who has left. Any request with the old token ends the link; the
// old token is valid until the link is used.
func TestRecall(t *testing.T) {
	for name, asks := range map[string]func(h *testServer, ben *browser, id, token string){
		"the page":   func(_ *testServer, ben *browser, id, _ string) { ben.get("/t/" + id) },
		"the script": func(_ *testServer, ben *browser, id, _ string) { ben.get("/t/"+id, "X-Requested-With: duel") },
		"a refused act": func(_ *testServer, ben *browser, id, _ string) {
			ben.post("/t/"+id+"/acts", url.Values{"act": {"claim"}})
		},
		"a refused move": func(_ *testServer, ben *browser, id, _ string) {
			ben.post("/t/"+id+"/moves", url.Values{"move": {"x"}})
		},
		"the API": func(h *testServer, _ *browser, id, token string) { h.ask("GET", "/api/tables/"+id, token, "") },
		"a hint":  func(h *testServer, _ *browser, id, token string) { h.ask("GET", "/api/tables/"+id+"/hint", token, "") },
		"a move": func(h *testServer, _ *browser, id, token string) {
			h.ask("POST", "/api/tables/"+id+"/moves", token, `{"move":"7a"}`)
		},
		"a link": func(h *testServer, _ *browser, id, token string) {
			h.ask("POST", "/api/tables/"+id+"/link", token, `{}`)
		},
		"nothing": nil,
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, h *testServer) {
				ada, ben := h.pair(t, "dilemma")
				id := ada.id()
				_, token, _ := strings.Cut(ben.tokenLink(id), "/seat/")
				stream := h.listen(t, ada, "/t/"+id+"/live")
				defer stream.leave()
				go func() {
					for range stream.messages {
					}
				}()
				time.Sleep(2 * time.Minute) // a page without script counts as present this long
				_, own, _ := strings.Cut(ada.tokenLink(id), "/seat/")
				if got := h.ask("POST", "/api/tables/"+id+"/link", own,
					`{"seat":2}`).String(); got != "409 the other player has not left" {
					t.Errorf("a link to the seat of a player who is here: %s", got)
				}
				if ada.get("/t/"+id).page.one("input[id=recall-link]") != nil {
					t.Error("the page has a link to the seat of a player who is here")
				}
				time.Sleep(15 * time.Second)
				synctest.Wait()
				link := ada.get("/t/" + id).link("recall-link")
				if got := h.ask("POST", "/api/tables/"+id+"/link", own,
					`{"seat":2}`).field("link"); !strings.HasSuffix(got.(string), link) {
					t.Errorf("the API returns another link: %s", got)
				}
				ada.get(link).expect("That is Ben's seat. You keep your own.", true)
				guest := h.browser(t).get(link)
				guest.expect("", false)
				if asks == nil {
					guest.press("button[data-act=take]").expect("", true)
					ben.get("/t/"+id).expect(loggedOut, false)
					if s := h.state(id); s.Away[match.Two] {
						t.Error("the player is not back")
					}
					return
				}
				asks(h, ben, id, token)
				if h.state(id).Away[match.Two] {
					t.Error("the player is not back")
				}
				if late := h.browser(t).get(link); late.status != http.StatusNotFound {
					t.Errorf("the link is still valid: %d", late.status)
				}
				if guest.press("button[data-act=take]"); guest.status != http.StatusConflict {
					t.Errorf("the guest gets %d", guest.status)
				}
				ben.get("/t/"+id).expect("", true)
				time.Sleep(3 * time.Minute) // Ben leaves again
				synctest.Wait()
				if late := h.browser(t).get(link); late.status != http.StatusNotFound ||
					!h.state(id).Away[match.Two] {
					t.Errorf("the first link is valid again: %d", late.status)
				}
			}, func(p *testConfig) { p.hall.Grace = 10 * time.Second })
		})
	}
}

// TestLinkByAPI moves a seat by the API. The same key gets the same token, even at another server
// and after the link is used.
func TestLinkByAPI(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"dilemma"}`)
	there := h.secondServer(t)
	there.state(table.id)
	link := h.ask("POST", table.path+"/link", table.tokens[0], `{}`)
	invitation := link.field("invitation").(string)
	if link.number("seat") != 1 ||
		!strings.HasSuffix(link.field("link").(string), seatPath(table.id, invitation)) {
		t.Errorf("the link is %s", link.text)
	}
	first := h.ask("POST", table.path+"/seats", invitation, `{}`, aKey)
	if first.status != http.StatusCreated || first.number("seat") != 1 {
		t.Fatalf("the seat: %s", first.text)
	}
	there.refresh(table.id)
	for _, server := range []*testServer{h, there} {
		if again := server.ask("POST", table.path+"/seats", invitation, `{}`,
			aKey); again.field("token") != first.field("token") {
			t.Errorf("the same request again: %s", again.text)
		}
		if other := server.ask("POST", table.path+"/seats", invitation, `{}`,
			otherKey).String(); other != "403 the token is not an invitation to this table" {
			t.Errorf("another request: %s", other)
		}
	}
	if old := h.ask("POST", table.path+"/moves", table.tokens[0],
		`{"move":"7a"}`); old.status != http.StatusForbidden {
		t.Errorf("a move with the old token: %s", old)
	}
	if now := h.ask("POST", table.path+"/moves", first.field("token").(string),
		`{"move":"7a"}`); now.status != http.StatusOK {
		t.Errorf("a move with the new token: %s", now)
	}
	if got := h.ask("POST", table.path+"/link", first.field("token").(string),
		`{"seat":3}`).String(); got != "422 seat 3: allowed: 1, 2" {
		t.Errorf("another seat: %s", got)
	}
}

// TestLongName checks that the form to sit down refuses a name that is too long, and keeps it.
func TestLongName(t *testing.T) {
	h := newTestServer(t)
	ada := h.browser(t).post("/tables", url.Values{"go": {"dilemma friend"}, "name": {"Ada"}})
	long := strings.Repeat("Ben ", 7)
	ben := h.browser(t).get(ada.link("invite-link")).press("button[data-act=sit]", "name="+long)
	if got := ben.page.one("input[id=sit-name]").attrs["value"]; ben.status != http.StatusUnprocessableEntity || got != long {
		t.Errorf("%d, and the form has %q", ben.status, got)
	}
	if got := ben.textOf("div[id=alert]"); !strings.Contains(got, "up to 24 characters") {
		t.Errorf("the page says %q", got)
	}
	ben.press("button[data-act=sit]", "name=Ben").expect("", true)
}
