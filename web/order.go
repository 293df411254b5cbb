package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"digitduel/bot"
	"digitduel/digit"
	"digitduel/match"
)

// An order is what somebody wants who asks for a table.
type order struct {
	rules     string
	bestOf    int
	turnTime  string
	onTimeout string
	first     int // the seat that starts, 1 or 2; 0: the first
	names     [2]string
	hints     bool
	players   [2]string // see [players]
}

// What may sit on a seat of an order, beside the levels of the computer.
const (
	human  = "human"  // a person who gets the token with the answer
	friend = "friend" // a person who comes by a link
	anyone = "anyone" // whoever finds the table in the lobby
)

// setup checks an order and returns what it comes to.
func (s *Server) setup(ctx context.Context, o order) (setup match.Setup, err error) {
	wrong := func(format string, args ...any) (match.Setup, error) {
		return setup, &problem{status: http.StatusUnprocessableEntity, text: fmt.Sprintf(format, args...)}
	}
	if o.rules == "" {
		return wrong("rules: the name of a book is wanted, with options if you like, as in dilemma or divisibility target=11")
	}
	if setup.Rules, err = digit.ParseRules(o.rules); err != nil {
		return setup, err
	}
	if o.turnTime != "" {
		if setup.TurnTime, err = time.ParseDuration(o.turnTime); err != nil {
			return wrong("turn_time %q: allowed: a time such as 30s or 2m", clip(o.turnTime))
		}
	}
	if o.onTimeout != "" {
		if setup.OnTimeout, err = match.ParseTimeoutRule(o.onTimeout); err != nil {
			return wrong("on_timeout %q: allowed: lose, random", clip(o.onTimeout))
		}
	}
	if o.first < 0 || o.first > 2 {
		return wrong("first %d: allowed: 1, 2", o.first)
	}
	if o.first == 2 {
		setup.First = match.Two
	}
	setup.BestOf, setup.Hints = o.bestOf, o.hints
	for i, player := range o.players {
		switch player {
		case "", human:
		case friend, anyone:
			setup.Open[i] = true
			setup.Listed = setup.Listed || player == anyone
		default:
			if _, err := bot.ParseLevel(player); err != nil {
				return wrong("seat %q: allowed: human, anyone, %s", clip(player), strings.Join(bot.LevelNames(), ", "))
			}
			setup.Levels[i] = player
		}
		setup.Names[i] = strings.TrimSpace(o.names[i])
		if setup.Names[i] == "" && setup.Levels[i] != "" {
			setup.Names[i] = "Computer (" + player + ")"
		}
	}
	if setup.Levels[0] != "" && setup.Levels[0] == setup.Levels[1] && setup.Names[0] == setup.Names[1] {
		setup.Names[0], setup.Names[1] = setup.Names[0]+" 1", setup.Names[1]+" 2"
	}
	if setup.Open == [2]bool{true, true} {
		return wrong("seats: both are open for whoever comes; allowed: one")
	}
	if err := setup.Check(); err != nil {
		return wrong("%v", err)
	}
	if setup.Levels != [2]string{} {
		if _, err := s.Solver.Solve(ctx, setup.Rules); err != nil {
			return setup, fmt.Errorf("the computer cannot play this: %w", err)
		}
	}
	return setup, nil
}

// openTable sets up a table, and begins the first game if everybody is there.
func (s *Server) openTable(ctx context.Context, setup match.Setup) (*match.Visit, error) {
	v, err := s.Hall.Open(ctx, match.NewID(s.Now()), setup)
	if err != nil {
		return nil, err
	}
	s.metrics.tables.Add(1)
	if setup.Open == [2]bool{} {
		// Two computers may have begun by themselves, and be through already.
		if _, err := v.Table.Begin(ctx); err != nil && !errors.Is(err, match.ErrUnderWay) && !errors.Is(err, match.ErrSeries) {
			v.Close()
			return nil, err
		}
	}
	return v, nil
}

// takeSeat seats a person, and begins the first game if that was the last seat.
func (s *Server) takeSeat(ctx context.Context, v *match.Visit, seat match.Seat, name string) (match.State, error) {
	name = strings.TrimSpace(name)
	named := v.Table.State().Setup
	if name != "" {
		named.Names[seat] = name
	}
	if err := named.Check(); err != nil {
		return match.State{}, &problem{status: http.StatusUnprocessableEntity, text: err.Error()}
	}
	state, err := v.Table.Sit(ctx, seat, name)
	if err != nil {
		return state, err
	}
	if state.Open == [2]bool{} && state.Game == 0 {
		// The seat is taken whether or not this can be kept. If it cannot, either player begins the game later.
		if _, err := v.Table.Begin(ctx); err != nil && !errors.Is(err, match.ErrUnderWay) {
			s.Log.Error("a game did not begin", "table", v.Table.ID(), "error", err)
		}
	}
	return v.Table.State(), nil
}

// clip shortens what somebody sent so that it fits a line.
func clip(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
