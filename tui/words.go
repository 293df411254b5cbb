package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// verdictTone is the colour of an outcome.
func verdictTone(o solve.Outcome) tone {
	switch o {
	case solve.Win:
		return good
	case solve.Loss:
		return bad
	default:
		return even
	}
}

var (
	outcomeWords   = map[solve.Outcome]string{solve.Win: "wins", solve.Loss: "loses", solve.Draw: "draws"}
	outcomeShort   = map[solve.Outcome]string{solve.Win: "win", solve.Loss: "loss", solve.Draw: "draw"}
	outcomeLetters = map[solve.Outcome]string{solve.Win: "W", solve.Loss: "L", solve.Draw: "D"}
)

// verdict says a value in as many words as a width allows for any outcome: "wins in 3", "win 3", "W 3", "W3", "W".
func verdict(v solve.Value, width int) string {
	n := strconv.Itoa(v.Plies)
	switch {
	case width >= len("loses in ")+len(n):
		return outcomeWords[v.Outcome] + " in " + n
	case width >= len("loss ")+len(n):
		return outcomeShort[v.Outcome] + " " + n
	case width >= len("L ")+len(n):
		return outcomeLetters[v.Outcome] + " " + n
	case width >= len("L")+len(n):
		return outcomeLetters[v.Outcome] + n
	default:
		return outcomeLetters[v.Outcome]
	}
}

// A need is what one more digit makes of a number.
type need struct {
	digit digit.Digit
	spot  digit.Spot
	made  string
	wins  bool
}

// needsOf returns what a number becomes with each digit that is left, where one digit more decides something; those that win
// come first. Of hands, which are many numbers at once, and of growing numbers, which are tried each turn, only those that win
// are told.
func needsOf(r digit.Rules, p digit.Position, side digit.Side) []need {
	have := r.Number(p, side)
	missing := r.Fills(side) - have.Pool().Len()
	if r.Win == digit.Never || r.Result(p).Over() || missing == 0 || missing > 1 && r.Win != digit.EachTurn {
		return nil
	}
	var needs []need
	for m, n := range r.Threats(p, side) {
		const most = 64 // more than anybody reads
		if len(needs) < most {
			needs = append(needs, need{m.Digit, m.Spot, n.String(), true})
		}
	}
	if r.Place != digit.Slots || missing > 1 {
		return needs
	}
	winning, number := needs, have.String()
	gap := strings.IndexByte(number, '_')
	for d := range r.Left(p).All() {
		if !slices.ContainsFunc(winning, func(w need) bool { return w.digit == d }) {
			needs = append(needs, need{d, digit.SlotAt(gap), number[:gap] + d.String() + number[gap+1:], false})
		}
	}
	return needs
}

// text says a need: "2 → 721, 7·103" or "0 → 701, 7·100+1".
func (n need) text(r digit.Rules) string {
	what := n.digit.String()
	if r.Place == digit.Ends && len(n.made) > 1 {
		what += n.spot.String()
	}
	return what + " → " + sum(r, n.made, ", ")
}

// sum says what a number is by the target: "721, 7·103", with something else for the comma.
func sum(r digit.Rules, number, comma string) string {
	v, err := strconv.ParseInt(number, r.Base(), 64)
	if err != nil {
		return number // it has a gap
	}
	text := number
	if r.Base() != 10 {
		text += fmt.Sprintf(" (%d)", v)
	}
	t := int64(r.Target)
	if t == 0 {
		return text
	}
	text += fmt.Sprintf("%s%d·%d", comma, t, v/t)
	if v%t > 0 {
		text += fmt.Sprintf("+%d", v%t)
	}
	return text
}

// spaced writes a number with blanks between its places: "7 _ 1".
func spaced(n digit.Number) string { return strings.Join(strings.Split(n.String(), ""), " ") }

// bestFill says the best that a number can still become in a game in which only the end counts; ok is false in others.
func bestFill(r digit.Rules, p digit.Position, side digit.Side) (text string, ok bool) {
	if r.Win != digit.Never || r.Place != digit.Slots || r.Final[0] != digit.Higher && r.Final[0] != digit.Lower {
		return "", false
	}
	left := slices.Collect(r.Left(p).All())
	if r.Final[0] == digit.Higher {
		slices.Reverse(left)
	}
	n := []byte(r.Number(p, side).String())
	for i, c := range n {
		if c != '_' || len(left) == 0 {
			continue
		}
		take := 0
		if i == 0 && r.Zero == digit.Barred && left[0] == 0 && len(left) > 1 {
			take = 1
		}
		n[i] = left[take].String()[0]
		left = slices.Delete(left, take, take+1)
	}
	return string(n), true
}

// ending says how a game ended and why.
func ending(s match.State) string {
	r, p, reason := s.Setup.Rules, s.Position, s.Result.Reason
	winner, won := s.Winner()
	if !won {
		return fmt.Sprintf("A draw: nothing decides between %v and %v.", finalNumber(r, p, digit.First), finalNumber(r, p, digit.Second))
	}
	name, other := s.Setup.Name(winner), s.Setup.Name(winner.Other())
	mine, theirs := finalNumber(r, p, s.Side(winner)), finalNumber(r, p, s.Side(winner.Other()))
	switch reason {
	case digit.Multiple:
		if called, ok := r.Called(p); ok {
			mine = called
		} else if r.Place == digit.Hand {
			mine = r.HighestMultiple(mine.Pool())
		}
		return fmt.Sprintf("%s wins: %s, a multiple of %d.", name, sum(r, mine.String(), " = "), r.Target)
	case digit.Miscalled:
		called, _ := r.Called(p)
		return fmt.Sprintf("%s wins: %s called %s, no multiple of %d.", name, other, sum(r, called.String(), " = "), r.Target)
	case digit.TimeOut:
		return fmt.Sprintf("%s wins: %s ran out of time.", name, other)
	case digit.Resignation:
		return fmt.Sprintf("%s wins: %s resigned.", name, other)
	case digit.Departure:
		return fmt.Sprintf("%s wins: %s left the table.", name, other)
	case digit.ByLater:
		return fmt.Sprintf("%s wins by placing the last digit.", name)
	case digit.ByHigher, digit.ByLower:
		also := ""
		if r.Final[0] != digit.Higher && r.Final[0] != digit.Lower {
			also = " and both are equally close"
		}
		return fmt.Sprintf("%s wins: %v is %v than %v%s.", name, mine, reason, theirs, also)
	}
	order := digit.Above + digit.Order(reason-digit.ByAbove)
	where := map[digit.Order]string{digit.Above: "below", digit.Below: "above", digit.Nearest: "from"}[order]
	return fmt.Sprintf("%s wins: %v is %d %s a multiple of %d, and %v is %d.", name,
		mine, r.Measure(order, mine.Value(r.Base())), where, r.Target, theirs, r.Measure(order, theirs.Value(r.Base())))
}

// finalNumber returns the number that counts for a side in the end.
func finalNumber(r digit.Rules, p digit.Position, side digit.Side) digit.Number {
	return r.Best(r.Number(p, side))
}

// clockText says a time that is left.
func clockText(d time.Duration) string {
	s := int((max(d, 0) + time.Second - 1) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// durationText says a length of time in short: "30 s", "2 min".
func durationText(d time.Duration) string {
	switch {
	case d == 0:
		return "none"
	case d%time.Hour == 0:
		return fmt.Sprintf("%d h", d/time.Hour)
	case d%time.Minute == 0:
		return fmt.Sprintf("%d min", d/time.Minute)
	default:
		return fmt.Sprintf("%d s", d/time.Second)
	}
}

// turns says a number of turns.
func turns(n int) string {
	if n == 1 {
		return "1 turn"
	}
	return fmt.Sprintf("%d turns", n)
}

// scoreText says how a series stands.
func scoreText(s match.State) string {
	text := fmt.Sprintf("%d – %d", s.Wins[match.One], s.Wins[match.Two])
	if s.Draws > 0 {
		text += fmt.Sprintf(" (%d drawn)", s.Draws)
	}
	return text
}

// together keeps the words of a text on one line.
func together(text string) string { return strings.ReplaceAll(text, " ", "\u00a0") }

// placeName names a spot, with the names that the places of a number have.
func placeName(places []string, spot digit.Spot) string {
	if i, ok := spot.Slot(); ok {
		if i < len(places) {
			return places[i]
		}
		return spot.String()
	}
	return map[digit.Spot]string{digit.Left: "left end", digit.Right: "right end", digit.InHand: "hand"}[spot]
}

// moveText says a move in words and in our notation: "4 Middle (4b)".
func moveText(places []string, move digit.Move) string {
	if move.Spot == digit.InHand {
		return move.String()
	}
	return fmt.Sprintf("%v %s (%v)", move.Digit, placeName(places, move.Spot), move)
}
