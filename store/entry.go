package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"digitduel/match"
)

// An entry is an event to be written, with the rows derived from it.
type entry struct {
	table   string
	seq     int
	at      int64
	body    string
	derived []statement // writes the derived rows
	ended   *endedGame  // the game that ends with it, or nil
	queued  time.Time

	done chan struct{} // closed when err is set
	err  error
}

// A statement is SQL with its arguments.
type statement struct {
	text string
	args []any
}

// Append implements [match.Store]. If ctx is done before the event's commit begins, the event is
// not stored. Afterwards Append waits for the outcome, which takes a few seconds at most.
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
	const log = "SELECT body FROM events WHERE table_id = $1 AND seq > $2 ORDER BY seq"
	err := d.query(ctx, log, []any{table, after}, func(rows *sql.Rows) error {
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

// newEntry returns the entry of an event, or an error if not every database can store it.
func newEntry(table string, e match.Event, after match.State) (*entry, error) {
	if err := match.CheckID("table", table); err != nil {
		return nil, err
	}
	names, levels := after.Setup.Names, after.Levels
	texts := []string{e.Name, e.Level, names[0], names[1], levels[0], levels[1]}
	if e.Setup != nil {
		texts = slices.Concat(texts, e.Setup.Names[:], e.Setup.Levels[:])
		texts = append(texts, e.Setup.Agent.Run, e.Setup.Class)
	}
	for _, text := range texts {
		if err := checkText(text); err != nil {
			return nil, err
		}
	}
	e.At = e.At.UTC() // the body must not depend on the server's time zone
	body, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("event %d: %w", e.Seq, err)
	}
	entry := &entry{
		table: table, seq: e.Seq, at: micros(e.At), body: string(body), done: make(chan struct{}),
	}
	entry.derived, entry.ended = derivedRows(table, e, after)
	return entry, nil
}

// checkText returns an error if not every database can store a text.
func checkText(text string) error {
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return fmt.Errorf("%q: allowed: UTF-8 without NUL", text)
	}
	return nil
}

// addEvent inserts an event if it is the next of its table.
const addEvent = `INSERT INTO events (table_id, seq, at, body) SELECT $1, $2, $3, $4
WHERE $2 = 1 OR EXISTS (SELECT 1 FROM events WHERE table_id = $1 AND seq = $2 - 1)
ON CONFLICT DO NOTHING`

// The columns of the rows of tables and games; the first has the name of the table.
const (
	tableColumns = "id, rules, book, listed, opened, changed, phase, name1, name2, " +
		"level1, level2, game, wins1, wins2, draws, deadline, starts, openings, terms, class"
	gameColumns = "table_id, number, record, book, score, reason, plies, name1, name2, " +
		"level1, level2, ended, public"
)

const setTable = "INSERT INTO tables (" + tableColumns + `)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
ON CONFLICT (id) DO UPDATE SET rules = excluded.rules, book = excluded.book,
changed = excluded.changed, phase = excluded.phase,
name1 = excluded.name1, name2 = excluded.name2,
level1 = excluded.level1, level2 = excluded.level2,
game = excluded.game, wins1 = excluded.wins1, wins2 = excluded.wins2,
draws = excluded.draws, deadline = excluded.deadline`

const setDeadline = "UPDATE tables SET deadline = $2 WHERE id = $1"

const addGame = "INSERT INTO games (" + gameColumns + `)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING`

const publishGames = "UPDATE games SET public = 1 WHERE table_id = $1"

// derivedRows returns the statements that an event needs in addition to its own row: the row of the
// table if the event changes it, only its deadline if nothing else changes, nothing for a move
// without a clock. If the event ends a game, it also returns the row of the game and the game.
// The event that completes the agreement to publish makes the games so far public.
func derivedRows(table string, e match.Event, after match.State) ([]statement, *endedGame) {
	switch {
	case e.EndsGame(after):
		result := after.Result
		kind := kindOfGame{
			after.Setup.Rules.Named().Name, result.Score.String(), result.Reason.String(),
		}
		rows := []statement{tableRow(table, e, after), gameRow(table, e, after, kind)}
		return rows, &endedGame{kind, len(after.Moves)}
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
	t := s.Summary(table, e.At)
	return statement{setTable, []any{
		t.ID, t.Rules.String(), t.Rules.Named().Name, number(t.Listed), micros(t.Opened),
		micros(t.Changed), string(t.Phase), t.Names[0], t.Names[1], t.Levels[0], t.Levels[1],
		t.Game, t.Wins[0], t.Wins[1], t.Draws, deadline, int(t.First), string(t.Openings),
		termsText(t.Terms), s.Setup.Class,
	}}
}

func gameRow(table string, e match.Event, s match.State, kind kindOfGame) statement {
	g := s.Finished(table, e.At)
	return statement{addGame, []any{
		g.Table, g.Number, g.Record.String(), kind.book, kind.score, kind.reason, len(s.Moves),
		g.Names[0], g.Names[1], g.Levels[0], g.Levels[1], micros(g.Ended),
		number(s.Setup.Public()),
	}}
}

// byTable orders the events of a group, so that two servers cannot deadlock.
func byTable(a, b *entry) int { return cmp.Compare(a.table, b.table) }
