package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/solve"
)

// reviews keeps the reviews that were asked for last, each worked out once: that of a large game takes most of a second. The zero
// reviews is ready to use.
type reviews struct {
	mu     sync.Mutex
	kept   map[reviewKey]*reviewed
	recent []reviewKey // of all that is kept, the last one asked for at the end
}

// mostReviews is how many are kept. Each takes some kilobytes.
const mostReviews = 500

// A reviewKey is what a review follows from.
type reviewKey struct {
	record string
	cast   rulebook.Cast
}

// reviewed is a review, or one that is being worked out.
type reviewed struct {
	done   chan struct{} // closed when there is a review or an error
	review coach.Review
	err    error
}

// reviewOf returns the review of a game that is over, which must not be changed. If another request is working on it, it waits for that one.
func (s *Server) reviewOf(r *http.Request, state match.State, cast rulebook.Cast) (coach.Review, error) {
	rec := unnamed(state)
	key := reviewKey{rec.String(), cast}
	for {
		k, mine := s.reviews.claim(key)
		if mine {
			s.workOut(r, rec, key, k)
		}
		select {
		case <-k.done:
		case <-r.Context().Done():
			return coach.Review{}, context.Cause(r.Context())
		}
		if mine || k.settled() { // otherwise another request was given up, which is no reason to give this one up
			return k.review, k.err
		}
	}
}

// unnamed returns the record of a game with nothing but what its review follows from beside the cast.
func unnamed(s match.State) digit.Record {
	rec := s.Record()
	rec.Tags = slices.DeleteFunc(rec.Tags, func(tag digit.Tag) bool { return tag.Key != digit.OpeningTag && tag.Key != digit.SwapTag })
	return rec
}

// unchosen returns how many moves of a game are not judged: those of an opening, and a first one that the other player may take over.
func unchosen(s match.State) int {
	if s.Setup.Swap {
		return min(1, len(s.Moves))
	}
	return int(s.Given)
}

// workOut works out a review. One that could not be is forgotten, so that it is tried again.
func (s *Server) workOut(r *http.Request, rec digit.Record, key reviewKey, k *reviewed) {
	k.err = errors.New("the review was not finished") // if it panics
	defer func() {
		if !k.settled() {
			s.reviews.forget(key)
		}
		close(k.done)
	}()
	solution, done, err := s.solved(r, rec.Rules)
	if err != nil {
		k.err = err
		return
	}
	defer done()
	k.review, k.err = coach.ReviewGame(solution, rec, key.cast)
}

// settled reports whether a review that is worked out would be the same if it were tried again.
func (k *reviewed) settled() bool { return k.err == nil || errors.As(k.err, new(*solve.BudgetError)) }

// claim returns what there is of a review, and whether it is the caller's to work out.
func (v *reviews) claim(key reviewKey) (*reviewed, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	k, found := v.kept[key]
	if found {
		v.recent = slices.DeleteFunc(v.recent, func(other reviewKey) bool { return other == key })
	} else {
		if v.kept == nil {
			v.kept = map[reviewKey]*reviewed{}
		}
		k = &reviewed{done: make(chan struct{})}
		v.kept[key] = k
	}
	v.recent = append(v.recent, key)
	if len(v.recent) > mostReviews {
		delete(v.kept, v.recent[0])
		v.recent = slices.Delete(v.recent, 0, 1)
	}
	return k, !found
}

// forget forgets a review that could not be worked out.
func (v *reviews) forget(key reviewKey) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.kept, key)
	v.recent = slices.DeleteFunc(v.recent, func(other reviewKey) bool { return other == key })
}
