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

// veiled speech is that of a disguise: nothing in it tells which game it is.
type veiled struct{ *disguise.Disguise }

func (s veiled) Rules() string    { return s.Game.Text(true) }
func (s veiled) Goal() string     { return s.Game.Goal() }
func (s veiled) Notation() string { return s.Game.Writing() }

// Record returns a game in digits: when it is over, the report tells what stood for what.
func (s veiled) Record(rec digit.Record) string { return rec.String() }

func (s veiled) Board(p digit.Position) string {
	return fmt.Sprintf("first   %s\nsecond  %s\nleft    %s", s.Row(p, digit.First), s.Row(p, digit.Second), s.Left(p))
}

// A dress is a game and the seed of its disguise.
type dress struct {
	rules digit.Rules
	seed  uint64
}

// mostDresses is how many disguises are kept that were proved.
const mostDresses = 64

func newDresses(most int, work func(context.Context, func()) error) *arena.Workshop[dress, *disguise.Disguise] {
	return arena.NewWorkshop(mostDresses, func(dress) int { return 1 }, func(ctx context.Context, d dress) (proved *disguise.Disguise, err error) {
		if limit := work(ctx, func() { proved, _, err = disguise.Proved(ctx, d.rules, d.seed, most) }); limit != nil {
			return nil, limit
		}
		if err != nil && ctx.Err() == nil {
			err = refusef("%v", err)
		}
		return proved, err
	})
}

// unveiled tells which game it was, and what stood for what.
func (s veiled) unveiled() string {
	m := s.Map()
	var pairs []string
	for _, to := range []map[string]string{m.Digits, m.Spots} {
		for _, word := range slices.Sorted(maps.Keys(to)) {
			pairs = append(pairs, word+"="+to[word])
		}
	}
	return fmt.Sprintf("%v in disguise %d: %s", s.Disguise.Rules, s.Seed, strings.Join(pairs, ", "))
}

// speechOf returns the words for a game: those of a disguise that is proved, if there is a seed of one.
func (s *Server) speechOf(ctx context.Context, r digit.Rules, seed *uint64) (speech, error) {
	if seed == nil {
		return plain{r}, nil
	}
	d, err := patiently(ctx, func(ctx context.Context) (*disguise.Disguise, error) {
		return s.dresses.Get(ctx, dress{r.Normal(), *seed})
	})
	return veiled{d}, err
}
