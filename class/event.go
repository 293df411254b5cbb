package class

import (
	"fmt"
	"time"
)

// A Kind is what happened in an event.
type Kind string

const (
	Opened     Kind = "opened"
	Joined     Kind = "joined"
	Rejoined   Kind = "rejoined" // a pupil has another phone
	Renamed    Kind = "renamed"
	Left       Kind = "left"
	Back       Kind = "back"
	Away       Kind = "away"
	Removed    Kind = "removed"
	Readmitted Kind = "readmitted"
	Started    Kind = "started"
	Paused     Kind = "paused"
	Resumed    Kind = "resumed"
	Extended   Kind = "extended"
	Locked     Kind = "locked"
	Unlocked   Kind = "unlocked"
	Recoded    Kind = "recoded"
	Paired     Kind = "paired"
	Scored     Kind = "scored"
	Voided     Kind = "voided"
	Ended      Kind = "ended"
)

// An Event is an entry of the log of a class, from which everything else follows.
type Event struct {
	Seq       int        `json:"seq"`
	At        time.Time  `json:"at"`
	Kind      Kind       `json:"kind"`
	Order     *Order     `json:"order,omitempty"`
	Pupil     int        `json:"pupil,omitempty"`
	Name      string     `json:"name,omitempty"`
	Seal      string     `json:"seal,omitempty"` // of the pupil's token
	Key       string     `json:"key,omitempty"`  // the seal of the key that a phone joined with
	Minutes   int        `json:"minutes,omitempty"`
	Round     int        `json:"round,omitempty"`
	Pairings  []Pairing  `json:"pairings,omitempty"`
	Pairing   int        `json:"pairing,omitempty"`
	Points    *[2]int    `json:"points,omitempty"` // by seat
	Decisions *[2][2]int `json:"decisions,omitempty"`
	By        string     `json:"by,omitempty"`     // game or director
	Absent    []int      `json:"absent,omitempty"` // pupils who made no move of their own
}

// The ways to score a pairing.
const (
	byGame     = "game"
	byDirector = "director"
)

// A Pairing is a game of two pupils, or a bye.
type Pairing struct {
	Pairing   int        `json:"pairing"` // counted from 1
	Round     int        `json:"round"`   // 0 in a flow
	Table     string     `json:"table,omitempty"`
	Pupils    []int      `json:"pupils"`           // on seats 1 and 2; one with a bye
	Points    *[2]int    `json:"points,omitempty"` // by seat: 2 for a win, 1 for a draw
	Decisions *[2][2]int `json:"decisions,omitempty"`
	Bye       bool       `json:"bye,omitempty"`
	Void      bool       `json:"void,omitempty"`
}

// UnderWay reports whether the game of a pairing has no result yet.
func (p Pairing) UnderWay() bool { return !p.Bye && !p.Void && p.Points == nil }

// Counts reports whether a pairing has a result that counts.
func (p Pairing) Counts() bool { return !p.Bye && !p.Void && p.Points != nil }

// A Cause is the kind of a refusal.
type Cause string

const (
	Invalid   Cause = "invalid"   // a value is not allowed
	Forbidden Cause = "forbidden" // the token or code is wrong
	Missing   Cause = "missing"   // there is no such class, pupil or pairing
	NotNow    Cause = "not now"   // it does not fit the state of the class
	TooOften  Cause = "too often"
)

// A Refusal is the error for an act that a class does not allow.
type Refusal struct {
	Cause Cause
	Text  string
}

func (r *Refusal) Error() string { return r.Text }

func refuse(cause Cause, format string, args ...any) error {
	return &Refusal{cause, fmt.Sprintf(format, args...)}
}
