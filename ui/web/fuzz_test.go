package web

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"digitduel/match"
	"digitduel/solve"
)

// A fuzzServer is a server for requests of all kinds, with tables in every phase.
type fuzzServer struct {
	*testServer
	log    *logBuffer
	tables map[string]*table // by their placeholder in requests
	made   int               // number of tables set up
}

// fuzzTables maps placeholders to the order and the script that set up each table.
var fuzzTables = map[string]struct{ order, script string }{
	"fresh":   {`{"rules":"dilemma"}`, ""},
	"played":  {`{"rules":"dilemma","hints":true}`, "1:7a 2:3b"},
	"asked":   {`{"rules":"divisibility"}`, "1:4R 2:3R 1:undo"},
	"hand":    {`{"rules":"sevens"}`, "1:7 2:3 1:2 2:5"},
	"lobby":   {`{"rules":"highest","names":["Ada"],"seats":["human","anyone"]}`, ""},
	"friend":  {`{"rules":"reverse","names":["Ada"],"seats":["human","friend"]}`, ""},
	"between": {`{"rules":"reverse","best_of":3}`, "1:resign"},
	"over":    {`{"rules":"dilemma"}`, "1:7a 2:resign"},
}

func newFuzzServer(t testing.TB) *fuzzServer {
	g := &fuzzServer{log: new(logBuffer), tables: map[string]*table{}}
	log := slog.New(slog.NewTextHandler(g.log, &slog.HandlerOptions{Level: slog.LevelError}))
	g.testServer = newTestServer(t, func(p *testConfig) {
		p.Log, p.hall.Log = log, log
		// A small budget, so that large games fail fast.
		p.Solver = &solve.Solver{Config: solve.Config{Budget: 1 << 20}}
	})
	for word := range fuzzTables {
		g.setUp(word)
	}
	return g
}

// setUp sets up a table, or sets it up again.
func (g *fuzzServer) setUp(word string) {
	t := g.open(fuzzTables[word].order)
	t.play(fuzzTables[word].script)
	g.tables[word] = t
	g.made++
}

// fill replaces placeholders: {fresh} is a table, {fresh1} the token of its first seat, and
// {fresh#} the number of its last event.
func (g *fuzzServer) fill(text string) string {
	for word, t := range g.tables {
		if !strings.Contains(text, "{"+word) {
			continue
		}
		text = strings.NewReplacer(
			"{"+word+"}", t.id, "{"+word+"1}", g.Keys.Token(t.id, match.One), "{"+word+"2}", g.Keys.Token(t.id, match.Two),
			"{"+word+"#}", fmt.Sprint(g.memStore.state(t.id).Seq),
		).Replace(text)
	}
	return text
}

// count returns the number of tables.
func (g *fuzzServer) count() int {
	g.memStore.mu.Lock()
	defer g.memStore.mu.Unlock()
	return len(g.memStore.tables)
}

// A request is an HTTP request with placeholders for tables and tokens.
type request struct{ method, target, headers, body string }

// read parses a request as the server of net/http does; ok is false if that server refuses it.
func (g *fuzzServer) read(q request) (r *http.Request, ok bool) {
	var text strings.Builder
	text.WriteString(q.method + " " + g.fill(q.target) + " HTTP/1.1\r\nHost: duel.example\r\n")
	for line := range strings.Lines(g.fill(q.headers)) {
		text.WriteString(strings.TrimRight(line, "\r\n") + "\r\n")
	}
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text.String() + "\r\n")))
	if err != nil ||
		strings.ContainsFunc(q.method, func(c rune) bool { return c <= ' ' || c >= 0x7f }) ||
		r.URL.Path == "" {
		return nil, false
	}
	r.Body, r.RemoteAddr = io.NopCloser(strings.NewReader(g.fill(q.body))), "192.0.2.7:50000"
	return r, true
}

// A recorder records a response, and hangs up once a stream has started.
type recorder struct {
	*httptest.ResponseRecorder
	hangUp func()
}

func (r recorder) Flush() {
	r.ResponseRecorder.Flush()
	if strings.HasPrefix(r.Header().Get("Content-Type"), "text/event-stream") {
		r.hangUp()
	}
}

// try sends a request, and checks the response and the tables with judge.
func (g *fuzzServer) try(t testing.TB, q request) {
	t.Helper()
	r, ok := g.read(q)
	if !ok {
		return
	}
	g.t = t
	before, count := map[string]match.State{}, g.count()
	for word, table := range g.tables {
		before[word] = g.memStore.state(table.id)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w := recorder{httptest.NewRecorder(), cancel}
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		g.ServeHTTP(w, r.WithContext(ctx))
	}()
	select {
	case <-answered:
	case <-time.After(20 * time.Second):
		t.Fatalf("%+v: no response", q)
	}
	answer := w.Result()
	answer.Request = r
	if err := g.judge(q, r, answer, w.Body.Bytes(), before, count); err != nil {
		t.Errorf("%q: got %d: %v\n%.500s\n%s", q, answer.StatusCode, err, w.Body, g.log)
	}
	for word := range g.tables {
		if g.memStore.state(g.tables[word].id).Seq != before[word].Seq {
			g.setUp(word)
		}
	}
}

// judge returns an error if a response is invalid, reveals a token, or if the request changed a
// table that it may not change.
func (g *fuzzServer) judge(q request, r *http.Request, answer *http.Response, body []byte,
	before map[string]match.State, count int) error {
	status, inAPI := answer.StatusCode, strings.HasPrefix(r.URL.Path, "/api/")
	switch {
	case status >= 500:
		return fmt.Errorf("server error")
	case answer.Header.Get("Content-Security-Policy") == "":
		return fmt.Errorf("no Content-Security-Policy")
	case inAPI && status >= 400:
		if err := oneLine(body); err != nil {
			return err
		}
	}
	if err := theDocument().exchange(r, []byte(g.fill(q.body)), answer, body); inAPI && err != nil {
		return err
	}
	if answer.Header.Get("Content-Encoding") == "gzip" {
		plain, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return err
		}
		if body, err = io.ReadAll(plain); err != nil {
			return err
		}
	}
	opened := r.Method == "POST" &&
		(r.URL.Path == "/api/tables" && status == 201 || r.URL.Path == "/tables" && status == 303)
	if n := g.count(); n != count && !(opened && n == count+1) {
		return fmt.Errorf("there were %d tables, now there are %d", count, n)
	}
	asked := g.fill(q.target + q.headers + q.body)
	for word, table := range g.tables {
		if err := g.unchanged(r, table, before[word], opened); err != nil {
			return fmt.Errorf("table %s: %w", word, err)
		}
		for _, seat := range match.Seats {
			token := g.Keys.Token(table.id, seat)
			shown := strings.Contains(fmt.Sprint(answer.Header), token) ||
				bytes.Contains(body, []byte(token))
			if shown && !before[word].Open[seat] && !strings.Contains(asked, token) {
				return fmt.Errorf("table %s: the response reveals the token of %v", word, seat)
			}
		}
	}
	return nil
}

// oneLine returns an error unless a body is one line of JSON with an error message.
func oneLine(body []byte) error {
	var refusal struct{ Error string }
	if err := json.Unmarshal(body, &refusal); err != nil {
		return err
	}
	if n := bytes.Count(body, []byte("\n")); refusal.Error == "" ||
		strings.ContainsAny(refusal.Error, "\n\r") || n != 1 || body[len(body)-1] != '\n' {
		return fmt.Errorf("the refusal is not one line: %q", body)
	}
	return nil
}

// unchanged returns an error if a request changed a table in a way that it may not.
func (g *fuzzServer) unchanged(r *http.Request, table *table, before match.State,
	opened bool) error {
	events, err := g.memStore.Events(context.Background(), table.id, before.Seq)
	if err != nil || len(events) == 0 {
		return err
	}
	from := r.Header.Get("Sec-Fetch-Site")
	if r.Method != http.MethodPost || from != "" && from != "same-origin" && from != "none" {
		return fmt.Errorf("changed by %s from %q", r.Method, from)
	}
	about := slices.Contains(strings.Split(r.URL.Path, "/"), table.id)
	for i, e := range events {
		switch sits := e.Kind == match.Seated && before.Open[e.Seat]; {
		case e.Kind == match.Began && i > 0: // it follows from the event before
		case sits && about && !before.Setup.Listed && !g.invites(r, table.id, e.Seat):
			return fmt.Errorf("%+v was done without an invitation", e)
		case sits && (about || opened && before.Setup.Listed): // an order may find this table
		case !about ||
			!g.proves(r, table.id, e.Seat) && e.Kind != match.Began && e.Kind != match.Undone,
			!g.proves(r, table.id, match.One) && !g.proves(r, table.id, match.Two):
			return fmt.Errorf("%+v was done without the token", e)
		case e.Kind == match.Moved && before.Turn() != e.Seat:
			return fmt.Errorf("%+v was not the seat's turn", e)
		case e.Kind == match.Undone &&
			!(before.Asking && before.Asker == e.Seat && g.proves(r, table.id, e.Seat.Other())):
			return fmt.Errorf("%+v was not agreed to", e)
		}
	}
	return nil
}

// proves reports whether a request has the token of a seat: in the header of the API, or in the
// cookie of a page.
func (g *fuzzServer) proves(r *http.Request, id string, seat match.Seat) bool {
	token := g.Keys.Token(id, seat)
	if strings.HasPrefix(r.URL.Path, "/api/") {
		scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		return strings.EqualFold(scheme, "Bearer") && given == token
	}
	return slices.ContainsFunc(r.CookiesNamed(seatCookie),
		func(c *http.Cookie) bool { return c.Value == token })
}

// invites reports whether a request has the invitation to a seat.
func (g *fuzzServer) invites(r *http.Request, id string, seat match.Seat) bool {
	return g.proves(r, id, seat) ||
		slices.ContainsFunc(r.CookiesNamed(inviteCookie),
			func(c *http.Cookie) bool { return c.Value == g.Keys.Token(id, seat) })
}

const (
	asJSON = "Content-Type: application/json\n"
	asForm = "Content-Type: application/x-www-form-urlencoded\n"
)

// seeds lists requests that are worth trying.
var seeds = []request{
	// Valid requests.
	{"POST", "/api/tables", asJSON, `{"rules":"dilemma","seats":["human","perfect"]}`},
	{"GET", "/api/tables/{played}", "", ""},
	{"POST", "/api/tables/{fresh}/moves", asJSON + "Authorization: Bearer {fresh1}\n", `{"move":"7a","seq":{fresh#}}`},
	{"POST", "/api/tables/{asked}/acts", asJSON + "Authorization: Bearer {asked2}\n", `{"act":"undo"}`},
	{"POST", "/api/tables/{lobby}/seats", asJSON, `{"name":"Ben"}`},
	{"GET", "/api/tables/{played}/hint", "Authorization: bearer {played1}\n", ""},
	{"GET", "/api/tables/{played}/events?after=1", "Last-Event-ID: 2\nAuthorization: Bearer {played1}\n", ""},
	{"POST", "/t/{fresh}/moves", asForm + "Cookie: seat={fresh1}\n", "move=7a&seq={fresh#}"},
	{"POST", "/t/{between}/acts", asForm + "Cookie: seat={between2}\n", "act=next"},
	{"POST", "/t/{lobby}/sit", asForm, "name=Ben"},
	{"POST", "/api/tables/{friend}/seats", asJSON + "Authorization: Bearer {friend2}\nIdempotency-Key: 0123456789abcdef\n", `{"name":"Ben"}`},
	{"POST", "/t/{friend}/sit", asForm + "Cookie: invite={friend2}; browser=0123456789abcdef\n", "name=Ben"},
	{"POST", "/api/tables/{played}/token", asJSON + "Authorization: Bearer {played1}\nIdempotency-Key: 0123456789abcdef\n", `{}`},
	{"POST", "/t/{played}/token", asForm + "Cookie: seat={played2}\n", "key=0123456789abcdef"},
	{"POST", "/api/tables", asJSON + "Idempotency-Key: 0123456789abcdef\n", `{"rules":"dilemma","seats":["human","friend"]}`},
	{"POST", "/tables", asForm, "book=highest&opponent=anyone&name=Eve"},
	{"GET", "/t/{lobby}/live", "Cookie: seat={lobby1}\n", ""},
	{"GET", "/t/{over}/games/1", "Accept-Encoding: gzip\n", ""},
	// Wrong content types, and bodies that are too large.
	{"POST", "/api/tables/{fresh}/moves", asForm + "Authorization: Bearer {fresh1}\n", "move=7a"},
	{"POST", "/t/{fresh}/moves", asJSON + "Cookie: seat={fresh1}\n", `{"move":"7a"}`},
	{"POST", "/t/{fresh}/moves", "Content-Type: multipart/form-data; boundary=x\nCookie: seat={fresh1}\n", "--x\r\n\r\n--x--"},
	{"POST", "/api/tables", asJSON, `{"rules":"` + strings.Repeat("9", 1<<20) + `"}`},
	{"POST", "/tables", asForm, "name=" + strings.Repeat("x", 1<<20)},
	{"POST", "/api/tables", asJSON + "Content-Encoding: gzip\nTransfer-Encoding: chunked\n", `{}`},
	// Bytes that are not text.
	{"POST", "/api/tables", asJSON, "{\"rules\":\"\xff\xfe\"}"},
	{"POST", "/api/tables/{lobby}/seats", asJSON, `{"name":"\u0000"}`},
	{"POST", "/t/{lobby}/sit", asForm, "name=%00%ff"},
	{"GET", "/api/tables/%00", "", ""},
	{"GET", "/t/%ff%fe", "", ""},
	{"GET", "/rules/%00?book=%ff", "", ""},
	{"GET", "/puzzle?day=%00", "", ""},
	// Tokens that do not belong to the seat, or that are sent in the wrong way.
	{"POST", "/api/tables/{fresh}/moves", asJSON + "Authorization: Bearer {fresh2}\n", `{"move":"7a"}`},
	{"POST", "/api/tables/{fresh}/moves", asJSON + "Authorization: Bearer {played1}\n", `{"move":"7a"}`},
	{"POST", "/api/tables/{fresh}/moves", asJSON + "Cookie: seat={fresh1}\n", `{"move":"7a"}`},
	{"POST", "/api/tables/{fresh}/moves", asJSON + "Authorization: Basic {fresh1}\n", `{"move":"7a"}`},
	{"POST", "/api/tables/{fresh}/acts", asJSON + "Authorization: Bearer forged\n", `{"act":"resign"}`},
	{"POST", "/api/tables/{lobby}/moves", asJSON + "Authorization: Bearer {lobby2}\n", `{"move":"7a"}`},
	{"POST", "/t/{fresh}/acts", asForm + "Authorization: Bearer {fresh1}\n", "act=resign"},
	{"POST", "/t/{fresh}/acts", asForm + "Cookie: seat={played1}; seat=x\n", "act=resign"},
	{"POST", "/t/{fresh}/acts", asForm + "Cookie: seat={fresh1}\nSec-Fetch-Site: cross-site\n", "act=resign"},
	{"POST", "/t/{fresh}/acts?act=resign", asForm + "Cookie: seat={fresh1}\nOrigin: https://evil.example\n", ""},
	{"POST", "/api/tables/{friend}/seats", asJSON, `{"name":"Eve"}`},
	{"POST", "/api/tables/{friend}/seats", asJSON + "Authorization: Bearer {friend1}\n", `{"name":"Eve"}`},
	{"POST", "/t/{friend}/sit", asForm + "Cookie: invite={lobby2}\n", "name=Eve"},
	{"POST", "/t/{friend}/acts", asForm + "Cookie: seat={friend2}; invite={friend2}\n", "act=hints"},
	{"POST", "/api/tables/{friend}/token", asJSON + "Authorization: Bearer {friend2}\n", `{}`},
	{"GET", "/t/{friend}/seat/{friend2}", "Cookie: seat={friend1}\n", ""},
	{"GET", "/t/{fresh}/seat/{fresh1}", "", ""},
	{"GET", "/t/{fresh}/seat/{played1}", "", ""},
	// Moves and orders that are not possible now, or never.
	{"POST", "/api/tables/{played}/moves", asJSON + "Authorization: Bearer {played1}\n", `{"move":"7a","seq":2}`},
	{"POST", "/api/tables/{played}/moves", asJSON + "Authorization: Bearer {played1}\n", `{"move":"1a","seq":-1}`},
	{"POST", "/api/tables/{played}/moves", asJSON + "Authorization: Bearer {played1}\n", `{"move":"1c","seq":1e309}`},
	{"POST", "/api/tables/{played}/moves", asJSON + "Authorization: Bearer {played1}\n", `{"move":"1c","seq":9223372036854775808}`},
	{"POST", "/t/{played}/moves", asForm + "Cookie: seat={played1}\n", "digit=1&spot=c&seq=-1"},
	{"POST", "/t/{hand}/moves", asForm + "Cookie: seat={hand1}\n", "digit=1&call=7&seq="},
	{"POST", "/api/tables/{over}/moves", asJSON + "Authorization: Bearer {over1}\n", `{"move":"1c"}`},
	{"POST", "/api/tables", asJSON, `{"rules":"chess"}`},
	{"POST", "/api/tables", asJSON, `{"rules":"dilemma width=9 pool=0-1 target=99999"}`},
	{"POST", "/api/tables", asJSON, `{"rules":"dilemma pool=0-f width=5","seats":["perfect","perfect"]}`},
	{"POST", "/api/tables", asJSON, `{"rules":"dilemma","best_of":1e309,"turn_time":"1e309s","first":-1}`},
	{"POST", "/tables", asForm, "book=dilemma&opponent=computer&level=dog&best_of=99999999999999999999&width=-1"},
	{"POST", "/tables", asForm, "rules=dilemma+pool%3D0-f&opponent=computer&level=perfect&turn_time=-5s"},
	// Odd JSON.
	{"POST", "/api/tables", asJSON, `{"rules":` + strings.Repeat("[", 8000)},
	{"POST", "/api/tables", asJSON, `{"rules":"dilemma","rules":"sevens"}`},
	{"POST", "/api/tables", asJSON, `{"rules":"dilemma"}{"rules":"dilemma"}`},
	{"POST", "/api/tables", asJSON, `{"RULES":"dilemma"}`},
	{"POST", "/api/tables", asJSON, `null`},
	{"POST", "/api/tables", asJSON, ``},
	// Names.
	{"POST", "/api/tables/{lobby}/seats", asJSON, `{"name":"` + strings.Repeat("x", 1000) + `"}`},
	{"POST", "/api/tables/{lobby}/seats", asJSON, "{\"name\":\"\u202eneB\u2066\"}"},
	{"POST", "/api/tables/{lobby}/seats", asJSON, `{"name":"😀👨‍👩‍👧"}`},
	{"POST", "/t/{lobby}/sit", asForm, "name=" + url.QueryEscape("<script>alert(1)</script>")},
	{"POST", "/tables", asForm, "book=sevens&opponent=friend&name=" + url.QueryEscape("\u202eadA 😀")},
	// Paths and methods.
	{"GET", "/static/../../../etc/passwd", "", ""},
	{"GET", "/static/x/..%2f..%2fserver.go", "", ""},
	{"GET", "//api//tables", "", ""},
	{"GET", "/api/tables/{fresh}/../{played}", "", ""},
	{"GET", "http://other.example/api/tables", "", ""},
	{"HEAD", "/api/tables/{fresh}/events", "", ""},
	{"HEAD", "/t/{fresh}/live", "Cookie: seat={fresh1}\n", ""},
	{"OPTIONS", "/api/tables", "Origin: https://evil.example\n", ""},
	{"TRACE", "/t/{fresh}", "Cookie: seat={fresh1}\n", ""},
	{"CONNECT", "/api/tables", "", ""},
	{"PUT", "/api/tables/{fresh}/moves", asJSON + "Authorization: Bearer {fresh1}\n", `{"move":"7a"}`},
	{"DELETE", "/t/{fresh}", "Cookie: seat={fresh1}\n", ""},
	{"GET", "/api/tables/{fresh}/events?after=99999999999999999999", "", ""},
	{"GET", "/api/tables/{fresh}/events", "Last-Event-ID: -1\n", ""},
	{"GET", "/t/{fresh}/live?after=x", "Last-Event-ID: \x01\n", ""},
	{"GET", "/t/{over}/games/-1", "", ""},
	{"GET", "/t/{over}/games/1?at=99999", "", ""},
	{"GET", "/t/{over}/games/99999999999999999999/record", "", ""},
	{"GET", "/t/{over}/games/1/retry?ply=5&digit=%00&spot=a&show=1", "", ""},
	{"GET", "/api/games?before=0000-01-01T00:00:00Z&limit=1e3", "", ""},
	{"GET", "/api/games?book=%3B;limit=1", "", ""},
	{"GET", "/games?book=chess&before=x", "", ""},
	{"GET", "/new?rules=chess&against=anyone", "Cookie: level=dog; name=%ff\n", ""},
	{"GET", "/puzzle?day=2026-01-01&move=zz&show=1", "", ""},
	{"POST", "/puzzle", asForm, "day=1&digit=x&spot=%00"},
	{"GET", "/puzzle?book=dilemma&at=3_0%2F7__&level=%00", "Cookie: days=____\n", ""},
	{"GET", "/puzzle/all?month=9999-99", "", ""},
	{"POST", "/puzzle/random", asForm, "book=chess&level=dog"},
}

// FuzzEndpoints sends any request to any path.
func FuzzEndpoints(f *testing.F) {
	for _, q := range seeds {
		f.Add(q.method, q.target, q.headers, q.body)
	}
	g := newFuzzServer(f)
	f.Fuzz(func(t *testing.T, method, target, headers, body string) {
		g.try(t, request{method, target, headers, body})
	})
}

// TestEndpoints sends random requests made of meaningful pieces.
func TestEndpoints(t *testing.T) {
	const least, most = 600, 3000 // requests
	g := newFuzzServer(t)
	rng := rand.New(rand.NewPCG(12, 12))
	changed := func() int { return g.made - len(fuzzTables) }
	for tries := 0; tries < least || changed() < least/50; tries++ {
		if tries == most {
			t.Fatalf("only %d of %d requests changed a table", changed(), tries)
		}
		g.try(t, mix(rng))
		if t.Failed() {
			return
		}
	}
}

// Pieces of random requests. {T} and {U} are tables; pieceWords has the other placeholders.
var (
	pieceMethods = []string{"GET", "GET", "GET", "POST", "POST", "POST", "POST", "HEAD", "OPTIONS",
		"PUT", "TRACE"}
	piecePaths = []string{
		"/", "/new", "/tables", "/t/{T}", "/t/{T}/live", "/t/{T}/seat/{T1}", "/t/{T}/sit", "/t/{T}/moves", "/t/{T}/acts", "/t/{T}/games/{N}", "/t/{T}/games/{N}/record",
		"/lobby", "/here", "/games", "/rules", "/rules/{B}", "/puzzle", "/puzzle/all", "/help", "/static/{N}/duel.css",
		"/api/tables", "/api/tables/{T}", "/api/tables/{T}/seats", "/api/tables/{T}/moves", "/api/tables/{T}/acts", "/api/tables/{T}/hint", "/api/tables/{T}/events", "/api/tables/{T}/log",
		"/api/games", "/api/stats", "/api/openapi.json", "/api/{B}", "/healthz", "/readyz", "/metrics",
	}
	pieceHeaders = []string{
		"Authorization: Bearer {T1}", "Authorization: Bearer {T2}", "Authorization: Bearer {U1}", "Cookie: seat={T1}", "Cookie: seat={T2}", "Cookie: seat={U1}; seat={T1}",
		"Last-Event-ID: {N}", "Accept: application/json", "Accept: text/html", "X-Requested-With: duel", "Accept-Encoding: gzip", "Sec-Fetch-Site: cross-site",
		"Sec-Fetch-Site: same-origin", "Origin: http://duel.example", "Origin: null", "X-Forwarded-For: {N}", "Cookie: level={B}; name={S}; streak={N}",
	}
	pieceFields = []string{"move={M}", "move={M}&seq={T#}", "move={M}&seq={N}",
		"digit={N}&spot={S}&call={N}", "act={A}", "act={A}", "act=replace&level={B}", "name={S}",
		"rules={B}", "rules={B} target={N}",
		"book={B}&opponent=anyone", "book={B}&opponent=computer&level=casual", "go={B} friend", "best_of={N}", "turn_time={N}s", "hint=1", "after={N}", "people=1", "limit={N}", "day={N}", "phase={S}", "before={S}", "at={N}", ""}
	playPaths = []string{"/t/{T}/sit", "/t/{T}/moves", "/t/{T}/acts", "/api/tables/{T}/seats",
		"/api/tables/{T}/moves", "/api/tables/{T}/acts", "/tables", "/api/tables"}
	playFields = map[string][]string{
		"moves": {"move={M}", "move={M}&seq={T#}", "move={M}&seq={N}"}, "acts": {"act={A}"}, "seats": {"name={S}"}, "sit": {"name={S}"},
		"tables": {"rules={B}", "book={B}&opponent=anyone", "go={B} friend"},
	}
	pieceWords = map[string][]string{
		"{B}": {"dilemma", "sevens", "highest", "divisibility", "reverse", "casual", "perfect", "chess", ""},
		"{N}": {"0", "1", "2", "3", "7", "-1", "1e309", "99999999999999999999", "x", ""},
		"{M}": {"7a", "1c", "3b", "4R", "5L", "2", "8=728", "0a", "zz", ""},
		"{S}": {"Ben", "a", "b", "L", "open", "playing", "<b>", "\u202e", "😀", "\xff", "\x00", strings.Repeat("x", 40), ""},
		"{A}": append(actNames(), "dance"),
	}
)

// mix makes a random request of pieces, and sometimes corrupts it.
func mix(rng *rand.Rand) request {
	pick := func(list []string) string { return list[rng.IntN(len(list))] }
	words := sorted(fuzzTables)
	word, other := pick(words), pick(words)
	fill := func(text string) string {
		text = strings.NewReplacer("{T", "{"+word, "{U", "{"+other).Replace(text)
		for key, values := range pieceWords {
			for strings.Contains(text, key) {
				text = strings.Replace(text, key, pick(values), 1)
			}
		}
		return text
	}
	q := request{method: pick(pieceMethods), target: fill(pick(piecePaths))}
	extra := rng.IntN(4)
	if rng.IntN(2) == 0 { // a request that a player might send
		q, extra = request{method: "POST", target: fill(pick(playPaths))}, rng.IntN(2)
	}
	fields := fill(pick(pieceFields))
	if _, last := path.Split(q.target); rng.IntN(4) > 0 && playFields[last] != nil {
		fields = fill(pick(playFields[last]))
	} else if rng.IntN(2) == 0 {
		fields += "&" + fill(pick(pieceFields))
	}
	if rng.IntN(4) > 0 {
		proof := map[bool]string{
			true: "Authorization: Bearer ", false: "Cookie: seat=",
		}[strings.HasPrefix(q.target, "/api/")]
		q.headers = fill(proof+pick([]string{"{T1}", "{T2}"})) + "\n"
	}
	for range extra {
		q.headers += fill(pick(pieceHeaders)) + "\n"
	}
	if q.method == "POST" {
		inAPI := strings.HasPrefix(q.target, "/api/") != (rng.IntN(20) == 0)
		q.headers += map[bool]string{true: asJSON, false: asForm}[inAPI]
		q.body = fields
		if inAPI {
			q.body = objectOf(fields)
		}
	} else {
		q.target += "?" + url.PathEscape(fields)
	}
	if rng.IntN(8) == 0 {
		spoil(rng, &q.body)
	}
	if rng.IntN(20) == 0 {
		spoil(rng, &q.target)
	}
	return q
}

// objectOf writes the fields of a form as JSON.
func objectOf(fields string) string {
	var parts []string
	for field := range strings.SplitSeq(fields, "&") {
		key, value, _ := strings.Cut(field, "=")
		text, _ := json.Marshal(value) // strings cannot fail
		if key == "seq" || key == "best_of" {
			text = []byte(value)
		}
		parts = append(parts, fmt.Sprintf("%q:%s", key, text))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// spoil adds a byte, cuts off the end, or changes a byte.
func spoil(rng *rand.Rand, text *string) {
	b := []byte(*text)
	at := rng.IntN(len(b) + 1)
	switch rng.IntN(3) {
	case 0:
		b = slices.Insert(b, at, byte(rng.IntN(256)))
	case 1:
		b = b[:at]
	default:
		if at < len(b) {
			b[at] = byte(rng.IntN(256))
		}
	}
	*text = string(b)
}
