package mcp

import (
	"context"
	"errors"
	"time"

	"digitduel/match"
)

// Limits are what whoever calls may do at a server that many call, and what it is told of calls. The context of a call says whose it is.
type Limits interface {
	MayOpen(ctx context.Context, table string) error
	MayPlay(ctx context.Context, t *match.Table, seat match.Seat) error
	Called(ctx context.Context, tool, table, outcome string, took time.Duration)
}

// A teller is an error of limits, or of [Config.Solve], that whoever calls is told.
type teller interface {
	error
	Refusal() string
}

// boundless are the limits where there are none.
type boundless struct{}

func (boundless) MayOpen(context.Context, string) error                         { return nil }
func (boundless) MayPlay(context.Context, *match.Table, match.Seat) error       { return nil }
func (boundless) Called(context.Context, string, string, string, time.Duration) {}

// noting returns a context for a call of a tool, and what is called when it is done.
func (s *Server) noting(ctx context.Context, tool string) (context.Context, func(error)) {
	began, table := s.Now(), new(string)
	return context.WithValue(ctx, tableKey{}, table), func(err error) {
		s.Limits.Called(ctx, tool, *table, outcomeOf(err), s.Now().Sub(began))
	}
}

type tableKey struct{}

// noteTable notes the table of a call: one that the caller has a seat at, since what a caller sends may be any secret.
func noteTable(ctx context.Context, id string) {
	if table, ok := ctx.Value(tableKey{}).(*string); ok {
		*table = id
	}
}

// outcomeOf returns what came of a call in a word.
func outcomeOf(err error) string {
	var told teller
	var why *refusal
	switch {
	case err == nil:
		return "done"
	case errors.As(err, &why):
		return "refused"
	case errors.As(err, &told):
		return "limited"
	default:
		return "broken"
	}
}
