package web

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// TestCache lets many callers ask for the same values, which are computed once.
func TestCache(t *testing.T) {
	c := cache[string, int]{most: 3}
	var computed atomic.Int64
	get := func(key string) {
		t.Helper()
		n, err := c.get(t.Context(), key, func() (int, error) { computed.Add(1); return len(key), nil })
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
	if n, ok := c.kept("bb"); n != 2 || !ok {
		t.Errorf("kept: %d, %v", n, ok)
	}
	if n, ok := c.kept("other"); n != 0 || ok {
		t.Errorf("kept, though never asked for: %d, %v", n, ok)
	}
	for range 20 {
		for _, key := range []string{"a", "ccc", "dddd", "a", "eeeee", "ffffff", "a", "gggggggg"} {
			get(key)
			if n := len(c.recent) + len(c.older); n > 2*c.most {
				t.Fatalf("%d values are kept", n)
			}
		}
	}
	computed.Store(0)
	if get("a"); computed.Load() != 0 {
		t.Error("the value that is used most was dropped")
	}
	if get("bb"); computed.Load() != 1 {
		t.Error("a value that was not used for long is kept")
	}
}

// TestCacheFailure has the first computation of a value fail, panic or take long: callers that wait
// meanwhile compute it themselves, or give up when their own time is over.
func TestCacheFailure(t *testing.T) {
	failed := errors.New("failed")
	for name, compute := range map[string]func() (int, error){
		"error": func() (int, error) { return 1, failed },
		"panic": func() (int, error) { panic(failed) },
	} {
		synctest.Test(t, func(t *testing.T) {
			c := cache[string, int]{most: 3}
			fail := make(chan struct{})
			go func() {
				defer func() { _ = recover() }()
				if _, err := c.get(t.Context(), "key", func() (int, error) { <-fail; return compute() }); !errors.Is(err, failed) {
					t.Errorf("%s: the caller gets %v", name, err)
				}
			}()
			synctest.Wait()
			if _, ok := c.kept("key"); ok {
				t.Errorf("%s: a value is kept that is being computed", name)
			}
			gone, leave := context.WithCancel(t.Context())
			leave()
			if _, err := c.get(gone, "key", nil); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: a caller that is gone gets %v", name, err)
			}
			for range 3 {
				go func() {
					n, err := c.get(t.Context(), "key", func() (int, error) { return 7, nil })
					if n != 7 || err != nil {
						t.Errorf("%s: a caller that waited gets %d, %v", name, n, err)
					}
				}()
			}
			synctest.Wait()
			close(fail)
			synctest.Wait()
			if n, ok := c.kept("key"); n != 7 || !ok {
				t.Errorf("%s: then %d is kept, %v", name, n, ok)
			}
		})
	}
}
