package solve_test

import (
	"context"
	"fmt"

	"digitduel/digit"
	"digitduel/solve"
)

func ExampleSolve() {
	s, err := solve.Solve(context.Background(), digit.Highest, solve.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("from the start:", s.Value(digit.Position{}))
	fmt.Println("line:", s.Line(digit.Position{}))

	p, err := digit.Highest.ParsePosition("8__/___")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("after 8a:", s.Value(p))
	// Output:
	// from the start: win in 6
	// line: [9a 1a 2b 3b 4c 5c]
	// after 8a: win in 5
}

func ExampleSolution_Choices() {
	s, err := solve.Solve(context.Background(), digit.Sevens, solve.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := digit.Sevens.ParsePosition("02/13")
	if err != nil {
		fmt.Println(err)
		return
	}
	choices := s.Choices(p)
	for _, c := range choices {
		fmt.Printf("%-5v to %-10s %v\n", c.Move, s.Rules().Text(c.Next), c.Value)
	}
	fmt.Println("that keep the best outcome:", solve.Keep(choices))
	// Output:
	// 4=420 to 024/13=420 win in 1
	// 5     to 025/13     loss in 2
	// 6=602 to 026/13=602 win in 1
	// 7     to 027/13     loss in 2
	// 8=280 to 028/13=280 win in 1
	// 9     to 029/13     loss in 2
	// that keep the best outcome: 3
}
