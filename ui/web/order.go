package web

import (
	"cmp"
	"context"
	cryptorand "crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"digitduel/bot"
	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
	"digitduel/ui/gate"
)

// seedOf returns the random seed of a key; without a key it is always another one.
func seedOf(key string) [sha256.Size]byte {
	return sha256.Sum256([]byte(cmp.Or(key, cryptorand.Text())))
}

// coin returns a random seat, 1 or 2. An order repeated with the same key gets the same seat.
func coin(key string) int {
	sum := seedOf(key)
	return 1 + int(sum[0]&1)
}

// setup checks an order and returns its setup. An order repeated with the same key has the same
// one.
func (s *Server) setup(r *http.Request, asked orderRequest,
	key string) (setup match.Setup, err error) {
	if len(asked.Names) > 2 || len(asked.Seats) > 2 {
		return setup, invalid("seats and names: allowed: up to two")
	}
	o := asked.Order
	copy(o.Names[:], asked.Names)
	copy(o.Seats[:], asked.Seats)
	switch {
	case asked.Toss && o.First != 0:
		return setup, invalid("first and toss exclude each other: leave out one of them")
	case asked.Toss:
		o.First = coin(key)
	}
	if asked.Rules == "" {
		return setup, invalid("missing rules: allowed: a game and its options, " +
			"as in divisibility target=11")
	}
	if o.Rules, err = digit.ParseRules(asked.Rules); err != nil {
		return setup, err
	}
	if asked.Targets != "" {
		if o.Targets, err = match.ParseTargets(asked.Targets); err != nil {
			return setup, invalid("%v", err)
		}
	}
	if setup, err = o.Setup(); err != nil {
		return setup, invalid("%v", err)
	}
	for i, level := range setup.Levels {
		if _, err := bot.ParseLevel(level); level != "" && err != nil {
			return setup, invalid("seat %q: allowed: human, friend, anyone, %s", clip(level),
				strings.Join(bot.LevelNames(), ", "))
		}
		name, err := match.CleanName(o.Names[i])
		if err != nil {
			return setup, invalid("%v", err)
		}
		setup.Names[i] = name
		if setup.Names[i] == "" && level != "" {
			setup.Names[i] = "Computer (" + level + ")"
		}
	}
	if setup.Levels[0] != "" && setup.Levels[0] == setup.Levels[1] &&
		setup.Names[0] == setup.Names[1] {
		setup.Names[0], setup.Names[1] = setup.Names[0]+" 1", setup.Names[1]+" 2"
	}
	if setup.Open == [2]bool{true, true} {
		return setup, invalid("seats: both are open; allowed: one")
	}
	if err := cmp.Or(setup.Check(), setup.CheckEffect()); err != nil {
		return setup, invalid("%v", err)
	}
	setup.Rules = setup.Targets.Rules(setup.Rules, 1)
	if setup.Levels != [2]string{} {
		err = s.playable(r, setup)
	}
	if err == nil && o.RandomOpening {
		setup.Openings, err = s.drawOpenings(r, setup, key)
	}
	return setup, err
}

// drawOpenings draws the openings of a table at random. An order repeated with the same key gets
// the same ones.
func (s *Server) drawOpenings(
	req *http.Request, setup match.Setup, key string,
) (match.Openings, error) {
	if setup.Swap {
		return "", invalid("swap: not with lot, whose openings include the first move")
	}
	solution, done, err := s.solved(req, "", setup.Rules)
	if err != nil {
		return "", fmt.Errorf("the openings cannot be drawn: %w", err)
	}
	defer done()
	return draw(solution, key)
}

// draw draws openings of a game at random. The same key gives the same ones.
func draw(solution *solve.Solution, key string) (match.Openings, error) {
	set, ok := coach.BalancedOpenings(solution)
	if !ok {
		return "", invalid("lot: no short openings of %v are even together; play a pair without",
			solution.Rules())
	}
	rng := rand.New(rand.NewChaCha8(seedOf(key)))
	return match.OpeningsOf(set.Draw(rng, match.MostOpenings)...), nil
}

// playable returns nil if the computer can play every game of a series.
func (s *Server) playable(req *http.Request, setup match.Setup) error {
	for _, r := range setup.Targets.All(setup.Rules) {
		brief, done := context.WithCancel(req.Context())
		_, err := s.Solve(brief, s.Address(req), patienceOf(req), r)
		if done(); err != nil {
			return fmt.Errorf("the computer cannot play this: %w", err)
		}
	}
	return nil
}

// openTable opens a table, and begins the first game if both seats are taken.
func (s *Server) openTable(r *http.Request, id string, setup match.Setup) (*match.Visit, error) {
	ctx := r.Context()
	if setup.Levels != [2]string{} && !gate.IsFree(setup.Rules) {
		s.Pays(id, s.Address(r))
	}
	v, err := s.Hall.Open(ctx, id, setup)
	if err != nil {
		return nil, err
	}
	return beginTable(ctx, v)
}

// beginTable begins the first game at a table if both seats are taken.
func beginTable(ctx context.Context, v *match.Visit) (*match.Visit, error) {
	if err := begin(ctx, v); err != nil {
		v.Close()
		return nil, err
	}
	return v, nil
}

func begin(ctx context.Context, v *match.Visit) error {
	if state := v.Table.State(); state.Open != [2]bool{} || state.Game > 0 {
		return nil
	}
	// Two computers may have begun by themselves, and finished already.
	if _, err := v.Table.Begin(ctx); err != nil && !errors.Is(err, match.ErrUnderWay) &&
		!errors.Is(err, match.ErrSeries) {
		return err
	}
	return nil
}

// openOnce opens a table by a key. An order repeated with the same key gets the same table.
func (s *Server) openOnce(r *http.Request, key string, setup match.Setup) (*match.Visit, error) {
	ctx := r.Context()
	order, err := json.Marshal(setup)
	if err != nil {
		return nil, err
	}
	id := func(at time.Time) string { return s.Keys.ID(at, key+" "+string(order)) }
	now := s.Now()
	for _, at := range []time.Time{now.Add(-match.KeyTime), now} {
		if v, err := s.Hall.Visit(ctx, id(at)); err == nil {
			return beginTable(ctx, v)
		} else if !errors.Is(err, match.ErrNoTable) {
			return nil, err
		}
	}
	v, err := s.openTable(r, id(now), setup)
	if err == nil {
		return v, nil
	}
	if v, err := s.Hall.Visit(ctx, id(now)); err == nil { // the same order was faster
		return beginTable(ctx, v)
	}
	return nil, err
}

// An orderRequest asks for a table. Its own fields replace those of the order, and are parsed
// later.
type orderRequest struct {
	match.Order
	Rules   string   `json:"rules"`
	Targets string   `json:"targets,omitempty"`
	Toss    bool     `json:"toss,omitempty"`
	Names   []string `json:"names,omitempty"`
	Seats   []string `json:"seats,omitempty"`
}

// An openedView answers an orderRequest.
type openedView struct {
	ID    string        `json:"id"`
	Seq   int           `json:"seq"`
	Seats [2]openedSeat `json:"seats"`
}

// An openedSeat is a seat as the API shows it to the caller who opened the table.
type openedSeat struct {
	Seat       int        `json:"seat"`
	Side       digit.Side `json:"side"`
	Player     string     `json:"player"`
	Token      string     `json:"token,omitempty"`
	Invitation string     `json:"invitation,omitempty"`
	Link       string     `json:"link,omitempty"`
}

func (s *Server) apiOpen(w http.ResponseWriter, r *http.Request) error {
	var asked orderRequest
	key, err := readKeyed(r, &asked)
	if err != nil {
		return err
	}
	if err := s.Open(s.Address(r)); err != nil {
		return err
	}
	setup, err := s.setup(r, asked, key)
	if err != nil {
		return err
	}
	var v *match.Visit
	if key == "" {
		v, err = s.openTable(r, match.NewID(s.Now()), setup)
	} else {
		v, err = s.openOnce(r, key, setup)
	}
	if err != nil {
		return err
	}
	defer v.Close()
	id := v.Table.ID()
	answer := openedView{ID: id, Seq: v.Table.State().Seq}
	for i, seat := range match.Seats {
		view := &answer.Seats[i]
		view.Seat, view.Side, view.Player = i+1, digit.Side(seat^setup.First),
			setup.Order().Seats[i]
		switch {
		case view.Player == match.Friend:
			view.Invitation = s.Keys.Token(id, seat)
			view.Link = s.origins(r)[0] + seatPath(id, view.Invitation)
		// not changed since the first order
		case view.Player == match.Human && v.Table.State().Setup.Seals[i] == "":
			view.Token = s.Keys.Token(id, seat)
		}
	}
	w.Header().Set("Location", s.Root+"/api/tables/"+id)
	return writeJSON(w, http.StatusCreated, answer)
}
