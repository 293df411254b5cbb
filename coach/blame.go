package coach

import (
	"fmt"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// blame tells why a choice is not best. Of a game that is over it is told which move was better; to somebody who tries to find that
// move it is not, but only what comes of this one. It begins like the middle of a sentence.
func (v *view) blame(c solve.Choice) string {
	if c.Value.Outcome == v.best.Outcome {
		return v.slower(c)
	}
	var texts []string
	for _, missed := range v.missed(c) {
		for _, come := range v.comes(c) {
			switch {
			case missed == "":
				texts = append(texts, come+".")
			case v.ranked() && v.settled(c.Next, v.other):
				texts = append(texts, come+". "+v.begin(missed)+".")
			default:
				texts = append(texts, missed+". "+v.begin(come)+".")
			}
		}
		if missed != "" {
			texts = append(texts, missed+".")
		}
	}
	return v.fit(texts)
}

// slower tells that a choice that keeps the outcome wins later or loses sooner than it need.
func (v *view) slower(c solve.Choice) string {
	better := v.advice()
	what, won := v.Back(v.position, better.Move), v.now(" wins ", " won ")
	f := rulebook.Finished(v.Rules, better.Next, v.Rules.Result(better.Next))
	wrong, replies := v.spoilt(better)
	text := ""
	switch {
	case v.Rules.Result(c.Next).Reason == digit.Miscalled:
		text = v.danger(c)[0]
	case v.best.Outcome == solve.Loss && v.harder(better, c) > 0:
		text = fmt.Sprintf("%s %s to work harder after %s: %s", v.Whom(v.other), v.now("would have", "would have had"), what, v.share(v.other, replies-wrong, replies, "answers", "win", ""))
	case v.best.Outcome == solve.Loss:
		text = fmt.Sprintf("after %s %s %s %d turns, not %d", what, v.Whom(v.other), v.now("would need", "would have needed"), better.Value.Plies, c.Value.Plies)
	case better.Value.Plies > 1:
		text = what + won + v.Turns(better.Value.Plies, v.other, false) + ", this wins " + v.Turns(c.Value.Plies, v.other, false)
	default: // with the last digit all are over at once, so this one makes a multiple
		text = v.feat(better, f.Numbers[v.me]) + "," + won + "at once"
	}
	return text + "."
}

// missed tells what a choice threw away, from rich to poor: nothing unless the game is over.
func (v *view) missed(c solve.Choice) []string {
	if !v.past {
		return []string{""}
	}
	better := v.advice()
	what, only := v.Back(v.position, better.Move), ""
	if solve.Keep(v.choices) == 1 {
		only = "only "
	}
	won := only + what + " won"
	f := rulebook.Finished(v.Rules, better.Next, v.Rules.Result(better.Next))
	switch {
	case v.best.Outcome == solve.Draw:
		return []string{only + what + " would have kept the draw"}
	case f.Result.Reason == digit.Multiple:
		text := fmt.Sprintf("%s missed %s. %s would have won at once", v.Whom(v.me), v.feat(better, f.Numbers[v.me]), v.Who(v.me))
		if too := v.winning(v.position, v.me) &^ digit.PoolOf(better.Move.Digit); too != 0 {
			return []string{text + ". " + digits(too) + " won too", text}
		}
		return []string{text}
	case v.best.Plies == 1:
		return []string{won + " at once: " + v.compared(f), won + " at once"}
	case c.Value.Outcome == solve.Draw:
		return []string{"this turned a win into a draw: " + won}
	case v.ranked() && v.settled(better.Next, v.me):
		mine, yours := v.margin(better.Next, v.me)
		return []string{won + ": " + mine + " against " + yours}
	case only != "":
		won += ","
	}
	return []string{won + " " + v.Turns(v.best.Plies, v.other, false)}
}

// feat tells a choice and the multiple that it makes: "2 in the middle, 721 = 7·103", "2 and the call of 721 = 7·103".
func (v *view) feat(c solve.Choice, n digit.Number) string {
	switch {
	case c.Move.Call != digit.Number{}:
		return strings.TrimSuffix(v.Back(v.position, c.Move), v.Number(n)) + v.Made(n)
	case n.Len() == 1:
		return fmt.Sprintf("%v, a multiple of %d by itself", n, v.Rules.Target)
	default:
		return v.Back(v.position, c.Move) + ", " + v.Made(n)
	}
}

// comes tells what comes of a choice that throws something away, from rich to poor.
func (v *view) comes(c solve.Choice) []string {
	open, result := v.winning(c.Next, v.other), v.Rules.Result(c.Next)
	wins := v.does(v.other, "win")
	switch {
	case result.Over() && c.Value.Outcome == solve.Draw:
		return []string{v.compared(rulebook.Finished(v.Rules, c.Next, result))}
	case result.Over():
		return append(each(v.danger(c), func(text string) string { return wins + ": " + text }), wins)
	case v.ranked() && v.settled(c.Next, v.other):
		yours, mine := v.margin(c.Next, v.other)
		return []string{fmt.Sprintf("%s number is now %s and %s %s: %s cannot win any more", v.whose(v.me), mine, v.whose(v.other), yours, v.Whom(v.me))}
	case open.Len() == 1 && slices.ContainsFunc(v.choices, func(c solve.Choice) bool { return open.Has(c.Move.Digit) }):
		n := v.completes(c.Next, v.other, open)[0]
		has := strings.TrimPrefix(v.Does(v.other, "have"), v.Who(v.other)) + " " + v.Made(n)
		if n.Len() == 1 {
			has = strings.TrimPrefix(v.Does(v.other, "win"), v.Who(v.other))
		}
		return []string{fmt.Sprintf("this %s %s in the pool. %s it and%s", v.now("leaves", "left"), digits(open), v.Does(v.other, "take"), has)}
	case c.Value.Outcome == solve.Draw:
		return each(v.answered(c, v.does(v.other, "keep")+" the draw"), func(text string) string { return "now " + text })
	default:
		return each(v.answered(c, wins), func(text string) string { return "now " + text })
	}
}

// told tells the judgement of a choice in full: its grade and why, or to somebody who tries to find a move whether this is one.
func (v *view) told(c solve.Choice, g Grade, reason, blame string) string {
	n, all := v.kept()
	outcome := v.best.Outcome
	switch {
	case !v.past && c.Value.Outcome == outcome:
		return "Right! " + v.begin(v.reason(c, v.row(c)))
	case !v.past:
		return "Not that one: " + blame + " Try again."
	case g == Best && n == all:
		return "Nothing to decide here: every " + v.kind() + " " + map[solve.Outcome]string{solve.Win: "won", solve.Draw: "kept the draw", solve.Loss: "lost"}[outcome] + "."
	case g == Best:
		return "Best: " + reason
	case v.Rules.Result(c.Next).Reason == digit.Miscalled && outcome == solve.Loss:
		return "Every move lost: " + blame
	case g == Fine && outcome == solve.Loss:
		return "Every move lost, but " + blame
	case g == Fine:
		return "Good, but slower: " + blame
	case g == Mistake:
		return "Mistake: " + blame
	default:
		return "Blunder: " + blame
	}
}

// regret tells that with the digit that was picked an outcome is lost, and what is best with it.
func (v *view) regret(c solve.Choice, lost solve.Outcome) [3]string {
	what := "win"
	if lost == solve.Draw {
		what = "keep the draw"
	}
	gone := fmt.Sprintf("With %v %s cannot %s any more", c.Move.Digit, v.Whom(v.me), what)
	best := v.Put(v.position, c.Move)
	if v.Rules.MayCall(v.position) && c.Move.Call == (digit.Number{}) {
		best = "call nothing" // the digit is picked already
	}
	return [3]string{gone + ".", "Take it back, or make the best of it.", gone + "; take it back (undo) or " + best + "."}
}
