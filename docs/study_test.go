package docs_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A study is the solution of a book, with counts of its positions. A decision is an open position
// in which some moves keep the outcome and others do not.
type study struct {
	*solve.Solution
	t     *testing.T
	rules digit.Rules

	positions int // all reachable positions
	shown     int // those in which the two numbers show which digits are left
	over      int // those in which the game is over
	multiples int // those won by a multiple
	open      int // those in which the game is not over
	decisions int
	lastDigit int // decisions about the last digit of the player to move
	winNow    int // open positions in which the next digit makes a multiple

	// Open positions in which the player to move cannot make a multiple at once, and the opponent
	// could: with one digit, or with several; those of them that are not lost; and the moves that
	// save one without taking the digit.
	one, oneSaved, more, moreSaved, otherSaves int

	// Numbers in open positions that several digits complete; and those that two digits complete
	// which differ by 7.
	doubles, twins int

	// Decisions in which a digit may go to several spots; and those in which some digit is right on
	// one spot and wrong on another.
	placeable, placeMatters int

	// Quiet decisions; and the sums of the probability that a move is right which leaves the player
	// the most multiples, which leaves the opponent the fewest, and which is random.
	quiet                    int
	build, spoil, quietBlind float64

	// The greedy rule puts the best digit left in the best open place: the open positions and the
	// decisions in which it is right. Decisions in which that digit may go to a lower place, and
	// those in which that is right.
	greedy, greedyDecisions, lower, lowerRight int

	// Decisions with an open hundreds place; those in which a move that leaves it open is right;
	// and those in which only such moves are.
	hundreds, mayLeave, mustLeave int

	// Open positions in which the player to move has several open places; those in which the
	// highest digit left is better, or worse, in the highest of them than in the lowest. Decisions
	// in which every right move takes that digit.
	high, highBetter, highWorse, forced int

	// Open positions with the best digit in the starter's hundreds place, and the decisions among
	// them.
	settled, settledDecisions int

	// The shares of games that the starter and the second player win, if both play at random, if
	// only the starter makes right moves, and if only the second player does. A player who makes
	// right moves chooses among them at random.
	luck [3][2]float64

	// The moves that are right for every arrangement of the opponent's digits, by the number of the
	// player to move and the digits left.
	hidden map[unfinished]uint64

	ways map[unfinished]int // the cache of count

	prime, other []target // the cache of targets
}

// An unfinished is a number that is not full, and the digits left for it.
type unfinished struct {
	number digit.Number
	left   digit.Pool
}

// studyOf solves a game and counts its positions.
func studyOf(t *testing.T, r digit.Rules) *study {
	s := &study{Solution: solved(t, r.String()), t: t, rules: r, hidden: map[unfinished]uint64{},
		ways: map[unfinished]int{}}
	var walk []digit.Position
	for p := range s.Positions() {
		walk = append(walk, p)
	}
	luck := map[digit.Position][3][2]float64{} // of open positions
	for _, p := range slices.Backward(walk) {  // later positions first
		s.positions++
		if r.Held(p, digit.First)|r.Held(p, digit.Second)|r.Left(p) == r.Pool &&
			r.Held(p, digit.First).Len()+r.Held(p,
				digit.Second).Len()+r.Left(p).Len() == r.Pool.Len() {
			s.shown++
		}
		if result := r.Result(p); result.Over() {
			s.over++
			if result.Reason == digit.Multiple {
				s.multiples++
			}
			continue
		}
		choices, best := s.Choices(p), s.Value(p).Outcome
		keep := solve.Keep(choices)
		var here [3][2]float64
		for _, c := range choices {
			var next [3][2]float64
			if winner, ok := c.Value.Winner(r.Turn(p)); c.Value.Plies > 1 {
				next = luck[c.Next]
			} else if ok { // the game is over
				next[0][winner], next[1][winner], next[2][winner] = 1, 1, 1
			}
			for i := range here {
				chance := 1 / float64(len(choices))
				if i == 1+int(r.Turn(p)) { // only right moves
					if c.Value.Outcome != best {
						continue
					}
					chance = 1 / float64(keep)
				}
				here[i][0] += chance * next[i][0]
				here[i][1] += chance * next[i][1]
			}
		}
		luck[p] = here
		s.see(p, choices, best, keep < len(choices))
	}
	s.luck = luck[digit.Position{}]
	return s
}

// see adds an open position to the counts.
func (s *study) see(p digit.Position, choices []solve.Choice, best solve.Outcome, decision bool) {
	s.open++
	me := s.rules.Turn(p)
	again := s.rules.Fills(me)-s.rules.Held(p, me).Len() > 1
	if decision {
		s.decisions++
		if !again {
			s.lastDigit++
		}
		several, mixed := 0, 0
		for same := range sameDigit(choices) {
			if len(same) > 1 {
				several = 1
			}
			if solve.Keep(same) < len(same) {
				mixed = 1
			}
		}
		s.placeable += several
		s.placeMatters += mixed
	}
	if s.rules.Target == 0 {
		s.seePlaces(p, choices, best, decision)
		return
	}
	if s.rules.Place == digit.Slots {
		s.seeHidden(p, choices, best)
	}
	mine, theirs := s.wins(p, me), s.wins(p, me.Other())
	for _, set := range []digit.Pool{mine, theirs} {
		if set.Len() > 1 {
			s.doubles++
			if low := slices.Collect(set.All()); set.Len() == 2 && low[1]-low[0] == 7 {
				s.twins++
			}
		}
	}
	saved := 0
	if best != solve.Loss {
		saved = 1
	}
	switch {
	case mine != 0:
		s.winNow++
	case theirs.Len() == 1:
		s.one++
		s.oneSaved += saved
		for _, c := range choices {
			if c.Value.Outcome != solve.Loss && !theirs.Has(c.Move.Digit) {
				s.otherSaves++
			}
		}
	case theirs != 0:
		s.more++
		s.moreSaved += saved
	case decision && again:
		s.quiet++
		s.quietBlind += chance(choices, best, func(solve.Choice) int { return 0 })
		s.build += chance(choices, best, func(c solve.Choice) int { return s.count(c.Next, me) })
		s.spoil += chance(choices, best,
			func(c solve.Choice) int { return -s.count(c.Next, me.Other()) })
	}
}

// seeHidden adds a position to those that differ only in the arrangement of the opponent's digits.
func (s *study) seeHidden(p digit.Position, choices []solve.Choice, best solve.Outcome) {
	right := uint64(0)
	for _, c := range choices {
		if c.Value.Outcome == best {
			place, _ := c.Move.Spot.Slot()
			right |= 1 << (4*int(c.Move.Digit) + place)
		}
	}
	k := unfinished{s.rules.Number(p, s.rules.Turn(p)), s.rules.Left(p)}
	if others, known := s.hidden[k]; known {
		right &= others
	}
	s.hidden[k] = right
}

// mustLook returns the number of cases in which no move is right for every arrangement of the
// opponent's digits, and the number of all cases.
func (s *study) mustLook() (must, all int) {
	for _, right := range s.hidden {
		if right == 0 {
			must++
		}
	}
	return must, len(s.hidden)
}

// seePlaces adds a position to the counts that concern only games without multiples.
func (s *study) seePlaces(p digit.Position, choices []solve.Choice, best solve.Outcome,
	decision bool) {
	left := slices.Collect(s.rules.Left(p).All())
	highest, wanted, top := left[len(left)-1], left[len(left)-1], digit.Digit(9)
	if s.rules.Final.Has(digit.Lower) {
		wanted, top = left[0], 1
	}
	if d, ok := s.rules.Number(p, digit.First).At(0); ok && d == top {
		s.settled++
		if decision {
			s.settledDecisions++
		}
	}
	_, filled := s.rules.Number(p, s.rules.Turn(p)).At(0)
	// Whether right moves leave the hundreds place open, fill it, or do not take the highest digit.
	leave, fill, without := false, false, false
	for same := range sameDigit(choices) {
		first, last := same[0], same[len(same)-1] // the highest and the lowest open place
		d := first.Move.Digit
		if d == wanted && first.Value.Outcome == best {
			s.greedy++
			if decision {
				s.greedyDecisions++
			}
		}
		if d == highest && len(same) > 1 {
			s.high++
			switch a, b := first.Value.Outcome.Points(), last.Value.Outcome.Points(); {
			case a > b:
				s.highBetter++
			case a < b:
				s.highWorse++
			}
		}
		for i, c := range same {
			right := c.Value.Outcome == best
			if decision && d == wanted && i > 0 {
				s.lower++
				if right {
					s.lowerRight++
				}
			}
			if right {
				fill = fill || i == 0
				leave = leave || i > 0
				without = without || d != highest
			}
		}
	}
	if !decision {
		return
	}
	if !without {
		s.forced++
	}
	if !filled {
		s.hundreds++
		if leave {
			s.mayLeave++
		}
		if !fill {
			s.mustLeave++
		}
	}
}

// sameDigit yields the choices in groups that take the same digit.
func sameDigit(choices []solve.Choice) iter.Seq[[]solve.Choice] {
	return func(yield func([]solve.Choice) bool) {
		for len(choices) > 0 {
			n := 1
			for n < len(choices) && choices[n].Move.Digit == choices[0].Move.Digit {
				n++
			}
			if !yield(choices[:n]) {
				return
			}
			choices = choices[n:]
		}
	}
}

// chance returns the probability that a random one of the choices with the highest count is right.
func chance(choices []solve.Choice, best solve.Outcome, count func(solve.Choice) int) float64 {
	top, n, right := count(choices[0]), 0, 0
	for _, c := range choices {
		switch k := count(c); {
		case k > top:
			top, n, right = k, 0, 0
		case k < top:
			continue
		}
		n++
		if c.Value.Outcome == best {
			right++
		}
	}
	return float64(right) / float64(n)
}

// wins returns the digits that would complete a multiple for a player, if it were their turn.
func (s *study) wins(p digit.Position, side digit.Side) (set digit.Pool) {
	for m := range s.rules.Threats(p, side) {
		set |= 1 << m.Digit
	}
	return set
}

// count returns the number of multiples that a player can still make with the digits left; at ends,
// the number of digits that would make one.
func (s *study) count(p digit.Position, side digit.Side) int {
	if s.rules.Place != digit.Slots {
		return s.wins(p, side).Len()
	}
	k := unfinished{s.rules.Number(p, side), s.rules.Left(p)}
	n, known := s.ways[k]
	if !known {
		for v := 105; v < 1000; v += 7 {
			set, fits := digit.Pool(0), true
			for i, d := range []int{v / 100, v / 10 % 10, v % 10} {
				if have, filled := k.number.At(i); filled {
					fits = fits && int(have) == d
				} else {
					fits = fits && k.left.Has(digit.Digit(d)) && !set.Has(digit.Digit(d))
					set |= 1 << d
				}
			}
			if fits {
				n++
			}
		}
		s.ways[k] = n
	}
	return n
}

// after returns the value of the position after some moves, for the player to move.
func (s *study) after(moves ...string) solve.Value { return s.Value(s.played(moves...)) }

func (s *study) played(moves ...string) (p digit.Position) {
	for _, text := range moves {
		m, err := digit.ParseMove(text)
		if err == nil {
			p, err = s.rules.Play(p, m)
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
	return p
}

// answers returns the number of answers to a first move that win, and of all answers.
func (s *study) answers(first string) (wins, all int) {
	for _, c := range s.Choices(s.played(first)) {
		all++
		if c.Value.Outcome == solve.Win {
			wins++
		}
	}
	return wins, all
}

// replies describes how many answers to a first move win.
func (s *study) replies(first string) string {
	wins, all := s.answers(first)
	return fmt.Sprintf("%d of %d answers", wins, all)
}

// onlyFirst reports whether a first move is the only one that wins.
func (s *study) onlyFirst(first string) bool {
	wins := 0
	for _, c := range s.Choices(digit.Position{}) {
		if c.Value.Outcome == solve.Win {
			wins++
		}
	}
	return wins == 1 && s.after(first).Outcome != solve.Win
}

// firstWins returns the number of first moves to a spot that win.
func (s *study) firstWins(spot digit.Spot) (n int) {
	for _, c := range s.Choices(digit.Position{}) {
		if c.Move.Spot == spot && c.Value.Outcome == solve.Win {
			n++
		}
	}
	return n
}

// secondDigits returns the number of the starter's second moves that win, and of all of them, over
// all positions.
func (s *study) secondDigits() (wins, all int) {
	for p := range s.Positions() {
		if s.rules.Ply(p) != 2 {
			continue
		}
		for _, c := range s.Choices(p) {
			all++
			if c.Value.Outcome == solve.Win {
				wins++
			}
		}
	}
	return wins, all
}

// answerSeven returns the number of losing first digits after which 7 is the only winning answer,
// and of all losing first digits.
func (s *study) answerSeven() (seven, lost int) {
	for _, c := range s.Choices(digit.Position{}) {
		if c.Value.Outcome == solve.Win {
			continue
		}
		lost++
		wins, _ := s.answers(c.Move.String())
		if wins == 1 && s.Line(c.Next)[0].Digit == 7 {
			seven++
		}
	}
	return seven, lost
}

// describe returns a first move in words, with its code.
func (s *study) describe(m digit.Move) string {
	return strings.TrimPrefix(rulebook.Voice{Rules: s.rules}.Put(digit.Position{}, m),
		"put ") + " (`" + m.String() + "`)"
}

func solved(t *testing.T, rules string) *solve.Solution {
	r, err := digit.ParseRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	s, err := solve.Solve(t.Context(), r, solve.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A target is a target of divisibility, with the number of first digits that win, and the length of
// the game if the winner hurries.
type target struct{ number, wins, digits int }

// targets returns the targets of two digits: primes and others.
func (s *study) targets() (prime, other []target) {
	if s.prime != nil {
		return s.prime, s.other
	}
	for n := 10; n < 100; n++ {
		with := solved(s.t, fmt.Sprintf("divisibility target=%d", n))
		v := with.Value(digit.Position{})
		x := target{n, 0, v.Plies}
		switch v.Outcome {
		case solve.Win:
			x.wins = solve.Keep(with.Choices(digit.Position{}))
		case solve.Draw:
			s.t.Errorf("target %d is a draw", n)
		}
		if n%2 != 0 && n%3 != 0 && n%5 != 0 && n%7 != 0 {
			prime = append(prime, x)
		} else {
			other = append(other, x)
		}
	}
	s.prime, s.other = prime, other
	return prime, other
}

func find(list []target, number int) target {
	return list[slices.IndexFunc(list, func(x target) bool { return x.number == number })]
}

func mean(list []target) float64 {
	sum := 0
	for _, x := range list {
		sum += x.wins
	}
	return float64(sum) / float64(len(list))
}

// openPairs counts the ways to fill two places of dilemma by the number of third digits that make a
// multiple.
func openPairs() (none, one, two int) {
	count := map[int]int{}
	for gap := range 3 {
		for x := range 10 {
			for y := range 10 {
				if x == y {
					continue
				}
				k := 0
				for z := range 10 {
					n := slices.Insert([]int{x, y}, gap, z)
					if z != x && z != y && n[0] != 0 && (100*n[0]+10*n[1]+n[2])%7 == 0 {
						k++
					}
				}
				count[k]++
			}
		}
	}
	return count[0], count[1], count[2]
}

// hands3 yields the hands of three of the digits 0 to 9.
func hands3() iter.Seq[digit.Pool] {
	return func(yield func(digit.Pool) bool) {
		for hand := range digit.Pool(1 << 10) {
			if hand.Len() == 3 && !yield(hand) {
				return
			}
		}
	}
}

// winningHands returns the number of hands that make a multiple of 7, and of those with each digit.
func winningHands() (hands int, with [10]int) {
	for hand := range hands3() {
		if digit.Sevens.HighestMultiple(hand) == (digit.Number{}) {
			continue
		}
		hands++
		for d := range hand.All() {
			with[d]++
		}
	}
	return hands, with
}

// pairsOfHands returns the number of pairs of digits that can become a multiple, the least and the
// largest number of third digits for that, and the other pairs.
func pairsOfHands() (good, least, most int, barren string) {
	least = 10
	var none []string
	for pair := range digit.Pool(1 << 10) {
		if pair.Len() != 2 {
			continue
		}
		k := 0
		for d := range (digit.Sevens.Pool &^ pair).All() {
			if digit.Sevens.HighestMultiple(pair|1<<d) != (digit.Number{}) {
				k++
			}
		}
		if k == 0 {
			none = append(none, rulebook.Digits(pair))
			continue
		}
		good, least, most = good+1, min(least, k), max(most, k)
	}
	return good, least, most, strings.Join(none, "; ")
}

// remaindersHold checks the arithmetic of the page for a digit added at either end of a number.
func remaindersHold() bool {
	power := 1
	for _, times := range []int{3, 2, 6, 4} {
		for n := power; n < 10*power; n++ {
			for d := range 10 {
				if (10*n+d)%7 != (3*(n%7)+d)%7 || (10*power*d+n)%7 != (n%7+times*d)%7 {
					return false
				}
			}
		}
		power *= 10
	}
	return true
}

// A plainPosition is a position of the game in which the lower number wins: the places from the
// left, with 0 for an open one. The number of the player to move comes first.
type plainPosition struct{ mine, theirs [3]int }

// A plainGame solves that game without the rules and the solver.
type plainGame struct {
	wins                    map[plainPosition]bool // whether the player to move wins
	open, decisions, greedy int
	higher                  int // decisions in which it is right to leave the hundreds place open
}

// next returns the position after a move, seen by the next player to move; ok is false if the move
// is illegal.
func (p plainPosition) next(d, place int) (q plainPosition, ok bool) {
	if p.mine[place] != 0 || slices.Contains(p.mine[:], d) || slices.Contains(p.theirs[:], d) {
		return q, false
	}
	p.mine[place] = d
	return plainPosition{p.theirs, p.mine}, true
}

func (g *plainGame) play(p plainPosition) bool {
	if !slices.Contains(p.mine[:], 0) {
		return slices.Compare(p.mine[:], p.theirs[:]) < 0
	}
	if win, known := g.wins[p]; known {
		return win
	}
	moves, wins, leave := 0, 0, false
	greedy, first := false, true // the first move is the lowest digit in the highest open place
	for d := 1; d <= 9; d++ {
		for place := range 3 {
			q, ok := p.next(d, place)
			if !ok {
				continue
			}
			moves++
			win := !g.play(q)
			if win {
				wins++
				leave = leave || place > 0
			}
			if first {
				greedy, first = win, false
			}
		}
	}
	g.open++
	if greedy || wins == 0 {
		g.greedy++
	}
	if wins > 0 && wins < moves {
		g.decisions++
		if p.mine[0] == 0 && leave {
			g.higher++
		}
	}
	g.wins[p] = wins > 0
	return wins > 0
}

// byHand checks some of the figures by plain arithmetic.
func byHand(t *testing.T, studies map[string]*study) {
	lower := plainGame{wins: map[plainPosition]bool{}}
	lower.play(plainPosition{})
	for name, mirrored := range map[string]bool{"reverse": false, "highest": true} {
		s := studies[name]
		want := []int{s.open, s.decisions, s.greedy, s.mayLeave}
		if got := []int{lower.open, lower.decisions, lower.greedy, lower.higher}; !slices.Equal(got, want) {
			t.Errorf("%s: got %v by hand, but %v by the solver", name, got, want)
		}
		for d := 1; d <= 9; d++ {
			for place := range 3 {
				p, _ := plainPosition{}.next(d, place)
				got := 0
				for e := 1; e <= 9; e++ {
					for there := range 3 {
						if q, ok := p.next(e, there); ok && !lower.play(q) {
							got++
						}
					}
				}
				first := digit.Move{Digit: digit.Digit(d), Spot: digit.SlotAt(place)}
				if mirrored {
					first.Digit = digit.Digit(10 - d)
				}
				if want, _ := s.answers(first.String()); got != want {
					t.Errorf("%s %v: %d answers win by hand, but %d by the solver",
						name, first, got, want)
				}
			}
		}
	}

	// In dilemma, a first move wins if after every answer some second digit leaves two digits that
	// complete a multiple.
	for d := range 10 {
		for place := range 3 {
			wins := true
			for answer := range 10 {
				wins = wins && (answer == d || plainPair(d, place, answer))
			}
			first := digit.Move{Digit: digit.Digit(d), Spot: digit.SlotAt(place)}
			if want := studies["dilemma"].after(first.String()).Outcome == solve.Loss; wins != want {
				t.Errorf("dilemma %v wins by hand: %v, by the solver: %v", first, wins, want)
			}
		}
	}

	// In sevens, compare the hands of all multiples.
	made := map[[10]bool]bool{}
	var with [10]int
	for n := 105; n < 1000; n += 7 {
		var hand [10]bool
		hand[n/100], hand[n/10%10], hand[n%10] = true, true, true
		if n/100 == n/10%10 || n/100 == n%10 || n/10%10 == n%10 || made[hand] {
			continue
		}
		made[hand] = true
		for d, in := range hand {
			if in {
				with[d]++
			}
		}
	}
	if hands, each := winningHands(); hands != len(made) || each != with {
		t.Errorf("got %d hands, %v by hand, but %d, %v by the rules", len(made), with, hands, each)
	}
}

// plainPair reports whether, with d in a place and another digit gone, some second digit leaves two
// digits that complete a multiple of 7.
func plainPair(d, place, gone int) bool {
	for e := range 10 {
		for there := range 3 {
			if e == d || e == gone || there == place {
				continue
			}
			complete := 0
			for f := range 10 {
				n := [3]int{f, f, f}
				n[place], n[there] = d, e
				if f != d && f != e && f != gone && n[0] != 0 && (100*n[0]+10*n[1]+n[2])%7 == 0 {
					complete++
				}
			}
			if complete == 2 {
				return true
			}
		}
	}
	return false
}
