package arena

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
)

func sizeOf(int) int { return 1 }

// TestCache checks that values are made even if the callers stop waiting, a few at a time and
// each once.
func TestCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var mu sync.Mutex
		var made []int
		w := NewCache(10, sizeOf, func(_ context.Context, n int) (string, error) {
			mu.Lock()
			made = append(made, n)
			mu.Unlock()
			<-release
			return fmt.Sprint(n), nil
		})
		defer w.Close()
		canceled, cancel := context.WithCancel(t.Context())
		cancel()
		for _, n := range []int{1, 1, 2, 3} {
			if _, err := w.Get(canceled, n); !errors.Is(err, ErrMaking) ||
				!errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		}
		synctest.Wait()
		if len(made) != mostAtOnce {
			t.Errorf("%v are being made, want 2 of them", made)
		}
		close(release)
		for n := 1; n <= 3; n++ {
			if got, err := w.Get(t.Context(), n); got != fmt.Sprint(n) || err != nil {
				t.Errorf("got %s, %v, want %d", got, err, n)
			}
		}
		if slices.Sort(made); !slices.Equal(made, []int{1, 2, 3}) {
			t.Errorf("%v were made, want each once", made)
		}
	})
}

// TestCacheAsksAgain checks that a value that failed is made again.
func TestCacheAsksAgain(t *testing.T) {
	refused, fails := errors.New("too large"), true
	w := NewCache(10, sizeOf, func(_ context.Context, n int) (int, error) {
		if fails {
			return 0, refused
		}
		return n, nil
	})
	defer w.Close()
	if _, err := w.Get(t.Context(), 7); !errors.Is(err, refused) {
		t.Errorf("got %v", err)
	}
	w.making.Wait()
	if fails = false; w.all != 0 || len(w.order) != 0 || len(w.kept) != 0 {
		t.Errorf("%d values are kept, want none", w.all)
	}
	if n, err := w.Get(t.Context(), 7); err != nil || n != 7 {
		t.Errorf("got %d, %v, want 7", n, err)
	}
}

// TestCacheIsBounded checks that only the last used values are kept.
func TestCacheIsBounded(t *testing.T) {
	w := NewCache(4, sizeOf, func(_ context.Context, n int) (int, error) { return n, nil })
	defer w.Close()
	for _, n := range []int{1, 2, 3, 4, 1, 5, 6} {
		if got, err := w.Get(t.Context(), n); got != n || err != nil {
			t.Errorf("%d: %d, %v", n, got, err)
		}
	}
	if want := []int{4, 1, 5, 6}; !slices.Equal(w.order, want) || len(w.kept) != 4 {
		t.Errorf("%v are kept, want %v", w.order, want)
	}
}

// TestCacheIsClosed closes a cache while values are made and another one waits.
func TestCacheIsClosed(t *testing.T) {
	w := NewCache(4, sizeOf, func(ctx context.Context, _ int) (int, error) {
		<-ctx.Done()
		return 0, ctx.Err()
	})
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for n := range mostAtOnce + 1 {
		_, _ = w.Get(canceled, n) // being made
	}
	w.Close()
	if _, err := w.Get(t.Context(), 2); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestCacheIsBusy checks the error if too many values wait to be made, and that the waiting ones
// are made with the values of their contexts.
func TestCacheIsBusy(t *testing.T) {
	type asker struct{}
	release := make(chan struct{})
	w := NewCache(100, sizeOf, func(ctx context.Context, n int) (any, error) {
		<-release
		return ctx.Value(asker{}), ctx.Err()
	})
	defer w.Close()
	for n := range mostDue {
		ctx, cancel := context.WithCancel(context.WithValue(t.Context(), asker{}, n))
		cancel()
		_, _ = w.Get(ctx, n) // being made
	}
	if _, err := w.Get(t.Context(), mostDue); !errors.Is(err, ErrBusy) {
		t.Errorf("got %v", err)
	}
	close(release)
	for n := range mostDue {
		if got, err := w.Get(t.Context(), n); got != n || err != nil {
			t.Errorf("got %v, %v, want %d", got, err, n)
		}
	}
	w.making.Wait()
	if _, err := w.Get(t.Context(), mostDue); err != nil {
		t.Error(err)
	}
}
