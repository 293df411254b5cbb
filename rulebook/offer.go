package rulebook

import (
	"fmt"
	"strings"

	"digitduel/digit"
	"digitduel/match"
)

// Variants of events, which depend on how the table stands.
const (
	hintsOn      match.Kind = "hints-on"       // of HintsAgreed: all players agree
	isPublic     match.Kind = "is-public"      // of Published: all players agree
	handsBack    match.Kind = "hands-back"     // of Undone: of a first move that was taken over
	asksHandBack match.Kind = "asks-hand-back" // of UndoAsked: likewise
)

// offers describe the events in which a player asks for something, answers, comes or goes: to that
// player, and to others. {Who} is the player, {other} the opponent, {it} the move in question.
var offers = map[match.Kind]struct{ own, others Said }{
	match.UndoAsked: {plain("You asked to take back a move", "You asked {other} to let you take back {it}."),
		plain("{Who} wants to take back a move", "{Who} wants to take back {it}. Allow it?")},
	match.UndoRefused: {plain("You did not allow it", "You did not allow it. The move stays."),
		plain("{Who} did not allow it", "{Who} did not allow it. The move stays.")},
	match.Undone: {plain("Your move is taken back", "Your move is taken back."),
		plain("{Who} took a move back", "{Who}'s move is taken back.")},
	match.RematchAsked: {plain("You asked to play again", "You asked {other} to play again."),
		plain("{Who} wants to play again", "{Who} wants to play again.")},
	match.RematchRefused: {plain("You do not play again", "You do not want to play again."),
		plain("{Who} does not play again", "{Who} does not want to play again.")},
	match.Ready: {plain("You are ready", "You are ready. The next game begins when {other} is, or when the countdown ends."),
		plain("{Who} is ready for the next game", "{Who} is ready for the next game. It begins when you are, or when the countdown ends.")},
	match.Published: {plain("You want to publish the games", "You want to publish the games you played here. They become public when {other} agrees."),
		plain("{Who} wants to publish the games", "{Who} wants to publish the games you played here: then anybody can find them.")},
	isPublic: {plain("The games are public", "The games you played here are public: anybody can find them."),
		plain("The games are public", "The games you played here are public: anybody can find them.")},
	match.Swapped: {plain("You took the first move over", "You took over {it}: it is yours, and {other} moves again."),
		plain("{Who} took the first move over", "{Who} took over {it}, so it is your turn again.")},
	handsBack: {plain("You handed the first move back", "You handed {it} back to {other}."),
		plain("{Who} handed the first move back", "{Who} handed {it} back to you.")},
	asksHandBack: {plain("You asked to hand the move back", "You asked {other} to let you hand {it} back."),
		plain("{Who} wants to hand the move back", "{Who} wants to hand {it} back. Allow it?")},
	match.HintsAgreed: {plain("You agreed to hints", "You agreed to hints; {other} has not yet."),
		plain("{Who} wants hints", "{Who} wants hints for both of you. Agree?")},
	match.HintsEnded: {plain("Hints are off", "Hints are off: you no longer agree to them."),
		plain("{Who} ended the hints", "Hints are off: {Who} no longer agrees to them.")},
	hintsOn:        {plain("Hints are on", "Hints are on."), plain("Hints are on", "Hints are on.")},
	match.Seated:   {plain("You sat down", "You sat down."), plain("{Who} sat down", "{Who} sat down.")},
	match.Left:     {plain("You have gone", "You have gone."), plain("{Who} has gone", "{Who} has gone. You can wait, take the win, or let the computer play on.")},
	match.Back:     {plain("You are back", "You are back."), plain("{Who} is back", "{Who} is back.")},
	match.Replaced: {plain("The computer plays for you", "The computer plays on for you."), plain("The computer plays for {Who}", "The computer plays on for {Who}.")},
}

// Offered describes what a player asks for, answers or does. The cast is by seat, and it is the move in
// question, in the words of [Voice.Back]. It is empty for events of other kinds.
func Offered(k match.Kind, c Cast, who digit.Side, it string) Said {
	said := offers[k].others
	switch {
	case c.You[who]:
		said = offers[k].own
	case said == Said{}:
	case k == match.Undone && !c.You[who.Other()] && it != "":
		said = plain(said.Short, "{Who} took back {it}.")
	case !c.You[who.Other()]: // a reader who only watches is not asked
		said = plain(said.Short, said.Short+".")
	}
	if it == "" {
		it = "a move"
	}
	fill := func(text string, f form) string {
		v := Voice{digit.Rules{}, c, f}
		return strings.NewReplacer("{Who}", v.name(who), "{other}", v.name(who.Other()), "{it}", it).Replace(text)
	}
	return Said{fill(said.Short, brief), fill(said.Long, written), fill(said.Spoken, heard)}
}

// AskSwap asks whoever moves second whether to take over the first move, which is named as by [Voice.Back].
func AskSwap(c Cast, who digit.Side, it string) Said {
	return told(digit.Rules{}, c,
		func(v Voice) []string { return []string{"Take the first move over, or play on"} },
		func(v Voice) string {
			return "You may take over " + it + " as your own instead of moving. Then " + v.Whom(who.Other()) + " moves again."
		})
}

// TookOver tells a first move that the second player took over, in a list of moves: "Ada put 7 on the left, and Ben took it over".
func (v Voice) TookOver(m digit.Move) string {
	return v.Who(digit.Second) + " " + v.Did(digit.Position{}, m) + ", and " + v.Whom(digit.First) + " took it over"
}

// Given tells a move of an opening in a list of moves: "Given: 7 on the left for Ada".
func (v Voice) Given(before digit.Position, m digit.Move) string {
	return "Given: " + v.Back(before, m) + " for " + v.Whom(v.Rules.Turn(before))
}

// SwapMove tells of the first move of a game with a swap, where moves are judged.
const SwapMove = "Whoever moves second may take this move over, so it is not judged by who wins after it."

// HintSwap tells whoever may take over the first move that it is worth it.
var HintSwap = plain("Take the first move over: it wins", "Take the first move over: with best play whoever has it wins.")

// HintFirst tells whoever makes a first move that may be taken over what to look for, by how many of all moves draw with best play.
func HintFirst(draws, all int) Said {
	if draws == 0 {
		return plain("Hide who wins", fmt.Sprintf("Your first move may be taken over, and after each of your %d moves one of you wins with best play. Choose one after which it is hard to see who.", all))
	}
	return plain("Find a first move that draws", fmt.Sprintf("Your first move may be taken over, so one that wins does not help you. With best play %d of your %d moves draw: find one of them.", draws, all))
}

// NoSwap refuses a player who would take over a move that is not there to be taken.
var NoSwap = plain("There is no first move to take over", "Only the second player may take over a move: the first one, in answer to it.")

// GivenMove tells of a move of an opening, where moves are judged.
const GivenMove = "Given: the game began with this move."

// Opened tells with which moves a game began that nobody played, in the order in which they were made.
func Opened(r digit.Rules, moves []digit.Move, c Cast) Said {
	return told(r, c,
		func(v Voice) []string { return []string{"The game begins with an opening"} },
		func(v Voice) string {
			const most = 4 // that people want to read
			if len(moves) > most {
				return "The game begins with an opening of " + plural(len(moves), "move") + "."
			}
			var parts []string
			var p digit.Position
			for _, m := range moves {
				turn := r.Turn(p)
				parts = append(parts, v.Back(p, m)+" for "+v.Whom(turn))
				p, _ = r.Play(p, m) // the game began so
			}
			return "The game begins with " + listAll(parts, "and") + "."
		})
}

// HasBegun tells a player who looks at an earlier game that the next one does not wait.
var HasBegun = plain("The next game has begun", "The next game has begun.")

// AskResign asks a player who would give up whether that is meant.
func AskResign(c Cast, who digit.Side) Said {
	return told(digit.Rules{}, c,
		func(v Voice) []string { return []string{"Give up this game?"} },
		func(v Voice) string { return "Give up this game? " + v.Does(who.Other(), "win") + " then." })
}

// Invitation tells a host how a friend joins a table, and a guest what is offered.
func Invitation(r digit.Rules, host string) (toHost, toGuest Said) {
	toHost = plain("Send this link to a friend", "Send this link to a friend. The game starts when your friend opens it and sits down.")
	title := Title(r)
	toGuest = plain(fit(cut(host)+" invites you to "+title, cut(host)+" invites you"), host+" invites you to "+title+". "+Goal(r).Short+".")
	return toHost, toGuest
}

// Who finds a table and its games, told where it is set up, while it waits, and when a game is over.
var (
	IsPrivate = plain("Private", "Private: only people with the link can see it.")
	IsPublic  = plain("Public", "Public: anybody can find it.")
)

// NotInvited tells somebody who came by the link for everybody how one comes to play.
func NotInvited(host string) Said {
	return plain(cut(host)+" waits for a friend", host+" waits for a friend. With this link you can watch. To play, ask "+host+" for the invitation.")
}

// OwnInvitation tells a player who opened the link of the other seat, which is free or another player's, that nothing has changed.
func OwnInvitation(free bool, other string) Said {
	if free {
		return plain("This is your own invitation", "This is your own invitation, and you keep your seat. Send the link to a friend.")
	}
	return plain("You keep your own seat", "That is the seat of "+other+". You keep your own.")
}

// InvitationUsed tells somebody who opened an invitation that a player came before.
func InvitationUsed(player string) Said {
	return plain("The invitation is used", player+" has taken this seat already. You can watch. If you are "+player+", go on with your own link.")
}

// What is told of a seat's own link.
var (
	LinkChanged = plain("Other devices are logged out", "Other devices are logged out of your seat. It has a new link, which only you have.")
	LoggedOut   = plain("You are logged out of this seat", "You are logged out of this seat: its link was changed on another device. You can watch.")
	NoSeat      = plain("This link leads to no seat", "This link leads to no seat. Was the whole link copied? It also ends when its player logs out other devices.")
)

// WaitingForFriend tells the host of a table with an invitation, where the link is not shown.
var WaitingForFriend = plain("Waiting for your friend", "Waiting for your friend to open the link and sit down.")

// WaitingForAnybody tells the host of a table that anybody may join; [LookingForAnybody] those who see it in a list.
var WaitingForAnybody = plain("Waiting for anybody to join", "Waiting for anybody to join.")

// LookingForAnybody tells those who see a table in a list that its host waits.
func LookingForAnybody(r digit.Rules, host string) Said {
	return plain(cut(host)+" waits for somebody", host+" is looking for somebody to play "+Title(r)+".")
}

// What is told of the way to a table that is kept elsewhere.
var (
	ServerLost  = plain("Connection lost: trying again", "The connection to the server is lost. It is tried again; the game waits there.")
	Unconfirmed = plain("Not confirmed yet: trying again", "The connection is lost and your move is not confirmed yet. It is sent until there is an answer, and played once.")
	ServerBack  = plain("Connected again", "Connected again.")
)

// NotHere tells that a player is not at the table just now.
func NotHere(name string) Said { return plain(cut(name)+" is not here now", name+" is not here now.") }

// IsHere tells that a player who was not at the table is.
func IsHere(name string) Said { return plain(cut(name)+" is here", name+" is here.") }
