package web

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

// isolate keeps a name that is written from right to left from turning what stands around it.
func isolate(name string) string {
	for _, c := range name {
		if c > unicode.MaxASCII {
			return "\u2068" + name + "\u2069"
		}
	}
	return name
}

// sentence makes a sentence of what stands for itself.
func sentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	text = string(unicode.ToUpper(first)) + text[size:]
	if !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return text
}

// titleOf returns what a game is called: the title of its book, with its name where another book has the same title.
func titleOf(r digit.Rules) string { return bookTitle(r.Book()) }

func bookTitle(b digit.Book) string {
	for _, other := range digit.Books {
		if other.Title == b.Title && other.Name != b.Name {
			return b.Title + ": " + b.Name
		}
	}
	return b.Title
}

// changesOf returns the options in which rules differ from their book.
func changesOf(r digit.Rules) string {
	_, changes, _ := strings.Cut(r.String(), " ")
	return changes
}

// placeOf names a spot.
func placeOf(r digit.Rules, spot digit.Spot) string {
	if i, ok := spot.Slot(); ok && r.Place == digit.Slots && i < int(r.Width) {
		return strings.ToLower(rulebook.Places(r)[i])
	}
	switch spot {
	case digit.Left:
		return "left end"
	case digit.Right:
		return "right end"
	default:
		return "hand"
	}
}

// where says where a digit goes, after "put".
func where(r digit.Rules, spot digit.Spot) string {
	switch place := placeOf(r, spot); {
	case place == "left" || place == "right":
		return "on the " + place
	case place == "middle":
		return "in the middle"
	case len(place) == 1: // a letter
		return "in place " + place
	case r.Place == digit.Ends:
		return "at the " + place
	default:
		return "in the " + place + " place"
	}
}

// notation says how moves are written in reasons.
func notation(r digit.Rules) string {
	switch r.Place {
	case digit.Slots:
		return "In the reasons, 7a is a 7 in the first place from the left, 7b in the second, and so on."
	case digit.Ends:
		return "In the reasons, 7L is a 7 at the left end, and 7R at the right end."
	default:
		return "In the reasons, 7 is a 7 taken, and 7=217 one with which 217 is called."
	}
}

// did says what a move did that made a number, to be read after the name of who made it.
func did(r digit.Rules, m digit.Move, made digit.Number) string {
	switch {
	case m.Call != digit.Number{}:
		return fmt.Sprintf("took %v and called %v", m.Digit, m.Call)
	case r.Place == digit.Hand:
		return fmt.Sprintf("took %v", m.Digit)
	case r.Place == digit.Ends && made.Len() == 1:
		return fmt.Sprintf("began with %v", m.Digit)
	default:
		return fmt.Sprintf("put %v %s", m.Digit, where(r, m.Spot))
	}
}

// spoken says a number so that its empty places are heard.
func spoken(n digit.Number) string {
	if n.Len() == 0 {
		return "empty"
	}
	if n.Full() {
		return n.String()
	}
	words := make([]string, n.Len())
	for i := range words {
		words[i] = "empty"
		if d, ok := n.At(i); ok {
			words[i] = d.String()
		}
	}
	return strings.Join(words, " ")
}

// sum says what a number is by the target: "721 = 7·103", or "712 = 7·101 + 5".
func sum(r digit.Rules, n digit.Number) string {
	v := n.Value(r.Base())
	text := n.String()
	if r.Base() != 10 {
		text += fmt.Sprintf(" (%d)", v)
	}
	t := int(r.Target)
	if t == 0 {
		return text
	}
	text += fmt.Sprintf(" = %d·%d", t, v/t)
	if v%t > 0 {
		text += fmt.Sprintf(" + %d", v%t)
	}
	return text
}

// ending says to a viewer who has won a game, and why.
func ending(s match.State, v viewer) (who, why string) {
	r, p, reason := s.Setup.Rules, s.Position, s.Result.Reason
	final := func(side digit.Side) digit.Number { return r.Best(r.Number(p, side)) }
	winner, won := s.Winner()
	if !won {
		return "A draw", fmt.Sprintf("Nothing decides between %v and %v.", final(digit.First), final(digit.Second))
	}
	who = v.name(s, winner) + " wins"
	if v.is(winner) {
		who = "You win"
	}
	loser := v.name(s, winner.Other())
	mine, theirs := final(s.Side(winner)), final(s.Side(winner.Other()))
	switch reason {
	case digit.Multiple:
		if called, ok := r.Called(p); ok {
			mine = called
		} else if r.Place == digit.Hand {
			mine = r.HighestMultiple(mine.Pool())
		}
		return who, fmt.Sprintf("%s, a multiple of %d.", sum(r, mine), r.Target)
	case digit.Miscalled:
		called, _ := r.Called(p)
		return who, fmt.Sprintf("%s called %s, which is no multiple of %d.", loser, sum(r, called), r.Target)
	case digit.TimeOut:
		return who, loser + " ran out of time."
	case digit.Resignation:
		return who, loser + " resigned."
	case digit.Departure:
		return who, loser + " left the table."
	case digit.ByLater:
		return who, "The last digit decides."
	case digit.ByHigher, digit.ByLower:
		also := ""
		if r.Final[0] != digit.Higher && r.Final[0] != digit.Lower {
			also = ", and both are equally close"
		}
		return who, fmt.Sprintf("%v is %v than %v%s.", mine, reason, theirs, also)
	}
	order := digit.Above + digit.Order(reason-digit.ByAbove)
	where := map[digit.Order]string{digit.Above: "below", digit.Below: "above", digit.Nearest: "from"}[order]
	return who, fmt.Sprintf("%v is %d %s a multiple of %d, and %v is %d.",
		mine, r.Measure(order, mine.Value(r.Base())), where, r.Target, theirs, r.Measure(order, theirs.Value(r.Base())))
}

// seriesEnd says how a series ended; it is empty when there was none.
func seriesEnd(s match.State, v viewer) string {
	if s.Setup.BestOf <= 1 || !s.SeriesOver() {
		return ""
	}
	leader, ok := s.Leader()
	if !ok {
		return fmt.Sprintf("The series is drawn, %d to %d.", s.Wins[match.One], s.Wins[match.Two])
	}
	wins := "wins"
	if v.is(leader) {
		wins = "win"
	}
	return fmt.Sprintf("%s %s the series, %d to %d.", v.name(s, leader), wins, s.Wins[leader], s.Wins[leader.Other()])
}

// tell says to a viewer what some events were, for whoever hears the table and does not see it.
func tell(steps []match.Step, v viewer) string {
	var told []string
	for _, step := range steps {
		if text := tellOne(step, v); text != "" {
			told = append(told, text)
		}
	}
	last := steps[len(steps)-1]
	switch s := last.After; last.Event.Kind {
	case match.Began, match.Moved, match.Undone:
		if s.Playing() && v.is(s.Turn()) {
			told = append(told, "Your turn.")
		}
	}
	return strings.Join(told, " ")
}

func tellOne(step match.Step, v viewer) string {
	e, s := step.Event, step.After
	who := v.name(s, e.Seat)
	has, wants := "has", "wants"
	if v.is(e.Seat) {
		has, wants = "have", "want"
	}
	switch e.Kind {
	case match.Seated:
		return who + " " + has + " joined."
	case match.Began:
		starts := " starts."
		if v.is(s.Starter()) {
			starts = " start."
		}
		return fmt.Sprintf("Game %d begins. %s%s", s.Game, v.name(s, s.Starter()), starts)
	case match.Moved:
		return tellMove(step, v)
	case match.Resigned, match.Flagged, match.Claimed:
		return tellEnd(s, v)
	case match.UndoAsked:
		return who + " " + wants + " to take back a move."
	case match.UndoRefused:
		return who + " did not agree to take back the move."
	case match.Undone:
		if v.is(e.Seat) {
			return "Your last move was taken back."
		}
		return "The last move of " + who + " was taken back."
	case match.Left:
		return who + " " + has + " left."
	case match.Back:
		return who + " " + has + " come back."
	case match.Replaced:
		return "The computer plays on for " + isolate(s.Setup.Name(e.Seat)) + "."
	case match.RematchAsked:
		return who + " " + wants + " to play again."
	case match.RematchRefused:
		return who + " did not want to play again."
	case match.HintsAgreed:
		return who + " agreed to hints."
	case match.HintsEnded:
		return who + " no longer " + map[bool]string{true: "agree", false: "agrees"}[v.is(e.Seat)] + " to hints."
	default:
		return ""
	}
}

func tellMove(step match.Step, v viewer) string {
	e, s := step.Event, step.After
	r, side := s.Setup.Rules, s.Side(e.Seat)
	made := r.Number(s.Position, side)
	text := v.name(s, e.Seat) + " " + did(r, *e.Move, made)
	if e.Auto {
		text = "Time ran out, and a move was played by chance: " + text
	}
	text += ": " + spoken(made) + "."
	if s.Result.Over() {
		text += " " + tellEnd(s, v)
	}
	return text
}

func tellEnd(s match.State, v viewer) string {
	who, why := ending(s, v)
	return strings.TrimSpace(who + ". " + why + " " + seriesEnd(s, v))
}

// clockText says a time that is left: "0:09".
func clockText(d time.Duration) string {
	seconds := int((max(d, 0) + time.Second - 1) / time.Second)
	if seconds >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	}
	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// timeText says a length of time: "30 seconds".
func timeText(d time.Duration) string {
	switch {
	case d == 0:
		return "none"
	case d%time.Hour == 0:
		return counted(int(d/time.Hour), "hour")
	case d%time.Minute == 0:
		return counted(int(d/time.Minute), "minute")
	default:
		return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) + " seconds"
	}
}

// counted says how many there are of something.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// ago says how long something is past.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return counted(int(d/time.Minute), "minute") + " ago"
	case d < 48*time.Hour:
		return counted(int(d/time.Hour), "hour") + " ago"
	default:
		return counted(int(d/(24*time.Hour)), "day") + " ago"
	}
}

// agreementOf says what is agreed at a table beside the rules: "best of 3, 30 seconds a turn".
func agreementOf(bestOf int, turn time.Duration) string {
	text := "one game"
	if bestOf > 1 {
		text = fmt.Sprintf("best of %d", bestOf)
	}
	if turn > 0 {
		text += ", " + timeText(turn) + " a turn"
	}
	return text
}

// worth says what a move or position is worth to who moves.
func worth(v solve.Value) string {
	word := map[solve.Outcome]string{solve.Win: "wins", solve.Loss: "loses", solve.Draw: "draws"}[v.Outcome]
	return word + " in " + counted(v.Plies, "turn")
}
