package store

import (
	"context"
	"database/sql"
)

// shrinkable is the setting that allows taking unused pages from a file. The file of an early
// program without it keeps its size.
const shrinkable = "auto_vacuum(INCREMENTAL)"

// shrink frees the pages that the deletions of a transaction have emptied. The next checkpoint
// makes the file smaller.
func (f *file) shrink(ctx context.Context, tx *sql.Tx) error {
	return execute(ctx, tx, "PRAGMA incremental_vacuum")
}

// shrink does nothing: PostgreSQL reuses space by itself.
func (c *cluster) shrink(context.Context, *sql.Tx) error { return nil }
