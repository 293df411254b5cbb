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
		{ForLevel("beginner", "novice"), "beginner misses it, novice finds it", "A puzzle that the computer misses as beginner and finds as novice."},
		{Missed(3, 7), "3 computer players miss it", "3 of the 7 computer players miss it."},
	}
	for _, tt := range tests {
		if tt.said.Short != tt.short || tt.said.Long != tt.long || utf8.RuneCountInString(tt.short) > MostShort {
			t.Errorf("%q, want %q, %q", tt.said, tt.short, tt.long)
		}
	}
}
