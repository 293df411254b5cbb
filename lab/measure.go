package lab

import "digitduel/digit"

// A player who slips with chance ε does so at each turn: then every choice is as likely as another. Otherwise every one is that keeps the outcome.
// docs/lab.md has the formula of each measure.

// Slips are the chances to slip of the curve; the other measures are taken at Slip.
var Slips = []float64{0, 0.05, 0.1, 0.2, 0.3, 0.5, 1}

// Slip is about how often people slip who know a game.
const Slip = 0.2

// A share is how often the first player wins from some point on, and how often it is a draw.
type share struct{ wins, draws float64 }

// points returns the share with a draw as half a win.
func (s share) points() float64 { return s.wins + s.draws/2 }

func (s share) plus(t share) share { return share{s.wins + t.wins, s.draws + t.draws} }

func (s share) times(x float64) share { return share{s.wins * x, s.draws * x} }

func (s share) over(n int) share { return share{s.wins / float64(n), s.draws / float64(n)} }

func scoreShare(score digit.Score) share {
	switch score {
	case digit.FirstWins:
		return share{wins: 1}
	case digit.Draw:
		return share{draws: 1}
	default:
		return share{}
	}
}

// shares returns the share of each node: of the start that of the game. It goes from the last ply to the first.
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
		// Sums are divided, not multiplied by an inverse: so perfect play comes to 0, ½ or 1 without rounding.
		shares[node] = all.over(len(edges)).times(slip).plus(kept.over(keep).times(1 - slip))
	}
	return shares
}

// shareAfter returns the share after a choice.
func shareAfter(shares []share, edge int32) share {
	if edge < 0 {
		return scoreShare(digit.Score(^edge))
	}
	return shares[edge]
}

// A story is what has happened on the ways to a node: how likely they are, and the parts of that on which each player has been
// proven the winner at some time; and the ply of the last change of the outcome, weighed by the ways.
type story struct {
	weight        float64
	first, second float64
	changed       float64
}

// Measures are what is met on the way in a game.
type Measures struct {
	Draws       float64   `json:"draws"`        // the share of games that are drawn
	Length      float64   `json:"length"`       // the mean length in plies
	Decisions   float64   `json:"decisions"`    // turns a game at which outcomes differ
	Keep        float64   `json:"keep"`         // the share of choices that keep the outcome at such a turn; 1 if there is none
	OnlyMoves   float64   `json:"only_moves"`   // turns a game at which a single choice keeps it
	LeadChanges float64   `json:"lead_changes"` // changes a game of the proven outcome
	Drama       float64   `json:"drama"`        // the share of games whose winner was once proven to lose
	Settled     float64   `json:"settled"`      // the mean ply from which the proven outcome changes no more
	Lengths     []float64 `json:"lengths"`      // the share of games that end at each ply, from 0 on
}

// measure goes from the first ply to the last with what happens on the way.
func (g *graph) measure(slip float64) Measures {
	stories := make([]story, len(g.lead))
	stories[0] = story{weight: 1}.meet(g.lead[0])
	m := Measures{Lengths: make([]float64, len(g.plies))}
	kept := 0.0
	for ply := range len(g.plies) - 1 {
		for node := g.plies[ply]; node < g.plies[ply+1]; node++ {
			at, edges, keep := stories[node], g.edges(node), g.keeping(node)
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
				on := story{at.weight * chance, at.first * chance, at.second * chance, at.changed * chance}
				if lead != g.lead[node] {
					m.LeadChanges += on.weight
					on.changed = on.weight * float64(ply+1)
				}
				on = on.meet(lead)
				if edge >= 0 {
					stories[edge] = stories[edge].plus(on)
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

// meet returns the story of ways that have come to where a player is proven the winner, or nobody.
func (s story) meet(lead digit.Score) story {
	switch lead {
	case digit.FirstWins:
		s.first = s.weight
	case digit.SecondWins:
		s.second = s.weight
	default: // nobody wins
	}
	return s
}

func (s story) plus(t story) story {
	return story{s.weight + t.weight, s.first + t.first, s.second + t.second, s.changed + t.changed}
}

// finish counts games that have ended.
func (m *Measures) finish(ply int, score digit.Score, s story) {
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
