package web

import (
	"net/http"
	"time"

	"digitduel/match"
	"digitduel/rulebook"
)

// A nextView is what somebody is told of the next game of a series, at the table and beside the review of the last one.
type nextView struct {
	ID, Told string
	Begun    bool
	Press    bool // whether the viewer can say to be ready
	Left     time.Duration
}

// Clock returns what the countdown shows.
func (v nextView) Clock() string { return clockText(v.Left) }

// nextOf returns what a viewer is told of a next game that somebody is ready for.
func nextOf(id string, s match.State, v viewer, now time.Time) *nextView {
	at, _ := s.Deadline()
	view := &nextView{ID: id, Press: v.plays && !s.Ready[v.seat], Left: max(0, at.Sub(now))}
	for _, seat := range match.Seats {
		if s.Ready[seat] {
			view.Told = v.narrator(s).Offer(match.Ready, seat).Long
		}
	}
	return view
}

// A tableStatus is what a player who looks at an earlier game has to know of the table, where the next one begins without asking again.
type tableStatus struct {
	ID   string
	Seq  int
	Left int64 // milliseconds of the countdown; -1: none runs
	Next *nextView
}

// addTableStatus adds to an earlier game what a player who looks at it has to know of the table. A player who reads is there.
func (s *Server) addTableStatus(r *http.Request, game *replayed) error {
	visit, v, err := s.visitor(r)
	if err != nil {
		return err
	}
	defer visit.Close()
	if !v.plays {
		return nil
	}
	if err := visit.Look(v.holding(r.Context()), v.seat); err != nil {
		return err
	}
	id, state := visit.Table.ID(), visit.Table.State()
	if game.Publish = publishOf(id, state, v); game.Publish != nil {
		game.Publish.Game = game.Number
	}
	view := &tableStatus{ID: id, Seq: state.Seq, Left: -1}
	switch {
	case state.Phase() == match.Over || state.Levels[v.seat.Other()] != "":
		return nil
	case state.Playing():
		view.Next = &nextView{ID: id, Told: rulebook.HasBegun.Long, Begun: true}
	case state.Ready != [2]bool{}:
		view.Next, view.Left = nextOf(id, state, v, s.Now()), leftOf(state, s.Now())
	}
	game.TableStatus = view
	return nil
}
