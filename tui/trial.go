package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
)

// A trial is a position in which a good move is to be found: a puzzle, or a mistake of a game to be mended.
type trial struct {
	title, task string
	from        digit.Position
	setup       match.Setup
	verdict     *coach.Verdict // of the last try
	tries       int
	told        func(m *Model, solved bool) // is told of the first try; may be nil
	next        act                         // what follows; nil: nothing
	nextName    string
}

// newTrial returns a table with a position to find a move in.
func (m *Model) newTrial(tr *trial) *table {
	t := m.newTable(nil)
	t.trial, t.hints, t.kept = tr, true, true
	t.state = match.State{Setup: tr.setup, Game: 1, Position: tr.from}
	t.unchoose()
	return t
}

// solved reports whether the move is found.
func (tr *trial) solved() bool { return tr != nil && tr.verdict != nil && tr.verdict.Kept() }

// try judges a move off the screen.
func (tr *trial) try(m *Model, t *table, move digit.Move) tea.Cmd {
	if !t.study.ready() {
		t.note = t.study.tells("")
		return nil
	}
	solution := t.study.solution
	t.sent = true
	return m.crew.run(func(context.Context) later {
		v, err := coach.Judge(solution, tr.from, move, coach.Reader(solution.Rules().Turn(tr.from)))
		return func(m *Model) tea.Cmd {
			t.sent = false
			t.unchoose()
			if err != nil {
				t.note = err.Error()
				return nil
			}
			if tr.tries == 0 && tr.told != nil {
				tr.told(m, v.Kept())
			}
			tr.tries++
			tr.verdict = &v
			if v.Kept() {
				t.state.Position, _ = t.rules().Play(tr.from, move) // it was judged
				t.analysis = false
			}
			return nil
		}
	})
}

// again puts the position back.
func (tr *trial) again(t *table) {
	tr.verdict = nil
	t.state.Position = tr.from
	t.unchoose()
}

// goOn goes on after the move is found.
func (tr *trial) goOn(m *Model) tea.Cmd {
	if !tr.solved() {
		return nil
	}
	if tr.next == nil {
		m.pop()
		return nil
	}
	return tr.next()
}

func (tr *trial) commands(m *Model, t *table) []binding {
	var keys []binding
	if tr.next != nil {
		keys = append(keys, command(tr.next, tr.nextName, "n"))
	}
	if tr.solved() {
		keys = append(keys, command(func() tea.Cmd { tr.again(t); return nil }, "again", "t"))
	} else {
		keys = append(keys,
			command(func() tea.Cmd { return t.ask(m) }, "hint", "h"),
			command(func() tea.Cmd { t.analyse(); return nil }, "analysis", "a"))
	}
	return append(keys, command(func() tea.Cmd { m.push(rulesPage(m, t.rules())); return nil }, "rules", "r"),
		command(func() tea.Cmd { t.flip = !t.flip; return nil }, "flip", "f"))
}

// prompt says what came of the trial.
func (tr *trial) prompt(*Model) (asks, how string, s style) {
	if !tr.solved() {
		return "…", "", style{fg: quiet}
	}
	how = "Esc goes back"
	if tr.next != nil {
		how = "n: " + tr.nextName + ", t: again, Esc: back"
	}
	return fmt.Sprintf("Right! %v %s.", tr.verdict.Move, verdict(tr.verdict.Value, 20)), how + ".", style{fg: good, bold: true}
}

// lines returns what is told of the last try.
func (tr *trial) lines(t *table) []line {
	v := tr.verdict
	switch {
	case v == nil:
		return []line{{tr.task, style{bold: true}, true}}
	case v.Kept():
		return []line{{sentence(v.Reason), style{}, true}, {"Best line: " + movesText(v.Line), style{fg: quiet}, false}}
	}
	lines := []line{{fmt.Sprintf("✗ Not so: %v %s. %s", v.Move, verdict(v.Value, 20), sentence(v.Blame)), style{fg: bad}, true}}
	if len(v.Refutation) > 0 {
		lines = append(lines, line{"It goes on: " + movesText(v.Refutation), style{fg: quiet}, false})
	}
	return append(lines, line{"Try again: " + lower(tr.task), style{bold: true}, false})
}

func lower(text string) string { return strings.ToLower(text[:1]) + text[1:] }

// facts returns what is told at the side.
func (tr *trial) facts(t *table) []fact {
	return []fact{{"position", t.rules().Text(t.state.Position)}, {"rules", t.rules().String()}, {"tries", fmt.Sprint(tr.tries)}}
}

func movesText(moves []digit.Move) string {
	texts := make([]string, len(moves))
	for i, m := range moves {
		texts[i] = m.String()
	}
	return strings.Join(texts, " ")
}
