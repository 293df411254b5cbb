package digit

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestOracle compares the result of every position of the five books with a second implementation
// of the rulebooks, which uses only texts and not Rules.
func TestOracle(t *testing.T) {
	oracles := map[string]func(text string) string{
		"dilemma":      dilemmaOracle,
		"sevens":       sevensOracle,
		"highest":      func(text string) string { return fullOracle(text, +1, "higher") },
		"divisibility": divisibilityOracle,
		"reverse":      func(text string) string { return fullOracle(text, -1, "lower") },
	}
	for _, book := range Books {
		oracle, known := oracles[book.Name]
		if delete(oracles, book.Name); !known {
			continue // no second implementation
		}
		t.Run(book.Name, func(t *testing.T) {
			t.Parallel()
			results := map[string]int{}
			for p := range positions(book.Rules) {
				text := book.Rules.Text(p)
				got, want := book.Rules.Result(p).String(), oracle(text)
				if got != want {
					t.Fatalf("%s is %s, the oracle says %s", text, got, want)
				}
				results[got]++
			}
			if drawn := results["1/2 equal"] > 0; drawn != (book.Name == "divisibility") {
				t.Errorf("the book has drawn games: %v", drawn)
			}
			t.Log(results)
		})
	}
	for name := range oracles {
		t.Errorf("an oracle for the unknown book %s", name)
	}
}

// TestMoveOracle compares the moves of every unfinished position of the five books with a second
// implementation of the rulebooks, which uses only texts and not Rules: any digit left may go to
// any free spot.
func TestMoveOracle(t *testing.T) {
	for _, test := range []struct {
		book, pool string
		spots      func(number string) []string // the texts that may follow the digit
	}{
		{"dilemma", "0123456789", freePlaces},
		{"sevens", "0123456789", func(string) []string { return []string{""} }},
		{"highest", "123456789", freePlaces},
		{"divisibility", "123456789", bothEnds},
		{"reverse", "123456789", freePlaces},
	} {
		t.Run(test.book, func(t *testing.T) {
			t.Parallel()
			r, i := rulesOf(t, test.book), 0
			for p := range positions(r) {
				if i++; r.Result(p).Over() || r.Ply(p) > 3 && i%lawStride != 0 {
					continue
				}
				text := r.Text(p)
				numbers, last := sides(text)
				var got, want []string
				for _, d := range test.pool {
					if !strings.ContainsRune(text, d) {
						for _, spot := range test.spots(numbers[1-last]) {
							want = append(want, string(d)+spot)
						}
					}
				}
				for m := range r.Moves(p) {
					if m.Call == (Number{}) {
						got = append(got, m.String())
					}
					if _, err := r.Play(p, m); err != nil {
						t.Fatal(err)
					}
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%s: the moves are %v, the oracle says %v", text, got, want)
				}
			}
		})
	}
}

// freePlaces lists the empty places of a number.
func freePlaces(number string) []string {
	var places []string
	for i, c := range number {
		if c == '_' {
			places = append(places, string("abc"[i]))
		}
	}
	return places
}

// bothEnds lists the ends of a number. An empty number has only R.
func bothEnds(number string) []string {
	if number == "" {
		return []string{"R"}
	}
	return []string{"L", "R"}
}

// sides splits a position into its numbers. Last is 0 if the first side moved last, and 1 if the
// second did.
func sides(text string) (numbers [2]string, last int) {
	numbers[0], numbers[1], _ = strings.Cut(text, "/")
	digits := func(s string) int { return len(s) - strings.Count(s, "_") }
	if digits(numbers[0]) == digits(numbers[1]) {
		last = 1
	}
	return numbers, last
}

func value(number string) int {
	n, err := strconv.Atoi(number)
	if err != nil {
		panic(err)
	}
	return n
}

// win returns the score of a game won by side 0 or 1.
func win(side int, why string) string { return [2]string{"1-0 ", "0-1 "}[side] + why }

// smaller returns the score of a win by the smaller figure, or "" if they are equal.
func smaller(figures [2]int, why string) string {
	switch cmp.Compare(figures[0], figures[1]) {
	case -1:
		return win(0, why)
	case 1:
		return win(1, why)
	}
	return ""
}

func fullOracle(text string, sign int, why string) string {
	if strings.Contains(text, "_") {
		return "*"
	}
	numbers, _ := sides(text)
	return smaller([2]int{-sign * value(numbers[0]), -sign * value(numbers[1])}, why)
}

func dilemmaOracle(text string) string {
	numbers, last := sides(text)
	if mine := numbers[last]; !strings.Contains(mine, "_") && mine[0] != '0' && value(mine)%7 == 0 {
		return win(last, "multiple")
	}
	if strings.Contains(text, "_") {
		return "*"
	}
	var away, values [2]int
	for i, number := range numbers {
		values[i] = value(number)
		next := values[i] + 1
		for next%7 != 0 {
			next++
		}
		away[i] = next - values[i]
	}
	return cmp.Or(smaller(away, "above"), smaller(values, "lower"))
}

func sevensOracle(text string) string {
	text, call, called := strings.Cut(text, "=")
	numbers, last := sides(text)
	switch {
	case called && value(call)%7 == 0:
		return win(last, "multiple")
	case called:
		return win(1-last, "miscalled")
	case len(numbers[0]) < 3 || len(numbers[1]) < 3:
		return "*"
	}
	var away, values [2]int
	for i, hand := range numbers {
		away[i] = 7
		for _, order := range []string{"012", "021", "102", "120", "201", "210"} {
			number := string([]byte{hand[order[0]-'0'], hand[order[1]-'0'], hand[order[2]-'0']})
			if number[0] == '0' {
				continue
			}
			n, d := value(number), 0
			for (n-d)%7 != 0 && (n+d)%7 != 0 {
				d++
			}
			if d < away[i] || d == away[i] && n > values[i] {
				away[i], values[i] = d, n
			}
		}
	}
	return cmp.Or(smaller(away, "nearest"), smaller([2]int{-values[0], -values[1]}, "higher"))
}

func divisibilityOracle(text string) string {
	numbers, last := sides(text)
	if text == "/" {
		return "*"
	}
	if value(numbers[last])%7 == 0 {
		return win(last, "multiple")
	}
	if len(text) < len("123456789/") {
		return "*"
	}
	return cmp.Or(smaller([2]int{value(numbers[0]) % 7, value(numbers[1]) % 7}, "below"),
		"1/2 equal")
}
