package solve

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// A job distributes the work of solving a game over goroutines. Its context can stop it.
type job struct {
	ctx      context.Context
	workers  int
	progress func(done, total int64)
	total    int64

	scratch []*scratch // one per worker so far

	mu   sync.Mutex
	done int64
}

// A scratch is the working memory of one worker.
type scratch struct {
	block    block
	outlooks [2][]outlook
	left     []int
	moves    []move
	to       []int32
}

// outlook returns outlook i of side s.
func (sc *scratch) outlook(s, i int) *outlook {
	for len(sc.outlooks[s]) <= i {
		sc.outlooks[s] = append(sc.outlooks[s], outlook{})
	}
	return &sc.outlooks[s][i]
}

// portion is the number of cells, or similar units, between two checks of the context.
const portion = 1 << 17

// share calls do for each i below n, on as many workers as useful, and waits for them. Each call
// counts as cells cells. The error is the context's if it is done first. A panic in do becomes a
// panic of share.
func (w *job) share(n int, cells int64, do func(i int, s *scratch)) error {
	batch := max(1, int(portion/max(cells, 1)))
	var next atomic.Int64
	run := func(s *scratch) {
		for w.ctx.Err() == nil {
			to := int(next.Add(int64(batch)))
			from := to - batch
			if from >= n {
				return
			}
			to = min(to, n)
			for i := from; i < to; i++ {
				do(i, s)
			}
			w.advance(int64(to-from) * cells)
		}
	}
	workers := max(1, min(w.workers, (n+batch-1)/batch))
	for len(w.scratch) < workers {
		w.scratch = append(w.scratch, &scratch{})
	}
	var all sync.WaitGroup
	var panicked atomic.Pointer[string]
	for _, s := range w.scratch[:workers] {
		all.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panicked.Store(new(fmt.Sprintf("%v\n%s", p, debug.Stack())))
				}
			}()
			run(s)
		})
	}
	all.Wait()
	if p := panicked.Load(); p != nil {
		panic(*p)
	}
	return context.Cause(w.ctx)
}

// advance reports progress by some cells.
func (w *job) advance(cells int64) {
	if w.progress == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done += cells
	w.progress(w.done, w.total)
}
