package match

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"digitduel/digit"
)

// A Summary is a table as a list shows it.
type Summary struct {
	ID              string
	Opened, Changed time.Time // Changed may be older than the last move
	Rules           digit.Rules
	Names, Levels   [2]string // by seat
	First           Seat      // starts the first game
	Terms
	Openings Openings
	Phase    Phase
	Listed   bool
	Game     int
	Wins     [2]int
	Draws    int
	Now      *State // set on request, for logs of up to [MaxStateEvents] events
}

// MaxStateEvents is the longest log whose state lists include. Hardly any table has more events.
const MaxStateEvents = 512

// Setup returns the agreement of the players.
func (s Summary) Setup() Setup {
	return Setup{
		Rules: s.Rules, Names: s.Names, First: s.First, Terms: s.Terms, Openings: s.Openings,
		Listed: s.Listed,
	}
}

// Summary returns the table in this state as a list shows it. At is when it was last changed, and
// also when it was opened, unless the caller knows better.
func (s State) Summary(table string, at time.Time) Summary {
	row := Summary{
		ID: table, Opened: at, Changed: at, Rules: s.Setup.Rules, Levels: s.Levels,
		First: s.Setup.First, Terms: s.Setup.Terms, Openings: s.Setup.Openings, Phase: s.Phase(),
		Listed: s.Setup.Listed, Game: s.Game, Wins: s.Wins, Draws: s.Draws,
	}
	for _, seat := range Seats {
		if !s.Open[seat] {
			row.Names[seat] = s.Setup.Name(seat)
		}
	}
	return row
}

// A TableFilter selects the tables in a list, which begins with the last one changed.
type TableFilter struct {
	Phases []Phase   // none: all
	Listed bool      // only those that everyone may find
	Since  time.Time // changed since; zero: ever
	IDs    []string  // only these; nil: all
	Stand  bool      // include the state; needs IDs
	Limit  int
}

// A Game is a finished game as a list shows it.
type Game struct {
	Table         string
	Number        int
	Record        digit.Record
	Names, Levels [2]string // by side
	Ended         time.Time
}

// Finished returns the game of this state, which ended at a time, as a list shows it.
func (s State) Finished(table string, at time.Time) Game {
	first, second := s.SeatOf(digit.First), s.SeatOf(digit.Second)
	return Game{
		Table: table, Number: s.Game, Record: s.Record(), Ended: at,
		Names:  [2]string{s.Setup.Name(first), s.Setup.Name(second)},
		Levels: [2]string{s.Levels[first], s.Levels[second]},
	}
}

// A GameFilter selects the finished games in a list, which begins with the last one.
type GameFilter struct {
	Public bool     // only those that everyone may find
	Book   string   // empty: all
	Table  string   // empty: all
	Before GameMark // only games after this place in the list; zero: all
	Limit  int
}

// A GameMark is a place in the list of finished games: that of a game or, without a table, the
// place of the first game that ended before a time.
type GameMark struct {
	Ended  time.Time
	Table  string
	Number int
}

// Mark returns the place of a game.
func (g Game) Mark() GameMark { return GameMark{g.Ended, g.Table, g.Number} }

// String returns the text of a mark: 2026-01-31T12:00:00.123456Z/h7yya5ooxqgln/1, or the moment
// alone.
func (m GameMark) String() string {
	text := m.Ended.UTC().Format(time.RFC3339Nano)
	if m.Table != "" {
		text += "/" + m.Table + "/" + strconv.Itoa(m.Number)
	}
	return text
}

// ParseGameMark parses the text of a mark.
func ParseGameMark(text string) (m GameMark, err error) {
	moment, game, isGame := strings.Cut(text, "/")
	m.Ended, err = time.Parse(time.RFC3339Nano, moment)
	if i := strings.LastIndex(game, "/"); err == nil && isGame {
		var number int64
		number, err = strconv.ParseInt(game[i+1:], 10, 32)
		m.Table, m.Number = game[:max(i, 0)], int(number)
	}
	if err != nil || isGame && (CheckID("table", m.Table) != nil || m.Number < 1) {
		return GameMark{}, fmt.Errorf("%.80q: allowed: a time such as 2026-01-31T12:00:00Z, "+
			"or the value of older from a list", text)
	}
	return m, nil
}

// Stats are the statistics of the finished games of a book.
type Stats struct {
	Book       string         `json:"book"`
	Games      int            `json:"games"`
	FirstWins  int            `json:"first_wins"`
	SecondWins int            `json:"second_wins"`
	Draws      int            `json:"draws"`
	Plies      float64        `json:"mean_plies"` // the average length of a game
	Reasons    map[string]int `json:"reasons"`
}
