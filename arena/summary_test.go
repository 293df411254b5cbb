package arena

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"digitduel/arena/engine"
	"digitduel/digit"
)

// A lineGame is a line of games.jsonl, as described in docs/arena.md.
type lineGame struct {
	Rules, Start  string
	First, Second lineSeat
	Moves         []struct {
		Regret, Cost            float64
		Keep, Of, Tries, Tokens int
		PliesLost               int `json:"plies_lost"`
		Faults                  []engine.Fault
	}
	Fault     engine.Fault
	Forfeited float64
	Keep, Of  int
}

type lineSeat struct {
	Player        string
	Score, Regret float64
}

// turn returns the side that moves first from the start: 0 or 1.
func (g *lineGame) turn(t *testing.T) int {
	t.Helper()
	r, err := digit.ParseRules(g.Rules)
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.ParsePosition(g.Start)
	if err != nil {
		t.Fatal(err)
	}
	return int(r.Turn(p))
}

// count computes the totals of a player in some games.
func (p *PlayerTotal) count(t *testing.T, games []lineGame) {
	t.Helper()
	*p = PlayerTotal{Player: p.Player, Row: Row{Faults: map[engine.Fault]int{}},
		Retried: map[engine.Fault]int{}}
	regret, kept, chance, plies := 0.0, 0, 0.0, 0
	clean, cleanChance := 0, 0.0
	for _, g := range games {
		seats := []lineSeat{g.First, g.Second}
		own := slices.IndexFunc(seats, func(s lineSeat) bool { return s.Player == p.Player })
		if own < 0 {
			continue
		}
		p.Games++
		p.Points += seats[own].Score
		regret += seats[own].Regret
		if g.Fault == "" {
			p.CleanGames++
			p.CleanPoints += seats[own].Score
		}
		turn := g.turn(t)
		for i, m := range g.Moves {
			if (turn+i)%2 != own {
				continue
			}
			p.Moves++
			p.Tries += m.Tries
			p.Tokens += int64(m.Tokens)
			p.Cost += m.Cost
			plies += m.PliesLost
			for _, f := range m.Faults {
				p.Retried[f]++
			}
			if m.Keep != m.Of {
				p.Decisions++
				clean++
				chance += float64(m.Keep) / float64(m.Of)
				cleanChance += float64(m.Keep) / float64(m.Of)
				if m.Regret == 0 {
					kept++
				}
			}
		}
		if g.Fault != "" && (turn+len(g.Moves))%2 == own {
			p.Faults[g.Fault]++
			if g.Forfeited > 0 {
				p.Decisions++
				chance += float64(g.Keep) / float64(g.Of)
			}
		}
	}
	of := func(part float64, whole int) *float64 {
		if whole == 0 {
			return nil
		}
		part /= float64(whole)
		return &part
	}
	p.Score, p.CleanScore, p.Regret = of(p.Points, p.Games), of(p.CleanPoints, p.CleanGames),
		of(regret, p.Games)
	p.Kept, p.Chance, p.PliesLost = of(float64(kept), p.Decisions), of(chance, p.Decisions),
		of(float64(plies), p.Moves)
	beyond := func(decisions int, chance float64) *float64 {
		if float64(decisions) == chance {
			return nil
		}
		kappa := (float64(kept) - chance) / (float64(decisions) - chance)
		return &kappa
	}
	p.Kappa, p.CleanKappa = beyond(p.Decisions, chance), beyond(clean, cleanChance)
}

// text returns a total as text, with rounded figures. It omits intervals, which other tests check.
func (p PlayerTotal) text() string {
	at := func(x *float64) string {
		if x == nil {
			return "none"
		}
		return fmt.Sprintf("%.9f", *x+0)
	}
	faults := func(m map[engine.Fault]int) (all []string) {
		for _, f := range slices.Sorted(maps.Keys(m)) {
			all = append(all, fmt.Sprint(f, m[f]))
		}
		return all
	}
	return fmt.Sprint(p.Player, " games ", p.Games, p.Points, " ", at(p.Score), " clean ",
		p.CleanGames, p.CleanPoints, " ", at(p.CleanScore), " faults ", faults(p.Faults),
		faults(p.Retried),
		" regret ", at(p.Regret), " moves ", p.Moves, " decisions ", p.Decisions, " ", at(p.Kept), at(p.Chance), at(p.Kappa), at(p.CleanKappa), " plies ", at(p.PliesLost), " tries ", p.Tries, " took ", p.Tokens, at(&p.Cost))
}

// TestRowIntervals checks, for simulated players whose games from one start are alike, that the
// interval contains the true score about 95 times in 100, also if every start is played often. Its
// width is never zero.
func TestRowIntervals(t *testing.T) {
	const rounds, starts = 2000, 30
	figure := func(t *tally) float64 { return t.points }
	for _, repeats := range []int{1, 5} {
		rng := rand.New(rand.NewPCG(2, uint64(repeats)))
		held := 0
		for range rounds {
			var all []*tally
			for range starts {
				won := float64(rng.IntN(3)) / 2
				all = append(all, &tally{games: repeats, points: won * float64(repeats)})
			}
			if low, high := interval(all, figure); *low <= 0.5 && 0.5 <= *high {
				held++
			}
		}
		if held < rounds*930/1000 || held > rounds*970/1000 {
			t.Errorf("%d games from each start: held in %d of %d rounds", repeats, held, rounds)
		}
	}
	for _, points := range []float64{0, 0.5, 1} { // 40 equal games, from 20 starts or from one
		for _, n := range []int{20, 1} {
			low, high := interval(slices.Repeat([]*tally{{games: 40 / n,
				points: points * 40 / float64(n)}}, n), figure)
			q := 1 - math.Pow(0.05, 1/float64(n))
			if math.Abs(*low-points*(1-q)) > 1e-9 || math.Abs(*high-points-q*(1-points)) > 1e-9 {
				t.Errorf("score %v from %d starts: interval %v to %v", points, n, *low, *high)
			}
		}
	}
}

// TestTotals computes the totals of all kinds of runs from their lines alone. If a game is missing,
// its players must have no score.
func TestTotals(t *testing.T) {
	for name, run := range keptRuns(t) {
		var games []lineGame
		for line := range strings.Lines(run.games) {
			var g lineGame
			if err := json.Unmarshal([]byte(line), &g); err != nil {
				t.Fatal(err)
			}
			games = append(games, g)
		}
		standing, err := ReadRun(run.plan, strings.NewReader(run.games))
		if err != nil {
			t.Fatal(err)
		}
		sum := standing.Summary()
		for _, got := range sum.Players {
			want := PlayerTotal{Player: got.Player}
			want.count(t, games)
			if got.text() != want.text() {
				t.Errorf("%s:\n%s, want\n%s", name, got.text(), want.text())
			}
		}
		for _, r := range sum.Rules {
			n, points := 0, 0.0
			for _, g := range games {
				if g.Rules == r.Rules {
					n, points = n+1, points+g.First.Score
				}
			}
			if r.Games != n || math.Abs(*r.First-points/float64(n)) > 1e-9 {
				t.Errorf("%s: got %+v, want %v of %d points for the side that moves first",
					name, r, points, n)
			}
		}
		lines := slices.Collect(strings.Lines(run.games))
		if standing, err = ReadRun(run.plan, strings.NewReader(strings.Join(lines[:len(lines)-2], ""))); err != nil {
			t.Fatal(err)
		}
		last := games[len(games)-1]
		for _, p := range standing.Summary().Players {
			missed := p.Player == last.First.Player || p.Player == last.Second.Player
			if (p.Score == nil) != missed || (p.CleanScore == nil) != missed || p.Moves == 0 {
				t.Errorf("%s: without a game: %s", name, p.text())
			}
		}
	}
}
