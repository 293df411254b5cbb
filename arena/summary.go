package arena

import (
	"slices"

	"digitduel/arena/disguise"
	"digitduel/arena/engine"
	"digitduel/digit"
)

// A Summary sums up the games of a match. It depends on the games alone.
type Summary struct {
	Plan     string `json:"plan"`
	Games    int    `json:"games"`
	Planned  int    `json:"planned"` // games, unless a test decides before
	Complete bool   `json:"complete"`
	Starts   string `json:"starts,omitempty"`
	disguise.Spec
	Players []PlayerTotal `json:"players"`
	Cells   []CellTotal   `json:"cells"`
	Rules   []RulesTotal  `json:"rules"`
	Elo     *Elo          `json:"elo,omitempty"` // of the first of two players
	SPRT    *SPRTTotal    `json:"sprt,omitempty"`
	Ratings Ratings       `json:"ratings"`
}

// A PlayerTotal sums up one player. A nil figure is unknown, for lack of games or decisions.
type PlayerTotal struct {
	Player string `json:"player"`
	Row
	Points      float64  `json:"points"`
	CleanGames  int      `json:"clean_games"` // games not lost by a fault
	CleanPoints float64  `json:"clean_points"`
	CleanScore  *float64 `json:"clean_score"`
	// Retried counts the faults after which a legal move followed.
	Retried   map[engine.Fault]int `json:"retried,omitempty"`
	Moves     int                  `json:"moves"`
	PliesLost *float64             `json:"plies_lost"` // per move
	Tries     int                  `json:"tries"`
	Tokens    int64                `json:"tokens,omitempty"`
	Cost      float64              `json:"cost,omitempty"`
	Rows      []Row                `json:"rows,omitempty"` // for each of the rules
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

// Summary returns the summary of the games.
func (s *Standing) Summary() Summary {
	sum := Summary{
		Plan:     s.plan.ID,
		Games:    2 * s.Pairs,
		Planned:  2 * s.Planned(),
		Complete: s.Done(),
		Starts:   digit.Printable(s.plan.Starts),
		Spec:     s.plan.Spec,
		Ratings:  s.rate(),
	}
	players := slices.Clone(s.players)
	for i := range players {
		players[i].Open = map[digit.Rules]int{}
	}
	for _, e := range s.plan.encounters() {
		for r, rules := range s.plan.Rules {
			penta := s.cells[cellKey{e, r}]
			total := CellTotal{
				Player: s.plan.Players[e.a], Opponent: s.plan.Players[e.b], Rules: rules.String(),
				Pairs: penta.Pairs(), Planned: s.plan.Pairs, Penta: penta,
			}
			if total.Pairs == total.Planned || s.Decided != "" {
				total.Score = share(penta.points(), float64(2*total.Pairs))
			} else {
				missing := 2 * (total.Planned - total.Pairs)
				players[e.a].Open[rules] += missing
				players[e.b].Open[rules] += missing
			}
			sum.Cells = append(sum.Cells, total)
		}
	}
	for i, f := range players {
		total := f.total(s.plan.Players[i])
		total.Rows = f.Rows(s.plan.Rules)[:len(s.plan.Rules)]
		sum.Players = append(sum.Players, total)
	}
	counts := s.counts()
	for i, r := range s.plan.Rules {
		games, points := 0.0, 0.0
		for _, c := range counts {
			if c.rules == i {
				games, points = games+c.games, points+c.points
			}
		}
		sum.Rules = append(sum.Rules, RulesTotal{
			Rules: r.String(), Games: int(games), First: share(points, games),
			Starts: s.plan.different(i),
		})
	}
	if len(s.players) == 2 {
		elo := s.Penta.Elo()
		if row := sum.Players[0].Row; row.Score != nil { // in which starts count, not pairs
			elo.Low, elo.High = eloOf(*row.ScoreLow), eloOf(*row.ScoreHigh)
		}
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
	var f Figures
	f.Add(Start{Rules: g.Rules, Position: g.Start}, g, side)
	return f.total(g.seat(side).Player)
}

// total returns the totals of a player.
func (f *Figures) total(name string) PlayerTotal {
	row, sum := f.row(nil)
	total := PlayerTotal{
		Player: name, Row: row, Points: sum.points, Retried: sum.retried,
		CleanGames: sum.clean, CleanPoints: sum.cleanPoints,
		CleanScore: share(sum.cleanPoints, float64(sum.clean)), Moves: sum.moves,
		PliesLost: share(float64(sum.pliesLost), float64(sum.moves)),
		Tries:     sum.tries, Tokens: sum.tokens, Cost: rounded(sum.cost),
	}
	if row.Open > 0 {
		total.CleanScore = nil
	}
	return total
}
