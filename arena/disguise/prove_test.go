package disguise

import (
	"flag"
	"go/parser"
	"go/token"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/solve"
)

var seeds = flag.Uint64("seeds", 1, "number of disguises of each book to prove")

// known caches the positions of games, ply by ply.
var known = map[digit.Rules][]digit.Position{}

func positionsOf(t *testing.T, r digit.Rules) []digit.Position {
	t.Helper()
	if known[r] == nil {
		all, listed := []digit.Position{{}}, map[digit.Position]bool{}
		for i := 0; i < len(all); i++ {
			for m := range r.Moves(all[i]) {
				next, err := r.Play(all[i], m)
				if err != nil {
					t.Fatal(err)
				}
				if !listed[next] {
					listed[next] = true
					all = append(all, next)
				}
			}
		}
		known[r] = all
	}
	return known[r]
}

func mustNew(t *testing.T, r digit.Rules, seed uint64) *Disguise {
	t.Helper()
	d, err := New(r, seed, false)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// grades returns both disguises of a game for a seed: the full one, and the one of names only.
func grades(t *testing.T, r digit.Rules, seed uint64) []*Disguise {
	t.Helper()
	names, err := Spec{&seed, true}.Disguised(r)
	if err != nil {
		t.Fatal(err)
	}
	return []*Disguise{mustNew(t, r, seed), names}
}

// TestGrades checks that rules with names only contain the order and the values of the digits, and
// that those of a full disguise do not list the tokens in this order.
func TestGrades(t *testing.T) {
	for _, b := range digit.Books {
		for seed := range uint64(20) {
			for _, d := range grades(t, b.Rules, seed) {
				text, ranked := d.Game.Text(true), true
				for i, token := range d.Game.Tokens {
					plain := token.Worth == int(d.digitOf[i]) &&
						strings.Contains(text, token.Name+" "+spell(token.Worth))
					if d.NamesOnly && !plain {
						t.Errorf("%s, seed %d: %+v is %v in\n%s",
							b.Name, seed, token, d.digitOf[i], text)
					}
					ranked = ranked && (i == 0 || token.Rank > d.Game.Tokens[i-1].Rank)
				}
				if ranked != d.NamesOnly {
					t.Errorf("%s, seed %d, names only %v: %v",
						b.Name, seed, d.NamesOnly, d.Game.Tokens)
				}
			}
		}
	}
	for text, want := range map[string]string{"": Plain, "7": Full, "7:words": Words} {
		if s, err := ParseSpec(text); err != nil || s.Arm() != want || s.DisguiseText() != text {
			t.Errorf("%q: %v, %v", text, s, err)
		}
	}
	for _, text := range []string{"7:", "7:full", "x", "-1", ":words"} {
		if _, err := ParseSpec(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

func rulesOf(t *testing.T, text string) digit.Rules {
	t.Helper()
	r, err := digit.ParseRules(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestProved proves disguises of each book, and compares the counts with perft.
func TestProved(t *testing.T) {
	for _, b := range digit.Books {
		positions := 0
		for ply := range b.Rules.Perft(0) {
			positions += ply.Positions
		}
		for seed := range *seeds {
			for _, d := range grades(t, b.Rules, seed) {
				c, err := d.Prove(t.Context(), MostPositions)
				if err != nil || c.Positions != positions {
					t.Errorf("%s, seed %d: proved %d positions, want %d: %v",
						b.Name, seed, c.Positions, positions, err)
				}
			}
		}
	}
}

// TestOtherRules proves disguises of rules with features that no book has.
func TestOtherRules(t *testing.T) {
	for _, text := range others {
		r := rulesOf(t, text)
		for seed := range uint64(6) {
			for _, d := range grades(t, r, seed) {
				if _, err := d.Prove(t.Context(), MostPositions); err != nil {
					t.Errorf("%s, seed %d: %v", text, seed, err)
				}
			}
		}
	}
}

func TestRefused(t *testing.T) {
	r := rulesOf(t, "sevens win=each")
	if _, err := New(r, 1, false); err == nil ||
		!strings.Contains(err.Error(), "cannot disguise sevens win=each: ") {
		t.Errorf("got the error %v", err)
	}
	if _, _, err := Proved(t.Context(), digit.Sevens, 1, 1000); err == nil ||
		err.Error() != "cannot disguise sevens: it has more than 1000 positions" {
		t.Errorf("got the error %v", err)
	}
	if d, proof, err := Proved(t.Context(), digit.Sevens, 1, MostPositions); err != nil ||
		d.Rules != digit.Sevens || proof.Positions == 0 {
		t.Errorf("%v, %v", proof, err)
	}
}

// TestOwnGame checks that the game of tokens does not use the game of digits.
func TestOwnGame(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "game.go", nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range file.Imports {
		if strings.Contains(spec.Path.Value, "digit") {
			t.Errorf("game.go imports %s", spec.Path.Value)
		}
	}
}

func TestSameSeed(t *testing.T) {
	for _, b := range digit.Books {
		one, same, other := mustNew(t, b.Rules, 7), mustNew(t, b.Rules, 7), mustNew(t, b.Rules, 8)
		if one.Game.Text(true) != same.Game.Text(true) ||
			!maps.Equal(one.Map().Tokens, same.Map().Tokens) {
			t.Errorf("%s: the same seed gives another disguise", b.Name)
		}
		if one.Game.Text(true) == other.Game.Text(true) {
			t.Errorf("%s: another seed gives the same disguise", b.Name)
		}
	}
}

// TestRegret checks, in random games, that the regret of a move in the game of tokens, computed by
// plain minimax, equals that of the solution of the game of digits.
func TestRegret(t *testing.T) {
	for _, b := range digit.Books {
		d := mustNew(t, b.Rules, 11)
		s, err := solve.Solve(t.Context(), b.Rules, solve.Config{})
		if err != nil {
			t.Fatal(err)
		}
		values := map[position]int{}
		rng := rand.New(rand.NewPCG(1, 2))
		for range 20 {
			var p digit.Position
			var v position
			for !b.Rules.Result(p).Over() {
				m, _ := b.Rules.Pick(p, rng.IntN)
				back, err := d.ParseMove(strings.ToUpper(d.Move(m)))
				if err != nil || back != m {
					t.Fatalf("%v: %s reads as %v, %v", m, d.Move(m), back, err)
				}
				next, err := b.Rules.Play(p, m)
				if err != nil {
					t.Fatal(err)
				}
				encoded := d.Game.play(v, d.encodeMove(m))
				digits := worth(s, p) + worth(s, next) // the turn has changed
				tokens := value(&d.Game, v, values) + value(&d.Game, encoded, values)
				if digits != tokens {
					t.Fatalf("%s: %v in %s: regret %d with digits, %d with tokens",
						b.Name, m, b.Rules.Text(p), digits, tokens)
				}
				p, v = next, encoded
			}
		}
	}
}

// worth returns the value of a position for the side to move: 1, 0 or -1.
func worth(s *solve.Solution, p digit.Position) int {
	switch s.Value(p).Outcome {
	case solve.Win:
		return 1
	case solve.Loss:
		return -1
	default:
		return 0
	}
}

// value returns the value of a position in the game of tokens, by plain minimax.
func value(g *Game, p position, known map[position]int) int {
	switch o := g.outcome(p); {
	case o == Drawn:
		return 0
	case o == wins(p.turn()&1):
		return 1
	case o != Open:
		return -1
	}
	best, ok := known[p]
	if ok {
		return best
	}
	best = -1
	g.moves(p, func(m move) { best = max(best, -value(g, g.play(p, m), known)) })
	known[p] = best
	return best
}
