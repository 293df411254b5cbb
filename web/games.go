package web

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// A tableLine is a table as the lobby lists it.
type tableLine struct {
	ID        string
	Title     string
	Changes   string
	Names     [2]string
	Agreement string
	Phase     match.Phase
	Score     string
	Since     string
	At        time.Time
}

func (s *Server) tableLine(t match.Summary) tableLine {
	line := tableLine{
		t.ID, titleOf(t.Rules), changesOf(t.Rules), [2]string{}, agreementOf(t.BestOf, t.TurnTime), t.Phase, "", ago(s.Now().Sub(t.Opened)), t.Opened.UTC(),
	}
	for _, seat := range match.Seats {
		line.Names[seat] = (match.Setup{Names: t.Names}).Name(seat)
	}
	if t.BestOf > 1 {
		line.Score = fmt.Sprintf("%d : %d", t.Wins[match.One], t.Wins[match.Two])
	}
	return line
}

func (s *Server) pageLobby(w http.ResponseWriter, r *http.Request) error {
	tables, err := s.lobby(r, mostListed, match.Waiting, match.UnderWay, match.Between)
	if err != nil {
		return err
	}
	var data struct {
		Open, Running []tableLine
		Name          string
		Books         []bookCard
	}
	data.Name, data.Books = choicesOf(r).name, cards()
	for _, t := range tables {
		if t.Phase == match.Waiting {
			data.Open = append(data.Open, s.tableLine(t))
		} else {
			data.Running = append(data.Running, s.tableLine(t))
		}
	}
	return s.show(w, r, http.StatusOK, "lobby", page{Title: "Lobby", Here: "lobby", Refresh: 10, RefreshTo: "/lobby", Module: "lobby.js", Data: data})
}

// A gameLine is a finished game as pages list it.
type gameLine struct {
	Path    string
	Title   string
	Changes string
	Names   [2]string
	Winner  int    // 1 or 2, by who moved first; 0: nobody
	How     string // in a few words
	Plies   int
	Since   string
	At      time.Time
}

// endings say in a few words why a game ended.
var endings = map[digit.Reason]string{
	digit.Multiple: "a multiple", digit.Miscalled: "a wrong call", digit.ByAbove: "closer below a multiple", digit.ByBelow: "smaller remainder",
	digit.ByNearest: "closer to a multiple", digit.ByHigher: "the higher number", digit.ByLower: "the lower number", digit.ByLater: "the last digit",
	digit.Equal: "nothing decides", digit.TimeOut: "time", digit.Resignation: "resigned", digit.Departure: "left the table",
}

func (s *Server) gameLines(games []match.Game) []gameLine {
	lines := make([]gameLine, len(games))
	for i, g := range games {
		rec := g.Record
		lines[i] = gameLine{
			Path: fmt.Sprintf("/t/%s/games/%d", g.Table, g.Number), Title: titleOf(rec.Rules), Changes: changesOf(rec.Rules),
			Names: g.Names, How: endings[rec.Result.Reason], Plies: len(rec.Moves), Since: ago(s.Now().Sub(g.Ended)), At: g.Ended.UTC(),
		}
		if side, ok := rec.Result.Winner(); ok {
			lines[i].Winner = int(side) + 1
		}
	}
	return lines
}

func (s *Server) pageGames(w http.ResponseWriter, r *http.Request) error {
	games, err := s.games(r)
	if err != nil {
		return err
	}
	book := r.URL.Query().Get("book")
	data := struct {
		Book  string
		Books []bookCard
		Games []gameLine
		Older string
	}{Book: book, Books: cards(), Games: s.gameLines(games)}
	if limit, _ := countOf(r); len(games) > 0 && len(games) >= limit {
		older := url.Values{"before": {games[len(games)-1].Ended.UTC().Format(time.RFC3339Nano)}}
		if book != "" {
			older.Set("book", book)
		}
		data.Older = "/games?" + older.Encode()
	}
	return s.show(w, r, http.StatusOK, "games", page{Title: "Games", Here: "games", Data: data})
}

// A statsLine is what is known of the games of a book, with shares in percent.
type statsLine struct {
	Title, Name, Total                  string
	Games, FirstWins, SecondWins, Draws int
	First, Second, Drawn                float64
	Plies                               string
	Reasons                             []reasonLine
}

// A reasonLine is one way in which games of a book end.
type reasonLine struct {
	How   string
	Games int
	Share float64
}

func (s *Server) pageStats(w http.ResponseWriter, r *http.Request) error {
	stats, err := s.Archive.Stats(r.Context())
	if err != nil {
		return err
	}
	var lines []statsLine
	for _, b := range digit.Books {
		i := slices.IndexFunc(stats, func(st match.Stats) bool { return st.Book == b.Name })
		if i >= 0 && stats[i].Games > 0 {
			lines = append(lines, statsLineOf(b, stats[i]))
		}
	}
	return s.show(w, r, http.StatusOK, "stats", page{Title: "Statistics", Here: "stats", Data: lines})
}

func statsLineOf(b digit.Book, st match.Stats) statsLine {
	share := func(n int) float64 { return 100 * float64(n) / float64(st.Games) }
	line := statsLine{
		bookTitle(b), b.Name, counted(st.Games, "game"), st.Games, st.FirstWins, st.SecondWins, st.Draws, share(st.FirstWins), share(st.SecondWins), share(st.Draws),
		fmt.Sprintf("%.1f", st.Plies), nil,
	}
	names := slices.SortedFunc(maps.Keys(st.Reasons), func(a, b string) int {
		if d := st.Reasons[b] - st.Reasons[a]; d != 0 {
			return d
		}
		if a < b {
			return -1
		}
		return 1
	})
	for _, name := range names {
		how := name
		for reason, words := range endings {
			if reason.String() == name {
				how = words
			}
		}
		line.Reasons = append(line.Reasons, reasonLine{how, st.Reasons[name], share(st.Reasons[name])})
	}
	return line
}
