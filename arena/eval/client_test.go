package eval

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestWait checks the time before another attempt: as long as the server asks, or growing with the
// number of attempts.
func TestWait(t *testing.T) {
	for _, test := range []struct {
		failure     retryError
		n           int
		least, most time.Duration
	}{
		{retryError{}, 0, time.Second / 2, time.Second},
		{retryError{}, 3, 4 * time.Second, 8 * time.Second},
		{retryError{}, 100, 30 * time.Second, time.Minute},
		{retryError{after: time.Millisecond}, 3, time.Millisecond, time.Millisecond},
		{retryError{after: time.Hour}, 0, time.Hour, time.Hour},
		{retryError{after: time.Hour, shared: true}, 0, time.Hour, time.Hour},
		{retryError{after: time.Hour, now: true}, 0, 0, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := newClient(&Settings{}, Secrets{}, 1)
			began := time.Now()
			err := c.wait(t.Context(), &test.failure, test.n)
			if test.failure.shared && time.Since(began) > 0 {
				t.Errorf("%+v: wait blocks, but only await should", test.failure)
			}
			if err == nil {
				err = c.await(t.Context()) // before the next call
			}
			waited := time.Since(began)
			if err != nil || waited < test.least || waited > test.most {
				t.Errorf("%+v, attempt %d: waits for %v, %v, want %v to %v",
					test.failure, test.n, waited, err, test.least, test.most)
			}
		})
	}
}
