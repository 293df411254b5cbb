package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Space is the unused space in a file, in bytes.
type Space struct {
	Freed int64 // returned to the system
	Free  int64 // still in the file, for later use
}

// Shrink returns unused space of the database to the system. A server may be running. It returns
// nil for PostgreSQL, which does this by itself.
func (d *DB) Shrink(ctx context.Context) (*Space, error) {
	room, err := d.engine.shrink(ctx)
	return room, d.engine.explain(err)
}

func (c *cluster) shrink(context.Context) (*Space, error) { return nil, nil }

const (
	// shrinkable is the setting that allows taking pages from a file a few at a time. A file of an
	// older program gets it by a full vacuum, when no server uses it.
	shrinkable = "auto_vacuum(INCREMENTAL)"
	// pagesAtOnce is how many pages are freed in one transaction, during which players wait.
	pagesAtOnce = 200
)

// pages has the size of a page, and the number of all and of free pages.
type pages struct{ size, all, free int64 }

func (f *file) pages(ctx context.Context) (p pages, err error) {
	row := f.read.QueryRowContext(ctx, "SELECT page_size, page_count, freelist_count "+
		"FROM pragma_page_size, pragma_page_count, pragma_freelist_count")
	err = row.Scan(&p.size, &p.all, &p.free)
	return p, err
}

func (f *file) shrink(ctx context.Context) (*Space, error) {
	before, err := f.pages(ctx)
	if err != nil {
		return nil, err
	}
	incremental := 0
	const mode = "SELECT auto_vacuum = 2 FROM pragma_auto_vacuum"
	if err := f.durable.QueryRowContext(ctx, mode).Scan(&incremental); err != nil {
		return nil, err
	}
	switch {
	case incremental == 1:
		err = f.takePages(ctx, before.free)
	case before.free*10 > before.all: // otherwise it is not worth it
		err = f.vacuum(ctx)
	}
	if err != nil {
		return nil, err
	}
	// The checkpoint truncates the file.
	if _, err := f.relaxed.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)"); err != nil {
		return nil, err
	}
	after, err := f.pages(ctx)
	freed := max(0, before.size*before.all-after.size*after.all)
	return &Space{Freed: freed, Free: after.size * after.free}, err
}

// takePages frees pages and pauses after each transaction for as long as it took.
func (f *file) takePages(ctx context.Context, free int64) error {
	for ; free > 0; free -= pagesAtOnce {
		begun := time.Now()
		err := f.write(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA incremental_vacuum(%d)", pagesAtOnce))
			return err
		})
		if err != nil && !isBusy(err) {
			return err
		}
		select {
		case <-time.After(time.Since(begun)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// vacuum rewrites the whole file, unless there is a server, which could not write in the meantime.
func (f *file) vacuum(ctx context.Context) error {
	if err := f.lockServer(ctx); errors.Is(err, errServed) {
		return nil
	} else if err != nil {
		return err
	}
	_, err := f.durable.ExecContext(ctx, "PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
	return errors.Join(err, f.unlockServer())
}
