package arena

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"digitduel/arena/engine"
	"digitduel/digit"
)

// A Row has the figures of a player under some rules, or under all of them. Intervals are 95 %
// confidence intervals in which games from one start count together, since a player may answer
// them alike. A nil figure is unknown.
type Row struct {
	Rules          string               `json:"rules"` // "all" for all
	Pairs          int                  `json:"pairs"`
	Games          int                  `json:"games"`
	Score          *float64             `json:"score"`     // points per game; nil if games are open
	ScoreLow       *float64             `json:"score_low"` // with open games, all of them lost
	ScoreHigh      *float64             `json:"score_high"`
	Regret         *float64             `json:"regret"` // points thrown away per game
	RegretLow      *float64             `json:"regret_low"`
	RegretHigh     *float64             `json:"regret_high"`
	Decisions      int                  `json:"decisions"`
	Kept           *float64             `json:"kept"`   // share of decisions that kept the value
	Chance         *float64             `json:"chance"` // share that random moves would have kept
	Kappa          *float64             `json:"kappa"`
	KappaLow       *float64             `json:"kappa_low"`
	KappaHigh      *float64             `json:"kappa_high"`
	CleanKappa     *float64             `json:"clean_kappa"` // without forfeits
	CleanKappaLow  *float64             `json:"clean_kappa_low"`
	CleanKappaHigh *float64             `json:"clean_kappa_high"`
	Forfeits       int                  `json:"forfeits"`
	Open           int                  `json:"open"` // games or items without a result yet
	Faults         map[engine.Fault]int `json:"faults"`
}

// A Start identifies games that depend on each other, since they have one start.
type Start struct {
	Rules    digit.Rules
	Position string
	Batch    int // of the games, if all have this start
}

// Figures collect the games of a player by their starts.
type Figures struct {
	Open map[digit.Rules]int // games planned and not played

	starts map[Start]*tally
	order  []Start // as they were added
}

// Add adds a game in which the player has a side.
func (f *Figures) Add(at Start, g *Game, side digit.Side) {
	if f.starts == nil {
		f.starts = map[Start]*tally{}
	}
	if f.starts[at] == nil {
		f.starts[at] = &tally{}
		f.order = append(f.order, at)
	}
	f.starts[at].add(g, side)
}

// Rows returns a row for each of the rules, and then one for all.
func (f *Figures) Rows(rules []digit.Rules) (rows []Row) {
	for _, r := range rules {
		row, _ := f.row(&r)
		rows = append(rows, row)
	}
	all, _ := f.row(nil)
	return append(rows, all)
}

// row returns the figures under one of the rules, or all if r is nil, and their sums.
func (f *Figures) row(r *digit.Rules) (Row, tally) {
	sum := tally{faults: map[engine.Fault]int{}}
	var starts []*tally
	var all, clean []decisions
	for _, at := range f.order {
		if t := f.starts[at]; r == nil || *r == at.Rules {
			sum.join(t)
			starts = append(starts, t)
			all, clean = append(all, t.decisions), append(clean, t.cleanDecisions)
		}
	}
	games, decided := float64(sum.games), sum.decisions.count
	row := Row{
		Rules: nameOf(r), Pairs: sum.games / 2, Games: sum.games,
		Score: share(sum.points, games), Regret: share(sum.regret, games),
		Decisions: int(decided), Kept: share(sum.decisions.kept, decided),
		Chance: share(sum.decisions.chance, decided), Faults: sum.faults,
	}
	row.ScoreLow, row.ScoreHigh = interval(starts, func(t *tally) float64 { return t.points })
	row.RegretLow, row.RegretHigh = interval(starts, func(t *tally) float64 { return t.regret })
	row.Kappa, row.KappaLow, row.KappaHigh = kappaOf(all)
	row.CleanKappa, row.CleanKappaLow, row.CleanKappaHigh = kappaOf(clean)
	for _, n := range row.Faults {
		row.Forfeits += n
	}
	for rules, n := range f.Open {
		if r == nil || *r == rules {
			row.Open += n
		}
	}
	if row.Open > 0 { // the games that are missing may be those that it would lose
		planned := games + float64(row.Open)
		row.Score, row.ScoreLow = nil, share(sum.points, planned)
		row.ScoreHigh = share(sum.points+float64(row.Open), planned)
	}
	return row, sum
}

// nameOf returns the name of rules, or "all" for nil.
func nameOf(r *digit.Rules) string {
	if r == nil {
		return "all"
	}
	return r.String()
}

// A tally sums up the games of a player.
type tally struct {
	games, clean              int // clean: not lost by a fault
	points, cleanPoints       float64
	regret                    float64
	moves                     int
	decisions, cleanDecisions decisions // clean: without forfeits
	pliesLost                 int
	faults, retried           map[engine.Fault]int // faults that lost a game; retried faults
	tries                     int
	tokens                    int64
	cost                      float64
}

// join adds the games of another tally.
func (t *tally) join(other *tally) {
	t.games, t.clean = t.games+other.games, t.clean+other.clean
	t.points, t.cleanPoints = t.points+other.points, t.cleanPoints+other.cleanPoints
	t.regret, t.moves = t.regret+other.regret, t.moves+other.moves
	t.decisions.join(other.decisions)
	t.cleanDecisions.join(other.cleanDecisions)
	t.pliesLost, t.tries = t.pliesLost+other.pliesLost, t.tries+other.tries
	t.tokens, t.cost = t.tokens+other.tokens, t.cost+other.cost
	for fault, n := range other.faults {
		t.faults = plus(t.faults, fault, n)
	}
	for fault, n := range other.retried {
		t.retried = plus(t.retried, fault, n)
	}
}

// plus adds to the number of a fault. Most tallies have no faults and no map.
func plus(faults map[engine.Fault]int, f engine.Fault, n int) map[engine.Fault]int {
	if faults == nil {
		faults = map[engine.Fault]int{}
	}
	faults[f] += n
	return faults
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
		t.faults = plus(t.faults, g.Fault, 1)
		if g.Forfeited > 0 {
			t.decisions.add(float64(g.Keep)/float64(g.Of), false)
		}
	}
}

func (t *tally) addMove(m *Move) {
	t.moves++
	t.tries += m.Tries
	for _, f := range m.Faults {
		t.retried = plus(t.retried, f, 1)
	}
	t.tokens += m.Tokens
	t.cost += m.Cost
	t.pliesLost += m.PliesLost
	if m.Decision() {
		chance := float64(m.Keep) / float64(m.Of)
		t.decisions.add(chance, m.Regret == 0)
		t.cleanDecisions.add(chance, m.Regret == 0)
	}
}

// WriteCSV writes rows as a table without faults. Heads have the first columns, which are texts.
func WriteCSV(out io.Writer, columns []string, heads [][]string, rows []Row) error {
	last := reflect.TypeFor[Row]().NumField() - 1 // the faults
	for i := range last {
		columns = append(columns, reflect.TypeFor[Row]().Field(i).Tag.Get("json"))
	}
	lines := [][]string{columns}
	for n, row := range rows {
		var line []string
		for _, text := range heads[n] {
			if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
				text = "'" + text // a spreadsheet would take it for a formula
			}
			line = append(line, text)
		}
		for i := range last {
			value := reflect.Indirect(reflect.ValueOf(row).Field(i))
			text := ""
			if value.IsValid() {
				text = fmt.Sprint(value.Interface())
			}
			line = append(line, text)
		}
		lines = append(lines, line)
	}
	return csv.NewWriter(out).WriteAll(lines)
}

// Withhold removes the figures that could be those of the easy games alone, if games are open.
func (r *Row) Withhold() {
	if r.Open > 0 {
		r.Regret, r.RegretLow, r.RegretHigh, r.Kept = nil, nil, nil, nil
		r.Kappa, r.KappaLow, r.KappaHigh = nil, nil, nil
		r.CleanKappa, r.CleanKappaLow, r.CleanKappaHigh = nil, nil, nil
	}
}

// interval returns the 95 % confidence interval of a figure per game. If all starts have the same
// figure, what has not been seen may still happen from any other start.
func interval(starts []*tally, figure func(*tally) float64) (low, high *float64) {
	n := float64(len(starts))
	if n == 0 {
		return nil, nil
	}
	var sum, games, squares float64
	for _, t := range starts {
		sum, games = sum+figure(t), games+float64(t.games)
	}
	mean := sum / games
	for _, t := range starts {
		squares += math.Pow(figure(t)-mean*float64(t.games), 2)
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

// Compare returns the differences between two players over the starts that both have, under one
// of the rules or all. It reports false if there are none, or if games are open.
func (f *Figures) Compare(other *Figures, r *digit.Rules) (d PairedDifference, ok bool) {
	d.Rules = nameOf(r)
	var common []Start
	for _, at := range f.order {
		if other.starts[at] != nil && (r == nil || *r == at.Rules) {
			common = append(common, at)
		}
	}
	if len(common) == 0 || len(f.Open)+len(other.Open) > 0 {
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
	var mine, theirs tally
	for _, at := range starts {
		mine.join(f.starts[at])
		theirs.join(other.starts[at])
	}
	score = finite(mine.points/float64(mine.games) - theirs.points/float64(theirs.games))
	a, _, _ := mine.decisions.kappa(1)
	b, _, _ := theirs.decisions.kappa(1)
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
