package arena

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"digitduel/bot"
	"digitduel/digit"
)

// A Fault is how a program lost a game other than by its moves. The zero Fault is none.
type Fault string

// The faults.
const (
	Unreadable Fault = "unreadable" // it answered something that is no move
	Illegal    Fault = "illegal"    // it answered a move that is not legal
	Late       Fault = "late"       // it answered after its time
	Crashed    Fault = "crashed"    // it ended
	Silent     Fault = "silent"     // it did not answer at all
)

// Faults are all the faults.
var Faults = []Fault{Unreadable, Illegal, Late, Crashed, Silent}

func (f Fault) known() bool { return slices.Contains(Faults, f) }

// reason returns why a game is over that ended by a fault.
func (f Fault) reason() digit.Reason {
	switch {
	case f == Late || f == Silent:
		return digit.TimeOut
	case f.again():
		return digit.Forfeit
	}
	return digit.Departure
}

// again reports whether a program may be asked once more.
func (f Fault) again() bool { return f == Unreadable || f == Illegal }

// A FaultError says that a program has failed in a game, and how.
type FaultError struct {
	Fault Fault
	Err   error
}

func (e *FaultError) Error() string { return fmt.Sprintf("%s: %v", e.Fault, e.Err) }

func (e *FaultError) Unwrap() error { return e.Err }

// An Answer is what a program says in a position.
type Answer struct {
	Move   digit.Move
	Tokens int64   // that it took, as the program tells
	Cost   float64 // as the program tells
}

// An Engine is a program that plays, one game at a time. An error is a [*FaultError], after which it may be asked again, or what keeps
// the whole match from going on.
type Engine interface {
	NewGame(ctx context.Context, r digit.Rules, seed uint64) error
	Choose(ctx context.Context, start digit.Position, moves []digit.Move, limit time.Duration) (Answer, error)
	Close()
}

// What begins the name of a player that is a program.
const (
	enginePrefix = "engine:" // one that is started
	agentPrefix  = "agent:"  // one that comes by itself
)

// CheckPlayer returns nil if a name is that of a level or the command of a program: of somebody who plays when asked to.
func CheckPlayer(name string) error {
	if _, ok := Agent(name); ok {
		return fmt.Errorf("player %q: an agent comes by itself, by duel mcp --out DIR; players: %s, engine:COMMAND", name, strings.Join(bot.LevelNames(), ", "))
	}
	if command, ok := strings.CutPrefix(name, enginePrefix); ok {
		switch {
		case strings.TrimSpace(command) == "":
			return errors.New("player engine: it needs a command, such as engine:./my-engine")
		case digit.Printable(command) != command: // reports show it, and JSON keeps UTF-8 alone
			return fmt.Errorf("player %.80q: allowed: a command of characters that can be printed", name)
		}
		return nil
	}
	if _, err := bot.ParseLevel(levelOf(name)); err != nil {
		return fmt.Errorf("player %q: there is no such player; players: %s, engine:COMMAND", name, strings.Join(bot.LevelNames(), ", "))
	}
	return nil
}

// reads reports whether a player is told games, and does not play underneath as levels do.
func reads(name string) bool {
	_, err := bot.ParseLevel(levelOf(name))
	return err != nil
}

// levelOf returns the name of a level without the number that tells it from others of that level.
func levelOf(name string) string {
	level, _, _ := strings.Cut(name, "#")
	return level
}

// Command returns the command of a player that is a program.
func Command(player string) (command string, ok bool) {
	command, ok = strings.CutPrefix(player, enginePrefix)
	if i := strings.LastIndex(command, "#"); ok && i > 0 && strings.Trim(command[i+1:], "0123456789") == "" {
		command = command[:i]
	}
	return command, ok
}

// distinct returns the names of players, with a number behind those that are there already.
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
