package load

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"digitduel/digit"
)

// A table is where two players play some games in a row, with watchers.
type table struct {
	run     *run
	ctx     context.Context
	fail    context.CancelCauseFunc // ends the table for everyone; the first error counts
	silence *time.Timer             // until it fails because the server sends nothing
	path    string
	players []*player // the two players, then the watchers

	mu           sync.Mutex
	sent         time.Time // when the move under way was sent; there is only one at a time
	acknowledged []numberedMove
}

// longest is the length of the series at a table, of which only some games are played.
const longest = 99

// sit sets up a table and opens the streams of its players and watchers. Tables with different
// numbers have different moves.
func (r *run) sit(ctx context.Context, number uint64) (*table, error) {
	t := &table{run: r}
	t.ctx, t.fail = context.WithCancelCause(ctx)
	patience := r.Patience + 2*r.Think
	t.silence = time.AfterFunc(patience, func() {
		t.fail(failuref(Silence, "the server sent nothing in %v", patience))
	})
	defer t.silence.Stop()
	if err := t.open(number); err != nil {
		t.fail(err)
		t.close()
		return nil, fmt.Errorf("new table: %w", context.Cause(t.ctx))
	}
	r.count(func() { r.tables++ })
	return t, nil
}

func (t *table) open(number uint64) error {
	r := t.run
	var opened struct {
		ID    string
		Seats []struct {
			Side  digit.Side
			Token string
		}
	}
	order := fmt.Sprintf(`{"rules":%q,"best_of":%d}`, r.Rules, longest)
	if err := r.call(t.ctx, 0, "/api/tables", "", order, &opened); err != nil {
		return err
	}
	if opened.ID == "" || len(opened.Seats) != 2 {
		return failuref(Garbled, "a table for two with %d seats", len(opened.Seats))
	}
	t.path = "/api/tables/" + opened.ID
	for i := range 2 + r.Watchers {
		p := &player{table: t, number: i, name: fmt.Sprint("watcher ", i-1)}
		if i < 2 {
			p.name, p.token = fmt.Sprint("player ", i+1), opened.Seats[i].Token
			p.side = opened.Seats[i].Side
			p.rng = rand.New(rand.NewPCG(r.Seed, 2*number+uint64(i)))
		}
		var err error
		p.stream, err = r.request(t.ctx, i, t.path+"/events?after=0", p.token, "")
		if err != nil {
			return err
		}
		t.players = append(t.players, p)
	}
	return nil
}

func (t *table) close() {
	t.fail(nil)
	for _, p := range t.players {
		p.stream.Close()
	}
}

// play lets everyone play until the last game is over, and checks that all saw the same moves.
func (t *table) play() error {
	defer t.close()
	t.heard()
	var playing sync.WaitGroup
	for _, p := range t.players {
		playing.Go(func() {
			if err := p.play(); err != nil {
				t.fail(fmt.Errorf("%s after event %d: %w", p.name, p.seq, err))
			}
		})
	}
	playing.Wait()
	t.silence.Stop()
	failure := context.Cause(t.ctx)
	if failure == nil || kindOf(failure) == Silence {
		for _, p := range t.players {
			if err := p.check(t.acknowledged, failure == nil); err != nil {
				failure = err
			}
		}
	}
	if failure != nil {
		return fmt.Errorf("%s: %w", t.path, failure)
	}
	return nil
}

// heard restarts the time in which the server must send something.
func (t *table) heard() { t.silence.Reset(t.run.Patience + 2*t.run.Think) }

// A player follows the stream of a table, checks it against the rules and, with a token, plays.
type player struct {
	table  *table
	number int
	name   string // for errors
	token  string // of a seat; empty: a watcher
	side   digit.Side
	stream io.ReadCloser
	rng    *rand.Rand

	seq      int // of the last event seen
	game     int // counted from 1
	playing  bool
	position digit.Position
	seen     []numberedMove // all moves at this table
}

// A numberedMove is a move with the number of its event.
type numberedMove struct {
	seq  int
	move digit.Move
}

// An event has the fields of a table's event that players use.
type event struct {
	Seq      int
	Kind     string
	Move     string
	Position string
	Turn     string
	Result   string
}

// play follows the table until a player resigns.
func (p *player) play() error {
	lines := bufio.NewScanner(p.stream)
	for lines.Scan() {
		data, found := strings.CutPrefix(lines.Text(), "data: ")
		if !found {
			continue
		}
		var e event
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			return failuref(Garbled, "event %.200q: %w", data, err)
		}
		p.table.heard()
		if err := p.follow(e); err != nil || e.Kind == "resigned" {
			return err
		}
		if err := p.answer(e); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return io.ErrUnexpectedEOF
}

// follow checks and applies an event.
func (p *player) follow(e event) error {
	now := time.Now()
	switch {
	case e.Seq <= p.seq:
		return failuref(Repeat, "event %d was sent before", e.Seq)
	case e.Seq > p.seq+1:
		return failuref(Gap, "the next event is %d", e.Seq)
	}
	p.seq = e.Seq
	r := p.table.run
	switch e.Kind {
	case "began":
		if p.game++; p.game > 1 {
			p.side = p.side.Other() // the start alternates
		}
		p.playing, p.position = true, digit.Position{}
	case "moved":
		mover := r.Rules.Turn(p.position)
		m, err := digit.ParseMove(e.Move)
		if err == nil {
			p.position, err = r.Rules.Play(p.position, m)
		}
		if err != nil {
			return failuref(Mismatch, "%w", err)
		}
		p.seen = append(p.seen, numberedMove{e.Seq, m})
		if p.token != "" && mover != p.side {
			p.table.mu.Lock()
			took := now.Sub(p.table.sent)
			p.table.mu.Unlock()
			r.count(func() { r.seen = append(r.seen, took) })
		}
	}
	if text := r.Rules.Text(p.position); p.game > 0 && text != e.Position {
		return failuref(Mismatch, "the position is %q; by the rules it is %s", e.Position, text)
	}
	return nil
}

// answer plays after an event if it is the player's turn, and the next game if this one has ended.
// When time is up or enough games were played, the player to move resigns, and everyone leaves.
func (p *player) answer(e event) error {
	r := p.table.run
	ended := p.playing && e.Result != digit.Result{}.String()
	p.playing = p.playing && !ended
	switch {
	case p.token == "":
		return nil
	case ended:
		if p.number == 0 {
			r.count(func() { r.games++ })
		}
		return p.act("next")
	case !p.playing || e.Turn != p.side.String() || e.Kind != "moved" && e.Kind != "began":
		return nil
	case p.game > r.Rematches+1 || !p.think():
		return p.act("resign")
	}
	return p.move()
}

// move plays a random move.
func (p *player) move() error {
	t, r := p.table, p.table.run
	m, _ := r.Rules.Pick(p.position, p.rng.IntN) // a game under way has a move
	began := time.Now()
	t.mu.Lock()
	t.sent = began
	t.mu.Unlock()
	seq, err := p.post("/moves", fmt.Sprintf(`{"move":"%v","seq":%d}`, m, p.seq))
	took := time.Since(began)
	if err != nil {
		return fmt.Errorf("move %v: %w", m, err)
	}
	if seq != p.seq+1 {
		return failuref(Mismatch, "move %v is answered by event %d", m, seq)
	}
	t.mu.Lock()
	t.acknowledged = append(t.acknowledged, numberedMove{seq, m})
	t.mu.Unlock()
	r.count(func() { r.moves, r.answered = r.moves+1, append(r.answered, took) })
	return nil
}

// think waits for the player's time for a move, and reports whether there is still time to play it.
// The first wait may be short, so that the players of a run do not move in step.
func (p *player) think() bool {
	r := p.table.run
	part := p.rng.Float64()
	if len(p.seen) > 1 {
		part += 0.5
	}
	select {
	case <-time.After(time.Duration(part * float64(r.Think))):
	case <-r.stop:
	case <-p.table.ctx.Done():
	}
	return !isClosed(r.stop)
}

// act performs an act other than a move.
func (p *player) act(what string) error {
	if _, err := p.post("/acts", fmt.Sprintf(`{"act":%q}`, what)); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// post sends an act or move, and returns the number of its event.
func (p *player) post(path, body string) (int, error) {
	var answer struct{ Seq int }
	t := p.table
	err := t.run.call(t.ctx, p.number, t.path+path, p.token, body, &answer)
	return answer.Seq, err
}

// check compares the moves in the stream with those that were acknowledged. If the table has not
// failed, the stream must not have others.
func (p *player) check(acknowledged []numberedMove, complete bool) error {
	for _, a := range acknowledged {
		if !slices.Contains(p.seen, a) {
			return failuref(Unseen, "%s: %v was acknowledged as event %d and not sent",
				p.name, a.move, a.seq)
		}
	}
	if complete && len(p.seen) > len(acknowledged) {
		return failuref(Stray, "%s: %d moves were sent and %d acknowledged",
			p.name, len(p.seen), len(acknowledged))
	}
	return nil
}
