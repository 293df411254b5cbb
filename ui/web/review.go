package web

import (
	"net/http"
	"slices"

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
	rec := reviewRecord(state)
	return s.reviews.get(r.Context(), reviewKey{rec.String(), cast}, func() (coach.Review, error) {
		solution, done, err := s.solved(r, rec.Rules)
		if err != nil {
			return coach.Review{}, err
		}
		defer done()
		return coach.ReviewGame(solution, rec, cast)
	})
}

// reviewRecord returns the record of a game with only the tags that its review depends on.
func reviewRecord(s match.State) digit.Record {
	rec := s.Record()
	rec.Tags = slices.DeleteFunc(rec.Tags,
		func(tag digit.Tag) bool { return tag.Key != digit.OpeningTag && tag.Key != digit.SwapTag })
	return rec
}

// unjudgedMoves returns the number of moves that are not judged: those of an opening, or a first
// move that the opponent may take over.
func unjudgedMoves(s match.State) int {
	if s.Setup.Swap {
		return min(1, len(s.Moves))
	}
	return int(s.Given)
}
