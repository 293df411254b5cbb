package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"digitduel/match"
	"digitduel/ui/gate"
)

// A listener reads an event stream.
type listener struct {
	t     testing.TB
	body  io.ReadCloser
	lines *bufio.Scanner
}

// A message is an event or a comment in a stream.
type message struct{ id, event, data, comment string }

func (m message) String() string {
	if m.comment != "" {
		return ": " + m.comment
	}
	return strings.TrimSpace(m.id + " " + m.event)
}

func newListener(t testing.TB, body io.ReadCloser) *listener {
	return &listener{t, body, bufio.NewScanner(body)}
}

// listen opens the event stream of a table.
func (t *table) listen(ctx context.Context, token, query string, headers ...string) *listener {
	t.t.Helper()
	address := "http://duel.example" + t.path + "/events" + query
	r, err := http.NewRequestWithContext(ctx, "GET", address, nil)
	if err != nil {
		t.t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for _, line := range headers {
		key, value, _ := strings.Cut(line, ": ")
		r.Header.Set(key, value)
	}
	answer, err := t.client.Do(r) //nolint:bodyclose // the caller closes it
	if err != nil {
		t.t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(answer.Body)
		t.t.Fatalf("listen: %d %s", answer.StatusCode, text)
	}
	return newListener(t.t, answer.Body)
}

// next returns the next message, which is checked against openapi.json. At the end of the stream,
// ok is false.
func (l *listener) next() (m message, ok bool) {
	var lines []string
	for l.lines.Scan() {
		if line := l.lines.Text(); line != "" {
			lines = append(lines, line)
			continue
		}
		if len(lines) == 1 && strings.HasPrefix(lines[0], "retry: ") {
			lines = nil
			continue
		}
		break
	}
	if len(lines) == 0 {
		return m, false
	}
	for _, line := range lines {
		key, value, _ := strings.Cut(line, ": ")
		switch key {
		case "id":
			m.id = value
		case "event":
			m.event = value
		case "data":
			m.data = value
		case "":
			m.comment = value
		default:
			l.t.Errorf("unexpected line in the stream: %q", line)
		}
	}
	if m.id != "" {
		var e any
		kind := "Event"
		if m.event == "class" {
			kind = "ClassNow"
		}
		err := json.Unmarshal([]byte(m.data), &e)
		if err == nil {
			s := schema{"$ref": "#/components/schemas/" + kind}
			err = theDocument().check(s, e, "the event")
		}
		if err != nil {
			l.t.Errorf("%s: %v", m.data, err)
		}
	}
	return m, true
}

// rest returns all messages until the end of the stream.
func (l *listener) rest() (all []message) {
	for {
		m, ok := l.next()
		if !ok {
			return all
		}
		all = append(all, m)
	}
}

// TestStream checks the events in a stream, past and new, and where it starts.
func TestStream(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		table := h.open(`{"rules":"dilemma","names":["Ada"],"seats":["human","anyone"]}`)
		stream := table.listen(t.Context(), "", "")
		got := []string{}
		read := func() {
			m, _ := stream.next()
			data := regexp.MustCompile(`,"at":"[^"]*"`).ReplaceAllString(m.data, "")
			got = append(got, fmt.Sprintf("%v %s", m, data))
		}
		read()
		const script = "sit=Ben 1:7a 1:undo 2:refuse-undo 2:3b 1:hints 2:resign 1:rematch 2:rematch"
		for word := range strings.FieldsSeq(script) {
			table.say(word)
			read()
			if word == "sit=Ben" || word == "2:rematch" {
				read()
			}
		}
		const format = `"seq":%d,"game":%d,"phase":"%s","position":"%s","turn":"%s","result":"%s"}`
		at := func(seq, game int, phase, position, turn, result string) string {
			return fmt.Sprintf(format, seq, game, phase, position, turn, result)
		}
		want := []string{
			`1 opened {"kind":"opened","names":["Ada","Player 2"],"rules":"dilemma",` + at(1, 0, "open", "___/___", "", "*"),
			`2 seated {"kind":"seated","seat":2,"side":"second","names":["Ada","Ben"],` + at(2, 0, "between", "___/___", "", "*"),
			`3 began {"kind":"began",` + at(3, 1, "playing", "___/___", "first", "*"),
			`4 moved {"kind":"moved","seat":1,"side":"first","move":"7a",` + at(4, 1, "playing", "7__/___", "second", "*"),
			`5 undo-asked {"kind":"undo-asked","seat":1,"side":"first",` + at(5, 1, "playing", "7__/___", "second", "*"),
			`6 undo-refused {"kind":"undo-refused","seat":2,"side":"second",` + at(6, 1, "playing", "7__/___", "second", "*"),
			`7 moved {"kind":"moved","seat":2,"side":"second","move":"3b",` + at(7, 1, "playing", "7__/_3_", "first", "*"),
			`8 hints-agreed {"kind":"hints-agreed","seat":1,"side":"first",` + at(8, 1, "playing", "7__/_3_", "first", "*"),
			`9 resigned {"kind":"resigned","seat":2,"side":"second",` + at(9, 1, "over", "7__/_3_", "", "1-0 resigned"),
			`10 rematch-asked {"kind":"rematch-asked","seat":1,"side":"first",` + at(10, 1, "over", "7__/_3_", "", "1-0 resigned"),
			`11 rematch-asked {"kind":"rematch-asked","seat":2,"side":"second",` + at(11, 1, "over", "7__/_3_", "", "1-0 resigned"),
			`12 began {"kind":"began",` + at(12, 2, "playing", "___/___", "first", "*"),
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the events differ (-want +got):\n%s", diff)
		}
		stream.body.Close()

		for _, test := range []struct{ query, header, want string }{
			{"", "", "1"}, {"?after=0", "", "1"}, {"?after=9", "", "10"}, {"?after=9", "4", "5"},
			{"?after=x", "4", "5"}, {"?after=9", "0", "1"},
		} {
			var headers []string
			if test.header != "" {
				headers = []string{"Last-Event-ID: " + test.header}
			}
			stream := table.listen(t.Context(), "", test.query, headers...)
			if m, _ := stream.next(); m.id != test.want {
				t.Errorf("%s with Last-Event-ID %q starts with %v, want %s",
					test.query, test.header, m, test.want)
			}
			stream.body.Close()
		}
	})
}

// TestStreamResumes closes a stream at random moments while games are played, and resumes it: each
// event comes once.
func TestStreamResumes(t *testing.T) {
	const reconnects, games = 200, 40
	h := newTestServer(t)
	table := h.open(`{"rules":"divisibility","best_of":99}`)
	done, acts := make(chan struct{}), make(chan struct{}, 8)
	go func() {
		defer close(done)
		playAlone(t, h, table.id, games, acts)
	}()
	defer func() {
		close(acts)
		<-done
	}()
	rng := rand.New(rand.NewPCG(6, 6))
	last, connects := 0, 0
	seq := func() int { return h.memStore.state(table.id).Seq }
	for over := false; !over || connects < reconnects || last < seq(); connects++ {
		ctx, cancel := context.WithCancel(t.Context())
		stream := table.listen(ctx, "", "?after=1", fmt.Sprintf("Last-Event-ID: %d", last))
		for range rng.IntN(cap(acts) - len(acts) + 1) {
			acts <- struct{}{}
		}
		for range rng.IntN(4) {
			if last == seq() {
				break // no event may follow
			}
			m, ok := stream.next()
			if id, err := strconv.Atoi(m.id); !ok || err != nil || id != last+1 {
				t.Fatalf("got %v after event %d", m, last)
			}
			last++
		}
		if rng.IntN(2) == 0 {
			cancel() // at once, even if events are being sent
		}
		stream.body.Close()
		cancel()
		select {
		case <-done:
			over = true
		default:
		}
	}
	if last < games*4 {
		t.Errorf("got %d events, want at least %d", last, games*4)
	}
}

// playAlone plays some games of a series for both seats. It waits for acts before each move; when
// acts is closed, it plays without waiting.
func playAlone(t *testing.T, h *testServer, id string, games int, acts <-chan struct{}) {
	v, err := h.Hall.Visit(t.Context(), id)
	if err != nil {
		t.Error(err)
		return
	}
	defer v.Close()
	rng := rand.New(rand.NewPCG(5, 5))
	for n := 0; n < games && err == nil; {
		<-acts
		if s := v.Table.State(); s.Playing() {
			move, _ := s.Setup.Rules.Pick(s.Position, rng.IntN) // a game in progress has a move
			_, err = v.Table.Play(t.Context(), s.Turn(), move, s.Seq)
		} else if n++; n < games {
			_, err = v.Table.Begin(t.Context())
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// TestStreamPings checks that an idle stream sends pings, over HTTP/1 and HTTP/2, and still sends
// new events.
func TestStreamPings(t *testing.T) {
	for _, version := range []int{1, 2} {
		inBubble(t, func(t *testing.T, h *testServer) {
			if version == 2 {
				h.useHTTP2()
			}
			table := h.open(`{"rules":"dilemma"}`)
			stream := table.listen(t.Context(), "", "?after=2")
			start := time.Now()
			var got []string
			for range 4 {
				m, _ := stream.next()
				got = append(got, fmt.Sprintf("%v %v", time.Since(start), m))
			}
			table.say("1:7a")
			m, _ := stream.next()
			got = append(got, fmt.Sprintf("%v %v", time.Since(start), m))
			want := []string{
				"15s : ping", "30s : ping", "45s : ping", "1m0s : ping", "1m0s 3 moved",
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("over HTTP/%d (-want +got):\n%s", version, diff)
			}
			stream.body.Close()
		})
	}
}

// useHTTP2 makes the server and its client use HTTP/2.
func (h *testServer) useHTTP2() {
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	network := newPipeListener()
	server := &http.Server{Handler: h.Server, Protocols: protocols}
	transport := &http.Transport{DialContext: network.dial, Protocols: protocols}
	h.client = &http.Client{Transport: documentChecker{h, transport}}
	go func() { _ = server.Serve(network) }() // until it is closed
	h.t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
	})
}

// TestStreamSaysBye checks that streams end with the event bye when the server stops or the hall
// closes, and that new streams end at once.
func TestStreamSaysBye(t *testing.T) {
	for name, end := range map[string]func(*testServer){
		"server": func(h *testServer) { h.stop() },
		"hall":   func(h *testServer) { h.Hall.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, h *testServer) {
				table := h.open(`{"rules":"dilemma"}`)
				stream := table.listen(t.Context(), "", "")
				synctest.Wait()
				start := time.Now()
				end(h)
				const want = "[1 opened 2 began bye]"
				if got := fmt.Sprint(stream.rest()); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
				if name == "server" {
					later := table.listen(t.Context(), "", "")
					if got := fmt.Sprint(later.rest()); got != want {
						t.Errorf("a new stream: got %s, want %s", got, want)
					}
					if got := h.ask("GET", "/readyz", "", ""); got.String() != "503 stopping" {
						t.Errorf("/readyz: %v", got)
					}
				}
				if took := time.Since(start); took > 0 {
					t.Errorf("it took %v, want no time", took)
				}
			})
		})
	}
}

// TestStreamNotRead checks that a client that does not read is dropped after a while, and does not
// delay others until then.
func TestStreamNotRead(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		table := h.open(`{"rules":"dilemma"}`)
		unread, err := h.network.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		defer unread.Close()
		const request = "GET %s/events HTTP/1.1\r\nHost: duel.example\r\n\r\n"
		if _, err := fmt.Fprintf(unread, request, table.path); err != nil {
			t.Fatal(err)
		}
		stream := table.listen(t.Context(), "", "?after=2")
		defer stream.body.Close()
		synctest.Wait()
		start := time.Now()
		table.say("1:7a")
		if m, _ := stream.next(); m.id != "3" || time.Since(start) > 0 {
			t.Errorf("got %v after %v, want event 3 at once", m, time.Since(start))
		}
		for _, step := range []struct {
			wait time.Duration
			want int
		}{{9 * time.Second, 2}, {2 * time.Second, 1}} {
			time.Sleep(step.wait)
			synctest.Wait()
			if got := h.Streaming(); got != step.want {
				t.Errorf("after %v: %d streams, want %d", time.Since(start), got, step.want)
			}
		}
	})
}

// TestStreamsAreCapped checks each limit of streams, and that ended streams no longer count.
func TestStreamsAreCapped(t *testing.T) {
	for _, test := range []struct {
		limits gate.Limits
		want   string
	}{
		{gate.Limits{Streams: 2}, "503 too many streams; try again in 10 s"},
		{gate.Limits{StreamsOfAddress: 2}, "429 too many streams to your address; try again in 10 s"},
		{gate.Limits{StreamsOfTable: 2}, "429 too many streams about this table; try again in 10 s"},
	} {
		inBubble(t, func(t *testing.T, h *testServer) {
			table := h.open(`{"rules":"dilemma"}`)
			first := table.listen(t.Context(), "", "")
			second := table.listen(t.Context(), table.tokens[0], "")
			got := h.ask("GET", table.path+"/events", "", "")
			if got.String() != test.want || got.header.Get("Retry-After") != "10" {
				t.Errorf("got %v, Retry-After %s, want %s",
					got, got.header.Get("Retry-After"), test.want)
			}
			first.body.Close()
			synctest.Wait()
			third := table.listen(t.Context(), "", "")
			second.body.Close()
			third.body.Close()
			synctest.Wait()
			if n := h.Streaming(); n > 0 {
				t.Errorf("%d ended streams are counted", n)
			}
		}, func(p *testConfig) { p.Limits = test.limits })
	}
}

// TestPresence checks that players with a stream count as present, and that watchers are counted.
func TestPresence(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		table := h.open(`{"rules":"dilemma"}`)
		check := func(present, want string) {
			t.Helper()
			synctest.Wait()
			var v tableView
			if err := json.Unmarshal([]byte(table.say("look").text), &v); err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprint(v.Seats[0].Here, " ", v.Seats[1].Here, " ", v.Watchers)
			if got != want {
				t.Errorf("%s: got %s, want %s", present, got, want)
			}
		}
		check("nobody", "false false 0")
		one := table.listen(t.Context(), table.tokens[0], "")
		check("seat 1", "true false 0")
		again := table.listen(t.Context(), table.tokens[0], "")
		watcher := table.listen(t.Context(), "", "")
		check("seat 1 twice, and a watcher", "true false 1")
		two := table.listen(t.Context(), table.tokens[1], "")
		check("both", "true true 1")
		one.body.Close()
		check("seat 1 once", "true true 1")
		again.body.Close()
		watcher.body.Close()
		check("seat 2", "false true 0")
		two.body.Close()
		check("nobody again", "false false 0")
	})
}

// TestStreamsLeakNothing checks that a thousand streams leave no goroutines behind.
func TestStreamsLeakNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		table := h.open(`{"rules":"dilemma"}`)
		table.listen(t.Context(), "", "").body.Close()
		synctest.Wait()
		before := runtime.NumGoroutine()
		for i := range 1000 {
			ctx, cancel := context.WithCancel(t.Context())
			stream := table.listen(ctx, []string{"", table.tokens[i%2]}[i/2%2], "")
			if i%3 == 0 {
				stream.next()
			}
			cancel()
			stream.body.Close()
		}
		synctest.Wait()
		if after := runtime.NumGoroutine(); after > before+2 {
			t.Errorf("%d goroutines before, %d after", before, after)
		}
		if n := h.Streaming(); n != 0 {
			t.Errorf("%d streams are still counted", n)
		}
	})
}

// TestHead checks that HEAD requests get an empty answer and open no stream.
func TestHead(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"dilemma"}`)
	for _, path := range []string{
		"/api/tables", table.path, table.path + "/events", "/api/games", "/api/stats",
		"/api/openapi.json",
	} {
		if got := h.ask("HEAD", path, "", ""); got.status != http.StatusOK || got.text != "" {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// A sink records the messages sent to a stream.
type sink []string

func (s *sink) send(b []byte) error {
	*s = append(*s, string(b))
	return nil
}

// TestStreamBreaks checks that a panic while sending to a stream ends only that stream, and is
// logged.
func TestStreamBreaks(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"dilemma"}`)
	v, err := h.Hall.Visit(t.Context(), table.id)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	r := httptest.NewRequestWithContext(t.Context(), "GET", table.path+"/events", nil)
	c := &stream{server: h.Server, r: r, visit: v}
	c.send = new(sink).send
	c.events = func([]byte, []match.Step) ([]byte, error) { panic("a hole in the page") }
	now := make(chan struct{})
	close(now)
	if c.follow(now, nil); !strings.Contains(h.log.String(), "a hole in the page") {
		t.Errorf("the log is\n%s", h.log)
	}
}

// TestStreamInPieces checks that a long log is sent in pieces, in order, so that the server holds
// only one of them for a slow reader.
func TestStreamInPieces(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"divisibility","best_of":99}`)
	const games = 60
	acts := make(chan struct{})
	close(acts)
	playAlone(t, h, table.id, games, acts)
	v, err := h.Hall.Visit(t.Context(), table.id)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	r := httptest.NewRequestWithContext(t.Context(), "GET", table.path+"/events", nil)
	c := &stream{server: h.Server, r: r, visit: v}
	got := new(sink)
	c.send, c.events = got.send, appendEvents
	for over := false; !over; {
		more, _, err := c.sendNew("")
		if err != nil {
			t.Fatal(err)
		}
		select {
		case <-more:
		default:
			over = true
		}
	}
	const piece = 64 << 10
	last := 0
	for _, text := range *got {
		for id := range strings.SplitSeq(strings.TrimPrefix(text, "id: "), "\n\nid: ") {
			if last++; !strings.HasPrefix(id, fmt.Sprint(last, "\n")) {
				t.Fatalf("got %.40q after event %d", id, last-1)
			}
		}
		if len(text) > piece {
			t.Errorf("a piece has %d bytes, want at most %d", len(text), piece)
		}
	}
	if seq := v.Table.State().Seq; last != seq || len(*got) < seq*200/piece {
		t.Errorf("%d of %d events came in %d pieces", last, seq, len(*got))
	}
}

// TestPeopleAreToldSparingly lets many watchers arrive, a few at a time. A stream sends their
// number at most once a second, and the total at the end.
func TestPeopleAreToldSparingly(t *testing.T) {
	const arrivals, each = 30, 5
	inBubble(t, func(t *testing.T, h *testServer) {
		ada, _ := h.pair(t, "dilemma")
		stream := h.listen(t, ada, "/t/"+ada.id()+"/live")
		defer stream.leave()
		v, err := h.Hall.Visit(t.Context(), ada.id())
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		start := time.Now()
		for range arrivals {
			for range each {
				defer v.StayToWatch()()
			}
			time.Sleep(100 * time.Millisecond)
		}
		sent, last := 0, ""
		for ; !strings.Contains(last, fmt.Sprintf(`"%d people watch"`, arrivals*each)); sent++ {
			last = stream.next("people")
		}
		if most := 2 + int(time.Since(start)/time.Second); sent > most {
			t.Errorf("%d events with a count in %v, want at most %d", sent, time.Since(start), most)
		}
	})
}

// TestRefusedStream checks that a stream that cannot begin, since the start of the clock is not
// saved, does not count.
func TestRefusedStream(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		table := h.open(`{"rules":"dilemma","turn_time":"30s"}`)
		h.memStore.breakWith(func() error { return errors.New("down") })
		got := h.ask("GET", table.path+"/events", table.tokens[0], "")
		if got.status < 500 || h.Streaming() != 0 {
			t.Errorf("got %v, %d streams", got, h.Streaming())
		}
	})
}
