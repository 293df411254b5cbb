package web

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"digitduel/class"
	"digitduel/digit"
	"digitduel/rulebook"
)

// A joinForm is the form for joining a class.
type joinForm struct {
	url.Values
	Class      *class.Class // nil: the code will say which
	State      *class.State
	Invitation string   // instead of a code
	Free       []string // the names to choose from; none: any name
	Alert      string
}

func (s *Server) pageJoinByCode(w http.ResponseWriter, r *http.Request) error {
	return s.showJoin(w, r, http.StatusOK, joinForm{Values: r.URL.Query()})
}

func (s *Server) pageJoinByLink(w http.ResponseWriter, r *http.Request) error {
	p, err := s.findClass(r)
	if err != nil {
		return err
	}
	f := joinForm{Class: p.Class, Invitation: r.PathValue("invitation")}
	if err := p.Class.Admits("", f.Invitation); err != nil {
		return err
	}
	return s.showJoin(w, r, http.StatusOK, f)
}

func (s *Server) showJoin(w http.ResponseWriter, r *http.Request, status int, f joinForm) error {
	if f.Class != nil {
		f.State, _ = f.Class.State()
		f.Free = slices.DeleteFunc(slices.Clone(f.State.Order.Names), func(name string) bool {
			return slices.ContainsFunc(f.State.Pupils,
				func(p class.Pupil) bool { return strings.EqualFold(p.Name, name) })
		})
	}
	return s.show(w, r, "classjoin", page{Status: status, Title: "Join the class",
		Sheet: "class.css", Bare: true, Data: f})
}

// postJoin adds the visitor to a class: that of the address, or that of the code.
func (s *Server) postJoin(w http.ResponseWriter, r *http.Request) (err error) {
	form := r.PostForm
	f := joinForm{Values: form, Invitation: form.Get("invitation")}
	code := strings.ToUpper(strings.TrimSpace(form.Get("code")))
	if id := r.PathValue("id"); id != "" {
		f.Class, err = s.Classes.Find(r.Context(), id)
	} else {
		err = s.guess(r, true, func() (err error) {
			f.Class, err = s.Classes.FindByCode(r.Context(), code)
			return err
		})
	}
	var ticket class.Ticket
	if err == nil {
		ticket, err = s.joinClass(r, f.Class,
			joinRequest{code, f.Invitation, form.Get("name")}, s.browserKey(w, r))
	}
	if err != nil {
		p := s.problemOf(r, err)
		f.Alert = p.sentence()
		if f.Invitation == "" {
			f.Class = nil // its names are not shown for a wrong code
		}
		return s.showJoin(w, r, p.status, f)
	}
	s.enterClass(w, r, f.Class, ticket)
	return nil
}

// enterClass gives a browser the token of a pupil.
func (s *Server) enterClass(w http.ResponseWriter, r *http.Request, c *class.Class,
	t class.Ticket) {
	s.cookie(w, r, pupilCookie, t.Token, "/c/"+c.ID())
	s.redirect(w, r, "/c/"+c.ID()+"/me")
}

func (s *Server) pageRejoin(w http.ResponseWriter, r *http.Request) error {
	p, err := s.findClass(r)
	if err != nil {
		return err
	}
	return s.showClass(w, r, "classrejoin", http.StatusOK, p, false)
}

func (s *Server) postRejoin(w http.ResponseWriter, r *http.Request) error {
	p, err := s.findClass(r)
	if err != nil {
		return err
	}
	ticket, err := s.rejoinClass(r, p.Class, strings.TrimSpace(r.PostForm.Get("rejoin")),
		s.browserKey(w, r))
	if err != nil {
		refused := s.problemOf(r, err)
		p.Alert = refused.sentence()
		return s.showClass(w, r, "classrejoin", refused.status, p, false)
	}
	s.enterClass(w, r, p.Class, ticket)
	return nil
}

// A classForm is the form for a new class.
type classForm struct {
	url.Values
	Games     []bookCard
	Questions []question
	Key       string // for opening the class once
	Alert     string
}

func (s *Server) pageNewClass(w http.ResponseWriter, r *http.Request) error {
	o := class.DefaultOrder()
	return s.showNewClass(w, r, http.StatusOK, classForm{Key: rand.Text(), Values: url.Values{
		"game": {o.Rules.Named().Name}, "format": {string(o.Format)}, "turn_time": {"30s"},
		"minutes": {strconv.Itoa(o.Minutes)}, "rounds": {strconv.Itoa(o.Rounds)}, "keep": {"1"},
	}})
}

func (s *Server) showNewClass(w http.ResponseWriter, r *http.Request, status int,
	f classForm) error {
	f.Games = cards(named())
	f.Questions = []question{
		ask("format", "Format", f.Get("format"), "flow", "Flow", "rounds", "Rounds").noted(
			"Flow: anyone who is free plays the next game, until the time is up. " +
				"Rounds: everyone plays one game a round."),
		ask("turn_time", "Time for each turn", f.Get("turn_time"), "15s", "15 s", "30s", "30 s",
			"1m", "60 s").noted("When it runs out, a random digit is played."),
	}
	return s.show(w, r, "classnew", page{Status: status, Title: "New class",
		Sheet: "class.css", Data: f})
}

// classOrder returns the order in a form.
func classOrder(form url.Values) (o class.Order, err error) {
	o = class.DefaultOrder()
	if o.Rules, err = digit.ParseRules(form.Get("game")); err != nil {
		return o, err
	}
	if choosesTarget(o.Rules) {
		o.Rules.Target = rulebook.UsualAim
	}
	if title := strings.TrimSpace(form.Get("title")); title != "" {
		o.Title = title
	}
	o.Format = class.Format(form.Get("format"))
	o.Minutes, _ = strconv.Atoi(form.Get("minutes")) // 0 is refused
	o.Rounds, _ = strconv.Atoi(form.Get("rounds"))
	for line := range strings.Lines(form.Get("names")) {
		if name := strings.TrimSpace(line); name != "" {
			o.Names = append(o.Names, name)
		}
	}
	if err := o.TurnTime.UnmarshalText([]byte(form.Get("turn_time"))); err != nil {
		return o, invalid("turn_%v", err)
	}
	if err := o.Keep.UnmarshalText([]byte(form.Get("keep") + "d")); err != nil {
		return o, invalid("keep %q: allowed: 1 to 90 days", clip(form.Get("keep")))
	}
	return o, nil
}

func (s *Server) postNewClass(w http.ResponseWriter, r *http.Request) error {
	form := r.PostForm
	o, err := classOrder(form)
	var c *class.Class
	if err == nil {
		c, err = s.openClass(r, o, s.browserKey(w, r)+" "+form.Get("key"))
	}
	if err != nil {
		p := s.problemOf(r, err)
		return s.showNewClass(w, r, p.status,
			classForm{Values: form, Key: form.Get("key"), Alert: p.sentence()})
	}
	s.cookie(w, r, directCookie, c.Director(), "/c/"+c.ID())
	s.redirect(w, r, "/c/"+c.ID()+"/direct?show=link")
	return nil
}
