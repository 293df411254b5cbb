package main

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// lagOf measures, until the test is over, how late this machine comes to what is to be done at a moment, with a byte to be kept on the disk.
// What it returns says how much later than on a quiet machine something may be that takes some such steps, in several processes.
func lagOf(t *testing.T) func() time.Duration {
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
			_ = file.Sync() // whether it can or not
			worst.Store(max(worst.Load(), int64(time.Since(due))))
		}
	})
	t.Cleanup(func() {
		close(over)
		measuring.Wait()
		_ = file.Close() // it is only for this
	})
	return func() time.Duration { return steps * time.Duration(worst.Load()) }
}
