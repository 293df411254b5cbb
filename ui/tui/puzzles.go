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
	at    int       // the chosen row: the puzzle of a day, then the books
	day   coach.Day // the chosen day
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

func (m *Model) openPuzzles() { m.push(&puzzles{day: m.today()}) }

// startPuzzle opens the puzzle that the model starts with, over the page of puzzles.
func (m *Model) startPuzzle(z Puzzle) {
	p := &puzzles{day: m.today(), level: 1 + slices.Index(bot.LevelNames(), z.Level)}
	q := quest{z.Rules, z.Day, p.level}
	if z.Day != 0 {
		p.day = z.Day
	} else if at := slices.IndexFunc(digit.Books, func(b digit.Book) bool {
		return b.Name == z.Rules.Book().Name
	}); at >= 0 {
		p.at = at + 1
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

// list returns the puzzle of a day, then one of each book.
func (p *puzzles) list(m *Model) list {
	name := "Puzzle of the day"
	if p.day != m.today() {
		name = "Puzzle, " + p.day.Date().Format("2 Jan 2006")
	}
	items := []item{{"0", name, nil, rulebook.Title(coach.DailyBook(p.day).Rules), false}}
	for i, b := range digit.Books {
		items = append(items, item{
			key: fmt.Sprint(i + 1), name: rulebook.Title(b.Rules),
			below: rulebook.Goal(usual(b)).Short,
		})
	}
	return listOf(&p.at, items, p.search)
}

// search starts the search for the puzzle of a row.
func (p *puzzles) search(_ *Model, i int) {
	p.note, p.wait = "", &quest{rules: coach.DailyBook(p.day).Rules, day: p.day}
	if i > 0 {
		p.wait = &quest{rules: usual(digit.Books[i-1]), level: p.level}
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
		found, err := q.find(m.background.ctx, solution, rng.IntN)
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

// to returns the act that chooses another day, from the first one until today.
func (p *puzzles) to(m *Model, day coach.Day) act {
	return func(*Model) { p.at, p.day = 0, min(max(day, m.firstDay()), m.today()) }
}

// toLevel returns the act that changes the level: any, or each but the last.
func (p *puzzles) toLevel(by int) act {
	n := len(bot.Levels)
	return func(*Model) { p.at, p.level = max(p.at, 1), (p.level+by+n)%n }
}

// firstDay returns the first day with a puzzle, and today if the clock is before it.
func (m *Model) firstDay() coach.Day { return min(coach.FirstDay, m.today()) }

func (p *puzzles) keys(m *Model) []binding {
	l := p.list(m)
	days := func(by coach.Day) act { return p.to(m, p.day+by) }
	what, less, more := "day", days(-1), days(1)
	if p.at > 0 {
		what, less, more = "level", p.toLevel(-1), p.toLevel(1)
	}
	keys := append([]binding{also(less, "left"), also(more, "right")}, l.keys("open")...)
	return append(keys, on(more, what, "←→"), also(l.opens(p.at), "space"),
		also(days(-1), ","), also(days(1), "."), also(days(-7), "pgup"), also(days(7), "pgdown"),
		also(p.to(m, 0), "home", "<"), also(p.to(m, m.today()), "end", ">"),
		m.help(), m.back())
}

// about describes the chosen row: whether the day counts, or which level a puzzle is for.
func (p *puzzles) about(m *Model) string {
	switch {
	case p.at == 0:
		return m.streak.Why(m.today(), p.day)
	case p.level == 0:
		return "A puzzle of any level."
	default:
		return rulebook.ForLevel(bot.Levels[p.level-1].Name, bot.Levels[p.level].Name).Long
	}
}

// levelName returns the level of random puzzles.
func (p *puzzles) levelName() string {
	if p.level == 0 {
		return "any"
	}
	return bot.Levels[p.level-1].Name
}

func (p *puzzles) draw(m *Model, c *canvas) {
	c.header("Puzzles", "one move wins, all others do not", "")
	b := c.body()
	if c.class() != compact {
		b.y, b.h = b.y+1, b.h-1
	}
	list := rect{b.x, b.y, b.w - calendarWidth - 1, b.h}
	p.drawCalendar(m, c, b.right()-calendarWidth, b.y)
	y := max(p.drawList(m, c, list), b.y+calendarHeight) + 1
	lines := []line{accent.line(p.about(m)), {text: m.streak.Text(m.today())}}
	if about := p.status(m); about != "" {
		lines = append(lines, even.line(about))
	}
	if y+rowsOf(lines, b.w) > b.bottom() { // without the blank row
		y--
	}
	c.lines(rect{b.x, y, b.w, b.bottom() - y}, 0, lines...)
}

// drawList draws the rows and the level, and returns the row below.
func (p *puzzles) drawList(m *Model, c *canvas, r rect) int {
	l := p.list(m)
	if c.class() == compact {
		for i := range l.items {
			l.items[i].below = ""
		}
	}
	y := l.draw(c, r)
	if c.class() == compact {
		y++
	}
	x := c.text(r.x+2, y, muted, "Level ")
	x = p.arrow(c, x, y, "◂", -1)
	x = c.text(x, y, strong, " "+p.levelName()+" ")
	p.arrow(c, x, y, "▸", 1)
	return y + 1
}

// arrow draws a sign that changes the level when clicked, and returns the column after it.
func (p *puzzles) arrow(c *canvas, x, y int, sign string, by int) int {
	c.zone(rect{x - 1, y, 3, 1}, p.toLevel(by))
	return c.text(x, y, active, sign)
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
