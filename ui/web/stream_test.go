package web

import (
	"bufio"
	"context"
	"encoding/json"
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

// A listener reads a stream.
type listener struct {
	t     testing.TB
	body  io.ReadCloser
	lines *bufio.Scanner
}

// A message is what a stream says at once: an event, or a comment.
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

// listen opens a stream about a table.
func (t *table) listen(ctx context.Context, token, query string, headers ...string) *listener {
	t.t.Helper()
	r, err := http.NewRequestWithContext(ctx, "GET", "http://duel.example"+t.path+"/events"+query, nil)
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
	answer, err := t.client.Do(r) //nolint:bodyclose // whoever listens closes it
	if err != nil {
		t.t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(answer.Body)
		t.t.Fatalf("listen: %d %s", answer.StatusCode, text)
	}
	return newListener(t.t, answer.Body)
}

// next returns what the stream says next; ok is false at its end. Events are held against the document.
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
			l.t.Errorf("a stream says %q", line)
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
			err = theDocument().check(schema{"$ref": "#/components/schemas/" + kind}, e, "the event")
		}
		if err != nil {
			l.t.Errorf("%s: %v", m.data, err)
		}
	}
	return m, true
}

// rest returns all that is still to come.
func (l *listener) rest() (all []message) {
	for {
		m, ok := l.next()
		if !ok {
			return all
		}
		all = append(all, m)
	}
}

// TestStream tells a stream: what is past, then what happens.
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
		for word := range strings.FieldsSeq("sit=Ben 1:7a 1:undo 2:refuse-undo 2:3b 1:hints 2:resign 1:rematch 2:rematch") {
			table.say(word)
			read()
			if word == "sit=Ben" || word == "2:rematch" {
				read()
			}
		}
		const before, playing = `"seq":%d,"game":%d,"phase":"%s",`, `"position":"%s","turn":"%s","result":"%s"}`
		at := func(seq, game int, phase, position, turn, result string) string {
			return fmt.Sprintf(before+playing, seq, game, phase, position, turn, result)
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
			t.Errorf("the stream:\n%s", diff)
		}
		stream.body.Close()

		for _, test := range []struct{ query, header, want string }{
			{"", "", "1"}, {"?after=0", "", "1"}, {"?after=9", "", "10"}, {"?after=9", "4", "5"}, {"?after=x", "4", "5"}, {"?after=9", "0", "1"},
		} {
			var headers []string
			if test.header != "" {
				headers = []string{"Last-Event-ID: " + test.header}
			}
			stream := table.listen(t.Context(), "", test.query, headers...)
			if m, _ := stream.next(); m.id != test.want {
				t.Errorf("%s with Last-Event-ID %q begins with %v, want %s", test.query, test.header, m, test.want)
			}
			stream.body.Close()
		}
	})
}

// TestStreamResumes drops a stream at random moments while games are played, and takes it up again: each event comes once.
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
	for over := false; !over || connects < reconnects || last < h.memStore.state(table.id).Seq; connects++ {
		ctx, cancel := context.WithCancel(t.Context())
		stream := table.listen(ctx, "", "?after=1", fmt.Sprintf("Last-Event-ID: %d", last))
		for range rng.IntN(cap(acts) - len(acts) + 1) {
			acts <- struct{}{}
		}
		for range rng.IntN(4) {
			if last == h.memStore.state(table.id).Seq {
				break // nothing may come
			}
			m, ok := stream.next()
			if id, err := strconv.Atoi(m.id); !ok || err != nil || id != last+1 {
				t.Fatalf("after %d comes %v", last, m)
			}
			last++
		}
		if rng.IntN(2) == 0 {
			cancel() // at once, whatever is on its way
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
		t.Errorf("%d events are too few", last)
	}
}

// playAlone plays some games of a series for both seats, an act for each that is asked for, until it may do as it likes.
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
			move, _ := s.Setup.Rules.Pick(s.Position, rng.IntN) // a game under way has a move
			_, err = v.Table.Play(t.Context(), s.Turn(), move, s.Seq)
		} else if n++; n < games {
			_, err = v.Table.Begin(t.Context())
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// TestStreamPings holds that a quiet stream is not silent, over HTTP/1 and HTTP/2, and is there when something happens.
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
			if diff := cmp.Diff([]string{"15s : ping", "30s : ping", "45s : ping", "1m0s : ping", "1m0s 3 moved"}, got); diff != "" {
				t.Errorf("over HTTP/%d:\n%s", version, diff)
			}
			stream.body.Close()
		})
	}
}

// useHTTP2 lets a house and its client speak HTTP/2.
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

// TestStreamSaysBye holds that streams end with a word when the server stops or the hall closes, and that no new one stays.
func TestStreamSaysBye(t *testing.T) {
	for name, end := range map[string]func(*testServer){"server": func(h *testServer) { h.stop() }, "hall": func(h *testServer) { h.Hall.Close() }} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, h *testServer) {
				table := h.open(`{"rules":"dilemma"}`)
				stream := table.listen(t.Context(), "", "")
				synctest.Wait()
				start := time.Now()
				end(h)
				if got, want := fmt.Sprint(stream.rest()), "[1 opened 2 began bye]"; got != want {
					t.Errorf("got %s, want %s", got, want)
				}
				if name == "server" {
					if got, want := fmt.Sprint(table.listen(t.Context(), "", "").rest()), "[1 opened 2 began bye]"; got != want {
						t.Errorf("a new stream: %s, want %s", got, want)
					}
					if got := h.ask("GET", "/readyz", "", ""); got.String() != "503 stopping" {
						t.Errorf("ready: %v", got)
					}
				}
				if took := time.Since(start); took > 0 {
					t.Errorf("it took %v", took)
				}
			})
		})
	}
}

// TestStreamNotRead holds that whoever does not read is dropped after a while, and keeps nobody waiting until then.
func TestStreamNotRead(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		table := h.open(`{"rules":"dilemma"}`)
		deaf, err := h.network.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		defer deaf.Close()
		if _, err := fmt.Fprintf(deaf, "GET %s/events HTTP/1.1\r\nHost: duel.example\r\n\r\n", table.path); err != nil {
			t.Fatal(err)
		}
		stream := table.listen(t.Context(), "", "?after=2")
		defer stream.body.Close()
		synctest.Wait()
		start := time.Now()
		table.say("1:7a")
		if m, _ := stream.next(); m.id != "3" || time.Since(start) > 0 {
			t.Errorf("after %v came %v", time.Since(start), m)
		}
		for _, step := range []struct {
			wait time.Duration
			want int
		}{{9 * time.Second, 2}, {2 * time.Second, 1}} {
			time.Sleep(step.wait)
			synctest.Wait()
			if got := h.Streaming(); got != step.want {
				t.Errorf("after %v there are %d streams, want %d", time.Since(start), got, step.want)
			}
		}
	})
}

// TestStreamsAreCapped holds each limit of streams, and that one that has ended no longer counts.
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
			first, second := table.listen(t.Context(), "", ""), table.listen(t.Context(), table.tokens[0], "")
			got := h.ask("GET", table.path+"/events", "", "")
			if got.String() != test.want || got.header.Get("Retry-After") != "10" {
				t.Errorf("got %v, Retry-After %s, want %s", got, got.header.Get("Retry-After"), test.want)
			}
			first.body.Close()
			synctest.Wait()
			third := table.listen(t.Context(), "", "")
			second.body.Close()
			third.body.Close()
			synctest.Wait()
			if n := h.Streaming(); n > 0 {
				t.Errorf("%d streams that have ended are counted", n)
			}
		}, func(p *testConfig) { p.Limits = test.limits })
	}
}

// TestPresence holds who is said to be there: players by streams with their tokens, and those who watch.
func TestPresence(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		table := h.open(`{"rules":"dilemma"}`)
		check := func(what, want string) {
			t.Helper()
			synctest.Wait()
			var v tableView
			if err := json.Unmarshal([]byte(table.say("look").text), &v); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(v.Seats[0].Here, " ", v.Seats[1].Here, " ", v.Watchers); got != want {
				t.Errorf("%s: %s, want %s", what, got, want)
			}
		}
		check("nobody", "false false 0")
		one := table.listen(t.Context(), table.tokens[0], "")
		check("seat 1", "true false 0")
		again := table.listen(t.Context(), table.tokens[0], "")
		watcher := table.listen(t.Context(), "", "")
		check("seat 1 twice, and one who watches", "true false 1")
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

// TestStreamsLeakNothing connects a thousand times.
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
			t.Errorf("there were %d goroutines, and now there are %d", before, after)
		}
		if n := h.Streaming(); n != 0 {
			t.Errorf("%d streams are counted", n)
		}
	})
}

// TestHead holds that whoever asks for the headers alone gets them, and no stream.
func TestHead(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"dilemma"}`)
	for _, path := range []string{"/api/tables", table.path, table.path + "/events", "/api/games", "/api/stats", "/api/openapi.json"} {
		if got := h.ask("HEAD", path, "", ""); got.status != http.StatusOK || got.text != "" {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// A sink is an outlet that keeps what is sent.
type sink []string

func (s *sink) send(b []byte) error {
	*s = append(*s, string(b))
	return nil
}

// TestStreamBreaks holds that a panic while sending to a stream ends that stream alone, and is logged.
func TestStreamBreaks(t *testing.T) {
	h := newTestServer(t)
	table := h.open(`{"rules":"dilemma"}`)
	v, err := h.Hall.Visit(t.Context(), table.id)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	c := &stream{server: h.Server, r: httptest.NewRequestWithContext(t.Context(), "GET", table.path+"/events", nil), visit: v}
	c.send, c.events = new(sink).send, func([]byte, []match.Step) ([]byte, error) { panic("a hole in the page") }
	now := make(chan struct{})
	close(now)
	if c.follow(now, nil); !strings.Contains(h.log.String(), "a hole in the page") {
		t.Errorf("the log is\n%s", h.log)
	}
}

// TestStreamInPieces holds that a long log is sent in pieces, in order, so that whoever reads slowly makes the server hold one of them.
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
	c := &stream{server: h.Server, r: httptest.NewRequestWithContext(t.Context(), "GET", table.path+"/events", nil), visit: v}
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
				t.Fatalf("after %d comes %.40q", last-1, id)
			}
		}
		if len(text) > piece {
			t.Errorf("a piece has %d bytes", len(text))
		}
	}
	if seq := v.Table.State().Seq; last != seq || len(*got) < seq*200/piece {
		t.Errorf("%d of %d events came in %d pieces", last, seq, len(*got))
	}
}

// TestPeopleAreToldSparingly lets many come to watch, a few at a time, and holds that a stream tells how many at most once a second, and all of them in the end.
func TestPeopleAreToldSparingly(t *testing.T) {
	const comings, each = 30, 5
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
		for range comings {
			for range each {
				defer v.StayToWatch()()
			}
			time.Sleep(100 * time.Millisecond)
		}
		told, last := 0, ""
		for ; !strings.Contains(last, fmt.Sprintf(`"%d people watch"`, comings*each)); told++ {
			last = stream.next("people")
		}
		if most := 2 + int(time.Since(start)/time.Second); told > most {
			t.Errorf("people were told of %d times in %v, want at most %d", told, time.Since(start), most)
		}
	})
}
