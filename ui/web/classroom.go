package web

import (
	"crypto/hmac"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"time"

	"digitduel/class"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// Nth returns a place in words: "3rd of 30".
func (p classPage) Nth(place *int) string {
	n, end := *place, "th"
	if n/10%10 != 1 && n%10 >= 1 && n%10 <= 3 {
		end = []string{"st", "nd", "rd"}[n%10-1]
	}
	return fmt.Sprintf("%d%s of %d", n, end, len(p.Rows))
}

// Parts returns a label for each game of a pairing.
func (p classPage) Parts() []string {
	if *p.Order.Pair {
		return []string{" 1", " 2"}
	}
	return []string{""}
}

// Count returns the number of pupils by status, and that of games under way.
func (p classPage) Count() map[string]int {
	n := map[string]int{}
	for _, row := range p.Rows {
		n[string(p.Status(row.Pupil))]++
	}
	n["games"] = n[string(class.Plays)] / 2
	return n
}

func (s *Server) pageWatchClass(w http.ResponseWriter, r *http.Request, p classPage) error {
	return s.showClass(w, r, "livewatch", p)
}

// liveClass streams the viewer's view of a class to the script of a page. That of a pupil changes
// only if the pupil's page does.
func (s *Server) liveClass(w http.ResponseWriter, r *http.Request, p classPage) error {
	v := classVisitor{Class: p.Class}
	if p.Form.Has("me") {
		v.Pupil = p.Pupil
	}
	return s.streamClass(w, r, p.Class, func(state *class.State) any {
		v.State = state
		view := v.view()
		if view.You != nil {
			view.Seq, view.You.Token, view.You.Rejoin = 0, "", ""
		}
		return view
	})
}

// pagePupil takes a pupil to the game under way, or shows how things stand.
func (s *Server) pagePupil(w http.ResponseWriter, r *http.Request, p classPage) error {
	table := p.Form.Get("at") // where a game is played that does not count
	switch {
	case p.Pupil == 0:
		return s.redirect(w, r, "/c/"+p.Class.ID()+"/rejoin")
	case p.Status(p.Pupil) == class.Plays:
		place := p.Class.Place(p.State, p.Pupil, p.Pupils[p.Pupil-1].Pairing)
		table = ""
		if visit, err := s.Hall.Visit(r.Context(), place.Table); err == nil {
			if visit.Table.State().Phase() != match.Over {
				table = place.Table
				s.cookie(w, r, seatCookie, place.Token, "/t/"+table)
			}
			visit.Close()
		}
		p.Soon = true // the table opens, or its result is counted
	}
	if table == "" {
		return s.showClass(w, r, "livepupil", p)
	}
	return s.redirect(w, r, "/t/"+url.PathEscape(table))
}

// postFriendly opens a game of a pupil against the computer that does not count. It is without the
// pupil's name, because it is not deleted with the class.
func (s *Server) postFriendly(w http.ResponseWriter, r *http.Request, p classPage) error {
	if p.Pupil == 0 {
		return forbidden("only a pupil of the class can do that")
	}
	if err := s.Open(s.Address(r)); err != nil {
		return err
	}
	id, token, err := s.place(r, s.browserKey(w, r), match.Setup{
		Rules: p.Order.Rules, Class: p.Class.ID(), Levels: [2]string{"", usualLevel},
		Names: [2]string{"", "Computer (" + usualLevel + ")"},
	}, false)
	if err != nil {
		return err
	}
	s.cookie(w, r, seatCookie, token, "/t/"+id)
	return s.redirect(w, r, "/t/"+id)
}

// pageWall serves the page for the projector, with the numbers that won some of the last games.
func (s *Server) pageWall(w http.ResponseWriter, r *http.Request, p classPage) error {
	if !hmac.Equal([]byte(r.PathValue("token")), []byte(p.Class.Wall())) {
		return forbidden("this is not the wall of the class")
	}
	for _, pairing := range slices.Backward(p.Pairings) {
		const most = 5
		if len(p.Made) == most || !pairing.Counts() {
			continue
		}
		visit, err := s.Hall.Visit(r.Context(), pairing.Table)
		if err != nil {
			return err
		}
		for _, game := range visit.Table.Games() {
			f := rulebook.Finished(game.Setup.Rules, game.Position, game.Result)
			winner := p.Pupils[pairing.Pupils[game.SeatOf(f.Winner)]-1]
			if game.Result.Reason == digit.Multiple && !winner.Removed {
				sum := sumOf(game, f, f.Winner, 0)
				sum.Name = winner.Name
				p.Made = append(p.Made, sum)
			}
		}
		visit.Close()
	}
	return s.showClass(w, r, "livewall", p)
}

// pageDirector serves the pages of the director.
func (s *Server) pageDirector(w http.ResponseWriter, r *http.Request, p classPage) error {
	base, token := path.Base(r.URL.Path), r.PathValue("token")
	switch at := "/c/" + p.Class.ID(); {
	case p.directs(token): // hide it from the address
		s.cookie(w, r, directCookie, token, at)
		return s.redirect(w, r, at+"/direct")
	case !p.director:
		return forbidden("only the director of the class can do that, by the secret link")
	case base == "standings.csv":
		return s.sendStandings(w, r, p.classVisitor)
	case base == "certificates":
		return s.showClass(w, r, "classcertificates", p)
	}
	var ids []string
	for _, game := range p.Pairings {
		if game.UnderWay() {
			ids = append(ids, game.Table)
		}
	}
	if len(ids) > 0 {
		tables, err := s.Archive.Tables(r.Context(), match.TableFilter{IDs: ids})
		if err != nil {
			return err
		}
		p.Since = map[string]time.Time{}
		for _, t := range tables {
			p.Since[t.ID] = t.Opened
		}
	}
	return s.showClass(w, r, "livedirector", p)
}

// postClassAct does an act of the director or of a pupil; a browser may be both.
func (s *Server) postClassAct(w http.ResponseWriter, r *http.Request, p classPage) error {
	form, at := p.Form, "/c/"+p.Class.ID()
	a := class.Act{Act: form.Get("act"), Name: form.Get("name"), Pupil: number(form, "pupil"),
		Minutes: number(form, "minutes"), Pairing: number(form, "pairing")}
	// without points an award is refused
	_ = json.Unmarshal([]byte(form.Get("points")), &a.Points)
	v, back := p.classVisitor, at+"/direct"+form.Get("back")
	if a.Act == "leave" || a.Act == "back" {
		v.director, back = false, at+"/me"
	} else {
		v.Pupil = 0
	}
	_, err := s.doClassAct(r, v, a)
	switch {
	case err != nil && v.director:
		return s.refuseClass(w, r, "livedirector", p, err)
	case err != nil:
		return err
	case a.Act == "delete":
		back = "/class/new"
	}
	return s.redirect(w, r, back)
}
