package web

import (
	"cmp"
	"context"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"digitduel/bot"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/rulebook"
)

// A puzzlesPage lists the puzzles of a month, and offers others.
type puzzlesPage struct {
	Month      time.Time
	Prev, Next string // other months
	Weeks      [][]dayMark
	Figures    []figure
	Books      []digit.Book
	Levels     []bot.Level
	Book       string // the choices of the visitor
	Level      string
	Alert      string
}

// A figure is a number with its label.
type figure struct {
	Value int
	Name  string
}

// dayWords holds the symbol and the words for the result of a day.
var dayWords = map[coach.Mark][2]string{
	coach.Solved: {"✓", "first try"}, coach.Missed: {"✗", "not solved"},
	coach.Late: {"•", "solved later"},
}

// Kind describes the random puzzles that the form asks for.
func (p puzzlesPage) Kind() string {
	game := "Any game"
	if i := slices.Index(digit.BookNames(), p.Book); i >= 0 {
		game = shortName(p.Books[i])
	}
	return game + ", " + cmp.Or(p.Level, "any level") + ". Change"
}

func (s *Server) pagePuzzles(w http.ResponseWriter, r *http.Request) error {
	month := s.Now().UTC()
	if text := r.URL.Query().Get("month"); text != "" {
		var err error
		if month, err = time.Parse("2006-01", text); err != nil {
			return invalid("month %q: a month is written as year and month, as in 2026-01",
				clip(text))
		}
		if last := coach.DayOf(month.AddDate(0, 1, -1)); last < firstDay ||
			coach.DayOf(month) > s.today() {
			return notFound("there are no puzzles in %s; there is one for each day from %v to %v",
				month.Format("2006-01"), firstDay, s.today())
		}
	}
	return s.showPuzzles(w, r, http.StatusOK, puzzlesPage{Month: month, Level: usualLevel})
}

// showPuzzles shows the puzzles of a month, with the results that the browser remembers.
func (s *Server) showPuzzles(w http.ResponseWriter, r *http.Request, status int,
	view puzzlesPage) error {
	view.Books, view.Levels = digit.Books, puzzleLevels()
	view.Month = view.Month.AddDate(0, 0, 1-view.Month.Day())
	diary := diaryOf(r)
	running := diary.On(s.today())
	_, days, _ := strings.Cut(rulebook.DaysRunning(running), " ")
	view.Figures = []figure{{running, days}, {diary.Longest, "best"}, {diary.Solved, "first tries"}}
	first, next := coach.DayOf(view.Month), coach.DayOf(view.Month.AddDate(0, 1, 0))
	path := func(m time.Time) string { return "/puzzle/all?month=" + m.Format("2006-01") }
	if first > firstDay {
		view.Prev = path(view.Month.AddDate(0, -1, 0))
	}
	if next <= s.today() {
		view.Next = path(view.Month.AddDate(0, 1, 0))
	}
	monday := first - coach.Day((int(view.Month.Weekday())+6)%7)
	for day := monday; day < next; day++ {
		if (day-monday)%7 == 0 {
			view.Weeks = append(view.Weeks, nil)
		}
		week := &view.Weeks[len(view.Weeks)-1]
		if day < first {
			*week = append(*week, dayMark{})
			continue
		}
		mark := s.dayMark(diary, day)
		mark.Number = int(day-first) + 1
		if day >= firstDay && day <= s.today() {
			mark.Path = "/puzzle?day=" + day.String()
		}
		*week = append(*week, mark)
	}
	return s.show(w, r, "puzzles",
		page{Status: status, Title: "Past puzzles", Here: "puzzle", Sheet: "puzzle.css",
			Bare: true, Data: view})
}

// searchTime limits the search for a puzzle. Most are found in some thousandths of it; some games
// have none for a level.
const searchTime = 2 * time.Second

// postRandom searches for a puzzle of a game, or of any game, for a level, or for any level.
func (s *Server) postRandom(w http.ResponseWriter, r *http.Request) error {
	form := r.PostForm
	books, err := booksOf(form.Get("book"))
	if err != nil {
		return err
	}
	level, err := puzzleLevel(form.Get("level"))
	if err != nil {
		return err
	}
	var z coach.Puzzle
	var failed error
	if err := s.Charged(r.Context(), s.Address(r),
		func() { z, failed = s.search(r.Context(), books, level) }); err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	if z.Position == "" {
		view := puzzlesPage{Month: s.Now().UTC(), Book: form.Get("book"), Level: form.Get("level"),
			Alert: "No such puzzle was found. Choose another game or another level."}
		return s.showPuzzles(w, r, http.StatusNotFound, view)
	}
	found := posed{Puzzle: z, level: form.Get("level")}
	return s.redirect(w, r, "/puzzle?"+found.query().Encode())
}

// search looks for a puzzle in some games, one after the other, for searchTime. The puzzle has no
// position if none was found.
func (s *Server) search(ctx context.Context, books []digit.Book,
	level int) (z coach.Puzzle, err error) {
	brief, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	for _, i := range rand.Perm(len(books)) {
		solution, err := s.Solver.Solve(ctx, books[i].Rules)
		if err != nil {
			return coach.Puzzle{}, err
		}
		if level < 0 {
			z, err = coach.Random(brief, solution, rand.IntN, nil)
		} else {
			z, err = coach.Fitting(brief, solution, bot.Choosers(solution), level, rand.IntN)
		}
		if err == nil || brief.Err() != nil {
			break
		}
	}
	return z, nil
}
