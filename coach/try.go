package coach

import (
	"cmp"
	"fmt"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// Answer returns the solution of a puzzle for a player who gives up: "It was 9 in the hundreds
// place.", and the reason.
func Answer(s *solve.Solution, p digit.Position, cast rulebook.Cast) string {
	text, _ := phrase(s, p, cast, func(v *view) string {
		c := v.advice()
		format := "It was %s. %s"
		if solve.Keep(v.choices) > 1 {
			format = "For example, %s. %s"
		}
		return fmt.Sprintf(format, v.Back(p, c.Move), v.because(c))
	})
	return text
}

// right praises a choice that keeps the outcome, and says why without naming it.
func (v *view) right(c solve.Choice) string {
	if v.best.Outcome == solve.Loss {
		return "Every move loses."
	}
	return "Right! " + v.because(c)
}

// because returns the reason for a choice without the choice.
func (v *view) because(c solve.Choice) string {
	r := v.row(c)
	if open := v.winning(c.Next, v.me); c.Value.Outcome == solve.Win && open.Len() == 1 {
		if answer, every, taken := v.answer(c, open); taken > 0 && !every && answer != "" {
			return v.say("${Me threaten} %v. ${They} must take %s; then %s wins.",
				v.Number(v.threats(c.Next, v.me)[0]), open.List(""), answer)
		}
	}
	if r.why == "" {
		return "It keeps the draw."
	}
	return v.begin(v.fit([]string{r.why, cmp.Or(r.brief, r.why)})) + "."
}

// wrong says what follows a choice that gives up the outcome. It doesn't name the solution's digit.
func (v *view) wrong(c solve.Choice) string {
	result := v.Rules.Result(c.Next)
	switch {
	case result.Reason == digit.Miscalled:
		return v.Sum(c.Move.Call) + "."
	case result.Over():
		return v.begin(v.compared(v.finish(c))) + "."
	}
	r, named := v.reply(c)
	switch {
	case !named && r.Value == winNow:
		return v.say("${They} then %s at once.", v.Verb(v.other, "win"))
	case !named && r.Value.Outcome == solve.Win:
		return v.say("${They} can then force a win.")
	case !named:
		return "Then nobody can force a win."
	}
	if f := v.finish(r); f.Result.Reason == digit.Multiple {
		verb := "make"
		if r.Move.Calls() {
			verb = "call"
		}
		return v.Does(v.other, verb) + " " + v.Made(f.Numbers[v.other]) + "."
	}
	if text := v.outdone(r); text != "" {
		return text
	}
	plays := v.begin(v.plays(c.Next, r.Move))
	threats := v.threats(r.Next, v.other)
	switch {
	case len(threats) > 0 && v.winning(r.Next, v.me) == 0:
		stops := ""
		if mine := v.winning(c.Next, v.me); mine == digit.PoolOf(r.Move.Digit) {
			stopped := v.completes(c.Next, v.me, mine)
			stops = ", " + v.Verb(v.other, "stop") + " " + v.numbers(stopped, "and")
		}
		return fmt.Sprintf("%s%s and %s %s.", plays, stops, v.Verb(v.other, "threaten"),
			v.numbers(threats, "and"))
	case r.Value.Outcome == solve.Win:
		return plays + ", and every move loses."
	default:
		return plays + ", and nobody can force a win."
	}
}

// reply returns the opponent's best reply to a choice. It may be named if the game isn't over and
// the reply doesn't take the solution's digit.
func (v *view) reply(c solve.Choice) (r solve.Choice, named bool) {
	if v.Rules.Result(c.Next).Over() {
		return r, false
	}
	r = v.at(c.Next).toughest()[0]
	d, only := v.only()
	return r, !only || d != r.Move.Digit
}

// outdone says that a reply fills the opponent's number so that nothing beats it. It is empty if
// the reply doesn't.
func (v *view) outdone(r solve.Choice) string {
	if r.Value.Outcome != solve.Win || !v.Rules.Full(r.Next, v.other) {
		return ""
	}
	made := v.Does(v.other, "make") + " " + v.Number(v.Rules.Best(v.Rules.Number(r.Next, v.other)))
	switch {
	case v.Rules.Result(r.Next).Over():
		return made + ". " + v.begin(v.compared(v.finish(r))) + "."
	case v.ranked():
		return made + v.say(", and ${me finish} with %s.", v.bound(r.Next, v.me, true))
	default:
		return made + v.say(", and nothing ${me} can make beats it.")
	}
}
