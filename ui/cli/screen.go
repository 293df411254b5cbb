package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A screen describes the state of a table in the words of a rulebook.
type screen struct {
	wording
	state match.State
}

func newScreen(s match.State) screen { return screen{wordingOf(s.Setup.Rules), s} }

func (s screen) rules() digit.Rules { return s.state.Setup.Rules }

// say fills a template for an action of a seat. More has values that are not in the state.
func (s screen) say(template string, seat match.Seat, more map[string]string) string {
	values := map[string]string{
		"title":  s.rules().Named().Title,
		"pool":   s.rules().Left(s.state.Position).List(s.separator),
		"places": strings.Join(s.places, s.or),
	}
	if s.rules().Target != 0 {
		values["target"] = fmt.Sprint(s.rules().Target)
	}
	for suffix, seat := range map[string]match.Seat{"": seat, "1": match.One, "2": match.Two} {
		values["name"+suffix] = s.state.Setup.Name(seat)
		values["board"+suffix] = s.board(seat)
		values["number"+suffix] = s.number(seat).String()
	}
	maps.Copy(values, more)
	return expand(template, values)
}

// number returns the number of a seat that counts: its own, the called one or, for a hand, the best
// one that its digits make.
func (s screen) number(seat match.Seat) digit.Number {
	return rulebook.Finished(
		s.rules(), s.state.Position, s.state.Result).Numbers[s.state.Side(seat)]
}

// cast returns the players by side. None is "you", since all of them read the text.
func (s screen) cast() rulebook.Cast { return rulebook.Narrator{State: s.state}.Sides() }

// typist returns the players by side, with the player to move as "you".
func (s screen) typist() rulebook.Cast {
	c := s.cast()
	c.You[s.rules().Turn(s.state.Position)] = true
	return c
}

// board draws the number of a seat. A hand has the order in which its digits were taken.
func (s screen) board(seat match.Seat) string {
	side := s.state.Side(seat)
	var drawn []string
	switch s.rules().Place {
	case digit.Hand:
		for i := int(side); i < len(s.state.Moves); i += 2 {
			drawn = append(drawn, s.state.Moves[i].Digit.String())
		}
		if s.rules().Ply(s.state.Position) != len(s.state.Moves) { // a position without its moves
			return s.rules().Held(s.state.Position, side).List(s.cells.between)
		}
	case digit.Ends:
		return s.rules().Number(s.state.Position, side).String()
	case digit.Slots:
		n := s.rules().Number(s.state.Position, side)
		for i := range n.Len() {
			cell := s.cells.empty
			if d, ok := n.At(i); ok {
				cell = d.String()
			}
			drawn = append(drawn, s.cells.before+cell+s.cells.after)
		}
	}
	return strings.Join(drawn, s.cells.between)
}

// opening returns the text at the beginning of a game.
func (s screen) opening() string { return s.say(s.open, s.state.Turn(), nil) }

// heading returns the text at the beginning of a turn.
func (s screen) heading() string {
	if len(s.state.Moves) == 0 && s.first != "" {
		return s.say(s.first, s.state.Turn(), nil)
	}
	return s.say(s.turn, s.state.Turn(), nil)
}

func (s screen) askDigit() string { return s.say(s.digit, s.state.Turn(), nil) }

func (s screen) askPlace(d digit.Digit) string {
	return s.say(s.place, s.state.Turn(), map[string]string{"digit": d.String()})
}

// askCall returns the prompt for a player who has picked the last digit of the hand.
func (s screen) askCall() string { return s.say(s.call, s.state.Turn(), nil) }

// picked returns the text after a digit that goes into a hand. The state is the one before it.
func (s screen) picked(d digit.Digit) string {
	next := s
	p, err := s.rules().Play(s.state.Position, digit.Move{Digit: d})
	if err != nil {
		return ""
	}
	next.state.Position = p
	next.state.Moves = append(slices.Clip(s.state.Moves), digit.Move{Digit: d})
	return next.afterPick(s.state.Turn())
}

func (s screen) afterPick(seat match.Seat) string {
	text := s.say(s.moved, seat, nil)
	if r := s.rules(); r.Place == digit.Hand && r.Full(s.state.Position, s.state.Side(seat)) {
		const most = 120 // the arrangements of five digits
		var numbers []string
		for n := range r.Arrangements(r.Held(s.state.Position, s.state.Side(seat))) {
			if len(numbers) == most {
				numbers = append(numbers, "…")
				break
			}
			numbers = append(numbers, n.String())
		}
		text += s.say(s.full, seat, map[string]string{"numbers": strings.Join(numbers, ", ")})
	}
	return text
}

// askSwap asks whether to take over the first move.
func (s screen) askSwap() string {
	return rulebook.AskSwap(
		s.typist(), s.rules().Turn(s.state.Position), rulebook.Narrator{State: s.state}.Back(0),
	).Long
}

// nothing is shown for a player without a digit.
const nothing = "nothing yet"

// boards describes both boards and the digits that are left.
func (s screen) boards() string {
	line := func(seat match.Seat) string {
		return s.state.Setup.Name(seat) + ": " + cmp.Or(s.board(seat), nothing) + "\n"
	}
	return line(match.One) + line(match.Two) + "Digits left: " +
		s.rules().Left(s.state.Position).List(s.separator) + "\n"
}

// asked returns the turn of a player who types nothing: the prompts with the answers of the move.
func (s screen) asked(m digit.Move) string {
	text := s.askDigit() + m.Digit.String() + "\n"
	if m.Spot != digit.InHand {
		text += s.askPlace(m.Digit) + s.placeName(m.Spot) + "\n"
	}
	return text
}

// placeName returns the name of a spot in the words of the book.
func (s screen) placeName(spot digit.Spot) string {
	if i, ok := spot.Slot(); ok {
		return s.places[i]
	}
	return spot.String()
}

// after returns the text after the last move. Picked says whether the text after the pick has been
// shown.
func (s screen) after(picked bool) string {
	r, p, seat := s.rules(), s.state.Position, s.state.Turn().Other()
	text := ""
	switch {
	case r.Place != digit.Hand:
		text = s.say(s.moved, seat, nil)
	case !picked:
		text = s.afterPick(seat)
	}
	good := s.state.Result.Reason == digit.Multiple
	full := r.Full(p, s.state.Side(seat))
	switch {
	// a hand is many numbers, and the ending explains a wrong call
	case r.Place == digit.Hand && !good:
	case r.Win == digit.EachTurn, full && r.Win == digit.WhenFull, full && good:
		n := s.number(seat)
		text += s.say(s.tried, seat, map[string]string{
			"dividend": rulebook.Voice{Rules: r}.Number(n), "quotient": quotient(
				n.Value(r.Base()), int(r.Target)), "verdict": s.verdict(good, n),
		})
	}
	return text
}

// verdict describes whether a number is a multiple, and why a multiple does not win.
func (s screen) verdict(good bool, n digit.Number) string {
	r := s.rules()
	template := s.bad
	switch {
	case good:
		template = s.good
	case n.Value(r.Base())%int(r.Target) == 0:
		template = s.inert
	}
	return s.say(template, match.One, nil)
}

// quotient returns a ÷ b, with three decimals if it is not whole.
func quotient(a, b int) string {
	if a%b == 0 {
		return fmt.Sprint(a / b)
	}
	return fmt.Sprintf("%.3f", float64(a)/float64(b))
}

// ending returns the text at the end of a game: that of the book, if its session has one.
func (s screen) ending() string {
	winner, _ := s.state.Winner()
	finish := rulebook.Finished(s.rules(), s.state.Position, s.state.Result)
	if template := s.ends[finish.Result.Reason]; template != "" && len(finish.Ties) == 0 {
		return s.end + s.say(template, winner, nil)
	}
	n := rulebook.Narrator{State: s.state}
	return cmp.Or(s.end, "\n") + n.Ending().Then(n.Aside()).Long + "\n"
}

// left returns the text after a game that is left unfinished.
func (s screen) left() string {
	return rulebook.Ending(s.rules(), s.state.Position, digit.Result{}, s.cast()).Long + "\n"
}
