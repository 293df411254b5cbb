package match

import (
	"cmp"
	"fmt"
	"time"

	"digitduel/digit"
)

// The players of an [Order], in addition to the levels of the computer.
const (
	Human  = "human"  // the player who orders the table
	Friend = "friend" // a player who comes by an invitation
	Anyone = "anyone" // a player who finds the table in the list
)

// WireTerms are Terms in the API. The outer fields take the place of those of Terms whose form
// differs there; a time-out rule is sent only with a clock.
type WireTerms struct {
	Terms
	TurnTime  string `json:"turn_time,omitempty"`
	OnTimeout string `json:"on_timeout,omitempty"`
}

// Wire returns the terms for the API.
func (t Terms) Wire() WireTerms {
	w := WireTerms{Terms: t}
	if t.TurnTime != 0 {
		w.TurnTime, w.OnTimeout = t.TurnTime.String(), t.OnTimeout.String()
	}
	return w
}

// Read parses the terms that were sent.
func (w WireTerms) Read() (Terms, error) {
	t := w.Terms
	for _, sent := range [][2]string{{tagTurnTime, w.TurnTime}, {"on-timeout", w.OnTimeout}} {
		if o := FindOption(sent[0]); o.Set(&t, sent[1]) != nil {
			return t, o.BadValue(sent[1])
		}
	}
	return t, nil
}

// An Order is a Setup in the API: a request for a table, or the setup that was requested.
type Order struct {
	Rules digit.Rules `json:"rules"`
	WireTerms
	First         int       `json:"first,omitempty"` // the seat that starts, 1 or 2; 0 means 1
	Names         [2]string `json:"names"`
	RandomOpening bool      `json:"lot,omitempty"` // a pair whose openings the server draws
	Seats         [2]string `json:"seats"`         // Human, Friend, Anyone, or a level
}

// Order returns the order that leads to a setup.
func (s Setup) Order() Order {
	o := Order{
		Rules: s.Rules, WireTerms: s.Wire(), First: int(s.First) + 1, Names: s.Names,
		RandomOpening: s.Openings != "" && s.Agent == Agent{},
	}
	for i := range o.Seats {
		switch {
		case s.Open[i] && s.Listed:
			o.Seats[i] = Anyone
		case s.Open[i]:
			o.Seats[i] = Friend
		default:
			o.Seats[i] = cmp.Or(s.Levels[i], Human)
		}
	}
	return o
}

// Setup returns the setup of an order, without openings. It checks only the form of the order:
// levels may not exist, and [Setup.Check] may refuse the result.
func (o Order) Setup() (s Setup, err error) {
	s = Setup{Rules: o.Rules, Names: o.Names}
	if s.Terms, err = o.Read(); err != nil {
		return s, err
	}
	if o.First < 0 || o.First > len(Seats) {
		return s, fmt.Errorf("first %d: allowed: 1, 2", o.First)
	}
	s.First, s.Pair = Seat(max(o.First, 1)-1), s.Pair || o.RandomOpening
	for i, who := range o.Seats {
		switch who {
		case "", Human:
		case Friend, Anyone:
			s.Open[i], s.Listed = true, s.Listed || who == Anyone
		default:
			s.Levels[i] = who
		}
	}
	return s, nil
}

// A Listed table is a Summary in the API.
type Listed struct {
	ID    string      `json:"id"`
	Rules digit.Rules `json:"rules"`
	Phase Phase       `json:"phase"`
	Names [2]string   `json:"names"`
	First int         `json:"first"` // the seat that starts the first game
	WireTerms
	Hints         bool      `json:"hints"`     // always sent
	AutoCall      bool      `json:"auto_call"` // always sent
	RandomOpening bool      `json:"lot,omitempty"`
	Game          int       `json:"game"`
	Wins          [2]int    `json:"wins"`
	Draws         int       `json:"draws"`
	Opened        time.Time `json:"opened"`
}

// Wire returns the summary for the API.
func (s Summary) Wire() Listed {
	return Listed{
		ID: s.ID, Rules: s.Rules, Phase: s.Phase, Names: s.Names, First: int(s.First) + 1,
		WireTerms: s.Terms.Wire(), Hints: s.Hints, AutoCall: s.AutoCall,
		RandomOpening: s.Openings != "",
		Game:          s.Game, Wins: s.Wins, Draws: s.Draws, Opened: s.Opened.UTC(),
	}
}

// A Logged event is an Event in the API, without secrets.
type Logged struct {
	Seq   int         `json:"seq"`
	At    time.Time   `json:"at"`
	Kind  Kind        `json:"kind"`
	Seat  int         `json:"seat,omitempty"` // not of opened and began
	Move  *digit.Move `json:"move,omitempty"`
	Auto  bool        `json:"auto,omitempty"`
	Waits bool        `json:"waits,omitempty"`
	Fault Fault       `json:"fault,omitempty"`
	Name  string      `json:"name,omitempty"`
	Level string      `json:"level,omitempty"`
	Order *Order      `json:"order,omitempty"`
	// Openings are the moves that games begin with, drawn at random or given.
	Openings Openings `json:"openings,omitempty"`
	// Tries is set if a program plays: its answers for each move.
	Tries uint8  `json:"tries,omitempty"`
	Class string `json:"class,omitempty"` // the class whose table it is
}

// Wire returns the event for the API.
func (e Event) Wire() Logged {
	l := Logged{
		Seq: e.Seq, At: e.At.UTC(), Kind: e.Kind, Move: e.Move, Auto: e.Auto, Waits: e.Waits,
		Fault: e.Fault, Name: e.Name, Level: e.Level,
	}
	if e.Kind != Opened && e.Kind != Began {
		l.Seat = int(e.Seat) + 1
	}
	if e.Setup != nil {
		order := e.Setup.Order()
		l.Order, l.Openings, l.Tries = &order, e.Setup.Openings, e.Setup.Agent.Tries
		l.Class = e.Setup.Class
	}
	return l
}

// Read returns the event that was sent. The seal of a token is secret, so it is another one.
func (l Logged) Read() (Event, error) {
	e := Event{
		Seq: l.Seq, At: l.At, Kind: l.Kind, Move: l.Move, Auto: l.Auto, Waits: l.Waits,
		Fault: l.Fault, Name: l.Name, Level: l.Level, Seat: Seat(max(l.Seat, 1) - 1),
	}
	if l.Kind == Rekeyed {
		e.Seal = fmt.Sprint("event ", l.Seq)
	}
	if l.Order != nil {
		setup, err := l.Order.Setup()
		if err != nil {
			return e, fmt.Errorf("event %d: %w", l.Seq, err)
		}
		setup.Openings, setup.Agent.Tries, setup.Class = l.Openings, l.Tries, l.Class
		e.Setup = &setup
	}
	return e, nil
}

// Read parses the terms that were sent.
func (l Listed) Read() (Terms, error) {
	l.WireTerms.Hints, l.WireTerms.AutoCall = l.Hints, l.AutoCall
	return l.WireTerms.Read()
}
