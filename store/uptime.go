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
	longestGap  = beatEvery + longestWait // between two beats of one stretch of time
	freshFor    = beatEvery / 10          // a beat is proof for so long that the database can be written
	aliveFor    = 5 * time.Second         // a server is taken to be alive for so long after a beat
	uptimeKept  = 48 * time.Hour          // twice as long as a turn can be
	forgetGuest = 60 * time.Second        // how long after its last beat the guests of a server are forgotten
)

// pulse is the stretch of time in which this server could keep events without a gap, up to its last beat. Times are those of the
// day, since a machine that slept or whose clock was set did not serve anybody in between either.
type pulse struct {
	beating sync.Mutex    // held through a beat
	wanted  chan struct{} // somebody waits for a beat
	gap     chan struct{} // there was one that nobody was told of yet

	mu          sync.Mutex
	since, last time.Time
	beaten      chan struct{} // closed and replaced with each beat
}

func (p *pulse) init() {
	p.wanted, p.gap, p.beaten = make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{})
}

// now returns the stretch, and a channel that is closed when there was another beat.
func (p *pulse) now() (span, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return span{p.since, p.last}, p.beaten
}

// set takes note of a beat.
func (p *pulse) set(s span) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.since.IsZero() && s.begin != p.since {
		poke(p.gap)
	}
	p.since, p.last = s.begin, s.end
	close(p.beaten)
	p.beaten = make(chan struct{})
}

// poke sends to a channel that holds one, if it is empty.
func poke(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// begin tells for the first time that this server is up, and tidies up after others.
func (d *DB) begin(ctx context.Context) error {
	if err := d.beat(ctx); err != nil || !d.shared {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return d.engine.explain(d.engine.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM presence WHERE server NOT IN (SELECT server FROM uptime WHERE until > $1)",
			micros(d.now().Add(-forgetGuest)))
		return err
	}))
}

// asAnEvent adds nothing, but has to wait for whatever an event has to wait for.
const asAnEvent = "INSERT INTO events (table_id, seq, at, body) SELECT '', 0, 0, '' WHERE 1 = 0"

// beat tells that events can be kept here. A gap since the last beat, or a long wait for this one, in which they could not, begins a
// new stretch.
func (d *DB) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	d.pulse.beating.Lock()
	defer d.pulse.beating.Unlock()
	asked := d.now()
	stretch, _ := d.pulse.now()
	err := d.engine.write(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, asAnEvent); err != nil {
			return err
		}
		waited := d.now().Sub(asked)
		now := fromMicros(micros(d.now()))
		if gap := now.Sub(stretch.end); stretch.begin.IsZero() || gap < 0 || gap > longestGap || waited > longestWait {
			stretch.begin = now
			if _, err := tx.ExecContext(ctx, "DELETE FROM uptime WHERE until < $1", micros(now.Add(-uptimeKept))); err != nil {
				return err
			}
		}
		stretch.end = now
		_, err := tx.ExecContext(ctx, `INSERT INTO uptime (server, since, until) VALUES ($1, $2, $3)
ON CONFLICT (server, since) DO UPDATE SET until = excluded.until`, d.id, micros(stretch.begin), micros(stretch.end))
		return err
	})
	if err == nil {
		d.pulse.set(stretch)
	}
	return d.engine.explain(err)
}

// beatOn beats until ctx is done, and then for the last time.
func (d *DB) beatOn(ctx context.Context) {
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

// proof returns a moment, not long before now, at which this server could keep events, and waits a little for it.
func (d *DB) proof(ctx context.Context) (time.Time, error) {
	fresh, late := d.now().Round(0).Add(-freshFor), time.After(beatEvery)
	for {
		stretch, beaten := d.pulse.now()
		if stretch.end.After(fresh) {
			return stretch.end, nil
		}
		poke(d.pulse.wanted)
		select {
		case <-beaten:
		case <-late:
			return time.Time{}, errors.New("the database cannot be written now")
		case <-ctx.Done():
			return time.Time{}, ctx.Err()
		}
	}
}

// Down implements [match.Store]. What is not known to be time in which a server could keep events is taken to be none. A server that
// cannot keep any now cannot say.
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

// upSince returns when servers could keep events, of stretches that did not end before a moment.
func (d *DB) upSince(ctx context.Context, since time.Time) (up []span, err error) {
	err = d.query(ctx, "SELECT since, until FROM uptime WHERE until >= $1", []any{micros(since)}, func(rows *sql.Rows) error {
		var begin, end int64
		err := rows.Scan(&begin, &end)
		up = append(up, span{fromMicros(begin), fromMicros(end)})
		return err
	})
	return up, err
}

// A span is a stretch of time.
type span struct{ begin, end time.Time }

// uncovered returns how much of a span none of some others covers.
func uncovered(s span, by []span) (sum time.Duration) {
	slices.SortFunc(by, func(a, b span) int { return cmp.Or(a.begin.Compare(b.begin), a.end.Compare(b.end)) })
	covered := s.begin // everything before this is counted
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
