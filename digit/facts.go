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
	longest := r.fills(First)
	shortest := r.fills(Second)
	if r.Win == EachTurn {
		shortest = 1
	}
	base, target := int(r.base()), int(r.Target)
	// The digits are set from the right. Those set so far leave a remainder that the others can mend only by multiples of what
	// the target and their weight have in common.
	var reach func(left Pool, count, value, weight int) bool
	reach = func(left Pool, count, value, weight int) bool {
		if value%common(target, weight) != 0 {
			return false
		}
		for d := range left.All() {
			sum := value + int(d)*weight
			if count+1 >= shortest && (d != 0 || r.Zero == Counts) && sum%target == 0 {
				return true
			}
			if count+1 < longest && reach(left&^(1<<d), count+1, sum, weight*base) {
				return true
			}
		}
		return false
	}
	return reach(r.Pool, 0, 0, 1)
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
