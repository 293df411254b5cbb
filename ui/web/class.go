package web

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"digitduel/class"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
	"digitduel/ui/gate"
)

// Limits of classes, in addition to those of all requests.
const (
	classesAnHour = 20 // opened from one address
	wrongCodes    = 30 // a minute, tried from one address
	pupilActs     = 30 // a minute, of one pupil
	directorActs  = 600
	topRanks      = 10 // shown to everyone
)

// classRoutes returns the routes of classes.
func (s *Server) classRoutes() []route {
	return []route{
		{"POST /api/classes", s.apiOpenClass},
		{"POST /api/classes/{id}/join", postClass(s, http.StatusCreated, s.joinClass)},
		{"POST /api/classes/{id}/rejoin", postClass(s, http.StatusOK, s.rejoinClass)},
		{"GET /api/classes/{id}", s.forClass(s.apiClass)},
		{"GET /api/classes/{id}/events", s.forClass(s.apiClassEvents)},
		{"GET /api/classes/{id}/log", s.forClass(asDirector(s.apiClassLog))},
		{"GET /api/classes/{id}/games", s.forClass(asDirector(s.apiClassGames))},
		{"GET /api/classes/{id}/standings.csv", s.forClass(asDirector(s.sendStandings))},
		{"POST /api/classes/{id}/acts", postClass(s, http.StatusOK, s.apiClassAct)},
	}
}

// A classHandler answers a request about a class for a visitor.
type classHandler = func(w http.ResponseWriter, r *http.Request, v classVisitor) error

// A classVisitor is the sender of a request about a class: the director, a pupil, or a stranger.
type classVisitor struct {
	*class.State
	Class    *class.Class
	Pupil    int // 0: not a pupil
	director bool
}

// classOf returns the class of a request and the visitor who has one of some tokens.
func (s *Server) classOf(r *http.Request, tokens ...string) (v classVisitor, err error) {
	if s.Classes == nil {
		return v, notFound("this server has no classes")
	}
	if v.Class, err = s.Classes.Find(r.Context(), r.PathValue("id")); err != nil {
		return v, err
	}
	v.State, _ = v.Class.State()
	for _, token := range tokens {
		v.director = v.director || v.directs(token)
		v.Pupil = cmp.Or(v.Class.PupilOf(v.State, token), v.Pupil)
	}
	return v, nil
}

// directs reports whether a token is the director's.
func (v classVisitor) directs(token string) bool {
	return hmac.Equal([]byte(token), []byte(v.Class.Director()))
}

// classCaller returns the class of a request and the owner of its token. A visitor without a token
// is a stranger.
func (s *Server) classCaller(r *http.Request) (classVisitor, error) {
	if r.Header.Get("Authorization") == "" {
		return s.classOf(r)
	}
	token, err := bearerToken(r)
	if err != nil {
		return classVisitor{}, err
	}
	v, err := s.classOf(r, token)
	if err == nil && !v.director && v.Pupil == 0 {
		err = forbidden("the token is not of this class")
	}
	return v, err
}

// forClass returns a handler of requests about a class.
func (s *Server) forClass(do classHandler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		v, err := s.classCaller(r)
		if err != nil {
			return err
		}
		return do(w, r, v)
	}
}

// asDirector returns a handler for the director of a class.
func asDirector(do classHandler) classHandler {
	return func(w http.ResponseWriter, r *http.Request, v classVisitor) error {
		if _, err := bearerToken(r); err != nil {
			return err
		}
		if !v.director {
			return forbidden("only the director of the class can do that")
		}
		return do(w, r, v)
	}
}

// postClass returns a handler that reads a request about a class and the key for repeating it, and
// answers with the result of do.
func postClass[Request, Answer any](s *Server, status int, do func(r *http.Request,
	v classVisitor, asked Request, key string) (Answer, error)) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		var asked Request
		key, err := readKeyed(r, &asked)
		if err != nil {
			return err
		}
		v, err := s.classOf(r)
		if err != nil {
			return err
		}
		answer, err := do(r, v, asked, key)
		if err != nil {
			return err
		}
		return writeJSON(w, status, answer)
	}
}

// classProblem returns the answer to an error of a class, or nil.
func classProblem(err error) *problem {
	var refusal *class.Refusal
	switch {
	case errors.Is(err, class.ErrGuessed):
		return problemf(http.StatusTooManyRequests, "%v", class.ErrGuessed)
	case !errors.As(err, &refusal):
		return nil
	}
	status := map[class.Cause]int{
		class.Invalid: http.StatusUnprocessableEntity, class.Forbidden: http.StatusForbidden,
		class.Missing: http.StatusNotFound, class.NotNow: http.StatusConflict,
	}
	return problemf(status[refusal.Cause], "%s", refusal.Text)
}

// A classOpened is a new class in the API.
type classOpened struct {
	ID         string `json:"id"`
	Code       string `json:"code"`
	Invitation string `json:"invitation"`
	Director   string `json:"director"`
	Wall       string `json:"wall"`
	Link       string `json:"link"`
	Seq        int    `json:"seq"`
}

func (s *Server) apiOpenClass(w http.ResponseWriter, r *http.Request) error {
	order := class.DefaultOrder()
	key, err := readKeyed(r, &order)
	if err != nil {
		return err
	}
	c, err := s.openClass(r, order, key)
	if err != nil {
		return err
	}
	state, _ := c.State()
	return writeJSON(w, http.StatusCreated, classOpened{
		ID: c.ID(), Code: c.Code(), Invitation: c.Invitation(), Director: c.Director(),
		Wall: c.Wall(), Link: s.origins(r)[0] + invitationPath(c), Seq: state.Seq,
	})
}

// invitationPath returns the address of the invitation to a class.
func invitationPath(c *class.Class) string { return "/c/" + c.ID() + "/join/" + c.Invitation() }

// openClass opens a class whose games can be judged.
func (s *Server) openClass(r *http.Request, o class.Order, key string) (*class.Class, error) {
	if s.Classes == nil {
		return nil, notFound("this server has no classes")
	}
	if _, err := s.Try("class "+s.Address(r), classesAnHour, time.Hour,
		"new classes from your address"); err != nil {
		return nil, err
	}
	o, err := o.Checked()
	if err != nil {
		return nil, err
	}
	if err := s.playable(r, o.Setup([2]string{})); err != nil {
		return nil, err
	}
	return s.Classes.Create(r.Context(), o, key)
}

// A joinRequest asks to join a class.
type joinRequest struct {
	Code       string `json:"code,omitempty"`
	Invitation string `json:"invitation,omitempty"`
	Name       string `json:"name"`
}

// joinClass adds a pupil with a code or an invitation to a class.
func (s *Server) joinClass(
	r *http.Request, v classVisitor, asked joinRequest, key string,
) (ticket class.Ticket, err error) {
	err = s.guess(r, asked.Code != "", func() error {
		return v.Class.Admits(asked.Code, asked.Invitation)
	})
	if err == nil {
		_, ticket, err = v.Class.Join(r.Context(), asked.Name, key)
	}
	return ticket, err
}

// guess checks a code, and counts the wrong ones of an address.
func (s *Server) guess(r *http.Request, code bool, check func() error) error {
	if !code {
		return check()
	}
	undo, err := s.Try("code "+s.Address(r), wrongCodes, time.Minute,
		"wrong codes from your address")
	if err != nil {
		return err
	}
	if err = check(); err == nil {
		undo()
	}
	return err
}

// A rejoinRequest asks to move a pupil to another phone.
type rejoinRequest struct {
	Rejoin string `json:"rejoin"`
}

// rejoinClass moves a pupil to the phone that sent a request.
func (s *Server) rejoinClass(
	r *http.Request, v classVisitor, asked rejoinRequest, key string,
) (ticket class.Ticket, err error) {
	err = s.guess(r, true, func() error {
		_, ticket, err = v.Class.Rejoin(r.Context(), strings.TrimSpace(asked.Rejoin), key)
		return err
	})
	return ticket, err
}

// A classNow answers an act, and is sent in streams.
type classNow struct {
	Seq   int         `json:"seq"`
	Phase class.Phase `json:"phase"`
	Round int         `json:"round"`
}

func (s *Server) apiClassAct(
	r *http.Request, _ classVisitor, act class.Act, _ string,
) (now classNow, err error) {
	if _, err := bearerToken(r); err != nil {
		return now, err
	}
	v, err := s.classCaller(r)
	if err != nil {
		return now, err
	}
	state, err := s.doClassAct(r, v, act)
	if err != nil {
		return now, err
	}
	return classNow{state.Seq, state.Phase(), state.Round}, nil
}

// doClassAct does an act of the director or of a pupil.
func (s *Server) doClassAct(r *http.Request, v classVisitor, act class.Act) (*class.State, error) {
	most := float64(pupilActs)
	if v.director {
		most, v.Pupil = directorActs, 0
	} else if v.Pupil == 0 {
		return nil, forbidden("only the director, or for themselves the pupils, can do that")
	}
	if _, err := s.Try("act "+v.Class.ID()+" "+strconv.Itoa(v.Pupil), most, time.Minute,
		"acts in this class"); err != nil {
		return nil, err
	}
	if v.director && act.Act == "delete" {
		return v.State, s.Classes.Delete(r.Context(), v.Class)
	}
	return v.Class.Do(r.Context(), act, v.Pupil)
}

func (s *Server) apiClassEvents(w http.ResponseWriter, r *http.Request, v classVisitor) error {
	return s.streamClass(w, r, v.Class, func(s *class.State) any {
		return classNow{s.Seq, s.Phase(), s.Round}
	})
}

// streamClass sends a view of a class whenever it changes, at most once a second, until the client
// is gone or the class is deleted.
func (s *Server) streamClass(
	w http.ResponseWriter, r *http.Request, c *class.Class, view func(*class.State) any,
) error {
	leave, err := s.Enter(s.Address(r), "class "+c.ID())
	if err != nil {
		return err
	}
	defer leave()
	send := startStream(w, r)
	if send == nil {
		return nil
	}
	var last []byte
	for begin := "retry: 1000\n\n"; ; begin = "" {
		state, changed := c.State()
		if state.Seq == 0 {
			return nil
		}
		data, err := json.Marshal(view(state))
		if err != nil {
			return err
		}
		text := []byte(begin + ": ping\n\n")
		if !bytes.Equal(data, last) {
			text, _ = appendMessage([]byte(begin), strconv.Itoa(state.Seq), "class",
				json.RawMessage(data)) // it was marshalled
			last = data
		}
		if send(text) != nil {
			return nil
		}
		if !s.pause(r, nil, time.Second) || !s.pause(r, changed, pingEvery) {
			return nil
		}
	}
}

// pause waits for a change or a time. It returns false if the stream must end.
func (s *Server) pause(r *http.Request, changed <-chan struct{}, long time.Duration) bool {
	select {
	case <-r.Context().Done():
		return false
	case <-s.stop:
		return false
	case <-changed:
	case <-time.After(long):
	}
	return true
}

// payerOf returns the name under which a class pays for its solutions.
func payerOf(class string) string { return "class " + class }

// decisions returns the right decisions of each side of a game, and all of them. The class pays.
func (s *Server) decisions(
	ctx context.Context, id string, rec digit.Record,
) (n [2][2]int, err error) {
	solution, done, err := s.Solved(ctx, payerOf(id), gate.Patience, rec.Rules)
	if err != nil {
		return n, err
	}
	defer done()
	review, err := coach.ReviewGame(solution, rec, rulebook.Cast{})
	for side, a := range [2]coach.Accuracy{review.First, review.Second} {
		n[side] = [2]int{a.Kept, a.Decisions}
	}
	return n, err
}

// classOpening draws the openings of a table of a class. The class pays.
func (s *Server) classOpening(
	ctx context.Context, id, table string, setup match.Setup,
) (match.Openings, error) {
	solution, done, err := s.Solved(ctx, payerOf(id), gate.Patience, setup.Rules)
	if err != nil {
		return "", err
	}
	defer done()
	return draw(solution, table)
}
