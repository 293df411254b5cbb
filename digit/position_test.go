package digit

import (
	"errors"
	"testing"
)

// TestPositionsRead checks, for all short texts of some characters, that ParsePosition accepts
// exactly the reachable positions.
func TestPositionsRead(t *testing.T) {
	for _, text := range []string{
		"dilemma pool=0-4 width=2 target=6 zero=barred",
		"highest pool=1-4 width=2",
		"divisibility pool=0-4 target=2",
		"divisibility pool=0-4 target=3 zero=inert",
		"divisibility pool=0-4 target=2 zero=barred",
		"divisibility pool=1-4 width=2 target=4",
		"sevens pool=0-3 width=2 target=3",
		"sevens pool=1-4 width=2 win=each",
		"sevens pool=1-4 width=2 win=full",
		"sevens pool=0-2 width=1 zero=counts target=2",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			r := rulesOf(t, text)
			reached := map[string]bool{}
			for p := range positions(r) {
				reached[r.Text(p)] = true
			}
			characters := "_f" + r.Pool.List("")
			calls := []string{""}
			if r.Place == Hand {
				for _, row := range rows(characters, int(r.Width)) {
					calls = append(calls, "="+row)
				}
			}
			read := 0
			for _, first := range rows(characters, r.Fills(First)) {
				for _, second := range rows(characters, r.Fills(Second)) {
					for _, call := range calls {
						text := first + "/" + second + call
						p, err := r.ParsePosition(text)
						switch {
						case err == nil && !reached[text]:
							t.Fatalf("%s is read, but cannot be reached", text)
						case err == nil && r.Text(p) != text:
							t.Fatalf("%s is read as %s", text, r.Text(p))
						case err == nil:
							read++
						case p != Position{}:
							t.Fatalf("%s gives %s and the error %v", text, r.Text(p), err)
						}
					}
				}
			}
			if read != len(reached) {
				t.Errorf("%d positions are read, want %d", read, len(reached))
			}
		})
	}
}

// rows returns all strings of some characters up to a length.
func rows(characters string, longest int) []string {
	rows := []string{""}
	for i := 0; len(rows[i]) < longest; i++ {
		for _, c := range characters {
			rows = append(rows, rows[i]+string(c))
		}
	}
	return rows
}

// TestPositionErrors checks the text of every error of ParsePosition.
func TestPositionErrors(t *testing.T) {
	for _, test := range []struct{ rules, text, want string }{
		{"dilemma", "", `position "": there is no / between the two numbers; under these rules a position is like 02_/1__`},
		{"dilemma", "7_1", `position "7_1": there is no / between the two numbers; under these rules a position is like 02_/1__`},
		{"dilemma", "7x1/___", `position "7x1/___": "7x1" is not a number of at most 8 digits; under these rules a position is like 02_/1__`},
		{"divisibility", "123456789/", `position "123456789/": "123456789" is not a number of at most 8 digits; under these rules a position is like 31/2`},
		{"dilemma", "7_/___", `position "7_/___": "7_" does not have 3 places; under these rules a position is like 02_/1__`},
		{"divisibility", "4_/3", `position "4_/3": "4_" has an empty place; under these rules a position is like 31/2`},
		{"sevens", "1247/58", `position "1247/58": "1247" has more than 3 digits; under these rules a position is like 02/1`},
		{"dilemma", "77_/3__", `position "77_/3__": a digit appears twice; under these rules a position is like 02_/1__`},
		{"dilemma", "7__/7__", `position "7__/7__": a digit appears twice; under these rules a position is like 02_/1__`},
		{"highest", "0__/___", `position "0__/___": 0 is not in the pool 1-9; under these rules a position is like 13_/2__`},
		{"dilemma zero=barred", "0__/___", `position "0__/___": a number begins with 0, which is barred; under these rules a position is like 20_/1__`},
		{"sevens", "21/5", `position "21/5": the hand "21" is not written from low to high; under these rules a position is like 02/1`},
		{"divisibility", "142/35", `position "142/35": "142" has won before its last digit; under these rules a position is like 31/2`},
		{"divisibility", "41/", `position "41/": the first number has 2 digits and the second 0, but turns alternate; under these rules a position is like 31/2`},
		{"divisibility", "4/35", `position "4/35": the first number has 1 digits and the second 2, but turns alternate; under these rules a position is like 31/2`},
		{"dilemma", "742/138", `position "742/138": the game continues after the first side has won; under these rules a position is like 02_/1__`},
		{"sevens", "127/58=714", `position "127/58=714": "714" cannot have been called; under these rules a position is like 02/1`},
		{"sevens", "17/58=71", `position "17/58=71": "71" cannot have been called; under these rules a position is like 02/1`},
		{"sevens", "012/58=012", `position "012/58=012": "012" cannot have been called; under these rules a position is like 02/1`},
		{"dilemma", "741/53_=741", `position "741/53_=741": "741" cannot have been called; under these rules a position is like 02_/1__`},
	} {
		_, err := rulesOf(t, test.rules).ParsePosition(test.text)
		if wrong := new(ParseError); !errors.As(err, &wrong) || err.Error() != test.want {
			t.Errorf("%s: got %v\nwant %s", test.rules, err, test.want)
		}
	}
}
