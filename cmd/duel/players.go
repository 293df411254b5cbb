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
	"digitduel/match"
	"digitduel/ui/tui"
)

// playersOf reads the player of each seat: a level, or an engine with its command. A person has
// neither.
func playersOf(players [2]string) (levels, commands [2]string, err error) {
	for i, player := range players {
		flag := fmt.Sprintf("p%d", i+1)
		command, isEngine := strings.CutPrefix(player, "engine:")
		lower := strings.ToLower(player)
		switch _, err := bot.ParseLevel(lower); {
		case lower == "human":
		case isEngine:
			levels[i], commands[i] = match.EngineLevel, command
			if strings.TrimSpace(command) == "" {
				err := usagef("%s %q: missing command, as in engine:python3 my.py", flag, player)
				return levels, commands, err
			}
		case err != nil:
			err := fmt.Errorf("%s %q: allowed: human, engine:COMMAND, %s",
				flag, player, strings.Join(bot.LevelNames(), ", "))
			return levels, commands, unknownLevel(flag, player, err)
		default:
			levels[i] = lower
		}
	}
	return levels, commands, nil
}

// playEngines plays against engines on the full screen. Finished games are saved; an unfinished one
// cannot be continued, because the command of an engine is not saved.
func playEngines(
	cmd *cobra.Command, engines sit.Engines, setup match.Setup, solved solveGame,
) (err error) {
	ctx, seed := cmd.Context(), seedOf(cmd)
	setup.FreeUndo = setup.FreeUndo && slices.Contains(setup.Levels[:], "")
	rng := rand.New(rand.NewPCG(seed, 0))
	table, err := match.Open(ctx, "here", setup, new(match.Memory), rng)
	if err != nil {
		return err
	}
	defer table.Close()
	var failures bytes.Buffer // printed when the screen is closed
	report := func(err error) { printError(&failures, err) }
	leave, err := sit.Computer(ctx, table, solved, engines, seed, report)
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
	err = openScreen(cmd, start)
	leave()
	_, _ = failures.WriteTo(cmd.ErrOrStderr())
	return err
}
