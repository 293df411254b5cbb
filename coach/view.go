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
	choices  []choice // the legal moves, those that differ only in the call as the best one of them
}

// A choice is a legal move, where it leads and what it is worth to who makes it.
type choice struct {
	move  digit.Move
	next  digit.Position
	value solve.Value
}

func see(s *solve.Solution, p digit.Position) *view {
	r := s.Rules()
	v := &view{solution: s, rules: r, position: p, me: r.Turn(p), best: s.Value(p), choices: make([]choice, 0, 32)}
	for m := range r.Moves(p) {
		c := v.choice(m)
		if last := len(v.choices) - 1; last >= 0 && v.choices[last].move.Digit == m.Digit && v.choices[last].move.Spot == m.Spot {
			if better := c.value.Compare(v.choices[last].value); better > 0 || better == 0 && c.value.Outcome == solve.Win {
				v.choices[last] = c // of several calls that win, the highest
			}
			continue
		}
		v.choices = append(v.choices, c)
	}
	return v
}

// choice returns a legal move as a choice.
func (v *view) choice(m digit.Move) choice {
	next, err := v.rules.Play(v.position, m)
	if err != nil {
		panic("coach: " + err.Error())
	}
	after := v.solution.Value(next)
	return choice{m, next, solve.Value{Outcome: after.Outcome.Other(), Plies: after.Plies + 1}}
}

// after returns the view of the other side once a choice is made.
func (v *view) after(c choice) *view { return see(v.solution, c.next) }

// with returns how many choices have an outcome.
func (v *view) with(o solve.Outcome) int {
	n := 0
	for i := range v.choices {
		if v.choices[i].value.Outcome == o {
			n++
		}
	}
	return n
}

// decision reports whether the legal moves differ in outcome.
func (v *view) decision() bool {
	for _, option := range v.solution.Moves(v.position) {
		if option.Outcome != v.best.Outcome {
			return true
		}
	}
	return false
}

// spoilt returns how many of the replies to a choice give away what the other side has.
func (v *view) spoilt(c choice) (wrong, replies int) {
	reply := v.after(c)
	return len(reply.choices) - reply.with(reply.best.Outcome), len(reply.choices)
}

// advice returns the choice to recommend.
func (v *view) advice() choice {
	var best choice
	var problems, of, hold int
	for i, c := range v.choices {
		if c.value.Outcome != v.best.Outcome {
			continue
		}
		first := best.next == digit.Position{}
		if v.best.Outcome == solve.Win {
			if c.value != v.best {
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
		if first || harder > 0 || harder == 0 && c.value.Compare(best.value) > 0 {
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
		moves, p = append(moves, c.move), c.next
	}
	return moves
}

// delay returns a choice of the value of the position, the one that is advised if it is such: in a lost position the one that lasts longest.
func (v *view) delay() choice {
	advice := v.advice()
	if advice.value == v.best {
		return advice
	}
	return v.choices[slices.IndexFunc(v.choices, func(c choice) bool { return c.value == v.best })]
}

// grip returns how firm a win is: a multiple rather than a comparison, by how much the higher or the lower number is certain, or
// how many digits win next.
func (v *view) grip(c choice) int {
	switch {
	case v.rules.Result(c.next).Reason == digit.Multiple:
		return 1
	case !v.ranked():
		return v.winning(c.next, v.me).Len()
	case !v.settled(c.next, v.me):
		return 0
	}
	mine, yours := v.bounds(c.next, v.me)
	return max(int(mine)-int(yours), int(yours)-int(mine))
}

// grade grades a choice.
func (v *view) grade(c choice) Grade {
	switch {
	case c.value.Compare(v.best) == 0:
		return Best
	case c.value.Outcome == v.best.Outcome && c.value.Outcome == solve.Loss:
		advice := v.advice()
		wrong, replies := v.spoilt(c)
		most, of := v.spoilt(advice)
		if replies > 0 && of > 0 && wrong*of == most*replies && c.value.Plies == advice.value.Plies {
			return Best
		}
		return Fine
	case c.value.Outcome == v.best.Outcome:
		return Fine
	case v.best == solve.Value{Outcome: solve.Win, Plies: 1}, c.value.Outcome == solve.Loss && c.value.Plies <= 2:
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
