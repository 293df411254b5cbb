package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"digitduel/class"
	"digitduel/match"
)

// A longGame is a game that takes long.
type longGame struct {
	class.Pairing
	Minutes int
}

// longMinutes is how long a game may take before the director is asked to look.
const longMinutes = 3

// findDirected returns the class of a request by its director.
func (s *Server) findDirected(r *http.Request) (p classPage, err error) {
	if p, err = s.findClass(r); err == nil && !p.directs {
		err = forbidden("only the director of the class can do that, by the secret link")
	}
	p.Pupil = 0
	return p, err
}

// enterDirector makes a browser that of the director, and hides the token from the address.
func (s *Server) enterDirector(w http.ResponseWriter, r *http.Request) error {
	p, err := s.findClass(r)
	if err != nil {
		return err
	}
	token := r.PathValue("token")
	if !classVisitorOf(p.Class, p.State, token).director {
		return forbidden("this is not the director's link of the class")
	}
	s.cookie(w, r, directCookie, token, "/c/"+p.Class.ID())
	s.redirect(w, r, "/c/"+p.Class.ID()+"/direct")
	return nil
}

func (s *Server) pageDirector(w http.ResponseWriter, r *http.Request) error {
	p, err := s.findDirected(r)
	if err != nil {
		return err
	}
	return s.showDirector(w, r, http.StatusOK, p, r.URL.Query())
}

// showDirector shows the director's page with the part that was asked for.
func (s *Server) showDirector(w http.ResponseWriter, r *http.Request, status int, p classPage,
	asked url.Values) error {
	p.Show = asked.Get("show")
	p.About, _ = strconv.Atoi(asked.Get("pupil"))
	if p.About < 1 || p.About > len(p.Pupils) {
		p.About = 0
	}
	origin, at := s.origins(r)[0], "/c/"+p.Class.ID()
	p.Port, p.Wall = s.localPort(r), origin+at+"/wall/"+p.Class.Wall()
	p.Secret = origin + at + "/direct/" + p.Class.Director()
	switch {
	case p.Show == "rejoin":
		p.Links = s.joinLinks(r, at+"/rejoin")[:1]
	case p.Show == "code" && p.Class.Code() != "":
		p.Links = s.joinLinks(r, invitationPath(p.Class))[:1]
	}
	for _, game := range p.Playing() {
		visit, err := s.Hall.Visit(r.Context(), game.Table)
		if err != nil {
			continue // it is not open yet
		}
		began, _ := visit.Table.Last(visit.Table.State().Seq, match.Opened)
		if n := p.Minutes(began.At); n >= longMinutes {
			p.Long = append(p.Long, longGame{game, n})
		}
		visit.Close()
	}
	return s.showClass(w, r, "classdirect", status, p, p.Show == "")
}

// postClassAct does an act of the director or of a pupil.
func (s *Server) postClassAct(w http.ResponseWriter, r *http.Request) error {
	form := r.PostForm
	number := func(key string) int { n, _ := strconv.Atoi(form.Get(key)); return n }
	a := class.Act{Act: form.Get("act"), Name: form.Get("name"), Pupil: number("pupil"),
		Minutes: number("minutes"), Pairing: number("pairing")}
	if text := form.Get("points"); text != "" && json.Unmarshal([]byte(text), &a.Points) != nil {
		return invalid("points %q: allowed: [2,0], [1,1], [0,2]", clip(text))
	}
	if a.Act == "leave" || a.Act == "back" {
		return s.postPupilAct(w, r, a)
	}
	p, err := s.findDirected(r)
	if err != nil {
		return err
	}
	if _, err := s.doClassAct(r, p.Class, classVisitor{director: true}, a); err != nil {
		refused := s.problemOf(r, err)
		p = s.classPage(p.Class)
		p.Alert = refused.sentence()
		return s.showDirector(w, r, refused.status, p, url.Values{"show": form["show"]})
	}
	at := "/c/" + p.Class.ID() + "/direct"
	if show := form.Get("show"); a.Act == "delete" {
		at = "/class/new"
	} else if show != "" {
		at += "?show=" + url.QueryEscape(show)
	}
	s.redirect(w, r, at)
	return nil
}

func (s *Server) postPupilAct(w http.ResponseWriter, r *http.Request, a class.Act) error {
	p, err := s.findPupil(r)
	if err == nil {
		_, err = s.doClassAct(r, p.Class, classVisitor{pupil: p.Pupil}, a)
	}
	if err != nil {
		return err
	}
	s.redirect(w, r, "/c/"+p.Class.ID()+"/me")
	return nil
}

func (s *Server) standingsFile(w http.ResponseWriter, r *http.Request) error {
	p, err := s.findDirected(r)
	if err != nil {
		return err
	}
	return s.sendStandings(w, r, p.Class)
}

func (s *Server) pageCertificates(w http.ResponseWriter, r *http.Request) error {
	p, err := s.findDirected(r)
	if err != nil {
		return err
	}
	return s.showClass(w, r, "classcertificates", http.StatusOK, p, false)
}
