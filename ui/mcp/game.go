package mcp

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"digitduel/arena"
	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// NewGame has the arguments of new_game.
type NewGame struct {
	Rules     string  `json:"rules,omitempty" jsonschema:"{new rules}"`
	Opponent  string  `json:"opponent,omitempty" jsonschema:"{opponent}"`
	Side      string  `json:"side,omitempty" jsonschema:"{side}"`
	Start     string  `json:"start,omitempty" jsonschema:"{start}"`
	Seed      *uint64 `json:"seed,omitempty" jsonschema:"{seed}"`
	Disguise  *uint64 `json:"disguise,omitempty" jsonschema:"{disguise}"`
	ShowMoves bool    `json:"show_moves,omitempty" jsonschema:"{show moves}"`
	Player    string  `json:"player,omitempty" jsonschema:"{player}"`
}

// lower makes the arguments lower case, as rules are read.
func (asked *NewGame) lower() {
	asked.Opponent, asked.Side = strings.ToLower(asked.Opponent), strings.ToLower(asked.Side)
	if word := strings.ToLower(asked.Start); word == "start" || arena.IsDrawn(word) {
		asked.Start = word
	}
}

// Defaults of a game.
const (
	defaultRules = "dilemma"
	defaultLevel = "skilled"
)

const randomSide = "random"

func (s *Server) newGame(ctx context.Context, asked NewGame) (State, error) {
	asked.lower()
	id := match.NewID(s.Now())
	if err := s.Limits.MayOpen(ctx, id); err != nil {
		return State{}, err
	}
	name, err := s.player(ctx, asked.Player)
	if err != nil {
		return State{}, err
	}
	setup, err := s.setup(ctx, name, asked)
	if err != nil {
		return State{}, err
	}
	v, err := s.open(ctx, id, setup)
	if err != nil {
		return State{}, err
	}
	defer v.Close()
	return s.state(v, v.await(ctx)), nil
}

// open opens a table for an agent and begins the game.
func (s *Server) open(ctx context.Context, id string, setup match.Setup) (*seat, error) {
	visit, err := s.Hall.Open(ctx, id, setup)
	if err != nil {
		return nil, visitError(err)
	}
	if _, err := visit.Table.Begin(ctx); err != nil {
		visit.Close()
		return nil, err
	}
	return s.seatAt(ctx, visit, agentSeat)
}

// agentSeat is the seat of an agent; the computer has the other one.
const agentSeat = match.One

// setup returns the setup for a player and the arguments of new_game.
func (s *Server) setup(
	ctx context.Context, name string, asked NewGame,
) (setup match.Setup, err error) {
	rules, err := digit.ParseRules(cmp.Or(asked.Rules, defaultRules))
	if err != nil {
		return setup, refusef("%v", err)
	}
	level, err := bot.ParseLevel(cmp.Or(asked.Opponent, defaultLevel))
	if err != nil {
		return setup, refusef("%v", err)
	}
	seed := seedOf(asked.Seed)
	if seed > maxNumber {
		return setup, refusef("seed %d: allowed: 0 to %d", seed, maxNumber)
	}
	start, err := s.start(ctx, rules, asked.Start, seed)
	if err != nil {
		return setup, err
	}
	side, err := sideOf(asked, rules, start, seed)
	if err != nil {
		return setup, err
	}
	setup = match.Setup{
		Rules: rules, Names: [2]string{name, "Computer (" + level.Name + ")"},
		Levels: [2]string{"", level.Name}, First: agentSeat,
		Agent: match.Agent{Seed: seed, Tries: uint8(s.Tries), ShowMoves: asked.ShowMoves},
	}
	if err := s.disguise(ctx, &setup, asked.Disguise); err != nil {
		return setup, err
	}
	if side != digit.First {
		setup.First = agentSeat.Other()
	}
	if moves, ok := rules.Path(start); !ok {
		return setup, refusef("start %q: no moves lead to it", asked.Start)
	} else if len(moves) > 0 {
		setup.Openings = match.OpeningsOf(moves)
	}
	return setup, nil
}

// seedOf returns the seed that was asked for, or a random one.
func seedOf(asked *uint64) uint64 {
	if asked != nil {
		return *asked
	}
	return rand.Uint64N(maxNumber + 1)
}

// disguise sets the disguise of a game and makes it.
func (s *Server) disguise(ctx context.Context, setup *match.Setup, seed *uint64) error {
	if seed == nil {
		return nil
	}
	setup.Agent.Disguised, setup.Agent.Disguise = true, *seed
	_, err := s.speechOf(ctx, setup.Rules, seed)
	return err
}

// start returns the position in which a game starts. It needs a solution; so does the computer.
func (s *Server) start(
	ctx context.Context, r digit.Rules, text string, seed uint64,
) (digit.Position, error) {
	ctx, done := context.WithCancel(ctx)
	defer done()
	solution, err := s.solved(ctx, r)
	if err != nil {
		return digit.Position{}, err
	}
	p, err := arena.StartOf(solution, text, seed)
	if err != nil {
		return p, refusef("start: %v", err)
	}
	return p, nil
}

// solved returns the solution of a game until ctx is done.
func (s *Server) solved(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
	get := s.solvedPatiently
	if s.shared() { // it must not work without a waiting client
		get = s.Solve
	}
	solution, err := get(ctx, r)
	var budget *solve.BudgetError
	if errors.As(err, &budget) {
		return nil, refusef("the computer cannot play this: %v", err)
	}
	return solution, err
}

// solvedPatiently is like Solve, but refuses after a while and continues in the background, so that
// the agent can ask again: clients give up after a minute.
func (s *Server) solvedPatiently(
	ctx context.Context, r digit.Rules,
) (*solve.Solution, error) {
	var solution *solve.Solution
	var err error
	use, release := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(s.ctx, release)
	ready := make(chan struct{})
	s.solving.Go(func() {
		solution, err = s.Solve(use, r)
		close(ready)
	})
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-ready:
		context.AfterFunc(ctx, release)
		return solution, err
	case <-ctx.Done(): // no client waits for it
		release()
		return nil, ctx.Err()
	case <-late.C:
		s.solving.Go(func() { <-ready; release() })
		return nil, refusef(stillComputing)
	}
}

// sideOf returns the side of an agent. The default for a drawn start is the side to move.
func sideOf(
	asked NewGame, r digit.Rules, start digit.Position, seed uint64,
) (digit.Side, error) {
	side := asked.Side
	switch {
	case side == "" && arena.IsDrawn(asked.Start):
		return r.Turn(start), nil
	case side == "" || side == randomSide:
		return digit.Side(rand.New(rand.NewPCG(seed, 0)).IntN(2)), nil
	}
	var s digit.Side
	if s.UnmarshalText([]byte(side)) != nil {
		return 0, refusef("side %q: allowed: first, second, random", side)
	}
	return s, nil
}

// player returns the name of an agent: its own or, without one, that of its client.
func (s *Server) player(ctx context.Context, asked string) (string, error) {
	if s.Player != "" && asked != "" && asked != s.Player {
		return "", refusef("player %q: your name here is %s; omit player", asked, s.Player)
	}
	asked = cmp.Or(asked, s.Player)
	name, err := match.CleanName(cmp.Or(asked, callOf(ctx).client))
	switch {
	case err == nil:
		return cmp.Or(name, defaultPlayer), nil
	case asked != "":
		return "", refusef("player: %v", err)
	}
	return defaultPlayer, nil
}

// defaultPlayer is the name of an agent without one.
const defaultPlayer = "Agent"

// sit visits the table of a game for a caller that knows its id.
func (s *Server) sit(ctx context.Context, game string) (*seat, error) {
	if s.ExamsOnly {
		return nil, refusef("game: this server has only exams")
	}
	table, token, _ := strings.Cut(game, ".")
	visit, err := s.Hall.Visit(ctx, table)
	if err != nil {
		return nil, visitError(err)
	}
	if err := visit.Table.Refresh(ctx); err != nil { // another program may have changed it
		visit.Close()
		return nil, visitError(err)
	}
	now := visit.Table.State()
	at, ok := s.Keys.Seat(table, now, token)
	if !ok || !now.Setup.IsAgent(at) {
		visit.Close()
		return nil, errNoGame
	}
	if s.planned() {
		s.Desk.Claim(table)
	}
	return s.seatAt(ctx, visit, at)
}

var errNoGame = refusef("game: no such game; allowed: the id that new_game returned")

// seatAt returns the seat of an agent. After an error the visit is closed.
func (s *Server) seatAt(ctx context.Context, visit *match.Visit, at match.Seat) (*seat, error) {
	id, setup := visit.Table.ID(), visit.Table.State().Setup
	callOf(ctx).table = id
	v := &seat{
		watch: s.Link(ctx, id), Visit: visit, game: id + "." + s.Keys.Token(id, at), at: at,
	}
	var words *uint64
	if setup.Agent.Disguised {
		words, v.watch = &setup.Agent.Disguise, "" // the page would show digits
	}
	var err error
	if v.Speech, err = s.speechOf(ctx, setup.Rules, words); err != nil {
		visit.Close()
		return nil, err
	}
	return v, nil
}

// visitError returns a refusal for a table that does not exist or does not fit in the hall.
func visitError(err error) error {
	switch {
	case errors.Is(err, match.ErrNoTable):
		return errNoGame
	case errors.Is(err, match.ErrFull):
		return refusef("%v", match.ErrFull)
	}
	return err
}

// thinkTime is how long a call waits for the computer before it returns.
const thinkTime = 30 * time.Second

// await waits until the agent is to move, the game is over, or thinkTime has passed.
func (v *seat) await(ctx context.Context) match.State {
	ctx, done := context.WithTimeout(ctx, thinkTime)
	defer done()
	v.Host()
	for _, now := range v.Table.Watch(ctx, v.Table.State().Seq-1) {
		if !now.Playing() || now.Turn() == v.at {
			return now
		}
	}
	return v.Table.State()
}
