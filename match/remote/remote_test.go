package remote

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
	"digitduel/ui/gate"
	"digitduel/ui/web"
)

// A testServer is a server that can be stopped and started again with the same store. It is also
// the transport of its clients, which can lose requests and answers.
type testServer struct {
	t     *testing.T
	store match.Memory
	grace time.Duration

	mu      sync.Mutex
	handler http.Handler // nil if it is down
	hall    *match.Hall
	stop    func()
	network network
}

// A network holds the faults between clients and a server.
type network struct {
	mu    sync.Mutex
	fault func(*http.Request) fault // nil for none
	tries int                       // the number of moves and acts sent
}

type fault uint8

const (
	noFault     fault = iota
	requestLost       // the request does not arrive
	answerLost        // the answer does not arrive
	badGateway        // a proxy answers instead
)

// newTestServer starts a server, and returns it with a client.
func newTestServer(t *testing.T) (*testServer, *Server) {
	t.Helper()
	h := &testServer{t: t, grace: time.Hour}
	server := httptest.NewServer(h)
	t.Cleanup(func() { h.end(); server.CloseClientConnections(); server.Close() })
	h.start()
	s := NewServer(server.URL)
	s.pause = func(int) time.Duration { return time.Millisecond }
	s.client.Transport = h
	return h, s
}

// start starts the server.
func (h *testServer) start() {
	hall := match.NewHall(&h.store, match.HallConfig{Grace: h.grace})
	ctx, cancel := context.WithCancel(h.t.Context())
	var running sync.WaitGroup
	running.Go(func() { hall.Run(ctx) })
	server := web.New(web.Config{
		Gate: gate.New(gate.Config{
			Solver: new(solve.Solver), Log: slog.New(slog.DiscardHandler), Now: time.Now,
		}),
		Hall: hall, Keys: match.NewKeys(make([]byte, 32)),
		Ready: func(context.Context) error { return nil },
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	h.handler, h.hall = server, hall
	h.stop = func() { server.Stop(); cancel(); running.Wait(); hall.Close() }
}

// end stops the server.
func (h *testServer) end() {
	h.mu.Lock()
	h.handler = nil
	stop := h.stop
	h.stop = func() {}
	h.mu.Unlock()
	stop()
}

func (h *testServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	live := h.handler
	h.mu.Unlock()
	if live == nil {
		panic(http.ErrAbortHandler)
	}
	live.ServeHTTP(w, r)
}

// RoundTrip sends a request to the server, with the faults of the network.
func (h *testServer) RoundTrip(r *http.Request) (*http.Response, error) {
	h.network.mu.Lock()
	bad := noFault
	if h.network.fault != nil {
		bad = h.network.fault(r)
	}
	if r.Method == http.MethodPost && !strings.HasSuffix(r.URL.Path, "/tables") {
		h.network.tries++
	}
	h.network.mu.Unlock()
	if bad == requestLost {
		return nil, errors.New("the network is down")
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || bad == noFault {
		return answer, err
	}
	_, _ = io.Copy(io.Discard, answer.Body) // lost
	answer.Body.Close()
	if bad == badGateway {
		return &http.Response{
			StatusCode: 502, Status: "502 Bad Gateway", Header: http.Header{},
			Body: io.NopCloser(strings.NewReader("<html>")), Request: r,
		}, nil
	}
	return nil, errors.New("the network is down")
}

// failNext sets the faults of the next POST requests, and resets the number of tries.
func (h *testServer) failNext(faults ...fault) {
	h.network.mu.Lock()
	defer h.network.mu.Unlock()
	h.network.tries = 0
	h.network.fault = func(r *http.Request) fault {
		if len(faults) == 0 || r.Method != http.MethodPost {
			return noFault
		}
		bad := faults[0]
		faults = faults[1:]
		return bad
	}
}

// twoPlayers opens a table and returns a client's table for each of its players.
func twoPlayers(t *testing.T, s *Server, setup match.Setup) (ada, ben *Table) {
	t.Helper()
	setup.Open[match.Two] = true
	host, err := s.Open(t.Context(), setup.Order(), "the-key-of-the-host")
	if err != nil {
		t.Fatal(err)
	}
	link, err := ParseLink(host.Invite)
	if err != nil {
		t.Fatal(err)
	}
	guest, err := s.Sit(t.Context(), link.Table, link.Token, "Ben", "the-key-of-whoever-comes")
	if err != nil {
		t.Fatal(err)
	}
	return join(t, s, host), join(t, s, guest)
}

func join(t *testing.T, s *Server, p Place) *Table {
	t.Helper()
	table, err := s.Join(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(table.Close)
	return table
}

// waitFor waits until a state of a table satisfies a condition, and returns it.
func waitFor(t *testing.T, table *Table, what string, is func(match.State) bool) match.State {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for _, s := range table.Watch(ctx, 0) {
		if is(s) {
			return s
		}
	}
	t.Fatalf("waiting for %s, the table is at event %d, game %d, %v",
		what, table.State().Seq, table.State().Game, table.State().Result)
	return match.State{}
}

func waitSeq(t *testing.T, table *Table, seq int) {
	t.Helper()
	waitFor(t, table, "an event", func(s match.State) bool { return s.Seq >= seq })
}

func play(t *testing.T, table *Table, move string) error {
	t.Helper()
	m, err := digit.ParseMove(move)
	if err != nil {
		t.Fatal(err)
	}
	_, err = table.Play(t.Context(), table.Seats()[0], m, table.State().Seq)
	return err
}

// TestTogether plays a whole series from two clients, with undo, hints and a rematch.
func TestTogether(t *testing.T) {
	_, s := newTestServer(t)
	ada, ben := twoPlayers(t, s, match.Setup{
		Rules: digit.Dilemma, Names: [2]string{"Ada"}, Terms: match.Terms{TurnTime: time.Minute, BestOf: 3},
	})
	ctx := t.Context()
	must := func(_ match.State, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := ben.State().Setup; got.Name(match.One) != "Ada" || got.Name(match.Two) != "Ben" ||
		got.TurnTime != time.Minute || got.BestOf != 3 {
		t.Errorf("got setup %+v", got)
	}
	timed := waitFor(t, ben, "the clock, which starts when Ada is there", func(s match.State) bool {
		_, runs := s.Deadline()
		return runs
	})
	if at, timed := timed.Deadline(); !timed || time.Until(at) > time.Minute || time.Until(at) < 30*time.Second {
		t.Errorf("the clock runs: %v, until %v", timed, time.Until(at))
	}
	waitSeq(t, ada, timed.Seq)
	if err := play(t, ada, "7a"); err != nil {
		t.Fatal(err)
	}
	waitSeq(t, ben, ada.State().Seq)
	must(ada.Do(ctx, match.One, match.Undo, ""))
	waitFor(t, ben, "a request for undo", func(s match.State) bool { return s.Asking })
	must(ben.Do(ctx, match.Two, match.AgreeUndo, ""))
	waitFor(t, ada, "the answer", func(s match.State) bool {
		return s.Seq > 4 && len(s.Moves) == 0 && !s.Asking
	})
	must(ada.Do(ctx, match.One, match.AgreeHints, ""))
	if ada.State().HintsAllowed() {
		t.Error("hints are allowed although only one player agrees")
	}
	waitFor(t, ben, "Ada's agreement to hints", func(s match.State) bool { return s.Hints[match.One] })
	must(ben.Do(ctx, match.Two, match.AgreeHints, ""))
	waitFor(t, ada, "hints", match.State.HintsAllowed)
	must(ada.Do(ctx, match.One, match.EndHints, ""))
	for game := 1; game <= 2; game++ {
		must(ada.Do(ctx, match.One, match.Resign, ""))
		waitFor(t, ben, "the end of the game", func(s match.State) bool {
			return s.Game == game && s.Result.Over()
		})
		if game == 1 {
			must(ada.Do(ctx, match.One, match.Next, ""))
			waitFor(t, ben, "Ada to be ready", func(s match.State) bool { return s.Ready[match.One] })
			must(ben.Do(ctx, match.Two, match.Next, ""))
			waitFor(t, ada, "game 2", func(s match.State) bool { return s.Game == 2 })
		}
	}
	must(ben.Do(ctx, match.Two, match.Rematch, ""))
	waitFor(t, ada, "a request for a rematch", func(s match.State) bool { return s.Again[match.Two] })
	must(ada.Do(ctx, match.One, match.Rematch, ""))
	waitFor(t, ben, "another series", func(s match.State) bool { return s.Game == 3 && s.Playing() })
	if _, err := ben.Do(ctx, match.Two, match.Claim, ""); !errors.Is(err, match.ErrHere) {
		t.Errorf("claim against a player who is here: got %v, want ErrHere", err)
	}
}

// TestLostAnswers checks that moves and acts happen exactly once and succeed, even if requests or
// answers are lost.
func TestLostAnswers(t *testing.T) {
	for _, test := range []struct {
		name   string
		faults []fault
		tries  [2]int // for the move, and for the act
	}{
		{"nothing is lost", nil, [2]int{1, 1}},
		{"the request", []fault{requestLost}, [2]int{2, 2}},
		{"the answer", []fault{answerLost}, [2]int{2, 1}},
		{"a proxy loses it", []fault{badGateway}, [2]int{2, 1}},
		{"all of these", []fault{requestLost, requestLost, answerLost, badGateway}, [2]int{5, 3}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h, s := newTestServer(t)
			ada, ben := twoPlayers(t, s, match.Setup{Rules: digit.Dilemma})
			h.failNext(test.faults...)
			if err := play(t, ada, "7a"); err != nil || h.network.tries != test.tries[0] {
				t.Errorf("a move: %v, sent %d times, want %d", err, h.network.tries, test.tries[0])
			}
			waitSeq(t, ben, ada.State().Seq)
			h.failNext(test.faults...)
			_, err := ben.Do(t.Context(), match.Two, match.Resign, "")
			if err != nil || h.network.tries != test.tries[1] {
				t.Errorf("an act: %v, sent %d times, want %d", err, h.network.tries, test.tries[1])
			}
			if s := ben.State(); s.Seq != 5 || len(s.Moves) != 1 || s.Result.String() != "1-0 resigned" {
				t.Errorf("got event %d, moves %v, result %v", s.Seq, s.Moves, s.Result)
			}
			if ben.Lost() != nil {
				t.Errorf("Lost() = %v, want nil", ben.Lost())
			}
		})
	}
}

// TestOthersAct loses an act that the opponent does meanwhile: it is sent again.
func TestOthersAct(t *testing.T) {
	h, s := newTestServer(t)
	ada, ben := twoPlayers(t, s, match.Setup{Rules: digit.Dilemma})
	h.network.mu.Lock()
	h.network.fault = func(r *http.Request) fault {
		if !strings.HasSuffix(r.URL.Path, "/acts") {
			return noFault
		}
		h.network.fault = nil
		h.network.mu.Unlock()
		defer h.network.mu.Lock()
		if _, err := ben.Do(t.Context(), match.Two, match.AgreeHints, ""); err != nil {
			t.Error(err)
		}
		return requestLost
	}
	h.network.mu.Unlock()
	now, err := ada.Do(t.Context(), match.One, match.AgreeHints, "")
	if err != nil || !now.HintsAllowed() {
		t.Errorf("got %v, hints by %v, want them by both", err, now.Hints)
	}
}

// TestRefusedAct checks that an act that the server refuses is sent once.
func TestRefusedAct(t *testing.T) {
	h, s := newTestServer(t)
	ada, _ := twoPlayers(t, s, match.Setup{Rules: digit.Dilemma})
	eve := join(t, s, Place{Table: ada.place.Table, Token: "another", Seat: match.One})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	h.failNext()
	_, err := eve.Do(ctx, match.One, match.Resign, "")
	if !isForbidden(err) || errors.Is(err, match.ErrInDoubt) || h.network.tries != 1 {
		t.Errorf("%v, sent %d times", err, h.network.tries)
	}
}

// TestRetryPause checks that a retry waits as long as the Retry-After header asks, but not less
// than the usual pause.
func TestRetryPause(t *testing.T) {
	for _, test := range []struct {
		header string
		want   time.Duration
	}{
		{"", time.Second}, {"0", time.Second}, {"-7", time.Second}, {"soon", time.Second},
		{"1", time.Second}, {"7", 7 * time.Second}, {"3599", 3599 * time.Second}, {"3600", time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			table := &Table{
				changed: make(chan struct{}),
				server:  &Server{pause: func(int) time.Duration { return time.Second }},
			}
			err := refused(&http.Response{
				StatusCode: 429, Header: http.Header{"Retry-After": {test.header}}, Body: http.NoBody,
			})
			began := time.Now()
			if !table.waitRetry(t.Context(), 0, err) || time.Since(began) != test.want {
				t.Errorf("%q: waited %v, want %v", test.header, time.Since(began), test.want)
			}
		})
	}
}

// TestEventTimes checks that events get the time by the clock here, however wrong it is.
func TestEventTimes(t *testing.T) {
	s := NewServer("http://a")
	s.client.Transport = roundTrip(func(*http.Request) (*http.Response, error) {
		const log = `{"now":"2026-01-01T00:10:00Z","seq":1,"stood":"0s","events":[
			{"seq":1,"at":"2026-01-01T00:00:00Z","kind":"began"}]}`
		return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(log))}, nil
	})
	table := &Table{server: s, changed: make(chan struct{})}
	began := time.Now()
	events, err := referee{table}.Events(t.Context(), "", 0)
	if err != nil || len(events) != 1 {
		t.Fatal(events, err)
	}
	const ago = -10 * time.Minute
	if at := events[0].At; at.Before(began.Add(ago)) || at.After(time.Now().Add(ago)) {
		t.Errorf("the game began at %v, want 10m before %v", at, began)
	}
}

// TestMoved checks the errors of an address where there is no server, or not any more.
func TestMoved(t *testing.T) {
	for _, test := range []struct {
		status   int
		to, want string
	}{
		{308, "https://b/", "the server is at another address: use https://b/"},
		{404, "", "there is no duel server at this address"},
		{401, "https://b/", "the server answers 401"},
	} {
		header := http.Header{}
		if test.to != "" {
			header.Set("Location", test.to)
		}
		err := refused(&http.Response{
			StatusCode: test.status, Status: strconv.Itoa(test.status), Header: header,
			Body: http.NoBody,
		})
		if err.Error() != test.want {
			t.Errorf("%d %s: got %q, want %q", test.status, test.to, err, test.want)
		}
	}
}

// TestGrowingPause checks that pauses between connection attempts grow, and are short again after
// an answer of the server.
func TestGrowingPause(t *testing.T) {
	h, s := newTestServer(t)
	heard, pauses := "..h..h", make(chan int, 6)
	s.pause = func(try int) time.Duration { pauses <- try; return 0 }
	n := 0
	s.client.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		switch {
		case !strings.HasSuffix(r.URL.Path, "/events"):
			return h.RoundTrip(r)
		case n == len(heard):
			<-r.Context().Done()
			return nil, r.Context().Err()
		}
		n++
		if heard[n-1] == 'h' {
			return &http.Response{StatusCode: 200, Body: http.NoBody}, nil
		}
		return nil, errors.New("the network is down")
	})
	place, err := s.Open(t.Context(), match.Setup{Rules: digit.Dilemma}.Order(), "the-key-of-the-host")
	if err != nil {
		t.Fatal(err)
	}
	join(t, s, place)
	for i, want := range []int{0, 1, 0, 1, 2, 0} {
		if got := <-pauses; got != want {
			t.Errorf("attempt %d of %s: got the pause of try %d, want %d", i+1, heard, got, want)
		}
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestMovesInBetween checks that a move succeeds while the opponent agrees to hints, and fails if
// the game ends meanwhile.
func TestMovesInBetween(t *testing.T) {
	h, s := newTestServer(t)
	ada, ben := twoPlayers(t, s, match.Setup{Rules: digit.Dilemma})
	between := func(do func()) {
		h.network.mu.Lock()
		defer h.network.mu.Unlock()
		h.network.fault = func(r *http.Request) fault {
			if strings.HasSuffix(r.URL.Path, "/moves") {
				h.network.fault = nil
				h.network.mu.Unlock()
				do()
				h.network.mu.Lock()
			}
			return noFault
		}
	}
	between(func() {
		if _, err := ben.Do(t.Context(), match.Two, match.AgreeHints, ""); err != nil {
			t.Error(err)
		}
	})
	if err := play(t, ada, "7a"); err != nil || len(ada.State().Moves) != 1 {
		t.Errorf("a move while the opponent agrees to hints: %v", err)
	}
	waitSeq(t, ben, ada.State().Seq)
	between(func() {
		if _, err := ada.Do(t.Context(), match.One, match.Resign, ""); err != nil {
			t.Error(err)
		}
	})
	if err := play(t, ben, "3b"); !errors.Is(err, match.ErrStale) || !ben.State().Result.Over() {
		t.Errorf("a move after the end: %v, %v", err, ben.State().Result)
	}
}

// TestRestart checks that a game continues over restarts of the server, and that the table reports
// while the server is down.
func TestRestart(t *testing.T) {
	h, s := newTestServer(t)
	ada, ben := twoPlayers(t, s, match.Setup{Rules: digit.Highest})
	moves := strings.Fields("9a 8a 7b 6b 5c")
	for i, move := range moves {
		player, other := ada, ben
		if i%2 == 1 {
			player, other = ben, ada
		}
		h.end()
		waitLost(t, player, true)
		done := make(chan error, 1)
		go func() { done <- play(t, player, move) }()
		h.start()
		if err := <-done; err != nil {
			t.Fatalf("%s: %v", move, err)
		}
		waitLost(t, player, false)
		waitFor(t, other, move, func(s match.State) bool { return len(s.Moves) > i })
	}
	if got := ben.State().Moves; len(got) != len(moves) || got[4].String() != moves[4] {
		t.Errorf("got moves %v, want %v", got, moves)
	}
}

// waitLost waits until a table reports that it has lost its server, or found it again.
func waitLost(t *testing.T, table *Table, want bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		_, changed := table.Presence()
		if (table.Lost() != nil) == want {
			return
		}
		select {
		case <-changed:
		case <-deadline:
			t.Fatalf("Lost() = %v, want an error: %v", table.Lost(), want)
		}
	}
}

// TestLeaveInDoubt cancels a move that is not answered: it returns ErrInDoubt, and the next visit
// shows that it was played.
func TestLeaveInDoubt(t *testing.T) {
	h, s := newTestServer(t)
	ada, _ := twoPlayers(t, s, match.Setup{Rules: digit.Highest})
	h.failNext(answerLost, requestLost, requestLost, requestLost)
	ctx, cancel := context.WithCancel(t.Context())
	s.pause = func(try int) time.Duration {
		if try > 0 {
			cancel()
		}
		return time.Millisecond
	}
	m, _ := digit.ParseMove("9a")
	_, err := ada.Play(ctx, match.One, m, ada.State().Seq)
	if !errors.Is(err, match.ErrInDoubt) || !ada.InDoubt() {
		t.Errorf("got %v, in doubt: %v; want ErrInDoubt, true", err, ada.InDoubt())
	}
	s.pause = func(int) time.Duration { return time.Millisecond }
	again := join(t, s, ada.place)
	if got := again.State().Moves; len(got) != 1 {
		t.Errorf("got moves %v, want one", got)
	}
}

// TestPeople checks that clients see players and watchers arrive, leave and return.
func TestPeople(t *testing.T) {
	h, s := newTestServer(t)
	h.end()
	h.grace = time.Millisecond
	h.start()
	ada, ben := twoPlayers(t, s, match.Setup{Rules: digit.Dilemma})
	here := func(want match.Presence) {
		t.Helper()
		deadline := time.After(20 * time.Second)
		for {
			people, changed := ada.Presence()
			if people == want {
				return
			}
			select {
			case <-changed:
			case <-deadline:
				t.Fatalf("got presence %+v, want %+v", people, want)
			}
		}
	}
	here(match.Presence{Seats: [2]bool{true, true}})
	watcher := join(t, s, Place{Table: ada.ID()})
	here(match.Presence{Seats: [2]bool{true, true}, Watchers: 1})
	_, err := watcher.Do(t.Context(), match.One, match.Resign, "")
	if err == nil || len(watcher.Seats()) != 0 {
		t.Errorf("a watcher resigns: %v", err)
	}
	ben.Close()
	left := waitFor(t, ada, "Ben to have left", func(s match.State) bool { return s.Away[match.Two] })
	again := join(t, s, ben.place)
	back := waitFor(t, ada, "Ben to be back", func(s match.State) bool {
		return s.Seq > left.Seq && !s.Away[match.Two]
	})
	again.Close()
	waitFor(t, ada, "Ben to have left again", func(s match.State) bool {
		return s.Seq > back.Seq && s.Away[match.Two]
	})
	state, err := ada.Do(t.Context(), match.One, match.Claim, "")
	if err != nil || state.Result.String() != "1-0 left" {
		t.Errorf("claim: %v, result %v", err, state.Result)
	}
}

// TestLoggedOut changes the token of a seat from another device: the old client reports ErrRekeyed,
// and only the new token can move.
func TestLoggedOut(t *testing.T) {
	_, s := newTestServer(t)
	ada, _ := twoPlayers(t, s, match.Setup{Rules: digit.Dilemma})
	var fresh struct{ Token string }
	path := "/" + ada.ID() + "/token"
	err := s.retryPost(t.Context(), path, ada.place.Token, "the-key-of-another-device", struct{}{}, &fresh)
	if err != nil {
		t.Fatal(err)
	}
	deadline := time.After(20 * time.Second)
	for {
		_, changed := ada.Presence()
		if errors.Is(ada.Lost(), match.ErrRekeyed) {
			break
		}
		select {
		case <-changed:
		case <-deadline:
			t.Fatalf("Lost() = %v, want ErrRekeyed", ada.Lost())
		}
	}
	if err := play(t, ada, "7a"); err == nil || len(ada.State().Moves) != 0 {
		t.Errorf("a move with the old token: %v", err)
	}
	again := join(t, s, Place{Table: ada.ID(), Token: fresh.Token})
	if err := play(t, again, "7a"); err != nil {
		t.Errorf("a move with the new token: %v", err)
	}
}

// TestLinks checks that ParseLink reads links in the forms that people copy.
func TestLinks(t *testing.T) {
	for text, want := range map[string]string{
		"http://localhost:8080":               "http://localhost:8080",
		"localhost:8080/":                     "http://localhost:8080",
		"https://duel.example/t/abc?hint=1#x": "https://duel.example/t/abc",
		"http://h:1/t/abc/seat/T-o_k":         "http://h:1/t/abc/seat/T-o_k",
		"https://h/games/t/abc/seat/tok/":     "https://h/games/t/abc/seat/tok",
		"http://h/lobby":                      "http://h",
		"https://h/games/":                    "https://h/games",
		"ftp://h/t/abc":                       "",
		"http://":                             "",
		"http://h/t/":                         "",
		"http://h/t/a b":                      "",
		"http://h/t/abc/seat/..%2f":           "",
		"http://user:secret@h/t/abc":          "",
	} {
		got, err := ParseLink(text)
		if got.String() != want || (err == nil) != (want != "") {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

// TestFind checks that Find returns the seat of a token and refuses an invitation, and that Sit can
// be repeated with the same key only.
func TestFind(t *testing.T) {
	_, s := newTestServer(t)
	order := match.Setup{Rules: digit.Dilemma, First: match.Two, Open: [2]bool{true, false}}.Order()
	host, err := s.Open(t.Context(), order, "the-key-of-the-host")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Find(t.Context(), host.Table, host.Token); err != nil || got.Seat != match.Two {
		t.Errorf("token of the host: got seat %v, %v", got.Seat, err)
	}
	link, _ := ParseLink(host.Invite)
	if _, err := s.Find(t.Context(), host.Table, link.Token); !errors.Is(err, ErrNoSeat) {
		t.Errorf("an invitation: got %v, want ErrNoSeat", err)
	}
	if _, err := s.Find(t.Context(), "none", host.Token); !errors.Is(err, match.ErrNoTable) {
		t.Errorf("no table: %v", err)
	}
	const key = "the-key-of-whoever-comes"
	first, err := s.Sit(t.Context(), link.Table, link.Token, "Ben", key)
	again, err2 := s.Sit(t.Context(), link.Table, link.Token, "Ben", key)
	if err != nil || err2 != nil || first != again || first.Seat != match.One {
		t.Errorf("sit twice with the same key: got %v and %v: %v, %v", first, again, err, err2)
	}
	_, err = s.Sit(t.Context(), link.Table, link.Token, "Eve", "the-key-of-somebody-else")
	if !errors.Is(err, match.ErrTaken) {
		t.Errorf("sit with another key: got %v, want ErrTaken", err)
	}
}

// TestTakeAgain checks that a client that returns to a table gets its own seat and the invitation
// for the opponent again.
func TestTakeAgain(t *testing.T) {
	h, s := newTestServer(t)
	c := newTestClient(t, h, s)
	order := match.Setup{Rules: digit.Dilemma, Open: [2]bool{false, true}}.Order()
	host, err := c.Open(t.Context(), order, "the-key-of-the-host")
	if err == nil {
		err = c.Keep(host, "Ada", "the-key-of-the-host")
	}
	if err != nil || host.Invite == "" {
		t.Fatalf("%+v, %v", host, err)
	}
	for range 2 {
		if p, err := c.Take(t.Context(), host.Table, "", "Ada"); err != nil || p != host {
			t.Errorf("%+v, %v, want %+v", p, err, host)
		}
	}
}

// TestOpenSeat checks that the host of a table for anyone gets its public link.
func TestOpenSeat(t *testing.T) {
	_, s := newTestServer(t)
	setup := match.Setup{Rules: digit.Dilemma, Open: [2]bool{false, true}, Listed: true}
	host, err := s.Open(t.Context(), setup.Order(), "the-key-of-the-host")
	if want := s.url + "/t/" + host.Table; err != nil || host.Invite != want {
		t.Errorf("got %+v, %v, want the link %s", host, err, want)
	}
}

// TestFairStart plays with a swap and with a random opening: client and server agree on the starter
// and on the opening. A swap whose answer is lost is done once.
func TestFairStart(t *testing.T) {
	h, s := newTestServer(t)
	ada, ben := twoPlayers(t, s, match.Setup{Rules: digit.Dilemma, Terms: match.Terms{Swap: true, Pair: true}})
	if _, err := ben.Do(t.Context(), match.Two, match.Swap, ""); !errors.Is(err, match.ErrTurn) {
		t.Errorf("a swap before the first move: %v", err)
	}
	if err := play(t, ada, "7a"); err != nil {
		t.Fatal(err)
	}
	waitFor(t, ben, "a move", match.State.MaySwap)
	h.failNext(answerLost)
	if _, err := ben.Do(t.Context(), match.Two, match.Swap, ""); err != nil {
		t.Fatal(err)
	}
	for _, table := range []*Table{ada, ben} {
		now := waitFor(t, table, "the swap", func(s match.State) bool { return s.Swapped })
		if now.Turn() != match.One || !now.Setup.Pair {
			t.Errorf("after the swap it is %v's turn, at %+v", now.Turn(), now.Setup)
		}
	}
	if err := play(t, ada, "3b"); err != nil {
		t.Fatal(err)
	}
	if _, err := ada.Do(t.Context(), match.One, match.Swap, ""); !errors.Is(err, match.ErrTurn) {
		t.Errorf("a swap out of turn: %v", err)
	}
	order := match.Setup{Rules: digit.Highest, Open: [2]bool{false, true}}.Order()
	order.RandomOpening = true
	host, err := s.Open(t.Context(), order, "the-key-of-who-draws-the-lot")
	if err != nil {
		t.Fatal(err)
	}
	link, _ := ParseLink(host.Invite)
	if _, err := s.Sit(t.Context(), link.Table, link.Token, "Ben", "the-key-of-another-guest"); err != nil {
		t.Fatal(err)
	}
	now := waitFor(t, join(t, s, host), "a game", match.State.Playing)
	if now.Given == 0 || len(now.Moves) != int(now.Given) || !now.Setup.Pair {
		t.Errorf("the game begins with %v at %+v", now.Moves, now.Setup)
	}
}

// TestWatchProgram watches the game of a program from a client, including its faults.
func TestWatchProgram(t *testing.T) {
	h, s := newTestServer(t)
	setup := match.Setup{
		Rules: digit.Dilemma, Levels: [2]string{"", "casual"}, Openings: "7a 3b",
		Agent: match.Agent{Seed: 1, Tries: 2},
	}
	v, err := h.hall.Open(t.Context(), "robo", setup)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if _, err := v.Table.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	eve := join(t, s, Place{Table: "robo"})
	waitFor(t, eve, "the opening", func(s match.State) bool { return s.Given == 2 })
	for left := 1; left >= 0; left-- {
		if _, err := v.Table.Fault(t.Context(), match.One, match.Unreadable); err != nil {
			t.Fatal(err)
		}
		waitFor(t, eve, "a fault", func(s match.State) bool {
			return s.TriesLeft() == left && s.Tried == uint8(2-left)
		})
	}
	if got := eve.State().Result.String(); got != "0-1 forfeit" {
		t.Errorf("got result %s, want 0-1 forfeit", got)
	}
	if _, err := eve.Fault(t.Context(), match.One, match.Illegal); err == nil {
		t.Error("a watcher can report a fault")
	}
}

// TestLastSeat checks that Last returns the seat that the user took last, until its table is left.
func TestLastSeat(t *testing.T) {
	var saved []byte
	at := func(address string) *Client {
		c, err := NewClient(address, nil, Storage{
			Load: func() ([]byte, error) { return saved, nil },
			Save: func(text []byte) error { saved = text; return nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	last := func() string {
		seat, ok := at("").Last()
		if ok == seat.At.IsZero() {
			t.Errorf("%v, %v", seat, ok)
		}
		return seat.Server + " " + seat.Table
	}
	for _, step := range []struct {
		do   func() error
		want string
	}{
		{func() error { return nil }, " "},
		{func() error { return at("http://a").Keep(Place{Table: "one", Token: "t"}, "Ada", "") }, "http://a one"},
		{func() error { return at("http://b").Keep(Place{Table: "two", Token: "u"}, "Ada", "") }, "http://b two"},
		{func() error { return at("http://b").Keep(Place{Table: "seen"}, "Ada", "") }, "http://b two"}, // only watched
		{func() error { return at("http://a").Leave("two") }, "http://b two"},                          // another server's
		{func() error { return at("http://b").Leave("two") }, "http://a one"},
		{func() error { return at("http://a").Leave("one") }, " "},
		{func() error { return at("http://b").Keep(Place{Table: "two", Token: "u"}, "Ada", "") }, "http://b two"}, // a rematch
	} {
		if err := step.do(); err != nil || last() != step.want {
			t.Errorf("the last seat is %s, want %s; %v", last(), step.want, err)
		}
	}
	if got := at("http://a").Recent(nil, 3); len(got) != 0 {
		t.Errorf("recent tables of a: got %v, want none", got)
	}
	early := at("http://b") // another window, which is used again later
	if err := at("http://a").Keep(Place{Table: "three", Token: "v"}, "Ada", ""); err != nil {
		t.Fatal(err)
	}
	if err := early.Leave("two"); err != nil || last() != "http://a three" {
		t.Errorf("the last seat is %s: %v", last(), err)
	}
}

// TestRefusals checks that a client recognizes the errors of a table by their texts, whatever
// follows.
func TestRefusals(t *testing.T) {
	for _, want := range append(match.Refusals(), match.ErrNoTable) {
		if err := (&refusal{text: want.Error() + "; seq is now 4"}); !errors.Is(err, want) {
			t.Errorf("%v is not recognized", err)
		}
	}
}
