package rulebook

import (
	"cmp"
	"fmt"
	"strings"

	"digitduel/digit"
)

// A Finish is why a finished game ended as it did, as values; [Ending] tells it.
type Finish struct {
	Result  digit.Result
	Winner  digit.Side // of a game that somebody won
	Won     bool
	Numbers [2]digit.Number // what counted, by side: the number that was built or called, or the best that a hand makes
	Order   digit.Order     // that decided; 0: none did
	Ties    []digit.Order   // those of [digit.Rules.Orders] that found both numbers equal before
}

// Finished returns why a position with a result ended so. The result is that of the rules, or one that a table has given.
func Finished(r digit.Rules, p digit.Position, result digit.Result) Finish {
	f := Finish{Result: result}
	f.Winner, f.Won = result.Winner()
	for _, side := range []digit.Side{digit.First, digit.Second} {
		f.Numbers[side] = r.Best(r.Number(p, side))
	}
	last := r.Turn(p).Other()
	if called, ok := r.Called(p); ok {
		f.Numbers[last] = called
	} else if result.Reason == digit.Multiple && r.Place == digit.Hand {
		f.Numbers[last] = r.HighestMultiple(r.Held(p, last))
	}
	decided, byOrder := result.Reason.Order()
	if byOrder {
		f.Order = decided
	}
	if byOrder || result.Reason == digit.Equal {
		for _, o := range r.Orders() {
			if o == f.Order {
				break
			}
			f.Ties = append(f.Ties, o)
		}
	}
	return f
}

// Ending tells how a finished game ended and why, or that a game was left unfinished.
func Ending(r digit.Rules, p digit.Position, result digit.Result, c Cast) Said {
	return ended(r, p, result, c, Voice.ending)
}

// Why tells the same without who won, for where [Outcome] stands above it.
func Why(r digit.Rules, p digit.Position, result digit.Result, c Cast) Said {
	return ended(r, p, result, c, Voice.why)
}

func ended(r digit.Rules, p digit.Position, result digit.Result, c Cast, say func(Voice, digit.Position, Finish) string) Said {
	f := Finished(r, p, result)
	said := told(r, c,
		func(v Voice) []string { return v.endingShort(f) },
		func(v Voice) string { return say(v, p, f) })
	for _, side := range []digit.Side{digit.First, digit.Second} {
		if !c.You[side] || r.Win != digit.OnCall || f.Order == 0 && result.Reason != digit.Equal {
			continue
		}
		if missed := r.HighestMultiple(r.Held(p, side)); missed.Len() > 0 {
			long, spoken := Tell(r, c, func(v Voice) string { return "You could have called " + v.Made(missed) + v.sign("", ",") + " and won." })
			said = said.Then(Said{"", long, spoken})
		}
	}
	return said
}

// Way tells in a few words how games are decided that end for a reason, given by its name.
func Way(reason string) string { return cmp.Or(ways[reason], reason) }

var ways = map[string]string{
	digit.Multiple.String(): "a multiple", digit.Miscalled.String(): "a wrong call", digit.ByAbove.String(): "the shorter way up to a multiple",
	digit.ByBelow.String(): "the smaller remainder", digit.ByNearest.String(): "being closer to a multiple", digit.ByHigher.String(): "the higher number",
	digit.ByLower.String(): "the lower number", digit.ByLater.String(): "the last digit", digit.Equal.String(): "nothing, a draw",
	digit.TimeOut.String(): "time", digit.Resignation.String(): "giving up", digit.Departure.String(): "leaving",
	digit.Forfeit.String(): "no legal move",
}

// endingShort returns the short forms of an ending from rich to poor.
func (v Voice) endingShort(f Finish) []string {
	who := "A draw"
	switch {
	case !f.Result.Over():
		return []string{"Not finished"}
	case f.Won:
		who = v.Does(f.Winner, "win")
	}
	var forms []string
	for _, how := range v.howShort(f) {
		switch f.Result.Reason {
		case digit.TimeOut, digit.Resignation, digit.Departure, digit.Forfeit: // which says who
			return []string{how}
		default:
			forms = append(forms, who+": "+how)
		}
	}
	if f.Result.Reason == digit.Multiple {
		forms = append(forms, who+" with "+f.Numbers[f.Winner].String())
	}
	return append(forms, who)
}

// howShort returns the short forms of what an ending came by, without who won, from rich to poor.
func (v Voice) howShort(f Finish) []string {
	r, t := v.Rules, v.Rules.Target
	if !f.Won {
		return []string{v.drawShort(f)}
	}
	loser := f.Winner.Other()
	mine, theirs := f.Numbers[f.Winner], f.Numbers[loser]
	far := func(n digit.Number) int { return r.Measure(f.Order, n.Value(r.Base())) }
	switch f.Result.Reason {
	case digit.Multiple:
		return []string{v.Sum(mine)}
	case digit.Miscalled:
		return []string{fmt.Sprintf("%v is no multiple of %d", theirs, t)}
	case digit.TimeOut:
		return []string{v.Whose(loser) + " time ran out"}
	case digit.Resignation:
		return []string{v.Who(loser) + " resigned"}
	case digit.Departure:
		return []string{v.Who(loser) + " left"}
	case digit.Forfeit:
		return []string{v.Who(loser) + " named no legal move"}
	case digit.ByLater:
		return []string{"last digit"}
	case digit.ByHigher, digit.ByLower:
		if len(f.Ties) > 0 {
			if r.Measure(f.Ties[0], mine.Value(r.Base())) == 0 {
				return []string{fmt.Sprintf("both multiples, %v is %v", mine, f.Order)}
			}
			return []string{fmt.Sprintf("equally close, %v is %v", mine, f.Order)}
		}
		return []string{fmt.Sprintf("%v is %v than %v", mine, f.Order, theirs)}
	default: // how far the numbers are from multiples decided
	}
	switch {
	case f.Order != digit.Above && far(mine) == 0:
		return []string{fmt.Sprintf("%v is a multiple of %d", mine, t)}
	case f.Order == digit.Below:
		return []string{fmt.Sprintf("remainder %d, not %d", far(mine), far(theirs))}
	default:
		return []string{fmt.Sprintf("%v is closer (%d, not %d)", mine, far(mine), far(theirs)), fmt.Sprintf("%v is closer", mine)}
	}
}

// drawShort tells why nobody has won.
func (v Voice) drawShort(f Finish) string {
	r := v.Rules
	if len(f.Ties) == 0 {
		return fmt.Sprintf("no multiple of %d", r.Target)
	}
	if far := r.Measure(f.Ties[0], f.Numbers[0].Value(r.Base())); far != 0 {
		return fmt.Sprintf("both %d from a multiple of %d", far, r.Target)
	}
	return fmt.Sprintf("both multiples of %d", r.Target)
}

// Standing tells how a game stands, as lists have it: "you won", "Ben won", "drawn"; of one that is not over whose turn it is.
func Standing(r digit.Rules, p digit.Position, result digit.Result, c Cast) string {
	v := Voice{r, c, brief}
	winner, won := result.Winner()
	switch {
	case !result.Over():
		whose := v.Whose(r.Turn(p))
		if c.You[r.Turn(p)] {
			whose = "your"
		}
		return whose + " turn"
	case !won:
		return "drawn"
	case c.You[winner.Other()]:
		return "you lost"
	default:
		return v.Whom(winner) + " won"
	}
}

// How tells in a few words what a finished game came by, without who won.
func How(r digit.Rules, p digit.Position, result digit.Result, c Cast) string {
	if !result.Over() {
		return ""
	}
	v := Voice{r, c, brief}
	return fit(v.howShort(Finished(r, p, result))...)
}

// ending tells an ending in full.
func (v Voice) ending(p digit.Position, f Finish) string {
	switch text := v.why(p, f); {
	case !f.Won:
		return text
	case f.Result.Reason == digit.Multiple:
		return text + " " + v.Does(f.Winner, "win") + "!"
	default:
		return text + " " + v.Does(f.Winner, "win") + "."
	}
}

// why tells what an ending came by.
func (v Voice) why(p digit.Position, f Finish) string {
	if !f.Won {
		return v.open(p, f)
	}
	r, loser := v.Rules, f.Winner.Other()
	switch f.Result.Reason {
	case digit.Multiple:
		return v.Sum(f.Numbers[f.Winner]) + "."
	case digit.Miscalled:
		return v.miscalled(p, f)
	case digit.TimeOut:
		return v.Whose(loser) + " time ran out."
	case digit.Resignation:
		return v.Who(loser) + " resigned."
	case digit.Departure:
		return v.Who(loser) + " left the game."
	case digit.Forfeit:
		return v.Who(loser) + " used up every try without a legal move."
	default: // the orders decided
	}
	text := v.Compared(f)
	if text != "" {
		text += ". "
		if r.Place == digit.Hand {
			text = v.bestOfHands() + text
		}
	}
	text += map[digit.Order]string{
		digit.Above:   fmt.Sprintf("The shorter way up to a multiple of %d wins.", r.Target),
		digit.Below:   "The smaller remainder wins.",
		digit.Nearest: "The closer number wins.",
		digit.Later:   v.Who(f.Winner) + " placed the last digit.",
	}[f.Order]
	return strings.TrimSuffix(text, " ")
}

// Outcome tells who won a finished game, and not why: "You win!", "Not this time: Ben wins", "A draw".
func Outcome(r digit.Rules, result digit.Result, c Cast) Said {
	winner, won := result.Winner()
	say := func(v Voice) string {
		switch {
		case !won && result.Over():
			return "A draw"
		case !won:
			return "Not finished"
		case c.You[winner]:
			return v.Does(winner, "win") + "!"
		case c.You[winner.Other()]:
			return "Not this time: " + v.Whom(winner) + " wins"
		default:
			return v.Does(winner, "win")
		}
	}
	return told(r, c, func(v Voice) []string { return []string{say(v)} }, say)
}

// Compared tells how the numbers of a finished game compare, and not who wins: "685 is 1 below 686 = 7·98; 143 is 4 below 147 = 7·21". It
// is empty where no number decided.
func (v Voice) Compared(f Finish) string {
	mine, theirs, tie := f.Numbers[digit.First], f.Numbers[digit.Second], ""
	if f.Won {
		mine, theirs = f.Numbers[f.Winner], f.Numbers[f.Winner.Other()]
	}
	if len(f.Ties) > 0 {
		tie = v.tie(f.Ties[0], mine, theirs)
	}
	switch rank := f.Order == digit.Higher || f.Order == digit.Lower; {
	case f.Order == 0 || f.Order == digit.Later:
		return tie
	case rank && tie != "":
		return fmt.Sprintf("%s, so the %v number wins", tie, f.Order)
	case rank:
		return fmt.Sprintf("%s is %v than %s", v.closed(mine), f.Order, v.Number(theirs))
	case tie != "":
		tie += ". "
	}
	return tie + v.Gap(f.Order, mine) + "; " + v.Gap(f.Order, theirs)
}

// bestOfHands tells what is compared of hands.
func (v Voice) bestOfHands() string {
	if v.Rules.Win == digit.OnCall {
		return "Nobody called, so the best number of each hand counts. "
	}
	return "The best number of each hand counts. "
}

// miscalled tells a wrong call, and what the hand had instead.
func (v Voice) miscalled(p digit.Position, f Finish) string {
	r, loser := v.Rules, f.Winner.Other()
	called := f.Numbers[loser]
	said := v.Sum(called)
	if value := called.Value(r.Base()); value < int(r.Target) {
		said = v.closed(called)
	}
	text := fmt.Sprintf("%s called %s, but %s is not a multiple of %d.", v.Who(loser), called, said, r.Target)
	if v.form == heard {
		text = fmt.Sprintf("%s called %s. That is not a multiple of %d: %s.", v.Who(loser), v.Number(called), r.Target, v.Sum(called))
	}
	if there := r.HighestMultiple(r.Held(p, loser)); there.Len() > 0 {
		text += " " + v.sign(v.Sum(there)+" was there.", "There was "+v.Made(there)+".")
	}
	return text
}

// open tells a draw, or a game that is not over.
func (v Voice) open(p digit.Position, f Finish) string {
	r := v.Rules
	switch {
	case f.Result.Score != digit.Draw:
		return fmt.Sprintf("The game was left unfinished after %s.", plural(r.Ply(p), "digit"))
	case len(f.Ties) > 0:
		text := v.Compared(f) + ". The game is a draw."
		if r.Place == digit.Hand {
			text = v.bestOfHands() + text
		}
		return text
	}
	var text strings.Builder
	for _, n := range f.Numbers {
		if r.Place != digit.Hand && n.Value(r.Base())%int(r.Target) == 0 {
			text.WriteString(v.closed(n) + " begins with 0 and does not count. ")
		}
	}
	made := "made"
	if r.Win == digit.OnCall {
		made = "called"
	}
	return text.String() + fmt.Sprintf("Nobody %s a multiple of %d. The game is a draw.", made, r.Target)
}
