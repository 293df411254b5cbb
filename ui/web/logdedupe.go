package web

import (
	"context"
	"errors"
	"log/slog"
	"regexp"
	"sync"
	"time"
)

// DedupeFor is the time for which an equal warning or error is not logged again.
const DedupeFor = 10 * time.Second

// A dedupeHandler passes on the first of equal warnings and errors within DedupeFor, since in an
// outage every request fails alike. The next one that it passes on has the number left out.
type dedupeHandler struct {
	slog.Handler
	recent *recentLog
}

// A recentLog holds the records that were passed on lately, by their kind.
type recentLog struct {
	mu    sync.Mutex
	kinds map[string]*repeats
}

// repeats holds the last of the equal records after one that was passed on, and their number.
type repeats struct {
	at      time.Time
	last    slog.Record
	handler slog.Handler
	leftOut int
}

// Dedupe returns a handler that passes on the first of equal warnings and errors within
// [DedupeFor].
func Dedupe(h slog.Handler) slog.Handler {
	return dedupeHandler{h, &recentLog{kinds: map[string]*repeats{}}}
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
func (h dedupeHandler) Handle(ctx context.Context, r slog.Record) error {
	h.recent.mu.Lock()
	defer h.recent.mu.Unlock()
	own := ""
	if r.Level >= slog.LevelWarn {
		own = logKind(r)
	}
	var failed error
	// the last record of an outage comes before the next record
	for other, p := range h.recent.kinds {
		if other == own || r.Time.Sub(p.at) < DedupeFor {
			continue
		}
		delete(h.recent.kinds, other)
		if p.leftOut > 0 {
			failed = errors.Join(failed, pass(ctx, p.handler, p.last, p.leftOut-1))
		}
	}
	if own == "" {
		return errors.Join(failed, h.Handler.Handle(ctx, r))
	}
	leftOut := 0
	if p := h.recent.kinds[own]; p != nil {
		if r.Time.Sub(p.at) < DedupeFor {
			p.last, p.handler, p.leftOut = r.Clone(), h.Handler, p.leftOut+1
			return failed
		}
		leftOut = p.leftOut
	}
	h.recent.kinds[own] = &repeats{at: r.Time}
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
func (h dedupeHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return dedupeHandler{h.Handler.WithAttrs(attrs), h.recent}
}

// WithGroup implements [slog.Handler].
func (h dedupeHandler) WithGroup(name string) slog.Handler {
	return dedupeHandler{h.Handler.WithGroup(name), h.recent}
}
