package store

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"digitduel/match"
)

// A file of SQLite has one server, but others may add events beside it. They tell of them in a row of their own, the news: how many events
// they ever added and, as in a notice, the last of them. The server looks there now and then.
const (
	newsName = "news"
	mostNews = 64                     // events
	newsWait = 200 * time.Millisecond // between two looks
)

// A rower reads one row: a handle or a transaction.
type rower interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// readNews returns how many events others than the server ever added, and the last of them.
func readNews(ctx context.Context, from rower) (count int, last []match.Notice, err error) {
	var text string
	err = from.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = $1", newsName).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil, nil
	}
	if err != nil {
		return 0, nil, err
	}
	number, last, err := parseNotices(text)
	if err == nil {
		count, err = strconv.Atoi(number)
	}
	return count, last, err
}

// addNews tells of events that are added in a transaction.
func addNews(tx *sql.Tx, added []match.Notice) error {
	if len(added) == 0 {
		return nil
	}
	ctx := context.Background()
	count, last, err := readNews(ctx, tx)
	if err != nil {
		return err
	}
	last = append(last, added...)
	last = last[max(0, len(last)-mostNews):]
	_, err = tx.ExecContext(ctx, setMeta, newsName, notices(strconv.Itoa(count+len(added)), last)[0])
	return err
}

// listen looks for news until ctx is done. While they cannot be read nothing can be kept either, which is told elsewhere.
func (f *file) listen(ctx context.Context, heard func(match.Notice)) error {
	tick := time.NewTicker(newsWait)
	defer tick.Stop()
	for seen := -1; ; { // it is not known yet: anything may have happened
		if count, last, err := readNews(ctx, f.read); err == nil {
			news := count - seen
			if news < 0 || news > len(last) {
				heard(match.Notice{})
				news = 0
			}
			for _, n := range last[len(last)-news:] {
				heard(n)
			}
			seen = count
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
