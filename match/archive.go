package match

import (
	"time"

	"digitduel/digit"
)

// A Summary is a table as a list shows it.
type Summary struct {
	ID              string
	Opened, Changed time.Time // Changed may lag behind moves that change nothing else here
	Rules           digit.Rules
	Names, Levels   [2]string // by seat
	BestOf          int
	TurnTime        time.Duration
	Phase           Phase
	Listed          bool
	Game            int
	Wins            [2]int
	Draws           int
}

// A TableFilter says which tables a list shows, those that changed last first.
type TableFilter struct {
	Phases []Phase      // none: all
	Listed bool         // only those that anybody may find
	Rules  *digit.Rules // nil: all
	Since  time.Time    // changed since; zero: ever
	IDs    []string     // only these; nil: all
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
	Book   string    // empty: all
	Table  string    // empty: all
	Before time.Time // ended before; zero: now
	Limit  int
}

// Stats are what is known of the finished games of a book.
type Stats struct {
	Book                                string
	Games, FirstWins, SecondWins, Draws int
	Plies                               float64 // of a game on average
	Reasons                             map[string]int
}
