package sit

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// playAgainst plays the games of a program that takes the first legal move, and returns their
// moves. If again is set, another hall resumes the table before every move, as after a restart.
func playAgainst(t *testing.T, s *solve.Solution, setup match.Setup, again bool) string {
	t.Helper()
	host := func(ctx context.Context, t *match.Table) error {
		return HostLevels(ctx, t, func(context.Context, digit.Rules) (*solve.Solution, error) { return s, nil })
	}
	store := new(match.Memory)
	hall := match.NewHall(store, match.HallConfig{Host: host})
	v, err := hall.Open(t.Context(), "t", setup)
	if err != nil {
		t.Fatal(err)
	}
	state, err := v.Table.Begin(t.Context())
	for ; err == nil && !state.SeriesOver(); state = v.Table.State() {
		synctest.Wait()
		switch state = v.Table.State(); {
		case !state.Playing():
			_, err = v.Table.Do(t.Context(), match.One, match.Next, "")
			continue
		case state.Turn() != match.One:
			t.Fatalf("the computer does not answer: %v", state.Record())
		}
		if again {
			hall.Close()
			hall = match.NewHall(store, match.HallConfig{Host: host})
			if v, err = hall.Visit(t.Context(), "t"); err != nil {
				t.Fatal(err)
			}
		}
		// A fault does not change the moves of the computer.
		if _, err = v.Table.Fault(t.Context(), match.One, match.Unreadable); err != nil {
			break
		}
		m, _ := setup.Rules.Pick(state.Position, func(int) int { return 0 })
		_, err = v.Table.Play(t.Context(), match.One, m, 0)
		synctest.Wait()
	}
	if err != nil {
		t.Fatal(err)
	}
	hall.Close()
	var games strings.Builder
	for step := range v.Table.Past(0) {
		if step.Event.Kind == match.Moved {
			fmt.Fprint(&games, step.After.Game, step.Event.Move, " ")
		}
	}
	return games.String()
}

// TestForetold checks that the moves of the computer against a program follow from the seed of
// the table, also after a restart, and that other seeds give other games.
func TestForetold(t *testing.T) {
	s, err := solve.Solve(t.Context(), digit.Dilemma, solve.Config{})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		seen := map[string]bool{}
		for seed := range uint64(12) {
			setup := match.Setup{
				Rules: digit.Dilemma, Levels: [2]string{"", "casual"}, First: match.Seat(seed % 2),
				Terms: match.Terms{Pair: seed%3 == 0}, Agent: match.Agent{Seed: seed, Tries: 2},
			}
			first := playAgainst(t, s, setup, false)
			for _, again := range []bool{false, true} {
				if second := playAgainst(t, s, setup, again); second != first {
					t.Errorf("seed %d, resumed %v:\n%s\n%s", seed, again, first, second)
				}
			}
			seen[first] = true
		}
		if len(seen) < 10 {
			t.Errorf("12 seeds give %d games, want at least 10", len(seen))
		}
	})
}
