package tui

import (
	"fmt"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
)

// keys returns the keys of a page with a board: those that pick a move, those that act at once, and
// Space for its commands. Esc calls back when nothing is picked.
func (b *board) keys(m *Model, p boarded, direct []binding, esc act, where string) []binding {
	back := on(func(m *Model) {
		if !b.back() {
			esc(m)
		}
	}, where, "esc")
	keys := append(b.picking(m), direct...)
	undo := also(func(*Model) { b.back() }, "backspace")
	if b.stage() > pick {
		put := fmt.Sprintf("put the %v back", b.picker.digit)
		if m.width < 100 {
			put = "back"
		}
		undo = on(undo.do, put, "backspace").named("Bksp")
		back = also(back.do, "esc")
	}
	more := []binding{m.open(p), m.help()}
	if b.stage() == idle && len(direct) > 0 { // the direct keys are more important
		more = []binding{more[0].ranked(otherRank), more[1].ranked(otherRank + 1)}
	}
	return append(append(append(keys, undo), more...), back)
}

// picking returns the keys that pick a move.
func (b *board) picking(m *Model) []binding {
	at, k := b.stage(), &b.picker
	if at == idle {
		return nil
	}
	move := func(by int) act { return func(*Model) { k.move(by) } }
	var keys []binding
	if at == pick {
		keys = append(
			keys, on(nil, "digit", keySpan(k.pool())).ranked(moveRank), on(move(1), "choose", "←→"),
			on(b.enter, fmt.Sprint("take ", k.pool()[k.cursor]), "enter", "down").ranked(otherRank))
	} else {
		what, other := "place", keySpan(k.pool()[:min(10, len(k.pool()))])
		if k.rules.Place == digit.Ends {
			what = "end"
		}
		if at == place {
			keys = append(keys, on(nil, what, b.spotSpan()).named(b.spotSpan()).ranked(otherRank))
		}
		play := b.voice().Put(k.at, k.picked())
		if m.width < 80 {
			play = "play " + moveWords(k.rules, k.picked(), k.rules.Ply(k.at))
		}
		keys = append(keys,
			on(nil, "another digit", other).ranked(otherRank+1), on(b.enter, play, "enter"))
		names := spotKeys(k.rules, k.at)
		for _, spot := range spots(k.rules, k.at) {
			keys = append(keys, also(b.put(spot), names[spot]...))
		}
	}
	for _, d := range k.pool() {
		if at == pick || d.String() <= "9" {
			keys = append(keys, also(b.take(d), d.String()))
		}
	}
	return append(keys,
		also(move(-1), "left"), also(move(1), "right"), also(func(*Model) { b.back() }, "up"))
}

// helpKeys returns the commands that help: ask shows a hint, analyse the analysis.
func (b *board) helpKeys(ask, analyse act, note string) []binding {
	keys := []binding{
		on(ask, "hint", "h").noted("an idea, then a move"),
		on(analyse, "analysis", "a").noted(note),
	}
	if b.picker.rules.Win != digit.Never { // else nothing completes a number
		keys = append(keys, on(func(*Model) {
			b.needs = !b.needs
		}, "needs", "n").noted("digits that complete"))
	}
	return keys
}

// viewKeys returns the commands for the rules and the view.
func (b *board) viewKeys(m *Model) []binding {
	return []binding{
		m.rules(b.picker.rules).noted("of this game"),
		on(func(*Model) { b.flip = !b.flip }, "flip", "f").noted("swap the numbers"),
	}
}

// keySpan returns the keys that pick a digit: "0-9", "1-9 a-f".
func keySpan(pool []digit.Digit) string {
	first, last := pool[0].String(), pool[len(pool)-1].String()
	switch {
	case first == last:
		return first
	case first <= "9" && last > "9":
		return first + "-9 a-" + last
	default:
		return first + "-" + last
	}
}

// spotSpan returns the keys that choose a place for the picked digit: "b c", "L R", "a-h".
func (b *board) spotSpan() string {
	list := b.picker.spots
	const most = 4
	if len(list) > most {
		return list[0].String() + "-" + list[len(list)-1].String()
	}
	names := make([]string, len(list))
	for i, spot := range list {
		names[i] = spot.String()
	}
	return strings.Join(names, " ")
}

// spotKeys returns the keys of each spot: its letter, and the first letter of its name if no other
// spot has it.
func spotKeys(r digit.Rules, p digit.Position) map[digit.Spot][]string {
	keys := map[digit.Spot][]string{}
	used := map[string]int{}
	list, names := spots(r, p), rulebook.Places(r)
	for i, spot := range list {
		letter := strings.ToLower(spot.String())
		keys[spot] = []string{letter}
		used[letter]++
		if i < len(names) {
			used[strings.ToLower(names[i][:1])]++
		}
	}
	for i, name := range names {
		if letter := strings.ToLower(name[:1]); used[letter] == 1 {
			keys[list[i]] = append(keys[list[i]], letter)
		}
	}
	return keys
}
