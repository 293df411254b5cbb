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

// OpenPlaying returns a function that starts an engine and checks that it plays the given rules.
// Its error is not a fault in a game.
func OpenPlaying(rules []digit.Rules) func(ctx context.Context, command string) (Engine, error) {
	return func(ctx context.Context, command string) (Engine, error) {
		p, err := engine.Start(ctx, command, engine.ProcessConfig{})
		if err != nil {
			return nil, err
		}
		for _, r := range rules {
			if err := p.Plays(r); err != nil {
				p.Close()
				return nil, err
			}
		}
		return program{process: p}, nil
	}
}

// OpenPlayers returns a function that starts the programs of a plan. If the plan has a disguise,
// OpenPlayers proves it, and the function refuses programs that cannot play in its words.
func OpenPlayers(
	ctx context.Context, plan *Plan,
) (func(ctx context.Context, command string) (Engine, error), error) {
	if plan.Disguise == nil {
		return OpenPlaying(plan.Rules), nil
	}
	words := map[digit.Rules]*disguise.Disguise{}
	for _, r := range plan.Rules {
		d, _, err := plan.ProvedDisguise(ctx, r, disguise.MostPositions)
		if err != nil {
			return nil, err
		}
		words[r] = d
	}
	return func(ctx context.Context, command string) (Engine, error) {
		p, err := openWordy(ctx, command)
		if err != nil {
			return nil, err
		}
		return program{p, words}, nil
	}, nil
}

// openWordy starts an engine that can play in words.
func openWordy(ctx context.Context, command string) (*engine.Process, error) {
	p, err := engine.Start(ctx, command, engine.ProcessConfig{})
	if err != nil {
		return nil, err
	}
	if err := p.InWords(); err != nil {
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
