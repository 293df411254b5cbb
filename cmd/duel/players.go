package main

import (
	"fmt"
	"strings"

	"digitduel/bot"
	"digitduel/match"
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
