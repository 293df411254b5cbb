package tui

import (
	"context"
	"testing"

	"digitduel/digit"
	"digitduel/solve"
)

// FuzzKeys presses a key for each byte. After each key, the screen can be drawn and fits, and the
// table is in a legal state.
func FuzzKeys(f *testing.F) {
	f.Add([]byte{})
	for first := range byte(len(walkKeys)) {
		f.Add([]byte{first, 32, 32, 32, 7, 32, 8, 32, 9, 32, 38, 38})
	}
	f.Fuzz(func(t *testing.T, pressed []byte) {
		onScreen(t, &memory{}, Start{}, func(s *screen) {
			s.Model.world.Solve = func(
				_ context.Context, r digit.Rules, _ func(done, total int64),
			) (*solve.Solution, error) {
				return solve.Solve(context.Background(), r, solve.Config{Budget: 1 << 18, Workers: 1})
			}
			w := &walker{screen: s}
			for _, b := range pressed[:min(len(pressed), 40)] {
				w.steps++
				w.last = walkKeys[int(b)%len(walkKeys)]
				w.send(keyPress(w.last))
				w.check()
			}
			w.fits(w.View().Content)
			w.goHome()
		})
	})
}
