package web

import (
	"net/http"
	"net/url"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
)

// choices are what a visitor chose the last time, kept in a cookie.
type choices struct{ name, level string }

const (
	choicesCookie = "you"
	usualLevel    = "casual"
)

// choicesOf reads what a visitor chose the last time. What cannot have been kept so is as if nothing was.
func choicesOf(r *http.Request) choices {
	c := choices{level: usualLevel}
	cookie, err := r.Cookie(choicesCookie)
	if err != nil {
		return c
	}
	kept, err := url.ParseQuery(cookie.Value)
	if err != nil {
		return c
	}
	if name := kept.Get("name"); (match.Setup{Rules: digit.Dilemma, Names: [2]string{name, ""}}).Check() == nil {
		c.name = name
	}
	if _, err := bot.ParseLevel(kept.Get("level")); err == nil {
		c.level = kept.Get("level")
	}
	return c
}

func (c choices) keep(w http.ResponseWriter, r *http.Request, s *Server) {
	http.SetCookie(w, &http.Cookie{
		Name: choicesCookie, Value: url.Values{"name": {c.name}, "level": {c.level}}.Encode(), Path: "/", MaxAge: year,
		HttpOnly: true, Secure: s.secure(r), SameSite: http.SameSiteLaxMode,
	})
}

// year is how long browsers keep what they are given here.
const year = 365 * 24 * 60 * 60
