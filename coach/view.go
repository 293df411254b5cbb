package coach

import (
	"slices"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A view is a position with what is known of it, and the voice to tell that in.
type view struct {
	rulebook.Voice
	solution  *solve.Solution
	position  digit.Position
	me, other digit.Side // who moves, and who does not
	best      solve.Value
	choices   []solve.Choice
	tone
}

// A tone is how a view is told.
type tone struct {
	limit  int  // how many characters a text may have
	past   bool // the game is over, and the better move may be named
	order  bool // to who moves, as something to do
	picked bool // the digit is chosen, and the choices are where it goes
}

func see(s *solve.Solution, p digit.Position, voice rulebook.Voice, how tone) *view {
	voice.Rules = s.Rules()
	me := voice.Rules.Turn(p)
	how.order = how.order && !voice.Cast.You[me.Other()]
	return &view{Voice: voice, solution: s, position: p, me: me, other: me.Other(), best: s.Value(p), choices: s.Choices(p), tone: how}
}

// at returns the view of another position, which is told to the same reader, but not as something to do.
func (v *view) at(p digit.Position) *view {
	how := v.tone
	how.order, how.picked = false, false
	return see(v.solution, p, v.Voice, how)
}

// pick leaves only the choices that take a digit, and reports whether one of them keeps the outcome.
func (v *view) pick(d digit.Digit) (keeps bool) {
	was := v.best.Outcome
	v.choices = slices.DeleteFunc(v.choices, func(c solve.Choice) bool { return c.Move.Digit != d })
	v.best, v.picked = solve.Value{Outcome: solve.Loss}, true
	for _, c := range v.choices {
		if c.Value.Compare(v.best) > 0 {
			v.best = c.Value
		}
	}
	return v.best.Outcome == was
}

// kept returns how many choices keep the outcome, and how many there are.
func (v *view) kept() (n, all int) { return solve.Keep(v.choices), len(v.choices) }

// spoilt returns how many of the replies to a choice give away what the other side has.
func (v *view) spoilt(c solve.Choice) (wrong, replies int) {
	choices := v.solution.Choices(c.Next)
	return len(choices) - solve.Keep(choices), len(choices)
}

// advice returns the choice to recommend.
func (v *view) advice() solve.Choice {
	var best solve.Choice
	var problems, of, hold int
	for _, c := range v.choices {
		if c.Value.Outcome != v.best.Outcome {
			continue
		}
		first := best.Next == digit.Position{}
		if v.best.Outcome == solve.Win {
			if c.Value != v.best {
				continue
			}
			if grip := v.grip(c); first || grip > hold {
				best, hold = c, grip
			}
			continue
		}
		wrong, replies := v.spoilt(c)
		replies = max(1, replies)
		harder := wrong*of - problems*replies
		if first || harder > 0 || harder == 0 && c.Value.Compare(best.Value) > 0 {
			best, problems, of = c, wrong, replies
		}
	}
	return best
}

// course returns how the game goes on with best play: the side that wins or draws does what is advised, the other one delays.
func course(s *solve.Solution, p digit.Position) []digit.Move {
	var moves []digit.Move
	for v := see(s, p, rulebook.Voice{}, tone{}); len(v.choices) > 0; v = v.at(p) {
		c := v.advice()
		if v.best.Outcome == solve.Loss && c.Value != v.best {
			c = v.choices[slices.IndexFunc(v.choices, func(c solve.Choice) bool { return c.Value == v.best })]
		}
		moves, p = append(moves, c.Move), c.Next
	}
	return moves
}

// grip returns how firm a win is: a multiple rather than a comparison, by how much the higher or the lower number is certain, or
// how many digits win next.
func (v *view) grip(c solve.Choice) int {
	switch {
	case v.Rules.Result(c.Next).Reason == digit.Multiple:
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
		if advice := v.advice(); v.harder(advice, c) == 0 && c.Value.Plies == advice.Value.Plies && c.Value.Plies > 1 {
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

// harder returns more than 0 if a larger share of the replies to a choice is wrong than of those to another, and 0 if as large a one.
func (v *view) harder(c, than solve.Choice) int {
	wrong, replies := v.spoilt(c)
	less, of := v.spoilt(than)
	return wrong*max(1, of) - less*max(1, replies)
}

// winning returns the digits with which a side would complete a multiple if it were its turn.
func (v *view) winning(p digit.Position, s digit.Side) digit.Pool {
	var digits digit.Pool
	for m := range v.Rules.Threats(p, s) {
		digits |= digit.PoolOf(m.Digit)
	}
	return digits
}

// completes returns the numbers, each once, that a side would complete with one of some digits if it were its turn.
func (v *view) completes(p digit.Position, s digit.Side, with digit.Pool) []digit.Number {
	var numbers []digit.Number
	for m, n := range v.Rules.Threats(p, s) {
		if with.Has(m.Digit) {
			numbers = append(numbers, n)
		}
	}
	return numbers
}
