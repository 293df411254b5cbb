package web

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/http"
	"time"

	"digitduel/coach"
	"digitduel/rulebook"
)

// daysCookie holds the results of the daily puzzles, which only the user can fake.
const daysCookie = "days"

// mostMarks limits the bytes of marks that are read and stored. Each holds four days: together a
// dozen years.
const mostMarks = 1100

// diaryOf reads a visitor's results of the daily puzzles, from which the days in a row follow. An
// invalid cookie counts as none.
func diaryOf(r *http.Request) coach.Diary {
	d := coach.Diary{Days: map[coach.Day]coach.Mark{}}
	marks, err := base64.RawURLEncoding.DecodeString(cookieOf(r, daysCookie))
	if err != nil || len(marks) > mostMarks {
		return d
	}
	for i := range 4 * len(marks) {
		day, mark := coach.FirstDay+coach.Day(i), coach.Mark(marks[i/4]>>(i%4*2)&3)
		if mark != coach.Untried {
			d.Days[day], d.Streak = mark, d.Streak.After(day, mark == coach.Solved)
		}
	}
	return d
}

// daysText returns the marks of days as the cookie stores them.
func daysText(days map[coach.Day]coach.Mark) string {
	var marks []byte
	for day, mark := range days {
		i := int(day - coach.FirstDay)
		if i < 0 || i/4 >= mostMarks {
			continue
		}
		if len(marks) <= i/4 {
			marks = append(marks, make([]byte, i/4+1-len(marks))...)
		}
		marks[i/4] |= byte(mark) << (i % 4 * 2)
	}
	return base64.RawURLEncoding.EncodeToString(marks)
}

// keepTry stores the result of a try at the puzzle of a day in the browser.
func (s *Server) keepTry(w http.ResponseWriter, r *http.Request, day coach.Day, right bool) {
	d := diaryOf(r).After(s.today(), day, right)
	s.cookie(w, r, daysCookie, daysText(d.Days), "/")
}

// A daysView shows how the days of this week went, and when the next puzzle comes.
type daysView struct {
	Running string // "4 days running"; empty: today does not count
	Week    []dayMark
	Left    string // the time until the next puzzle: "7 h 12 min"
	LeftMS  int64  // the same in milliseconds
}

// A dayMark is a day of a calendar with its result. One without a number belongs to another month.
type dayMark struct {
	Name   string // "Monday", in a week
	Number int    // in a month
	Path   string // of its puzzle; empty: there is none, or no link
	Mark   string // the symbol of its result, or in a week its letter
	Says   string // the result in words; empty: none yet
	Class  string
	Today  bool
}

// dayMark returns a day with its result.
func (s *Server) dayMark(d coach.Diary, day coach.Day) dayMark {
	mark := dayMark{Today: day == s.today()}
	if words, ok := dayWords[d.Mark(day)]; ok && day <= s.today() {
		mark.Mark, mark.Says, mark.Class = words[0], words[1], d.Mark(day).String()
	}
	return mark
}

// daysOf returns the days of this week for a player with some days in a row that end today.
func (s *Server) daysOf(d coach.Diary, running int) *daysView {
	left := (s.today() + 1).Date().Sub(s.Now())
	view := &daysView{Left: hoursText(left), LeftMS: left.Milliseconds()}
	monday := s.today() - coach.Day((int(s.today().Date().Weekday())+6)%7)
	for day := monday; day < monday+7; day++ {
		mark := s.dayMark(d, day)
		mark.Name = day.Date().Weekday().String()
		mark.Mark = cmp.Or(mark.Mark, mark.Name[:1])
		view.Week = append(view.Week, mark)
	}
	if running > 0 {
		view.Running = rulebook.DaysRunning(running)
	}
	return view
}

// hoursText returns a time of less than a day in words, rounded up to a minute.
func hoursText(left time.Duration) string {
	minutes := int((left + time.Minute - 1) / time.Minute)
	if minutes < 60 {
		return fmt.Sprintf("%d min", minutes)
	}
	return fmt.Sprintf("%d h %d min", minutes/60, minutes%60)
}
