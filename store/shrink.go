package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// A Room is what became of the room in a file that nothing uses any more, in bytes.
type Room struct {
	Freed int64 // the file is smaller by that
	Free  int64 // this is still in it, for what is to come
}

// Shrink gives room in the database that nothing uses back to the system, while a server goes on. With PostgreSQL, which does that by
// itself, there is nothing to do and no Room.
func (d *DB) Shrink(ctx context.Context) (*Room, error) {
	room, err := d.engine.shrink(ctx)
	return room, d.engine.explain(err)
}

func (c *cluster) shrink(context.Context) (*Room, error) { return nil, nil }

const (
	// shrinkable is how a file is made, so that pages can be taken from it a few at a time. One that was not made so, by an older
	// program, is made anew when no server is there.
	shrinkable = "auto_vacuum(INCREMENTAL)"
	// pagesAtOnce is how many pages are taken from a file in one transaction, for which players wait.
	pagesAtOnce = 200
)

// pages is what SQLite says of a file.
type pages struct{ size, all, free int64 }

func (f *file) pages(ctx context.Context) (p pages, err error) {
	row := f.read.QueryRowContext(ctx, "SELECT page_size, page_count, freelist_count FROM pragma_page_size, pragma_page_count, pragma_freelist_count")
	err = row.Scan(&p.size, &p.all, &p.free)
	return p, err
}

func (f *file) shrink(ctx context.Context) (*Room, error) {
	before, err := f.pages(ctx)
	if err != nil {
		return nil, err
	}
	incremental := 0
	if err := f.firm.QueryRowContext(ctx, "SELECT auto_vacuum = 2 FROM pragma_auto_vacuum").Scan(&incremental); err != nil {
		return nil, err
	}
	switch {
	case incremental == 1:
		err = f.takePages(ctx, before.free)
	case before.free*10 > before.all: // otherwise it is not worth it
		err = f.makeAnew(ctx)
	}
	if err != nil {
		return nil, err
	}
	if _, err := f.loose.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)"); err != nil { // after which the file is smaller
		return nil, err
	}
	after, err := f.pages(ctx)
	return &Room{Freed: max(0, before.size*before.all-after.size*after.all), Free: after.size * after.free}, err
}

// takePages takes free pages from the file, and leaves it to others for as long as each time took.
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

// makeAnew writes the whole file anew, which nobody could write to meanwhile, if there is no server.
func (f *file) makeAnew(ctx context.Context) error {
	if err := f.hold(ctx); errors.Is(err, errServed) {
		return nil
	} else if err != nil {
		return err
	}
	_, err := f.firm.ExecContext(ctx, "PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
	return errors.Join(err, f.release())
}
