package arena

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"digitduel/arena/engine"
	"digitduel/bot"
	"digitduel/digit"
	"digitduel/solve"
)

// A chooser chooses the moves of one side of one game.
type chooser func(ctx context.Context, at digit.Position, moves []digit.Move) (Answer, error)

// A crew plays games one after another. It keeps the programs it has started running.
type crew struct {
	*Runner
	engines map[int]Engine // by player
}

// close ends the programs.
func (c *crew) close() {
	for _, e := range c.engines {
		e.Close()
	}
}

// A playedPair holds the two games of a pair and their lines.
type playedPair struct {
	number int // counted from 0
	games  [2]Game
	lines  []byte
	err    error
}

// playPair plays the two games of a pair and checks them.
func (c *crew) playPair(ctx context.Context, number int) playedPair {
	p := playedPair{number: number, err: context.Cause(ctx)}
	for n := range p.games {
		if p.err == nil {
			p.games[n], p.err = c.play(ctx, 2*number+n+1)
		}
	}
	if p.err == nil {
		p.lines, p.err = JSONLines(p.games[:]...)
	}
	return p
}

// play plays a game of the plan, by its number from 1. The result depends only on the plan and on
// the answers of programs.
func (c *crew) play(ctx context.Context, number int) (Game, error) {
	pair := c.Plan.pair((number - 1) / 2)
	s := c.Solutions[pair.rules]
	start, err := s.Rules().ParsePosition(pair.start)
	if err != nil {
		return Game{}, err
	}
	moves, fault, err := c.playOut(ctx, pair.sides(number), start, s, number)
	if err != nil {
		return Game{}, err
	}
	g, err := c.Plan.EvaluateGame(s, number, start, moves, fault)
	if err != nil {
		return g, fmt.Errorf("game %d: %w", number, err)
	}
	return g, nil
}

// playOut plays a game to its end. It returns the moves and the fault by which it was lost, if
// any.
func (c *crew) playOut(
	ctx context.Context, players [2]int, start digit.Position, s *solve.Solution, number int,
) (made []Move, lost engine.Fault, err error) {
	var choosers [2]chooser
	var absent [2]engine.Fault // the fault of a player that failed to start the game
	for side, player := range players {
		choosers[side], err = c.chooser(ctx, player, start, s, number, side)
		if absent[side] = engine.FaultOf(err); err != nil && absent[side] == "" {
			return nil, "", err
		}
	}
	r, p, moves := s.Rules(), start, []digit.Move(nil)
	for !r.Result(p).Over() {
		turn := r.Turn(p)
		if absent[turn] != "" {
			return made, absent[turn], nil
		}
		began := time.Now()
		answer, faults, err := c.ask(ctx, choosers[turn], r, p, moves)
		if fault := engine.FaultOf(err); fault != "" {
			c.retire(players[turn], fault)
			return made, fault, nil
		}
		if err != nil {
			return nil, "", err
		}
		made = append(made, Move{
			Move: answer.Move, MS: Milliseconds(time.Since(began)),
			Tries: 1 + len(faults), Faults: faults,
			Tokens: answer.Tokens, Cost: answer.Cost,
		})
		moves = append(moves, answer.Move)
		p, _ = r.Play(p, answer.Move) // ask returns legal moves
	}
	return made, "", nil
}

// Milliseconds returns a duration in milliseconds, rounded to microseconds.
func Milliseconds(d time.Duration) float64 { return math.Round(float64(d)/1e3) / 1e3 }

// ask asks for a legal move, again after a fault if the plan allows it, and returns the faults
// before it.
func (c *crew) ask(
	ctx context.Context, choose chooser, r digit.Rules, p digit.Position, moves []digit.Move,
) (a Answer, faults []engine.Fault, err error) {
	var tokens int64
	var cost float64
	for {
		a, err = choose(ctx, p, moves)
		tokens, cost = tokens+a.Tokens, cost+a.Cost
		if err == nil {
			if _, refused := r.Play(p, a.Move); refused != nil {
				err = &engine.FaultError{Fault: engine.Illegal, Why: refused.Error()}
			}
		}
		fault := engine.FaultOf(err)
		if !fault.Again() || len(faults) == c.Plan.Retries {
			a.Tokens, a.Cost = tokens, rounded(cost)
			return a, faults, err
		}
		faults = append(faults, fault)
	}
}

// chooser returns the chooser of a player for a side of a game.
func (c *crew) chooser(
	ctx context.Context, player int, start digit.Position, s *solve.Solution, number, side int,
) (chooser, error) {
	command, ok := c.Plan.command(player)
	if !ok {
		level, err := levelOf(c.Plan.Players[player])
		if err != nil {
			return nil, err
		}
		b := c.Plan.level(level, s, number, side)
		return func(_ context.Context, at digit.Position, _ []digit.Move) (Answer, error) {
			return Answer{Move: b.Choose(at)}, nil
		}, nil
	}
	e, err := c.engine(ctx, player, command)
	if err != nil {
		return nil, err
	}
	seed := mix(c.Plan.Seed) ^ mix(stream(number, side))
	if err := e.NewGame(ctx, s.Rules(), seed); err != nil {
		c.retire(player, engine.FaultOf(err))
		return nil, err
	}
	limit := time.Duration(c.Plan.MoveTime) * time.Millisecond
	return func(ctx context.Context, _ digit.Position, moves []digit.Move) (Answer, error) {
		return e.Choose(ctx, start, moves, limit)
	}, nil
}

// level returns the bot of a level for a side of a game of the plan.
func (p *Plan) level(l bot.Level, s *solve.Solution, number, side int) *bot.Bot {
	return bot.New(l, s, rand.New(rand.NewPCG(mix(p.Seed), mix(stream(number, side)))))
}

// stream returns the number of the random stream of one side in one game.
func stream(number, side int) uint64 { return uint64(2*number + side) }

// engine returns the program of a player, and starts it if it is not running.
func (c *crew) engine(ctx context.Context, player int, command string) (Engine, error) {
	if e := c.engines[player]; e != nil {
		return e, nil
	}
	e, err := c.Open(ctx, command)
	if engine.FaultOf(err) != "" {
		err = errors.New(err.Error()) // not a fault in a game: it ends the match
	}
	if err != nil {
		return nil, err
	}
	c.engines[player] = e
	return e, nil
}

// retire ends a program that no longer responds. It is started again for the next game.
func (c *crew) retire(player int, f engine.Fault) {
	if e := c.engines[player]; e != nil && f.Ends() {
		e.Close()
		delete(c.engines, player)
	}
}
