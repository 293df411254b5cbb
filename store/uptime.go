package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"sync"
	"time"
)

const (
	beatEvery   = time.Second
	grace       = time.Second      // a server is taken to be up for so long after each beat
	longestGap  = 3 * time.Second  // between two beats of one stretch of time
	aliveFor    = 5 * time.Second  // a server is taken to be alive for so long after a beat
	uptimeKept  = 48 * time.Hour   // twice as long as a turn can be
	forgetGuest = 60 * time.Second // how long after its last beat the guests of a server are forgotten
)

// pulse is the stretch of time for which this server has been up without a gap.
type pulse struct {
	mu          sync.Mutex
	since, last time.Time
}

// begin tells for the first time that this server is up, and tidies up after others.
func (d *DB) begin(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := d.engine.write(ctx, func(tx *sql.Tx) error {
		now := d.now()
		if _, err := tx.ExecContext(ctx, "DELETE FROM uptime WHERE until < $1", micros(now.Add(-uptimeKept))); err != nil || !d.shared {
			return err
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM presence WHERE server NOT IN (SELECT server FROM uptime WHERE until > $1)",
			micros(now.Add(-forgetGuest)))
		return err
	})
	if err != nil {
		return d.engine.explain(err)
	}
	return d.beat(ctx)
}

// beat tells that this server is up. A gap since the last beat, in which the database could not be written and so no table
// be served, begins a new stretch.
func (d *DB) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	d.pulse.mu.Lock()
	defer d.pulse.mu.Unlock()
	now := d.now()
	since := d.pulse.since
	if gap := now.Sub(d.pulse.last); since.IsZero() || gap < 0 || gap > longestGap {
		since = now
	}
	err := d.engine.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO uptime (server, since, until) VALUES ($1, $2, $3)
ON CONFLICT (server, since) DO UPDATE SET until = excluded.until`, d.id, micros(since), micros(now))
		return err
	})
	if err == nil {
		d.pulse.since, d.pulse.last = since, now
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

// Down implements [match.Store].
func (d *DB) Down(ctx context.Context, since time.Time) (time.Duration, error) {
	now := d.now()
	var up []span
	err := d.query(ctx, "SELECT since, until FROM uptime WHERE until >= $1", []any{micros(since.Add(-grace))}, func(rows *sql.Rows) error {
		var begin, end int64
		err := rows.Scan(&begin, &end)
		up = append(up, span{fromMicros(begin), fromMicros(end).Add(grace)})
		return err
	})
	return uncovered(span{since, now}, up), err
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
