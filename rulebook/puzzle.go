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

// ForLevel tells whom a puzzle is for: one level misses it, and the next stronger one does not.
func ForLevel(level, next string) Said {
	return plain(level+" misses it, "+next+" finds it", "A puzzle that the computer misses as "+level+" and finds as "+next+".")
}
