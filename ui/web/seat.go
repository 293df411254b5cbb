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

// cookie sets a secret cookie for the addresses below a path of this server.
func (s *Server) cookie(w http.ResponseWriter, r *http.Request, name, value, path string) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: s.Root + path, MaxAge: year, HttpOnly: true,
		Secure: s.secure(r), SameSite: http.SameSiteLaxMode,
	})
}

// giveSeat stores the token of a seat in a browser.
func (s *Server) giveSeat(w http.ResponseWriter, r *http.Request, table, token string) {
	s.cookie(w, r, seatCookie, token, "/t/"+table)
	s.remember(w, r, table, token)
}

// browserKey returns the key of a browser for taking seats, and creates one if there is none.
func (s *Server) browserKey(w http.ResponseWriter, r *http.Request) string {
	if c, err := r.Cookie(browserCookie); err == nil && checkKey(c.Value) == nil {
		return c.Value
	}
	key := rand.Text()
	s.cookie(w, r, browserCookie, key, "/")
	return key
}

// seatPath returns the address that gives a browser a seat, or the invitation to one.
func seatPath(table, token string) string {
	return "/t/" + table + "/seat/" + token
}

// visitor visits the table of a request as the viewer of its cookies.
func (s *Server) visitor(r *http.Request) (*match.Visit, viewer, error) {
	return s.visitBy(r, s.viewerOf)
}

// visitBy visits the table of a request as the viewer that a function finds.
func (s *Server) visitBy(r *http.Request,
	find func(*http.Request, *match.Table) (viewer, error)) (*match.Visit, viewer, error) {
	visit, err := s.visit(r)
	if err != nil {
		return nil, viewer{}, err
	}
	v, err := find(r, visit.Table)
	if err != nil {
		visit.Close()
		return nil, viewer{}, err
	}
	return visit, v, nil
}

// viewerOf returns the viewer of a table by the cookies of a request.
func (s *Server) viewerOf(r *http.Request, t *match.Table) (viewer, error) {
	cookies, state := r.CookiesNamed(seatCookie), t.State()
	fits := func(c *http.Cookie) bool { _, ok := s.player(t.ID(), state, c.Value); return ok }
	// another server may have changed the token
	if len(cookies) > 0 && !slices.ContainsFunc(cookies, fits) {
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
	var tokens []string
	for _, c := range r.CookiesNamed(seatCookie) {
		tokens = append(tokens, c.Value)
	}
	ways := []viewer{{}} // that the browser may have taken a seat by
	for _, c := range r.CookiesNamed(inviteCookie) {
		ways = append(ways, viewer{link: c.Value})
	}
	for _, c := range r.CookiesNamed(browserCookie) {
		for _, way := range ways {
			for _, seat := range match.Seats {
				tokens = append(tokens, s.Keys.Fresh(table, seat, way.keyOf(c.Value)))
			}
		}
	}
	for _, token := range tokens {
		if v, ok := s.player(table, state, token); ok {
			v.both = s.shares(r, table, state)
			return v
		}
	}
	// older versions kept invitations in it too
	for _, c := range append(r.CookiesNamed(inviteCookie), r.CookiesNamed(seatCookie)...) {
		if seat, ok := s.Keys.Invited(table, state, c.Value); ok && state.Open[seat] {
			return viewer{seat: seat, invited: true}
		}
		if seat, ok := s.Keys.Linked(table, state, c.Value); ok {
			return viewer{seat: seat, invited: true, link: c.Value}
		}
	}
	return viewer{}
}

// shares reports whether a browser holds both seats of a table.
func (s *Server) shares(r *http.Request, table string, state match.State) bool {
	return slices.ContainsFunc(r.CookiesNamed(browserCookie), func(c *http.Cookie) bool {
		_, one := s.player(table, state, s.Keys.Fresh(table, match.One, c.Value))
		_, two := s.player(table, state, s.Keys.Fresh(table, match.Two, c.Value))
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

// seated visits the table of a request as one of its players.
func (s *Server) seated(r *http.Request) (*match.Visit, viewer, error) {
	visit, v, err := s.visitor(r)
	if err != nil || v.plays {
		return visit, v, err
	}
	visit.Close()
	if v.invited {
		return nil, viewer{}, forbidden("take the seat first")
	}
	return nil, viewer{}, forbidden("you watch this table; only its two players can do that")
}

// bearerToken returns the token in the header of a request.
func bearerToken(r *http.Request) (string, error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", &problem{status: http.StatusUnauthorized,
			text: "missing seat token: send Authorization: Bearer TOKEN"}
	}
	return token, nil
}

// bearer returns the player whose token is in a request's header.
func (s *Server) bearer(r *http.Request, t *match.Table) (viewer, error) {
	token, err := bearerToken(r)
	if err != nil {
		return viewer{}, err
	}
	v, ok := s.player(t.ID(), t.State(), token)
	if !ok { // another server may just have issued it
		if err := t.Refresh(r.Context()); err != nil {
			return viewer{}, err
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
	return viewer{}, p
}

// visitAs visits the table of a request as the player of its token.
func (s *Server) visitAs(r *http.Request) (*match.Visit, viewer, error) {
	return s.visitBy(r, s.bearer)
}

// visitOpen visits the table of a request as the player of its token, or without one as a watcher.
func (s *Server) visitOpen(r *http.Request) (*match.Visit, viewer, error) {
	if r.Header.Get("Authorization") != "" {
		return s.visitAs(r)
	}
	visit, err := s.visit(r)
	return visit, viewer{}, err
}
