package coach

import (
	"fmt"
	"time"

	"digitduel/rulebook"
)

// A Day is a date: the days since 1 January 1970. Its text is 2026-01-31.
type Day int

// DayOf returns the date of a time in UTC, where days of puzzles change at midnight.
func DayOf(t time.Time) Day {
	return Day(t.UTC().Truncate(24*time.Hour).Unix() / (24 * 60 * 60))
}

// Date returns the beginning of the day in UTC.
func (d Day) Date() time.Time { return time.Unix(int64(d)*24*60*60, 0).UTC() }

func (d Day) String() string { return d.Date().Format(time.DateOnly) }

// ParseDay reads a date.
func ParseDay(text string) (Day, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return 0, fmt.Errorf("day %q: not a date such as 2026-01-31", text)
	}
	return DayOf(t), nil
}

// MarshalText implements [encoding.TextMarshaler].
func (d Day) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (d *Day) UnmarshalText(text []byte) (err error) {
	*d, err = ParseDay(string(text))
	return err
}

// A Streak counts a player's daily puzzles. The zero Streak has none.
type Streak struct {
	Last    Day `json:"last"` // the last day tried
	Current int `json:"current"`
	Longest int `json:"longest"`
	Solved  int `json:"solved"`
	Tried   int `json:"tried"`
}

// After returns the streak after the puzzle of a day is solved or failed. Only the first try of a
// day counts, and no day before the last one tried.
func (s Streak) After(day Day, solved bool) Streak {
	if s.Tried > 0 && day <= s.Last {
		return s
	}
	s.Current = s.On(day)
	s.Last = day
	s.Tried++
	if !solved {
		s.Current = 0
		return s
	}
	s.Solved++
	s.Current++
	s.Longest = max(s.Longest, s.Current)
	return s
}

// On returns the days running on a day: none if a day went by without a try.
func (s Streak) On(day Day) int {
	if s.Tried == 0 || day > s.Last+1 {
		return 0
	}
	return s.Current
}

// Text describes a streak on a day: "3 days running. Best: 5."
func (s Streak) Text(day Day) string {
	if s.Tried == 0 {
		return "Solve a puzzle on the first try to start a streak."
	}
	return fmt.Sprintf("%s. Best: %d.", rulebook.DaysRunning(s.On(day)), s.Longest)
}
