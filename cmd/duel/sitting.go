package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"digitduel/bot"
	"digitduel/bot/sit"
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

// playEngines opens a table in the full screen at which engines sit. Its games are kept when they are
// over; one that is left cannot be continued, for the command of an engine is not kept.
func playEngines(cmd *cobra.Command, engines sit.Engines, setup match.Setup, solved solveGame, record string, seed uint64) (err error) {
	ctx := cmd.Context()
	setup.FreeUndo = setup.FreeUndo && slices.Contains(setup.Levels[:], "")
	table, err := match.Open(ctx, "here", setup, new(match.Memory), rand.New(rand.NewPCG(seed, 0)))
	if err != nil {
		return err
	}
	defer table.Close()
	var told bytes.Buffer // until the screen is left
	leave, err := sit.Computer(ctx, table, solved, engines, seed, func(err error) { printError(&told, err) })
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
