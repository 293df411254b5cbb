package web

import (
	_ "embed"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
)

//go:embed openapi.json
var openAPI []byte

// A route is a request that the API knows, and what answers it.
type route struct {
	pattern string
	handle  func(s *Server, w http.ResponseWriter, r *http.Request) error
}

// routes are all of them. What each takes and answers is described in openapi.json.
var routes = []route{
	{"POST /api/tables", (*Server).apiOpen},
	{"GET /api/tables", (*Server).apiTables},
	{"GET /api/tables/{id}", (*Server).apiTable},
	{"POST /api/tables/{id}/seats", (*Server).apiSit},
	{"POST /api/tables/{id}/moves", (*Server).apiMove},
	{"POST /api/tables/{id}/acts", (*Server).apiAct},
	{"GET /api/tables/{id}/hint", (*Server).apiHint},
	{"GET /api/tables/{id}/events", (*Server).apiEvents},
	{"GET /api/games", (*Server).apiGames},
	{"GET /api/stats", (*Server).apiStats},
	{"GET /api/openapi.json", (*Server).apiDocument},
}

// routeAPI is for programs.
func (s *Server) routeAPI(mux *http.ServeMux) {
	methods := map[string][]string{"/api/": nil}
	for _, route := range routes {
		method, path, _ := strings.Cut(route.pattern, " ")
		methods[path] = append(methods[path], method)
		if method == http.MethodGet {
			methods[path] = append(methods[path], http.MethodHead) // which the router answers likewise
		}
		mux.HandleFunc(route.pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := route.handle(s, w, r); err != nil {
				s.refuse(w, r, s.problemOf(r, err))
			}
		})
	}
	for path, allowed := range methods {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { s.refuseRoute(w, r, allowed) })
	}
}

// refuseRoute answers what no route of the API is for: a path that takes other methods, or none.
func (s *Server) refuseRoute(w http.ResponseWriter, r *http.Request, allowed []string) {
	if len(allowed) == 0 {
		s.refuse(w, r, &problem{status: http.StatusNotFound, text: "there is nothing here; /api/openapi.json says what there is"})
		return
	}
	list := strings.Join(allowed, ", ")
	w.Header().Set("Allow", list)
	s.refuse(w, r, &problem{status: http.StatusMethodNotAllowed, text: fmt.Sprintf("method %s: allowed here: %s", clip(r.Method), list)})
}

func (s *Server) apiDocument(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", "application/json")
	w.Write(openAPI)
	return nil
}

// visit visits the table that a request names.
func (s *Server) visit(r *http.Request) (*match.Visit, error) {
	return s.Hall.Visit(r.Context(), r.PathValue("id"))
}

// bearer returns the seat that the token in a request's header is for, where a person sits on it.
func (s *Server) bearer(r *http.Request, t *match.Table) (match.Seat, error) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return 0, &problem{status: http.StatusUnauthorized, text: "a seat token is wanted: Authorization: Bearer TOKEN"}
	}
	seat, ok := s.Keys.Seat(t.ID(), token)
	if ok && t.State().Open[seat] { // it may have been taken just now at another server
		if err := t.Refresh(r.Context()); err != nil {
			return 0, err
		}
	}
	switch state := t.State(); {
	case !ok:
		return 0, &problem{status: http.StatusForbidden, text: "the token is for no seat of this table"}
	case state.Open[seat]:
		return 0, &problem{status: http.StatusForbidden, text: "nobody has taken this seat yet"}
	case state.Setup.Levels[seat] != "":
		return 0, &problem{status: http.StatusForbidden, text: "the computer plays on this seat"}
	}
	return seat, nil
}

// visitAs visits the table of a request as the player whose token it has.
func (s *Server) visitAs(r *http.Request) (*match.Visit, match.Seat, error) {
	v, err := s.visit(r)
	if err != nil {
		return nil, 0, err
	}
	seat, err := s.bearer(r, v.Table)
	if err != nil {
		v.Close()
		return nil, 0, err
	}
	return v, seat, nil
}

// A seatView is a seat as the API shows it to whoever opens a table or takes the seat.
type seatView struct {
	Seat   int        `json:"seat"`
	Side   digit.Side `json:"side"` // in the first game; the start alternates
	Player string     `json:"player"`
	Token  string     `json:"token,omitempty"`
}

func (s *Server) apiOpen(w http.ResponseWriter, r *http.Request) error {
	var asked struct {
		Rules     string   `json:"rules"`
		BestOf    int      `json:"best_of"`
		TurnTime  string   `json:"turn_time"`
		OnTimeout string   `json:"on_timeout"`
		First     int      `json:"first"`
		Names     []string `json:"names"`
		Hints     bool     `json:"hints"`
		Seats     []string `json:"seats"`
	}
	if err := readJSON(r, &asked); err != nil {
		return err
	}
	if len(asked.Names) > 2 || len(asked.Seats) > 2 {
		return &problem{status: http.StatusUnprocessableEntity, text: "seats and names: allowed: up to two"}
	}
	o := order{rules: asked.Rules, bestOf: asked.BestOf, turnTime: asked.TurnTime, onTimeout: asked.OnTimeout, first: asked.First, hints: asked.Hints}
	copy(o.names[:], asked.Names)
	copy(o.players[:], asked.Seats)
	for _, player := range o.players {
		if player == friend { // which is for pages, where a link is made of the token
			return &problem{status: http.StatusUnprocessableEntity, text: `seat "friend": take "human" and give the token to your friend`}
		}
	}
	if wait, ok := s.gate.open(s.address(r), s.Now()); !ok {
		return tooMany("new tables from your address", wait)
	}
	setup, err := s.setup(r.Context(), o)
	if err != nil {
		return err
	}
	v, err := s.openTable(r.Context(), setup)
	if err != nil {
		return err
	}
	defer v.Close()
	id := v.Table.ID()
	answer := struct {
		ID    string     `json:"id"`
		Seq   int        `json:"seq"`
		Seats []seatView `json:"seats"`
	}{ID: id, Seq: v.Table.State().Seq}
	for i, seat := range match.Seats {
		view := seatView{Seat: i + 1, Side: digit.Side(seat ^ setup.First), Player: human}
		switch {
		case setup.Levels[i] != "":
			view.Player = setup.Levels[i]
		case setup.Open[i]:
			view.Player = anyone
		default:
			view.Token = s.Keys.Token(id, seat)
		}
		answer.Seats = append(answer.Seats, view)
	}
	w.Header().Set("Location", "/api/tables/"+id)
	writeJSON(w, http.StatusCreated, answer)
	return nil
}

func (s *Server) apiSit(w http.ResponseWriter, r *http.Request) error {
	var asked struct {
		Name string `json:"name"`
	}
	if err := readJSON(r, &asked); err != nil {
		return err
	}
	v, err := s.visit(r)
	if err != nil {
		return err
	}
	defer v.Close()
	seat, err := openSeat(v.Table.State())
	if err != nil {
		return err
	}
	state, err := s.takeSeat(r.Context(), v, seat, asked.Name)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusCreated, seatView{int(seat) + 1, state.Side(seat), human, s.Keys.Token(v.Table.ID(), seat)})
	return nil
}

// openSeat returns the seat of a table that anybody may take.
func openSeat(s match.State) (match.Seat, error) {
	for _, seat := range match.Seats {
		if s.Open[seat] && s.Setup.Listed {
			return seat, nil
		}
	}
	return 0, match.ErrTaken
}

func (s *Server) apiMove(w http.ResponseWriter, r *http.Request) error {
	var asked struct {
		Move string `json:"move"`
		Seq  int    `json:"seq"`
	}
	if err := readJSON(r, &asked); err != nil {
		return err
	}
	v, seat, err := s.visitAs(r)
	if err != nil {
		return err
	}
	defer v.Close()
	state, err := s.doMove(r.Context(), v, seat, asked.Move, asked.Seq)
	if err != nil {
		return err
	}
	writeStanding(w, state)
	return nil
}

func (s *Server) apiAct(w http.ResponseWriter, r *http.Request) error {
	var asked struct {
		Act   string `json:"act"`
		Level string `json:"level"`
	}
	if err := readJSON(r, &asked); err != nil {
		return err
	}
	v, seat, err := s.visitAs(r)
	if err != nil {
		return err
	}
	defer v.Close()
	state, err := s.doAct(r.Context(), v, seat, asked.Act, asked.Level)
	if err != nil {
		return err
	}
	writeStanding(w, state)
	return nil
}

// writeStanding answers an act with how the table stands after it.
func writeStanding(w http.ResponseWriter, s match.State) {
	w.Header()["Content-Type"] = []string{"application/json"}
	w.Header()["Cache-Control"] = []string{"no-store"}
	w.Write(append(appendStanding([]byte{'{'}, s), "}\n"...))
}

// appendStanding appends what every answer and event says of how a table stands. None of it needs escapes.
func appendStanding(b []byte, s match.State) []byte {
	b = append(b, `"seq":`...)
	b = strconv.AppendInt(b, int64(s.Seq), 10)
	b = append(b, `,"game":`...)
	b = strconv.AppendInt(b, int64(s.Game), 10)
	b = append(b, `,"phase":"`...)
	b = append(b, s.Phase()...)
	b = append(b, `","position":"`...)
	b = append(b, s.Setup.Rules.Text(s.Position)...)
	b = append(b, `","turn":"`...)
	b = append(b, turnOf(s)...)
	b = append(b, `","result":"`...)
	b = append(b, s.Result.String()...)
	return append(b, '"')
}

// turnOf returns the side to move, or nothing when no game is under way.
func turnOf(s match.State) string {
	if !s.Playing() {
		return ""
	}
	return s.Setup.Rules.Turn(s.Position).String()
}

// A tableView is a table as the API shows it.
type tableView struct {
	ID       string        `json:"id"`
	Rules    digit.Rules   `json:"rules"`
	Seq      int           `json:"seq"`
	Phase    match.Phase   `json:"phase"`
	Game     int           `json:"game"`
	BestOf   int           `json:"best_of,omitempty"`
	TurnTime string        `json:"turn_time,omitempty"`
	Deadline *time.Time    `json:"deadline,omitempty"`
	Seats    [2]playerView `json:"seats"`
	Draws    int           `json:"draws"`
	Moves    []digit.Move  `json:"moves"`
	Position string        `json:"position"`
	Turn     string        `json:"turn"`
	Result   digit.Result  `json:"result"`
	Asking   string        `json:"undo_asked_by,omitempty"` // the side that asks to take back a move
	Hints    bool          `json:"hints"`
	Watchers int           `json:"watchers"`
	Legal    []string      `json:"legal"`
}

// A playerView is who sits on a seat, as the API shows it to everybody.
type playerView struct {
	Seat    int        `json:"seat"`
	Side    digit.Side `json:"side"`
	Name    string     `json:"name"`
	Player  string     `json:"player"` // human, a level, or open
	Wins    int        `json:"wins"`
	Here    bool       `json:"here"`
	Away    bool       `json:"away"`
	Rematch bool       `json:"rematch"`
}

func viewOf(id string, s match.State, p match.Presence) tableView {
	v := tableView{
		ID: id, Rules: s.Setup.Rules, Seq: s.Seq, Phase: s.Phase(), Game: s.Game, BestOf: s.Setup.BestOf, Draws: s.Draws,
		Moves: append([]digit.Move{}, s.Moves...), Position: s.Setup.Rules.Text(s.Position), Turn: turnOf(s), Result: s.Result,
		Hints: s.HintsAllowed(), Watchers: p.Watchers, Legal: append([]string{}, legal(s)...),
	}
	if s.Setup.TurnTime > 0 {
		v.TurnTime = s.Setup.TurnTime.String()
	}
	if at, timed := s.Deadline(); timed {
		at = at.UTC()
		v.Deadline = &at
	}
	if s.Asking {
		v.Asking = s.Side(s.Asker).String()
	}
	for i, seat := range match.Seats {
		player := human
		switch {
		case s.Open[i]:
			player = "open"
		case s.Levels[i] != "":
			player = s.Levels[i]
		}
		v.Seats[i] = playerView{
			Seat: i + 1, Side: s.Side(seat), Name: s.Setup.Name(seat), Player: player, Wins: s.Wins[i], Here: p.Seats[i], Away: s.Away[i], Rematch: s.Again[i],
		}
	}
	return v
}

// apiTable shows a table. A player who asks with the token is there, so that one who has no stream is not taken to have left.
func (s *Server) apiTable(w http.ResponseWriter, r *http.Request) error {
	v, err := s.visit(r)
	if err != nil {
		return err
	}
	defer v.Close()
	if r.Header.Get("Authorization") != "" {
		seat, err := s.bearer(r, v.Table)
		if err != nil {
			return err
		}
		if err := v.Seen(r.Context(), seat); err != nil {
			return err
		}
	}
	p, _ := v.Presence()
	writeJSON(w, http.StatusOK, viewOf(v.Table.ID(), v.Table.State(), p))
	return nil
}

func (s *Server) apiHint(w http.ResponseWriter, r *http.Request) error {
	v, _, err := s.visitAs(r)
	if err != nil {
		return err
	}
	defer v.Close()
	state := v.Table.State()
	switch {
	case !state.Playing():
		return match.ErrNoGame
	case !state.HintsAllowed():
		return &problem{status: http.StatusForbidden, text: "hints are not allowed at this table; they are when every person at it agrees: act hints"}
	}
	solution, err := s.Solver.Solve(r.Context(), state.Setup.Rules)
	if err != nil {
		return err
	}
	cast := castOf(state)
	cast.You[state.Setup.Rules.Turn(state.Position)] = true
	hint, _ := coach.Advise(solution, state.Position, cast) // the game is under way
	writeJSON(w, http.StatusOK, hint)
	return nil
}
