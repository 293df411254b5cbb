package web

import "sync"

// A cache computes a value once for all callers that want it, and keeps the values used last: at
// least most of them, and at most twice as many.
type cache[K comparable, V any] struct {
	most int

	mu            sync.Mutex
	recent, older map[K]func() (V, error) // older is dropped when recent is full
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
	delete(c.recent, key)
	delete(c.older, key)
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
	if entry, found := c.recent[key]; found {
		return entry
	}
	entry, found := c.older[key]
	if !found {
		entry = sync.OnceValues(compute)
	}
	if c.recent == nil || len(c.recent) >= c.most {
		c.older, c.recent = c.recent, map[K]func() (V, error){}
	}
	c.recent[key] = entry
	return entry
}
