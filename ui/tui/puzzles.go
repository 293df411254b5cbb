package tui

import (
	"context"
	"fmt"
	"slices"

	"digitduel/bot"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

// A Puzzle is the puzzle that a model starts with.
type Puzzle struct {
	coach.Puzzle
	Day   coach.Day // its day; 0: it is a random one
	Level string    // the level it is for; empty: any
}

// A puzzles page offers daily puzzles, and random ones of each book and level.
type puzzles struct {
	form
	book  int       // the game of random puzzles, an index of [digit.Books] plus 1; 0: a daily one
	day   coach.Day // the day of a daily puzzle
	level int       // the level of random puzzles, an index of [bot.Levels] plus 1; 0: any
	wait  *quest    // the puzzle that is searched for
	study *study
	busy  bool
	note  string
}

// A quest says which puzzle to search for.
type quest struct {
	rules digit.Rules
	day   coach.Day // 0: a random one
	level int       // as in puzzles
}

func newPuzzles(m *Model) *puzzles {
	p := &puzzles{day: m.today()}
	p.rows = p.list
	return p
}

// startPuzzle opens the puzzle that the model starts with, over the page of puzzles.
func (m *Model) startPuzzle(z Puzzle) {
	p := newPuzzles(m)
	p.level = 1 + slices.Index(bot.LevelNames(), z.Level)
	q := quest{z.Rules, z.Day, p.level}
	if z.Day != 0 {
		p.day = z.Day
	} else {
		p.book = 1 + slices.Index(digit.BookNames(), z.Rules.Book().Name)
	}
	m.push(p)
	m.restudy(&p.study, z.Rules)
	p.open(m, z.Puzzle, q)
}

// find searches for the puzzle.
func (q quest) find(
	ctx context.Context, s *solve.Solution, intn func(int) int,
) (coach.Puzzle, error) {
	switch {
	case q.day != 0:
		z, ok := coach.Daily(s, q.day)
		if !ok {
			return z, fmt.Errorf("there is no puzzle for %v", q.day)
		}
		return z, nil
	case q.level > 0:
		return coach.Fitting(ctx, s, bot.Choosers(s), q.level-1, intn)
	default:
		return coach.Random(ctx, s, intn, nil)
	}
}

// list returns the rows for the kind of puzzle, and for its day or its level.
func (p *puzzles) list(m *Model) []row {
	n, why := len(digit.Books)+1, m.streak.Why(m.today(), p.day)
	kind := row{
		name: "Puzzle", value: "of the day",
		about:  rulebook.Title(coach.DailyBook(p.day).Rules) + ". " + why,
		change: func(by int) { p.book = (p.book + by + n) % n },
	}
	if p.book > 0 {
		b := digit.Books[p.book-1]
		kind.value, kind.about = rulebook.Title(b.Rules), rulebook.Goal(usual(b)).Short+"."
		return []row{kind, p.levelRow()}
	}
	sign := map[coach.Mark]string{coach.Solved: "✓ ", coach.Missed: "✗ ", coach.Late: "~ "}
	return []row{kind, {
		name: "Day", value: sign[m.streak.Mark(p.day)] + p.day.Date().Format("2 January 2006"),
		about: why, change: func(by int) { p.move(m, by) },
	}}
}

// levelRow returns the row for the level of random puzzles: any, or each but the last.
func (p *puzzles) levelRow() row {
	n := len(bot.Levels)
	r := row{
		name: "Level", value: "any", about: "A puzzle of any level.",
		change: func(by int) { p.level = (p.level + by + n) % n },
	}
	if p.level > 0 {
		r.value = bot.Levels[p.level-1].Name
		r.about = rulebook.ForLevel(r.value, bot.Levels[p.level].Name).Long
	}
	return r
}

// move chooses another day, from the first one with a puzzle until today.
func (p *puzzles) move(m *Model, days int) {
	p.day = min(max(p.day+coach.Day(days), coach.FirstDay), m.today())
}

// search starts the search for the puzzle.
func (p *puzzles) search(*Model) {
	p.note, p.wait = "", &quest{rules: coach.DailyBook(p.day).Rules, day: p.day}
	if p.book > 0 {
		p.wait = &quest{rules: usual(digit.Books[p.book-1]), level: p.level}
	}
}

// upkeep runs the search, and opens the puzzle when it is found.
func (p *puzzles) upkeep(m *Model) {
	if p.wait == nil || p.busy {
		return
	}
	m.restudy(&p.study, p.wait.rules)
	if p.study.err != nil {
		p.wait, p.note = nil, p.study.describe("")
	}
	if !p.study.ready() {
		return
	}
	p.busy = true
	solution, q, rng := p.study.solution, *p.wait, m.rng()
	m.run(func() act {
		found, err := q.find(m.ctx, solution, rng.IntN)
		return func(m *Model) {
			p.busy, p.wait = false, nil
			switch {
			case !m.shows(p):
			case err != nil:
				p.note = rulebook.Capital(err.Error()) + "."
			default:
				p.open(m, found, q)
			}
		}
	})
}

func (p *puzzles) moving(*Model) bool { return p.wait != nil }

// open shows a puzzle in place of the last one.
func (p *puzzles) open(m *Model, z coach.Puzzle, q quest) {
	for m.top() != page(p) {
		m.pop()
	}
	// the reader has the first seat
	two := pairOf(match.Setup{Names: [2]string{"You", "Computer"}}, match.Seat(z.Rules.Turn(z.At)))
	t := newExercise("Puzzle", z.Prompt(), z.Rules, z.At, two)
	levels := bot.Choosers(p.study.solution)
	t.hard, t.day = rulebook.Missed(coach.Difficulty(z, levels), len(levels)), q.day
	switch q.day {
	case 0:
		t.next = func(*Model) { p.note, p.wait = "", &q }
	case m.today():
		t.title = "Puzzle of the day"
	default:
		t.title = "Puzzle of " + q.day.Date().Format("2 January 2006")
	}
	m.push(t)
}

func (p *puzzles) keys(m *Model) []binding {
	keys := append([]binding{on(p.search, "open", "enter", "space")}, p.form.keys(m)...)
	for i := range len(digit.Books) + 1 {
		keys = append(keys, also(func(m *Model) { p.book = i; p.search(m) }, fmt.Sprint(i)))
	}
	week := func(days int) act { return func(m *Model) { p.book = 0; p.move(m, days) } }
	return append(keys, on(nil, "puzzle", fmt.Sprint("0-", len(digit.Books))),
		also(week(-7), "pgup"), also(week(7), "pgdown"), m.help(), m.back())
}

func (p *puzzles) draw(m *Model, c *canvas) {
	c.header("Puzzles", "one move wins, all others do not", "")
	about := m.streak.Text(m.today())
	switch {
	case p.note != "":
		about = "✗ " + p.note
	case p.wait != nil:
		about = m.spin() + " looking for a puzzle"
	}
	p.drawPage(m, c, about, "Open", p.search)
}
