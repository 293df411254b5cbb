package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"strings"
	"sync"

	"digitduel/match"
)

// guests records who is at the tables of this server.
type guests struct {
	mu   sync.Mutex // also held during announcements, to keep their order
	here map[string]match.Presence
}

// Here reports to the other servers who is at a table here; the zero Presence means nobody. If the
// report fails, it is repeated when the database is back.
func (d *DB) Here(ctx context.Context, table string, p match.Presence) error {
	if err := match.CheckID("table", table); err != nil || !d.shared {
		return err
	}
	d.guests.mu.Lock()
	defer d.guests.mu.Unlock()
	if d.guests.here == nil {
		d.guests.here = map[string]match.Presence{}
	}
	d.guests.here[table] = p
	if p == (match.Presence{}) {
		delete(d.guests.here, table)
	}
	return d.announce(ctx, map[string]match.Presence{table: p})
}

// announceAll reports again who is here, since the other servers may have dropped it.
func (d *DB) announceAll(ctx context.Context) error {
	d.guests.mu.Lock()
	defer d.guests.mu.Unlock()
	return d.announce(ctx, d.guests.here)
}

// announce writes who is at the tables.
func (d *DB) announce(ctx context.Context, here map[string]match.Presence) error {
	if len(here) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return d.engine.explain(d.engine.write(ctx, func(tx *sql.Tx) error {
		var changed []match.Notice
		for table, p := range here {
			if err := d.setPresence(ctx, tx, table, p); err != nil {
				return err
			}
			changed = append(changed, match.Notice{Table: table})
		}
		for _, text := range notices(d.id, changed) {
			if err := execute(ctx, tx, notify, text); err != nil {
				return err
			}
		}
		return nil
	}))
}

func (d *DB) setPresence(ctx context.Context, tx *sql.Tx, table string, p match.Presence) error {
	if p == (match.Presence{}) {
		const remove = "DELETE FROM presence WHERE table_id = $1 AND server = $2"
		return execute(ctx, tx, remove, table, d.id)
	}
	const set = `INSERT INTO presence (table_id, server, seat1, seat2, watchers)
VALUES ($1, $2, $3, $4, $5) ON CONFLICT (table_id, server) DO UPDATE
SET seat1 = excluded.seat1, seat2 = excluded.seat2, watchers = excluded.watchers`
	one, two := number(p.Seats[match.One]), number(p.Seats[match.Two])
	return execute(ctx, tx, set, table, d.id, one, two, p.Watchers)
}

// OtherServers returns who is at the tables on other live servers. A table without anyone has no
// entry.
func (d *DB) OtherServers(
	ctx context.Context, tables ...string,
) (map[string]match.Presence, error) {
	all := map[string]match.Presence{}
	if !d.shared || len(tables) == 0 {
		return all, nil
	}
	w := filter{args: []any{d.id, micros(d.now().Add(-aliveFor))}}
	w.where("server <> $1 AND server IN (SELECT server FROM uptime WHERE until >= $2)")
	w.oneOf("table_id", tables)
	statement := "SELECT table_id, max(seat1), max(seat2), sum(watchers) FROM presence" +
		w.String() + " GROUP BY table_id"
	err := d.query(ctx, statement, w.args, func(rows *sql.Rows) error {
		var table string
		var one, two int
		var p match.Presence
		if err := rows.Scan(&table, &one, &two, &p.Watchers); err != nil {
			return err
		}
		p.Seats = [2]bool{one > 0, two > 0}
		all[table] = p
		return nil
	})
	return all, err
}

const waitingQuery = `SELECT DISTINCT id FROM presence JOIN tables ON id = table_id
WHERE phase = 'open' AND server <> $1
AND server IN (SELECT server FROM uptime WHERE until >= $2) AND seat1 + seat2 > 0 LIMIT 500`

// Waiting returns tables with an open seat that have a player on another live server: at most some
// hundreds.
func (d *DB) Waiting(ctx context.Context) (ids []string, err error) {
	if !d.shared {
		return nil, nil
	}
	args := []any{d.id, micros(d.now().Add(-aliveFor))}
	err = d.query(ctx, waitingQuery, args, appendTo(&ids))
	return ids, err
}

// places returns the placeholders of n arguments, counted from from.
func places(from, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "$%d", from+i)
	}
	return b.String()
}

// number returns b as 0 or 1.
func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// leave reports that nobody is here any more, when this server closes.
func (d *DB) leave(ctx context.Context) error {
	d.guests.mu.Lock()
	defer d.guests.mu.Unlock()
	gone := maps.Clone(d.guests.here)
	for table := range gone {
		gone[table] = match.Presence{}
	}
	d.guests.here = nil
	return d.announce(ctx, gone)
}
