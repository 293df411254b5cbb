package match

import (
	"strings"
	"testing"
	"time"

	"digitduel/digit"
)

func TestSetup(t *testing.T) {
	good := Setup{Rules: digit.Highest}
	tests := []struct {
		change func(*Setup)
		want   string
	}{
		{func(s *Setup) {}, ""},
		{func(s *Setup) { s.Rules.Width = 5 }, "width: two numbers of 5 digits take 10, and the pool has 9; allowed: 1 to 4"},
		{func(s *Setup) { s.BestOf = 2 }, "best of 2: allowed: an odd number of games from 1 to 99"},
		{func(s *Setup) { s.BestOf = -1 }, "best of -1: allowed: an odd number of games from 1 to 99"},
		{func(s *Setup) { s.BestOf = 101 }, "best of 101: allowed: an odd number of games from 1 to 99"},
		{func(s *Setup) { s.TurnTime = time.Millisecond }, "turn time 1ms: allowed: 1s to 24h0m0s, or 0 for no clock"},
		{func(s *Setup) { s.TurnTime = -time.Second }, "turn time -1s: allowed: 1s to 24h0m0s, or 0 for no clock"},
		{func(s *Setup) { s.First = 2 }, "seat 2 starts: allowed: 0, 1"},
		{func(s *Setup) { s.OnTimeout = 2 }, "time-out rule 2: allowed: 0, 1"},
		{func(s *Setup) { s.Open[1], s.Levels[1] = true, "casual" }, "an open seat cannot have a level"},
		{func(s *Setup) { s.Open[0], s.Levels[1] = true, "casual" }, ""},
		{func(s *Setup) { s.Names = [2]string{"Ada", "Ada"} }, `name "Ada": both players have it`},
		{func(s *Setup) { s.Names = [2]string{"Player 2", ""} }, `name "Player 2": both players have it`},
		{func(s *Setup) { s.Names[0] = "\x1b[31m" }, `name "\x1b[31m": '\x1b' cannot be part of a name`},
		{func(s *Setup) { s.Names[0] = "\xff" }, `name "\xff": '�' cannot be part of a name`},
		{func(s *Setup) { s.Names[0] = strings.Repeat("x", 33) }, "name “" + strings.Repeat("x", 24) + "…”: it is too long; allowed: up to 24 characters"},
		{func(s *Setup) { s.Names = [2]string{"Zoë", "李"} }, ""},
		{func(s *Setup) { s.Levels[1], s.Agent.Tries = "casual", 100 }, ""},
		{func(s *Setup) { s.Levels[0], s.Agent.Tries, s.Pair = "casual", 1, true }, ""},
		{func(s *Setup) { s.Levels[1], s.Agent.Tries = "casual", 101 }, "101 tries: allowed: 1 to 100"},
		{func(s *Setup) { s.Levels[1], s.Agent.Seed = "casual", 1 }, "0 tries: allowed: 1 to 100"},
		{func(s *Setup) { s.Agent.Tries = 3 }, "a program plays against the computer: set a level for exactly one seat"},
		{func(s *Setup) { s.Levels, s.Agent.Tries = [2]string{"casual", "expert"}, 3 }, "a program plays against the computer: set a level for exactly one seat"},
		{func(s *Setup) { s.Levels[1], s.Agent.Tries, s.Open[0] = "casual", 3, true }, "a program's seat cannot be open"},
		{func(s *Setup) { s.Levels[1], s.Agent.Tries, s.BestOf = "casual", 3, 3 }, "a program and best of 3: allowed: one game, or a pair"},
		{func(s *Setup) { s.Levels[1], s.Agent.Tries, s.FreeUndo = "casual", 3, true }, "free undo is not allowed where a program plays"},
		{func(s *Setup) { s.Levels[1], s.Agent = "casual", Agent{Tries: 3, Run: strings.Repeat("x", 201)} }, `run "` + strings.Repeat("x", 40) + `"…: allowed: up to 200 bytes`},
		{func(s *Setup) { s.Class = "abcd234567" }, ""},
		{func(s *Setup) { s.Class = "a b" }, `class "a b": ' ' is not allowed in its name`},
		{func(s *Setup) { s.Class = strings.Repeat("x", 65) }, `class "` + strings.Repeat("x", 65) + `": allowed: a name of 1 to 64 bytes`},
		{func(s *Setup) { s.Class, s.Hints = "c", true }, "the table of a class cannot be listed or have hints"},
		{func(s *Setup) { s.Class, s.Listed = "c", true }, "the table of a class cannot be listed or have hints"},
	}
	for _, tt := range tests {
		s := good
		tt.change(&s)
		got := ""
		if err := s.Check(); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%+v: %q, want %q", s, got, tt.want)
		}
	}
}
