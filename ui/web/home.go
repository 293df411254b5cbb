package web

import (
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"

	"digitduel/bot"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A bookCard is a book as pages list it.
type bookCard struct {
	Name, Title, Line string
	Sample            []string // the places of an example number, some of them filled
	Short             string   // the name in a list of all games
	Goal              goalView
	TargetOptions     []targetOption // the targets to choose from
	Why               string         // the reason why it is fair; empty: it is a book
}

func cardOf(b digit.Book) bookCard {
	r := b.Rules
	card := bookCard{
		b.Name, rulebook.Title(r), sentence(rulebook.Line(r)), sampleOf(r), rulebook.Name(r),
		goalOf(r), targetOptions(r, strconv.Itoa(rulebook.UsualAim)), "",
	}
	if f, ok := rulebook.FairnessOf(r); ok {
		card.Short, card.Why = b.Title, f.Why()
	}
	return card
}

// sampleOf returns the number of the first player after a few moves, always the same ones.
func sampleOf(r digit.Rules) []string {
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
	return sampleAt(r, p, digit.First)
}

func cards(books []digit.Book) []bookCard {
	all := make([]bookCard, len(books))
	for i, b := range books {
		all[i] = cardOf(b)
	}
	return all
}

// named returns the games that pages know by name: the books, then the fair games.
func named() []digit.Book { return slices.Concat(digit.Books, digit.Fair) }

func (s *Server) pageHome(w http.ResponseWriter, r *http.Request) error {
	c := prefsOf(r)
	data := struct {
		Name, Level string
		Levels      []bot.Level
		Books, Fair []bookCard
		Lengths     question
		Starts      question
		Day         coach.Day
		Daily       string
		Waiting     int
		Games       []gameLine
		Now         []ownGame // the visitor's most urgent games
		More, Over  []ownGame // the other games of the visitor
	}{Name: c.name, Level: c.level, Levels: bot.Levels, Books: cards(digit.Books),
		Fair: cards(digit.Fair), Lengths: askLength(""), Starts: askStart(""), Day: s.today(),
		Daily: rulebook.Title(coach.DailyBook(s.today()).Rules)}
	// The lists are an extra: without them the page still offers all games.
	running, over, err := s.ownGames(r)
	atTop := min(len(running), 2) // keep the games to play in sight
	data.Now, data.More, data.Over = running[:atTop], running[atTop:], over[:min(len(over), 6)]
	var waiting []match.Summary
	if err == nil {
		waiting, err = s.lobby(r, mostListed, match.Waiting)
	}
	if err == nil {
		data.Waiting = len(waiting)
		var games []match.Game
		games, err = s.Archive.Games(r.Context(), match.GameFilter{Public: true, Limit: 5})
		data.Games = s.gameLines(games)
	}
	if err != nil && r.Context().Err() == nil {
		s.Log.Error("the lists of the home page could not be read", "error", err)
	}
	return s.show(w, r, http.StatusOK, "home", page{Title: "Digit Duel", Here: "home", Data: data})
}
