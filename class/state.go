package class

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// A Phase is the stage of a class.
type Phase string

const (
	Open     Phase = "open"    // pupils join
	Playing  Phase = "playing" // games are paired
	Stopped  Phase = "paused"  // games go on, and none is paired
	Ending   Phase = "ending"  // the last games are played
	Finished Phase = "over"
)

// A Status is what a pupil does now.
type Status string

const (
	Waiting Status = "waiting"
	Plays   Status = "playing"
	HasBye  Status = "bye"
	IsAway  Status = "away" // made no move in the last game, and has not touched the phone since
	HasLeft Status = "left"
)

// A Pupil is a player of a class.
type Pupil struct {
	Name       string
	Generation int       // of the token; it grows with each other phone
	Seal       string    // of the token
	Key        string    // the seal of the key that the phone joined with
	Pairing    int       // the one under way, or the bye of this round; 0: none
	Free       time.Time // since when the pupil has waited for a game

	Left, Away, Removed bool
}

// Status returns what the pupil does now.
func (s *State) Status(pupil int) Status {
	p := s.Pupils[pupil-1]
	switch {
	case p.Left:
		return HasLeft
	case p.Pairing > 0 && s.Pairings[p.Pairing-1].Bye:
		return HasBye
	case p.Pairing > 0:
		return Plays
	case p.Away:
		return IsAway
	}
	return Waiting
}

// A State is the state of a class after an event. It must not be changed.
type State struct {
	Order    Order
	Seq      int
	Opened   time.Time
	Started  time.Time // zero: not yet
	Ends     time.Time // when a flow pairs for the last time
	Changed  time.Time // when the last event happened
	Idle     time.Time // when the last game under way ended
	Over     time.Time // when the class was over; zero: not yet
	Round    int
	Recoded  int // how often the code was changed
	Paused   bool
	Locked   bool
	Ended    bool // no more games are paired
	Pupils   []Pupil
	Pairings []Pairing
}

// Phase returns the stage of the class.
func (s *State) Phase() Phase {
	switch {
	case s.Ended && s.underWay() == 0:
		return Finished
	case s.Ended:
		return Ending
	case s.Started.IsZero():
		return Open
	case s.Paused:
		return Stopped
	}
	return Playing
}

// underWay returns the number of games under way.
func (s *State) underWay() (n int) {
	for _, p := range s.Pairings {
		if p.UnderWay() {
			n++
		}
	}
	return n
}

// Deleted returns when the class will be deleted, if it takes the time that is left.
func (s *State) Deleted() time.Time {
	last := s.Changed
	if !s.Over.IsZero() {
		last = s.Over
	} else if s.Ends.After(last) {
		last = s.Ends
	}
	return last.Add(time.Duration(s.Order.Keep))
}

// due returns when the class must be looked after: at once while games are played, otherwise when
// it is to be deleted.
func (s *State) due() time.Time {
	if phase := s.Phase(); phase == Open || phase == Finished {
		return s.Deleted()
	}
	return s.Changed
}

// clone returns a copy that can be changed.
func (s *State) clone() *State {
	c := *s
	c.Pupils, c.Pairings = slices.Clone(s.Pupils), slices.Clone(s.Pairings)
	return &c
}

// apply changes the state by an event. It returns an error if the event cannot follow.
func (s *State) apply(e Event) error {
	switch {
	case e.Seq != s.Seq+1:
		return fmt.Errorf("event %d cannot follow event %d", e.Seq, s.Seq)
	case (e.Seq == 1) != (e.Kind == Opened && e.Order != nil):
		return fmt.Errorf("event %d: a class is opened once, by its first event", e.Seq)
	case e.Pupil < 0 || e.Pupil > len(s.Pupils) || e.Pairing < 0 || e.Pairing > len(s.Pairings),
		e.Pairing == 0 && (e.Kind == Scored || e.Kind == Voided):
		return fmt.Errorf("event %d: there is no such pupil or pairing", e.Seq)
	}
	busy := s.underWay() > 0
	if err := s.change(e); err != nil {
		return err
	}
	s.Seq, s.Changed = e.Seq, e.At
	if busy && s.underWay() == 0 {
		s.Idle = e.At
	}
	if s.Over.IsZero() && s.Phase() == Finished {
		s.Over = e.At
	}
	return nil
}

// change changes the state by the kind of an event.
func (s *State) change(e Event) error {
	p := new(Pupil)
	if e.Pupil > 0 {
		p = &s.Pupils[e.Pupil-1]
	}
	switch e.Kind {
	case Opened:
		s.Order, s.Opened = *e.Order, e.At
	case Joined:
		s.Pupils = append(s.Pupils, Pupil{Name: e.Name, Seal: e.Seal, Key: e.Key, Free: e.At})
	case Rejoined:
		p.Generation, p.Seal, p.Key, p.Away = p.Generation+1, e.Seal, e.Key, false
	case Renamed:
		p.Name = e.Name
	case Left:
		p.Left = true
	case Back:
		p.Left, p.Away, p.Free = false, false, e.At
	case Away:
		p.Away = true
	case Removed:
		p.Removed = true
	case Readmitted:
		p.Removed, p.Left, p.Free = false, false, e.At
	case Started:
		s.Started, s.Ends = e.At, e.At.Add(time.Duration(s.Order.Minutes)*time.Minute)
		for i := range s.Pupils {
			s.Pupils[i].Free = e.At
		}
	case Paused, Resumed:
		s.Paused = e.Kind == Paused
	case Extended:
		s.Ends = s.Ends.Add(time.Duration(e.Minutes) * time.Minute)
	case Locked, Unlocked:
		s.Locked = e.Kind == Locked
	case Recoded:
		s.Recoded++
	case Paired:
		s.pair(e)
	case Scored, Voided:
		game := &s.Pairings[e.Pairing-1]
		game.Void = e.Kind == Voided
		game.Points = cmp.Or(e.Points, game.Points)
		game.Decisions = cmp.Or(e.Decisions, game.Decisions)
		s.release(e.At, func(p Pairing) bool { return p.Pairing == e.Pairing })
		for _, absent := range e.Absent {
			s.Pupils[absent-1].Away = true
		}
	case Ended:
		s.Ended, s.Paused = true, false
	default:
		return fmt.Errorf("event %d: unknown kind %q", e.Seq, e.Kind)
	}
	return nil
}

// pair adds pairings, and ends the byes of the round before.
func (s *State) pair(e Event) {
	s.release(e.At, func(p Pairing) bool { return p.Bye && p.Round < e.Round })
	s.Round = e.Round
	for _, p := range e.Pairings {
		s.Pairings = append(s.Pairings, p)
		for _, pupil := range p.Pupils {
			s.Pupils[pupil-1].Pairing = p.Pairing
		}
	}
}

// release frees the pupils whose pairing is done.
func (s *State) release(at time.Time, done func(Pairing) bool) {
	for i := range s.Pupils {
		if p := &s.Pupils[i]; p.Pairing > 0 && done(s.Pairings[p.Pairing-1]) {
			p.Pairing, p.Free = 0, at
		}
	}
}
