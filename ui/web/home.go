package web

import (
	"net/http"
	"slices"
	"strconv"

	"digitduel/bot"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A homeView is the home page of a visitor.
type homeView struct {
	Fresh bool      // the visitor has not finished a game yet
	Now   []ownGame // the most urgent games
	More  int       // the number of other games in progress
	Daily *dailyCard
	Prefs prefs
	Start digit.Book // the game of the large button
	Again string     // who starts it; empty: it was not played yet
	Tally string     // the record of the visitor in it
	Nudge *nudge
	Games []digit.Book // the other games
	Sheet sheetView
}

// A nudge offers another level after a run of wins or losses.
type nudge struct{ Text, Level string }

func (s *Server) pageHome(w http.ResponseWriter, r *http.Request) error {
	return s.showHome(w, r, http.StatusOK, prefsOf(r), sheetView{})
}

// showHome shows the home page with some choices, and the sheet to change them.
func (s *Server) showHome(w http.ResponseWriter, r *http.Request, status int, c prefs,
	sheet sheetView) error {
	// The lists are an extra: without them the page still offers all games.
	own, err := s.ownSeats(r)
	var all tallies
	if err == nil {
		all, err = s.countGames(w, r, own)
	}
	var waiting []match.Summary
	if err == nil {
		waiting, err = s.lobby(r, mostListed, true)
	}
	view := homeView{Prefs: c}
	if err == nil {
		view.Daily, err = s.daily(r)
	}
	if err != nil && r.Context().Err() == nil {
		s.Log.Error("the lists of the home page could not be read", "error", err)
	}
	running, over := s.ownGames(own)
	view.Fresh = len(over) == 0 && len(all) == 0
	atTop := min(len(running), 2) // keep the games to play in sight
	view.Now, view.More = running[:atTop], len(running)-atTop
	last := digit.Books[0].Name
	if i := slices.IndexFunc(own, func(t ownSeat) bool { return t.v.plays && t.Game > 0 }); i >= 0 {
		last = own[i].Rules.Named().Name
	}
	for _, b := range named() {
		if choosesTarget(b.Rules) {
			aim, _ := strconv.ParseUint(c.aim, 10, 16) // it is valid
			b.Rules.Target = uint16(aim)
		}
		if b.Name != last {
			view.Games = append(view.Games, b)
			continue
		}
		view.Start = b
		if first, played := nextStarter(own, b.Rules, c.opponent == computer); played {
			view.Again = againText(c, first)
		}
	}
	if c.opponent == computer {
		t := all[last+" "+c.level]
		view.Tally = rulebook.Tally(c.level, t.Won, t.Lost, t.Drawn).Short
		if next := t.Next(c.level, 1, bot.LevelNames()); next != "" {
			view.Nudge = &nudge{rulebook.AskLevel(t.Run, next).Short, next}
		}
	}
	sheet.Questions = s.possible([]question{askOpponent(c.opponent, len(waiting)),
		askLevel("level", "Strength", c.level), askFirst(c.first), askClock(c.clock),
		askAim(digit.Divisibility, "Divisibility: multiples of", c.aim)})
	view.Sheet = sheet
	return s.show(w, r, "home",
		page{Status: status, Title: "Digit Duel", Here: "home", Module: "home.js", Data: view})
}

// againText says who starts the next game, given the seat that starts if the players take turns.
func againText(c prefs, turns string) string {
	if c.first != takeTurns {
		turns = c.first
	}
	switch {
	case c.opponent == match.Anyone || c.opponent == samePhone || turns == toss:
		return "Play again"
	case turns == "1":
		return "Play again: you start"
	case c.opponent == computer:
		return "Play again: the computer starts"
	default:
		return "Play again: your friend starts"
	}
}

// A dailyCard is the puzzle of the day on the home page.
type dailyCard struct {
	Line string
	Days *daysView // nil: the visitor has not tried a puzzle yet
	Done bool
	// the numbers of the opponent and of the player to move
	Other, Mine []string
}

// daily returns the puzzle of the day, with the results that the browser remembers.
func (s *Server) daily(r *http.Request) (*dailyCard, error) {
	today, diary := s.today(), diaryOf(r)
	z, err := s.puzzleOf(r, today)
	if err != nil {
		return nil, err
	}
	at, turn := z.At, z.Rules.Turn(z.At)
	card := &dailyCard{Line: "Only one move wins."}
	if diary.Tried > 0 || len(diary.Days) > 0 {
		card.Days = s.daysOf(diary, diary.On(today))
	}
	if mark := diary.Mark(today); mark == coach.Solved || mark == coach.Late {
		at, _ = z.Rules.Play(at, z.Move)
		card.Line, card.Done = "Solved.", true
		if card.Days.Running != "" {
			card.Line += " " + card.Days.Running + "."
		}
	}
	card.Mine, card.Other = sampleAt(z.Rules, at, turn), sampleAt(z.Rules, at, turn.Other())
	return card, nil
}
