package main

import (
	"context"
	"errors"
	"log/slog"
	"regexp"
	"sync"
	"time"
)

// spareFor is for how long a warning or an error is not logged again.
const spareFor = 10 * time.Second

// A sparing handler passes on one of the equal warnings and errors that come within spareFor, the first, since in an outage every
// request fails alike. The next of them that is passed on tells how many were left out between the two.
type sparing struct {
	slog.Handler
	late *late
}

// late is what was passed on of late, by what equal records have in common.
type late struct {
	mu     sync.Mutex
	passed map[string]*passed
}

// passed is what came after a record that was passed on: the last of it, who was to handle that, and how many there were.
type passed struct {
	at      time.Time
	last    slog.Record
	handler slog.Handler
	leftOut int
}

func newSparing(h slog.Handler) sparing { return sparing{h, &late{passed: map[string]*passed{}}} }

// particulars are what equal errors may differ in: names, which are quoted, and numbers.
var particulars = regexp.MustCompile(`"[^"]*"|[0-9]+`)

// kind returns what equal records have in common: the message and the error, whatever the route or the table.
func kind(r slog.Record) string {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "error" {
			text += ": " + particulars.ReplaceAllString(a.Value.String(), "")
		}
		return true
	})
	return text
}

// Handle implements [slog.Handler]. What time it is, the records tell.
func (h sparing) Handle(ctx context.Context, r slog.Record) error {
	h.late.mu.Lock()
	defer h.late.mu.Unlock()
	own := ""
	if r.Level >= slog.LevelWarn {
		own = kind(r)
	}
	var failed error
	for other, p := range h.late.passed { // the last of an outage that is over is told with whatever comes next
		if other == own || r.Time.Sub(p.at) < spareFor {
			continue
		}
		delete(h.late.passed, other)
		if p.leftOut > 0 {
			failed = errors.Join(failed, pass(ctx, p.handler, p.last, p.leftOut-1))
		}
	}
	if own == "" {
		return errors.Join(failed, h.Handler.Handle(ctx, r))
	}
	leftOut := 0
	if p := h.late.passed[own]; p != nil {
		if r.Time.Sub(p.at) < spareFor {
			p.last, p.handler, p.leftOut = r.Clone(), h.Handler, p.leftOut+1
			return failed
		}
		leftOut = p.leftOut
	}
	h.late.passed[own] = &passed{at: r.Time}
	return errors.Join(failed, pass(ctx, h.Handler, r, leftOut))
}

// pass passes a record on, and how many equal ones were left out before it.
func pass(ctx context.Context, h slog.Handler, r slog.Record, leftOut int) error {
	if leftOut > 0 {
		r = r.Clone()
		r.AddAttrs(slog.Int("left_out", leftOut))
	}
	return h.Handle(ctx, r)
}

// WithAttrs implements [slog.Handler].
func (h sparing) WithAttrs(attrs []slog.Attr) slog.Handler {
	return sparing{h.Handler.WithAttrs(attrs), h.late}
}

// WithGroup implements [slog.Handler].
func (h sparing) WithGroup(name string) slog.Handler {
	return sparing{h.Handler.WithGroup(name), h.late}
}
