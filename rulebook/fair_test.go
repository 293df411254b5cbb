package rulebook

import (
	"fmt"
	"strings"
	"testing"

	"digitduel/digit"
)

// TestReckon checks the advice on finding multiples in the fair games with every number that can be
// made.
func TestReckon(t *testing.T) {
	elevens := func(n int) bool { // by its digits, from the right
		difference, sign := 0, 1
		for ; n > 0; n /= 10 {
			difference, sign = difference+sign*(n%10), -sign
		}
		return difference == 0 || difference == 11 || difference == -11
	}
	sum := func(n int) int { return n/100 + n/10%10 + n%10 }
	claims := map[string]func(int) bool{
		"nines":  func(n int) bool { return sum(n) == 9 || sum(n) == 18 },
		"seesaw": func(n int) bool { return sum(n)%3 == 0 && n%7 == 0 },
		"ducks":  func(n int) bool { return n%2 == 0 && elevens(n) },
		"tug":    func(n int) bool { return n%10 == 5 && elevens(n) },
		"marathon": func(n int) bool {
			n = n/1000 + n%1000
			return n >= 111 && n/100 == n/10%10 && n/100 == n%10
		},
	}
	for _, b := range digit.Fair {
		longest, shortest := b.Rules.Fills(digit.First), 1
		if b.Rules.Win != digit.EachTurn {
			shortest = longest
		}
		claim, ok := claims[b.Name]
		if f, _ := FairnessOf(b.Rules); !ok || f.Reckon == "" {
			t.Errorf("%s: no advice, or no check of it", b.Name)
			continue
		}
		most := 1
		for range longest {
			most *= 10
		}
		for n := 1; n < most; n++ {
			text := fmt.Sprint(n)
			if len(text) < shortest || !numberOf(b.Rules, text) {
				continue
			}
			if claim(n) != (n%int(b.Rules.Target) == 0) {
				t.Fatalf("%s: %d is a multiple by the advice: %v", b.Name, n, claim(n))
			}
		}
	}
}

// numberOf reports whether a number has only digits of the pool, each once.
func numberOf(r digit.Rules, text string) bool {
	for i, d := range text {
		if !r.Pool.Has(digit.Digit(d-'0')) || strings.ContainsRune(text[:i], d) {
			return false
		}
	}
	return true
}

// TestAims checks which games offer other targets. A fair game offers none, since its target makes
// it fair.
func TestAims(t *testing.T) {
	for text, offered := range map[string]bool{
		"divisibility": true, "divisibility target=55": true, "tug target=7": true,
		"dilemma": false, "tug": false, "marathon": false,
		"divisibility target=0 win=never final=higher": false,
	} {
		if got := Aims(rulesOf(t, text)); (got != nil) != offered {
			t.Errorf("%s: the targets %v are offered", text, got)
		}
	}
}
