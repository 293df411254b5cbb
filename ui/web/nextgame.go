package web

import (
	"net/http"
	"time"

	"digitduel/match"
	"digitduel/rulebook"
)

// A nextView describes the next game of a series, at the table and next to the review of the last
// game.
type nextView struct {
	ID, Text string
	Begun    bool
	Press    bool // the viewer can press ready
	Left     time.Duration
}

// nextOf describes a next game for which a player is ready.
func nextOf(id string, s match.State, v viewer, now time.Time) *nextView {
	at, _ := s.Deadline()
	view := &nextView{ID: id, Press: v.plays && !s.Ready[v.seat], Left: max(0, at.Sub(now))}
	for _, seat := range match.Seats {
		if s.Ready[seat] {
			view.Text = v.narrator(s).Offer(match.Ready, seat).Long
		}
	}
	return view
}

// A tableStatus is the state of the table for a player who reads an earlier game, since the next
// one begins without asking again.
type tableStatus struct {
	ID   string
	Seq  int
	Left int64 // milliseconds of the countdown; -1: none runs
	Next *nextView
}

// addTableStatus adds the state of the table to an earlier game for its players. A player who reads
// counts as present.
func (s *Server) addTableStatus(r *http.Request, visit *match.Visit, v viewer,
	game *replayed) error {
	if !v.plays {
		return nil
	}
	if err := visit.Look(v.holding(r.Context()), v.seat); err != nil {
		return err
	}
	id, state := visit.Table.ID(), visit.Table.State()
	if game.Publish = publishOf(id, state, v); game.Publish != nil {
		game.Publish.Game = game.Game
	}
	view := &tableStatus{ID: id, Seq: state.Seq, Left: -1}
	switch {
	case state.Phase() == match.Over || state.Levels[v.seat.Other()] != "":
		return nil
	case state.Playing():
		view.Next = &nextView{ID: id, Text: rulebook.HasBegun.Long, Begun: true}
	case state.Ready != [2]bool{}:
		view.Next, view.Left = nextOf(id, state, v, s.Now()), leftOf(state, s.Now())
	}
	game.TableStatus = view
	return nil
}
