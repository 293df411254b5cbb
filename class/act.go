package class

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"digitduel/match"
)

// An Act is something that the director or a pupil does. Its name decides which fields it needs.
type Act struct {
	Act     string  `json:"act"`
	Pupil   int     `json:"pupil,omitempty"`
	Name    string  `json:"name,omitempty"`
	Minutes int     `json:"minutes,omitempty"`
	Pairing int     `json:"pairing,omitempty"`
	Points  *[2]int `json:"points,omitempty"` // by seat
}

// An actRule describes an act: who does it, when, what it names, and the kind of its event.
type actRule struct {
	kind    Kind
	pupils  bool    // pupils do it, and not the director
	phases  []Phase // none: all
	pupil   bool    // it names a pupil
	pairing bool    // it names a pairing
}

var (
	during = []Phase{Playing, Stopped}
	always = []Phase{Open, Playing, Stopped, Ending}
)

// actRules has the rule of each act, apart from delete, which leaves no log.
var actRules = map[string]actRule{
	"start":   {kind: Started, phases: []Phase{Open}},
	"next":    {kind: Paired, phases: []Phase{Playing}},
	"pause":   {kind: Paused, phases: []Phase{Playing}},
	"resume":  {kind: Resumed, phases: []Phase{Stopped}},
	"extend":  {kind: Extended, phases: during},
	"lock":    {kind: Locked, phases: always},
	"unlock":  {kind: Unlocked, phases: always},
	"recode":  {kind: Recoded, phases: always},
	"rename":  {kind: Renamed, pupil: true},
	"remove":  {kind: Removed, pupil: true},
	"readmit": {kind: Readmitted, phases: always, pupil: true},
	"award":   {kind: Scored, pairing: true},
	"void":    {kind: Voided, pairing: true},
	"repair":  {kind: Voided, phases: during},
	"end":     {kind: Ended, phases: always},
	"leave":   {kind: Left, pupils: true, phases: always, pupil: true},
	"back":    {kind: Back, pupils: true, phases: always, pupil: true},
}

// check returns the rule of an act by the director or by a pupil, or an error.
func (s *State) check(a Act, director bool) (actRule, error) {
	rule, known := actRules[a.Act]
	switch phase := s.Phase(); {
	case !known:
		return rule, refuse(Invalid, "act %.20q: allowed: %s", a.Act, actNames(director))
	case rule.pupils == director:
		return rule, refuse(Forbidden, "act %s: this token may not do it; allowed: %s", a.Act,
			actNames(director))
	case rule.phases != nil && !slices.Contains(rule.phases, phase):
		return rule, refuse(NotNow, "act %s: not in a class that is %s", a.Act, phase)
	case rule.pupil && (a.Pupil < 1 || a.Pupil > len(s.Pupils)):
		return rule, refuse(Missing, "pupil %d: there is no such pupil", a.Pupil)
	case rule.pairing && (a.Pairing < 1 || a.Pairing > len(s.Pairings) ||
		s.Pairings[a.Pairing-1].Bye):
		return rule, refuse(Missing, "pairing %d: there is no such game", a.Pairing)
	}
	return rule, nil
}

// actNames returns the names of the acts of the director or of a pupil.
func actNames(director bool) string {
	names := []string{}
	for name, rule := range actRules {
		if rule.pupils != director {
			names = append(names, name)
		}
	}
	if director {
		names = append(names, "delete")
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// events returns the events of an act by the director or by a pupil, apart from repair. An act that
// has been done already may have none.
func (s *State) events(a Act, director bool, now time.Time) ([]Event, error) {
	rule, err := s.check(a, director)
	if err != nil {
		return nil, err
	}
	e, pupil := Event{Kind: rule.kind}, Pupil{}
	if rule.pupil {
		e.Pupil, pupil = a.Pupil, s.Pupils[a.Pupil-1]
	}
	if rule.pairing {
		e.Pairing = a.Pairing
	}
	switch e.Kind {
	case Started:
		return append([]Event{e}, s.pairing(now, s.nextRound())...), s.mayPair("start")
	case Paired:
		return s.pairing(now, s.nextRound()), s.mayBegin()
	case Extended:
		left := mostMinutes - int(s.Ends.Sub(s.Started)/time.Minute)
		if e.Minutes = a.Minutes; a.Minutes < 1 || a.Minutes > left {
			return nil, refuse(Invalid, "minutes %d: allowed: 1 or more, up to %d in all",
				a.Minutes, mostMinutes)
		}
	case Renamed:
		if e.Name, err = cleanName(a.Name); err == nil {
			err = s.checkFree(e.Name, a.Pupil)
		}
	case Removed:
		if p := pupil.Pairing; p > 0 && s.Pairings[p-1].UnderWay() {
			return []Event{e, {Kind: Voided, Pairing: p}}, nil
		}
	case Scored:
		e.Points, e.By = a.Points, byDirector
		if p := a.Points; p == nil || p[0] < 0 || p[1] < 0 || p[0]+p[1] != 2 {
			err = refuse(Invalid, "points: allowed: [2,0], [1,1], [0,2]")
		}
	case Ended:
		if s.Ended {
			return s.voidAll(), nil
		}
	default:
	}
	if e.Kind == Left && pupil.Left || e.Kind == Back && !pupil.Left && !pupil.Away {
		return nil, nil
	}
	return []Event{e}, err
}

// mayBegin returns an error if the next round cannot begin now.
func (s *State) mayBegin() error {
	switch n := s.underWay(); {
	case s.Order.Format != Rounds:
		return refuse(NotNow, "next: a flow has no rounds")
	case n > 0:
		return refuse(NotNow, "next: games of this round under way: %d; allowed: 0", n)
	case s.Round >= s.Order.Rounds:
		return refuse(NotNow, "next: round %d was the last one", s.Round)
	}
	return s.mayPair("next")
}

// mayPair returns an error for an act that needs two pupils for the next round.
func (s *State) mayPair(act string) error {
	if n := len(s.free(s.nextRound())); n < 2 {
		return refuse(NotNow, "%s: pupils here: %d; allowed: 2 or more", act, n)
	}
	return nil
}

// voidAll returns the events that void all games under way.
func (s *State) voidAll() (events []Event) {
	for _, p := range s.Pairings {
		if p.UnderWay() {
			events = append(events, Event{Kind: Voided, Pairing: p.Pairing})
		}
	}
	return events
}

// restBetween is how long after the last game of a round the next one begins by itself.
const restBetween = 20 * time.Second

// loneWait is how long a pupil in a flow waits for a new opponent before a rematch.
const loneWait = 20 * time.Second

// idleTime is how long nothing may happen in a class before it ends by itself.
const idleTime = 3 * time.Hour

// clockEvents returns the events that the clock makes: the end of the class, and new pairings. In a
// flow the free pupils are paired when it is time.
func (s *State) clockEvents(now time.Time, pairs bool) []Event {
	rounds, idle := s.Order.Format == Rounds, s.underWay() == 0
	switch {
	case s.Started.IsZero() || s.Ended:
		return nil
	case !rounds && !now.Before(s.Ends), rounds && idle && s.Round >= s.Order.Rounds,
		now.Sub(s.Changed) > idleTime:
		return []Event{{Kind: Ended}}
	case s.Paused, !rounds && !pairs,
		rounds && (!idle || !s.Order.Auto || now.Sub(s.Idle) < restBetween):
		return nil
	}
	return s.pairing(now, s.nextRound())
}

// free returns the pupils who can be paired for a round: those who are here, do not play, and have
// no game in that round.
func (s *State) free(round int) (pupils []int) {
	busy := map[int]bool{}
	for _, p := range s.Pairings {
		if p.UnderWay() || !p.Void && round > 0 && p.Round == round {
			for _, pupil := range p.Pupils {
				busy[pupil] = true
			}
		}
	}
	for i, p := range s.Pupils {
		if !p.Left && !p.Away && !p.Removed && !busy[i+1] {
			pupils = append(pupils, i+1)
		}
	}
	return pupils
}

// nextRound returns the number of the next round, which is always 0 in a flow.
func (s *State) nextRound() int {
	if s.Order.Format == Flow {
		return 0
	}
	return s.Round + 1
}

// pairing returns the event that pairs the free pupils for a round, or none if there is no pair.
func (s *State) pairing(now time.Time, round int) []Event {
	flow := s.Order.Format == Flow
	met, starts := map[[2]int]int{}, map[int]int{}
	for _, p := range s.Pairings {
		if !p.Bye && !p.Void {
			met[[2]int{p.Pupils[0], p.Pupils[1]}]++
			met[[2]int{p.Pupils[1], p.Pupils[0]}]++
			starts[p.Pupils[0]]++
		}
	}
	players := s.players(now, round)
	if len(players) < 2 {
		return nil
	}
	e := Event{Kind: Paired, Round: round}
	add := func(p Pairing) {
		p.Pairing, p.Round = len(s.Pairings)+len(e.Pairings)+1, round
		e.Pairings = append(e.Pairings, p)
	}
	meetings := func(a, b int) int { return met[[2]int{a, b}] }
	pairs, out := pairAll(players, meetings)
	for _, pair := range pairs {
		a, b := pair[0], pair[1]
		if starts[a.Pupil] > starts[b.Pupil] {
			a, b = b, a
		}
		if flow && meetings(a.Pupil, b.Pupil) > 0 && max(a.waited, b.waited) < loneWait {
			continue
		}
		add(Pairing{Table: match.NewID(now), Pupils: []int{a.Pupil, b.Pupil}})
	}
	if out.Pupil > 0 && !flow {
		add(Pairing{Pupils: []int{out.Pupil}, Bye: true})
	}
	if len(e.Pairings) == 0 {
		return nil
	}
	return []Event{e}
}

// players returns the pupils who can be paired for a round, by points, and otherwise in random
// order.
func (s *State) players(now time.Time, round int) (players []player) {
	free := s.free(round)
	for _, row := range s.Standings() {
		if !slices.Contains(free, row.Pupil) {
			continue
		}
		p := player{row, now.Sub(s.Pupils[row.Pupil-1].Free), row.Byes}
		if s.Order.Format == Flow { // the last one to come waits
			p.rested = int(p.waited / time.Second)
		}
		players = append(players, p)
	}
	rand.Shuffle(len(players), func(i, j int) {
		players[i], players[j] = players[j], players[i]
	})
	slices.SortStableFunc(players, func(a, b player) int { return b.Points - a.Points })
	return players
}
