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

// clients play at servers that share a database.
type clients struct {
	t       *testing.T
	seed    uint64
	servers *serverPool
	ledger  *ledger
	client  *http.Client
	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
	rng     *rand.Rand // of the test, not of the players
	lag     func() time.Duration

	outages int // kills of the database
}

func newClients(t *testing.T, servers ...*server) *clients {
	seed := cmp.Or(torture.seed, rand.Uint64())
	t.Logf("seed %d", seed)
	c := &clients{
		t: t, seed: seed, servers: &serverPool{changed: make(chan struct{})},
		ledger: &ledger{tables: map[string]*tableRecord{}},
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 200}},
		rng:    rand.New(rand.NewPCG(seed, 0)), lag: measureLag(t),
	}
	c.ctx, c.cancel = context.WithCancel(t.Context())
	for _, s := range servers {
		c.servers.up = append(c.servers.up, s.addr)
	}
	t.Cleanup(c.stop)
	return c
}

// play starts pairs of clients that play at one table after another.
func (c *clients) play(pairs int) {
	c.ledger.pairs = make([]int, pairs)
	for n := range pairs {
		c.running.Go(func() {
			for game := uint64(0); c.ctx.Err() == nil; game++ {
				c.noteError(c.playTable(n, rand.New(rand.NewPCG(c.seed+game, uint64(n+1)))))
			}
		})
	}
}

// stop stops all clients.
func (c *clients) stop() {
	c.cancel()
	c.running.Wait()
	c.client.CloseIdleConnections()
}

// await waits until more acts were acknowledged.
func (c *clients) await(acts int) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.ctx, time.Minute)
	defer cancel()
	if err := c.ledger.await(ctx, acts); err != nil {
		c.t.Fatalf("fewer than %d acts were acknowledged: %v", acts, err)
	}
	c.ledger.report(c.t)
}

// awaitAll waits until every pair has made progress.
func (c *clients) awaitAll() {
	c.t.Helper()
	before := c.ledger.acksByPair()
	stuck := func() (pairs []int) {
		for i, n := range c.ledger.acksByPair() {
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
			c.t.Fatalf("of %d pairs, these are stuck: %v", len(before), stuck())
		}
	}
	c.ledger.report(c.t)
}

// kill kills a server after a random number of acts.
func (c *clients) kill(s *server) {
	c.t.Helper()
	c.await(1 + c.rng.IntN(1<<c.rng.IntN(10)))
	for range c.rng.IntN(8) { // so that the kill doesn't follow an answer at once
		s.status("/healthz")
	}
	s.kill()
	c.servers.set(s, false)
}

// restart starts a killed server, and checks all tables with new events and some others.
func (c *clients) restart(s *server) {
	c.t.Helper()
	s.start()
	c.checkTables(s, append(c.ledger.unchecked(), c.ledger.sample(c.rng, 2)...)...)
	c.servers.set(s, true)
}

// checkAll stops the clients, and compares all they know with a fresh server and with the database.
func (c *clients) checkAll(s *server, db string) {
	c.t.Helper()
	c.stop()
	c.ledger.report(c.t)
	s.kill()
	s.start()
	c.checkTables(s, slices.Collect(maps.Keys(c.ledger.tables))...)
	s.kill() // so that the computer doesn't move in the meantime
	public, all := c.checkStore(db)
	s.start()
	checkLists(c.t, s, public, all)
}

// A serverPool lists the servers that clients can use.
type serverPool struct {
	mu      sync.Mutex
	up      []string // addresses; empty: the server is down
	version int      // counts starts, kills and other changes
	changed chan struct{}
}

// set notes whether a server is up.
func (s *serverPool) set(server *server, up bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, now := server.addr, ""
	if up {
		old, now = "", server.addr
	}
	s.up[slices.Index(s.up, old)] = now
	s.version++
	close(s.changed)
	s.changed = make(chan struct{})
}

// currentVersion returns the version.
func (s *serverPool) currentVersion() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// noteChange notes another change that concerns servers.
func (s *serverPool) noteChange() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
}

// find returns a server that is up, preferably the one with a number. It waits while there is none.
func (s *serverPool) find(ctx context.Context, prefer int) (addr string, version int, err error) {
	for {
		s.mu.Lock()
		changed := s.changed
		for i := range s.up {
			if addr = s.up[(prefer+i)%len(s.up)]; addr != "" {
				defer s.mu.Unlock()
				return addr, s.version, nil
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

// playTable opens a table and plays there until both players have played enough.
func (c *clients) playTable(pair int, rng *rand.Rand) error {
	setup := someSetup(rng)
	id, tokens, err := c.openTable(pair, setup, rng.IntN(2))
	if err != nil {
		return err
	}
	games := 1 + rng.IntN(10)
	visitor := func(seat match.Seat, prefer int) *visitor {
		own := rand.New(rand.NewPCG(rng.Uint64(), 0))
		return &visitor{
			clients: c, rng: own, table: id, token: tokens[seat], seat: seat, setup: setup,
			prefer: prefer, games: games,
		}
	}
	watcher := visitor(match.One, rng.IntN(2))
	watcher.token = ""
	watching, stop := context.WithCancel(c.ctx)
	var players, watchers sync.WaitGroup
	defer watchers.Wait()
	defer stop()
	watchers.Go(func() { c.noteError(watcher.follow(watching)) })
	for _, seat := range match.Seats {
		if tokens[seat] != "" {
			player := visitor(seat, int(seat))
			players.Go(func() { c.noteError(player.follow(c.ctx)) })
		}
	}
	players.Wait()
	return nil
}

// noteError notes an error, unless the clients are stopped.
func (c *clients) noteError(err error) {
	if err != nil && c.ctx.Err() == nil {
		c.ledger.addFault("%v", err)
	}
}

// someSetup returns a random setup for two players, one of whom may join later, or against the
// computer.
func someSetup(rng *rand.Rand) match.Setup {
	s := match.Setup{
		Rules: digit.Books[rng.IntN(len(digit.Books))].Rules,
		Terms: match.Terms{BestOf: []int{0, 1, 3}[rng.IntN(3)]}, First: match.Seat(rng.IntN(2)),
	}
	switch rng.IntN(6) {
	case 0:
		s.Levels[match.Two] = "casual"
	case 1:
		s.Open[match.Two], s.Listed = true, true
	case 2:
		s.TurnTime = time.Hour // never runs out
	}
	return s
}

// openTable opens a table and takes its seats.
func (c *clients) openTable(
	pair int, setup match.Setup, prefer int,
) (id string, tokens [2]string, err error) {
	order := map[string]any{
		"rules": setup.Rules, "best_of": setup.BestOf, "first": int(setup.First) + 1,
		"seats": []string{"human", "human"},
	}
	if setup.TurnTime > 0 {
		order["turn_time"] = setup.TurnTime.String()
	}
	if setup.Levels[match.Two] != "" {
		order["seats"] = []string{"human", setup.Levels[match.Two]}
	}
	if setup.Open[match.Two] {
		order["seats"] = []string{"human", "anyone"}
	}
	status, text, err := c.postUntilAnswered(c.ctx, prefer, "/api/tables", "", order)
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
	c.ledger.update(opened.ID, func(a *tableRecord) { a.pair, a.setup = pair, setup })
	c.ledger.acknowledge(opened.ID, ack{seq: 1, act: "open"})
	tokens = [2]string{opened.Seats[0].Token, opened.Seats[1].Token}
	if setup.Open[match.Two] {
		path := "/api/tables/" + opened.ID + "/seats"
		status, text, err := c.postUntilAnswered(c.ctx, prefer+1, path, "", map[string]any{"name": "Ben"})
		if status == http.StatusConflict {
			return c.openTable(pair, setup, prefer) // the answer with the token was lost
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

// postUntilAnswered repeats a request at the servers that are up until it is answered.
func (c *clients) postUntilAnswered(
	ctx context.Context, prefer int, path, token string, body any,
) (status int, answer []byte, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	for {
		addr, _, err := c.servers.find(ctx, prefer)
		if err != nil {
			return 0, nil, err
		}
		began := time.Now()
		status, answer, err := c.post(ctx, addr, path, token, text)
		switch {
		case ctx.Err() != nil:
			return 0, nil, ctx.Err()
		case err == nil && status == http.StatusServiceUnavailable:
			c.ledger.noteRefusal(string(answer), time.Since(began))
			c.pause(50 * time.Millisecond)
		case err == nil:
			c.ledger.noteAnswer(time.Since(began))
			return status, answer, nil
		default:
			c.pause(5 * time.Millisecond) // the server is down, but the pool doesn't know yet
		}
	}
}

// pause waits before a client sends another request.
func (c *clients) pause(d time.Duration) {
	select {
	case <-time.After(d):
	case <-c.ctx.Done():
	}
}

func (c *clients) post(
	ctx context.Context, addr, path, token string, body []byte,
) (status int, answer []byte, err error) {
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
