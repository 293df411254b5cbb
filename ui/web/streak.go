package web

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"digitduel/coach"
)

// Cookies with the results of the daily puzzles, which only the user can fake: the days in a row,
// and the result of each day.
const (
	streakCookie = "streak"
	daysCookie   = "days"
)

// streakOf reads the streak of a visitor. An invalid cookie counts as none.
func streakOf(r *http.Request) coach.Streak {
	cookie, err := r.Cookie(streakCookie)
	if err != nil {
		return coach.Streak{}
	}
	parts := strings.Split(cookie.Value, ".")
	var n [5]int
	if len(parts) != len(n) {
		return coach.Streak{}
	}
	for i, part := range parts {
		const most = 1_000_000
		if n[i], err = strconv.Atoi(part); err != nil || n[i] < 0 || n[i] > most {
			return coach.Streak{}
		}
	}
	return coach.Streak{Last: coach.Day(n[0]), Current: n[1], Longest: n[2], Solved: n[3],
		Tried: n[4]}
}

// mostMarks limits the bytes of marks that are read and stored. Each holds four days: together a
// dozen years.
const mostMarks = 1100

// diaryOf reads a visitor's results of the daily puzzles. An invalid cookie counts as none.
func diaryOf(r *http.Request) coach.Diary {
	d := coach.Diary{Streak: streakOf(r), Days: map[coach.Day]coach.Mark{}}
	cookie, err := r.Cookie(daysCookie)
	if err != nil {
		return d
	}
	marks, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	if err != nil || len(marks) > mostMarks {
		return d
	}
	for i := range 4 * len(marks) {
		if mark := coach.Mark(marks[i/4] >> (i % 4 * 2) & 3); mark != coach.Untried {
			d.Days[coach.FirstDay+coach.Day(i)] = mark
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
	for name, value := range map[string]string{
		streakCookie: fmt.Sprintf("%d.%d.%d.%d.%d", d.Last, d.Current, d.Longest, d.Solved,
			d.Tried), daysCookie: daysText(d.Days),
	} {
		s.cookie(w, r, name, value, "/puzzle")
	}
}
