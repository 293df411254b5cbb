package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"
	"time"
)

const (
	beatEvery   = time.Second
	longestWait = beatEvery / 2           // of a beat for the database
	longestGap  = beatEvery + longestWait // between two beats without an interruption
	freshFor    = beatEvery / 10          // how long a beat proves that the database is writable
	aliveFor    = 5 * time.Second         // how long a server counts as alive after a beat
	uptimeKept  = 48 * time.Hour          // twice the longest turn
	forgetGuest = 60 * time.Second        // after the last beat of a server its guests are dropped
)

// A pulse is the time span up to the last beat in which this server could store events without
// interruption. Times are wall-clock times: a machine that slept or whose clock was set did not
// serve anyone in between.
type pulse struct {
	beating sync.Mutex    // held through a beat
	wanted  chan struct{} // a caller waits for a beat
	gap     chan struct{} // there was an interruption that Listen has not reported

	mu     sync.Mutex
	up     span          // up to the last beat
	beaten chan struct{} // closed and replaced with each beat
}

func (p *pulse) init() {
	p.wanted, p.gap, p.beaten = make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{})
}

// now returns the span, and a channel that is closed at the next beat.
func (p *pulse) now() (span, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.up, p.beaten
}

// set records a beat.
func (p *pulse) set(s span) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.up.begin.IsZero() && s.begin != p.up.begin {
		signal(p.gap)
	}
	p.up = s
	close(p.beaten)
	p.beaten = make(chan struct{})
}

// signal sends to a channel of capacity one, unless it is full.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// begin reports for the first time that this server is up, and removes the guests of dead servers.
func (d *DB) begin(ctx context.Context) error {
	if err := d.beat(ctx); err != nil || !d.shared {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return d.engine.explain(d.engine.write(ctx, func(tx *sql.Tx) error {
		const forget = "DELETE FROM presence WHERE server NOT IN " +
			"(SELECT server FROM uptime WHERE until > $1)"
		return execute(ctx, tx, forget, micros(d.now().Add(-forgetGuest)))
	}))
}

// noEvent adds nothing, but waits for the same locks as an event.
const noEvent = "INSERT INTO events (table_id, seq, at, body) SELECT '', 0, 0, '' WHERE 1 = 0"

// beat records that events can be stored here. After a gap since the last beat, or a long wait for
// this one, it begins a new span.
func (d *DB) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	d.pulse.beating.Lock()
	defer d.pulse.beating.Unlock()
	asked := d.now()
	stretch, _ := d.pulse.now()
	err := d.engine.write(ctx, func(tx *sql.Tx) error {
		if err := execute(ctx, tx, noEvent); err != nil {
			return err
		}
		waited := d.now().Sub(asked)
		now := fromMicros(micros(d.now()))
		gap := now.Sub(stretch.end)
		if stretch.begin.IsZero() || gap < 0 || gap > longestGap || waited > longestWait {
			stretch.begin = now
			const forget = "DELETE FROM uptime WHERE until < $1"
			if err := execute(ctx, tx, forget, micros(now.Add(-uptimeKept))); err != nil {
				return err
			}
		}
		stretch.end = now
		const set = `INSERT INTO uptime (server, since, until) VALUES ($1, $2, $3)
ON CONFLICT (server, since) DO UPDATE SET until = excluded.until`
		return execute(ctx, tx, set, d.id, micros(stretch.begin), micros(stretch.end))
	})
	if err == nil {
		d.pulse.set(stretch)
	}
	return d.engine.explain(err)
}

// beatLoop beats until ctx is done, and then once more.
func (d *DB) beatLoop(ctx context.Context) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	failing := false
	for more := true; more; {
		select {
		case <-tick.C:
		case <-d.pulse.wanted:
		case <-ctx.Done():
			more = false
		}
		err := d.beat(context.WithoutCancel(ctx))
		switch {
		case err != nil && !failing:
			d.log.Error("the database cannot be written", "error", err)
		case err == nil && failing:
			d.log.Info("the database can be written again")
		}
		failing = err != nil
	}
}

// proof returns a recent time at which this server could store events. It may wait for a beat.
func (d *DB) proof(ctx context.Context) (time.Time, error) {
	fresh, late := d.now().Round(0).Add(-freshFor), time.After(beatEvery)
	for {
		stretch, beaten := d.pulse.now()
		if stretch.end.After(fresh) {
			return stretch.end, nil
		}
		signal(d.pulse.wanted)
		select {
		case <-beaten:
		case <-late:
			return time.Time{}, errors.New("the database cannot be written now")
		case <-ctx.Done():
			return time.Time{}, ctx.Err()
		}
	}
}

// Down implements [match.Store]. All time counts as down in which no server is known to have been
// up. A server that cannot store events now returns an error.
func (d *DB) Down(ctx context.Context, since time.Time) (time.Duration, error) {
	until := d.now()
	if d.server {
		var err error
		if until, err = d.proof(ctx); err != nil {
			return 0, err
		}
	}
	up, err := d.upSince(ctx, since)
	return uncovered(span{since, until}, up), err
}

// upSince returns the spans in which servers could store events and that did not end before since.
func (d *DB) upSince(ctx context.Context, since time.Time) (up []span, err error) {
	const spans = "SELECT since, until FROM uptime WHERE until >= $1"
	err = d.query(ctx, spans, []any{micros(since)}, func(rows *sql.Rows) error {
		var begin, end int64
		err := rows.Scan(&begin, &end)
		up = append(up, span{fromMicros(begin), fromMicros(end)})
		return err
	})
	return up, err
}

// A span is a period of time.
type span struct{ begin, end time.Time }

// uncovered returns how much of s none of the other spans covers.
func uncovered(s span, by []span) (sum time.Duration) {
	slices.SortFunc(by, func(a, b span) int {
		return cmp.Or(a.begin.Compare(b.begin), a.end.Compare(b.end))
	})
	covered := s.begin // everything before this is accounted for
	for _, b := range append(by, span{s.end, s.end}) {
		if b.begin.After(s.end) {
			b.begin = s.end
		}
		if b.begin.After(covered) {
			sum += b.begin.Sub(covered)
			covered = b.begin
		}
		if b.end.After(covered) {
			covered = b.end
		}
	}
	return sum
}
