package bot

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"digitduel/digit"
	"digitduel/solve"
)

var (
	update = flag.Bool("update", false, "rewrite docs/levels.md")
	pairs  = flag.Int("pairs", 100, "pairs of games between two levels; 500 with DUEL_NIGHTLY, as in docs/levels.md")
)

const pagePairs = 500 // for the figures of docs/levels.md

// measuredGames are the games in which levels are measured: the five books, and games that the
// second player wins, that end by a comparison, or that are longer.
var measuredGames = append(digit.BookNames()[:5],
	"dilemma target=11", "dilemma target=13", "dilemma width=4", "divisibility target=11",
	"divisibility target=101")

// A mean is an average of measured figures.
type mean struct{ n, sum, squares float64 }

func (m *mean) add(x float64) {
	m.n++
	m.sum += x
	m.squares += x * x
}

func (m mean) value() float64 { return m.sum / max(1, m.n) }

// margin is half the width of the 95% confidence interval of the average.
func (m mean) margin() float64 {
	return 1.96 * math.Sqrt(max(0, m.squares/max(1, m.n)-m.value()*m.value())/max(1, m.n-1))
}

// A strength holds the figures of a level in a game.
type strength struct {
	below mean // points of a pair of games against the level below, one on each side: 0 to 1
	first mean // points of the first player if both are of this level
	lost  mean // loss per decision in those games: 1 from a win to a loss, ½ to or from a draw
}

// measure lets a level play against the level below and against itself.
func measure(s *solve.Solution, level int) (m strength) {
	seat := func(level, pair, seat int) *Bot {
		return New(Levels[level], s, rand.New(rand.NewPCG(uint64(pair), uint64(level<<1|seat))))
	}
	for i := range *pairs {
		if level > 0 { // the same two players change sides
			won := play(s, seat(level, i, 0), seat(level-1, i, 1), nil)
			held := 1 - play(s, seat(level-1, i, 1), seat(level, i, 0), nil)
			m.below.add((won + held) / 2)
		}
		if Levels[level] == Perfect() && i >= 5 {
			continue // it always has the same result
		}
		m.first.add(play(s, seat(level, i, 0), seat(level, i, 1), &m.lost))
		m.first.add(play(s, seat(level, i, 1), seat(level, i, 0), nil))
	}
	return m
}

// play plays a game and returns the points of the first player. If lost is not nil it counts the
// loss of each decision.
func play(s *solve.Solution, first, second *Bot, lost *mean) float64 {
	r := s.Rules()
	var p digit.Position
	for !r.Result(p).Over() {
		m := [2]*Bot{first, second}[r.Turn(p)].Choose(p)
		if lost != nil {
			if choices := s.Choices(p); solve.Keep(choices) < len(choices) {
				lost.add(s.Value(p).Outcome.Points() - s.Choice(p, m).Value.Outcome.Points())
			}
		}
		p, _ = r.Play(p, m) // a bot plays legal moves
	}
	points := s.Value(p).Outcome.Points()
	if r.Turn(p) != digit.First {
		return 1 - points
	}
	return points
}

// A tournament holds the figures of levels, by game and level.
type tournament [][]strength

func playTournament(t *testing.T) tournament {
	all := make(tournament, len(measuredGames))
	var playing sync.WaitGroup
	for i, s := range solveAll(t, measuredGames...) {
		playing.Go(func() {
			for level := range Levels {
				all[i] = append(all[i], measure(s, level))
			}
		})
	}
	playing.Wait()
	return all
}

// below returns the score of a level against the one below it over all games, and its margin.
func (t tournament) below(level int) (value, margin float64) {
	n := float64(len(t))
	for _, game := range t {
		value += game[level].below.value() / n
		margin += math.Pow(game[level].below.margin()/n, 2)
	}
	return value, math.Sqrt(margin)
}

// lost returns the loss per decision of a level over all games.
func (t tournament) lost(level int) (value float64) {
	for _, game := range t {
		value += game[level].lost.value() / float64(len(t))
	}
	return value
}

// TestLevels plays the tournament of docs/levels.md, and checks that each level beats the one
// below it significantly over all games together and falls behind it in none, that each loses
// less per decision, and that the better side does not alternate with the level.
func TestLevels(t *testing.T) {
	if *update || os.Getenv("DUEL_NIGHTLY") != "" {
		*pairs = pagePairs
	}
	tour := playTournament(t)
	for level := 1; level < len(Levels); level++ {
		name, below := Levels[level].Name, Levels[level-1].Name
		if value, margin := tour.below(level); value-margin <= 0.5 {
			t.Errorf("%s scores %.3f ± %.3f against %s", name, value, margin, below)
		}
		if lost, lower := tour.lost(level), tour.lost(level-1); lost > 0.85*lower {
			t.Errorf("%s loses %.4f per decision, hardly less than %.4f of %s", name, lost, lower, below)
		}
	}
	if lost := tour.lost(len(Levels) - 1); lost != 0 {
		t.Errorf("the perfect level loses %.4f per decision, want 0", lost)
	}
	for i, game := range tour {
		turns, last := 0, 0.0
		for level, m := range game {
			if level == 0 {
				continue
			}
			if v := m.below.value(); v < 0.5 || *pairs >= 10*pagePairs && v-m.below.margin() <= 0.5 {
				t.Errorf("%s: %s scores %.4f ± %.4f against %s",
					measuredGames[i], Levels[level].Name, v, m.below.margin(), Levels[level-1].Name)
			}
			if by := m.first.value() - game[level-1].first.value(); math.Abs(by) > 0.1 {
				if by*last < 0 {
					turns++
				}
				last = by
			}
		}
		if turns > 1 {
			t.Errorf("%s: the first player's score alternates with the level: %s",
				measuredGames[i], row(game, firstShare))
		}
	}
	const page = "../docs/levels.md"
	text := tour.page()
	if *pairs != pagePairs {
		t.Log(text)
		return
	}
	const others = "\n## Placed by matches\n" // written by cmd/duel
	kept, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	own, rest, _ := strings.Cut(string(kept), others)
	if *update {
		if err := os.WriteFile(page, []byte(text+others+rest), 0o644); err != nil {
			t.Fatal(err)
		}
		own = text
	}
	if own != text {
		t.Errorf("%s is out of date; run go test ./bot -update and read the difference", page)
	}
}

// page returns the page of a tournament.
func (t tournament) page() string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Levels

How strong the computer's levels are, measured in ten games: the five books, and five that the
second player wins, that end by a comparison, or that are longer.

    duel play dilemma --p2 casual

Written by `+"`go test ./bot -update`"+` with fixed seeds. [A decision](decisions/0004-levels.md)
explains what each level sees.

- *against the level below*: points won, a draw being half a point, with the 95 %% interval. Two
  levels play %d pairs in each game, with the sides swapped. Where one side has a clear way to win,
  both strong levels find it, so the score stays close to 50.
- *lost per decision*: the mean loss of a move between equal levels, 1 being a win turned into a
  loss, where not all moves are worth the same.

| level | how it plays | lost per decision | against the level below |
|---|---|---|---|
`, *pairs)
	for i, l := range Levels {
		below := "–"
		if i > 0 {
			value, margin := t.below(i)
			below = fmt.Sprintf("%.1f ± %.1f %%", 100*value, 100*margin)
		}
		fmt.Fprintf(&b, "| %s | %s | %.3f | %s |\n", l.Name, l.Line, t.lost(i), below)
	}
	fmt.Fprintf(&b, `
## Against the level below

In per cent, of %d games each. The test fails if one is below 50. With ten times as many games
(`+"`go test ./bot -run Levels -v -pairs 5000`"+`) all are above 50 by more than their interval.

`, 2**pairs)
	t.table(&b, belowScore)
	fmt.Fprintf(&b, `
## The first player's score

In per cent, between equal levels, of %d games each (at most ± 3.1).

`, 2**pairs)
	t.table(&b, firstShare)
	return b.String()
}

func belowScore(m strength) string {
	if m.below.n == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f ± %.1f", 100*m.below.value(), 100*m.below.margin())
}

func firstShare(m strength) string { return fmt.Sprintf("%.1f", 100*m.first.value()) }

// table writes a row for each game and a column for each level.
func (t tournament) table(b *strings.Builder, cell func(strength) string) {
	fmt.Fprintf(b, "||%s|\n|---|%s\n",
		strings.Join(LevelNames(), "|"), strings.Repeat("---|", len(Levels)))
	for i, game := range t {
		fmt.Fprintf(b, "|`%s`|%s|\n", measuredGames[i], row(game, cell))
	}
}

func row(game []strength, cell func(strength) string) string {
	var cells []string
	for _, m := range game {
		cells = append(cells, cell(m))
	}
	return strings.Join(cells, "|")
}
