package digit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestOrdersThatDecide checks every list of up to four orders: an order is returned if and only if
// it decides between two numbers that the orders before it find equal.
func TestOrdersThatDecide(t *testing.T) {
	lists := [][]Order{nil}
	for range 4 {
		for _, list := range lists {
			for o := Above; o <= Later; o++ {
				if !slices.Contains(list, o) {
					lists = append(lists, append(slices.Clone(list), o))
				}
			}
		}
	}
	for _, target := range []uint16{2, 3, 7} {
		for _, list := range lists {
			r := Rules{Pool: zeroToNine, Place: Slots, Width: 3, Target: target, Win: WhenFull,
				Final: FinalBy(list...)}
			if r.Check() != nil {
				continue
			}
			var decides []Order
			for i, o := range list {
				if canDecide(&r, list[:i], o) {
					decides = append(decides, o)
				}
			}
			if got := r.Orders(); !slices.Equal(got, decides) {
				t.Errorf("target=%d final=%v: the orders %v can decide, want %v",
					target, r.Final, got, decides)
			}
			if last := len(decides) - 1; r.Drawable() != (last < 0 || decides[last] < Higher) {
				t.Errorf("target=%d final=%v: drawable: %v", target, r.Final, r.Drawable())
			}
		}
	}
}

// canDecide reports whether o decides between two numbers that the orders before it find equal.
func canDecide(r *Rules, before []Order, o Order) bool {
	for a := range 3 * int(r.Target) {
		for b := range a {
			equal := !slices.ContainsFunc(before,
				func(x Order) bool { return x == Later || r.Measure(x, a) != r.Measure(x, b) })
			if equal && (o == Later || r.Measure(o, a) != r.Measure(o, b)) {
				return true
			}
		}
	}
	return false
}

// TestFacts checks the facts derived from rules.
func TestFacts(t *testing.T) {
	tests := []struct {
		rules     string
		reachable bool
		alone     string
		last      Side
		drawable  bool
	}{
		{"dilemma", true, "", Second, false},
		{"dilemma target=101", false, "", Second, false},
		{"dilemma target=101 final=draw", false, "", Second, true},
		{"sevens", true, "", Second, false},
		{"highest", false, "", Second, false},
		{"divisibility", true, "7", First, true},
		{"divisibility target=3", true, "3 6 9", First, true},
		{"divisibility target=10", false, "", First, true},
		{"divisibility pool=0-9 target=10", true, "0", Second, true},
		{"divisibility pool=0-9 zero=inert", true, "7", Second, true},
		{"divisibility win=never", false, "", First, true},
		{"reverse", false, "", Second, false},
		{"dilemma pool=1-f target=16", false, "", Second, false},
		{"dilemma pool=1-f target=9984 width=5", false, "", Second, false}, // 9984 = 16 × 624, so multiples end with 0
		{"sevens width=8 pool=0-f target=9999", true, "", Second, false},
	}
	for _, tt := range tests {
		r, err := ParseRules(tt.rules)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(r.Reachable(), r.Alone().List(" "), r.Last(), r.Drawable())
		if want := fmt.Sprint(tt.reachable, tt.alone, tt.last, tt.drawable); got != want {
			t.Errorf("%s: reachable, alone, last, drawable: %s, want %s", tt.rules, got, want)
		}
	}
}

// TestReachable compares Reachable with all games of small rules: one of them must end by a
// multiple if and only if a multiple is reachable.
func TestReachable(t *testing.T) {
	for target := range uint16(120) {
		for _, r := range []Rules{
			{Pool: PoolOf(0, 1, 3, 4, 6), Place: Slots, Width: 2, Target: target, Win: WhenFull,
				Zero: Inert, Final: FinalBy(Higher)},
			{Pool: PoolOf(1, 2, 5, 8, 9), Place: Ends, Target: target, Win: EachTurn,
				Final: FinalBy(Below)},
			{Pool: PoolOf(0, 2, 5, 8), Place: Hand, Width: 2, Target: target, Win: OnCall,
				Zero: Inert, Final: FinalBy(Higher)},
			{Pool: PoolOf(1, 3, 10, 11), Place: Ends, Width: 2, Target: target, Win: WhenFull,
				Final: FinalBy(Lower)},
		} {
			if r.Check() != nil {
				continue
			}
			if won := endsByMultiple(&r, Position{}); won != r.Reachable() {
				t.Errorf("%v: reachable is %v, but a game ends by a multiple: %v",
					r, r.Reachable(), won)
			}
		}
	}
}

// TestReachableHex compares Reachable, for random rules of up to sixteen digits, with all numbers
// that the digits make.
func TestReachableHex(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for range 400 {
		r := Rules{Pool: Pool(rng.Uint32()), Place: Ends, Width: uint8(1 + rng.IntN(4)),
			Target: uint16(2 + rng.IntN(MaxTarget-1)), Zero: Zero(rng.IntN(3)),
			Final: FinalBy(Lower)}
		if r.Win = EachTurn; rng.IntN(2) == 0 {
			r.Win = WhenFull
		}
		if rng.IntN(2) == 0 {
			r.Target = uint16(2 + rng.IntN(300))
		}
		if r.Check() != nil {
			continue
		}
		found := false
		var try func(left Pool, n, value int, zero bool)
		try = func(left Pool, n, value int, zero bool) {
			tried := n == r.fills(First) || n == r.fills(Second) || r.Win == EachTurn
			if n > 0 && tried && (!zero || r.Zero == Counts) && value%int(r.Target) == 0 {
				found = true
			}
			for d := range left.All() {
				if n < r.fills(First) && !found {
					try(left&^(1<<d), n+1, value*r.Base()+int(d), zero || n == 0 && d == 0)
				}
			}
		}
		if try(r.Pool, 0, 0, false); found != r.Reachable() {
			t.Errorf("%v: reachable is %v, but a multiple exists: %v", r, r.Reachable(), found)
		}
	}
}

// TestBestHand checks the best number of a hand and its highest multiple against all its
// arrangements.
func TestBestHand(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	finals := []Final{{}, FinalBy(Later), FinalBy(Higher), FinalBy(Lower), FinalBy(Above),
		FinalBy(Below, Higher), FinalBy(Above, Lower), FinalBy(Nearest),
		FinalBy(Nearest, Below, Higher), FinalBy(Nearest, Above, Lower), FinalBy(Below, Later)}
	for range 3000 {
		r := Rules{Pool: Pool(rng.Uint32()), Place: Hand, Width: 8, Target: uint16(rng.IntN(60)),
			Zero: Zero(rng.IntN(3)), Final: finals[rng.IntN(len(finals))]}
		hand := r.Pool
		for hand.Len() > 5 {
			hand &= hand - 1
		}
		var best, highest Number
		for n := range r.Arrangements(hand) {
			if best == (Number{}) ||
				r.decide(n.Value(r.Base()), best.Value(r.Base()), Second).Score == FirstWins {
				best = n
			}
			if r.divides(n) {
				highest = n
			}
		}
		if got := r.Best(best); got != best || r.HighestMultiple(hand) != highest ||
			r.isMultiple(best) != (highest != Number{}) {
			t.Errorf("%v, target %d, final %v, zero %v: best %v, want %v; highest multiple %v, want %v", hand, r.Target, r.Final, r.Zero, got, best, r.HighestMultiple(hand), highest)
		}
	}
}

func endsByMultiple(r *Rules, p Position) bool {
	if result := r.result(p); result.Over() {
		return result.Reason == Multiple
	}
	for m := range r.Moves(p) {
		if next, _ := r.Play(p, m); endsByMultiple(r, next) {
			return true
		}
	}
	return false
}

// TestSpots checks spots, calls and full numbers against the legal moves, in some positions of each
// book.
func TestSpots(t *testing.T) {
	for _, b := range Books {
		for p := range reachableBy(b.Rules, 2) {
			calls, spots := false, map[Digit][]Spot{}
			for m := range b.Rules.Moves(p) {
				calls = calls || m.Call != Number{}
				if at := spots[m.Digit]; len(at) == 0 || at[len(at)-1] != m.Spot {
					spots[m.Digit] = append(at, m.Spot)
				}
			}
			if calls != b.Rules.MayCall(p) {
				t.Errorf("%s %s: may call: %v", b.Name, b.Rules.Text(p), !calls)
			}
			for d := range Digit(10) {
				if got := b.Rules.Spots(p, d); !slices.Equal(got, spots[d]) {
					t.Errorf("%s %s: %v may go to %v, want %v",
						b.Name, b.Rules.Text(p), d, got, spots[d])
				}
			}
			for _, s := range []Side{First, Second} {
				if full := b.Rules.Held(p, s).Len() == b.Rules.Fills(s); b.Rules.Full(p, s) != full {
					t.Errorf("%s %s: the %v side is full: %v", b.Name, b.Rules.Text(p), s, !full)
				}
			}
		}
	}
}

// reachableBy yields positions reached by a few moves of each position.
func reachableBy(r Rules, few int) func(yield func(Position) bool) {
	return func(yield func(Position) bool) {
		var walk func(p Position) bool
		walk = func(p Position) bool {
			if !yield(p) {
				return false
			}
			i := 0
			for m := range r.Moves(p) {
				if i%7 == 0 { // vary the digits and spots
					if next, _ := r.Play(p, m); !walk(next) {
						return false
					}
				}
				if i++; i > 7*few {
					break
				}
			}
			return true
		}
		walk(Position{})
	}
}
