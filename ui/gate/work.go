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
	Solving = "solving"
	Telling = "telling"
)

const (
	heavyBytes = 1 << 20 // what a solution takes from which on there is so much to say of a position that it is said to one at a time
	mostPayers = 20_000
)

// Afford returns nil if an address has not had more than its share of some work.
func (g *Gate) Afford(purse, address string) error {
	if g.Limits.Work <= 0 || address == "" {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	b := g.purse(purse, address)
	if b.level > -0.001 { // what is computed takes no less
		return nil
	}
	seconds := secondsOf(b.after(0))
	return &Refusal{
		Status: http.StatusTooManyRequests, Retry: seconds, Told: rulebook.Overworked(seconds).Long,
		Text: fmt.Sprintf("your address has used up its share of computing, which large games take much of; try again in %d s", seconds),
	}
}

// Charge takes work into account that was done for an address.
func (g *Gate) Charge(purse, address string, took time.Duration) {
	if g.Limits.Work <= 0 || address == "" {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.purse(purse, address).level -= took.Seconds()
}

// purse returns the bucket that work is taken from. It is called with the lock.
func (g *Gate) purse(purse, address string) *bucket {
	return g.bucket(purse+" "+address, g.Limits.Work, g.Limits.Work*hold)
}

// IsFree reports whether a game costs nothing, as those of the first page do: those that have a name,
// also with another target that is offered for them.
func IsFree(r digit.Rules) bool {
	if slices.Contains(rulebook.Aims(r), r.Target) {
		r.Target = r.Book().Rules.Target
	}
	return r == r.Named().Rules
}

// Solved returns the solution of a game for an address to use until done is called. The address pays for
// both. Patience is how long it waits for a large game to be solved.
func (g *Gate) Solved(ctx context.Context, address string, patience time.Duration, rules digit.Rules) (_ *solve.Solution, done func(), _ error) {
	ctx, drop := context.WithCancel(ctx)
	solution, err := g.Solve(ctx, address, patience, rules)
	if err != nil {
		drop()
		return nil, nil, err
	}
	end, err := g.begin(ctx, address, solution, OwnPatience)
	if err == nil && !IsFree(rules) {
		if err = g.Afford(Telling, address); err != nil {
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

// Pays notes whose request has made it the computer's turn at a table.
func (g *Gate) Pays(table, address string) {
	w := &g.work
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

// Answered returns nil if an address may make the computer think at a table, and notes that it pays for it.
func (g *Gate) Answered(address string, t *match.Table) error {
	state := t.State()
	if state.Levels == [2]string{} || IsFree(state.Setup.Rules) {
		return nil
	}
	if err := g.Afford(Telling, address); err != nil {
		return err
	}
	if !g.Solver.Has(state.Setup.Rules) { // any more, since others needed the room
		if err := g.Afford(Solving, address); err != nil {
			return err
		}
	}
	g.Pays(t.ID(), address)
	return nil
}

// begin waits, as Turn does, until a game can be explained to an address, and charges the address for
// the time until done is called.
func (g *Gate) begin(ctx context.Context, address string, solution *solve.Solution, patience time.Duration) (done func(), err error) {
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
		g.Charge(Telling, address, g.Now().Sub(began))
	}, nil
}

// Charged does something in the turn of an address, which pays for it: work on games that cost nothing
// to solve.
func (g *Gate) Charged(ctx context.Context, address string, do func()) error {
	leave, err := g.Turn(ctx, "small "+address, 1, OwnPatience)
	if err != nil {
		return err
	}
	defer leave()
	if err := g.Afford(Telling, address); err != nil {
		return err
	}
	g.Spend(address, do)
	return nil
}

// Spend does something that an address pays for.
func (g *Gate) Spend(address string, do func()) {
	began := g.Now()
	do()
	g.Charge(Telling, address, g.Now().Sub(began))
}

// A request waits for other work of its address, and is then asked to come again.
const (
	OwnPatience = 10 * time.Second
	retryBusy   = 2 * time.Second
)

// Turn waits for one of the turns of a key, which ends when leave is called. It gives up when its
// patience or ctx ends; a patience of 0 does not end.
func (g *Gate) Turn(ctx context.Context, key string, turns int, patience time.Duration) (leave func(), err error) {
	w := &g.work
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

// Pace shows something on an open page of an address when it is its turn. Of one address that is one page after the other, with as much
// rest in between while others wait, so that many pages take half a processor and are shown less often: each shows the latest.
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

// others reports whether somebody waits for the turn of a key.
func (w *work) others(key string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.turns[key].users > 1
}
