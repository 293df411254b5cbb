package coach

import (
	"fmt"
	"slices"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// plan tells what a win that takes more than this turn is made of.
func (v *view) plan(c solve.Choice) row {
	for _, holds := range []func(solve.Choice) (row, bool){v.double, v.settles, v.pair, v.useless, v.forces, v.meets, v.beats} {
		if r, ok := holds(c); ok {
			return r
		}
	}
	r := row{nudge: "There is a win " + v.Turns(c.Value.Plies, v.other, true) + ".", proof: []string{"best play wins " + v.Turns(c.Value.Plies, v.other, false)}}
	if !v.picked {
		r.idea = fmt.Sprintf("A good digit is %v.", c.Move.Digit)
	}
	return r
}

// double: at least two digits win next, of which the other side can take only one.
func (v *view) double(c solve.Choice) (row, bool) {
	open := v.winning(c.Next, v.me)
	n, idea := "two", "Find the move after which both "+digits(open)+" would win."
	switch {
	case open.Len() < 2:
		return row{}, false
	case open.Len() > 2:
		n, idea = rulebook.InWords(open.Len()), "Find the move after which "+digits(open)+" would each win."
	}
	proof := each(v.makes(c.Next, v.me, open), func(makes string) string { return makes + ". " + v.Who(v.other) + " can take only one" })
	return row{nudge: v.Who(v.me) + " can make " + n + " winning digits at once.", idea: idea, proof: proof}, true
}

// useless: the last digit is the other side's, and does not help.
func (v *view) useless(c solve.Choice) (row, bool) {
	if c.Value.Plies > 2 {
		return row{}, false
	}
	reply := v.at(c.Next)
	var best solve.Choice
	for i, answer := range reply.choices {
		if i == 0 || reply.preferred(answer, best) {
			best = answer
		}
	}
	f := rulebook.Finished(v.Rules, best.Next, v.Rules.Result(best.Next))
	made := v.Number(f.Numbers[v.other])
	return row{nudge: v.Does(v.other, "have") + " the last digit. Make it useless.", idea: v.Whose(v.other) + " best will be " + made + ".",
		proof: []string{fmt.Sprintf("the best %s can make is %s. %s", v.Whom(v.other), made, v.compared(f)), "the best " + v.Whom(v.other) + " can make is " + made}}, true
}

// preferred reports whether the final orders prefer the number that a choice makes to that of another.
func (v *view) preferred(c, to solve.Choice) bool {
	x, y := v.Rules.Value(c.Next, v.me), v.Rules.Value(to.Next, v.me)
	for _, o := range v.Rules.Final {
		if a, b := v.Rules.Measure(o, x), v.Rules.Measure(o, y); a != b {
			return a < b
		}
	}
	return false
}

// forces: one digit wins next, so the other side has to take it, and that does not help.
func (v *view) forces(c solve.Choice) (row, bool) {
	open := v.winning(c.Next, v.me)
	if open == 0 {
		return row{}, false
	}
	n := v.completes(c.Next, v.me, open)[0]
	r := row{nudge: "A threat leaves " + v.Whom(v.other) + " no choice.", idea: fmt.Sprintf("%s can threaten %s.", v.Who(v.me), v.Number(n))}
	threat := v.does(v.me, "threaten") + " " + v.Made(n)
	reply := v.at(c.Next)
	taken := slices.DeleteFunc(reply.choices, func(answer solve.Choice) bool { return !open.Has(answer.Move.Digit) })
	if len(taken) == 0 {
		r.proof = []string{fmt.Sprintf("%s, and %s cannot take %s", threat, v.Whom(v.other), digits(open))}
		return r, true
	}
	must := fmt.Sprintf("%s, so %s must take %s", threat, v.Whom(v.other), digits(open))
	if moves := reply.answers(taken); len(moves) <= 2 {
		r.proof = []string{must + ". Then " + v.either(taken[0].Next, moves) + " wins"}
	}
	r.proof = append(r.proof, must)
	return r, true
}

// answers returns a few moves of the other side, of which at least one wins against each of some choices, the most useful one first.
func (v *view) answers(to []solve.Choice) []digit.Move {
	wins := make([][]digit.Move, len(to))
	for i, c := range to {
		for m, value := range v.solution.Moves(c.Next) {
			if value.Outcome == solve.Win {
				wins[i] = append(wins[i], m)
			}
		}
	}
	var found []digit.Move
	for {
		counts := map[digit.Move]int{}
		var best digit.Move
		for _, moves := range wins {
			for _, m := range moves {
				if counts[m]++; counts[m] > counts[best] {
					best = m
				}
			}
		}
		if len(counts) == 0 {
			return found
		}
		found = append(found, best)
		for i, moves := range wins {
			if slices.Contains(moves, best) {
				wins[i] = nil
			}
		}
	}
}

// meets: every reply is met by a move after which at least two digits win.
func (v *view) meets(c solve.Choice) (row, bool) {
	reply := v.at(c.Next)
	r := row{nudge: v.Does(v.me, "win") + " whatever " + v.does(v.other, "play") + "."}
	others := ""
	if len(reply.choices) > 1 {
		others = ". Every other answer meets two threats as well"
	}
	for _, answer := range reply.choices {
		then := v.at(answer.Next)
		next, open := then.twofold()
		if open == 0 {
			return row{}, false
		}
		if r.proof != nil || answer.Value != reply.best {
			continue
		}
		does := reply.plays(c.Next, answer.Move)
		r.idea = "If " + does + ", look for two threats."
		put := then.plays(answer.Next, next.Move)
		if v.order {
			put = v.Put(answer.Next, next.Move)
		}
		for _, makes := range v.makes(next.Next, v.me, open) {
			r.proof = append(r.proof, fmt.Sprintf("if %s, %s: %s%s", does, put, makes, others))
		}
	}
	return r, true
}

// twofold returns the choice that leaves the most digits, at least two, of which whichever goes another one wins.
func (v *view) twofold() (c solve.Choice, open digit.Pool) {
	for i := range v.choices {
		if v.choices[i].Value != (solve.Value{Outcome: solve.Win, Plies: 3}) {
			continue
		}
		if digits := v.winning(v.choices[i].Next, v.me); digits.Len() > max(1, open.Len()) {
			c, open = v.choices[i], digits
		}
	}
	return c, open
}

// beats: a few moves win against every reply.
func (v *view) beats(c solve.Choice) (row, bool) {
	reply := v.at(c.Next)
	moves := reply.answers(reply.choices)
	if len(moves) < 2 || len(moves) > 4 {
		return row{}, false
	}
	beaten, p := 0, digit.Position{}
	for _, answer := range reply.choices {
		if next, err := v.Rules.Play(answer.Next, moves[0]); err == nil && v.solution.Value(next).Outcome == solve.Loss {
			beaten++
			p = answer.Next
		}
	}
	r := row{nudge: v.Does(v.me, "win") + " whatever " + v.does(v.other, "play") + "."}
	r.idea = fmt.Sprintf("%s moves answer everything that %s.", v.begin(rulebook.InWords(len(moves))), v.does(v.other, "play"))
	r.proof = []string{fmt.Sprintf("%s wins against %d of %s %d answers, %s against the others",
		v.Back(p, moves[0]), beaten, v.whose(v.other), len(reply.choices), v.either(p, moves[1:]))}
	return r, true
}
