// Package bot implements opponents of every strength. A level plays as people of that strength
// do: it overlooks multiples, misses replies, and sees less the further away it is. Only the last
// level is perfect.
package bot

import (
	"fmt"
	"strings"
)

// A Level is a strength of play. Levels differ in what they see, not in the share of random
// moves.
type Level struct {
	Name string
	Line string // a description of its play

	slips float64 // share of multiples that it does not notice
	sight float64 // how clearly it sees the reply, and less clearly what follows; 1 for perfectly
	care  float64 // weight of the opponent's chances in its feeling, compared with its own
	whim  float64 // weight of a random mood in its feeling
	rash  float64 // share of numbers it wrongly takes for multiples when it may call
}

// Levels lists the levels from the weakest to the strongest.
var Levels = []Level{
	{
		Name: "beginner", Line: "takes what it likes and often misses a win",
		slips: 0.60, sight: 0.10, whim: 4, rash: 0.02,
	},
	{
		Name: "novice", Line: "sees most of its own wins, but few of yours",
		slips: 0.40, sight: 0.30, care: 0.2, whim: 2.5, rash: 0.012,
	},
	{
		Name: "casual", Line: "looks at your next move too, and overlooks some",
		slips: 0.25, sight: 0.60, care: 0.5, whim: 1.6, rash: 0.004,
	},
	{
		Name: "skilled", Line: "looks about three moves ahead, with an odd slip",
		slips: 0.16, sight: 0.76, care: 1, whim: 1, rash: 0.002,
	},
	{
		Name: "expert", Line: "looks about four moves ahead and rarely slips",
		slips: 0.10, sight: 0.86, care: 1, whim: 0.7,
	},
	{
		Name: "master", Line: "sees nearly everything",
		slips: 0.03, sight: 0.94, care: 1, whim: 0.5,
	},
	{
		Name: "perfect", Line: "never errs, and makes a lost game as hard as can be",
		sight: 1,
	},
}

// Perfect returns the level that never errs.
func Perfect() Level { return Levels[len(Levels)-1] }

// LevelNames returns the names of the levels.
func LevelNames() []string {
	names := make([]string, len(Levels))
	for i, l := range Levels {
		names[i] = l.Name
	}
	return names
}

// ParseLevel returns the level with a name.
func ParseLevel(name string) (Level, error) {
	for _, l := range Levels {
		if l.Name == name {
			return l, nil
		}
	}
	return Level{}, fmt.Errorf("unknown level %q (use one of %s)",
		name, strings.Join(LevelNames(), ", "))
}
