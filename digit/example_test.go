package digit_test

import (
	"fmt"

	"digitduel/digit"
)

// A game is a value of [digit.Rules], a position is a value, and playing returns the next one.
func Example() {
	r := digit.Divisibility
	var p digit.Position // every game starts with the zero Position
	for _, text := range []string{"4R", "3R", "3L", "2R"} {
		m, err := digit.ParseMove(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		if p, err = r.Play(p, m); err != nil {
			fmt.Println(err) // p is unchanged
			continue
		}
		fmt.Println(text, r.Text(p), r.Result(p))
	}
	// Output:
	// 4R 4/ *
	// 3R 4/3 *
	// 3L: 3 is taken; left: 1 2 5 6 7 8 9
	// 2R 42/3 1-0 multiple
}

// The five books are rules like any others, and a text has only the differences from one.
func ExampleParseRules() {
	for _, text := range []string{"divisibility pool=0-9 target=11", "reverse final=higher",
		"highest width=5"} {
		r, err := digit.ParseRules(text)
		fmt.Println(r.Pool, r.Target, err)
		if err == nil {
			fmt.Println(r)
		}
	}
	// Output:
	// 0-9 11 <nil>
	// divisibility target=11 pool=0-9
	// 1-9 0 <nil>
	// highest
	//  0 width: two numbers of 5 digits take 10, and the pool has 9; allowed: 1 to 4
}

// Moves yields the moves that Play accepts, in the order of their texts.
func ExampleRules_Moves() {
	p, err := digit.Sevens.ParsePosition("17/58")
	if err != nil {
		panic(err)
	}
	n := 0
	for m := range digit.Sevens.Moves(p) {
		if n++; m.Digit == 2 {
			fmt.Print(m, " ")
		}
	}
	fmt.Println("of", n)
	// Output: 2 2=127 2=172 2=217 2=271 2=712 2=721 of 40
}

// A record is a game on one line, which is replayed when it is parsed.
func ExampleParseRecord() {
	rec, err := digit.ParseRecord(`dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple; first=Ada second="Ben B."`)
	if err != nil {
		panic(err)
	}
	positions, err := rec.Positions()
	fmt.Println(rec.Rules.Text(positions[len(positions)-1]), rec.Result, rec.Tag("second"), err)
	_, err = digit.ParseRecord("dilemma 7a 3b 1c 5a 4b 2c 1-0 multiple")
	fmt.Println(err)
	// Output:
	// 741/532 0-1 multiple Ben B. <nil>
	// result 1-0 multiple: the moves end the game with 0-1 multiple
}
