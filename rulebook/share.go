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
	case digit.Forfeit:
		return "no legal move was named"
	case digit.ByLater:
		return "the last digit decided"
	default: // the numbers were compared
	}
	if text := v.Compared(f); text != "" {
		return text
	}
	return fmt.Sprintf("no multiple of %d", v.Rules.Target)
}

// Turned tells the move of a position on which a game turned: "It turned on your third move: 4 in the middle made 741."
func Turned(r digit.Rules, p digit.Position, m digit.Move, c Cast) Said {
	side := r.Turn(p)
	next, _ := r.Play(p, m) // it was played
	nth := InOrder(r.Held(p, side).Len() + 1)
	return told(r, c,
		func(v Voice) []string {
			return []string{"It turned on " + v.whose(side) + " " + nth + " move"}
		},
		func(v Voice) string {
			text := "It turned on " + v.whose(side) + " " + nth + " move: "
			if n := r.Number(next, side); r.Place != digit.Hand && n.Full() && n.Len() > 1 {
				return text + v.Back(p, m) + " made " + v.Number(n) + "."
			}
			return text + v.Whom(side) + " " + v.Did(p, m) + "."
		})
}

// AllRight tells who won that every move was right.
func AllRight(c Cast, winner digit.Side) Said {
	return told(digit.Rules{}, c, func(Voice) []string { return []string{"Every move of yours was right"} }, func(v Voice) string {
		return "You beat " + v.name(winner.Other()) + " with every move right."
	})
}

// NoMistake tells that nobody erred in a game that a side won, or nobody did.
func NoMistake(c Cast, winner digit.Side, won bool) Said {
	if !won {
		return plain("Nobody made a mistake", "Nobody made a mistake: with best play this game is a draw.")
	}
	short := "Nobody made a mistake"
	return told(digit.Rules{}, c, func(Voice) []string { return []string{short} }, func(v Voice) string {
		if c.You[winner.Other()] {
			return "Nothing would have helped: you made no mistake, and " + v.name(winner) + " could win from the start."
		}
		if c.You[winner] {
			return "You beat " + v.name(winner.Other()) + " with every move right. You could win from the start."
		}
		return short + ": " + v.name(winner) + " could win from the start."
	})
}

// SharedPuzzle tells how somebody found the move of a day's puzzle, and nothing of the move: a square for each try.
func SharedPuzzle(day string, wrong, days int) string {
	text := "Digit Duel puzzle " + day + "\n" + strings.Repeat("🟥", wrong) + "🟩"
	if days > 1 {
		text += "\n" + plural(days, "day") + " in a row"
	}
	return text
}
