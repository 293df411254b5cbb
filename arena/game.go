// Package arena lets programs and levels play many games, and measures exactly what each move threw away. docs/arena.md defines every figure.
package arena

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"digitduel/digit"
	"digitduel/solve"
)

// A Game is a line of games.jsonl: a game that was played, and what it shows. It can be checked by itself.
type Game struct {
	Game      int          `json:"game"` // counted from 1
	Pair      int          `json:"pair"` // counted from 1; its two games have the same start and the seats swapped
	Plan      string       `json:"plan"` // the ID of the plan
	Rules     digit.Rules  `json:"rules"`
	Start     string       `json:"start"`
	First     Seat         `json:"first"`
	Second    Seat         `json:"second"`
	Moves     []Move       `json:"moves"` // from the start on
	Position  string       `json:"position"`
	Result    digit.Result `json:"result"`
	Fault     Fault        `json:"fault"`               // of the side to move at the end, which loses by it
	Forfeited float64      `json:"forfeited,omitempty"` // value of the position to the player at fault
	Keep      int          `json:"keep,omitempty"`      // with a fault: choices that keep that value
	Of        int          `json:"of,omitempty"`        // with a fault: all choices; 0 in older lines
}

// A Seat is one side of a game and what it did: Score = Value - Regret + the other's Regret.
type Seat struct {
	Player string  `json:"player"`
	Value  float64 `json:"value"` // of the start
	Score  float64 `json:"score"`
	Regret float64 `json:"regret"` // of all its moves, and of what it forfeited
}

// A Move is a move that was played, and what it threw away.
type Move struct {
	Move      digit.Move `json:"move"`
	MS        float64    `json:"ms"`
	Regret    float64    `json:"regret"`     // what it was worth less than the best, in points: 0, ½ or 1
	PliesLost int        `json:"plies_lost"` // without regret: by how much a win is later or a loss sooner than need be
	Tries     int        `json:"tries"`
	Faults    []Fault    `json:"faults,omitempty"` // of the tries before the last
	Keep      int        `json:"keep"`             // how many of the choices keep the value
	Of        int        `json:"of"`               // how many choices there are; with calls each digit counts with its best one
	Tokens    int64      `json:"tokens,omitempty"` // as the engine told
	Cost      float64    `json:"cost,omitempty"`   // as the engine told
}

// Decision reports whether there was something to throw away.
func (m *Move) Decision() bool { return m.Keep < m.Of }

// judge returns a move with what it throws away in a position.
func judge(s *solve.Solution, p digit.Position, m digit.Move) (Move, digit.Position) {
	before, made := s.Value(p), s.Choice(p, m)
	judged := Move{Move: m, Tries: 1}
	judged.Keep, judged.Of = s.Kept(p)
	switch judged.Regret = before.Outcome.Points() - made.Value.Outcome.Points(); {
	case judged.Regret > 0 || before.Outcome == solve.Draw:
	case before.Outcome == solve.Win:
		judged.PliesLost = made.Value.Plies - before.Plies
	default:
		judged.PliesLost = before.Plies - made.Value.Plies
	}
	return judged, made.Next
}

// seat returns the side of a game.
func (g *Game) seat(s digit.Side) *Seat {
	if s == digit.First {
		return &g.First
	}
	return &g.Second
}

// Judge returns a game that is over, whoever played it, with what each move threw away. Of moves it takes what was played, in what time and
// tries; a fault is of the side to move at the end. What it returns has no number yet, and passes [Game.Check].
func Judge(s *solve.Solution, start digit.Position, players [2]string, moves []Move, fault Fault) (Game, error) {
	r := s.Rules()
	g := Game{Rules: r, Start: r.Text(start), First: Seat{Player: players[digit.First]}, Second: Seat{Player: players[digit.Second]}, Moves: []Move{}}
	g.open(s, start)
	p := start
	for i, m := range moves {
		if _, err := r.Play(p, m.Move); err != nil {
			return g, fmt.Errorf("move %d: %w", i+1, err)
		}
		turn := r.Turn(p)
		var made Move
		made, p = judge(s, p, m.Move)
		made.MS, made.Tries, made.Faults, made.Tokens, made.Cost = m.MS, m.Tries, m.Faults, m.Tokens, m.Cost
		g.Moves = append(g.Moves, made)
		g.seat(turn).Regret += made.Regret
	}
	g.close(s, p, fault)
	return g, g.Check()
}

// open sets what the start is worth to both.
func (g *Game) open(s *solve.Solution, start digit.Position) {
	turn := g.Rules.Turn(start)
	value := s.Value(start).Outcome.Points()
	g.seat(turn).Value, g.seat(turn.Other()).Value = value, 1-value
}

// close sets how a game ended.
func (g *Game) close(s *solve.Solution, end digit.Position, fault Fault) {
	g.Position, g.Result, g.Fault = g.Rules.Text(end), g.Rules.Result(end), fault
	if turn := g.Rules.Turn(end); fault != "" {
		g.Result = digit.Result{Score: digit.WinFor(turn.Other()), Reason: fault.reason()}
		g.Forfeited = s.Value(end).Outcome.Points()
		g.Keep, g.Of = s.Kept(end)
		g.seat(turn).Regret += g.Forfeited
	}
	g.First.Score = points(g.Result.Score)
	g.Second.Score = 1 - g.First.Score
}

// Kept returns how many of how many choices keep the value of a position.
type Kept func(digit.Rules, digit.Position) (keep, of int, err error)

// complete adds the counts of choices to a forfeit read from a line of an older version.
func (g *Game) complete(kept Kept) error {
	if g.Forfeited == 0 || g.Of > 0 {
		return nil
	}
	end, err := g.Rules.ParsePosition(g.Position)
	if err == nil {
		g.Keep, g.Of, err = kept(g.Rules, end)
	}
	return err
}

// points returns what a score is worth to the first side.
func points(s digit.Score) float64 {
	switch s {
	case digit.FirstWins:
		return 1
	case digit.Draw:
		return 0.5
	case digit.SecondWins, digit.Open:
	}
	return 0
}

// errLedger says that the regrets do not explain the score.
var errLedger = errors.New("the score is not the value of the start less the own regret and more the other's")

// Check plays a game again, and returns nil if it is what it says to be.
func (g *Game) Check() error {
	start, err := g.Rules.ParsePosition(g.Start)
	if err != nil {
		return err
	}
	p, regret := start, [2]float64{}
	for i, m := range g.Moves {
		turn := g.Rules.Turn(p)
		if p, err = g.Rules.Play(p, m.Move); err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		regret[turn] += m.Regret
		if m.Regret < 0 || m.Regret > 1 || math.Mod(m.Regret, 0.5) != 0 || m.Regret > 0 && m.PliesLost != 0 || m.Tries < 1 || m.Keep < 1 || m.Keep > m.Of {
			return fmt.Errorf("move %d: regret %v, %d turns lost, %d tries, %d of %d: that cannot be", i+1, m.Regret, m.PliesLost, m.Tries, m.Keep, m.Of)
		}
		if m.Faults != nil && len(m.Faults) != m.Tries-1 || slices.ContainsFunc(m.Faults, func(f Fault) bool { return !f.again() }) {
			return fmt.Errorf("move %d: faults %q in %d tries: that cannot be", i+1, m.Faults, m.Tries)
		}
	}
	if err := g.checkForfeit(); err != nil {
		return err
	}
	again := Game{Rules: g.Rules, Fault: g.Fault}
	switch turn := g.Rules.Turn(p); {
	case g.Fault == "":
		again.Result = g.Rules.Result(p)
	case g.Rules.Result(p).Over() || !g.Fault.known():
		return fmt.Errorf("fault %q: that cannot be", g.Fault)
	default:
		again.Result = digit.Result{Score: digit.WinFor(turn.Other()), Reason: g.Fault.reason()}
		if g.Result.Reason == digit.Departure && g.Fault.again() {
			again.Result.Reason = digit.Departure // as it was written before there was a word for it
		}
		regret[turn] += g.Forfeited
	}
	switch first := points(again.Result.Score); {
	case !again.Result.Over():
		return errors.New("the game is not over")
	case g.Rules.Text(p) != g.Position:
		return fmt.Errorf("position %s: the moves lead to %s", g.Position, g.Rules.Text(p))
	case again.Result != g.Result:
		return fmt.Errorf("result %v: the moves lead to %v", g.Result, again.Result)
	case g.First.Score != first || g.Second.Score != 1-first || g.First.Regret != regret[digit.First] || g.Second.Regret != regret[digit.Second],
		g.First.Score != g.First.Value-g.First.Regret+g.Second.Regret,
		g.Second.Score != g.Second.Value-g.Second.Regret+g.First.Regret:
		return errLedger
	}
	return nil
}

// checkForfeit returns an error if the fields about a fault contradict each other. Lines of older
// versions lack both counts. In a lost position every choice keeps the value.
func (g *Game) checkForfeit() error {
	older := g.Keep == 0 && g.Of == 0
	fits := g.Keep >= 1 && g.Keep <= g.Of && (g.Forfeited > 0 || g.Keep == g.Of)
	if g.Fault == "" && (!older || g.Forfeited != 0) || g.Fault != "" && !older && !fits {
		return fmt.Errorf("fault %q: forfeited %v, %d of %d: that cannot be",
			g.Fault, g.Forfeited, g.Keep, g.Of)
	}
	return nil
}
