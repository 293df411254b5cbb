package web

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"digitduel/coach"
)

// What a browser keeps of the daily puzzles, which is its user's alone to fake: the days in a row, and what came of each day.
const (
	streakCookie = "streak"
	daysCookie   = "days"
)

// streakOf reads the streak of a visitor. What is not written as it is kept is none.
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
	return coach.Streak{Last: coach.Day(n[0]), Current: n[1], Longest: n[2], Solved: n[3], Tried: n[4]}
}

// An outcome is what came of the puzzle of a day.
type outcome byte

const (
	untried outcome = iota
	missed
	later // found, but not at the first try
	found
)

// after returns the outcome after another try.
func (o outcome) after(right bool) outcome {
	switch {
	case o == untried && right:
		return found
	case o == missed && right:
		return later
	case o == untried:
		return missed
	default:
		return o
	}
}

// marks of days, from [firstDay] on, four in a byte.
type dayMarks []byte

// mostMarks is how many bytes of marks are read: those of a dozen years.
const mostMarks = 1100

// dayMarksOf reads what a visitor made of the days. What is not written as it is kept is nothing.
func dayMarksOf(r *http.Request) dayMarks {
	cookie, err := r.Cookie(daysCookie)
	if err != nil {
		return nil
	}
	marks, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	if err != nil || len(marks) > mostMarks {
		return nil
	}
	return marks
}

// at returns what came of a day.
func (m dayMarks) at(day coach.Day) outcome {
	i := int(day - firstDay)
	if i < 0 || i/4 >= len(m) {
		return untried
	}
	return outcome(m[i/4] >> (i % 4 * 2) & 3)
}

// after returns the marks with one more try at a day.
func (m dayMarks) after(day coach.Day, right bool) dayMarks {
	i := int(day - firstDay)
	if i/4 >= mostMarks {
		return m
	}
	next := make(dayMarks, max(len(m), i/4+1))
	copy(next, m)
	next[i/4] = next[i/4]&^(3<<(i%4*2)) | byte(m.at(day).after(right))<<(i%4*2)
	return next
}

// keepTry has a browser keep what came of a try at the puzzle of a day. For the days in a row only today counts.
func (s *Server) keepTry(w http.ResponseWriter, r *http.Request, day coach.Day, right bool) {
	keep := func(name, value string) {
		http.SetCookie(w, &http.Cookie{
			Name: name, Value: value, Path: "/puzzle", MaxAge: year, HttpOnly: true, Secure: s.secure(r), SameSite: http.SameSiteLaxMode,
		})
	}
	if day == s.today() {
		k := streakOf(r).After(day, right)
		keep(streakCookie, fmt.Sprintf("%d.%d.%d.%d.%d", k.Last, k.Current, k.Longest, k.Solved, k.Tried))
	}
	keep(daysCookie, base64.RawURLEncoding.EncodeToString(dayMarksOf(r).after(day, right)))
}
