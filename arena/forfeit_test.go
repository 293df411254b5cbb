package arena

import (
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"digitduel/arena/engine"
	"digitduel/bot"
	"digitduel/digit"
)

// A pickyEngine answers only in some positions. Without choose, it cannot start a game.
type pickyEngine struct {
	rules  digit.Rules
	choose func(r digit.Rules, p digit.Position) (m digit.Move, ok bool)
}

func (e *pickyEngine) NewGame(_ context.Context, r digit.Rules, _ uint64) error {
	e.rules = r
	if e.choose == nil {
		return &engine.FaultError{Fault: engine.Crashed, Why: "no game"}
	}
	return nil
}

func (e *pickyEngine) Choose(_ context.Context, p digit.Position, moves []digit.Move,
	_ time.Duration) (Answer, error) {
	for _, m := range moves {
		p, _ = e.rules.Play(p, m)
	}
	m, ok := e.choose(e.rules, p)
	if !ok {
		return Answer{}, &engine.FaultError{Fault: engine.Silent, Why: "no answer"}
	}
	return Answer{Move: m}, nil
}

func (e *pickyEngine) Close() {}

// TestForfeitsRank checks the kappa of players that forfeit in various positions, from the weakest
// to the strongest. They play the perfect level. The figures are those of docs/arena.md.
func TestForfeitsRank(t *testing.T) {
	plan, solutions := planOf(t,
		Plan{Players: []string{"engine:x", "perfect"}, Pairs: 200, Seed: 1},
		"decision:ply=1-4", "dilemma", "sevens", "highest", "divisibility", "reverse")
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(r digit.Rules, p digit.Position) (digit.Move, bool) { return r.Pick(p, rng.IntN) }
	winner := func(r digit.Rules, p digit.Position) (m digit.Move, ok bool) {
		for m := range r.Moves(p) {
			if next, _ := r.Play(p, m); r.Result(next).Score == digit.WinFor(r.Turn(p)) {
				return m, true
			}
		}
		return m, false
	}
	// perfect plays perfectly, but is silent in some positions.
	perfect := func(silent func(value float64, keep, of int) bool) func(digit.Rules, digit.Position) (digit.Move, bool) {
		return func(r digit.Rules, p digit.Position) (digit.Move, bool) {
			s := solutions[slices.Index(plan.Rules, r)]
			keep, of := s.Kept(p)
			m := bot.New(bot.Perfect(), s, rng).Choose(p)
			return m, !silent(s.Value(p).Outcome.Points(), keep, of)
		}
	}
	last := -10.0
	for _, v := range []struct {
		name, player string
		choose       func(digit.Rules, digit.Position) (digit.Move, bool)
		kappa, clean string
	}{
		{"never answers", "engine:x", func(digit.Rules, digit.Position) (m digit.Move, ok bool) { return m, false }, "-0.539", "–"},
		{"begins no game", "engine:x", nil, "-0.539", "–"},
		{"random", "engine:x", random, "-0.137", "-0.137"},
		{"answers only to win at once", "engine:x", winner, "0.151", "1.000"},
		{"a level", "beginner", nil, "0.291", "0.291"},
		{"answers only decisions", "engine:x", perfect(func(value float64, keep, of int) bool { return value > 0 && keep == of }), "0.659", "1.000"},
		{"refuses lost positions", "engine:x", perfect(func(value float64, _, _ int) bool { return value == 0 }), "1.000", "1.000"},
	} {
		one := *plan
		one.Players = []string{v.player, "perfect"}
		_, standing := play(t,
			Runner{Plan: &one, Solutions: solutions,
				Open: func(context.Context, string) (Engine, error) {
					return &pickyEngine{choose: v.choose}, nil
				}})
		p := standing.Summary().Players[0]
		if p.Kappa == nil {
			t.Fatalf("%s: no kappa", v.name)
		}
		kappa, clean := figure(p.Kappa, "%.3f"), figure(p.CleanKappa, "%.3f")
		t.Logf("%s: kappa %s (%s to %s), without forfeits %s",
			v.name, kappa, figure(p.KappaLow, "%.3f"), figure(p.KappaHigh, "%.3f"), clean)
		if *p.Kappa < last || kappa != v.kappa || clean != v.clean || *p.KappaLow > *p.Kappa ||
			*p.KappaHigh < *p.Kappa {
			t.Errorf("%s: kappa %s from %v to %v, without forfeits %s; want %s, %s, and at least %v", v.name, kappa, *p.KappaLow, *p.KappaHigh, clean, v.kappa, v.clean, last)
		}
		last = *p.Kappa
	}
}

// TestForfeitedWhereAllKeeps checks that there is no kappa for a forfeited win that every choice
// keeps, because random moves lose nothing there.
func TestForfeitedWhereAllKeeps(t *testing.T) {
	plan, solutions := planOf(t, Plan{Players: []string{"engine:x", "perfect"}, Pairs: 2},
		"beginning", "sevens")
	text, standing := play(t,
		Runner{Plan: plan, Solutions: solutions,
			Open: func(context.Context, string) (Engine, error) {
				return &pickyEngine{}, nil
			}})
	p := standing.Summary().Players[0]
	if p.Decisions != 2 || *p.Kept != 0 || *p.Chance != 1 || p.Kappa != nil || p.KappaLow != nil ||
		p.KappaHigh != nil || *p.Regret != 0.5 {
		t.Errorf("%s\n%s", p.text(), text)
	}
}

// older returns games in the format before forfeits had counts.
func older(t *testing.T, games string) string {
	t.Helper()
	old := regexp.MustCompile(`,"keep":[0-9]+,"of":[0-9]+}\n`).ReplaceAllString(games, "}\n")
	if old == games {
		t.Fatal("no game was forfeited")
	}
	return old
}

// TestOlderForfeits checks that in runs whose forfeits have no counts, all figures are the same
// except those that depend on the counts, which are unknown.
func TestOlderForfeits(t *testing.T) {
	for name, run := range keptRuns(t) {
		if name == "levels" {
			continue
		}
		old, unknown := older(t, run.games), 0
		total := func(games string) []PlayerTotal {
			standing, err := ReadRun(run.plan, strings.NewReader(games))
			if err != nil {
				t.Fatal(err)
			}
			return standing.Summary().Players
		}
		for i, got := range total(old) {
			want := total(run.games)[i]
			if got.Kappa == nil && want.Kappa != nil {
				unknown++
				want.Kappa, want.KappaLow, want.KappaHigh, want.Chance = nil, nil, nil, nil
			}
			if got.text() != want.text() || got.Decisions != want.Decisions ||
				*got.Kept != *want.Kept ||
				(got.CleanKappa == nil) != (want.CleanKappa == nil) {
				t.Errorf("%s: read as\n%s\nwant\n%s", name, got.text(), want.text())
			}
		}
		if unknown == 0 {
			t.Errorf("%s: no position worth more than 0 was forfeited", name)
		}
		if found := run.check(t, old).Differences; len(found) > 0 {
			t.Errorf("%s: differences in an older run: %v", name, found)
		}
	}
}

// TestResumeOlder checks that a match whose forfeits have no counts can be resumed.
func TestResumeOlder(t *testing.T) {
	plan, solutions := planOf(t, Plan{Players: []string{"engine:x", "perfect"}, Pairs: 6, Seed: 2},
		"decision:ply=1-2", "highest", "dilemma")
	r := Runner{Plan: plan, Solutions: solutions,
		Open: func(context.Context, string) (Engine, error) { return &pickyEngine{}, nil }}
	games, whole := play(t, r)
	file, err := os.Create(filepath.Join(t.TempDir(), "games.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() }) // the content is synced
	if _, err := io.WriteString(file, older(t, strings.Join(slices.Collect(strings.Lines(games))[:10], ""))); err != nil {
		t.Fatal(err)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	standing, err := r.Run(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	got, want := standing.Summary().Players[0], whole.Summary().Players[0]
	if want.Kappa == nil {
		t.Fatalf("%s: no position worth more than 0 was forfeited", want.text())
	}
	if want.Kappa, want.Chance = nil, nil; got.text() != want.text() {
		t.Errorf("%s, want %s", got.text(), want.text())
	}
}

// TestForgedForfeits forges the counts of forfeits. Game.Check accepts possible ones, but a check
// of the run finds them all.
func TestForgedForfeits(t *testing.T) {
	run := keptRuns(t)["engine"]
	forged := 0
	for _, f := range new(Audit).fixtures(run.plan, []byte(run.games)) {
		var g Game
		if err := g.read(f.text); err != nil {
			t.Fatal(err)
		}
		if g.Fault == "" {
			continue
		}
		lost := g.Forfeited == 0
		for _, v := range []struct {
			keep, of int
			possible bool // consistent with the rest of the line
		}{
			{0, g.Of, false}, {g.Keep, 0, false}, {-1, g.Of, false}, {g.Of + 1, g.Of, false},
			{1, 99, !lost}, {g.Keep, g.Of + 1, !lost}, {g.Of + 1, g.Of + 1, true},
		} {
			other := g
			other.Keep, other.Of = v.keep, v.of
			if err := other.Check(); (err == nil) != v.possible {
				t.Errorf("game %d: %d of %d became %d of %d: %v",
					g.Game, g.Keep, g.Of, v.keep, v.of, err)
			}
			text, err := json.Marshal(other)
			if err != nil {
				t.Fatal(err)
			}
			f.text = text
			forged++
			if all, err := run.plan.differences(run.solutions[run.plan.Rules[f.rules]], f); len(all) == 0 && err == nil {
				t.Errorf("game %d: %d of %d became %d of %d, but no difference was found",
					g.Game, g.Keep, g.Of, v.keep, v.of)
			}
		}
	}
	g := Game{Fault: "", Forfeited: 0, Keep: 1, Of: 2}
	if err := g.checkForfeit(); forged == 0 || err == nil {
		t.Errorf("%d counts were forged; counts without a fault: %v", forged, err)
	}
}
