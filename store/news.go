package store

import (
	"context"
	"database/sql"
	"strconv"
	"time"

	"digitduel/match"
)

// A file of SQLite has one server, but other programs may add events to it. They report them in a
// row of the table meta, the news: the total number of such events, and notices of the last ones.
// The server reads that row at regular intervals.
const (
	newsName = "news"
	mostNews = 64                     // events
	newsWait = 200 * time.Millisecond // between two reads
)

// readNews returns how many events other programs have added, and notices of the last ones.
func readNews(ctx context.Context, from queryer) (count int, last []match.Notice, err error) {
	var texts []string
	const news = "SELECT value FROM meta WHERE name = $1"
	err = eachRow(ctx, from, news, []any{newsName}, appendTo(&texts))
	if err != nil || len(texts) == 0 {
		return 0, nil, err
	}
	number, last, err := parseNotices(texts[0])
	if err == nil {
		count, err = strconv.Atoi(number)
	}
	return count, last, err
}

// addNews reports events that are added in a transaction.
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
	news := notices(strconv.Itoa(count+len(added)), last)[0]
	return execute(ctx, tx, setMeta, newsName, news)
}

// listen reads the news until ctx is done. It ignores errors: the heartbeat reports them.
func (f *file) listen(ctx context.Context, heard func(match.Notice)) error {
	tick := time.NewTicker(newsWait)
	defer tick.Stop()
	for seen := -1; ; { // the first read reports that anything may have happened
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
