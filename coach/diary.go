package coach

import (
	"fmt"
	"maps"
	"slices"
)

// FirstDay is the first day with a puzzle: 2025-01-01.
const FirstDay Day = 20089

// A Mark is how the puzzle of a day went.
type Mark uint8

const (
	Untried Mark = iota
	Solved       // on its day, and the first answer was right: it counts
	Missed       // on its day, and the first answer was wrong, or the answer was looked at
	Late         // on a later day: it does not count
)

var markNames = []string{"untried", "solved", "missed", "late"}

func (k Mark) String() string { return markNames[k] }

// MarshalText implements [encoding.TextMarshaler].
func (k Mark) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (k *Mark) UnmarshalText(text []byte) error {
	i := slices.Index(markNames, string(text))
	if i < 0 {
		return fmt.Errorf("mark %q: allowed: untried, solved, missed, late", text)
	}
	*k = Mark(i)
	return nil
}

// A Diary is a streak with how each day went. What was kept before days were is a Diary without them.
type Diary struct {
	Streak
	Days map[Day]Mark `json:"days,omitempty"`
}

// Mark returns how the puzzle of a day went. Of days that are not in the diary, the row of the streak tells some.
func (d Diary) Mark(day Day) Mark {
	mark, known := d.Days[day]
	switch {
	case known || d.Tried == 0 || day > d.Last || day < d.Last-Day(max(0, d.Current-1)):
		return mark
	case d.Current == 0:
		return Missed
	default:
		return Solved
	}
}

// After returns the diary once an answer to the puzzle of a day is given, or looked at. Only the first answer counts, and only on the day
// itself.
func (d Diary) After(today, day Day, right bool) Diary {
	mark := d.Mark(day)
	switch {
	case mark != Untried:
		return d
	case day == today && right:
		mark = Solved
	case day == today:
		mark = Missed
	case right:
		mark = Late
	default:
		return d
	}
	if d.Days = maps.Clone(d.Days); d.Days == nil {
		d.Days = map[Day]Mark{}
	}
	d.Days[day] = mark
	if day == today {
		d.Streak = d.Streak.After(day, right)
	}
	return d
}

// Why tells whether a day counts for the row, and why.
func (d Diary) Why(today, day Day) string {
	this := "That day"
	if day == today {
		this = "Today"
	}
	switch d.Mark(day) {
	case Solved:
		return this + " counts: the first answer was right."
	case Missed:
		return this + " does not count: the first answer was not right."
	case Late:
		return this + " does not count: it was solved on a later day."
	default:
	}
	switch {
	case day == today:
		return "Today counts if your first answer is right. Hints are allowed, up to the last one."
	case day > today:
		return "A day to come does not count yet."
	default:
		return "A past day is for practice: only the puzzle of today counts."
	}
}
