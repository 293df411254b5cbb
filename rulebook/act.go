package rulebook

import "digitduel/match"

// A Command holds the words by which a player starts an act.
type Command struct {
	Act         match.Act
	Word, Help  string // typed in line play; Help is for the list of commands
	Key, Label  string // of the full screen, after Space
	Note        string // about the label; {other} is the opponent
	Button      string // of the page, for an act that has no other place there
	NeedsAnswer bool   // the front end asks first, or chooses the seat
	Shared      bool   // only for players at two devices
}

// Commands are the acts that players start by themselves. The others answer a question.
var Commands = []Command{
	{Act: match.Swap, Word: "swap", Key: "y", Label: "take over", Note: "the first move",
		NeedsAnswer: true},
	{Act: match.AgreeHints, Word: "hints", Help: "agree to hints for both; no hints ends that",
		Key: "h", Label: "ask for hints", Note: "they are on when both agree", Shared: true},
	{Act: match.EndHints, Word: "no hints", Key: "e", Label: "end hints", Note: "for both of you",
		Shared: true},
	{Act: match.Claim, Word: "claim", Help: "take the win when the other player has left",
		Key: "c", Label: "claim", Note: "take the win", Shared: true},
	{Act: match.Replace, Word: "computer", Help: "let the computer play for a player who has left",
		Key: "k", Label: "computer", Note: "it plays for {other}", Shared: true},
	{Act: match.Undo, Word: "undo", Key: "u", Label: "take back", Note: "your last move",
		Button: "Take back", NeedsAnswer: true},
	{Act: match.WithdrawUndo, Word: "withdraw", Help: "no longer ask to take back a move",
		Key: "w", Label: "withdraw", Note: "your request to take back", Button: "Withdraw",
		Shared: true},
	{Act: match.Resign, Word: "resign", Key: "x", Label: "resign", Note: "this game",
		NeedsAnswer: true},
}
