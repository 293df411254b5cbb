package coach_test

import (
	"context"
	"fmt"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// dilemma returns the solution of a book, and a position of it in which Ada is to move.
func dilemma() (*solve.Solution, digit.Position) {
	s, _ := solve.Solve(context.Background(), digit.Dilemma, solve.Config{})
	p, _ := digit.Dilemma.ParsePosition("7__/_3_")
	return s, p
}

// A hint is told in three steps. Ada reads it.
func ExampleAdvise() {
	s, p := dilemma()
	hint, _ := coach.Advise(s, p, rulebook.Cast{Names: [2]string{"Ada", "Ben"}, You: [2]bool{true, false}})
	fmt.Println(hint.Look)
	fmt.Println(hint.Idea)
	fmt.Println(hint.Reason)
	// Output:
	// You can make two winning digits at once.
	// Find the move after which both 2 and 9 would win.
	// Put 1 on the right: then 2 makes 721 = 7·103 and 9 makes 791 = 7·113. Ben can take only one. 6 of your 16 moves win.
}

// Once a digit is picked, the question is where it goes.
func ExampleAdviseWith() {
	s, p := dilemma()
	hint, _ := coach.AdviseWith(s, p, 0, rulebook.Cast{Names: [2]string{"Ada", "Ben"}, You: [2]bool{true, false}})
	fmt.Println(hint.Reason)
	// Output:
	// With 0 you cannot win any more; take it back (undo) or put 0 on the right.
}

// Who tries to find a move is told what comes of it, and not which one is better.
func ExampleJudge() {
	s, p := dilemma()
	for _, text := range []string{"5a", "0b", "1c"} {
		m, _ := digit.ParseMove(text)
		verdict, err := coach.Judge(s, p, m, coach.Reader(digit.First))
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(verdict.Told)
	}
	// Output:
	// 5a: place a is filled; free: b c
	// Not that one: now Player 2 wins with 1 on the right: then 2 makes 231 = 7·33 and 9 makes 931 = 7·133. You can take only one. Try again.
	// Right! Put 1 on the right: then 2 makes 721 = 7·103 and 9 makes 791 = 7·113. Player 2 can take only one. 6 of your 16 moves win.
}

// The review of a game that nobody who reads has played.
func ExampleReviewGame() {
	s, _ := dilemma()
	rec, _ := digit.ParseRecord("dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple")
	cast := rulebook.Cast{Names: [2]string{"Ada", "Ben"}}
	review, _ := coach.ReviewGame(s, rec, cast)
	for _, judged := range review.Moves[4:] {
		fmt.Println(judged.Told)
	}
	fmt.Println(review.First.Told(cast, digit.First))
	fmt.Println(review.Course(cast))
	// Output:
	// Blunder: Ada missed 2 in the middle, 721 = 7·103. Ada would have won at once. 9 won too. Now Ben wins with 2 on the right: 532 = 7·76.
	// Best: put 2 on the right: 532 = 7·76. 3 of Ben's 5 moves won.
	// Ada found the right move in 2 of 3 decisions.
	// Ada was winning until move 5; from there Ben was.
}
