package rulebook

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"digitduel/digit"
	"digitduel/match"
)

// refusals words the refusal of a move: the problem, what to do about it, and a shorter form of the
// problem if it may not fit. ${d} is the digit, ${hand} the digits of a call.
var refusals = map[digit.Breach]struct{ wrong, advice, brief string }{
	digit.GameOver:    {"The game is over", "", ""},
	digit.NotInPool:   {"There's no ${d} in this game", "${pool}", ""},
	digit.Taken:       {"${taken}", "${pool}", ""},
	digit.Filled:      {"${spot} is taken", "Free: ${free}.", ""},
	digit.LeadingZero: {"${d} can't go first", "${Put} it ${where}.", ""},
	digit.NoSpot:      {"${d} can't go first", "Pick another digit: ${others}.", ""},
	digit.NoSuchSpot:  {"Pick ${either}", "", "Pick a place"},
	digit.OtherDigits: {"Use ${hand}, each once", "", "Use each of your digits once"},
	digit.CallZero:    {"A call can't start with 0", "", ""},
	digit.TooEarly:    {"You can call with your ${last} digit", "", ""},
	digit.NotCalled:   {"This game has no calls", "Just ${put} ${d}.", ""},
}

// Refused explains to the player to move why a move was refused, and what is allowed instead.
func Refused(r digit.Rules, p digit.Position, e *digit.MoveError, c Cast) Said {
	words := refusals[e.Breach]
	if one := len(r.Spots(p, e.Move.Digit)) == 1; e.Breach == digit.NoSuchSpot && one &&
		r.Place != digit.Slots {
		words.wrong, words.advice = "Your hand has no places", "Just take ${d}."
		if r.Place == digit.Ends {
			words.wrong, words.advice = "The first digit has no left or right", "Just start "+
				"with ${d}."
		}
	}
	return sayAll(r, c,
		func(v Voice) []string {
			return []string{v.refused(words.wrong, p, e), v.refused(words.brief, p, e)}
		},
		func(v Voice) string {
			return v.refused(words.wrong, p, e) + after(".",
				v.refused(words.advice, p, e))
		})
}

// refused fills the words of a refusal.
func (v Voice) refused(words string, p digit.Position, e *digit.MoveError) string {
	r, d := v.Rules, e.Move.Digit
	return os.Expand(words, func(key string) string {
		switch key {
		case "d":
			return d.String()
		case "pool":
			return v.pool(r.Left(p))
		case "others":
			return v.left(r.Left(p) &^ digit.PoolOf(d))
		case "taken":
			return v.takenBy(p, d)
		case "spot":
			return Capital(v.Spot(e.Move.Spot))
		case "free":
			return strings.Join(v.spots(p, d), ", ")
		case "either":
			return Join(v.spots(p, d), "or")
		case "where":
			var where []string
			for _, spot := range r.Spots(p, d) {
				where = append(where, v.Where(spot))
			}
			return Join(where, "or")
		case "hand":
			return Digits(r.Held(p, r.Turn(p)) | digit.PoolOf(d))
		case "last":
			return InOrder(int(r.Width))
		case "put":
			if r.Place == digit.Hand {
				return "take"
			}
			return "place"
		default: // Put
			return map[digit.Place]string{digit.Slots: "Put", digit.Ends: "Add"}[r.Place]
		}
	})
}

// takenBy says who has a digit.
func (v Voice) takenBy(p digit.Position, d digit.Digit) string {
	turn := v.Rules.Turn(p)
	if v.Rules.Held(p, turn).Has(d) {
		return v.Who(turn) + " already " + v.Verb(turn, "have") + " " + d.String()
	}
	return v.Does(turn.Other(), "have") + " " + d.String()
}

// NoDigit asks for one digit after an empty line or other text.
func NoDigit(r digit.Rules, p digit.Position) Said {
	return Say(r, Cast{}, func(v Voice) string {
		return "Type one digit. " + v.pool(r.Left(p))
	}).Titled("Type one digit")
}

// NotYourTurn says whose turn it is to a player who is not to move.
func NotYourTurn(c Cast, turn digit.Side) Said {
	return SaySentence(digit.Rules{}, c, func(v Voice) string {
		return "It's " + v.Possessive(turn) + " turn"
	})
}

// Meanwhile says that a player has moved since the reader saw the board.
func Meanwhile(c Cast, who digit.Side) Said {
	if c.You[who] || c.Computer[who.Other()] && c.Computer[who] {
		return plain("You moved on another screen", "You moved on another screen. Check the board.")
	}
	return SaySentence(digit.Rules{}, c, func(v Voice) string {
		return v.Who(who) + " has just moved"
	}).Then(Sentence("Check the board"))
}

// Refusals for other reasons than the rules of a game.
var (
	MeanwhileUndone = plain("A move was taken back", "A move was taken back. Check the board.")
	NoUndo          = Sentence("You have no move to take back")
	SeatTaken       = plain("Someone else has this seat",
		"Someone else has this seat. You can watch.")
	NoTable  = plain("No such table", "No such table. Check the link.")
	HintsOff = Sentence("Hints are off until both players agree")
	Broken   = plain("Something went wrong", "Something went wrong. Nothing changed.")
	InDoubt  = plain("Something went wrong: check the board",
		"Something went wrong. Check the board: your move may have been saved.")
	QueueFull = plain("Too many large games: try again later",
		"Too many large games are waiting to be solved. Try again later.")
	NoGameNow = Sentence("There's no game in progress")
)

// refusedActs words errors of tables whose own text does not do for players.
var refusedActs = map[error]Said{
	match.ErrNoGame: NoGameNow, match.ErrNoUndo: NoUndo, match.ErrNoSwap: NoSwap,
	match.ErrTaken: SeatTaken,
}

// RefusedAct explains an error by which a table refuses an act; ok is false for other errors.
func RefusedAct(err error) (text string, ok bool) {
	for _, known := range match.Refusals() {
		if !errors.Is(err, known) {
			continue
		}
		if said, ok := refusedActs[known]; ok {
			return said.Long, true
		}
		return Complete(known.Error()), true
	}
	return "", false
}

// NameTaken says that a name is in use.
var NameTaken = plain("That name is taken", "That name is taken. Choose another.")

// TooFast asks a client to wait.
func TooFast(seconds int) Said {
	return Sentence("Too fast. Try again in " + Plural(seconds, "second"))
}

// Overworked asks a client to wait that has used much computing time.
func Overworked(seconds int) Said {
	again := "Try again in " + Plural(seconds, "second")
	return plain("Too much to compute: wait a moment",
		"Your address has used a lot of computing time. "+again+".")
}

// InQueue says that a game is not solved yet, and its place in the queue.
func InQueue(place, seconds int) Said {
	again := "Try again in " + Plural(seconds, "second") + "."
	if place <= 1 {
		return plain("This large game is being solved",
			"This large game is being solved now. "+again)
	}
	short := fmt.Sprintf("Place %d in the queue", place)
	return plain(short,
		fmt.Sprintf("This large game has to be solved first: place %d in the queue. ", place)+again)
}

// QueuedEnough says that the client's address has enough games waiting.
func QueuedEnough(games int) Said {
	return plain("Wait for your other large games",
		"Your address has "+Plural(games,
			"large game")+" waiting to be solved. Try again when one is done.")
}
