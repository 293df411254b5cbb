package web

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
	"time"

	"digitduel/class"
	"digitduel/digit"
	"digitduel/rulebook"
)

const (
	pupilCookie  = "pupil"  // the token of a pupil; each class has its own, by the path
	directCookie = "direct" // the token of the director, likewise
)

// routeClasses adds the pages of classes, if the server has any.
func (s *Server) routeClasses(route func(pattern string, handle handler)) {
	if s.Classes == nil {
		return
	}
	for path, name := range map[string]string{"/class": "classjoin", "/class/new": "classnew"} {
		route("GET "+path, func(w http.ResponseWriter, r *http.Request) error {
			return s.showClass(w, r, name, noClass(r))
		})
	}
	route("POST /class", s.postCode)
	route("POST /class/new", s.postNewClass)
	for pattern, handle := range map[string]func(http.ResponseWriter, *http.Request,
		classPage) error{
		"GET /c/{id}":                   s.pageWatchClass,
		"GET /c/{id}/live":              s.liveClass,
		"GET /c/{id}/join/{invitation}": s.pageJoin,
		"POST /c/{id}/join":             s.postJoin,
		"GET /c/{id}/rejoin":            s.pageJoin,
		"POST /c/{id}/rejoin":           s.postJoin,
		"GET /c/{id}/me":                s.pagePupil,
		"POST /c/{id}/friendly":         s.postFriendly,
		"POST /c/{id}/acts":             s.postClassAct,
		"GET /c/{id}/wall/{token}":      s.pageWall,
		"GET /c/{id}/direct/{token}":    s.pageDirector,
		"GET /c/{id}/direct":            s.pageDirector,
		"GET /c/{id}/certificates":      s.pageDirector,
		"GET /c/{id}/standings.csv":     s.pageDirector,
	} {
		route(pattern, func(w http.ResponseWriter, r *http.Request) error {
			p, err := s.findClass(r)
			if err != nil {
				return err
			}
			return handle(w, r, p)
		})
	}
}

// A classPage is a class as its pages show it.
type classPage struct {
	classVisitor // the viewer; without a class the page is about none yet
	Now          time.Time
	Rows         []class.Standing
	Form         url.Values // the request
	Alert        string     // why it was refused
	Origin       string     // the start of links
	Port         string     // of the server, if links work only on this machine
	Scan         func(path string) joinLink
	Since        map[string]time.Time // when the tables of games under way were opened
	Made         []sumView            // the numbers that won games
	Soon         bool                 // the page changes within a second or two

	status int // of the answer
}

// noClass returns the page of no class.
func noClass(r *http.Request) classPage {
	_ = r.ParseForm() // what cannot be read is missing
	return classPage{classVisitor: classVisitor{State: &class.State{}}, Form: r.Form}
}

// findClass returns the class of a request, as the viewer of its cookies sees it.
func (s *Server) findClass(r *http.Request) (p classPage, err error) {
	p = noClass(r)
	var tokens []string
	for _, c := range r.Cookies() {
		tokens = append(tokens, c.Value)
	}
	if p.classVisitor, err = s.classOf(r, tokens...); err != nil {
		return p, err
	}
	p.Now, p.Rows = s.Now(), p.Standings()
	p.Origin, p.Port = s.origins(r)[0], s.localPort(r)
	p.Scan = func(path string) joinLink { return s.joinLinks(r, path)[0] }
	return p, nil
}

// showClass shows a page of a class. Without script, a page whose name begins with live loads again
// every few seconds, unless a part of it was asked for.
func (s *Server) showClass(w http.ResponseWriter, r *http.Request, name string, p classPage) error {
	view := page{Status: p.status, Title: cmp.Or(p.Order.Title, "Class"), Here: name,
		Module: "class.js", Sheet: "class.css", Bare: true, Data: p}
	if strings.HasPrefix(name, "live") && len(p.Form) == 0 && p.Phase() != class.Finished {
		view.Refresh, view.RefreshTo = 5, r.URL.Path
	}
	return s.show(w, r, name, view)
}

// refuseClass shows a page of a class again, with the reason why a request was refused.
func (s *Server) refuseClass(w http.ResponseWriter, r *http.Request, name string, p classPage,
	err error) error {
	refused := s.problemOf(r, err)
	p.Alert, p.status = refused.sentence(), refused.status
	return s.showClass(w, r, name, p)
}

// postCode finds the class of a code and lets the visitor join it.
func (s *Server) postCode(w http.ResponseWriter, r *http.Request) error {
	var c *class.Class
	code := strings.ToUpper(strings.TrimSpace(r.PostForm.Get("code")))
	err := s.guess(r, true, func() (err error) {
		c, err = s.Classes.FindByCode(r.Context(), code)
		return err
	})
	if err != nil {
		return s.refuseClass(w, r, "classjoin", noClass(r), err)
	}
	r.SetPathValue("id", c.ID())
	p, err := s.findClass(r)
	if err != nil {
		return err
	}
	p.Form.Set("invitation", p.Class.Invitation())
	return s.postJoin(w, r, p)
}

// pageJoin asks for the name of a visitor with an invitation, or for a rejoin code.
func (s *Server) pageJoin(w http.ResponseWriter, r *http.Request, p classPage) error {
	p.Form.Set("invitation", r.PathValue("invitation"))
	return s.showClass(w, r, "classjoin", p)
}

// postJoin adds the visitor to a class, or moves a pupil to the visitor's phone.
func (s *Server) postJoin(w http.ResponseWriter, r *http.Request, p classPage) (err error) {
	var ticket class.Ticket
	key, at := s.browserKey(w, r), "/c/"+p.Class.ID()
	if p.Form.Has("rejoin") {
		ticket, err = s.rejoinClass(r, p.classVisitor, rejoinRequest{p.Form.Get("rejoin")}, key)
	} else {
		ticket, err = s.joinClass(r, p.classVisitor,
			joinRequest{Invitation: p.Form.Get("invitation"), Name: p.Form.Get("name")}, key)
	}
	if err != nil {
		return s.refuseClass(w, r, "classjoin", p, err)
	}
	s.cookie(w, r, pupilCookie, ticket.Token, at)
	return s.redirect(w, r, at+"/me")
}

func (s *Server) postNewClass(w http.ResponseWriter, r *http.Request) error {
	form, o := r.PostForm, class.DefaultOrder()
	rules, err := digit.ParseRules(form.Get("game"))
	if choosesTarget(rules) {
		rules.Target = rulebook.UsualAim
	}
	o.Rules, o.Title = rules, cmp.Or(strings.TrimSpace(form.Get("title")), o.Title)
	o.Format = class.Format(form.Get("format"))
	o.Minutes, o.Rounds = number(form, "minutes"), number(form, "rounds")
	o.Names = strings.FieldsFunc(form.Get("names"), func(c rune) bool { return c < ' ' })
	err = cmp.Or(err, o.TurnTime.UnmarshalText([]byte(form.Get("turn_time"))),
		o.Keep.UnmarshalText([]byte(form.Get("keep")+"d")))
	if err != nil {
		return s.refuseClass(w, r, "classnew", noClass(r), invalid("%v", err))
	}
	c, err := s.openClass(r, o, s.browserKey(w, r)+form.Get("key"))
	if err != nil {
		return s.refuseClass(w, r, "classnew", noClass(r), err)
	}
	s.cookie(w, r, directCookie, c.Director(), "/c/"+c.ID())
	return s.redirect(w, r, "/c/"+c.ID()+"/direct?show=link")
}
