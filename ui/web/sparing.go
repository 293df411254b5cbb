package web

import (
	"context"
	"errors"
	"log/slog"
	"regexp"
	"sync"
	"time"
)

// SpareFor is the time for which an equal warning or error is not logged again.
const SpareFor = 10 * time.Second

// A sparing handler passes on the first of equal warnings and errors within SpareFor, since in an
// outage every request fails alike. The next one that it passes on has the number left out.
type sparing struct {
	slog.Handler
	late *late
}

// late holds the records that were passed on lately, by their kind.
type late struct {
	mu     sync.Mutex
	passed map[string]*passed
}

// passed holds the last of the equal records after one that was passed on, and their number.
type passed struct {
	at      time.Time
	last    slog.Record
	handler slog.Handler
	leftOut int
}

// Sparing returns a handler that passes on the first of equal warnings and errors within [SpareFor].
func Sparing(h slog.Handler) slog.Handler {
	return sparing{h, &late{passed: map[string]*passed{}}}
}

// particulars are the parts in which equal errors may differ: quoted names and numbers.
var particulars = regexp.MustCompile(`"[^"]*"|[0-9]+`)

// logKind returns the text that equal records share: the message and the error without particulars.
func logKind(r slog.Record) string {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "error" {
			text += ": " + particulars.ReplaceAllString(a.Value.String(), "")
		}
		return true
	})
	return text
}

// Handle implements [slog.Handler]. It takes the time from the records.
func (h sparing) Handle(ctx context.Context, r slog.Record) error {
	h.late.mu.Lock()
	defer h.late.mu.Unlock()
	own := ""
	if r.Level >= slog.LevelWarn {
		own = logKind(r)
	}
	var failed error
	for other, p := range h.late.passed { // the last record of an outage comes before the next record
		if other == own || r.Time.Sub(p.at) < SpareFor {
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
		if r.Time.Sub(p.at) < SpareFor {
			p.last, p.handler, p.leftOut = r.Clone(), h.Handler, p.leftOut+1
			return failed
		}
		leftOut = p.leftOut
	}
	h.late.passed[own] = &passed{at: r.Time}
	return errors.Join(failed, pass(ctx, h.Handler, r, leftOut))
}

// pass passes a record on, with the number of equal ones left out before it.
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
