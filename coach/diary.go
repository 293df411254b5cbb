package coach

import (
	"maps"

	"digitduel/digit"
)

// FirstDay is the first day with a puzzle: 2025-01-01.
const FirstDay Day = 20089

// A Mark is the result of a day's puzzle.
type Mark uint8

const (
	Untried Mark = iota
	Solved       // on its day, with the first try: it counts
	Missed       // on its day, but not with the first try, or the answer was shown
	Late         // at a later try or on a later day: it doesn't count
)

var markNames = []string{"untried", "solved", "missed", "late"}

func (k Mark) String() string { return digit.NameOf(markNames, k) }

// MarshalText implements [encoding.TextMarshaler].
func (k Mark) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (k *Mark) UnmarshalText(text []byte) (err error) {
	*k, err = digit.ReadName[Mark]("mark", string(text), markNames)
	return err
}

// A Diary is a streak with a mark for each day. Old diaries have no marks.
type Diary struct {
	Streak
	Days map[Day]Mark `json:"days,omitempty"`
}

// Mark returns the mark of a day. If the diary has none, it follows from the streak for the last
// days.
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

// After returns the diary after a try at the puzzle of a day, or after its answer was shown. Only
// the first try counts, and only on the day itself; a puzzle solved later is marked as such.
func (d Diary) After(today, day Day, right bool) Diary {
	mark := d.Mark(day)
	switch {
	case mark == Missed && right:
		mark = Late
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

// Why says whether a day counts for the streak, and why.
func (d Diary) Why(today, day Day) string {
	this := "That day"
	if day == today {
		this = "Today"
	}
	switch mark := d.Mark(day); {
	case mark == Solved:
		return this + " counts: your first try was right."
	case mark == Late && day < today:
		return this + " doesn't count: you solved it later."
	case mark != Untried:
		return this + " doesn't count: your first try was wrong, or the answer was shown."
	case day == today:
		return "Today counts if your first try is right. You may use hints, but not the last step."
	case day > today:
		return "This day hasn't come yet."
	default:
		return "Past days are for practice. Only today's puzzle counts."
	}
}
