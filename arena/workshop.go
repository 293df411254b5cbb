package arena

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// A Workshop makes values that take long or much memory. It makes one at a time, and at the same
// time one that takes less than a moment. It makes each value once and keeps it, whether or not
// the caller that asked first waits for it. The caller must close the workshop.
type Workshop[K comparable, V any] struct {
	make   func(context.Context, K) (V, error)
	size   func(K) int
	most   int             // limit of the sizes of all kept values, unless a single one is larger
	ctx    context.Context // done when the workshop is closed
	close  context.CancelFunc
	making sync.WaitGroup

	mu          sync.Mutex
	kept        map[K]*product[V]
	order       []K // least recently used first
	all         int // total size
	quick, slow lane
}

// A lane makes values one at a time.
type lane struct {
	turn chan struct{} // held while a value is made
	due  int           // number of values not made yet
}

// A product is a value, made or in the making.
type product[V any] struct {
	ready chan struct{} // closed when the value or the error is set
	value V
	err   error
}

var (
	// ErrMaking reports that the context was done before a value was made. It is still being made.
	ErrMaking = errors.New("still in progress")
	// ErrBusy reports that too many values are waiting to be made.
	ErrBusy = errors.New("too many requests in progress")
)

// mostDue is the maximum number of values waiting in a lane.
const mostDue = 16

// moment is the maximum time in the quick lane. A value that takes longer is given up, and made
// again in the slow lane.
const moment = 2 * time.Second

var errLong = errors.New("it takes longer than a moment")

// NewWorkshop returns a workshop that keeps values up to a total size, least recently used ones
// first to go.
func NewWorkshop[K comparable, V any](
	most int, size func(K) int, do func(context.Context, K) (V, error),
) *Workshop[K, V] {
	ctx, cancel := context.WithCancel(context.Background())
	return &Workshop[K, V]{
		make: do, size: size, most: most,
		ctx: ctx, close: cancel,
		kept:  map[K]*product[V]{},
		quick: lane{turn: make(chan struct{}, 1)},
		slow:  lane{turn: make(chan struct{}, 1)},
	}
}

// Close stops making values and waits.
func (w *Workshop[K, V]) Close() {
	w.close()
	w.making.Wait()
}

// Get returns a value. It waits until it is made, or the context is done.
func (w *Workshop[K, V]) Get(ctx context.Context, key K) (V, error) {
	made, err := w.start(ctx, key)
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

// Prepare starts making a value that will be needed soon, if there is room.
func (w *Workshop[K, V]) Prepare(ctx context.Context, key K) {
	_, _ = w.start(ctx, key) // Get returns the error
}

// start returns the product of a key, and starts making it if it is new.
func (w *Workshop[K, V]) start(ctx context.Context, key K) (*product[V], error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	made := w.kept[key]
	switch {
	case made == nil && w.quick.due == mostDue:
		return nil, ErrBusy
	case made == nil:
		made = &product[V]{ready: make(chan struct{})}
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

// finish makes a value. It does not keep one with an error, so the next call tries again.
func (w *Workshop[K, V]) finish(ctx context.Context, key K, made *product[V]) {
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

// makeIn makes a value in a lane when it is its turn.
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

// enter registers a value in a lane, if there is room.
func (w *Workshop[K, V]) enter(l *lane) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if l.due == mostDue {
		return ErrBusy
	}
	l.due++
	return nil
}

// leave removes a value from a lane.
func (w *Workshop[K, V]) leave(l *lane) {
	w.mu.Lock()
	defer w.mu.Unlock()
	l.due--
}
