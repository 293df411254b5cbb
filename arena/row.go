package arena

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"digitduel/digit"
)

// A Row has the figures of a player under some rules, or under all of them. Intervals are 95 %
// confidence intervals in which games from one start count together, since a player may answer
// them alike. A nil figure is unknown.
type Row struct {
	Rules          string        `json:"rules"` // "all" for all
	Pairs          int           `json:"pairs"`
	Games          int           `json:"games"`
	Score          *float64      `json:"score"`     // points per game; nil if games are open
	ScoreLow       *float64      `json:"score_low"` // with open games, all of them lost
	ScoreHigh      *float64      `json:"score_high"`
	Regret         *float64      `json:"regret"` // points thrown away per game
	RegretLow      *float64      `json:"regret_low"`
	RegretHigh     *float64      `json:"regret_high"`
	Decisions      int           `json:"decisions"`
	Kept           *float64      `json:"kept"`   // share of decisions that kept the value
	Chance         *float64      `json:"chance"` // share that random moves would have kept
	Kappa          *float64      `json:"kappa"`
	KappaLow       *float64      `json:"kappa_low"`
	KappaHigh      *float64      `json:"kappa_high"`
	CleanKappa     *float64      `json:"clean_kappa"` // without forfeits
	CleanKappaLow  *float64      `json:"clean_kappa_low"`
	CleanKappaHigh *float64      `json:"clean_kappa_high"`
	Forfeits       int           `json:"forfeits"`
	Open           int           `json:"open"` // games or items without a result yet
	Faults         map[Fault]int `json:"faults"`
}

// A Start is where games begin.
type Start struct {
	Rules    digit.Rules
	Position string
}

// Figures collect the games of a player by their starts.
type Figures struct {
	Open   int // games planned and not played
	starts map[Start]*tally
}

// Add adds a game in which the player has a side.
func (f *Figures) Add(g *Game, side digit.Side) {
	if f.starts == nil {
		f.starts = map[Start]*tally{}
	}
	at := Start{g.Rules, g.Start}
	if f.starts[at] == nil {
		t := newTally()
		f.starts[at] = &t
	}
	f.starts[at].add(g, side)
}

// order returns the starts in a fixed order.
func (f *Figures) order() []Start {
	return slices.SortedFunc(maps.Keys(f.starts), func(a, b Start) int {
		if a.Rules != b.Rules {
			return cmp.Compare(a.Rules.String(), b.Rules.String())
		}
		return cmp.Compare(a.Position, b.Position)
	})
}

// Row returns the figures under a name.
func (f *Figures) Row(name string) Row {
	sum := newTally()
	var points, regrets []part
	for _, at := range f.order() {
		t := f.starts[at]
		sum.join(t)
		points = append(points, part{t.points, float64(t.games)})
		regrets = append(regrets, part{t.regret, float64(t.games)})
	}
	total := sum.total(name)
	row := Row{
		Rules: name, Pairs: total.Games / 2, Games: total.Games, Open: f.Open,
		Score: total.Score, Regret: total.Regret, Decisions: total.Decisions,
		Kept: total.Kept, Chance: total.Chance,
		Kappa: total.Kappa, KappaLow: total.KappaLow, KappaHigh: total.KappaHigh,
		CleanKappa: total.CleanKappa, CleanKappaLow: total.CleanKappaLow,
		CleanKappaHigh: total.CleanKappaHigh, Faults: total.Faults,
	}
	for _, n := range total.Faults {
		row.Forfeits += n
	}
	row.ScoreLow, row.ScoreHigh = interval(points)
	row.RegretLow, row.RegretHigh = interval(regrets)
	if f.Open > 0 { // the games that are missing may be those that it would lose
		planned := float64(total.Games + f.Open)
		row.ScoreLow = share(total.Points, planned)
		row.ScoreHigh = share(total.Points+float64(f.Open), planned)
		row.Score, row.Regret, row.RegretLow, row.RegretHigh = nil, nil, nil, nil
		row.Kappa, row.KappaLow, row.KappaHigh = nil, nil, nil
		row.CleanKappa, row.CleanKappaLow, row.CleanKappaHigh = nil, nil, nil
	}
	return row
}

// join adds the games of another tally, all from one start.
func (t *tally) join(other *tally) {
	t.games, t.points, t.regret = t.games+other.games, t.points+other.points, t.regret+other.regret
	t.decisions.join(&other.decisions)
	t.cleanDecisions.join(&other.cleanDecisions)
	for fault, n := range other.faults {
		t.faults[fault] += n
	}
}

// join adds the decisions in games from one start, which depend on each other.
func (d *decisions) join(other *decisions) {
	d.count, d.kept, d.chance = d.count+other.count, d.kept+other.kept, d.chance+other.chance
	d.endPair()
}

// A part is the sum of a figure over the games from one start, and their number.
type part struct{ sum, games float64 }

// interval returns the 95 % confidence interval of a figure per game. If all starts have the same
// figure, what has not been seen may still happen from any other start.
func interval(parts []part) (low, high *float64) {
	n := float64(len(parts))
	if n == 0 {
		return nil, nil
	}
	var sum, games float64
	for _, p := range parts {
		sum, games = sum+p.sum, games+p.games
	}
	mean, squares := sum/games, 0.0
	for _, p := range parts {
		squares += (p.sum - mean*p.games) * (p.sum - mean*p.games)
	}
	top := max(1, mean)
	if n < 2 || squares < 1e-12 {
		unseen := 1 - math.Pow(0.05, 1/n)
		return finite(mean * (1 - unseen)), finite(mean + unseen*(top-mean))
	}
	half := z95 * math.Sqrt(squares*n/(n-1)) / games
	return finite(max(0, mean-half)), finite(min(top, mean+half))
}

// A PairedDifference compares two players from the same starts: the figures of the first less
// those of the second, with 95 % confidence intervals.
type PairedDifference struct {
	A         string   `json:"a"`
	B         string   `json:"b"`
	Rules     string   `json:"rules"`
	Pairs     int      `json:"pairs"` // starts in common
	Score     *float64 `json:"score"`
	ScoreLow  *float64 `json:"score_low"`
	ScoreHigh *float64 `json:"score_high"`
	Kappa     *float64 `json:"kappa"`
	KappaLow  *float64 `json:"kappa_low"`
	KappaHigh *float64 `json:"kappa_high"`
}

// draws is the number of resamples of a bootstrap.
const draws = 2000

// Compare returns the differences between two players over the starts that both have. It reports
// false if there are none, or if games are open.
func (f *Figures) Compare(other *Figures) (d PairedDifference, ok bool) {
	var common []Start
	for _, at := range f.order() {
		if other.starts[at] != nil {
			common = append(common, at)
		}
	}
	if len(common) == 0 || f.Open+other.Open > 0 {
		return d, false
	}
	d.Pairs = len(common)
	d.Score, d.Kappa = f.less(other, common)
	rng := rand.New(rand.NewPCG(1, uint64(len(common))))
	var scores, kappas []float64
	drawn := make([]Start, len(common))
	for range draws {
		for i := range drawn {
			drawn[i] = common[rng.IntN(len(common))]
		}
		score, kappa := f.less(other, drawn)
		scores = append(scores, *score)
		if kappa != nil {
			kappas = append(kappas, *kappa)
		}
	}
	d.ScoreLow, d.ScoreHigh = middle95(scores, len(common))
	if d.Kappa != nil && len(kappas) >= draws*9/10 {
		d.KappaLow, d.KappaHigh = middle95(kappas, len(common))
	}
	return d, true
}

// less returns the differences over some starts, which may repeat.
func (f *Figures) less(other *Figures, starts []Start) (score, kappa *float64) {
	mine, theirs := newTally(), newTally()
	for _, at := range starts {
		mine.join(f.starts[at])
		theirs.join(other.starts[at])
	}
	score = finite(mine.points/float64(mine.games) - theirs.points/float64(theirs.games))
	a, _, _ := mine.decisions.kappa()
	b, _, _ := theirs.decisions.kappa()
	if a != nil && b != nil {
		kappa = finite(*a - *b)
	}
	return score, kappa
}

// middle95 returns the bounds of the middle 95 % of differences, resampled from n starts. If all
// are alike, any other start may still differ.
func middle95(values []float64, n int) (low, high *float64) {
	slices.Sort(values)
	out := len(values) * 25 / 1000
	from, to := values[out], values[len(values)-1-out]
	if to-from < 1e-12 {
		unseen := 1 - math.Pow(0.05, 1/float64(n))
		from, to = from-unseen*(1+from), to+unseen*(1-to)
	}
	return finite(from), finite(to)
}
