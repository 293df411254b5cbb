package solve

import "time"

var paused time.Time // when the browser had its last turn

// pause lets the browser handle its events during long work. In a browser, goroutines are not
// preempted and share one thread.
func pause() {
	if time.Since(paused) > 3*time.Millisecond {
		time.Sleep(time.Millisecond) // a shorter one can end before the browser has its turn
		paused = time.Now()
	}
}
