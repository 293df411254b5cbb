package web

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
)

//go:embed openapi.json
var openAPI []byte

// routeAPI is for programs. What each route takes and answers is described in openapi.json.
func (s *Server) routeAPI(mux *http.ServeMux) {
	route := func(pattern string, handle func(w http.ResponseWriter, r *http.Request) error) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := handle(w, r); err != nil {
				s.refuse(w, r, s.problemOf(r, err))
			}
		})
	}
	route("POST /api/tables", s.apiOpen)
	route("GET /api/tables", s.apiTables)
	route("GET /api/tables/{id}", s.apiTable)
	route("POST /api/tables/{id}/seats", s.apiSit)
	route("POST /api/tables/{id}/moves", s.apiMove)
	route("POST /api/tables/{id}/acts", s.apiAct)
	route("GET /api/tables/{id}/hint", s.apiHint)
	route("GET /api/tables/{id}/events", s.apiEvents)
	route("GET /api/games", s.apiGames)
	route("GET /api/stats", s.apiStats)
	route("GET /api/openapi.json", func(w http.ResponseWriter, _ *http.Request) error {
		w.Header().Set("Content-Type", "application/json")
		_, err := w.Write(openAPI)
		return err
	})
	for _, path := range []string{"/api/tables", "/api/tables/{id}", "/api/tables/{id}/{what}", "/api/games", "/api/stats", "/api/openapi.json", "/api/"} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { s.refuseRoute(mux, w, r) })
	}
}

// refuseRoute answers what no route of the API is for: another method, or nothing that is there.
func (s *Server) refuseRoute(mux *http.ServeMux, w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := mux.Handler(other); strings.HasPrefix(pattern, method+" ") {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) == 0 {
		s.refuse(w, r, &problem{status: http.StatusNotFound, text: "there is nothing here; /api/openapi.json says what there is"})
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	s.refuse(w, r, &problem{status: http.StatusMethodNotAllowed, text: fmt.Sprintf("method %s: allowed here: %s", clip(r.Method), strings.Join(allowed, ", "))})
}

// readJSON reads the one JSON object that a request holds.
func readJSON(r *http.Request, into any) error {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return &problem{status: http.StatusUnsupportedMediaType, text: fmt.Sprintf("content type %q: allowed: application/json", clip(r.Header.Get("Content-Type")))}
	}
	body, err := io.ReadAll(r.Body)
	if large := new(http.MaxBytesError); errors.As(err, &large) {
		return err
	}
	bad := func(why string) error {
		return &problem{status: http.StatusBadRequest, text: "the body is not what is wanted: " + why}
	}
	if err != nil {
		return bad("it could not be read")
	}
	if !utf8.Valid(body) {
		return bad("it is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return bad(strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n", " "), "json: "))
	}
	if _, err := d.Token(); err != io.EOF {
		return bad("there is more after the JSON object")
	}
	return nil
}

// bearer returns the seat that the token in a request's header is for.
func (s *Server) bearer(r *http.Request, table string) (match.Seat, error) {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return 0, &problem{status: http.StatusUnauthorized, text: "a seat token is wanted: Authorization: Bearer TOKEN"}
	}
	seat, ok := s.Keys.Seat(table, token)
	if !ok {
		return 0, &problem{status: http.StatusForbidden, text: "the token is for no seat of this table"}
	}
	return seat, nil
}

// visitAs visits the table of a request as the player whose token it has.
func (s *Server) visitAs(r *http.Request) (*match.Visit, match.Seat, error) {
	id := r.PathValue("id")
	v, err := s.Hall.Visit(r.Context(), id)
	if err != nil {
		return nil, 0, err
	}
	seat, err := s.bearer(r, id)
	if err == nil && v.Table.State().Open[seat] {
		err = &problem{status: http.StatusForbidden, text: "nobody has taken this seat yet"}
	}
	if err == nil && v.Table.State().Setup.Levels[seat] != "" {
		err = &problem{status: http.StatusForbidden, text: "the computer plays on this seat"}
	}
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
	}{ID: id, Seq: 1}
	if setup.Open == [2]bool{} {
		answer.Seq = 2
	}
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
	v, err := s.Hall.Visit(r.Context(), r.PathValue("id"))
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

func (s *Server) apiTable(w http.ResponseWriter, r *http.Request) error {
	v, err := s.Hall.Visit(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	defer v.Close()
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
	hint, _ := coach.Advise(solution, state.Position) // the game is under way
	writeJSON(w, http.StatusOK, hint)
	return nil
}
