package rulebook

import (
	"strings"
	"testing"

	"digitduel/digit"
)

// TestExamples checks the exact words of sentences about games. The reader plays first, against
// Ben.
func TestExamples(t *testing.T) {
	cast := Cast{Names: [2]string{"Ada", "Ben"}, You: [2]bool{true, false}}
	goal := func(r digit.Rules, _ []digit.Move, _ digit.Result) Said { return Goal(r) }
	why := func(r digit.Rules, moves []digit.Move, result digit.Result) Said {
		return Why(r, positionAfter(r, moves), result, cast)
	}
	detail := func(r digit.Rules, moves []digit.Move, result digit.Result) Said {
		return Detail(r, moves, result, cast)
	}
	tests := []struct {
		name, game, result string
		said               func(digit.Rules, []digit.Move, digit.Result) Said
		want               string
	}{
		{"E1", "dilemma", "", goal,
			"Each turn, put a digit in one of your three places. The first three-digit multiple " +
				"of 7 wins. " +
				"If nobody does, the number that needs less to reach the next multiple of 7 wins; " +
				"on a tie, the lower number wins."},
		{"E2", "dilemma 7a 3b 1c 5a 2b", "", why, "You made 721 = 7 × 103."},
		{"E3", "sevens 9 2 3 7 1=931", "", why, "You called 931 = 7 × 133."},
		{"E4", "divisibility 7R", "", why, "7 is a multiple of 7 on its own."},
		{"E5", "sevens 2 1 7 8 0=207", "", why,
			"You called 207, but 207 = 7 × 29 + 4: four left over."},
		{"E6", "sevens 2 1 4 8 9=249", "", detail, "Your digits could have made 924 = 7 × 132."},
		{"E7", "dilemma 1a 6a 4b 8b 3c 5c", "", why,
			"685 is 1 short of a multiple of 7; 143 is 4 short."},
		{"E7 detail", "dilemma 1a 6a 4b 8b 3c 5c", "", detail,
			"685 is 1 short of 686 = 7 × 98; 143 is 4 short of 147 = 7 × 21."},
		{"E8", "divisibility 8R 5R 7L 9R 1R 4R 6R 2R 3R", "", why,
			"78163 is 1 over a multiple of 7; 5942 is 6 over."},
		{"E9", "sevens 1 0 3 6 9 7", "", why, "931 is a multiple of 7; 706 is 1 short."},
		{"E9 detail", "sevens 1 0 3 6 9 7", "", detail,
			"Nobody called, so each hand counts as its best number."},
		{"E10", "highest 7a 8a 1b 9b 4c 2c", "", why, "892 is higher than 714."},
		{"E12", "dilemma 9b 1c 2c 4b 6a 0a", "", why,
			"041 and 692 are both 1 short of a multiple of 7, and 041 is lower."},
		{"E13", "divisibility target=11 6R 1R 9L 4L 5R 7L 3R 8L 2R", "", why,
			"96532 and 8741 are both 7 over a multiple of 11."},
		{"time", "dilemma 7a 3b", "1-0 time", why, "Ben's time ran out."},
		{"resigned", "dilemma 7a 3b", "1-0 resigned", why, "Ben resigned."},
		{"unfinished", "dilemma 7a 3b 1c 5a", "*", why, "Stopped after 4 digits."},
		{"E41", "dilemma 7a 3b 1c", "1-0 resigned", detail,
			"You were winning: 721 and 791 were both open."},
		{"E42", "divisibility target=11 3R 1R 9R", "1-0 resigned", detail,
			"You were winning: 396 and 539 were both open."},
		{"E43", "dilemma 7a 3b 1c 2a 9b", "", detail,
			"721 and 791 were both open, and Ben could stop only one."},
	}
	for _, tt := range tests {
		r, moves := gameOf(t, tt.game)
		result := r.Result(positionAfter(r, moves))
		if tt.result != "" {
			var err error
			if result, err = digit.ParseResult(tt.result); err != nil {
				t.Fatal(err)
			}
		}
		if got := tt.said(r, moves, result).Long; got != tt.want {
			t.Errorf("%s, %s: got %q, want %q", tt.name, tt.game, got, tt.want)
		}
	}
	fair, _ := FairnessOf(rulesOf(t, "nines"))
	for _, tt := range []struct{ name, got, want string }{
		{"E38", Outlook(27, 0, 3).Long, "The starter can force a win: 27 of 30 first moves do."},
		{"E39", fair.Why(), "Nobody can force a win: 3 of 9 first moves draw and 6 lose."},
		{"E40", fair.Feels()[:len(e40)], e40},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}

const e40 = "If both players slip one turn in five, the starter scores 50% and 37% of games are " +
	"drawn."

// gameOf returns the rules and moves of a game as text.
func gameOf(t *testing.T, text string) (r digit.Rules, moves []digit.Move) {
	t.Helper()
	var words []string
	for word := range strings.FieldsSeq(text) {
		if m, err := digit.ParseMove(word); err == nil {
			moves = append(moves, m)
		} else {
			words = append(words, word)
		}
	}
	return rulesOf(t, strings.Join(words, " ")), moves
}

// positionAfter returns the position after some moves.
func positionAfter(r digit.Rules, moves []digit.Move) (p digit.Position) {
	for _, m := range moves {
		p, _ = r.Play(p, m)
	}
	return p
}
