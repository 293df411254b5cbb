package arena

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"digitduel/bot"
	"digitduel/digit"
)

// An Answer is the answer of a program in a position.
type Answer struct {
	Move   digit.Move
	Tokens int64   // as reported by the program
	Cost   float64 // as reported by the program
}

// An Engine is a program that plays one game at a time. An error is an
// [*engine.FaultError], after which it may be asked again, or an error that ends the match.
type Engine interface {
	NewGame(ctx context.Context, r digit.Rules, seed uint64) error
	Choose(ctx context.Context, start digit.Position, moves []digit.Move,
		limit time.Duration) (Answer, error)
	Close()
}

// Prefixes of the names of players that are programs.
const (
	enginePrefix = "engine:" // started by command
	agentPrefix  = "agent:"  // joins by itself
)

// CheckPlayer returns nil if name is a level or the command of a program, that is, a player that
// can be started.
func CheckPlayer(name string) error {
	if _, ok := Agent(name); ok {
		return fmt.Errorf("player %q: an agent joins by itself, by duel mcp --out DIR; "+
			"players: %s, engine:COMMAND", name, strings.Join(bot.LevelNames(), ", "))
	}
	if command, ok := strings.CutPrefix(name, enginePrefix); ok {
		switch {
		case strings.TrimSpace(command) == "":
			return errors.New("player engine: missing command, such as engine:./my-engine")
		case digit.Printable(command) != command: // reports show it, and JSON keeps only UTF-8
			return fmt.Errorf("player %.80q: allowed: a command of printable characters", name)
		}
		return nil
	}
	if isProgram(name) {
		return fmt.Errorf("player %q: no such player; players: %s, engine:COMMAND",
			name, strings.Join(bot.LevelNames(), ", "))
	}
	return nil
}

// CheckName returns nil if a name is allowed for a program. Records and reports show it, but not
// its command.
func CheckName(name string) error {
	if _, isCommand := Command(name); isCommand || !isProgram(name) {
		return fmt.Errorf("name %q: a level or a command; choose another", name)
	}
	return CheckAgent(name)
}

// isProgram reports whether a player is given games as text. A level is not: it plays on the
// position itself.
func isProgram(name string) bool {
	_, err := levelOf(name)
	return err != nil
}

// levelOf returns the level of a player. Its name may have a number that distinguishes it from
// others of that level.
func levelOf(name string) (bot.Level, error) {
	level, _, _ := strings.Cut(name, "#")
	return bot.ParseLevel(level)
}

// Command returns the command of a player that is a program.
func Command(player string) (command string, ok bool) {
	command, ok = strings.CutPrefix(player, enginePrefix)
	i := strings.LastIndex(command, "#")
	if ok && i > 0 && strings.Trim(command[i+1:], "0123456789") == "" {
		command = command[:i]
	}
	return command, ok
}

// distinct returns the names with a number appended to repeated ones.
func distinct(names []string) []string {
	seen := map[string]int{}
	all := []string{}
	for _, name := range names {
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s#%d", name, seen[name])
		}
		all = append(all, name)
	}
	return all
}
