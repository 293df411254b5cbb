package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"digitduel/match"
)

// Limits of a sitting.
const (
	mostExam   = 1000 // bytes
	mostAnswer = 400
	mostItems  = 100_000
)

// OpenSitting stores the start of an exam, which the caller describes in a text. Anyone who knows
// the id can use the sitting, so it must be secret. It returns [fs.ErrExist] if the id is taken.
func (d *DB) OpenSitting(ctx context.Context, id, exam string, items int) error {
	if err := match.CheckID("table", id); err != nil {
		return err
	}
	if err := checkLength(exam, mostExam); err != nil {
		return err
	}
	if items < 1 || items > mostItems {
		return fmt.Errorf("an exam of %d items: allowed: 1 to %d", items, mostItems)
	}
	const add = "INSERT INTO sittings (id, exam, items, answered, changed) " +
		"VALUES ($1, $2, $3, 0, $4) ON CONFLICT DO NOTHING"
	return d.keep(ctx, func(ctx context.Context, tx *sql.Tx) error {
		n, err := affected(tx.ExecContext(ctx, add, id, exam, items, micros(d.now())))
		if err == nil && n == 0 {
			err = fmt.Errorf("sitting %s: %w", id, fs.ErrExist)
		}
		return err
	})
}

// Sitting returns the exam of a sitting, and the answers so far by item. It returns
// [fs.ErrNotExist] if there is no such sitting.
func (d *DB) Sitting(
	ctx context.Context, id string,
) (exam string, answers map[int]string, err error) {
	const one = `SELECT exam, coalesce(item, 0), coalesce(answer, '')
FROM sittings LEFT JOIN answers ON sitting = id WHERE id = $1`
	err = d.query(ctx, one, []any{id}, func(rows *sql.Rows) error {
		var item int
		var answer string
		if err := rows.Scan(&exam, &item, &answer); err != nil {
			return err
		}
		if answers == nil {
			answers = map[int]string{}
		}
		if item > 0 {
			answers[item] = answer
		}
		return nil
	})
	if err == nil && answers == nil {
		err = fmt.Errorf("sitting %s: %w", id, fs.ErrNotExist)
	}
	return exam, answers, err
}

// AnswerItem stores the answer to an item durably. Items are counted from 1. The first answer
// counts: the same one again has no effect, and a different one returns [fs.ErrExist]. It returns
// [fs.ErrNotExist] if there is no such sitting or item.
func (d *DB) AnswerItem(ctx context.Context, id string, item int, answer string) error {
	if err := checkLength(answer, mostAnswer); err != nil {
		return err
	}
	const add = `INSERT INTO answers (sitting, item, at, answer)
SELECT id, CAST($2 AS integer), CAST($3 AS bigint), CAST($4 AS text) FROM sittings
WHERE id = $1 AND CAST($2 AS integer) BETWEEN 1 AND items ON CONFLICT DO NOTHING`
	const count = "UPDATE sittings SET answered = answered + 1, changed = $2 WHERE id = $1"
	return d.keep(ctx, func(ctx context.Context, tx *sql.Tx) error {
		now := micros(d.now())
		n, err := affected(tx.ExecContext(ctx, add, id, item, now, answer))
		if err != nil {
			return err
		}
		if n == 0 {
			return answeredBefore(ctx, tx, id, item, answer)
		}
		return execute(ctx, tx, count, id, now)
	})
}

// answeredBefore returns the error for an answer to an item that has one already or does not exist.
func answeredBefore(ctx context.Context, tx *sql.Tx, id string, item int, answer string) error {
	var before string
	const given = "SELECT answer FROM answers WHERE sitting = $1 AND item = $2"
	err := tx.QueryRowContext(ctx, given, id, item).Scan(&before)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return fmt.Errorf("sitting %s, item %d: %w", id, item, fs.ErrNotExist)
	case err == nil && before != answer:
		return fmt.Errorf("sitting %s, item %d: %w", id, item, fs.ErrExist)
	}
	return err
}

// keep runs do in a transaction that is on the disk when keep returns. It gives up after some time.
func (d *DB) keep(
	ctx context.Context, do func(context.Context, *sql.Tx) error,
) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := d.engine.keep(ctx, func(tx *sql.Tx) error { return do(ctx, tx) })
	return d.engine.explain(err)
}

func affected(r sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

func checkLength(text string, most int) error {
	if len(text) > most {
		return fmt.Errorf("a text of %d bytes: allowed: up to %d", len(text), most)
	}
	return checkText(text)
}

// staleOpen and staleDone find unfinished and finished sittings not changed since a time.
const (
	staleOpen = "SELECT id FROM sittings WHERE answered < items AND changed < $1 " +
		"ORDER BY changed LIMIT $2"
	staleDone = "SELECT id FROM sittings WHERE answered = items AND changed < $1 " +
		"ORDER BY changed LIMIT $2"
)

// PruneSittings deletes unfinished sittings not changed since idle, and finished ones not changed
// since finished. It returns how many it deleted. A zero time deletes none.
func (d *DB) PruneSittings(
	ctx context.Context, idle, finished time.Time,
) (sittings int, err error) {
	return d.prune(ctx, func(tx *sql.Tx) (ids []string, err error) {
		for query, since := range map[string]time.Time{staleOpen: idle, staleDone: finished} {
			args := []any{micros(since), pruneAtOnce - len(ids)}
			if since.IsZero() {
				continue
			}
			if err := eachRow(ctx, tx, query, args, appendTo(&ids)); err != nil {
				return nil, err
			}
		}
		return ids, execFor(ctx, tx, ids, nil,
			"DELETE FROM answers WHERE sitting IN (%s)", "DELETE FROM sittings WHERE id IN (%s)")
	})
}

// badSittings finds sittings whose count of answers is wrong, and answers without a sitting or
// item.
const badSittings = `SELECT id, sum(answered), sum(n), sum(items),
	coalesce(min(low), 1), coalesce(max(high), 0)
FROM (SELECT id, answered, 0 AS n, items, NULL AS low, NULL AS high FROM sittings
UNION ALL SELECT sitting, 0, count(*), 0, min(item), max(item)
FROM answers GROUP BY sitting) both_sides
GROUP BY id HAVING sum(answered) <> sum(n) OR min(low) < 1 OR max(high) > sum(items) ORDER BY id`

// sittings compares the sittings with their answers.
func (c *checker) sittings(ctx context.Context, tx *sql.Tx) error {
	const count = "SELECT count(*) FROM sittings"
	if err := tx.QueryRowContext(ctx, count).Scan(&c.sum.Sittings); err != nil {
		return err
	}
	return eachRow(ctx, tx, badSittings, nil, func(rows *sql.Rows) error {
		var id string
		var answered, n, items, low, high int
		err := rows.Scan(&id, &answered, &n, &items, &low, &high)
		if err == nil {
			c.problem("", "sitting %s says that %d of %d items are answered; %d are, from %d to %d",
				id, answered, items, n, low, high)
		}
		return err
	})
}
