package rulebook

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"digitduel/digit"
)

// A Finish holds the reasons of a result as values. [Why] puts them into words.
type Finish struct {
	Result  digit.Result
	Winner  digit.Side // if Won
	Won     bool
	Numbers [2]digit.Number // the number built or called, or the best number of a hand, by side
	Order   digit.Order     // the order that decided; 0: none
	Ties    []digit.Order   // the orders before it, which found both numbers equal
}

// Finished returns the reasons of a result, which is that of the rules or one given by a table.
func Finished(r digit.Rules, p digit.Position, result digit.Result) Finish {
	f := Finish{Result: result}
	f.Winner, f.Won = result.Winner()
	for _, side := range digit.Sides {
		f.Numbers[side] = r.Best(r.Number(p, side))
	}
	last := r.Turn(p).Other()
	if called, ok := r.Called(p); ok {
		f.Numbers[last] = called
	} else if result.Reason == digit.Multiple && r.Place == digit.Hand {
		f.Numbers[last] = r.HighestMultiple(r.Held(p, last))
	}
	f.Order, _ = result.Reason.Order()
	orders := r.Orders()
	switch at := slices.Index(orders, f.Order); {
	case at >= 0:
		f.Ties = orders[:at]
	case result.Reason == digit.Equal:
		f.Ties = orders
	}
	return f
}

// Outcome returns the headline of a result: "You win!", "Not this time", "Draw", "Ben wins".
func Outcome(r digit.Rules, result digit.Result, c Cast) Said {
	winner, won := result.Winner()
	say := func(v Voice) string {
		switch {
		case !result.Over():
			return "Unfinished"
		case !won:
			return "Draw"
		case c.You[winner]:
			return "You win!"
		case c.You[winner.Other()]:
			return "Not this time"
		default:
			return v.Does(winner, "win")
		}
	}
	return Say(r, c, say).Titled(say(Voice{r, c, brief}))
}

// Why gives the reason of a result in one sentence, without the winner. The short form has both.
func Why(r digit.Rules, p digit.Position, result digit.Result, c Cast) Said {
	return ended(r, p, result, c, Voice.why)
}

// Ending gives the reason and the winner.
func Ending(r digit.Rules, p digit.Position, result digit.Result, c Cast) Said {
	return ended(r, p, result, c, Voice.ending)
}

// ended returns an ending with a long form.
func ended(r digit.Rules, p digit.Position, result digit.Result, c Cast,
	long func(Voice, digit.Position, Finish) string) Said {
	f := Finished(r, p, result)
	return sayAll(r, c,
		func(v Voice) []string { return v.endingShort(p, f) },
		func(v Voice) string { return long(v, p, f) })
}

func (v Voice) ending(p digit.Position, f Finish) string {
	why := v.why(p, f)
	switch {
	case !f.Result.Over():
		return "Unfinished: s" + why[1:]
	case !f.Won:
		return why + " It's a draw."
	case f.Result.Reason == digit.Multiple:
		return why + " " + v.Does(f.Winner, "win") + "!"
	default:
		return why + " " + v.Does(f.Winner, "win") + "."
	}
}

// endingShort returns the short forms of an ending, the longest first.
func (v Voice) endingShort(p digit.Position, f Finish) []string {
	forms, who := v.howShort(p, f), "Draw"
	switch {
	case !f.Result.Over() || f.Result.Reason >= digit.TimeOut:
		return forms
	case f.Won:
		who = v.Does(f.Winner, "win")
	}
	for i, how := range forms {
		forms[i] = who + ": " + how
	}
	return append(forms, who)
}

// howShort returns the short forms of a reason, the longest first.
func (v Voice) howShort(p digit.Position, f Finish) []string {
	loser := f.Winner.Other()
	w, l := f.Numbers[f.Winner], f.Numbers[loser]
	tie, fullTie := v.tied(f)
	switch f.Result.Reason {
	case digit.Multiple:
		return []string{v.Sum(w), w.String()}
	case digit.Miscalled:
		return []string{l.String() + v.fill(" isn't a multiple of ${t}"), "a wrong call"}
	case digit.Forfeit:
		return []string{v.Who(loser) + " made no legal move"}
	case digit.ByHigher, digit.ByLower:
		if tie != "" {
			return []string{fmt.Sprintf("%s, %v is %v", tie, w, f.Order)}
		}
	case digit.ByAbove, digit.ByBelow, digit.ByNearest:
		far := v.Distance(f.Order, w)
		return []string{
			fmt.Sprintf("%v is %s, %v is %s", w, far, l, v.Distance(f.Order, l)),
			fmt.Sprintf("%v is %s", w, far),
		}
	case digit.Equal:
		if tie != "" {
			return []string{fullTie, tie}
		}
		return []string{lower(v.nobody())}
	case digit.ByLater:
		return []string{"the last digit"}
	default:
	}
	return []string{strings.TrimSuffix(v.why(p, f), ".")}
}

// tied says that the last order before the deciding one finds the numbers equal: "both 1 short",
// and in full "both 1 short of a multiple of 7". It is empty if the first order decided.
func (v Voice) tied(f Finish) (short, full string) {
	if len(f.Ties) == 0 {
		return "", ""
	}
	o := f.Ties[len(f.Ties)-1]
	far, _, way, of := v.gap(o, f.Numbers[digit.First])
	_, _, other, _ := v.gap(o, f.Numbers[digit.Second])
	switch {
	case far == 0:
		short, of = "both multiples", " of ${t}"
	case way != other:
		short, of = fmt.Sprintf("both %d away", far), " from a multiple of ${t}"
	default:
		short, of = fmt.Sprintf("both %d%s", far, way), of+"a multiple of ${t}"
	}
	return short, short + v.fill(of)
}

// Standing says how a game stands in a list: "you won", "Ben won", "drawn", "your turn".
func Standing(r digit.Rules, p digit.Position, result digit.Result, c Cast) string {
	v := Voice{r, c, brief}
	winner, won := result.Winner()
	switch {
	case !result.Over():
		return v.Possessive(r.Turn(p)) + " turn"
	case !won:
		return "drawn"
	case c.You[winner.Other()]:
		return "you lost"
	default:
		return v.Whom(winner) + " won"
	}
}

// How returns the reason of a result in a few words, without the winner.
func How(r digit.Rules, p digit.Position, result digit.Result, c Cast) string {
	if !result.Over() {
		return ""
	}
	return Fit(Voice{r, c, brief}.howShort(p, Finished(r, p, result))...)
}

// why gives the reason of a result in a sentence.
func (v Voice) why(p digit.Position, f Finish) string {
	switch f.Result.Reason {
	case digit.NoReason:
		return "Stopped after " + Plural(v.Rules.Ply(p), "digit") + "."
	case digit.Multiple:
		return v.won(p, f)
	case digit.Miscalled:
		return v.miscalled(f)
	default: // the orders decided, nothing did, or a player gave up
		return cmp.Or(v.GaveUp(f.Result), v.Compared(f), v.nobody()) + "."
	}
}

// gaveUp has the words for the endings that a table gives: what the loser did, and the reason
// without names.
var gaveUp = map[digit.Reason]struct{ did, fact string }{
	digit.TimeOut:     {" time ran out", "time ran out"},
	digit.Resignation: {" resigned", "by resignation"},
	digit.Departure:   {" left", "a player left"},
	digit.Forfeit:     {" used every try without a legal move", "no legal move"},
}

// GaveUp says how the loser of a game stopped playing: "Ben resigned". It is empty if the game
// ended by the rules.
func (v Voice) GaveUp(result digit.Result) string {
	winner, _ := result.Winner()
	switch loser := winner.Other(); {
	case result.Reason < digit.TimeOut:
		return ""
	case result.Reason == digit.TimeOut:
		return v.Whose(loser) + gaveUp[result.Reason].did
	default:
		return v.Who(loser) + gaveUp[result.Reason].did
	}
}

// won says which multiple won.
func (v Voice) won(p digit.Position, f Finish) string {
	n, verb := f.Numbers[f.Winner], " made "
	if _, called := v.Rules.Called(p); called && v.Rules.Win == digit.OnCall {
		verb = " called "
	} else if n.Len() == 1 {
		return n.String() + v.fill(" is a multiple of ${t} on its own.")
	}
	return v.Who(f.Winner) + verb + v.Made(n) + "."
}

// nobody says that no multiple decided.
func (v Voice) nobody() string {
	if v.Rules.Win == digit.OnCall {
		return v.fill("Nobody called a multiple of ${t}")
	}
	return v.fill("Nobody made a multiple of ${t}")
}

// Compared compares the numbers of a finished game: "685 is 1 short of a multiple of 7; 143 is 4
// short". It is empty if no order measured them.
func (v Voice) Compared(f Finish) string {
	w, l := f.Numbers[f.Winner], f.Numbers[f.Winner.Other()]
	who, far := v.Who, v.OfMultiple
	_, tie := v.tied(f)
	if tie != "" {
		tie = v.Subject(w) + " and " + v.Subject(l) + " are " + tie + ", and "
		who, far = v.Whom, v.Distance
	}
	switch {
	case f.Order == 0:
		return strings.TrimSuffix(tie, ", and ")
	case f.Order == digit.Later:
		return tie + who(f.Winner) + " placed the last digit"
	case f.Order.Measures():
		return fmt.Sprintf("%s%s is %s; %s is %s", tie, v.Subject(w), far(f.Order, w),
			v.Subject(l), v.Distance(f.Order, l))
	case tie == "":
		return fmt.Sprintf("%s is %v than %s", v.Subject(w), f.Order, v.Number(l))
	default:
		return fmt.Sprintf("%s%s is %v", tie, v.Subject(w), f.Order)
	}
}

// miscalled explains a wrong call.
func (v Voice) miscalled(f Finish) string {
	loser := f.Winner.Other()
	n := f.Numbers[loser]
	called := n.String()
	if v.form == heard && v.Number(n) != called {
		called = spelled(called)
	}
	text := fmt.Sprintf("%s called %s, but %s", v.Who(loser), called, v.Sum(n))
	if value, t := v.Value(n), int(v.Rules.Target); value >= t {
		text += ": " + InWords(value%t) + " left over"
	}
	return text + "."
}

// Detail adds to [Why], where there is something to add, from the moves of the game: the multiples
// that were open, that a hand could have made or that don't count, or the distances in full.
func Detail(r digit.Rules, moves []digit.Move, result digit.Result, c Cast) Said {
	if r.Win != digit.OnCall { // calls are automatic
		moves = slices.Clone(moves)
		for i, m := range moves {
			moves[i] = m.Uncalled()
		}
	}
	p := r.After(moves)
	f := Finished(r, p, result)
	if !result.Over() {
		return Said{}
	}
	return Say(r, c, func(v Voice) string {
		switch {
		case result.Reason == digit.Multiple:
			return v.couldStop(moves, f)
		case result.Reason == digit.Resignation:
			return v.wasWinning(p, f.Winner)
		case result.Reason == digit.Miscalled:
			return v.could(p, f.Winner.Other(), "have made")
		case f.Order == 0 && result.Reason != digit.Equal:
			return ""
		default:
			return v.compared(p, f)
		}
	})
}

// compared adds to the comparison of two numbers.
func (v Voice) compared(p digit.Position, f Finish) (text string) {
	r := v.Rules
	switch {
	case r.Place == digit.Hand && r.Win == digit.OnCall && len(r.Orders()) > 0:
		text = "Nobody called, so each hand counts as its best number."
	case r.Place == digit.Hand && len(r.Orders()) > 0:
		text = "Each hand counts as its best number."
	case f.Order.Measures():
		text = v.Gap(f.Order, f.Numbers[f.Winner]) + "; " + v.Gap(f.Order,
			f.Numbers[f.Winner.Other()]) + "."
	}
	for _, side := range digit.Sides {
		n := f.Numbers[side]
		switch lost := !f.Won || f.Winner != side; {
		case r.Win == digit.OnCall && v.Cast.You[side] && lost:
			text = after(text, v.could(p, side, "have called"))
		case r.Win == digit.WhenFull && r.Place != digit.Hand &&
			v.Value(n)%int(r.Target) == 0:
			text = after(text, v.Subject(n)+" starts with 0, so it can't win.")
		}
	}
	return text
}

// could names the highest multiple that the hand of a player makes, if it makes one.
func (v Voice) could(p digit.Position, side digit.Side, verb string) string {
	n := v.Rules.HighestMultiple(v.Rules.Held(p, side))
	if n.Len() == 0 {
		return ""
	}
	return v.Whose(side) + " digits could " + verb + " " + v.Made(n) + "."
}

// Needs returns a winning multiple for each digit with which a player would make one on their
// turn.
func Needs(r digit.Rules, p digit.Position, side digit.Side) (numbers []digit.Number) {
	var digits digit.Pool
	for m, n := range r.Threats(p, side) {
		if !digits.Has(m.Digit) {
			digits |= digit.PoolOf(m.Digit)
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// open returns the two multiples of a player of which the opponent, who is to move, can stop only
// one: exactly two digits win for the player, and no move wins for the opponent.
func open(r digit.Rules, p digit.Position, side digit.Side) []digit.Number {
	if r.Turn(p) == side || r.Result(p).Over() {
		return nil
	}
	for m := range r.Moves(p) {
		next, _ := r.Play(p, m) // it is legal
		if winner, won := r.Result(next).Winner(); won && winner != side {
			return nil
		}
	}
	if numbers := Needs(r, p, side); len(numbers) == 2 {
		return numbers
	}
	return nil
}

// wereOpen says that two multiples were open: "721 and 791 were both open".
func (v Voice) wereOpen(numbers []digit.Number) string {
	slices.SortFunc(numbers, func(a, b digit.Number) int {
		return cmp.Compare(v.Value(a), v.Value(b))
	})
	return v.Subject(numbers[0]) + " and " + v.Subject(numbers[1]) + " were both open"
}

// couldStop says that the winner had two multiples open before the last move of the opponent, and
// made one of them.
func (v Voice) couldStop(moves []digit.Move, f Finish) string {
	before := v.Rules.After(moves[:max(0, len(moves)-2)])
	numbers, made := open(v.Rules, before, f.Winner), f.Numbers[f.Winner]
	i := slices.IndexFunc(numbers, func(n digit.Number) bool { return n.Pool() == made.Pool() })
	if i < 0 {
		return ""
	}
	numbers[i] = made // the same digits may make several
	return v.wereOpen(numbers) + ", and " + v.Whom(f.Winner.Other()) + " could stop only one."
}

// wasWinning says which multiples of a player were open when the opponent resigned.
func (v Voice) wasWinning(p digit.Position, winner digit.Side) string {
	numbers := open(v.Rules, p, winner)
	if numbers == nil {
		return ""
	}
	return v.Does(winner, "were") + " winning: " + v.wereOpen(numbers) + "."
}
