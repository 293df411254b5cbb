package coach

import (
	"fmt"
	"slices"
	"strconv"

	"digitduel/digit"
	"digitduel/solve"
)

// reason says why a choice that keeps the outcome is good, the most concrete first.
func (v *view) reason(c solve.Choice) string {
	switch c.Value.Outcome {
	case solve.Win:
		return line(v.stops(c), v.proof(c), v.count(c))
	case solve.Draw:
		return line(v.level(c), v.stops(c), v.count(c), v.traps(c), v.levels(c), v.threat(c))
	default:
		return v.comfort(c)
	}
}

// comfort says what there is to be said for a choice when all lose.
func (v *view) comfort(c solve.Choice) string {
	const lost = "every move loses"
	if c.Value.Plies == 1 {
		return line(lost, v.defeat(c))
	}
	stops, endures, behind := v.stops(c), v.endures(c), v.behind(c)
	wrong, replies := v.spoilt(c)
	switch {
	case behind != "":
		return line(lost, behind, endures)
	case stops != "" || 2*wrong > replies:
		return line(lost, endures, stops, v.threat(c), v.fears(c, lost, endures))
	default:
		return line(lost, v.fears(c, lost), endures, v.threat(c))
	}
}

// count says how many choices are as good.
func (v *view) count(c solve.Choice) string {
	what, n, all := "move", v.with(c.Value.Outcome), len(v.choices)
	if v.rules.Place == digit.Hand {
		what = "digit"
	}
	switch won := c.Value.Outcome == solve.Win; {
	case all == 1:
		return "is the only legal " + what
	case n == all && won:
		return "wins as every " + what + " does"
	case n == all:
		return "holds the draw, as every " + what + " does"
	case n == 1 && won:
		return "is the only winning " + what
	case n == 1:
		return "is the only " + what + " that holds the draw"
	case won:
		return fmt.Sprintf("is one of %d winning %ss of %d", n, what, all)
	default:
		return fmt.Sprintf("holds the draw, as %d of %d %ss do", n, all, what)
	}
}

// stops says which multiples of the other side a choice prevents and, if that is not all, which not.
func (v *view) stops(c solve.Choice) string {
	taken := digit.PoolOf(c.Move.Digit)
	stopped := v.completes(v.position, v.me.Other(), taken)
	if len(stopped) == 0 || v.rules.Result(c.Next).Over() {
		return ""
	}
	said := "stops " + list(stopped, "and")
	if rest := v.completes(c.Next, v.me.Other(), ^taken); len(rest) > 0 {
		said += ", not " + list(rest, "and")
	}
	return said
}

// threat says which multiples a choice threatens to complete.
func (v *view) threat(c solve.Choice) string {
	numbers := v.completes(c.Next, v.me, ^digit.Pool(0))
	if len(numbers) == 0 {
		return ""
	}
	return "threatens " + list(numbers, "and") + " with " + digits(v.winning(c.Next, v.me))
}

// level says that a choice ends the game in a draw.
func (v *view) level(c solve.Choice) string {
	if !v.rules.Result(c.Next).Over() {
		return ""
	}
	return "ends level: " + v.comparison(c.Next)
}

// levels says how a choice leads to a draw.
func (v *view) levels(c solve.Choice) string {
	moves := course(v.solution, c.Next)
	if len(moves) == 0 || len(moves) > 3 {
		return ""
	}
	end := c.Next
	for _, m := range moves {
		end, _ = v.rules.Play(end, m) // the moves are legal
	}
	return "ends level after " + sequence(moves) + ": " + v.comparison(end)
}

// traps says how many replies to a drawn choice are wrong, and shows one, or which are right.
func (v *view) traps(c solve.Choice) string {
	reply := v.after(c)
	holds, all := reply.with(solve.Draw), len(reply.choices)
	switch holds {
	case all:
		return ""
	case 1:
		return fmt.Sprintf("of %d replies only %s holds the draw", all, reply.those(solve.Draw))
	case 2:
		return fmt.Sprintf("of %d replies only %s hold the draw", all, reply.those(solve.Draw))
	}
	wrong := reply.choices[slices.IndexFunc(reply.choices, func(c solve.Choice) bool { return c.Value.Outcome == solve.Loss })]
	if holds == all-1 {
		return fmt.Sprintf("1 of %d replies loses, namely %v%s", all, wrong.Move, reply.toWhat(wrong))
	}
	return fmt.Sprintf("%d of %d replies lose, like %v%s", all-holds, all, wrong.Move, reply.toWhat(wrong))
}

// toWhat says which move a losing choice loses to, if it does not lose by itself.
func (v *view) toWhat(c solve.Choice) string {
	if v.rules.Result(c.Next).Over() {
		return ""
	}
	return " to " + v.after(c).advice().Move.String()
}

// those lists the choices that have an outcome.
func (v *view) those(o solve.Outcome) string {
	var moves []digit.Move
	for _, c := range v.choices {
		if c.Value.Outcome == o {
			moves = append(moves, c.Move)
		}
	}
	return list(moves, "and")
}

// endures says how long a lost choice lasts, and what finds the win against it.
func (v *view) endures(c solve.Choice) string {
	said := "lasts " + turns(c.Value.Plies)
	reply := v.after(c)
	wins := reply.with(solve.Win)
	switch all := len(reply.choices); {
	case all == 1:
		return said
	case wins == all:
		return said + ", and every reply wins"
	case wins > 2 && wins == all-1:
		return fmt.Sprintf("%s, and 1 of %d replies throws the win away", said, all)
	case wins > 2:
		return fmt.Sprintf("%s, and %d of %d replies throw the win away", said, all-wins, all)
	case wins == 2:
		return fmt.Sprintf("%s, and of %d replies only %s win", said, all, reply.those(solve.Win))
	default:
		return fmt.Sprintf("%s, and of %d replies only %s wins", said, all, reply.those(solve.Win))
	}
}

// fears says to which reply a choice loses, and why if that fits beside what else there is to say.
func (v *view) fears(c solve.Choice, beside ...string) string {
	reply := v.after(c)
	answer := reply.advice()
	said := "loses to " + answer.Move.String() + ", which "
	if why := said + reply.proof(answer); len(line(append(beside, why)...)) > len(line(beside...)) {
		return why
	}
	if len(beside) > 1 && reply.with(solve.Win) <= 2 {
		return "" // the only replies that win are named there
	}
	return said + reply.count(answer)
}

// defeat says how a choice loses at once.
func (v *view) defeat(c solve.Choice) string {
	if v.rules.Result(c.Next).Reason == digit.Miscalled {
		return "calls " + c.Move.Call.String() + ", no multiple of " + strconv.Itoa(int(v.rules.Target))
	}
	return "loses at once: " + v.comparison(c.Next)
}
