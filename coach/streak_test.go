package coach

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// TestStreak checks streaks after some days of January 2026: + is solved, - is failed.
func TestStreak(t *testing.T) {
	for _, tt := range []struct{ diary, want string }{
		{"", `{"last":"1970-01-01","current":0,"longest":0,"solved":0,"tried":0}`},
		{"5+", `{"last":"2026-01-05","current":1,"longest":1,"solved":1,"tried":1}`},
		{"5+ 6+ 7+", `{"last":"2026-01-07","current":3,"longest":3,"solved":3,"tried":3}`},
		{"5+ 6+ 8+", `{"last":"2026-01-08","current":1,"longest":2,"solved":3,"tried":3}`},
		{"5+ 6+ 7-", `{"last":"2026-01-07","current":0,"longest":2,"solved":2,"tried":3}`},
		{"5- 6+ 7+", `{"last":"2026-01-07","current":2,"longest":2,"solved":2,"tried":3}`},
		{"5+ 5+ 5-", `{"last":"2026-01-05","current":1,"longest":1,"solved":1,"tried":1}`},
		{"5- 5+", `{"last":"2026-01-05","current":0,"longest":0,"solved":0,"tried":1}`},
		{"5+ 6+ 4+", `{"last":"2026-01-06","current":2,"longest":2,"solved":2,"tried":2}`},
	} {
		var s Streak
		for entry := range strings.FieldsSeq(tt.diary) {
			day, err := ParseDay("2026-01-0" + entry[:1])
			if err != nil {
				t.Fatal(err)
			}
			s = s.After(day, entry[1] == '+')
		}
		text, err := json.Marshal(s)
		if err != nil || string(text) != tt.want {
			t.Errorf("%s: %s, want %s", tt.diary, text, tt.want)
		}
		var back Streak
		if err := json.Unmarshal(text, &back); err != nil || back != s {
			t.Errorf("%s: read back as %+v, %v", text, back, err)
		}
	}
	s := Streak{}.After(100, true).After(101, true)
	for day, want := range map[Day]int{101: 2, 102: 2, 103: 0, 200: 0} {
		if got := s.On(day); got != want {
			t.Errorf("on day %d: %d, want %d", day, got, want)
		}
	}
}

// TestStreakTold checks the texts about a streak.
func TestStreakTold(t *testing.T) {
	for _, tt := range []struct {
		streak Streak
		want   string
	}{
		{Streak{}, "Solve a puzzle on the first try to start a streak."},
		{Streak{Last: 9, Current: 3, Longest: 5, Solved: 9, Tried: 12}, "3 days running. Best: 5."},
		{Streak{Last: 10, Current: 1, Longest: 1, Solved: 1, Tried: 1}, "1 day running. Best: 1."},
		{Streak{Last: 7, Current: 3, Longest: 5, Solved: 9, Tried: 12}, "0 days running. Best: 5."},
	} {
		if got := tt.streak.Text(10); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.streak, got, tt.want)
		}
	}
}

// TestDay checks that days change at midnight UTC.
func TestDay(t *testing.T) {
	east := time.FixedZone("east", 14*60*60)
	for _, tt := range []struct {
		time time.Time
		want string
	}{
		{time.Date(2026, 3, 1, 0, 30, 0, 0, east), "2026-02-28"},
		{time.Date(2026, 3, 1, 14, 0, 0, 0, east), "2026-03-01"},
		{time.Date(2026, 3, 1, 0, 30, 0, 0, east).UTC(), "2026-02-28"},
		{time.Date(1969, 12, 31, 23, 0, 0, 0, time.UTC), "1969-12-31"},
		{time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC), "1970-01-01"},
	} {
		day := DayOf(tt.time)
		back, err := ParseDay(day.String())
		if day.String() != tt.want || back != day || err != nil {
			t.Errorf("%v: %v, want %s; read back as %v, %v", tt.time, day, tt.want, back, err)
		}
	}
	for _, bad := range []string{"", "today", "2026-02-30", "1.2.2026"} {
		if day, err := ParseDay(bad); err == nil {
			t.Errorf("%q is parsed as %v", bad, day)
		}
	}
}
