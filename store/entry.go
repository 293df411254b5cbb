package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"digitduel/digit"
	"digitduel/match"
)

// An entry is an event on its way into the database, with what goes beside it.
type entry struct {
	table  string
	seq    int
	at     int64
	body   string
	beside []statement // what else is written if it is kept
	ended  *tally      // the game that ends with it, or nil
	queued time.Time

	done chan struct{} // closed when err is what became of it
	err  error
}

// A statement is SQL with its arguments.
type statement struct {
	text string
	args []any
}

// Append implements [match.Store]. When ctx is done before the event was taken up for a commit it is not kept; after
// that Append waits for what becomes of it, which takes a few seconds at the most.
func (d *DB) Append(ctx context.Context, table string, e match.Event, after match.State) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entry, err := newEntry(table, e, after)
	if err != nil {
		return err
	}
	entry.queued = time.Now()
	if err := d.queue.add(entry); err != nil {
		return err
	}
	select {
	case <-entry.done:
	case <-ctx.Done():
		if d.queue.withdraw(entry) {
			return ctx.Err()
		}
		<-entry.done
	}
	return entry.err
}

// Events implements [match.Store].
func (d *DB) Events(ctx context.Context, table string, after int) ([]match.Event, error) {
	var events []match.Event
	err := d.query(ctx, "SELECT body FROM events WHERE table_id = $1 AND seq > $2 ORDER BY seq", []any{table, after}, func(rows *sql.Rows) error {
		var body sql.RawBytes
		if err := rows.Scan(&body); err != nil {
			return err
		}
		var e match.Event
		if err := json.Unmarshal(body, &e); err != nil {
			return fmt.Errorf("table %q: event %d: %w", table, after+len(events)+1, err)
		}
		events = append(events, e)
		return nil
	})
	return events, err
}

// newEntry returns the entry of an event, or an error if it cannot be kept in every database.
func newEntry(table string, e match.Event, after match.State) (*entry, error) {
	if err := checkID(table); err != nil {
		return nil, err
	}
	texts := []string{e.Name, e.Level, after.Setup.Names[0], after.Setup.Names[1], after.Levels[0], after.Levels[1]}
	if e.Setup != nil {
		texts = append(append(append(texts, e.Setup.Names[:]...), e.Setup.Levels[:]...), e.Setup.Agent.Run)
	}
	for _, text := range texts {
		if err := checkText(text); err != nil {
			return nil, err
		}
	}
	e.At = e.At.UTC() // so that what is kept does not depend on where it was written
	body, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("event %d: %w", e.Seq, err)
	}
	entry := &entry{table: table, seq: e.Seq, at: micros(e.At), body: string(body), done: make(chan struct{})}
	entry.beside, entry.ended = beside(table, e, after)
	return entry, nil
}

// checkText returns an error if a text cannot be kept in every database.
func checkText(text string) error {
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return fmt.Errorf("%q: it cannot be kept; allowed: UTF-8 without NUL", text)
	}
	return nil
}

// maxID is how long the name of a table may be, in bytes. It is sent in notices, which are limited.
const maxID = 64

func checkID(table string) error {
	if table == "" || len(table) > maxID {
		return fmt.Errorf("table %q: allowed: a name of 1 to %d bytes", table, maxID)
	}
	for _, c := range table {
		if !unicode.IsPrint(c) || c == ' ' || c == utf8.RuneError {
			return fmt.Errorf("table %q: %q is not allowed in its name", table, c)
		}
	}
	return nil
}

// addEvent keeps an event if it is the next of its table.
const addEvent = `INSERT INTO events (table_id, seq, at, body) SELECT $1, $2, $3, $4
WHERE $2 = 1 OR EXISTS (SELECT 1 FROM events WHERE table_id = $1 AND seq = $2 - 1) ON CONFLICT DO NOTHING`

const setTable = `INSERT INTO tables (id, rules, book, listed, opened, changed, phase,
name1, name2, level1, level2, game, wins1, wins2, draws, deadline, starts, openings, terms)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
ON CONFLICT (id) DO UPDATE SET rules = excluded.rules, book = excluded.book, changed = excluded.changed, phase = excluded.phase,
name1 = excluded.name1, name2 = excluded.name2, level1 = excluded.level1, level2 = excluded.level2,
game = excluded.game, wins1 = excluded.wins1, wins2 = excluded.wins2, draws = excluded.draws, deadline = excluded.deadline`

const setDeadline = "UPDATE tables SET deadline = $2 WHERE id = $1"

const addGame = `INSERT INTO games (table_id, number, record, book, score, reason, plies, name1, name2, level1, level2, ended, public)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING`

const publishGames = "UPDATE games SET public = 1 WHERE table_id = $1"

// beside returns what is written beside an event: the row of the table if the event changes what is in it, only its
// deadline if that is all that changes, nothing for a move without a clock; and the game if it is over with the event, which
// is then also to be counted. The games so far become public with the event by which everybody lets them.
func beside(table string, e match.Event, after match.State) ([]statement, *tally) {
	switch {
	case e.Kind.InGame() && after.Result.Over():
		kind := kindOfGame{bookOf(after.Setup.Rules), after.Result.Score.String(), after.Result.Reason.String()}
		return []statement{tableRow(table, e, after), gameRow(table, e, after, kind)}, &tally{kind, 1, len(after.Moves)}
	case e.Kind == match.Published && after.Public(after.Game):
		return []statement{{publishGames, []any{table}}}, nil
	case e.Kind.ChangesRow():
		return []statement{tableRow(table, e, after)}, nil
	}
	if at, timed := after.Deadline(); timed {
		return []statement{{setDeadline, []any{table, micros(at)}}}, nil
	}
	return nil, nil
}

func tableRow(table string, e match.Event, s match.State) statement {
	var deadline any
	if at, timed := s.Deadline(); timed {
		deadline = micros(at)
	}
	var names [2]string
	for _, seat := range match.Seats {
		if !s.Open[seat] {
			names[seat] = s.Setup.Name(seat)
		}
	}
	at := micros(e.At)
	return statement{setTable, []any{
		table, s.Setup.Rules.String(), bookOf(s.Setup.Rules), number(s.Setup.Listed), at,
		at, string(s.Phase()), names[match.One], names[match.Two], s.Levels[match.One], s.Levels[match.Two],
		s.Game, s.Wins[match.One], s.Wins[match.Two], s.Draws, deadline,
		int(s.Setup.First), string(s.Setup.Openings), termsText(s.Setup.Terms),
	}}
}

// bookOf returns what rules are counted as: the fair game that they are, or else the closest book. Nearly always they are those of a book.
func bookOf(r digit.Rules) string {
	for _, b := range digit.Books {
		if b.Rules == r {
			return b.Name
		}
	}
	return r.Named().Name
}

func gameRow(table string, e match.Event, s match.State, kind kindOfGame) statement {
	first, second := s.SeatOf(digit.First), s.SeatOf(digit.Second)
	return statement{addGame, []any{
		table, s.Game, s.Record().String(), kind.book, kind.score, kind.reason,
		len(s.Moves), s.Setup.Name(first), s.Setup.Name(second), s.Levels[first], s.Levels[second], micros(e.At), number(s.Setup.Public()),
	}}
}

// byTable is the order in which events of several tables are written, so that no two servers wait for each other.
func byTable(a, b *entry) int { return cmp.Compare(a.table, b.table) }
