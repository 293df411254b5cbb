package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// learnedCookie holds the names of the books whose lessons were finished.
const learnedCookie = "learned"

// A lessonCard is a lesson in the list of all.
type lessonCard struct {
	Name, Title, Idea string
	Goal              goalView
	Done              bool
}

// A lessonPage is a lesson at one of its steps, shown as a table.
type lessonPage struct {
	lessonCard
	Next  *lessonCard // the first lesson to do; nil: all are done
	Step  int         // the moves that the learner has made
	Steps []bool      // whether a step was reached
	See   string      // the instruction; empty: the game is over
	Digit string      // the digit asked for
	Call  string      // the number to call; empty: none
	Play  play
	Board board // the learner's
	Other board
	Head  string // how it ended
	Text  string
	End   *endView
	Start []field // the fields for a game of this book
}

// lessonCards returns the lessons, and the first one to do.
func lessonCards(learned []string) (cards []lessonCard, next *lessonCard) {
	for _, l := range rulebook.Lessons {
		rules := l.Record().Rules
		name := rules.Book().Name
		cards = append(cards, lessonCard{name, rulebook.Name(rules), l.Idea, goalOf(rules),
			slices.Contains(learned, name)})
	}
	if i := slices.IndexFunc(cards, func(c lessonCard) bool { return !c.Done }); i >= 0 {
		next = &cards[i]
	}
	return cards, next
}

// learnedOf returns the names of the books whose lessons were finished in a browser.
func learnedOf(r *http.Request) []string {
	return slices.DeleteFunc(strings.Split(cookieOf(r, learnedCookie), "."),
		func(name string) bool { return !slices.Contains(digit.BookNames(), name) })
}

func (s *Server) pageLearn(w http.ResponseWriter, r *http.Request) error {
	cards, next := lessonCards(learnedOf(r))
	data := struct {
		Cards []lessonCard
		Next  *lessonCard
	}{cards, next}
	return s.show(w, r, "learn",
		page{Title: "Learn", Here: "learn", Sheet: "puzzle.css", Bare: true, Data: data})
}

// pageLesson shows a step of a lesson. A form sends the move asked for, which leads to the next
// step; another move leads nowhere.
func (s *Server) pageLesson(w http.ResponseWriter, r *http.Request) error {
	query, learned := r.URL.Query(), learnedOf(r)
	name := r.PathValue("book")
	i := slices.Index(digit.BookNames(), name)
	if i < 0 {
		return notFound("there is no lesson %q; there is one for each of %s", clip(name),
			strings.Join(digit.BookNames(), ", "))
	}
	solution, err := s.Solver.Solve(r.Context(), rulebook.Lessons[i].Record().Rules)
	if err != nil {
		return err
	}
	l := coach.LessonOf(rulebook.Lessons[i], solution)
	step, err := queryNumber(r, "step", 0, 0, len(l.See))
	if err != nil {
		return err
	}
	played := l.Moves[:min(l.From+2*step, len(l.Moves))]
	see, ask, asks := l.At(played)
	if query.Has("digit") {
		if text, _ := moveOf(l.Rules, digit.Position{}, query); asks && text == ask.String() {
			step++
		}
		return s.redirect(w, r, fmt.Sprintf("/learn/%s?step=%d#answer", name, step))
	}
	if !asks && !slices.Contains(learned, name) {
		learned = append(learned, name)
		s.cookie(w, r, learnedCookie, strings.Join(learned, "."), "/learn")
	}
	cards, next := lessonCards(learned)
	view := lessonPage{lessonCard: cards[i], Next: next, Step: step, See: see}
	view.at(l, played, ask)
	if !asks {
		c := prefsOf(r)
		view.Start = []field{{"go", name}, {"opponent", "computer"}, {"level", c.level},
			{"name", c.name}, {"aim", strconv.Itoa(int(l.Rules.Target))}}
	}
	return s.show(w, r, "lesson",
		page{Title: "Learn " + view.Title, Module: "learn.js", Sheet: "puzzle.css", Bare: true,
			Data: view})
}

// at shows the position of a lesson after some moves, with the move asked for, if there is one.
func (v *lessonPage) at(l coach.Lesson, played []digit.Move, ask digit.Move) {
	r := l.Rules
	state := match.State{Setup: match.Setup{Rules: r}, Game: 1, Moves: played}
	state.Position = state.PositionAt(len(played))
	state.Result = r.Result(state.Position)
	me := r.Turn(state.PositionAt(l.From))
	seat := state.SeatOf(me)
	state.Setup.Names[seat], state.Setup.Names[seat.Other()] = "You", "Computer"
	state.Levels[seat.Other()] = usualLevel
	reader := viewer{seat: seat, plays: true}
	v.Play = playOf(r, state.Position, state.Starter())
	v.Board = boardOf(state, match.Presence{}, seat, reader)
	v.Other = boardOf(state, match.Presence{}, seat.Other(), reader)
	v.Board.You = false // its name says so
	v.Board.Worth, v.Other.Worth = "", ""
	for i := range l.See {
		v.Steps = append(v.Steps, i <= v.Step)
	}
	if v.See == "" {
		_, v.Head, v.Text = headline(state, reader)
		v.End = endOf(state, reader)
		return
	}
	v.Digit = ask.Digit.String()
	if ask.Calls() {
		v.Call = ask.Call.String()
	}
	for i := range v.Board.Cells {
		if c := &v.Board.Cells[i]; c.Target != "" && c.Spot == ask.Spot.String() {
			c.Only, c.Was = false, v.Digit
		} else {
			c.Target = ""
		}
	}
}
