// Package arena plays games between programs and levels, and measures exactly what each move
// throws away. docs/arena.md defines every figure.
package arena

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"digitduel/arena/engine"
	"digitduel/digit"
	"digitduel/solve"
)

// A Game is a line of games.jsonl: a game and its figures. It can be checked by itself.
type Game struct {
	Game     int          `json:"game"` // counted from 1
	Pair     int          `json:"pair"` // counted from 1; two games from one start, seats swapped
	Plan     string       `json:"plan"` // the ID of the plan
	Rules    digit.Rules  `json:"rules"`
	Start    string       `json:"start"`
	First    Seat         `json:"first"`
	Second   Seat         `json:"second"`
	Moves    []Move       `json:"moves"` // from the start
	Position string       `json:"position"`
	Result   digit.Result `json:"result"`

	// Fault is that of the side to move at the end, which loses by it.
	Fault engine.Fault `json:"fault"`
	// Forfeited is the value of the position to the player at fault.
	Forfeited float64 `json:"forfeited,omitempty"`
	// Keep and Of are, with a fault, the numbers of choices that keep that value and of all
	// choices. Both are 0 in older lines, so kappa is unknown there.
	Keep int `json:"keep,omitempty"`
	Of   int `json:"of,omitempty"`
}

// A Seat holds the figures of one side of a game: Score = Value - Regret + the opponent's Regret.
type Seat struct {
	Player string  `json:"player"`
	Value  float64 `json:"value"` // value of the start
	Score  float64 `json:"score"`
	Regret float64 `json:"regret"` // of all its moves, and of a forfeit
}

// A Move is a move and what it throws away.
type Move struct {
	Move digit.Move `json:"move"`
	MS   float64    `json:"ms"`
	// Regret is the difference to the best move in points: 0, ½ or 1.
	Regret float64 `json:"regret"`
	// PliesLost is, for a move without regret, how much later it wins or sooner it loses than the
	// best move.
	PliesLost int            `json:"plies_lost"`
	Tries     int            `json:"tries"`
	Faults    []engine.Fault `json:"faults,omitempty"` // of the tries before the last
	Keep      int            `json:"keep"`             // number of choices that keep the value
	Of        int            `json:"of"`               // number of choices, as in [solve.Choice]
	Tokens    int64          `json:"tokens,omitempty"` // as reported by the engine
	Cost      float64        `json:"cost,omitempty"`   // as reported by the engine
}

// Decision reports whether there was something to lose.
func (m *Move) Decision() bool { return m.Keep < m.Of }

// evaluate returns a move with its figures, and the position after it.
func evaluate(s *solve.Solution, p digit.Position, m digit.Move) (Move, digit.Position) {
	before, made := s.Value(p), s.Choice(p, m)
	move := Move{Move: m, Tries: 1}
	move.Keep, move.Of = s.Kept(p)
	switch move.Regret = before.Outcome.Points() - made.Value.Outcome.Points(); {
	case move.Regret > 0 || before.Outcome == solve.Draw:
	case before.Outcome == solve.Win:
		move.PliesLost = made.Value.Plies - before.Plies
	default:
		move.PliesLost = before.Plies - made.Value.Plies
	}
	return move, made.Next
}

// seat returns the seat of a side.
func (g *Game) seat(s digit.Side) *Seat {
	if s == digit.First {
		return &g.First
	}
	return &g.Second
}

// EvaluateGame returns the figures of a finished game. Each of the moves gives the move, its time
// and its tries. A fault is that of the side to move at the end. The result has no number yet, and
// passes [Game.Check].
func EvaluateGame(
	s *solve.Solution, start digit.Position, players [2]string, moves []Move, fault engine.Fault,
) (Game, error) {
	r := s.Rules()
	g := Game{
		Rules: r, Start: r.Text(start), Moves: []Move{},
		First:  Seat{Player: players[digit.First]},
		Second: Seat{Player: players[digit.Second]},
	}
	g.open(s, start)
	p := start
	for i, m := range moves {
		if _, err := r.Play(p, m.Move); err != nil {
			return g, fmt.Errorf("move %d: %w", i+1, err)
		}
		turn := r.Turn(p)
		var made Move
		made, p = evaluate(s, p, m.Move)
		made.MS, made.Tries, made.Faults = m.MS, m.Tries, m.Faults
		made.Tokens, made.Cost = m.Tokens, m.Cost
		g.Moves = append(g.Moves, made)
		g.seat(turn).Regret += made.Regret
	}
	g.close(s, p, fault)
	return g, g.Check()
}

// open sets the value of the start for both sides.
func (g *Game) open(s *solve.Solution, start digit.Position) {
	turn := g.Rules.Turn(start)
	value := s.Value(start).Outcome.Points()
	g.seat(turn).Value, g.seat(turn.Other()).Value = value, 1-value
}

// close sets the result of a game.
func (g *Game) close(s *solve.Solution, end digit.Position, fault engine.Fault) {
	g.Position, g.Result, g.Fault = g.Rules.Text(end), resultOf(g.Rules, end, fault), fault
	if fault != "" {
		g.Forfeited = s.Value(end).Outcome.Points()
		g.Keep, g.Of = s.Kept(end)
		g.seat(g.Rules.Turn(end)).Regret += g.Forfeited
	}
	g.First.Score = points(g.Result.Score)
	g.Second.Score = 1 - g.First.Score
}

// resultOf returns the result of a game at its end. With a fault, the side to move has lost.
func resultOf(r digit.Rules, end digit.Position, fault engine.Fault) digit.Result {
	if fault == "" {
		return r.Result(end)
	}
	return digit.Result{Score: digit.WinFor(r.Turn(end).Other()), Reason: fault.Reason()}
}

// points returns the points of the first side.
func points(s digit.Score) float64 {
	return [...]float64{digit.FirstWins: 1, digit.Draw: 0.5}[s]
}

// errLedger reports that the regrets do not explain the score.
var errLedger = errors.New(
	"the score is not the value of the start less the own regret and more the other's")

// Check replays a game, and returns nil if its figures are consistent.
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
		if m.Regret < 0 || m.Regret > 1 || math.Mod(m.Regret, 0.5) != 0 ||
			m.Regret > 0 && m.PliesLost != 0 || m.Tries < 1 || m.Keep < 1 || m.Keep > m.Of {
			return fmt.Errorf(
				"move %d: regret %v, %d turns lost, %d tries, %d of %d: impossible values",
				i+1, m.Regret, m.PliesLost, m.Tries, m.Keep, m.Of)
		}
		if m.Faults != nil && len(m.Faults) != m.Tries-1 ||
			slices.ContainsFunc(m.Faults, func(f engine.Fault) bool { return !f.Again() }) {
			return fmt.Errorf("move %d: faults %q in %d tries: impossible values",
				i+1, m.Faults, m.Tries)
		}
	}
	if err := g.checkForfeit(); err != nil {
		return err
	}
	result := resultOf(g.Rules, p, g.Fault)
	if g.Fault != "" {
		if g.Rules.Result(p).Over() || !slices.Contains(engine.Faults, g.Fault) {
			return fmt.Errorf("fault %q: impossible here", g.Fault)
		}
		if g.Result.Reason == digit.Departure && g.Fault.Again() {
			result.Reason = digit.Departure // written before Forfeit was a reason
		}
		regret[g.Rules.Turn(p)] += g.Forfeited
	}
	switch first := points(result.Score); {
	case !result.Over():
		return errors.New("the game is not over")
	case g.Rules.Text(p) != g.Position:
		return fmt.Errorf("position %s: the moves lead to %s", g.Position, g.Rules.Text(p))
	case result != g.Result:
		return fmt.Errorf("result %v: the moves lead to %v", g.Result, result)
	case g.First.Score != first || g.Second.Score != 1-first,
		g.First.Regret != regret[digit.First] || g.Second.Regret != regret[digit.Second],
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
		return fmt.Errorf("fault %q: forfeited %v, %d of %d: impossible values",
			g.Fault, g.Forfeited, g.Keep, g.Of)
	}
	return nil
}
