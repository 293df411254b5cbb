package coach

import (
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// gameOf parses the rules and the moves of an example: "divisibility target=11 6R 1R".
func gameOf(t testing.TB, text string) (*solve.Solution, []digit.Move) {
	t.Helper()
	var rules []string
	var moves []digit.Move
	for word := range strings.FieldsSeq(text) {
		m, err := digit.ParseMove(word)
		switch _, option, _ := strings.Cut(word, "="); {
		case err == nil:
			moves = append(moves, m)
		case len(moves) == 0 || option != "":
			rules = append(rules, word)
		default:
			t.Fatalf("%s: %v", text, err)
		}
	}
	return solved(t, strings.Join(rules, " ")), moves
}

// TestHintExamples checks an example of each kind of hint. The number of winning moves that may
// follow the third step is not compared.
func TestHintExamples(t *testing.T) {
	for _, tt := range []struct{ game, look, idea, move string }{
		{"dilemma 7a 3b 1c 5a", "You can win this turn. Which digit makes a multiple of 7?",
			"With 0 in the gap, 701 is 1 over a multiple of 7; each step adds 10.", "Put 2 in the middle: 721 = 7 × 103."},
		{"dilemma 6b 2c 7c", "Ben is one digit from winning. Which one?",
			"With 5, Ben makes 567 = 7 × 81.", "Put 5 on the left: Ben can't make 567 now. Every winning move uses 5."},
		{"dilemma 7a 9b", "Find a move that gives you two winning digits.", "After it, 1 and 8 both win.",
			"Put 2 in the middle: then 1 makes 721 = 7 × 103 and 8 makes 728 = 7 × 104. Ben can take only one."},
		{"dilemma 9b 1c 2c 4b 6a", "Your last digit decides. Compare the distances.",
			"Ben's 692 is 1 short. Get closer, or tie with a lower number.",
			"Put 0 on the left: 041 and 692 are both 1 short of a multiple of 7, and 041 is lower."},
		{"dilemma 4a 6c 1c 7b", "You can't win this one by force, so set a trap.",
			"Find a move with only one winning reply.", "Put 3 in the middle: only 1 of Ben's 5 replies wins."},
		{"dilemma", "You can force a win in 5 turns, counting both players.", "0 is a good digit.",
			"Put 0 in the middle. If Ben puts 1 on the left, put 3 on the right: 2 and 9 both win."},
		{"divisibility target=11 6R 1R 9L 4L", "You can win this turn. Which digit makes a multiple of 11?",
			"On the right it becomes 960 plus the digit; 960 is 3 over.", "Add 8 on the right: 968 = 11 × 88."},
		{"divisibility target=11 8R 9R 6R 7R 3R 5R 2L", "Ben plays the last digit. Leave one that doesn't help.",
			"Ben's best will be 12863, 4 over.", "Add 4 on the left: 4975 is 3 over; Ben's best, 12863, is 4 over."},
		{"tug", "Nobody can force a win, but some moves lose.", "Only 1 of your 9 moves keeps the draw.",
			"Start with 5. Only 1 of Ben's 8 replies keeps the draw."},
		{"sevens 7 5 1 8", "You can win this turn. Which digit makes a multiple of 7?",
			"Four digits make a multiple with your 1 and 7.", "Take 2 and call 721 = 7 × 103."},
		{"reverse 9a 1a 8b", "You can't lose now. Play any digit.", "",
			"You finish with at most 176, Ben with at least 982."},
		{"highest 6b 2b 8c", "One digit can settle this. Which place counts most?",
			"After the right move, Ben can reach 768 at most.",
			"Put 9 in the hundreds place: you finish with at least 921, Ben with at most 768."},
		{"dilemma 9c 7a", "Make a threat that Ben has to answer.", "You can threaten 609 = 7 × 87.",
			"Put 6 on the left. Ben must take 0; then 2 in the middle wins."},
	} {
		s, moves := gameOf(t, tt.game)
		p := s.Rules().After(moves)
		cast := casts(s.Rules().Turn(p))[0]
		cast.Names = [2]string{"Ben", "Ben"}
		h, ok := Advise(s, p, cast)
		rest, found := strings.CutPrefix(h.Reason, tt.move)
		count := rest == "" || strings.HasSuffix(rest, "win.") || strings.HasSuffix(rest, "wins.") ||
			rest == " It's your only winning move." || rest == " It's your only winning digit."
		if !ok || h.Look != tt.look || h.Idea != tt.idea || !found || !count {
			t.Errorf("%s:\n%s\n%s\n%s", tt.game, h.Look, h.Idea, h.Reason)
		}
	}
}

// TestReviewExamples checks an example of each sentence of a review, for the starter.
func TestReviewExamples(t *testing.T) {
	for _, tt := range []struct {
		game    string
		moments []string
		turning string
	}{
		{"dilemma 7a 3b 1c 5a 4b 2c", []string{"Move 5: you missed 2 in the middle, which wins at once."},
			"Your third move decided it. 2 or 9 in the middle would have won."},
		{"sevens 7 8 0", []string{"Move 3: after it, Ben could force a win."},
			"Your second digit decided it. Seven digits would have won; 3 was one."},
		{"tug 3R 7R 6R 4R 2R 5R 1R 8L", []string{"Move 1: only 5 kept the draw.", "Move 7: you left 8, and Ben made 8745 = 55 × 159."},
			"The lead changed 7 times. Your last chance was move 7."},
		{"dilemma 2c 7b 3a 8a 0b 5c", []string{"Move 1: after it, Ben could force a win.",
			"Move 3: you found the only winning move out of 16.", "Move 5: you missed 9 in the middle, which wins at once."}, ""},
	} {
		s, moves := gameOf(t, tt.game)
		rec := digit.Record{Rules: s.Rules(), Moves: moves, Result: s.Rules().Result(s.Rules().After(moves))}
		rv, err := ReviewGame(s, rec, casts(digit.First)[0])
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, ply := range rv.Moments {
			got = append(got, rv.Moves[ply-1].Moment)
		}
		turning := rv.TurningPoint.Text.Then(rv.TurningPoint.Instead).Long
		if strings.Join(got, "\n") != strings.Join(tt.moments, "\n") ||
			tt.turning != "" && turning != tt.turning {
			t.Errorf("%s:\n%s\n%s", tt.game, strings.Join(got, "\n"), turning)
		}
	}
}

// TestAlternativeExamples checks an example of each text about a better move, for the starter.
func TestAlternativeExamples(t *testing.T) {
	for _, tt := range []struct {
		game        string
		ply         int // 0: at the end of the game
		title, text string
	}{
		{"dilemma 2c 7b 3a 8a 0b 5c", 0, "Your last digit", "9 instead of 0: 392 = 7 × 56."},
		{"dilemma 2c 7b 3a 8a 0b 5c", 1, "Your first digit", "0 instead of 2 keeps the win."},
		{"dilemma 7a 3b 5c 9a 1b 8c", 0, "Your second digit", "1 instead of 5: then 721 and 791 both win."},
		{"divisibility target=33 7R 1R 6L 3L 4L 9L 8L 5L 2R", 0, "Your last digit", "2 on the left instead: 28467 is 21 over."},
	} {
		s, moves := gameOf(t, tt.game)
		rec := digit.Record{Rules: s.Rules(), Moves: moves, Result: s.Rules().Result(s.Rules().After(moves))}
		cast := casts(digit.First)[0]
		rv, err := ReviewGame(s, rec, cast)
		if err != nil {
			t.Fatal(err)
		}
		got := rv.Missed
		if tt.ply > 0 {
			got = rv.Alternative(s, tt.ply, cast)
		}
		if !got.Exists || got.Title != tt.title || got.Text.Long != tt.text {
			t.Errorf("%s, move %d: %+v", tt.game, tt.ply, got)
		}
	}
}

// TestTryExamples checks an example of each verdict on a try at a puzzle.
func TestTryExamples(t *testing.T) {
	for _, tt := range []struct{ game, move, text, reply string }{
		{"dilemma 9c 7a", "6a", "Right! You threaten 609. Player 2 must take 0; then 2 in the middle wins.", ""},
		{"highest 6b 2b 8c", "9a", "Right! You finish with at least 921, Player 1 with at most 768.", ""},
		{"nines 1 3 8", "2", "Not 2. Player 1 then wins at once.", ""},
		{"highest 6b 2b 8c", "9c", "Not 9 in the units place. Player 1 makes 768, and you finish with at most 529.", "7a"},
		{"dilemma 9c 7a", "3b", "Not 3 in the middle. Player 2 puts 5 in the middle, stops 539 and threatens 756.", "5b"},
	} {
		s, moves := gameOf(t, tt.game)
		p := s.Rules().After(moves)
		v, err := Judge(s, p, moveOf(tt.move), Reader(s.Rules().Turn(p)))
		if err != nil || v.Text != tt.text {
			t.Errorf("%s %s: %q, %v", tt.game, tt.move, v.Text, err)
		}
		if v.Reply == nil && tt.reply != "" || v.Reply != nil && v.Reply.String() != tt.reply {
			t.Errorf("%s %s: the reply is %v", tt.game, tt.move, v.Reply)
		}
	}
}

// TestLessonExamples checks an example of each line of a lesson.
func TestLessonExamples(t *testing.T) {
	for _, tt := range []struct{ game, move, text string }{
		{"dilemma 7a 3b", "1c", "Put 1 on the right: then 721 and 791 both win."},
		{"divisibility target=11 5R 4R", "2R", "Add 2 on the right: then 352 and 528 both win."},
		{"dilemma 7a 3b 1c 2a", "9b", "The computer took 2, so 721 is gone. Put 9 in the middle: 791 = 7 × 113."},
		{"divisibility target=11 5R 4R 2R 8L", "3L", "The computer took 8, so 528 is gone. Add 3 on the left: 352 = 11 × 32."},
		{"highest 6b 2b 8c", "9a", "Put 9 in the hundreds place: it's your only winning move."},
		{"reverse 4b 8b 2c", "1a", "Put 1 in the hundreds place: it's your only winning move."},
		{"highest 6b 2b 8c 9a 7a", "5c", "9 beats 7 in the hundreds place, so any digit wins. Put 5 in the units place."},
		{"reverse 4b 8b 2c 1a 3a", "5c", "1 beats 3 in the hundreds place, so any digit wins. Put 5 in the ones place."},
	} {
		s, moves := gameOf(t, tt.game)
		turn := s.Rules().Turn(s.Rules().After(moves))
		cast := rulebook.Cast{}
		cast.You[turn], cast.Computer[turn.Other()] = true, true
		if got := LessonLine(s, moves, moveOf(tt.move), cast); got != tt.text {
			t.Errorf("%s: %q", tt.game, got)
		}
	}
}

// TestNamesAreText checks that a name which looks like a part of a pattern is written as it is.
func TestNamesAreText(t *testing.T) {
	s, moves := gameOf(t, "dilemma 9c 7a")
	cast := rulebook.Cast{Names: [2]string{"100% ${me}", "$t {they}"}}
	h, _ := Advise(s, s.Rules().After(moves), cast)
	if h.Look != "Make a threat that $t {they} has to answer." ||
		h.Idea != "100% ${me} can threaten 609 = 7 × 87." {
		t.Errorf("%s\n%s", h.Look, h.Idea)
	}
}
