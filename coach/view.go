package coach

import (
	"math"
	"slices"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A view is a position of a solved game as the player to move sees it, with a voice to describe it.
type view struct {
	rulebook.Voice
	solution  *solve.Solution
	position  digit.Position
	me, other digit.Side // the player to move and the opponent
	best      solve.Value
	choices   []solve.Choice
	picked    bool // a digit is picked, and the choices are its places
	limit     int  // the length of a text in characters; 0: any
}

func see(s *solve.Solution, p digit.Position, voice rulebook.Voice) *view {
	voice.Rules = s.Rules()
	me := voice.Rules.Turn(p)
	return &view{
		Voice: voice, solution: s, position: p, me: me, other: me.Other(),
		best: s.Value(p), choices: s.Choices(p),
	}
}

// at returns the view of another position, for the same reader.
func (v *view) at(p digit.Position) *view { return see(v.solution, p, v.Voice) }

// pick leaves only the choices that take a digit, and reports whether one of them keeps the
// outcome.
func (v *view) pick(d digit.Digit) (keeps bool) {
	was := v.best.Outcome
	v.choices = slices.DeleteFunc(v.choices, func(c solve.Choice) bool { return c.Move.Digit != d })
	v.best, v.picked = slices.MaxFunc(v.choices, func(a, b solve.Choice) int {
		return a.Value.Compare(b.Value)
	}).Value, true
	return v.best.Outcome == was
}

// keep returns the choices that keep the outcome.
func (v *view) keep() []solve.Choice {
	return slices.DeleteFunc(slices.Clone(v.choices), func(c solve.Choice) bool {
		return c.Value.Outcome != v.best.Outcome
	})
}

// only returns the digit that every choice that keeps the outcome takes; ok is false if they
// differ.
func (v *view) only() (d digit.Digit, ok bool) {
	keep := v.keep()
	d = keep[0].Move.Digit
	return d, !slices.ContainsFunc(keep, func(c solve.Choice) bool { return c.Move.Digit != d })
}

// replies returns the number of replies to a choice that keep the opponent's outcome, and of all.
func (v *view) replies(c solve.Choice) (right, all int) { return v.solution.Kept(c.Next) }

// advice returns the choice to recommend, as [Advise] describes it.
func (v *view) advice() (best solve.Choice) {
	rank := math.MinInt
	for _, c := range v.choices {
		if c.Value.Outcome != v.best.Outcome || v.best.Outcome == solve.Win && c.Value != v.best {
			continue
		}
		r := v.rank(c)
		if r > rank || r == rank && c.Value.Compare(best.Value) > 0 {
			best, rank = c, r
		}
	}
	return best
}

// rank compares the choices that keep the outcome. Of fastest wins it prefers a multiple, best on
// the right where it is easy to check, the largest certain difference, or the most winning digits
// and then the fewest for the opponent. Of others it prefers the fewest right replies.
func (v *view) rank(c solve.Choice) int {
	result := v.Rules.Result(c.Next)
	switch {
	case v.best.Outcome != solve.Win && !result.Over():
		right, all := v.replies(c)
		return all - 1000*right
	case v.best.Outcome != solve.Win:
		return math.MinInt + 1
	case result.Reason == digit.Multiple && c.Move.Spot == digit.Right:
		return 2
	case result.Reason == digit.Multiple:
		return 1
	case !v.ranked():
		return 100*v.winning(c.Next, v.me).Len() - v.opening(c)
	default:
		return max(0, v.lead(c.Next, v.me))
	}
}

// opening returns the most winning digits that the opponent can have after a reply to a choice.
func (v *view) opening(c solve.Choice) (most int) {
	for m := range v.Rules.Moves(c.Next) {
		if !m.Calls() {
			next, _ := v.Rules.Play(c.Next, m) // it is legal
			most = max(most, v.winning(next, v.other).Len())
		}
	}
	return most
}

// line returns best play from a position: the player who wins or draws makes the advised moves, the
// other one delays.
func line(s *solve.Solution, p digit.Position) []digit.Move {
	var moves []digit.Move
	for v := see(s, p, rulebook.Voice{}); len(v.choices) > 0; v = v.at(p) {
		c := v.advice()
		if c.Value != v.best {
			c = v.toughest()[0]
		}
		moves, p = append(moves, c.Move), c.Next
	}
	return moves
}

// toughest returns the choices that last longest in a lost position, or that win or draw best.
func (v *view) toughest() []solve.Choice {
	return slices.DeleteFunc(slices.Clone(v.choices), func(c solve.Choice) bool {
		return c.Value.Compare(v.best) != 0
	})
}

// grade grades a choice.
func (v *view) grade(c solve.Choice) Grade {
	switch {
	case c.Value.Compare(v.best) == 0:
		return Best
	case c.Value.Outcome == v.best.Outcome:
		return Fine
	case v.best == winNow, c.Value.Outcome == solve.Loss && c.Value.Plies <= 2:
		return Blunder
	default:
		return Mistake
	}
}

// winNow is the value of a position in which the player to move can win at once.
var winNow = solve.Value{Outcome: solve.Win, Plies: 1}

// winning returns the digits with which a player would make a winning multiple on their turn.
func (v *view) winning(p digit.Position, s digit.Side) digit.Pool {
	var digits digit.Pool
	for m := range v.Rules.Threats(p, s) {
		digits |= digit.PoolOf(m.Digit)
	}
	return digits
}

// completes returns the winning multiples, each once, that a player would make with some digits.
func (v *view) completes(p digit.Position, s digit.Side, with digit.Pool) (numbers []digit.Number) {
	for m, n := range v.Rules.Threats(p, s) {
		if with.Has(m.Digit) && !slices.Contains(numbers, n) {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// threats returns one winning multiple for each digit with which a player would make one.
func (v *view) threats(p digit.Position, s digit.Side) []digit.Number {
	return rulebook.Needs(v.Rules, p, s)
}

// finish returns how a choice that ends the game ends it.
func (v *view) finish(c solve.Choice) rulebook.Finish {
	return rulebook.Finished(v.Rules, c.Next, v.Rules.Result(c.Next))
}
