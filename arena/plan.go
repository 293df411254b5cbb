package arena

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"digitduel/arena/disguise"
	"digitduel/arena/engine"
	"digitduel/digit"
	"digitduel/solve"
)

// A Plan holds everything that the games of a match depend on. It is written before the first
// game, and never changed.
type Plan struct {
	Version int           `json:"version"`
	ID      string        `json:"id"`      // a hash of the rest
	Players []string      `json:"players"` // their names
	Format  string        `json:"format"`
	Rules   []digit.Rules `json:"rules"`
	Starts  string        `json:"starts"`
	// Pairs is the number of pairs of each two players that meet, under each of the rules.
	Pairs    int   `json:"pairs"`
	MoveTime int64 `json:"movetime_ms"` // for each move of a program
	// Retries is the number of times a program is asked again after an illegal answer.
	Retries   int    `json:"retries"`
	SPRT      *SPRT  `json:"sprt,omitempty"`
	Seed      uint64 `json:"seed"`
	ShowMoves bool   `json:"show_moves,omitempty"` // an agent sees the legal moves
	disguise.Spec
	// Commands has the command of each player that is a program, and "" for others. Plans of older
	// versions have it in the name of the player.
	Commands []string `json:"commands,omitempty"`
	// Eval holds the settings of an evaluation of a model; nil for other plans.
	Eval json.RawMessage `json:"eval,omitempty"`
	Exam string          `json:"exam,omitempty"` // the name of an exam for agents
	Once bool            `json:"once,omitempty"` // each agent takes the exam once
	// Positions has the starts of the pairs for each of the rules, used in turn and repeatedly.
	Positions [][]string `json:"positions"`
}

// Formats: which players meet.
const (
	RoundRobin = "round-robin" // every two players
	Gauntlet   = "gauntlet"    // the first player and each other
	ExamFormat = "exam"        // no games: a model answers an exam
)

// MostPairs is the maximum number of pairs of a plan.
const MostPairs = 50_000_000

// planVersion is the version of plans that this program writes and reads.
const planVersion = 1

// seal completes a plan, or returns an error if it is invalid.
func (p *Plan) seal() error {
	p.Version, p.Players = planVersion, distinct(p.Players)
	if err := p.check(); err != nil {
		return err
	}
	p.ID = p.sum()
	return nil
}

// SetEval adds the settings of an evaluation to a complete plan.
func (p *Plan) SetEval(settings json.RawMessage) error {
	p.Eval = settings
	return p.seal()
}

// sum returns the ID of the plan, a hash of its contents.
func (p *Plan) sum() string {
	bare := *p
	bare.ID = ""
	sum := sha256.Sum256(bytes.TrimSpace(bare.Text()))
	return hex.EncodeToString(sum[:6])
}

// check returns an error if the plan is invalid.
func (p *Plan) check() error {
	most := MostPairs / max(1, p.meetings()*len(p.Rules))
	switch {
	case p.Version != planVersion:
		return fmt.Errorf("version %d: this program reads version %d", p.Version, planVersion)
	case p.Format == ExamFormat && len(p.Eval) > 0:
		return nil
	case p.Format == ExamFormat:
		_, err := ParseExam(p.Exam)
		return err
	case len(p.Players) < 2:
		return fmt.Errorf("players: %d; a match takes two or more", len(p.Players))
	case p.Format != RoundRobin && p.Format != Gauntlet:
		return fmt.Errorf("format %q: allowed: %s, %s", p.Format, RoundRobin, Gauntlet)
	case len(p.Rules) == 0:
		return errors.New("missing rules")
	case len(p.Positions) != len(p.Rules):
		return fmt.Errorf("positions: there are %d lists for %d rulesets",
			len(p.Positions), len(p.Rules))
	case p.Pairs < 1 || p.Pairs > most:
		return fmt.Errorf("pairs %d: allowed: 1 to %d", p.Pairs, most)
	case p.MoveTime < 1 && !p.forAgent():
		return fmt.Errorf("movetime %d ms: allowed: 1 ms or more", p.MoveTime)
	case p.Retries < 0 || p.Retries > 100:
		return fmt.Errorf("retries %d: allowed: 0 to 100", p.Retries)
	case p.SPRT != nil && len(p.Players) != 2:
		return fmt.Errorf("sprt: it compares two players, not %d", len(p.Players))
	case p.Disguise != nil && !slices.ContainsFunc(p.Players, isProgram):
		return fmt.Errorf("disguise %s: levels do not read words; add a player engine:COMMAND",
			p.DisguiseText())
	case p.Commands != nil && (len(p.Commands) != len(p.Players) || p.forAgent()):
		return fmt.Errorf("commands: %d for %d players", len(p.Commands), len(p.Players))
	}
	if err := p.checkAgents(); err != nil {
		return err
	}
	for i, name := range p.Players {
		check := checkPlanned(name)
		if command, ok := p.command(i); ok && p.Commands != nil {
			check = cmp.Or(CheckPlayer(enginePrefix+command), CheckName(name))
		}
		if check != nil {
			return check
		}
	}
	if p.SPRT != nil {
		if err := p.SPRT.Check(); err != nil {
			return err
		}
	}
	for i, r := range p.Rules {
		if len(p.Positions[i]) == 0 {
			return fmt.Errorf("%v: missing start", r)
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

// command returns the command of a player that is a program.
func (p *Plan) command(player int) (command string, ok bool) {
	if p.Commands == nil {
		return Command(p.Players[player])
	}
	return p.Commands[player], p.Commands[player] != ""
}

// ReadPlan parses a plan, and refuses one that was changed.
func ReadPlan(text []byte) (*Plan, error) {
	var p Plan
	if err := decode(text, &p); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	if want := p.sum(); p.ID != want {
		return nil, fmt.Errorf("the plan was changed: its id is %s, want %s", p.ID, want)
	}
	return &p, nil
}

// Text returns the plan as JSON.
func (p *Plan) Text() []byte {
	text, err := JSONLines(p)
	if err != nil {
		panic("arena: encode a plan: " + err.Error())
	}
	return text
}

// An encounter is two players that meet, by number.
type encounter struct{ a, b int }

// meetings returns the number of encounters.
func (p *Plan) meetings() int {
	n := len(p.Players)
	if p.Format == Gauntlet {
		return n - 1
	}
	return n * (n - 1) / 2
}

// encounter returns an encounter by its number from 0.
func (p *Plan) encounter(i int) encounter {
	a := 0
	for others := len(p.Players) - 1; i >= others; others-- {
		i -= others
		a++
	}
	return encounter{a, a + 1 + i}
}

func (p *Plan) encounters() (all []encounter) {
	for i := range p.meetings() {
		all = append(all, p.encounter(i))
	}
	return all
}

// A pair is two games with the same start. Player a is first in one and b in the other.
type pair struct {
	encounter
	rules int
	start string
}

// pairs returns the number of pairs.
func (p *Plan) pairs() int { return p.Pairs * p.meetings() * len(p.Rules) }

// pair returns a pair by its number from 0. Encounters and rules alternate, so that the games
// played at any time are a fair sample of all.
func (p *Plan) pair(i int) pair {
	round, meeting := i/p.meetings(), i%p.meetings()
	rules := round % len(p.Rules)
	starts := p.Positions[rules]
	return pair{p.encounter(meeting), rules, starts[round/len(p.Rules)%len(starts)]}
}

// sides returns the players of a game of the pair by side. Games have odd and even numbers.
func (p pair) sides(game int) [2]int {
	if game%2 == 0 {
		return [2]int{p.b, p.a}
	}
	return [2]int{p.a, p.b}
}

// names returns the names of two players.
func (p *Plan) names(players [2]int) [2]string {
	return [2]string{p.Players[players[0]], p.Players[players[1]]}
}

// EvaluateGame returns the figures of a game of the plan, by its number from 1, as the function
// [EvaluateGame] does.
func (p *Plan) EvaluateGame(
	s *solve.Solution, game int, start digit.Position, moves []Move, fault engine.Fault,
) (Game, error) {
	players := p.names(p.pair((game - 1) / 2).sides(game))
	g, err := EvaluateGame(s, start, players, moves, fault)
	g.Game, g.Pair, g.Plan = game, (game+1)/2, p.ID
	return g, err
}

// different returns the number of different starts under one of the rules.
func (p *Plan) different(rules int) int {
	seen := map[string]bool{}
	for _, start := range p.Positions[rules] {
		seen[start] = true
	}
	return len(seen)
}

// Again returns a line for each of the rules with fewer starts than pairs. It omits those that
// only start from the beginning.
func (p *Plan) Again() (all []string) {
	for i, r := range p.Rules {
		if n := p.different(i); n < p.Pairs && p.Starts != fromBeginning {
			all = append(all, fmt.Sprintf("%v: starts repeat, because for %d pairs there are %d",
				r, p.Pairs, n))
		}
	}
	return all
}

// Games returns the number of planned games.
func (p *Plan) Games() int { return 2 * p.pairs() }

// Difference returns the first difference between two plans, or "".
func (p *Plan) Difference(other *Plan) string {
	mine, theirs := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if json.Unmarshal(p.Text(), &mine) != nil || json.Unmarshal(other.Text(), &theirs) != nil {
		return "all"
	}
	keys := []string{
		"players", "format", "rules", "starts", "pairs", "movetime_ms", "retries", "sprt", "seed",
		"show_moves", "disguise", "disguise_words", "commands", "exam", "once", "positions",
	}
	for _, key := range keys {
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
