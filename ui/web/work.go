package web

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

// Work is what a visitor has computed: a game solved, and then told of it, in a hint, a review, the computer's move. It is charged to the
// address by the time it takes, each of the two to a purse of its own, so that who has waited for a large game can play it. Of one
// address it is done one after the other, so that nobody waits for more than one piece of another's work, and large work and small
// work do not wait for each other. The books, which are solved from the start, cost nothing.
type work struct {
	mu     sync.Mutex
	turns  map[string]*turn     // of addresses
	large  map[digit.Rules]*job // games that are large and waited for
	payers map[string]string    // by table: the address that has made it the computer's turn
	jobs   sync.WaitGroup
	heavy  chan struct{} // held by whoever has something of a heavy game told
}

// A turn is held while work is done. It is forgotten when nobody holds it or waits for it.
type turn struct {
	free  chan struct{}
	users int
}

// The purses of an address.
const (
	solving = "solving"
	telling = "telling"
)

const (
	heavyBytes = 1 << 20 // what a solution takes from which on there is so much to say of a position that it is said to one at a time
	mostPayers = 20_000
)

// afford returns nil if an address has not had more than its share of some work.
func (g *gate) afford(purse, address string, now time.Time) error {
	if g.limits.Work <= 0 || address == "" {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	b := g.purse(purse, address, now)
	if b.level > -0.001 { // what is computed takes no less
		return nil
	}
	seconds := secondsOf(b.after(0))
	return &problem{
		status: http.StatusTooManyRequests, retry: seconds, told: rulebook.Overworked(seconds).Long,
		text: fmt.Sprintf("your address has used up its share of computing, which large games take much of; try again in %d s", seconds),
	}
}

// charge takes work into account that was done for an address.
func (g *gate) charge(purse, address string, took time.Duration, now time.Time) {
	if g.limits.Work <= 0 || address == "" {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.purse(purse, address, now).level -= took.Seconds()
}

// purse returns the bucket that work is taken from. It is called with the lock.
func (g *gate) purse(purse, address string, now time.Time) *bucket {
	return g.bucket(purse+" "+address, g.limits.Work, g.limits.Work*hold, now)
}

// isFree reports whether a game costs nothing: those of the first page do.
func isFree(r digit.Rules) bool { return withoutAim(r) == r.Named().Rules }

// solved returns the solution of a game, for whoever made a request to be told something of it and be done.
func (s *Server) solved(r *http.Request, rules digit.Rules) (_ *solve.Solution, done func(), _ error) {
	return s.solvedFor(r.Context(), s.address(r), patienceOf(r), rules)
}

// solvedFor does so for whoever asks from an address.
func (s *Server) solvedFor(ctx context.Context, address string, patience time.Duration, rules digit.Rules) (_ *solve.Solution, done func(), _ error) {
	ctx, drop := context.WithCancel(ctx)
	solution, err := s.solve(ctx, address, patience, rules)
	if err != nil {
		drop()
		return nil, nil, err
	}
	end, err := s.begin(ctx, address, solution, ownPatience)
	if err == nil && !isFree(rules) {
		if err = s.gate.afford(telling, address, s.Now()); err != nil {
			end()
		}
	}
	if err != nil {
		drop()
		return nil, nil, err
	}
	return solution, func() { end(); drop() }, nil
}

// SolvedAt returns the solution of a game for the computer at a table, until ctx is done. Whoever has made it the computer's turn pays.
func (s *Server) SolvedAt(ctx context.Context, table string, r digit.Rules) (*solve.Solution, error) {
	payer := s.work.payer(table)
	solution, cost, err := s.Solver.SolveAtCost(ctx, r)
	s.gate.charge(solving, payer, cost, s.Now())
	if err != nil {
		return nil, err
	}
	done, err := s.begin(ctx, payer, solution, 0)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, done)
	return solution, nil
}

// pays notes whose request has made it the computer's turn at a table.
func (w *work) pays(table, address string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.payers) >= mostPayers || w.payers == nil {
		w.payers = map[string]string{} // it has chosen long since at most of them
	}
	w.payers[table] = address
}

// payer returns who pays for the computer's turn at a table, this once.
func (w *work) payer(table string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	address := w.payers[table]
	delete(w.payers, table)
	return address
}

// answered returns nil if an address may make the computer think at a table, and notes that it pays for it.
func (s *Server) answered(address string, t *match.Table) error {
	state := t.State()
	if state.Levels == [2]string{} || isFree(state.Setup.Rules) {
		return nil
	}
	if err := s.gate.afford(telling, address, s.Now()); err != nil {
		return err
	}
	if !s.Solver.Has(state.Setup.Rules) { // any more, since others needed the room
		if err := s.gate.afford(solving, address, s.Now()); err != nil {
			return err
		}
	}
	s.work.pays(t.ID(), address)
	return nil
}

// begin waits, as wait does, until a game can be explained to an address, and charges that for the
// time until done is called.
func (s *Server) begin(ctx context.Context, address string, solution *solve.Solution, patience time.Duration) (done func(), err error) {
	if isFree(solution.Rules()) {
		return func() {}, nil
	}
	kind, heavy := "small ", solution.Size().Bytes >= heavyBytes
	if heavy {
		kind = "large "
	}
	leave, err := s.work.wait(ctx, kind+address, patience)
	if err != nil {
		return nil, err
	}
	if heavy {
		select {
		case s.work.heavy <- struct{}{}:
		case <-ctx.Done():
			leave()
			return nil, context.Cause(ctx)
		}
	}
	began := s.Now()
	return func() {
		if heavy {
			<-s.work.heavy
		}
		leave()
		s.gate.charge(telling, address, s.Now().Sub(began), s.Now())
	}, nil
}

// charged does what a request asks for in the turn of its address, which pays for it: work on games that cost nothing to solve.
func (s *Server) charged(r *http.Request, do func()) error {
	return s.chargedTo(r.Context(), s.address(r), do)
}

func (s *Server) chargedTo(ctx context.Context, address string, do func()) error {
	leave, err := s.work.wait(ctx, "small "+address, ownPatience)
	if err != nil {
		return err
	}
	defer leave()
	if err := s.gate.afford(telling, address, s.Now()); err != nil {
		return err
	}
	began := s.Now()
	do()
	s.gate.charge(telling, address, s.Now().Sub(began), s.Now())
	return nil
}

// A request waits for other work of its address, and is then asked to come again.
const (
	ownPatience = 10 * time.Second
	retryBusy   = 2 * time.Second
)

// wait waits for the turn of a key, which ends when leave is called, until its patience or ctx ends;
// a patience of 0 does not end.
func (w *work) wait(ctx context.Context, key string, patience time.Duration) (leave func(), err error) {
	return w.waitFor(ctx, key, 1, patience)
}

// waitFor does so where some turns of a key are held at once.
func (w *work) waitFor(ctx context.Context, key string, turns int, patience time.Duration) (leave func(), err error) {
	w.mu.Lock()
	if w.turns == nil {
		w.turns = map[string]*turn{}
	}
	t := w.turns[key]
	if t == nil {
		t = &turn{free: make(chan struct{}, turns)}
		w.turns[key] = t
	}
	t.users++
	w.mu.Unlock()
	forget := func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if t.users--; t.users == 0 {
			delete(w.turns, key)
		}
	}
	var late <-chan time.Time // never
	if patience > 0 {
		late = time.After(patience)
	}
	select {
	case t.free <- struct{}{}:
		return func() { <-t.free; forget() }, nil
	case <-late:
		err = tooMany("requests of your address that wait for each other", retryBusy)
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	forget()
	return nil, err
}

// pace shows something on an open page of an address when it is its turn. Of one address that is one page after the other, with as much
// rest in between while others wait, so that many pages take half a processor and are shown less often: each shows the latest.
func (w *work) pace(ctx context.Context, address string, show func()) {
	leave, err := w.wait(ctx, "pages "+address, 0)
	if err != nil {
		return // the page is gone
	}
	began := time.Now()
	show()
	if w.others("pages " + address) {
		time.AfterFunc(time.Since(began), leave)
		return
	}
	leave()
}

// others reports whether somebody waits for the turn of a key.
func (w *work) others(key string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.turns[key].users > 1
}
