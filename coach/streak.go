package coach

import (
	"fmt"
	"time"
)

// A Day is a date: the days since the first of January 1970. Its text is 2026-01-31.
type Day int

// DayOf returns the date that a time has where it was taken.
func DayOf(t time.Time) Day {
	year, month, day := t.Date()
	return Day(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / (24 * 60 * 60))
}

// Date returns the beginning of the day in UTC: its date is the day's.
func (d Day) Date() time.Time { return time.Unix(int64(d)*24*60*60, 0).UTC() }

func (d Day) String() string { return d.Date().Format(time.DateOnly) }

// ParseDay reads a date.
func ParseDay(text string) (Day, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return 0, fmt.Errorf("day %q: a day is written as year, month and day, as in 2026-01-31", text)
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

// A Streak is how a player does with the daily puzzles. The zero Streak is that of somebody who has not tried one.
type Streak struct {
	Last    Day `json:"last"` // the last day tried
	Current int `json:"current"`
	Longest int `json:"longest"`
	Solved  int `json:"solved"`
	Tried   int `json:"tried"`
}

// After returns the streak once the puzzle of a day is solved or failed. Only the first try of a day counts, and a day before the
// last one tried does not.
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

// On returns how many days in a row the streak has on a day: none if a day went by without a try.
func (s Streak) On(day Day) int {
	if s.Tried == 0 || day > s.Last+1 {
		return 0
	}
	return s.Current
}

// Told tells a streak on a day: "Solved 3 days in a row. Best: 5."
func (s Streak) Told(day Day) string {
	switch n := s.On(day); {
	case s.Tried == 0:
		return "Your first puzzle of the day!"
	case n == 0:
		return fmt.Sprintf("No days in a row now. Best: %d.", s.Longest)
	case n == 1:
		return fmt.Sprintf("Solved 1 day in a row. Best: %d.", s.Longest)
	default:
		return fmt.Sprintf("Solved %d days in a row. Best: %d.", n, s.Longest)
	}
}
