package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
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
	lag    func() time.Duration

	outages int // how often the database was killed
}

func newCrew(t *testing.T, servers ...*server) *crew {
	seed := cmp.Or(torture.seed, rand.Uint64())
	t.Logf("seed %d", seed)
	c := &crew{
		t: t, seed: seed, site: &site{changed: make(chan struct{})}, ledger: &ledger{tables: map[string]*account{}},
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 200}}, rng: rand.New(rand.NewPCG(seed, 0)), lag: lagOf(t),
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
	ctx, cancel := context.WithTimeout(c.ctx, time.Minute)
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
	ctx, cancel := context.WithTimeout(c.ctx, time.Minute)
	defer cancel()
	for len(stuck()) > 0 {
		if err := c.ledger.await(ctx, 1); err != nil {
			c.t.Fatalf("of %d pairs those do not go on: %v", len(before), stuck())
		}
	}
	c.ledger.report(c.t)
}

// kill kills a server some time after it has last been started or killed.
func (c *crew) kill(s *server) {
	c.t.Helper()
	c.await(1 + c.rng.IntN(1<<c.rng.IntN(10)))
	for range c.rng.IntN(8) { // so that the kill is not in step with the answers
		s.status("/healthz")
	}
	s.kill()
	c.site.set(s, false)
}

// revive starts a server that was killed, and looks at all tables that were played at since that was last done, and at some others.
func (c *crew) revive(s *server) {
	c.t.Helper()
	s.start()
	c.checkTold(s, append(c.ledger.unchecked(), c.ledger.some(c.rng, 2)...)...)
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
	public, all := c.checkStore(db)
	s.start()
	checkLists(c.t, s, public, all)
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
		own := rand.New(rand.NewPCG(rng.Uint64(), 0))
		return &visitor{crew: c, rng: own, table: id, token: tokens[seat], seat: seat, setup: setup, prefer: prefer, games: games}
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
	s := match.Setup{Rules: digit.Books[rng.IntN(len(digit.Books))].Rules, Terms: match.Terms{BestOf: []int{0, 1, 3}[rng.IntN(3)]}, First: match.Seat(rng.IntN(2))}
	switch rng.IntN(6) {
	case 0:
		s.Levels[match.Two] = "casual"
	case 1:
		s.Open[match.Two], s.Listed = true, true
	case 2:
		s.TurnTime = time.Hour // which nobody needs
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
	c.ledger.edit(opened.ID, func(a *account) { a.pair, a.setup = pair, setup })
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
			c.rest(50 * time.Millisecond)
		case err == nil:
			c.ledger.answered(time.Since(began))
			return status, answer, nil
		default:
			c.rest(5 * time.Millisecond) // the server is gone, which is not known here at once
		}
	}
}

// rest is what a client does before it asks again.
func (c *crew) rest(d time.Duration) {
	select {
	case <-time.After(d):
	case <-c.ctx.Done():
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
