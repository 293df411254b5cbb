package match

import (
	"testing"
	"time"
)

func TestGameMarks(t *testing.T) {
	at := time.Date(2026, 1, 31, 12, 0, 0, 123456000, time.UTC)
	for text, want := range map[string]GameMark{
		"2026-01-31T12:00:00.123456Z":                      {Ended: at},
		"2026-01-31T12:00:00.123456Z/h7yya5ooxqgln/12":     {at, "h7yya5ooxqgln", 12},
		"2026-01-31T12:00:00.123456Z/a/b/1":                {at, "a/b", 1},
		"2026-01-31T13:00:00.123456+01:00/h7yya5ooxqgln/1": {at, "h7yya5ooxqgln", 1},
	} {
		got, err := ParseGameMark(text)
		if err != nil || !got.Ended.Equal(want.Ended) || got.Table != want.Table || got.Number != want.Number {
			t.Errorf("%s: got %+v, %v", text, got, err)
		}
		if again, err := ParseGameMark(got.String()); err != nil || again.String() != got.String() {
			t.Errorf("%s: ParseGameMark(%s) = %v, %v", text, got, again, err)
		}
	}
	for _, text := range []string{
		"", "noon", "/", "2026-01-31T12:00:00Z/", "2026-01-31T12:00:00Z//1", "2026-01-31T12:00:00Z/t", "2026-01-31T12:00:00Z/t/", "2026-01-31T12:00:00Z/t/0",
		"2026-01-31T12:00:00Z/t/x", "/t/1", "2026-01-31T12:00:00Z/\x00/1", "2026-01-31T12:00:00Z/\xff/1", "2026-01-31T12:00:00Z/t/2147483648",
	} {
		if got, err := ParseGameMark(text); err == nil || got != (GameMark{}) {
			t.Errorf("%q: got %+v, %v", text, got, err)
		}
	}
}
