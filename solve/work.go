package solve

import (
	"context"
	"sync"
	"sync/atomic"
)

// work is shared out to workers and can be stopped.
type work struct {
	ctx      context.Context
	workers  int
	progress func(done, total int64)
	total    int64

	scratch []*scratch // of each worker there has been

	mu   sync.Mutex
	done int64
}

// scratch is the memory of one worker.
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

// portion is how much is done between two looks at the context, in cells and the like.
const portion = 1 << 17

// share calls do for each i below n, which stands for so many cells each, on as many workers as it is worth,
// and waits for them. It returns an error if the context is done before they are.
func (w *work) share(n int, cells int64, do func(i int, s *scratch)) error {
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
	var others sync.WaitGroup
	for i := 1; i < workers; i++ {
		others.Go(func() { run(w.scratch[i]) })
	}
	run(w.scratch[0])
	others.Wait()
	return context.Cause(w.ctx)
}

// advance says that so many more cells are done.
func (w *work) advance(cells int64) {
	if w.progress == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done += cells
	w.progress(w.done, w.total)
}
