package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// actTime is the time limit of an act. After it the caller is asked to try again.
const actTime = 5 * time.Second

// doAct does the act of a name. Level is the strength of the computer that replaces a player.
func (s *Server) doAct(r *http.Request, v *match.Visit, by viewer, name,
	level string) (state match.State, err error) {
	act := match.Act(clip(name))
	if err := act.Check(); err != nil {
		return state, invalid("%v", err)
	}
	if err := s.Act(v.Table, by.seat); err != nil {
		return state, err
	}
	if act == match.Replace {
		level = cmp.Or(level, usualLevel)
		if _, err := bot.ParseLevel(level); err != nil {
			return state, invalid("%v", err)
		}
		if err := s.playable(r, v.Table.State().Setup); err != nil {
			return state, err
		}
	}
	// the computer may have to move
	if slices.Contains([]match.Act{match.Next, match.Rematch, match.Replace, match.Swap}, act) {
		if err := s.Answered(s.Address(r), v.Table); err != nil {
			return state, err
		}
	}
	ctx, cancel := context.WithTimeout(by.holding(r.Context()), actTime)
	defer cancel()
	if err := v.Seen(ctx, by.seat); err != nil {
		return state, err
	}
	state, err = v.Table.Do(ctx, by.seat, act, level)
	if err == nil && act == match.Replace {
		v.Host()
	}
	return state, err
}

// A playFunc is [match.Table.Play] for programs or [match.Table.PlayAfter] for people.
type playFunc func(
	t *match.Table, ctx context.Context, seat match.Seat, m digit.Move, seen int,
) (match.State, error)

// doMove plays a move given as text. An error lists the legal moves.
func (s *Server) doMove(r *http.Request, v *match.Visit, by viewer, text string, seen int,
	play playFunc) (state match.State, err error) {
	if err := s.Act(v.Table, by.seat); err != nil {
		return state, err
	}
	if seen < 0 {
		return state, invalid("seq %d: allowed: the number of the last event you saw, or 0",
			seen)
	}
	ctx, cancel := context.WithTimeout(by.holding(r.Context()), actTime)
	defer cancel()
	// This comes after the move: the event that a player is back would come between the last event
	// that the player saw and the move.
	defer func() {
		err := v.Seen(ctx, by.seat)
		if err != nil && !errors.Is(err, match.ErrRekeyed) && r.Context().Err() == nil {
			s.Log.Error("cannot save that a player is back", "table", v.Table.ID(), "error", err)
		}
	}()
	m, err := digit.ReadMove(text)
	if err != nil {
		return unreadable(ctx, v.Table, by.seat, err, seen)
	}
	if err := s.Answered(s.Address(r), v.Table); err != nil {
		return state, err
	}
	state, err = play(v.Table, ctx, by.seat, m, seen)
	if err == nil {
		return state, nil
	}
	p, cast := s.problemOf(r, err), by.narrator(state).Sides()
	var illegal *digit.MoveError
	switch {
	case errors.As(err, &illegal):
		p.text += costOf(state, by.seat)
		p.long = rulebook.Refused(rulesFor(state.Setup), state.Position, illegal, cast).Long
		p.legal = legal(state)
	case errors.Is(err, match.ErrStale):
		p.text, p.long = stale(seen, state.Seq), meanwhile(v.Table, seen, state, by).Long
		if state.Playing() && state.Turn() == by.seat {
			p.legal = legal(state)
		}
	case errors.Is(err, match.ErrTurn):
		p.long = rulebook.NotYourTurn(cast, state.Setup.Rules.Turn(state.Position)).Long
	case !errors.Is(err, match.ErrNoGame):
		return state, p
	}
	p.seq = state.Seq
	return state, p
}

// stale explains to a program that its move was chosen for another state.
func stale(seen, now int) string {
	why := match.ErrStale.Error()
	if seen > now {
		why = fmt.Sprintf("the table has no event %d yet", seen)
	}
	return fmt.Sprintf("%s; seq is now %d: read the table again and choose another move", why, now)
}

// meanwhile describes the last change to a player who acted on an older state: one that matters to
// a move, or else the last event.
func meanwhile(t *match.Table, seen int, now match.State, v viewer) rulebook.Said {
	e, _ := t.Last(now.Seq)
	if e.Seq <= seen {
		e, _ = t.Last(now.Seq, match.Kinds()...)
	}
	switch {
	case e.Kind == match.Moved && !e.Auto:
		return rulebook.Meanwhile(v.narrator(now).Seats(), digit.Side(e.Seat))
	case e.Kind == match.Undone:
		return rulebook.MeanwhileUndone
	default:
		return v.narrator(now).Event(e, now)
	}
}

// legalMoves holds the legal moves of a state in the API.
type legalMoves struct {
	Legal []string `json:"legal,omitempty"`
	Count int      `json:"legal_count,omitempty"` // of all legal moves, if not all are listed
}

// mostLegal limits the moves that are listed. No book comes near it, but eight digits can be called
// in 40,320 orders.
const mostLegal = 1000

// legal returns the legal moves of a state.
func legal(s match.State) (l legalMoves) {
	if !s.Playing() {
		return l
	}
	for m := range s.Setup.Rules.Moves(s.Position) {
		if l.Count++; l.Count <= mostLegal {
			l.Legal = append(l.Legal, m.String())
		}
	}
	if l.Count == len(l.Legal) {
		l.Count = 0
	}
	return l
}

// A moveRequest asks to play a move.
type moveRequest struct {
	Move string `json:"move"`
	Seq  int    `json:"seq,omitempty"`
}

func (s *Server) apiMove(r *http.Request, v *match.Visit, by viewer,
	asked moveRequest) (any, error) {
	state, err := s.doMove(r, v, by, asked.Move, asked.Seq, (*match.Table).Play)
	return standingOf(state), err
}

// An actRequest asks for an act other than a move.
type actRequest struct {
	Act   string `json:"act"`
	Level string `json:"level,omitempty"`
}

func (s *Server) apiAct(r *http.Request, v *match.Visit, by viewer,
	asked actRequest) (any, error) {
	state, err := s.doAct(r, v, by, asked.Act, asked.Level)
	return standingOf(state), err
}

// A standing is the state of a table in every answer and event.
type standing struct {
	Seq      int          `json:"seq"`
	Game     int          `json:"game"`
	Phase    match.Phase  `json:"phase"`
	Position string       `json:"position"`
	Turn     string       `json:"turn"`
	Result   digit.Result `json:"result"`
}

func standingOf(s match.State) standing {
	return standing{s.Seq, s.Game, s.Phase(), s.Setup.Rules.Text(s.Position), turnOf(s), s.Result}
}

func (s *Server) postMove(w http.ResponseWriter, r *http.Request, visit *match.Visit,
	by viewer) error {
	form := r.PostForm
	s.keepFirstGame(w, r, visit.Table.ID(), visit.Table.State().Game)
	seen, err := strconv.Atoi(form.Get("seq"))
	if form.Get("seq") != "" && err != nil {
		return invalid("seq %q: allowed: the number of the last event you saw, or 0",
			clip(form.Get("seq")))
	}
	state := visit.Table.State()
	text, err := moveOf(rulesFor(state.Setup), state.Position, form)
	if err == nil {
		_, err = s.doMove(r, visit, by.at(state), text, seen, (*match.Table).PlayAfter)
	}
	return s.done(w, r, visit, by, err)
}

// noCall is the answer of a form that nothing is called.
const noCall = "no"

// moveOf returns the text of the move in a form: as a whole, or by digit, spot and call. The calls
// of each digit have their own field, as in call7.
func moveOf(r digit.Rules, p digit.Position, form url.Values) (string, error) {
	if move := form.Get("move"); move != "" {
		return move, nil
	}
	d, spot := form.Get("digit"), form.Get("spot")
	if d == "" {
		return "", invalid("choose a digit first").says(rulebook.Turn(r, p, you, true))
	}
	call := strings.TrimSpace(cmp.Or(form.Get("call"+d), form.Get("call")))
	if m, err := digit.ParseMove(d); err == nil {
		switch {
		case spot == "" && r.Place != digit.Hand:
			return "", invalid("choose a place for the %v",
				m.Digit).says(rulebook.AskSpot(r, p, m.Digit))
		case call == "" && r.MayCall(p) && r.Width <= listedWidth:
			return "", invalid("call%s: choose a number to call, or %s", d,
				noCall).says(rulebook.AskCall(r, p, m.Digit))
		}
	}
	if call == "" || call == noCall {
		return d + spot, nil
	}
	return d + spot + "=" + call, nil
}

func (s *Server) postAct(w http.ResponseWriter, r *http.Request, visit *match.Visit,
	by viewer) (err error) {
	form := r.PostForm
	if by.both {
		err = s.actForBoth(r, visit, by, match.Act(form.Get("act")))
	} else {
		_, err = s.doAct(r, visit, by, form.Get("act"), form.Get("level"))
	}
	// the request comes from the page of that game
	if game := number(form, "game"); err == nil && game > 0 {
		return s.redirect(w, r, gamePath(visit.Table.ID(), game))
	}
	return s.done(w, r, visit, by, err)
}

// actForBoth does an act of players who share a browser. They agree at once.
func (s *Server) actForBoth(r *http.Request, visit *match.Visit, by viewer, act match.Act) error {
	acts, seats := []match.Act{act}, by.acting(visit.Table.State(), act)
	switch act {
	case match.Undo:
		acts = []match.Act{match.Undo, match.AgreeUndo}
	case match.Rematch, match.Next, match.Publish:
		acts = []match.Act{act, act}
	default:
	}
	for i, act := range acts {
		if _, err := s.doAct(r, visit, seats[i], string(act), ""); err != nil {
			return err
		}
	}
	return nil
}

// done answers an act of a player: with the table, or with the table and the reason for the
// refusal.
func (s *Server) done(w http.ResponseWriter, r *http.Request, visit *match.Visit, by viewer,
	err error) error {
	if err == nil {
		if byScript(r) {
			w.WriteHeader(http.StatusNoContent)
			return nil
		}
		return s.redirect(w, r, tablePath(visit.Table.ID(), wantsHint(r))+"#table")
	}
	p := s.problemOf(r, err)
	if byScript(r) || !p.doubt && p.status != http.StatusConflict &&
		p.status != http.StatusUnprocessableEntity && p.status != http.StatusTooManyRequests {
		return p
	}
	return s.showTable(w, r, visit, by, p.status, p.sentence())
}
