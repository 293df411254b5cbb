package arena

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"digitduel/digit"
)

// A Plan says everything that the games of a match depend on. It is written before the first game, and never changed.
type Plan struct {
	Version   int           `json:"version"`
	ID        string        `json:"id"` // a sum of all the rest
	Players   []string      `json:"players"`
	Format    string        `json:"format"`
	Rules     []digit.Rules `json:"rules"`
	Starts    string        `json:"starts"`
	Pairs     int           `json:"pairs"`       // of each two players that meet, under each of the rules
	MoveTime  int64         `json:"movetime_ms"` // for each move of a program
	Retries   int           `json:"retries"`     // how often a program is asked again after an answer that is no legal move
	SPRT      *SPRT         `json:"sprt,omitempty"`
	Seed      uint64        `json:"seed"`
	ShowMoves bool          `json:"show_moves,omitempty"` // whether an agent is told the legal moves
	Disguise  *uint64       `json:"disguise,omitempty"`   // the seed of the words that programs are told the games in; nil: in digits
	Positions [][]string    `json:"positions"`            // for each of the rules, where the pairs start: one after the other, and then again from the first

	met []encounter // of an open run: who has met
}

// The formats: who meets whom.
const (
	RoundRobin = "round-robin" // everybody meets everybody
	Gauntlet   = "gauntlet"    // the first player meets everybody else
	Open       = "open"        // nothing is planned: agents choose what they play
)

// MostPairs is how many pairs a plan may have in all.
const MostPairs = 50_000_000

// planVersion is the version of plans that this program writes and reads.
const planVersion = 1

// seal completes a plan, or says what is wrong with it.
func (p *Plan) seal() error {
	p.Version, p.Players = planVersion, distinct(p.Players)
	if err := p.check(); err != nil {
		return err
	}
	p.ID = p.sum()
	return nil
}

// sum returns what the ID of the plan has to be.
func (p *Plan) sum() string {
	bare := *p
	bare.ID = ""
	text, err := json.Marshal(bare)
	if err != nil {
		panic("arena: a plan cannot be written: " + err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}

func (p *Plan) check() error {
	switch {
	case p.Version != planVersion:
		return fmt.Errorf("version %d: this program reads version %d", p.Version, planVersion)
	case p.Format == Open:
		return p.checkOpen()
	case len(p.Players) < 2:
		return fmt.Errorf("players: %d; a match takes two or more", len(p.Players))
	case p.Format != RoundRobin && p.Format != Gauntlet:
		return fmt.Errorf("format %q: allowed: %s, %s", p.Format, RoundRobin, Gauntlet)
	case len(p.Rules) == 0:
		return errors.New("rules: there are none")
	case len(p.Positions) != len(p.Rules):
		return fmt.Errorf("positions: there are %d lists for %d rulesets", len(p.Positions), len(p.Rules))
	case p.Pairs < 1 || p.Pairs > MostPairs/(len(p.encounters())*len(p.Rules)):
		return fmt.Errorf("pairs %d: allowed: 1 to %d", p.Pairs, MostPairs/(len(p.encounters())*len(p.Rules)))
	case p.MoveTime < 1 && !p.forAgent():
		return fmt.Errorf("movetime %d ms: allowed: 1 ms or more", p.MoveTime)
	case p.Retries < 0 || p.Retries > 100:
		return fmt.Errorf("retries %d: allowed: 0 to 100", p.Retries)
	case p.SPRT != nil && len(p.Players) != 2:
		return fmt.Errorf("sprt: it compares two players, and there are %d", len(p.Players))
	case p.Disguise != nil && !slices.ContainsFunc(p.Players, reads):
		return fmt.Errorf("disguise %d: levels do not read words, so that nothing would be disguised; it takes an engine:COMMAND", *p.Disguise)
	}
	if err := p.checkAgents(); err != nil {
		return err
	}
	for _, name := range p.Players {
		if err := checkPlanned(name); err != nil {
			return err
		}
	}
	if p.SPRT != nil {
		if err := p.SPRT.Check(); err != nil {
			return err
		}
	}
	for i, r := range p.Rules {
		if len(p.Positions[i]) == 0 {
			return fmt.Errorf("%v: there is no start", r)
		}
		for _, text := range p.Positions[i] {
			if at, err := r.ParsePosition(text); err != nil {
				return fmt.Errorf("%v: start: %w", r, err)
			} else if r.Result(at).Over() {
				return fmt.Errorf("%v: start %s: the game is over there", r, text)
			}
		}
	}
	return nil
}

// ReadPlan reads a plan, and refuses one that was changed.
func ReadPlan(text []byte) (*Plan, error) {
	var p Plan
	if err := decode(text, &p); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	if want := p.sum(); p.ID != want {
		return nil, fmt.Errorf("it was changed: its id is %s and would have to be %s; a plan stays as it was written", p.ID, want)
	}
	return &p, nil
}

// Text returns the plan as it is written.
func (p *Plan) Text() []byte {
	text, err := json.Marshal(p)
	if err != nil {
		panic("arena: a plan cannot be written: " + err.Error())
	}
	return append(text, '\n')
}

// An encounter is two players that meet, by number.
type encounter struct{ a, b int }

func (p *Plan) encounters() []encounter {
	if p.Format == Open {
		return p.met
	}
	var all []encounter
	for a := range p.Players {
		if p.Format == Gauntlet && a > 0 {
			break
		}
		for b := a + 1; b < len(p.Players); b++ {
			all = append(all, encounter{a, b})
		}
	}
	return all
}

// A pair is two games with the same start: a is first in one and b in the other.
type pair struct {
	encounter
	rules int
	start string
}

// pairs returns what finds a pair by its number from 0 on, and how many there are. Those that meet and the rules take turns, so that what
// was played at any time is a part of everything.
func (p *Plan) pairs() (at func(i int) pair, count int) {
	meet := p.encounters()
	at = func(i int) pair {
		rules := i / len(meet) % len(p.Rules)
		starts := p.Positions[rules]
		return pair{meet[i%len(meet)], rules, starts[i/len(meet)/len(p.Rules)%len(starts)]}
	}
	return at, p.Pairs * len(meet) * len(p.Rules)
}

// different returns how many different starts there are under one of the rules.
func (p *Plan) different(rules int) int {
	seen := map[string]bool{}
	for _, start := range p.Positions[rules] {
		seen[start] = true
	}
	return len(seen)
}

// Again says under which rules there are fewer starts than pairs. That it is the beginning alone nobody has to be told.
func (p *Plan) Again() (all []string) {
	for i, r := range p.Rules {
		if n := p.different(i); n < p.Pairs && p.Starts != fromBeginning {
			all = append(all, again(r.String(), n, p.Pairs))
		}
	}
	return all
}

// again says that there are fewer starts than pairs.
func again(rules string, starts, pairs int) string {
	return fmt.Sprintf("%s: starts come again, since for %d pairs there are %d", rules, pairs, starts)
}

// Games returns how many games are planned.
func (p *Plan) Games() int {
	_, count := p.pairs()
	return 2 * count
}

// Difference says in what a plan is not another one, and nothing if they are the same.
func (p *Plan) Difference(other *Plan) string {
	mine, theirs := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if json.Unmarshal(p.Text(), &mine) != nil || json.Unmarshal(other.Text(), &theirs) != nil {
		return "all"
	}
	for _, key := range []string{"players", "format", "rules", "starts", "pairs", "movetime_ms", "retries", "sprt", "seed", "show_moves", "disguise", "positions"} {
		if !bytes.Equal(mine[key], theirs[key]) {
			if key == "positions" {
				return "other positions to start from"
			}
			return fmt.Sprintf("%s %s, not %s", key, orNone(mine[key]), orNone(theirs[key]))
		}
	}
	return ""
}

func orNone(text json.RawMessage) string {
	if len(text) == 0 {
		return "none"
	}
	return string(text)
}
