package coach

import (
	"fmt"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/solve"
)

// What follows knows the rules from the texts of numbers.

// completions returns the multiples that a side could complete with one digit if it were its turn, and with which.
func (k *claim) completions(p digit.Position, s digit.Side) map[string]string {
	found := map[string]string{}
	r, have := k.r, k.r.Number(p, s).String()
	taken := len(strings.ReplaceAll(have, "_", ""))
	if r.Win == digit.Never || r.Result(p).Over() || taken == r.Fills(s) || r.Win != digit.EachTurn && taken+1 < r.Fills(s) {
		return found
	}
	for d := range strings.SplitSeq(r.Left(p).List(" "), " ") {
		var made []string
		switch {
		case r.Place == digit.Slots:
			made = []string{strings.Replace(have, "_", d, 1)}
		case r.Place == digit.Ends:
			made = []string{d + have, have + d}
		default:
			made = permutations(have + d)
		}
		for _, n := range made {
			if n != "" && k.divides(n) && (r.Zero == digit.Counts || n[0] != '0') {
				found[n] = d
			}
		}
	}
	return found
}

func permutations(digits string) []string {
	if len(digits) <= 1 {
		return []string{digits}
	}
	var all []string
	for i := range digits {
		for _, rest := range permutations(digits[:i] + digits[i+1:]) {
			all = append(all, digits[i:i+1]+rest)
		}
	}
	return all
}

// completing returns the digits that complete a multiple.
func (k *claim) completing(p digit.Position, s digit.Side) []string {
	var digits []string
	for _, d := range k.completions(p, s) {
		if !slices.Contains(digits, d) {
			digits = append(digits, d)
		}
	}
	slices.Sort(digits)
	return digits
}

// listed checks that a list names some of the numbers, and says how many there are.
func listed[T any](text string, numbers map[string]T) error {
	words, all := things(text)
	for i, w := range words {
		if _, ok := numbers[w]; !ok || slices.Contains(words[:i], w) {
			return fmt.Errorf("%s is not one, or twice", w)
		}
	}
	return same("numbers", len(numbers), all)
}

func (k *claim) digitsAre(text string, want []string) error {
	words, _ := things(text)
	if !slices.Equal(words, want) {
		return fmt.Errorf("the digits are %v", want)
	}
	return nil
}

// moves returns the legal moves of a position and where they lead; of those that differ only in the call, if best is asked for, the
// best one.
func (k *claim) moves(p digit.Position, best bool) (moves []digit.Move, ends []digit.Position, worth []solve.Value) {
	for m := range k.r.Moves(p) {
		q, _ := k.r.Play(p, m)
		v := k.s.Value(q)
		v = solve.Value{Outcome: v.Outcome.Other(), Plies: v.Plies + 1}
		if i := len(moves) - 1; best && i >= 0 && moves[i].Digit == m.Digit && moves[i].Spot == m.Spot {
			if better := v.Compare(worth[i]); better > 0 || better == 0 && v.Outcome == solve.Win {
				moves[i], ends[i], worth[i] = m, q, v
			}
			continue
		}
		moves, ends, worth = append(moves, m), append(ends, q), append(worth, v)
	}
	return moves, ends, worth
}

// choices counts the moves, calls as one, that have an outcome; with the outcome 0, which is a draw, all of them.
func (k *claim) choices(p digit.Position, o solve.Outcome) int {
	n := 0
	_, _, worth := k.moves(p, true)
	for _, v := range worth {
		if o == 0 || v.Outcome == o {
			n++
		}
	}
	return n
}

// count checks that the move has an outcome, and how many have.
func (k *claim) count(o solve.Outcome, want int) error {
	n := 0
	_, _, worth := k.moves(k.p, true)
	for _, v := range worth {
		if v.Outcome == o {
			n++
		}
	}
	if got := k.s.Value(k.q).Outcome.Other(); got != o {
		return fmt.Errorf("the move is a %v", got)
	}
	return same("moves", n, want)
}

// takes checks the exact value of a move.
func (k *claim) takes(m digit.Move, o solve.Outcome, plies int) error {
	q, err := k.r.Play(k.p, m)
	if err != nil {
		return err
	}
	if v := k.s.Value(q); v.Outcome.Other() != o || v.Plies+1 != plies {
		return fmt.Errorf("%v is a %v in %d", m, v.Outcome.Other(), v.Plies+1)
	}
	return nil
}

func (k *claim) quicker(long, short string) error {
	if plies(long) <= plies(short) {
		return fmt.Errorf("%s is not longer than %s", long, short)
	}
	return nil
}

// wonBy reports whether a game is over and a side has won it.
func (k *claim) wonBy(p digit.Position, s digit.Side) bool {
	winner, ok := k.r.Result(p).Winner()
	return ok && winner == s
}

// canWin reports whether the side to move can win at once, with one of some digits if any are given.
func (k *claim) canWin(p digit.Position, digits ...string) bool {
	turn := k.r.Turn(p)
	for m := range k.r.Moves(p) {
		if len(digits) > 0 && !slices.Contains(digits, m.Digit.String()) {
			continue
		}
		if q, _ := k.r.Play(p, m); k.wonBy(q, turn) {
			return true
		}
	}
	return false
}

// wins reports whether a move is legal and wins, at once if that is asked for.
func (k *claim) wins(p digit.Position, m digit.Move, atOnce bool) bool {
	turn := k.r.Turn(p)
	q, err := k.r.Play(p, m)
	if err != nil {
		return false
	}
	return k.wonBy(q, turn) || !atOnce && k.s.Value(q).Outcome == solve.Loss
}
