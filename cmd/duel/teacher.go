package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"

	"digitduel/bot"
	"digitduel/cli"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A teacher knows the solution of a game from when it is first asked for it.
type teacher struct {
	rules    digit.Rules
	errs     io.Writer // shows how solving goes on, if it takes a while
	once     sync.Once
	solution *solve.Solution
	err      error
}

func (t *teacher) solve(ctx context.Context) (*solve.Solution, error) {
	t.once.Do(func() { t.solution, t.err = solveWithin(ctx, t.rules, solve.DefaultBudget, t.errs) })
	return t.solution, t.err
}

func (t *teacher) hint(ctx context.Context, p digit.Position) (cli.Hint, error) {
	s, err := t.solve(ctx)
	if err != nil {
		return cli.Hint{}, err
	}
	hint, ok := coach.Advise(s, p, coach.Reader(t.rules.Turn(p)))
	if !ok {
		return cli.Hint{}, errors.New("the game is over")
	}
	return cli.Hint{Move: hint.Move, Reason: hint.Reason}, nil
}

// review tells in short what was wrong in a game.
func (t *teacher) review(ctx context.Context, rec digit.Record) (string, error) {
	s, err := t.solve(ctx)
	if err != nil {
		return "", err
	}
	review, err := coach.ReviewGame(s, rec, rulebook.Cast{})
	if err != nil {
		return "", err
	}
	return reviewText(review, false), nil
}

// seat lets the computer play for the seats that have a level, until leave is called.
func (t *teacher) seat(ctx context.Context, game *cli.Game, levels [2]*bot.Level, seed uint64) (leave func(), err error) {
	ctx, cancel := context.WithCancel(ctx)
	var sitting sync.WaitGroup
	leave = func() {
		cancel()
		sitting.Wait()
	}
	for _, seat := range match.Seats {
		level := levels[seat]
		if level == nil {
			continue
		}
		s, err := t.solve(ctx)
		if err != nil {
			leave()
			return nil, fmt.Errorf("the computer cannot play: %w", err)
		}
		game.Computer[seat] = level.Name
		rng := rand.New(rand.NewPCG(seed, 1+uint64(seat)))
		sitting.Go(func() {
			newGame := func() func(digit.Position) digit.Move { return bot.New(*level, s, rng).Choose }
			if err := bot.Sit(ctx, game.Table, seat, newGame); err != nil && ctx.Err() == nil {
				fmt.Fprintf(t.errs, "duel: the computer stopped playing: %v\n", err)
				game.Table.Resign(ctx, seat)
			}
		})
	}
	return leave, nil
}

// levelsOf reads who plays for each seat; nil is a person.
func levelsOf(players [2]string) (levels [2]*bot.Level, err error) {
	for i, player := range players {
		if player == "human" {
			continue
		}
		level, err := bot.ParseLevel(player)
		if err != nil {
			return levels, fmt.Errorf("p%d %q: allowed: human, %s", i+1, player, strings.Join(bot.LevelNames(), ", "))
		}
		levels[i] = &level
	}
	return levels, nil
}

func levelList() string {
	var b strings.Builder
	for _, l := range bot.Levels {
		fmt.Fprintf(&b, "  %-9s %s\n", l.Name, l.Line)
	}
	return b.String()
}
