package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
)

// A board is what a game and a trial have in common: who plays, the move that is being picked, and what is known of the
// position that is shown.
type board struct {
	pair   pair
	picker picker
	closed func() bool                      // no move is picked now, since it is not the turn of anybody here
	play   func(*Model, digit.Move) tea.Cmd // plays a move that was picked
	auto   bool                             // call the highest multiple for whoever has one

	hints    bool // what is known may be told during a game
	analysis bool // what every move is worth is shown
	hint     *hint
	study    *study
	insight  *insight
	looking  bool // an insight is being worked out
	flip     bool
	note     string // what went wrong, or what happened
}

// A pair is who has the two sides of a game, by side.
type pair [2]struct {
	name string
	seat match.Seat
}

// pairOf returns who plays at a table at which a seat starts.
func pairOf(s match.Setup, starter match.Seat) (two pair) {
	for side, seat := range []match.Seat{starter, starter.Other()} {
		two[side].name, two[side].seat = s.Name(seat), seat
	}
	return two
}

func (two pair) tone(side digit.Side) tone { return seatTone(two[side].seat) }

// order returns the sides as they are shown: Player 1 first, unless it is flipped.
func (two pair) order(flip bool) [2]digit.Side {
	if flip == (two[digit.First].seat == match.One) {
		return [2]digit.Side{digit.Second, digit.First}
	}
	return [2]digit.Side{digit.First, digit.Second}
}

// A hint is what is told of the best move in a position.
type hint struct {
	coach.Hint
	at    digit.Position
	whole bool // the move is told, and not only what to look for
}

// stand shows another position, in which nothing is picked yet.
func (b *board) stand(p digit.Position) {
	b.picker, b.hint = newPicker(b.picker.rules, p, b.picker.cursor), nil
}

// stage returns what is waited for here.
func (b *board) stage() stage {
	if b.closed() {
		return idle
	}
	return b.picker.stage
}

// take picks a digit; if its spot is clear, that too.
func (b *board) take(m *Model, d digit.Digit) tea.Cmd {
	if b.stage() == idle {
		return nil
	}
	if b.note = b.picker.take(d); b.note != "" || b.stage() != confirm {
		return nil
	}
	return b.put(m, b.picker.spot)
}

// put picks the spot of the digit, and then plays the move unless something is to be asked first.
func (b *board) put(m *Model, spot digit.Spot) tea.Cmd {
	k := &b.picker
	if b.stage() == idle {
		return nil
	}
	if b.note = k.put(spot); b.note != "" {
		return nil
	}
	switch calls := k.rules.MayCall(k.at); {
	case calls && b.auto:
		return b.send(m, k.rules.HighestMultiple(k.hand()))
	case calls:
		m.lay(newCall(b))
		return nil
	case !m.wishes.Confirm:
		return b.send(m, digit.Number{})
	}
	return nil
}

// send plays the move that is picked, with a call or without.
func (b *board) send(m *Model, call digit.Number) tea.Cmd {
	if b.stage() != confirm {
		return nil
	}
	move := b.picker.picked()
	move.Call = call
	return b.play(m, move)
}

// back takes back the last thing that was picked; it reports whether there was one.
func (b *board) back() bool {
	b.note = ""
	return b.stage() != idle && b.picker.back()
}

// enter goes on with what the cursor is at.
func (b *board) enter(m *Model) tea.Cmd {
	switch b.stage() {
	case pick:
		return b.take(m, b.picker.pool()[b.picker.cursor])
	case place:
		return b.put(m, b.picker.spot)
	default:
		return b.send(m, digit.Number{})
	}
}

// upkeep finds out what there is to know of the game and of a position in it.
func (b *board) upkeep(m *Model, p digit.Position) tea.Cmd {
	var cmds []tea.Cmd
	if b.study == nil {
		var cmd tea.Cmd
		b.study, cmd = m.study(b.picker.rules)
		cmds = append(cmds, cmd)
	}
	key := insightKey{b.picker.rules, p, b.study.ready()}
	if !b.looking && (b.insight == nil || b.insight.insightKey != key) {
		b.looking = true
		cmds = append(cmds, m.insightCmd(key, b.study, func(in *insight) { b.insight, b.looking = in, false }))
	}
	return tea.Batch(cmds...)
}

// ask tells a hint: first what to look for, then the move and why.
func (b *board) ask(m *Model, p digit.Position) tea.Cmd {
	switch {
	case !b.study.ready():
		b.note = b.study.tells("")
	case b.picker.rules.Result(p).Over():
		b.note = "the game is over"
	case b.hint != nil && b.hint.at == p:
		b.hint.whole = true
	default:
		return m.hintCmd(p, b.study, func(h coach.Hint) { b.hint = &hint{Hint: h, at: p} })
	}
	return nil
}

// keys returns the keys of a page with a board: those that pick a move come before its commands. Esc goes somewhere when nothing
// is picked.
func (b *board) keys(m *Model, commands []binding, esc act, where string, leave act) []binding {
	back := on(func() tea.Cmd {
		if !b.back() {
			return esc()
		}
		return nil
	}, where, "esc")
	if b.stage() > pick {
		back.SetHelp("Esc", "put it back")
	}
	picking := b.picking(m)
	keys := append(picking, capitals(commands, picking)...)
	return append(keys,
		also(func() tea.Cmd { b.back(); return nil }, "backspace"),
		on(func() tea.Cmd { m.push(helpPage(m)); return nil }, "help", "?"),
		back, also(leave, "q", "Q"))
}

// picking returns the keys that pick a move.
func (b *board) picking(m *Model) []binding {
	var keys []binding
	at := b.stage()
	if at > pick {
		names := spotKeys(m, b.picker.rules, b.picker.at)
		for _, spot := range spots(b.picker.rules, b.picker.at) {
			keys = append(keys, also(func() tea.Cmd { return b.put(m, spot) }, names[spot]...))
		}
	}
	if at != idle {
		for _, d := range b.picker.pool() {
			if at == pick || d.String() <= "9" {
				keys = append(keys, also(func() tea.Cmd { return b.take(m, d) }, d.String()))
			}
		}
		move := func(by int) act { return func() tea.Cmd { b.picker.move(by); return nil } }
		keys = append(keys, also(move(-1), "left"), also(move(1), "right"),
			also(func() tea.Cmd { b.back(); return nil }, "up"), also(func() tea.Cmd { return b.enter(m) }, "enter"))
	}
	if at == pick {
		keys = append(keys, also(func() tea.Cmd { return b.enter(m) }, "down"))
	}
	return keys
}

// capitals tells people of the capital letter of a command whose small letter picks something just now.
func capitals(commands, picking []binding) []binding {
	for i, b := range commands {
		letter := b.Help().Key
		for _, other := range picking {
			if len(letter) == 1 && slices.Contains(other.Keys(), letter) {
				commands[i] = b.named(strings.ToUpper(letter))
			}
		}
	}
	return commands
}

// spotKeys returns the keys of each spot: its letter, and the first letter of its name where no other spot has it.
func spotKeys(m *Model, r digit.Rules, p digit.Position) map[digit.Spot][]string {
	keys := map[digit.Spot][]string{}
	used := map[string]int{}
	list, names := spots(r, p), m.world.Places(r)
	for i, spot := range list {
		letter := strings.ToLower(spot.String())
		keys[spot] = []string{letter}
		if used[letter]++; r.Place == digit.Ends {
			keys[spot] = []string{letter, strings.ToUpper(letter)}
		}
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

// asks returns what is asked of whoever picks a move, and how to answer.
func (b *board) asks(m *Model) prompt {
	k := &b.picker
	name := b.pair[k.rules.Turn(k.at)].name
	asking := style{fg: accent, bold: true}
	switch b.stage() {
	case pick:
		return prompt{name + ": pick a digit.", "Type it, click it, or use ← → and Enter.", asking}
	case place:
		var ways []string
		for _, spot := range k.spots {
			way := spot.String()
			if name := placeName(m.world.Places(k.rules), spot); name != way {
				way += " " + name
			}
			ways = append(ways, way)
		}
		return prompt{fmt.Sprintf("%s: where does %v go?", name, k.digit), strings.Join(ways, ", ") + "; Esc puts it back.", asking}
	case confirm:
		verb := "play"
		if k.spot == digit.InHand {
			verb = "take"
		}
		return prompt{fmt.Sprintf("%s: %s %s?", name, verb, moveText(m.world.Places(k.rules), k.picked())) + b.preview(), "Enter: play, Esc: take back.", asking}
	}
	return prompt{"…", "", style{fg: quiet}}
}

// preview says what the picked move makes of the number, where hints are on and it decides something.
func (b *board) preview() string {
	k := &b.picker
	next, err := k.rules.Play(k.at, k.picked())
	if err != nil || !b.hints || k.rules.Target == 0 || k.rules.Place == digit.Hand {
		return ""
	}
	n := k.rules.Number(next, k.rules.Turn(k.at))
	if !n.Full() {
		return ""
	}
	return "  " + sum(k.rules, n.String(), " = ")
}

// lines returns what is known of a position, as far as people may know it: a hint, the verdict, what each number needs. Where
// that would give the answer away, needs are not told.
func (b *board) lines(m *Model, p digit.Position, needs bool) []line {
	var lines []line
	r := b.picker.rules
	over := r.Result(p).Over()
	if h := b.hint; h != nil && h.at == p {
		lines = append(lines, line{"Hint: " + h.Look, style{fg: accent, bold: true}, true})
		if h.whole {
			lines = append(lines, line{h.Reason, style{}, true})
		} else {
			lines = append(lines, line{"Press h again for the move.", style{fg: quiet}, true})
		}
	}
	in := b.insight.of(p)
	if b.analysis && !in.known() {
		lines = append(lines, line{b.study.tells(m.spin()), style{fg: quiet}, true})
	} else if b.analysis && !over {
		text := fmt.Sprintf("%s to move %s with best play.", b.pair[r.Turn(p)].name, verdict(in.value, 20))
		lines = append(lines, line{text, style{fg: verdictTone(in.value.Outcome), bold: true}, true})
	}
	if in != nil && !over && needs {
		for _, side := range b.pair.order(b.flip) {
			if text := needText(in, side, b.pair[side].name); text != "" {
				lines = append(lines, line{text, style{fg: b.pair.tone(side)}, false})
			}
		}
	}
	return lines
}

// picture returns what is to be seen of a position.
func (b *board) picture(m *Model, p digit.Position) *picture {
	pic := &picture{
		rules: b.picker.rules, at: p, pair: b.pair, flip: b.flip, picker: b.picker, note: b.note, places: m.world.Places(b.picker.rules),
		take: func(d digit.Digit) tea.Cmd { return b.take(m, d) },
		put: func(spot digit.Spot) tea.Cmd {
			if b.stage() == confirm && b.picker.spot == spot { // a second click plays it
				return b.send(m, digit.Number{})
			}
			return b.put(m, spot)
		},
		send: func() tea.Cmd { return b.send(m, digit.Number{}) },
		back: func() tea.Cmd { b.back(); return nil },
	}
	pic.picker.stage = b.stage()
	if in := b.insight.of(p); b.analysis && in.known() {
		pic.worth = in
	}
	return pic
}
