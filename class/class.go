// Package class runs tournaments for school classes: pupils join by a code, are paired again and
// again, and are ranked by their results and their decisions.
//
// Everything about a class follows from its log of numbered events, as at a table. A pairing names
// its table before the table exists. The method mend opens missing tables and scores finished ones,
// so a server can be killed at any moment.
package class

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"digitduel/match"
)

// A Class is a tournament. Its methods may be called from any goroutine.
type Class struct {
	id     string
	school *School

	acting sync.Mutex // held during an act, including the call to the store
	tried  time.Time  // when a flow last paired; guarded by acting

	mu      sync.Mutex // guards the fields below; held briefly
	state   *State
	changed chan struct{} // closed and replaced when the state changes
	used    time.Time
	wrong   int // how often a wrong code was tried instead of the present one
}

// ID returns the name of the class.
func (c *Class) ID() string { return c.id }

// State returns the current state, and a channel that is closed when it changes. The number of the
// last event of a deleted class is 0.
func (c *Class) State() (*State, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used = c.school.Now()
	return c.state, c.changed
}

// now returns the current state.
func (c *Class) now() *State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

// lastUse returns when the class was last asked for.
func (c *Class) lastUse() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.used
}

// set replaces the state and wakes the watchers.
func (c *Class) set(s *State) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.Recoded != c.state.Recoded {
		c.wrong = 0
	}
	c.state = s
	close(c.changed)
	c.changed = make(chan struct{})
}

// events returns the stored events with numbers above after.
func (c *Class) events(ctx context.Context, after int) ([]Event, error) {
	bodies, err := c.school.Store.ClassEvents(ctx, c.id, after)
	events := make([]Event, len(bodies))
	for i, body := range bodies {
		if err := json.Unmarshal([]byte(body), &events[i]); err != nil {
			return nil, fmt.Errorf("class %s: event %d: %w", c.id, after+i+1, err)
		}
	}
	return events, err
}

// refresh reads the events that another server has added. It is called while acting.
func (c *Class) refresh(ctx context.Context) error {
	before := c.now()
	events, err := c.events(ctx, max(before.Seq-1, 0))
	if err == nil && len(events) == 0 { // not even the last known event
		err = errMissing
	}
	if err != nil {
		return err
	}
	s := before.clone()
	for _, e := range events[min(before.Seq, 1):] {
		if err := s.apply(e); err != nil {
			return fmt.Errorf("class %s: %w", c.id, err)
		}
	}
	if s.Seq > before.Seq {
		c.publish(ctx, s)
	}
	return nil
}

// publish opens the tables of new pairings, and then replaces the state. A table that cannot be
// opened is left to mend. It is called while acting.
func (c *Class) publish(ctx context.Context, s *State) {
	for _, p := range s.Pairings[len(c.now().Pairings):] {
		if !p.UnderWay() {
			continue
		}
		if v, err := c.visit(ctx, s, p); err == nil {
			v.Close()
		}
	}
	c.set(s)
}

var errMissing = refuse(Missing, "there is no such class")

// act makes the events that choose returns, and tries again after those of another server. It
// returns the state in which choose made them, or had none to make.
func (c *Class) act(
	ctx context.Context, choose func(s *State, now time.Time) ([]Event, error),
) (*State, error) {
	for {
		before, now := c.now(), c.school.Now().UTC().Round(time.Microsecond)
		events, err := choose(before, now)
		if err != nil || len(events) == 0 {
			return before, err
		}
		s := before.clone()
		bodies := make([]string, len(events))
		for i := range events {
			e := &events[i]
			e.Seq, e.At = s.Seq+1, now
			if err := s.apply(*e); err != nil {
				return before, err
			}
			body, err := json.Marshal(e)
			if err != nil {
				return before, err
			}
			bodies[i] = string(body)
		}
		code := c.code(s)
		if code != "" {
			code = match.Seal(code)
		}
		err = c.school.Store.AppendClass(ctx, c.id, before.Seq+1, bodies, now, s.due(), code)
		if err == nil {
			c.publish(ctx, s)
			return s, nil
		}
		if errors.Is(err, match.ErrConflict) {
			err = errors.Join(err, c.refresh(ctx))
		}
		if c.now() == before {
			return before, err
		}
	}
}

// Do does an act of the director, or of the pupil with this number.
func (c *Class) Do(ctx context.Context, a Act, pupil int) (*State, error) {
	c.acting.Lock()
	defer c.acting.Unlock()
	if pupil > 0 {
		a.Pupil = pupil
	}
	if _, err := c.act(ctx, func(s *State, now time.Time) ([]Event, error) {
		events, err := s.events(a, pupil == 0, now)
		if err == nil && a.Act == "repair" {
			return c.repair(ctx, s, now)
		}
		return events, err
	}); err != nil {
		return c.now(), err
	}
	if err := c.mend(ctx); err != nil { // upkeep tries again
		c.school.Log.Error("class upkeep", "class", c.id, "error", err)
	}
	return c.now(), nil
}

// codeLetters are the letters of codes, without those that look like another: I, O, 0 and 1.
const codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

// word returns a code of some letters for a purpose.
func (c *Class) word(letters int, purpose string, numbers ...int) string {
	text, _ := base64.RawURLEncoding.DecodeString(c.secret(purpose, numbers...)) // its form
	for i, b := range text {
		text[i] = codeLetters[b%32]
	}
	return string(text[:letters])
}

// secret returns a token for a purpose that follows from numbers.
func (c *Class) secret(purpose string, numbers ...int) string {
	parts := []string{"class", c.id, purpose}
	for _, n := range numbers {
		parts = append(parts, strconv.Itoa(n))
	}
	return c.school.Keys.Secret(parts...)
}

// Director returns the token of the director.
func (c *Class) Director() string { return c.secret("director") }

// Wall returns the token of the projector's page.
func (c *Class) Wall() string { return c.secret("wall") }

// Code returns the code with which pupils join, or "" if none can.
func (c *Class) Code() string { return c.code(c.now()) }

func (c *Class) code(s *State) string {
	if s.Locked || s.Ended {
		return ""
	}
	return c.word(6, "code", s.Recoded)
}

// Invitation returns the token with which pupils join without a code, or "" if none can.
func (c *Class) Invitation() string {
	s := c.now()
	if c.code(s) == "" {
		return ""
	}
	return c.secret("invitation", s.Recoded)
}

// token returns the token of a pupil with a phone of this generation.
func (c *Class) token(pupil, generation int) string {
	return c.secret("pupil", pupil, generation)
}

// A Ticket is what a pupil's phone keeps.
type Ticket struct {
	Pupil  int    `json:"pupil"`
	Name   string `json:"name"`
	Token  string `json:"token"`
	Rejoin string `json:"rejoin"` // the code that moves the pupil to another phone, once
}

// Ticket returns the ticket of a pupil in a state.
func (c *Class) Ticket(s *State, pupil int) Ticket {
	p := s.Pupils[pupil-1]
	return Ticket{
		pupil, p.Name, c.token(pupil, p.Generation), c.rejoin(pupil, p.Generation),
	}
}

// rejoin returns the code that moves a pupil from a phone of this generation to another one.
func (c *Class) rejoin(pupil, generation int) string {
	return c.word(8, "rejoin", pupil, generation)
}

// PupilOf returns the pupil of a token, or 0.
func (c *Class) PupilOf(s *State, token string) int {
	seal := match.Seal(token)
	for i, p := range s.Pupils {
		if p.Seal == seal && !p.Removed {
			return i + 1
		}
	}
	return 0
}

// mostWrong is how many wrong codes are accepted in a class before the code must be changed.
const mostWrong = 100

// ErrGuessed means that too many wrong codes were tried.
var ErrGuessed = refuse(TooOften, "too many wrong codes; ask for a new one, or scan the picture")

// Admits returns an error unless a code or an invitation admits to the class.
func (c *Class) Admits(code, invitation string) error {
	right, invited := c.Code(), c.Invitation()
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case right == "":
		return refuse(Forbidden, "nobody can join this class now")
	case match.SameSecret(invitation, invited):
		return nil
	case code == "":
	case c.wrong >= mostWrong:
		return ErrGuessed
	case match.SameSecret(strings.ToUpper(code), right):
		return nil
	default:
		c.wrong++
	}
	return refuse(Forbidden, "this code is not that of the class")
}

// Join adds a pupil. A phone that joins again with the same key is the same pupil.
func (c *Class) Join(ctx context.Context, name, key string) (*State, Ticket, error) {
	c.acting.Lock()
	defer c.acting.Unlock()
	pupil := 0
	s, err := c.act(ctx, func(s *State, _ time.Time) ([]Event, error) {
		pupil = 0
		for i, p := range s.Pupils {
			if key == "" || p.Key != match.Seal(key) {
				continue
			}
			if pupil = i + 1; p.Removed {
				return nil, refuse(Forbidden, "the director has removed you from this class")
			}
			return nil, nil
		}
		pupil = len(s.Pupils) + 1
		name, err := s.admit(name)
		if err != nil {
			return nil, err
		}
		e := Event{Kind: Joined, Name: name, Seal: match.Seal(c.token(pupil, 0))}
		if key != "" {
			e.Key = match.Seal(key)
		}
		return []Event{e}, nil
	})
	if err != nil {
		return s, Ticket{}, err
	}
	return s, c.Ticket(s, pupil), nil
}

// admit returns the name of a pupil who joins.
func (s *State) admit(text string) (string, error) {
	name, err := cleanName(text)
	switch {
	case err != nil:
		return "", err
	case s.Ended || s.Locked:
		return "", refuse(NotNow, "nobody can join this class now")
	case len(s.Pupils) >= MostPupils:
		return "", refuse(NotNow, "the class is full; allowed: %d pupils", MostPupils)
	}
	if len(s.Order.Names) > 0 {
		if err := s.checkFree(name, 0); err != nil {
			return "", err
		}
		at := slices.IndexFunc(s.Order.Names,
			func(on string) bool { return strings.EqualFold(on, name) })
		if at < 0 {
			return "", refuse(Forbidden, "name “%s”: not on the list of this class", name)
		}
		return s.Order.Names[at], nil
	}
	for n, own := 2, name; s.checkFree(name, 0) != nil; n++ {
		name = fmt.Sprintf("%s %d", own, n)
	}
	if err := match.CheckName(name); err != nil {
		return "", refuse(Invalid, "%v", err)
	}
	return name, nil
}

// cleanName returns a name without the characters that no name has.
func cleanName(text string) (string, error) {
	name, err := match.CleanName(text)
	if err != nil {
		return "", refuse(Invalid, "%v", err)
	}
	if name == "" {
		return "", refuse(Invalid, "name: allowed: 1 to %d characters", match.MaxName)
	}
	return name, nil
}

// checkFree returns an error if another pupil than this one has a name.
func (s *State) checkFree(name string, pupil int) error {
	for i, p := range s.Pupils {
		if strings.EqualFold(p.Name, name) && i+1 != pupil {
			return refuse(NotNow, "name “%s”: another pupil has it", name)
		}
	}
	return nil
}

// Rejoin moves a pupil to the phone that has this key, and makes the tokens of the old one invalid.
func (c *Class) Rejoin(ctx context.Context, code, key string) (*State, Ticket, error) {
	c.acting.Lock()
	defer c.acting.Unlock()
	pupil := 0
	s, err := c.act(ctx, func(s *State, _ time.Time) ([]Event, error) {
		for i, p := range s.Pupils {
			pupil = i + 1
			switch {
			case p.Removed:
			case match.SameSecret(c.rejoin(pupil, p.Generation), strings.ToUpper(code)):
				return []Event{{
					Kind: Rejoined, Pupil: pupil, Key: match.Seal(key),
					Seal: match.Seal(c.token(pupil, p.Generation+1)),
				}}, nil
			// the answer may have been lost
			case p.Generation > 0 && p.Key == match.Seal(key) && key != "" &&
				match.SameSecret(c.rejoin(pupil, p.Generation-1), strings.ToUpper(code)):
				return nil, nil
			}
		}
		return nil, refuse(Forbidden, "this rejoin code is not valid, or was used")
	})
	if err != nil {
		return s, Ticket{}, err
	}
	return s, c.Ticket(s, pupil), c.mend(ctx)
}

// Log returns the events with numbers above after, without secrets.
func (c *Class) Log(ctx context.Context, after int) ([]Event, error) {
	events, err := c.events(ctx, after)
	for i := range events {
		events[i].Seal, events[i].Key = "", ""
	}
	return events, err
}
