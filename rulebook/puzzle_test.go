package rulebook

import (
	"testing"
	"unicode/utf8"
)

func TestPuzzles(t *testing.T) {
	tests := []struct {
		said        Said
		short, long string
	}{
		{Missed(0, 7), "Every computer level finds it", "Every computer level finds it."},
		{Missed(1, 7), "1 of the 7 computer levels misses it",
			"1 of the 7 computer levels misses it."},
		{ForLevel("beginner", "novice"), "Missed by beginner, found by novice",
			"Missed by beginner, found by novice."},
		{Missed(3, 7), "3 of the 7 computer levels miss it", "3 of the 7 computer levels miss it."},
	}
	for _, tt := range tests {
		if tt.said.Short != tt.short || tt.said.Long != tt.long ||
			utf8.RuneCountInString(tt.short) > MostShort {
			t.Errorf("got %q, want %q, %q", tt.said, tt.short, tt.long)
		}
	}
}

func TestTries(t *testing.T) {
	for n, want := range [][2]string{
		{"solved", ""}, {"first try", "one try used"}, {"second try", "two tries used"},
	} {
		if got := [2]string{Tries(n), TriesUsed(n)}; n > 0 && got != want || got[0] != want[0] {
			t.Errorf("%d tries: got %q, want %q", n, got, want)
		}
	}
}
