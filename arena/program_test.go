package arena

import (
	"context"
	"strings"
	"testing"

	"digitduel/arena/engine"
	"digitduel/digit"
)

// TestSpent checks how the tokens and cost that engines report are parsed. Invalid amounts are
// dropped, because games.jsonl cannot hold them.
func TestSpent(t *testing.T) {
	for _, test := range []struct {
		info   string
		tokens int64
		cost   float64
	}{
		{"string tokens 512 cost 0.004", 512, 0.004},
		{"string cost 1e-3 and tokens 7 of 9", 7, 0.001},
		{"string tokens NaN cost nan", 0, 0},
		{"string tokens Inf cost -Inf", 0, 0},
		{"string tokens -5 cost -0.1", 0, 0},
		{"string tokens 99999999999999999999 cost 1e999", 0, 0},
		{"string tokens cost", 0, 0},
		{"string", 0, 0},
		{"tokens 512 cost 1", 0, 0},
		{"", 0, 0},
	} {
		if tokens, cost := spent([]string{test.info}); tokens != test.tokens || cost != test.cost {
			t.Errorf("%q: %d tokens, cost %v; want %d, %v",
				test.info, tokens, cost, test.tokens, test.cost)
		}
	}
}

// An absentEngine fails to start a game.
type absentEngine struct {
	fakeEngine
	fault engine.Fault
}

func (e *absentEngine) NewGame(context.Context, digit.Rules, uint64) error {
	return &engine.FaultError{Fault: e.fault, Why: "as configured"}
}

// TestBothAbsent checks that, if both programs fail before their first move, the side to move loses
// by its own fault.
func TestBothAbsent(t *testing.T) {
	plan, solutions := planOf(t,
		Plan{Players: []string{"engine:crashed", "engine:silent"}, Pairs: 1},
		"beginning", "highest")
	closed := 0
	text, _ := play(t, Runner{Plan: plan, Solutions: solutions, Concurrency: 1,
		Open: func(_ context.Context, command string) (Engine, error) {
			return &absentEngine{fakeEngine{closed: &closed}, engine.Fault(command)}, nil
		}})
	games := strings.Split(text, "\n")
	for i, fault := range []string{"crashed", "silent"} {
		if !strings.Contains(games[i], `"first":{"player":"engine:`+fault+`"`) ||
			!strings.Contains(games[i], `"fault":"`+fault+`"`) {
			t.Errorf("game %d is not lost by %s: %s", i+1, fault, games[i])
		}
	}
}
