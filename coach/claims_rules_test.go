package coach

import (
	"fmt"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/solve"
)

// The functions of this file compute facts from the texts of numbers.

// completions returns the multiples that a side could complete with one digit if it were its turn,
// and their digits.
func (k *claim) completions(p digit.Position, s digit.Side) map[string]string {
	found := map[string]string{}
	r, have := k.r, k.r.Number(p, s).String()
	taken := len(strings.ReplaceAll(have, "_", ""))
	if r.Win == digit.Never || r.Result(p).Over() || taken == r.Fills(s) ||
		r.Win != digit.EachTurn && taken+1 < r.Fills(s) {
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

// moves returns the legal moves of a position, the positions after them, and their values. With
// best, it returns only the best of moves that differ only in the call.
func (k *claim) moves(
	p digit.Position, best bool,
) (moves []digit.Move, ends []digit.Position, worth []solve.Value) {
	for m := range k.r.Moves(p) {
		q, _ := k.r.Play(p, m)
		v := k.s.Value(q)
		v = solve.Value{Outcome: v.Outcome.Other(), Plies: v.Plies + 1}
		i := len(moves) - 1
		if best && i >= 0 && moves[i].Digit == m.Digit && moves[i].Spot == m.Spot {
			if better := v.Compare(worth[i]); better > 0 || better == 0 && v.Outcome == solve.Win {
				moves[i], ends[i], worth[i] = m, q, v
			}
			continue
		}
		moves, ends, worth = append(moves, m), append(ends, q), append(worth, v)
	}
	return moves, ends, worth
}

// outcomes counts the moves with an outcome. Moves that differ only in the call count once.
func (k *claim) outcomes(p digit.Position, o solve.Outcome) (n int) {
	_, _, worth := k.moves(p, true)
	for _, v := range worth {
		if v.Outcome == o {
			n++
		}
	}
	return n
}

// all counts the moves. Moves that differ only in the call count once.
func (k *claim) all(p digit.Position) int {
	moves, _, _ := k.moves(p, true)
	return len(moves)
}

// count checks the outcome of the move, and the number of moves with it.
func (k *claim) count(o solve.Outcome, want int) error {
	if got := k.s.Value(k.q).Outcome.Other(); got != o {
		return fmt.Errorf("the move is a %v", got)
	}
	return equal("moves", k.outcomes(k.p, o), want)
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

// wonBy reports whether a game is over and a side has won it.
func (k *claim) wonBy(p digit.Position, s digit.Side) bool {
	winner, ok := k.r.Result(p).Winner()
	return ok && winner == s
}

// canWin reports whether the side to move can win at once, with one of the digits if there are any.
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

// wins reports whether a move is legal and wins, with atOnce in this turn.
func (k *claim) wins(p digit.Position, m digit.Move, atOnce bool) bool {
	turn := k.r.Turn(p)
	q, err := k.r.Play(p, m)
	if err != nil {
		return false
	}
	return k.wonBy(q, turn) || !atOnce && k.s.Value(q).Outcome == solve.Loss
}

// best checks that a number is the one that counts for a side at the end.
func (k *claim) best(p digit.Position, s digit.Side, n string) error {
	have := k.r.Number(p, s).String()
	if k.r.Place != digit.Hand {
		if n != have {
			return fmt.Errorf("the number is %s, not %s", have, n)
		}
		return nil
	}
	is := false
	for _, other := range permutations(have) {
		if other[0] == '0' && k.r.Zero != digit.Counts {
			continue
		}
		is = is || other == n
		if k.prefers(other, n) {
			return fmt.Errorf("%s is better than %s", other, n)
		}
	}
	if !is {
		return fmt.Errorf("%s cannot be arranged from %s", n, have)
	}
	return nil
}

// far returns the distance of a number from a multiple, as an order measures it, and the multiple.
func (k *claim) far(o digit.Order, n string) (far, to int) {
	value, target := k.value(n), int(k.r.Target)
	below := value / target * target
	switch {
	case o == digit.Below, o == digit.Nearest && value-below <= below+target-value:
		return value - below, below
	default:
		return below + target - value, below + target
	}
}

// closest reports whether no number is closer than the opponent's, by the first order.
func (k *claim) closest() bool {
	far, _ := k.far(k.r.Orders()[0], k.r.Best(k.r.Number(k.q, k.you)).String())
	return far == 0 || far == 1 && k.r.Orders()[0] == digit.Above && k.r.Win == digit.Never
}

// prefers reports whether the final orders prefer a number to another.
func (k *claim) prefers(a, b string) bool {
	for _, o := range k.r.Final {
		switch o {
		case digit.Above, digit.Below, digit.Nearest:
			x, _ := k.far(o, a)
			y, _ := k.far(o, b)
			if x != y {
				return x < y
			}
		case digit.Higher, digit.Lower:
			if x, y := k.value(a), k.value(b); x != y {
				return (x > y) == (o == digit.Higher)
			}
		}
	}
	return false
}

// fills calls yield with every way to fill a number from some digits.
func (k *claim) fills(n, left string, yield func(string)) {
	i := strings.Index(n, "_")
	if i < 0 {
		yield(n)
		return
	}
	for j := range left {
		if i == 0 && left[j] == '0' && k.r.Zero == digit.Barred {
			continue
		}
		k.fills(n[:i]+left[j:j+1]+n[i+1:], left[:j]+left[j+1:], yield)
	}
}

// bound returns the worst or the best number that a side can reach, by trying all.
func (k *claim) bound(p digit.Position, s digit.Side, best bool) string {
	n, left := k.r.Number(p, s).String(), k.r.Left(p).List("")
	key := fmt.Sprint(n, left, best)
	found, known := k.known[key]
	if known {
		return found
	}
	k.fills(n, left, func(n string) {
		if found == "" || k.prefers(n, found) == best && n != found {
			found = n
		}
	})
	if k.known == nil {
		k.known = map[string]string{}
	}
	k.known[key] = found
	return found
}

// certain reports whether a side wins however the numbers are filled.
func (k *claim) certain(p digit.Position, s digit.Side) bool {
	return k.prefers(k.bound(p, s, false), k.bound(p, s.Other(), true))
}

// bounds checks "at least 912" and the like.
func (k *claim) bounds(p digit.Position, s digit.Side, text string, best bool) error {
	want := k.bound(p, s, best)
	if !k.r.Number(p, s).Full() {
		word := "at least "
		if best == (k.r.Final[0] == digit.Higher) {
			word = "at most "
		}
		want = word + want
	}
	word, digits := "", text
	for _, w := range []string{"at least ", "at most "} {
		if rest, ok := strings.CutPrefix(text, w); ok {
			word, digits = w, rest
		}
	}
	return must(word+k.plain(digits) == want, "it is "+want)
}
