package coach_test

import (
	"context"
	"fmt"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// dilemma returns the solution of a game, and a position with Ada to move.
func dilemma() (*solve.Solution, digit.Position) {
	s, _ := solve.Solve(context.Background(), digit.Dilemma, solve.Config{})
	p, _ := digit.Dilemma.ParsePosition("7__/_3_")
	return s, p
}

// A hint has three steps.
func ExampleAdvise() {
	s, p := dilemma()
	cast := rulebook.Cast{Names: [2]string{"Ada", "Ben"}, You: [2]bool{true, false}}
	hint, _ := coach.Advise(s, p, cast)
	fmt.Println(hint.Look)
	fmt.Println(hint.Idea)
	fmt.Println(hint.Reason)
	// Output:
	// Find a move that gives you two winning digits.
	// After it, 2 and 9 both win.
	// Put 1 on the right: then 2 makes 721 = 7 × 103 and 9 makes 791 = 7 × 113. Ben can take only one. 6 of your 16 moves win.
}

// Once a digit is picked, the question is where it goes.
func ExampleAdviseWith() {
	s, p := dilemma()
	cast := rulebook.Cast{Names: [2]string{"Ada", "Ben"}, You: [2]bool{true, false}}
	hint, _ := coach.AdviseWith(s, p, 0, cast)
	fmt.Println(hint.Reason)
	// Output:
	// With 0, you can't force a win. Take it back, or put 0 on the right.
}

// A wrong try is answered without the solution.
func ExampleJudge() {
	s, p := dilemma()
	for _, text := range []string{"5a", "0b", "1c"} {
		m, _ := digit.ParseMove(text)
		verdict, err := coach.Judge(s, p, m, coach.Reader(digit.First))
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(verdict.Text)
	}
	// Output:
	// 5a: place a is filled; free: b c
	// Not 0 in the middle. Player 2 puts 1 on the left, and every move loses.
	// Right! Then 2 makes 721 = 7 × 103 and 9 makes 791 = 7 × 113. Player 2 can take only one.
}

// A review for the starter.
func ExampleReviewGame() {
	s, _ := dilemma()
	rec, _ := digit.ParseRecord("dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple")
	cast := rulebook.Cast{Names: [2]string{"Ada", "Ben"}, You: [2]bool{true, false}}
	review, _ := coach.ReviewGame(s, rec, cast)
	for _, ply := range review.Moments {
		fmt.Println(review.Moves[ply-1].Moment)
	}
	fmt.Println(review.TurningPoint.Text.Then(review.TurningPoint.Instead).Long)
	fmt.Println(review.Missed.Title+":", review.Missed.Text.Long)
	fmt.Println(review.First.Text(cast, digit.First))
	fmt.Println(review.Course(cast))
	// Output:
	// Move 5: you missed 2 in the middle, which wins at once.
	// Your third move decided it. 2 or 9 in the middle would have won.
	// Your last digit: 2 instead of 4: 721 = 7 × 103.
	// You got 2 of 3 decisions right.
	// You were winning until move 5; from there Ben was.
}
