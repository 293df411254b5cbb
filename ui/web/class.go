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

// A classView is a class in the API. Most fields are left out for strangers.
type classView struct {
	ID        string           `json:"id"`
	Title     string           `json:"title"`
	Rules     digit.Rules      `json:"rules"`
	Format    class.Format     `json:"format"`
	Phase     class.Phase      `json:"phase"`
	Round     int              `json:"round"`
	Rounds    int              `json:"rounds,omitempty"`
	Ends      *time.Time       `json:"ends"` // null before the start and with rounds
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

// view returns the class as the visitor may see it.
func (v classVisitor) view() classView {
	view := classView{
		ID: v.Class.ID(), Title: v.Order.Title, Rules: v.Order.Rules, Format: v.Order.Format,
		Phase: v.Phase(), Round: v.Round, Seq: v.Seq, Standings: v.standings(),
	}
	if v.Order.Format == class.Flow && !v.Ends.IsZero() {
		view.Ends = &v.Ends
	}
	if v.Pupil > 0 {
		you := v.pupil(v.Pupil)
		if you.Status == class.Plays {
			place := v.Class.Place(v.State, v.Pupil, v.Pupils[v.Pupil-1].Pairing)
			you.Table, you.Seat, you.Token = place.Table, int(place.Seat)+1, place.Token
		}
		view.You = &you
	}
	if !v.director {
		return view
	}
	view.Code, view.Rounds, view.Pairings = v.Class.Code(), v.Order.Rounds, v.Pairings
	for i, p := range v.Pupils {
		if p.Removed {
			view.Removed = append(view.Removed, v.pupil(i+1))
		} else {
			view.Pupils = append(view.Pupils, v.pupil(i+1))
		}
	}
	return view
}

func (v classVisitor) pupil(n int) pupilView {
	t := v.Class.Ticket(v.State, n)
	return pupilView{Pupil: n, Name: t.Name, Status: v.Status(n), Rejoin: t.Rejoin}
}

// standings returns the rows that the visitor may see: all for the director, otherwise the first
// ten, and for a pupil also the own row and its neighbors.
func (v classVisitor) standings() []class.Standing {
	rows := v.Standings()
	if v.director {
		return rows
	}
	own := slices.IndexFunc(rows, func(r class.Standing) bool { return r.Pupil == v.Pupil })
	seen := slices.Clone(rows[:min(topRanks, len(rows))])
	for i := max(own-1, topRanks); own >= 0 && i <= own+1 && i < len(rows); i++ {
		seen = append(seen, rows[i])
	}
	return seen
}

func (s *Server) apiClass(w http.ResponseWriter, _ *http.Request, v classVisitor) error {
	return writeJSON(w, http.StatusOK, v.view())
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

// apiClassLog answers with the log of a class.
func (s *Server) apiClassLog(w http.ResponseWriter, r *http.Request, v classVisitor) error {
	after, err := strconv.Atoi(cmp.Or(r.URL.Query().Get("after"), "0"))
	if err != nil || after < 0 {
		return invalid("after %q: allowed: the number of an event, or 0",
			clip(r.URL.Query().Get("after")))
	}
	events, err := v.Class.Log(r.Context(), after)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, classLog{v.Seq, events})
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

func (s *Server) apiClassGames(w http.ResponseWriter, r *http.Request, v classVisitor) error {
	all := classGames{Games: []classGame{}}
	for _, p := range v.Pairings {
		if p.Bye {
			continue
		}
		visit, err := s.Hall.Visit(r.Context(), p.Table)
		if errors.Is(err, match.ErrNoTable) { // not yet
			continue
		}
		if err != nil {
			return err
		}
		games := visit.Table.Games()
		visit.Close()
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
func (s *Server) sendStandings(w http.ResponseWriter, _ *http.Request, v classVisitor) error {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="standings.csv"`)
	w.Header().Set("Cache-Control", "no-store")
	_, err := w.Write(standingsCSV(v.Standings()))
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
