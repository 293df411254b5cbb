package rulebook

import "fmt"

// Missed describes the difficulty of a puzzle: how many levels of the computer miss the move.
func Missed(missed, levels int) Said {
	switch missed {
	case 0:
		return Sentence("Every computer level finds it")
	case levels:
		return Sentence("Every computer level misses it")
	default:
		text := oneOr(missed, fmt.Sprintf("of the %d computer levels misses it", levels),
			fmt.Sprintf("of the %d computer levels miss it", levels))
		return Sentence(text)
	}
}

// ForLevel describes the puzzles that one level misses and the next stronger one finds.
func ForLevel(level, next string) Said {
	text := "Missed by " + level + ", found by " + next
	return Sentence(text)
}
