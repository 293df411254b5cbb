package tui

import (
	"testing"
	"time"
)

// TestTravel checks the motion of a computer's digit from the pool to its place: it takes two
// steps, unless a key completes it or motion is off.
func TestTravel(t *testing.T) {
	for _, tt := range []struct {
		name string
		term string
		set  func(*screen)
		want []travel // at once, and after each step
	}{
		{"two steps", "xterm", func(*screen) {}, []travel{taken, expected, landed}},
		{"motion off", "xterm", func(s *screen) { s.settings.Motion = false }, []travel{landed}},
		{"a slow terminal", "linux", func(*screen) {}, []travel{landed}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Defaults()
			k := &memory{environ: map[string]string{"TERM": tt.term}}
			onScreen(t, k, Start{Play: &c}, func(s *screen) {
				t := s.t
				tt.set(s)
				s.press("7", "a")
				tb := s.openTable()
				for range 100 {
					if s.pass(10 * time.Millisecond); len(tb.state.Moves) == 2 {
						break
					}
				}
				seen := map[string]bool{}
				for i, want := range tt.want {
					if got := tb.travel(s.Model); got != want {
						t.Errorf("after %d steps the digit is at %d, want %d", i, got, want)
					}
					seen[s.text()] = true
					s.pass(travelStep)
				}
				if len(seen) != len(tt.want) {
					t.Errorf("%d steps show %d different screens", len(tt.want), len(seen))
				}
				tb.moved = s.now
				if s.press("f12"); tb.travel(s.Model) != landed {
					t.Error("a key does not complete the motion")
				}
			})
		})
	}
}

// TestBell checks that the bell rings once in each turn of a person, ten seconds before its end.
func TestBell(t *testing.T) {
	c := *people("highest").Play
	c.TurnTime = 30 * time.Second
	onScreen(t, &memory{}, Start{Play: &c}, func(s *screen) {
		for _, step := range []struct {
			keys string
			want int
		}{{"19s", 0}, {"2s", 1}, {"5s", 1}, {"9 a 5s", 1}, {"16s", 2}, {"8 a 1s", 2}} {
			if s.follow(step.keys); s.bells != step.want {
				s.t.Errorf("after %s: the bell rang %d times, want %d",
					step.keys, s.bells, step.want)
			}
		}
	})
}
