//go:build !js

package sit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"digitduel/arena/engine"
	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// Engines holds the engine of each seat, or nil.
type Engines [2]*engine.Process

// engineTime limits thinking without a clock. enginePatience is how much longer a person waits.
const (
	engineTime     = 5 * time.Second
	enginePatience = 55 * time.Second
)

// StartEngines starts the engines of the seats that have a command, checks that they play the game,
// and names the seats after them.
func StartEngines(
	ctx context.Context, commands [2]string, setup *match.Setup,
) (all Engines, err error) {
	defer func() {
		if err != nil {
			all.Close()
		}
	}()
	for i, command := range commands {
		if command == "" {
			continue
		}
		config := engine.ProcessConfig{
			Wait:   engineTime + enginePatience,
			Margin: enginePatience,
		}
		if all[i], err = engine.Start(ctx, command, config); err != nil {
			return all, err
		}
		for _, r := range setup.Targets.All(setup.Rules) {
			if err := all[i].NewGame(ctx, r); err != nil {
				return all, err
			}
		}
		if setup.Names[i] == "" {
			setup.Names[i] = engineName(all[i].Name, setup.Name(match.Seat(1-i)))
		}
	}
	return all, nil
}

// engineName returns the name of an engine at a table with another player.
func engineName(own, other string) string {
	name, err := match.CleanName(own)
	if err != nil || name == "" {
		name = "Engine"
	}
	if name == other {
		name = "Other " + name
	}
	if match.CheckName(name) != nil || name == other {
		name = "Other engine"
	}
	return name
}

// Close ends the engines.
func (e Engines) Close() {
	for _, p := range e {
		if p != nil {
			p.Close()
		}
	}
}

// newGame returns a Choose that plays a game for a seat with its engine.
func (e Engines) newGame(ctx context.Context, seat match.Seat, r digit.Rules) Choose {
	p := e[seat]
	err := p.NewGame(ctx, r)
	return func(ctx context.Context, s match.State) (digit.Move, bool, error) {
		if err != nil {
			return digit.Move{}, false, err
		}
		limit := engine.Limit{MoveTime: engineTime, Swap: s.Swaps()}
		if s.Setup.TurnTime > 0 {
			limit.MoveTime = s.Setup.TurnTime - s.Setup.TurnTime/10
		}
		a, err := p.Choose(ctx, digit.Position{}, s.Moves, limit)
		return a.Move, a.Swap, err
	}
}

// Computer lets levels and engines play for the seats that have one, until leave is called. A
// player that fails resigns, and report is called with the reason.
func Computer(
	ctx context.Context, table *match.Table, solved func(digit.Rules) (*solve.Solution, error),
	engines Engines, seed uint64, report func(error),
) (leave func(), err error) {
	state := table.State()
	isLevel := func(level string) bool { return level != "" && level != match.EngineLevel }
	if slices.ContainsFunc(state.Levels[:], isLevel) {
		// The first rules are solved last, so they are ready.
		for _, r := range slices.Backward(state.Setup.Targets.All(state.Setup.Rules)) {
			if _, err := solved(r); err != nil {
				return nil, fmt.Errorf("the computer cannot play: %w", err)
			}
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	var sitting sync.WaitGroup
	for seat, name := range state.Levels {
		if name == "" {
			continue
		}
		seat, rng := match.Seat(seat), rand.New(rand.NewPCG(seed, 1+uint64(seat)))
		newGame := func(r digit.Rules) Choose { return engines.newGame(ctx, seat, r) }
		if engines[seat] == nil {
			level, err := bot.ParseLevel(name)
			if err != nil {
				panic("sit: level of a table: " + err.Error())
			}
			newGame = func(r digit.Rules) Choose {
				s, err := solved(r)
				if err != nil { // it was solved before, so the program is ending
					return func(context.Context, match.State) (digit.Move, bool, error) {
						return digit.Move{}, false, err
					}
				}
				return Answer(bot.New(level, s, rng))
			}
		}
		sitting.Go(func() {
			var err error
			for err == nil { // one series after the other
				if err = Play(ctx, table, seat, newGame); err == nil {
					err = awaitSeries(ctx, table)
				}
			}
			if ctx.Err() == nil && !errors.Is(err, errClosed) {
				report(fmt.Errorf("%s stopped playing: %w", state.Setup.Name(seat), err))
				_, err := table.Do(ctx, seat, match.Resign, "")
				if err != nil && !errors.Is(err, match.ErrNoGame) {
					report(fmt.Errorf("and cannot resign: %w", err))
				}
			}
		})
	}
	return func() { cancel(); sitting.Wait() }, nil
}

// errClosed reports that a table takes no more games.
var errClosed = errors.New("the table is closed")

// awaitSeries waits for the next series at a table.
func awaitSeries(ctx context.Context, table *match.Table) error {
	last := table.State()
	if !last.SeriesOver() {
		return nil
	}
	for _, s := range table.Watch(ctx, last.Seq) {
		if !s.SeriesOver() {
			return nil
		}
	}
	return cmp.Or(ctx.Err(), errClosed)
}
