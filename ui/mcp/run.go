package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"digitduel/arena"
	"digitduel/digit"
	"digitduel/match"
)

// planned reports whether a desk hands out the games.
func (s *Server) planned() bool { return s.Desk != nil && s.Desk.Planned() }

// veiled reports whether all games are handed out in other words. Then nothing that is listed may tell which games they are.
func (s *Server) veiled() bool { return s.planned() && s.Desk.Disguised() }

// examines reports whether exams are sat. In a planned run there are none: the report on one would tell what a move is worth before its end.
func (s *Server) examines() bool { return s.Sittings != nil && !s.planned() }

// handed begins the next game of a planned run, or goes on with one that was begun before this program.
func (s *Server) handed(ctx context.Context, req *sdk.CallToolRequest, id string, asked NewGame) (State, error) {
	for {
		now, err := s.hand(ctx, req, id, asked)
		switch {
		case errors.Is(err, arena.ErrComplete):
			return State{}, refusef("all %d games of this run are played: %s", s.Desk.Games(), tellTotal(s.Desk.Total()))
		case errors.Is(err, arena.ErrHanded):
			return State{}, refusef("no game of this run is due before these are over: %s; state tells how they stand", strings.Join(s.unfinished(), ", "))
		case err != nil || now.Turn != none:
			return now, err
		}
		id = match.NewID(s.Now()) // the computer has ended that game at once, and the next one has a table of its own
	}
}

// tellTotal says what an agent did in a run.
func tellTotal(p arena.PlayerTotal) string {
	told := fmt.Sprintf("you took %v of %d points and threw away %.2f a game", p.Points, p.Games, *p.Regret)
	if p.Kappa != nil {
		told += fmt.Sprintf("; of %d decisions you kept %.1f %%, where chance keeps %.1f %%: kappa %.3f", p.Decisions, 100**p.Kept, 100**p.Chance, *p.Kappa)
	}
	if len(p.Faults) > 0 && p.CleanKappa != nil {
		told += fmt.Sprintf("; kappa without forfeits: %.3f", *p.CleanKappa)
	}
	return told
}

// hand takes the next game from the desk.
func (s *Server) hand(ctx context.Context, req *sdk.CallToolRequest, id string, asked NewGame) (State, error) {
	var v *seat
	_, err := s.Desk.Hand(func(due arena.Due) (table string, err error) {
		if why := contradicts(asked, due); why != "" {
			return "", refusef("%s; this run hands out its games, so call new_game without arguments", why)
		}
		if v, err = s.take(ctx, req, id, due); err != nil {
			return "", err
		}
		return v.Table.ID(), nil
	})
	if v != nil {
		defer v.Close()
	}
	if err != nil {
		return State{}, err
	}
	return s.state(v, v.await(ctx)), nil
}

// take opens a table of a name for a game of a plan, or visits the one where it was begun.
func (s *Server) take(ctx context.Context, req *sdk.CallToolRequest, id string, due arena.Due) (*seat, error) {
	if due.Table != "" {
		visit, err := s.Hall.Visit(ctx, due.Table)
		if err != nil {
			return nil, err
		}
		return s.seatAt(ctx, visit, agentSeat)
	}
	name, _ := arena.Agent(due.Player)
	setup, err := s.setup(ctx, req, NewGame{
		Rules: due.Rules.String(), Opponent: due.Opponent, Side: due.Side.String(), Start: due.Start, Seed: &due.Seed, ShowMoves: due.ShowMoves, Player: name,
		Disguise: due.Disguise,
	})
	if err != nil {
		return nil, err
	}
	setup.Agent.Tries = uint8(due.Tries)
	return s.open(ctx, id, setup)
}

// contradicts says what an agent asks for that a game of a plan does not have; nothing if there is none.
func contradicts(asked NewGame, due arena.Due) string {
	name, _ := arena.Agent(due.Player)
	rules, err := digit.ParseRules(asked.Rules)
	for _, v := range []struct {
		what, asked, has string
		fits             bool
	}{
		{"rules", asked.Rules, due.Rules.String(), err == nil && rules == due.Rules},
		{"opponent", asked.Opponent, due.Opponent, false},
		{"side", asked.Side, due.Side.String(), asked.Side == randomSide},
		{"start", asked.Start, due.Start, false},
		{"player", asked.Player, name, false},
	} {
		if v.asked != "" && due.Disguise != nil {
			return fmt.Sprintf("%s %q: the plan has its own; leave it out", v.what, v.asked) // more would tell what the words stand for
		}
		if v.asked != "" && v.asked != v.has && !v.fits {
			return fmt.Sprintf("%s %q: the next game has %s", v.what, v.asked, v.has)
		}
	}
	switch {
	case asked.Seed != nil && *asked.Seed != due.Seed:
		return fmt.Sprintf("seed %d: the plan has its own", *asked.Seed)
	case asked.Disguise != nil:
		return fmt.Sprintf("disguise %d: the plan has its own", *asked.Disguise)
	case asked.ShowMoves && !due.ShowMoves:
		return "show_moves: the plan does not have it"
	}
	return ""
}

// unfinished returns the games that were handed out and are not over.
func (s *Server) unfinished() (games []string) {
	for _, due := range s.Desk.UnderWay() {
		games = append(games, due.Table+"."+s.Keys.Token(due.Table, agentSeat))
	}
	return games
}

// note notes that a game of an open run was begun at a table, if there is a run.
func (s *Server) note(v *seat) error {
	if s.Desk == nil {
		return nil
	}
	now := v.Table.State()
	name := now.Setup.Name(v.at)
	if s.Coach {
		name += "+coach"
	}
	if now.Setup.Agent.Disguised {
		name += "+disguise"
	}
	r := now.Setup.Rules
	_, err := s.Desk.Begin(arena.Due{
		Player: arena.AgentPlayer(name), Opponent: now.Setup.Levels[v.at.Other()], Rules: r, Start: r.Text(startOf(now)), Side: now.Side(v.at),
	}, v.Table.ID())
	return err
}

// keep keeps a game of the run that is over before anybody is told so. What cannot be kept now is at the next start.
func (s *Server) keep(t *match.Table, now match.State) {
	if s.Desk == nil || !now.Result.Over() || !s.Desk.Awaits(t.ID()) {
		return
	}
	ctx, done := context.WithCancel(context.Background()) // an agent that hangs up has played all the same
	defer done()
	g, err := s.judged(ctx, t)
	if err == nil {
		err = s.Desk.Keep(t.ID(), g)
	}
	if err != nil {
		s.Log.Error("a game of the run is not kept", "table", t.ID(), "error", err)
	}
}

// Settle keeps the games of the run that were over before they could be kept, when an earlier program ended.
func (s *Server) Settle(ctx context.Context) error {
	if s.Desk == nil {
		return nil
	}
	for _, due := range s.Desk.UnderWay() {
		visit, err := s.Hall.Visit(ctx, due.Table)
		if errors.Is(err, match.ErrNoTable) {
			if s.planned() {
				return fmt.Errorf("game %d was begun at table %s, which is not in this database", due.Game, due.Table)
			}
			continue // it was deleted, and stays without an end
		}
		if err != nil {
			return err
		}
		s.keep(visit.Table, visit.Table.State())
		visit.Close()
	}
	return nil
}
