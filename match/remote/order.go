package remote

import (
	"context"
	"errors"
	"fmt"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// Who may sit on a seat of an [Order], beside the levels of the computer.
const (
	Human  = "human"  // whoever orders
	Friend = "friend" // who comes by an invitation
	Anyone = "anyone" // who finds the table in the list
)

// An Order is what a table is to be, or was ordered as.
type Order struct {
	Rules     digit.Rules   `json:"rules"`
	BestOf    int           `json:"best_of,omitempty"`
	TurnTime  string        `json:"turn_time,omitempty"`
	OnTimeout string        `json:"on_timeout,omitempty"`
	First     int           `json:"first,omitempty"`
	Names     [2]string     `json:"names"`
	Hints     bool          `json:"hints,omitempty"`
	AutoCall  bool          `json:"auto_call,omitempty"`
	Targets   match.Targets `json:"targets,omitzero"`
	Pair      bool          `json:"pair,omitempty"`
	Swap      bool          `json:"swap,omitempty"`
	Lot       bool          `json:"lot,omitempty"` // the server draws the openings
	Seats     [2]string     `json:"seats"`
}

// OrderOf returns the order that comes to a setup.
func OrderOf(s match.Setup) Order {
	o := Order{
		Rules: s.Rules, BestOf: s.BestOf, First: int(s.First) + 1, Names: s.Names, Hints: s.Hints, AutoCall: s.AutoCall, Targets: s.Targets,
		Pair: s.Pair, Swap: s.Swap, Lot: s.Openings != "",
	}
	if s.TurnTime > 0 {
		o.TurnTime, o.OnTimeout = s.TurnTime.String(), s.OnTimeout.String()
	}
	for i := range o.Seats {
		switch {
		case s.Levels[i] != "":
			o.Seats[i] = s.Levels[i]
		case s.Open[i] && s.Listed:
			o.Seats[i] = Anyone
		case s.Open[i]:
			o.Seats[i] = Friend
		default:
			o.Seats[i] = Human
		}
	}
	return o
}

// setup returns what an order comes to.
func (o Order) setup() (s match.Setup, err error) {
	s = match.Setup{Rules: o.Rules, BestOf: o.BestOf, Names: o.Names, Hints: o.Hints, AutoCall: o.AutoCall, Targets: o.Targets, Pair: o.Pair, Swap: o.Swap}
	if o.First == 2 {
		s.First = match.Two
	}
	if o.TurnTime != "" {
		if s.TurnTime, err = time.ParseDuration(o.TurnTime); err != nil {
			return s, err
		}
	}
	if o.OnTimeout != "" {
		if s.OnTimeout, err = match.ParseTimeoutRule(o.OnTimeout); err != nil {
			return s, err
		}
	}
	for i, who := range o.Seats {
		switch who {
		case Human:
		case Friend, Anyone:
			s.Open[i], s.Listed = true, s.Listed || who == Anyone
		default:
			s.Levels[i] = clean(who)
		}
	}
	return s, nil
}

// An event is a line of a log as the server tells it.
type event struct {
	Seq   int         `json:"seq"`
	At    time.Time   `json:"at"`
	Kind  match.Kind  `json:"kind"`
	Seat  int         `json:"seat"`
	Move  *digit.Move `json:"move"`
	Auto  bool        `json:"auto"`
	Fault match.Fault `json:"fault"`
	Name  string      `json:"name"`
	Level string      `json:"level"`
	Order *Order      `json:"order"`
	// Openings are what games begin with.
	Openings match.Openings `json:"openings"`
	Tries    uint8          `json:"tries"`
}

// event returns the event as a table has it. Its time is that of this machine's clock, by how long ago it was.
func (e event) event(now time.Time, ago time.Duration) (match.Event, error) {
	m := match.Event{Seq: e.Seq, At: now.Add(-ago), Kind: e.Kind, Move: e.Move, Auto: e.Auto, Fault: e.Fault, Name: e.Name, Level: clean(e.Level)}
	if e.Seat > 0 {
		m.Seat = match.Seat(e.Seat - 1)
	}
	if e.Kind == match.Rekeyed { // what the seal is is nobody's business; that it is another one matters
		m.Seal = fmt.Sprint("event ", e.Seq)
	}
	if e.Order != nil {
		setup, err := e.Order.setup()
		if err != nil {
			return m, fmt.Errorf("event %d: %w", e.Seq, err)
		}
		setup.Openings, setup.Agent.Tries = e.Openings, e.Tries
		m.Setup = &setup
	}
	return m, nil
}

// A Listed table is one that anybody may find.
type Listed struct {
	ID       string      `json:"id"`
	Rules    digit.Rules `json:"rules"`
	Phase    match.Phase `json:"phase"`
	Names    [2]string   `json:"names"`
	BestOf   int         `json:"best_of"`
	Pair     bool        `json:"pair"`
	Swap     bool        `json:"swap"`
	Lot      bool        `json:"lot"`
	TurnTime string      `json:"turn_time"`
}

// Tables returns the tables that anybody may find: those that wait for a player first.
func (s *Server) Tables(ctx context.Context) ([]Listed, error) {
	var answer struct {
		Tables []Listed `json:"tables"`
	}
	if err := s.call(ctx, "GET", "?limit=20", "", nil, &answer); err != nil {
		return nil, err
	}
	for i, t := range answer.Tables {
		for j, name := range t.Names {
			answer.Tables[i].Names[j] = clean(name)
		}
		answer.Tables[i].TurnTime = clean(t.TurnTime)
		if !isWord(t.ID) {
			return nil, fmt.Errorf("table %.40q: no table can be called that", t.ID)
		}
	}
	return answer.Tables, nil
}

// A Place is what somebody has at a table: a seat, by its token, or only the table to watch.
type Place struct {
	Table string     `json:"table"`
	Token string     `json:"token"` // empty: to watch
	Seat  match.Seat `json:"seat"`
	// Invite is the link by which somebody else takes the other seat; empty: there is none.
	Invite string `json:"invite,omitempty"`
}

// Open opens a table. Whoever asks again with the same key gets the same one.
func (s *Server) Open(ctx context.Context, o Order, key string) (Place, error) {
	var answer struct {
		ID    string `json:"id"`
		Seats []struct {
			Seat             int
			Player, Token    string
			Invitation, Link string
		} `json:"seats"`
	}
	if err := s.insist(ctx, "", "", key, o, &answer); err != nil {
		return Place{}, err
	}
	if !isWord(answer.ID) {
		return Place{}, fmt.Errorf("table %.40q: no table can be called that", answer.ID)
	}
	p := Place{Table: answer.ID}
	for i, seat := range answer.Seats {
		switch {
		case i > 1:
		case seat.Token != "" && p.Token == "":
			p.Token, p.Seat = seat.Token, match.Seat(i)
		case seat.Link != "":
			p.Invite = clean(seat.Link)
		case seat.Invitation != "":
			p.Invite = clean(Link{s.url, p.Table, seat.Invitation}.String())
		case seat.Player == Anyone:
			p.Invite = Link{s.url, p.Table, ""}.String()
		}
	}
	return p, nil
}

// Sit takes a seat at a table: that of an invitation or, with none, the one for anybody. Whoever asks again with the same key gets the same.
func (s *Server) Sit(ctx context.Context, table, invitation, name, key string) (Place, error) {
	var answer struct {
		Seat  int    `json:"seat"`
		Token string `json:"token"`
	}
	if err := s.insist(ctx, "/"+table+"/seats", invitation, key, map[string]string{"name": name}, &answer); err != nil {
		return Place{}, err
	}
	return Place{Table: table, Token: answer.Token, Seat: match.Seat(answer.Seat-1) & 1}, nil
}

// MayNotSit reports whether an error says that a seat is not for whoever asked: it is taken, or for somebody who has the invitation.
func MayNotSit(err error) bool { return errors.Is(err, match.ErrTaken) || isForbidden(err) }

// ErrNoSeat says that a token is for no seat that somebody has taken.
var ErrNoSeat = errors.New("the token is for no seat that was taken")

// Find returns the place that a token is for.
func (s *Server) Find(ctx context.Context, table, token string) (Place, error) {
	var answer struct {
		You int `json:"you"`
	}
	err := s.call(ctx, "GET", "/"+table, token, nil, &answer)
	if isForbidden(err) {
		return Place{Table: table}, fmt.Errorf("%w: %w", ErrNoSeat, err)
	}
	if err == nil && answer.You == 0 {
		err = errors.New("the server is older than this program, and does not tell whose seat that is")
	}
	return Place{Table: table, Token: token, Seat: match.Seat(answer.You-1) & 1}, err
}
