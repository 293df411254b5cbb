package web

import (
	"crypto/hmac"
	"net/http"
	"net/url"
	"slices"

	"digitduel/class"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A madeSum is a number that won a game.
type madeSum struct {
	Sum  sumView
	Name string
}

// findPupil returns the class of a request by one of its pupils.
func (s *Server) findPupil(r *http.Request) (classPage, error) {
	p, err := s.findClass(r)
	if err == nil && p.Pupil == 0 {
		return p, forbidden("only a pupil of the class can do that; join it first")
	}
	return p, err
}

// Mine returns the standing of the pupil.
func (p classPage) Mine() class.Standing {
	if at := p.mine(); at >= 0 {
		return p.Rows[at]
	}
	return class.Standing{}
}

func (p classPage) mine() int {
	return slices.IndexFunc(p.Rows, func(r class.Standing) bool { return r.Pupil == p.Pupil })
}

// Near returns the first rows of the standings and those around the pupil's. A row without a pupil
// stands for those between.
func (p classPage) Near() (rows []class.Standing) {
	at := p.mine()
	for i, row := range p.Rows {
		switch {
		case i < 3 || i >= at-2 && i <= max(at+2, 4):
			rows = append(rows, row)
		case i == 3 && at > i:
			rows = append(rows, class.Standing{})
		}
	}
	return rows
}

// An ownPairing is a game of the pupil.
type ownPairing struct {
	class.Pairing
	Other              string // the opponent's name
	Points, Right, All int
	Games              []int // the numbers of the games at the table
}

// Own returns the pupil's games that count.
func (p classPage) Own() (games []ownPairing) {
	for _, game := range p.Pairings {
		seat := slices.Index(game.Pupils, p.Pupil)
		if seat < 0 || !game.Counts() {
			continue
		}
		own := ownPairing{Pairing: game, Other: p.Name(game.Pupils[1-seat]),
			Points: game.Points[seat], Games: []int{1}}
		if game.Decisions != nil {
			own.Right, own.All = game.Decisions[seat][0], game.Decisions[seat][1]
		}
		if *p.Order.Pair {
			own.Games = []int{1, 2}
		}
		games = append(games, own)
	}
	return games
}

// pagePupil takes a pupil to the game under way, or shows how things stand.
func (s *Server) pagePupil(w http.ResponseWriter, r *http.Request) error {
	p, err := s.findClass(r)
	if err != nil {
		return err
	}
	id := p.Class.ID()
	if p.Pupil == 0 {
		s.redirect(w, r, "/c/"+id+"/rejoin")
		return nil
	}
	if p.News().Table != "" {
		place := p.Class.Place(p.State, p.Pupil, p.Pupils[p.Pupil-1].Pairing)
		if visit, err := s.Hall.Visit(r.Context(), place.Table); err == nil {
			over := visit.Table.State().Phase() == match.Over
			visit.Close()
			if !over {
				s.cookie(w, r, seatCookie, place.Token, "/t/"+place.Table)
				s.redirect(w, r, "/t/"+place.Table)
				return nil
			}
		}
		p.Soon = true // the table opens, or its result is counted
	}
	if table := r.URL.Query().Get("at"); table != "" && p.Phase() != class.Finished {
		s.redirect(w, r, "/t/"+url.PathEscape(table)) // a game that does not count
		return nil
	}
	if own := p.Own(); len(own) > 0 {
		last := own[len(own)-1]
		if visit, err := s.Hall.Visit(r.Context(), last.Table); err == nil {
			seat := match.Seat(slices.Index(last.Pupils, p.Pupil))
			view := sceneOf(last.Table, visit.Table.State(), match.Presence{},
				viewer{seat: seat, plays: true}, p.Now)
			p.Last = &view
			visit.Close()
		}
	}
	return s.showClass(w, r, "classpupil", http.StatusOK, p, p.Phase() != class.Finished)
}

// postFriendly opens a game of a pupil against the computer that does not count.
func (s *Server) postFriendly(w http.ResponseWriter, r *http.Request) error {
	p, err := s.findPupil(r)
	if err != nil {
		return err
	}
	if err := s.Open(s.Address(r)); err != nil {
		return err
	}
	// without the name, because it stays when the class is deleted
	setup := match.Setup{Rules: p.Order.Rules, Class: p.Class.ID(),
		Names: [2]string{"", "Computer (" + usualLevel + ")"}, Levels: [2]string{"", usualLevel}}
	id, token, err := s.place(r, s.browserKey(w, r), setup, false)
	if err != nil {
		return err
	}
	s.cookie(w, r, seatCookie, token, "/t/"+id)
	s.redirect(w, r, "/t/"+id)
	return nil
}

func (s *Server) pageWatchClass(w http.ResponseWriter, r *http.Request) error {
	p, err := s.findClass(r)
	if err != nil {
		return err
	}
	p.Pupil = 0
	return s.showClass(w, r, "classwatch", http.StatusOK, p, p.Phase() != class.Finished)
}

func (s *Server) pageWall(w http.ResponseWriter, r *http.Request) error {
	p, err := s.findClass(r)
	if err != nil {
		return err
	}
	if !hmac.Equal([]byte(r.PathValue("token")), []byte(p.Class.Wall())) {
		return forbidden("this is not the wall of the class")
	}
	p.Pupil, p.Port = 0, s.localPort(r)
	if p.Class.Code() != "" {
		p.Links = s.joinLinks(r, invitationPath(p.Class))[:1]
	}
	p.Made = s.justMade(r, p.State)
	return s.showClass(w, r, "classwall", http.StatusOK, p, true)
}

// justMade returns the numbers that won some of the last games.
func (s *Server) justMade(r *http.Request, state *class.State) (made []madeSum) {
	const most = 5
	for _, p := range slices.Backward(state.Pairings) {
		if len(made) == most {
			break
		}
		if !p.Counts() {
			continue
		}
		visit, err := s.Hall.Visit(r.Context(), p.Table)
		if err != nil {
			continue // the wall is complete without it
		}
		game := visit.Table.State()
		visit.Close()
		f := rulebook.Finished(game.Setup.Rules, game.Position, game.Result)
		winner := state.Pupils[p.Pupils[game.SeatOf(f.Winner)]-1]
		if game.Result.Reason == digit.Multiple && !winner.Removed {
			made = append(made, madeSum{sumOf(game, f, f.Winner, 0), winner.Name})
		}
	}
	return made
}
