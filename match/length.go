package match

// Limits of a log. The longest series has 2*[MaxBestOf] games of 16 moves: 3,962 events with the
// start of each game, its clock and a swap in it. Each request adds up to four events: a move taken
// back is asked for, taken back, and played again with its answer. So MostEvents has room for the
// longest series with all its requests; only a rematch may find too little. A program plays at most
// two games of 8 own moves, each with up to [MaxTries] faults, and takes nothing back.
const (
	MostEvents = 5600
	MostAsked  = 200 // requests of a player in a series
)

// Errors for events that would make a log too long. A game under way can always be finished.
var (
	ErrLong  = refusal("the log of this table is full; finish the game and open a new table")
	ErrOften = refusal("you have asked for too much in this series; play on without")
)

// asks reports whether a player could repeat an event without playing a move. Events that answer or
// end a request do not count: there are no more of them than requests.
func (s State) asks(e Event) bool {
	if e.Kind == Undone {
		return !s.Asking // otherwise it was counted when it was asked for
	}
	return e.Kind.rule().is(asks)
}

// fits returns an error if e would make the log too long.
func (s State) fits(e Event) error {
	switch {
	case s.Seq >= MostEvents && (e.Kind == Ready || e.Kind == Began && s.Ready == [2]bool{} ||
		e.Kind != Left && s.asks(e)):
		return ErrLong
	case s.asks(e) && s.Asked[e.Seat] >= MostAsked:
		return ErrOften
	}
	return nil
}
