package arena

import (
	"digitduel/digit"
)

// A Standing is what the games of a plan have come to so far.
type Standing struct {
	Pairs   int     // that were played
	Decided string  // by a test: H0 or H1
	Penta   Penta   // of the first player of the plan, in all games against anybody
	Points  float64 // of the same
	Games   int     // of the same

	plan    *Plan
	planned int // pairs
	at      func(int) pair
	players []tally
	cells   map[cellKey]*cell
	firsts  []firstMoves // by rules
}

// A cellKey is two players and the rules they meet under.
type cellKey struct {
	encounter
	rules int
}

// A cell is what came of the pairs of two players under some rules.
type cell struct {
	penta Penta     // of a
	both  [3][3]int // by twice the points of a in the first game and in the second
}

// firstMoves counts games by who won them: who moved first, or second.
type firstMoves struct {
	games  int
	points float64 // of the side First
}

// A tally is what a player did in all its games.
type tally struct {
	games, clean           int // clean: that nobody lost by a fault
	points, cleanPoints    float64
	regret                 float64
	decisions, kept, moves int
	chance                 float64 // how many decisions chance would have kept
	pliesLost              int
	faults                 map[Fault]int
	tries                  int
	tokens                 int64
	cost                   float64
}

// NewStanding returns how a plan stands before its first game.
func NewStanding(p *Plan) *Standing {
	s := &Standing{plan: p, cells: map[cellKey]*cell{}, players: make([]tally, len(p.Players)), firsts: make([]firstMoves, len(p.Rules))}
	s.at, s.planned = p.pairs()
	for i := range s.players {
		s.players[i].faults = map[Fault]int{}
	}
	return s
}

// Done reports whether there is nothing left to play.
func (s *Standing) Done() bool { return s.Decided != "" || s.Pairs == s.planned }

// Planned returns how many pairs there are to play at the most.
func (s *Standing) Planned() int { return s.planned }

// LLR returns the log-likelihood ratio of the test, if there is one.
func (s *Standing) LLR() (llr float64, ok bool) {
	if s.plan.SPRT == nil {
		return 0, false
	}
	return s.plan.SPRT.LLR(s.Penta), true
}

// add counts the next pair of the plan.
func (s *Standing) add(one, two Game) {
	p := s.at(s.Pairs)
	s.Pairs++
	for n, g := range []*Game{&one, &two} {
		a, b := digit.First, digit.Second
		if n == 1 {
			a, b = b, a
		}
		s.players[p.a].add(g, a)
		s.players[p.b].add(g, b)
		s.firsts[p.rules].games++
		s.firsts[p.rules].points += g.First.Score
	}
	key := cellKey{p.encounter, p.rules}
	c := s.cells[key]
	if c == nil {
		c = &cell{}
		s.cells[key] = c
	}
	c.penta.add(one.First.Score + two.Second.Score)
	c.both[int(2*one.First.Score)][int(2*two.Second.Score)]++
	if p.a == 0 {
		s.Penta.add(one.First.Score + two.Second.Score)
		s.Points += one.First.Score + two.Second.Score
		s.Games += 2
	}
	if s.plan.SPRT != nil {
		s.Decided = s.plan.SPRT.Decide(s.Penta)
	}
}

// add counts a game of the player who had a side.
func (t *tally) add(g *Game, side digit.Side) {
	seat := g.seat(side)
	t.games++
	t.points += seat.Score
	t.regret += seat.Regret
	if g.Fault == "" {
		t.clean++
		t.cleanPoints += seat.Score
	}
	p, err := g.Rules.ParsePosition(g.Start)
	if err != nil {
		panic("arena: a game was not checked: " + err.Error())
	}
	turn := g.Rules.Turn(p) // sides take turns
	for i := range g.Moves {
		if turn == side {
			t.addMove(&g.Moves[i])
		}
		turn = turn.Other()
	}
	if g.Fault != "" && turn == side {
		t.faults[g.Fault]++
	}
}

func (t *tally) addMove(m *Move) {
	t.moves++
	t.tries += m.Tries
	t.tokens += m.Tokens
	t.cost += m.Cost
	t.pliesLost += m.PliesLost
	if m.Decision() {
		t.decisions++
		t.chance += float64(m.Keep) / float64(m.Of)
		if m.Regret == 0 {
			t.kept++
		}
	}
}
