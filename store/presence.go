package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"digitduel/match"
)

// Here reports to the other servers who is at a table here; the zero Presence means nobody. Reports
// on a table must not overlap. They may be lost while [DB.Listen] cannot hear from the database.
func (d *DB) Here(ctx context.Context, table string, p match.Presence) error {
	if err := checkID(table); err != nil || !d.shared {
		return err
	}
	return d.announce(ctx, func(ctx context.Context, tx *sql.Tx) ([]string, error) {
		if p == (match.Presence{}) {
			const remove = "DELETE FROM presence WHERE table_id = $1 AND server = $2"
			_, err := tx.ExecContext(ctx, remove, table, d.id)
			return []string{table}, err
		}
		const set = `INSERT INTO presence (table_id, server, seat1, seat2, watchers)
VALUES ($1, $2, $3, $4, $5) ON CONFLICT (table_id, server) DO UPDATE
SET seat1 = excluded.seat1, seat2 = excluded.seat2, watchers = excluded.watchers`
		one, two := number(p.Seats[match.One]), number(p.Seats[match.Two])
		_, err := tx.ExecContext(ctx, set, table, d.id, one, two, p.Watchers)
		return []string{table}, err
	})
}

// leave reports that nobody is here any more, when this server closes.
func (d *DB) leave() error {
	if !d.shared || !d.server {
		return nil
	}
	return d.announce(context.Background(),
		func(ctx context.Context, tx *sql.Tx) (tables []string, err error) {
			const all = "DELETE FROM presence WHERE server = $1 RETURNING table_id"
			err = eachRow(ctx, tx, all, []any{d.id}, appendTo(&tables))
			return tables, err
		})
}

// announce changes who is at some tables here, and notifies the other servers.
func (d *DB) announce(
	ctx context.Context, change func(context.Context, *sql.Tx) (tables []string, err error),
) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return d.engine.explain(d.engine.write(ctx, func(tx *sql.Tx) error {
		tables, err := change(ctx, tx)
		if err != nil {
			return err
		}
		var changed []match.Notice
		for _, table := range tables {
			changed = append(changed, match.Notice{Table: table})
		}
		for _, text := range notices(d.id, changed) {
			if _, err := tx.ExecContext(ctx, notify, text); err != nil {
				return err
			}
		}
		return nil
	}))
}

// Elsewhere returns who is at the tables on other live servers. A table without anyone has no
// entry.
func (d *DB) Elsewhere(ctx context.Context, tables ...string) (map[string]match.Presence, error) {
	all := map[string]match.Presence{}
	if !d.shared || len(tables) == 0 {
		return all, nil
	}
	w := filter{args: []any{d.id, micros(d.now().Add(-aliveFor))}}
	w.where("server <> $1 AND server IN (SELECT server FROM uptime WHERE until >= $2)")
	oneOf(&w, "table_id", tables)
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
