package web

import (
	"net/http"
	"strings"

	"digitduel/bot"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A bookCard is a book as pages list it.
type bookCard struct {
	Name, Title, Line string
	Sample            []string // the places of a number of its, some of them filled
}

func cardOf(b digit.Book) bookCard {
	sample := map[string]string{"dilemma": "7 _ 1", "sevens": "1 2 7", "highest": "9 7 _", "divisibility": "+ 4 2 +", "reverse": "1 _ 3"}[b.Name]
	return bookCard{b.Name, bookTitle(b), sentence(rulebook.Line(b.Rules)), strings.Fields(sample)}
}

func cards() []bookCard {
	all := make([]bookCard, len(digit.Books))
	for i, b := range digit.Books {
		all[i] = cardOf(b)
	}
	return all
}

func (s *Server) pageHome(w http.ResponseWriter, r *http.Request) error {
	c := prefsOf(r)
	data := struct {
		Name, Level string
		Levels      []bot.Level
		Books       []bookCard
		Day         coach.Day
		Daily       string
		Waiting     int
		Games       []gameLine
	}{c.name, c.level, bot.Levels, cards(), s.today(), bookTitle(coach.DailyBook(s.today())), 0, nil}
	// What is listed is an extra: without it there is still everything to play.
	waiting, err := s.lobby(r, mostListed, match.Waiting)
	if err == nil {
		data.Waiting = len(waiting)
		var games []match.Game
		games, err = s.Archive.Games(r.Context(), match.GameFilter{Limit: 5})
		data.Games = s.gameLines(games)
	}
	if err != nil && r.Context().Err() == nil {
		s.Log.Error("the lists of the home page could not be read", "error", err)
	}
	return s.show(w, r, http.StatusOK, "home", page{Title: "Digit Duel", Here: "home", Data: data})
}
