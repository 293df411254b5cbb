package solve_test

import (
	"context"
	"fmt"

	"digitduel/digit"
	"digitduel/solve"
)

func Example() {
	s, err := solve.Solve(context.Background(), digit.Highest, solve.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := digit.Highest.ParsePosition("8__/___")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("to move:", s.Value(p))
	for m := range s.Best(p) {
		fmt.Println("best:", m)
	}
	fmt.Println("line:", s.Line(p))
	// Output:
	// to move: win in 5
	// best: 9a
	// line: [9a 1b 2b 3c 4c]
}
