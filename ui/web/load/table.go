package load

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"digitduel/digit"
)

// A table is where two players, and those who watch, play some games in a row.
type table struct {
	run     *run
	path    string
	players []*player // the two, then those who watch
	moved   atomic.Int64

	mu           sync.Mutex
	acknowledged []played
	decided      int // the last game after which it was decided whether another follows
	another      bool
	failure      error
}

// send notes when the move under way was sent. There is only one at a time.
func (t *table) send(at time.Time) { t.moved.Store(int64(at.Sub(t.run.began))) }

// sent returns when the last move was sent.
func (t *table) sent() time.Time { return t.run.began.Add(time.Duration(t.moved.Load())) }

func (t *table) acknowledge(p played) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.acknowledged = append(t.acknowledged, p)
}

// goesOn reports whether another game follows a game. All at the table are told the same, whenever they ask.
func (t *table) goesOn(game int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if game > t.decided {
		t.decided, t.another = game, game <= min(t.run.Rematches, longest/2) && !t.run.stopped()
		t.run.games.Add(1)
	}
	return t.another || game < t.decided
}

// fail ends the table for all when it has failed for one.
func (t *table) fail(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err == nil || t.failure != nil {
		return
	}
	t.failure = err
	for _, p := range t.players {
		p.stream.conn.Close()
		if p.ask != nil {
			p.ask.Close()
		}
	}
}

// play lets everybody play until the last game is over, and checks that all have seen the same.
func (t *table) play() error {
	var playing sync.WaitGroup
	for _, p := range t.players {
		playing.Go(func() { t.fail(p.play()) })
	}
	playing.Wait()
	if t.failure != nil {
		return fmt.Errorf("%s: %w", t.path, t.blame())
	}
	for _, p := range t.players {
		if err := p.check(t.acknowledged); err != nil {
			return fmt.Errorf("%s: %w", t.path, err)
		}
	}
	if err := t.ask(); err != nil {
		return fmt.Errorf("%s: %w", t.path, err)
	}
	return nil
}

// blame returns why the table failed. If nothing came in time, that is because of a move that somebody was not told, if there is one.
func (t *table) blame() error {
	if errors.Is(t.failure, os.ErrDeadlineExceeded) {
		for _, p := range t.players {
			for _, a := range t.acknowledged {
				if a.seq > p.seq {
					return faultf(Unseen, "%s after event %d: %v was acknowledged as event %d and not told", p.name, p.seq, a.move, a.seq)
				}
			}
		}
	}
	return t.failure
}

// ask asks the server how the table stands, which is how the players saw it.
func (t *table) ask() error {
	p := t.players[0]
	status, text, err := p.ask.ask(t.run.Patience, "GET", t.path, "", nil)
	if err != nil {
		return err
	}
	if status != 200 {
		return refused(status, text)
	}
	var told struct {
		Seq      int
		Moves    []digit.Move
		Position string
	}
	if err := json.Unmarshal(text, &told); err != nil {
		return err
	}
	if told.Seq < p.seq || !slices.Equal(told.Moves, p.moves) || told.Position != t.run.Rules.Text(p.position) {
		return faultf(WrongTale, "the table is said to stand at event %d, %v, %q, and the players saw event %d, %v", told.Seq, told.Moves, told.Position, p.seq, p.moves)
	}
	return nil
}

// close ends the streams.
func (t *table) close() {
	for _, p := range t.players {
		p.stream.conn.Close()
	}
}

// A pair is two players who play at one table after another.
type pair struct {
	run  *run
	asks [2]*conn
	rngs [2]*rand.Rand
}

// connect connects the players. Each asks something at once, since a server may close a connection on which it was never asked anything.
func (p *pair) connect(ctx context.Context, number int) (err error) {
	for i := range p.asks {
		p.rngs[i] = rand.New(rand.NewPCG(p.run.Seed, uint64(2*number+i)))
		if p.asks[i], err = dial(ctx, p.run.addr(i)); err != nil {
			return err
		}
		status, text, err := p.asks[i].ask(p.run.Patience, "GET", "/healthz", "", nil)
		if err != nil {
			return err
		}
		if status != 200 {
			return refused(status, text)
		}
	}
	return nil
}

func (p *pair) close() {
	for _, c := range p.asks {
		if c != nil {
			c.Close()
		}
	}
}

// sit sets up a table and opens the streams of all who are at it.
func (p *pair) sit(ctx context.Context) (*table, error) {
	r := p.run
	id, seats, err := p.asks[0].newTable(r.Patience, r.Rules)
	if err != nil {
		return nil, fmt.Errorf("a new table: %w", err)
	}
	t := &table{run: r, path: "/api/tables/" + id}
	for i := range 2 + r.Watchers {
		who := &player{table: t, name: fmt.Sprint("watcher ", i-1)}
		if i < 2 {
			who = &player{table: t, name: fmt.Sprint("player ", i+1), token: seats[i].Token, side: seats[i].Side, ask: p.asks[i], rng: p.rngs[i], first: !r.playing()}
		}
		if who.stream, err = openStream(ctx, r.addr(i), r.Patience, t.path, who.token); err != nil {
			t.close()
			return nil, fmt.Errorf("%s: the stream of %s: %w", t.path, who.name, err)
		}
		t.players = append(t.players, who)
	}
	r.tables.Add(1)
	return t, nil
}

// A seat is what the server gives a player.
type seat struct {
	Side  digit.Side `json:"side"`
	Token string     `json:"token"`
}

// longest is the length of the series at a table, of which only some games are played.
const longest = 99

// newTable sets up a table for two.
func (c *conn) newTable(patience time.Duration, rules digit.Rules) (id string, seats []seat, err error) {
	status, text, err := c.ask(patience, "POST", "/api/tables", "", fmt.Appendf(nil, `{"rules":%q,"best_of":%d}`, rules, longest))
	if err != nil {
		return "", nil, err
	}
	if status != 201 {
		return "", nil, refused(status, text)
	}
	var told struct {
		ID    string
		Seats []seat
	}
	if err := json.Unmarshal(text, &told); err != nil {
		return "", nil, err
	}
	if told.ID == "" || len(told.Seats) != 2 || told.Seats[0].Token == "" || told.Seats[1].Token == "" || told.Seats[0].Side == told.Seats[1].Side {
		return "", nil, errors.New("a table for two without two seats")
	}
	return told.ID, told.Seats, nil
}
