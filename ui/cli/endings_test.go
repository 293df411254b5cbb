package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEndings plays games to their ends, and checks the output after the last line. Each word is
// typed on a line of its own; - is an empty line.
func TestEndings(t *testing.T) {
	tests := []struct{ name, rules, typed, result, want string }{
		{"dilemma multiple", "dilemma", "7a 3b 1c 5a 4b 2c", "0-1 multiple", `
Player 1's Number: 7 4 1
Player 2's Number: 5 3 2
Digit Pool after turn: 0, 6, 8, 9

Completed Number: 532
Checking if 532 is divisible by 7...
Result: 532 ÷ 7 = 76 (Divisible by 7)

---

Congratulations, Player 2 wins by forming the number 532, which is a multiple of 7!
`},
		{"dilemma multiple by the first", "dilemma", "7a 3b 2b 5a 1c", "1-0 multiple", `
Player 1's Number: 7 2 1
Player 2's Number: 5 3 _
Digit Pool after turn: 0, 4, 6, 8, 9

Completed Number: 721
Checking if 721 is divisible by 7...
Result: 721 ÷ 7 = 103 (Divisible by 7)

---

Congratulations, Player 1 wins by forming the number 721, which is a multiple of 7!
`},
		{"dilemma closer to the next multiple", "dilemma", "7a 3b 1c 5a 4b 6c", "1-0 above", `
Player 1's Number: 7 4 1
Player 2's Number: 5 3 6
Digit Pool after turn: 0, 2, 8, 9

Completed Number: 536
Checking if 536 is divisible by 7...
Result: 536 ÷ 7 = 76.571 (Not divisible by 7)

---

741 is 1 short of a multiple of 7; 536 is 3 short. Player 1 wins.
`},
		{"dilemma equally distant", "dilemma", "7a 3b 1c 5a 4b 8c", "0-1 lower", `
Player 1's Number: 7 4 1
Player 2's Number: 5 3 8
Digit Pool after turn: 0, 2, 6, 9

Completed Number: 538
Checking if 538 is divisible by 7...
Result: 538 ÷ 7 = 76.857 (Not divisible by 7)

---

538 and 741 are both 1 short of a multiple of 7, and 538 is lower. Player 2 wins.
`},
		{"dilemma 042 does not win", "dilemma", "0a 1a 4b 3b 2c", "*", `
Player 1's Number: 0 4 2
Player 2's Number: 1 3 _
Digit Pool after turn: 5, 6, 7, 8, 9

Completed Number: 042
Checking if 042 is divisible by 7...
Result: 042 ÷ 7 = 6 (Divisible by 7, but it begins with 0 and does not count)

---

Player 2's Turn:
Available Digits: 5, 6, 7, 8, 9
Enter the digit you want to pick: 
`},
		{"dilemma 042 is 7 away", "dilemma", "0a 1a 4b 3b 2c 5c", "0-1 above", `
Player 1's Number: 0 4 2
Player 2's Number: 1 3 5
Digit Pool after turn: 6, 7, 8, 9

Completed Number: 135
Checking if 135 is divisible by 7...
Result: 135 ÷ 7 = 19.286 (Not divisible by 7)

---

135 is 5 short of a multiple of 7; 042 is 7 short. Player 2 wins.
`},
		{"dilemma 042 counts", "dilemma zero=counts", "0a 1a 4b 3b 2c", "1-0 multiple", `
Player 1's Number: 0 4 2
Player 2's Number: 1 3 _
Digit Pool after turn: 5, 6, 7, 8, 9

Completed Number: 042
Checking if 042 is divisible by 7...
Result: 042 ÷ 7 = 6 (Divisible by 7)

---

Congratulations, Player 1 wins by forming the number 042, which is a multiple of 7!
`},
		{"dilemma draw", "dilemma final=draw", "7a 3b 1c 5a 4b 8c", "1/2 equal", `
Player 1's Number: 7 4 1
Player 2's Number: 5 3 8
Digit Pool after turn: 0, 2, 6, 9

Completed Number: 538
Checking if 538 is divisible by 7...
Result: 538 ÷ 7 = 76.857 (Not divisible by 7)

---

Nobody made a multiple of 7. It's a draw.
`},
		{"dilemma in base sixteen", "dilemma pool=0-f", "1a 3b 2b 5a 6c", "1-0 multiple", `
Player 1's Number: 1 2 6
Player 2's Number: 5 3 _
Digit Pool after turn: 0, 4, 7, 8, 9, a, b, c, d, e, f

Completed Number: 126
Checking if 126 is divisible by 7...
Result: 126 (294) ÷ 7 = 42 (Divisible by 7)

---

Congratulations, Player 1 wins by forming the number 126, which is a multiple of 7!
`},
		{"dilemma resignation", "dilemma", "7a resign", "1-0 resigned", `
---

Player 2 resigned. Player 1 wins.
`},
		{"sevens call", "sevens", "7 5 1 8 2 721", "1-0 multiple", `
Player 1 forms 721 which is divisible by 7.

Player 1 wins!
`},
		{"sevens call by the second", "sevens", "7 5 1 8 2 - 3 385", "0-1 multiple", `
Player 2 forms 385 which is divisible by 7.

Player 2 wins!
`},
		{"sevens lower multiple called", "sevens", "7 5 1 8 2=217", "1-0 multiple", `Digits Remaining: 0 3 4 6 9

Player 1's Hand: 7, 1, 2
Possible Numbers: 127, 172, 217, 271, 712, 721

Player 1 forms 217 which is divisible by 7.

Player 1 wins!
`},
		{"sevens miscalled", "sevens", "7 5 1 8 2 712", "0-1 miscalled", `
Player 1 called 712, but 712 = 7 × 101 + 5: five left over. Player 2 wins. Player 1's digits could have made 721 = 7 × 103.
`},
		{"sevens miscalled by the second", "sevens", "7 5 1 8 2 - 3 358", "1-0 miscalled", `
Player 2 called 358, but 358 = 7 × 51 + 1: one left over. Player 1 wins. Player 2's digits could have made 385 = 7 × 55.
`},
		{"sevens nearest", "sevens", "1 2 4 3 6 - 8 -", "0-1 nearest", `
238 is a multiple of 7; 461 is 1 short. Player 2 wins. Nobody called, so each hand counts as its best number.
`},
		{"sevens equally close", "sevens", "7 5 1 8 2 - 3 -", "1-0 higher", `
721 and 385 are both multiples of 7, and 721 is higher. Player 1 wins. Nobody called, so each hand counts as its best number.
`},
		{"sevens nearest below", "sevens", "0 1 2 4 5 - 8 -", "0-1 nearest", `
841 is 1 over a multiple of 7; 520 is 2 over. Player 2 wins. Nobody called, so each hand counts as its best number.
`},
		{"sevens multiple without a call", "sevens win=full", "7 5 1 8 2", "1-0 multiple", `Digits Remaining: 0 3 4 6 9

Player 1's Hand: 7, 1, 2
Possible Numbers: 127, 172, 217, 271, 712, 721

Player 1 forms 721 which is divisible by 7.

Player 1 wins!
`},
		{"sevens multiple of two digits", "sevens win=each", "1 3 4", "1-0 multiple", `Digits Remaining: 0 2 5 6 7 8 9

Player 1 forms 14 which is divisible by 7.

Player 1 wins!
`},
		{"sevens resignation", "sevens", "7 5 1 8 2 resign", "0-1 resigned", `
Player 1 resigned. Player 2 wins.
`},
		{"highest", "highest", "9a 8a 2c 7b 5b 6c", "1-0 higher", `
Player 2's Number: [8][7][6]

Digits Available: 1 3 4

Final Numbers:
Player 1's Number: 952
Player 2's Number: 876

Player 1 wins!
`},
		{"highest by the second", "highest", "1a 9a 2b 3b 4c 5c", "0-1 higher", `
Player 2's Number: [9][3][5]

Digits Available: 6 7 8

Final Numbers:
Player 1's Number: 124
Player 2's Number: 935

Player 2 wins!
`},
		{"highest with 0 in front", "highest pool=0-9", "0a 1a 9b 2b 8c 3c", "0-1 higher", `
Player 2's Number: [1][2][3]

Digits Available: 4 5 6 7

Final Numbers:
Player 1's Number: 098
Player 2's Number: 123

Player 2 wins!
`},
		{"highest with a target", "highest target=7 win=full", "7a 1a 4b 3b 2c", "1-0 multiple", `
Player 1's Number: [7][4][2]

Digits Available: 5 6 8 9

Checking if 742 is divisible by 7... Divisible!

Player 1 made 742 = 7 × 106. Player 1 wins! 742 and 749 were both open, and Player 2 could stop only one.
`},
		{"highest resignation", "highest", "9a 8a resign", "0-1 resigned", `
Player 1 resigned. Player 2 wins.
`},
		{"divisibility multiple", "divisibility", "4R 3R 2R", "1-0 multiple", `- Your Number: 42
- Checking divisibility by 7... Divisible!
Congratulations, Player 1 wins!
`},
		{"divisibility at once", "divisibility", "7R", "1-0 multiple", `- Your Number: 7
- Checking divisibility by 7... Divisible!
Congratulations, Player 1 wins!
`},
		{"divisibility on the left", "divisibility", "4R 3R 8L", "1-0 multiple", `- Your Number: 84
- Checking divisibility by 7... Divisible!
Congratulations, Player 1 wins!
`},
		{"divisibility smaller remainder", "divisibility", "6R 9R 7L 3R 2R 8L 4R 1R 5R", "1-0 below", `- Your Number: 76245
- Checking divisibility by 7... Not divisible.

76245 is 1 over a multiple of 7; 8931 is 6 over. Player 1 wins.
`},
		{"divisibility smaller remainder of the second", "divisibility", "8R 4R 6R 3L 5L 9L 1R 7R 2L", "0-1 below", `- Your Number: 25861
- Checking divisibility by 7... Not divisible.

9347 is 2 over a multiple of 7; 25861 is 3 over. Player 2 wins.
`},
		{"divisibility draw", "divisibility", "6R 5R 4R 7R 1L 3R 9L 8L 2R", "1/2 equal", `- Your Number: 91642
- Checking divisibility by 7... Not divisible.

91642 and 8573 are both 5 over a multiple of 7. It's a draw.
`},
		{"divisibility lone 0", "divisibility pool=0-9", "0R", "1-0 multiple", `- Your Number: 0
- Checking divisibility by 7... Divisible!
Congratulations, Player 1 wins!
`},
		{"divisibility inert 0", "divisibility pool=0-9 zero=inert", "0R", "*", `- Your Number: 0
- Checking divisibility by 7... Divisible, but it begins with 0 and does not count.

Player 2's Turn:
- Available Digits: 1 2 3 4 5 6 7 8 9
- Select a digit from the available digits: 
`},
		{"divisibility without a target", "divisibility target=0 win=never final=higher pool=1-4", "1R 2R 3L 4R", "1-0 higher", `- Your Number: 24

31 is higher than 24. Player 1 wins.
`},
		{"divisibility resignation", "divisibility", "4R resign", "1-0 resigned", `
Player 2 resigned. Player 1 wins.
`},
		{"divisibility the last digit", "divisibility target=97 final=later", "1R 2R 9L 3R 8L 5L 4L 6L 7L", "1-0 later", `- Your Number: 74891
- Checking divisibility by 97... Not divisible.

Player 1 placed the last digit. Player 1 wins.
`},
		{"reverse", "reverse", "9a 1a 8b 2c 3c 4b", "0-1 lower", `
Updated Board:
Player 2 Board: [1] [4] [2]
Available Digits: 5 6 7

Player 1 Number: 983
Player 2 Number: 142

Winner: Player 2, with the lower number 142.
`},
		{"reverse by the first", "reverse", "1a 9a 2b 8b 3c 7c", "1-0 lower", `
Updated Board:
Player 2 Board: [9] [8] [7]
Available Digits: 4 5 6

Player 1 Number: 123
Player 2 Number: 987

Winner: Player 1, with the lower number 123.
`},
		{"reverse resignation", "reverse", "resign", "0-1 resigned", `
Player 1 resigned. Player 2 wins.
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lines := strings.Join(strings.Fields(tt.typed), "\n")
			s := playTyped(t, tt.rules, strings.ReplaceAll(lines, "-", "")+"\n")
			if got := s.kept[0]; len(s.kept) != 1 || !strings.HasSuffix(got, " "+tt.result) {
				t.Errorf("recorded %q, want %s", s.kept, tt.result)
			}
			got := s.last()
			if tt.result == "*" {
				last := s.asked[len(s.asked)-1]
				got = last.said[1:] + last.prompt + "\n"
			}
			if diff := cmp.Diff(strings.Split(tt.want, "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", s.kept, diff)
			}
		})
	}
}
