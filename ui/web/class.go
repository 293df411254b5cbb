package web

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"encoding/csv"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
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

// classRoutes holds the routes of classes.
var classRoutes = []route{
	{"POST /api/classes", (*Server).apiOpenClass},
	{"POST /api/classes/{id}/join", postClass((*Server).apiJoin)},
	{"POST /api/classes/{id}/rejoin", postClass((*Server).apiRejoin)},
	{"GET /api/classes/{id}", (*Server).apiClass},
	{"GET /api/classes/{id}/events", (*Server).apiClassEvents},
	{"GET /api/classes/{id}/log", asDirector((*Server).apiClassLog)},
	{"GET /api/classes/{id}/games", asDirector((*Server).apiClassGames)},
	{"GET /api/classes/{id}/standings.csv", asDirector((*Server).sendStandings)},
	{"POST /api/classes/{id}/acts", postClass((*Server).apiClassAct)},
}

// A classVisitor is the sender of a request about a class: the director, a pupil, or a stranger.
type classVisitor struct {
	director bool
	pupil    int // 0: none
}

// classOf returns the class of a request.
func (s *Server) classOf(r *http.Request) (*class.Class, *class.State, error) {
	if s.Classes == nil {
		return nil, nil, notFound("this server has no classes")
	}
	c, err := s.Classes.Find(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, nil, err
	}
	state, _ := c.State()
	return c, state, nil
}

// classVisitorOf returns the visitor who has one of some tokens.
func classVisitorOf(c *class.Class, state *class.State, tokens ...string) (v classVisitor) {
	for _, token := range tokens {
		if hmac.Equal([]byte(token), []byte(c.Director())) {
			v.director = true
		} else if pupil := c.PupilOf(state, token); pupil > 0 {
			v.pupil = pupil
		}
	}
	return v
}

// classCaller returns the class of a request and the owner of its token, or without one a stranger.
func (s *Server) classCaller(
	r *http.Request,
) (c *class.Class, state *class.State, v classVisitor, err error) {
	if c, state, err = s.classOf(r); err != nil || r.Header.Get("Authorization") == "" {
		return c, state, v, err
	}
	token, err := bearerToken(r)
	if v = classVisitorOf(c, state, token); err == nil && v == (classVisitor{}) {
		err = forbidden("the token is not of this class")
	}
	return c, state, v, err
}

// asDirector returns a handler for the director of a class.
func asDirector(
	do func(s *Server, w http.ResponseWriter, r *http.Request, c *class.Class) error,
) apiHandler {
	return func(s *Server, w http.ResponseWriter, r *http.Request) error {
		if _, err := bearerToken(r); err != nil {
			return err
		}
		c, _, v, err := s.classCaller(r)
		if err == nil && !v.director {
			err = forbidden("only the director of the class can do that")
		}
		if err != nil {
			return err
		}
		return do(s, w, r, c)
	}
}

// postClass returns a handler that reads a request about a class and the key for repeating it, and
// answers with the result of do.
func postClass[Request any](do func(s *Server, r *http.Request, c *class.Class, asked Request,
	key string) (status int, answer any, err error)) apiHandler {
	return func(s *Server, w http.ResponseWriter, r *http.Request) error {
		var asked Request
		if err := readJSON(r, &asked); err != nil {
			return err
		}
		key, err := idempotencyKey(r)
		if err != nil {
			return err
		}
		c, _, err := s.classOf(r)
		if err != nil {
			return err
		}
		status, answer, err := do(s, r, c, asked, key)
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
		return &problem{status: http.StatusTooManyRequests, text: class.ErrGuessed.Error()}
	case !errors.As(err, &refusal):
		return nil
	}
	status := map[class.Cause]int{
		class.Invalid: http.StatusUnprocessableEntity, class.Forbidden: http.StatusForbidden,
		class.Missing: http.StatusNotFound, class.NotNow: http.StatusConflict,
	}
	return &problem{status: status[refusal.Cause], text: refusal.Text}
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
	if err := readJSON(r, &order); err != nil {
		return err
	}
	key, err := idempotencyKey(r)
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

func (s *Server) apiJoin(
	r *http.Request, c *class.Class, asked joinRequest, key string,
) (int, any, error) {
	ticket, err := s.joinClass(r, c, asked, key)
	return http.StatusCreated, ticket, err
}

// joinClass adds a pupil with a code or an invitation to a class.
func (s *Server) joinClass(
	r *http.Request, c *class.Class, asked joinRequest, key string,
) (ticket class.Ticket, err error) {
	err = s.guess(r, asked.Code != "", func() error {
		return c.Admits(asked.Code, asked.Invitation)
	})
	if err == nil {
		_, ticket, err = c.Join(r.Context(), asked.Name, key)
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

func (s *Server) apiRejoin(
	r *http.Request, c *class.Class, asked rejoinRequest, key string,
) (int, any, error) {
	ticket, err := s.rejoinClass(r, c, asked.Rejoin, key)
	return http.StatusOK, ticket, err
}

// rejoinClass moves a pupil to the phone that sent a request.
func (s *Server) rejoinClass(
	r *http.Request, c *class.Class, code, key string,
) (ticket class.Ticket, err error) {
	err = s.guess(r, true, func() error {
		_, ticket, err = c.Rejoin(r.Context(), code, key)
		return err
	})
	return ticket, err
}

// A classView is a class in the API. Most fields are left out for strangers.
type classView struct {
	ID        string           `json:"id"`
	Title     string           `json:"title"`
	Rules     digit.Rules      `json:"rules"`
	Format    class.Format     `json:"format"`
	Phase     class.Phase      `json:"phase"`
	Round     int              `json:"round"`
	Rounds    int              `json:"rounds,omitempty"`
	Ends      *time.Time       `json:"ends,omitempty"` // not before the start or with rounds
	Seq       int              `json:"seq"`
	Code      string           `json:"code,omitempty"`
	Pupils    []pupilView      `json:"pupils,omitempty"`
	Removed   []pupilView      `json:"removed,omitempty"`
	Pairings  []class.Pairing  `json:"pairings,omitempty"`
	Standings []class.Standing `json:"standings"`
	You       *pupilView       `json:"you,omitempty"`
}

// A pupilView is a pupil in the API. Table, seat and token are those of the game under way.
type pupilView struct {
	Pupil  int          `json:"pupil"`
	Name   string       `json:"name"`
	Status class.Status `json:"status"`
	Rejoin string       `json:"rejoin,omitempty"`
	Table  string       `json:"table,omitempty"`
	Seat   int          `json:"seat,omitempty"`
	Token  string       `json:"token,omitempty"`
}

// classViewOf returns a class as a visitor may see it.
func classViewOf(c *class.Class, s *class.State, by classVisitor) classView {
	v := classView{
		ID: c.ID(), Title: s.Order.Title, Rules: s.Order.Rules, Format: s.Order.Format,
		Phase: s.Phase(), Round: s.Round, Seq: s.Seq, Standings: standingsFor(s, by),
	}
	if s.Order.Format == class.Flow && !s.Ends.IsZero() {
		v.Ends = &s.Ends
	}
	if by.pupil > 0 {
		you := pupilViewOf(c, s, by.pupil)
		if p := s.Pupils[by.pupil-1].Pairing; you.Status == class.Plays {
			place := c.Place(s, by.pupil, p)
			you.Table, you.Seat, you.Token = place.Table, int(place.Seat)+1, place.Token
		}
		v.You = &you
	}
	if !by.director {
		return v
	}
	v.Code, v.Rounds, v.Pairings = c.Code(), s.Order.Rounds, s.Pairings
	for i, p := range s.Pupils {
		if view := pupilViewOf(c, s, i+1); p.Removed {
			v.Removed = append(v.Removed, view)
		} else {
			v.Pupils = append(v.Pupils, view)
		}
	}
	return v
}

func pupilViewOf(c *class.Class, s *class.State, pupil int) pupilView {
	ticket := c.Ticket(s, pupil)
	return pupilView{
		Pupil: pupil, Name: ticket.Name, Status: s.Status(pupil), Rejoin: ticket.Rejoin,
	}
}

// standingsFor returns the rows that a visitor may see: all for the director, otherwise the first
// ten, and for a pupil also the own row and its neighbors.
func standingsFor(s *class.State, by classVisitor) []class.Standing {
	rows := s.Standings()
	if by.director {
		return rows
	}
	own := slices.IndexFunc(rows, func(r class.Standing) bool { return r.Pupil == by.pupil })
	seen := slices.Clone(rows[:min(topRanks, len(rows))])
	for i := max(own-1, topRanks); own >= 0 && i <= own+1 && i < len(rows); i++ {
		seen = append(seen, rows[i])
	}
	return seen
}

func (s *Server) apiClass(w http.ResponseWriter, r *http.Request) error {
	c, state, v, err := s.classCaller(r)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, classViewOf(c, state, v))
}

// A classNow answers an act, and is sent in streams.
type classNow struct {
	Seq   int         `json:"seq"`
	Phase class.Phase `json:"phase"`
	Round int         `json:"round"`
}

func (s *Server) apiClassAct(
	r *http.Request, c *class.Class, act class.Act, _ string,
) (int, any, error) {
	token, err := bearerToken(r)
	if err != nil {
		return 0, nil, err
	}
	state, _ := c.State()
	v := classVisitorOf(c, state, token)
	if state, err = s.doClassAct(r, c, v, act); err != nil {
		return 0, nil, err
	}
	return http.StatusOK, classNow{state.Seq, state.Phase(), state.Round}, nil
}

// doClassAct does an act of the director or of a pupil.
func (s *Server) doClassAct(
	r *http.Request, c *class.Class, v classVisitor, act class.Act,
) (*class.State, error) {
	most := float64(pupilActs)
	if v.director {
		most, v.pupil = directorActs, 0
	} else if v.pupil == 0 {
		return nil, forbidden("the token is not of this class")
	}
	if _, err := s.Try("act "+c.ID()+" "+strconv.Itoa(v.pupil), most, time.Minute,
		"acts in this class"); err != nil {
		return nil, err
	}
	if v.director && act.Act == "delete" {
		state, _ := c.State()
		return state, s.Classes.Delete(r.Context(), c)
	}
	return c.Do(r.Context(), act, v.pupil)
}

// apiClassLog answers with the log of a class.
func (s *Server) apiClassLog(w http.ResponseWriter, r *http.Request, c *class.Class) error {
	after, err := strconv.Atoi(cmp.Or(r.URL.Query().Get("after"), "0"))
	if err != nil || after < 0 {
		return invalid("after %q: allowed: the number of an event, or 0",
			clip(r.URL.Query().Get("after")))
	}
	events, err := c.Log(r.Context(), after)
	if err != nil {
		return err
	}
	state, _ := c.State()
	return writeJSON(w, http.StatusOK, classLog{state.Seq, events})
}

// A classLog is a part of the log of a class.
type classLog struct {
	Seq    int           `json:"seq"`
	Events []class.Event `json:"events"`
}

// A classGame is a finished game of a class in the API.
type classGame struct {
	Pairing int          `json:"pairing"`
	Table   string       `json:"table"`
	Game    int          `json:"game"`
	First   int          `json:"first"` // the pupils by side
	Second  int          `json:"second"`
	Record  digit.Record `json:"record"`
}

// classGames are the finished games of a class.
type classGames struct {
	Games []classGame `json:"games"`
}

func (s *Server) apiClassGames(w http.ResponseWriter, r *http.Request, c *class.Class) error {
	state, _ := c.State()
	all := classGames{Games: []classGame{}}
	for _, p := range state.Pairings {
		if p.Bye {
			continue
		}
		v, err := s.Hall.Visit(r.Context(), p.Table)
		if errors.Is(err, match.ErrNoTable) { // not yet
			continue
		}
		if err != nil {
			return err
		}
		games := v.Table.Games()
		v.Close()
		for _, g := range games {
			all.Games = append(all.Games, classGame{
				p.Pairing, p.Table, g.Game, p.Pupils[g.SeatOf(digit.First)],
				p.Pupils[g.SeatOf(digit.Second)], g.Record(),
			})
		}
	}
	return writeJSON(w, http.StatusOK, all)
}

// sendStandings answers with the standings as a table for a spreadsheet.
func (s *Server) sendStandings(w http.ResponseWriter, _ *http.Request, c *class.Class) error {
	state, _ := c.State()
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="standings.csv"`)
	w.Header().Set("Cache-Control", "no-store")
	_, err := w.Write(standingsCSV(state.Standings()))
	return err
}

// standingsCSV returns rows as CSV. A name that a spreadsheet would take for a formula is quoted.
func standingsCSV(rows []class.Standing) []byte {
	b := bytes.NewBufferString("\ufeff")
	out := csv.NewWriter(b)
	_ = out.Write(strings.Split("place,name,score,points,games,right,decisions,byes,left", ","))
	for _, r := range rows {
		place, left := "", "0"
		if r.Place != nil {
			place = strconv.Itoa(*r.Place)
		}
		if r.Left {
			left = "1"
		}
		if strings.ContainsAny(r.Name[:1], "=+-@") {
			r.Name = "'" + r.Name
		}
		line := []string{place, r.Name}
		for _, n := range []int{r.Score, r.Points, r.Games, r.Right, r.Decisions, r.Byes} {
			line = append(line, strconv.Itoa(n))
		}
		_ = out.Write(append(line, left))
	}
	out.Flush()
	return b.Bytes()
}

func (s *Server) apiClassEvents(w http.ResponseWriter, r *http.Request) error {
	c, _, _, err := s.classCaller(r)
	if err != nil {
		return err
	}
	return s.streamClass(w, r, c, func(s *class.State) any {
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
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	if r.Method == http.MethodHead {
		return nil
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	send := sender(w, r.ProtoMajor > 1)
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
		text := begin + ": ping\n\n"
		if !bytes.Equal(data, last) {
			text = begin + "id: " + strconv.Itoa(state.Seq) + "\nevent: class\ndata: " +
				string(data) + "\n\n"
			last = data
		}
		if send([]byte(text)) != nil {
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

type payerKey struct{}

// paidByClass returns a request about a game whose class, if it has one, pays for solutions: all
// pupils of a school have one address.
func paidByClass(r *http.Request, game match.State) *http.Request {
	if game.Setup.Class == "" {
		return r
	}
	payer := payerOf(game.Setup.Class)
	return r.WithContext(context.WithValue(r.Context(), payerKey{}, payer))
}

// judge returns the right decisions of each side of a game, and all of them. The class pays.
func (s *Server) judge(
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
