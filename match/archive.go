package match

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"digitduel/digit"
)

// A Summary is a table as a list shows it.
type Summary struct {
	ID              string
	Opened, Changed time.Time // Changed may lag behind moves that change nothing else here
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
	Now      *State // how the table stands, where that was asked for and its log is no longer than [MostTold]
}

// MostTold is how many events a table may have whose state a list tells: more than any evening has.
const MostTold = 512

// Setup returns the agreement of the players.
func (s Summary) Setup() Setup {
	return Setup{
		Rules: s.Rules, Names: s.Names, First: s.First, Terms: s.Terms, Openings: s.Openings,
		Listed: s.Listed,
	}
}

// A TableFilter says which tables a list shows, those that changed last first.
type TableFilter struct {
	Phases []Phase      // none: all
	Listed bool         // only those that anybody may find
	Rules  *digit.Rules // nil: all
	Since  time.Time    // changed since; zero: ever
	IDs    []string     // only these; nil: all
	Stand  bool         // tell how they stand too; only of tables that are named by IDs, which are few
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

// A GameFilter says which finished games a list shows, the last first.
type GameFilter struct {
	Public bool     // only those that anybody may find
	Book   string   // empty: all
	Table  string   // empty: all
	Before GameMark // only what comes after it in the list; zero: all
	Limit  int
}

// A GameMark is a place in the list of finished games: that of a game, or without a table the one where the games begin that ended before
// a moment.
type GameMark struct {
	Ended  time.Time
	Table  string
	Number int
}

// Mark returns the place of a game.
func (g Game) Mark() GameMark { return GameMark{g.Ended, g.Table, g.Number} }

// String returns the text of a mark: 2026-01-31T12:00:00.123456Z/h7yya5ooxqgln/1, or the moment alone.
func (m GameMark) String() string {
	text := m.Ended.UTC().Format(time.RFC3339Nano)
	if m.Table != "" {
		text += "/" + m.Table + "/" + strconv.Itoa(m.Number)
	}
	return text
}

// ParseGameMark reads the text of a mark.
func ParseGameMark(text string) (m GameMark, err error) {
	moment, game, isGame := strings.Cut(text, "/")
	m.Ended, err = time.Parse(time.RFC3339Nano, moment)
	if i := strings.LastIndex(game, "/"); err == nil && isGame {
		var number int64
		number, err = strconv.ParseInt(game[i+1:], 10, 32)
		m.Table, m.Number = game[:max(i, 0)], int(number)
	}
	odd := strings.ContainsFunc(m.Table, func(c rune) bool { return !unicode.IsPrint(c) || c == utf8.RuneError })
	if err != nil || odd || isGame && (m.Table == "" || m.Number < 1) {
		return GameMark{}, fmt.Errorf("%.80q: allowed: a time such as 2026-01-31T12:00:00Z, or the older that a list gave", text)
	}
	return m, nil
}

// Stats are what is known of the finished games of a book.
type Stats struct {
	Book                                string
	Games, FirstWins, SecondWins, Draws int
	Plies                               float64 // of a game on average
	Reasons                             map[string]int
}
