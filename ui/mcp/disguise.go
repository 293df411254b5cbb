package mcp

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"digitduel/arena"
	"digitduel/arena/disguise"
	"digitduel/digit"
)

// disguised is the wording of a disguise: it does not reveal the game.
type disguised struct{ *disguise.Disguise }

func (s disguised) Rules() string    { return s.Game.Text(true) }
func (s disguised) Goal() string     { return s.Game.Goal() }
func (s disguised) Notation() string { return s.Game.Writing() }

// Record returns a game in digits: the report of a finished game has the key of the disguise.
func (s disguised) Record(rec digit.Record) string { return rec.String() }

func (s disguised) Board(p digit.Position) string {
	return fmt.Sprintf("first   %s\nsecond  %s\nleft    %s",
		s.Row(p, digit.First), s.Row(p, digit.Second), s.Left(p))
}

// A disguiseKey identifies a disguise: a game and a seed.
type disguiseKey struct {
	rules digit.Rules
	seed  uint64
}

// mostDisguises is how many proved disguises are stored.
const mostDisguises = 64

func newDisguises(
	most int, work func(context.Context, func()) error,
) *arena.Workshop[disguiseKey, *disguise.Disguise] {
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
	return arena.NewWorkshop(mostDisguises, size, prove)
}

// key returns the game and the meaning of the words.
func (s disguised) key() string {
	m := s.Map()
	var pairs []string
	for _, to := range []map[string]string{m.Digits, m.Spots} {
		for _, word := range slices.Sorted(maps.Keys(to)) {
			pairs = append(pairs, word+"="+to[word])
		}
	}
	return fmt.Sprintf("%v in disguise %d: %s", s.Disguise.Rules, s.Seed, strings.Join(pairs, ", "))
}

// speechOf returns the wording for a game: that of a proved disguise, if there is a seed.
func (s *Server) speechOf(ctx context.Context, r digit.Rules, seed *uint64) (speech, error) {
	if seed == nil {
		return plain{r}, nil
	}
	d, err := withPatience(ctx, func(ctx context.Context) (*disguise.Disguise, error) {
		return s.disguises.Get(ctx, disguiseKey{r.Normal(), *seed})
	})
	return disguised{d}, err
}
