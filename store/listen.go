package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"digitduel/match"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Listen calls heard for changes by other servers of the database, until ctx is done. Whenever it
// begins to listen, also after a lost connection, it calls heard with a Notice without a table,
// since anything may have happened before. Whenever events can be saved again, it sends a Notice
// with Away. Calls do not overlap.
func (d *DB) Listen(ctx context.Context, heard func(match.Notice)) error {
	var mu sync.Mutex
	send := func(n match.Notice) {
		mu.Lock()
		defer mu.Unlock()
		heard(n)
	}
	var gaps sync.WaitGroup
	defer gaps.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	gaps.Go(func() {
		for {
			select {
			case <-d.pulse.gap:
				send(match.Notice{Away: true})
			case <-ctx.Done():
				return
			}
		}
	})
	return d.engine.listen(ctx, send)
}

// Notices are sent through a channel of PostgreSQL. A message has a line with the sender, then a
// line for each event with its table and number.
const (
	notify     = "SELECT pg_notify('duel', $1)"
	mostNotice = 7900 // bytes, of 8000
)

// notices returns the messages for notices.
func notices(sender string, all []match.Notice) []string {
	var texts []string
	text := sender
	for _, n := range all {
		line := "\n" + n.Table + " " + strconv.Itoa(n.Seq)
		if len(text)+len(line) > mostNotice {
			texts, text = append(texts, text), sender
		}
		text += line
	}
	if text == sender {
		return texts
	}
	return append(texts, text)
}

// parseNotices parses a message of notices.
func parseNotices(text string) (sender string, all []match.Notice, err error) {
	sender, rest, _ := strings.Cut(text, "\n")
	for line := range strings.Lines(rest) {
		table, number, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		seq, err := strconv.Atoi(number)
		if err != nil || table == "" {
			return "", nil, fmt.Errorf("notice %q: allowed: a table and a number", line)
		}
		all = append(all, match.Notice{Table: table, Seq: seq})
	}
	return sender, all, nil
}

func (c *cluster) listen(ctx context.Context, heard func(match.Notice)) error {
	for {
		err := c.hear(ctx, heard)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c.log.Warn("lost the notices of other servers; reconnecting", "error", c.explain(err))
		select {
		case <-time.After(500 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// hear listens on its own connection until that is lost.
func (c *cluster) hear(ctx context.Context, heard func(match.Notice)) error {
	conn, err := c.connect(ctx)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(ctx) // it is lost or no longer needed
	}()
	heard(match.Notice{})
	ctx, lose := context.WithCancelCause(ctx)
	var greeting sync.WaitGroup // runs during the loop, since there may be many tables
	defer greeting.Wait()
	defer lose(nil)
	greeting.Go(func() {
		if err := c.announceAll(ctx); err != nil {
			lose(err)
		}
	})
	for {
		text, err := c.next(ctx, conn)
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		if err != nil {
			return err
		}
		sender, all, err := parseNotices(text)
		if err != nil {
			return err
		}
		if sender == c.sender {
			continue
		}
		for _, n := range all {
			heard(n)
		}
	}
}

// connect returns a connection that listens.
func (c *cluster) connect(ctx context.Context) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, c.pool.Config().ConnConfig)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, "LISTEN duel"); err != nil {
		return nil, errors.Join(err, conn.Close(ctx))
	}
	return conn, nil
}

// next waits for the next notice. In the meantime it regularly checks the connection.
func (c *cluster) next(ctx context.Context, conn *pgx.Conn) (string, error) {
	for {
		wait, cancel := context.WithTimeout(ctx, 2*patience)
		n, err := conn.WaitForNotification(wait)
		cancel()
		switch {
		case err == nil:
			return n.Payload, nil
		case ctx.Err() != nil || !pgconn.Timeout(err):
			return "", err
		}
		check, cancel := context.WithTimeout(ctx, patience)
		err = conn.Ping(check)
		cancel()
		if err != nil {
			return "", err
		}
	}
}
