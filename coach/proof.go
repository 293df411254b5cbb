package coach

import (
	"fmt"
	"slices"

	"digitduel/digit"
	"digitduel/solve"
)

// proof says what the win of a winning choice is made of.
func (v *view) proof(c solve.Choice) string {
	if said := v.plainProof(c); said != "" {
		return said
	}
	return v.longest(c)
}

// plainProof does it where the next two turns tell.
func (v *view) plainProof(c solve.Choice) string {
	if c.Value.Plies == 1 {
		return "wins at once: " + v.triumph(c)
	}
	if open := v.winning(c.Next, v.me); open.Len() > 1 {
		return v.leaves(c, open)
	}
	for _, clause := range []func(solve.Choice) string{v.certain, v.pair, v.unsaved, v.threatens, v.meets, v.beats} {
		if said := clause(c); said != "" {
			return said
		}
	}
	return ""
}

// triumph says how a choice wins at once.
func (v *view) triumph(c solve.Choice) string {
	if v.rules.Result(c.Next).Reason != digit.Multiple {
		return v.comparison(c.Next)
	}
	n, called := v.rules.Called(c.Next)
	switch {
	case called:
	case v.rules.Place == digit.Hand:
		n = v.completes(v.position, v.me, digit.PoolOf(c.Move.Digit))[0]
	default:
		n = v.rules.Number(c.Next, v.me)
	}
	return v.multiple(n)
}

// leaves says that at least two digits win next, of which the other side can take only one.
func (v *view) leaves(c solve.Choice, open digit.Pool) string {
	return "leaves " + digits(open) + " for " + v.name(c.Next, v.me) + ": whichever goes, " + another(open.Len()) + " wins"
}

// another says which of some things is left when one goes.
func another(n int) string {
	if n == 2 {
		return "the other one"
	}
	return "another one"
}

// unsaved says that the last digit of the other side does not help it.
func (v *view) unsaved(c solve.Choice) string {
	if c.Value.Plies > 2 {
		return ""
	}
	reply := v.after(c)
	var best solve.Choice
	for i, answer := range reply.choices {
		if i == 0 || reply.preferred(answer, best) {
			best = answer
		}
	}
	made := v.rules.Best(v.rules.Number(best.Next, reply.me))
	return "leaves no way out for " + v.name(c.Next, reply.me) + ", at best " + made.String() + ": " + v.comparison(best.Next)
}

// preferred reports whether the final orders prefer the number that a choice makes to that of another.
func (v *view) preferred(c, to solve.Choice) bool {
	x, y := v.rules.Value(c.Next, v.me), v.rules.Value(to.Next, v.me)
	for _, o := range v.rules.Final {
		if a, b := v.rules.Measure(o, x), v.rules.Measure(o, y); a != b {
			return a < b
		}
	}
	return false
}

// threatens says which multiple a choice threatens to complete, and what wins if the other side takes the digit it needs.
func (v *view) threatens(c solve.Choice) string {
	said := v.threat(c)
	if said == "" {
		return ""
	}
	open := v.winning(c.Next, v.me)
	reply := v.after(c)
	taken := slices.DeleteFunc(reply.choices, func(answer solve.Choice) bool { return !open.Has(answer.Move.Digit) })
	if len(taken) == 0 {
		return said + ", and " + digits(open) + " cannot be taken"
	}
	moves := reply.answers(taken)
	goes := said + ", and if " + digits(open) + " goes, "
	switch len(moves) {
	case 1:
		return goes + reply.then(taken, moves[0])
	case 2, 3:
		return goes + list(moves, "or") + " wins"
	}
	return said
}

// then says how a move of the other side wins after some choices.
func (v *view) then(choices []solve.Choice, m digit.Move) string {
	longest := 0
	var last solve.Choice
	var then *view
	for _, c := range choices {
		then = see(v.solution, c.Next)
		last = v.solution.Choice(c.Next, m)
		longest = max(longest, last.Value.Plies)
	}
	open := then.winning(last.Next, then.me) // the number and the digits that are left are the same after all of them
	switch {
	case longest == 1:
		return m.String() + " wins at once"
	case open.Len() > 1:
		return m.String() + " " + then.leaves(last, open)
	default:
		return m.String() + " wins"
	}
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

// meets says that a choice has a double threat ready for every reply.
func (v *view) meets(c solve.Choice) string {
	reply := v.after(c)
	said := ""
	for _, answer := range reply.choices {
		then := see(v.solution, answer.Next)
		next, open := then.double()
		if open == 0 {
			return ""
		}
		if said == "" && answer.Value == reply.best {
			said = fmt.Sprintf("meets every reply with a double threat: %v with %v, which leaves %s for %s",
				answer.Move, next.Move, digits(open), then.name(next.Next, then.me))
		}
	}
	return said
}

// double returns the choice that leaves the most digits, at least two, of which whichever goes another one wins.
func (v *view) double() (c solve.Choice, open digit.Pool) {
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

// beats says what answers the replies to a choice.
func (v *view) beats(c solve.Choice) string {
	reply := v.after(c)
	moves := reply.answers(reply.choices)
	if len(moves) == 0 || len(moves) > 4 {
		return ""
	}
	beaten := 0
	for _, answer := range reply.choices {
		if next, err := v.rules.Play(answer.Next, moves[0]); err == nil && v.solution.Value(next).Outcome == solve.Loss {
			beaten++
		}
	}
	with := " replies with "
	if c.Value.Plies == 3 {
		with = " replies at once with "
	}
	all := len(reply.choices)
	if beaten == all {
		return fmt.Sprintf("beats all %d%s%v", all, with, moves[0])
	}
	return fmt.Sprintf("beats %d of %d%s%v, the rest with %s", beaten, all, with, moves[0], list(moves[1:], "or"))
}

// longest says how the longest resistance is overcome.
func (v *view) longest(c solve.Choice) string {
	moves := course(v.solution, c.Next)
	first := v.solution.Choice(c.Next, moves[0])
	then := see(v.solution, first.Next)
	answer := then.advice()
	if said := then.plainProof(answer); said != "" {
		said = fmt.Sprintf("meets the longest reply, %v, with %v, which %s", moves[0], answer.Move, said)
		if len(said) <= most-len("; ") {
			return said
		}
	}
	return "wins in " + turns(c.Value.Plies) + " at the longest: " + sequence(moves)
}
