package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// prefs holds the choices of a visitor for new games, saved in a cookie.
type prefs struct {
	name, level string
	opponent    string
	first       string // who starts
	clock       string // the time for each turn; empty: no clock
	aim         string // the target, where players agree on one
}

const (
	prefsCookie = "you"
	usualLevel  = "casual"
)

// prefsOf reads the choices of a visitor. Invalid values are ignored.
func prefsOf(r *http.Request) prefs {
	kept, _ := url.ParseQuery(cookieOf(r, prefsCookie)) // with all that is valid
	c, _ := prefsIn(kept)
	return c
}

// prefsIn reads choices from a form. An invalid one has its default, and err is about one of them.
func prefsIn(form url.Values) (c prefs, err error) {
	c = prefs{level: usualLevel, opponent: computer, first: takeTurns,
		aim: strconv.Itoa(rulebook.UsualAim)}
	for key, at := range map[string]struct {
		value   *string
		allowed []string
	}{
		"level":     {&c.level, bot.LevelNames()},
		"opponent":  {&c.opponent, askOpponent("", 0).values()},
		"first":     {&c.first, askFirst("").values()},
		"turn_time": {&c.clock, askClock("").values()},
	} {
		if value := form.Get(key); slices.Contains(at.allowed, value) {
			*at.value = value
		} else if value != "" {
			err = invalid("%s %q: allowed: %s", key, clip(value), strings.Join(at.allowed, ", "))
		}
	}
	if aim := answered(form, "aim"); aim != "" {
		if _, wrong := digit.ParseRules("divisibility target=" + aim); wrong == nil {
			c.aim = aim
		} else {
			err = wrong
		}
	}
	if name, wrong := match.CleanName(form.Get("name")); wrong == nil {
		c.name = name
	} else {
		err = invalid("%v", wrong)
	}
	return c, err
}

// Values returns the choices as the fields of a form.
func (c prefs) Values() url.Values {
	return url.Values{"name": {c.name}, "level": {c.level}, "opponent": {c.opponent},
		"first": {c.first}, "turn_time": {c.clock}, "aim": {c.aim}}
}

// Pill returns the choice of the opponent in a few words.
func (c prefs) Pill() string {
	switch c.opponent {
	case match.Friend:
		return "vs Friend"
	case match.Anyone:
		return "vs Anyone"
	case samePhone:
		return "Same phone"
	default:
		return "vs Computer, " + c.level
	}
}

func (c prefs) keep(w http.ResponseWriter, r *http.Request, s *Server) {
	c.name, _ = match.CleanName(c.name)
	s.cookie(w, r, prefsCookie, c.Values().Encode(), "/")
}

// A sheetView is the form of a visitor's choices.
type sheetView struct {
	Open      bool // it is shown without script too
	Alert     string
	Questions []question
}

// pageSettings shows the home page with the choices, for browsers without script.
func (s *Server) pageSettings(w http.ResponseWriter, r *http.Request) error {
	return s.showHome(w, r, http.StatusOK, prefsOf(r), sheetView{Open: true})
}

// postSettings saves the choices of a visitor. To, if set, replaces the level.
func (s *Server) postSettings(w http.ResponseWriter, r *http.Request) error {
	form := r.PostForm
	if to := form.Get("to"); to != "" {
		form.Set("level", to)
	}
	c, err := prefsIn(form)
	if err != nil {
		return s.refuseSettings(w, r, form, err)
	}
	c.keep(w, r, s)
	return s.redirect(w, r, "/#how")
}

// refuseSettings shows the choices of a form again, with the fault.
func (s *Server) refuseSettings(w http.ResponseWriter, r *http.Request, form url.Values,
	err error) error {
	p := s.problemOf(r, err)
	if p.status != http.StatusUnprocessableEntity {
		return p
	}
	c, _ := prefsIn(form)
	c.name = form.Get("name") // as it was typed
	return s.showHome(w, r, p.status, c, sheetView{Open: true, Alert: p.sentence()})
}
