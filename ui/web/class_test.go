package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/class"
	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/ui/gate"
)

// apiClass is a class that a test runs through the API.
type apiClass struct {
	*testServer
	path, code, invitation, director, wall string
	pupils                                 []class.Ticket
}

// openAPIClass opens a class, and lets pupils join it.
func (h *testServer) openAPIClass(order string, pupils int) *apiClass {
	h.t.Helper()
	got := h.ask("POST", "/api/classes", "", order)
	if got.status != 201 {
		h.t.Fatalf("%s: %v", order, got)
	}
	text := func(key string) string { return got.field(key).(string) }
	c := &apiClass{h, "/api/classes/" + text("id"), text("code"), text("invitation"),
		text("director"), text("wall"), nil}
	for i := range pupils {
		c.join(fmt.Sprintf("Pupil %d", i+1))
	}
	return c
}

func (c *apiClass) join(name string) {
	c.t.Helper()
	got := c.ask("POST", c.path+"/join", "",
		fmt.Sprintf(`{"code":%q,"name":%q}`, strings.ToLower(c.code), name))
	var ticket class.Ticket
	if err := json.Unmarshal([]byte(got.text), &ticket); err != nil || got.status != 201 {
		c.t.Fatalf("%s joins: %v", name, got)
	}
	c.pupils = append(c.pupils, ticket)
}

func (c *apiClass) act(act string) reply { return c.ask("POST", c.path+"/acts", c.director, act) }

func (c *apiClass) look(token string) (v classView) {
	c.t.Helper()
	got := c.ask("GET", c.path, token, "")
	if err := json.Unmarshal([]byte(got.text), &v); err != nil || got.status != 200 {
		c.t.Fatal(got)
	}
	return v
}

// TestClassAPI runs a class of five through the API, and checks its standings against the records
// of its games.
func TestClassAPI(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		go h.Classes.Run(t.Context())
		c := h.openAPIClass(`{"title":"7b","rules":"dilemma","format":"rounds","rounds":3}`, 5)
		if got := c.act(`{"act":"start"}`); got.status != 200 || got.number("round") != 1 {
			t.Fatal(got)
		}
		for c.look("").Phase != class.Finished {
			for _, p := range c.pupils {
				you := c.look(p.Token).You
				if you.Table == "" {
					continue
				}
				at := h.ask("GET", "/api/tables/"+you.Table, you.Token, "")
				if legal, ok := at.field("legal").([]any); ok && len(legal) > 0 {
					body := fmt.Sprintf(`{"move":%q}`, legal[rand.IntN(len(legal))])
					// This fails if it is not their turn.
					_ = h.ask("POST", "/api/tables/"+you.Table+"/moves", you.Token, body)
				}
			}
			time.Sleep(time.Second)
			synctest.Wait()
		}
		v := c.look(c.director)
		var games classGames
		if err := json.Unmarshal([]byte(h.ask("GET", c.path+"/games", c.director, "").text),
			&games); err != nil {
			t.Fatal(err)
		}
		points, wins := map[int]int{}, map[int][2]int{} // wins by pairing and seat
		for _, g := range games.Games {
			w, pupils := wins[g.Pairing], v.Pairings[g.Pairing-1].Pupils
			if winner, ok := g.Record.Result.Winner(); ok {
				w[slices.Index(pupils, [2]int{g.First, g.Second}[winner])]++
			}
			wins[g.Pairing] = w
		}
		for pairing, w := range wins {
			share := 1 + max(-1, min(1, w[0]-w[1]))
			points[v.Pairings[pairing-1].Pupils[0]] += share
			points[v.Pairings[pairing-1].Pupils[1]] += 2 - share
		}
		// There are two games per pairing and two pairings per round.
		if len(wins) != 6 || len(games.Games) != 12 {
			t.Errorf("%d pairings, %d games", len(wins), len(games.Games))
		}
		for _, row := range v.Standings {
			if row.Points != points[row.Pupil] || row.Games+row.Byes != 3 {
				t.Errorf("%+v, want %d points by the records", row, points[row.Pupil])
			}
		}
		var log classLog
		text := h.ask("GET", c.path+"/log?after=1", c.director, "").text
		if err := json.Unmarshal([]byte(text), &log); err != nil || len(log.Events) != log.Seq-1 ||
			strings.Contains(text, `"seal"`) {
			t.Errorf("%v: %.300s", err, text)
		}
		if got := h.ask("GET", c.path+"/standings.csv", c.director,
			""); strings.Count(got.text, "\n") != 6 ||
			!strings.HasPrefix(got.text, "\ufeffplace,") {
			t.Errorf("%q", got.text)
		}
		if got := c.act(`{"act":"delete"}`); got.status != 200 {
			t.Error(got)
		}
		if got := h.ask("GET", c.path, "", "").String(); got != "404 there is no such class" {
			t.Error(got)
		}
	})
}

// TestClassViews checks the fields that strangers, pupils and the director of a class of 30 see.
func TestClassViews(t *testing.T) {
	h := newTestServer(t)
	c := h.openAPIClass(`{"rules":"dilemma"}`, 30)
	keys := func(token string) []string {
		var all map[string]any
		if err := json.Unmarshal([]byte(h.ask("GET", c.path, token, "").text), &all); err != nil {
			t.Fatal(err)
		}
		return slices.Sorted(maps.Keys(all))
	}
	strange := []string{"ends", "format", "id", "phase", "round", "rules", "seq",
		"standings", "title"}
	if got := keys(""); !slices.Equal(got, strange) {
		t.Errorf("strangers see %v", got)
	}
	if got := keys(c.pupils[20].Token); !slices.Equal(got, slices.Sorted(slices.Values(append(strange, "you")))) {
		t.Errorf("pupils see %v", got)
	}
	if n := len(c.look("").Standings); n != 10 {
		t.Errorf("strangers see %d standings", n)
	}
	v := c.look(c.pupils[20].Token)
	var rows []int
	for _, row := range v.Standings {
		rows = append(rows, row.Pupil)
	}
	if want := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 21, 22}; !slices.Equal(rows, want) ||
		v.You.Pupil != 21 {
		t.Errorf("a pupil sees %v", rows)
	}
	if all := c.look(c.director); len(all.Standings) != 30 || len(all.Pupils) != 30 ||
		all.Pupils[3].Rejoin != c.pupils[3].Rejoin || all.Code != c.code {
		t.Errorf("the director sees %+v", all)
	}
	c.act(`{"act":"start"}`)
	if you := c.look(c.pupils[0].Token).You; you.Status != class.Plays || you.Table == "" ||
		you.Seat == 0 || you.Token == "" {
		t.Errorf("a pupil who plays sees %+v", you)
	}
	if got := h.ask("POST", "/api/tables/"+c.look(c.pupils[0].Token).You.Table+"/acts",
		c.look(c.pupils[0].Token).You.Token,
		`{"act":"hints"}`).String(); !strings.HasPrefix(got, "409 ") {
		t.Errorf("hints in a class: %s", got)
	}
}

// TestClassRefusals checks refused requests. {c} is an open class, {o} one that is over.
func TestClassRefusals(t *testing.T) {
	h := newTestServer(t)
	c, over := h.openAPIClass(`{"rules":"dilemma"}`, 1), h.openAPIClass(`{"rules":"dilemma"}`, 2)
	over.act(`{"act":"start"}`)
	over.act(`{"act":"end"}`)
	over.act(`{"act":"end"}`)
	mia := c.pupils[0].Token
	const (
		missing = "401 missing seat token: send Authorization: Bearer TOKEN"
		stray   = "403 the token is not of this class"
		nobody  = "404 there is no such class"
		large   = "413 the request is too large; allowed: 16 KiB"
		text    = `415 content type "text/plain": allowed: application/json`
	)
	huge := `{"name":"` + strings.Repeat("7", maxBody) + `"}`
	director := "start next pause resume extend lock unlock recode rename remove readmit award " +
		"void repair end delete"
	names := slices.Sorted(strings.FieldsSeq(director))
	type test struct{ request, token, body, header, want string }
	tests := []test{
		{"POST /api/classes", "", `{"minuets":5}`, "", `400 invalid body: unknown field "minuets"`},
		{"POST /api/classes", "", `{}`, "Origin: null", "403 the request came from another site; allowed: requests from this site's own pages, or without a browser"},
		{"POST /api/classes", "", `{"minutes":91}`, "", "422 minutes 91: allowed: 1 to 90"},
		{"POST /api/classes", "", `{"keep":"1h"}`, "", "422 keep 1h0m0s: allowed: 1d to 90d"},
		{"POST /api/classes", "", `{"format":"cup"}`, "", `422 format "cup": allowed: flow, rounds`},
		{"POST {c}/join", "", `{"code":"AAAAAA","name":"Eve"}`, "", "403 this code is not that of the class"},
		{"POST {c}/join", "", `{"invitation":"AAAAAA","name":"Eve"}`, "", "403 this code is not that of the class"},
		{"POST {o}/join", "", `{"code":"AAAAAA","name":"Eve"}`, "", "403 nobody can join this class now"},
		{"POST {c}/join", "", `{"code":"{code}","name":" "}`, "", "422 name: allowed: 1 to 24 characters"},
		{"POST {c}/rejoin", "", `{"rejoin":"AAAAAAAA"}`, "", "403 this rejoin code is not valid, or was used"},
		{"POST {c}/rejoin", "", `{"rejoin":"AAAAAAAA"}`, "Idempotency-Key: short", "422 Idempotency-Key: allowed: 16 to 128 letters, digits and signs, without spaces"},
		{"POST {c}/acts", "{d}", `{"act":"dance"}`, "", `422 act "dance": allowed: ` + strings.Join(names, ", ")},
		{"POST {c}/acts", "{d}", `{"act":"start"}`, "", "409 start: pupils here: 1; allowed: 2 or more"},
		{"POST {c}/acts", "{d}", `{"act":"remove","pupil":7}`, "", "404 pupil 7: there is no such pupil"},
		{"POST {c}/acts", "{d}", `{"act":"leave","pupil":1}`, "", "403 act leave: this token may not do it; allowed: " + strings.Join(names, ", ")},
		{"POST {c}/acts", mia, `{"act":"delete"}`, "", `422 act "delete": allowed: back, leave`},
		{"POST {c}/acts", mia, `{"act":"start"}`, "", "403 act start: this token may not do it; allowed: back, leave"},
		{"POST {c}/acts", "{wall}", `{"act":"start"}`, "", stray},
		{"GET {c}/log?after=x", "{d}", "", "", `422 after "x": allowed: the number of an event, or 0`},
		{"GET {c}", "", "", "Authorization: Basic QTpC", missing},
		{"GET {c}/events", "", "", "Authorization: Basic QTpC", missing},
		{"GET {c}", "forged", "", "", stray},
		{"GET {c}/events", "forged", "", "", stray},
	}
	for _, path := range []string{"/log", "/games", "/standings.csv"} {
		tests = append(tests,
			test{"GET {c}" + path, "", "", "", missing},
			test{"GET {c}" + path, "forged", "", "", stray},
			test{"GET {c}" + path, mia, "", "", "403 only the director of the class can do that"},
			test{"GET /api/classes/aaaaaaaaaaaa" + path, "x", "", "", nobody})
	}
	for _, path := range []string{"", "/events"} {
		tests = append(tests, test{"GET /api/classes/aaaaaaaaaaaa" + path, "", "", "", nobody})
	}
	for _, path := range []string{"/api/classes", "{c}/join", "{c}/rejoin", "{c}/acts"} {
		tests = append(tests, test{"POST " + path, "", huge, "", large}, test{"POST " + path, "", "{}", "Content-Type: text/plain", text},
			test{"POST " + path, "", "[]", "", "400 invalid body: not a JSON object"})
	}
	for _, path := range []string{"/join", "/rejoin", "/acts"} {
		tests = append(tests, test{"POST /api/classes/aaaaaaaaaaaa" + path, "", "{}", "", nobody})
	}
	tests = append(tests, test{"POST {c}/acts", "", `{"act":"start"}`, "", missing})
	for _, test := range tests {
		fill := strings.NewReplacer("{c}", c.path, "{o}", over.path, "{d}", c.director,
			"{wall}", c.wall, "{code}", c.code)
		method, path, _ := strings.Cut(fill.Replace(test.request), " ")
		var headers []string
		if test.header != "" {
			headers = []string{test.header}
		}
		if got := h.ask(method, path, fill.Replace(test.token), fill.Replace(test.body),
			headers...); got.String() != test.want {
			t.Errorf("%s %.100s %s:\n got %.300v\nwant %s", test.request, test.body, test.header,
				got, test.want)
		}
	}
	c.act(`{"act":"lock"}`)
	if got := h.ask("POST", c.path+"/join", "",
		fmt.Sprintf(`{"code":%q,"name":"Eve"}`, c.code)).String(); got != "403 nobody can join this class now" {
		t.Error(got)
	}
	roster := h.openAPIClass(`{"rules":"dilemma","names":["Ada","Ben"]}`, 0)
	roster.join("ada")
	if got := h.ask("POST", roster.path+"/join", "",
		fmt.Sprintf(`{"invitation":%q,"name":"Ada"}`,
			roster.invitation)).String(); got != "409 name “Ada”: another pupil has it" {
		t.Error(got)
	}
}

// TestClassRepeats checks that a request repeated with its key is performed once.
func TestClassRepeats(t *testing.T) {
	h := newTestServer(t)
	key := "Idempotency-Key: 0123456789abcdef"
	order := `{"rules":"dilemma","wait":"5s","turn_time":"20s","on_timeout":"lose","keep":"2d"}`
	one, two := h.ask("POST", "/api/classes", "", order, key),
		h.ask("POST", "/api/classes", "", order, key)
	if one.text != two.text || one.status != 201 {
		t.Errorf("%v, then %v", one, two)
	}
	path, body := "/api/classes/"+one.field("id").(string),
		fmt.Sprintf(`{"code":%q,"name":"Mia"}`, one.field("code"))
	log := h.ask("GET", path+"/log", one.field("director").(string), "").text
	if want := `"wait":"5s","turn_time":"20s","on_timeout":"lose"`; !strings.Contains(log, want) {
		t.Errorf("the log is %s, without %s", log, want)
	}
	a, b := h.ask("POST", path+"/join", "", body, key), h.ask("POST", path+"/join", "", body, key)
	if a.text != b.text || a.status != 201 {
		t.Errorf("%v, then %v", a, b)
	}
	moved := fmt.Sprintf(`{"rejoin":%q}`, a.field("rejoin"))
	other := "Idempotency-Key: fedcba9876543210"
	a, b = h.ask("POST", path+"/rejoin", "", moved, other),
		h.ask("POST", path+"/rejoin", "", moved, other)
	if a.text != b.text || a.status != 200 {
		t.Errorf("%v, then %v", a, b)
	}
}

// TestClassLimits checks the limits that protect classes against abuse.
func TestClassLimits(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		c := h.openAPIClass(`{"rules":"dilemma"}`, 2)
		for i := range 2 * wrongCodes {
			want := 403
			if i >= wrongCodes {
				want = 429
			}
			got := h.ask("POST", c.path+"/join", "",
				fmt.Sprintf(`{"code":"A%05d","name":"Eve"}`, i%100000))
			if got.status != want {
				t.Fatalf("wrong code %d: %v", i+1, got)
			}
		}
		if got := h.ask("POST", c.path+"/join", "",
			fmt.Sprintf(`{"invitation":%q,"name":"Ben"}`, c.invitation)); got.status != 201 {
			t.Errorf("the invitation: %v", got)
		}
		if got := h.ask("POST", c.path+"/rejoin", "", `{"rejoin":"AAAAAAAA"}`); got.status != 429 {
			t.Errorf("a rejoin code: %v", got)
		}
		for i := range classesAnHour {
			if got := h.ask("POST", "/api/classes", "",
				`{"rules":"dilemma"}`); (got.status == 429) != (i == classesAnHour-1) {
				t.Errorf("class %d: %v", i+2, got)
			}
		}
		for i := range pupilActs + 1 {
			if got := h.ask("POST", c.path+"/acts", c.pupils[0].Token,
				`{"act":"back"}`); (got.status == 429) != (i == pupilActs) {
				t.Errorf("act %d: %v", i+1, got)
			}
		}
	})
}

// TestClassStream checks that the stream sends the phases of a class and ends when it is deleted.
func TestClassStream(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		c := h.openAPIClass(`{"rules":"dilemma"}`, 2)
		stream := (&table{testServer: h, path: c.path}).listen(t.Context(), "", "")
		if got := h.ask("HEAD", c.path+"/events", "", ""); got.status != 200 {
			t.Error(got)
		}
		first, _ := stream.next()
		c.act(`{"act":"start"}`)
		time.Sleep(time.Second)
		second, _ := stream.next()
		if first.event != "class" || !strings.Contains(first.data, `"phase":"open"`) ||
			!strings.Contains(second.data, `"phase":"playing"`) {
			t.Errorf("%+v, then %+v", first, second)
		}
		c.act(`{"act":"delete"}`)
		time.Sleep(time.Minute)
		if rest := stream.rest(); len(rest) > 0 {
			t.Errorf("the stream sends %+v after the class was deleted", rest)
		}
	})
}

// TestStandingsCSV checks the quoting of names, also of those that look like formulas.
func TestStandingsCSV(t *testing.T) {
	one := 1
	got := string(standingsCSV([]class.Standing{{Place: &one, Name: "=1+1", Score: 67}, {Name: `Zoë "Z", 7b`, Left: true}}))
	want := "\ufeffplace,name,score,points,games,right,decisions,byes,left\n1,'=1+1,67,0,0,0,0,0,0\n,\"Zoë \"\"Z\"\", 7b\",0,0,0,0,0,0,1\n"
	if got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	for _, name := range []string{"=1", "+1", "-1", "@1"} {
		if got := string(standingsCSV([]class.Standing{{Name: name}})); !strings.Contains(got, ",'"+name+",") {
			t.Errorf("%s is written as %q", name, got)
		}
	}
}

// TestDecisions checks that moves made by the clock do not count as decisions.
func TestDecisions(t *testing.T) {
	h := newTestServer(t)
	rec, err := digit.ParseRecord("dilemma 7a 1c 4b 2a *")
	if err != nil {
		t.Fatal(err)
	}
	all, err := h.decisions(t.Context(), "c", rec)
	if err != nil {
		t.Fatal(err)
	}
	rec.Tags = append(rec.Tags, digit.Tag{Key: digit.ClockTag, Value: "1,2,3,4"})
	none, err := h.decisions(t.Context(), "c", rec)
	if err != nil || none != [2][2]int{} || all == none {
		t.Errorf("%v by the players, %v by the clock, %v", all, none, err)
	}
}

// TestClassPays checks that reviews of a class's games count against the class, not against the
// school's address.
func TestClassPays(t *testing.T) {
	h := newTestServer(t, func(p *testConfig) { p.Limits = gate.Limits{Work: 0.001} })
	c := h.openAPIClass(`{"rules":"dilemma width=2 pool=0-7","pair":false}`, 2)
	if got := c.act(`{"act":"start"}`); got.status != 200 {
		t.Fatal(got)
	}
	you := c.look(c.pupils[0].Token).You
	if got := h.ask("POST", "/api/tables/"+you.Table+"/acts", you.Token,
		`{"act":"resign"}`); got.status != 200 {
		t.Fatal(got)
	}
	h.Charge(gate.Explaining, "192.0.2.7", time.Hour) // the school has used up its share
	page := h.ask("GET", "/t/"+you.Table+"/games/1", "", "", "Accept: text/html")
	if page.status != 200 || strings.Contains(page.text, rulebook.Overworked(1).Long[:12]) {
		t.Errorf("%d %.300s", page.status, page.text)
	}
}
