package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Shrink returns unused space of the database to the system, and the number of bytes. A server may
// be running. PostgreSQL does this by itself; the file of an early program without the setting
// below keeps its size.
func (d *DB) Shrink(ctx context.Context) (freed int64, err error) {
	freed, err = d.engine.shrink(ctx)
	return freed, d.engine.explain(err)
}

func (c *cluster) shrink(context.Context) (int64, error) { return 0, nil }

const (
	// shrinkable is the setting that allows taking pages from a file a few at a time.
	shrinkable = "auto_vacuum(INCREMENTAL)"
	// pagesAtOnce is how many pages are freed in one transaction, during which players wait.
	pagesAtOnce = 200
)

// size returns the size of the file, and the number of its free pages.
func (f *file) size(ctx context.Context) (bytes, free int64, err error) {
	row := f.read.QueryRowContext(ctx, "SELECT page_size * page_count, freelist_count "+
		"FROM pragma_page_size, pragma_page_count, pragma_freelist_count")
	err = row.Scan(&bytes, &free)
	return bytes, free, err
}

// shrink frees pages and pauses after each transaction for as long as it took.
func (f *file) shrink(ctx context.Context) (freed int64, err error) {
	before, free, err := f.size(ctx)
	if err != nil {
		return 0, err
	}
	for ; free > 0; free -= pagesAtOnce {
		begun := time.Now()
		err := f.write(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA incremental_vacuum(%d)", pagesAtOnce))
			return err
		})
		if err != nil && !isBusy(err) {
			return 0, err
		}
		select {
		case <-time.After(time.Since(begun)):
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	// The checkpoint truncates the file.
	if _, err := f.relaxed.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)"); err != nil {
		return 0, err
	}
	after, _, err := f.size(ctx)
	return max(0, before-after), err
}
