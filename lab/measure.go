package lab

import "digitduel/digit"

// A player with slip ε slips with probability ε at each turn: then every choice is equally
// likely. Otherwise every choice that keeps the outcome is. docs/lab.md has the formula of each
// measure.

// Slips are the slips of the curve. The other measures use Slip.
var Slips = []float64{0, 0.05, 0.1, 0.2, 0.3, 0.5, 1}

// Slip is a typical slip of people who know a game.
const Slip = 0.2

// A share holds how often the first player wins from some point, and how often the game is drawn.
type share struct{ wins, draws float64 }

// points returns the share with a draw as half a win.
func (s share) points() float64 { return s.wins + s.draws/2 }

func (s share) plus(t share) share { return share{s.wins + t.wins, s.draws + t.draws} }

func (s share) times(x float64) share { return share{s.wins * x, s.draws * x} }

func (s share) over(n int) share { return share{s.wins / float64(n), s.draws / float64(n)} }

// scoreShares has the share of each final score.
var scoreShares = [...]share{digit.FirstWins: {wins: 1}, digit.Draw: {draws: 1}}

// shares returns the share of each node, computed from the last ply to the first. The start has
// the share of the game.
func (g *graph) shares(slip float64) []share {
	shares := make([]share, len(g.lead))
	for node := int32(len(shares)) - 1; node >= 0; node-- {
		var all, kept share
		edges, keep := g.edges(node), 0
		for _, edge := range edges {
			s := shareAfter(shares, edge)
			all = all.plus(s)
			if g.leads(edge) == g.lead[node] {
				kept = kept.plus(s)
				keep++
			}
		}
		// Dividing sums, not multiplying by an inverse, makes perfect play exactly 0, ½ or 1.
		shares[node] = all.over(len(edges)).times(slip).plus(kept.over(keep).times(1 - slip))
	}
	return shares
}

// shareAfter returns the share after a choice.
func shareAfter(shares []share, edge int32) share {
	if edge < 0 {
		return scoreShares[^edge]
	}
	return shares[edge]
}

// A history sums up the paths to a node: their total probability, the parts of it on which each
// player was the proven winner at some time, and the ply of the last change of the outcome,
// weighted by probability.
type history struct {
	weight        float64
	first, second float64
	changed       float64
}

// Measures describe the course of a game.
type Measures struct {
	Draws       float64   `json:"draws"`        // share of drawn games
	Length      float64   `json:"length"`       // mean length in plies
	Decisions   float64   `json:"decisions"`    // turns per game with choices of different outcome
	Keep        float64   `json:"keep"`         // share of those choices that keep it; 1 if none
	OnlyMoves   float64   `json:"only_moves"`   // turns per game at which one choice keeps it
	LeadChanges float64   `json:"lead_changes"` // changes of the proven outcome per game
	Drama       float64   `json:"drama"`        // share of games won from a proven loss
	Settled     float64   `json:"settled"`      // mean ply of the last change of the outcome
	Lengths     []float64 `json:"lengths"`      // share of games that end at each ply from 0
}

// measure computes the measures from the first ply to the last.
func (g *graph) measure(slip float64) Measures {
	histories := make([]history, len(g.lead))
	histories[0] = history{weight: 1}.visit(g.lead[0])
	m := Measures{Lengths: make([]float64, len(g.plies))}
	kept := 0.0
	for ply := range len(g.plies) - 1 {
		for node := g.plies[ply]; node < g.plies[ply+1]; node++ {
			at, edges, keep := histories[node], g.edges(node), g.keeping(node)
			if keep < len(edges) {
				m.Decisions += at.weight
				kept += at.weight * float64(keep) / float64(len(edges))
				if keep == 1 {
					m.OnlyMoves += at.weight
				}
			}
			slips, keeps := slip/float64(len(edges)), (1-slip)/float64(keep)
			for _, edge := range edges {
				lead := g.leads(edge)
				chance := slips
				if lead == g.lead[node] {
					chance += keeps
				}
				on := history{at.weight * chance, at.first * chance, at.second * chance,
					at.changed * chance}
				if lead != g.lead[node] {
					m.LeadChanges += on.weight
					on.changed = on.weight * float64(ply+1)
				}
				on = on.visit(lead)
				if edge >= 0 {
					histories[edge] = histories[edge].plus(on)
				} else {
					m.finish(ply+1, lead, on)
				}
			}
		}
	}
	m.Keep = 1
	if m.Decisions > 0 {
		m.Keep = kept / m.Decisions
	}
	return m
}

// visit returns the history of paths that reach a node with the given proven outcome.
func (s history) visit(lead digit.Score) history {
	switch lead {
	case digit.FirstWins:
		s.first = s.weight
	case digit.SecondWins:
		s.second = s.weight
	default: // a draw
	}
	return s
}

func (s history) plus(t history) history {
	return history{s.weight + t.weight, s.first + t.first, s.second + t.second,
		s.changed + t.changed}
}

// finish adds games that end at a ply.
func (m *Measures) finish(ply int, score digit.Score, s history) {
	m.Length += s.weight * float64(ply)
	m.Lengths[ply] += s.weight
	m.Settled += s.changed
	switch score {
	case digit.FirstWins:
		m.Drama += s.second
	case digit.SecondWins:
		m.Drama += s.first
	default:
		m.Draws += s.weight
	}
}
