package cli

import (
	"errors"
	"strings"
	"testing"

	"digitduel/coach"
)

// TestTeach runs the lesson with the expected moves in several forms, with other moves, which it
// rejects, and without input, which shows it to the end.
func TestTeach(t *testing.T) {
	for _, tt := range []struct {
		typed string
		times int // the number of rejected moves
		err   error
	}{
		{"7a\n1 right\n9\n", 0, nil},
		{"7b\nhello\n7 left\n1c\n9b\n", 2, nil},
		{"7a\n", 0, nil},
		{"", 0, nil},
		{"7a\nskip\n", 0, ErrQuit},
	} {
		var out strings.Builder
		k := NewPipe(strings.NewReader(tt.typed), &out, false)
		if err := Teach(t.Context(), k, coach.FirstLesson()); !errors.Is(err, tt.err) {
			t.Errorf("%q: %v, want %v", tt.typed, err, tt.err)
		}
		if err := k.Close(); err != nil {
			t.Error(err)
		}
		text := out.String()
		if n := strings.Count(text, "In this lesson type"); n != tt.times {
			t.Errorf("%q: %d moves are rejected, want %d:\n%s", tt.typed, n, tt.times, text)
		}
		if won := strings.Contains(text, "791 = 7 × 113. You win!"); won != (tt.err == nil) {
			t.Errorf("%q: won: %t:\n%s", tt.typed, won, text)
		}
	}
}
