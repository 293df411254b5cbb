package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"digitduel/arena"
	"digitduel/match"
)

// planned reports whether the games follow the plan of a run.
func (s *Server) planned() bool { return s.Desk != nil }

// shared reports whether several clients use the server.
func (s *Server) shared() bool { return s.Limits != Limits(noLimits{}) }

// hidesGames reports whether all games are in disguise. Then no list may reveal which games they
// are.
func (s *Server) hidesGames() bool {
	return s.planned() && s.Desk.Plan.Disguise != nil ||
		s.Exam != nil && s.Exam.Plan.Disguise != nil
}

// examines reports whether the server has exams. A planned run has none: the report on an exam
// would reveal the value of moves before the end of the run.
func (s *Server) examines() bool { return s.Sittings != nil && !s.planned() }

// nextPlanned begins a free game of a planned run, or resumes one that an earlier program began.
func (s *Server) nextPlanned(ctx context.Context, _ struct{}) (State, error) {
	for {
		id := match.NewID(s.Now())
		if err := s.Limits.MayOpen(ctx, id); err != nil {
			return State{}, err
		}
		now, err := s.handOut(ctx, id)
		switch {
		case errors.Is(err, arena.ErrComplete):
			return State{}, refusef("all %d games of this run are played: %s",
				s.Desk.Plan.Games(), totalText(s.Desk.Total()))
		case errors.Is(err, arena.ErrHanded) && s.shared():
			return State{}, refusef("other agents play the games that are left; " +
				"finish yours, or call new_game again in a minute")
		case errors.Is(err, arena.ErrHanded):
			return State{}, refusef("finish these games first: %s; call state to see them",
				strings.Join(s.unfinished(), ", "))
		case err != nil || now.Turn != none:
			return now, err
		} // the computer has ended that game at once; try the next one
	}
}

// totalText describes the results of an agent in a run.
func totalText(p arena.PlayerTotal) string {
	text := fmt.Sprintf("you took %v of %d points and threw away %.2f a game",
		p.Points, p.Games, *p.Regret)
	if p.Kappa != nil {
		text += fmt.Sprintf("; of %d decisions you kept %.1f %%, where chance keeps %.1f %%: "+
			"kappa %.3f", p.Decisions, 100**p.Kept, 100**p.Chance, *p.Kappa)
	}
	if len(p.Faults) > 0 && p.CleanKappa != nil {
		text += fmt.Sprintf("; kappa without forfeits: %.3f", *p.CleanKappa)
	}
	return text
}

// handOut takes the next game from the desk.
func (s *Server) handOut(ctx context.Context, id string) (State, error) {
	var v *seat
	_, err := s.Desk.Hand(s.shared(), func(due arena.Due) (table string, err error) {
		if v, err = s.openPlanned(ctx, id, due); err != nil {
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

// openPlanned opens the table for a planned game, or visits the one where it was begun.
func (s *Server) openPlanned(ctx context.Context, id string, due arena.Due) (*seat, error) {
	if due.Table != "" {
		visit, err := s.Hall.Visit(ctx, due.Table)
		if err != nil {
			return nil, err
		}
		return s.seatAt(ctx, visit, agentSeat)
	}
	name, _ := arena.Agent(due.Player)
	setup, err := s.setup(ctx, name, NewGame{
		Rules: due.Rules.String(), Opponent: due.Opponent, Side: due.Side.String(),
		Start: due.Start, Seed: &due.Seed, ShowMoves: due.ShowMoves, Disguise: due.Disguise,
	})
	if err != nil {
		return nil, err
	}
	setup.Agent.Tries, setup.Agent.Run = uint8(due.Tries), s.Desk.Plan.ID
	return s.open(ctx, id, setup)
}

// unfinished returns the ids of the games under way.
func (s *Server) unfinished() (games []string) {
	for _, due := range s.Desk.UnderWay() {
		games = append(games, due.Table+"."+s.Keys.Token(due.Table, agentSeat))
	}
	return games
}

// saveGame saves a finished game of the run before its end is shown. If that fails, the next start
// does it.
func (s *Server) saveGame(t *match.Table, now match.State) {
	if s.Desk == nil || !now.Result.Over() || !s.Desk.Awaits(t.ID()) {
		return
	}
	ctx, done := context.WithCancel(context.Background()) // the agent may have hung up
	defer done()
	g, err := s.judged(ctx, t)
	if err == nil {
		err = s.Desk.Keep(t.ID(), g)
	}
	if err != nil {
		s.Log.Error("cannot save a game of the run", "table", t.ID(), "error", err)
	}
}

// Settle saves the finished games of the run, or the grades of the exam, that an earlier program
// could not save.
func (s *Server) Settle(ctx context.Context) error {
	s.saveGrades(ctx)
	if s.Desk == nil {
		return nil
	}
	for _, due := range s.Desk.UnderWay() {
		visit, err := s.Hall.Visit(ctx, due.Table)
		if errors.Is(err, match.ErrNoTable) {
			return fmt.Errorf("game %d was begun at table %s, which is not in this database",
				due.Game, due.Table)
		}
		if err != nil {
			return err
		}
		s.saveGame(visit.Table, visit.Table.State())
		visit.Close()
	}
	return nil
}
