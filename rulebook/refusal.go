package rulebook

import (
	"fmt"
	"strings"

	"digitduel/digit"
)

// Refused tells the one to move why a move was refused, and what is allowed instead.
func Refused(r digit.Rules, p digit.Position, e *digit.MoveError, c Cast) Said {
	return told(r, c,
		func(v Voice) []string { return []string{v.refusedShort(p, e)} },
		func(v Voice) string { return v.refused(p, e) })
}

func (v Voice) refusedShort(p digit.Position, e *digit.MoveError) string {
	r, d := v.Rules, e.Move.Digit
	switch e.Fault {
	case digit.GameOver:
		return "The game is over"
	case digit.NotInPool:
		return fmt.Sprintf("There is no %v in this game", d)
	case digit.Taken:
		return fmt.Sprintf("%v is taken", d)
	case digit.Filled:
		return capital(v.Spot(e.Move.Spot)) + " is filled"
	case digit.NoSpot, digit.LeadingZero:
		return fmt.Sprintf("%v may not go first", d)
	case digit.OtherDigits:
		return fit("Use "+Digits(v.handWith(p, d))+", each once", "Use each of your digits once")
	case digit.CallZero:
		return "A call may not begin with 0"
	case digit.TooEarly:
		return "You may not call yet"
	case digit.NotCalled:
		return "Nothing is called here"
	case digit.NoSuchSpot: // as follows
	}
	if r.Place == digit.Hand || r.Held(p, r.Turn(p)) == 0 && r.Place == digit.Ends {
		return "Just take a digit"
	}
	return fit(capital(listAll(v.spots(p, d), "or"))+"?", "That is no place")
}

func (v Voice) refused(p digit.Position, e *digit.MoveError) string {
	r, d := v.Rules, e.Move.Digit
	left := " Left: " + v.left(r.Left(p)) + "."
	switch e.Fault {
	case digit.GameOver:
		return "The game is over. " + v.ending(p, Finished(r, p, r.Result(p)))
	case digit.NotInPool:
		return fmt.Sprintf("There is no %v in this game.", d) + left
	case digit.Taken:
		return v.takenBy(p, d) + left
	case digit.Filled:
		return capital(v.Spot(e.Move.Spot)) + " is filled. Free: " + strings.Join(v.spots(p, d), ", ") + "."
	case digit.LeadingZero:
		return fmt.Sprintf("No number may begin with %v here. For %v: %s.", d, d, listAll(v.spots(p, d), "or"))
	case digit.NoSpot:
		return fmt.Sprintf("No number may begin with %v here. Pick another digit: %s.", d, v.left(r.Left(p)&^digit.PoolOf(d)))
	case digit.OtherDigits:
		return fmt.Sprintf("%v is not made of your digits. Use %s, each once, or call nothing.", e.Move.Call, Digits(v.handWith(p, d)))
	case digit.CallZero:
		return "A call may not begin with 0. Try another order of " + Digits(v.handWith(p, d)) + "."
	case digit.TooEarly:
		return fmt.Sprintf("You may call with your %s digit; this is your %s.", ordinals[r.Width-1], ordinals[r.Held(p, r.Turn(p)).Len()])
	case digit.NotCalled:
		return fmt.Sprintf("In this game nothing is called. Just %s.", v.justPut(d))
	case digit.NoSuchSpot: // as follows
	}
	switch {
	case r.Place == digit.Hand:
		return fmt.Sprintf("A digit goes into your hand, not to a place. Just take %v.", d)
	case r.Place == digit.Ends && r.Held(p, r.Turn(p)) == 0:
		return fmt.Sprintf("For the first digit left and right are the same. Just take %v.", d)
	case r.Place == digit.Ends:
		return "Type L for the left end or R for the right."
	default:
		return "That is no place. Free: " + strings.Join(v.spots(p, d), ", ") + "."
	}
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
		func(v Voice) []string { return []string{"It is " + lower(v.Whose(turn)) + " turn"} },
		func(v Voice) string { return "It is " + lower(v.Whose(turn)) + " turn." })
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
