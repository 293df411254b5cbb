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
		return 0, notFound("there is no puzzle for %v; there is one for each day from %v to %v",
			day, firstDay, today)
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
		return z, notFound("at %s: not a puzzle, which has exactly one winning move",
			rules.Text(at))
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
	diary, mark := diaryOf(r), coach.Untried
	if z.daily {
		mark = diary.Mark(z.day)
	}
	move, wrong := query.Get("move"), wrongOf(query)
	if mark == coach.Missed {
		wrong = max(wrong, 1)
	}
	tries := wrong + 1
	if move == "" && (mark == coach.Solved || mark == coach.Late) { // it stays solved
		move = z.Move.String()
		if mark == coach.Late {
			tries = 0
		}
	}
	view := s.puzzle(z)
	view.Hidden = append(view.Hidden, field{"wrong", strconv.Itoa(wrong)})
	if err := view.answer(z.solution, z.At, move, query.Get("show") == "1"); err != nil {
		return err
	}
	today := z.daily && z.day == s.today()
	switch {
	case view.State == "solved":
		view.Tries = rulebook.Tries(tries)
	case wrong > 0:
		view.Tries = rulebook.TriesUsed(wrong)
	case today && view.Asks():
		view.Tries = "first try counts"
	}
	if view.State == "solved" {
		days := 0
		if today && mark == coach.Solved {
			days = diary.On(z.day)
		}
		if today {
			view.Days = s.daysOf(diary, days)
		}
		if !z.daily {
			view.Line = s.hardness(r, z)
		}
		view.Share = &shareView{rulebook.SharedPuzzle(z.name(), tries, days),
			"/puzzle?" + z.query().Encode()}
	}
	return s.show(w, r, "puzzle",
		page{Title: view.Heading, Module: "puzzle.js", Sheet: "puzzle.css", Bare: true, Data: view})
}

// hardness describes the difficulty of a puzzle of no day, within the limit of the address.
func (s *Server) hardness(r *http.Request, z posed) (text string) {
	_ = s.Charged(r.Context(), s.Address(r), func() { // the text may be left out
		text = rulebook.Missed(coach.Difficulty(z.Puzzle, bot.Choosers(z.solution)),
			len(bot.Levels)).Long
	})
	return text
}

// name returns the name of a puzzle in texts: its day, or its game.
func (z posed) name() string {
	if z.daily {
		return z.day.Date().Format("2 January")
	}
	return rulebook.Name(z.Rules)
}

// puzzle returns a puzzle as its page shows it.
func (s *Server) puzzle(z posed) quiz {
	view := quizOf(z.Rules, z.At)
	view.Method, view.Action, view.Leave = "post", "/puzzle", quizLink{"/puzzle/all", "Past"}
	view.Links = []quizLink{view.Leave}
	ask, find, _ := strings.Cut(z.Prompt().Long, ". ")
	view.ask(strings.TrimSuffix(find, "."), ask+".")
	for _, key := range []string{"day", "book", "at", "level"} {
		if value := z.query().Get(key); value != "" {
			view.Hidden = append(view.Hidden, field{key, value})
		}
	}
	book, level := "", usualLevel
	switch {
	case !z.daily:
		book, level = z.Rules.Book().Name, z.level
		view.Heading = rulebook.Name(z.Rules) + " puzzle"
	case z.day == s.today():
		view.Heading = "Today’s puzzle"
	default:
		view.Heading = z.day.Date().Format("2 January 2006")
	}
	view.Random = []field{{"book", book}, {"level", level}}
	return view
}

// postPuzzle takes an answer, or shows it. The first try of the day counts.
func (s *Server) postPuzzle(w http.ResponseWriter, r *http.Request) error {
	form := r.PostForm
	z, err := s.posedBy(r, form)
	if err != nil {
		return err
	}
	to, wrong, right := z.query(), wrongOf(form), false
	if form.Get("show") == "1" {
		to.Set("show", "1")
	} else {
		text, err := moveOf(z.Rules, z.At, form)
		if err != nil {
			return err
		}
		verdict, err := judge(z.solution, z.At, text)
		if err != nil {
			return err
		}
		if right = verdict.Kept(); !right {
			wrong = min(wrong+1, mostWrong)
		}
		to.Set("move", verdict.Move.String())
	}
	if z.daily {
		s.keepTry(w, r, z.day, right)
	}
	to.Set("wrong", strconv.Itoa(wrong))
	return s.redirect(w, r, "/puzzle?"+to.Encode()+"#answer")
}

// mostWrong limits the wrong tries that are counted.
const mostWrong = 7

// wrongOf returns the number of wrong tries that a visitor sends with a puzzle.
func wrongOf(sent url.Values) int {
	return min(max(number(sent, "wrong"), 0), mostWrong)
}

// today returns the day of the puzzle. It changes at midnight UTC for everyone.
func (s *Server) today() coach.Day { return coach.DayOf(s.Now().UTC()) }
