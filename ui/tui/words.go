package tui

import (
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// verdictTone returns the tone of an outcome.
func verdictTone(o solve.Outcome) tone {
	switch o {
	case solve.Win:
		return good
	case solve.Loss:
		return bad
	default:
		return even
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

// needsOf returns the number that each free digit would make, if one digit decides something.
// Winning ones come first. For hands and growing numbers, which can become many numbers, it returns
// only winning ones.
func needsOf(r digit.Rules, p digit.Position, side digit.Side) (needs []string) {
	have := r.Number(p, side)
	missing := r.Fills(side) - have.Pool().Len()
	if r.Win == digit.Never || r.Result(p).Over() || missing == 0 ||
		missing > 1 && r.Win != digit.EachTurn {
		return nil
	}
	voice, others := rulebook.Voice{Rules: r}, r.Left(p)
	for m, n := range r.Threats(p, side) {
		what := m.Digit.String()
		if n.Len() > 1 && r.Place == digit.Ends {
			what = m.String()
		}
		const most = 64 // nobody reads more
		if others &^= digit.PoolOf(m.Digit); len(needs) < most {
			needs = append(needs, "✓ "+what+" → "+voice.Sum(n))
		}
	}
	if r.Place != digit.Slots || missing > 1 {
		return needs
	}
	for d := range others.All() {
		// a number in the form of a call
		made, _ := digit.ParseMove(
			d.String() + "=" + strings.Replace(have.String(), "_", d.String(), 1))
		needs = append(needs, d.String()+" → "+voice.Sum(made.Call))
	}
	return needs
}

// spaced writes a number with blanks between its places: "7 _ 1".
func spaced(n digit.Number) string { return spread(n.String()) }

// spread puts blanks between the characters of a text.
func spread(text string) string { return strings.Join(strings.Split(text, ""), " ") }

// bestFill describes the best number that a side can reach in a game in which only the end counts;
// ok is false in other games.
func bestFill(r digit.Rules, p digit.Position, side digit.Side) (text string, ok bool) {
	orders := r.Orders()
	if r.Win != digit.Never || r.Place != digit.Slots || len(orders) == 0 ||
		orders[0] != digit.Higher && orders[0] != digit.Lower {
		return "", false
	}
	left := slices.Collect(r.Left(p).All())
	if orders[0] == digit.Higher {
		slices.Reverse(left)
	}
	n := []byte(r.Number(p, side).String())
	for i, c := range n {
		if c != '_' || len(left) == 0 {
			continue
		}
		take := 0
		if i == 0 && r.Zero == digit.Barred && left[0] == 0 && len(left) > 1 {
			take = 1
		}
		n[i] = left[take].String()[0]
		left = slices.Delete(left, take, take+1)
	}
	return string(n), true
}

// together keeps the words of a text on one line.
func together(text string) string { return strings.ReplaceAll(text, " ", nbsp) }

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
