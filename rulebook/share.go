package rulebook

import (
	"fmt"
	"strings"

	"digitduel/digit"
)

// Shared tells a finished game to somebody who was not there, as whoever reads would: "I beat casual at Digit Dilemma: 721 = 7·103".
func Shared(r digit.Rules, p digit.Position, result digit.Result, c Cast) string {
	text, _ := Tell(r, c, func(v Voice) string {
		f := Finished(r, p, result)
		who := v.name(digit.First) + " and " + v.name(digit.Second) + " drew"
		switch {
		case f.Won && c.You[f.Winner]:
			who = "I beat " + v.name(f.Winner.Other())
		case f.Won && c.You[f.Winner.Other()]:
			who = v.name(f.Winner) + " beat me"
		case f.Won:
			who = v.name(f.Winner) + " beat " + v.name(f.Winner.Other())
		case c.You[digit.First] != c.You[digit.Second]:
			other := digit.First
			if c.You[digit.First] {
				other = digit.Second
			}
			who = v.name(other) + " and I drew"
		}
		title, then := Title(r), ": "
		if strings.Contains(title, then) {
			then = " – "
		}
		return who + " at " + title + then + v.Fact(f)
	})
	return text
}

// Fact tells what decided a game, and nobody's name.
func (v Voice) Fact(f Finish) string {
	switch f.Result.Reason {
	case digit.Multiple:
		return v.Sum(f.Numbers[f.Winner])
	case digit.Miscalled:
		return fmt.Sprintf("%s is no multiple of %d", v.Number(f.Numbers[f.Winner.Other()]), v.Rules.Target)
	case digit.TimeOut:
		return "time ran out"
	case digit.Resignation:
		return "the game was given up"
	case digit.Departure:
		return "a player left"
	case digit.ByLater:
		return "the last digit decided"
	default: // the numbers were compared
	}
	if text := v.Compared(f); text != "" {
		return text
	}
	return fmt.Sprintf("no multiple of %d", v.Rules.Target)
}

// Turned tells the move by which somebody lost a game, and the one that would have won it, or kept the draw.
func (v Voice) Turned(p digit.Position, m, better digit.Move, draw bool) string {
	instead := " would have won."
	if draw {
		instead = " would have kept the draw."
	}
	return v.Who(v.Rules.Turn(p)) + " " + v.Did(p, m) + ". " + capital(v.Back(p, better)) + instead
}

// NoMistake tells the one who lost to a side that every move was right.
func (v Voice) NoMistake(winner digit.Side) string {
	return "Nothing would have helped: you made no mistake, and " + v.name(winner) + " could win from the start."
}

// SharedPuzzle tells how somebody found the move of a day's puzzle, and nothing of the move: a square for each try.
func SharedPuzzle(day string, wrong, days int) string {
	text := "Digit Duel puzzle " + day + "\n" + strings.Repeat("🟥", wrong) + "🟩"
	if days > 1 {
		text += "\n" + plural(days, "day") + " in a row"
	}
	return text
}
