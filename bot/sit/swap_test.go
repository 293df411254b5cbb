package sit

import (
	"math/rand/v2"
	"testing"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// TestSwap checks that the perfect level takes over exactly the first moves that win, and begins
// with a drawing move if there is one.
func TestSwap(t *testing.T) {
	for _, s := range solveAll(t, "dilemma", "highest", "divisibility target=13",
		"divisibility target=127", "dilemma target=37 final=below") {
		b := bot.New(bot.Perfect(), s, rand.New(rand.NewPCG(1, 1)))
		at := match.State{Setup: match.Setup{Rules: s.Rules(), Terms: match.Terms{Swap: true}}, Game: 1}
		taken, even := 0, false
		for _, c := range s.Choices(digit.Position{}) {
			at := at
			at.Position, at.Moves = c.Next, []digit.Move{c.Move}
			if s.Rules().Result(c.Next).Over() {
				continue
			}
			_, swap, err := Answer(b)(t.Context(), at)
			if want := c.Value.Outcome == solve.Win; swap != want || err != nil {
				t.Errorf("%v: takes over %v: %v, want %v; %v", s.Rules(), c.Move, swap, want, err)
			}
			if swap {
				taken++
			}
			even = even || c.Value.Outcome == solve.Draw
		}
		m, swap, err := Answer(b)(t.Context(), at)
		if c := s.Choice(digit.Position{}, m); swap || err != nil || even && c.Value.Outcome != solve.Draw {
			t.Errorf("%v: begins with %v, which is %v: %v", s.Rules(), m, c.Value, err)
		}
		t.Logf("%v: %d first moves are taken over; it begins with %v", s.Rules(), taken, m)
	}
}

// TestSwapAtTheTable checks that a computer takes over a winning first move at a table, and
// continues from there.
func TestSwapAtTheTable(t *testing.T) {
	s := solveAll(t, "highest")[0]
	setup := match.Setup{
		Rules: s.Rules(), Terms: match.Terms{Swap: true}, Levels: [2]string{"", "perfect"},
	}
	table, err := match.Open(t.Context(), "t", setup, new(match.Memory), nil)
	if err != nil {
		t.Fatal(err)
	}
	left := make(chan error)
	go func() {
		left <- Play(t.Context(), table, match.Two, func(digit.Rules) Choose {
			return Answer(bot.New(bot.Perfect(), s, rand.New(rand.NewPCG(1, 1))))
		})
	}()
	if _, err := table.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	for e, state := range table.Watch(t.Context(), 0) {
		if e.Seq != table.State().Seq || !state.Playing() || state.Turn() == match.Two {
			if state.SeriesOver() {
				break
			}
			continue
		}
		m := digit.Move{Digit: 9, Spot: 'a'}
		if len(state.Moves) > 0 {
			m, _ = state.Setup.Rules.Pick(state.Position, func(int) int { return 0 })
		}
		if _, err := table.Play(t.Context(), match.One, m, state.Seq); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-left; err != nil {
		t.Error(err)
	}
	if state := table.State(); !state.Swapped || state.Starter() != match.Two || state.Wins != [2]int{0, 1} {
		t.Errorf("swapped %v, wins %v: %v", state.Swapped, state.Wins, state.Record())
	}
}
