// Package bot holds opponents of every strength. A level plays as people of that strength do: it looks only so far
// ahead, overlooks multiples, does not see threats or loses the thread; only the last one is perfect.
package bot

import (
	"fmt"
	"strings"
)

// A Level is a strength of play. The levels differ in what they see, not in how often dice replace their moves.
type Level struct {
	Name string
	Line string // tells people how it plays

	ahead int     // how many plies it looks ahead: 1 is its own move, 2 the reply
	slips float64 // the share of numbers of which it does not notice that they are multiples
	fog   float64 // how likely each ply beyond its own move is to hide what comes of a move
	care  float64 // how much the other player's chances count in its feeling, compared with its own
	whim  float64 // how much mood there is in its feeling
	rash  float64 // the share of numbers it wrongly takes for multiples when it may call
}

// Levels are the levels from the weakest to the strongest.
var Levels = []Level{
	{Name: "beginner", Line: "takes what it likes and often misses a win", ahead: 1, slips: 0.60, whim: 4, rash: 0.02},
	{Name: "novice", Line: "sees most of its own wins, but not yours", ahead: 1, slips: 0.25, whim: 2, rash: 0.012},
	{Name: "casual", Line: "looks at your next move too, and overlooks some", ahead: 2, slips: 0.20, fog: 0.30, care: 0.5, whim: 1.5, rash: 0.004},
	{Name: "skilled", Line: "looks three moves ahead with an odd slip", ahead: 3, slips: 0.12, fog: 0.30, care: 1, whim: 1, rash: 0.002},
	{Name: "expert", Line: "looks four moves ahead and rarely slips", ahead: 4, slips: 0.06, fog: 0.25, care: 1, whim: 0.5},
	{Name: "master", Line: "sees nearly everything", ahead: 5, slips: 0.03, fog: 0.25, care: 1, whim: 0.4},
	{Name: "perfect", Line: "never errs, and makes a lost game as hard as can be", ahead: always},
}

const always = 99 // more plies than any game has

// Perfect is the level that never errs.
func Perfect() Level { return Levels[len(Levels)-1] }

// LevelNames returns the names of the levels.
func LevelNames() []string {
	names := make([]string, len(Levels))
	for i, l := range Levels {
		names[i] = l.Name
	}
	return names
}

// ParseLevel returns the level of a name.
func ParseLevel(name string) (Level, error) {
	for _, l := range Levels {
		if l.Name == name {
			return l, nil
		}
	}
	return Level{}, fmt.Errorf("level %q: there is no such level; levels: %s", name, strings.Join(LevelNames(), ", "))
}
