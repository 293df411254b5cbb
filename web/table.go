package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"digitduel/digit"
	"digitduel/match"
)

// seatCookie holds the token of a seat. Each table has one of its own, by the path.
const seatCookie = "seat"

// year is how long browsers keep what they are given here.
const year = 365 * 24 * 60 * 60

// visitor visits the table of a request as whoever its cookie says.
func (s *Server) visitor(r *http.Request) (*match.Visit, viewer, error) {
	visit, err := s.visit(r)
	if err != nil {
		return nil, viewer{}, err
	}
	for _, c := range r.CookiesNamed(seatCookie) {
		seat, ok := s.Keys.Seat(visit.Table.ID(), c.Value)
		if ok && visit.Table.State().Setup.Levels[seat] == "" {
			return visit, viewer{seat, true}, nil
		}
	}
	return visit, viewer{}, nil
}

// player visits the table of a request as a player who sits at it.
func (s *Server) player(r *http.Request) (*match.Visit, match.Seat, error) {
	visit, v, err := s.visitor(r)
	if err != nil {
		return nil, 0, err
	}
	switch {
	case !v.plays:
		err = &problem{status: http.StatusForbidden, text: "you watch this table; only its two players can do that"}
	case visit.Table.State().Open[v.seat]:
		err = &problem{status: http.StatusForbidden, text: "take the seat first"}
	default:
		return visit, v.seat, nil
	}
	visit.Close()
	return nil, 0, err
}

// giveSeat gives a browser the token of a seat to keep.
func (s *Server) giveSeat(w http.ResponseWriter, r *http.Request, table string, seat match.Seat) {
	http.SetCookie(w, &http.Cookie{
		Name: seatCookie, Value: s.Keys.Token(table, seat), Path: "/t/" + table, MaxAge: year,
		HttpOnly: true, Secure: s.secure(r), SameSite: http.SameSiteLaxMode,
	})
}

// A tablePage is the page of a table.
type tablePage struct {
	Scene scene
	Title string // of the game
	Watch string // the link for everybody
	Mine  string // the link of the viewer's own seat; empty: none
	Hint  bool   // whether hints are asked for
	Left  int64  // milliseconds on the clock; -1: no clock runs
}

func (s *Server) pageTable(w http.ResponseWriter, r *http.Request) error {
	visit, v, err := s.visitor(r)
	if err != nil {
		return err
	}
	defer visit.Close()
	if state := visit.Table.State(); v.plays && !state.Open[v.seat] {
		if err := visit.Seen(r.Context(), v.seat); err != nil { // without script this is all that tells that somebody is there
			return err
		}
	}
	if byScript(r) {
		u, err := s.update(r, visit, v, visit.Table.State())
		if err != nil {
			return err
		}
		writeJSON(w, http.StatusOK, u)
		return nil
	}
	return s.showTable(w, r, visit, v, http.StatusOK, "")
}

// showTable answers with the page of a table, and why the last thing asked for was refused, if it was.
func (s *Server) showTable(w http.ResponseWriter, r *http.Request, visit *match.Visit, v viewer, status int, alert string) error {
	state := visit.Table.State()
	view, err := s.scene(r, visit, v, state)
	if err != nil {
		return err
	}
	view.Alert = alert
	id := visit.Table.ID()
	data := tablePage{Scene: view, Title: titleOf(state.Setup.Rules), Watch: s.origin(r) + "/t/" + id, Hint: wantsHint(r), Left: leftOf(state, s.Now())}
	if v.plays && !state.Open[v.seat] {
		data.Mine = s.seatLink(r, id, v.seat)
	}
	return s.show(w, r, status, "tablepage", page{Title: view.Title, Refresh: refreshOf(state, v), RefreshTo: tablePath(id, data.Hint), Module: "table.js", Data: data})
}

// refreshOf returns after how many seconds a page without script looks again. In a turn of one's own it is only to show that one
// is still there, and seldom.
func refreshOf(s match.State, v viewer) int {
	switch {
	case s.Phase() == match.Waiting && (!v.plays || s.Open[v.seat]):
		return 0 // a name may be being typed
	case s.Phase() == match.Over && !v.plays:
		return 0
	case s.Phase() == match.Over:
		return 15
	case !s.Playing() || !v.is(s.Turn()):
		return 5
	case s.Levels[v.seat.Other()] == "":
		return 45
	default:
		return 0
	}
}

// tablePath returns the address of a table, with or without hints.
func tablePath(id string, hint bool) string {
	if hint {
		return "/t/" + id + "?hint=1"
	}
	return "/t/" + id
}

func wantsHint(r *http.Request) bool { return r.URL.Query().Get("hint") == "1" }

func (s *Server) seatLink(r *http.Request, table string, seat match.Seat) string {
	return s.origin(r) + "/t/" + table + "/seat/" + s.Keys.Token(table, seat)
}

// scene returns a table as a viewer sees it who made a request.
func (s *Server) scene(r *http.Request, visit *match.Visit, v viewer, state match.State) (scene, error) {
	id := visit.Table.ID()
	present, _ := visit.Presence()
	view := sceneOf(id, state, present, v, s.Now())
	if wantsHint(r) {
		if err := s.analyse(r.Context(), state, v, &view); err != nil {
			return view, err
		}
	}
	for _, seat := range match.Seats {
		if !state.Open[seat] {
			continue
		}
		switch {
		case v.is(seat.Other()):
			view.Invite = &invite{Link: s.seatLink(r, id, seat)}
			if state.Setup.Listed { // anybody may be faster, and then the seat's own link must not be in other hands
				view.Invite.Link = s.origin(r) + "/t/" + id
			}
			if c, ok := codeOf(view.Invite.Link); ok {
				view.Invite.Code = &c
			}
		case v.is(seat) || state.Setup.Listed:
			view.Sit = &sitView{Name: choicesOf(r).name, Hints: state.Setup.Hints}
		}
	}
	return view, nil
}

// enterSeat is where the link of a seat leads. It gives the browser the token and changes nothing at the table, for a link is also
// followed by programs that show what is behind it.
func (s *Server) enterSeat(w http.ResponseWriter, r *http.Request) error {
	visit, err := s.visit(r)
	if err != nil {
		return err
	}
	defer visit.Close()
	id := visit.Table.ID()
	seat, ok := s.Keys.Seat(id, r.PathValue("token"))
	if !ok || visit.Table.State().Setup.Levels[seat] != "" {
		return &problem{status: http.StatusNotFound, text: "this link leads to no seat; look whether all of it was copied"}
	}
	s.giveSeat(w, r, id, seat)
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, "/t/"+id, http.StatusSeeOther)
	return nil
}

// postSit takes an open seat: for whoever has its link, and at a table of the lobby for everybody.
func (s *Server) postSit(w http.ResponseWriter, r *http.Request) error {
	form, err := formOf(r)
	if err != nil {
		return err
	}
	visit, v, err := s.visitor(r)
	if err != nil {
		return err
	}
	defer visit.Close()
	state := visit.Table.State()
	seat := v.seat
	switch {
	case v.plays && !state.Open[seat]: // they sit there already, and sent the form twice
		http.Redirect(w, r, "/t/"+visit.Table.ID()+"#table", http.StatusSeeOther)
		return nil
	case !v.plays:
		if seat, err = openSeat(state); err != nil {
			return &problem{status: http.StatusConflict, text: "the seat is taken; you can watch the game"}
		}
	}
	name := strings.TrimSpace(form.Get("name"))
	if _, err = s.takeSeat(r.Context(), visit, seat, name); err != nil {
		if p := s.problemOf(r, err); p.status == http.StatusUnprocessableEntity {
			return s.showTable(w, r, visit, v, p.status, sentence(p.text))
		}
		return err
	}
	c := choicesOf(r)
	c.name = name
	c.keep(w, r, s)
	s.giveSeat(w, r, visit.Table.ID(), seat)
	http.Redirect(w, r, "/t/"+visit.Table.ID()+"#table", http.StatusSeeOther)
	return nil
}

// formOf reads the form of a request.
func formOf(r *http.Request) (url.Values, error) {
	if err := r.ParseForm(); err != nil {
		if large := new(http.MaxBytesError); errors.As(err, &large) {
			return nil, err
		}
		return nil, &problem{status: http.StatusBadRequest, text: "the form could not be read"}
	}
	return r.PostForm, nil
}

func (s *Server) postMove(w http.ResponseWriter, r *http.Request) error {
	form, err := formOf(r)
	if err != nil {
		return err
	}
	visit, seat, err := s.player(r)
	if err != nil {
		return err
	}
	defer visit.Close()
	seen, err := strconv.Atoi(form.Get("seq"))
	if form.Get("seq") != "" && err != nil {
		return &problem{status: http.StatusUnprocessableEntity, text: fmt.Sprintf("seq %q: allowed: the number of the last event you saw, or 0", clip(form.Get("seq")))}
	}
	text, err := moveOf(visit.Table.State().Setup.Rules, form)
	if err == nil {
		_, err = s.doMove(r.Context(), visit, seat, text, seen)
	}
	return s.done(w, r, visit, seat, err)
}

// moveOf returns the text of the move that a form asks for: as a whole, or by digit, spot and call. What can be called is asked
// for each digit by itself, as call7.
func moveOf(r digit.Rules, form url.Values) (string, error) {
	if move := form.Get("move"); move != "" {
		return move, nil
	}
	d, spot := form.Get("digit"), form.Get("spot")
	switch {
	case d == "":
		return "", &problem{status: http.StatusUnprocessableEntity, text: "choose a digit first"}
	case spot == "" && r.Place != digit.Hand:
		return "", &problem{status: http.StatusUnprocessableEntity, text: "choose a place for the " + clip(d)}
	}
	call := form.Get("call" + d)
	if call == "" {
		call = form.Get("call")
	}
	if call = strings.TrimSpace(call); call != "" {
		return d + spot + "=" + call, nil
	}
	return d + spot, nil
}

func (s *Server) postAct(w http.ResponseWriter, r *http.Request) error {
	form, err := formOf(r)
	if err != nil {
		return err
	}
	visit, seat, err := s.player(r)
	if err != nil {
		return err
	}
	defer visit.Close()
	_, err = s.doAct(r.Context(), visit, seat, form.Get("act"), form.Get("level"))
	return s.done(w, r, visit, seat, err)
}

// done answers an act of a player: with the table, or where it was refused with the table and the reason.
func (s *Server) done(w http.ResponseWriter, r *http.Request, visit *match.Visit, seat match.Seat, err error) error {
	if err == nil {
		if byScript(r) {
			w.WriteHeader(http.StatusNoContent)
			return nil
		}
		http.Redirect(w, r, tablePath(visit.Table.ID(), wantsHint(r))+"#table", http.StatusSeeOther)
		return nil
	}
	p := s.problemOf(r, err)
	if byScript(r) || p.status != http.StatusConflict && p.status != http.StatusUnprocessableEntity && p.status != http.StatusTooManyRequests {
		return p
	}
	return s.showTable(w, r, visit, viewer{seat, true}, p.status, sentence(p.text))
}
