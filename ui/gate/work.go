package gate

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A workQueue schedules the work for visitors: solving games, and using solutions for hints,
// reviews and the computer's moves. Work is charged to an address by the time it takes, solving and
// using separately, so that a visitor who has waited for a large game can play it. Each address has
// one turn at a time, so others wait for at most one piece of its work; large and small work do not
// wait for each other. The games with a name cost nothing.
type workQueue struct {
	mu     sync.Mutex
	turns  map[string]*turn     // by key
	large  map[digit.Rules]*job // large games in the queue
	payers map[string]string    // by table: the address that pays for the computer's turn
	jobs   sync.WaitGroup
	heavy  chan struct{} // holds a token while a large solution is used
}

// A turn is held during work. It is deleted when nobody holds it or waits for it.
type turn struct {
	free  chan struct{}
	users int
}

// The purses of an address: for solving games, and for using solutions.
const (
	Solving    = "solving"
	Explaining = "explaining"
)

const (
	heavyBytes = 1 << 20 // the size of a solution that only one visitor at a time may use
	mostPayers = 20_000
)

// Afford returns an error if an address has used more than its share of a purse.
func (g *Gate) Afford(purse, address string) error {
	if g.Limits.Work <= 0 || address == "" {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	b := g.purse(purse, address)
	if b.level > -0.001 { // less than any piece of work
		return nil
	}
	seconds := secondsOf(b.after(0))
	return &Refusal{
		Status: http.StatusTooManyRequests, Retry: seconds,
		Sentence: rulebook.Overworked(seconds).Long,
		Text: fmt.Sprintf("your address has used up its share of computing, "+
			"which large games take much of; try again in %d s", seconds),
	}
}

// Charge charges an address for work.
func (g *Gate) Charge(purse, address string, took time.Duration) {
	if g.Limits.Work <= 0 || address == "" {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.purse(purse, address).level -= took.Seconds()
}

// purse returns the bucket of a purse. It is called with the lock.
func (g *Gate) purse(purse, address string) *bucket {
	return g.bucket(purse+" "+address, g.Limits.Work, g.Limits.Work*burst)
}

// IsFree reports whether a game costs nothing: it has a name, or differs from a named game only by
// another target that is offered for it.
func IsFree(r digit.Rules) bool {
	if slices.Contains(rulebook.Aims(r), r.Target) {
		r.Target = r.Book().Rules.Target
	}
	return r == r.Named().Rules
}

// Solved returns the solution of a game for an address to use until done is called. The address
// pays for solving and using it. Patience is how long it waits for a large game.
func (g *Gate) Solved(
	ctx context.Context, address string, patience time.Duration, rules digit.Rules,
) (_ *solve.Solution, done func(), _ error) {
	ctx, drop := context.WithCancel(ctx)
	solution, err := g.Solve(ctx, address, patience, rules)
	if err != nil {
		drop()
		return nil, nil, err
	}
	end, err := g.begin(ctx, address, solution, OwnPatience)
	if err == nil && !IsFree(rules) {
		if err = g.Afford(Explaining, address); err != nil {
			end()
		}
	}
	if err != nil {
		drop()
		return nil, nil, err
	}
	return solution, func() { end(); drop() }, nil
}

// SolvedAt returns the solution of a game for the computer at a table, until ctx is done. The
// address that made it the computer's turn pays.
func (g *Gate) SolvedAt(ctx context.Context, table string, r digit.Rules) (*solve.Solution, error) {
	payer := g.work.payer(table)
	solution, cost, err := g.Solver.SolveAtCost(ctx, r)
	g.Charge(Solving, payer, cost)
	if err != nil {
		return nil, err
	}
	done, err := g.begin(ctx, payer, solution, 0)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, done)
	return solution, nil
}

// Pays records the address that made it the computer's turn at a table.
func (g *Gate) Pays(table, address string) {
	w := &g.work
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.payers) >= mostPayers {
		clear(w.payers) // most of these turns are over
	}
	w.payers[table] = address
}

// payer returns and forgets the address that pays for the computer's turn at a table.
func (w *workQueue) payer(table string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	address := w.payers[table]
	delete(w.payers, table)
	return address
}

// Answered returns an error if an address may not make the computer think at a table. Otherwise it
// records that the address pays.
func (g *Gate) Answered(address string, t *match.Table) error {
	state := t.State()
	if state.Levels == [2]string{} || IsFree(state.Setup.Rules) {
		return nil
	}
	if err := g.Afford(Explaining, address); err != nil {
		return err
	}
	if !g.Solver.Has(state.Setup.Rules) { // it may have been dropped from memory
		if err := g.Afford(Solving, address); err != nil {
			return err
		}
	}
	g.Pays(t.ID(), address)
	return nil
}

// begin waits for a turn of the address to use a solution, like Turn, and charges the address for
// the time until done is called.
func (g *Gate) begin(
	ctx context.Context, address string, solution *solve.Solution, patience time.Duration,
) (done func(), err error) {
	if IsFree(solution.Rules()) {
		return func() {}, nil
	}
	kind, heavy := "small ", solution.Size().Bytes >= heavyBytes
	if heavy {
		kind = "large "
	}
	leave, err := g.Turn(ctx, kind+address, 1, patience)
	if err != nil {
		return nil, err
	}
	if heavy {
		select {
		case g.work.heavy <- struct{}{}:
		case <-ctx.Done():
			leave()
			return nil, context.Cause(ctx)
		}
	}
	began := g.Now()
	return func() {
		if heavy {
			<-g.work.heavy
		}
		leave()
		g.Charge(Explaining, address, g.Now().Sub(began))
	}, nil
}

// Charged runs do in the turn of an address, which pays for it. It is for games that are free to
// solve.
func (g *Gate) Charged(ctx context.Context, address string, do func()) error {
	leave, err := g.Turn(ctx, "small "+address, 1, OwnPatience)
	if err != nil {
		return err
	}
	defer leave()
	if err := g.Afford(Explaining, address); err != nil {
		return err
	}
	began := g.Now()
	do()
	g.Charge(Explaining, address, g.Now().Sub(began))
	return nil
}

// OwnPatience is how long a request waits for other work of its address before it is refused.
const (
	OwnPatience = 10 * time.Second
	retryBusy   = 2 * time.Second
)

// Turn waits for one of the turns of a key, which ends when leave is called. It gives up when
// patience or ctx ends; a patience of 0 never ends.
func (g *Gate) Turn(
	ctx context.Context, key string, turns int, patience time.Duration,
) (leave func(), err error) {
	w := &g.work
	w.mu.Lock()
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
		err = tooMany("waiting requests from your address", retryBusy)
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	forget()
	return nil, err
}

// Pace updates an open page of an address in its turn. Each address updates one page at a time and,
// while others wait, pauses as long as the update took. Then a lot of pages take half a processor
// and are updated less often, each time to the latest state.
func (g *Gate) Pace(ctx context.Context, address string, show func()) {
	leave, err := g.Turn(ctx, "pages "+address, 1, 0)
	if err != nil {
		return // the page is gone
	}
	began := time.Now()
	show()
	if g.work.others("pages " + address) {
		time.AfterFunc(time.Since(began), leave)
		return
	}
	leave()
}

// others reports whether a request waits for the turn of a key.
func (w *workQueue) others(key string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.turns[key].users > 1
}
