package arena

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// A Cache makes values that take long or much memory, a few at a time. It makes each value once
// and keeps it, whether or not the caller that asked first waits for it. The caller must close the
// cache.
type Cache[K comparable, V any] struct {
	make   func(context.Context, K) (V, error)
	size   func(K) int
	most   int             // limit of the sizes of all kept values, unless a single one is larger
	ctx    context.Context // done when the cache is closed
	close  context.CancelFunc
	making sync.WaitGroup
	slots  chan struct{} // one for each value in the making

	mu    sync.Mutex
	kept  map[K]*entry[V]
	order []K // least recently used first
	all   int // total size
	due   int // number of values not made yet
}

// An entry is a value, made or in the making.
type entry[V any] struct {
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

// NewCache returns a cache that keeps values up to a total size, least recently used ones first to
// go.
func NewCache[K comparable, V any](
	most int, size func(K) int, do func(context.Context, K) (V, error),
) *Cache[K, V] {
	ctx, cancel := context.WithCancel(context.Background())
	return &Cache[K, V]{
		make: do, size: size, most: most, ctx: ctx, close: cancel,
		slots: make(chan struct{}, mostAtOnce), kept: map[K]*entry[V]{},
	}
}

// Close stops making values and waits.
func (c *Cache[K, V]) Close() {
	c.close()
	c.making.Wait()
}

// Get returns a value. It waits until it is made, or the context is done.
func (c *Cache[K, V]) Get(ctx context.Context, key K) (V, error) {
	made, err := c.start(ctx, key)
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

// start returns the entry of a key, and starts making it if it is new.
func (c *Cache[K, V]) start(ctx context.Context, key K) (*entry[V], error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	made := c.kept[key]
	switch {
	case made == nil && c.due == mostDue:
		return nil, ErrBusy
	case made == nil:
		made = &entry[V]{ready: make(chan struct{})}
		c.kept[key] = made
		c.all += c.size(key)
		c.due++
		c.making.Go(func() { c.finish(context.WithoutCancel(ctx), key, made) })
	default:
		c.order = slices.DeleteFunc(c.order, func(k K) bool { return k == key })
	}
	c.order = append(c.order, key)
	for c.all > c.most && len(c.order) > 1 {
		c.drop(c.order[0])
	}
	return made, nil
}

func (c *Cache[K, V]) drop(key K) {
	c.order = slices.DeleteFunc(c.order, func(k K) bool { return k == key })
	delete(c.kept, key)
	c.all -= c.size(key)
}

// finish makes a value. It does not keep one with an error, so the next call tries again.
func (c *Cache[K, V]) finish(ctx context.Context, key K, made *entry[V]) {
	defer close(made.ready)
	ctx, done := context.WithCancel(ctx)
	defer done()
	defer context.AfterFunc(c.ctx, done)()
	select {
	case c.slots <- struct{}{}:
		made.value, made.err = c.make(ctx, key)
		<-c.slots
	case <-c.ctx.Done():
		made.err = c.ctx.Err()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.due--
	if made.err != nil && c.kept[key] == made {
		c.drop(key)
	}
}
