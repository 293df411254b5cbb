package web

import "sync"

// A cache computes a value once for all callers that want it, and keeps up to most values.
type cache[K comparable, V any] struct {
	most int

	mu      sync.Mutex
	entries map[K]func() (V, error) // dropped when it is full
}

// get returns the value of a key, which the caller must not change. If another caller is computing
// it, get waits for that one. An error is not kept: each caller gets only the error of its own
// computation, because that of another may be due to its request.
func (c *cache[K, V]) get(key K, compute func() (V, error)) (V, error) {
	own := false
	value, err := c.entry(key, func() (V, error) { own = true; return compute() })()
	if err == nil {
		return value, nil
	}
	c.mu.Lock()
	delete(c.entries, key)
	c.mu.Unlock()
	if own {
		return value, err
	}
	return compute()
}

// entry returns the function that computes the value of a key when it is first called.
func (c *cache[K, V]) entry(key K, compute func() (V, error)) func() (V, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if entry, found := c.entries[key]; found {
		return entry
	}
	if c.entries == nil || len(c.entries) >= c.most {
		c.entries = map[K]func() (V, error){}
	}
	entry := sync.OnceValues(compute)
	c.entries[key] = entry
	return entry
}
