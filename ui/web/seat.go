package web

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A viewer is a person looking at a table: the player on a seat, a guest with an invitation to it,
// or a watcher.
type viewer struct {
	seat    match.Seat
	plays   bool
	invited bool
	token   string // of the player
	link    string // a one-time token that moves the seat to the guest
	seal    string // of the seat when the token was checked
	both    bool   // both players share the browser; the seat is that of the player to move
}

// at returns the viewer in a state: of players who share a browser, the one to move.
func (v viewer) at(s match.State) viewer {
	if v.both && s.Playing() {
		v.seat, v.seal = s.Turn(), s.Setup.Seals[s.Turn()]
	}
	return v
}

// seats returns the viewer on each seat that the browser holds.
func (v viewer) seats(s match.State) []viewer {
	all := []viewer{v}
	if v.both {
		other := v
		other.seat, other.seal = v.seat.Other(), s.Setup.Seals[v.seat.Other()]
		all = append(all, other)
	}
	return all
}

// acting returns the viewer on each seat, first the one who does an act: of players who share a
// browser the player to move, but the other one takes back the last move.
func (v viewer) acting(s match.State, act match.Act) []viewer {
	seats := v.at(s).seats(s)
	if act == match.Undo {
		slices.Reverse(seats)
	}
	return seats
}

// holding returns a context for acts of a player, which fail if the token has been changed
// meanwhile.
func (v viewer) holding(ctx context.Context) context.Context {
	return match.Holding(ctx, v.seat, v.seal)
}

// is reports whether the viewer has a seat.
func (v viewer) is(seat match.Seat) bool { return v.plays && v.seat == seat }

// narrator returns the narrator of a state for the viewer.
func (v viewer) narrator(s match.State) rulebook.Narrator {
	if v.both {
		return rulebook.Narrator{State: s}
	}
	return rulebook.Narrator{State: s, You: [2]bool{v.is(match.One), v.is(match.Two)}}
}

// rulesFor returns the rules in the form that players are asked by; see [rulebook.Narrator.Rules].
func rulesFor(s match.Setup) digit.Rules {
	return rulebook.Narrator{State: match.State{Setup: s}}.Rules()
}

// you is the cast in which the reader is to move.
var you = rulebook.Cast{You: [2]bool{true, true}}

const (
	seatCookie   = "seat"   // the token of a seat; each table has its own, by the path
	inviteCookie = "invite" // the invitation to a seat, likewise
	// the key of a browser for taking seats, so that it gets them even if the answer is lost
	browserCookie = "browser"
)

// year is the lifetime of cookies in seconds.
const year = 365 * 24 * 60 * 60

// cookie sets a secret cookie for the addresses below a path of this server.
func (s *Server) cookie(w http.ResponseWriter, r *http.Request, name, value, path string) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: s.Root + path, MaxAge: year, HttpOnly: true,
		Secure: s.secure(r), SameSite: http.SameSiteLaxMode,
	})
}

// cookieOf returns the value of a cookie; empty: there is none.
func cookieOf(r *http.Request, name string) string {
	c, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return c.Value
}

// cookiesOf returns the values of all cookies of a name: those of other paths may have the same.
func cookiesOf(r *http.Request, name string) (values []string) {
	for _, c := range r.CookiesNamed(name) {
		values = append(values, c.Value)
	}
	return values
}

// giveSeat stores the token of a seat in a browser.
func (s *Server) giveSeat(w http.ResponseWriter, r *http.Request, table, token string) {
	s.cookie(w, r, seatCookie, token, "/t/"+table)
	s.remember(w, r, table, token)
}

// browserKey returns the key of a browser for taking seats, and creates one if there is none.
func (s *Server) browserKey(w http.ResponseWriter, r *http.Request) string {
	key := cookieOf(r, browserCookie)
	if checkKey(key) == nil {
		return key
	}
	key = rand.Text()
	s.cookie(w, r, browserCookie, key, "/")
	return key
}

// seatPath returns the address that gives a browser a seat, or the invitation to one.
func seatPath(table, token string) string {
	return "/t/" + table + "/seat/" + token
}

// watcher returns the viewer of a table where it does not matter who asks.
func watcher(*http.Request, *match.Table) (viewer, error) { return viewer{}, nil }

// viewerOf returns the viewer of a table by the cookies of a request.
func (s *Server) viewerOf(r *http.Request, t *match.Table) (viewer, error) {
	tokens, state := cookiesOf(r, seatCookie), t.State()
	fits := func(token string) bool { _, ok := s.player(t.ID(), state, token); return ok }
	// another server may have changed the token
	if len(tokens) > 0 && !slices.ContainsFunc(tokens, fits) {
		if err := t.Refresh(r.Context()); err != nil {
			return viewer{}, err
		}
	}
	v := s.known(r, t.ID(), t.State())
	return v, v.isBack(r, t)
}

// isBack records that a player who had left is back, so that no link to the seat that the opponent
// made is valid any more. After a request to move that is done when the move is played.
func (v viewer) isBack(r *http.Request, t *match.Table) error {
	if !v.plays || !t.State().Away[v.seat] || strings.HasSuffix(r.URL.Path, "/moves") {
		return nil
	}
	_, err := t.Return(v.holding(r.Context()), v.seat)
	if errors.Is(err, match.ErrAlready) {
		return nil
	}
	return err
}

// known returns the viewer of a table in a state by the cookies of a request.
func (s *Server) known(r *http.Request, table string, state match.State) viewer {
	tokens, invitations := cookiesOf(r, seatCookie), cookiesOf(r, inviteCookie)
	taken := tokens
	for _, key := range cookiesOf(r, browserCookie) {
		// the browser may have taken a seat by a link
		for _, link := range append([]string{""}, invitations...) {
			for _, seat := range match.Seats {
				taken = append(taken, s.Keys.Fresh(table, seat, viewer{link: link}.keyOf(key)))
			}
		}
	}
	for _, token := range taken {
		if v, ok := s.player(table, state, token); ok {
			v.both = s.shares(r, table, state)
			return v
		}
	}
	// older versions kept invitations in the cookie of a seat, too
	for _, token := range append(invitations, tokens...) {
		if v, ok := s.linked(table, state, token); ok && (v.link != "" || state.Open[v.seat]) {
			return v
		}
	}
	return viewer{}
}

// shares reports whether a browser holds both seats of a table.
func (s *Server) shares(r *http.Request, table string, state match.State) bool {
	return slices.ContainsFunc(cookiesOf(r, browserCookie), func(key string) bool {
		_, one := s.player(table, state, s.Keys.Fresh(table, match.One, key))
		_, two := s.player(table, state, s.Keys.Fresh(table, match.Two, key))
		return one && two
	})
}

// player returns the player of a token at a table in a state.
func (s *Server) player(table string, state match.State, token string) (v viewer, ok bool) {
	seat, ok := s.Keys.Seat(table, state, token)
	if !ok || state.Open[seat] || state.Setup.Levels[seat] != "" {
		return viewer{}, false
	}
	return viewer{seat: seat, plays: true, token: token, seal: state.Setup.Seals[seat]}, true
}

// playerOf returns the player of a table by the cookies of a request.
func (s *Server) playerOf(r *http.Request, t *match.Table) (viewer, error) {
	v, err := s.viewerOf(r, t)
	switch {
	case err != nil || v.plays:
		return v, err
	case v.invited:
		return v, forbidden("take the seat first")
	}
	return v, forbidden("you watch this table; only its two players can do that")
}

// bearerToken returns the token in the header of a request.
func bearerToken(r *http.Request) (string, error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", problemf(http.StatusUnauthorized,
			"missing seat token: send Authorization: Bearer TOKEN")
	}
	return token, nil
}

// bearer returns the player whose token is in a request's header.
func (s *Server) bearer(r *http.Request, t *match.Table) (v viewer, err error) {
	token, err := bearerToken(r)
	if err != nil {
		return v, err
	}
	v, ok := s.player(t.ID(), t.State(), token)
	if !ok { // another server may just have issued it
		if err := t.Refresh(r.Context()); err != nil {
			return v, err
		}
		v, ok = s.player(t.ID(), t.State(), token)
	}
	if ok {
		return v, v.isBack(r, t)
	}
	p := forbidden("the token does not belong to a seat of this table")
	state := t.State()
	if seat, invited := s.Keys.Invited(t.ID(), state, token); invited && state.Open[seat] {
		p.text = "nobody has taken this seat yet"
	} else if invited {
		p.text = "the invitation has been used; the player who took the seat has another token"
	} else if seat, ok := s.Keys.Seat(t.ID(), state, token); ok && state.Setup.Levels[seat] != "" {
		p.text = "the computer plays on this seat"
	}
	return v, p
}

// caller returns the player whose token is in a request's header, or without one a watcher.
func (s *Server) caller(r *http.Request, t *match.Table) (viewer, error) {
	if r.Header.Get("Authorization") == "" {
		return viewer{}, nil
	}
	return s.bearer(r, t)
}
