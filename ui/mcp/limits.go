package mcp

import (
	"context"
	"errors"
	"time"

	"digitduel/match"
)

// Limits limits the callers of a shared server and records their calls. The context of a call
// identifies the caller.
type Limits interface {
	MayOpen(ctx context.Context, table string) error
	MayPlay(ctx context.Context, t *match.Table, seat match.Seat) error
	Called(ctx context.Context, tool, table, outcome string, took time.Duration)
}

// A limitError is an error of Limits, or of [Config.Solve], that the caller may read.
type limitError interface {
	error
	Refusal() string
}

// noLimits are the Limits of a server for one client.
type noLimits struct{}

func (noLimits) MayOpen(context.Context, string) error                         { return nil }
func (noLimits) MayPlay(context.Context, *match.Table, match.Seat) error       { return nil }
func (noLimits) Called(context.Context, string, string, string, time.Duration) {}

// outcomeOf returns the outcome of a call in one word.
func outcomeOf(err error) string {
	var limit limitError
	var why *refusal
	switch {
	case err == nil:
		return "done"
	case errors.As(err, &why):
		return "refused"
	case errors.As(err, &limit):
		return "limited"
	default:
		return "broken"
	}
}
