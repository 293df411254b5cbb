package match

import "errors"

// How long a log gets. The longest series is 2·[MaxBestOf] games of 16 moves, which with what begins them and a swap in each are 3,764 events. What a
// player asks for beside moving costs up to four: a move taken back is asked for, taken back, and played again with the answer to
// it. So MostEvents has room for the longest series, whatever its players ask for; only a rematch may find too little. A program plays two
// games at most, of 8 moves of its own with up to [MaxTries] faults each, and takes nothing back.
const (
	MostEvents = 5400
	MostAsked  = 200 // by a player in a series
)

// Refusals of what would make a log longer without need. A game under way can always be finished.
var (
	ErrLong  = errors.New("so much has happened at this table that it takes no more than the end of its game; open a new table to go on")
	ErrOften = errors.New("you have asked for too much in this series; play on without")
)

// asks reports whether a player could repeat an event without playing on. Events that answer or end it
// do not count: there are no more of them.
func (s State) asks(e Event) bool {
	if e.Kind == Undone {
		return !s.Asking // otherwise it was counted when it was asked for
	}
	return e.Kind.rule().asks
}

// fits returns nil unless an event that could follow would make the log too long.
func (s State) fits(e Event) error {
	switch {
	case s.Seq >= MostEvents && (e.Kind == Ready || e.Kind == Began && s.Ready == [2]bool{} || e.Kind != Left && s.asks(e)):
		return ErrLong
	case s.asks(e) && s.Asked[e.Seat] >= MostAsked:
		return ErrOften
	}
	return nil
}
