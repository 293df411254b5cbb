package arena

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// A Workshop makes what takes long or much memory: one thing at a time, and beside it one that takes less than a moment; each once for as long
// as it is kept, for whoever asks first, whether or not they wait for it. The caller closes it.
type Workshop[K comparable, V any] struct {
	make   func(context.Context, K) (V, error)
	size   func(K) int
	most   int             // of the sizes of all that is kept, unless a single thing has more
	ctx    context.Context // until it is closed
	close  context.CancelFunc
	making sync.WaitGroup

	mu          sync.Mutex
	kept        map[K]*work[V]
	order       []K // what was asked for last comes last
	all         int // the sizes
	quick, slow lane
}

// A lane is where things are made, one at a time.
type lane struct {
	turn chan struct{} // taken by whoever makes something
	due  int           // how many things are not made yet
}

// A work is something that is made or being made.
type work[V any] struct {
	ready chan struct{} // closed when the rest is known
	value V
	err   error
}

// ErrMaking says that the context was done before something was made, which goes on; ErrBusy, that too much else is to be made.
var (
	ErrMaking = errors.New("it is still being worked out")
	ErrBusy   = errors.New("too much else is being worked out")
)

// mostDue is how many things may wait to be made in a lane.
const mostDue = 16

// moment is how long something may take beside others. What takes longer is given up, and made anew when it is its turn among its like.
const moment = 2 * time.Second

var errLong = errors.New("it takes longer than a moment")

// NewWorkshop returns a workshop that keeps things of some size in all, those that were asked for last.
func NewWorkshop[K comparable, V any](most int, size func(K) int, do func(context.Context, K) (V, error)) *Workshop[K, V] {
	ctx, cancel := context.WithCancel(context.Background())
	return &Workshop[K, V]{
		make: do, size: size, most: most, ctx: ctx, close: cancel, kept: map[K]*work[V]{},
		quick: lane{turn: make(chan struct{}, 1)}, slow: lane{turn: make(chan struct{}, 1)},
	}
}

// Close stops what is being made.
func (w *Workshop[K, V]) Close() {
	w.close()
	w.making.Wait()
}

// Get returns something. It waits until that is made, or the context is done.
func (w *Workshop[K, V]) Get(ctx context.Context, key K) (V, error) {
	made, err := w.work(ctx, key)
	if err != nil {
		return *new(V), err
	}
	select {
	case <-made.ready:
		return made.value, made.err
	case <-ctx.Done():
		return *new(V), fmt.Errorf("%w: %w", ErrMaking, ctx.Err())
	}
}

// Prepare has something made that will be asked for, if there is time.
func (w *Workshop[K, V]) Prepare(ctx context.Context, key K) {
	_, _ = w.work(ctx, key) // whoever asks for it is told
}

func (w *Workshop[K, V]) work(ctx context.Context, key K) (*work[V], error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	made := w.kept[key]
	switch {
	case made == nil && w.quick.due == mostDue:
		return nil, ErrBusy
	case made == nil:
		made = &work[V]{ready: make(chan struct{})}
		w.kept[key] = made
		w.all += w.size(key)
		w.quick.due++
		w.making.Go(func() { w.finish(context.WithoutCancel(ctx), key, made) })
	default:
		w.order = slices.DeleteFunc(w.order, func(k K) bool { return k == key })
	}
	w.order = append(w.order, key)
	for w.all > w.most && len(w.order) > 1 {
		w.drop(w.order[0])
	}
	return made, nil
}

func (w *Workshop[K, V]) drop(key K) {
	w.order = slices.DeleteFunc(w.order, func(k K) bool { return k == key })
	delete(w.kept, key)
	w.all -= w.size(key)
}

// finish makes something. What could not be made is not kept: another time it may.
func (w *Workshop[K, V]) finish(ctx context.Context, key K, made *work[V]) {
	defer close(made.ready)
	ctx, done := context.WithCancel(ctx)
	defer done()
	defer context.AfterFunc(w.ctx, done)()
	made.value, made.err = w.makeIn(ctx, &w.quick, key)
	if w.leave(&w.quick); errors.Is(made.err, errLong) {
		if made.err = w.enter(&w.slow); made.err == nil {
			made.value, made.err = w.makeIn(ctx, &w.slow, key)
			w.leave(&w.slow)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if made.err != nil && w.kept[key] == made {
		w.drop(key)
	}
}

// makeIn makes something in a lane when it is its turn.
func (w *Workshop[K, V]) makeIn(ctx context.Context, l *lane, key K) (value V, err error) {
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-w.ctx.Done():
		return value, w.ctx.Err()
	}
	if l == &w.quick {
		var end func()
		ctx, end = context.WithTimeoutCause(ctx, moment, errLong)
		defer end()
	}
	if value, err = w.make(ctx, key); err != nil && errors.Is(context.Cause(ctx), errLong) {
		err = errLong
	}
	return value, err
}

// enter notes that something is to be made in a lane, if there is room; leave, that it is made.
func (w *Workshop[K, V]) enter(l *lane) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if l.due == mostDue {
		return ErrBusy
	}
	l.due++
	return nil
}

func (w *Workshop[K, V]) leave(l *lane) {
	w.mu.Lock()
	defer w.mu.Unlock()
	l.due--
}
