package tui

import (
	"cmp"
	"fmt"
	"strings"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
	"digitduel/ui/tui/draw"
)

// An exercise is the page of a position in which the player looks for a good move: a puzzle, or a
// mistake of a game.
type exercise struct {
	board
	title   string
	task    rulebook.Said
	from    digit.Position
	sent    bool           // a move is being judged
	verdict *coach.Verdict // of the last attempt
	hard    rulebook.Said  // its difficulty; may be empty
	day     coach.Day      // of a daily puzzle, whose answers count; 0: it is none
	next    act            // the next exercise; nil: there is none
}

// newExercise returns an exercise for the player to move in a position. The other side has the name
// from the pair.
func newExercise(
	title string, task rulebook.Said, r digit.Rules, from digit.Position, two pair,
) *exercise {
	t := &exercise{title: title, task: task, from: from}
	two[r.Turn(from)].you = true
	two[r.Turn(from).Other()].you = false
	t.board = board{
		pair: two, picker: newPicker(r, from), closed: t.closed, play: t.try, picks: func() {},
	}
	return t
}

// newRetry returns the exercise to find a better move.
func newRetry(judged coach.Judged, r digit.Rules, two pair) *exercise {
	task := map[solve.Outcome]string{
		solve.Win: "Find a move that wins.", solve.Draw: "Find a move that keeps the draw.",
		solve.Loss: "Every move loses: play any.",
	}[judged.Best.Outcome]
	return newExercise(fmt.Sprintf("Move %d again", judged.Ply), said(task), r, judged.At, two)
}

// closed reports whether no move can be picked now.
func (t *exercise) closed() bool { return t.sent || t.solved() }

// solved reports whether the move is found.
func (t *exercise) solved() bool { return t.verdict != nil && t.verdict.Kept() }

// try judges a move in the background.
func (t *exercise) try(m *Model, move digit.Move) {
	if !t.study.ready() {
		t.note = t.study.describe("")
		return
	}
	solution, cast := t.study.solution, t.pair.cast()
	t.sent = true
	m.run(func() act {
		v, err := coach.Judge(solution, t.from, move, cast)
		return func(m *Model) {
			t.sent = false
			t.stand(t.from)
			if err != nil {
				t.refuse(err)
				return
			}
			t.verdict = &v
			if v.Kept() {
				next, _ := t.picker.rules.Play(t.from, move) // it was judged
				t.stand(next)
				t.analysis = false
			}
			t.answered(m, v.Kept())
		}
	})
}

// answered counts an answer to a daily puzzle: on the screen at once, and then in the saved
// results.
func (t *exercise) answered(m *Model, right bool) {
	if t.day == 0 {
		return
	}
	m.streak = m.streak.After(m.today(), t.day, right)
	m.store("the puzzle was not counted", func() error {
		return m.world.Count(t.day, right)
	}, func() {})
}

// ask shows a hint. Its last step is the answer, so it counts as a wrong one.
func (t *exercise) ask(m *Model) {
	show := func(m *Model) {
		t.board.ask(m, t.picker.at)
		if t.hint != nil && t.hint.step == 2 {
			t.answered(m, false)
		}
	}
	if h := t.hint; h != nil && h.topic == t.topic(t.picker.at) && (h.step == 1 || h.Idea == "") {
		t.reveal(m, show)
		return
	}
	show(m)
}

// analyse shows the value of every move, which is the answer too.
func (t *exercise) analyse(m *Model) {
	if t.analysis {
		t.analysis = false
		return
	}
	t.reveal(m, func(m *Model) {
		t.analysis = true
		t.answered(m, false)
	})
}

// reveal shows the answer. If that ends a streak, it asks first.
func (t *exercise) reveal(m *Model, show act) {
	if t.day != m.today() || m.streak.Mark(t.day) != coach.Untried {
		show(m)
		return
	}
	m.lay(&confirmation{
		question: "Show the answer? Then today doesn't count, and your streak ends.",
		does:     "Show it", no: "Keep looking", do: show,
	})
}

// leave leaves the solved exercise for the next one, if there is one.
func (t *exercise) leave(m *Model) {
	if t.next != nil {
		t.next(m)
		return
	}
	m.pop()
}

func (t *exercise) upkeep(m *Model) { t.board.upkeep(m, t.picker.at) }

func (t *exercise) keys(m *Model) []binding {
	var keys []binding
	if t.solved() {
		again := func(*Model) { t.verdict = nil; t.stand(t.from) }
		keys = append(keys,
			on(t.leave, "continue", "enter"), on(again, "try again", "t"))
	}
	return t.board.keys(m, t, keys, (*Model).pop, m.back().about)
}

// commands returns the command menu opened by Space.
func (t *exercise) commands(m *Model) []binding {
	var keys []binding
	if !t.solved() {
		keys = t.helpKeys(t.ask, t.analyse, "shows the answer")
	}
	if t.next != nil {
		keys = append(keys, on(t.next, "next puzzle", "p").noted("another one"))
	}
	return append(keys, t.viewKeys(m)...)
}

func (t *exercise) draw(m *Model, c *canvas) {
	t.picture(m).draw(c)
}

func (t *exercise) picture(m *Model) *picture {
	p, r := t.picker.at, t.picker.rules
	pic := t.board.picture(p)
	pic.title, pic.right = t.title, cmp.Or(t.hard.Short, rulebook.Title(r))
	pic.prompt = t.prompt()
	if v := t.verdict; v != nil && !v.Kept() {
		pic.lines = []line{lineOf(draw.Bad.Style(), "✗ "+v.Text)}
	}
	pic.lines = append(pic.lines, t.lines(m, p)...)
	if today := m.today(); t.day != 0 {
		counts := m.streak.Why(today, t.day) + " " + m.streak.Text(today)
		pic.lines = append(pic.lines, lineOf(draw.Muted, counts))
	}
	return pic
}

// prompt asks for a move, or shows that it is right.
func (t *exercise) prompt() prompt {
	v := t.verdict
	if !t.solved() {
		asks := t.asks()
		if t.stage() == pick {
			asks.Said = t.task
			asks.Long = strings.TrimPrefix(asks.Long, "Your turn. ") // the badge shows it
		}
		return asks
	}
	how := "Esc goes back."
	if t.next != nil {
		how = "Enter: next puzzle, t: try again, Esc: back."
	}
	return prompt{
		"RIGHT", draw.Good,
		rulebook.Said{
			Short: rulebook.Capital(t.voice().Back(t.from, v.Move)),
			Long:  strings.TrimPrefix(v.Text, "Right! "),
		},
		how,
	}
}

func lower(text string) string { return strings.ToLower(text[:1]) + text[1:] }
