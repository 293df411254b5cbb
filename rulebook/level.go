package rulebook

import "fmt"

// AskLevel asks a player to try another level, after a run of wins or, if negative, of losses.
func AskLevel(run int, level string) Said {
	what := "wins"
	if run < 0 {
		run, what = -run, "losses"
	}
	text := fmt.Sprintf("%d %s in a row. Try %s?", run, what, level)
	return plain(text, text)
}

// Tally describes a player's games against a level. It is empty if there are none.
func Tally(level string, won, lost, drawn int) Said {
	if won+lost+drawn == 0 {
		return Said{}
	}
	text := fmt.Sprintf("%s: %d won, %d lost", level, won, lost)
	if drawn > 0 {
		text += fmt.Sprintf(", %d drawn", drawn)
	}
	return plain(text, "Against "+text+".")
}
