package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"digitduel/bot"
	"digitduel/bot/sit"
	"digitduel/class"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
	"digitduel/ui/gate"
)

// A testServer is a server with a store and a network in memory, so that it can run in a synctest
// bubble. Its client checks every request and response against openapi.json.
type testServer struct {
	*Server
	t        testing.TB
	memStore *memStore
	log      *logBuffer
	network  *pipeListener
	client   *http.Client
	stop     func() // once
	settle   func() // waits until the server is idle, after each step; may be nil
}

type gateConfig = gate.Config

// A testConfig configures a testServer.
type testConfig struct {
	Config
	gateConfig
	hall     match.HallConfig
	memStore *memStore // servers may share it
}

// solved is the default solver of test servers. It has solved every book.
var solved = func() *solve.Solver {
	s := new(solve.Solver)
	for _, b := range digit.Books {
		if _, err := s.Solve(context.Background(), b.Rules); err != nil {
			panic(err)
		}
	}
	return s
}()

// newTestServer starts a server without limits, after the changes to its configuration. When the
// test ends, it stops the server and checks that no token is in its log.
func newTestServer(t testing.TB, changes ...func(*testConfig)) *testServer {
	t.Helper()
	h := &testServer{t: t, log: new(logBuffer)}
	log := slog.New(slog.NewTextHandler(h.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	p := testConfig{
		Config:     Config{Keys: match.NewKeys([]byte("the secret of a house in a test.."))},
		gateConfig: gateConfig{Solver: solved, Log: log, Now: time.Now},
		hall:       match.HallConfig{Log: log},
		memStore:   new(memStore),
	}
	for _, change := range changes {
		change(&p)
	}
	h.memStore, p.Archive = p.memStore, p.memStore
	if p.Ready == nil {
		p.Ready = p.memStore.ping
	}
	p.hall.Host = func(ctx context.Context, t *match.Table) error {
		rng := rand.New(rand.NewPCG(1, 1))
		return sit.Host(ctx, t, 0, func(name string, r digit.Rules) sit.Choose {
			level, _ := bot.ParseLevel(name) // the server accepts no other level
			return sit.Borrowing(level, r,
				func(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
					return h.Server.SolvedAt(ctx, t.ID(), r)
				}, rng)
		})
	}
	p.Hall = match.NewHall(h.memStore, p.hall)
	p.Gate = gate.New(p.gateConfig)
	if p.Classes == nil { // their Run is not called
		p.Classes = &class.School{Store: h.memStore, Hall: p.Hall, Keys: p.Keys,
			Now: p.gateConfig.Now, Log: log}
	}
	h.Server = New(p.Config)
	h.stop = sync.OnceFunc(h.Server.Stop)

	h.network = newPipeListener()
	transport := &http.Transport{DialContext: h.network.dial, MaxIdleConnsPerHost: 64}
	h.client = &http.Client{Transport: documentChecker{h, transport}}
	server := &http.Server{Handler: h.Server,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = server.Serve(h.network) }) // until it is closed
	running.Go(func() { h.Hall.Run(ctx) })
	t.Cleanup(func() {
		h.stop()
		transport.CloseIdleConnections()
		server.Close()
		h.Hall.Close()
		cancel()
		running.Wait()
		h.Server.Wait()
		h.checkLog()
	})
	return h
}

// asked returns a request with the context ctx.
func asked(ctx context.Context) *http.Request {
	return httptest.NewRequestWithContext(ctx, "GET", "/", nil)
}

// inBubble runs a test with a server in a synctest bubble, where the computer moves before the next
// step of a script.
func inBubble(t *testing.T, test func(t *testing.T, h *testServer), changes ...func(*testConfig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		// Channels made in a bubble cannot be used outside, so the solver is not shared.
		own := func(p *testConfig) { p.Solver = new(solve.Solver) }
		h := newTestServer(t, append([]func(*testConfig){own}, changes...)...)
		h.settle = synctest.Wait
		test(t, h)
	})
}

// checkLog checks that no token of a seat and no seal was logged.
func (h *testServer) checkLog() {
	text, seals := h.log.String(), map[string]bool{}
	for _, id := range h.memStore.ids() {
		for _, seat := range match.Seats {
			if strings.Contains(text, h.Keys.Token(id, seat)) {
				h.t.Errorf("the log has the token of %v of table %s:\n%s", seat, id, text)
			}
			seals[h.memStore.state(id).Setup.Seals[seat]] = true
		}
	}
	for _, run := range regexp.MustCompile(`[A-Za-z0-9_-]{32,}`).FindAllString(text, -1) {
		for i := range len(run) - 31 {
			if token := run[i : i+32]; seals[token] || seals[match.Seal(token)] {
				h.t.Errorf("the log has a token or its seal, %s:\n%s", token, text)
			}
		}
	}
}

// A logBuffer collects a log.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// A pipeListener is a network in memory. A write blocks until it is read.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
}

func (p *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipeListener) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipeListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 80} }

func (p *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.conns <- remoteConn{there}:
		return here, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// A remoteConn is a connection with the remote address of a client.
type remoteConn struct{ net.Conn }

func (remoteConn) RemoteAddr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 50000}
}

// A memStore is a store and an archive in memory, which can be made to fail.
type memStore struct {
	match.Memory

	mu     sync.Mutex
	broken func(context.Context) error // returns the error of every call; may be nil
	swept  bool                        // whether another process has deleted all tables
	tables []*storedTable              // in the order of opening
	byID   map[string]*storedTable
	games  []match.Game
	down   atomic.Int64 // seconds of downtime

	classes classLogs
}

// Down implements [match.Store].
func (s *memStore) Down(context.Context, time.Time) (time.Duration, error) {
	return time.Duration(s.down.Load()) * time.Second, nil
}

// A storedTable is a table in a memStore.
type storedTable struct {
	id              string
	opened, changed time.Time
	now             match.State
}

// storeZone is the time zone of the times in a memStore, which is not UTC.
var storeZone = time.FixedZone("elsewhere", 2*60*60)

// breakWith makes every call return the error of broken. If broken is nil, calls succeed again.
func (s *memStore) breakWith(broken func() error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = nil
	if broken != nil {
		s.broken = func(context.Context) error { return broken() }
	}
}

// stick makes every call wait until its context is done.
func (s *memStore) stick() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}
}

// sweep deletes all tables without notice to the server, as another process might.
func (s *memStore) sweep() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.swept = true
}

func (s *memStore) isSwept() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.swept
}

func (s *memStore) fault(ctx context.Context) error {
	s.mu.Lock()
	broken := s.broken
	s.mu.Unlock()
	if broken == nil {
		return nil
	}
	return broken(ctx)
}

// ping returns an error when calls fail.
func (s *memStore) ping(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return errors.New("the shelf does not answer")
	}
	return nil
}

// state returns the state of a table.
func (s *memStore) state(id string) match.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byID[id].now
}

func (s *memStore) ids() (ids []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.tables {
		ids = append(ids, k.id)
	}
	return ids
}

func (s *memStore) Append(ctx context.Context, id string, e match.Event, after match.State) error {
	if err := s.fault(ctx); err != nil {
		return err
	}
	if s.isSwept() {
		return match.ErrConflict
	}
	if err := s.Memory.Append(ctx, id, e, after); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.byID[id]
	if k == nil {
		if s.byID == nil {
			s.byID = map[string]*storedTable{}
		}
		k = &storedTable{id: id, opened: e.At.In(storeZone)}
		s.tables, s.byID[id] = append(s.tables, k), k
	}
	if after.Result.Over() && !k.now.Result.Over() {
		g := match.Game{Table: id, Number: after.Game, Record: after.Record(),
			Ended: e.At.In(storeZone)}
		for side := range 2 {
			seat := after.SeatOf(digit.Side(side))
			g.Names[side], g.Levels[side] = after.Setup.Name(seat), after.Levels[seat]
		}
		s.games = append(s.games, g)
	}
	k.now, k.changed = after, e.At
	return nil
}

// Events fails for IDs that databases do not accept as text.
func (s *memStore) Events(ctx context.Context, id string, after int) ([]match.Event, error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	if !utf8.ValidString(id) || strings.ContainsRune(id, 0) {
		return nil, fmt.Errorf("table %q: not valid text", id)
	}
	if s.isSwept() {
		return nil, nil
	}
	return s.Memory.Events(ctx, id, after)
}

func (s *memStore) Tables(ctx context.Context,
	f match.TableFilter) (found []match.Summary, err error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	if f.IDs == nil && (!f.Listed || len(f.Phases) == 0 || f.Limit == 0) {
		return nil, fmt.Errorf("no index for a page's filter %+v", f)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range slices.Backward(s.tables) {
		t, phase := k.now, k.now.Phase()
		if len(f.Phases) > 0 && !slices.Contains(f.Phases, phase) || f.Listed && !t.Setup.Listed ||
			k.changed.Before(f.Since) ||
			f.IDs != nil && !slices.Contains(f.IDs, k.id) || f.Limit > 0 && len(found) == f.Limit {
			continue
		}
		if f.Stand && f.IDs == nil {
			return nil, errors.New("a page asks for the states of all tables")
		}
		var now *match.State
		if f.Stand && t.Seq <= match.MaxStateEvents {
			now = &t
		}
		found = append(found, match.Summary{
			ID: k.id, Now: now, Opened: k.opened, Changed: k.changed, Rules: t.Setup.Rules,
			Names: t.Setup.Names, Levels: t.Levels,
			Terms: match.Terms{BestOf: t.Setup.BestOf, OnTimeout: t.Setup.OnTimeout,
				Hints: t.Setup.Hints, AutoCall: t.Setup.AutoCall, Targets: t.Setup.Targets,
				Pair: t.Setup.Pair, Swap: t.Setup.Swap, TurnTime: t.Setup.TurnTime},
			First: t.Setup.First, Openings: t.Setup.Openings, Phase: phase, Listed: t.Setup.Listed,
			Game: t.Game, Wins: t.Wins, Draws: t.Draws,
		})
	}
	return found, nil
}

func (s *memStore) Games(ctx context.Context, f match.GameFilter) (found []match.Game, err error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	if f.Limit == 0 {
		return nil, errors.New("a page asks for all games")
	}
	if !f.Public && f.Table == "" {
		return nil, errors.New("a page asks for private games")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range slices.Backward(s.games) {
		if f.Public && !s.byID[g.Table].now.Public(g.Number) ||
			f.Book != "" && g.Record.Rules.Named().Name != f.Book ||
			f.Table != "" && g.Table != f.Table ||
			f.Before != (match.GameMark{}) && byMark(g.Mark(), f.Before) >= 0 {
			continue
		}
		found = append(found, g)
	}
	slices.SortFunc(found, func(a, b match.Game) int { return byMark(b.Mark(), a.Mark()) })
	return found[:min(f.Limit, len(found))], nil
}

func byMark(a, b match.GameMark) int {
	return cmp.Or(a.Ended.Compare(b.Ended), strings.Compare(a.Table, b.Table), a.Number-b.Number)
}

func (s *memStore) Stats(ctx context.Context) (all []match.Stats, err error) {
	if err := s.fault(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range named() {
		stats := match.Stats{Book: b.Name, Reasons: map[string]int{}}
		for _, g := range s.games {
			if g.Record.Rules.Named().Name != b.Name {
				continue
			}
			stats.Games++
			stats.Plies += float64(len(g.Record.Moves))
			stats.Reasons[g.Record.Result.Reason.String()]++
			switch g.Record.Result.Score {
			case digit.FirstWins:
				stats.FirstWins++
			case digit.SecondWins:
				stats.SecondWins++
			default:
				stats.Draws++
			}
		}
		stats.Plies /= float64(max(1, stats.Games))
		all = append(all, stats)
	}
	return all, nil
}

// A reply is the response to a request.
type reply struct {
	status int
	header http.Header
	text   string
}

// field returns a field of a reply that is a JSON object.
func (r reply) field(name string) any {
	var all map[string]any
	if err := json.Unmarshal([]byte(r.text), &all); err != nil {
		return err
	}
	return all[name]
}

// strings returns a field that is a list of strings.
func (r reply) strings(name string) (list []string) {
	items, _ := r.field(name).([]any)
	for _, item := range items {
		list = append(list, fmt.Sprint(item))
	}
	return list
}

// number returns a field that is a number.
func (r reply) number(name string) int {
	n, _ := r.field(name).(float64)
	return int(n)
}

// String returns a summary: the status, and the error, the state of the table or other data.
func (r reply) String() string {
	var all struct {
		Error, Phase, Position, Turn, Result, Move, Token, Side string
		Seq, Seat                                               int
		Value                                                   struct{ Outcome string }
	}
	_ = json.Unmarshal([]byte(r.text), &all) // missing fields stay empty
	text := strings.TrimSpace(r.text)
	switch {
	case all.Error != "":
		text = all.Error
	case all.Phase != "":
		text = fmt.Sprintf("seq %d %s %s %s %s", all.Seq, all.Phase, all.Position, all.Turn,
			all.Result)
	case all.Value.Outcome != "":
		text = "hint " + all.Move + " " + all.Value.Outcome
	case all.Token != "":
		text = fmt.Sprintf("seat %d %s", all.Seat, all.Side)
	}
	return strconv.Itoa(r.status) + " " + strings.Join(strings.Fields(text), " ")
}

// ask sends a request as JSON, with a token if there is one, and other headers as "Key: value".
func (h *testServer) ask(method, path, token, body string, headers ...string) reply {
	h.t.Helper()
	r, err := http.NewRequest(method, "http://duel.example"+path, strings.NewReader(body))
	if err != nil {
		h.t.Errorf("%s %s: %v", method, path, err)
		return reply{}
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for _, line := range headers {
		key, value, _ := strings.Cut(line, ": ")
		r.Header[http.CanonicalHeaderKey(key)] = []string{value}
	}
	return h.send(r)
}

// send sends a request. No response within 20 seconds is an error.
func (h *testServer) send(r *http.Request) reply {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(r.Context(), 20*time.Second)
	defer cancel()
	answer, err := h.client.Do(r.WithContext(ctx))
	if err != nil {
		h.t.Errorf("%s %s: %v", r.Method, r.URL, err)
		return reply{}
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		h.t.Errorf("%s %s: %v", r.Method, r.URL, err)
	}
	return reply{answer.StatusCode, answer.Header, string(text)}
}

// A table is a table on a testServer, with the tokens of its seats.
type table struct {
	*testServer
	id     string
	path   string
	tokens [2]string
	sides  [2]string
}

// open opens a table with an order in JSON.
func (h *testServer) open(order string) *table {
	h.t.Helper()
	got := h.ask("POST", "/api/tables", "", order)
	var opened struct {
		ID    string
		Seats [2]struct{ Token, Side string }
	}
	if err := json.Unmarshal([]byte(got.text), &opened); err != nil ||
		got.status != http.StatusCreated {
		h.t.Fatalf("open %s: %v", order, got)
	}
	one, two := opened.Seats[0], opened.Seats[1]
	return &table{h, opened.ID, "/api/tables/" + opened.ID, [2]string{one.Token, two.Token},
		[2]string{one.Side, two.Side}}
}

// say performs a step of a script: a seat and its move ("1:7a"), its move after the last event that
// it saw ("1:7a@2"), its act ("2:undo", "1:replace=casual"), "2:hint" or "2:look". "sit=Ben" takes
// a seat, and "look" reads the table without a seat.
func (t *table) say(step string) reply {
	t.t.Helper()
	if action, name, _ := strings.Cut(step, "="); action == "sit" {
		got := t.ask("POST", t.path+"/seats", "", fmt.Sprintf(`{"name":%q}`, name))
		if got.status == http.StatusCreated {
			t.tokens[got.number("seat")-1] = got.field("token").(string)
		}
		return got
	}
	if step == "look" {
		return t.ask("GET", t.path, "", "")
	}
	seat, action, _ := strings.Cut(step, ":")
	token := t.tokens[seat[0]-'1']
	act, level, _ := strings.Cut(action, "=")
	isAct := match.Act(act).Check() == nil
	switch move, seq, seen := strings.Cut(action, "@"); {
	case action == "look":
		return t.ask("GET", t.path, token, "")
	case action == "hint":
		return t.ask("GET", t.path+"/hint", token, "")
	case isAct && level != "":
		return t.ask("POST", t.path+"/acts", token,
			fmt.Sprintf(`{"act":%q,"level":%q}`, act, level))
	case isAct:
		return t.ask("POST", t.path+"/acts", token, fmt.Sprintf(`{"act":%q}`, act))
	case seen:
		return t.ask("POST", t.path+"/moves", token, fmt.Sprintf(`{"move":%q,"seq":%s}`, move, seq))
	default:
		return t.ask("POST", t.path+"/moves", token, fmt.Sprintf(`{"move":%q}`, action))
	}
}

// play performs all steps of a script and returns the last reply. Only the last may be refused.
func (t *table) play(script string) (last reply) {
	t.t.Helper()
	steps := strings.Fields(script)
	for i, step := range steps {
		last = t.say(step)
		if t.settle != nil {
			t.settle()
		}
		if last.status >= 300 && i < len(steps)-1 {
			t.t.Fatalf("step %s of %q: %v", step, script, last)
		}
	}
	return last
}
