package mcp

import (
	"testing"

	"digitduel/digit"
	"digitduel/match"
)

// TestPlay plays games of every book to their ends.
func TestPlay(t *testing.T) {
	g := open(t, &match.Memory{}, nil).guest(t)
	for i, b := range digit.Books {
		rng := chance(uint64(i))
		s := got[State](g, "new_game", args{"rules": b.Name, "seed": i, "show_moves": true})
		for s.Result == "*" {
			if s.Turn != s.You || len(s.Moves) == 0 || s.TriesLeft != 3 {
				t.Fatalf("%s: %+v", b.Name, s)
			}
			next := got[State](g, "play", args{"game": s.Game, "move": s.Moves[rng.IntN(len(s.Moves))], "ply": s.Ply})
			if next.Ply <= s.Ply {
				t.Fatalf("%s: %+v after %+v", b.Name, next, s)
			}
			s = next
		}
		if s.Turn != "none" || len(s.Moves) != 0 {
			t.Errorf("%s is over: %+v", b.Name, s)
		}
	}
}
