package mcp

import (
	"fmt"
	"strings"

	"digitduel/bot"
	"digitduel/digit"
)

const rulesForm = "a game and its options, as in dilemma or divisibility target=11"

var (
	numberForm = fmt.Sprintf("a whole number up to %d", maxNumber)
	gameNames  = strings.Join(digit.AllNames(), ", ")
)

// descriptions replaces the placeholders in descriptions of arguments and answers.
var descriptions = strings.NewReplacer(
	// Arguments.
	"{rules}", rulesForm,
	"{new rules}", rulesForm+"; games: "+gameNames+" (default: "+defaultRules+")",
	"{opponent}", "the level of the computer, from weak to strong: "+
		strings.Join(bot.LevelNames(), ", ")+" (default: "+defaultLevel+")",
	"{side}", "your side: first, second or random (default: random; for won and decision "+
		"the side to move)",
	"{start}", "start: the beginning; won: a position that the side to move can win and can "+
		"lose; decision: one in which it can throw something away; or a position such as "+
		"7__/___, or moves such as 7a 3b (default: start)",
	"{seed}", "the random seed, "+numberForm+" (default: random)",
	"{disguise}", numberForm+": describe the game in other words, chosen by it (default: none)",
	"{show moves}", "list the legal moves (default: false)",
	"{player}", "your name, up to 24 characters (default: the name of your client)",
	"{ply}", "the ply of the state that you chose the move for; a repeated call with it is "+
		"not played twice",
	"{exam}", "the id of an exam to continue, as next_item returned it; or standard-1 for the "+
		"standard exam of 500 items, which is the same everywhere (default: a new exam)",
	"{exam rules}", "of a new exam: "+rulesForm+
		" (default: dilemma, sevens, highest, divisibility and reverse)",
	"{items}", "of a new exam: items for each game, up to 1000 (default: 20)",
	"{hard}", "of a new exam: only items in which at most a third of the moves keep the outcome "+
		"and none wins at once (default: false)",

	// Answers.
	"{reason}", "only in an error: what is wrong, and what is allowed",
	"{fault}", "only in an error that cost a try: illegal (it breaks the rules) or unreadable "+
		"(not a move)",
	"{all moves}", "how many legal moves there are, if not all of them are listed",
	"{result}", "1-0 if first won, 0-1 if second won or 1/2 for a draw, and why",
	"{lost}", "the points that you threw away: score = value - lost + what the opponent threw away",
	"{decisions}", "how many of your moves were chosen where some moves were worth more than "+
		"others; a forfeit in a position worth more than 0 to you is one more",
	"{kept}", "the share of the decisions in which you threw nothing away; missing without "+
		"decisions",
	"{kappa}", "(kept - chance) / (1 - chance): 0 is random, 1 is perfect",
	"{keep}", "after your forfeit: how many choices there threw away nothing",
	"{plies lost}", "by how many turns wins were later, or losses sooner, than necessary",
	"{same seed}", "the random seed: new_game with it and the same arguments starts the same game",
)
