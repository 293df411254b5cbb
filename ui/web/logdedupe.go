package web

import (
	"context"
	"log/slog"
	"maps"
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

// A recentLog holds the kinds of records that were passed on lately.
type recentLog struct {
	mu    sync.Mutex
	kinds map[string]repeats
}

// repeats holds the time of a record that was passed on, and the number of equal ones since.
type repeats struct {
	at      time.Time
	leftOut int
}

// Dedupe returns a handler that passes on the first of equal warnings and errors within
// [DedupeFor].
func Dedupe(h slog.Handler) slog.Handler {
	return dedupeHandler{h, &recentLog{kinds: map[string]repeats{}}}
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
	if r.Level >= slog.LevelWarn {
		leftOut, pass := h.recent.add(logKind(r), r.Time)
		if !pass {
			return nil
		}
		if leftOut > 0 {
			r = r.Clone()
			r.AddAttrs(slog.Int("left_out", leftOut))
		}
	}
	return h.Handler.Handle(ctx, r)
}

// add counts a record. It reports whether to pass it on, and the number of equal ones left out.
func (l *recentLog) add(kind string, now time.Time) (leftOut int, pass bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	last, seen := l.kinds[kind]
	if seen && now.Sub(last.at) < DedupeFor {
		last.leftOut++
		l.kinds[kind] = last
		return 0, false
	}
	// so that it stays small
	maps.DeleteFunc(l.kinds, func(_ string, r repeats) bool { return now.Sub(r.at) > time.Hour })
	l.kinds[kind] = repeats{at: now}
	return last.leftOut, true
}

// WithAttrs implements [slog.Handler].
func (h dedupeHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return dedupeHandler{h.Handler.WithAttrs(attrs), h.recent}
}

// WithGroup implements [slog.Handler].
func (h dedupeHandler) WithGroup(name string) slog.Handler {
	return dedupeHandler{h.Handler.WithGroup(name), h.recent}
}
