package web

import (
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"slices"

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
	return bookCard{b.Name, rulebook.Title(b.Rules), sentence(rulebook.Line(b.Rules)), sampleOf(b.Rules)}
}

// sampleOf returns the number of who moves first after a few moves, which are always the same ones: its digits, _ for an empty
// place and + for an end at which it grows.
func sampleOf(r digit.Rules) (sample []string) {
	seed := fnv.New64()
	seed.Write([]byte(r.String()))
	rng := rand.New(rand.NewPCG(seed.Sum64(), 4))
	var p digit.Position
	for tries := 0; tries < 20 && r.Held(p, digit.First).Len() < 2; tries++ {
		moves := slices.Collect(r.Moves(p))
		if next, _ := r.Play(p, moves[rng.IntN(len(moves))]); !r.Result(next).Over() {
			p = next
		}
	}
	for _, c := range cellsOf(r, p, digit.First, true, nil) {
		switch {
		case c.Digit != "":
			sample = append(sample, c.Digit)
		case r.Place == digit.Ends:
			sample = append(sample, "+")
		default:
			sample = append(sample, "_")
		}
	}
	return sample
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
	}{c.name, c.level, bot.Levels, cards(), s.today(), rulebook.Title(coach.DailyBook(s.today()).Rules), 0, nil}
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
