package sit

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

var solver solve.Solver // shared, so that each game is solved once

// solveAll returns the solutions of games.
func solveAll(t testing.TB, texts ...string) []*solve.Solution {
	t.Helper()
	var all []*solve.Solution
	for _, text := range texts {
		r, err := digit.ParseRules(text)
		if err != nil {
			t.Fatal(err)
		}
		s, err := solver.Solve(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

// TestSit lets two bots play a series at a table.
func TestSit(t *testing.T) {
	for _, s := range solveAll(t, digit.BookNames()...) {
		setup := match.Setup{Rules: s.Rules(), Terms: match.Terms{BestOf: 5}}
		table, err := match.Open(t.Context(), "t", setup, new(match.Memory), nil)
		if err != nil {
			t.Fatal(err)
		}
		var sitting sync.WaitGroup
		for _, seat := range match.Seats {
			rng := rand.New(rand.NewPCG(3, uint64(seat)))
			sitting.Go(func() {
				newGame := func(digit.Rules) Choose {
					return Answer(bot.New(bot.Levels[2+int(seat)], s, rng))
				}
				if err := Play(t.Context(), table, seat, newGame); err != nil {
					t.Errorf("%v: %v", seat, err)
				}
			})
		}
		for e := range table.Watch(t.Context(), 0) { // someone has to begin the games
			if state := table.State(); state.SeriesOver() {
				break
			} else if !state.Playing() && e.Seq == state.Seq {
				if _, err := table.Begin(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		sitting.Wait()
		table.Close()
	}
}

// TestSitAgrees checks that a bot agrees to an undo, and that it can be canceled while it waits.
func TestSitAgrees(t *testing.T) {
	s := solveAll(t, "highest")[0]
	table, err := match.Open(t.Context(), "t", match.Setup{Rules: s.Rules()}, new(match.Memory), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		left <- Play(ctx, table, match.Two, func(digit.Rules) Choose {
			return Answer(bot.New(bot.Perfect(), s, rand.New(rand.NewPCG(1, 1))))
		})
	}()
	if _, err := table.Begin(ctx); err != nil {
		t.Fatal(err)
	}
	asked, undone := false, false
	if _, err := table.Play(ctx, match.One, digit.Move{Digit: 9, Spot: 'a'}, 0); err != nil {
		t.Fatal(err)
	}
	for range table.Watch(ctx, 0) {
		state := table.State()
		if !asked && len(state.Moves) == 2 {
			asked = true
			if _, err := table.Do(ctx, match.One, match.Undo, ""); err != nil {
				t.Fatal(err)
			}
		}
		if undone = asked && len(state.Moves) == 0; undone {
			break
		}
	}
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled bot: got %v, want %v", err, context.Canceled)
	}
	table.Close()
}

// TestBorrowing checks that a bot that borrows its solutions plays like one that has one, and
// returns each when it has chosen.
func TestBorrowing(t *testing.T) {
	solution := solveAll(t, "dilemma")[0]
	level, err := bot.ParseLevel("casual")
	if err != nil {
		t.Fatal(err)
	}
	own := bot.New(level, solution, rand.New(rand.NewPCG(1, 2)))
	var borrowed context.Context
	solveGame := func(ctx context.Context, _ digit.Rules) (*solve.Solution, error) {
		borrowed = ctx
		return solution, nil
	}
	choose := Borrowing(level, digit.Dilemma, solveGame, rand.New(rand.NewPCG(1, 2)))
	for p := (digit.Position{}); !digit.Dilemma.Result(p).Over(); {
		want := own.Choose(p)
		got, swap, err := choose(t.Context(), match.State{Position: p})
		if got != want || swap || err != nil {
			t.Fatalf("%v: %v %v %v, want %v", p, got, swap, err, want)
		}
		if borrowed.Err() == nil {
			t.Fatal("the solution was not returned")
		}
		if p, err = digit.Dilemma.Play(p, want); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOldLevel checks that the computer also moves at a level of an older program.
func TestOldLevel(t *testing.T) {
	s := solveAll(t, "highest")[0]
	setup := match.Setup{Rules: s.Rules(), Levels: [2]string{"legend", ""}}
	table, err := match.Open(t.Context(), "t", setup, new(match.Memory), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	var hosting sync.WaitGroup
	hosting.Go(func() {
		_ = HostLevels(ctx, table, func(context.Context, digit.Rules) (*solve.Solution, error) {
			return s, nil
		})
	})
	if _, err := table.Begin(ctx); err != nil {
		t.Fatal(err)
	}
	for _, now := range table.Watch(ctx, 0) {
		if len(now.Moves) == 1 {
			break
		}
	}
	table.Close()
	hosting.Wait()
}
