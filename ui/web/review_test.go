package web

import (
	"testing"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
)

// TestCards checks that the number of the reader is below, and for a watcher that of the second
// player.
func TestCards(t *testing.T) {
	solution, err := solved.Solve(t.Context(), digit.Highest)
	if err != nil {
		t.Fatal(err)
	}
	s := played(t, "highest 1a 8a 2b 9b 4c 7c 0-1 higher")
	rec := s.Record()
	for _, test := range []struct {
		viewer
		low int
	}{{viewer{}, 2}, {viewer{plays: true}, 1}, {viewer{plays: true, seat: match.Two}, 2}} {
		rv, err := coach.ReviewGame(solution, rec, test.narrator(s).Sides())
		if err != nil {
			t.Fatal(err)
		}
		cards := cardsOf("t", s, test.viewer, rv)
		if len(cards) == 0 {
			t.Error("the review has no cards")
		}
		for _, card := range cards {
			if card.Rows[0].Seat != 3-test.low || card.Rows[1].Seat != test.low {
				t.Errorf("%+v: seat %d is below at ply %d",
					test.viewer, card.Rows[1].Seat, card.Ply)
			}
		}
	}
}

// TestUnjudged checks that the moves of an opening, and a first move that may be taken over, are
// not graded.
func TestUnjudged(t *testing.T) {
	for _, test := range []struct {
		swap         bool
		given, moves int
		want         int
	}{{false, 0, 3, 0}, {false, 2, 3, 2}, {true, 0, 3, 1}, {true, 0, 0, 0}} {
		s := match.State{Given: uint8(test.given), Moves: make([]digit.Move, test.moves)}
		s.Setup.Swap = test.swap
		if got := unjudgedMoves(s); got != test.want {
			t.Errorf("%+v: got %d", test, got)
		}
	}
}
