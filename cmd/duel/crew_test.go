package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// A crew is the clients of some servers that share a database.
type crew struct {
	t      *testing.T
	seed   uint64
	site   *site
	ledger *ledger
	client *http.Client
	ctx    context.Context
	cancel context.CancelFunc
	people sync.WaitGroup
	rng    *rand.Rand // of the test, not of those who play
}

func newCrew(t *testing.T, servers ...*server) *crew {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	c := &crew{
		t: t, seed: seed, site: &site{changed: make(chan struct{})}, ledger: &ledger{tables: map[string]*account{}},
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 200}}, rng: rand.New(rand.NewPCG(seed, 0)),
	}
	c.ctx, c.cancel = context.WithCancel(t.Context())
	for _, s := range servers {
		c.site.up = append(c.site.up, s.addr)
	}
	t.Cleanup(c.leave)
	return c
}

// play lets pairs of clients play at one table after another.
func (c *crew) play(pairs int) {
	c.ledger.pairs = make([]int, pairs)
	for n := range pairs {
		c.people.Go(func() {
			for game := uint64(0); c.ctx.Err() == nil; game++ {
				c.note(c.table(n, rand.New(rand.NewPCG(c.seed+game, uint64(n+1)))))
			}
		})
	}
}

// leave sends the clients home.
func (c *crew) leave() {
	c.cancel()
	c.people.Wait()
	c.client.CloseIdleConnections()
}

// await waits until some more acts were acknowledged.
func (c *crew) await(acts int) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.ctx, 30*time.Second)
	defer cancel()
	if err := c.ledger.await(ctx, acts); err != nil {
		c.t.Fatalf("%d acts are not acknowledged: %v", acts, err)
	}
	c.ledger.report(c.t)
}

// awaitAll waits until every pair goes on.
func (c *crew) awaitAll() {
	c.t.Helper()
	before := c.ledger.progress()
	stuck := func() (pairs []int) {
		for i, n := range c.ledger.progress() {
			if n == before[i] {
				pairs = append(pairs, i)
			}
		}
		return pairs
	}
	for began := time.Now(); len(stuck()) > 0; time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > 15*time.Second {
			c.t.Fatalf("of %d pairs those do not go on: %v", len(before), stuck())
		}
	}
	c.ledger.report(c.t)
}

// kill kills a server some time after it has last been started or killed.
func (c *crew) kill(s *server) {
	c.t.Helper()
	c.await(1 + c.rng.IntN(1<<c.rng.IntN(10)))
	time.Sleep(time.Duration(c.rng.IntN(3000)) * time.Microsecond) // so that the kill is not in step with the answers
	s.kill()
	c.site.set(s, false)
}

// revive starts a server that was killed, and looks at some tables.
func (c *crew) revive(s *server) {
	c.t.Helper()
	s.start()
	c.checkTold(s, c.ledger.some(c.rng, 2)...)
	c.site.set(s, true)
}

// checkAll compares, after everybody has left, all that is known with what a fresh server tells and with the database.
func (c *crew) checkAll(s *server, db string) {
	c.t.Helper()
	c.leave()
	c.ledger.report(c.t)
	s.kill()
	s.start()
	c.checkTold(s, slices.Collect(maps.Keys(c.ledger.tables))...)
	s.kill() // so that the computer does not play on meanwhile
	games := c.checkStore(db)
	s.start()
	checkLists(c.t, s, games)
}

// A site is where clients find servers.
type site struct {
	mu      sync.Mutex
	up      []string // addresses; empty: that server is down
	age     int      // how often a server has come or gone
	changed chan struct{}
}

// set says whether a server is up.
func (s *site) set(server *server, up bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, now := server.addr, ""
	if up {
		old, now = "", server.addr
	}
	s.up[slices.Index(s.up, old)] = now
	s.age++
	close(s.changed)
	s.changed = make(chan struct{})
}

// now returns the age of the site.
func (s *site) now() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.age
}

// turn says that something else has changed that servers need.
func (s *site) turn() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.age++
}

// find returns a server that is up, the one of a number if it is, and waits while there is none.
func (s *site) find(ctx context.Context, prefer int) (addr string, age int, err error) {
	for {
		s.mu.Lock()
		changed := s.changed
		for i := range s.up {
			if addr = s.up[(prefer+i)%len(s.up)]; addr != "" {
				defer s.mu.Unlock()
				return addr, s.age, nil
			}
		}
		s.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return "", 0, ctx.Err()
		}
	}
}

// table opens a table, and plays at it until everybody has had enough.
func (c *crew) table(pair int, rng *rand.Rand) error {
	setup := someSetup(rng)
	id, tokens, err := c.open(pair, setup, rng.IntN(2))
	if err != nil {
		return err
	}
	games := 1 + rng.IntN(10)
	visitor := func(seat match.Seat, prefer int) *visitor {
		return &visitor{crew: c, table: id, token: tokens[seat], seat: seat, setup: setup, prefer: prefer, games: games, rng: rand.New(rand.NewPCG(rng.Uint64(), 0))}
	}
	watcher := visitor(match.One, rng.IntN(2))
	watcher.token = ""
	watching, stop := context.WithCancel(c.ctx)
	var players, watchers sync.WaitGroup
	defer watchers.Wait()
	defer stop()
	watchers.Go(func() { c.note(watcher.follow(watching)) })
	for _, seat := range match.Seats {
		if tokens[seat] != "" {
			player := visitor(seat, int(seat))
			players.Go(func() { c.note(player.follow(c.ctx)) })
		}
	}
	players.Wait()
	return nil
}

// note notes what is not as it should be.
func (c *crew) note(err error) {
	if err != nil && c.ctx.Err() == nil {
		c.ledger.fault("%v", err)
	}
}

// someSetup returns a game for two, or against the computer, with one seat open at first or none.
func someSetup(rng *rand.Rand) match.Setup {
	s := match.Setup{Rules: digit.Books[rng.IntN(len(digit.Books))].Rules, BestOf: []int{0, 1, 3}[rng.IntN(3)], First: match.Seat(rng.IntN(2))}
	switch rng.IntN(6) {
	case 0:
		s.Levels[match.Two] = "casual"
	case 1:
		s.Open[match.Two], s.Listed = true, true
	case 2:
		s.TurnTime = time.Minute
	}
	return s
}

// open sets up a table and takes its seats.
func (c *crew) open(pair int, setup match.Setup, prefer int) (id string, tokens [2]string, err error) {
	order := map[string]any{"rules": setup.Rules, "best_of": setup.BestOf, "first": int(setup.First) + 1, "seats": []string{"human", "human"}}
	if setup.TurnTime > 0 {
		order["turn_time"] = setup.TurnTime.String()
	}
	if setup.Levels[match.Two] != "" {
		order["seats"] = []string{"human", setup.Levels[match.Two]}
	}
	if setup.Open[match.Two] {
		order["seats"] = []string{"human", "anyone"}
	}
	status, text, err := c.insist(c.ctx, prefer, "/api/tables", "", order)
	if err != nil || status != http.StatusCreated {
		return "", tokens, fmt.Errorf("a new table: %d %s: %w", status, text, err)
	}
	var opened struct {
		ID    string                   `json:"id"`
		Seats []struct{ Token string } `json:"seats"`
	}
	if err := json.Unmarshal(text, &opened); err != nil {
		return "", tokens, err
	}
	c.ledger.edit(opened.ID, func(a *account) { a.pair = pair })
	c.ledger.acknowledge(opened.ID, ack{seq: 1, act: "open"})
	tokens = [2]string{opened.Seats[0].Token, opened.Seats[1].Token}
	if setup.Open[match.Two] {
		status, text, err := c.insist(c.ctx, prefer+1, "/api/tables/"+opened.ID+"/seats", "", map[string]any{"name": "Ben"})
		if status == http.StatusConflict {
			return c.open(pair, setup, prefer) // the seat was taken, and the answer with its token lost
		}
		var seat struct{ Token string }
		if err = errors.Join(err, json.Unmarshal(text, &seat)); err != nil || seat.Token == "" {
			return "", tokens, fmt.Errorf("table %s, an open seat: %d %s: %w", opened.ID, status, text, err)
		}
		c.ledger.acknowledge(opened.ID, ack{seq: 2, seat: match.Two, act: "sit"})
		tokens[match.Two] = seat.Token
	}
	return opened.ID, tokens, nil
}

// insist posts something until that is answered, at whichever server is up.
func (c *crew) insist(ctx context.Context, prefer int, path, token string, body any) (status int, answer []byte, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	for {
		addr, _, err := c.site.find(ctx, prefer)
		if err != nil {
			return 0, nil, err
		}
		began := time.Now()
		status, answer, err := c.post(ctx, addr, path, token, text)
		switch {
		case ctx.Err() != nil:
			return 0, nil, ctx.Err()
		case err == nil && status == http.StatusServiceUnavailable:
			c.ledger.refuse(string(answer), time.Since(began))
			time.Sleep(50 * time.Millisecond)
		case err == nil:
			c.ledger.answered(time.Since(began))
			return status, answer, nil
		default:
			time.Sleep(5 * time.Millisecond) // the server is gone, which is not known here at once
		}
	}
}

func (c *crew) post(ctx context.Context, addr, path, token string, body []byte) (status int, answer []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+addr+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	answer, err = io.ReadAll(resp.Body)
	return resp.StatusCode, answer, err
}

// A visitor is at a table, as a player or, without a token, to watch. It follows the events by itself, as the rules of a table
// say, and compares.
type visitor struct {
	crew   *crew
	rng    *rand.Rand
	table  string
	token  string
	seat   match.Seat
	setup  match.Setup
	prefer int // the server it would rather be at
	games  int // how many it wants to play
	state  match.State
}

// errEnough says that a visitor wants to go.
var errEnough = errors.New("enough was played")

// follow stays at the table over as many streams as it takes.
func (v *visitor) follow(ctx context.Context) error {
	for {
		addr, _, err := v.crew.site.find(ctx, v.prefer)
		if err != nil {
			return nil
		}
		resp, err := v.listen(ctx, addr)
		if err == nil {
			err = v.hear(ctx, resp, addr)
		}
		switch {
		case ctx.Err() != nil, errors.Is(err, errEnough):
			return nil
		case err != nil:
			return fmt.Errorf("table %s, seat %d, after event %d: %w", v.table, v.seat, v.state.Seq, err)
		}
		time.Sleep(2 * time.Millisecond) // as above
	}
}

// listen opens a stream, and returns nothing if that cannot be done now.
func (v *visitor) listen(ctx context.Context, addr string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://%s/api/tables/%s/events?after=%d", addr, v.table, v.state.Seq), nil)
	if err != nil {
		return nil, err
	}
	if v.token != "" {
		req.Header.Set("Authorization", "Bearer "+v.token)
	}
	resp, err := v.crew.client.Do(req)
	switch {
	case err != nil:
		return nil, nil
	case resp.StatusCode == http.StatusServiceUnavailable:
		return nil, resp.Body.Close()
	case resp.StatusCode != http.StatusOK:
		text, _ := io.ReadAll(resp.Body) // the status says enough
		resp.Body.Close()
		return nil, fmt.Errorf("a stream is refused: %d %s", resp.StatusCode, text)
	}
	return resp, nil
}

// hear takes up what a stream tells until it breaks.
func (v *visitor) hear(ctx context.Context, resp *http.Response, addr string) error {
	if resp == nil {
		return nil
	}
	defer resp.Body.Close()
	for lines := bufio.NewReader(resp.Body); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil
		}
		text, ok := strings.CutPrefix(line, "data: ")
		if text = strings.TrimSuffix(text, "\n"); !ok || text == "{}" {
			continue
		}
		a, err := parseTold(text)
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		v.crew.ledger.tell(v.table, a.Seq, text)
		v.time(a, addr)
		if err := v.take(a); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		if v.token == "" {
			continue
		}
		if err := v.act(ctx); err != nil {
			return err
		}
	}
}

// time notes how long it took to hear of a move that was sent to another server, unless a server came or went meanwhile.
func (v *visitor) time(a announcement, addr string) {
	age := v.crew.site.now()
	l := v.crew.ledger
	l.edit(v.table, func(known *account) {
		if sent, ok := known.sent[a.Seq]; ok && a.Kind == match.Moved && sent.addr != addr && sent.age == age {
			l.delays = append(l.delays, time.Since(sent.at))
		}
	})
}

// take follows an event, and says if that leads elsewhere than the server says.
func (v *visitor) take(a announcement) (err error) {
	if v.state, err = v.state.Apply(a.event(v.setup)); err != nil {
		return err
	}
	s := v.state
	turn := ""
	if s.Playing() {
		turn = s.Setup.Rules.Turn(s.Position).String()
	}
	if got, want := fmt.Sprint(a.Phase, a.Position, a.Turn, a.Result), fmt.Sprint(s.Phase(), s.Setup.Rules.Text(s.Position), turn, s.Result); got != want {
		return fmt.Errorf("the rules come to %s", want)
	}
	return nil
}

// act does what a player does in the state of the table, by chance.
func (v *visitor) act(ctx context.Context) error {
	s, roll := v.state, v.rng.IntN(100)
	switch {
	case s.Phase() == match.Between:
		return v.do(ctx, "next")
	case s.Phase() == match.Over && s.Game >= v.games:
		return errEnough
	case s.Phase() == match.Over && s.Again[v.seat]:
		return nil
	case s.Phase() == match.Over:
		return v.do(ctx, "rematch")
	case !s.Playing():
		return nil
	case s.Asking && s.Asker != v.seat && roll < 70:
		return v.do(ctx, "undo")
	case s.Asking && s.Asker != v.seat && roll < 90:
		return v.do(ctx, "refuse-undo")
	case s.Turn() != v.seat:
		return nil
	case roll < 2:
		return v.do(ctx, "resign")
	case roll < 8 && len(s.Moves) > 1 && !s.Asking:
		return v.do(ctx, "undo")
	case roll < 20:
		return v.moveTwice(ctx)
	default:
		return v.move(ctx)
	}
}

// settle does an act and notes it in the ledger, unless the table has gone on, in which case the stream tells why.
func (v *visitor) settle(ctx context.Context, prefer int, path string, body map[string]any, act string) (done bool, err error) {
	status, text, err := v.crew.insist(ctx, prefer, "/api/tables/"+v.table+"/"+path, v.token, body)
	switch {
	case err != nil:
		return false, err
	case status == http.StatusConflict:
		return false, nil
	case status != http.StatusOK:
		return false, fmt.Errorf("%s is refused: %d %s", act, status, text)
	}
	a, err := parseTold(string(text))
	if err != nil {
		return false, err
	}
	standing := strings.TrimSuffix(strings.TrimPrefix(string(text), "{"), "\n")
	v.crew.ledger.acknowledge(v.table, ack{a.Seq, v.seat, act, standing})
	return true, nil
}

// do does what is not a move.
func (v *visitor) do(ctx context.Context, act string) error {
	_, err := v.settle(ctx, v.prefer, "acts", map[string]any{"act": act}, act)
	return err
}

func (v *visitor) pick() digit.Move {
	m, _ := v.state.Setup.Rules.Pick(v.state.Position, v.rng.IntN) // a game under way has a move
	return m
}

func (v *visitor) send(ctx context.Context, m digit.Move, prefer int) (done bool, err error) {
	return v.settle(ctx, prefer, "moves", map[string]any{"move": m, "seq": v.state.Seq}, m.String())
}

// move plays a move by chance.
func (v *visitor) move(ctx context.Context) error {
	addr, age, err := v.crew.site.find(ctx, v.prefer)
	if err != nil {
		return err
	}
	v.crew.ledger.edit(v.table, func(a *account) { a.sent[v.state.Seq+1] = posted{time.Now(), addr, age} })
	_, err = v.send(ctx, v.pick(), v.prefer)
	return err
}

// moveTwice sends two moves for one turn at the same time, to different servers if there are several. They may be the same.
func (v *visitor) moveTwice(ctx context.Context) error {
	r := race{seq: v.state.Seq + 1, seat: v.seat, moves: [2]digit.Move{v.pick(), v.pick()}}
	var errs [2]error
	var both sync.WaitGroup
	for i, m := range r.moves {
		both.Go(func() { r.accepted[i], errs[i] = v.send(ctx, m, v.prefer+i) })
	}
	both.Wait()
	if err := errors.Join(errs[0], errs[1]); err != nil {
		return err
	}
	v.crew.ledger.edit(v.table, func(a *account) { a.races = append(a.races, r) })
	return nil
}
