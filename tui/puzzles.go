package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A puzzles page offers the puzzle of the day and others.
type puzzles struct {
	at    int
	wait  *digit.Book // the book of the puzzle that is looked for
	daily bool
	study *study
	busy  bool
	note  string
}

func (m *Model) openPuzzles() tea.Cmd {
	m.push(&puzzles{})
	return nil
}

// offers returns what is offered: the puzzle of the day, then one of each book.
func (p *puzzles) offers(m *Model) []fact {
	day := coach.DayOf(m.now)
	offers := []fact{{"Puzzle of the day", fmt.Sprintf("%v, %s", day, rulebook.Title(coach.DailyBook(day).Rules))}}
	for _, b := range digit.Books {
		offers = append(offers, fact{"A puzzle of " + b.Name, rulebook.Goal(b.Rules).Short})
	}
	return offers
}

// choose looks for a puzzle.
func (p *puzzles) choose(m *Model, at int) {
	p.at, p.note, p.daily = at, "", at == 0
	b := coach.DailyBook(coach.DayOf(m.now))
	if at > 0 {
		b = digit.Books[at-1]
	}
	p.wait = &b
}

// upkeep opens the puzzle that is looked for as soon as its game is solved.
func (p *puzzles) upkeep(m *Model) tea.Cmd {
	if p.wait == nil || p.busy {
		return nil
	}
	var cmd tea.Cmd
	if p.study == nil || p.study.rules != p.wait.Rules {
		p.study, cmd = m.study(p.wait.Rules)
	}
	if p.study.err != nil {
		p.wait, p.note = nil, p.study.tells("")
	}
	if !p.study.ready() {
		return cmd
	}
	p.busy = true
	solution, day, daily, rng := p.study.solution, coach.DayOf(m.now), p.daily, m.rng()
	return m.crew.run(func(ctx context.Context) later {
		var z coach.Puzzle
		var ok bool
		if daily {
			z, ok = coach.Daily(solution, day)
		} else {
			var err error
			z, err = coach.Random(ctx, solution, rng.IntN, nil)
			ok = err == nil
		}
		return func(m *Model) tea.Cmd {
			p.busy, p.wait = false, nil
			switch {
			case !m.shows(p):
			case !ok:
				p.note = "this game has no puzzle"
			default:
				p.open(m, z, day, daily)
			}
			return nil
		}
	})
}

func (p *puzzles) moving(*Model) bool { return p.wait != nil }

// open shows a puzzle in place of the one before it.
func (p *puzzles) open(m *Model, z coach.Puzzle, day coach.Day, daily bool) {
	for m.top() != page(p) {
		m.pop()
	}
	t := newTrial("Puzzle", z.Prompt(), z.Rules, z.At, pairOf(match.Setup{}, match.One))
	if daily {
		t.title = "Puzzle of the day " + day.String()
		t.told = func(m *Model, solved bool) { m.count(day, solved) }
	} else {
		at := p.at
		t.next = func() tea.Cmd { p.choose(m, at); return nil }
	}
	m.push(t)
}

func (p *puzzles) keys(m *Model) []binding {
	n := len(p.offers(m))
	move := func(by int) act { return func() tea.Cmd { p.at = (p.at + by + n) % n; return nil } }
	keys := []binding{
		on(func() tea.Cmd { p.choose(m, p.at); return nil }, "open", "enter", "space"),
		on(move(1), "choose", "↑↓"), also(move(-1), "up", "k", "shift+tab"), also(move(1), "down", "j", "tab"),
	}
	for i := range n {
		keys = append(keys, also(func() tea.Cmd { p.choose(m, i); return nil }, fmt.Sprint(i)))
	}
	return append(keys, m.help(), m.back("menu"))
}

func (p *puzzles) draw(m *Model, c *canvas) {
	st := c.stage()
	c.header("Puzzles", "one move wins, all others do not", "")
	y, offers, tall := st.y+3, p.offers(m), 2
	if 2*len(offers)+9 > st.h {
		tall = 1
	}
	for i, o := range offers {
		x, s := c.mark(st.x+2, y, i == p.at, style{bold: true})
		x = c.text(x, y, style{fg: quiet}, fmt.Sprintf("%d ", i)) + 1
		if end := c.text(x, y, s, o.name); tall == 1 {
			x = end + 2
		}
		c.within(x, y+tall-1, st.x+st.w-2-x, style{fg: quiet}, o.tells)
		c.zone(rect{st.x + 2, y, st.w - 4, tall}, func() tea.Cmd {
			if p.at == i {
				p.choose(m, i)
			}
			p.at = i
			return nil
		})
		y += tall
		if i == 0 || st.h >= 32 {
			y++
		}
	}
	c.within(st.x+2, y+1, st.w-4, style{}, m.streak.Told(coach.DayOf(m.now)))
	if tells := p.status(m); tells != "" {
		c.within(st.x+2, y+2, st.w-4, style{fg: even}, tells)
	}
}

func (p *puzzles) status(m *Model) string {
	switch {
	case p.note != "":
		return "✗ " + p.note
	case p.wait != nil:
		return m.spin() + " looking for a puzzle"
	}
	return ""
}

func (p *puzzles) say(m *Model) []string {
	lines := []string{"Puzzles: one move wins, all others do not."}
	if tells := p.status(m); tells != "" {
		lines = append(lines, tells)
	}
	for i, o := range p.offers(m) {
		lines = append(lines, fmt.Sprintf("%d %s%s: %s", i, o.name, chosenMark(i == p.at), o.tells))
	}
	return append(lines, m.streak.Told(coach.DayOf(m.now)))
}
