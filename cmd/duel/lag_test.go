package main

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// measureLag measures until the test ends how late this machine runs a timer and a sync to disk. It
// returns a function with the allowance for an operation of several such steps in several
// processes.
func measureLag(t *testing.T) func() time.Duration {
	t.Helper()
	const every, steps = 100 * time.Millisecond, 20
	file, err := os.Create(filepath.Join(t.TempDir(), "lag"))
	if err != nil {
		t.Fatal(err)
	}
	var worst atomic.Int64
	var measuring sync.WaitGroup
	over := make(chan struct{})
	measuring.Go(func() {
		for {
			due := time.Now().Add(every)
			select {
			case <-time.After(every):
			case <-over:
				return
			}
			_, _ = file.WriteAt([]byte{0}, 0)
			_ = file.Sync() // not every file system can
			worst.Store(max(worst.Load(), int64(time.Since(due))))
		}
	})
	t.Cleanup(func() {
		close(over)
		measuring.Wait()
		_ = file.Close() // its content doesn't matter
	})
	return func() time.Duration { return steps * time.Duration(worst.Load()) }
}
