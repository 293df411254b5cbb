package digit

import "slices"

// Orders returns the orders of [Final] that can decide a game. An order cannot decide if it
// measures a value that an earlier one has found equal, and none can after higher, lower or later,
// because digits are unique and so two numbers always differ.
func (r Rules) Orders() []Order {
	var orders []Order
	for _, o := range r.Final.orders() {
		has := func(before ...Order) bool {
			return slices.ContainsFunc(before, func(b Order) bool {
				return slices.Contains(orders, b)
			})
		}
		switch {
		case !o.Measures(): // it always decides
			return append(orders, o)
		case !has(Above, Below, o) && !(has(Nearest) && r.Target == 2):
			orders = append(orders, o)
		}
	}
	return orders
}

// Drawable reports whether a game can end in a draw.
func (r Rules) Drawable() bool {
	orders := r.Orders()
	return len(orders) == 0 || orders[len(orders)-1].Measures()
}

// Normal returns the rules with Zero in a canonical form, so that rules of the same game that
// differ only in Zero are equal and have one text. Zero becomes [Counts] if no number can begin
// with 0, or if such a number is never tested; for a hand, Barred becomes [Inert].
func (r Rules) Normal() Rules {
	switch {
	case r.zeroMoot():
		r.Zero = Counts
	case r.Place == Hand && r.Zero == Barred:
		r.Zero = Inert
	}
	return r
}

// zeroMoot reports whether Zero makes no difference.
func (r *Rules) zeroMoot() bool {
	return !r.Pool.Has(0) || r.Zero == Inert && r.Win == Never && r.Place != Hand
}

// Last returns the side that places the last digit if neither wins before.
func (r Rules) Last() Side {
	if r.fills(First) > r.fills(Second) {
		return First
	}
	return Second
}

// Alone returns the digits that win by themselves when they are taken.
func (r Rules) Alone() (alone Pool) {
	for m := range r.Threats(Position{}, First) {
		if !m.Calls() {
			alone |= 1 << m.Digit
		}
	}
	return alone
}

// Reachable reports whether the digits of the pool can make a multiple of the target that wins.
// If not, the target only matters for the comparison at the end.
func (r Rules) Reachable() bool {
	if r.Win == Never {
		return false
	}
	shortest := r.fills(Second)
	if r.Win == EachTurn {
		shortest = 1
	}
	for n := shortest; n <= r.fills(First); n++ {
		if r.reaches(r.Pool, n, 0, 1) {
			return true
		}
	}
	return false
}

// reaches reports whether n digits of a pool, put to the left of some fixed digits, make a
// multiple of the target. The fixed digits have a value, and the next digit has a weight. The new
// digits can correct the remainder only by multiples of the greatest common divisor of target and
// weight. If few numbers do, reaches tries them; otherwise it fixes each digit in turn.
func (r *Rules) reaches(left Pool, n, value, weight int) bool {
	const few = 64 // at least the base, so that the last digit is not fixed in turn
	base, target := int(r.base()), int(r.Target)
	shared := common(target, weight)
	if value%shared != 0 {
		return false
	}
	end, step := 1, target/shared
	for range n {
		end *= base
	}
	if end <= few*step {
		first := (step - value/shared%step) * inverse(weight/shared, step) % step
		for number := first; number < end; number += step {
			if r.makes(left, n, number) {
				return true
			}
		}
		return false
	}
	for d := range left.All() {
		if r.reaches(left&^(1<<d), n-1, value+int(d)*weight, weight*base) {
			return true
		}
	}
	return false
}

// makes reports whether a number has n different digits, all in a pool, and can win.
func (r *Rules) makes(left Pool, n, number int) bool {
	base := int(r.base())
	for ; n > 0; n-- {
		d := Digit(number % base)
		if !left.Has(d) || n == 1 && d == 0 && r.Zero != Counts {
			return false
		}
		left &^= 1 << d
		number /= base
	}
	return true
}

// inverse returns the inverse of a modulo m. The two must be coprime.
func inverse(a, m int) int {
	b, next := 0, 1
	for rest, over := m, a%m; over != 0; {
		times := rest / over
		rest, over = over, rest-times*over
		b, next = next, b-times*next
	}
	return (b%m + m) % m
}

// common returns the greatest common divisor of two numbers.
func common(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// MayCall reports whether the side to move may call a number with its next digit.
func (r Rules) MayCall(p Position) bool { return !r.result(p).Over() && r.mayCall(p.of(p.turn())) }

// Spots returns the spots on which the side to move may put a digit, from left to right. There
// are none if it may not take the digit.
func (r Rules) Spots(p Position, d Digit) []Spot {
	var spots []Spot
	for m := range r.Moves(p) {
		if m.Digit == d && !m.Calls() {
			spots = append(spots, m.Spot)
		}
	}
	return spots
}

// Full reports whether side s has all its digits.
func (r Rules) Full(p Position, s Side) bool { return p.of(s).count() == r.fills(s) }
