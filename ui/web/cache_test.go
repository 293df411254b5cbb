package web

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

// TestCache checks that values are computed once, and that the cache stays small.
func TestCache(t *testing.T) {
	c := cache[string, int]{most: 3}
	var computed atomic.Int64
	get := func(key string) {
		t.Helper()
		n, err := c.get(key, func() (int, error) { computed.Add(1); return len(key), nil })
		if n != len(key) || err != nil {
			t.Errorf("%q is %d, %v", key, n, err)
		}
	}
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() { get("a"); get("bb") })
	}
	all.Wait()
	if n := computed.Load(); n != 2 {
		t.Errorf("two values were computed %d times", n)
	}
	for range 20 {
		for _, key := range []string{"a", "ccc", "dddd", "a", "eeeee", "ffffff", "a", "gggggggg"} {
			get(key)
			if n := len(c.entries); n > c.most {
				t.Fatalf("%d values are cached, want at most %d", n, c.most)
			}
		}
	}
	computed.Store(0)
	if get("gggggggg"); computed.Load() != 0 {
		t.Error("the last value was dropped")
	}
	if get("bb"); computed.Load() != 1 {
		t.Error("a value that was not used for a long time is still cached")
	}
}

// TestCacheFailure has the first computation of a value fail: callers that wait meanwhile compute
// it themselves, and so does the next one.
func TestCacheFailure(t *testing.T) {
	failed := errors.New("failed")
	c := cache[string, int]{most: 3}
	begun, fail := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		_, err := c.get("key", func() (int, error) { close(begun); <-fail; return 1, failed })
		if !errors.Is(err, failed) {
			t.Errorf("the caller gets %v", err)
		}
	})
	<-begun
	get := func() {
		if n, err := c.get("key", func() (int, error) { return 7, nil }); n != 7 || err != nil {
			t.Errorf("another caller gets %d, %v", n, err)
		}
	}
	for range 3 {
		all.Go(get)
	}
	close(fail)
	all.Wait()
	get()
}
