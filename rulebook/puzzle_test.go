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
		{Missed(0, 7), "All computer players find it", "All 7 computer players find it."},
		{Missed(1, 7), "1 computer player misses it", "1 of the 7 computer players misses it."},
		{Missed(3, 7), "3 computer players miss it", "3 of the 7 computer players miss it."},
		{Streak(0, 5), "No day in a row yet", "No day in a row yet. Best: 5."},
		{Streak(1, 1), "Solved 1 day in a row", "Solved 1 day in a row. Best: 1."},
		{Streak(3, 5), "Solved 3 days in a row", "Solved 3 days in a row. Best: 5."},
	}
	for _, tt := range tests {
		if tt.said.Short != tt.short || tt.said.Long != tt.long || utf8.RuneCountInString(tt.short) > MostShort {
			t.Errorf("%q, want %q, %q", tt.said, tt.short, tt.long)
		}
	}
}
