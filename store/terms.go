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

// fillAtOnce is the number of tables that are read at once when their rows are filled.
const fillAtOnce = 10_000

const (
	firstEvents = "SELECT id, body FROM tables JOIN events ON table_id = id AND seq = 1 " +
		"WHERE id > $1 ORDER BY id LIMIT $2"
	setPrivate = "UPDATE games SET public = 0 WHERE table_id IN (%s)"
	setTerms   = "UPDATE tables SET starts = $1, terms = $2 WHERE id IN (%s)"
)

// opened is the part of a setup that rows are filled from, as the first event of a table has it.
type opened struct {
	match.Terms
	First  match.Seat `json:"first"`
	Open   [2]bool    `json:"open"`
	Listed bool       `json:"listed"`
	Levels [2]string  `json:"levels"`
	Agent  struct {
		Tries uint8 `json:"tries"`
	} `json:"agent"`
}

func (o opened) isPublic() bool {
	agent := match.Agent{Tries: o.Agent.Tries}
	return match.Setup{Listed: o.Listed, Levels: o.Levels, Agent: agent}.Public()
}

// fillPrivate returns a fill that makes games private that are in no list by themselves: of all
// tables, when none could be published yet, or only of those without an invitation.
func fillPrivate(all bool) func(context.Context, *sql.Tx, *slog.Logger) error {
	return func(ctx context.Context, tx *sql.Tx, log *slog.Logger) error {
		return fillRows(ctx, tx, log, func(o opened) statement {
			if o.isPublic() || !all && o.Open != [2]bool{} {
				return statement{}
			}
			return statement{text: setPrivate}
		})
	}
}

// fillTerms writes the terms of tables and the seat that starts.
func fillTerms(ctx context.Context, tx *sql.Tx, log *slog.Logger) error {
	return fillRows(ctx, tx, log, func(o opened) statement {
		return statement{setTerms, []any{int(o.First), termsText(o.Terms)}}
	})
}

// termsText returns the terms as a row has them. Only this function may write them: the check of a
// database compares rows as text.
func termsText(t match.Terms) string {
	text, err := json.Marshal(t)
	if err != nil {
		panic("store: terms have a text: " + err.Error())
	}
	return string(text)
}

// fillRows runs the statements that with returns for the tables. Each has a place for a list of
// tables. A statement without text is not run.
func fillRows(
	ctx context.Context, tx *sql.Tx, log *slog.Logger, with func(opened) statement,
) error {
	var all, done int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM tables").Scan(&all); err != nil {
		return err
	}
	logged := time.Now()
	for last := ""; ; {
		n, end, err := fillSome(ctx, tx, last, with)
		if err != nil || n == 0 {
			return err
		}
		last, done = end, done+n
		if time.Since(logged) > time.Second {
			log.Info("upgrading the database", "tables", done, "of", all)
			logged = time.Now()
		}
	}
}

// fillSome fills the rows of some tables after one. It returns their number and the last of them.
func fillSome(
	ctx context.Context, tx *sql.Tx, after string, with func(opened) statement,
) (n int, last string, err error) {
	same := map[opened][]string{} // the tables with the same setup, of which there are few
	page := []any{after, fillAtOnce}
	err = eachRow(ctx, tx, firstEvents, page, func(rows *sql.Rows) error {
		var body []byte
		if err := rows.Scan(&last, &body); err != nil {
			return err
		}
		var e struct {
			Setup opened `json:"setup"`
		}
		if err := json.Unmarshal(body, &e); err != nil {
			return fmt.Errorf("table %q: its first event: %w", last, err)
		}
		same[e.Setup] = append(same[e.Setup], last)
		n++
		return nil
	})
	for o, ids := range same {
		if s := with(o); s.text != "" && err == nil {
			err = execFor(ctx, tx, ids, s.args, s.text)
		}
	}
	return n, last, err
}
