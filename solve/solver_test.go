package solve

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"digitduel/digit"
)

// TestSolver checks that concurrent calls share one solution, and that a canceled call does not
// prevent a later one.
func TestSolver(t *testing.T) {
	var s Solver
	var all [4]*Solution
	var calls sync.WaitGroup
	for i := range all {
		calls.Go(func() {
			var err error
			if all[i], err = s.Solve(t.Context(), digit.Divisibility); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
	for _, one := range all {
		if one != all[0] {
			t.Error("a game was solved twice")
		}
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Solve(canceled, digit.Dilemma); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
	if _, err := s.Solve(t.Context(), digit.Dilemma); err != nil {
		t.Error(err)
	}
}

// TestSolverPanics checks that a panic while a game is solved is returned as an error, and that
// waiting and later calls solve the game again.
func TestSolverPanics(t *testing.T) {
	large := digit.Dilemma
	large.Width = 4
	for _, r := range []digit.Rules{digit.Dilemma, large} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var fail atomic.Bool
			fail.Store(true)
			working, broken := make(chan struct{}), make(chan struct{})
			begin := sync.OnceFunc(func() { close(working); <-broken })
			s := Solver{Config: Config{Workers: 2, Progress: func(int64, int64) {
				begin()
				if fail.CompareAndSwap(true, false) {
					panic("a fault")
				}
			}}}
			first, second := make(chan error, 1), make(chan error, 1)
			solve := func(result chan error) {
				_, err := s.Solve(ctx, r)
				result <- err
			}
			go solve(first)
			<-working
			go solve(second)
			synctest.Wait()
			close(broken)
			if err := <-first; err == nil || !strings.Contains(err.Error(), "panic: a fault") {
				t.Errorf("%v: %v", r, err)
			}
			if err := <-second; err != nil {
				t.Errorf("%v, in the waiting call: %v", r, err)
			}
			fail.Store(true)
			other := digit.Sevens
			if _, err := s.Solve(ctx, other); err == nil {
				t.Errorf("%v: no error", other)
			}
			if _, err := s.Solve(ctx, other); err != nil {
				t.Errorf("%v, in a later call: %v", other, err)
			}
		})
	}
}

// similarRules returns n games of about the same size: divisibility with other targets.
func similarRules(n int) []digit.Rules {
	var all []digit.Rules
	for target := 101; len(all) < n; target++ {
		r := digit.Divisibility
		r.Target = uint16(target)
		all = append(all, r)
	}
	return all
}

// TestSolverBudget solves many games in turn, and checks that the cached solutions stay within the
// budget, and that the last one and those in use are kept.
func TestSolverBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		games := similarRules(8)
		one, err := Solve(t.Context(), games[0], Config{})
		if err != nil {
			t.Fatal(err)
		}
		s := Solver{Config: Config{Budget: 4 * one.size.Bytes}}
		book, _ := s.Solve(t.Context(), digit.Dilemma) // in use all the time
		var last *Solution
		for _, r := range games {
			ctx, done := context.WithCancel(t.Context())
			if last, err = s.Solve(ctx, r); err != nil {
				t.Fatal(err)
			}
			done()
			synctest.Wait()
			if s.bytes > s.Config.Budget {
				t.Errorf("%v: %d bytes are kept, the budget is %d", r, s.bytes, s.Config.Budget)
			}
		}
		if len(s.kept) < 3 {
			t.Errorf("%d solutions are kept, want at least 3", len(s.kept))
		}
		for _, want := range []*Solution{book, last} {
			if got, err := s.Solve(t.Context(), want.Rules()); got != want || err != nil {
				t.Errorf("%v was not kept: %v", want.Rules(), err)
			}
		}
	})
}

// TestSolverFull checks that a game waits while solutions in use fill the budget, and is solved
// when one of them is released.
func TestSolverFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		games := similarRules(5)
		one, err := Solve(t.Context(), games[0], Config{})
		if err != nil {
			t.Fatal(err)
		}
		s := Solver{Config: Config{Budget: one.size.Bytes * 5 / 2}}
		var users []context.CancelFunc
		answers := make(chan error, len(games))
		for _, r := range games {
			ctx, done := context.WithCancel(t.Context())
			defer done()
			users = append(users, done)
			go func() {
				_, err := s.Solve(ctx, r)
				answers <- err
			}()
			synctest.Wait()
		}
		if len(answers) != 3 || s.bytes > s.Config.Budget+one.size.Bytes*11/10 {
			t.Errorf("%d games are solved and %d bytes in use; the budget is %d",
				len(answers), s.bytes, s.Config.Budget)
		}
		users[3]() // this call still waits
		users[0]()
		synctest.Wait()
		for range games {
			if err := <-answers; err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
		if s.kept[games[4]] == nil || s.kept[games[0]] != nil || s.kept[games[3]] != nil {
			t.Error("the waiting game was not solved in the memory of the released one")
		}
	})
}

// TestSolverTurn checks that, while a large game is being solved, small games are solved and other
// large ones wait.
func TestSolverTurn(t *testing.T) {
	large := rules(t, "dilemma pool=0-c width=4")
	synctest.Test(t, func(t *testing.T) {
		var s Solver
		if _, err := s.Solve(t.Context(), digit.Highest); err != nil {
			t.Fatal(err)
		}
		s.slow <- struct{}{}
		for _, r := range append(similarRules(2), digit.Highest, digit.Sevens) {
			if _, err := s.Solve(t.Context(), r); err != nil {
				t.Errorf("%v: %v", r, err)
			}
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		answer := make(chan error, 1)
		go func() {
			_, err := s.Solve(ctx, large)
			answer <- err
		}()
		synctest.Wait()
		if len(answer) > 0 {
			t.Errorf("a large game did not wait: %v", <-answer)
		}
		why := errors.New("canceled by the test")
		cancel(why)
		if err := <-answer; !errors.Is(err, why) {
			t.Errorf("%v, want %v", err, why)
		}
		<-s.slow
		if _, err := s.Solve(t.Context(), large); err != nil {
			t.Errorf("a large game after the other: %v", err)
		}
	})
}

// TestSolverLine checks that waiting large games have a place in the queue, and that SolveSmall
// returns ErrLarge for them at once.
func TestSolverLine(t *testing.T) {
	first, second := rules(t, "dilemma pool=0-c width=4"), rules(t, "dilemma pool=0-d width=4")
	var s Solver
	if _, cost, err := s.SolveSmall(t.Context(), first); !errors.Is(err, ErrLarge) || cost <= 0 ||
		cost > 10*smallTime {
		t.Errorf("a large game: cost %v, %v", cost, err)
	}
	if _, cost, err := s.SolveSmall(t.Context(), first); !errors.Is(err, ErrLarge) || cost != 0 {
		t.Errorf("a game known to be large: cost %v, %v", cost, err)
	}
	synctest.Test(t, func(t *testing.T) {
		var s Solver
		if _, cost, err := s.SolveSmall(t.Context(), digit.Highest); err != nil {
			t.Errorf("a small game: cost %v, %v", cost, err)
		}
		s.slow <- struct{}{}
		var asked sync.WaitGroup
		for i, r := range []digit.Rules{first, second, first} {
			asked.Go(func() {
				if _, _, err := s.SolveAtCost(t.Context(), r); err != nil {
					t.Errorf("%v: %v", r, err)
				}
			})
			synctest.Wait()
			if got, want := s.Place(r), 1+i%2; got != want {
				t.Errorf("%v is at place %d, want %d", r, got, want)
			}
			if _, _, err := s.SolveSmall(t.Context(), r); !errors.Is(err, ErrLarge) || s.Has(r) {
				t.Errorf("SolveSmall of a waiting game: %v, solved: %t", err, s.Has(r))
			}
		}
		<-s.slow
		asked.Wait()
		for _, r := range []digit.Rules{first, second} {
			if _, cost, err := s.SolveSmall(t.Context(), r); err != nil || cost != 0 ||
				s.Place(r) != 0 || !s.Has(r) {
				t.Errorf("a solved game: place %d, cost %v, %v", s.Place(r), cost, err)
			}
		}
	})
}

// TestSolverSmall checks that a small game is solved even if large games in use exceed the budget,
// and that another large one is not.
func TestSolverSmall(t *testing.T) {
	if raced {
		t.Skip("large games take long")
	}
	synctest.Test(t, func(t *testing.T) {
		s := Solver{Config: Config{Budget: 20 << 20}}
		for _, text := range []string{"divisibility pool=1-b target=97",
			"divisibility pool=1-b target=101", "dilemma width=4", "dilemma"} {
			if _, err := s.Solve(t.Context(), rules(t, text)); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		answer := make(chan error, 1)
		go func() {
			_, err := s.Solve(ctx, rules(t, "divisibility pool=1-b target=103"))
			answer <- err
		}()
		synctest.Wait()
		if len(answer) > 0 || s.bytes > 2*s.Config.Budget {
			t.Errorf("%d bytes in use, another large game solved: %v", s.bytes, len(answer) > 0)
		}
		cancel()
		<-answer
	})
}

// TestSolverRefuses checks that a game over the budget is not examined again, and that the solver
// remembers only a limited number of them.
func TestSolverRefuses(t *testing.T) {
	s := Solver{Config: Config{Budget: 1000}}
	for range 2 {
		var first error
		for range 3 {
			_, err := s.Solve(t.Context(), digit.Dilemma)
			if first == nil {
				first = err
			}
			if !errors.As(err, new(*BudgetError)) ||
				err != first { //nolint:errorlint // the same error value
				t.Errorf("refused with %v, want %v", err, first)
			}
		}
		r := digit.Dilemma
		for r.Target = 8; r.Target < 9+mostKnown; r.Target++ {
			if _, err := s.Solve(t.Context(), r); err == nil {
				t.Fatalf("%v is solved", r)
			}
		}
		if len(s.kept) > mostKnown {
			t.Errorf("%d refusals are remembered", len(s.kept))
		}
	}
}
