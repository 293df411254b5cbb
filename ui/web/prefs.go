package web

import (
	"net/http"
	"net/url"

	"digitduel/bot"
	"digitduel/match"
)

// prefs holds the last choices of a visitor, saved in a cookie.
type prefs struct{ name, level string }

const (
	prefsCookie = "you"
	usualLevel  = "casual"
)

// prefsOf reads the last choices of a visitor. Invalid values are ignored.
func prefsOf(r *http.Request) prefs {
	c := prefs{level: usualLevel}
	cookie, err := r.Cookie(prefsCookie)
	if err != nil {
		return c
	}
	kept, err := url.ParseQuery(cookie.Value)
	if err != nil {
		return c
	}
	c.name, _ = match.CleanName(kept.Get("name"))
	if _, err := bot.ParseLevel(kept.Get("level")); err == nil {
		c.level = kept.Get("level")
	}
	return c
}

func (c prefs) keep(w http.ResponseWriter, r *http.Request, s *Server) {
	c.name, _ = match.CleanName(c.name)
	s.cookie(w, r, prefsCookie, url.Values{"name": {c.name}, "level": {c.level}}.Encode(), "/")
}

// year is the lifetime of cookies in seconds.
const year = 365 * 24 * 60 * 60
