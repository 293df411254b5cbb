package arena

import (
	"errors"
	"io"

	"digitduel/digit"
)

// errOtherGame reports that a line does not match the plan.
var errOtherGame = errors.New("the plan has other rules, players or another start there")

// A Standing holds the results of a plan so far.
type Standing struct {
	Pairs   int    // pairs played
	Decided string // the hypothesis accepted by the test: H0, H1 or none
	Penta   Penta  // of the first player of the plan, in all its games
	Points  float64
	Games   int

	plan    *Plan
	planned int // number of pairs
	at      func(int) pair
	players []tally
	cells   map[cellKey]*cell
	firsts  []firstMoves // by rules

	single, unfinished int
	rated              *Standing
}

// A cellKey identifies two players and the rules of their games.
type cellKey struct {
	encounter
	rules int
}

// A cell holds the results of the pairs of two players under some rules.
type cell struct {
	penta  Penta     // of a
	both   [3][3]int // by twice the points of a in the first game and in the second
	wanted int       // number of planned pairs
}

// A firstMoves holds the results of the side that moves first.
type firstMoves struct {
	games  int
	points float64 // of the side First
}

// A tally sums up the games of a player.
type tally struct {
	games, clean              int // clean: not lost by a fault
	points, cleanPoints       float64
	regret                    float64
	moves                     int
	decisions, cleanDecisions decisions // clean: without forfeits
	pliesLost                 int
	faults, retried           map[Fault]int // faults that lost a game, and faults that were retried
	tries                     int
	tokens                    int64
	cost                      float64
	unfinished                bool
}

func newTally() tally { return tally{faults: map[Fault]int{}, retried: map[Fault]int{}} }

// NewStanding returns the standing of a plan before its first game.
func NewStanding(p *Plan) *Standing {
	s := &Standing{
		plan:    p,
		cells:   map[cellKey]*cell{},
		players: make([]tally, len(p.Players)),
		firsts:  make([]firstMoves, len(p.Rules)),
	}
	s.at, s.planned = p.pairs()
	for i := range s.players {
		s.players[i] = newTally()
	}
	return s
}

// Done reports whether all games are played, or the test has decided.
func (s *Standing) Done() bool {
	return s.Decided != "" || s.Pairs == s.planned
}

// Planned returns the maximum number of pairs to play.
func (s *Standing) Planned() int { return s.planned }

// LLR returns the log-likelihood ratio of the test, if there is one.
func (s *Standing) LLR() (llr float64, ok bool) {
	if s.plan.SPRT == nil {
		return 0, false
	}
	return s.plan.SPRT.LLR(s.Penta), true
}

// ReadRun returns the standing of a match or a run. It calls kept for forfeits in lines of older
// versions.
func ReadRun(p *Plan, games io.Reader, kept Kept) (*Standing, error) {
	s := NewStanding(p)
	_, err := s.Read(games, kept)
	return s, err
}

// add adds the next pair of the plan. Player a is first in the one game, and second in the other.
func (s *Standing) add(one, two Game) {
	p := s.at(s.Pairs)
	s.Pairs++
	s.addGame(p, &one, digit.First)
	s.addGame(p, &two, digit.Second)
	s.endPair(p.encounter)
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

// endPair marks the end of a pair, whose decisions are not independent of each other.
func (s *Standing) endPair(e encounter) {
	for _, i := range []int{e.a, e.b} {
		s.players[i].decisions.endPair()
		s.players[i].cleanDecisions.endPair()
	}
}

// addGame adds a game in which player a has the given side.
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

// add adds a game in which the player has the given side.
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
		panic("arena: unchecked game: " + err.Error())
	}
	turn := g.Rules.Turn(p) // sides alternate
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
