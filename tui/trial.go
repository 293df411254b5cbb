package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"digitduel/coach"
	"digitduel/digit"
)

// A trial is the page of a position in which a good move is to be found: a puzzle, or a mistake of a game to be mended.
type trial struct {
	board
	title, task string
	from        digit.Position
	sent        bool           // a move is being judged
	verdict     *coach.Verdict // of the last try
	tries       int
	told        func(m *Model, solved bool) // is told of the first try; may be nil
	next        act                         // what follows; nil: nothing
}

// newTrial returns a trial of a position, for those who play there.
func newTrial(title, task string, r digit.Rules, from digit.Position, two pair) *trial {
	t := &trial{title: title, task: task, from: from}
	t.board = board{pair: two, picker: newPicker(r, from, 0), closed: t.closed, play: t.try, hints: true}
	return t
}

// closed reports whether no move is to be found now.
func (t *trial) closed() bool { return t.sent || t.solved() }

// solved reports whether the move is found.
func (t *trial) solved() bool { return t.verdict != nil && t.verdict.Kept() }

// try judges a move off the screen.
func (t *trial) try(m *Model, move digit.Move) tea.Cmd {
	if !t.study.ready() {
		t.note = t.study.tells("")
		return nil
	}
	solution := t.study.solution
	t.sent = true
	return m.crew.run(func(context.Context) later {
		v, err := coach.Judge(solution, t.from, move, coach.Reader(solution.Rules().Turn(t.from)))
		return func(m *Model) tea.Cmd {
			t.sent = false
			t.stand(t.from)
			if err != nil {
				t.note = err.Error()
				return nil
			}
			if t.tries == 0 && t.told != nil {
				t.told(m, v.Kept())
			}
			t.tries++
			t.verdict = &v
			if v.Kept() {
				next, _ := t.picker.rules.Play(t.from, move) // it was judged
				t.stand(next)
				t.analysis = false
			}
			return nil
		}
	})
}

// goOn goes on after the move is found.
func (t *trial) goOn(m *Model) tea.Cmd {
	if t.next != nil {
		return t.next()
	}
	m.pop()
	return nil
}

func (t *trial) upkeep(m *Model) tea.Cmd { return t.board.upkeep(m, t.picker.at) }

func (t *trial) moving(*Model) bool { return t.study.working() }

func (t *trial) keys(m *Model) []binding {
	var keys []binding
	if t.next != nil {
		keys = append(keys, command(t.next, "next puzzle", "n"))
	}
	if t.solved() {
		keys = append(keys,
			command(func() tea.Cmd { t.verdict = nil; t.stand(t.from); return nil }, "again", "t"),
			also(func() tea.Cmd { return t.goOn(m) }, "enter"))
	} else {
		keys = append(keys,
			command(func() tea.Cmd { return t.ask(m, t.picker.at) }, "hint", "h"),
			command(func() tea.Cmd { t.analysis = !t.analysis; return nil }, "analysis", "a"))
	}
	keys = append(keys, command(func() tea.Cmd { m.push(rulesPage(m, t.picker.rules)); return nil }, "rules", "r"),
		command(func() tea.Cmd { t.flip = !t.flip; return nil }, "flip", "f"))
	leave := func() tea.Cmd { m.pop(); return nil }
	return t.board.keys(m, keys, leave, "back", leave)
}

func (t *trial) draw(m *Model, c *canvas) {
	t.picture(m).draw(c)
	m.footer(c, c.stage(), t.keys(m))
}

func (t *trial) say(m *Model) []string { return t.picture(m).say() }

func (t *trial) picture(m *Model) *picture {
	p, r := t.picker.at, t.picker.rules
	pic := t.board.picture(m, p)
	pic.title, pic.tells, pic.right = t.title, t.task, r.Book().Title
	pic.turn = !r.Result(p).Over()
	pic.prompt = t.prompt(m)
	quiz := !t.analysis && t.hint == nil // what a number needs would give it away
	pic.lines = append(t.judged(), t.lines(m, p, !quiz)...)
	pic.facts = []fact{{"position", r.Text(p)}, {"rules", r.String()}, {"tries", fmt.Sprint(t.tries)}}
	return pic
}

// prompt asks for a move, or says what came of it.
func (t *trial) prompt(m *Model) prompt {
	if !t.solved() {
		return t.asks(m)
	}
	how := "Esc goes back."
	if t.next != nil {
		how = "n: next puzzle, t: again, Esc: back."
	}
	return prompt{fmt.Sprintf("Right! %v %s.", t.verdict.Move, verdict(t.verdict.Value, 20)), how, style{fg: good, bold: true}}
}

// judged returns what is told of the last try.
func (t *trial) judged() []line {
	v := t.verdict
	switch {
	case v == nil:
		return []line{{t.task, style{bold: true}, true}}
	case v.Kept():
		return []line{{sentence(v.Reason), style{}, true}, {"Best line: " + movesText(v.Line), style{fg: quiet}, false}}
	}
	lines := []line{{fmt.Sprintf("✗ Not so: %v %s. %s", v.Move, verdict(v.Value, 20), sentence(v.Blame)), style{fg: bad}, true}}
	if len(v.Refutation) > 0 {
		lines = append(lines, line{"It goes on: " + movesText(v.Refutation), style{fg: quiet}, false})
	}
	return append(lines, line{"Try again: " + lower(t.task), style{bold: true}, false})
}

func lower(text string) string { return strings.ToLower(text[:1]) + text[1:] }

func movesText(moves []digit.Move) string {
	texts := make([]string, len(moves))
	for i, m := range moves {
		texts[i] = m.String()
	}
	return strings.Join(texts, " ")
}
