package coach

import (
	"fmt"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A row is what is told of a choice: what to look for, the idea, which does not give the move away, and what the move does or
// proves, from rich to poor. A proof follows "put 7 on the left: ", so it begins like the middle of a sentence, and ends without a full stop.
type row struct {
	nudge, idea string
	proof       []string
	stops       string // what it takes from the other side, with which the proofs begin
}

// row returns the first row that holds of a choice that keeps the outcome.
func (v *view) row(c solve.Choice) row {
	switch {
	case c.Value.Outcome == solve.Win && c.Value.Plies == 1:
		return v.winsNow(c)
	case c.Value.Outcome == solve.Win:
		return v.stops(c, v.plan(c))
	case c.Value.Outcome == solve.Draw:
		return v.stops(c, v.draws(c))
	default:
		return v.loses(c)
	}
}

// reason tells a choice that keeps the outcome as a move to make, with its proof, and how many are as good if that fits. It begins like
// the middle of a sentence.
func (v *view) reason(c solve.Choice, r row) string {
	if wrong, _ := v.spoilt(c); c.Value.Outcome == solve.Loss && wrong == 0 {
		return v.fit(each(append(r.proof, ""), func(proof string) string {
			switch lost := "every move " + v.now("loses", "lost"); {
			case proof == "":
				return lost + "."
			case strings.Contains(proof, ": "):
				return lost + ". " + v.begin(proof) + "."
			default:
				return lost + ": " + proof + "."
			}
		}))
	}
	put := v.Put(v.position, c.Move)
	var texts []string
	for _, proof := range append(slices.Clone(r.proof), r.stops, "") {
		text := put + ": " + proof
		if strings.Contains(proof, ": ") {
			text = put + ". " + v.begin(proof)
		}
		switch sum := v.Sum(c.Move.Call); {
		case proof == "":
			text = put
		case c.Move.Call != digit.Number{} && proof == sum && v.Made(c.Move.Call) == sum:
			text = v.Put(v.position, c.Move.Uncalled()) + " and call " + sum // the sum begins with the number
		}
		if text += "."; c.Value.Outcome != solve.Loss {
			texts = append(texts, strings.TrimSpace(text+" "+v.count()))
		}
		texts = append(texts, text)
	}
	return v.fit(texts)
}

// each returns what becomes of texts.
func each(texts []string, become func(string) string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = become(text)
	}
	return out
}

// winsNow: the choice wins at once, by a multiple or by what is compared.
func (v *view) winsNow(c solve.Choice) row {
	f := rulebook.Finished(v.Rules, c.Next, v.Rules.Result(c.Next))
	if f.Result.Reason == digit.Multiple {
		sum := v.Sum(f.Numbers[v.me])
		if f.Numbers[v.me].Len() == 1 {
			sum = fmt.Sprintf("it is a multiple of %d by itself", v.Rules.Target)
		}
		return row{nudge: v.Who(v.me) + " can win this turn.", idea: v.almost(c), proof: []string{sum}}
	}
	return row{nudge: v.Whose(v.me) + " last digit wins: compare.", idea: v.need(f), proof: []string{v.compared(f)}}
}

// almost tells that a digit makes a multiple of what there is.
func (v *view) almost(c solve.Choice) string {
	have, open := v.Rules.Number(v.position, v.me), v.winning(v.position, v.me).Len()
	which, s := "One digit", "s"
	switch {
	case v.picked:
		which = c.Move.Digit.String()
	case open > 1:
		which, s = v.begin(rulebook.InWords(open))+" digits", ""
	}
	t := v.Rules.Target
	switch {
	case have.Pool() == 0 && s == "":
		return fmt.Sprintf("%s are multiples of %d by themselves.", which, t)
	case have.Pool() == 0:
		return fmt.Sprintf("%s is a multiple of %d by itself.", which, t)
	case v.Rules.Place == digit.Hand:
		return fmt.Sprintf("%s let%s %s %s make a multiple of %d.", which, s, v.whose(v.me), rulebook.Digits(have.Pool()), t)
	case v.Rules.Place == digit.Ends:
		return fmt.Sprintf("%s turn%s %s into a multiple of %d.", which, s, v.Number(have), t)
	default:
		return fmt.Sprintf("%s make%s %s a multiple of %d.", which, s, v.Number(have), t)
	}
}

// need tells what the last digit has to make.
func (v *view) need(f rulebook.Finish) string {
	theirs := f.Numbers[v.other]
	switch rank := f.Order == digit.Higher || f.Order == digit.Lower; {
	case len(f.Ties) > 0 && rank:
		return fmt.Sprintf("%s %s. %s can be as close with a %v number.", v.Whose(v.other), v.Gap(f.Ties[0], theirs), v.Who(v.me), f.Order)
	case len(f.Ties) > 0:
		return fmt.Sprintf("%s %s. %s can be as close and still win.", v.Whose(v.other), v.Gap(f.Ties[0], theirs), v.Who(v.me))
	case f.Order == digit.Later:
		return v.Does(v.me, "place") + " the last digit, and that decides."
	case f.Order == digit.Higher:
		return fmt.Sprintf("%s %s. %s more.", v.Does(v.other, "have"), v.Number(theirs), v.Does(v.me, "need"))
	case rank:
		return fmt.Sprintf("%s %s. %s less.", v.Does(v.other, "have"), v.Number(theirs), v.Does(v.me, "need"))
	default:
		return fmt.Sprintf("%s %s. %s less.", v.Whose(v.other), v.Gap(f.Order, theirs), v.Does(v.me, "need"))
	}
}

// compared tells how a finished game was decided by what is compared, or that it was not.
func (v *view) compared(f rulebook.Finish) string {
	text := v.Compared(f)
	switch {
	case f.Order == digit.Later && text == "":
		return v.does(f.Winner, "place") + " the last digit"
	case f.Order == digit.Later:
		return text + ", and " + v.does(f.Winner, "place") + " the last digit"
	case f.Order == 0 && text == "":
		return fmt.Sprintf("nobody has a multiple of %d, a draw", v.Rules.Target)
	case f.Order == 0:
		return text + ", a draw"
	}
	return text
}

// stops puts what a choice takes from the other side before what else is told of it.
func (v *view) stops(c solve.Choice, r row) row {
	stop, n := v.stop(c)
	if stop == "" {
		return r
	}
	is := " is"
	if v.Cast.You[v.other] {
		is = " are"
	}
	r.nudge = v.Who(v.other) + is + " one digit from winning."
	r.idea = fmt.Sprintf("With %v %s %s.", c.Move.Digit, v.does(v.other, "have"), v.Made(n))
	r.proof, r.stops = each(r.proof, func(proof string) string { return stop + ". " + v.begin(proof) }), stop
	return r
}

// stop tells which multiples of the other side a choice prevents, and returns one of them; it is empty where there is none.
func (v *view) stop(c solve.Choice) (text string, n digit.Number) {
	stopped := v.completes(v.position, v.other, digit.PoolOf(c.Move.Digit))
	if len(stopped) == 0 || v.Rules.Result(c.Next).Over() {
		return "", n
	}
	words := make([]string, len(stopped))
	for i, n := range stopped {
		words[i] = v.Number(n)
	}
	return fmt.Sprintf("%s cannot make %s any more", v.Whom(v.other), or(words)), stopped[0]
}

// draws: nothing wins, and the choice does not lose.
func (v *view) draws(c solve.Choice) row {
	n, all := v.kept()
	r := row{nudge: "Nothing wins. Do not lose.", idea: v.begin(v.share(v.me, n, all, v.kind()+"s", "keep", " the draw")) + "."}
	if n == all {
		r.nudge, r.idea = "Nothing wins, and nothing loses.", ""
	}
	if result := v.Rules.Result(c.Next); result.Over() {
		r.proof = []string{v.compared(rulebook.Finished(v.Rules, c.Next, result))}
	} else if wrong, replies := v.spoilt(c); wrong > 0 {
		r.proof = []string{v.share(v.other, replies-wrong, replies, "answers", "keep", " the draw too")}
	}
	return r
}

// share tells how many moves or answers of a side do something.
func (v *view) share(s digit.Side, n, all int, moves, do, what string) string {
	if n == 1 {
		do += "s"
	}
	text := fmt.Sprintf("%d of %s %d %s %s%s", n, v.whose(s), all, moves, do, what)
	if 2*n < all {
		return "only " + text
	}
	return text
}

// loses: every choice does.
func (v *view) loses(c solve.Choice) row {
	wrong, replies := v.spoilt(c)
	if wrong == 0 {
		return row{nudge: "Nothing helps any more.", proof: v.danger(c)}
	}
	r := row{nudge: v.Who(v.other) + " can win, but may miss it.", idea: "Look for a move with few right answers."}
	share := v.share(v.other, replies-wrong, replies, "answers", "win", "")
	if open := v.winning(c.Next, v.other); open != 0 {
		r.proof = append(r.proof, share+". "+v.begin(v.danger(c)[0]))
	}
	r.proof = append(r.proof, share)
	if stop, _ := v.stop(c); stop != "" {
		r.proof = append(each(r.proof, func(proof string) string { return stop + ". " + v.begin(proof) }), r.proof...)
	}
	return r
}

// danger tells how the other side wins after a choice that loses.
func (v *view) danger(c solve.Choice) []string {
	open, result := v.winning(c.Next, v.other), v.Rules.Result(c.Next)
	switch {
	case result.Reason == digit.Miscalled:
		return []string{fmt.Sprintf("%s, no multiple of %d", v.Sum(c.Move.Call), v.Rules.Target)}
	case result.Over():
		return []string{v.compared(rulebook.Finished(v.Rules, c.Next, result))}
	case v.ranked() && v.settled(c.Next, v.other):
		return []string{v.ahead(c.Next, v.other)}
	case open.Len() > 2:
		return []string{fmt.Sprintf("%s each give %s a multiple of %d", digits(open), v.Whom(v.other), v.Rules.Target)}
	case open != 0:
		text := ""
		for d := range open.All() {
			if text != "" {
				text += ", and "
			}
			text += fmt.Sprintf("with %v %s %s", d, v.does(v.other, "have"), v.Made(v.completes(c.Next, v.other, digit.PoolOf(d))[0]))
		}
		return []string{text, fmt.Sprintf("%s both give %s a multiple of %d", digits(open), v.Whom(v.other), v.Rules.Target)}
	}
	return v.answered(c, v.does(v.other, "win"))
}

// answered tells what the other side answers to a choice, and why that is good.
func (v *view) answered(c solve.Choice, what string) []string {
	reply := v.at(c.Next)
	answer := reply.advice()
	text := what + " with " + v.Back(c.Next, answer.Move)
	if answer.Value.Outcome != solve.Win {
		return []string{text}
	}
	return append(each(reply.row(answer).proof, func(proof string) string { return text + ": " + proof }), text)
}
