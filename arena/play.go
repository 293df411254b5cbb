package arena

import (
	"context"
	"encoding/json"
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

// A hand chooses the moves of one side of one game.
type hand func(ctx context.Context, at digit.Position, moves []digit.Move) (Answer, error)

// A crew plays games one after another. It keeps the programs it has started running.
type crew struct {
	*Runner
	at      func(i int) pair
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
		var line []byte
		if p.err == nil {
			p.games[n], p.err = c.play(ctx, number, n)
		}
		if p.err == nil {
			line, p.err = json.Marshal(p.games[n])
		}
		p.lines = append(append(p.lines, line...), '\n')
	}
	return p
}

// play plays game n of pair i. The result depends only on the plan and on the answers of
// programs.
func (c *crew) play(ctx context.Context, i, n int) (Game, error) {
	pair := c.at(i)
	r, s := c.Plan.Rules[pair.rules], c.Solutions[pair.rules]
	start, err := r.ParsePosition(pair.start)
	if err != nil {
		return Game{}, err
	}
	players := [2]int{pair.a, pair.b}
	if n == 1 {
		players = [2]int{pair.b, pair.a}
	}
	number := 2*i + n + 1
	moves, fault, err := c.playOut(ctx, players, start, s, number)
	if err != nil {
		return Game{}, err
	}
	names := [2]string{c.Plan.Players[players[0]], c.Plan.Players[players[1]]}
	g, err := Judge(s, start, names, moves, fault)
	if err != nil {
		return g, fmt.Errorf("game %d: %w", number, err)
	}
	g.Game, g.Pair, g.Plan = number, i+1, c.Plan.ID
	return g, nil
}

// playOut plays a game to its end. It returns the moves and the fault by which it was lost, if
// any.
func (c *crew) playOut(
	ctx context.Context, players [2]int, start digit.Position, s *solve.Solution, number int,
) (made []Move, lost Fault, err error) {
	var hands [2]hand
	var absent [2]Fault // the fault of a player that failed to start the game
	var fault *engine.FaultError
	for side, player := range players {
		hands[side], err = c.hand(ctx, player, start, s, number, side)
		if errors.As(err, &fault) {
			absent[side] = fault.Fault
		} else if err != nil {
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
		answer, faults, err := c.ask(ctx, hands[turn], r, p, moves)
		if errors.As(err, &fault) {
			c.retire(players[turn], fault.Fault)
			return made, fault.Fault, nil
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
	ctx context.Context, h hand, r digit.Rules, p digit.Position, moves []digit.Move,
) (a Answer, faults []Fault, err error) {
	var tokens int64
	var cost float64
	for {
		a, err = h(ctx, p, moves)
		tokens, cost = tokens+a.Tokens, cost+a.Cost
		if err == nil {
			if _, refused := r.Play(p, a.Move); refused != nil {
				err = &engine.FaultError{Fault: engine.Illegal, Why: refused.Error()}
			}
		}
		var fault *engine.FaultError
		retry := errors.As(err, &fault) && fault.Fault.Again() && len(faults) < c.Plan.Retries
		if err == nil || !retry {
			a.Tokens, a.Cost = tokens, rounded(cost)
			return a, faults, err
		}
		faults = append(faults, fault.Fault)
	}
}

// hand returns the hand of a player for a side of a game.
func (c *crew) hand(
	ctx context.Context, player int, start digit.Position, s *solve.Solution, number, side int,
) (hand, error) {
	name := c.Plan.Players[player]
	if command, ok := c.Plan.command(player); ok {
		seed := mix(c.Plan.Seed) ^ mix(stream(number, side))
		return c.program(ctx, player, command, start, s.Rules(), seed)
	}
	level, err := bot.ParseLevel(levelOf(name))
	if err != nil {
		return nil, err
	}
	b := c.Plan.level(level, s, number, side)
	return func(_ context.Context, at digit.Position, _ []digit.Move) (Answer, error) {
		return Answer{Move: b.Choose(at)}, nil
	}, nil
}

// level returns the bot of a level for a side of a game of the plan.
func (p *Plan) level(l bot.Level, s *solve.Solution, number, side int) *bot.Bot {
	return bot.New(l, s, rand.New(rand.NewPCG(mix(p.Seed), mix(stream(number, side)))))
}

// stream returns the number of the random stream of one side in one game.
func stream(number, side int) uint64 { return uint64(2*number + side) }

// program returns the hand of a program, and starts the program if it is not running.
func (c *crew) program(
	ctx context.Context, player int, command string, start digit.Position, r digit.Rules,
	seed uint64,
) (hand, error) {
	e := c.engines[player]
	if e == nil {
		var err error
		e, err = c.Open(ctx, command)
		if fault, ok := errors.AsType[*engine.FaultError](err); ok {
			err = errors.New(fault.Error()) // not a fault in a game: it ends the match
		}
		if err != nil {
			return nil, err
		}
		c.engines[player] = e
	}
	limit := time.Duration(c.Plan.MoveTime) * time.Millisecond
	if err := e.NewGame(ctx, r, seed); err != nil {
		var fault *engine.FaultError
		if errors.As(err, &fault) {
			c.retire(player, fault.Fault)
		}
		return nil, err
	}
	return func(ctx context.Context, _ digit.Position, moves []digit.Move) (Answer, error) {
		return e.Choose(ctx, start, moves, limit)
	}, nil
}

// retire ends a program that no longer responds. It is started again for the next game.
func (c *crew) retire(player int, f Fault) {
	if e := c.engines[player]; e != nil && f.Ends() {
		e.Close()
		delete(c.engines, player)
	}
}
