package arena

import (
	"cmp"

	"digitduel/digit"
)

// A Summary is what the games of a match come to. It depends on the games alone.
type Summary struct {
	Plan     string        `json:"plan"`
	Games    int           `json:"games"`
	Planned  int           `json:"planned"` // games, unless a test decides before
	Complete bool          `json:"complete"`
	Starts   string        `json:"starts,omitempty"`
	Open     *OpenTotal    `json:"open,omitempty"`     // of an open run, in which nothing is planned
	Disguise *uint64       `json:"disguise,omitempty"` // the seed of the words that programs were told the games in
	Players  []PlayerTotal `json:"players"`
	Cells    []CellTotal   `json:"cells"`
	Rules    []RulesTotal  `json:"rules"`
	Elo      *Elo          `json:"elo,omitempty"` // of the first of two players
	SPRT     *SPRTTotal    `json:"sprt,omitempty"`
	Ratings  Ratings       `json:"ratings"`
}

// An OpenTotal says what is missing in an open run.
type OpenTotal struct {
	Unpaired   int `json:"unpaired"`   // games without a partner: of the same players, rules and start, with the seats swapped
	Unfinished int `json:"unfinished"` // games that were begun and are not over
}

// A PlayerTotal is what one player did. What is nil is not known, for want of games or decisions.
type PlayerTotal struct {
	Player         string        `json:"player"`
	Games          int           `json:"games"`
	Points         float64       `json:"points"`
	Score          *float64      `json:"score"`       // points a game; nil if one is missing
	CleanGames     int           `json:"clean_games"` // that nobody lost by a fault
	CleanPoints    float64       `json:"clean_points"`
	CleanScore     *float64      `json:"clean_score"`
	Faults         map[Fault]int `json:"faults"`            // that lost a game
	Retried        map[Fault]int `json:"retried,omitempty"` // after which a legal move came in time
	Regret         *float64      `json:"regret"`            // points thrown away, a game
	Moves          int           `json:"moves"`
	Decisions      int           `json:"decisions"` // and forfeits with something to lose
	Kept           *float64      `json:"kept"`      // the share of decisions that kept the value
	Chance         *float64      `json:"chance"`    // the share that chance would have kept
	Kappa          *float64      `json:"kappa"`
	KappaLow       *float64      `json:"kappa_low"` // between these it is 95 times in 100
	KappaHigh      *float64      `json:"kappa_high"`
	CleanKappa     *float64      `json:"clean_kappa"` // without forfeits
	CleanKappaLow  *float64      `json:"clean_kappa_low"`
	CleanKappaHigh *float64      `json:"clean_kappa_high"`
	PliesLost      *float64      `json:"plies_lost"` // a move
	Tries          int           `json:"tries"`
	Tokens         int64         `json:"tokens,omitempty"`
	Cost           float64       `json:"cost,omitempty"`
}

// A CellTotal is what came of two players under some rules. If a game is missing there is no score.
type CellTotal struct {
	Player   string   `json:"player"`
	Opponent string   `json:"opponent"`
	Rules    string   `json:"rules"`
	Pairs    int      `json:"pairs"`
	Planned  int      `json:"planned"`
	Score    *float64 `json:"score"`
	Penta    Penta    `json:"penta"` // pairs in which the player took 0, ½, 1, 1½, 2 points
}

// A RulesTotal is how the games of some rules went for the side that moves first in a game.
type RulesTotal struct {
	Rules  string   `json:"rules"`
	Games  int      `json:"games"`
	First  *float64 `json:"first"`
	Starts int      `json:"starts,omitempty"` // how many different ones are planned
}

// An SPRTTotal is how a test stands.
type SPRTTotal struct {
	SPRT
	LLR     float64 `json:"llr"`
	Lower   float64 `json:"lower"`
	Upper   float64 `json:"upper"`
	Decided string  `json:"decided"`     // H0, H1 or nothing
	Least   int     `json:"least_pairs"` // that can decide it
	Penta   Penta   `json:"penta"`
}

// share returns a part of a whole, or nil of nothing.
func share(part, whole float64) *float64 {
	if whole == 0 {
		return nil
	}
	return finite(part / whole)
}

// Kappa returns how much of what chance leaves open was kept: 0 is chance and 1 is everything. It is nil where chance leaves nothing.
func Kappa(kept, chance float64) *float64 { return share(kept-chance, 1-chance) }

// Summary returns what the games come to.
func (s *Standing) Summary() Summary {
	sum := Summary{
		Plan: s.plan.ID, Games: 2*s.Pairs + s.single, Planned: 2 * s.planned, Complete: s.Done(), Starts: digit.Printable(s.plan.Starts), Disguise: s.plan.Disguise, Ratings: cmp.Or(s.rated, s).rate(),
	}
	if s.plan.Format == Open {
		sum.Open = &OpenTotal{s.single, s.unfinished}
	}
	for i := range s.players {
		sum.Players = append(sum.Players, s.players[i].total(s.plan.Players[i]))
	}
	for _, e := range s.plan.encounters() {
		for r, rules := range s.plan.Rules {
			c := cmp.Or(s.cells[cellKey{e, r}], &cell{wanted: s.plan.Pairs})
			if c.wanted == 0 {
				continue // in an open run, they did not meet here
			}
			total := CellTotal{
				Player: s.plan.Players[e.a], Opponent: s.plan.Players[e.b], Rules: rules.String(),
				Pairs: c.penta.Pairs(), Planned: c.wanted, Penta: c.penta,
			}
			if total.Pairs == total.Planned || s.Decided != "" {
				total.Score = share(c.penta.points(), float64(2*total.Pairs))
			} else { // nor have those who met here a score, since it would be the mean of the rest
				for _, player := range []int{e.a, e.b} {
					sum.Players[player].Score, sum.Players[player].CleanScore = nil, nil
				}
			}
			sum.Cells = append(sum.Cells, total)
		}
	}
	for i, f := range s.firsts {
		total := RulesTotal{Rules: s.plan.Rules[i].String(), Games: f.games, First: share(f.points, float64(f.games))}
		if s.plan.Format != Open {
			total.Starts = s.plan.different(i)
		}
		sum.Rules = append(sum.Rules, total)
	}
	if len(s.players) == 2 {
		elo := s.Penta.Elo()
		sum.Elo = &elo
	}
	if test := s.plan.SPRT; test != nil {
		lower, upper := test.Bounds()
		sum.SPRT = &SPRTTotal{*test, rounded(test.LLR(s.Penta)), rounded(lower), rounded(upper), s.Decided, test.Least(), s.Penta}
	}
	return sum
}

// points returns how many points the pairs come to.
func (p Penta) points() (sum float64) {
	for i, n := range p {
		sum += float64(n*i) / 2
	}
	return sum
}

// Total returns what the player of a side did in one game.
func (g *Game) Total(side digit.Side) PlayerTotal {
	t := newTally()
	t.add(g, side)
	return t.total(g.seat(side).Player)
}

func (t *tally) total(name string) PlayerTotal {
	games, decisions := float64(t.games), float64(t.decisions.count)
	total := PlayerTotal{
		Player: name, Games: t.games, Points: t.points, Score: share(t.points, games), Faults: t.faults, Retried: t.retried,
		CleanGames: t.clean, CleanPoints: t.cleanPoints, CleanScore: share(t.cleanPoints, float64(t.clean)),
		Regret: share(t.regret, games), Moves: t.moves, Decisions: t.decisions.count,
		Kept: share(float64(t.decisions.kept), decisions), Chance: share(t.decisions.chance, decisions),
		PliesLost: share(float64(t.pliesLost), float64(t.moves)), Tries: t.tries, Tokens: t.tokens, Cost: rounded(t.cost),
	}
	total.CleanKappa, total.CleanKappaLow, total.CleanKappaHigh = t.cleanDecisions.kappa()
	if !t.unfinished { // a game that it left may be lost
		total.Kappa, total.KappaLow, total.KappaHigh = t.decisions.kappa()
	}
	return total
}
