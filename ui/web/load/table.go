package load

import (
	"context"
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

// A table is where two players play some games in a row, with watchers.
type table struct {
	run     *run
	path    string
	players []*player // the two players, then the watchers
	moved   atomic.Int64

	mu           sync.Mutex
	acknowledged []numberedMove
	decided      int // the last game for which another is set
	another      bool
	failure      error
}

// send records when the move under way was sent. There is only one at a time.
func (t *table) send(at time.Time) { t.moved.Store(int64(at.Sub(t.run.began))) }

// sent returns when the last move was sent.
func (t *table) sent() time.Time { return t.run.began.Add(time.Duration(t.moved.Load())) }

func (t *table) acknowledge(p numberedMove) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.acknowledged = append(t.acknowledged, p)
}

// hasNext reports whether another game follows a game. Everyone at the table gets the same answer.
func (t *table) hasNext(game int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if game > t.decided {
		t.decided, t.another = game, game <= min(t.run.Rematches, longest/2) && !t.run.stopped()
		t.run.games.Add(1)
	}
	return t.another || game < t.decided
}

// fail ends the table for everyone after an error.
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

// play lets everyone play until the last game is over, and checks that all saw the same moves.
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

// blame returns why the table failed. After a timeout that is an acknowledged move which a player
// did not get, if there is one.
func (t *table) blame() error {
	if errors.Is(t.failure, os.ErrDeadlineExceeded) {
		for _, p := range t.players {
			for _, a := range t.acknowledged {
				if a.seq > p.seq {
					return faultf(Unseen, "%s after event %d: %v was acknowledged as event %d "+
						"and not sent", p.name, p.seq, a.move, a.seq)
				}
			}
		}
	}
	return t.failure
}

// ask reads the table from the server and compares it with the players' view.
func (t *table) ask() error {
	p := t.players[0]
	var got struct {
		Seq      int
		Moves    []digit.Move
		Position string
	}
	if err := p.ask.call(t.run.Patience, "GET", t.path, "", nil, 200, &got); err != nil {
		return err
	}
	position := t.run.Rules.Text(p.position)
	if got.Seq < p.seq || !slices.Equal(got.Moves, p.moves) || got.Position != position {
		return faultf(Mismatch, "the table is at event %d, %v, %q; the players saw event %d, %v",
			got.Seq, got.Moves, got.Position, p.seq, p.moves)
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

// connect connects the players. Each makes a request at once, since a server may close a connection
// without requests.
func (p *pair) connect(ctx context.Context, number int) (err error) {
	for i := range p.asks {
		p.rngs[i] = rand.New(rand.NewPCG(p.run.Seed, uint64(2*number+i)))
		if p.asks[i], err = dial(ctx, p.run.addr(i)); err != nil {
			return err
		}
		err := p.asks[i].call(p.run.Patience, "GET", "/healthz", "", nil, 200, nil)
		if err != nil {
			return err
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

// sit sets up a table and opens the streams of its players and watchers.
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
			who = &player{
				table: t, name: fmt.Sprint("player ", i+1), token: seats[i].Token,
				side: seats[i].Side, ask: p.asks[i], rng: p.rngs[i], first: !r.playing(),
			}
		}
		who.stream, err = openStream(ctx, r.addr(i), r.Patience, t.path, who.token)
		if err != nil {
			t.close()
			return nil, fmt.Errorf("%s: the stream of %s: %w", t.path, who.name, err)
		}
		t.players = append(t.players, who)
	}
	r.tables.Add(1)
	return t, nil
}

// A seat is a seat in the API.
type seat struct {
	Side  digit.Side `json:"side"`
	Token string     `json:"token"`
}

// longest is the length of the series at a table, of which only some games are played.
const longest = 99

// newTable sets up a table for two.
func (c *conn) newTable(
	patience time.Duration, rules digit.Rules,
) (id string, seats []seat, err error) {
	order := fmt.Appendf(nil, `{"rules":%q,"best_of":%d}`, rules, longest)
	var table struct {
		ID    string
		Seats []seat
	}
	if err := c.call(patience, "POST", "/api/tables", "", order, 201, &table); err != nil {
		return "", nil, err
	}
	seats = table.Seats
	if table.ID == "" || len(seats) != 2 || seats[0].Token == "" || seats[1].Token == "" ||
		seats[0].Side == seats[1].Side {
		return "", nil, errors.New("a table for two without two seats")
	}
	return table.ID, seats, nil
}
