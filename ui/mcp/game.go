package mcp

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/arena"
	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// NewGame says what game an agent wants.
type NewGame struct {
	Rules     string  `json:"rules,omitempty" jsonschema:"a game and options that differ from it, as in dilemma or divisibility target=11 pool=0-9; games: {games} (default: dilemma)"`
	Opponent  string  `json:"opponent,omitempty" jsonschema:"the level of the computer, from weak to strong: {levels} (default: skilled)"`
	Side      string  `json:"side,omitempty" jsonschema:"who you are: first, second or random (default: random; from won or decision the side to move)"`
	Start     string  `json:"start,omitempty" jsonschema:"start: the beginning; won: a position that the side to move can win and can lose; decision: one in which it can throw something away; or a position such as 7__/___, or moves from the beginning such as 7a 3b (default: start)"`
	Seed      *uint64 `json:"seed,omitempty" jsonschema:"a whole number up to 9007199254740991 that everything left to chance follows from (default: another one each time)"`
	Disguise  *uint64 `json:"disguise,omitempty" jsonschema:"a whole number up to 9007199254740991: the game is told in other words, those of the disguise with this number (default: none)"`
	ShowMoves bool    `json:"show_moves,omitempty" jsonschema:"whether every state lists the legal moves (default: false)"`
	Player    string  `json:"player,omitempty" jsonschema:"what you are called, up to 24 characters (default: the name of your client, where it is known)"`
}

// lower makes words lower case, as those of rules are read.
func (asked *NewGame) lower() {
	asked.Opponent, asked.Side = strings.ToLower(asked.Opponent), strings.ToLower(asked.Side)
	if word := strings.ToLower(asked.Start); word == "start" || arena.IsDrawn(word) {
		asked.Start = word
	}
}

// What a game is if nothing else is asked for.
const (
	usualRules = "dilemma"
	usualLevel = "skilled"
)

// The sides that may be asked for.
var sides = []string{digit.First.String(), digit.Second.String(), randomSide}

const randomSide = "random"

func (s *Server) newGame(ctx context.Context, req *sdk.CallToolRequest, asked NewGame) (State, error) {
	asked.lower()
	id := match.NewID(s.Now())
	if err := s.Limits.MayOpen(ctx, id); err != nil {
		return State{}, err
	}
	if s.planned() {
		return s.handed(ctx, req, id, asked)
	}
	setup, err := s.setup(ctx, req, asked)
	if err != nil {
		return State{}, err
	}
	v, err := s.open(ctx, id, setup)
	if err != nil {
		return State{}, err
	}
	defer v.Close()
	if err := s.note(v); err != nil {
		return State{}, err
	}
	return s.state(v, v.await(ctx)), nil
}

// open opens a table for an agent, and begins the game.
func (s *Server) open(ctx context.Context, id string, setup match.Setup) (*seat, error) {
	if s.Desk != nil {
		setup.Agent.Run = s.Desk.Run()
	}
	visit, err := s.Hall.Open(ctx, id, setup)
	if err != nil {
		return nil, notTaken(err)
	}
	if _, err := visit.Table.Begin(ctx); err != nil {
		visit.Close()
		return nil, err
	}
	return s.seatAt(ctx, visit, agentSeat)
}

// agentSeat is where an agent sits; the computer has the other seat.
const agentSeat = match.One

// setup returns a table for what an agent wants.
func (s *Server) setup(ctx context.Context, req *sdk.CallToolRequest, asked NewGame) (setup match.Setup, err error) {
	rules, err := digit.ParseRules(cmp.Or(asked.Rules, usualRules))
	if err != nil {
		return setup, refusef("%v", err)
	}
	level, err := bot.ParseLevel(cmp.Or(asked.Opponent, usualLevel))
	if err != nil {
		return setup, refusef("%v", err)
	}
	seed := rand.Uint64N(maxNumber + 1)
	if asked.Seed != nil {
		seed = *asked.Seed
	}
	if seed > maxNumber {
		return setup, refusef("seed %d: allowed: 0 to %d", seed, maxNumber)
	}
	name, err := s.player(req, asked.Player)
	if err != nil {
		return setup, err
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
		Rules: rules, Names: [2]string{name, "Computer (" + level.Name + ")"}, Levels: [2]string{"", level.Name}, First: agentSeat,
		Agent: match.Agent{Seed: seed, Tries: uint8(s.Tries), ShowMoves: asked.ShowMoves},
	}
	if err := s.disguise(ctx, &setup, asked.Disguise); err != nil {
		return setup, err
	}
	if side != digit.First {
		setup.First = agentSeat.Other()
	}
	if moves, ok := rules.Path(start); !ok {
		return setup, refusef("start %q: play cannot come to it", asked.Start)
	} else if len(moves) > 0 {
		setup.Openings = match.OpeningsOf(moves)
	}
	return setup, nil
}

// disguise notes that a game is told in other words, when these are known.
func (s *Server) disguise(ctx context.Context, setup *match.Setup, seed *uint64) error {
	if seed == nil {
		return nil
	}
	setup.Agent.Disguised, setup.Agent.Disguise = true, *seed
	_, err := s.speechOf(ctx, setup.Rules, seed)
	return err
}

// start returns where a game starts. A game that cannot be solved cannot be played against the computer either.
func (s *Server) start(ctx context.Context, r digit.Rules, text string, seed uint64) (digit.Position, error) {
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
	get := s.patientlySolved
	if s.Limits != Limits(boundless{}) { // where many call nothing goes on that nobody waits for
		get = s.Solve
	}
	solution, err := get(ctx, r)
	var budget *solve.BudgetError
	if errors.As(err, &budget) {
		return nil, refusef("the computer cannot play this: %v", err)
	}
	return solution, err
}

// patientlySolved does the same. If it takes long the agent is to ask again, and it is worked on meanwhile: clients give up after a minute.
func (s *Server) patientlySolved(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
	var solution *solve.Solution
	var err error
	lent, giveBack := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(s.ctx, giveBack)
	ready := make(chan struct{})
	s.solving.Go(func() {
		solution, err = s.Solve(lent, r)
		close(ready)
	})
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-ready:
		context.AfterFunc(ctx, giveBack)
		return solution, err
	case <-ctx.Done(): // nobody waits for it
		giveBack()
		return nil, ctx.Err()
	case <-late.C:
		s.solving.Go(func() { <-ready; giveBack() })
		return nil, refusef(stillMaking)
	}
}

// sideOf returns the side of an agent. Where a start was drawn for the side to move, that is its own.
func sideOf(asked NewGame, r digit.Rules, start digit.Position, seed uint64) (digit.Side, error) {
	side := asked.Side
	switch {
	case side == "" && arena.IsDrawn(asked.Start):
		return r.Turn(start), nil
	case side == "" || side == randomSide:
		return digit.Side(rand.New(rand.NewPCG(seed, 0)).IntN(2)), nil
	case !slices.Contains(sides, side):
		return 0, refusef("side %q: allowed: %s", side, strings.Join(sides, ", "))
	case side == digit.Second.String():
		return digit.Second, nil
	}
	return digit.First, nil
}

// player returns what an agent is called: as it says or, if it says nothing, as its client does.
func (s *Server) player(req *sdk.CallToolRequest, asked string) (string, error) {
	if s.Player != "" && asked != "" && asked != s.Player {
		return "", refusef("player %q: you are called %s here; leave it out", asked, s.Player)
	}
	asked = cmp.Or(asked, s.Player)
	if asked != "" {
		name, err := match.CleanName(asked)
		if err != nil {
			return "", refusef("player: %v", err)
		}
		return cmp.Or(name, nameless), nil
	}
	if info := req.ClientInfo(); info != nil {
		if name, err := match.CleanName(info.Name); err == nil {
			return cmp.Or(name, nameless), nil
		}
	}
	return nameless, nil
}

// nameless is who has no name.
const nameless = "Agent"

// sit visits the table of a game for whoever can name it.
func (s *Server) sit(ctx context.Context, game string) (*seat, error) {
	if s.ExamsOnly {
		return nil, refusef("game: no games are played here; allowed: an exam")
	}
	table, token, _ := strings.Cut(game, ".")
	visit, err := s.Hall.Visit(ctx, table)
	if err != nil {
		return nil, notTaken(err)
	}
	if err := visit.Table.Refresh(ctx); err != nil { // another program may have gone on with it
		visit.Close()
		return nil, notTaken(err)
	}
	now := visit.Table.State()
	at, ok := s.Keys.Seat(table, now, token)
	if !ok || !now.Setup.IsAgent(at) {
		visit.Close()
		return nil, errNoGame
	}
	return s.seatAt(ctx, visit, at)
}

var errNoGame = refusef("game: there is no such game; allowed: what new_game returned as game")

// seatAt returns the seat of an agent, or closes the visit.
func (s *Server) seatAt(ctx context.Context, visit *match.Visit, at match.Seat) (*seat, error) {
	id, setup := visit.Table.ID(), visit.Table.State().Setup
	noteTable(ctx, id)
	v := &seat{watch: s.Link(ctx, id), Visit: visit, game: id + "." + s.Keys.Token(id, at), at: at}
	var words *uint64
	if setup.Agent.Disguised {
		words, v.watch = &setup.Agent.Disguise, "" // who looks there sees digits
	}
	var err error
	if v.speech, err = s.speechOf(ctx, setup.Rules, words); err != nil {
		visit.Close()
		return nil, err
	}
	return v, nil
}

// notTaken returns a refusal for a table that there is not, or for which there is no room.
func notTaken(err error) error {
	switch {
	case errors.Is(err, match.ErrNoTable):
		return errNoGame
	case errors.Is(err, match.ErrFull):
		return refusef("%v", match.ErrFull)
	}
	return err
}

// thinking is how long the computer may take until an agent is told that it still does.
const thinking = 30 * time.Second

// await waits until the agent is to move or the game is over.
func (v *seat) await(ctx context.Context) match.State {
	ctx, done := context.WithTimeout(ctx, thinking)
	defer done()
	v.Host()
	for _, now := range v.Table.Watch(ctx, v.Table.State().Seq-1) {
		if !now.Playing() || now.Turn() == v.at {
			return now
		}
	}
	return v.Table.State()
}
