package digit

import "slices"

// What follows from rules alone, for whoever tells them or plays by them.

// Orders returns the orders of [Final] that can decide something: an order that measures what one before it has found equal
// never does, and none does after higher, lower or later, since digits are unique and so two numbers always differ.
func (r Rules) Orders() []Order {
	var orders []Order
	for _, o := range r.Final.orders() {
		has := func(before ...Order) bool {
			return slices.ContainsFunc(before, func(b Order) bool { return slices.Contains(orders, b) })
		}
		switch o {
		case Above, Below, Nearest:
			if has(Above, Below, o) || has(Nearest) && r.Target == 2 {
				continue
			}
		default: // Higher, Lower and Later leave nothing open
			return append(orders, o)
		}
		orders = append(orders, o)
	}
	return orders
}

// Drawable reports whether a game can end in a draw: no order always decides.
func (r Rules) Drawable() bool {
	orders := r.Orders()
	return len(orders) == 0 || orders[len(orders)-1] < Higher
}

// Normal returns the rules with what makes no difference as [Counts]: what a number is worth that begins with 0 where none can, or
// where nothing is asked of it. A hand is never arranged to begin with 0 whether that is inert or barred. So rules that are the same
// game by one of these are equal, and have one text.
func (r Rules) Normal() Rules {
	switch {
	case r.zeroMoot():
		r.Zero = Counts
	case r.Place == Hand && r.Zero == Barred:
		r.Zero = Inert
	}
	return r
}

// zeroMoot reports whether it makes no difference what a number that begins with 0 is worth.
func (r *Rules) zeroMoot() bool {
	return !r.Pool.Has(0) || r.Zero == Inert && r.Win == Never && r.Place != Hand
}

// Last returns the side that places the last digit if nobody wins before.
func (r Rules) Last() Side {
	if r.fills(First) > r.fills(Second) {
		return First
	}
	return Second
}

// Alone returns the digits that win by themselves as soon as they are taken.
func (r Rules) Alone() Pool {
	var alone Pool
	for d := range r.Pool.All() {
		if n := (Number{}).and(d); r.tries(1<<rowFilled, r.fills(First) == 1) && r.isMultiple(n) {
			alone |= 1 << d
		}
	}
	return alone
}

// Reachable reports whether some number that the digits of the pool make, of a length that is tried, is a multiple of the
// target that can win. Without it a target is there for the comparison at the end alone.
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

// reaches reports whether n digits of a pool, to the left of those that are set, make a multiple of the
// target. Those set have a value, and the next one has a weight. What they leave can be mended only by
// multiples of what the target and the weight have in common. Where few numbers mend it they are tried,
// and else each digit is set in turn.
func (r *Rules) reaches(left Pool, n, value, weight int) bool {
	const few = 64 // at least the base, so that the last digit is not set in turn
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

// makes reports whether a number that can win has n different digits, all of a pool.
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

// inverse returns b where a·b is 1 modulo m, with which a has no divisor in common.
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

// MayCall reports whether the side to move may call a number with the digit it takes.
func (r Rules) MayCall(p Position) bool { return !r.result(p).Over() && r.mayCall(p.of(p.turn())) }

// Spots returns where the side to move may put a digit, from left to right; none if it may not take the digit.
func (r Rules) Spots(p Position, d Digit) []Spot {
	var spots []Spot
	for m := range r.Moves(p) {
		if m.Digit == d && m.Call == (Number{}) {
			spots = append(spots, m.Spot)
		}
	}
	return spots
}

// Full reports whether side s has all its digits.
func (r Rules) Full(p Position, s Side) bool { return p.of(s).count() == r.fills(s) }
