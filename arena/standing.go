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

	// Of an open run:
	single     int       // games without a partner
	unfinished int       // games that were begun and are not over
	rated      *Standing // the pairs alone, which ratings are of
}

// A cellKey is two players and the rules they meet under.
type cellKey struct {
	encounter
	rules int
}

// A cell is what came of the pairs of two players under some rules.
type cell struct {
	penta  Penta     // of a
	both   [3][3]int // by twice the points of a in the first game and in the second
	wanted int       // pairs
}

// firstMoves counts games by who won them: who moved first, or second.
type firstMoves struct {
	games  int
	points float64 // of the side First
}

// A tally is what a player did in all its games.
type tally struct {
	games, clean              int // clean: that nobody lost by a fault
	points, cleanPoints       float64
	regret                    float64
	moves                     int
	decisions, cleanDecisions decisions // clean: without forfeits
	pliesLost                 int
	faults, retried           map[Fault]int // that lost a game, and that did not
	tries                     int
	tokens                    int64
	cost                      float64
	unfinished                bool // whether it left a game of an open run
}

func newTally() tally { return tally{faults: map[Fault]int{}, retried: map[Fault]int{}} }

// NewStanding returns how a plan stands before its first game.
func NewStanding(p *Plan) *Standing {
	s := &Standing{plan: p, cells: map[cellKey]*cell{}, players: make([]tally, len(p.Players)), firsts: make([]firstMoves, len(p.Rules))}
	s.at, s.planned = p.pairs()
	for i := range s.players {
		s.players[i] = newTally()
	}
	return s
}

// Done reports whether there is nothing left to play.
func (s *Standing) Done() bool {
	return s.Decided != "" || s.Pairs == s.planned && s.plan.Format != Open
}

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
func (s *Standing) add(one, two Game) { s.addPair(s.at(s.Pairs), one, two) }

// addPair counts a pair: a is first in the one game, and second in the other.
func (s *Standing) addPair(p pair, one, two Game) {
	s.Pairs++
	s.addGame(p, &one, digit.First)
	s.addGame(p, &two, digit.Second)
	s.weigh(p.encounter)
	c := s.cell(p)
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

// addSingle counts a game without a partner, which shows how they play but not who is better.
func (s *Standing) addSingle(p pair, g *Game, a digit.Side) {
	s.single++
	s.addGame(p, g, a)
	s.weigh(p.encounter)
}

// weigh takes note that what those who met played since the last time hangs together.
func (s *Standing) weigh(e encounter) {
	for _, i := range []int{e.a, e.b} {
		s.players[i].decisions.weigh()
		s.players[i].cleanDecisions.weigh()
	}
}

// addGame counts a game in which a has a side.
func (s *Standing) addGame(p pair, g *Game, a digit.Side) {
	s.players[p.a].add(g, a)
	s.players[p.b].add(g, a.Other())
	s.firsts[p.rules].games++
	s.firsts[p.rules].points += g.First.Score
}

// cell returns the cell of a pair.
func (s *Standing) cell(p pair) *cell {
	key := cellKey{p.encounter, p.rules}
	if s.cells[key] == nil {
		s.cells[key] = &cell{wanted: s.plan.Pairs}
	}
	return s.cells[key]
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
		if g.Forfeited > 0 {
			t.decisions.add(g.Keep, g.Of, false)
		}
	}
}

func (t *tally) addMove(m *Move) {
	t.moves++
	t.tries += m.Tries
	for _, f := range m.Faults {
		t.retried[f]++
	}
	t.tokens += m.Tokens
	t.cost += m.Cost
	t.pliesLost += m.PliesLost
	if m.Decision() {
		t.decisions.add(m.Keep, m.Of, m.Regret == 0)
		t.cleanDecisions.add(m.Keep, m.Of, m.Regret == 0)
	}
}
