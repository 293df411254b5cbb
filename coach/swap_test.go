package coach

import "testing"

// TestSwap checks the advice before a first move that may be taken over, and after it.
func TestSwap(t *testing.T) {
	for _, tt := range []struct{ rules, position, short string }{
		{"dilemma", "___/___", "Hide who can win"},
		{"seesaw", "___/___", "Find a first move that draws"},
		{"dilemma", "7__/___", "Take over the first move: it wins"},
		{"dilemma", "0__/___", ""},                                      // a losing move
		{"divisibility target=7", "/", ""},                              // 7 wins before it can be taken over
		{"highest width=1", "9/_", "Take over the first move: it wins"}, // though each reply ends the game
	} {
		s := solved(t, tt.rules)
		if got := Swap(s, positionOf(t, s.Rules(), tt.position)); got.Short != tt.short {
			t.Errorf("%s %s: %q, want %q", tt.rules, tt.position, got.Short, tt.short)
		}
	}
}
