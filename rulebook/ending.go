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

// Measured reports whether the distances of the numbers to a multiple decided.
func (f Finish) Measured() bool {
	return f.Order == digit.Above || f.Order == digit.Below || f.Order == digit.Nearest
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
	who := "Draw"
	switch f.Result.Reason {
	case digit.TimeOut, digit.Resignation, digit.Departure, digit.Forfeit, digit.NoReason:
		return v.howShort(p, f)
	default:
		if f.Won {
			who = v.Does(f.Winner, "win")
		}
	}
	var forms []string
	for _, how := range v.howShort(p, f) {
		forms = append(forms, who+": "+how)
	}
	return append(forms, who)
}

// howShort returns the short forms of a reason, the longest first.
func (v Voice) howShort(p digit.Position, f Finish) []string {
	loser := f.Winner.Other()
	w, l := f.Numbers[f.Winner&1], f.Numbers[loser&1]
	switch f.Result.Reason {
	case digit.Multiple:
		return []string{v.Sum(w), w.String()}
	case digit.Miscalled:
		return []string{fmt.Sprintf("%v isn't a multiple of %d", l, v.Rules.Target), "a wrong call"}
	case digit.Forfeit:
		return []string{v.Who(loser) + " made no legal move"}
	case digit.ByHigher, digit.ByLower:
		if n := len(f.Ties); n > 0 {
			return []string{fmt.Sprintf("%s, %v is %v", v.both(f.Ties[n-1], w, l, false), w,
				f.Order)}
		}
	case digit.ByAbove, digit.ByBelow, digit.ByNearest:
		far := v.Distance(f.Order, w)
		return []string{
			fmt.Sprintf("%v is %s, %v is %s", w, far, l, v.Distance(f.Order, l)),
			fmt.Sprintf("%v is %s", w, far),
		}
	case digit.Equal:
		if n := len(f.Ties); n > 0 {
			return []string{v.both(f.Ties[n-1], w, l, true), v.both(f.Ties[n-1], w, l, false)}
		}
		nobody := v.nobody()
		return []string{strings.ToLower(nobody[:1]) + nobody[1:]}
	case digit.ByLater:
		return []string{"the last digit"}
	default:
	}
	return []string{strings.TrimSuffix(v.why(p, f), ".")}
}

// both says in a few words that an order finds two numbers equal: "both 1 short", and in full "both
// 1 short of a multiple of 7".
func (v Voice) both(o digit.Order, a, b digit.Number, full bool) string {
	_, text, _ := strings.Cut(v.tie(o, a, b), " are ")
	if !full {
		text, _, _ = strings.Cut(text, " of ")
		text = strings.TrimSuffix(strings.TrimSuffix(text, " a multiple"), " from")
	}
	return text
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
	return fit(Voice{r, c, brief}.howShort(p, Finished(r, p, result))...)
}

// why gives the reason of a result in a sentence.
func (v Voice) why(p digit.Position, f Finish) string {
	r, loser := v.Rules, f.Winner.Other()
	switch f.Result.Reason {
	case digit.NoReason:
		return "Stopped after " + Plural(r.Ply(p), "digit") + "."
	case digit.Multiple:
		return v.won(p, f)
	case digit.Miscalled:
		return v.miscalled(f)
	case digit.TimeOut:
		return v.Whose(loser) + " time ran out."
	case digit.Resignation:
		return v.Who(loser) + " resigned."
	case digit.Departure:
		return v.Who(loser) + " left."
	case digit.Forfeit:
		return v.Who(loser) + " used every try without a legal move."
	default: // the orders decided, or nothing did
		return cmp.Or(v.Compared(f), v.nobody()) + "."
	}
}

// won says which multiple won.
func (v Voice) won(p digit.Position, f Finish) string {
	n, verb := f.Numbers[f.Winner], " made "
	if _, called := v.Rules.Called(p); called && v.Rules.Win == digit.OnCall {
		verb = " called "
	} else if n.Len() == 1 {
		return fmt.Sprintf("%v is a multiple of %d on its own.", n, v.Rules.Target)
	}
	return v.Who(f.Winner) + verb + v.Made(n) + "."
}

// nobody says that no multiple decided.
func (v Voice) nobody() string {
	made := "made"
	if v.Rules.Win == digit.OnCall {
		made = "called"
	}
	return fmt.Sprintf("Nobody %s a multiple of %d", made, v.Rules.Target)
}

// Compared compares the numbers of a finished game: "685 is 1 short of a multiple of 7; 143 is 4
// short". It is empty if no order measured them.
func (v Voice) Compared(f Finish) string {
	w, l := f.Numbers[f.Winner&1], f.Numbers[f.Winner.Other()&1]
	tie := ""
	if n := len(f.Ties); n > 0 {
		tie = v.tie(f.Ties[n-1], w, l)
	}
	switch f.Order {
	case 0:
		return tie
	case digit.Later:
		return joined(tie, v.Who(f.Winner)+" placed the last digit",
			v.Whom(f.Winner)+" placed the last digit")
	case digit.Higher, digit.Lower:
		return joined(tie, fmt.Sprintf("%s is %v than %s", v.Subject(w), f.Order, v.Number(l)),
			fmt.Sprintf("%s is %v", v.Subject(w), f.Order))
	default:
		both := "%s is %s; " + v.Subject(l) + " is " + v.Distance(f.Order, l)
		return joined(tie, fmt.Sprintf(both, v.Subject(w), v.OfMultiple(f.Order, w)),
			fmt.Sprintf(both, v.Subject(w), v.Distance(f.Order, w)))
	}
}

// joined returns the text of an order, or the tie before it with the text after a tie.
func joined(tie, alone, next string) string {
	if tie == "" {
		return alone
	}
	return tie + ", and " + next
}

// miscalled explains a wrong call.
func (v Voice) miscalled(f Finish) string {
	loser := f.Winner.Other()
	n := f.Numbers[loser]
	called := n.String()
	if v.form == heard && v.Number(n) != called {
		called = strings.Join(strings.Split(called, ""), " ")
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
	positions := []digit.Position{{}}
	for _, m := range moves {
		if r.Win != digit.OnCall { // calls are automatic
			m = m.Uncalled()
		}
		next, _ := r.Play(positions[len(positions)-1], m) // it was played
		positions = append(positions, next)
	}
	p := positions[len(positions)-1]
	f := Finished(r, p, result)
	if !f.Result.Over() {
		return Said{}
	}
	return Say(r, c, func(v Voice) string {
		switch {
		case result.Reason == digit.Multiple:
			return v.couldStop(positions, f)
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
	case f.Measured():
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
	var digits digit.Pool
	var numbers []digit.Number
	for m, n := range r.Threats(p, side) {
		if !digits.Has(m.Digit) {
			digits |= digit.PoolOf(m.Digit)
			numbers = append(numbers, n)
		}
	}
	if len(numbers) != 2 {
		return nil
	}
	return numbers
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
func (v Voice) couldStop(positions []digit.Position, f Finish) string {
	if len(positions) < 3 {
		return ""
	}
	numbers, made := open(v.Rules, positions[len(positions)-3], f.Winner), f.Numbers[f.Winner]
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
