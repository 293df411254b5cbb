// Package bot holds opponents of every strength. A level plays as people of that strength do: it overlooks multiples, does not
// think of replies and sees the less the further off it is; only the last one is perfect.
package bot

import (
	"fmt"
	"strings"
)

// A Level is a strength of play. The levels differ in what they see, not in how often dice replace their moves.
type Level struct {
	Name string
	Line string // tells people how it plays

	slips float64 // the share of numbers of which it does not notice that they are multiples
	sight float64 // how much of the reply it sees; of what comes after that the less the further off it is; 1: it sees everything
	care  float64 // how much the other player's chances count in its feeling, compared with its own
	whim  float64 // how much mood there is in its feeling
	rash  float64 // the share of numbers it wrongly takes for multiples when it may call
}

// Levels are the levels from the weakest to the strongest.
var Levels = []Level{
	{Name: "beginner", Line: "takes what it likes and often misses a win", slips: 0.60, sight: 0.10, whim: 4, rash: 0.02},
	{Name: "novice", Line: "sees most of its own wins, but few of yours", slips: 0.40, sight: 0.30, care: 0.2, whim: 2.5, rash: 0.012},
	{Name: "casual", Line: "looks at your next move too, and overlooks some", slips: 0.25, sight: 0.60, care: 0.5, whim: 1.6, rash: 0.004},
	{Name: "skilled", Line: "looks about three moves ahead, with an odd slip", slips: 0.16, sight: 0.76, care: 1, whim: 1, rash: 0.002},
	{Name: "expert", Line: "looks about four moves ahead and rarely slips", slips: 0.10, sight: 0.86, care: 1, whim: 0.7},
	{Name: "master", Line: "sees nearly everything", slips: 0.03, sight: 0.94, care: 1, whim: 0.5},
	{Name: "perfect", Line: "never errs, and makes a lost game as hard as can be", sight: 1},
}

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
