package arena

import (
	"cmp"

	"digitduel/digit"
)

// A Summary sums up the games of a match. It depends on the games alone.
type Summary struct {
	Plan     string     `json:"plan"`
	Games    int        `json:"games"`
	Planned  int        `json:"planned"` // games, unless a test decides before
	Complete bool       `json:"complete"`
	Starts   string     `json:"starts,omitempty"`
	Open     *OpenTotal `json:"open,omitempty"` // of an open run, which plans nothing
	// Disguise is the seed of the words of the games for programs; nil for digits.
	Disguise *uint64       `json:"disguise,omitempty"`
	Players  []PlayerTotal `json:"players"`
	Cells    []CellTotal   `json:"cells"`
	Rules    []RulesTotal  `json:"rules"`
	Elo      *Elo          `json:"elo,omitempty"` // of the first of two players
	SPRT     *SPRTTotal    `json:"sprt,omitempty"`
	Ratings  Ratings       `json:"ratings"`
}

// An OpenTotal counts what is missing in an open run.
type OpenTotal struct {
	// Unpaired counts games without a partner: one of the same players, rules and start, with the
	// seats swapped.
	Unpaired   int `json:"unpaired"`
	Unfinished int `json:"unfinished"` // games begun and not over
}

// A PlayerTotal sums up one player. A nil figure is unknown, for lack of games or decisions.
type PlayerTotal struct {
	Player      string        `json:"player"`
	Games       int           `json:"games"`
	Points      float64       `json:"points"`
	Score       *float64      `json:"score"`       // points per game; nil if one is missing
	CleanGames  int           `json:"clean_games"` // games not lost by a fault
	CleanPoints float64       `json:"clean_points"`
	CleanScore  *float64      `json:"clean_score"`
	Faults      map[Fault]int `json:"faults"` // faults that lost a game
	// Retried counts the faults after which a legal move followed.
	Retried        map[Fault]int `json:"retried,omitempty"`
	Regret         *float64      `json:"regret"` // points thrown away per game
	Moves          int           `json:"moves"`
	Decisions      int           `json:"decisions"` // including forfeits with something to lose
	Kept           *float64      `json:"kept"`      // share of decisions that kept the value
	Chance         *float64      `json:"chance"`    // share that random moves would have kept
	Kappa          *float64      `json:"kappa"`
	KappaLow       *float64      `json:"kappa_low"` // 95% confidence interval
	KappaHigh      *float64      `json:"kappa_high"`
	CleanKappa     *float64      `json:"clean_kappa"` // without forfeits
	CleanKappaLow  *float64      `json:"clean_kappa_low"`
	CleanKappaHigh *float64      `json:"clean_kappa_high"`
	PliesLost      *float64      `json:"plies_lost"` // per move
	Tries          int           `json:"tries"`
	Tokens         int64         `json:"tokens,omitempty"`
	Cost           float64       `json:"cost,omitempty"`
}

// A CellTotal sums up two players under some rules. It has no score if a game is missing.
type CellTotal struct {
	Player   string   `json:"player"`
	Opponent string   `json:"opponent"`
	Rules    string   `json:"rules"`
	Pairs    int      `json:"pairs"`
	Planned  int      `json:"planned"`
	Score    *float64 `json:"score"`
	Penta    Penta    `json:"penta"` // pairs in which the player took 0, ½, 1, 1½, 2 points
}

// A RulesTotal sums up the side that moves first under some rules.
type RulesTotal struct {
	Rules  string   `json:"rules"`
	Games  int      `json:"games"`
	First  *float64 `json:"first"`
	Starts int      `json:"starts,omitempty"` // number of different planned starts
}

// An SPRTTotal is the state of a test.
type SPRTTotal struct {
	SPRT
	LLR     float64 `json:"llr"`
	Lower   float64 `json:"lower"`
	Upper   float64 `json:"upper"`
	Decided string  `json:"decided"`     // H0, H1 or ""
	Least   int     `json:"least_pairs"` // that can decide it
	Penta   Penta   `json:"penta"`
}

// share returns part / whole, or nil if whole is 0.
func share(part, whole float64) *float64 {
	if whole == 0 {
		return nil
	}
	return finite(part / whole)
}

// Kappa returns the share kept of what chance would lose: 0 is chance and 1 is everything. It is
// nil if chance loses nothing.
func Kappa(kept, chance float64) *float64 { return share(kept-chance, 1-chance) }

// Summary returns the summary of the games.
func (s *Standing) Summary() Summary {
	sum := Summary{
		Plan:     s.plan.ID,
		Games:    2*s.Pairs + s.single,
		Planned:  2 * s.planned,
		Complete: s.Done(),
		Starts:   digit.Printable(s.plan.Starts),
		Disguise: s.plan.Disguise,
		Ratings:  cmp.Or(s.rated, s).rate(),
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
				continue // they did not meet in an open run
			}
			total := CellTotal{
				Player: s.plan.Players[e.a], Opponent: s.plan.Players[e.b], Rules: rules.String(),
				Pairs: c.penta.Pairs(), Planned: c.wanted, Penta: c.penta,
			}
			if total.Pairs == total.Planned || s.Decided != "" {
				total.Score = share(c.penta.points(), float64(2*total.Pairs))
			} else { // the players have no score either, because it would be the mean of the rest
				for _, player := range []int{e.a, e.b} {
					sum.Players[player].Score, sum.Players[player].CleanScore = nil, nil
				}
			}
			sum.Cells = append(sum.Cells, total)
		}
	}
	for i, f := range s.firsts {
		total := RulesTotal{
			Rules: s.plan.Rules[i].String(),
			Games: f.games,
			First: share(f.points, float64(f.games)),
		}
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
		sum.SPRT = &SPRTTotal{
			SPRT: *test, LLR: rounded(test.LLR(s.Penta)),
			Lower: rounded(lower), Upper: rounded(upper),
			Decided: s.Decided, Least: test.Least(), Penta: s.Penta,
		}
	}
	return sum
}

// points returns the total points of the pairs.
func (p Penta) points() (sum float64) {
	for i, n := range p {
		sum += float64(n*i) / 2
	}
	return sum
}

// Total returns the totals of the player of a side in one game.
func (g *Game) Total(side digit.Side) PlayerTotal {
	t := newTally()
	t.add(g, side)
	return t.total(g.seat(side).Player)
}

func (t *tally) total(name string) PlayerTotal {
	games, decisions := float64(t.games), float64(t.decisions.count)
	total := PlayerTotal{
		Player: name, Games: t.games, Points: t.points, Score: share(t.points, games),
		Faults: t.faults, Retried: t.retried,
		CleanGames: t.clean, CleanPoints: t.cleanPoints,
		CleanScore: share(t.cleanPoints, float64(t.clean)),
		Regret:     share(t.regret, games), Moves: t.moves, Decisions: t.decisions.count,
		Kept:      share(float64(t.decisions.kept), decisions),
		Chance:    share(t.decisions.chance, decisions),
		PliesLost: share(float64(t.pliesLost), float64(t.moves)),
		Tries:     t.tries, Tokens: t.tokens, Cost: rounded(t.cost),
	}
	total.CleanKappa, total.CleanKappaLow, total.CleanKappaHigh = t.cleanDecisions.kappa()
	if !t.unfinished { // a game that it left may be lost
		total.Kappa, total.KappaLow, total.KappaHigh = t.decisions.kappa()
	}
	return total
}
