package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"net/http"

	"digitduel/match"
)

// rekey gives a player a new token in place of those in a request, and makes those invalid. The new
// token depends on the old one and a key: if the answer is lost, the same request gets it again,
// although the old token is no longer valid.
func (s *Server) rekey(ctx context.Context, visit *match.Visit, v viewer, key string,
	had ...string) (viewer, error) {
	t := visit.Table
	fresh := func(seat match.Seat, old string) string {
		return s.Keys.Fresh(t.ID(), seat, old+" "+key)
	}
	err := match.ErrRekeyed
	if v.plays {
		if err := s.Act(visit.Table, v.seat); err != nil {
			return viewer{}, err
		}
		ctx, cancel := context.WithTimeout(v.holding(ctx), actTime)
		defer cancel()
		had = append(had, v.token)
		_, err = t.Rekey(ctx, v.seat, match.Seal(fresh(v.seat, v.token)))
	}
	state := t.State()
	for _, old := range had {
		for _, seat := range match.Seats {
			if now, ok := s.player(t.ID(), state, fresh(seat, old)); ok {
				return now, nil
			}
		}
	}
	return viewer{}, err
}

// apiRekey changes the token of a seat.
func (s *Server) apiRekey(w http.ResponseWriter, r *http.Request) error {
	key, err := readKeyed(r, &struct{}{})
	if err != nil {
		return err
	}
	visit, err := s.visit(r)
	if err != nil {
		return err
	}
	defer visit.Close()
	token, err := bearerToken(r)
	if err != nil {
		return err
	}
	v, refused := s.bearer(r, visit.Table)
	now, err := s.rekey(r.Context(), visit, v, cmp.Or(key, rand.Text()), token)
	if refused != nil && err != nil {
		return refused
	}
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, seatViewOf(visit.Table, now))
}

// A linkRequest asks for a one-time link to a seat.
type linkRequest struct {
	Seat int `json:"seat,omitempty"`
}

// A linkView is a one-time link to a seat.
type linkView struct {
	Seat       int    `json:"seat"`
	Invitation string `json:"invitation"`
	Link       string `json:"link"`
}

// apiLink answers with the link that moves the caller's seat to another device, or that of the
// opponent, who has left.
func (s *Server) apiLink(r *http.Request, visit *match.Visit, v viewer,
	asked linkRequest) (any, error) {
	if asked.Seat < 0 || asked.Seat > len(match.Seats) {
		return nil, invalid("seat %d: allowed: 1, 2", asked.Seat)
	}
	id, state := visit.Table.ID(), visit.Table.State()
	seat := match.Seat(cmp.Or(asked.Seat, int(v.seat)+1) - 1)
	token := s.Keys.Link(id, v.seat, state)
	switch {
	case seat == v.seat:
	case !mayRecall(state, seat):
		return nil, match.ErrHere
	default:
		token = s.Keys.Recall(id, seat, state)
	}
	return linkView{int(seat) + 1, token, s.origins(r)[0] + seatPath(id, token)}, nil
}

// mayRecall reports whether the player on a seat has left, and can be invited back.
func mayRecall(s match.State, seat match.Seat) bool {
	return s.Away[seat] && s.Setup.Levels[seat] == ""
}

// postRekey changes the token of a seat for the browser that asks.
func (s *Server) postRekey(w http.ResponseWriter, r *http.Request, visit *match.Visit,
	v viewer) error {
	key := r.PostForm.Get("key")
	if err := checkKey(key); err != nil {
		return err
	}
	now, err := s.rekey(r.Context(), visit, v, key, cookiesOf(r, seatCookie)...)
	if err != nil {
		return err
	}
	s.giveSeat(w, r, visit.Table.ID(), now.token)
	return s.redirect(w, r, "/t/"+visit.Table.ID()+"?link=changed")
}
