package coach

import "testing"

// TestSwap advises both who make a first move that may be taken over and who may take it over.
func TestSwap(t *testing.T) {
	for _, tt := range []struct{ rules, position, short string }{
		{"dilemma", "___/___", "Hide who can win"},
		{"seesaw", "___/___", "Find a first move that draws"},
		{"dilemma", "7__/___", "Take over the first move: it wins"},
		{"dilemma", "0__/___", ""},                                      // it loses
		{"divisibility target=7", "/", ""},                              // 7 ends the game, and nobody can take it over
		{"highest width=1", "9/_", "Take over the first move: it wins"}, // though each answer ends the game
	} {
		s := solved(t, tt.rules)
		if got := Swap(s, positionOf(t, s.Rules(), tt.position)); got.Short != tt.short {
			t.Errorf("%s %s: %q, want %q", tt.rules, tt.position, got.Short, tt.short)
		}
	}
}
