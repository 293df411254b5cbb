package rulebook

import (
	"fmt"
	"os"
	"strings"

	"digitduel/digit"
)

// faults words the refusal of a move, short and long. ${d} is the digit, ${hand} the digits to call.
var faults = map[digit.Fault]struct{ short, long string }{
	digit.GameOver:    {"The game is over", "The game is over. ${ending}"},
	digit.NotInPool:   {"There is no ${d} in this game", "There is no ${d} in this game. Left: ${left}."},
	digit.Taken:       {"${d} is taken", "${taken} Left: ${left}."},
	digit.Filled:      {"${spot} is filled", "${spot} is filled. Free: ${free}."},
	digit.LeadingZero: {"${d} may not go first", "No number may begin with ${d} here. For ${d}: ${either}."},
	digit.NoSpot:      {"${d} may not go first", "No number may begin with ${d} here. Pick another digit: ${others}."},
	digit.OtherDigits: {"Use ${hand}, each once", "${call} is not made of your digits. Use ${hand}, each once, or call nothing."},
	digit.CallZero:    {"A call may not begin with 0", "A call may not begin with 0. Try another order of ${hand}."},
	digit.TooEarly:    {"You may not call yet", "You may call with your ${last} digit; this is your ${this}."},
	digit.NotCalled:   {"Nothing is called here", "In this game nothing is called. Just ${put}."},
}

// Refused explains to the player to move why a move was refused, and what is allowed instead.
func Refused(r digit.Rules, p digit.Position, e *digit.MoveError, c Cast) Said {
	words, known := faults[e.Fault]
	if !known { // NoSuchSpot
		words = wrongSpot(r, p)
	}
	return told(r, c,
		func(v Voice) []string {
			poor := words.short
			switch e.Fault {
			case digit.OtherDigits:
				poor = "Use each of your digits once"
			case digit.NoSuchSpot:
				poor = "That is no place"
			default: // it fits
			}
			return []string{v.refused(words.short, p, e), v.refused(poor, p, e)}
		},
		func(v Voice) string { return v.refused(words.long, p, e) })
}

// wrongSpot words the refusal of a spot that is not there.
func wrongSpot(r digit.Rules, p digit.Position) (words struct{ short, long string }) {
	words.short = "${Either}?"
	switch {
	case r.Place == digit.Hand:
		words.short, words.long = "Just take a digit", "A digit goes into your hand, not to a place. Just take ${d}."
	case r.Place == digit.Ends && r.Held(p, r.Turn(p)) == 0:
		words.short, words.long = "Just take a digit", "For the first digit left and right are the same. Just take ${d}."
	case r.Place == digit.Ends:
		words.long = "Type L for the left end or R for the right."
	default:
		words.long = "That is no place. Free: ${free}."
	}
	return words
}

// refused fills the words of a refusal.
func (v Voice) refused(words string, p digit.Position, e *digit.MoveError) string {
	r, d := v.Rules, e.Move.Digit
	return os.Expand(words, func(key string) string {
		switch key {
		case "d":
			return d.String()
		case "left":
			return v.left(r.Left(p))
		case "others":
			return v.left(r.Left(p) &^ digit.PoolOf(d))
		case "taken":
			return v.takenBy(p, d)
		case "spot":
			return capital(v.Spot(e.Move.Spot))
		case "free":
			return strings.Join(v.spots(p, d), ", ")
		case "either":
			return listAll(v.spots(p, d), "or")
		case "Either":
			return capital(listAll(v.spots(p, d), "or"))
		case "hand":
			return Digits(v.handWith(p, d))
		case "call":
			return e.Move.Call.String()
		case "last":
			return ordinals[r.Width-1]
		case "this":
			return ordinals[r.Held(p, r.Turn(p)).Len()]
		case "put":
			return v.justPut(d)
		default: // ending
			return v.ending(p, Finished(r, p, r.Result(p)))
		}
	})
}

// handWith returns the hand of the one to move with one more digit.
func (v Voice) handWith(p digit.Position, d digit.Digit) digit.Pool {
	return v.Rules.Held(p, v.Rules.Turn(p)) | digit.PoolOf(d)
}

// justPut tells what can be done with a digit.
func (v Voice) justPut(d digit.Digit) string {
	if v.Rules.Place == digit.Hand {
		return fmt.Sprintf("take %v", d)
	}
	return fmt.Sprintf("place %v", d)
}

// takenBy tells who has a digit.
func (v Voice) takenBy(p digit.Position, d digit.Digit) string {
	turn := v.Rules.Turn(p)
	switch {
	case v.Rules.Held(p, turn).Has(d) && v.Cast.You[turn]:
		return fmt.Sprintf("You already took %v.", d)
	case v.Rules.Held(p, turn).Has(d):
		return fmt.Sprintf("%s has %v already.", v.Who(turn), d)
	default:
		return v.Does(turn.Other(), "have") + " " + d.String() + "."
	}
}

// NoDigit tells somebody who typed nothing, or not one digit, what is wanted.
func NoDigit(r digit.Rules, p digit.Position) Said {
	long, spoken := Tell(r, Cast{}, func(v Voice) string { return "Type one digit. Left: " + v.left(r.Left(p)) + "." })
	return Said{"Type one digit", long, spoken}
}

// NotYourTurn tells whose turn it is to somebody who would move.
func NotYourTurn(c Cast, turn digit.Side) Said {
	return told(digit.Rules{}, c,
		func(v Voice) []string { return []string{"It is " + v.whose(turn) + " turn"} },
		func(v Voice) string { return "It is " + v.whose(turn) + " turn." })
}

// Meanwhile tells somebody who acted on what is past that a player has moved since.
func Meanwhile(c Cast, who digit.Side) Said {
	if c.You[who] || c.Computer[who.Other()] && c.Computer[who] {
		return plain("Moved on another screen: look again", "The game has gone on on another screen of yours. Look again.")
	}
	return told(digit.Rules{}, c,
		func(v Voice) []string { return []string{v.Who(who) + " has moved: look again"} },
		func(v Voice) string { return v.Who(who) + " has moved in the meantime. Look at the board again." })
}

// What is refused for other reasons than the rules of a game.
var (
	MeanwhileUndone = plain("A move was taken back: look again", "A move was taken back in the meantime. Look at the board again.")
	NoUndo          = plain("No move of yours to take back", "There is no move of yours to take back.")
	SeatTaken       = plain("The seat is taken", "Somebody else took the seat. You can watch.")
	NoTable         = plain("There is no such table", "There is no such table. Was the whole link copied?")
	HintsOff        = plain("No hints at this table", "Hints are off. They are on when both players agree.")
	Broken          = plain("Something broke here", "Something broke here. Nothing was changed; try again.")
	InDoubt         = plain("Was it kept? Look again", "Something broke here, and it is not known whether that was kept. Look at the board again in a moment.")
	QueueFull       = plain("Too many large games: try again later", "Too many large games are waiting to be solved. Try again in a while.")
	NoGameNow       = plain("No game is being played now", "No game is being played now.")
)

// NameTaken tells that a name is in use.
func NameTaken(name string) Said {
	return plain(cut(name)+" is taken: choose another name", name+" is taken. Choose another name.")
}

// TooFast tells somebody to wait.
func TooFast(seconds int) Said {
	wait := "Too fast: wait " + plural(seconds, "second")
	return plain(wait, wait+".")
}

// Overworked tells somebody to wait for whom much was computed.
func Overworked(seconds int) Said {
	wait := "wait " + plural(seconds, "second")
	return plain("Too much to work out: "+wait, "Much was worked out here for your address, and others want their turn: "+wait+".")
}

// InQueue tells somebody that a game is not solved yet, and which place it has among those that are to be.
func InQueue(place, seconds int) Said {
	again := "Look again in " + plural(seconds, "second") + "."
	if place <= 1 {
		return plain("This large game is being solved", "This game is large and is being solved right now. "+again)
	}
	long := fmt.Sprintf("This game is large and has to be solved first: place %d in the queue. ", place)
	return plain(fmt.Sprintf("Place %d in the queue", place), long+again)
}

// QueuedEnough tells somebody that others behind the same address, or they themselves, have as many games waiting as they may.
func QueuedEnough(games int) Said {
	return plain("Wait for your other large games", "Your address has "+plural(games, "large game")+" waiting to be solved. Try again when one is done.")
}
