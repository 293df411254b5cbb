package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"digitduel/bot"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// dayOf returns the day of a puzzle. It refuses days to come and days before the first puzzle.
func (s *Server) dayOf(text string) (coach.Day, error) {
	today := s.today()
	if text == "" {
		return today, nil
	}
	day, err := coach.ParseDay(text)
	if err != nil {
		return 0, invalid("%v", err)
	}
	if day > today || day < firstDay {
		return 0, &problem{status: http.StatusNotFound,
			text: fmt.Sprintf("there is no puzzle for %v; there is one for each day from %v to %v",
				day, firstDay, today)}
	}
	return day, nil
}

const firstDay = coach.FirstDay

// A posed puzzle is that of a day, or of any position.
type posed struct {
	coach.Puzzle
	solution *solve.Solution
	daily    bool
	day      coach.Day
	level    string // the level it was searched for, if it is not that of a day
}

// posedBy returns the puzzle that an address or a form asks for.
func (s *Server) posedBy(r *http.Request, asked url.Values) (z posed, err error) {
	if asked.Get("at") != "" {
		return s.posedAt(r, asked)
	}
	day, err := s.dayOf(asked.Get("day"))
	if err != nil {
		return z, err
	}
	return s.puzzleOf(r, day)
}

// puzzleOf returns the puzzle of a day.
func (s *Server) puzzleOf(r *http.Request, day coach.Day) (z posed, err error) {
	solution, err := s.Solver.Solve(r.Context(), coach.DailyBook(day).Rules)
	if err != nil {
		return z, err
	}
	puzzle, ok := coach.Daily(solution, day)
	if !ok {
		return z, fmt.Errorf("no puzzle for %v", day)
	}
	return posed{Puzzle: puzzle, solution: solution, daily: true, day: day}, nil
}

// posedAt returns the puzzle of a position of a book.
func (s *Server) posedAt(r *http.Request, asked url.Values) (z posed, err error) {
	books, err := booksOf(asked.Get("book"))
	if err != nil {
		return z, err
	}
	rules := books[0].Rules
	at, err := rules.ParsePosition(asked.Get("at"))
	if err != nil {
		return z, invalid("at: %v", err)
	}
	z.level = asked.Get("level")
	if _, err := puzzleLevel(z.level); err != nil {
		return z, err
	}
	if z.solution, err = s.Solver.Solve(r.Context(), rules); err != nil {
		return z, err
	}
	var ok bool
	if z.Puzzle, ok = coach.PuzzleAt(z.solution, at); !ok {
		return z, &problem{status: http.StatusNotFound,
			text: fmt.Sprintf("at %s: not a puzzle, which has exactly one winning move",
				rules.Text(at))}
	}
	return z, nil
}

// booksOf returns the book of a name, or all books if name is empty.
func booksOf(name string) ([]digit.Book, error) {
	if name == "" {
		return digit.Books, nil
	}
	i := slices.Index(digit.BookNames(), name)
	if i < 0 {
		return nil, invalid("book %q: allowed: %s", clip(name),
			strings.Join(digit.BookNames(), ", "))
	}
	return digit.Books[i : i+1], nil
}

// puzzleLevels returns the levels of puzzles: the level misses the move, and the next one finds it.
func puzzleLevels() []bot.Level { return bot.Levels[:len(bot.Levels)-1] }

// puzzleLevel returns the index of a level by its name; -1: any level.
func puzzleLevel(name string) (int, error) {
	if name == "" {
		return -1, nil
	}
	names := bot.LevelNames()[:len(puzzleLevels())]
	i := slices.Index(names, name)
	if i < 0 {
		return i, invalid("level %q: allowed: %s", clip(name), strings.Join(names, ", "))
	}
	return i, nil
}

// query returns the query of an address for a puzzle.
func (z posed) query() url.Values {
	if z.daily {
		return url.Values{"day": {z.day.String()}}
	}
	q := url.Values{"book": {z.Rules.Book().Name}, "at": {z.Position}}
	if z.level != "" {
		q.Set("level", z.level)
	}
	return q
}

func (s *Server) pagePuzzle(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	z, err := s.posedBy(r, query)
	if err != nil {
		return err
	}
	view, wrong := s.puzzle(z), wrongOf(query)
	view.Hidden = append(view.Hidden, field{"wrong", strconv.Itoa(wrong)})
	if err := view.answer(z.solution, z.At, query.Get("move"),
		query.Get("show") == "1"); err != nil {
		return err
	}
	diary := diaryOf(r)
	if z.daily {
		view.Line = s.counts(diary, z.day)
	} else {
		view.Line = s.hardness(r, z)
	}
	if view.Solved {
		name, days := view.Title, 0
		if z.daily {
			name = z.day.String()
		}
		if z.daily && z.day == s.today() { // the days in a row end with it
			days = diary.On(z.day)
		}
		view.Share = &shareView{rulebook.SharedPuzzle(name, wrong, days),
			"/puzzle?" + z.query().Encode()}
	}
	return s.show(w, r, http.StatusOK, "puzzle",
		page{Title: view.Heading, Module: "puzzle.js", Sheet: "puzzle.css", Bare: true, Data: view})
}

// counts describes the days in a row, or says that there may be a first one.
func (s *Server) counts(d coach.Diary, day coach.Day) string {
	switch {
	case d.Tried > 0:
		return d.Text(s.today())
	case day == s.today():
		return "Today counts if your first try is right."
	default:
		return ""
	}
}

// hardness describes the difficulty of a puzzle of no day, within the limit of the address.
func (s *Server) hardness(r *http.Request, z posed) (told string) {
	_ = s.Charged(r.Context(), s.Address(r), func() { // the text may be left out
		told = rulebook.Missed(coach.Difficulty(z.Puzzle, bot.Choosers(z.solution)),
			len(bot.Levels)).Long
	})
	return told
}

// puzzle returns a puzzle as its page shows it.
func (s *Server) puzzle(z posed) quiz {
	view := quizOf(z.Rules, z.At)
	view.Heading, view.Ask, view.Method, view.Action = "A puzzle", z.Prompt().Long, "post",
		"/puzzle"
	for _, key := range []string{"day", "book", "at", "level"} {
		if value := z.query().Get(key); value != "" {
			view.Hidden = append(view.Hidden, field{key, value})
		}
	}
	show := z.query()
	show.Set("show", "1")
	view.Give = "/puzzle?" + show.Encode() + "#answer"
	if !z.daily {
		view.Again = []field{{"book", z.Rules.Book().Name}, {"level", z.level}}
		view.Links = []quizLink{{Path: "/puzzle", Text: "Today’s"},
			{Path: "/puzzle/all", Text: "All puzzles"}}
		return view
	}
	view.Heading = "Puzzle " + z.day.String()
	if z.day == s.today() {
		view.Heading = "Puzzle of the day"
	}
	if z.day > firstDay {
		view.Links = append(view.Links,
			quizLink{Path: "/puzzle?day=" + (z.day - 1).String(), Text: "Day before", Rel: "prev"})
	}
	if z.day < s.today() {
		view.Links = append(view.Links,
			quizLink{Path: "/puzzle?day=" + (z.day + 1).String(), Text: "Day after", Rel: "next"})
	}
	view.Links = append(view.Links, quizLink{Path: "/puzzle/all", Text: "All puzzles"})
	return view
}

// postPuzzle takes an answer. The first one of the day counts.
func (s *Server) postPuzzle(w http.ResponseWriter, r *http.Request) error {
	form, err := formOf(r)
	if err != nil {
		return err
	}
	z, err := s.posedBy(r, form)
	if err != nil {
		return err
	}
	text, err := moveOf(z.Rules, z.At, form)
	if err != nil {
		return err
	}
	verdict, err := judge(z.solution, z.At, text)
	if err != nil {
		return err
	}
	if z.daily {
		s.keepTry(w, r, z.day, verdict.Kept())
	}
	wrong := wrongOf(form)
	if !verdict.Kept() {
		wrong = min(wrong+1, mostWrong)
	}
	to := z.query()
	to.Set("move", verdict.Move.String())
	to.Set("wrong", strconv.Itoa(wrong))
	s.redirect(w, r, "/puzzle?"+to.Encode()+"#answer")
	return nil
}

// mostWrong limits the wrong tries that are counted.
const mostWrong = 9

// wrongOf returns the number of wrong tries that a visitor sends with a puzzle.
func wrongOf(sent url.Values) int {
	n, _ := strconv.Atoi(sent.Get("wrong")) // other text is 0
	return min(max(n, 0), mostWrong)
}

// today returns the day of the puzzle. It changes at midnight UTC for everyone.
func (s *Server) today() coach.Day { return coach.DayOf(s.Now().UTC()) }
