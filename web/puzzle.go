package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

// streakCookie keeps how a visitor does with the daily puzzles. It is theirs alone to fake.
const streakCookie = "streak"

// streakOf reads the streak of a visitor. What is not written as it is kept is none.
func streakOf(r *http.Request) coach.Streak {
	cookie, err := r.Cookie(streakCookie)
	if err != nil {
		return coach.Streak{}
	}
	parts := strings.Split(cookie.Value, ".")
	var n [5]int
	if len(parts) != len(n) {
		return coach.Streak{}
	}
	for i, part := range parts {
		const most = 1_000_000
		if n[i], err = strconv.Atoi(part); err != nil || n[i] < 0 || n[i] > most {
			return coach.Streak{}
		}
	}
	return coach.Streak{Last: coach.Day(n[0]), Current: n[1], Longest: n[2], Solved: n[3], Tried: n[4]}
}

func (s *Server) keepStreak(w http.ResponseWriter, r *http.Request, k coach.Streak) {
	http.SetCookie(w, &http.Cookie{
		Name: streakCookie, Value: fmt.Sprintf("%d.%d.%d.%d.%d", k.Last, k.Current, k.Longest, k.Solved, k.Tried), Path: "/puzzle", MaxAge: year,
		HttpOnly: true, Secure: s.secure(r), SameSite: http.SameSiteLaxMode,
	})
}

// dayOf returns the day whose puzzle is asked for: not one to come, nor one before there were any.
func (s *Server) dayOf(text string) (coach.Day, error) {
	today := s.today()
	if text == "" {
		return today, nil
	}
	day, err := coach.ParseDay(text)
	if err != nil {
		return 0, unfit("%v", err)
	}
	if day > today || day < firstDay {
		return 0, &problem{status: http.StatusNotFound, text: fmt.Sprintf("there is no puzzle for %v; there is one for each day from %v to %v", day, firstDay, today)}
	}
	return day, nil
}

const firstDay = coach.FirstDay

// puzzleOf returns the puzzle of a day and the solution of its game.
func (s *Server) puzzleOf(r *http.Request, day coach.Day) (*solve.Solution, coach.Puzzle, error) {
	solution, err := s.Solver.Solve(r.Context(), coach.DailyBook(day).Rules)
	if err != nil {
		return nil, coach.Puzzle{}, err
	}
	z, ok := coach.Daily(solution, day)
	if !ok {
		return nil, coach.Puzzle{}, fmt.Errorf("the puzzle of %v: there is none", day)
	}
	return solution, z, nil
}

// A quiz is a position in which somebody looks for a move, and the verdict on a try if there was one.
type quiz struct {
	Title  string // of the game
	Name   string // of the book
	Goal   goalView
	Board  board // of who is to find the move
	Other  board
	Play   play
	Tried  bool
	Solved bool
	Told   string // of the try
	Answer string // the move, once it was given up
}

// quizOf sets a position to who is to move, who sits on the first seat.
func quizOf(r digit.Rules, p digit.Position) quiz {
	turn := r.Turn(p)
	return quiz{
		Title: rulebook.Title(r), Name: r.Book().Name, Goal: goalOf(r), Play: playOf(r, p, match.Seat(turn)),
		Board: board{
			Seat: 1, Mark: marks[0], Name: "Your number", You: true, Turn: true, Place: r.Place.String(), Cells: cellsOf(r, p, turn, true, nil),
		},
		Other: board{
			Seat: 2, Mark: marks[1], Name: "The other number", Place: r.Place.String(), Cells: cellsOf(r, p, turn.Other(), false, nil),
		},
	}
}

// answer takes a move for an answer, or tells the right one to who has given up.
func (q *quiz) answer(s *solve.Solution, p digit.Position, move string, show bool) error {
	if move != "" {
		verdict, err := judge(s, p, move)
		if err != nil {
			return err
		}
		q.Tried, q.Solved, q.Told = true, verdict.Kept(), verdict.Told
	}
	if show && !q.Solved {
		hint, _ := coach.Advise(s, p, coach.Reader(s.Rules().Turn(p))) // the game is not over
		q.Answer = hint.Reason
	}
	return nil
}

// A puzzlePage is the puzzle of a day.
type puzzlePage struct {
	quiz
	Day        coach.Day
	Today      bool
	Ask        string
	Prev, Next string
	From       coach.Day // the first day with a puzzle
	Streak     string
	Wrong      int // tries so far that were wrong, as the visitor says
	Share      *shareView
}

func (s *Server) pagePuzzle(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	day, err := s.dayOf(query.Get("day"))
	if err != nil {
		return err
	}
	solution, z, err := s.puzzleOf(r, day)
	if err != nil {
		return err
	}
	view := s.puzzle(z, day)
	view.Wrong = wrongOf(query)
	streak := streakOf(r)
	if streak.Tried > 0 {
		view.Streak = streak.Told(s.today())
	}
	if err := view.answer(solution, z.At, query.Get("move"), query.Get("show") == "1"); err != nil {
		return err
	}
	if view.Solved {
		view.Share = &shareView{rulebook.SharedPuzzle(day.String(), view.Wrong, streak.On(s.today())), s.origin(r) + "/puzzle?day=" + day.String()}
	}
	return s.show(w, r, http.StatusOK, "puzzle", page{Title: "Puzzle of " + day.String(), Here: "puzzle", Module: "puzzle.js", Data: view})
}

// puzzle returns a puzzle as its page shows it.
func (s *Server) puzzle(z coach.Puzzle, day coach.Day) puzzlePage {
	view := puzzlePage{quiz: quizOf(z.Rules, z.At), Day: day, Today: day == s.today(), Ask: z.Prompt().Long, From: firstDay}
	if day > firstDay {
		view.Prev = "/puzzle?day=" + (day - 1).String()
	}
	if day < s.today() {
		view.Next = "/puzzle?day=" + (day + 1).String()
	}
	return view
}

func judge(s *solve.Solution, p digit.Position, text string) (coach.Verdict, error) {
	m, err := digit.ParseMove(text)
	if err != nil {
		return coach.Verdict{}, err
	}
	r := s.Rules()
	verdict, err := coach.Judge(s, p, m, coach.Reader(r.Turn(p)))
	if illegal := new(digit.MoveError); errors.As(err, &illegal) {
		wrong := unfit("%v", err)
		wrong.told = rulebook.Refused(r, p, illegal, you).Long
		return verdict, wrong
	}
	return verdict, err
}

// postPuzzle takes an answer. The first one of the day counts.
func (s *Server) postPuzzle(w http.ResponseWriter, r *http.Request) error {
	form, err := formOf(r)
	if err != nil {
		return err
	}
	day, err := s.dayOf(form.Get("day"))
	if err != nil {
		return err
	}
	solution, z, err := s.puzzleOf(r, day)
	if err != nil {
		return err
	}
	text, err := moveOf(z.Rules, z.At, form)
	if err != nil {
		return err
	}
	verdict, err := judge(solution, z.At, text)
	if err != nil {
		return err
	}
	if day == s.today() {
		s.keepStreak(w, r, streakOf(r).After(day, verdict.Kept()))
	}
	wrong := wrongOf(form)
	if !verdict.Kept() {
		wrong = min(wrong+1, mostWrong)
	}
	to := url.Values{"day": {day.String()}, "move": {verdict.Move.String()}, "wrong": {strconv.Itoa(wrong)}}
	http.Redirect(w, r, "/puzzle?"+to.Encode()+"#answer", http.StatusSeeOther)
	return nil
}

// mostWrong is how many wrong tries are counted.
const mostWrong = 9

// wrongOf returns how many tries at a puzzle were wrong, by what a visitor sends along.
func wrongOf(sent url.Values) int {
	n, _ := strconv.Atoi(sent.Get("wrong")) // what is no number is 0
	return min(max(n, 0), mostWrong)
}

// today returns the day of the puzzle: it changes at midnight UTC, for everybody at once.
func (s *Server) today() coach.Day { return coach.DayOf(s.Now().UTC()) }
