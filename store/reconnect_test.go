package store

import (
	"database/sql"
	"sync"
	"testing"

	"digitduel/store/pgtest"
)

// TestLostConnections checks that a read succeeds after all connections were lost, as after a
// restart of the database.
func TestLostConnections(t *testing.T) {
	where := pgtest.Start(t)
	d, other := openAt(t, where, Config{}), openAt(t, where, Config{})
	read := func() {
		err := d.query(t.Context(), "SELECT pg_sleep(0.1)", nil, func(*sql.Rows) error { return nil })
		if err != nil {
			t.Error(err)
		}
	}
	var reading sync.WaitGroup
	for range 4 { // at once, to open several connections
		reading.Go(read)
	}
	reading.Wait()
	const end = "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity " +
		"WHERE datname = current_database() AND pid <> pg_backend_pid()"
	var ended int
	if err := other.sql.QueryRowContext(t.Context(), end).Scan(&ended); err != nil || ended < 2 {
		t.Fatalf("%d connections ended: %v", ended, err)
	}
	read()
}
