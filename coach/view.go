package coach

import (
	"slices"

	"digitduel/digit"
	"digitduel/solve"
)

// A view is a position with what is known of it.
type view struct {
	solution *solve.Solution
	rules    digit.Rules
	position digit.Position
	me       digit.Side // who moves
	best     solve.Value
	choices  []solve.Choice
}

func see(s *solve.Solution, p digit.Position) *view {
	r := s.Rules()
	return &view{solution: s, rules: r, position: p, me: r.Turn(p), best: s.Value(p), choices: s.Choices(p)}
}

// after returns the view of the other side once a choice is made.
func (v *view) after(c solve.Choice) *view { return see(v.solution, c.Next) }

// with returns how many choices have an outcome.
func (v *view) with(o solve.Outcome) int {
	n := 0
	for i := range v.choices {
		if v.choices[i].Value.Outcome == o {
			n++
		}
	}
	return n
}

// spoilt returns how many of the replies to a choice give away what the other side has.
func (v *view) spoilt(c solve.Choice) (wrong, replies int) {
	reply := v.after(c)
	return len(reply.choices) - solve.Keep(reply.choices), len(reply.choices)
}

// advice returns the choice to recommend.
func (v *view) advice() solve.Choice {
	var best solve.Choice
	var problems, of, hold int
	for i, c := range v.choices {
		if c.Value.Outcome != v.best.Outcome {
			continue
		}
		first := best.Next == digit.Position{}
		if v.best.Outcome == solve.Win {
			if c.Value != v.best {
				continue
			}
			if grip := v.grip(c); first || grip > hold {
				best, hold = v.choices[i], grip
			}
			continue
		}
		wrong, replies := v.spoilt(c)
		replies = max(1, replies)
		harder := wrong*of - problems*replies
		if first || harder > 0 || harder == 0 && c.Value.Compare(best.Value) > 0 {
			best, problems, of = v.choices[i], wrong, replies
		}
	}
	return best
}

// course returns how the game goes on with best play: the side that wins or draws does what is advised, the other one delays.
func course(s *solve.Solution, p digit.Position) []digit.Move {
	var moves []digit.Move
	for v := see(s, p); len(v.choices) > 0; v = see(s, p) {
		c := v.advice()
		if v.best.Outcome == solve.Loss {
			c = v.delay()
		}
		moves, p = append(moves, c.Move), c.Next
	}
	return moves
}

// delay returns a choice of the value of the position, the one that is advised if it is such: in a lost position the one that lasts longest.
func (v *view) delay() solve.Choice {
	advice := v.advice()
	if advice.Value == v.best {
		return advice
	}
	return v.choices[slices.IndexFunc(v.choices, func(c solve.Choice) bool { return c.Value == v.best })]
}

// grip returns how firm a win is: a multiple rather than a comparison, by how much the higher or the lower number is certain, or
// how many digits win next.
func (v *view) grip(c solve.Choice) int {
	switch {
	case v.rules.Result(c.Next).Reason == digit.Multiple:
		return 1
	case !v.ranked():
		return v.winning(c.Next, v.me).Len()
	case !v.settled(c.Next, v.me):
		return 0
	}
	mine, yours := v.bounds(c.Next, v.me)
	return max(int(mine)-int(yours), int(yours)-int(mine))
}

// grade grades a choice.
func (v *view) grade(c solve.Choice) Grade {
	switch {
	case c.Value.Compare(v.best) == 0:
		return Best
	case c.Value.Outcome == v.best.Outcome && c.Value.Outcome == solve.Loss:
		advice := v.advice()
		wrong, replies := v.spoilt(c)
		most, of := v.spoilt(advice)
		if replies > 0 && of > 0 && wrong*of == most*replies && c.Value.Plies == advice.Value.Plies {
			return Best
		}
		return Fine
	case c.Value.Outcome == v.best.Outcome:
		return Fine
	case v.best == solve.Value{Outcome: solve.Win, Plies: 1}, c.Value.Outcome == solve.Loss && c.Value.Plies <= 2:
		return Blunder
	default:
		return Mistake
	}
}

// winning returns the digits with which a side would complete a multiple if it were its turn.
func (v *view) winning(p digit.Position, s digit.Side) digit.Pool {
	var digits digit.Pool
	for m := range v.rules.Threats(p, s) {
		digits |= digit.PoolOf(m.Digit)
	}
	return digits
}

// completes returns the numbers, each once, that a side would complete with one of some digits if it were its turn.
func (v *view) completes(p digit.Position, s digit.Side, with digit.Pool) []digit.Number {
	var numbers []digit.Number
	for m, n := range v.rules.Threats(p, s) {
		if with.Has(m.Digit) {
			numbers = append(numbers, n)
		}
	}
	return numbers
}
