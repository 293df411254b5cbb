package rulebook

import "fmt"

// Missed tells how hard a puzzle is: how many of the computer's levels do not find the move.
func Missed(missed, levels int) Said {
	switch missed {
	case 0:
		return plain("All computer players find it", fmt.Sprintf("All %d computer players find it.", levels))
	case 1:
		return plain("1 computer player misses it", fmt.Sprintf("1 of the %d computer players misses it.", levels))
	default:
		return plain(fmt.Sprintf("%d computer players miss it", missed), fmt.Sprintf("%d of the %d computer players miss it.", missed, levels))
	}
}

// Streak tells how many daily puzzles were solved in a row, and the most there ever were.
func Streak(days, longest int) Said {
	short := "Solved " + plural(days, "day") + " in a row"
	if days == 0 {
		short = "No day in a row yet"
	}
	return plain(short, fmt.Sprintf("%s. Best: %d.", short, longest))
}
