package arena

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// A Workshop makes values that take long or much memory, a few at a time. It makes each value once
// and keeps it, whether or not the caller that asked first waits for it. The caller must close the
// workshop.
type Workshop[K comparable, V any] struct {
	make   func(context.Context, K) (V, error)
	size   func(K) int
	most   int             // limit of the sizes of all kept values, unless a single one is larger
	ctx    context.Context // done when the workshop is closed
	close  context.CancelFunc
	making sync.WaitGroup
	slots  chan struct{} // one for each value in the making

	mu    sync.Mutex
	kept  map[K]*product[V]
	order []K // least recently used first
	all   int // total size
	due   int // number of values not made yet
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

const (
	mostDue    = 16 // values in the making, and waiting for it
	mostAtOnce = 2  // values in the making
)

// NewWorkshop returns a workshop that keeps values up to a total size, least recently used ones
// first to go.
func NewWorkshop[K comparable, V any](
	most int, size func(K) int, do func(context.Context, K) (V, error),
) *Workshop[K, V] {
	ctx, cancel := context.WithCancel(context.Background())
	return &Workshop[K, V]{
		make: do, size: size, most: most, ctx: ctx, close: cancel,
		slots: make(chan struct{}, mostAtOnce), kept: map[K]*product[V]{},
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

// start returns the product of a key, and starts making it if it is new.
func (w *Workshop[K, V]) start(ctx context.Context, key K) (*product[V], error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	made := w.kept[key]
	switch {
	case made == nil && w.due == mostDue:
		return nil, ErrBusy
	case made == nil:
		made = &product[V]{ready: make(chan struct{})}
		w.kept[key] = made
		w.all += w.size(key)
		w.due++
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
	select {
	case w.slots <- struct{}{}:
		made.value, made.err = w.make(ctx, key)
		<-w.slots
	case <-w.ctx.Done():
		made.err = w.ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.due--
	if made.err != nil && w.kept[key] == made {
		w.drop(key)
	}
}
