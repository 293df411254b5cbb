package rulebook

import "fmt"

// Missed describes the difficulty of a puzzle: how many levels of the computer miss the move.
func Missed(missed, levels int) Said {
	switch missed {
	case 0:
		return plain("Every computer level finds it", "Every computer level finds it.")
	case levels:
		return plain("Every computer level misses it", "Every computer level misses it.")
	default:
		text := oneOr(missed, fmt.Sprintf("of the %d computer levels misses it", levels),
			fmt.Sprintf("of the %d computer levels miss it", levels))
		return plain(text, text+".")
	}
}

// ForLevel describes the puzzles that one level misses and the next stronger one finds.
func ForLevel(level, next string) Said {
	text := "Missed by " + level + ", found by " + next
	return plain(text, text+".")
}
