package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

// TestRefusals sends invalid requests and checks that they are refused and change nothing. {id} is
// the table; {1} and {2} are its tokens.
func TestRefusals(t *testing.T) {
	h := newTestServer(t, func(p *testConfig) {
		p.Solver = &solve.Solver{Config: solve.Config{Budget: 1 << 20}}
	})
	mine, other := h.open(`{"rules":"dilemma"}`), h.open(`{"rules":"dilemma"}`)
	large := h.open(`{"rules":"dilemma pool=0-f width=5","hints":true}`) // too large to solve
	open := h.open(`{"rules":"dilemma","names":["Ada"],"seats":["human","anyone"]}`)
	const (
		move    = `{"move":"7a","seq":2}`
		form    = "Content-Type: application/x-www-form-urlencoded"
		foreign = "the request came from another site; " +
			"allowed: requests from this site's own pages, or without a browser"
		nothing = "unknown path; see /api/openapi.json"
	)
	broken, acts := "invalid body: ", strings.Join(actNames(), ", ")
	huge := `{"move":"` + strings.Repeat("7", maxBody) + `"}`
	for _, test := range []struct {
		request, token, body, header string
		want                         string
	}{
		// 400: malformed.
		{"POST /api/tables/{id}/moves", "{1}", ``, "", "400 " + broken + "unexpected end"},
		{"POST /api/tables/{id}/moves", "{1}", `{`, "", "400 " + broken + "unexpected end"},
		{"POST /api/tables/{id}/moves", "{1}", `{"move":"7a"`, "", "400 " + broken + "unexpected end"},
		{"POST /api/tables/{id}/moves", "{1}", `{"move"}`, "", "400 " + broken + "expected colon after object key"},
		{"POST /api/tables/{id}/moves", "{1}", `[]`, "", "400 " + broken + "not a JSON object"},
		{"POST /api/tables/{id}/moves", "{1}", `null`, "", "400 " + broken + "not a JSON object"},
		{"POST /api/tables/{id}/moves", "{1}", `"7a"`, "", "400 " + broken + "not a JSON object"},
		{"POST /api/tables/{id}/moves", "{1}", move + move, "", "400 " + broken + "trailing data after the JSON object"},
		{"POST /api/tables/{id}/moves", "{1}", move + "}", "", "400 " + broken + "trailing data after the JSON object"},
		{"POST /api/tables/{id}/moves", "{1}", `{"mvoe":"7a"}`, "", "400 " + broken + `unknown field "mvoe"`},
		{"POST /api/tables/{id}/moves", "{1}", `{"Move":"7a"}`, "", "400 " + broken + `unknown field "Move"`},
		{"POST /api/tables/{id}/moves", "{1}", `{"move":"7a","move":"8a"}`, "", "400 " + broken + `duplicate field "move"`},
		{"POST /api/tables/{id}/moves", "{1}", `{"move":7}`, "", "400 " + broken + `field "move" is a number; allowed: a text`},
		{"POST /api/tables/{id}/moves", "{1}", `{"move":"7a","seq":"2"}`, "", "400 " + broken + `field "seq" is a string; allowed: a whole number`},
		{"POST /api/tables/{id}/moves", "{1}", `{"move":"7a","seq":1e309}`, "", "400 " + broken + `field "seq" is a number 1e309; allowed: a whole number`},
		{"POST /api/tables/{id}/moves", "{1}", `{"move":"7a","seq":2.5}`, "", "400 " + broken + `field "seq" is a number 2.5; allowed: a whole number`},
		{"POST /api/tables/{id}/moves", "{1}", "{\"move\":\"7a\xff\"}", "", "400 " + broken + "not UTF-8"},
		{"POST /api/tables/{id}/acts", "{1}", `{"act":1}`, "", "400 " + broken + `field "act" is a number; allowed: a text`},
		{"POST /api/tables/{id}/seats", "", `{"name":{}}`, "", "400 " + broken + `field "name" is a object; allowed: a text`},
		{"POST /api/tables", "", `{"rules":"dilemma","names":"Ada"}`, "", "400 " + broken + `field "names" is a string; allowed: a list`},
		{"POST /api/tables", "", `{"rules":"dilemma","hints":"yes"}`, "", "400 " + broken + `field "hints" is a string; allowed: true or false`},
		{"POST /api/tables", "", `{"rules":"dilemma","hints":null}`, "", "400 " + broken + `field "hints" is null or has a null; leave it out`},
		{"POST /api/tables", "", `{"rules":"dilemma","names":["Ada",null]}`, "", "400 " + broken + `field "names" is null or has a null; leave it out`},
		{"POST /api/tables", "", strings.Repeat("[", 10001), "", "400 " + broken + "not a JSON object"},
		{"POST /api/tables", "", `{"names":` + strings.Repeat("[", 10001), "", "400 " + broken + "invalid character '[' exceeded max depth"},
		// 401 and 403: no token, or a wrong one.
		{"POST /api/tables/{id}/link", "{1}", `{"token":"x"}`, "", "400 " + broken + `unknown field "token"`},
		{"POST /api/tables/{id}/link", "", `{}`, "", "401 missing seat token: send Authorization: Bearer TOKEN"},
		{"POST /api/tables/{id}/link", "nobody", `{}`, "", "403 the token does not belong to a seat of this table"},
		{"POST /api/tables/aaaaaaaaaaaa/link", "{1}", `{}`, "", "404 there is no such table"},
		{"POST /api/tables/{id}/link", "{1}", `{"seat":2}`, "", "409 the other player has not left"},
		{"POST /api/tables/{id}/link", "{1}", huge, "", "413 the request is too large; allowed: 16 KiB"},
		{"POST /api/tables/{id}/link", "{1}", `{}`, "Content-Type: ", `415 content type "": allowed: application/json`},
		{"POST /api/tables/{id}/link", "{1}", `{"seat":-1}`, "", "422 seat -1: allowed: 1, 2"},
		{"POST /api/tables/{id}/token", "{1}", `{"token":"x"}`, "", "400 " + broken + `unknown field "token"`},
		{"POST /api/tables/{id}/token", "", `{}`, "", "401 missing seat token: send Authorization: Bearer TOKEN"},
		{"POST /api/tables/{id}/seats", "", `{}`, "Authorization: Basic QTpC", "401 missing seat token: send Authorization: Bearer TOKEN"},
		{"POST /api/tables/aaaaaaaaaaaa/token", "{1}", `{}`, "", "404 there is no such table"},
		{"POST /api/tables/{id}/token", "{1}", huge, "", "413 the request is too large; allowed: 16 KiB"},
		{"POST /api/tables/{id}/token", "{1}", `{}`, "Content-Type: ", `415 content type "": allowed: application/json`},
		{"POST /api/tables/{id}/moves", "", move, "", "401 missing seat token: send Authorization: Bearer TOKEN"},
		{"POST /api/tables/{id}/moves", "", move, "Authorization: Basic QTpC", "401 missing seat token: send Authorization: Bearer TOKEN"},
		{"POST /api/tables/{id}/acts", "", `{"act":"resign"}`, "", "401 missing seat token: send Authorization: Bearer TOKEN"},
		{"GET /api/tables/{id}/hint", "", "", "", "401 missing seat token: send Authorization: Bearer TOKEN"},
		{"GET /api/tables/{id}/events", "", "", "Authorization: Basic QTpC", "401 missing seat token: send Authorization: Bearer TOKEN"},
		{"GET /api/tables/{id}", "", "", "Authorization: Basic QTpC", "401 missing seat token: send Authorization: Bearer TOKEN"},
		{"POST /api/tables/{id}/moves", "forged", move, "", "403 the token does not belong to a seat of this table"},
		{"POST /api/tables/{id}/moves", other.tokens[0], move, "", "403 the token does not belong to a seat of this table"},
		{"POST /api/tables/{id}/moves", "{1}x", move, "", "403 the token does not belong to a seat of this table"},
		{"POST /api/tables/{id}/moves", "", move, "Authorization: Bearer ", "403 the token does not belong to a seat of this table"},
		{"POST /api/tables/{id}/acts", other.tokens[0], `{"act":"resign"}`, "", "403 the token does not belong to a seat of this table"},
		{"GET /api/tables/{id}/hint", other.tokens[0], "", "", "403 the token does not belong to a seat of this table"},
		{"GET /api/tables/{id}/events", other.tokens[0], "", "", "403 the token does not belong to a seat of this table"},
		{"GET /api/tables/{id}", other.tokens[0], "", "", "403 the token does not belong to a seat of this table"},
		{"POST " + open.path + "/moves", h.Keys.Token(open.id, match.Two), move, "", "403 nobody has taken this seat yet"},
		{"GET " + open.path + "/events", h.Keys.Token(open.id, match.Two), "", "", "403 nobody has taken this seat yet"},
		// 403: a browser on another site.
		{"POST /api/tables/{id}/moves", "{1}", move, "Sec-Fetch-Site: cross-site", "403 " + foreign},
		{"POST /api/tables/{id}/acts", "{1}", `{"act":"resign"}`, "Origin: https://evil.example", "403 " + foreign},
		{"POST /api/tables/{id}/seats", "", `{}`, "Sec-Fetch-Site: same-site", "403 " + foreign},
		{"POST /api/tables", "", `{"rules":"dilemma"}`, "Origin: null", "403 " + foreign},
		// 404: not found.
		{"GET /api/tables/aaaaaaaaaaaa", "", "", "", "404 there is no such table"},
		{"GET /api/tables/AAAAAAAAAAAA", "", "", "", "404 there is no such table"},
		{"GET /api/tables/a", "", "", "", "404 there is no such table"},
		{"GET /api/tables/%00", "", "", "", "404 invalid address"},
		{"GET /api/tables/%ff", "", "", "", "404 invalid address"},
		{"GET /api/tables/..%2f..%2fetc", "", "", "", "404 there is no such table"},
		{"GET /api/tables/aaaaaaaaaaaa/hint", "", "", "", "404 there is no such table"},
		{"GET /api/tables/aaaaaaaaaaaa/events", "", "", "", "404 there is no such table"},
		{"POST /api/tables/aaaaaaaaaaaa/moves", "{1}", move, "", "404 there is no such table"},
		{"POST /api/tables/aaaaaaaaaaaa/acts", "{1}", `{"act":"resign"}`, "", "404 there is no such table"},
		{"POST /api/tables/aaaaaaaaaaaa/seats", "", `{}`, "", "404 there is no such table"},
		{"GET /api/", "", "", "", "404 " + nothing},
		{"GET /api/nothing", "", "", "", "404 " + nothing},
		{"GET /api/tables/{id}/nothing", "", "", "", "404 " + nothing},
		{"POST /api/tables/{id}/moves/1", "{1}", move, "", "404 " + nothing},
		// 405: wrong method.
		{"DELETE /api/tables/{id}", "{1}", "", "", "405 method DELETE: allowed here: GET, HEAD"},
		{"PUT /api/tables", "", "", "", "405 method PUT: allowed here: POST, GET, HEAD"},
		{"GET /api/tables/{id}/moves", "{1}", "", "", "405 method GET: allowed here: POST"},
		{"OPTIONS /api/tables/{id}/events", "", "", "", "405 method OPTIONS: allowed here: GET, HEAD"},
		{"POST /api/games", "", "", "", "405 method POST: allowed here: GET, HEAD"},
		// 409: not allowed now.
		{"POST /api/tables/{id}/moves", "{2}", move, "", "409 it is not your turn"},
		{"POST /api/tables/{id}/seats", "", `{"name":"Eve"}`, "", "409 the seat is taken"},
		{"GET " + open.path + "/hint", open.tokens[0], "", "", "409 no game is under way"},
		// 413: too large.
		{"POST /api/tables/{id}/moves", "{1}", huge, "", "413 the request is too large; allowed: 16 KiB"},
		{"POST /api/tables/{id}/acts", "{1}", huge, "", "413 the request is too large; allowed: 16 KiB"},
		{"POST /api/tables/{id}/seats", "", huge, "", "413 the request is too large; allowed: 16 KiB"},
		{"POST /api/tables", "", strings.Repeat(huge, 20), "", "413 the request is too large; allowed: 16 KiB"},
		// 415: not JSON.
		{"POST /api/tables/{id}/moves", "{1}", "move=7a", form, `415 content type "application/x-www-form-urlencoded": allowed: application/json`},
		{"POST /api/tables/{id}/acts", "{1}", "act=resign", "Content-Type: text/plain", `415 content type "text/plain": allowed: application/json`},
		{"POST /api/tables/{id}/seats", "", `{}`, "Content-Type: ", `415 content type "": allowed: application/json`},
		{"POST /api/tables", "", `{"rules":"dilemma"}`, "Content-Type: application/json; charset", `415 content type "application/json; charset": allowed: application/json`},
		// 422: well formed, but not allowed.
		{"POST /api/tables/{id}/acts", "{1}", `{"act":"dance"}`, "", `422 act "dance": allowed: ` + acts},
		{"POST /api/tables/{id}/acts", "{1}", `{}`, "", `422 act "": allowed: ` + acts},
		{"POST " + open.path + "/seats", "", `{"name":"Ada"}`, "", `422 name "Ada": both players have it`},
		{"GET " + large.path + "/hint", large.tokens[0], "", "", "422 dilemma pool=0-f width=5: solving it would take at least 9.41 MiB of memory; the budget is 1 MiB"},
		{"GET /api/tables/{id}/events?after=x", "", "", "", `422 after "x": allowed: the number of the last event you saw, or 0`},
		{"GET /api/tables/{id}/events?after=-1", "", "", "", `422 after "-1": allowed: the number of the last event you saw, or 0`},
		{"GET /api/tables/{id}/events", "", "", "Last-Event-ID: 1e9", `422 after "1e9": allowed: the number of the last event you saw, or 0`},
		{"GET /api/tables?phase=over", "", "", "", `422 phase "over": allowed: open, playing, between`},
		{"GET /api/tables?limit=101", "", "", "", `422 limit "101": allowed: 1 to 100`},
		{"GET /api/games?limit=0", "", "", "", `422 limit "0": allowed: 1 to 100`},
		{"GET /api/games?book=chess", "", "", "", `422 book "chess": allowed: ` + strings.Join(append(digit.BookNames(), digit.FairNames()...), ", ")},
		{"GET /api/games?before=noon", "", "", "", `422 before "noon": allowed: a time such as 2026-01-31T12:00:00Z, or the value of older from a list`},
	} {
		fill := strings.NewReplacer("{id}", mine.id, "{1}", mine.tokens[0], "{2}", mine.tokens[1])
		method, path, _ := strings.Cut(fill.Replace(test.request), " ")
		headers := []string{test.header}
		if test.header == "" {
			headers = nil
		}
		got := h.ask(method, path, fill.Replace(test.token), test.body, headers...)
		if got.String() != test.want {
			t.Errorf("%s %.200s %s:\n got %v\nwant %s",
				test.request, test.body, test.header, got, test.want)
		}
	}
	for _, untouched := range []*table{mine, other, large, open} {
		if got := untouched.say("look"); got.number("seq") > 2 {
			t.Errorf("a refused request changed a table: %v", got)
		}
	}
}

// TestOrders checks the refusals of invalid orders for a table.
func TestOrders(t *testing.T) {
	h := newTestServer(t, func(p *testConfig) {
		p.Solver = &solve.Solver{Config: solve.Config{Budget: 1 << 20}}
	})
	for _, test := range []struct{ order, want string }{
		{`{}`, "missing rules: allowed: a game and its options, as in divisibility target=11"},
		{`{"rules":"chess"}`, `book "chess": no such book; books: ` + strings.Join(digit.BookNames(), ", ") + `; fair games: ` + strings.Join(digit.FairNames(), ", ")},
		{`{"rules":"highest width=5"}`, "width: two numbers of 5 digits take 10, and the pool has 9; allowed: 1 to 4"},
		{`{"rules":"dilemma","best_of":2}`, "best of 2: allowed: an odd number of games from 1 to 99"},
		{`{"rules":"dilemma","best_of":-1}`, "best of -1: allowed: an odd number of games from 1 to 99"},
		{`{"rules":"dilemma","best_of":101}`, "best of 101: allowed: an odd number of games from 1 to 99"},
		{`{"rules":"dilemma","turn_time":"soon"}`, `turn_time "soon": allowed: a time such as 30s or 2m`},
		{`{"rules":"dilemma","turn_time":"10ms"}`, "turn time 10ms: allowed: 1s to 24h0m0s, or 0 for no clock"},
		{`{"rules":"dilemma","turn_time":"-5s"}`, "turn time -5s: allowed: 1s to 24h0m0s, or 0 for no clock"},
		{`{"rules":"dilemma","on_timeout":"cry"}`, `on_timeout "cry": allowed: lose, random`},
		{`{"rules":"dilemma","on_timeout":"random"}`, "time-out rule random has no effect without a turn time; set a turn time, or leave it out"},
		{`{"rules":"dilemma","auto_call":true}`, "auto-call: there are no calls in dilemma; leave it out, or play with win=call"},
		{`{"rules":"dilemma","targets":"11,13"}`, "targets 11,13: there is only one game; set the length of a series, or a target in the rules"},
		{`{"rules":"dilemma","best_of":3,"targets":"11;13"}`, `targets "11;13": allowed: up to 8 numbers from 2 to 9999 with commas between, as in 11,13,17`},
		{`{"rules":"highest","best_of":3,"targets":"11"}`, "targets 11: target: 11 decides nothing with win=never and final=higher; allowed: 0 for none"},
		{`{"rules":"dilemma","pair":true,"best_of":3}`, "a pair and best of 3: allowed: one of them; a pair is two games"},
		{`{"rules":"dilemma","lot":true,"best_of":3}`, "a pair and best of 3: allowed: one of them; a pair is two games"},
		{`{"rules":"dilemma","lot":true,"swap":true}`, "swap: not with lot, whose openings include the first move"},
		{`{"rules":"highest width=1","lot":true}`, "lot: no short openings of highest width=1 are even together; play a pair without"},
		{`{"rules":"dilemma pool=0-f width=5","lot":true}`,
			"the openings cannot be drawn: dilemma pool=0-f width=5: solving it would take at least 9.41 MiB of memory; the budget is 1 MiB"},
		{`{"rules":"dilemma","first":3}`, "first 3: allowed: 1, 2"},
		{`{"rules":"dilemma","names":["Ada","Ada"]}`, `name "Ada": both players have it`},
		{`{"rules":"dilemma","names":["Player 2"]}`, `name "Player 2": both players have it`},
		{`{"rules":"dilemma","names":["a","b","c"]}`, "seats and names: allowed: up to two"},
		{`{"rules":"dilemma","seats":["dog"]}`, `seat "dog": allowed: human, friend, anyone, beginner, novice, casual, skilled, expert, master, perfect`},
		{`{"rules":"dilemma","seats":["friend","anyone"]}`, "seats: both are open; allowed: one"},
		{`{"rules":"dilemma","seats":["anyone","anyone"]}`, "seats: both are open; allowed: one"},
		{`{"rules":"dilemma pool=0-f width=5","seats":["human","perfect"]}`,
			"the computer cannot play this: dilemma pool=0-f width=5: solving it would take at least 9.41 MiB of memory; the budget is 1 MiB"},
	} {
		if got := h.ask("POST", "/api/tables", "", test.order); got.String() != "422 "+test.want {
			t.Errorf("%s:\n got %v\nwant 422 %s", test.order, got, test.want)
		}
	}
	if ids := h.memStore.ids(); len(ids) > 0 {
		t.Errorf("tables were opened: %v", ids)
	}
}

// requests holds a valid request for each route of the API. {id} is a table, {1} the token of its
// first seat.
var requests = []struct{ request, token, body string }{
	{"GET /api/tables", "", ""},
	{"POST /api/tables", "", `{"rules":"dilemma"}`},
	{"GET /api/tables/{id}", "", ""},
	{"POST /api/tables/{id}/seats", "", `{}`},
	{"POST /api/tables/{id}/token", "{1}", `{}`},
	{"POST /api/tables/{id}/link", "{1}", `{}`},
	{"POST /api/tables/{id}/moves", "{1}", `{"move":"7a"}`},
	{"POST /api/tables/{id}/acts", "{1}", `{"act":"hints"}`},
	{"GET /api/tables/{id}/hint", "{1}", ""},
	{"GET /api/tables/{id}/events", "", ""},
	{"GET /api/tables/{id}/log", "", ""},
	{"POST /api/classes", "", `{"rules":"dilemma"}`},
	{"GET /api/classes/{id}", "", ""},
	{"POST /api/classes/{id}/join", "", `{"code":"AAAAAA","name":"Mia"}`},
	{"POST /api/classes/{id}/rejoin", "", `{"rejoin":"AAAAAAAA"}`},
	{"POST /api/classes/{id}/acts", "{1}", `{"act":"start"}`},
	{"GET /api/classes/{id}/events", "", ""},
	{"GET /api/classes/{id}/log", "{1}", ""},
	{"GET /api/classes/{id}/games", "{1}", ""},
	{"GET /api/classes/{id}/standings.csv", "{1}", ""},
	{"GET /api/games", "", ""},
	{"GET /api/stats", "", ""},
	{"GET /api/openapi.json", "", ""},
	{"GET /healthz", "", ""},
	{"GET /readyz", "", ""},
	{"GET /metrics", "", ""},
}

// TestBroken checks that every request is answered if the store fails or a handler panics, and that
// both are logged.
func TestBroken(t *testing.T) {
	for _, test := range []struct {
		broken    func() error
		want, log string
	}{
		{
			func() error { return errors.New("the disk is full") },
			"503 something broke here and nothing was changed; try again in a moment",
			"the disk is full",
		},
		{
			func() error { panic("the shelf fell down") },
			"500 something broke here", "the shelf fell down",
		},
	} {
		h := newTestServer(t)
		h.memStore.breakWith(test.broken)
		for _, request := range requests {
			id := match.NewID(time.Now()) // the server cannot know whether this table exists
			fill := strings.NewReplacer("{id}", id, "{1}", h.Keys.Token(id, match.One))
			method, path, _ := strings.Cut(fill.Replace(request.request), " ")
			want := test.want
			switch {
			case path == "/api/openapi.json", path == "/healthz", path == "/metrics":
				want = "200"
			case path == "/readyz":
				want = "503 not ready: the shelf does not answer"
			}
			got := h.ask(method, path, fill.Replace(request.token), request.body).String()
			if got != want && (want != "200" || !strings.HasPrefix(got, want)) {
				t.Errorf("%s:\n got %v\nwant %s", request.request, got, want)
			}
		}
		if log := h.log.String(); !strings.Contains(log, test.log) {
			t.Errorf("%q is not in the log:\n%s", test.log, log)
		}
	}
}

// TestBrokenForAMoment checks that a move that could not be saved is not played, and is played when
// it is sent again.
func TestBrokenForAMoment(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"dilemma"}`)
	h.memStore.breakWith(func() error { return errors.New("the disk is full") })
	if got := table.say("1:7a@2"); got.status != http.StatusServiceUnavailable ||
		got.header.Get("Retry-After") != "1" {
		t.Errorf("got %v, Retry-After %q", got, got.header.Get("Retry-After"))
	}
	if got, want := table.say("look").String(), "200 seq 2 playing ___/___ first *"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	h.memStore.breakWith(nil)
	const played = "200 seq 3 playing 7__/___ second *"
	if got := table.say("1:7a@2").String(); got != played {
		t.Errorf("got %s, want %s", got, played)
	}
}

// TestInDoubt checks that a player is informed if it is unknown whether an act was saved, and may
// repeat it.
func TestInDoubt(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"dilemma"}`)
	ada, _ := h.pair(t, "dilemma")
	h.memStore.breakWith(func() error { return fmt.Errorf("the wire broke: %w", match.ErrInDoubt) })
	for _, word := range []string{"1:7a@2", "2:resign"} {
		got := table.say(word)
		const want = "503 something broke here, and it is not known whether the act was saved; " +
			"try again in a moment: a move with the same seq is played once"
		if got.String() != want {
			t.Errorf("%s: got %v, want %s", word, got, want)
		}
		if got.field("in_doubt") != true || got.header.Get("Retry-After") != "1" {
			t.Errorf("%s: %s", word, got.text)
		}
	}
	ada.post("/t/"+ada.id()+"/moves", url.Values{"move": {"7a"}})
	if got := ada.textOf("div[id=alert]"); ada.status != http.StatusServiceUnavailable ||
		got != rulebook.InDoubt.Long {
		t.Errorf("the page says %d %q", ada.status, got)
	}
	h.memStore.breakWith(nil)
	for range 2 {
		const played = "200 seq 3 playing 7__/___ second *"
		if got := table.say("1:7a@2").String(); got != played {
			t.Errorf("got %s, want %s", got, played)
		}
	}
}

// TestDeletedTable checks the answers at an open table that someone deletes from the database.
func TestDeletedTable(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"dilemma"}`)
	stream := table.listen(t.Context(), "", "")
	h.memStore.sweep()
	for _, word := range []string{"1:7a@2", "2:resign", "look", "1:7a@2"} {
		if got, want := table.say(word).String(), "404 there is no such table"; got != want {
			t.Errorf("%s: got %s, want %s", word, got, want)
		}
	}
	if all := stream.rest(); len(all) == 0 || all[len(all)-1].event != "bye" {
		t.Errorf("a watcher receives %v, want bye at the end", all)
	}
}

// TestStuck checks that acts get an error soon if the store does not answer, and that reading the
// table does not wait.
func TestStuck(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		table := h.open(`{"rules":"dilemma"}`)
		h.memStore.stick()
		start := time.Now()
		var players sync.WaitGroup
		for _, word := range []string{"1:7a@2", "1:7a@2", "2:resign"} {
			players.Go(func() {
				const want = "503 something broke here and nothing was changed; " +
					"try again in a moment"
				got := table.say(word).String()
				if got != want || time.Since(start) > 6*time.Second {
					t.Errorf("%s: got %s after %v, want %s", word, got, time.Since(start), want)
				}
			})
		}
		synctest.Wait()
		const unchanged = "200 seq 2 playing ___/___ first *"
		if got := table.say("look").String(); got != unchanged || time.Since(start) > 0 {
			t.Errorf("got %s after %v, want %s at once", got, time.Since(start), unchanged)
		}
		players.Wait()
		h.memStore.breakWith(nil)
		const played = "200 seq 3 playing 7__/___ second *"
		if got := table.say("1:7a@2").String(); got != played {
			t.Errorf("got %s, want %s", got, played)
		}
	})
}

// TestSeatIsKept checks that a player who takes a seat gets its token even if the game cannot start
// yet.
func TestSeatIsKept(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"dilemma","seats":["human","anyone"]}`)
	calls := 0
	h.memStore.breakWith(func() error {
		if calls++; calls == 2 {
			return errors.New("the disk is full")
		}
		return nil
	})
	for _, step := range []struct{ word, want string }{
		{"sit=Ben", "201 seat 2 second"},
		{"look", "200 seq 2 between ___/___ *"},
		{"2:next", "200 seq 3 playing ___/___ first *"},
	} {
		if got := table.say(step.word).String(); got != step.want {
			t.Errorf("%s: got %s, want %s", step.word, got, step.want)
		}
	}
}

// TestAskedTooOften checks that a player who fills the log of a table with requests gets an error,
// and that the opponent can still play.
func TestAskedTooOften(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"dilemma"}`)
	var got reply
	for n := 0; got.status != http.StatusConflict && n < match.MostEvents; n++ {
		got = table.say([]string{"1:hints", "1:no-hints"}[n%2])
	}
	const want = "409 you have asked for too much in this series; play on without"
	if got.String() != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := table.play("1:7a 2:3b 2:hints"); got.status != http.StatusOK {
		t.Errorf("a move and a request of the opponent: %v", got)
	}
}

// TestFullHall checks the answers when the limit of open tables is reached.
func TestFullHall(t *testing.T) {
	h := newTestServer(t, func(p *testConfig) { p.hall.Most = 1 })
	table := h.open(`{"rules":"dilemma","turn_time":"1h"}`)
	table.say("1:look") // its clock now keeps it in memory
	got := h.ask("POST", "/api/tables", "", `{"rules":"dilemma"}`)
	want := fmt.Sprintf("503 %v", match.ErrFull)
	if got.String() != want || got.header.Get("Retry-After") != "10" {
		t.Errorf("got %v with Retry-After %q, want %s", got, got.header.Get("Retry-After"), want)
	}
	if got := table.say("1:7a"); got.status != http.StatusOK {
		t.Errorf("a move at the open table: %v", got)
	}
}

// TestTableRefusals checks that every error by which a table refuses an act is a conflict, except
// that of a token that was changed.
func TestTableRefusals(t *testing.T) {
	h := newTestServer(t)
	for _, err := range match.Refusals() {
		want := http.StatusConflict
		if errors.Is(err, match.ErrRekeyed) {
			want = http.StatusForbidden
		}
		p := h.problemOf(asked(t.Context()), fmt.Errorf("act: %w", err))
		if p.status != want || p.text != err.Error() {
			t.Errorf("%v: status %d %q, want %d", err, p.status, p.text, want)
		}
	}
}
