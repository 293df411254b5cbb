package tui

import (
	"fmt"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
	"digitduel/ui/tui/draw"
)

// verdictTone returns the tone of an outcome.
func verdictTone(o solve.Outcome) draw.Tone {
	switch o {
	case solve.Win:
		return draw.Good
	case solve.Loss:
		return draw.Bad
	default:
		return draw.Even
	}
}

// outcomeIn returns a word for an outcome. In one width, all outcomes have the same form.
func outcomeIn(o solve.Outcome, width int) string {
	forms := map[solve.Outcome][3]string{
		solve.Win: {"W", "win", "wins"}, solve.Draw: {"D", "draw", "draws"},
		solve.Loss: {"L", "lose", "loses"},
	}[o]
	return forms[min(max(width-3, 0), 2)]
}

// needsOf returns the winning numbers that one digit can make.
func needsOf(r digit.Rules, p digit.Position, side digit.Side) (needs []string) {
	voice := rulebook.Voice{Rules: r}
	for m, n := range r.Threats(p, side) {
		what := m.Digit.String()
		if n.Len() > 1 && r.Place == digit.Ends {
			what = m.String()
		}
		needs = append(needs, together("✓ "+what+" → "+voice.Sum(n)))
		if len(needs) == 64 { // nobody reads more
			break
		}
	}
	return needs
}

// spaced writes a number with blanks between its places: "7 _ 1".
func spaced(n digit.Number) string { return spread(n.String()) }

// spread puts blanks between the characters of a text.
func spread(text string) string { return strings.Join(strings.Split(text, ""), " ") }

// together keeps the words of a text on one line.
func together(text string) string { return strings.ReplaceAll(text, " ", draw.NBSP) }

// placeName returns the name of a spot, if there are several: "Left", "hundreds", "right end".
func placeName(r digit.Rules, spot digit.Spot) string {
	if i, ok := spot.Slot(); ok {
		return rulebook.Places(r)[i]
	}
	return strings.TrimPrefix(rulebook.Voice{Rules: r}.Spot(spot), "the ")
}

// stands describes who wins by a value for the side to move, and when.
func stands(v rulebook.Voice, value solve.Value, turn digit.Side) string {
	text := "A draw"
	if winner, won := value.Winner(turn); won {
		text = v.Does(winner, "win")
	}
	if value.Plies == 0 {
		return text
	}
	return text + " " + v.Turns(value.Plies, turn.Other(), true)
}

// needText lists the digits that the number of a side needs, and the numbers that they make.
func needText(in *insight, side digit.Side, name string) string {
	r := in.rules
	n := r.Number(in.at, side)
	if r.Full(in.at, side) || r.Win == digit.Never {
		return ""
	}
	head := name
	if n.Len() > 0 {
		head += "  " + spaced(n)
	}
	needs, missing := in.needs[side], r.Fills(side)-n.Pool().Len()
	switch {
	case len(needs) == 0 && missing > 1 && r.Win != digit.EachTurn:
		return fmt.Sprintf("%s:  %d digits to go", head, missing)
	case len(needs) == 0:
		return fmt.Sprintf("%s:  no digit makes a multiple of %d now", head, r.Target)
	}
	return head + ":  " + strings.Join(needs, "   ")
}
