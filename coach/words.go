package coach

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"digitduel/digit"
)

// most is how many characters a reason may have.
const most = 160

// line joins the clauses that fit into one line, the first ones first, and not more than three.
func line(clauses ...string) string {
	var b strings.Builder
	n := 0
	for _, c := range clauses {
		switch {
		case c == "" || n == 3 || b.Len()+len("; ")+len(c) > most:
			continue
		case n > 0:
			b.WriteString("; ")
		}
		b.WriteString(c)
		n++
	}
	return b.String()
}

// join joins words to "1", "1 and 2", "1, 2 and 3".
func join(words []string, and string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + and + " " + words[last]
}

// list joins numbers or moves, and only counts the last ones if they are more than four: "1, 2, 3 and 2 more".
func list[T fmt.Stringer](things []T, and string) string {
	words := make([]string, len(things))
	for i, t := range things {
		words[i] = t.String()
	}
	if len(words) > 4 {
		words = append(words[:3], strconv.Itoa(len(words)-3)+" more")
	}
	return join(words, and)
}

// sequence writes moves one after the other.
func sequence(moves []digit.Move) string {
	words := make([]string, len(moves))
	for i, m := range moves {
		words[i] = m.String()
	}
	return strings.Join(words, " ")
}

// digits lists the digits of a set.
func digits(set digit.Pool) string {
	var words []string
	for d := range set.All() {
		words = append(words, d.String())
	}
	return join(words, "and")
}

// name returns what the number of a side is called: "7_1", "42", "a hand of 1 and 7".
func (v *view) name(p digit.Position, s digit.Side) string {
	n := v.rules.Number(p, s)
	switch {
	case v.rules.Place == digit.Hand && n.Len() == 0:
		return "an empty hand"
	case v.rules.Place == digit.Hand:
		return "a hand of " + digits(n.Pool())
	case n.Len() == 0:
		return "an empty number"
	}
	return n.String()
}

// turns counts turns.
func turns(plies int) string {
	if plies == 1 {
		return "1 turn"
	}
	return strconv.Itoa(plies) + " turns"
}

// inTurns says when something happens: "at once", "in 3 turns".
func inTurns(plies int) string {
	if plies == 1 {
		return "at once"
	}
	return "in " + turns(plies)
}

// multiple says that a number is one.
func (v *view) multiple(n digit.Number) string {
	return n.String() + " is a multiple of " + strconv.Itoa(int(v.rules.Target))
}

// written writes a value in the base of the game.
func (v *view) written(value int) string { return strconv.FormatInt(int64(value), v.rules.Base()) }

// comparison says how the final orders decide between the numbers of a finished game, the winner's first, or that they do not.
func (v *view) comparison(p digit.Position) string {
	r := v.rules
	ahead, _ := r.Result(p).Winner()
	if r.Result(p).Score == digit.Draw {
		ahead = digit.First
	}
	a, b := r.Best(r.Number(p, ahead)), r.Best(r.Number(p, ahead.Other()))
	x, y := a.Value(r.Base()), b.Value(r.Base())
	var ties []string
	tie := func(said string) {
		if !slices.Contains(ties, said) { // two orders may measure the same
			ties = append(ties, said)
		}
	}
	for _, o := range r.Final {
		differ := r.Measure(o, x) != r.Measure(o, y)
		switch rank := o == digit.Higher || o == digit.Lower; {
		case o == digit.Later:
			return strings.Join(append(ties, "the last digit decides"), ", ")
		case rank && differ:
			return strings.Join(append(ties, fmt.Sprintf("%v is %v than %v", a, o, b)), ", ")
		case rank:
			tie(fmt.Sprintf("%v equals %v", a, b))
		case differ:
			return strings.Join(append(ties, v.distance(o, a, x)+" and "+v.distance(o, b, y)), ", ")
		case r.Measure(o, x) > 0:
			tie(fmt.Sprintf("%v and %v are both %d from a multiple of %d", a, b, r.Measure(o, x), r.Target))
		case o != digit.Order(0):
			tie(fmt.Sprintf("%v and %v are both multiples of %d", a, b, r.Target))
		}
	}
	if len(ties) == 0 {
		return "nothing decides"
	}
	return strings.Join(ties, ", ")
}

// distance says how far a number is from a multiple, as an order measures it.
func (v *view) distance(o digit.Order, n digit.Number, value int) string {
	far := v.rules.Measure(o, value)
	to := value - far
	switch {
	case far == 0:
		return v.multiple(n)
	case o == digit.Above, o == digit.Nearest && to%int(v.rules.Target) != 0:
		to = value + far
	}
	return fmt.Sprintf("%v is %d from %s", n, far, v.written(to))
}
