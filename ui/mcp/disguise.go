package mcp

import (
	"context"

	"digitduel/arena"
	"digitduel/arena/disguise"
	"digitduel/arena/speech"
	"digitduel/digit"
)

// A disguiseKey identifies a disguise: a game and a seed.
type disguiseKey struct {
	rules digit.Rules
	seed  uint64
}

// mostDisguises is how many proved disguises are stored.
const mostDisguises = 64

func newDisguises(
	most int, work func(context.Context, func()) error,
) *arena.Cache[disguiseKey, *disguise.Disguise] {
	size := func(disguiseKey) int { return 1 }
	prove := func(ctx context.Context, d disguiseKey) (proved *disguise.Disguise, err error) {
		limit := work(ctx, func() { proved, _, err = disguise.Proved(ctx, d.rules, d.seed, most) })
		if limit != nil {
			return nil, limit
		}
		if err != nil && ctx.Err() == nil {
			err = refusef("%v", err)
		}
		return proved, err
	}
	return arena.NewCache(mostDisguises, size, prove)
}

// speechOf returns the wording for a game: that of a proved disguise, if there is a seed.
func (s *Server) speechOf(ctx context.Context, r digit.Rules, seed *uint64) (speech.Speech, error) {
	if seed == nil {
		return speech.Plain(r), nil
	}
	d, err := withPatience(ctx, func(ctx context.Context) (*disguise.Disguise, error) {
		return s.disguises.Get(ctx, disguiseKey{r.Normal(), *seed})
	})
	return speech.InWords(d), err
}
