package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A viewer is who looks at a table: the player on a seat, or somebody who watches.
type viewer struct {
	seat  match.Seat
	plays bool
}

// is reports whether the viewer has a seat.
func (v viewer) is(seat match.Seat) bool { return v.plays && v.seat == seat }

// cast returns who plays, by seat, as the viewer is told.
func (v viewer) cast(s match.State) (c rulebook.Cast) {
	for _, seat := range match.Seats {
		c.Names[seat], c.You[seat], c.Computer[seat] = s.Setup.Name(seat), v.is(seat), s.Levels[seat] != ""
	}
	return c
}

// rulesFor returns the rules of the game as its players are asked by: where the table calls for them there is nothing to call.
func rulesFor(s match.Setup) digit.Rules {
	if s.AutoCall {
		return rulebook.AutoCalled(s.Rules)
	}
	return s.Rules
}

// you is the cast where whoever reads is to move.
var you = rulebook.Cast{You: [2]bool{true, true}}

// sides returns the same by side of the game that is played.
func (v viewer) sides(s match.State) rulebook.Cast {
	c := v.cast(s)
	if s.Starter() == match.Two {
		slices.Reverse(c.Names[:])
		slices.Reverse(c.You[:])
		slices.Reverse(c.Computer[:])
	}
	return c
}

// seatCookie holds the token of a seat. Each table has one of its own, by the path.
const seatCookie = "seat"

// visitor visits the table of a request as whoever its cookie says.
func (s *Server) visitor(r *http.Request) (*match.Visit, viewer, error) {
	visit, err := s.visit(r)
	if err != nil {
		return nil, viewer{}, err
	}
	for _, c := range r.CookiesNamed(seatCookie) {
		seat, ok := s.Keys.Seat(visit.Table.ID(), visit.Table.State(), c.Value)
		if ok && visit.Table.State().Setup.Levels[seat] == "" {
			return visit, viewer{seat, true}, nil
		}
	}
	return visit, viewer{}, nil
}

// seated visits the table of a request as the player who sits at it.
func (s *Server) seated(r *http.Request) (*match.Visit, match.Seat, error) {
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

func (s *Server) seatLink(r *http.Request, table string, seat match.Seat) string {
	return s.origin(r) + "/t/" + table + "/seat/" + s.Keys.Token(table, seat)
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
	seat, ok := s.Keys.Seat(id, visit.Table.State(), r.PathValue("token"))
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
			return match.ErrTaken
		}
	}
	name := strings.TrimSpace(form.Get("name"))
	if _, err = s.takeSeat(r.Context(), visit, seat, name); err != nil {
		if p := s.problemOf(r, err); p.status == http.StatusUnprocessableEntity {
			return s.showTable(w, r, visit, v, p.status, p.sentence())
		}
		return err
	}
	c := prefsOf(r)
	c.name = name
	c.keep(w, r, s)
	s.giveSeat(w, r, visit.Table.ID(), seat)
	http.Redirect(w, r, "/t/"+visit.Table.ID()+"#table", http.StatusSeeOther)
	return nil
}

// bearer returns the seat that the token in a request's header is for, where a person sits on it.
func (s *Server) bearer(r *http.Request, t *match.Table) (match.Seat, error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return 0, &problem{status: http.StatusUnauthorized, text: "a seat token is wanted: Authorization: Bearer TOKEN"}
	}
	seat, ok := s.Keys.Seat(t.ID(), t.State(), token)
	if ok && t.State().Open[seat] { // it may have been taken just now at another server
		if err := t.Refresh(r.Context()); err != nil {
			return 0, err
		}
	}
	switch state := t.State(); {
	case !ok:
		return 0, &problem{status: http.StatusForbidden, text: "the token is for no seat of this table"}
	case state.Open[seat]:
		return 0, &problem{status: http.StatusForbidden, text: "nobody has taken this seat yet"}
	case state.Setup.Levels[seat] != "":
		return 0, &problem{status: http.StatusForbidden, text: "the computer plays on this seat"}
	}
	return seat, nil
}

// visitAs visits the table of a request as the player whose token it has.
func (s *Server) visitAs(r *http.Request) (*match.Visit, match.Seat, error) {
	v, err := s.visit(r)
	if err != nil {
		return nil, 0, err
	}
	seat, err := s.bearer(r, v.Table)
	if err != nil {
		v.Close()
		return nil, 0, err
	}
	return v, seat, nil
}

// A seatView is a seat as the API shows it to whoever opens a table or takes the seat.
type seatView struct {
	Seat   int        `json:"seat"`
	Side   digit.Side `json:"side"` // in the first game; the start alternates
	Player string     `json:"player"`
	Token  string     `json:"token,omitempty"`
}

func (s *Server) apiSit(w http.ResponseWriter, r *http.Request) error {
	var asked struct {
		Name string `json:"name"`
	}
	if err := readJSON(r, &asked); err != nil {
		return err
	}
	v, err := s.visit(r)
	if err != nil {
		return err
	}
	defer v.Close()
	seat, err := openSeat(v.Table.State())
	if err != nil {
		return err
	}
	state, err := s.takeSeat(r.Context(), v, seat, asked.Name)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusCreated, seatView{int(seat) + 1, state.Side(seat), human, s.Keys.Token(v.Table.ID(), seat)})
	return nil
}

// openSeat returns the seat of a table that anybody may take.
func openSeat(s match.State) (match.Seat, error) {
	for _, seat := range match.Seats {
		if s.Open[seat] && s.Setup.Listed {
			return seat, nil
		}
	}
	return 0, match.ErrTaken
}

// takeSeat seats a person, and begins the first game if that was the last seat.
func (s *Server) takeSeat(ctx context.Context, v *match.Visit, seat match.Seat, name string) (match.State, error) {
	name = strings.TrimSpace(name)
	named := v.Table.State().Setup
	if name != "" {
		named.Names[seat] = name
	}
	if err := named.Check(); err != nil {
		p := unfit("%v", err)
		if named.Name(match.One) == named.Name(match.Two) {
			p.told = rulebook.NameTaken(name).Long
		}
		return match.State{}, p
	}
	state, err := v.Table.Sit(ctx, seat, name, "")
	if err != nil {
		return state, err
	}
	if state.Open == [2]bool{} && state.Game == 0 {
		// The seat is taken whether or not this can be kept. If it cannot, either player begins the game later.
		if _, err := v.Table.Begin(ctx); err != nil && !errors.Is(err, match.ErrUnderWay) {
			s.Log.Error("a game did not begin", "table", v.Table.ID(), "error", err)
		}
	}
	return v.Table.State(), nil
}
