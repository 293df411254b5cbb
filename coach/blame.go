package coach

import (
	"fmt"
	"strconv"

	"digitduel/digit"
	"digitduel/solve"
)

// blame says why a choice is not best, the most concrete first.
func (v *view) blame(c solve.Choice) string {
	misses, lets := v.misses(c), v.lets(c)
	switch over := v.rules.Result(c.Next).Over(); {
	case over && c.Value.Outcome == solve.Draw:
		return line(v.level(c), misses, v.price(c))
	case over:
		return line(v.defeat(c), misses, v.price(c))
	case c.Value.Outcome == v.best.Outcome && v.best.Outcome == solve.Loss:
		if lets != "" {
			return line(lets, v.slower(c))
		}
		return line(v.fears(c), v.slower(c))
	case c.Value.Outcome == v.best.Outcome:
		return line(misses, v.slower(c))
	case lets != "":
		return line(misses, lets, v.price(c))
	}
	if behind := v.behind(c); behind != "" {
		return line(behind, v.price(c))
	}
	return line(misses, v.allows(c, misses), v.price(c))
}

// misses says which win at once was there to take or, of a choice that wins late, which quicker one.
func (v *view) misses(c solve.Choice) string {
	if v.best.Outcome != solve.Win || c.Value.Outcome != solve.Win && v.best.Plies > 1 {
		return ""
	}
	target := strconv.Itoa(int(v.rules.Target))
	switch numbers := v.completes(v.position, v.me, ^digit.Pool(0)); len(numbers) {
	case 0:
		better := v.advice()
		return "misses " + better.Move.String() + ", which " + v.proof(better)
	case 1:
		return "misses " + list(numbers, "and") + ", a multiple of " + target
	default:
		return "misses " + list(numbers, "and") + ", multiples of " + target
	}
}

// lets says which multiples the other side may now complete with the one digit that could have been taken from it.
func (v *view) lets(c solve.Choice) string {
	open := v.winning(c.Next, v.me.Other())
	if open.Len() != 1 {
		return ""
	}
	for i := range v.choices {
		if open.Has(v.choices[i].Move.Digit) {
			return "lets " + list(v.completes(c.Next, v.me.Other(), open), "and") + " through"
		}
	}
	return ""
}

// allows says what the other side answers, and why that is good if that fits beside what else there is to say.
func (v *view) allows(c solve.Choice, beside string) string {
	reply := v.after(c)
	answer := reply.advice()
	said := "allows " + answer.Move.String() + ", which "
	why := ""
	if answer.Value.Outcome == solve.Win {
		why = reply.proof(answer)
	} else {
		why = reply.level(answer)
	}
	if why == "" || len(line(beside, said+why)) == len(beside) {
		why = reply.count(answer)
	}
	return said + why
}

// price says what a choice throws away, unless that is a win at once, of which is told what was missed.
func (v *view) price(c solve.Choice) string {
	switch {
	case v.best.Outcome == c.Value.Outcome:
		return v.slower(c)
	case v.best.Plies == 1 && c.Value.Outcome == solve.Loss:
		return ""
	case v.best.Outcome == solve.Draw:
		return "gives up the draw"
	case c.Value.Outcome == solve.Draw:
		return "gives up a win " + inTurns(v.best.Plies) + " for a draw"
	default:
		return "gives up a win " + inTurns(v.best.Plies)
	}
}

// slower says that a choice wins later or loses sooner than it need.
func (v *view) slower(c solve.Choice) string {
	best := v.delay()
	if v.best.Outcome == solve.Loss {
		return fmt.Sprintf("loses %s where %v lasts %s", inTurns(c.Value.Plies), best.Move, turns(v.best.Plies))
	}
	return fmt.Sprintf("wins %s where %v wins %s", inTurns(c.Value.Plies), best.Move, inTurns(v.best.Plies))
}
