package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"net/http"
	"strings"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// enterSeat follows the link of a seat, or of the invitation to it. It gives the browser a cookie
// and changes nothing at the table, because programs that preview links follow them too. A browser
// that has a seat keeps it.
func (s *Server) enterSeat(w http.ResponseWriter, r *http.Request, visit *match.Visit,
	v viewer) error {
	t, token := visit.Table, r.PathValue("token")
	to := "/t/" + t.ID()
	w.Header().Set("Cache-Control", "no-store")
	link, ok := s.linked(t.ID(), t.State(), token)
	if !ok { // another server may just have issued it
		if err := t.Refresh(r.Context()); err != nil {
			return err
		}
		link, ok = s.linked(t.ID(), t.State(), token)
	}
	switch {
	case !ok && v.plays: // perhaps a link that the player has used
	case !ok:
		return notFound("this link does not lead to a seat; check that all of it was " +
			"copied").says(rulebook.NoSeat)
	case v.plays && v.seat != link.seat:
		to += "?link=own"
	case v.plays && !link.plays: // the player on the seat has opened the invitation again
	case link.plays:
		s.giveSeat(w, r, t.ID(), token)
	default:
		s.browserKey(w, r)
		s.cookie(w, r, inviteCookie, token, to)
		if link.link == "" {
			s.remember(w, r, t.ID(), token)
		}
	}
	return s.redirect(w, r, to)
}

// linked returns the viewer of the token in a link: the player on the seat, or a guest with a
// one-time link to it, or with the invitation, which may be used.
func (s *Server) linked(table string, state match.State, token string) (v viewer, ok bool) {
	if v, ok := s.player(table, state, token); ok {
		return v, true
	}
	if seat, ok := s.Keys.Linked(table, state, token); ok {
		return viewer{seat: seat, invited: true, link: token}, true
	}
	seat, ok := s.Keys.Invited(table, state, token)
	return viewer{seat: seat, invited: true}, ok
}

// linkNote explains the result of following a link, if it may be unexpected.
func (s *Server) linkNote(r *http.Request, table string, state match.State, v viewer) string {
	if v.plays {
		switch other := v.seat.Other(); r.URL.Query().Get("link") {
		case "own":
			return rulebook.OwnInvitation(state.Open[other], state.Setup.Name(other)).Long
		case "changed":
			return rulebook.LinkChanged.Long
		}
		return ""
	}
	for _, c := range append(r.CookiesNamed(seatCookie), r.CookiesNamed(inviteCookie)...) {
		seat, ok := s.Keys.Invited(table, state, c.Value)
		switch {
		case ok && !state.Open[seat]:
			return rulebook.InvitationUsed(state.Setup.Name(seat)).Long
		case !ok && c.Name == seatCookie && !v.invited:
			return rulebook.LoggedOut.Long
		}
	}
	return ""
}

// freeSeat returns the seat of a table that a viewer without a seat may take: by the invitation, or
// the public one. Whether it is still free is checked later, because the player who took it may ask
// again.
func freeSeat(state match.State, v viewer) (match.Seat, error) {
	if v.invited {
		return v.seat, nil
	}
	for _, seat := range match.Seats {
		if state.Setup.Open[seat] && state.Setup.Listed {
			return seat, nil
		}
	}
	if state.Phase() == match.Waiting {
		return 0, forbidden("the seat needs an invitation")
	}
	return 0, match.ErrTaken
}

// postSit takes an open seat: for a guest with an invitation, and for anyone at a table of the
// lobby. A player who has the seat already, and may not have received the answer, gets it again.
func (s *Server) postSit(w http.ResponseWriter, r *http.Request, visit *match.Visit,
	v viewer) error {
	to := "/t/" + visit.Table.ID()
	if !v.plays {
		c := prefsOf(r)
		c.name = r.PostForm.Get("name")
		now, err := s.sit(r.Context(), visit, v, c.name, s.browserKey(w, r))
		if err != nil {
			if p := s.problemOf(r, err); p.status < http.StatusInternalServerError {
				return s.showTable(w, r, visit, v, p.status, p.sentence())
			}
			return err
		}
		v = now
		c.keep(w, r, s)
	} else if visit.Table.State().Phase() == match.Waiting { // it is for another person
		to += "?link=own"
	}
	s.giveSeat(w, r, visit.Table.ID(), v.token)
	return s.redirect(w, r, to+"#table")
}

// sit takes a seat for a viewer by a key, or moves it to the viewer, and returns its player.
func (s *Server) sit(ctx context.Context, visit *match.Visit, v viewer, name,
	key string) (viewer, error) {
	seat, err := freeSeat(visit.Table.State(), v)
	if err != nil {
		return v, err
	}
	token := s.Keys.Fresh(visit.Table.ID(), seat, v.keyOf(key))
	now := viewer{seat: seat, plays: true, token: token, seal: match.Seal(token)}
	if v.link != "" {
		_, err := visit.Table.Relocate(ctx, s.Keys, v.link, seat, now.seal)
		return now, err
	}
	return now, s.takeSeat(ctx, visit, seat, name, token)
}

// keyOf returns the key by which a guest takes a seat. A link that moves a seat is part of it, so
// that no token is ever valid again.
func (v viewer) keyOf(key string) string {
	if v.link != "" {
		return v.link + " " + key
	}
	return key
}

// A seatView is a seat as the API shows it to its player.
type seatView struct {
	Seat   int        `json:"seat"`
	Side   digit.Side `json:"side"` // in the first game; the start alternates
	Player string     `json:"player"`
	Token  string     `json:"token"`
}

func seatViewOf(t *match.Table, v viewer) seatView {
	return seatView{Seat: int(v.seat) + 1, Side: digit.Side(v.seat ^ t.State().Setup.First),
		Player: match.Human, Token: v.token}
}

// checkKey returns nil if a key is valid for taking a seat. The error does not quote it, because it
// is as secret as the token.
func checkKey(key string) error {
	if len(key) < 16 || len(key) > 128 ||
		strings.ContainsFunc(key, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return invalid("Idempotency-Key: allowed: 16 to 128 letters, digits and signs, " +
			"without spaces")
	}
	return nil
}

// A sitRequest asks for a seat.
type sitRequest struct {
	Name string `json:"name,omitempty"`
}

func (s *Server) apiSit(w http.ResponseWriter, r *http.Request) error {
	var asked sitRequest
	key, err := readKeyed(r, &asked)
	if err != nil {
		return err
	}
	visit, err := s.visit(r)
	if err != nil {
		return err
	}
	defer visit.Close()
	t, v := visit.Table, viewer{}
	if r.Header.Get("Authorization") != "" {
		token, err := bearerToken(r)
		if err != nil {
			return err
		}
		var ok bool
		if v, ok = s.linked(t.ID(), t.State(), token); !ok && key != "" {
			// the answer to taking it was lost
			for _, seat := range match.Seats {
				moved := s.Keys.Fresh(t.ID(), seat, viewer{link: token}.keyOf(key))
				if v, ok = s.player(t.ID(), t.State(), moved); ok {
					return writeJSON(w, http.StatusCreated, seatViewOf(t, v))
				}
			}
		}
		if !ok {
			return forbidden("the token is not an invitation to this table")
		}
		if v.plays {
			return problemf(http.StatusConflict, "you sit at this table")
		}
	}
	if v, err = s.sit(r.Context(), visit, v, asked.Name, cmp.Or(key, rand.Text())); err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, seatViewOf(t, v))
}

// takeSeat seats a person, and begins the first game if both seats are taken.
func (s *Server) takeSeat(ctx context.Context, v *match.Visit, seat match.Seat, name,
	token string) error {
	name, err := match.CleanName(name)
	if err != nil {
		return invalid("%v", err)
	}
	named := v.Table.State().Setup
	if name != "" {
		named.Names[seat] = name
	}
	if err := named.Check(); err != nil {
		p := invalid("%v", err)
		if named.Name(match.One) == named.Name(match.Two) {
			return p.says(rulebook.NameTaken)
		}
		return p
	}
	if _, err := v.Table.Sit(ctx, seat, name, match.Seal(token)); err != nil {
		return err
	}
	// The seat is taken even if this cannot be saved. Then either player begins the game later.
	if err := begin(ctx, v); err != nil && ctx.Err() == nil {
		s.Log.Error("a game did not begin", "table", v.Table.ID(), "error", err)
	}
	return nil
}
