package web

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"digitduel/bot"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// ownCookie lists the tables where a browser has a seat or an invitation, the latest first:
// "id~id:token". A token that depends on the key of the browser is left out.
const ownCookie = "tables"

// mostOwn limits the tables that a browser remembers.
const mostOwn = 20

// An ownTable is a table that a browser remembers.
type ownTable struct{ id, token string }

// ownTables returns the tables that a browser remembers.
func ownTables(r *http.Request) (own []ownTable) {
	for part := range strings.SplitSeq(cookieOf(r, ownCookie), "~") {
		id, token, _ := strings.Cut(part, ":")
		if id != "" && len(own) < mostOwn &&
			!slices.ContainsFunc(own, func(t ownTable) bool { return t.id == id }) {
			own = append(own, ownTable{id, token})
		}
	}
	return own
}

// remember adds a table and its token to those that a browser remembers, as the first.
func (s *Server) remember(w http.ResponseWriter, r *http.Request, table, token string) {
	for _, key := range cookiesOf(r, browserCookie) {
		for _, seat := range match.Seats {
			if token == s.Keys.Fresh(table, seat, key) {
				token = ""
			}
		}
	}
	parts := []string{strings.TrimSuffix(table+":"+token, ":")}
	for _, t := range ownTables(r) {
		if t.id != table && len(parts) < mostOwn {
			parts = append(parts, strings.TrimSuffix(t.id+":"+t.token, ":"))
		}
	}
	s.cookie(w, r, ownCookie, strings.Join(parts, "~"), "/")
}

// remembers reports whether a browser remembers a table.
func remembers(r *http.Request, table string) bool {
	return slices.ContainsFunc(ownTables(r), func(t ownTable) bool { return t.id == table })
}

// An ownSeat is a table that a browser remembers, with the browser's seat or invitation.
type ownSeat struct {
	match.Summary
	v viewer
}

// An ownGame is a game of the visitor in a list.
type ownGame struct {
	Path    string
	Goal    goalView
	Title   string
	Changes string
	Stands  string // "Your turn"
	Against string // the opponent; empty: none yet, or named already
	Urgent  bool
	Public  bool // everyone may find it
	Seat    int
	Sample  []string
	Since   string
	rank    int // in the list
}

// The order of a browser's games in the list.
const (
	yourMove = iota
	yourAnswer
	theirMove
	theirAnswer
	finished
)

// ownSeats returns the tables where a browser has a seat or an invitation, the last changed first.
// It visits no table.
func (s *Server) ownSeats(r *http.Request) (seats []ownSeat, err error) {
	own := ownTables(r)
	if len(own) == 0 {
		return nil, nil
	}
	ids := make([]string, len(own))
	tokens := map[string]string{}
	for i, t := range own {
		ids[i], tokens[t.id] = t.id, t.token
	}
	tables, err := s.Archive.Tables(r.Context(), match.TableFilter{IDs: ids, Stand: true})
	for _, t := range tables {
		seat := ownSeat{Summary: t}
		ok := true
		if t.Now != nil {
			seat.v, ok = s.owner(r, t.ID, *t.Now, tokens[t.ID])
		}
		if ok {
			seats = append(seats, seat)
		}
	}
	return seats, err
}

// nextStarter returns the seat that starts the visitor's next game of some rules, "1" or "2", if
// the players take turns: not the one that started the last finished game. Played is false if there
// is none.
func nextStarter(own []ownSeat, rules digit.Rules, computer bool) (seat string, played bool) {
	for _, t := range own {
		if t.Now == nil || !t.v.plays || !t.Now.Result.Over() ||
			t.Rules.Named() != rules.Named() || computer != (t.Levels != [2]string{}) {
			continue
		}
		if t.v.is(t.Now.Starter()) {
			return "2", true
		}
		return "1", true
	}
	return "1", false
}

// ownGames returns the games of a browser: those in progress, the most urgent first, and those that
// are over.
func (s *Server) ownGames(own []ownSeat) (running, over []ownGame) {
	for _, t := range own {
		g := ownGame{Path: "/t/" + t.ID, Goal: goalOf(t.Rules), Title: shortName(t.Rules.Named()),
			Changes: changesOf(withoutTarget(t.Rules)), Since: ago(s.Now().Sub(t.Changed)),
			rank: theirMove}
		if t.Now != nil {
			g.stand(*t.Now, t.v)
		} else if g.Stands = rulebook.GoesOn.Short; t.Phase == match.Over {
			g.Stands, g.rank = rulebook.NoGameNow.Short, finished
		}
		if g.rank == finished {
			over = append(over, g)
		} else {
			running = append(running, g)
		}
	}
	slices.SortStableFunc(running, func(a, b ownGame) int { return cmp.Compare(a.rank, b.rank) })
	return running, over
}

// owner returns the viewer of a table by the token that a browser remembers; ok is false if that is
// no longer a seat or an invitation.
func (s *Server) owner(r *http.Request, table string, state match.State,
	token string) (v viewer, ok bool) {
	if v := s.known(r, table, state); v.plays {
		return v, true
	}
	v, ok = s.linked(table, state, token)
	return v, ok && v.link == "" && (v.plays || state.Open[v.seat])
}

// stand sets the state of a game and the next action.
func (g *ownGame) stand(s match.State, v viewer) {
	r, other := rulesFor(s.Setup), v.seat.Other()
	if v.plays {
		g.Seat = int(v.seat) + 1
		g.Against = strings.TrimSuffix(s.Setup.Name(other), " ("+s.Levels[other]+")")
	}
	switch phase := s.Phase(); {
	case phase == match.Waiting:
		g.Stands, g.Against, g.rank = waiting(s, v).Short, "", theirAnswer
		if v.invited {
			g.rank = yourAnswer
		} else if !s.Setup.Listed {
			g.Stands = rulebook.WaitingForFriend.Short
		}
	case phase == match.UnderWay:
		g.Stands = rulebook.Turn(r, s.Position, v.narrator(s).Sides(), false).Short
		g.Sample = sampleAt(r, s.Position, s.Side(v.seat))
		if v.is(s.Turn()) {
			g.rank = yourMove
		} else {
			g.Against = ""
		}
	case s.Game == 0:
		g.Stands = rulebook.NoGameNow.Short
	default:
		g.Stands = rulebook.Outcome(r, s.Result, v.narrator(s).Sides()).Long
		if end := v.narrator(s).SeriesEnd().Long; end != "" {
			g.Stands = strings.TrimSuffix(end, ".")
		}
		g.ended(s, v)
	}
	g.Urgent = g.rank <= yourAnswer
}

// ended sets the next action after a game.
func (g *ownGame) ended(s match.State, v viewer) {
	switch other := v.seat.Other(); {
	case s.Phase() == match.Between:
	case s.Again[other] && s.Levels[other] == "":
		g.Stands, g.Against, g.rank = v.narrator(s).Offer(match.RematchAsked, other).Short, "",
			yourAnswer
	default:
		g.Path, g.rank = fmt.Sprintf("%s/games/%d", g.Path, s.Game), finished
		g.Public = s.Public(s.Game)
	}
}

// sampleAt returns the number of a side as a small picture: its digits, _ for an empty place and +
// for an end where it grows.
func sampleAt(r digit.Rules, p digit.Position, side digit.Side) (sample []string) {
	for _, c := range cellsOf(r, p, side, true, nil) {
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
	kept, _ := url.ParseQuery(cookieOf(r, recordCookie))
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
