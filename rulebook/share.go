package rulebook

import (
	"cmp"
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
		return v.Number(f.Numbers[f.Winner.Other()]) + v.fill(" isn't a multiple of ${t}")
	case digit.ByLater:
		return "by the last digit"
	default: // the numbers were compared, or a player gave up
		return cmp.Or(gaveUp[f.Result.Reason].fact, v.Compared(f), v.fill("no multiple of ${t}"))
	}
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
