package arena

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"digitduel/arena/disguise"
	"digitduel/arena/engine"
	"digitduel/digit"
)

// A program is a running engine.
type program struct {
	process *engine.Process
	words   map[digit.Rules]*disguise.Disguise // the words of the games; nil for digits
}

// OpenPlayers returns a function that starts the programs of a plan, and refuses those that do not
// play its rules. If the plan has a disguise, OpenPlayers proves it, and the function refuses
// programs that cannot play in its words. An error of the function is not a fault in a game.
func OpenPlayers(
	ctx context.Context, plan *Plan,
) (func(ctx context.Context, command string) (Engine, error), error) {
	var words map[digit.Rules]*disguise.Disguise
	check := plays(plan.Rules)
	if plan.Disguise != nil {
		words, check = map[digit.Rules]*disguise.Disguise{}, (*engine.Process).InWords
		for _, r := range plan.Rules {
			d, _, err := plan.ProvedDisguise(ctx, r, disguise.MostPositions)
			if err != nil {
				return nil, err
			}
			words[r] = d
		}
	}
	return func(ctx context.Context, command string) (Engine, error) {
		p, err := start(ctx, command, check)
		if err != nil {
			return nil, err
		}
		return program{p, words}, nil
	}, nil
}

// plays returns a check that an engine plays some rules.
func plays(rules []digit.Rules) func(*engine.Process) error {
	return func(p *engine.Process) error {
		for _, r := range rules {
			if err := p.Plays(r); err != nil {
				return err
			}
		}
		return nil
	}
}

// start starts an engine that passes a check.
func start(
	ctx context.Context, command string, check func(*engine.Process) error,
) (*engine.Process, error) {
	p, err := engine.Start(ctx, command, engine.ProcessConfig{})
	if err != nil {
		return nil, err
	}
	if err := check(p); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Name returns the name that the engine gives itself.
func (p program) Name() string { return p.process.Name }

func (p program) NewGame(ctx context.Context, r digit.Rules, seed uint64) error {
	p.process.SetSeed(seed)
	if p.words == nil {
		return p.process.NewGame(ctx, r)
	}
	d := p.words[r]
	return p.process.NewGameInWords(ctx, r, d.Game.Text(true), d)
}

func (p program) Choose(
	ctx context.Context, start digit.Position, moves []digit.Move, limit time.Duration,
) (Answer, error) {
	reply, err := p.process.Choose(ctx, start, moves, engine.Limit{MoveTime: limit})
	a := Answer{Move: reply.Move}
	a.Tokens, a.Cost = spent(reply.Infos)
	return a, err
}

func (p program) Close() { p.process.Close() }

// spent returns the tokens and the cost of a move that an engine reported last: "string tokens
// 512 cost 0.004".
func spent(infos []string) (tokens int64, cost float64) {
	for _, info := range infos {
		words := strings.Fields(info)
		if len(words) == 0 || words[0] != "string" {
			continue
		}
		for i, word := range words[:len(words)-1] {
			switch n, err := strconv.ParseFloat(words[i+1], 64); {
			case err != nil || math.IsNaN(n) || n < 0 || n > 1e15:
			case word == "tokens":
				tokens = int64(n)
			case word == "cost":
				cost = n
			}
		}
	}
	return tokens, cost
}
