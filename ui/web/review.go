package web

import (
	"fmt"
	"net/http"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// mostReviews limits the reviews that are kept. Each takes some kilobytes, and that of a large game
// most of a second to compute.
const mostReviews = 250

// A reviewKey holds the data that a review depends on.
type reviewKey struct {
	record string
	cast   rulebook.Cast
}

// reviewOf returns the review of a finished game, which must not be changed.
func (s *Server) reviewOf(r *http.Request, state match.State,
	cast rulebook.Cast) (coach.Review, error) {
	rec := state.Record()
	return s.reviews.get(reviewKey{rec.String(), cast}, func() (coach.Review, error) {
		solution, done, err := s.solved(r, state.Setup.Class, rec.Rules)
		if err != nil {
			return coach.Review{}, err
		}
		defer done()
		return coach.ReviewGame(solution, rec, cast)
	})
}

// A momentCard is a move of a finished game that is worth a look.
type momentCard struct {
	Ply    int
	Did    string // "You put 2 on the right"
	Text   string
	Find   bool // it was the only good move
	Turned bool // it decided the game
	Rows   []board
	Try    string // the path for trying it again; empty: it was not the reader's
}

// cardsOf returns the moments of a reviewed game. A change of the reader's shows the better digit
// as a ghost, another move itself.
func cardsOf(id string, state match.State, v viewer, rv coach.Review) (cards []momentCard) {
	r, cast := rv.Rules, v.narrator(state).Sides()
	low := match.Two // the reader's number, or that of the second player
	if v.plays {
		low = v.seat
	}
	for _, ply := range rv.Moments {
		j := rv.Moves[ply-1]
		card := momentCard{Ply: ply, Text: j.Text, Find: j.Kept(),
			Turned: ply == rv.TurningPoint.Ply, Did: j.Did(rulebook.LongVoice(r, cast))}
		at, last := j.At, (*digit.Move)(nil)
		own := v.plays && !j.Kept() && j.Better.Exists && j.Side == state.Side(v.seat)
		if !own {
			at, _ = r.Play(j.At, j.Move) // it was played
			last = &j.Move
		}
		card.Rows = rowsOf(state, at, low, last)
		if own {
			card.Text = j.Better.Text.Long
			card.Rows[1].Cells = ghosted(card.Rows[1].Cells, j.Better)
			if card.Turned {
				card.Try = fmt.Sprintf("%s/retry?ply=%d", gamePath(id, state.Game), ply)
			}
		}
		cards = append(cards, card)
	}
	return cards
}

// unjudgedMoves returns the number of moves that are not judged: those of an opening, or a first
// move that the opponent may take over.
func unjudgedMoves(s match.State) int {
	if s.Setup.Swap {
		return min(1, len(s.Moves))
	}
	return int(s.Given)
}
