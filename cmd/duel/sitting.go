package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"digitduel/arena/engine"
	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
	"digitduel/ui/tui"
)

// playersOf reads who plays for each seat: a level, or an engine and its command; a person has neither.
func playersOf(players [2]string) (levels, commands [2]string, err error) {
	for i, player := range players {
		command, isEngine := strings.CutPrefix(player, "engine:")
		switch _, err := bot.ParseLevel(player); {
		case player == "human":
		case isEngine:
			levels[i], commands[i] = match.EngineLevel, command
			if strings.TrimSpace(command) == "" {
				return levels, commands, fmt.Errorf("p%d %q: the command of the engine is missing, as in engine:python3 my.py", i+1, player)
			}
		case err != nil:
			return levels, commands, fmt.Errorf("p%d %q: allowed: human, engine:COMMAND, %s", i+1, player, strings.Join(bot.LevelNames(), ", "))
		default:
			levels[i] = player
		}
	}
	return levels, commands, nil
}

// seatedEngines are the engines that play for the seats; nil: none does.
type seatedEngines [2]*engine.Process

// How long an engine may think where there is no clock, and how much longer a person waits for it.
const (
	engineTime     = 5 * time.Second
	enginePatience = 55 * time.Second
)

// startEngines starts the engines of the seats that have one, sees that they play the game, and gives them their names.
func startEngines(ctx context.Context, commands [2]string, setup *match.Setup) (all seatedEngines, err error) {
	defer func() {
		if err != nil {
			all.close()
		}
	}()
	for i, command := range commands {
		if command == "" {
			continue
		}
		if all[i], err = engine.Start(ctx, command, engine.ProcessConfig{Wait: engineTime + enginePatience, Margin: enginePatience}); err != nil {
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

// engineName returns what an engine is called beside another player.
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

// close ends the engines.
func (e seatedEngines) close() {
	for _, p := range e {
		if p != nil {
			p.Close()
		}
	}
}

// newGame returns what plays a game for a seat with its engine.
func (e seatedEngines) newGame(ctx context.Context, seat match.Seat, r digit.Rules) bot.Choose {
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

// playOnScreen opens a table in the full screen at which engines sit. Its games are kept when they are over; one that is left cannot go on, for the
// command of an engine is not kept.
func (e seatedEngines) playOnScreen(cmd *cobra.Command, setup match.Setup, solved solveGame, record string, seed uint64) (err error) {
	ctx := cmd.Context()
	setup.FreeUndo = setup.FreeUndo && slices.Contains(setup.Levels[:], "")
	table, err := match.Open(ctx, "here", setup, new(match.Memory), rand.New(rand.NewPCG(seed, 0)))
	if err != nil {
		return err
	}
	defer table.Close()
	var told bytes.Buffer // until the screen is left
	leave, err := seatComputer(ctx, table, solved, e, seed, &told)
	if err != nil {
		return err
	}
	start := tui.Start{Table: table}
	for seat, level := range setup.Levels {
		if level == "" {
			start.Mine = append(start.Mine, match.Seat(seat))
		}
	}
	if _, err := table.Begin(ctx); err != nil {
		return err
	}
	err = openScreen(cmd, start, record, solve.DefaultBudget, seed)
	leave()
	_, _ = told.WriteTo(cmd.ErrOrStderr())
	return err
}

// solveGame solves one game after another.
type solveGame = func(digit.Rules) (*solve.Solution, error)

// seatComputer lets levels and engines play for the seats that have one, until leave is called.
func seatComputer(ctx context.Context, table *match.Table, solved solveGame, engines seatedEngines, seed uint64, errs io.Writer) (leave func(), err error) {
	state := table.State()
	if slices.ContainsFunc(state.Levels[:], func(level string) bool { return level != "" && level != match.EngineLevel }) {
		for _, r := range slices.Backward(state.Setup.Targets.All(state.Setup.Rules)) { // the first is solved last, and so is at hand
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
		newGame := func(r digit.Rules) bot.Choose { return engines.newGame(ctx, seat, r) }
		if engines[seat] == nil {
			newGame = func(r digit.Rules) bot.Choose { return playerOf(name, solved, r, rng) }
		}
		sitting.Go(func() {
			var err error
			for err == nil { // one series after the other
				if err = bot.Sit(ctx, table, seat, newGame); err == nil {
					err = awaitSeries(ctx, table)
				}
			}
			if ctx.Err() == nil && !errors.Is(err, errClosed) {
				printError(errs, fmt.Errorf("%s stopped playing: %w", state.Setup.Name(seat), err))
				if _, err := table.Do(ctx, seat, match.Resign, ""); err != nil && !errors.Is(err, match.ErrNoGame) {
					printError(errs, fmt.Errorf("and cannot resign: %w", err))
				}
			}
		})
	}
	return func() { cancel(); sitting.Wait() }, nil
}

// errClosed says that a table takes no more games.
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

// playerOf returns what plays a game at a level.
func playerOf(name string, solved solveGame, r digit.Rules, rng *rand.Rand) bot.Choose {
	level, err := bot.ParseLevel(name)
	if err != nil {
		panic("duel: a level that was read is none: " + err.Error())
	}
	s, err := solved(r)
	if err != nil { // it was solved before, so the program is ending
		return func(context.Context, match.State) (digit.Move, bool, error) { return digit.Move{}, false, err }
	}
	return bot.New(level, s, rng).Answer
}
