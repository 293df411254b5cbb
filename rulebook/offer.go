package rulebook

import (
	"fmt"
	"strings"

	"digitduel/digit"
	"digitduel/match"
)

// Variants of events that depend on the state of the table.
const (
	hintsOn      match.Kind = "hints-on"       // HintsAgreed by all players
	isPublic     match.Kind = "is-public"      // Published by all players
	handsBack    match.Kind = "hands-back"     // Undone, of a first move that was taken over
	asksHandBack match.Kind = "asks-hand-back" // UndoAsked, of the same
)

// offers describe the events in which a player asks for something, answers, comes or goes: to that
// player, and to others, each in the short and the long form. {Who} is the player, {other} the
// opponent, {it} the move in question.
var offers = map[match.Kind]struct{ ownShort, own, short, others string }{
	match.UndoAsked: {
		"You asked to take back a move", "You asked {other} to let you take back {it}.",
		"{Who} wants to take back a move", "{Who} wants to take back {it}.",
	},
	match.UndoRefused: {
		"You said no", "You said no. The move stands.",
		"{Who} said no", "{Who} said no. The move stands.",
	},
	match.UndoWithdrawn: {
		"You no longer ask", "You no longer ask to take back a move.",
		"{Who} no longer asks", "{Who} no longer asks to take back a move.",
	},
	match.Undone: {
		"You took back a move", "You took back {it}.",
		"{Who} took back a move", "{Who} took back {it}.",
	},
	match.RematchAsked: {
		"You asked for a rematch", "You asked {other} for a rematch.",
		"{Who} wants a rematch", "{Who} wants a rematch.",
	},
	match.RematchRefused: {
		"You don't want a rematch", "You don't want a rematch.",
		"{Who} doesn't want a rematch", "{Who} doesn't want a rematch.",
	},
	match.Ready: {
		"You are ready",
		"You are ready. The next game starts when {other} is, or after the countdown.",
		"{Who} is ready for the next game",
		"{Who} is ready for the next game. Are you?",
	},
	match.Published: {
		"You want to publish the games",
		"You want to publish the games you played here. They become public when {other} " +
			"agrees.",
		"{Who} wants to publish the games",
		"{Who} wants to publish the games you played here, so that anyone can find them.",
	},
	isPublic: {"The games are public", nowPublic, "The games are public", nowPublic},
	match.Swapped: {
		"You took over the first move", "You took over {it}, so {other} moves again.",
		"{Who} took over the first move", "{Who} took over {it}, so it's your turn again.",
	},
	handsBack: {
		"You gave the first move back", "You gave {it} back to {other}.",
		"{Who} gave the first move back", "{Who} gave {it} back to you.",
	},
	asksHandBack: {
		"You asked to give the move back", "You asked {other} to let you give {it} back.",
		"{Who} wants to give the move back", "{Who} wants to give {it} back.",
	},
	match.HintsAgreed: {
		"You agreed to hints", "You agreed to hints. They start when {other} agrees.",
		"{Who} wants hints", "{Who} wants hints for both of you. Agree?",
	},
	match.HintsEnded: {
		"Hints are off", "You turned hints off.",
		"{Who} turned hints off", "{Who} turned hints off.",
	},
	hintsOn: {"Hints are on", "Hints are on.", "Hints are on", "Hints are on."},
	match.Seated: {
		"You joined", "You joined the table.",
		"{Who} joined", "{Who} joined the table.",
	},
	match.Left: {
		"You have left", "You have left.",
		"{Who} has left", "{Who} has left. Wait, take the win, or let the computer play.",
	},
	match.Back: {"You are back", "You are back.", "{Who} is back", "{Who} is back."},
	match.Replaced: {
		"The computer plays for you", "The computer plays for you now.",
		"The computer plays for {Who}", "The computer plays for {Who} now.",
	},
}

const nowPublic = "The games you played here are public: anyone can find them."

// Offered describes an event in which a player asks, answers, comes or goes. The cast is by seat;
// it is the move in question, in the words of [Voice.Back]. It is empty for other events.
func Offered(k match.Kind, c Cast, who digit.Side, it string) Said {
	words := offers[k]
	said := plain(words.short, words.others)
	switch {
	case c.You[who]:
		said = plain(words.ownShort, words.own)
	case said == Said{}:
	case k == match.Undone && it != "":
	case !c.You[who.Other()]: // a reader who only watches is not asked
		said = Sentence(said.Short)
	}
	if it == "" {
		it = "a move"
	}
	fill := func(text string, f form) string {
		v := Voice{digit.Rules{}, c, f}
		if k == match.Replaced {
			v.Cast.Computer = [2]bool{}
		}
		name := v.Whom(who)
		if strings.HasPrefix(text, "{Who}") {
			name = v.Who(who)
		}
		return strings.NewReplacer("{Who}", name, "{other}", v.Whom(who.Other()), "{it}",
			it).Replace(text)
	}
	return Said{fill(said.Short, brief), fill(said.Long, written), fill(said.Spoken, heard)}
}

// AskSwap asks the second player whether to take over the first move, in the words of [Voice.Back].
func AskSwap(c Cast, who digit.Side, it string) Said {
	return Say(digit.Rules{}, c, func(v Voice) string {
		return "You may take over " + it + " instead of moving. Then " + v.Whom(who.Other()) +
			" moves again."
	}).Titled("Take over the first move, or play on")
}

// TookOver describes a first move that the second player took over, in a list of moves: "Ada put 7
// on the left, and Ben took it over".
func (v Voice) TookOver(m digit.Move) string {
	return v.Who(digit.Second) + " " + v.Did(digit.Position{}, m) + ", and " + v.Whom(digit.First) +
		" took it over"
}

// Given describes a move of an opening in a list of moves: "Given: 7 on the left for Ada".
func (v Voice) Given(before digit.Position, m digit.Move) string {
	return "Given: " + v.Back(before, m) + " for " + v.Whom(v.Rules.Turn(before))
}

// SwapMove explains why the first move of a game with a swap has no grade.
const SwapMove = "The second player may take over this move, so it isn't graded " +
	"by who wins after it." //english:ok a question, not a person

// HintSwap is the hint to take over the first move.
var HintSwap = plain("Take over the first move: it wins",
	"Take over the first move: the player who has it can force a win.")

// HintFirst is the hint for a first move that may be taken over. Draws counts the moves of all that
// draw with best play.
func HintFirst(draws, all int) Said {
	if draws == 0 {
		return plain("Hide who can win",
			fmt.Sprintf("Your first move may be taken over, and after each of your %d moves "+
				"one of you can force a win. Choose one after which it's hard to see who.", all))
	}
	return plain("Find a first move that draws",
		fmt.Sprintf("Your first move may be taken over, so a winning one "+
			"doesn't help you. %d of your %d moves draw with best play: find one of them.",
			draws, all))
}

// NoSwap refuses to take over a move.
var NoSwap = plain("There's no first move to take over",
	"Only the second player can take over a move: the first one, instead of answering it.")

// ClockMove explains why a move that the clock played has no grade.
const ClockMove = "Time ran out, so a random digit was played."

// GivenMove explains why a move of an opening has no grade.
const GivenMove = "Given: the game started with this move."

// Opened lists the moves of an opening in the order in which they were made.
func Opened(r digit.Rules, moves []digit.Move, c Cast) Said {
	return Say(r, c, func(v Voice) string {
		const most = 4 // moves that people want to read
		if len(moves) > most {
			return "The game starts with an opening of " + Plural(len(moves), "move") + "."
		}
		var parts []string
		var p digit.Position
		for _, m := range moves {
			parts = append(parts, v.Back(p, m)+" for "+v.Whom(r.Turn(p)))
			p, _ = r.Play(p, m) // it was played
		}
		return "The game starts with " + Join(parts, "and") + "."
	}).Titled("The game starts with an opening")
}

// HasBegun says to a player who looks at an earlier game that the next one has started.
var HasBegun = Sentence("The next game has started")

// AskResign asks a player to confirm resigning.
func AskResign(c Cast, who digit.Side) Said {
	return Say(digit.Rules{}, c, func(v Voice) string {
		return "Resign? " + v.Does(who.Other(), "win") + " then."
	}).Titled("Resign?")
}

// Invitation explains to a host how a friend joins, and to a guest what is offered.
func Invitation(r digit.Rules, host string) (toHost, toGuest Said) {
	toHost = plain("Send this link to a friend",
		"Send this link to a friend. The game starts when your friend opens it and joins.")
	title := Title(r)
	toGuest = plain(Fit(cut(host)+" invites you to "+title, cut(host)+" invites you"),
		host+" invites you to "+title+". "+goalShort(r)+".")
	return toHost, toGuest
}

// IsPrivate and IsPublic say who can find a table and its games.
var (
	IsPrivate = plain("Private", "Private: only people with the link can see it.")
	IsPublic  = plain("Public", "Public: anyone can find it.")
)

// NotInvited explains to a visitor with the public link how to play.
func NotInvited(host string) Said {
	short := cut(host) + " is waiting for a friend"
	return plain(short,
		host+" is waiting for a friend. You can watch with this link. To play, ask "+host+" for "+
			"the invitation.")
}

// OwnInvitation says to a player who opened the link of the other seat that nothing changed. Free
// says that the seat is open; if not, other has it.
func OwnInvitation(free bool, other string) Said {
	if free {
		return plain("This is your own invitation",
			"This is your own invitation. You keep your seat; send the link to a friend.")
	}
	return plain("You keep your own seat", "That is "+other+"'s seat. You keep your own.")
}

// InvitationUsed says that another player has used an invitation.
func InvitationUsed(player string) Said {
	return plain("The invitation is used",
		player+" has this seat. You can watch. Are you "+player+"? Use your own link.")
}

// Messages about the link of a seat.
var (
	LinkChanged = plain("Other devices are logged out",
		"Other devices are logged out of your seat. It has a new link, which only you have.")
	LoggedOut = plain("You are logged out of this seat",
		"You are logged out of this seat: its link was changed on another device. You can watch.")
	NoSeat = plain("No such seat",
		"No such seat. Check the link. A link for another device works once, and ends when its "+
			"player is back or logs out other devices.")
)

// MoveSeat asks whether to continue on this device for a player.
func MoveSeat(player string) Said {
	return plain("Continue here?",
		"Continue here as "+player+"? The seat moves to this device, and the link is used up.")
}

// WaitingForFriend says to the host of a table that its invitation is open.
var WaitingForFriend = plain("Waiting for your friend",
	"Waiting for your friend to open the link and join.")

// WaitingForAnybody says to the host of a table that anyone may join.
var WaitingForAnybody = Sentence("Waiting for anyone to join")

// LookingForAnybody describes a table that anyone may join, in a list.
func LookingForAnybody(r digit.Rules, host string) Said {
	return plain(cut(host)+" is waiting to play",
		host+" is looking for someone to play "+Title(r)+".")
}

// Messages about the connection to a server.
var (
	ServerLost = plain("Connection lost: trying again",
		"The connection to the server is lost. Trying again; the game waits there.")
	Unconfirmed = plain("Not confirmed yet: trying again",
		"The connection is lost and your move isn't confirmed yet. It is sent again until the "+
			"server answers, and played once.")
	ServerBack = Sentence("Connected again")
)

// NotHere says that a player is away from the table.
func NotHere(name string) Said {
	return plain(cut(name)+" isn't here now", name+" isn't here now.")
}

// IsHere says that a player is back at the table.
func IsHere(name string) Said { return plain(cut(name)+" is here", name+" is here.") }
