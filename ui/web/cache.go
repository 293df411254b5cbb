package web

import (
	"context"
	"errors"
	"sync"
)

// A cache computes a value once for all callers that want it, and keeps the values used last: at
// least most of them, and at most twice as many.
type cache[K comparable, V any] struct {
	most int

	mu            sync.Mutex
	recent, older map[K]*cached[V] // older is dropped when recent is full
}

// A cached value is one that was computed or is being computed.
type cached[V any] struct {
	done  chan struct{} // closed when value and err are set
	value V
	err   error
}

var errNotComputed = errors.New("the computation panicked")

// get returns the value of a key, which the caller must not change. If another caller is computing
// it, get waits for that one. An error is not kept: each caller gets only the error of its own
// computation, because that of another may be due to its request.
func (c *cache[K, V]) get(ctx context.Context, key K, compute func() (V, error)) (V, error) {
	for {
		entry, found := c.claim(key)
		if !found {
			c.fill(key, entry, compute)
			return entry.value, entry.err
		}
		select {
		case <-entry.done:
			if entry.err == nil {
				return entry.value, nil
			}
		case <-ctx.Done():
			return *new(V), context.Cause(ctx)
		}
	}
}

// kept returns the value of a key if it is there.
func (c *cache[K, V]) kept(key K) (value V, ok bool) {
	c.mu.Lock()
	entry := c.recent[key]
	if entry == nil {
		entry = c.older[key]
	}
	c.mu.Unlock()
	if entry == nil {
		return value, false
	}
	select {
	case <-entry.done:
		return entry.value, entry.err == nil
	default:
		return value, false
	}
}

// claim returns the entry of a key. If there was none, the caller must fill it.
func (c *cache[K, V]) claim(key K) (entry *cached[V], found bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if entry, found = c.recent[key]; found {
		return entry, true
	}
	if entry, found = c.older[key]; !found {
		entry = &cached[V]{done: make(chan struct{})}
	}
	if c.recent == nil || len(c.recent) >= c.most {
		c.older, c.recent = c.recent, map[K]*cached[V]{}
	}
	c.recent[key] = entry
	return entry, found
}

// fill computes an entry. If that fails or panics, the key is free again.
func (c *cache[K, V]) fill(key K, entry *cached[V], compute func() (V, error)) {
	entry.err = errNotComputed
	defer func() {
		if entry.err != nil {
			c.drop(key)
		}
		close(entry.done)
	}()
	entry.value, entry.err = compute()
}

func (c *cache[K, V]) drop(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.recent, key)
	delete(c.older, key)
}
