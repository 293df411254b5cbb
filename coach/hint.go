package coach

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A row is a hint for a choice: its first two steps, and the reason for the move, with a shorter
// version if there is one. A reason begins in the middle of a sentence and has no full stop at its
// end.
type row struct {
	look, idea string
	why, brief string
	apart      bool // the reason is a sentence of its own after the move
	bare       bool // the move doesn't matter and isn't named
}

// row returns the first row that holds for a choice that keeps the outcome.
func (v *view) row(c solve.Choice) row {
	threats := v.winning(v.position, v.other)
	over, open := v.Rules.Result(c.Next), v.winning(c.Next, v.me)
	win := c.Value.Outcome == solve.Win
	switch {
	case win && over.Reason == digit.Multiple:
		return v.winsByMultiple(c)
	case win && v.settled(v.position, v.me):
		return row{look: v.safe(), why: v.ahead(v.position, v.me), bare: true}
	case win && over.Over() && solve.Keep(v.choices) == len(v.choices):
		return row{look: v.safe(), why: v.compared(v.finish(c))}
	case win && over.Over():
		return v.winsByOrder(c)
	case c.Value.Outcome != solve.Loss && threats.Has(c.Move.Digit) && !over.Over():
		return v.blocks(c)
	case win && open.Len() > 1:
		return v.doubles(c, open)
	case win && open.Len() == 1:
		return v.forces(c, open)
	case win && v.settled(c.Next, v.me):
		return v.settles(c)
	case win && c.Value.Plies == 2:
		return v.outlasts(c)
	case win:
		return v.plans(c)
	case c.Value.Outcome == solve.Draw:
		return v.draws(c)
	default:
		return v.loses(c)
	}
}

func (v *view) safe() string { return v.say("${Me} can't lose now. Play any digit.") }

// step returns the third step of a hint: the move, the reason, and the number of winning choices if
// that fits.
func (v *view) step(c solve.Choice, r row) string {
	put := v.begin(v.Put(v.position, c.Move))
	var texts []string
	for _, why := range []string{r.why, r.brief, ""} {
		text := put + ": " + why + "."
		switch {
		case why == "":
			text = put + "."
		case r.bare:
			text = v.begin(why) + "."
		case r.apart:
			text = put + ". " + v.begin(why) + "."
		case c.Move.Calls() && c.Value == winNow && why == v.Sum(c.Move.Call):
			text = v.begin(v.Put(v.position, c.Move.Uncalled())) + " and call " +
				v.Made(c.Move.Call) + "."
		}
		if count := v.count(); count != "" && !r.bare {
			texts = append(texts, text+" "+count)
		}
		texts = append(texts, text)
	}
	return v.fit(texts)
}

// winsByMultiple returns the row for a winning multiple.
func (v *view) winsByMultiple(c solve.Choice) row {
	r, n := v.Rules, v.finish(c).Numbers[v.me]
	out := row{
		look: v.say("${Me} can win this turn. Which digit makes a multiple of ${t}?"),
		why:  v.Sum(n),
	}
	have := r.Number(v.position, v.me)
	over := func(n digit.Number) string {
		return v.Subject(n) + " is " + v.Distance(digit.Below, n)
	}
	switch {
	case n.Len() == 1:
		out.idea = v.say("Look for a digit that is a multiple of ${t} on its own.")
		out.why = v.say("%v is a multiple of ${t} on its own", n)
	case r.Place == digit.Hand && (r.Base()-1)%int(r.Target) == 0:
		sum := 0
		for d := range have.Pool().All() {
			sum += int(d)
		}
		out.idea = v.say("${My} digits add up to %d; reach a multiple of ${t}.", sum)
	case r.Place == digit.Hand:
		open := v.winning(v.position, v.me).Len()
		out.idea = v.say("%s %s a multiple with ${my} %s.", v.begin(rulebook.InWords(open)),
			plural(open, "digit makes", "digits make"), rulebook.Digits(have.Pool()))
	case r.Place == digit.Slots:
		zero := filled(have)
		out.idea = fmt.Sprintf("With 0 in the gap, %s is %s; each step adds %d.", v.Subject(zero),
			v.OfMultiple(digit.Below, zero), v.weight(c))
	case c.Move.Spot == digit.Right:
		ten := numberOf(have.String() + "0")
		out.idea = fmt.Sprintf("On the right it becomes %s plus the digit; %s.", v.Subject(ten),
			over(ten))
	default:
		out.idea = fmt.Sprintf("On the left each step adds %d; %s.", v.weight(c), over(have))
	}
	return out
}

// weight returns the value that one more of a choice's digit adds to its number.
func (v *view) weight(c solve.Choice) int {
	n, weight := v.Rules.Number(c.Next, v.me), 1
	at := 0
	if i, ok := c.Move.Spot.Slot(); ok {
		at = i
	}
	for range n.Len() - 1 - at {
		weight *= v.Rules.Base()
	}
	return weight
}

// winsByOrder returns the row for a last digit that wins a comparison.
func (v *view) winsByOrder(c solve.Choice) row {
	f, orders := v.finish(c), v.Rules.Orders()
	theirs, look := f.Numbers[v.other], "${My} last digit decides. Compare the %s."
	if orders[0].Ranks() {
		return row{
			look: v.say(look, "numbers"), why: v.compared(f),
			idea: v.say("${They have} %s. Get a %v number.", v.Number(theirs), orders[0]),
		}
	}
	what := "distances"
	if orders[0] == digit.Below {
		what = "remainders"
	}
	return row{
		look: v.say(look, what), why: v.compared(f),
		idea: v.say("${Their} %s is %s. %s.", v.Subject(theirs), v.Distance(orders[0], theirs),
			v.beats(f)),
	}
}

// beats says what a last digit must achieve if distances decide. F is the ending after such a
// digit.
func (v *view) beats(f rulebook.Finish) string {
	orders := v.Rules.Orders()
	distance := v.Rules.Measure(orders[0], v.Value(f.Numbers[v.other]))
	least := 0
	if orders[0] == digit.Above && v.Rules.Win == digit.Never { // a multiple is not close
		least = 1
	}
	if distance > least {
		switch {
		case len(orders) > 1 && orders[1].Ranks():
			return fmt.Sprintf("Get closer, or tie with a %v number", orders[1])
		case len(f.Ties) > 0 || len(orders) > 1 && orders[1] == digit.Later:
			return "Get at least as close"
		}
		return "Get closer"
	}
	// numbers that tie here tie by every distance
	for _, o := range orders {
		if o.Ranks() {
			return fmt.Sprintf("Tie with a %v number", o)
		}
	}
	if distance == 0 {
		return "Make a multiple too"
	}
	return "Get as close"
}

// blocks returns the row for a choice that takes the digit with which the opponent would win.
func (v *view) blocks(c solve.Choice) row {
	d := c.Move.Digit
	stopped := v.completes(v.position, v.other, digit.PoolOf(d))
	few := stopped[:min(3, len(stopped))]
	out := row{
		look: v.say("${They are} one digit from winning. Which one?"),
		idea: v.say("With %v, ${they make} %s.", d, v.Made(stopped[0])),
		why:  v.say("${they} can't make %s now", v.numbers(few, "or")),
	}
	if _, only := v.only(); only && solve.Keep(v.choices) > 1 {
		what := "winning move"
		if v.best.Outcome == solve.Draw {
			what = "move that keeps the draw"
		}
		out.why, out.brief = fmt.Sprintf("%s. Every %s uses %v", out.why, what, d), out.why
	}
	return out
}

// doubles returns the row for a choice after which two digits or more win.
func (v *view) doubles(c solve.Choice, open digit.Pool) row {
	out := row{
		look: v.say("Find a move that gives ${me} %s winning digits.",
			rulebook.InWords(open.Len())),
		idea: "After it, " + allWin(open) + ".",
	}
	if open.Len() > 2 {
		out.why = v.say("then %s each make a multiple of ${t}", rulebook.Digits(open))
		return out
	}
	digits, threats := open.List(""), v.threats(c.Next, v.me)
	makes := func(name func(digit.Number) string) string {
		first, and := name(threats[0]), " and "
		if strings.Contains(first, ", ") { // an apposition, to be heard
			and = ", and "
		}
		return v.say("then %c makes %s%s%c makes %s. ${They} can take only one", digits[0], first,
			and, digits[1], name(threats[1]))
	}
	out.why, out.brief = makes(v.Made), makes(v.Number)
	return out
}

// forces returns the row for a choice that makes one threat.
func (v *view) forces(c solve.Choice, open digit.Pool) row {
	n := v.threats(c.Next, v.me)[0]
	out := row{
		look: v.say("Make a threat that ${they have} to answer."),
		idea: v.say("${Me} can threaten %s.", v.Made(n)), apart: true,
	}
	must := v.say("${they} must take %v", open.List(""))
	switch answer, every, taken := v.answer(c, open); {
	case taken == 0:
		out.why = v.say("${they} can't take %v, which makes %s", open.List(""), v.Made(n))
	case every:
		out.why = must + v.say("; then every ${move} wins")
	case answer != "":
		out.why = must + "; then " + answer + " wins"
	default:
		out.why = must + v.say(", and ${me} can still force a win")
	}
	return out
}

// answer returns a move that wins wherever the opponent puts a digit after a choice, the fastest
// one, and whether every move does. It is empty if none does. Taken counts the replies with it.
func (v *view) answer(c solve.Choice, with digit.Pool) (name string, every bool, taken int) {
	replies := slices.DeleteFunc(v.solution.Choices(c.Next), func(reply solve.Choice) bool {
		return !with.Has(reply.Move.Digit)
	})
	if len(replies) == 0 {
		return "", true, 0
	}
	best := 0
	every = true
	for _, next := range v.solution.Choices(replies[0].Next) {
		worst := next.Value
		for _, reply := range replies[1:] { // they leave the same moves
			value := v.solution.Choice(reply.Next, next.Move).Value
			if value.Compare(worst) < 0 {
				worst = value
			}
		}
		switch {
		case worst.Outcome != solve.Win:
			every = false
		case best == 0 || worst.Plies < best:
			name, best = v.Back(replies[0].Next, next.Move), worst.Plies
		}
	}
	return name, every, len(replies)
}

// settles returns the row for a choice after which the opponent can't catch up.
func (v *view) settles(c solve.Choice) row {
	best := strings.TrimPrefix(v.bound(c.Next, v.other, true), "at most ")
	idea := v.say("After the right move, ${they} can reach %s at most.", best)
	if low, ok := strings.CutPrefix(best, "at least "); ok {
		idea = v.say("After the right move, ${they} can't get below %s.", low)
	}
	return row{
		look: "One digit can settle this. Which place counts most?",
		idea: idea, why: v.ahead(c.Next, v.me),
	}
}

// outlasts returns the row for a choice after which the opponent's last digit doesn't help.
func (v *view) outlasts(c solve.Choice) row {
	f := v.finish(slices.MinFunc(v.at(c.Next).choices, v.byOrders))
	theirs := f.Numbers[v.other]
	out := row{
		look: v.say("${They play} the last digit. Leave one that doesn't help."),
		idea: v.say("${Their} best will be %s.", v.Number(theirs)),
		why:  v.say("${their} best is %s. %s", v.Number(theirs), v.begin(v.compared(f))),
	}
	if f.Order.Measures() && len(f.Ties) == 0 {
		far := v.Distance(f.Order, theirs)
		out.idea = v.say("${Their} best will be %s, %s.", v.Number(theirs), far)
		out.why = v.say("%s is %s; ${their} best, %s, is %s", v.Subject(f.Numbers[v.me]),
			v.Distance(f.Order, f.Numbers[v.me]), v.Number(theirs), far)
	}
	return out
}

// byOrders compares the opponent's numbers after two choices by the final orders. The better one is
// less.
func (v *view) byOrders(a, b solve.Choice) int {
	x, y := v.Rules.Value(a.Next, v.other), v.Rules.Value(b.Next, v.other)
	for _, o := range v.Rules.Final {
		if order := cmp.Compare(v.Rules.Measure(o, x), v.Rules.Measure(o, y)); order != 0 {
			return order
		}
	}
	return 0
}

// plans returns the row for any other win, with the answer to a tough reply if that makes two
// threats.
func (v *view) plans(c solve.Choice) row {
	out := row{
		look: v.say("${Me} can force a win %s.", v.Turns(c.Value.Plies, v.other, true)),
		idea: fmt.Sprintf("%v is a good digit.", c.Move.Digit),
		why:  "best play wins " + v.Turns(c.Value.Plies, v.other, false),
	}
	first := v.Rules.Held(v.position, v.me) == 0
	if v.Rules.Place == digit.Hand || c.Move.Spot == digit.Right && first {
		out.idea = v.count() // the digit would be the whole move
	}
	for _, reply := range v.at(c.Next).toughest() {
		then := v.at(reply.Next)
		answer := then.advice()
		if open := v.winning(answer.Next, v.me); open.Len() > 1 {
			do := v.Put(reply.Next, answer.Move)
			if !v.Cast.You[v.me] {
				do = v.plays(reply.Next, answer.Move)
			}
			tough := fmt.Sprintf("if %s, %s: %s", v.plays(c.Next, reply.Move), do, allWin(open))
			out.why, out.apart = tough, true
			break
		}
	}
	return out
}

// draws returns the row for a choice that keeps a draw.
func (v *view) draws(c solve.Choice) row {
	keep, all := solve.Keep(v.choices), len(v.choices)
	out := row{
		look: "Nobody can force a win, but some moves lose.",
		idea: v.begin(v.share(v.me, keep, all, v.kind()+"s", "keep", " the draw")) + ".",
	}
	if keep == all {
		out.look, out.idea = "Every move draws with best play.", ""
	}
	if v.Rules.Result(c.Next).Over() {
		out.why = v.compared(v.finish(c))
	} else if right, replies := v.replies(c); right < replies {
		out.why = v.share(v.other, right, replies, "replies", "keep", " the draw")
		out.apart = true
	}
	return out
}

// loses returns the row for a choice in a lost position.
func (v *view) loses(c solve.Choice) row {
	right, replies := v.replies(c)
	if fewest, all := v.replies(v.advice()); fewest < all {
		return row{
			look: v.say("${Me} can't win this one by force, so set a trap."),
			idea: fmt.Sprintf("Find a move with only %s winning %s.", rulebook.InWords(fewest),
				plural(fewest, "reply", "replies")),
			why: v.share(v.other, right, replies, "replies", "win", ""),
		}
	}
	out := row{look: v.say("Every move loses now, and ${they} can't go wrong."), bare: true}
	open, over := v.winning(v.position, v.other), v.Rules.Result(c.Next)
	switch {
	case v.settled(v.position, v.other):
		out.why = v.ahead(v.position, v.other)
	case v.settled(c.Next, v.other):
		out.why, out.bare = v.ahead(c.Next, v.other), false
	case over.Reason == digit.Miscalled:
		out.why, out.bare = v.Sum(c.Move.Call), false
	case over.Over():
		out.why, out.bare = v.compared(v.finish(c)), false
	case open.Len() == 1:
		out.why = v.say("with %s, ${they make} %s", open.List(""),
			v.Made(v.threats(v.position, v.other)[0]))
	case open.Len() > 1:
		out.why = v.say("%s each give ${they} a multiple of ${t}", rulebook.Digits(open))
	default:
		out.why = "every move loses"
	}
	return out
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
