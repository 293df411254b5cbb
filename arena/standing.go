package arena

import (
	"errors"
	"io"
	"slices"

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
	players []Figures
	cells   map[cellKey]Penta // of the pairs of a
	starts  [][]count         // of the games from each start, for ratings
	startAt map[Start]int     // its index
}

// A cellKey identifies two players and the rules of their games.
type cellKey struct {
	encounter
	rules int
}

// NewStanding returns the standing of a plan before its first game.
func NewStanding(p *Plan) *Standing {
	return &Standing{
		plan:    p,
		cells:   map[cellKey]Penta{},
		players: make([]Figures, len(p.Players)),
		startAt: map[Start]int{},
	}
}

// Done reports whether all games are played, or the test has decided.
func (s *Standing) Done() bool {
	return s.Decided != "" || s.Pairs == s.Planned()
}

// Planned returns the maximum number of pairs to play.
func (s *Standing) Planned() int { return s.plan.pairs() }

// LLR returns the log-likelihood ratio of the test, if there is one.
func (s *Standing) LLR() (llr float64, ok bool) {
	if s.plan.SPRT == nil {
		return 0, false
	}
	return s.plan.SPRT.LLR(s.Penta), true
}

// ReadRun returns the standing of a match or a run.
func ReadRun(p *Plan, games io.Reader) (*Standing, error) {
	s := NewStanding(p)
	_, err := s.Read(games)
	return s, err
}

// add adds the next pair of the plan. Player a is first in the one game, and second in the other.
func (s *Standing) add(one, two Game) {
	p := s.plan.pair(s.Pairs)
	start := s.startOf(p)
	s.Pairs++
	for _, side := range digit.Sides {
		s.players[p.sides(1)[side]].Add(start, &one, side)
		s.players[p.sides(2)[side]].Add(start, &two, side)
	}
	s.count(p, start, one.First.Score, two.First.Score)
	key := cellKey{p.encounter, p.rules}
	cell := s.cells[key]
	cell.add(one.First.Score + two.Second.Score)
	s.cells[key] = cell
	if p.a == 0 {
		s.Penta.add(one.First.Score + two.Second.Score)
		s.Points += one.First.Score + two.Second.Score
		s.Games += 2
	}
	if s.plan.SPRT != nil {
		s.Decided = s.plan.SPRT.Decide(s.Penta)
	}
}

// mostBatches is the maximum number of parts of the games from one start.
const mostBatches = 1000

// startOf returns the start of a pair. If all games under some rules have one start, the figures
// are about this start alone, and its pairs count each for itself.
func (s *Standing) startOf(p pair) Start {
	start := Start{Rules: s.plan.Rules[p.rules], Position: p.start}
	if len(s.plan.Positions[p.rules]) == 1 {
		start.Batch = s.Pairs / (s.Planned() / s.plan.Pairs) % mostBatches
	}
	return start
}

// count adds a pair to the counts of its start, given the points of the side that moves first.
func (s *Standing) count(p pair, start Start, one, two float64) {
	at, ok := s.startAt[start]
	if !ok {
		at = len(s.starts)
		s.startAt[start], s.starts = at, append(s.starts, nil)
	}
	for _, c := range []count{{p.a, p.b, p.rules, 1, one}, {p.b, p.a, p.rules, 1, two}} {
		counts := s.starts[at]
		i := slices.IndexFunc(counts, func(o count) bool {
			return o.first == c.first && o.second == c.second
		})
		if i < 0 {
			s.starts[at] = append(counts, c)
			continue
		}
		counts[i].games, counts[i].points = counts[i].games+1, counts[i].points+c.points
	}
}
