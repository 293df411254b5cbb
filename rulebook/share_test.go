package rulebook

import (
	"testing"

	"digitduel/digit"
)

// TestShared checks the texts that the winner, the loser and a watcher share about a game.
func TestShared(t *testing.T) {
	forAda := Cast{Names: [2]string{"Ada", "Ben"}, You: [2]bool{true, false}}
	byComputer := Cast{Names: [2]string{"Ada", "Computer (casual)"}, You: [2]bool{true, false},
		Computer: [2]bool{false, true}, Levels: [2]string{"", "casual"}}
	for _, tt := range []struct {
		rules, moves, result string
		cast                 Cast
		want                 string
	}{
		{"dilemma", "7a 3b 1c 5a 2b", "", forAda, "I beat Ben at Digit Dilemma: 721 = 7 × 103"},
		{"dilemma", "7a 3b 1c 5a 2b", "", forBen, "Ada beat me at Digit Dilemma: 721 = 7 × 103"},
		{"dilemma", "7a 3b 1c 5a 2b", "", adaBen, "Ada beat Ben at Digit Dilemma: 721 = 7 × 103"},
		{"dilemma", "7a 3b 1c 5a 2b", "", byComputer,
			"I beat the computer (casual) at Digit Dilemma: 721 = 7 × 103"},
		{"dilemma", "7a 3b 1c 5a 4b 2c", "", byComputer,
			"The computer (casual) beat me at Digit Dilemma: 532 = 7 × 76"},
		{"highest", "9a 8a 2c 7b 5b 6c", "", forBen,
			"Ada beat me at Digit Duel: Highest – 952 is higher than 876"},
		{"dilemma", "7a 3b", "0-1 time", forBen, "I beat Ada at Digit Dilemma: time ran out"},
		{"dilemma", "7a 3b", "0-1 resigned", adaBen,
			"Ben beat Ada at Digit Dilemma: by resignation"},
		{"dilemma", "7a 3b", "1-0 left", adaBen, "Ada beat Ben at Digit Dilemma: a player left"},
		{"dilemma", "7a 3b", "0-1 forfeit", adaBen, "Ben beat Ada at Digit Dilemma: no legal move"},
		{"dilemma target=101 final=draw", "7a 3b 1c 5a 2b 4c", "", forBen,
			"Ada and I drew at Digit Dilemma: no multiple of 101"},
		{"dilemma target=101 final=draw", "7a 3b 1c 5a 2b 4c", "", adaBen,
			"Ada and Ben drew at Digit Dilemma: no multiple of 101"},
	} {
		r := rulesOf(t, tt.rules)
		_, p, _ := play(t, r, tt.moves)
		result := r.Result(p)
		if tt.result != "" {
			var err error
			if result, err = digit.ParseResult(tt.result); err != nil {
				t.Fatal(err)
			}
		}
		if got := Shared(r, p, result, tt.cast); got != tt.want {
			t.Errorf("%s %s %v: got %q, want %q", tt.rules, tt.moves, result, got, tt.want)
		}
	}
}

// TestSharedPuzzle checks the text to share about a daily puzzle: the number of tries, and the days
// in a row if there are at least two.
func TestSharedPuzzle(t *testing.T) {
	for _, tt := range []struct {
		tries, days int
		want        string
	}{
		{0, 0, "solved."},
		{1, 0, "first try."},
		{1, 1, "first try."},
		{3, 1, "third try."},
		{1, 2, "first try. 2 days running."},
		{0, 3, "solved. 3 days running."},
		{3, 4, "third try. 4 days running."},
	} {
		want := "Digit Duel, 1 March: " + tt.want
		if got := SharedPuzzle("1 March", tt.tries, tt.days); got != want {
			t.Errorf("%d tries, %d days: got %q, want %q", tt.tries, tt.days, got, want)
		}
	}
}
