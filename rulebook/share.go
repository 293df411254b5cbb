package rulebook

import (
	"fmt"
	"strings"

	"digitduel/digit"
)

// Shared describes a finished game to others in the reader's words: "I beat the computer (casual)
// at Digit Dilemma: 721 = 7 × 103".
func Shared(r digit.Rules, p digit.Position, result digit.Result, c Cast) string {
	v, f := LongVoice(r, c), Finished(r, p, result)
	one, two := v.rival(digit.First), v.rival(digit.Second)
	if f.Won && f.Winner == digit.Second || !f.Won && c.You[digit.First] &&
		!c.You[digit.Second] {
		one, two = two, one
	}
	who := one + " beat " + two
	switch {
	case !f.Won && c.You[digit.First] != c.You[digit.Second]:
		who = one + " and I drew"
	case !f.Won:
		who = one + " and " + two + " drew"
	case c.You[f.Winner]:
		who = "I beat " + two
	case c.You[f.Winner.Other()]:
		who = one + " beat me"
	}
	title, then := Title(r), ": "
	if strings.Contains(title, then) {
		then = " – "
	}
	return Capital(who) + " at " + title + then + v.Fact(f)
}

// rival returns the name of a player in a shared text, with the level of the computer.
func (v Voice) rival(s digit.Side) string {
	if level := v.Cast.Levels[s]; v.Cast.isComputer(s) && level != "" {
		return "the computer (" + level + ")"
	}
	v.Cast.You = [2]bool{}
	return v.Whom(s)
}

// Fact gives the reason of a result without names.
func (v Voice) Fact(f Finish) string {
	switch f.Result.Reason {
	case digit.Multiple:
		return v.Sum(f.Numbers[f.Winner])
	case digit.Miscalled:
		return fmt.Sprintf("%s isn't a multiple of %d", v.Number(f.Numbers[f.Winner.Other()]),
			v.Rules.Target)
	case digit.TimeOut:
		return "time ran out"
	case digit.Resignation:
		return "by resignation"
	case digit.Departure:
		return "a player left"
	case digit.Forfeit:
		return "no legal move"
	case digit.ByLater:
		return "by the last digit"
	default: // the numbers were compared
	}
	if text := v.Compared(f); text != "" {
		return text
	}
	return fmt.Sprintf("no multiple of %d", v.Rules.Target)
}

// SharedPuzzle describes a solved puzzle without its move: "Digit Duel, 12 November: first try. 4
// days running." The number of tries may be unknown, and days count from two on.
func SharedPuzzle(name string, tries, days int) string {
	text := "Digit Duel, " + name + ": " + Tries(tries) + "."
	if days > 1 {
		text += " " + DaysRunning(days) + "."
	}
	return text
}
