package web

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"strings"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// A tablePage is the page of a table.
type tablePage struct {
	Scene scene
	Title string // of the game
	Hint  bool   // whether hints are shown
	Left  int64  // milliseconds on the clock; -1: no clock runs
	Hurry string // the warning when there is little time, with # for the seconds
}

func (s *Server) pageTable(w http.ResponseWriter, r *http.Request, visit *match.Visit,
	v viewer) error {
	if v.plays {
		seen := visit.Look // without script this is the only sign of presence
		if byScript(r) {
			seen = visit.Seen
		}
		for _, v := range v.seats(visit.Table.State()) {
			if err := seen(v.holding(r.Context()), v.seat); err != nil {
				return err
			}
		}
	}
	if byScript(r) {
		u, err := s.update(r, visit, v, visit.Table.State())
		if err != nil {
			return err
		}
		return writeJSON(w, http.StatusOK, u)
	}
	return s.showTable(w, r, visit, v, http.StatusOK,
		s.linkNote(r, visit.Table.ID(), visit.Table.State(), v))
}

// showTable answers with the page of a table, and the reason if the last request was refused.
func (s *Server) showTable(w http.ResponseWriter, r *http.Request, visit *match.Visit, v viewer,
	status int, alert string) error {
	state := visit.Table.State()
	view, err := s.scene(r, visit, v, state)
	if err != nil {
		return err
	}
	view.Alert, view.Refused = alert, status != http.StatusOK
	id := visit.Table.ID()
	if view.First {
		s.keepFirstGame(w, r, id, state.Game)
	}
	data := tablePage{Scene: view, Title: rulebook.Title(state.Setup.Rules), Hint: wantsHint(r),
		Left: leftOf(state, s.Now())}
	data.Hurry = strings.Replace(rulebook.Clock(10).Spoken, "10", "#", 1)
	// the answer to taking it was lost
	if v.plays && view.Class == "" &&
		(cookieOf(r, seatCookie) != v.token || !remembers(r, id)) {
		s.giveSeat(w, r, id, v.token)
	}
	refresh, to := refreshOf(state, v), tablePath(id, data.Hint)
	if v.plays && (view.Friendly || view.Class != "" && view.Phase == match.Over) {
		refresh, to = 8, "/c/"+view.Class+"/me"
		if view.Phase != match.Over {
			to += "?at=" + id
		}
	}
	return s.show(w, r, "tablepage",
		page{Status: status, Title: view.Title, Refresh: refresh, RefreshTo: to,
			Module: "table.js", Sheet: sheetOf(state, v), Bare: true,
			Preview: linkPreviewOf(state), Data: data})
}

// sheetOf returns the style sheet of a table that is not played by one person at each of two
// devices; empty: none.
func sheetOf(s match.State, v viewer) string {
	switch {
	case s.Phase() == match.Waiting:
		return "wait.css"
	case v.both:
		return "phone.css"
	default:
		return ""
	}
}

// agreed describes the terms of a table.
func agreed(s match.Setup) string {
	start := ""
	switch {
	case s.Agent.Tries > 0:
		start = rulebook.Program(int(s.Agent.Tries))
	case s.Openings != "":
		start = rulebook.RandomOpening
	}
	return rulebook.Agreed(s.Rules, s.Terms, start)
}

// refreshOf returns the seconds after which a page without script reloads. In the viewer's own turn
// that only marks the viewer as present, and is rare.
func refreshOf(s match.State, v viewer) int {
	switch {
	case s.Phase() == match.Waiting && !v.plays:
		return 0 // the visitor may be typing a name
	case s.Phase() == match.Over && !v.plays:
		return 0
	case s.Phase() == match.Over:
		return 15
	case !s.Playing() || !v.is(s.Turn()):
		return 5
	case s.Levels[v.seat.Other()] == "":
		return 45
	default:
		return 0
	}
}

// tablePath returns the address of a table, with or without hints.
func tablePath(id string, hint bool) string {
	if hint {
		return "/t/" + id + "?hint=1"
	}
	return "/t/" + id
}

// isTableName reports whether a text can be the name of a table.
func isTableName(text string) bool {
	return text != "" && len(text) <= 32 &&
		strings.Trim(text, "0123456789abcdefghijklmnopqrstuvwxyz") == ""
}

func wantsHint(r *http.Request) bool { return r.URL.Query().Get("hint") == "1" }

// scene returns a table as the viewer of a request sees it.
func (s *Server) scene(r *http.Request, visit *match.Visit, v viewer,
	state match.State) (scene, error) {
	id, v := visit.Table.ID(), v.at(state)
	present, _ := visit.Presence()
	view := sceneOf(id, state, present, v, s.Now())
	view.Origin = s.origins(r)[0]
	if v.plays && !v.both && view.Class == "" {
		view.Mine, view.Key = view.Origin+seatPath(id, s.Keys.Link(id, v.seat, state)), rand.Text()
		if other := v.seat.Other(); mayRecall(state, other) {
			view.Recall = view.Origin + seatPath(id, s.Keys.Recall(id, other, state))
		}
	}
	if v.link != "" {
		view.Move = rulebook.MoveSeat(state.Setup.Name(v.seat)).Long
	}
	if state.Result.Over() {
		view.Share, view.Turned = shareOf(id, state, v), s.turnedOf(r, id, state, v)
		if view.Turned != nil { // there is no room for both
			view.Aside = ""
		}
	}
	if wantsHint(r) {
		if err := s.analyse(r, state, v, &view); err != nil {
			return view, err
		}
	}
	// whether to take over the first move is enough to decide at once
	takes := view.Acts.Swap.Long != ""
	if view.MyTurn && view.Analysis == nil && !takes && !v.both && state.LastBy(v.seat) < 0 &&
		isFirstGame(r, id, state) {
		view.teach()
	}
	if said := randomMove(visit.Table, state, v).Long; said != "" && state.Playing() {
		view.Note = said
	} else if said != "" {
		view.More = said
	}
	view.news(visit.Table, state, v)
	for _, seat := range match.Seats {
		if !state.Open[seat] {
			continue
		}
		switch {
		case v.is(seat.Other()):
			_, toGuest := rulebook.Invitation(state.Setup.Rules, state.Setup.Name(v.seat))
			path := "/t/" + id
			if !state.Setup.Listed {
				path = seatPath(id, s.Keys.Token(id, seat))
			}
			view.Invite = &invite{Links: s.joinLinks(r, path), LocalPort: s.localPort(r),
				Text: toGuest.Long}
		case v.invited || state.Setup.Listed:
			cast := v.narrator(state).Seats()
			cast.You[seat] = true // the reader may sit down there
			starts := rulebook.Begins(cast, digit.Side(state.Setup.First), 1, 0, false).Long
			name := cmp.Or(r.PostForm.Get("name"), prefsOf(r).name)
			view.Sit = &sitView{Name: name, Hints: state.Setup.Hints, Starts: starts,
				Taken: rulebook.SeatTaken.Long}
		}
		if !v.plays {
			steps := rulebook.Steps(view.Rules)
			view.How = steps[:]
		}
	}
	return view, nil
}

// visit visits the table in a request.
func (s *Server) visit(r *http.Request) (*match.Visit, error) {
	return s.Hall.Visit(r.Context(), r.PathValue("id"))
}

// A tableView is a table in the API.
type tableView struct {
	ID    string      `json:"id"`
	Rules digit.Rules `json:"rules"`
	standing
	match.WireTerms
	Deadline *time.Time    `json:"deadline,omitempty"`
	Seats    [2]sitterView `json:"seats"`
	Draws    int           `json:"draws"`
	Moves    []digit.Move  `json:"moves"`
	// the side that asks to take back a move
	Asking string `json:"undo_asked_by,omitempty"`
	// the side to move may take over the first move
	MaySwap  bool           `json:"may_swap,omitempty"`
	Swapped  bool           `json:"swapped,omitempty"`
	Openings match.Openings `json:"openings,omitempty"`
	Given    int            `json:"given,omitempty"` // the number of moves that the game began with
	// the seat of a program that came to play by itself
	Agent    int      `json:"agent,omitempty"`
	Tries    int      `json:"tries_left,omitempty"`
	Hints    bool     `json:"hints"`
	Public   bool     `json:"public"` // whether lists show the games so far
	Watchers int      `json:"watchers"`
	You      int      `json:"you,omitempty"` // the seat of the caller
	Legal    []string `json:"legal"`
	Count    int      `json:"legal_count,omitempty"`
}

// A sitterView is the player on a seat in the API.
type sitterView struct {
	Seat    int        `json:"seat"`
	Side    digit.Side `json:"side"`
	Name    string     `json:"name"`
	Player  string     `json:"player"` // human, a level, or open
	Wins    int        `json:"wins"`
	Here    bool       `json:"here"`
	Away    bool       `json:"away"`
	Ready   bool       `json:"ready"`
	Rematch bool       `json:"rematch"`
	Publish bool       `json:"publish"`
}

func viewOf(id string, s match.State, p match.Presence) tableView {
	moves := legal(s)
	v := tableView{
		ID: id, Rules: s.Setup.Rules, standing: standingOf(s), WireTerms: s.Setup.Wire(),
		Draws: s.Draws, Moves: append([]digit.Move{}, s.Moves...),
		MaySwap: s.MaySwap(), Swapped: s.Swapped,
		Openings: s.Setup.Openings, Given: int(s.Given), Hints: s.HintsAllowed(),
		Public: s.Public(s.Game), Watchers: p.Watchers,
		Legal: append([]string{}, moves.Legal...), Count: moves.Count,
	}
	if at, timed := s.Deadline(); timed {
		at = at.UTC()
		v.Deadline = &at
	}
	if s.Asking {
		v.Asking = s.Side(s.Asker).String()
	}
	for i, seat := range match.Seats {
		if s.Setup.IsAgent(seat) {
			v.Agent, v.Tries = i+1, s.TriesLeft()
		}
		player := cmp.Or(s.Levels[i], match.Human)
		if s.Open[i] {
			player = "open"
		}
		v.Seats[i] = sitterView{
			Seat: i + 1, Side: s.Side(seat), Name: s.Setup.Name(seat), Player: player,
			Wins: s.Wins[i], Here: p.Seats[i], Away: s.Away[i], Ready: s.Ready[i],
			Rematch: s.Again[i], Publish: s.Shows[i],
		}
	}
	return v
}

// apiTable shows a table. It marks a player who asks with a token as present, so that a player
// without a stream does not count as gone.
func (s *Server) apiTable(w http.ResponseWriter, r *http.Request, v *match.Visit,
	who viewer) error {
	you := 0
	if who.plays {
		if err := v.Seen(who.holding(r.Context()), who.seat); err != nil {
			return err
		}
		you = int(who.seat) + 1
	}
	p, _ := v.Presence()
	view := viewOf(v.Table.ID(), v.Table.State(), p)
	view.You = you
	return writeJSON(w, http.StatusOK, view)
}

// turnOf returns the side to move, or nothing when no game is in progress.
func turnOf(s match.State) string {
	if !s.Playing() {
		return ""
	}
	return s.Setup.Rules.Turn(s.Position).String()
}
