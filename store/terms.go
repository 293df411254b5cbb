package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"digitduel/match"
)

// fillAtOnce is how many tables are read at once when their rows are filled.
const fillAtOnce = 10_000

const (
	firstEvents = "SELECT id, body FROM tables JOIN events ON table_id = id AND seq = 1 WHERE id > $1 ORDER BY id LIMIT $2"
	setPrivate  = "UPDATE games SET public = 0 WHERE table_id IN (%s)"
	setTerms    = "UPDATE tables SET starts = $1, on_timeout = $2, hints = $3, auto_call = $4, targets = $5 WHERE id IN (%s)"
)

// terms are what version 2 of the schema added to the row of a table, and by which its games are public, as the first event of the table has it.
type terms struct {
	First     match.Seat        `json:"first"`
	OnTimeout match.TimeoutRule `json:"on_timeout"`
	Hints     bool              `json:"hints"`
	AutoCall  bool              `json:"auto_call"`
	Targets   match.Targets     `json:"targets"`
	Open      [2]bool           `json:"open"`
	Listed    bool              `json:"listed"`
}

// fillTerms fills the rows of tables that were set up before their terms had a place in them.
func fillTerms(ctx context.Context, tx *sql.Tx, log *slog.Logger) error {
	var all, done int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM tables").Scan(&all); err != nil {
		return err
	}
	told := time.Now()
	for last := ""; ; {
		n, end, err := fillSome(ctx, tx, last)
		if err != nil || n == 0 {
			return err
		}
		last, done = end, done+n
		if time.Since(told) > time.Second {
			log.Info("the database is brought to a newer form", "tables", done, "of", all)
			told = time.Now()
		}
	}
}

// fillSome fills the rows of some tables that come after one, and returns how many there were and the last.
func fillSome(ctx context.Context, tx *sql.Tx, after string) (n int, last string, err error) {
	rows, err := tx.QueryContext(ctx, firstEvents, after, fillAtOnce)
	if err != nil {
		return 0, "", err
	}
	defer rows.Close()
	same := map[terms][]any{} // the tables with the same terms, of which there are few
	for rows.Next() {
		var body []byte
		if err := rows.Scan(&last, &body); err != nil {
			return 0, "", err
		}
		var e struct {
			Setup terms `json:"setup"`
		}
		if err := json.Unmarshal(body, &e); err != nil {
			return 0, "", fmt.Errorf("table %q: its first event: %w", last, err)
		}
		if e.Setup != (terms{}) {
			same[e.Setup] = append(same[e.Setup], last)
		}
		n++
	}
	if err := rows.Err(); err != nil {
		return 0, "", err
	}
	for t, ids := range same {
		args := append([]any{int(t.First), t.OnTimeout.String(), number(t.Hints), number(t.AutoCall), t.Targets.String()}, ids...)
		if _, err := tx.ExecContext(ctx, fmt.Sprintf(setTerms, places(6, len(ids))), args...); err != nil {
			return 0, "", err
		}
		if (match.Setup{Open: t.Open, Listed: t.Listed}).Public() {
			continue
		}
		if _, err := tx.ExecContext(ctx, fmt.Sprintf(setPrivate, places(1, len(ids))), ids...); err != nil {
			return 0, "", err
		}
	}
	return n, last, nil
}
