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
		of := fmt.Sprintf("of the %d computer levels ", levels)
		return Sentence(oneOr(missed, of+"misses it", of+"miss it"))
	}
}

// ForLevel describes the puzzles that one level misses and the next stronger one finds.
func ForLevel(level, next string) Said {
	return Sentence("Missed by " + level + ", found by " + next)
}

// Tries names the try that solved a puzzle: "first try". 0 means an unknown one.
func Tries(n int) string {
	if n == 0 {
		return "solved"
	}
	return InOrder(n) + " try"
}

// TriesUsed counts the tries that did not solve a puzzle: "one try used".
func TriesUsed(n int) string {
	if n == 1 {
		return "one try used"
	}
	return InWords(n) + " tries used"
}

// DaysRunning counts the days in a row: "4 days running".
func DaysRunning(n int) string { return Plural(n, "day") + " running" }
