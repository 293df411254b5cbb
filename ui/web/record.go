package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"digitduel/bot"
	"digitduel/coach"
	"digitduel/match"
	"digitduel/rulebook"
)

// recordCookie counts the games of a browser against the computer by game and level, with the run
// of wins, and holds the time up to which they are counted:
// "since=17672256&dilemma+casual=5.2.1.3".
const recordCookie = "record"

// A tallies holds the games of a visitor against the computer, by game and level: "dilemma casual".
type tallies map[string]coach.Tally

// talliesOf reads the counted games of a browser, and the end of the last one in microseconds.
// Invalid entries are ignored.
func talliesOf(r *http.Request) (all tallies, since int64) {
	all = tallies{}
	cookie, err := r.Cookie(recordCookie)
	if err != nil {
		return all, since
	}
	kept, _ := url.ParseQuery(cookie.Value)
	for key := range kept {
		var t coach.Tally
		if n, _ := fmt.Sscanf(kept.Get(key), "%d.%d.%d.%d", &t.Won, &t.Lost, &t.Drawn,
			&t.Run); n == 4 && min(t.Won, t.Lost, t.Drawn) >= 0 {
			all[key] = t
		}
	}
	since, _ = strconv.ParseInt(kept.Get("since"), 10, 64)
	return all, since
}

// countGames returns the counted games of a browser with those that have ended since, and saves
// them.
func (s *Server) countGames(w http.ResponseWriter, r *http.Request,
	own []ownSeat) (tallies, error) {
	all, since := talliesOf(r)
	var ended []match.Game
	for _, t := range own {
		if !t.v.plays || t.Levels == [2]string{} || t.Changed.UnixMicro() < since {
			continue
		}
		games, err := s.Archive.Games(r.Context(),
			match.GameFilter{Table: t.ID, Limit: mostListed})
		if err != nil {
			return all, err
		}
		ended = append(ended, slices.DeleteFunc(games,
			func(g match.Game) bool { return g.Ended.UnixMicro() <= since })...)
	}
	if len(ended) == 0 {
		return all, nil
	}
	slices.SortFunc(ended, func(a, b match.Game) int { return a.Ended.Compare(b.Ended) })
	for _, g := range ended {
		rules, level := g.Record.Rules, coach.Opponent(g.Record)
		if level != "" && changesOf(withoutTarget(rules)) == "" {
			key := rules.Named().Name + " " + level
			all[key] = all[key].After(g.Record)
		}
	}
	kept := url.Values{"since": {strconv.FormatInt(ended[len(ended)-1].Ended.UnixMicro(), 10)}}
	for key, t := range all {
		kept.Set(key, fmt.Sprintf("%d.%d.%d.%d", t.Won, t.Lost, t.Drawn, t.Run))
	}
	s.cookie(w, r, recordCookie, kept.Encode(), "/")
	return all, nil
}

// A recordLine is the record of a visitor in a game.
type recordLine struct {
	Title  string
	Levels []string // "casual: 5 won, 2 lost"
}

// lines returns the records of all games that were played.
func (all tallies) lines() (lines []recordLine) {
	for _, b := range named() {
		line := recordLine{Title: shortName(b)}
		for _, level := range bot.LevelNames() {
			t := all[b.Name+" "+level]
			line.Levels = append(line.Levels, rulebook.Tally(level, t.Won, t.Lost, t.Drawn).Short)
		}
		line.Levels = slices.DeleteFunc(line.Levels, func(l string) bool { return l == "" })
		if len(line.Levels) > 0 {
			lines = append(lines, line)
		}
	}
	return lines
}

// pageYours lists the games of a visitor and their record.
func (s *Server) pageYours(w http.ResponseWriter, r *http.Request) error {
	own, err := s.ownSeats(r)
	if err != nil {
		return err
	}
	all, err := s.countGames(w, r, own)
	if err != nil {
		return err
	}
	var data struct {
		Running, Over []ownGame
		Record        []recordLine
	}
	data.Running, data.Over = s.ownGames(own)
	data.Record = all.lines()
	return s.show(w, r, "yours",
		page{Title: "Your games", Here: "yours", Data: data})
}
