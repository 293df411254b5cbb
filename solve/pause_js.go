package solve

import (
	"syscall/js"
	"time"
)

var (
	paused  time.Time // when the browser had its last turn
	channel = js.Global().Get("MessageChannel").New()
	turn    = make(chan struct{})
)

func init() {
	channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		turn <- struct{}{}
		return nil
	}))
}

// pause lets the browser handle its events during long work. In a browser, goroutines are not
// preempted and share one thread. Pause waits for a message to itself, which comes after those
// events: the end of a sleep can come before them if garbage is collected meanwhile.
func pause() {
	if time.Since(paused) > 2*time.Millisecond {
		channel.Get("port2").Call("postMessage", nil)
		<-turn
		paused = time.Now()
	}
}
