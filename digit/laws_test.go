package digit

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"testing"
)

// variants are rules other than the books for which the laws must hold, small enough to check
// completely.
var variants = []string{
	"dilemma pool=0-7 zero=counts",
	"dilemma pool=0-7 zero=barred",
	"dilemma pool=0-5",
	"dilemma pool=0,9-f target=13",
	"dilemma pool=0-7 width=2",
	"sevens zero=counts target=9999",
	"sevens zero=barred width=2",
	"sevens width=1 zero=counts",
	"sevens pool=0-7 width=4 final=above,lower",
	"sevens pool=0-7 win=full",
	"sevens pool=0-7 win=each final=higher",
	"sevens pool=0,8-f target=11",
	"sevens target=0 win=never final=lower",
	"highest width=1 pool=0-f",
	"highest width=2 pool=0-9",
	"highest width=2 pool=1-7 final=later",
	"highest pool=a-f",
	"divisibility pool=0-7",
	"divisibility pool=0-6 zero=inert target=4",
	"divisibility pool=0-6 zero=barred target=3",
	"divisibility width=2 pool=0-9 target=25",
	"divisibility width=3 pool=1-7 win=full",
	"divisibility width=4 pool=1-7 target=11",
	"divisibility pool=0-6 zero=barred target=0 win=never final=higher",
	"divisibility pool=9-f target=16",
	"reverse pool=0-8 zero=barred",
}

// eachRules runs a test for each of the books and the variants.
func eachRules(t *testing.T, test func(t *testing.T, r Rules)) {
	for _, text := range append(BookNames(), variants...) {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			test(t, rulesOf(t, text))
		})
	}
}

// positions yields every reachable position once.
func positions(r Rules) iter.Seq[Position] {
	list, _ := reached.LoadOrStore(r, sync.OnceValue(func() []Position {
		seen := map[Position]bool{{}: true}
		var list []Position
		for todo := []Position{{}}; len(todo) > 0; {
			p := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			list = append(list, p)
			for m := range r.Moves(p) {
				if q, _ := r.Play(p, m); !seen[q] {
					seen[q] = true
					todo = append(todo, q)
				}
			}
		}
		return list
	}))
	return slices.Values(list.(func() []Position)())
}

// reached caches the reachable positions by rules, for use by several tests.
var reached sync.Map

// TestLaws checks the laws for every position of the books and the variants.
func TestLaws(t *testing.T) {
	eachRules(t, func(t *testing.T, r Rules) {
		i := 0
		for p := range positions(r) {
			if i++; i%lawStride != 0 {
				continue
			}
			if err := laws(r, p); err != nil {
				t.Fatalf("%s: %v", r.Text(p), err)
			}
			if i%(500*lawStride) == 0 {
				if err := refusals(r, p); err != nil {
					t.Fatalf("%s: %v", r.Text(p), err)
				}
			}
		}
	})
}

// TestBreak checks that iterators can be stopped. Continuing after that would panic.
func TestBreak(t *testing.T) {
	eachRules(t, func(t *testing.T, r Rules) {
		i := 0
		for p := range positions(r) {
			if i++; i == 300 {
				break
			}
			stops(t, r.Moves(p))
			stops(t, r.Left(p).All())
			stops(t, r.Arrangements(r.Held(p, First)))
			stops(t, func(yield func(Move) bool) {
				for m := range r.Threats(p, Second) {
					if !yield(m) {
						break
					}
				}
			})
		}
	})
}

// stops checks that an iterator can be stopped after each of its values.
func stops[T any](t *testing.T, seq iter.Seq[T]) {
	t.Helper()
	for stop := range len(slices.Collect(seq)) {
		n := 0
		for range seq {
			if n++; n > stop {
				break
			}
		}
		if n != stop+1 {
			t.Fatalf("%d values, want %d", n, stop+1)
		}
	}
}

// laws returns an error for the first law that a position breaks.
func laws(r Rules, p Position) error {
	text := r.Text(p)
	if q, err := r.ParsePosition(text); err != nil || q != p {
		return fmt.Errorf("the text is parsed back as %q: %v", r.Text(q), err)
	}
	turn, left, ply := r.Turn(p), r.Left(p), r.Ply(p)
	first, second := r.Held(p, First), r.Held(p, Second)
	switch {
	case first&second != 0:
		return fmt.Errorf("%v is held twice", first&second)
	case left|first|second != r.Pool || left&(first|second) != 0:
		return fmt.Errorf("pool %v, but %v left of %v and %v", r.Pool, left, first, second)
	case first.Len()+second.Len() != ply:
		return fmt.Errorf("ply %d with %d and %d digits", ply, first.Len(), second.Len())
	case first.Len()-second.Len() != int(turn):
		return fmt.Errorf("%v to move with %d and %d digits", turn, first.Len(), second.Len())
	case first.Len() > r.Fills(First) || second.Len() > r.Fills(Second):
		return fmt.Errorf("%d and %d digits are too many", first.Len(), second.Len())
	}
	listed := 0
	before := Move{}
	for m := range r.Moves(p) {
		if listed > 0 && compareText(before, m) >= 0 {
			return fmt.Errorf("%v comes before %v", before, m)
		}
		before = m
		listed++
		q, err := r.Play(p, m)
		switch {
		case err != nil:
			return fmt.Errorf("a listed move is refused: %w", err)
		case r.Left(q) != left&^(1<<m.Digit):
			return fmt.Errorf("%v leaves %v of %v", m, r.Left(q), left)
		case r.Turn(q) != turn.Other() || r.Ply(q) != ply+1:
			return fmt.Errorf("after %v it is ply %d, %v to move", m, r.Ply(q), r.Turn(q))
		case q.of(turn.Other()) != p.of(turn.Other()):
			return fmt.Errorf("%v changes the other number: %s", m, r.Text(q))
		}
	}
	if over := r.Result(p).Over(); over != (listed == 0) {
		return fmt.Errorf("over is %v, with %d moves", over, listed)
	}
	// Only digits that are left can be legal; refusals tries the others.
	accepted := 0
	for d := range left.All() {
		for _, spot := range allSpots[:11] {
			if r.breach(p, Move{Digit: d, Spot: spot}) == 0 {
				accepted++
			}
		}
		for call := range someCalls(r, p, d) {
			if r.breach(p, Move{Digit: d, Call: call}) == 0 {
				accepted++
			}
		}
	}
	if accepted != listed {
		return fmt.Errorf("%d moves are listed and %d accepted", listed, accepted)
	}
	return nil
}

// refusals tries every digit on every spot, with and without a call. It checks that Play accepts
// exactly the listed moves, and that refused ones change nothing. It is slow, because it formats
// errors.
func refusals(r Rules, p Position) error {
	listed := map[Move]bool{}
	for m := range r.Moves(p) {
		listed[m] = true
	}
	try := func(m Move) error {
		q, err := r.Play(p, m)
		refusal := new(MoveError)
		switch {
		case listed[m] && err != nil:
			return fmt.Errorf("a listed move is refused: %w", err)
		case listed[m]:
			delete(listed, m)
		case !errors.As(err, &refusal) || refusal.Move != m || refusal.Why == "":
			return fmt.Errorf("%v is refused with the error %v", m, err)
		case q != p:
			return fmt.Errorf("%v is refused and leads to %s", m, r.Text(q))
		}
		return nil
	}
	call, _ := readPlaces("123")
	for d := range Digit(18) {
		for _, spot := range allSpots {
			if err := errors.Join(try(Move{Digit: d, Spot: spot}), try(Move{d, spot,
				call})); err != nil {
				return err
			}
		}
		for call := range someCalls(r, p, d) {
			if call.String() == "123" {
				continue
			}
			if err := try(Move{Digit: d, Call: call}); err != nil {
				return err
			}
		}
	}
	if len(listed) > 0 {
		return fmt.Errorf("listed, but not tried: %v", listed)
	}
	return nil
}

// allSpots has all spots, eleven, and some invalid ones.
var allSpots = []Spot{InHand, Left, Right, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'l',
	'A', 96, 255}

// someCalls yields every number of r.Width digits made of the hand with d and one digit not in it.
// It yields nothing if the side to move cannot call.
func someCalls(r Rules, p Position, d Digit) iter.Seq[Number] {
	return func(yield func(Number) bool) {
		mine := p.of(p.turn())
		if r.Place != Hand || !r.mayCall(mine) {
			return
		}
		hand := mine.hand() | 1<<d
		// The other digit is the lowest one not in hand.
		digits := slices.Collect((hand | (hand + 1)).All())
		for i := 0; ; i++ {
			var n Number
			rest := i
			for range r.Width {
				n = n.and(digits[rest%len(digits)])
				rest /= len(digits)
			}
			if rest > 0 || !yield(n) {
				return
			}
		}
	}
}

// compareText orders moves like their texts, but is faster.
func compareText(a, b Move) int {
	key := func(m Move) uint64 {
		key := uint64(m.Digit)<<40 | uint64(m.Spot)<<32
		for i := range m.Call.Len() {
			d, _ := m.Call.At(i)
			key |= uint64(d) << (28 - 4*i)
		}
		if m.Call.Len() > 0 {
			key |= 1 << 39
		}
		return key
	}
	return int(int64(key(a)) - int64(key(b)))
}
